//! Questions without an answer wait until nothing else is left; then they are asked again, and may cost
//! more.

use super::killer::Answered;
use super::mutant_task::MutantFork;
use super::original_paths::WaitingCandidate;
use super::pair_search::PairSearch;
use crate::state::Roots;
use labrys_expr::{ExprId, Model};
use labrys_solver::PathCondition;
use std::rc::Rc;

/// What waits for an answer, with the reason why there was none.
pub(super) enum Postponed {
    /// A way of the original.
    Original(WaitingCandidate, String),
    /// A way of a mutant.
    Fork(usize, MutantFork, String),
    /// Whether the outputs of a mutant can differ.
    Outputs(usize, DifferenceQuestion, String),
}

pub(super) struct DifferenceQuestion {
    pub(super) path: PathCondition,
    pub(super) goal: ExprId,
    pub(super) hint: Rc<Model>,
}

impl Postponed {
    pub(super) fn mark(&self, roots: &mut Roots<'_>) {
        match self {
            Postponed::Original(waiting, _) => waiting.candidate.mark(roots),
            Postponed::Fork(_, fork, _) => fork.candidate.mark(roots),
            Postponed::Outputs(_, question, _) => {
                roots.path(&question.path);
                roots.expression(question.goal);
            }
        }
    }

    /// The path of the original that it needs.
    pub(super) fn path(&self) -> Option<usize> {
        match self {
            Postponed::Fork(_, fork, _) => Some(fork.path),
            Postponed::Original(..) | Postponed::Outputs(..) => None,
        }
    }
}

impl PairSearch<'_> {
    /// Asks again what had no answer, with more effort; false if there is nothing to ask.
    pub(super) fn ask_again(&mut self) -> bool {
        if self.postponed.is_empty() || !self.killer.work_harder() {
            return false;
        }
        for postponed in std::mem::take(&mut self.postponed) {
            match postponed {
                Postponed::Original(waiting, _) => {
                    self.killer.mutants.iter_mut().for_each(|m| m.reopen());
                    self.waiting.push(waiting);
                }
                Postponed::Fork(number, fork, _) => {
                    self.killer.mutants[number].reopen();
                    if self.killer.mutants[number].is_open() {
                        self.killer.mutants[number].forks.push_back(fork);
                    }
                }
                Postponed::Outputs(number, question, gap) => {
                    self.killer.mutants[number].reopen();
                    if !self.killer.mutants[number].is_open() {
                        continue;
                    }
                    match self.killer.should_stop() {
                        true => {
                            let postponed = Postponed::Outputs(number, question, gap);
                            self.postponed.push(postponed);
                        }
                        false => self.ask_outputs(number, question),
                    }
                }
            }
        }
        true
    }

    /// Is there an input for which the outputs of a mutant differ?
    pub(super) fn ask_outputs(&mut self, number: usize, question: DifferenceQuestion) {
        let DifferenceQuestion { path, goal, hint } = &question;
        match self.killer.ask(path, *goal, hint) {
            Answered::Yes(model) => {
                self.killer.confirm(number, model);
            }
            Answered::No => {}
            Answered::Unknown(gap) => {
                let postponed = Postponed::Outputs(number, question, gap);
                self.postponed.push(postponed);
            }
        }
    }

    /// What never had an answer is a gap.
    pub(super) fn give_up_postponed(&mut self) {
        for postponed in std::mem::take(&mut self.postponed) {
            match postponed {
                Postponed::Original(_, gap) => self.killer.gap(&gap),
                Postponed::Fork(number, _, gap) | Postponed::Outputs(number, _, gap) => {
                    self.killer.mutants[number].gaps.insert(gap);
                }
            }
        }
    }
}
