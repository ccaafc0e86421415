//! The meta-mutant: one program that holds all its mutants. At every changed expression it chooses
//! by `labrys_mutant(point)`: 0 is the original, any other number one alternative.
//!
//! At most one mutant is active in a run, with changes that are not inside of each other. So an alternative holds its operands as plain copies of
//! the source, and only the original has further choices inside. Exactly one alternative is
//! evaluated: operands may have side effects.

use super::mutants::is_value;
use super::mutation_operator::MutationOperator;
use super::operators::{ConstantLimit, ExpressionMutant, MutantKind};
use super::render::Replacement;
use super::{Annotator, next_number};
use crate::ast::{AstKind, AstNode};
use crate::dialects;
use crate::edits::TextEdits;
use crate::types::TypeShape;
use std::collections::{BTreeMap, BTreeSet};

/// Where the walk over the expressions is.
#[derive(Default)]
pub(super) struct MutationWalk {
    /// What is here stays as it is.
    pub fixed: bool,
    /// Expressions that clang lists several times have their mutants once.
    seen: BTreeSet<u64>,
    /// The operand of the innermost conversion: its own type does not matter.
    converted: u64,
    /// What the constants on the right of divisions and shifts may become.
    limits: BTreeMap<u64, ConstantLimit>,
}

/// A choice whose first half is written; `close_choice` writes the rest.
pub(super) struct OpenChoice {
    pub end: String,
    pub fixed_around: bool,
}

