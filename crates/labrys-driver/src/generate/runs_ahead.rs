//! Native runs beside the search. Tests are run when they are found, so that a search need not end
//! early for runs that there was no time for afterwards. When the search is over, tests get values that
//! are easier to read and are run with these; where there is no time for that, they keep the values
//! that they were found with, and what is shown here counts.

use super::judge::other_addresses::{self, ShownEverywhere};
use super::prediction::is_undefined_after;
use crate::failure::{Failure, Outcome};
use crate::time_plan::{TimePlan, runs_of};
use labrys_budget::Deadline;
use labrys_engine::{InputValue, Test};
use labrys_suite::{Observation, ReplayCase, ReplayInputs, ReplayLimits, Replayer};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Runs begin when this part of the time is over: most searches have ended by then, and their tests are
/// run once only.
const PART_BEFORE: u32 = 4;

/// Tests that are run in one go, at most: what is under way when the search ends is lost, but each go
/// starts a sandbox for each address.
const MOST_AT_ONCE: usize = 32;

/// Tests that wait or were run, at most: their inputs and outputs are kept.
const MOST_TESTS: usize = 1024;

/// The time between two looks for new tests.
const PAUSE: Duration = Duration::from_millis(10);

/// A harness and its inputs.
type RunKey = (String, Vec<(String, Vec<u8>)>);

/// What a test shows wherever objects lie, and the outputs that are different elsewhere.
#[derive(Clone)]
struct ShownAhead {
    observation: Observation,
    unstable: Option<BTreeSet<String>>,
}

/// A test that waits for its runs.
struct WaitingTest {
    key: RunKey,
    depends_on_layout: bool,
    ends_early: bool,
}

#[derive(Default)]
struct AheadState {
    harness: String,
    waiting: VecDeque<WaitingTest>,
    shown: BTreeMap<RunKey, ShownAhead>,
    /// Of how many tests there were or are runs.
    tests: usize,
    /// How many runs there were, and how long they took.
    runs: u32,
    time: Duration,
}

/// The tests of a search and their runs beside it.
pub(super) struct RunsAhead {
    state: Mutex<AheadState>,
    /// When they begin; never without a limit of time.
    begin: Option<Instant>,
    /// Ends when the search does.
    deadline: Deadline,
    /// How many runs are to be made behind the search.
    left: Arc<AtomicU64>,
}

