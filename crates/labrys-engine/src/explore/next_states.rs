//! The exploration of one graph of sets of states: the next of them, and what its ways on depended on.

use super::Explorer;
use super::prepare::Purpose;
use crate::candidates::Candidate;
use crate::states::StateGraph;

impl Explorer<'_> {
    /// What the ways on from a node depended on, which have been gone.
    fn note_read(&mut self, graph: &mut StateGraph) {
        let arena = &self.machine.arena;
        let mut read = self.machine.solver.watch_goals(arena);
        if let Some(node) = graph.current {
            // What is known of several variables together makes an answer depend on all of them.
            for condition in graph.nodes[node].image.path.iter() {
                let vars = arena.vars(condition);
                if arena.vars_len(vars) > 1 {
                    read.extend(arena.vars_iter(vars));
                }
            }
            graph.nodes[node].read.extend(read);
        }
    }

    /// Is there an objective that was not reached?
    fn proves_something(&self, graph: &StateGraph) -> bool {
        let decided = self.shared.decided_objectives();
        let mut wanted = graph.wanted.iter();
        wanted.any(|objective| !decided.contains(*objective))
    }

    /// The next graph has the same numbers for the same objects.
    pub(super) fn keep_object_numbers(&mut self) {
        if let Some(graph) = &self.machine.states {
            graph.borrow_mut().numbers = Some(self.machine.object_numbers.clone());
        }
        if let Some(proof) = &self.machine.loop_proof {
            proof.facts.borrow_mut().numbers = Some(self.machine.object_numbers.clone());
        }
    }

    /// Goes on with the next set of states, in a proof over these.
    pub(super) fn next_states(&mut self) -> bool {
        let Some(graph) = self.machine.states.clone() else {
            return false;
        };
        let mut graph = graph.borrow_mut();
        self.note_read(&mut graph);
        if !graph.too_many.is_empty() || graph.is_too_large() {
            return false;
        }
        if graph.current.is_none() {
            // What was asked on the way to the first joins; the next ones are asked again in the end.
            self.first_claims = self.machine.claims.take();
        }
        if graph.waiting.is_empty() && !graph.is_settled && self.proves_something(&graph) {
            graph.settle();
            let claims = self.first_claims.take();
            self.machine.claims = claims.or(self.machine.claims.take());
        }
        let log = self.machine.claims.as_mut().filter(|_| graph.is_settled);
        if let Some(log) = log.filter(|log| log.is_full()) {
            // What is left would only give more claims.
            log.leave_out(graph.waiting.len());
            return false;
        }
        let Some(node) = graph.next() else {
            return false;
        };
        let terms = graph.terms.clone();
        let node = &mut graph.nodes[node];
        if node.is_stale {
            let terms = terms.borrow();
            self.machine.renew(&terms, node);
        }
        let (mut state, model) = (node.image.clone(), node.model.clone());
        drop(graph);
        state.incidental = self.machine.labels.no_incidental.clone();
        let candidate = Candidate::to_go_on(state, model, self.machine.arena.yes());
        if self.prepare(candidate, Purpose::Search) {
            self.run();
        }
        true
    }

    /// Goes on behind a join with the paths that have come there, in a proof over loops.
    pub(super) fn next_joined_path(&mut self) -> bool {
        let Some(joined) = self.machine.next_joined() else {
            return false;
        };
        let mut state = joined.state;
        state.incidental = self.machine.labels.no_incidental.clone();
        let candidate = Candidate::to_go_on(state, joined.model, self.machine.arena.yes());
        if self.prepare(candidate, Purpose::Search) {
            self.run();
        }
        true
    }
}
