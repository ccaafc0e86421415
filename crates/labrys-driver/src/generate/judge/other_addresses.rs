//! A run that depends on where objects lie shows only what it shows wherever they lie: such tests
//! are run again with other addresses, and what is different then does not count.

use super::Judge;
use crate::failure::{Failure, Outcome};
use labrys_suite::{Observation, ReplayCase, ReplayLimits};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How often such a test is run again. One bit of an address is the same in all of these runs by
/// chance once in so many powers of two.
const RUNS: u32 = 12;

/// What native runs show at every address.
pub(super) struct ShownEverywhere<'o> {
    pub observations: Cow<'o, [Observation]>,
    /// The outputs of each test that are different elsewhere.
    pub unstable: BTreeMap<usize, BTreeSet<String>>,
}

/// Runs the tests again that `is_meant` says depend on addresses.
pub(super) fn shown_everywhere<'o>(
    is_meant: impl Fn(usize) -> bool,
    cases: &[ReplayCase<'_>],
    observations: &'o [Observation],
    judge: &Judge<'_>,
) -> Outcome<ShownEverywhere<'o>> {
    let mut everywhere = ShownEverywhere {
        observations: Cow::Borrowed(observations),
        unstable: BTreeMap::new(),
    };
    let meant: Vec<usize> = (0..observations.len()).filter(|i| is_meant(*i)).collect();
    if meant.is_empty() {
        return Ok(everywhere);
    }
    let again: Vec<ReplayCase<'_>> = meant.iter().map(|i| cases[*i]).collect();
    for run in 1..=RUNS {
        let limits = ReplayLimits {
            // In no order: each bit below a page is set in about half of the runs.
            address_shift: run * 157 % 256,
            ..judge.limits.clone()
        };
        let seen = (judge.replayer)
            .run_in_time(&again, &limits)
            .map_err(Failure::internal)?;
        let shown = everywhere.observations.to_mut();
        for (position, i) in meant.iter().enumerate() {
            // Where there was no time to ask, nothing is known.
            let unstable = match seen.get(position) {
                Some(seen) => keep_what_both_show(&mut shown[*i], seen),
                None => forget(&mut shown[*i]),
            };
            everywhere.unstable.entry(*i).or_default().extend(unstable);
        }
    }
    Ok(everywhere)
}

/// Forgets what the other run does not show, and gives the outputs that are different there.
fn keep_what_both_show(shown: &mut Observation, seen: &Observation) -> Vec<String> {
    if shown.end != seen.end {
        return forget(shown);
    }
    shown.triggers.retain(|t| seen.triggers.contains(t));
    shown.vectors.retain(|v| seen.vectors.contains(v));
    // The same outputs in the same order come from runs that end alike; where they do not, none
    // of what follows can be compared.
    let mut others = seen.outputs.iter();
    let differs = |output: &&(String, Vec<u8>)| others.next() != Some(*output);
    let different = shown.outputs.iter().filter(differs);
    different.map(|(name, _)| name.clone()).collect()
}

/// Forgets what a run has shown, and gives the names of all outputs.
fn forget(shown: &mut Observation) -> Vec<String> {
    shown.triggers.clear();
    shown.vectors.clear();
    shown.outputs.iter().map(|(name, _)| name.clone()).collect()
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
        assert_eq!(keep_what_both_show(&mut shown, &other), ["return"]);
        assert!(shown.triggers.is_empty());
    }
}