impl RunsAhead {
    pub(super) fn new(plan: &TimePlan) -> Self {
        let deadline = plan.whole().without_memory().cancellable();
        let before = deadline.total().map(|total| total / PART_BEFORE);
        RunsAhead {
            state: Mutex::default(),
            begin: before
                .and_then(|before| deadline.ends_at()?.checked_sub(before * (PART_BEFORE - 1))),
            deadline,
            left: plan.tests().clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, AheadState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tests that follow are those of this harness.
    pub(super) fn begin(&self, harness: &str) {
        harness.clone_into(&mut self.state().harness);
    }

    /// A test was found.
    pub(super) fn add(&self, test: &Test) {
        if self.begin.is_none() {
            return;
        }
        let mut state = self.state();
        if state.tests < MOST_TESTS {
            state.tests += 1;
            let key = key(&state.harness, &test.inputs);
            state.waiting.push_back(WaitingTest {
                key,
                depends_on_layout: test.depends_on_layout,
                ends_early: is_undefined_after(&test.end),
            });
        }
    }

    /// The search is over.
    pub(super) fn stop(&self) {
        self.deadline.cancel();
    }

    /// Runs tests as they are found, until the search is over.
    pub(super) fn run(&self, replayer: &Replayer, limits: &ReplayLimits) -> Outcome<()> {
        let limits = ReplayLimits {
            deadline: self.deadline.clone(),
            ..limits.clone()
        };
        while let (Some(begin), false) = (self.begin, self.deadline.is_over()) {
            let batch = match Instant::now() < begin {
                true => Vec::new(),
                false => self.next_batch(),
            };
            match batch.is_empty() {
                true => std::thread::sleep(PAUSE),
                false => self.run_batch(&batch, replayer, &limits)?,
            }
        }
        Ok(())
    }

    fn next_batch(&self) -> Vec<WaitingTest> {
        let waiting = &mut self.state().waiting;
        let number = waiting.len().min(MOST_AT_ONCE);
        waiting.drain(..number).collect()
    }

    fn run_batch(
        &self,
        batch: &[WaitingTest],
        replayer: &Replayer,
        limits: &ReplayLimits,
    ) -> Outcome<()> {
        let cases: Vec<ReplayCase<'_>> = batch.iter().map(|test| case(&test.key)).collect();
        let began = Instant::now();
        let seen = replayer
            .run_in_time(&cases, limits)
            .map_err(Failure::internal)?;
        let everywhere = other_addresses::shown_everywhere(
            |i| batch[i].depends_on_layout,
            |i| batch[i].ends_early,
            &cases[..seen.len()],
            &seen,
            replayer,
            limits,
        )?;
        let ShownEverywhere {
            observations,
            mut unstable,
            not_run,
        } = everywhere;
        if not_run > 0 {
            return Ok(());
        }
        let mut state = self.state();
        state.time += began.elapsed();
        for (i, (test, observation)) in batch.iter().zip(observations.iter()).enumerate() {
            let runs = runs_of(test.depends_on_layout);
            state.runs += runs;
            // What is known needs no time behind the search.
            let _ = (self.left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(runs.into())
            });
            let shown = ShownAhead {
                observation: observation.clone(),
                unstable: unstable.remove(&i),
            };
            state.shown.insert(test.key.clone(), shown);
        }
        Ok(())
    }

    /// Gives tests the values again that they were found with, if they were run with these and there
    /// is no time to run all with their new ones. Half of what is left is for what follows.
    pub(super) fn keep_what_was_run<'t>(
        &self,
        tests: impl Iterator<Item = (&'t str, &'t mut Test)>,
        left: Option<Duration>,
    ) {
        let state = self.state();
        let is_shown =
            |harness: &str, inputs: &[InputValue]| state.shown.contains_key(&key(harness, inputs));
        let waiting = tests.filter(|(harness, test)| !is_shown(harness, &test.inputs));
        let waiting: Vec<(&str, &mut Test)> = waiting.collect();
        let runs = (waiting.iter()).map(|(_, test)| runs_of(test.depends_on_layout));
        let time = state
            .time
            .checked_div(state.runs)
            .map(|each| each * runs.sum());
        if !matches!((time, left), (Some(time), Some(left)) if time > left / 2) {
            return;
        }
        for (harness, test) in waiting {
            let found = test.found_with.as_ref();
            let was_run = found.is_some_and(|found| is_shown(harness, &found.inputs));
            if was_run {
                test.keep_found_values();
            }
        }
    }

    /// Runs the tests that were not run beside the search.
    pub(super) fn run_others(
        &self,
        cases: &[ReplayCase<'_>],
        replayer: &Replayer,
        limits: &ReplayLimits,
    ) -> Outcome<AllRuns> {
        let known: Vec<Option<ShownAhead>> = cases.iter().map(|case| self.shown(case)).collect();
        let others = cases
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none());
        let others: Vec<ReplayCase<'_>> = others.map(|(case, _)| *case).collect();
        let seen = replayer
            .run_in_time(&others, limits)
            .map_err(Failure::internal)?;
        let (mut all, mut seen) = (AllRuns::default(), seen.into_iter());
        for (i, known) in known.into_iter().enumerate() {
            let observation = match known {
                Some(shown) => {
                    let unstable = shown.unstable.map(|unstable| (i, unstable));
                    all.everywhere.extend(unstable);
                    Some(shown.observation)
                }
                None => seen.next(),
            };
            match observation {
                Some(observation) => all.observations.push(observation),
                None => break,
            }
        }
        Ok(all)
    }

