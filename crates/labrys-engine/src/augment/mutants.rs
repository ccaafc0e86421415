//! Augmentation by mutants. The original and a mutant are run on the same input, and their path
//! conditions are laid side by side: an input is wanted for which a condition of the one is not
//! that of the other, `C ⊕ C′`, or for which both keep to their paths and their outputs differ.

use super::course::{Course, Runner, Start};
use super::difference::{Compared, compare};
use super::{Added, Augmented, Claim, How};
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

/// For each mutant so many tests are augmented, so many conditions of a path, and so many
/// questions asked, of which so many may stay without an answer; after so many for all mutants, a
/// mutant is given up at its first.
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
    how: How,
    config: &Config,
) -> Result<Augmented, EngineError> {
    let entry = entry_of(module, entry)?;
    let program = Program::new(module);
    let nothing = ObjectiveMap::default();
    let runner = Runner::new(&program, entry, &nothing, config)?;
    let mut work = Work {
        runner,
        how,
        tests: Vec::new(),
        count: first.len() + others.len(),
        first: first.len(),
        kills: FxHashMap::default(),
    };
    for (number, inputs) in first.iter().chain(others).enumerate() {
        let course = work.runner.run(Start::Inputs(inputs), None, None);
        work.keep(number, &Rc::new(course));
    }
    let mut result = Augmented::default();
    let mut alive = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        if work.runner.should_stop() || work.runner.is_late(MUTANTS_SHARE) {
            break;
        }
        let active = *mutant;
        let mut claim = Claim::default();
        let met = work.mutant(active, &mut claim);
        match met {
            Met::By(test) => claim.certain = Some(test),
            Met::New(new) => {
                claim.certain = Some(new.number);
                result.added.push(new.made_for(number));
            }
            Met::NotReached => {}
            Met::Not => alive.push((number, active)),
        }
        result.claims.push(claim);
        work.collect();
    }
    result.claims.resize_with(mutants.len(), Claim::default);
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
enum Met {
    NotReached,
    Not,
    By(usize),
    New(New),
}

/// A new test.
pub(super) struct New {
    pub(super) number: usize,
    inputs: Vec<InputValue>,
}

impl New {
    pub(super) fn made_for(self, mutant: usize) -> Added {
        Added {
            inputs: self.inputs,
            made_for: mutant,
        }
    }
}

/// A test that is there: its input, and what the original does with it.
pub(super) struct Kept {
    number: usize,
    kills: u32,
    model: Rc<Model>,
    course: Option<Rc<Course>>,
}

pub(super) struct Work<'m> {
    pub(super) runner: Runner<'m>,
    how: How,
    pub(super) tests: Vec<Kept>,
    /// Tests that were given or added.
    count: usize,
    /// So many of these are met first.
    first: usize,
    /// How many mutants a test has killed at a point.
    kills: FxHashMap<(u32, usize), u32>,
}

/// When a mutant has cost enough.
#[derive(Clone, Copy)]
struct Budget {
    queries: u64,
    unknown: u64,
}

/// Two runs of one input.
pub(super) struct Pair {
    pub(super) original: Rc<Course>,
    pub(super) mutant: Course,
}

