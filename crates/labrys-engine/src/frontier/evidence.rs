//! The questions that close the ways to the nodes of proofs, as claims. They are asked again when a proof is
//! there, so the search pays nothing for what proves nothing.

use super::words::Words;
use crate::error::EngineError;
use crate::report::{Claim, ClaimList, ClaimTopic, ClaimedCondition, ContradictionText};
use labrys_expr::{Arena, ExprId, Model, VarId, c_text};
use labrys_ir::SourceLoc;
use labrys_solver::{Answer, Contradiction, PathCondition, Solver, SolverOptions};
use rustc_hash::FxHashMap;

/// The claims of all proofs, in an arena whose variables have names.
pub(super) struct Evidence {
    pub(super) arena: Arena,
    solver: Solver,
    options: SolverOptions,
    /// By the variable of a predicate, and whether it is meant as it was in front of a piece of code.
    pub(super) vars: FxHashMap<(VarId, bool), ExprId>,
    pub(super) words: Words,
    known: FxHashMap<AskedConditions, Asked>,
    /// Was something answered with what is known, or not at all, since this was last asked?
    pub(super) goes_by_known: bool,
    /// The rule of the analysis before the search.
    pub(super) rule: &'static str,
    pub(super) claims: ClaimList,
}

/// Conditions that contradict each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct AskedConditions {
    /// What must hold behind a piece of code.
    pub(super) needed: Vec<ExprId>,
    /// What the code does and where it goes, and what holds of objects.
    pub(super) given: Vec<ExprId>,
    /// What an analysis before the search has found.
    pub(super) known: Vec<ExprId>,
}

/// A contradiction in words, with its claim if there is room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// It goes by what is known, or nobody knows whether it does.
    pub(super) goes_by_known: bool,
    pub(super) text: String,
    pub(super) claim: Option<usize>,
}

impl Evidence {
    pub(super) fn new(options: &SolverOptions, rule: &'static str) -> Result<Self, EngineError> {
        // Questions of the search are noted there.
        let options = SolverOptions {
            log_queries: None,
            ..options.clone()
        };
        Ok(Evidence {
            arena: Arena::new(),
            solver: Solver::new(options.clone())?,
            options,
            vars: FxHashMap::default(),
            words: Words::default(),
            goes_by_known: false,
            rule,
            known: FxHashMap::default(),
            claims: ClaimList::default(),
        })
    }

    pub(super) fn ask(&mut self, asked: AskedConditions, loc: SourceLoc) -> Asked {
        if let Some(known) = self.known.get(&asked) {
            self.goes_by_known |= known.goes_by_known;
            return known.clone();
        }
        let found = self.contradiction(&asked, loc);
        self.goes_by_known |= found.goes_by_known;
        self.known.insert(asked, found.clone());
        found
    }

    fn contradiction(&mut self, asked: &AskedConditions, loc: SourceLoc) -> Asked {
        let AskedConditions {
            needed,
            given,
            known,
        } = asked;
        let unknown = Asked {
            goes_by_known: !known.is_empty(),
            ..Asked::default()
        };
        if self.claims.is_full() || self.options.deadline.is_over() {
            self.claims.left_out += 1;
            return unknown;
        }
        // What is known is a premise only where it goes not without.
        let mut found = self.core(needed, given);
        let goes_by_known = found.is_none() && !known.is_empty();
        if goes_by_known {
            found = self.core(needed, &[&given[..], known].concat());
        }
        let Some(found) = found else {
            self.claims.left_out += 1;
            return unknown;
        };
        let rule = self.rule;
        let text = |arena: &Arena, part: ExprId| {
            let is_known =
                known.contains(&part) && !given.contains(&part) && !needed.contains(&part);
            match is_known {
                true => format!("{} (by {rule})", c_text(arena, part)),
                false => c_text(arena, part),
            }
        };
        let is_needed = |part: &&ExprId| needed.contains(part);
        let (ends, begins): (Vec<&ExprId>, Vec<&ExprId>) =
            found.constraints.iter().partition(is_needed);
        let claim = |part: &&ExprId| ClaimedCondition {
            loc: SourceLoc::default(),
            text: text(&self.arena, **part),
        };
        let conditions = begins.iter().chain(&ends).map(claim).collect();
        let texts = |parts: &[&ExprId]| parts.iter().map(|p| text(&self.arena, **p)).collect();
        let said = ContradictionText {
            needed: texts(&ends),
            given: texts(&begins),
        };
        let said = said.to_string();
        self.claims.push(Claim {
            topic: ClaimTopic::Backward,
            loc,
            conditions,
            script: found.script,
            uses: Vec::new(),
            said: Vec::new(),
        });
        Asked {
            goes_by_known,
            text: said,
            claim: Some(self.claims.list.len() - 1),
        }
    }

    /// The conditions that contradict each other, if the SAT solver finds that or Bitwuzla says so.
    fn core(&mut self, needed: &[ExprId], given: &[ExprId]) -> Option<Contradiction> {
        let all: Vec<ExprId> = given.iter().chain(needed).copied().collect();
        // Only what has to do with the goal is looked at.
        for goal in all.iter().rev() {
            let others: Vec<ExprId> = all.iter().copied().filter(|e| e != goal).collect();
            let found = self.solver.contradicts(&mut self.arena, &others, *goal);
            if found.is_some() {
                return found;
            }
        }
        let mut together = self.arena.yes();
        for part in all {
            together = self.arena.and(together, part);
        }
        let nothing = PathCondition::new();
        let hint = Model::new();
        let answer = (self.solver).solve(&mut self.arena, &nothing, together, &hint);
        matches!(answer, Answer::Unsat).then(|| Contradiction::of(&self.arena, vec![], together))
    }
}
