//! Augmentation by mutants. The original and a mutant are run on the same input, and their path
//! conditions are laid side by side: an input is wanted for which a condition of the one is not
//! that of the other, `C ⊕ C′`, or for which both keep to their paths and their outputs differ.

use super::difference::{Compared, compare};
use super::followed_run::{FollowedRun, RunInput, Runner};
use super::{AugmentStyle, Augmented, AugmentedTest, MutantKillers};
use crate::config::Config;
use crate::error::EngineError;
use crate::exec::trail::Alternative;
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Program, entry_of};
use labrys_expr::{ExprId, Model};
use labrys_ir::Module;
use labrys_solver::PathCondition;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::rc::Rc;

/// For each mutant at most this many tests are augmented, this many conditions of a path are turned
/// around, and this many questions are asked, of which this many may stay without an answer. Once
/// `UNANSWERED_IN_ALL` questions of all mutants have had no answer, a mutant is given up at its first.
const PAIRS: usize = 12;
const FLIPS: usize = 10;
const QUESTIONS: u64 = 48;
const UNANSWERED: u64 = 2;
const UNANSWERED_IN_ALL: u64 = 8;

/// After this share of the time the neighbours have their turn.
const MUTANTS_SHARE: f64 = 0.7;

/// Asks for tests that tell the mutants from the original. A mutant is shown to the tests of the
/// `first` group before the others.
pub fn augment_mutants(
    module: &Module,
    entry: &str,
    mutants: &[Alternative],
    (first, others): (&[Vec<InputValue>], &[Vec<InputValue>]),
    how: AugmentStyle,
    config: &Config,
) -> Result<Augmented, EngineError> {
    let entry = entry_of(module, entry)?;
    let program = Program::new(module);
    let nothing = ObjectiveMap::default();
    let runner = Runner::new(&program, entry, &nothing, config)?;
    let mut work = MutantSearch {
        runner,
        how,
        tests: Vec::new(),
        count: first.len() + others.len(),
        first: first.len(),
        kills: FxHashMap::default(),
    };
    for (number, inputs) in first.iter().chain(others).enumerate() {
        if work.runner.should_stop() {
            break;
        }
        let course = work.runner.run(RunInput::Inputs(inputs), &[], None);
        work.keep(number, &Rc::new(course));
    }
    let mut result = Augmented::default();
    let mut alive = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        if work.runner.should_stop() || work.runner.is_late(MUTANTS_SHARE) {
            break;
        }
        let active = *mutant;
        let mut claim = MutantKillers::default();
        let met = work.mutant(active, &mut claim);
        match met {
            MutantOutcome::By(test) => claim.certain = Some(test),
            MutantOutcome::NewTest(new) => {
                claim.certain = Some(new.number);
                result.added.push(new.made_for(number));
            }
            MutantOutcome::NotReached => {}
            MutantOutcome::Not => alive.push((number, active)),
        }
        result.claims.push(claim);
        work.collect();
    }
    result
        .claims
        .resize_with(mutants.len(), MutantKillers::default);
    work.meet_tests(&mut alive, &mut result.claims);
    // Another path than that of a test is not strict.
    if !how.strict {
        let more = work.neighbours(&mut alive, &mut result.claims);
        result.added.extend(more);
    }
    result.solver = work.runner.machine.solver.stats().clone();
    Ok(result)
}

/// What became of a mutant.
enum MutantOutcome {
    NotReached,
    Not,
    By(usize),
    NewTest(NewTest),
}

/// A new test.
pub(super) struct NewTest {
    pub(super) number: usize,
    inputs: Vec<InputValue>,
}

impl NewTest {
    pub(super) fn made_for(self, mutant: usize) -> AugmentedTest {
        AugmentedTest {
            inputs: self.inputs,
            made_for: mutant,
        }
    }
}

/// A test that is there: its input, and what the original does with it.
pub(super) struct KnownTest {
    number: usize,
    kills: u32,
    model: Rc<Model>,
    course: Option<Rc<FollowedRun>>,
}

