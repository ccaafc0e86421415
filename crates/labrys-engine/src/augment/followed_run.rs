//! Runs of given inputs to the end of their paths.

use crate::candidates::{Candidate, Resume};
use crate::config::Config;
use crate::end::PathEnd;
use crate::error::EngineError;
use crate::exec::trail::{Alternative, Trail};
use crate::exec::{Machine, RunMode};
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::report::StreamPart;
use crate::state::{Roots, State};
use crate::values::{TestPath, Values};
use labrys_expr::{ExprId, Model};
use labrys_ir::FuncId;
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};
use std::rc::Rc;
use std::time::Duration;

/// Instructions that a run may take at least, and how many times those of the run that it is
/// compared with.
const LEAST_STEPS: u64 = 100_000;
const TIMES_AS_LONG: u64 = 20;

/// What one question may cost.
const CONFLICTS: u64 = 250;
const MOST_TIME: Duration = Duration::from_millis(300);

/// What a run did.
pub(crate) struct FollowedRun {
    pub(crate) end: PathEnd,
    pub(crate) model: Rc<Model>,
    pub(crate) trail: Trail,
    /// At its end.
    pub(crate) state: State,
    pub(crate) outputs: Vec<(String, Vec<Option<u8>>)>,
    pub(crate) streams: [Vec<StreamPart>; 2],
}

/// What a run is started with.
pub(crate) enum RunInput<'a> {
    Inputs(&'a [InputValue]),
    Model(Rc<Model>),
}

pub(crate) struct Runner<'m> {
    pub(crate) machine: Machine<'m>,
    root: State,
    collect_at: usize,
    /// Chooses values that are easy to read.
    values: Option<Values>,
}

