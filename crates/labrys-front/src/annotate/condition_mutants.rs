//! Conditions that become constants (`DCR`), and returned values that become others (`RVR`). Neither
//! needs a copy of the source.

use super::Annotator;
use super::conditions::{is_logical, is_truth_value};
use super::meta_mutant::{OpenChoice, copy};
use super::mutation_operator::MutationOperator;
use super::operators::ExpressionMutant;
use crate::ast::{AstKind, AstNode};
use crate::types::TypeShape;

impl Annotator<'_> {
    /// Whether `ROR` or `COR` make constants of this condition.
    pub(super) fn has_constants(&self, condition: &AstNode) -> bool {
        let node = condition.skip_implicit();
        match node.kind {
            _ if is_logical(node) => self.has(MutationOperator::Cor),
            AstKind::BinaryOperator if is_truth_value(node) => self.has(MutationOperator::Ror),
            _ => false,
        }
    }

    /// Begins a condition that may become true or false. `operand` says that it is one of several in
    /// a decision without side effects, where `COR` has the same mutants.
    pub(super) fn open_constants(&mut self, node: &AstNode, operand: bool) -> OpenChoice {
        self.values.condition = node.skip_implicit().id;
        let same = operand && self.has(MutationOperator::Cor) || self.has_constants(node);
        let Some(span) = node.span().filter(|_| self.changes() && !same) else {
            return self.unchanged();
        };
        let shown = self.shown(node);
        let mutant = |new: &str| {
            let shown = format!("DCR: {shown} → {new}");
            ExpressionMutant::written(MutationOperator::Dcr, span, shown)
        };
        let mut found = vec![mutant("true"), mutant("false")];
        found.retain(|mutant| self.is_wanted(mutant));
        let values = found.iter().map(|m| i32::from(m.shown.ends_with("true")));
        let values: Vec<i32> = values.collect();
        if values.is_empty() {
            return self.unchanged();
        }
        let point = self.point_of(found, span);
        // As a value, as in `open_negation`.
        let (begin, chosen, end) = match self.is_pure(node) {
            true => (
                format!("LABRYS_VALUE({point}, int)"),
                format!("LABRYS_CHOSEN({point})"),
                format!(") LABRYS_VALUE_END({point})"),
            ),
            false => (
                "(+(".to_owned(),
                format!("labrys_mutant({point})"),
                ")))".to_owned(),
            ),
        };
        let text = match values.as_slice() {
            [only] => only.to_string(),
            _ => format!("{chosen} == 1"),
        };
        let head = format!("{begin} {chosen} ? {text} : !!(");
        self.edits.before(span.0, head);
        self.opened(end)
    }

    /// Begins a returned value that may become another.
    pub(super) fn open_return(&mut self, node: &AstNode) -> OpenChoice {
        let ty = self.context.types.of(node).unqualified();
        let spellable = self.context.types.is_spellable(&ty);
        let Some(span) = node.span().filter(|_| self.changes() && spellable) else {
            return self.unchanged();
        };
        let cast = format!("({})", self.context.types.spell(&ty));
        let old = self.shown(node);
        let mut found = Vec::new();
        for (new, text) in self.returned(node, &old) {
            let shown = format!("RVR: {old} → {new}");
            let mutant = ExpressionMutant::written(MutationOperator::Rvr, span, shown);
            found.push((mutant, format!("({cast}({text}))")));
        }
        self.open_values(node, found, &cast)
    }

    /// What could be returned instead, shown and written. What other operators make of the value is
    /// left to them.
    fn returned(&self, node: &AstNode, shown: &str) -> Vec<(String, String)> {
        if self.has_constants(node) {
            return Vec::new();
        }
        let (constants, negation): (&[i128], _) =
            match &self.context.types.of(node).canonical().shape {
                TypeShape::Pointer(_) if is_null(node) => return Vec::new(),
                TypeShape::Pointer(_) => return vec![("NULL".to_owned(), "0".to_owned())],
                TypeShape::Enum(_) => (&[0, 1], None),
                TypeShape::Int { name: "_Bool", .. } => (&[0, 1], Some('!')),
                TypeShape::Int { .. } | TypeShape::Float { .. } => (&[0, 1, -1], Some('-')),
                _ => return Vec::new(),
            };
        let old = self.constant(node);
        let by_cro = |value: i128| {
            let made = |old: i128| [old + 1, old - 1, 0, -old].contains(&value);
            self.has(MutationOperator::Cro) && old.is_some_and(made)
        };
        let is_new = |value: &&i128| old != Some(**value) && !by_cro(**value);
        let constants = constants.iter().filter(is_new).map(i128::to_string);
        let mut found: Vec<_> = constants.map(|text| (text.clone(), text)).collect();
        // `UOI` negates what is only read.
        let read = node.skip_implicit().is_lvalue() && self.has(MutationOperator::Uoi);
        if let (Some(sign), None, false, true) = (negation, old, read, self.can_be_copied(node)) {
            found.push((
                format!("{sign}({shown})"),
                format!("{sign}({})", copy(node)),
            ));
        }
        found
    }
}

fn is_null(node: &AstNode) -> bool {
    let mut null = false;
    node.walk(&mut |n| null |= n.cast_kind() == "NullToPointer");
    null
}