impl Work<'_> {
    fn keep(&mut self, number: usize, course: &Rc<Course>) {
        if course.is_valid() {
            self.tests.push(Kept {
                number,
                kills: 0,
                model: course.model.clone(),
                course: Some(course.clone()),
            });
        }
    }

    /// Adds the test of a run.
    pub(super) fn add(&mut self, course: &Rc<Course>) -> New {
        let number = self.count;
        self.count += 1;
        self.keep(number, course);
        New {
            number,
            inputs: self.runner.inputs(course),
        }
    }

    /// Adds the test of a run, or one on the same paths that kills the mutant, too, and has values
    /// that are easier to read.
    pub(super) fn add_nicer(&mut self, pair: Pair, active: Alternative) -> New {
        let Pair { original, mutant } = pair;
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
    pub(super) fn newest(&self) -> Option<Rc<Course>> {
        self.tests.last().and_then(|test| test.course.clone())
    }

    pub(super) fn course(&mut self, test: usize) -> Rc<Course> {
        let kept = &mut self.tests[test];
        match &kept.course {
            Some(course) => course.clone(),
            None => {
                let start = Start::Model(kept.model.clone());
                let course = Rc::new(self.runner.run(start, None, None));
                kept.course = Some(course.clone());
                course
            }
        }
    }

    /// Runs a mutant on the input of a run of the original.
    pub(super) fn run_mutant(&mut self, original: &Course, active: Alternative) -> Course {
        let start = Start::Model(original.model.clone());
        let usual = original.state.steps;
        self.runner.run(start, Some(active), Some(usual))
    }

    /// The tests that come to a point, those first that have killed most there, then most at all.
    fn order(&mut self, point: u32) -> Vec<usize> {
        let mut order = Vec::new();
        for test in 0..self.tests.len() {
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
    fn mutant(&mut self, active: Alternative, claim: &mut Claim) -> Met {
        let mut pairs = Vec::new();
        let order = self.order(active.point);
        if order.is_empty() {
            return Met::NotReached;
        }
        for test in order {
            let original = self.course(test);
            let mutant = self.run_mutant(&original, active);
            let number = self.tests[test].number;
            match compare(&original, &mutant) {
                Compared::Killed => {
                    *self.kills.entry((active.point, test)).or_default() += 1;
                    self.tests[test].kills += 1;
                    return Met::By(number);
                }
                Compared::Unclear => claim.doubtful.push(number),
                Compared::Same => {}
            }
            pairs.push((test, Pair { original, mutant }));
        }
        pairs.sort_by_key(|(test, _)| *test);
        claim.doubtful.sort_unstable();
        let mut pairs: Vec<Pair> = pairs.into_iter().map(|(_, pair)| pair).collect();
        pairs.truncate(PAIRS);
        // What is known of other mutants only burdens the solver.
        self.runner.machine.solver.forget();
        match self.solve(pairs, active) {
            Some(new) => Met::New(new),
            None => Met::Not,
        }
    }

    /// Takes out the mutants that a test kills which was added after their turn.
    fn meet_tests(&mut self, alive: &mut Vec<(usize, Alternative)>, claims: &mut [Claim]) {
        alive.retain(|(number, active)| {
            for test in 0..self.tests.len() {
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

    fn solve(&mut self, pairs: Vec<Pair>, active: Alternative) -> Option<New> {
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
    pub(super) fn by_outputs(&mut self, pair: &Pair, active: Alternative) -> Option<New> {
        let (path, goal) = self.other_outputs(pair)?;
        self.attempt(&path, goal, pair, active)?.ok()
    }

    /// An input for which the mutant goes another way.
    fn by_conditions(&mut self, pair: &Pair, active: Alternative, budget: Budget) -> Option<New> {
        for (path, goal) in self.other_conditions(pair) {
            if self.is_used_up(budget) {
                return None;
            }
            match self.attempt(&path, goal, pair, active) {
                None => {}
                Some(Ok(inputs)) => return Some(inputs),
                // Nobody sees it yet.
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
    fn budget(&self) -> Budget {
        let stats = self.runner.machine.solver.stats();
        let many = stats.unknown >= UNANSWERED_IN_ALL;
        Budget {
            queries: stats.queries + QUESTIONS,
            unknown: stats.unknown + if many { 1 } else { UNANSWERED },
        }
    }

    fn is_used_up(&self, budget: Budget) -> bool {
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
        pair: &Pair,
        active: Alternative,
    ) -> Option<Result<New, Pair>> {
        if self.runner.should_stop() {
            return None;
        }
        let model = self.runner.solve(path, goal, &pair.original.model)?;
        let original = self.runner.run(Start::Model(model), None, None);
        if !original.is_valid() {
            return None;
        }
        let mutant = self.run_mutant(&original, active);
        let original = Rc::new(original);
        if compare(&original, &mutant) == Compared::Killed {
            let pair = Pair { original, mutant };
            return Some(Ok(self.add_nicer(pair, active)));
        }
        Some(Err(Pair { original, mutant }))
    }

    /// Both keep to their paths, and their outputs differ.
    fn other_outputs(&mut self, pair: &Pair) -> Option<(PathCondition, ExprId)> {
        let Pair { original, mutant } = pair;
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
    fn other_conditions(&mut self, pair: &Pair) -> Vec<(PathCondition, ExprId)> {
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
