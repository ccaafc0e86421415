//! Further values of expressions in the meta-mutant, without a label form: unary operators left out
//! or exchanged (`UOD`), indices and pointers off by one (`IOB`), dereferences (`OIPM`), other fields
//! (`VSCR`), other variables (`SVR`), assignment operators (`ASR`).

use super::Annotator;
use super::meta_mutant::copy;
use super::mutants::replacements;
use super::mutation_operator::MutationOperator;
use super::operators::ExpressionMutant;
use crate::ast::{AstKind, AstNode};
use crate::edits::TextEdits;
use crate::types::{CType, TypeShape};
use std::collections::{BTreeMap, BTreeSet};

/// A read is replaced by at most 3 other variables or fields: the nearest are the likely mistakes, and
/// their number would grow with the size of the function.
const MAX_OTHERS: usize = 3;

/// What is known of expressions from those around them.
#[derive(Default)]
pub(super) struct ValueWalk {
    /// Indices, each with the span of its element.
    indices: BTreeMap<u64, (u32, u32)>,
    /// What is indexed.
    indexed: BTreeSet<u64>,
    /// The innermost condition of a decision.
    pub condition: u64,
    /// Expressions whose type an expression around them depends on.
    pub typed: BTreeSet<u64>,
    /// The right sides of compound assignments, which compute in their types.
    pub compounds: BTreeSet<u64>,
}

/// Mutants with their texts.
pub(super) type WrittenMutants = Vec<(ExpressionMutant, String)>;