impl Annotator<'_> {
    /// Begins the choice between an expression and its own mutants.
    pub(super) fn open_choice(&mut self, node: &AstNode) -> OpenChoice {
        let mut choice = OpenChoice {
            end: String::new(),
            fixed_around: self.walk.fixed,
        };
        let changes = self.context.plan.mutants && !self.walk.fixed;
        if !changes || !self.walk.seen.insert(node.id) {
            return choice;
        }
        let mut found: Vec<(ExpressionMutant, String)> = Vec::new();
        match node.kind {
            AstKind::BinaryOperator if node.opcode() == "=" => self.assignments(node, &mut found),
            AstKind::CompoundAssignOperator => self.compounds(node, &mut found),
            // Calls of input functions belong to the driver, not to the program under test.
            AstKind::CallExpr => {
                self.walk.fixed = node.callee().is_some_and(dialects::is_implemented);
            }
            // Compilers require constants here, or the kind of node is not known.
            AstKind::AtomicExpr | AstKind::Other => self.walk.fixed = true,
            AstKind::ImplicitCastExpr if node.cast_kind() == "VectorSplat" => {
                self.walk.fixed = true
            }
            _ if node.is_lvalue() => {}
            _ => self.values(node, &mut found),
        }
        // Before the walk forgets what is converted.
        let cast = self.narrow_type(node).map(|ty| format!("({ty})"));
        let value = self.value_type(node);
        if let (Some(limit), Some(right)) = (self.limit_of_right(node), node.child(1)) {
            self.walk.limits.insert(right.id, limit);
        }
        if let (AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr, Some(inner)) =
            (node.kind, node.child(0))
        {
            self.walk.converted = inner.id;
        }
        self.further_values(node, &mut found);
        found.retain(|(mutant, _)| self.is_wanted(mutant));
        if found.is_empty() {
            return choice;
        }
        if !self.can_be_copied(node) {
            self.note_uncopied(node);
            return choice;
        }
        let point = self.hiding_point(&found, node.span());
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        if let Some((begin, _)) = node.span() {
            let (head, end) = match value.filter(|_| are_values(&texts)) {
                Some(ty) => {
                    let chosen = alternatives_text(&format!("LABRYS_CHOSEN({point})"), &texts);
                    let head = format!("LABRYS_VALUE({point}, {ty}) {chosen} : (");
                    (head, format!(") LABRYS_VALUE_END({point})"))
                }
                None => {
                    let chosen = alternatives_text(&format!("labrys_mutant({point})"), &texts);
                    let head = format!("({}({chosen} : (", cast.unwrap_or_default());
                    (head, ")))".to_owned())
                }
            };
            self.edits.before(begin, head);
            choice.end = end;
        }
        choice
    }

    /// Begins a condition that may be negated.
    pub(super) fn open_negation(&mut self, node: &AstNode) -> OpenChoice {
        let mut choice = OpenChoice {
            end: String::new(),
            fixed_around: self.walk.fixed,
        };
        let wanted = self.context.plan.operators.contains(&MutationOperator::Uoi);
        if !self.context.plan.mutants || self.walk.fixed || !wanted {
            return choice;
        }
        let mut found = Vec::new();
        self.negated(node, &mut found);
        found.retain(|mutant| self.is_wanted(mutant));
        let found: Vec<(ExpressionMutant, String)> =
            found.into_iter().map(|m| (m, String::new())).collect();
        if let (Some((begin, _)), false) = (node.span(), found.is_empty()) {
            let point = self.point(&found, node.span());
            // As a value: clang would make branches of a choice between conditions, and mutants would come
            // together with the original only behind the statement.
            let (head, end) = match self.is_pure(node) {
                true => (
                    format!("LABRYS_NEGATED({point}) "),
                    format!(" LABRYS_NEGATED_END({point})"),
                ),
                false => (
                    "(+((".to_owned(),
                    format!(") ? !labrys_mutant({point}) : labrys_mutant({point})))"),
                ),
            };
            self.edits.before(begin, head);
            choice.end = end;
        }
        choice
    }

    pub(super) fn close_choice(&mut self, choice: OpenChoice, node: &AstNode) {
        self.walk.fixed = choice.fixed_around;
        if let (Some((_, end)), false) = (node.span(), choice.end.is_empty()) {
            self.edits.after(end, choice.end);
        }
    }

    /// Gives the mutants of one place their point. The choice stands around this text, and whatever
    /// is active, what is inside is evaluated.
    pub(super) fn point(
        &mut self,
        found: &[(ExpressionMutant, String)],
        around: Option<(u32, u32)>,
    ) -> u32 {
        self.new_point(found, around, false)
    }

    /// The same for a choice whose alternatives take the place of the text that it stands around.
    pub(super) fn hiding_point(
        &mut self,
        found: &[(ExpressionMutant, String)],
        around: Option<(u32, u32)>,
    ) -> u32 {
        self.new_point(found, around, true)
    }

    fn new_point(
        &mut self,
        found: &[(ExpressionMutant, String)],
        around: Option<(u32, u32)>,
        hides: bool,
    ) -> u32 {
        next_number(&mut self.program.numbers.point);
        let point = self.program.numbers.point;
        if let Some(span) = around {
            let nesting = &mut self.program.nesting;
            nesting.add(point, &self.name, span, hides);
        }
        for (alternative, (mutant, _)) in (1..).zip(found) {
            let at = self.excerpt(mutant.span);
            self.program.mutants.push(labrys_ledger::Mutant {
                id: String::new(),
                operator: mutant.operator.name(),
                function: self.name.clone(),
                file: at.file.to_string(),
                line: at.line,
                column: at.column,
                text: mutant.shown.clone(),
                point,
                alternative,
                also: None,
            });
        }
        point
    }

    /// `lhs = e` could assign to another variable.
    fn assignments(&mut self, node: &AstNode, found: &mut Vec<(ExpressionMutant, String)>) {
        let ([lhs, rhs], true) = (node.inner.as_slice(), self.is_assigned(node)) else {
            return;
        };
        let rhs = copy(rhs);
        if lhs.is_bit_field_access() {
            return;
        }
        for (other, mutant) in self.other_targets(node) {
            found.push((mutant, format!("({other} = ({rhs}))")));
        }
    }

    /// `lhs op= e` could have another operator.
    fn compounds(&mut self, node: &AstNode, found: &mut Vec<(ExpressionMutant, String)>) {
        let ([lhs, rhs], true) = (node.inner.as_slice(), self.is_assigned(node)) else {
            return;
        };
        let (lhs, rhs) = (copy(lhs), copy(rhs));
        for (operator, mutant) in self.other_operators(node) {
            found.push((mutant, format!("(({lhs}) {operator}= ({rhs}))")));
        }
    }

    fn is_assigned(&self, node: &AstNode) -> bool {
        let lhs = node.child(0);
        lhs.is_some_and(|lhs| self.is_scalar(lhs) && is_value(&self.context.types.of(lhs)))
    }

    /// Other values of an expression.
    fn values(&mut self, node: &AstNode, found: &mut Vec<(ExpressionMutant, String)>) {
        let mut mutants = Vec::new();
        self.walk.fixed = !self.own_mutants(node, &mut mutants);
        if let Some(limit) = self.walk.limits.remove(&node.id) {
            mutants.retain(|mutant| limit.allows(mutant));
        }
        for mutant in mutants {
            let text = match &mutant.kind {
                MutantKind::Changed(change) => Self::changed(node, &change.to),
                MutantKind::FailsOnZero(_) | MutantKind::Written => bound_to_variable(
                    &copy(node),
                    "if (labrys_value == 0) __builtin_trap(); labrys_value;",
                ),
            };
            found.push((mutant, text));
        }
    }

    /// The text of an alternative.
    fn changed(node: &AstNode, to: &Replacement) -> String {
        let operand = |index: usize| node.child(index).map_or(String::new(), copy);
        match to {
            Replacement::Operator(new) => {
                format!("(({}) {new} ({}))", operand(0), operand(1))
            }
            // As an operand of `&&`, so also in its place: a truth value.
            Replacement::Operand(index) => format!("(!!({}))", operand(*index)),
            Replacement::Text(text) => format!("({text})"),
            Replacement::Pattern(pattern) => {
                let text = copy(node);
                match pattern.matches('@').count() {
                    1 => pattern.replace('@', &format!("({text})")),
                    _ => bound_to_variable(
                        &text,
                        &format!("{};", pattern.replace('@', "labrys_value")),
                    ),
                }
            }
        }
    }

    /// The type of a value that is narrower than what its alternatives compute, unless the value
    /// is converted anyway.
    fn narrow_type(&self, node: &AstNode) -> Option<String> {
        let ty = self.context.types.of(node).unqualified();
        let narrow = matches!(ty.canonical().shape, TypeShape::Int { bits, .. } if bits < 32);
        let matters = narrow && self.walk.converted != node.id;
        (matters && self.context.types.is_spellable(&ty)).then(|| self.context.types.spell(&ty))
    }

    /// The type of a choice between values that may be computed one after the other, since nothing
    /// changes by it; `None` where exactly one of them must be evaluated. The value of a narrow type
    /// that is converted anyway is what C computes with: an `int`.
    pub(super) fn value_type(&self, node: &AstNode) -> Option<String> {
        let types = self.context.types;
        let ty = types.of(node).canonical().unqualified();
        let narrow = match &ty.shape {
            TypeShape::Int { bits, .. } => *bits < 32,
            // Wider ones set flags of the machine that are not put back.
            TypeShape::Float { bits, .. } if *bits <= 64 => false,
            TypeShape::Pointer(target) => match target.canonical().shape {
                // An array may have a length that only the program knows.
                TypeShape::Array(..) | TypeShape::Function(_) | TypeShape::Opaque(_) => {
                    return None;
                }
                _ => false,
            },
            _ => return None,
        };
        let is_plain = self.is_pure(node) && !node.skip_implicit().is_bit_field_access();
        if !is_plain || !types.is_spellable(&ty) {
            return None;
        }
        match narrow && self.walk.converted == node.id {
            true => Some("int".to_owned()),
            false => Some(types.spell(&ty)),
        }
    }

    /// Whether the text of an expression may stand a second time in the program.
    pub(super) fn can_be_copied(&self, node: &AstNode) -> bool {
        let Some(span) = node.span() else {
            return false;
        };
        let mut can = self.context.source.is_exact(span);
        node.walk(&mut |n| {
            can &= match n.kind {
                // A label and a static variable must not be defined twice.
                AstKind::LabelStmt
                | AstKind::LabelDecl
                | AstKind::GCCAsmStmt
                | AstKind::MSAsmStmt => false,
                AstKind::VarDecl => !n.is_static(),
                AstKind::CallExpr => !n.callee().is_some_and(is_special),
                _ => true,
            };
        });
        can
    }

    fn note_uncopied(&mut self, node: &AstNode) {
        if let Some(span) = node.span() {
            let at = self.excerpt(span);
            self.program
                .uncopied
                .insert((at.file.to_string(), at.line, at.column, at.text));
        }
    }
}

