//! The tests of a suite as inputs of the engine. Tests that only know an order of numbers or bytes are
//! run once, which shows what the program asks for.

use crate::failure::{Failure, Outcome};
use crate::imported::NativeBuild;
use crate::imported::plan::{TestInputs, TestPlan};
use labrys_engine::{InputKind, InputValue};
use labrys_suite::ReplayLimits;
use std::collections::BTreeMap;

/// The inputs of the tests by their harness, in their order.
pub(super) type Seeds = BTreeMap<String, Vec<Vec<InputValue>>>;

pub(super) fn seeds(
    plans: &[(usize, TestPlan<'_>)],
    builds: &[NativeBuild],
    limits: &ReplayLimits,
) -> Outcome<Seeds> {
    let mut seeds = Seeds::new();
    for (build, plan) in plans {
        let inputs = match &plan.inputs {
            Ok(TestInputs::Named(inputs)) => values(inputs),
            Ok(_) => {
                let Some(case) = plan.case() else { continue };
                let seen = builds[*build]
                    .replayer
                    .run_what_is_in_time(&[case], limits)
                    .map_err(Failure::usage)?;
                match seen.into_iter().flatten().next() {
                    Some(seen) => values(&seen.asked),
                    None => continue,
                }
            }
            Err(_) => continue,
        };
        seeds.entry(plan.harness.clone()).or_default().push(inputs);
    }
    Ok(seeds)
}

fn values(inputs: &[(String, Vec<u8>)]) -> Vec<InputValue> {
    let value = |(name, bytes): &(String, Vec<u8>)| InputValue {
        name: name.clone(),
        kind: InputKind::Memory,
        bytes: bytes.clone(),
    };
    inputs.iter().map(value).collect()
}
