//! Weak mutation as labels: the three cases of the label paper's theorem 2.
//!
//! A mutated value is covered where it differs from the original, both converted to the type that
//! is stored; a mutated condition where its truth differs; a mutated left side where it is
//! another object and one of the two objects changes. The expressions compared are the largest
//! pure ones; what stands in none is counted and named.

use super::Annotator;
use super::label_places::{LabelPlace, LabelPredicate};
use super::mutation_operator::MutationOperator;
use super::operators::{ExpressionMutant, MutantKind};
use super::purity::is_risky;
use super::render::{self, NodeChange};
use crate::ast::{AstKind, AstNode};
use crate::types::{CType, TypeShape};
use labrys_ledger::Criterion;

/// By what a changed expression is told from the original.
enum MutantEffect<'n> {
    /// As a value, converted to a type.
    Value(Option<CType>),
    /// As the truth of a condition.
    Truth,
    /// As the object that `lhs = value` changes.
    Object { lhs: &'n AstNode, value: String },
}

/// A variable that is visible.
#[derive(Clone)]
pub(super) struct VisibleVariable {
    pub id: u64,
    pub name: String,
    /// Its type, without qualifiers and typedef names.
    pub ty: String,
    /// It has a value from its declaration on.
    pub has_value: bool,
}

impl Annotator<'_> {
    /// The mutants of a condition, if it is the largest pure expression here. True if so; then
    /// [`Self::leave_mutated`] must follow.
    pub(super) fn mutated_condition(&mut self, node: &AstNode, place: &mut LabelPlace) -> bool {
        if !self.mutates() || self.constant(node).is_some() || !self.is_scalar(node) {
            return false;
        }
        if !self.is_pure(node) {
            self.note_impure(node.skip_implicit());
            return false;
        }
        for mutant in self.mutants(node, true) {
            self.mutant_label(place, node, &mutant, &MutantEffect::Truth);
        }
        self.inside_mutated = true;
        true
    }

    /// The same for the value of an expression, or for an assignment.
    pub(super) fn mutated_value(&mut self, node: &AstNode, place: &mut LabelPlace) -> bool {
        if !self.mutates() {
            return false;
        }
        match node.kind {
            AstKind::BinaryOperator if node.opcode() == "=" => self.mutated_assignment(node, place),
            AstKind::CompoundAssignOperator => self.mutated_compound(node, place),
            _ if node.is_lvalue() => false,
            _ => self.mutated_expression(node, place),
        }
    }

    pub(super) fn leave_mutated(&mut self, mutated: bool) {
        if mutated {
            self.inside_mutated = false;
        }
    }

    fn mutates(&self) -> bool {
        self.context.plan.wanted.has(Criterion::WeakMutation) && !self.inside_mutated
    }

    fn mutated_expression(&mut self, node: &AstNode, place: &mut LabelPlace) -> bool {
        let ty = self.context.types.of(node);
        if !is_value(&ty) {
            return false;
        }
        if !self.is_pure(node) {
            self.note_impure(node);
            return false;
        }
        let goal = MutantEffect::Value(conversion(node).then_some(ty));
        for mutant in self.mutants(node, false) {
            self.mutant_label(place, node, &mutant, &goal);
        }
        self.inside_mutated = true;
        true
    }

    fn mutated_assignment(&mut self, node: &AstNode, place: &mut LabelPlace) -> bool {
        let [lhs, rhs] = node.inner.as_slice() else {
            return false;
        };
        let ty = self.context.types.of(lhs);
        if !is_value(&ty) {
            return false;
        }
        if !self.is_pure(lhs) || !self.is_pure(rhs) || lhs.is_bit_field_access() {
            self.note_impure(node);
            return false;
        }
        let goal = MutantEffect::Value(conversion(rhs).then_some(ty.clone()));
        for mutant in self.mutants(rhs, false) {
            self.mutant_label(place, rhs, &mutant, &goal);
        }
        let value = self.stored(rhs, &ty);
        self.mutated_object(lhs, &value, place);
        if self.context.plan.operators.contains(&MutationOperator::Lhs) {
            self.other_variables(node, lhs, &value, is_risky(rhs, self.context.types), place);
        }
        self.inside_mutated = true;
        true
    }

    /// `lhs op= e`, as `lhs = lhs op e`.
    fn mutated_compound(&mut self, node: &AstNode, place: &mut LabelPlace) -> bool {
        let [lhs, rhs] = node.inner.as_slice() else {
            return false;
        };
        let ty = self.context.types.of(lhs);
        if !is_value(&ty) || !self.is_pure(lhs) || !self.is_pure(rhs) || lhs.is_bit_field_access() {
            self.note_impure(node);
            return false;
        }
        let operator = node.opcode().trim_end_matches('=').to_owned();
        let source = self.context.source;
        let (left, right) = (render::plain(source, lhs), render::plain(source, rhs));
        let old = self.converted(&format!("({left}) {operator} ({right})"), &ty);
        let label = |annotator: &mut Self,
                     place: &mut LabelPlace,
                     mutant: &ExpressionMutant,
                     new: String| {
            let predicate = annotator.differ(&old, &new, &ty);
            annotator.place_mutant(place, mutant, predicate, true);
        };
        for (other, mutant) in self.other_operators(node) {
            let new = self.converted(&format!("({left}) {other} ({right})"), &ty);
            label(self, place, &mutant, new);
        }
        for mutant in self.mutants(rhs, false) {
            match &mutant.kind {
                MutantKind::Changed(change) => {
                    let right = render::changed(source, rhs, change);
                    let new = self.converted(&format!("({left}) {operator} ({right})"), &ty);
                    label(self, place, &mutant, new);
                }
                MutantKind::FailsOnZero(_) | MutantKind::Written => {
                    self.mutant_label(place, rhs, &mutant, &MutantEffect::Value(None));
                }
            }
        }
        self.inside_mutated = true;
        true
    }

    /// Changes inside the left side: another object is assigned to.
    fn mutated_object(&mut self, lhs: &AstNode, value: &str, place: &mut LabelPlace) {
        let mut has_register = false;
        lhs.walk(&mut |node| {
            let target = node.referenced_decl.as_ref().map_or(0, |d| d.id);
            has_register |= self.registers.contains(&target);
        });
        if has_register || lhs.skip_implicit().kind == AstKind::DeclRefExpr {
            return;
        }
        let goal = MutantEffect::Object {
            lhs,
            value: value.to_owned(),
        };
        for mutant in self.mutants(lhs, false) {
            self.mutant_label(place, lhs, &mutant, &goal);
        }
    }

    /// The value is stored into another variable of the same type.
    fn other_variables(
        &mut self,
        node: &AstNode,
        lhs: &AstNode,
        value: &str,
        risky: bool,
        place: &mut LabelPlace,
    ) {
        let ty = self.context.types.of(lhs);
        let name = render::plain(self.context.source, lhs);
        for (other, mutant) in self.other_targets(node) {
            let predicate = format!(
                "({} | {})",
                self.differ(&name, value, &ty),
                self.differ(&other, value, &ty)
            );
            self.place_mutant(place, &mutant, predicate, risky);
        }
    }

    /// The variables that `lhs = value` could assign to instead, each with its mutant.
    pub(super) fn other_targets(
        &mut self,
        assignment: &AstNode,
    ) -> Vec<(String, ExpressionMutant)> {
        let [lhs, rhs] = assignment.inner.as_slice() else {
            return Vec::new();
        };
        let variable = lhs.skip_implicit();
        let (Some(target), Some(span), AstKind::DeclRefExpr) = (
            variable.referenced_decl.as_ref(),
            assignment.span(),
            variable.kind,
        ) else {
            return Vec::new();
        };
        let spelled = self.plain_type(&self.context.types.of(lhs));
        let visible = self.visible().into_iter();
        let others = visible.filter(|v| v.ty == spelled && v.id != target.id);
        let (old, rhs) = (self.text_of_user(lhs), self.text_of_user(rhs));
        let mutant = |other: VisibleVariable| {
            let mutant = ExpressionMutant {
                operator: MutationOperator::Lhs,
                kind: MutantKind::Written,
                span,
                shown: format!("LHS: {old} = {rhs} → {} = {rhs}", other.name),
            };
            (other.name, mutant)
        };
        others.map(mutant).collect()
    }

    /// The other operators that `lhs op= value` could have, each with its mutant.
    pub(super) fn other_operators(
        &mut self,
        compound: &AstNode,
    ) -> Vec<(&'static str, ExpressionMutant)> {
        let ([lhs, rhs], Some(span)) = (compound.inner.as_slice(), compound.span()) else {
            return Vec::new();
        };
        let operator = compound.opcode().trim_end_matches('=');
        let types = self.context.types;
        let computed = compound.compute_result_type.as_ref();
        let computed = computed.and_then(|text| types.parse_text(text));
        let ty = computed.unwrap_or_else(|| types.of(lhs));
        let (l, r) = (self.text_of_user(lhs), self.text_of_user(rhs));
        let wanted = self.context.plan.operators;
        let others = replacements(operator, &ty).into_iter();
        let mutant = |(other, with): (&'static str, MutationOperator)| {
            let mutant = ExpressionMutant {
                operator: with,
                kind: MutantKind::Written,
                span,
                shown: format!("{with}: {l} {operator}= {r} → {l} {other}= {r}"),
            };
            (other, mutant)
        };
        others
            .filter(|(_, with)| wanted.contains(with))
            .map(mutant)
            .collect()
    }

    fn mutant_label(
        &mut self,
        place: &mut LabelPlace,
        root: &AstNode,
        mutant: &ExpressionMutant,
        goal: &MutantEffect,
    ) {
        let source = self.context.source;
        let change = match &mutant.kind {
            MutantKind::Changed(change) => change,
            MutantKind::FailsOnZero(id) => {
                let Some(node) = find(root, *id) else { return };
                let mut text = format!("(({}) == 0)", render::plain(source, node));
                let mut risky = is_risky(node, self.context.types);
                for (guard, value) in guards(root, *id) {
                    let not = if value { "!!" } else { "!" };
                    let guard_text = render::plain(source, guard);
                    text = format!("({not}({guard_text}) & {text})");
                    risky |= is_risky(guard, self.context.types);
                }
                return self.place_mutant(place, mutant, text, risky);
            }
            MutantKind::Written => return,
        };
        let old = render::plain(source, root);
        let new = render::changed(source, root, change);
        let introduced = introduces_risk(change, &new);
        let (predicate, risky) = match goal {
            MutantEffect::Truth => (format!("!({old}) != !({new})"), false),
            MutantEffect::Value(ty) => {
                let of_root = self.context.types.of(root);
                let (old, new) = match ty {
                    Some(ty) => (self.converted(&old, ty), self.converted(&new, ty)),
                    None => (old, new),
                };
                (self.differ(&old, &new, &of_root), false)
            }
            MutantEffect::Object { lhs, value } => {
                let ty = self.context.types.of(lhs);
                let change = format!(
                    "({} | {})",
                    self.differ(&old, value, &ty),
                    self.differ(&new, value, &ty)
                );
                (format!("(&({old}) != &({new})) & {change}"), true)
            }
        };
        let risky = risky || is_risky(root, self.context.types) || introduced;
        self.place_mutant(place, mutant, predicate, risky);
    }

    fn place_mutant(
        &mut self,
        place: &mut LabelPlace,
        mutant: &ExpressionMutant,
        text: String,
        risky: bool,
    ) {
        let at = self.excerpt(mutant.span);
        let predicate = LabelPredicate { text, risky };
        self.label_at(
            place,
            Criterion::WeakMutation,
            &at,
            mutant.shown.clone(),
            predicate,
        );
    }

    /// That two values differ. Two that are no numbers are the same.
    fn differ(&self, left: &str, right: &str, ty: &CType) -> String {
        let differ = format!("(({left}) != ({right}))");
        match ty.canonical().shape {
            TypeShape::Float { .. } => {
                format!("({differ} & ((({left}) == ({left})) | (({right}) == ({right}))))")
            }
            _ => differ,
        }
    }

    /// The value of an expression as it is stored into an object of the type.
    fn stored(&self, rhs: &AstNode, ty: &CType) -> String {
        let text = render::plain(self.context.source, rhs);
        match conversion(rhs) {
            true => self.converted(&text, ty),
            false => text,
        }
    }

    fn converted(&self, text: &str, ty: &CType) -> String {
        let ty = ty.unqualified();
        match ty.canonical().shape {
            TypeShape::Int { .. } | TypeShape::Float { .. }
                if self.context.types.is_spellable(&ty) =>
            {
                format!("({})({text})", self.context.types.spell(&ty))
            }
            _ => text.to_owned(),
        }
    }

    /// A type as it is compared.
    pub(super) fn plain_type(&self, ty: &CType) -> String {
        self.context.types.spell(&ty.canonical().unqualified())
    }

    fn text_of_user(&mut self, node: &AstNode) -> String {
        node.span()
            .map_or(String::new(), |span| self.excerpt(span).text)
    }

    /// Counts an operation that cannot be mutated since an operand of it has side effects.
    fn note_impure(&mut self, node: &AstNode) {
        let operation = matches!(node.kind, AstKind::CompoundAssignOperator)
            || node.kind == AstKind::BinaryOperator && node.opcode() != ",";
        if let (true, Some(span)) = (operation, node.span()) {
            let at = self.excerpt(span);
            self.program
                .impure
                .insert((at.file.to_string(), at.line, at.column, at.text));
        }
    }
}

