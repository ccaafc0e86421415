//! Mutants of calls in the meta-mutant: the value is 0 and nothing is called (`CDL`), two arguments of
//! one type are swapped (`CAS`). Calls of input functions belong to the driver and stay.

use super::Annotator;
use super::meta_mutant::{copy, is_special};
use super::mutants::is_value;
use super::mutation_operator::MutationOperator;
use super::value_mutants::WrittenMutants;
use crate::ast::AstNode;

/// At most 3 pairs of arguments of a call are swapped: their number grows by the square.
const MAX_SWAPS: usize = 3;

impl Annotator<'_> {
    pub(super) fn calls(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        // Names with two underscores are the compiler's and the C library's own.
        let own = |name: &str| name.starts_with("__") || is_special(name);
        if self.walk.fixed || node.callee().is_some_and(own) {
            return;
        }
        self.dropped_call(node, found);
        self.swapped_arguments(node, found);
    }

    fn dropped_call(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let ty = self.context.types.of(node).unqualified();
        let used = !self.is_unused(node) && is_value(&ty) && self.is_scalar(node);
        if used && self.context.types.is_spellable(&ty) {
            let new = if ty.is_pointer() { "NULL" } else { "0" };
            let text = format!("(({})0)", self.context.types.spell(&ty));
            self.add_written(MutationOperator::Cdl, node, new, text, found);
        }
    }

    fn swapped_arguments(&mut self, node: &AstNode, found: &mut WrittenMutants) {
        let Some((callee, arguments)) = node.inner.split_first() else {
            return;
        };
        if !self.has(MutationOperator::Cas) {
            return;
        }
        let shown: Vec<String> = arguments.iter().map(|a| self.shown(a)).collect();
        let types: Vec<String> = (arguments.iter())
            .map(|a| self.plain_type(&self.context.types.of(a)))
            .collect();
        let name = self.shown(callee);
        let pairs = (1..arguments.len()).flat_map(|distance| {
            (0..arguments.len() - distance).map(move |first| (first, first + distance))
        });
        let swapped = pairs.filter(|(i, j)| types[*i] == types[*j] && shown[*i] != shown[*j]);
        for (i, j) in swapped.take(MAX_SWAPS) {
            let mut order: Vec<usize> = (0..arguments.len()).collect();
            order.swap(i, j);
            let new: Vec<&str> = order.iter().map(|k| shown[*k].as_str()).collect();
            let texts: Vec<String> = (order.iter())
                .map(|k| format!("({})", copy(&arguments[*k])))
                .collect();
            self.add_written(
                MutationOperator::Cas,
                node,
                &format!("{name}({})", new.join(", ")),
                format!("({}({}))", copy(callee), texts.join(", ")),
                found,
            );
        }
    }
}
