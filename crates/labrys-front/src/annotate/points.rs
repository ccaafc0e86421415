//! What all kinds of mutants share: whether one is wanted, its point, and the choice between
//! values of one type.

use super::Annotator;
use super::meta_mutant::{OpenChoice, alternatives_text, are_values};
use super::mutation_operator::MutationOperator;
use super::operators::{ExpressionMutant, MutantKind};
use crate::ast::AstNode;

impl ExpressionMutant {
    /// A mutant of the meta-mutant alone, whose text its operator writes.
    pub(super) fn written(operator: MutationOperator, span: (u32, u32), shown: String) -> Self {
        ExpressionMutant {
            operator,
            kind: MutantKind::Written,
            span,
            shown,
        }
    }
}

impl Annotator<'_> {
    /// Whether what is here has mutants.
    pub(super) fn changes(&self) -> bool {
        self.context.plan.mutants && !self.walk.fixed
    }

    pub(super) fn unchanged(&self) -> OpenChoice {
        self.opened(String::new())
    }

    /// A choice that ends with a text.
    pub(super) fn opened(&self, end: String) -> OpenChoice {
        OpenChoice {
            end,
            fixed_around: self.walk.fixed,
        }
    }

    /// Whether a mutant is asked for, and no comment takes it out.
    pub(super) fn is_wanted(&mut self, mutant: &ExpressionMutant) -> bool {
        if !self.has(mutant.operator) {
            return false;
        }
        let file = self.context.source.place(mutant.span.0).file;
        if !self.program.comments.has_any(&file) {
            return true;
        }
        let at = self.excerpt(mutant.span);
        let comments = &mut self.program.comments;
        !comments.takes_out(mutant.operator, &at, &mutant.shown)
    }

    /// Gives mutants that take the place of this text, and whose own is written elsewhere, their
    /// point.
    pub(super) fn point_of(&mut self, mutants: Vec<ExpressionMutant>, around: (u32, u32)) -> u32 {
        let found: Vec<_> = mutants.into_iter().map(|m| (m, String::new())).collect();
        self.hiding_point(&found, Some(around))
    }

    /// Begins the choice between a value and others, all converted by the same cast.
    pub(super) fn open_values(
        &mut self,
        node: &AstNode,
        found: Vec<(ExpressionMutant, String)>,
        cast: &str,
    ) -> OpenChoice {
        let mut found = found;
        found.retain(|(mutant, _)| self.is_wanted(mutant));
        let Some((begin, _)) = node.span().filter(|_| !found.is_empty()) else {
            return self.unchanged();
        };
        let point = self.hiding_point(&found, node.span());
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        if let Some(ty) = self.value_type(node).filter(|_| are_values(&texts)) {
            let chosen = alternatives_text(&format!("LABRYS_CHOSEN({point})"), &texts);
            let head = format!("LABRYS_VALUE({point}, {ty}) {chosen} : {cast}(");
            self.edits.before(begin, head);
            return self.opened(format!(") LABRYS_VALUE_END({point})"));
        }
        let chosen = alternatives_text(&format!("labrys_mutant({point})"), &texts);
        self.edits.before(begin, format!("({chosen} : {cast}("));
        self.opened("))".to_owned())
    }
}
