//! From a candidate to a run: its input is solved for, and its state comes from its snapshot or from
//! replaying its path.

use super::Explorer;
use crate::candidates::{Candidate, Choice, Leaf, Resume};
use crate::end::PathEnd;
use crate::exec::labels::Until;
use crate::parallel::Job;
use crate::report::Unproved;
use labrys_expr::Model;
use labrys_solver::Answer;
use std::rc::Rc;

impl Explorer<'_> {
    /// Looks for an input that meets wishes besides the candidate's goal. It need not be there:
    /// the path is that of the candidate alone.
    pub(super) fn grant(&mut self, choice: Choice) -> Candidate {
        let Choice {
            mut candidate,
            mut wishes,
        } = choice;
        let m = &mut self.machine;
        while !wishes.is_empty() {
            let mut goal = candidate.goal;
            for wish in &wishes {
                goal = m.arena.and(goal, *wish);
            }
            let hint = &candidate.parent;
            let answer = m.solver.solve(&mut m.arena, &candidate.path, goal, hint);
            if let Answer::Sat(model) = answer {
                candidate.solution = Some(Rc::new(model));
                break;
            }
            wishes.truncate(wishes.len() / 2);
        }
        candidate
    }

    /// Makes a candidate the current state; false if it turned out to be infeasible.
    pub(super) fn prepare(&mut self, candidate: Candidate, leaf: Option<Leaf>) -> bool {
        let m = &mut self.machine;
        let model = match candidate.solution {
            Some(model) => model,
            None => {
                match m.solver.solve(
                    &mut m.arena,
                    &candidate.path,
                    candidate.goal,
                    &candidate.parent,
                ) {
                    Answer::Sat(model) => Rc::new(model),
                    Answer::Unsat => {
                        m.work.infeasible += 1;
                        m.work.labels.infeasible += u64::from(leaf.is_some());
                        self.exclude(leaf);
                        return false;
                    }
                    Answer::Unknown(reason) => {
                        m.work.undecided += 1;
                        if candidate.bonus {
                            return false;
                        }
                        let why = format!("solver: {reason}");
                        match leaf {
                            Some(leaf) => m.unproved(leaf.label, Unproved::Gap(why)),
                            None => self.gap(&why),
                        }
                        return false;
                    }
                }
            }
        };
        match candidate.snapshot {
            Some(shared) => {
                m.state = Rc::try_unwrap(shared).unwrap_or_else(|shared| (*shared).clone());
            }
            None => {
                let until = match leaf {
                    Some(leaf) => Until::Label {
                        passage: leaf.passage,
                        fork: leaf.fork,
                    },
                    None => Until::Fork(candidate.number),
                };
                if !self.replay(candidate.parent, until) {
                    self.gap("a dropped path could not be replayed");
                    return false;
                }
                self.machine.state.path = candidate.path;
                if let Some(label) = candidate.insisted {
                    self.machine.cover_again(label);
                }
            }
        }
        let m = &mut self.machine;
        m.current.set(model);
        m.leaf = leaf.map(|leaf| leaf.label);
        self.tried = leaf;
        m.leaf_covered = None;
        if candidate.resume != Resume::Continue {
            m.state.luck = m.no_luck.clone();
            m.try_luck();
        }
        if leaf.is_some()
            && let Some(speculation) = &mut m.state.speculation
        {
            speculation.outside = None;
            speculation.asked = leaf.map(|leaf| leaf.asked).unwrap_or_default();
        }
        m.constrain(candidate.goal);
        m.forking = leaf.is_none();
        m.resumed = true;
        match candidate.resume {
            Resume::Edge(edge) => {
                m.state.at_fork = false;
                m.take_edge(edge);
            }
            Resume::Again | Resume::Continue => {}
        }
        true
    }

    /// A way through the predicate of a label does not lead to half a pair.
    pub(super) fn exclude(&mut self, leaf: Option<Leaf>) {
        if let Some(leaf) = leaf {
            self.machine.pairs.passes.exclude(leaf.asked);
        }
        let passes = self.machine.pairs.passes.take_changed();
        self.agenda.exclude(&passes, &self.machine.pairs);
    }

    /// Runs the parent's input again up to a fork point.
    pub(super) fn replay(&mut self, parent: Rc<Model>, until: Until) -> bool {
        let m = &mut self.machine;
        m.work.replayed += 1;
        m.state = self.root.clone();
        m.current.set(parent);
        m.forking = false;
        m.leaf = None;
        m.replay_until = Some(until);
        let end = m.run();
        m.replay_until = None;
        end == PathEnd::ForkReached
    }

    /// Gives a candidate away for every thread that waits for work.
    pub(super) fn share(&mut self) {
        while self.agenda.len() > 1 && self.commons.is_wanted() {
            let Some(candidate) = self.agenda.give() else {
                return;
            };
            let Some(snapshot) = &candidate.snapshot else {
                return;
            };
            let inputs = self
                .machine
                .inputs
                .values(&snapshot.inputs, &candidate.parent);
            self.commons.give(Job {
                inputs,
                number: candidate.number,
                ordinal: candidate.ordinal,
            });
        }
    }

    /// Finds a candidate of another thread again: runs its parent's input up to the fork.
    pub(super) fn accept(&mut self, job: &Job) -> Option<Candidate> {
        let model = self
            .machine
            .inputs
            .model(&mut self.machine.arena, &job.inputs);
        if !self.replay(Rc::new(model), Until::Fork(job.number)) {
            return None;
        }
        let m = &mut self.machine;
        m.forking = true;
        m.begin_instruction();
        m.replay_until = Some(Until::Fork(job.number + 1));
        m.run();
        m.replay_until = None;
        m.candidates.drain(..).find(|c| c.ordinal == job.ordinal)
    }
}
