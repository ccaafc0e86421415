//! What all strategies have in common: the mutants and what is known of them, runs of original and
//! mutant, questions, and the tests that were found.

use super::MutantChanges;
use super::difference::{Difference, StateComparer};
use super::mutant_task::{MutantTask, TaskStatus};
use super::native::{NativeKills, ShownNatively};
use super::report::{KillReport, KillWork, KillingTest, MutantFinding};
use super::step::PathNode;
use crate::augment::{Compared, FollowedRun, RunInput, Runner, compare};
use crate::bitset::BitSet;
use crate::candidates::Candidate;
use crate::config::Config;
use crate::end::PathEnd;
use crate::error::EngineError;
use crate::exec::{PairRun, RunMode, WILD_POINTER};
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Joins, Program};
use crate::state::State;
use labrys_expr::{ExprId, Model, VarId};
use labrys_ir::FuncId;
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions, SolverStats};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// What one question may cost: conflicts of the SAT solver, and milliseconds of Bitwuzla. First little;
/// what had no answer is asked again when nothing else is left.
const EFFORTS: [(u64, u64); 3] = [(4_000, 1_000), (60_000, 5_000), (1_000_000, 30_000)];

/// Of a path on which only native runs can tell, so many other inputs are tried.
const VARIATIONS: usize = 2;

/// A path of the original leaves at most so many snapshots at each point; a mutant is run from the
/// last of them on for all that follow.
pub(super) const MOST_VISITS: u32 = 8;

/// Steps that a run may take at least, and how many times those of the longest test.
const LEAST_STEPS: u64 = 200_000;
const TIMES_AS_LONG: u64 = 20;

/// Why it is not shown that no input kills a mutant.
pub(super) const UNCLEAR_END: &str = "whether the ends differ depends on undefined behaviour";
pub(super) const UNCLEAR_OUTPUT: &str = "outputs that cannot be compared";
const UNCONFIRMED: &str = "a difference that no run has shown";
const NOT_SHOWN: &str = "a difference that no native run shows";
const UNDEFINED: &str = "only undefined behaviour was found, which no native run shows";

/// What became of a question.
pub(super) enum Answered {
    Yes(Rc<Model>),
    No,
    Unknown(String),
}

pub(super) struct Killer<'m> {
    pub(super) runner: Runner<'m>,
    pub(super) joins: Rc<Joins>,
    pub(super) mutants: Vec<MutantTask>,
    /// The mutants at each point.
    pub(super) at_point: BTreeMap<u32, Vec<usize>>,
    /// The points of all mutants.
    pub(super) wanted: Rc<BitSet>,
    pub(super) comparer: StateComparer,
    tests: Vec<KillingTest>,
    pub(super) native: &'m mut dyn NativeKills,
    /// The compiled program has not shown what was expected.
    is_refuted: bool,
    /// Tests that do not kill the mutant which they were made for.
    pub(super) blind_tests: usize,
    /// Every test meets all mutants that it comes to, as in the paper.
    pub(super) meets_all: bool,
    /// Steps of the longest test.
    longest: u64,
    random: u64,
    /// The place of what questions may cost now.
    effort: usize,
    /// What solvers did that are gone.
    spent: SolverStats,
    pub(super) work: KillWork,
}

/// Does one of two runs end with an error that C leaves undefined?
fn is_undefined(original: &FollowedRun, mutant: &FollowedRun) -> bool {
    let ends = [&original.end, &mutant.end];
    let mut ends = ends.into_iter();
    ends.any(|end| matches!(end, PathEnd::Fault(kind) if kind.is_undefined_behaviour()))
}

fn solver_options(config: &Config, effort: usize) -> SolverOptions {
    let (conflicts, milliseconds) = EFFORTS[effort];
    let mut options = config.solver.clone();
    options.conflicts = conflicts;
    options.give_up = true;
    options.timeout = Duration::from_millis(milliseconds);
    options.deadline = config.deadline.clone();
    options
}