impl<'m> Runner<'m> {
    pub(crate) fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        config: &'m Config,
    ) -> Result<Self, EngineError> {
        let mut options = config.solver.clone();
        // There are many questions, and none of them matters much.
        options.conflicts = CONFLICTS;
        options.give_up = true;
        options.timeout = options.timeout.min(MOST_TIME);
        Runner::with_solver(program, entry, objectives, config, options)
    }

    /// The same with other settings of the solver.
    pub(crate) fn with_solver(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        config: &'m Config,
        mut options: SolverOptions,
    ) -> Result<Self, EngineError> {
        options.deadline = config.deadline.clone();
        let solver = Solver::new(options)?;
        let values = match config.raw_values {
            true => None,
            false => Some(Values::new(program, config)?),
        };
        let machine = Machine::new(program, config, objectives, solver, entry);
        Ok(Runner {
            root: machine.state.clone(),
            machine,
            collect_at: config.collect_at,
            values,
        })
    }

    /// Runs an input to the end of its path. `usual` is the length of the run that it is compared
    /// with.
    pub(crate) fn run(
        &mut self,
        start: RunInput<'_>,
        active: &[Alternative],
        usual: Option<u64>,
    ) -> FollowedRun {
        let m = &mut self.machine;
        let mut trail = Trail {
            active: active.into(),
            ..Trail::default()
        };
        match start {
            RunInput::Inputs(inputs) => {
                trail.given = inputs.to_vec();
                m.current.set(Rc::default());
            }
            RunInput::Model(model) => m.current.set(model),
        }
        m.mode = RunMode::Follow(Box::new(trail));
        m.state = self.root.clone();
        let limit = |steps: u64| steps.saturating_mul(TIMES_AS_LONG).max(LEAST_STEPS);
        m.pace.slice_end = usual.map_or(u64::MAX, limit);
        m.pace.most_expressions = usize::MAX;
        m.pace.most_inputs = usize::MAX;
        let end = m.run();
        let trail = match std::mem::take(&mut m.mode) {
            RunMode::Follow(trail) => *trail,
            _ => Trail::default(),
        };
        FollowedRun {
            end,
            model: m.current.model.clone(),
            outputs: m.predicted_outputs(),
            streams: [m.predicted_stream(0), m.predicted_stream(1)],
            trail,
            state: m.state.clone(),
        }
    }

    /// An input for the path on which `goal` holds, too.
    pub(crate) fn solve(
        &mut self,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Option<Rc<Model>> {
        let m = &mut self.machine;
        match m.solver.solve(&mut m.arena, path, goal, hint) {
            Answer::Sat(model) => Some(Rc::new(model)),
            Answer::Unsat | Answer::Unknown(_) => None,
        }
    }

    /// Runs other values on the same path that are easier to read, if there are any. These
    /// conditions hold for them, too.
    pub(crate) fn nicer(&mut self, course: &FollowedRun, keep: &[ExprId]) -> Option<FollowedRun> {
        let values = self.values.as_mut()?;
        let m = &mut self.machine;
        m.state = course.state.clone();
        m.current.set(course.model.clone());
        let model = TestPath::of(m).nicer(values, m, keep)?;
        let course = self.run(RunInput::Model(Rc::new(model)), &[], None);
        course.is_valid().then_some(course)
    }

    /// Is the condition true for the input of this run?
    pub(crate) fn holds(&mut self, model: &Rc<Model>, condition: ExprId) -> bool {
        let m = &mut self.machine;
        if !Rc::ptr_eq(&m.current.model, model) {
            m.current.set(model.clone());
        }
        m.current.value(&m.arena, condition) != 0
    }

    /// The inputs that a run asked for.
    pub(crate) fn inputs(&self, course: &FollowedRun) -> Vec<InputValue> {
        let inputs = &self.machine.inputs;
        inputs.given(&course.state.inputs, &course.model)
    }

    /// Makes the start of the program the current state.
    pub(crate) fn start(&mut self) {
        self.machine.state = self.root.clone();
    }

    /// Makes the state of a candidate with this input the current one.
    pub(crate) fn continue_candidate(&mut self, candidate: Candidate, model: Rc<Model>) {
        let m = &mut self.machine;
        if let Some(shared) = candidate.snapshot {
            m.state = Rc::try_unwrap(shared).unwrap_or_else(|shared| (*shared).clone());
        }
        m.current.set(model);
        // A condition of the path that only this candidate has.
        m.mode = RunMode::Search;
        m.constrain(candidate.goal);
        m.fork_place.resumed = true;
        if let Resume::Edge(edge) = candidate.resume {
            m.state.at_fork = false;
            m.take_edge(edge);
        }
    }

    /// The candidates that the last run has left behind, without those that others include.
    pub(crate) fn left_behind(&mut self) -> Vec<Candidate> {
        let left = &mut self.machine.left;
        left.leaves.clear();
        left.fault_checks.clear();
        let mut candidates = std::mem::take(&mut left.candidates);
        candidates.retain(|candidate| !candidate.bonus);
        candidates
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.machine.config.should_stop()
    }

    /// Is this share of the time used up?
    pub(crate) fn is_late(&self, share: f64) -> bool {
        let config = self.machine.config;
        let used = config.deadline.total().zip(config.deadline.left());
        used.is_some_and(|(total, left)| left <= total.mul_f64(1.0 - share))
    }

    /// Gives expressions back when there are many; true if it did. All courses are void then.
    pub(crate) fn collect(&mut self) -> bool {
        self.collect_but(|_| {})
    }

    /// The same; what is marked stays.
    pub(crate) fn collect_but(&mut self, mark: impl FnOnce(&mut Roots<'_>)) -> bool {
        let m = &mut self.machine;
        if m.arena.collectable_size() < self.collect_at {
            return false;
        }
        let mut roots = Roots::new(&m.arena);
        roots.state(&self.root);
        mark(&mut roots);
        let marks = roots.into_marks();
        m.state = self.root.clone();
        m.collect(&marks);
        if let Some(values) = &mut self.values {
            values.forget();
        }
        self.collect_at = (m.arena.collectable_size() * 2).max(m.config.collect_at);
        true
    }
}

impl FollowedRun {
    /// Does the run count? One that an assumption ends does not.
    pub(crate) fn is_valid(&self) -> bool {
        matches!(
            self.end,
            PathEnd::Returned
                | PathEnd::Exited { .. }
                | PathEnd::Fault(_)
                | PathEnd::HarnessLimit { .. }
        )
    }
}
