//! Tests that run side by side in several processes come back in their order.
#![allow(clippy::unwrap_used)]

use labrys_suite::{BuildSpec, ReplayCase, ReplayInputs, ReplayLimits, Replayer};
use std::path::PathBuf;

fn replayer() -> Replayer {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let unit = root.join("tests/programs/ends.c");
    let mut spec = BuildSpec::new(
        vec![unit],
        root.join("../../runtime"),
        scratch.join("side-by-side"),
    );
    spec.cache_dir = Some(scratch.join("cache"));
    Replayer::build(&spec).unwrap()
}

type Named = Vec<(String, Vec<u8>)>;

fn int(name: &str, value: i32) -> (String, Vec<u8>) {
    (name.to_owned(), value.to_le_bytes().to_vec())
}

#[test]
fn twenty_tests_come_in_order() {
    let replayer = replayer();
    let inputs: Vec<Named> = (0..20)
        .map(|x| vec![int("x", x), ("c".into(), b"a".to_vec())])
        .collect();
    let cases: Vec<_> = inputs
        .iter()
        .map(|inputs| ReplayCase {
            harness: "labrys_harness_classify",
            inputs: ReplayInputs::Named(inputs),
        })
        .collect();
    let expected: Vec<_> = (0..20)
        .map(|x| int("return", if x > 3 { 1 } else { 2 + i32::from(x > 1) }))
        .collect();
    for jobs in [1, 3] {
        let limits = ReplayLimits {
            jobs,
            ..ReplayLimits::default()
        };
        let seen = replayer.run(&cases, &limits).unwrap();
        let outputs: Vec<_> = seen.iter().map(|seen| seen.outputs[0].clone()).collect();
        assert_eq!(outputs, expected, "with {jobs} processes");
    }
}
