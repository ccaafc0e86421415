//! Paths of original and mutants step by step, from one fork to the next: for strategies that look at
//! all of them at the same depth.

use super::difference::EndedRun;
use super::killer::{Answered, Killer};
use crate::end::PathEnd;
use crate::exec::{PairRun, ReplayTarget};
use crate::inputs::InputValue;
use crate::state::{JoinPlace, State};
use labrys_expr::Model;
use labrys_solver::PathCondition;
use std::rc::Rc;

/// A path that waits at or behind a fork, with an input that goes this way.
#[derive(Clone)]
pub(super) struct PathNode {
    pub(super) state: Rc<State>,
    pub(super) model: Rc<Model>,
}

/// A path after some steps.
#[derive(Clone)]
pub(super) enum Stepped {
    Waits(PathNode),
    Ended(EndedRun),
}

impl Stepped {
    pub(super) fn path(&self) -> &PathCondition {
        match self {
            Stepped::Waits(node) => &node.state.path,
            Stepped::Ended(run) => &run.state.path,
        }
    }

    pub(super) fn model(&self) -> &Rc<Model> {
        match self {
            Stepped::Waits(node) => &node.model,
            Stepped::Ended(run) => &run.model,
        }
    }

    pub(super) fn state(&self) -> &Rc<State> {
        match self {
            Stepped::Waits(node) => &node.state,
            Stepped::Ended(run) => &run.state,
        }
    }
}

/// A place where the original came to mutants.
pub(super) struct NewVisit {
    pub(super) point: u32,
    pub(super) node: PathNode,
    pub(super) join: Option<JoinPlace>,
}

impl Killer<'_> {
    /// Goes from a node to its next forks, on all ways. The first is that of its own input.
    pub(super) fn step(&mut self, node: &PathNode, mut how: PairRun) -> Vec<Stepped> {
        self.place(node);
        how.until = Some(ReplayTarget::Fork(node.state.forks + 1));
        let (end, left) = self.run(how);
        let mut ways = vec![self.stepped(end)];
        for mut candidate in left {
            match self.solution(&mut candidate) {
                Answered::Yes(model) => {
                    self.runner.continue_candidate(candidate, model);
                    ways.push(self.stepped(PathEnd::ForkReached));
                }
                Answered::No => {}
                Answered::Unknown(gap) => self.gap(&gap),
            }
        }
        ways
    }

    /// Makes the state of a node the current one.
    fn place(&mut self, node: &PathNode) {
        let m = &mut self.runner.machine;
        m.state = (*node.state).clone();
        m.current.set(node.model.clone());
    }

    /// The current state.
    fn stepped(&self, end: PathEnd) -> Stepped {
        let m = &self.runner.machine;
        let (state, model) = (Rc::new(m.state.clone()), m.current.model.clone());
        match end {
            PathEnd::ForkReached => Stepped::Waits(PathNode { state, model }),
            end => Stepped::Ended(EndedRun { end, state, model }),
        }
    }

    /// The state of a node where the ways of a choice come together, on the way of its input.
    pub(super) fn at_join(
        &mut self,
        node: &PathNode,
        join: JoinPlace,
        how: PairRun,
    ) -> Option<PathNode> {
        self.place(node);
        let (end, _) = self.run(PairRun {
            stop_at: Some(join),
            only_follows: true,
            ..how
        });
        match self.stepped(end) {
            Stepped::Waits(node) => Some(node),
            Stepped::Ended(_) => None,
        }
    }

    /// The visits of a path that were not there when it had so many.
    pub(super) fn new_visits(&self, stepped: &Stepped, before: u32) -> Vec<NewVisit> {
        let visits = stepped.state().visits.iter();
        let mut new: Vec<NewVisit> = visits
            .take_while(|visit| visit.number >= before)
            .map(|visit| NewVisit {
                point: visit.point,
                node: PathNode {
                    state: visit.snapshot.clone(),
                    model: stepped.model().clone(),
                },
                join: visit.join,
            })
            .collect();
        new.reverse();
        new
    }

    /// The original with the inputs of tests, up to the fork behind the first mutant that any of them
    /// comes to, or that each comes to: the precondition of the search. Prefixes that are the same are
    /// there once.
    pub(super) fn seeded(&mut self, suite: &[Vec<InputValue>], each: bool) -> Vec<Stepped> {
        let mut models = Vec::new();
        for inputs in suite {
            if self.should_stop() {
                break;
            }
            let model = self.model_of(inputs);
            let whole = self.prefix(&model, None);
            let reached = whole.state().visits.iter().last();
            let reached = reached.map(|visit| visit.snapshot.forks + 1);
            models.push((model, reached));
        }
        let first = models.iter().filter_map(|(_, reached)| *reached).min();
        let mut prefixes: Vec<Stepped> = Vec::new();
        for (model, reached) in models {
            let length = if each { reached } else { first };
            let Some(length) = length else { continue };
            let prefix = self.prefix(&model, Some(length));
            let same = |known: &Stepped| known.path().to_vec() == prefix.path().to_vec();
            if !prefixes.iter().any(same) {
                prefixes.push(prefix);
            }
        }
        if prefixes.is_empty() {
            self.runner.start();
            let m = &self.runner.machine;
            let (state, model) = (Rc::new(m.state.clone()), Rc::default());
            prefixes.push(Stepped::Waits(PathNode { state, model }));
        }
        prefixes
    }

    /// The original with an input from its start on, up to a fork or to its end.
    pub(super) fn prefix(&mut self, model: &Rc<Model>, length: Option<u32>) -> Stepped {
        self.runner.start();
        self.runner.machine.current.set(model.clone());
        let how = PairRun {
            only_follows: true,
            until: length.map(ReplayTarget::Fork),
            ..self.as_original()
        };
        let (end, _) = self.run(how);
        self.stepped(end)
    }
}
