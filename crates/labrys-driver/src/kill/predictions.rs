//! Does the engine know what the program does? Before anything is proved by a search, what it predicts
//! of the tests is compared with what the compiled program does with them.

use crate::failure::{Failure, Outcome};
use crate::generate::prediction::other_outcome;
use crate::imported::NativeBuild;
use labrys_engine::{Config, InputValue, ObjectiveMap, predict};
use labrys_ir::Module;
use labrys_suite::{ReplayCase, ReplayInputs, ReplayLimits};

/// What a native run of one of these tests does otherwise than the engine predicts. Tests for which
/// there is no time say nothing.
pub(super) fn misprediction(
    module: &Module,
    harness: &str,
    tests: &[Vec<InputValue>],
    build: &NativeBuild,
    (config, limits): (&Config, &ReplayLimits),
) -> Outcome<Option<String>> {
    let nothing = ObjectiveMap::default();
    let predicted = predict(module, harness, &nothing, tests, config);
    let (predicted, _) = predicted.map_err(Failure::usage)?;
    let named = |test: &Vec<InputValue>| -> Vec<(String, Vec<u8>)> {
        let inputs = test.iter();
        inputs.map(|i| (i.name.clone(), i.bytes.clone())).collect()
    };
    let inputs: Vec<Vec<(String, Vec<u8>)>> = tests.iter().map(named).collect();
    let cases: Vec<ReplayCase<'_>> = inputs
        .iter()
        .map(|inputs| ReplayCase {
            harness,
            inputs: ReplayInputs::Named(inputs),
        })
        .collect();
    let seen = (build.replayer)
        .run_what_is_in_time(&cases, limits)
        .map_err(Failure::usage)?;
    let both = predicted.iter().zip(&seen);
    let mut both = both.filter_map(|(predicted, seen)| predicted.as_ref().zip(seen.as_ref()));
    Ok(both.find_map(|(predicted, seen)| other_outcome(predicted, seen)))
}
