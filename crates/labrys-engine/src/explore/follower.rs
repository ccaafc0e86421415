//! Runs inputs once more and notes the states that they go through.

use crate::config::{Config, Search};
use crate::error::EngineError;
use crate::exec::trail::Trail;
use crate::exec::{LoopProof, Machine, Observations, ObservedState, ObservedTurns, RunMode};
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::state::State;
use labrys_ir::{FuncId, GlobalId};
use labrys_solver::Solver;
use std::rc::Rc;

/// A run is followed for so many instructions.
const LONGEST_RUN: u64 = 1_000_000;

pub(super) struct Follower<'p> {
    machine: Machine<'p>,
    root: State,
}

/// The configuration of runs that are only followed.
pub(super) fn follower_config(config: &Config) -> Config {
    Config {
        search: Search::Dfs,
        ..config.clone()
    }
}

impl<'p> Follower<'p> {
    /// `program` has marks where states are to be noted.
    pub(super) fn new(
        program: &'p Program<'p>,
        config: &'p Config,
        objectives: &'p ObjectiveMap,
        entry: FuncId,
    ) -> Result<Self, EngineError> {
        let mut options = config.solver.clone();
        options.deadline = config.deadline.clone();
        let solver = Solver::new(options)?;
        let machine = Machine::new(program, config, objectives, solver, entry);
        Ok(Follower {
            root: machine.state.clone(),
            machine,
        })
    }

    /// The states of a run, with the values of these variables.
    pub(super) fn states(
        &mut self,
        inputs: &[InputValue],
        globals: Vec<GlobalId>,
    ) -> Vec<ObservedState> {
        self.machine.observations = Some(Box::new(Observations::of(globals)));
        self.follow(inputs);
        let observations = self.machine.observations.take();
        observations.map_or_else(Vec::new, |observations| observations.states)
    }

    /// Looks at the turns of loops that a run goes through.
    pub(super) fn observe_turns(&mut self, inputs: &[InputValue], proof: &LoopProof) {
        let m = &mut self.machine;
        if let Some(numbers) = proof.facts.borrow_mut().numbers.take() {
            m.object_numbers = numbers;
        }
        m.loop_proof = Some(proof.clone());
        m.loop_variables.observed = Some(ObservedTurns::default());
        self.follow(inputs);
        let numbers = self.machine.object_numbers.clone();
        proof.facts.borrow_mut().numbers = Some(numbers);
    }

    fn follow(&mut self, inputs: &[InputValue]) {
        let m = &mut self.machine;
        let trail = Trail {
            given: inputs.to_vec(),
            ..Trail::default()
        };
        m.mode = RunMode::Follow(Box::new(trail));
        m.current.set(Rc::default());
        m.state = self.root.clone();
        m.pace.slice_end = LONGEST_RUN;
        m.pace.most_expressions = usize::MAX;
        m.pace.most_inputs = usize::MAX;
        m.run();
    }
}
