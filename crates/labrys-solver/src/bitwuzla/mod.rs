//! Stage: Bitwuzla, embedded, for floats, wide multiplication and division, and whatever the
//! blaster gives up on. Every query gets a fresh instance with its own time limit.

mod float;
#[cfg(test)]
mod rules;
mod terms;
mod translate;

use crate::answer::UnknownReason;
use crate::limits::QueryLimits;
use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, Evaluator, ExprId, Model};
pub(crate) use terms::{CheckResult, Term, TermManager};
use translate::Translation;

/// A model that evaluation rejects is excluded this often before the query is given up.
const MAX_REFINEMENTS: usize = 32;

pub(crate) struct Bitwuzla {
    limits: QueryLimits,
    seed: u32,
    evaluator: Evaluator,
}

impl Bitwuzla {
    pub(crate) fn new(limits: QueryLimits, seed: u32) -> Self {
        Bitwuzla {
            limits,
            seed,
            evaluator: Evaluator::new(),
        }
    }

    /// Notes what the abstracted expressions really are under the model: an operation is a
    /// function, so equal operands give this result. False if nothing was learnt.
    fn refine(&mut self, arena: &Arena, tr: &Translation, model: &Model) -> bool {
        // Asserting ends the satisfiable state, so all values are read first.
        let mut lemmas = Vec::new();
        for &e in &tr.abstracted {
            let truth = self.evaluator.eval(arena, model, e);
            if tr.terms.value(tr.get(e)) == Some(truth) {
                continue;
            }
            let mut operands: Vec<ExprId> = Vec::new();
            arena.for_each_operand(e, |operand| operands.push(operand));
            let mut same = tr.terms.boolean(tr.terms.constant(1, 1));
            for operand in operands {
                let value = self.evaluator.eval(arena, model, operand);
                let value = tr.terms.constant(arena.width(operand), value);
                same = tr.terms.and(same, tr.terms.equal(tr.get(operand), value));
            }
            let value = tr.terms.constant(arena.width(e), truth);
            let result = tr.terms.equal(tr.get(e), value);
            lemmas.push(tr.terms.implies(same, result));
        }
        lemmas.iter().for_each(|&lemma| tr.terms.assert(lemma));
        !lemmas.is_empty()
    }
}

impl Stage for Bitwuzla {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome {
        let deadline = self.limits.start();
        let mut tr = Translation::new(TermManager::new(&deadline, self.seed));
        for c in query.all() {
            let term = tr.term(arena, c);
            tr.terms.assert(tr.terms.boolean(term));
        }
        for _ in 0..MAX_REFINEMENTS {
            match tr.terms.check() {
                CheckResult::Unsat => return StageOutcome::Unsat(None),
                CheckResult::Unknown => return StageOutcome::Pass(Some(UnknownReason::Limit)),
                CheckResult::Sat => {}
            }
            let values: Vec<_> = query.vars.iter().map(|&v| (v, tr.value_of(v))).collect();
            let mut model = Model::new();
            for &(var, value) in &values {
                model.set(var, value);
            }
            self.evaluator.reset();
            if query
                .all()
                .all(|c| self.evaluator.eval(arena, &model, c) == 1)
            {
                return StageOutcome::Sat(values);
            }
            if deadline.is_over() || !self.refine(arena, &tr, &model) {
                break;
            }
        }
        StageOutcome::Pass(Some(UnknownReason::ModelRejected))
    }
}
