//! How long a small suite takes; alone in its file, since tests of one file run side by side.
#![allow(clippy::unwrap_used)]

use labrys_suite::{BuildSpec, Case, Limits, Replayer};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn replayer() -> Replayer {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let unit = root.join("tests/programs/ends.c");
    let mut spec = BuildSpec::new(
        vec![unit],
        root.join("../../runtime"),
        scratch.join("latency"),
    );
    spec.cache_dir = Some(scratch.join("cache"));
    Replayer::build(&spec).unwrap()
}

type Inputs = Vec<(String, Vec<u8>)>;

fn int(name: &str, value: i32) -> (String, Vec<u8>) {
    (name.to_owned(), value.to_le_bytes().to_vec())
}

#[test]
fn twenty_tests_are_quick_and_come_in_order() {
    let replayer = replayer();
    let inputs: Vec<Inputs> = (0..20)
        .map(|x| vec![int("x", x), ("c".into(), b"a".to_vec())])
        .collect();
    let cases: Vec<_> = inputs
        .iter()
        .map(|inputs| Case {
            harness: "labrys_harness_classify",
            inputs,
        })
        .collect();
    let expected: Vec<_> = (0..20)
        .map(|x| int("return", if x > 3 { 1 } else { 2 + i32::from(x > 1) }))
        .collect();
    for jobs in [1, 3] {
        let limits = Limits {
            jobs,
            ..Limits::default()
        };
        // Once is enough: on a busy machine most turns say something about the others.
        let is_quick = (0..60).any(|_| {
            let start = Instant::now();
            let seen = replayer.run(&cases, &limits).unwrap();
            let time = start.elapsed();
            let outputs: Vec<_> = seen.iter().map(|seen| seen.outputs[0].clone()).collect();
            assert_eq!(outputs, expected);
            time < Duration::from_millis(50)
        });
        assert!(is_quick, "with {jobs} processes");
    }
}
