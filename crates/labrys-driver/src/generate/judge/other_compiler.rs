//! Native runs that differ from their predictions, run once more in a program that clang has compiled:
//! the engine's code comes from clang, and C leaves some orders of evaluation to the compiler.

use super::Judge;
use crate::failure::{Failure, Outcome};
use crate::generate::prediction::difference;
use labrys_suite::{Observation, ReplayCase};
use std::collections::BTreeMap;

/// What a test does in the program that clang has compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunByClang {
    /// What was predicted.
    AsPredicted,
    /// It was not run: the time was over.
    NotAsked,
}

/// The tests that differ from the prediction in the program as `cc` has compiled it, but do not
/// differ, or may not, if clang compiles it.
pub(super) fn different_by_clang(
    proposed: &[labrys_engine::Test],
    cases: &[ReplayCase<'_>],
    observations: &[Observation],
    judge: &Judge<'_>,
) -> Outcome<BTreeMap<usize, RunByClang>> {
    let differs = |i: &usize| {
        let seen = &observations[*i];
        seen.end.is_valid() && difference(&proposed[*i], seen).is_some()
    };
    let different: Vec<usize> = (0..proposed.len()).filter(differs).collect();
    if different.is_empty() {
        return Ok(BTreeMap::new());
    }
    let again: Vec<ReplayCase<'_>> = different.iter().map(|i| cases[*i]).collect();
    let seen = match (judge.second)() {
        Ok(second) => (second.run_in_time(&again, judge.limits)).map_err(Failure::internal)?,
        Err(failure) if failure.is_end() => Vec::new(),
        Err(failure) => return Err(failure),
    };
    let by_clang = different.iter().enumerate().filter_map(|(place, i)| {
        let run = match seen.get(place) {
            Some(seen) if difference(&proposed[*i], seen).is_some() => return None,
            Some(_) => RunByClang::AsPredicted,
            None => RunByClang::NotAsked,
        };
        Some((*i, run))
    });
    Ok(by_clang.collect())
}