pub(super) struct MutantSearch<'m> {
    pub(super) runner: Runner<'m>,
    how: AugmentStyle,
    pub(super) tests: Vec<KnownTest>,
    /// Tests that were given or added.
    count: usize,
    /// The first so many of these are met first.
    first: usize,
    /// How many mutants a test has killed at a point.
    kills: FxHashMap<(u32, usize), u32>,
}

/// When a mutant has cost enough.
#[derive(Clone, Copy)]
struct QuestionBudget {
    queries: u64,
    unknown: u64,
}

/// Two runs of one input.
pub(super) struct RunPair {
    pub(super) original: Rc<FollowedRun>,
    pub(super) mutant: FollowedRun,
}

impl MutantSearch<'_> {
    fn keep(&mut self, number: usize, course: &Rc<FollowedRun>) {
        if course.is_valid() {
            self.tests.push(KnownTest {
                number,
                kills: 0,
                model: course.model.clone(),
                course: Some(course.clone()),
            });
        }
    }

    /// Adds the test of a run.
    pub(super) fn add(&mut self, course: &Rc<FollowedRun>) -> NewTest {
        let number = self.count;
        self.count += 1;
        self.keep(number, course);
        NewTest {
            number,
            inputs: self.runner.inputs(course),
        }
    }

    /// Adds the test of a run, or one on the same paths that kills the mutant, too, and has values
    /// that are easier to read.
    pub(super) fn add_nicer(&mut self, pair: RunPair, active: Alternative) -> NewTest {
        let RunPair { original, mutant } = pair;
        let conditions = mutant.trail.conditions.iter();
        let mut keep: Vec<ExprId> = conditions.map(|condition| condition.holds).collect();
        if original.end == mutant.end {
            let m = &mut self.runner.machine;
            keep.push(m.outputs_differ(&original, &mutant));
        }
        keep.retain(|condition| self.runner.holds(&original.model, *condition));
        if let Some(nicer) = self.runner.nicer(&original, &keep) {
            let mutant = self.run_mutant(&nicer, active);
            if compare(&nicer, &mutant) == Compared::Killed {
                return self.add(&Rc::new(nicer));
            }
        }
        self.add(&original)
    }

    /// What the original does with the test that was added last.
    pub(super) fn newest(&self) -> Option<Rc<FollowedRun>> {
        self.tests.last().and_then(|test| test.course.clone())
    }

    pub(super) fn course(&mut self, test: usize) -> Rc<FollowedRun> {
        let kept = &mut self.tests[test];
        match &kept.course {
            Some(course) => course.clone(),
            None => {
                let start = RunInput::Model(kept.model.clone());
                let course = Rc::new(self.runner.run(start, &[], None));
                kept.course = Some(course.clone());
                course
            }
        }
    }

    /// Runs a mutant on the input of a run of the original.
    pub(super) fn run_mutant(
        &mut self,
        original: &FollowedRun,
        active: Alternative,
    ) -> FollowedRun {
        let start = RunInput::Model(original.model.clone());
        let usual = original.state.steps;
        self.runner.run(start, &[active], Some(usual))
    }

    /// The tests that come to a point, those first that have killed most there, then most at all.
    fn order(&mut self, point: u32) -> Vec<usize> {
        let mut order = Vec::new();
        for test in 0..self.tests.len() {
            if self.runner.should_stop() {
                break;
            }
            let course = self.course(test);
            if course.trail.points.contains(point as usize) {
                order.push(test);
            }
        }
        let here = |test: usize| self.kills.get(&(point, test)).copied().unwrap_or(0);
        order.sort_by_key(|test| {
            let kept = &self.tests[*test];
            (
                kept.number >= self.first,
                Reverse((here(*test), kept.kills)),
            )
        });
        order
    }

    /// Looks for a test that kills a mutant: among those that are there, else a new one.
    fn mutant(&mut self, active: Alternative, claim: &mut MutantKillers) -> MutantOutcome {
        let mut pairs = Vec::new();
        let order = self.order(active.point);
        if order.is_empty() {
            return MutantOutcome::NotReached;
        }
        for test in order {
            if self.runner.should_stop() {
                return MutantOutcome::Not;
            }
            let original = self.course(test);
            let mutant = self.run_mutant(&original, active);
            let number = self.tests[test].number;
            match compare(&original, &mutant) {
                Compared::Killed => {
                    *self.kills.entry((active.point, test)).or_default() += 1;
                    self.tests[test].kills += 1;
                    return MutantOutcome::By(number);
                }
                Compared::Unclear => claim.doubtful.push(number),
                Compared::Same => {}
            }
            pairs.push((test, RunPair { original, mutant }));
        }
        pairs.sort_by_key(|(test, _)| *test);
        claim.doubtful.sort_unstable();
        let mut pairs: Vec<RunPair> = pairs.into_iter().map(|(_, pair)| pair).collect();
        pairs.truncate(PAIRS);
        // What is known of other mutants only burdens the solver.
        self.runner.machine.solver.forget();
        match self.solve(pairs, active) {
            Some(new) => MutantOutcome::NewTest(new),
            None => MutantOutcome::Not,
        }
    }

    /// Takes out the mutants that a test kills which was added after their turn.
    fn meet_tests(&mut self, alive: &mut Vec<(usize, Alternative)>, claims: &mut [MutantKillers]) {
        alive.retain(|(number, active)| {
            for test in 0..self.tests.len() {
                if self.runner.should_stop() {
                    break;
                }
                let original = self.course(test);
                if original.trail.points.contains(active.point as usize) {
                    let mutant = self.run_mutant(&original, *active);
                    if compare(&original, &mutant) == Compared::Killed {
                        claims[*number].certain = Some(self.tests[test].number);
                        return false;
                    }
                }
            }
            true
        });
    }

    fn solve(&mut self, pairs: Vec<RunPair>, active: Alternative) -> Option<NewTest> {
        let budget = self.budget();
        for pair in &pairs {
            if let Some(new) = self.by_outputs(pair, active) {
                return Some(new);
            }
            if self.is_used_up(budget) {
                return None;
            }
        }
        for pair in &pairs {
            if let Some(new) = self.by_conditions(pair, active, budget) {
                return Some(new);
            }
        }
        None
    }

    /// An input on the same two paths whose outputs tell the mutant.
    pub(super) fn by_outputs(&mut self, pair: &RunPair, active: Alternative) -> Option<NewTest> {
        let (path, goal) = self.other_outputs(pair)?;
        self.attempt(&path, goal, pair, active)?.ok()
    }

    /// An input for which the mutant goes another way.
    fn by_conditions(
        &mut self,
        pair: &RunPair,
        active: Alternative,
        budget: QuestionBudget,
    ) -> Option<NewTest> {
        for (path, goal) in self.other_conditions(pair) {
            if self.is_used_up(budget) {
                return None;
            }
            match self.attempt(&path, goal, pair, active) {
                None => {}
                Some(Ok(inputs)) => return Some(inputs),
                // The outputs are still the same.
                Some(Err(next)) => {
                    if let Some(new) = self.by_outputs(&next, active) {
                        return Some(new);
                    }
                }
            }
        }
        None
    }

    /// Where the counters will stand when a mutant has cost enough.
    fn budget(&self) -> QuestionBudget {
        let stats = self.runner.machine.solver.stats();
        let many = stats.unknown >= UNANSWERED_IN_ALL;
        QuestionBudget {
            queries: stats.queries + QUESTIONS,
            unknown: stats.unknown + if many { 1 } else { UNANSWERED },
        }
    }

    fn is_used_up(&self, budget: QuestionBudget) -> bool {
        let stats = self.runner.machine.solver.stats();
        stats.queries >= budget.queries
            || stats.unknown >= budget.unknown
            || self.runner.should_stop()
    }

    /// Gives expressions back when there are many.
    pub(super) fn collect(&mut self) {
        if self.runner.collect() {
            self.tests.iter_mut().for_each(|test| test.course = None);
        }
    }

    /// Asks for an input and runs it: the inputs if it kills the mutant, else the pair of runs.
    fn attempt(
        &mut self,
        path: &PathCondition,
        goal: ExprId,
        pair: &RunPair,
        active: Alternative,
    ) -> Option<Result<NewTest, RunPair>> {
        if self.runner.should_stop() {
            return None;
        }
        let model = self.runner.solve(path, goal, &pair.original.model)?;
        let original = self.runner.run(RunInput::Model(model), &[], None);
        if !original.is_valid() {
            return None;
        }
        let mutant = self.run_mutant(&original, active);
        let original = Rc::new(original);
        if compare(&original, &mutant) == Compared::Killed {
            let pair = RunPair { original, mutant };
            return Some(Ok(self.add_nicer(pair, active)));
        }
        Some(Err(RunPair { original, mutant }))
    }

    /// Both keep to their paths, and their outputs differ.
    fn other_outputs(&mut self, pair: &RunPair) -> Option<(PathCondition, ExprId)> {
        let RunPair { original, mutant } = pair;
        if original.end != mutant.end {
            return None;
        }
        let m = &mut self.runner.machine;
        let goal = m.outputs_differ(original, mutant);
        if m.arena.as_const(goal).is_some() {
            return None;
        }
        let mut path = original.state.path.clone();
        let own: FxHashSet<ExprId> = path.iter().collect();
        for condition in &mutant.trail.conditions {
            if !own.contains(&condition.holds) {
                path.push(&mut m.arena, condition.holds);
            }
        }
        Some((path, goal))
    }

    /// Conditions of the mutant's path that the original does not have, turned around: `C ⊕ C′`
    /// after what comes before both, or `¬C′` on the whole path of the original.
    fn other_conditions(&mut self, pair: &RunPair) -> Vec<(PathCondition, ExprId)> {
        let m = &mut self.runner.machine;
        let (original, mutant) = (&pair.original.trail, &pair.mutant.trail);
        let whole = &pair.original.state.path;
        let places = original.conditions.iter().enumerate();
        let places: FxHashMap<ExprId, usize> = places.map(|(i, c)| (c.holds, i)).collect();
        let shared: FxHashSet<ExprId> = mutant.conditions.iter().map(|c| c.holds).collect();
        let mut found = Vec::new();
        let mut asked = FxHashSet::default();
        let mut before: Vec<ExprId> = Vec::new();
        let mut at = 0;
        for condition in &mutant.conditions {
            if let Some(place) = places.get(&condition.holds) {
                at = at.max(place + 1);
                continue;
            }
            if found.len() >= FLIPS {
                break;
            }
            if self.how.per_unrolling || asked.insert(condition.place) {
                let other = m.arena.not(condition.holds);
                let counterpart = original.conditions.get(at).filter(|_| !self.how.strict);
                let mut path = counterpart.map_or(whole, |next| &next.before).clone();
                for condition in &before {
                    path.push(&mut m.arena, *condition);
                }
                match counterpart.filter(|c| !shared.contains(&c.holds)) {
                    // The two ways in which they can differ: the mutant goes another way, or the
                    // original does.
                    Some(own) => {
                        let mutant_turns = m.arena.and(own.holds, other);
                        let turned = m.arena.not(own.holds);
                        let original_turns = m.arena.and(turned, condition.holds);
                        found.push((path.clone(), mutant_turns));
                        found.push((path, original_turns));
                    }
                    None => found.push((path, other)),
                }
            }
            before.push(condition.holds);
        }
        found.retain(|(_, goal)| m.arena.as_const(*goal) != Some(0));
        found
    }
}