impl Annotator<'_> {
    /// Adds to the mutants of one expression those that are no labels.
    pub(super) fn further_values(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        self.off_by_one_index(node, found);
        self.casts(node, found);
        let constant = !node.is_lvalue() && self.constant(node).is_some();
        match node.kind {
            _ if constant => {}
            AstKind::ArraySubscriptExpr => self.subscript(node),
            AstKind::CallExpr => self.calls(node, found),
            AstKind::UnaryOperator => self.unary(node, found),
            AstKind::BinaryOperator if node.opcode() == "=" => self.plain_assignment(node, found),
            AstKind::CompoundAssignOperator => {
                self.values
                    .compounds
                    .extend(node.child(1).map(|rhs| rhs.id));
                self.compound_assignment(node, found);
            }
            AstKind::ImplicitCastExpr if node.cast_kind() == "LValueToRValue" => {
                self.further_reads(node, found);
            }
            _ => {}
        }
    }

    pub(super) fn add_written(
        &mut self,
        operator: MutationOperator,
        node: &AstNode,
        new: &str,
        text: String,
        found: &mut WrittenMutants,
    ) {
        let Some(span) = node.span().filter(|_| self.has(operator)) else {
            return;
        };
        let shown = format!("{operator}: {} → {new}", self.shown(node));
        found.push((ExpressionMutant::written(operator, span, shown), text));
    }

    /// Remembers base and index of an element.
    fn subscript(&mut self, node: &AstNode) {
        let [left, right] = node.inner.as_slice() else {
            return;
        };
        let (base, index) = match self.context.types.of(left).is_pointer() {
            true => (left, right),
            false => (right, left),
        };
        if let Some(span) = node.span() {
            self.values.indices.insert(index.id, span);
            self.values.indexed.insert(base.id);
        }
    }

    fn off_by_one_index(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let Some(element) = self.values.indices.remove(&node.id) else {
            return;
        };
        let by_cro = self.has(MutationOperator::Cro) && self.constant(node).is_some();
        if by_cro || !self.has(MutationOperator::Iob) {
            return;
        }
        let old = self.excerpt(element).text;
        let index = node.span().map(|span| self.excerpt(span).text);
        let index = index.unwrap_or_default();
        let base = old.strip_suffix(']').and_then(|t| t.strip_suffix(&*index));
        let Some(base) = base else { return };
        let simple = |c: char| c.is_alphanumeric() || c == '_';
        let index = match index.chars().all(simple) {
            true => index.clone(),
            false => format!("({index})"),
        };
        for sign in ['+', '-'] {
            let shown = format!("IOB: {old} → {base}{index} {sign} 1]");
            let mutant = ExpressionMutant::written(MutationOperator::Iob, element, shown);
            found.push((mutant, format!("(({}) {sign} 1)", copy(node))));
        }
    }

    /// Reads of variables, elements, fields and what pointers point to.
    fn further_reads(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let ty = self.context.types.of(node);
        let Some(place) = node.child(0).map(AstNode::skip_implicit) else {
            return;
        };
        let text = copy(node);
        let shown = self.shown(node);
        let is_tested = self.values.condition == place.id;
        if self.is_steppable(&ty) && !self.values.indexed.contains(&node.id) && !is_tested {
            for sign in ['+', '-'] {
                self.add_written(
                    MutationOperator::Iob,
                    node,
                    &format!("{shown} {sign} 1"),
                    format!("(({text}) {sign} 1)"),
                    found,
                );
            }
        }
        match place.kind {
            AstKind::DeclRefExpr => self.other_reads(node, place, found),
            AstKind::MemberExpr => {
                for other in self.other_fields(place, false) {
                    let (new, text) = self.renamed(place, &other);
                    self.add_written(MutationOperator::Vscr, node, &new, text, found);
                }
            }
            AstKind::UnaryOperator if place.opcode() == "*" => {
                self.dereference(node, place, &ty, found);
            }
            _ => {}
        }
    }

    /// Another variable of the same type, the nearest first. One that may have no value yet is none.
    fn other_reads(&mut self, node: &AstNode, place: &AstNode, found: &mut WrittenMutants) {
        let target = place.referenced_decl.as_ref().map_or(0, |d| d.id);
        let ty = self.context.types.of(node);
        if !self.has(MutationOperator::Svr) || !super::mutants::is_value(&ty) {
            return;
        }
        let spelled = self.plain_type(&ty);
        let visible = self.visible().into_iter().rev();
        let same = visible.filter(|v| v.ty == spelled && v.id != target && v.has_value);
        let names: Vec<String> = same.map(|v| v.name).take(MAX_OTHERS).collect();
        for name in names {
            let text = format!("({name})");
            self.add_written(MutationOperator::Svr, node, &name, text, found);
        }
    }

    /// `*p` is one more or less; `*p++` increments what it points to.
    fn dereference(
        &mut self,
        node: &AstNode,
        place: &AstNode,
        ty: &CType,
        found: &mut WrittenMutants,
    ) {
        if !is_number(ty) {
            return;
        }
        let (text, shown) = (copy(node), self.shown(node));
        for sign in ['+', '-'] {
            self.add_written(
                MutationOperator::Oipm,
                node,
                &format!("{shown} {sign} 1"),
                format!("(({text}) {sign} 1)"),
                found,
            );
        }
        let Some(step) = place.child(0).map(AstNode::skip_implicit) else {
            return;
        };
        let (operator, Some(pointer)) = (step.opcode(), step.child(0)) else {
            return;
        };
        let stepped = step.kind == AstKind::UnaryOperator && matches!(operator, "++" | "--");
        let object = self.context.types.of(place);
        if !stepped || object.is_const() {
            return;
        }
        let (p, shown) = (copy(pointer), self.written(pointer));
        let other = match step.is_postfix {
            true => (format!("*{operator}{shown}"), format!("(*{operator}({p}))")),
            false => (format!("*{shown}{operator}"), format!("(*({p}){operator})")),
        };
        let news = [
            other,
            (
                format!("(*{shown}){operator}"),
                format!("((*({p})){operator})"),
            ),
            (format!("{operator}*{shown}"), format!("({operator}*({p}))")),
        ];
        for (new, text) in news {
            self.add_written(MutationOperator::Oipm, node, &new, text, found);
        }
    }

    /// Fields of the same structure and type, the nearest first.
    fn other_fields(&self, member: &AstNode, assigned: bool) -> Vec<String> {
        let base = member.child(0).map(|base| self.context.types.of(base));
        let base = base.map(|ty| ty.pointee().cloned().unwrap_or(ty));
        let Some(TypeShape::Record(index)) = base.map(|ty| ty.canonical().shape.clone()) else {
            return Vec::new();
        };
        let record = &self.context.types.records[index];
        let own = record.fields.iter().position(|f| *f.name == *member.name());
        let (Some(own), false, true) = (own, record.union, self.has(MutationOperator::Vscr)) else {
            return Vec::new();
        };
        // How wide a bit-field is decides about its promotion.
        let bits = record.fields[own].bits;
        let ty = self.plain_type(&record.fields[own].ty);
        let mut others: Vec<(usize, &str)> = Vec::new();
        for (place, field) in record.fields.iter().enumerate() {
            let named = place != own && !field.name.is_empty();
            let same = named && field.bits == bits && self.plain_type(&field.ty) == ty;
            if same && !(assigned && field.ty.is_const()) {
                others.push((place.abs_diff(own), &field.name));
            }
        }
        others.sort();
        let names = others.into_iter().map(|(_, name)| name.to_owned());
        names.take(MAX_OTHERS).collect()
    }

    /// A member by another name: as shown, and its text.
    fn renamed(&mut self, member: &AstNode, other: &str) -> (String, String) {
        let (shown, name) = (self.shown(member), member.name());
        let Some((begin, end)) = member.span() else {
            return (String::new(), String::new());
        };
        let base = TextEdits::copy((begin, end.saturating_sub(name.len() as u32)));
        let shown = shown.strip_suffix(name).unwrap_or_default();
        (format!("{shown}{other}"), format!("({base}{other})"))
    }

    fn unary(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let Some(operand) = node.child(0) else { return };
        let (text, shown) = (copy(operand), self.shown(operand));
        let exact = self.written(operand);
        let uod = MutationOperator::Uod;
        match node.opcode() {
            "!" if self.values.condition == node.id && self.has(MutationOperator::Uoi) => {}
            "!" => {
                let ty = self.context.types.of(operand);
                let int = matches!(ty.canonical().shape, TypeShape::Int { bits, .. } if bits <= 32);
                // Another type would make the operations around it compute in that type.
                let (new, text) = match int {
                    true => (shown, format!("({text})")),
                    false => (format!("!!({shown})"), format!("(!!({text}))")),
                };
                self.add_written(uod, node, &new, text, found);
            }
            "-" | "~" => self.add_written(uod, node, &shown, format!("({text})"), found),
            operator @ ("++" | "--") => {
                let other = if operator == "++" { "--" } else { "++" };
                let both = |o: &str, postfix: bool| match postfix {
                    true => (format!("{exact}{o}"), format!("(({text}){o})")),
                    false => (format!("{o}{exact}"), format!("({o}({text}))")),
                };
                let mut news = vec![both(other, node.is_postfix)];
                if !self.is_unused(node) {
                    news.push(both(operator, !node.is_postfix));
                    news.push((shown.clone(), format!("({text})")));
                }
                for (new, text) in news {
                    self.add_written(uod, node, &new, text, found);
                }
            }
            _ => {}
        }
    }

    /// `v = e` adds or subtracts, or goes to another field.
    fn plain_assignment(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let [lhs, rhs] = node.inner.as_slice() else {
            return;
        };
        let (l, r) = (copy(lhs), copy(rhs));
        let (left, right) = (self.shown(lhs), self.shown(rhs));
        let types = [lhs, rhs].map(|n| self.context.types.of(n));
        if types.iter().all(is_number) && self.has_old_value(lhs) {
            for operator in ["+=", "-="] {
                self.add_written(
                    MutationOperator::Asr,
                    node,
                    &format!("{left} {operator} {right}"),
                    format!("(({l}) {operator} ({r}))"),
                    found,
                );
            }
        }
        let place = lhs.skip_implicit();
        if place.kind == AstKind::MemberExpr {
            for other in self.other_fields(place, true) {
                let (new, text) = self.renamed(place, &other);
                self.add_written(
                    MutationOperator::Vscr,
                    node,
                    &format!("{new} = {right}"),
                    format!("({text} = ({r}))"),
                    found,
                );
            }
        }
    }

    /// Whether a place certainly has a value before it is assigned to.
    fn has_old_value(&self, lhs: &AstNode) -> bool {
        let Some(target) = lhs.skip_implicit().referenced_decl.as_ref() else {
            return true;
        };
        let visible = self.visible();
        visible.iter().any(|v| v.id == target.id && v.has_value)
    }

    /// `v op= e` only assigns; it has another operator, unless `AOR` and `LOR` do that.
    fn compound_assignment(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let [lhs, rhs] = node.inner.as_slice() else {
            return;
        };
        let (l, r) = (copy(lhs), copy(rhs));
        let (left, right) = (self.shown(lhs), self.shown(rhs));
        let ty = self.context.types.of(lhs);
        let old = node.opcode().trim_end_matches('=');
        let computed = node.compute_result_type.as_ref();
        let computed = computed.and_then(|text| self.context.types.parse_text(text));
        let others = replacements(old, &computed.unwrap_or_else(|| ty.clone()));
        let others = others.into_iter().filter(|(_, with)| !self.has(*with));
        let mut operators: Vec<&str> = others.map(|(other, _)| other).collect();
        if is_number(&ty) && self.is_scalar(lhs) {
            operators.push("");
        }
        for operator in operators {
            self.add_written(
                MutationOperator::Asr,
                node,
                &format!("{left} {operator}= {right}"),
                format!("(({l}) {operator}= ({r}))"),
                found,
            );
        }
    }

    /// Whether one can be added to a value of the type: a pointer to objects of known size.
    fn is_steppable(&self, ty: &CType) -> bool {
        let target = ty.pointee();
        target.is_some_and(|to| !to.is_void() && self.context.types.size_align(to).is_some())
    }
}

/// Whether arithmetic on values of the type is what one expects.
pub(super) fn is_number(ty: &CType) -> bool {
    match &ty.canonical().shape {
        TypeShape::Int { name, .. } => *name != "_Bool",
        TypeShape::Float { .. } => true,
        _ => false,
    }
}
