//! How the phases of a command share its time. The limit of the user is for all of it: reading the
//! program, searching, native runs and files. Part of it is kept back, so that tests which were
//! found are still run and written (`docs/design/095-limits.md`).

use labrys_budget::{Deadline, EndCause};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What is kept back for what follows the search: a part of the time and half a second, and a
/// millisecond for each test that was found, which is run twice and written; but no more than this
/// part of the time, and no more than ten seconds.
const LEAST_RESERVED_PART: u32 = 40;
const LEAST_RESERVED: Duration = Duration::from_millis(500);
const RESERVED_FOR_TEST: Duration = Duration::from_millis(1);
const RESERVED_PART: u32 = 6;
const MOST_RESERVED: Duration = Duration::from_secs(10);

/// A test that depends on where objects lie is run again so often: as often as a hexadecimal digit has
/// values.
pub const RUNS_ELSEWHERE: u32 = 16;

/// How often a test is run, if it depends on where objects lie or not.
pub fn runs_of(depends_on_layout: bool) -> u32 {
    match depends_on_layout {
        true => 1 + RUNS_ELSEWHERE,
        false => 1,
    }
}

/// A search with augmentation behind it has this part of the time.
const PART_BEFORE_AUGMENTATION: u32 = 2;

/// Native runs may last this part of the time, and half a second, beyond its end: writing what is
/// there comes after them.
const OVERTIME_PART: u32 = 40;
const OVERTIME: Duration = Duration::from_millis(500);

/// What is left for all native builds and runs together when the user has stopped the command, and
/// for the build alone. The command ends within a second, and what was seen has to be written.
const AFTER_INTERRUPT: Duration = Duration::from_millis(400);
const BUILD_AFTER_INTERRUPT: Duration = Duration::from_millis(200);

/// Harnesses of so many bytes take compilers about a sixth of a second, when these have a processor
/// each. A program with more of them in a second of the time would be compiled until the end and
/// never searched, so its last functions are left out. The least is always allowed.
const HARNESS_BYTES_PER_SECOND: f64 = 100_000.0;
const LEAST_HARNESS_BYTES: usize = 1_000_000;

/// The deadlines of the phases of a command.
#[derive(Clone, Debug)]
pub struct TimePlan {
    whole: Deadline,
    total: Duration,
    augments: bool,
    /// How many tests were found so far, each as often as it is run at other addresses.
    tests: Arc<AtomicU64>,
    /// The end of native builds and of native runs since the user has stopped the command: the
    /// first phase that notices it sets them, and all others have what is left.
    interrupted: Arc<OnceLock<[Deadline; 2]>>,
}

impl TimePlan {
    /// The plan of a command that begins now and ends early when the flag is set.
    pub fn new(time: Duration, augments: bool, stop: &Arc<AtomicBool>) -> Self {
        TimePlan {
            whole: Deadline::after(time).stopped_by(stop),
            total: time,
            augments,
            tests: Arc::default(),
            interrupted: Arc::default(),
        }
    }

    /// The time of the user.
    pub fn whole(&self) -> &Deadline {
        &self.whole
    }

    /// How many bytes the harnesses of a program may have. The clock does not decide it.
    pub fn harness_bytes(&self) -> usize {
        let bytes = self.total.as_secs_f64() * HARNESS_BYTES_PER_SECOND;
        (bytes as usize).max(LEAST_HARNESS_BYTES)
    }

    /// Counts the tests that are found.
    pub fn tests(&self) -> &Arc<AtomicU64> {
        &self.tests
    }

    /// What is kept back at least, and at most.
    fn reserve(&self) -> (Duration, Duration) {
        let most = (self.total / RESERVED_PART).min(MOST_RESERVED);
        let least = self.total / LEAST_RESERVED_PART + LEAST_RESERVED;
        (least.min(most), most)
    }

    /// The end of the search.
    pub fn search(&self) -> Deadline {
        match self.augments {
            true => (self.whole).earlier_by(self.total / PART_BEFORE_AUGMENTATION),
            false => self.augmentation(),
        }
    }

    /// The end of augmentation, which is a search, too.
    pub fn augmentation(&self) -> Deadline {
        self.with_reserve(1)
    }