    /// What a test shows, if it was run.
    fn shown(&self, case: &ReplayCase<'_>) -> Option<ShownAhead> {
        let ReplayInputs::Named(inputs) = case.inputs else {
            return None;
        };
        let key = (case.harness.to_owned(), inputs.to_vec());
        self.state().shown.get(&key).cloned()
    }
}

/// The runs of all tests, as far as there was time.
#[derive(Default)]
pub(super) struct AllRuns {
    pub(super) observations: Vec<Observation>,
    /// Tests that were run at other addresses beside the search, with the outputs that are different
    /// there.
    pub(super) everywhere: BTreeMap<usize, BTreeSet<String>>,
}

fn key(harness: &str, inputs: &[InputValue]) -> RunKey {
    let inputs = inputs.iter().map(|i| (i.name.clone(), i.bytes.clone()));
    (harness.to_owned(), inputs.collect())
}

fn case((harness, inputs): &RunKey) -> ReplayCase<'_> {
    ReplayCase {
        harness,
        inputs: ReplayInputs::Named(inputs),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{native, proposal};
    use super::*;
    use labrys_engine::{InputKind, Scalar, TestValues};

    const SECOND: Duration = Duration::from_secs(1);

    fn inputs(byte: u8) -> Vec<InputValue> {
        let input = InputValue {
            name: "x".to_owned(),
            kind: InputKind::Scalar(Scalar::UChar),
            bytes: vec![byte],
        };
        vec![input]
    }

    /// A test that was found with 200 and has got 1.
    fn test() -> Test {
        let found = TestValues {
            inputs: inputs(200),
            outputs: vec![("y".to_owned(), vec![Some(201)])],
            streams: Default::default(),
        };
        Test {
            inputs: inputs(1),
            found_with: Some(Box::new(found)),
            ..proposal(&[0])
        }
    }

    /// Four tests that depend on addresses have taken so long.
    fn ahead(time: Duration, was_run: &[u8]) -> RunsAhead {
        let ahead = RunsAhead::new(&TimePlan::new(10 * SECOND, false, &Arc::default()));
        let mut state = ahead.state();
        (state.runs, state.time) = (4 * runs_of(true), time);
        state.shown = (was_run.iter())
            .map(|byte| {
                let observation = native(&[1]);
                let unstable = Some(BTreeSet::from(["y".to_owned()]));
                let shown = ShownAhead {
                    observation,
                    unstable,
                };
                (key("f", &inputs(*byte)), shown)
            })
            .collect();
        drop(state);
        ahead
    }

    fn first_byte(ahead: &RunsAhead, left: Option<Duration>) -> u8 {
        let mut tests = [test()];
        ahead.keep_what_was_run(tests.iter_mut().map(|test| ("f", test)), left);
        tests[0].inputs[0].bytes[0]
    }

    #[test]
    fn tests_keep_their_first_values_only_if_there_is_no_time_for_others() {
        // 68 runs in 680 s: one takes 10 s.
        let slow = ahead(680 * SECOND, &[200]);
        assert_eq!(first_byte(&slow, Some(19 * SECOND)), 200);
        assert_eq!(first_byte(&slow, Some(21 * SECOND)), 1);
        assert_eq!(first_byte(&slow, None), 1);
        // What was not run is run with its new values.
        assert_eq!(first_byte(&ahead(680 * SECOND, &[]), Some(SECOND)), 1);
        assert_eq!(first_byte(&ahead(680 * SECOND, &[1, 200]), Some(SECOND)), 1);
    }

    #[test]
    fn the_first_values_bring_back_what_they_were_predicted_to_give() {
        let mut test = test();
        test.keep_found_values();
        assert_eq!(test.outputs, [("y".to_owned(), vec![Some(201)])]);
        assert!(test.found_with.is_none());
    }

    #[test]
    fn without_a_limit_of_time_nothing_is_run_ahead() {
        let ahead = RunsAhead::new(&TimePlan::new(Duration::MAX, false, &Arc::default()));
        ahead.add(&test());
        assert!(ahead.next_batch().is_empty());
    }
}