/// The text of an expression, without choices.
pub(super) fn copy(node: &AstNode) -> String {
    node.span().map_or(String::new(), TextEdits::copy)
}

/// An expression whose value is used several times.
fn bound_to_variable(text: &str, body: &str) -> String {
    format!("(__extension__({{ __auto_type labrys_value = +({text}); {body} }}))")
}

/// Whether alternatives of a pure expression are as pure: what was written around its operands
/// assigns nothing.
pub(super) fn are_values(texts: &[&str]) -> bool {
    texts.iter().all(|text| {
        let comparisons = ["==", "!=", "<=", ">="];
        let plain = comparisons
            .iter()
            .fold((*text).to_owned(), |text, c| text.replace(c, " "));
        let assigns = plain.replace("labrys_value =", " ").contains('=');
        !assigns && !text.contains("++") && !text.contains("--")
    })
}

/// The alternatives of a point, up to the original; `chosen` is the number of the active one.
pub(super) fn alternatives_text(chosen: &str, texts: &[&str]) -> String {
    let mut out = format!("{chosen} ? ");
    for (number, text) in (1..).zip(texts) {
        if number < texts.len() {
            out.push_str(&format!("{chosen} == {number} ? {text} : "));
        } else {
            out.push_str(text);
        }
    }
    out
}

/// Calls that return twice, and labels that are taken out where they stand.
pub(super) fn is_special(name: &str) -> bool {
    name.contains("setjmp") || name == "vfork" || name.starts_with("pc_label")
}
