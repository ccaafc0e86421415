//! Runs tests with many mutants at once: the process of the original forks one child for each
//! different value that mutants compute at a mutation point (`runtime/split.c`). In come mutants,
//! and tests with what they show without any; out comes what was seen of those that differ.

use crate::compile::ReplayError;
use crate::replay::{ReplayCase, ReplayLimits, Replayer};
use crate::wire::{self, Observation};
use labrys_budget::EndCause;
use std::collections::BTreeSet;
use std::time::Duration;

/// The mutants of a job, each by its changes: points and alternatives.
#[derive(Clone, Copy, Debug)]
pub struct SplitMutants<'a> {
    pub list: &'a [&'a [(u32, u32)]],
    /// A mutant that has differed meets no further test of the job.
    pub drop_different: bool,
    /// All tests are run once more with their objects there ([`ReplayLimits::address_shift`]), with
    /// those mutants that differed and neither crashed nor timed out.
    pub second_shift: u32,
}

/// A test, and the mutants that take part in it by their places.
#[derive(Clone, Copy, Debug)]
pub struct SplitTest<'a> {
    pub case: ReplayCase<'a>,
    pub mutants: &'a [u32],
    /// What the test shows without any mutant.
    pub original: &'a Observation,
    /// Names of outputs that are not compared.
    pub unstable: &'a BTreeSet<String>,
    /// A run that comes to mutation points more often has timed out.
    pub most_steps: u64,
}

/// What a test has shown of its mutants. Those that are not listed were like the original, unless
/// they had been dropped before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitObservation {
    /// Nothing was seen if not: the test cannot be split.
    pub usable: bool,
    /// How many processes were split off.
    pub processes: u32,
    /// Mutants that were split off: somewhere they had another value than the original, or an
    /// alternative with effects. All others did just what the original did.
    pub infected: Vec<u32>,
    /// Mutants that went the same way, and where that led.
    pub different: Vec<(Vec<u32>, Observation)>,
}

impl Replayer {
    /// Runs the tests one after the other in one process, and then all once more; there are
    /// observations of as many as there was time for, and the reason if these are not all.
    pub fn run_split(
        &self,
        mutants: &SplitMutants<'_>,
        tests: &[SplitTest<'_>],
        limits: &ReplayLimits,
    ) -> Result<(Vec<SplitObservation>, Option<EndCause>), ReplayError> {
        let runs: usize = tests.iter().map(|test| 2 * test.mutants.len() + 20).sum();
        let time = limits.time + Duration::from_millis(500);
        let budget = time.saturating_mul(u32::try_from(runs).unwrap_or(u32::MAX));
        let job = |dir: &std::path::Path| wire::split_job(mutants, tests, limits, dir);
        let (mut seen, missing, cause) =
            self.run_job(&job, 2 * tests.len(), budget, limits, wire::split_results)?;
        for (_, observation) in seen.iter_mut().flat_map(|seen| &mut seen.different) {
            observation.missing = observation.missing.and(missing);
        }
        Ok((seen, cause))
    }
}
