//! Further values of expressions.

use super::Annotator;
use super::operators::ExpressionMutant;
use crate::ast::AstNode;

impl Annotator<'_> {
    pub(super) fn further_values(
        &mut self,
        _node: &AstNode,
        _found: &mut Vec<(ExpressionMutant, String)>,
    ) {
    }
}
