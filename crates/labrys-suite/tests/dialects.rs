//! Replays drivers that were written for other tools.
#![allow(clippy::unwrap_used)]

use labrys_suite::{
    BuildSpec, Observation, ReplayCase, ReplayInputs, ReplayLimits, Replayer, RunEnd,
};
use std::path::PathBuf;
use std::sync::OnceLock;

fn replayer() -> &'static Replayer {
    static BUILT: OnceLock<Replayer> = OnceLock::new();
    BUILT.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let runtime = root.join("../../runtime");
        let unit = root.join("tests/programs/drivers.c");
        // Every test may be a process of its own, and they run side by side.
        let out = scratch.join(format!("drivers-{}", std::process::id()));
        let mut spec = BuildSpec::new(vec![unit], runtime.clone(), out);
        spec.flags = vec![format!("-I{}", runtime.join("include").display())];
        spec.cache_dir = Some(scratch.join("cache"));
        Replayer::build(&spec).unwrap()
    })
}

fn run(harness: &str, inputs: &[(&str, &[u8])]) -> Observation {
    let inputs: Vec<_> = inputs
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()))
        .collect();
    let harness = format!("labrys_harness_{harness}");
    let case = ReplayCase {
        harness: &harness,
        inputs: ReplayInputs::Named(&inputs),
    };
    replayer()
        .run(&[case], &ReplayLimits::default())
        .unwrap()
        .remove(0)
}

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

/// The value that the driver shows, if it comes to its end.
fn value(seen: &Observation) -> Option<i64> {
    assert_eq!(
        seen.end.is_valid() && seen.outputs.len() == 1,
        seen.end == RunEnd::Returned
    );
    let (_, bytes) = seen.outputs.first()?;
    Some(i64::from_le_bytes(bytes.as_slice().try_into().unwrap()))
}

#[test]
fn klee() {
    let three = |x, y| run("klee", &[("x", &int(x)), ("y", &int(y)), ("z", &int(7))]);
    assert_eq!(value(&three(3, 9)), Some(316));
    assert_eq!(three(0, 9).end, RunEnd::AssumeViolated);
    assert_eq!(three(3, 10).end, RunEnd::AssumeViolated);
    assert_eq!(three(3, -1).end, RunEnd::AssumeViolated);
    assert_eq!(three(99, 0).end, RunEnd::AssumeViolated);
    assert_eq!(
        three(98, 0).end,
        RunEnd::Error {
            kind: "assertion".into()
        }
    );
}

#[test]
fn verifier() {
    let all = |x| {
        let (ulong, double) = (5u64.to_le_bytes(), 100f64.to_le_bytes());
        let inputs: [(&str, &[u8]); 5] = [
            ("int", &int(x)),
            ("bool", &[3]),
            ("uchar", &[200]),
            ("ulong", &ulong),
            ("double", &double),
        ];
        run("verifier", &inputs)
    };
    assert_eq!(value(&all(1000)), Some(1306));
    assert_eq!(all(0).end, RunEnd::AssumeViolated);
    assert_eq!(
        all(-1).end,
        RunEnd::Error {
            kind: "reach-error".into()
        }
    );
}

#[test]
fn crest_and_cbmc() {
    let seen = run(
        "crest",
        &[
            ("int", &int(-5)),
            ("unsigned char", &[255]),
            ("short", &[1, 0]),
        ],
    );
    assert_eq!(value(&seen), Some(251));
    assert_eq!(value(&run("cbmc", &[("int", &int(1))])), Some(1));
    assert_eq!(run("cbmc", &[("int", &int(0))]).end, RunEnd::AssumeViolated);
    assert_eq!(
        run("cbmc", &[("int", &int(5))]).end,
        RunEnd::Error {
            kind: "assertion".into()
        }
    );
}