    /// The end of what comes behind a search in the engine, such as the choice of values: half of
    /// what is kept back is left.
    pub fn values(&self) -> Deadline {
        self.with_reserve(2)
    }

    fn with_reserve(&self, parts: u32) -> Deadline {
        let (least, most) = self.reserve();
        let each = RESERVED_FOR_TEST / parts;
        let end = self.whole.earlier_by(least / parts);
        end.putting_aside(&self.tests, each, (most - least) / parts)
    }

    /// The end of native builds and runs, which other processes do: what was found is still run when
    /// the search has used up the memory.
    pub fn native(&self) -> Deadline {
        let overtime = self.total / OVERTIME_PART + OVERTIME;
        self.whole.later_by(overtime).without_memory()
    }

    /// The end of a native build if the user has stopped the command.
    pub fn build_after_interrupt(&self) -> Option<Deadline> {
        let [build, _] = self.after_interrupt()?;
        Some(build.clone())
    }

    /// The end of native runs if the user has stopped the command.
    pub fn runs_after_interrupt(&self) -> Option<Deadline> {
        let [_, runs] = self.after_interrupt()?;
        Some(runs.clone())
    }

    fn after_interrupt(&self) -> Option<&[Deadline; 2]> {
        let is_interrupted = self.whole.cause() == Some(EndCause::Interrupted);
        is_interrupted.then(|| {
            self.interrupted
                .get_or_init(|| [BUILD_AFTER_INTERRUPT, AFTER_INTERRUPT].map(Deadline::after))
        })
    }

    /// The end of the second opinions of other tools.
    pub fn second_opinions(&self) -> Deadline {
        let overtime = self.total / OVERTIME_PART + OVERTIME;
        self.whole.later_by(overtime * 2).without_memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn all_phases_end_before_a_tenth_more_than_the_limit_and_two_seconds() {
        for seconds in [1, 5, 60, 3600] {
            let limit = Duration::from_secs(seconds);
            let plan = TimePlan::new(limit, false, &Arc::default());
            let total = |deadline: Deadline| deadline.total().unwrap_or_default();
            let search = total(plan.search());
            assert!(search >= limit * 4 / 5 && search < limit, "{search:?}");
            assert!(search < total(plan.values()) && total(plan.values()) < limit);
            assert!(total(plan.native()) > limit);
            assert!(total(plan.native()) < total(plan.second_opinions()));
            assert!(total(plan.second_opinions()) < limit * 11 / 10 + Duration::from_secs(2));
        }
    }

    #[test]
    fn a_search_leaves_time_for_the_tests_that_it_has_found() {
        let plan = TimePlan::new(Duration::from_secs(60), false, &Arc::default());
        let at = |tests: u64| {
            plan.tests().store(tests, Ordering::Relaxed);
            [plan.search(), plan.values()].map(|end| end.total().unwrap_or_default().as_secs())
        };
        assert_eq!(at(0), [58, 59]);
        assert_eq!(at(3_000), [55, 57]);
        assert_eq!(at(1_000_000), [50, 55]);
    }

    /// However many phases follow, they do not have a time of their own each.
    #[test]
    fn all_phases_share_what_is_left_after_an_interrupt() {
        let stop: Arc<AtomicBool> = Arc::default();
        let plan = TimePlan::new(Duration::from_secs(60), false, &stop);
        assert!(plan.build_after_interrupt().is_none() && plan.runs_after_interrupt().is_none());
        stop.store(true, Ordering::Relaxed);
        let ends = || {
            let build = plan.clone().build_after_interrupt()?.ends_at()?;
            Some((build, plan.runs_after_interrupt()?.ends_at()?))
        };
        let first = ends();
        assert!(first.is_some_and(|(build, runs)| build < runs));
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(ends(), first);
    }

    #[test]
    fn a_search_with_augmentation_has_half_of_the_time() {
        let plan = TimePlan::new(Duration::from_secs(60), true, &Arc::default());
        let half = plan.search().total().unwrap_or_default();
        assert!(half > Duration::from_secs(29) && half < Duration::from_secs(31));
        assert!(plan.augmentation().total() > plan.search().total());
    }
}