/// Whether a value of the type can be compared.
pub(super) fn is_value(ty: &CType) -> bool {
    matches!(
        ty.canonical().shape,
        TypeShape::Int { .. }
            | TypeShape::Float { .. }
            | TypeShape::Enum(_)
            | TypeShape::Pointer(_)
    )
}

/// Whether the value is converted before it is used.
fn conversion(node: &AstNode) -> bool {
    node.kind == AstKind::ImplicitCastExpr
        && matches!(
            node.cast_kind(),
            "IntegralCast"
                | "FloatingCast"
                | "IntegralToFloating"
                | "FloatingToIntegral"
                | "IntegralToBoolean"
                | "FloatingToBoolean"
        )
}

/// The operators that take the place of that of a compound assignment.
pub(super) fn replacements(operator: &str, ty: &CType) -> Vec<(&'static str, MutationOperator)> {
    let (group, with): (&[&'static str], MutationOperator) = match (operator, &ty.canonical().shape)
    {
        ("+" | "-", TypeShape::Pointer(_)) => (&["+", "-"], MutationOperator::Aor),
        ("+" | "-" | "*" | "/", TypeShape::Float { .. }) => {
            (&["+", "-", "*", "/"], MutationOperator::Aor)
        }
        ("+" | "-" | "*" | "/" | "%", _) => (&["+", "-", "*", "/", "%"], MutationOperator::Aor),
        ("&" | "|" | "^", _) => (&["&", "|", "^"], MutationOperator::Lor),
        ("<<" | ">>", _) => (&["<<", ">>"], MutationOperator::Lor),
        _ => (&[], MutationOperator::Aor),
    };
    let others = group.iter().filter(|o| **o != operator);
    others.map(|o| (*o, with)).collect()
}

/// Whether a change can make a fault of an expression that had none.
fn introduces_risk(change: &NodeChange, text: &str) -> bool {
    use render::Replacement::{Operator, Pattern};
    match change.to {
        Operator("/" | "%" | "<<" | ">>") => true,
        Operator(_) | Pattern(_) => ["/", "%", "<<", ">>"].iter().any(|o| text.contains(o)),
        _ => false,
    }
}

/// What must be true or false for the expression with this id to be evaluated, innermost first.
fn guards(root: &AstNode, id: u64) -> Vec<(&AstNode, bool)> {
    let mut guards = Vec::new();
    let mut node = root;
    while node.id != id {
        let below = node.inner.iter().position(|c| find(c, id).is_some());
        let Some((index, child)) = below.and_then(|i| node.child(i).map(|c| (i, c))) else {
            break;
        };
        let guard = node.child(0).filter(|_| index > 0);
        match (guard, node.kind, node.opcode()) {
            (Some(guard), AstKind::BinaryOperator, "&&") => guards.push((guard, true)),
            (Some(guard), AstKind::BinaryOperator, "||") => guards.push((guard, false)),
            (Some(guard), AstKind::ConditionalOperator, _) => guards.push((guard, index == 1)),
            _ => {}
        }
        node = child;
    }
    guards.reverse();
    guards
}

fn find(node: &AstNode, id: u64) -> Option<&AstNode> {
    if node.id == id {
        return Some(node);
    }
    node.inner.iter().find_map(|child| find(child, id))
}
