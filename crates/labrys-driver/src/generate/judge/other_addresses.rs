//! A run that depends on where objects lie shows only what it shows wherever they lie: such tests
//! are run again with other addresses, and what is different then does not count.

use crate::failure::{Failure, Outcome};
use crate::time_plan::RUNS_ELSEWHERE;
use labrys_suite::{Observation, ReplayCase, ReplayLimits, Replayer, THE_END};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Where the objects of a run lie, in units of 16 bytes and up to a multiple of 4096 units: each
/// hexadecimal digit has another value in each of the runs, and the digits do not go together. Never
/// 0, which would mean that they lie anywhere.
fn address_shift(run: u32) -> u32 {
    let digit = |factor: u32, first: u32| (factor * run + first) % 16;
    digit(1, 0) | digit(5, 1) << 4 | digit(11, 2) << 8
}

/// What native runs show at every address.
pub(in crate::generate) struct ShownEverywhere<'o> {
    pub observations: Cow<'o, [Observation]>,
    /// What of each test is different elsewhere.
    pub unstable: BTreeMap<usize, BTreeSet<String>>,
    /// Tests that there was no time to run everywhere.
    pub not_run: usize,
}

/// Runs the tests again that `is_meant` says depend on addresses. Of those that `ends_early` says end
/// in an error, or beyond what the harness made, only what comes before that counts: how the native run
/// goes on is anybody's guess.
pub(in crate::generate) fn shown_everywhere<'o>(
    is_meant: impl Fn(usize) -> bool,
    ends_early: impl Fn(usize) -> bool,
    cases: &[ReplayCase<'_>],
    observations: &'o [Observation],
    replayer: &Replayer,
    limits: &ReplayLimits,
) -> Outcome<ShownEverywhere<'o>> {
    let mut everywhere = ShownEverywhere {
        observations: Cow::Borrowed(observations),
        unstable: BTreeMap::new(),
        not_run: 0,
    };
    let mut meant: Vec<usize> = (0..observations.len()).filter(|i| is_meant(*i)).collect();
    if meant.is_empty() {
        return Ok(everywhere);
    }
    let mut again: Vec<ReplayCase<'_>> = meant.iter().map(|i| cases[*i]).collect();
    let (mut not_run, mut left_out) = (0, 0);
    for run in 1..=RUNS_ELSEWHERE {
        let limits = ReplayLimits {
            address_shift: address_shift(run),
            ..limits.clone()
        };
        let started = Instant::now();
        let seen = replayer
            .run_in_time(&again, &limits)
            .map_err(Failure::internal)?;
        not_run = not_run.max(again.len() - seen.len());
        let shown = everywhere.observations.to_mut();
        for (position, i) in meant.iter().enumerate() {
            // Where there was no time to ask, nothing is known.
            let unstable = match seen.get(position) {
                Some(seen) if ends_early(*i) => {
                    keep_common(&mut shown[*i], seen);
                    Vec::new()
                }
                Some(seen) => keep_what_both_show(&mut shown[*i], seen),
                None => forget(&mut shown[*i]),
            };
            everywhere.unstable.entry(*i).or_default().extend(unstable);
        }
        // All runs of some tests are worth more than some runs of all.
        let rest = RUNS_ELSEWHERE - run;
        let most = tests_in_time(again.len(), rest, started.elapsed(), limits.deadline.left());
        for i in meant.drain(most..) {
            everywhere
                .unstable
                .entry(i)
                .or_default()
                .extend(forget(&mut shown[i]));
            left_out += 1;
        }
        again.truncate(most);
    }
    everywhere.not_run = not_run + left_out;
    Ok(everywhere)
}

/// How many of the tests can be run so often again, if one run of all takes so long.
fn tests_in_time(tests: usize, runs: u32, each: Duration, left: Option<Duration>) -> usize {
    let needed = each * runs;
    match left {
        Some(left) if left < needed => {
            (tests as f64 * left.as_secs_f64() / needed.as_secs_f64()) as usize
        }
        _ => tests,
    }
}

/// Forgets what the other run does not show, however each of them has ended.
fn keep_common(shown: &mut Observation, seen: &Observation) {
    shown.triggers.retain(|t| seen.triggers.contains(t));
    shown.vectors.retain(|v| seen.vectors.contains(v));
}

/// Forgets what the other run does not show, and gives the outputs that are different there.
fn keep_what_both_show(shown: &mut Observation, seen: &Observation) -> Vec<String> {
    if shown.end != seen.end {
        return forget(shown);
    }
    keep_common(shown, seen);
    // The same outputs in the same order come from runs that end alike; where they do not, none
    // of what follows can be compared.
    let mut others = seen.outputs.iter();
    let differs = |output: &&(String, Vec<u8>)| others.next() != Some(*output);
    let different = shown.outputs.iter().filter(differs);
    different.map(|(name, _)| name.clone()).collect()
}

/// Forgets what a run has shown, and gives the names of all that it could have done otherwise.
fn forget(shown: &mut Observation) -> Vec<String> {
    shown.triggers.clear();
    shown.vectors.clear();
    let outputs = shown.outputs.iter().map(|(name, _)| name.as_str());
    let all = outputs.chain(["stdout", "stderr", THE_END]);
    all.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::fixtures::native;
    use labrys_suite::RunEnd;

    fn seen(places: &[u32], outputs: &[(&str, u8)]) -> Observation {
        let outputs = (outputs.iter()).map(|(name, byte)| (name.to_string(), vec![*byte]));
        Observation {
            outputs: outputs.collect(),
            ..native(places)
        }
    }

    #[test]
    fn each_digit_of_an_address_has_every_value() {
        let shifts: Vec<u32> = (1..=RUNS_ELSEWHERE).map(address_shift).collect();
        for digit in [0, 4, 8] {
            let values: BTreeSet<u32> = shifts.iter().map(|s| s >> digit & 15).collect();
            assert_eq!(values.len(), 16);
        }
        assert!(shifts.iter().all(|s| (1..4096).contains(s)));
    }

    #[test]
    fn as_many_tests_are_run_again_as_there_is_time_for() {
        let second = Duration::from_secs(1);
        assert_eq!(tests_in_time(40, 15, second, None), 40);
        assert_eq!(tests_in_time(40, 15, second, Some(20 * second)), 40);
        assert_eq!(tests_in_time(40, 10, second, Some(5 * second)), 20);
        assert_eq!(tests_in_time(40, 10, second, Some(Duration::ZERO)), 0);
        assert_eq!(tests_in_time(40, 0, second, Some(Duration::ZERO)), 40);
    }

    #[test]
    fn only_what_is_the_same_at_both_addresses_counts() {
        let mut shown = seen(&[1, 2], &[("return", 3), ("x", 1), ("x", 2), ("y", 5)]);
        let other = seen(&[2, 3], &[("return", 3), ("x", 1), ("x", 4), ("y", 5)]);
        assert_eq!(keep_what_both_show(&mut shown, &other), ["x"]);
        assert_eq!(shown.triggers, native(&[2]).triggers);
    }

    #[test]
    fn runs_that_end_differently_show_nothing() {
        let mut shown = seen(&[1], &[("return", 3)]);
        let other = Observation {
            end: RunEnd::AssumeViolated,
            ..shown.clone()
        };
        let different = keep_what_both_show(&mut shown, &other);
        assert_eq!(different, ["return", "stdout", "stderr", THE_END]);
        assert!(shown.triggers.is_empty());
    }
}