impl<'m> Killer<'m> {
    pub(super) fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        joins: Rc<Joins>,
        mutants: &[MutantChanges],
        native: &'m mut dyn NativeKills,
        config: &'m Config,
    ) -> Result<Self, EngineError> {
        let solver = solver_options(config, 0);
        let runner = Runner::with_solver(program, entry, objectives, config, solver)?;
        let mut at_point: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut wanted = BitSet::default();
        for (number, changes) in mutants.iter().enumerate() {
            for change in changes {
                at_point.entry(change.point).or_default().push(number);
                wanted.insert(change.point as usize);
            }
        }
        Ok(Killer {
            runner,
            joins,
            mutants: mutants.iter().map(|m| MutantTask::new(m)).collect(),
            at_point,
            wanted: Rc::new(wanted),
            comparer: StateComparer::default(),
            tests: Vec::new(),
            native,
            is_refuted: false,
            blind_tests: 0,
            meets_all: false,
            longest: 0,
            random: config.seed ^ 0x9e37_79b9_7f4a_7c15,
            effort: 0,
            spent: SolverStats::default(),
            work: KillWork::default(),
        })
    }

    pub(super) fn should_stop(&self) -> bool {
        self.runner.should_stop()
    }

    /// Is there a mutant that nothing is known of?
    pub(super) fn is_done(&self) -> bool {
        !self.mutants.iter().any(MutantTask::is_open)
    }

    /// A number of the search's own sequence (xorshift).
    pub(super) fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    pub(super) fn gap(&mut self, reason: &str) {
        *self.work.gaps.entry(reason.to_owned()).or_default() += 1;
    }

    fn most_steps(&self) -> u64 {
        self.longest.saturating_mul(TIMES_AS_LONG).max(LEAST_STEPS)
    }

    /// The input of a test, which the original has been run with.
    pub(super) fn model_of(&mut self, inputs: &[InputValue]) -> Rc<Model> {
        let seen = self.runner.run(RunInput::Inputs(inputs), &[], None);
        self.longest = self.longest.max(seen.state.steps);
        seen.model
    }

    pub(super) fn ask(&mut self, path: &PathCondition, goal: ExprId, hint: &Rc<Model>) -> Answered {
        let m = &mut self.runner.machine;
        match m.solver.solve(&mut m.arena, path, goal, hint) {
            Answer::Sat(model) => Answered::Yes(Rc::new(model)),
            Answer::Unsat => Answered::No,
            Answer::Unknown(reason) => Answered::Unknown(format!("solver: {reason}")),
        }
    }

    /// An input of a candidate, if there is one.
    pub(super) fn solution(&mut self, candidate: &mut Candidate) -> Answered {
        match candidate.solution.take() {
            Some(model) => Answered::Yes(model),
            None => self.ask(&candidate.path, candidate.goal, &candidate.parent),
        }
    }

    /// The settings of a run of the original.
    pub(super) fn as_original(&self) -> PairRun {
        PairRun {
            wanted: self.wanted.clone(),
            most_visits: MOST_VISITS,
            joins: self.joins.clone(),
            ..PairRun::default()
        }
    }

    /// The settings of a run of a mutant.
    pub(super) fn as_mutant(&self, number: usize) -> PairRun {
        PairRun {
            active: self.mutants[number].changes.clone(),
            joins: self.joins.clone(),
            ..PairRun::default()
        }
    }

    /// Runs the current state; also what it has left behind.
    pub(super) fn run(&mut self, mut how: PairRun) -> (PathEnd, Vec<Candidate>) {
        let most = self.most_steps();
        let is_original = how.is_original();
        let m = &mut self.runner.machine;
        how.count(&m.state.visits);
        m.mode = RunMode::Pair(Box::new(how));
        m.pace.slice_end = most;
        m.pace.most_expressions = usize::MAX;
        m.pace.most_inputs = usize::MAX;
        let end = m.run();
        if let (PathEnd::Fault(kind), true) = (&end, is_original) {
            m.rest_on_first_error(*kind);
        }
        match is_original {
            true => self.work.paths += 1,
            false => self.work.mutant_runs += 1,
        }
        (end, self.runner.left_behind())
    }

    /// How a mutant differs from the original at the place where both are.
    pub(super) fn states_differ(
        &mut self,
        number: usize,
        original: &State,
        mutant: &State,
    ) -> Difference {
        let m = &mut self.runner.machine;
        let found = self.comparer.states(m, original, mutant);
        self.note_assumptions(number, &found);
        found
    }

    /// Is it shown that there is no difference on a path?
    pub(super) fn is_shown_alike(&mut self, found: &Difference, path: &PathCondition) -> bool {
        let arena = &self.runner.machine.arena;
        if found.is_none(arena) {
            return true;
        }
        if found.certain || found.unclear {
            return false;
        }
        let hint = self.runner.machine.current.model.clone();
        matches!(self.ask(path, found.when, &hint), Answered::No)
    }

    pub(super) fn note_assumptions(&mut self, number: usize, found: &Difference) {
        let assumes = found.assumes.iter().cloned();
        self.mutants[number].assumes.extend(assumes);
    }

    /// Gives expressions back that neither these paths nor anything else needs.
    pub(super) fn collect<'n>(&mut self, waiting: impl Iterator<Item = &'n PathNode>) {
        self.runner.collect_but(|roots| {
            waiting.for_each(|node| roots.snapshot(&node.state));
        });
    }

    /// Runs original and mutant with an input from the start; it is a test if they differ.
    pub(super) fn confirm(&mut self, number: usize, model: Rc<Model>) -> Compared {
        let original = self.runner.run(RunInput::Model(model), &[], None);
        if !original.is_valid() {
            return Compared::Same;
        }
        let mutant = self.mutant_on(number, &original);
        let found = compare(&original, &mutant);
        match found {
            Compared::Killed => {
                let undefined = is_undefined(&original, &mutant);
                let original = self.nicer(number, original, &mutant);
                let inputs = self.runner.inputs(&original);
                let reached = self.open_at(&original);
                let beside = self.bystanders(number, reached);
                match self.run_natively(number, &beside, &inputs) {
                    ShownNatively::Killed => {}
                    ShownNatively::Alive => self.refute(number, undefined),
                    ShownNatively::Unknown => {
                        let test = self.add_test(inputs, number);
                        self.mutants[number].close(TaskStatus::Killed { test, undefined });
                    }
                }
            }
            Compared::Unclear => {
                self.mutants[number].gaps.insert(UNCLEAR_OUTPUT.to_owned());
                if !self.mutants[number].has_many_doubts() {
                    let inputs = self.runner.inputs(&original);
                    // Nothing says that another mutant would die by it.
                    let beside = match self.meets_all {
                        true => self.open_at(&original),
                        false => vec![number],
                    };
                    match self.run_natively(number, &beside, &inputs) {
                        ShownNatively::Killed => {}
                        ShownNatively::Alive => self.mutants[number].tried_in_vain(),
                        ShownNatively::Unknown => {
                            let test = self.add_test(inputs, number);
                            self.mutants[number].doubt(test);
                        }
                    }
                }
            }
            Compared::Same => {
                self.mutants[number].gaps.insert(UNCONFIRMED.to_owned());
            }
        }
        found
    }

    /// No native run shows a kill that was expected. Unless C leaves open what happens there, the search is
    /// wrong about the program.
    fn refute(&mut self, number: usize, undefined: bool) {
        self.is_refuted |= !undefined;
        let gap = if undefined { UNDEFINED } else { NOT_SHOWN };
        let mutant = &mut self.mutants[number];
        mutant.gaps.insert(gap.to_owned());
        mutant.tried_in_vain();
        if mutant.has_many_doubts() {
            mutant.close(TaskStatus::Exhausted);
        }
    }

    /// What a mutant does with the input of a run of the original.
    fn mutant_on(&mut self, number: usize, original: &FollowedRun) -> FollowedRun {
        let changes = self.mutants[number].changes.clone();
        let usual = Some(original.state.steps.max(LEAST_STEPS));
        let start = RunInput::Model(original.model.clone());
        self.runner.run(start, &changes, usual)
    }

    /// A run on the same paths that kills the mutant, too, and has values that are easier to read; or the
    /// run as it is.
    fn nicer(&mut self, number: usize, original: FollowedRun, mutant: &FollowedRun) -> FollowedRun {
        let conditions = mutant.trail.conditions.iter();
        let mut keep: Vec<ExprId> = conditions.map(|condition| condition.holds).collect();
        if original.end == mutant.end {
            keep.push(self.runner.machine.outputs_differ(&original, mutant));
        }
        keep.retain(|condition| self.runner.holds(&original.model, *condition));
        match self.runner.nicer(&original, &keep) {
            Some(nicer) if compare(&nicer, &self.mutant_on(number, &nicer)) == Compared::Killed => {
                nicer
            }
            _ => original,
        }
    }

    /// Questions may cost more from now on; false if they cost the most already.
    pub(super) fn work_harder(&mut self) -> bool {
        if self.effort + 1 >= EFFORTS.len() {
            return false;
        }
        let options = solver_options(self.runner.machine.config, self.effort + 1);
        let Ok(solver) = Solver::new(options) else {
            return false;
        };
        self.effort += 1;
        let old = std::mem::replace(&mut self.runner.machine.solver, solver);
        self.spent.add(old.stats());
        true
    }

    /// Another input of a path, for a mutant of which only native runs can tell whether this one kills
    /// it.
    pub(super) fn vary(&mut self, number: usize, state: &State, model: &Rc<Model>) {
        let inputs = &self.runner.machine.inputs;
        let pieces = state.inputs.iter().flat_map(|id| &inputs.get(*id).pieces);
        let variables: Vec<VarId> = pieces.map(|(variable, _)| *variable).collect();
        for _ in 0..VARIATIONS {
            let is_open = self.mutants[number].is_open();
            if !is_open || variables.is_empty() || self.should_stop() {
                return;
            }
            let variable = variables[self.random() as usize % variables.len()];
            let m = &mut self.runner.machine;
            let value = m.arena.var_expr(variable);
            let width = m.arena.width(value);
            let old = m.arena.constant(width, model.get(variable).into());
            let other = m.arena.ne(value, old);
            if let Answered::Yes(model) = self.ask(&state.path, other, model) {
                self.confirm(number, model);
            }
        }
    }

    /// A test, or the one that has these inputs already.
    pub(super) fn add_test(&mut self, inputs: Vec<InputValue>, made_for: usize) -> usize {
        let known = self.tests.iter().position(|test| test.inputs == inputs);
        known.unwrap_or_else(|| {
            self.tests.push(KillingTest { inputs, made_for });
            self.tests.len() - 1
        })
    }

    pub(super) fn report(mut self, waiting: usize) -> KillReport {
        let m = &self.runner.machine;
        let rests_on: BTreeSet<String> = m.resting.assumptions().into_iter().collect();
        let instructions = m.work.instructions;
        let mut everywhere: BTreeSet<String> = self.work.gaps.keys().cloned().collect();
        if m.work.wild_pointers > 0 {
            everywhere.insert(WILD_POINTER.to_owned());
        }
        let finding = |mutant: MutantTask| match mutant.status {
            TaskStatus::Killed { test, undefined } => MutantFinding::Killed { test, undefined },
            TaskStatus::Exhausted if mutant.gaps.is_empty() && everywhere.is_empty() => {
                let assumes = mutant.assumes.union(&rests_on).cloned().collect();
                let infected = mutant.was_infected();
                MutantFinding::Equivalent { assumes, infected }
            }
            status => MutantFinding::Alive {
                reason: mutant.reason(),
                gaps: mutant.gaps.union(&everywhere).cloned().collect(),
                exhausted: status == TaskStatus::Exhausted,
                doubtful: mutant.doubtful,
            },
        };
        let mutants = std::mem::take(&mut self.mutants);
        KillReport {
            findings: mutants.into_iter().map(finding).collect(),
            tests: std::mem::take(&mut self.tests),
            try_all: self.blind_tests > 0,
            is_refuted: self.is_refuted,
            work: KillWork {
                instructions,
                waiting,
                ..self.work
            },
            solver: {
                self.spent.add(self.runner.machine.solver.stats());
                self.spent
            },
        }
    }
}
