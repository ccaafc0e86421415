//! Builds a small annotated program and replays tests that end in every possible way.
#![allow(clippy::unwrap_used)]

use labrys_ledger::{TraceEvent, TraceHash, Trigger};
use labrys_suite::{
    ActiveMutant, BuildSpec, Observation, ReplayCase, ReplayError, ReplayInputs, ReplayLimits,
    Replayer, RunEnd,
};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn spec(units: Vec<PathBuf>, out: PathBuf) -> BuildSpec {
    let mut spec = BuildSpec::new(units, root().join("../../runtime"), out);
    spec.cache_dir = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    spec
}

fn replayer() -> &'static Replayer {
    static BUILT: OnceLock<Replayer> = OnceLock::new();
    BUILT.get_or_init(|| {
        // Every test may be a process of its own, and they run side by side.
        let name = format!("ends-{}", std::process::id());
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let replayer =
            Replayer::build(&spec(vec![root().join("tests/programs/ends.c")], out)).unwrap();
        assert!(replayer.notes.is_empty(), "{:?}", replayer.notes);
        replayer
    })
}

type Named = Vec<(String, Vec<u8>)>;

fn int(name: &str, value: i32) -> (String, Vec<u8>) {
    (name.to_owned(), value.to_le_bytes().to_vec())
}

fn run(harness: &str, inputs: &Named) -> Observation {
    let limits = ReplayLimits {
        time: Duration::from_secs(3),
        ..ReplayLimits::default()
    };
    let harness = format!("labrys_harness_{harness}");
    let mut all = replayer()
        .run(
            &[ReplayCase {
                harness: &harness,
                inputs: ReplayInputs::Named(inputs),
            }],
            &limits,
        )
        .unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn reached(observation: &Observation, id: u32) -> bool {
    observation.triggers.contains(&Trigger::Reach { id })
}

#[test]
fn triggers_trace_and_outputs_are_recorded() {
    let seen = run("classify", &vec![int("x", 5), ("c".into(), b"b".to_vec())]);
    assert_eq!(seen.end, RunEnd::Returned);
    let mut trace = TraceHash::default();
    for event in [
        TraceEvent::Reach { id: 1 },
        TraceEvent::Condition {
            decision: 7,
            index: 0,
            value: true,
        },
        TraceEvent::Condition {
            decision: 7,
            index: 1,
            value: false,
        },
        TraceEvent::Decision {
            decision: 7,
            value: false,
        },
        TraceEvent::Case { switch: 2, case: 2 },
    ] {
        trace.add(event);
    }
    assert_eq!(seen.trace, trace.0);
    assert_eq!(
        seen.triggers,
        [
            Trigger::Reach { id: 1 },
            Trigger::Condition {
                decision: 7,
                index: 0,
                value: true
            },
            Trigger::Condition {
                decision: 7,
                index: 1,
                value: false
            },
            Trigger::Decision {
                decision: 7,
                value: false
            },
            Trigger::Case { switch: 2, case: 2 },
        ]
    );
    assert_eq!(seen.outputs, [int("return", 3)]);
    assert_eq!(seen.inputs_used, 2);
}

#[test]
fn falling_into_a_case_is_no_event() {
    let seen = run("classify", &vec![int("x", 0), ("c".into(), b"b".to_vec())]);
    assert!(
        seen.triggers
            .contains(&Trigger::Case { switch: 2, case: 0 })
    );
    assert!(
        !seen
            .triggers
            .contains(&Trigger::Case { switch: 2, case: 1 })
    );
}

#[test]
fn what_happened_before_a_crash_counts() {
    let seen = run("crash", &vec![("p".into(), 8u64.to_le_bytes().to_vec())]);
    assert_eq!(seen.end, RunEnd::Signal { number: 11 });
    assert!(reached(&seen, 100) && !reached(&seen, 101));
    assert_eq!(seen.stdout, b"before");
}

#[test]
fn stack_overflow_and_division_are_signals() {
    let seen = run("overflow_stack", &vec![]);
    assert_eq!(seen.end, RunEnd::Signal { number: 11 });
    assert!(reached(&seen, 110));
    let seen = run("divide", &vec![int("d", 0)]);
    assert_eq!(seen.end, RunEnd::Signal { number: 8 });
    assert!(reached(&seen, 120) && !reached(&seen, 121));
}

#[test]
fn endless_runs_are_stopped() {
    let start = Instant::now();
    let seen = run("hang", &vec![]);
    assert_eq!(seen.end, RunEnd::Timeout);
    assert!(reached(&seen, 200));
    let seen = run("flood", &vec![]);
    assert_eq!(seen.end, RunEnd::OutputLimit);
    assert_eq!(seen.stdout.len(), 1 << 20);
    let seen = run("scribble", &vec![]);
    assert!(matches!(
        seen.end,
        RunEnd::OutputLimit | RunEnd::Signal { number: 9 } | RunEnd::Timeout
    ));
    assert!(start.elapsed() < Duration::from_secs(120));
}

#[test]
fn what_a_test_leaves_behind_is_killed() {
    let start = Instant::now();
    let seen = run("hang_in_grandchild", &vec![]);
    assert_eq!(seen.end, RunEnd::Returned);
    assert!(start.elapsed() < Duration::from_secs(120));
}

#[test]
fn violated_assumptions_and_wrong_inputs_are_told_apart() {
    assert_eq!(run("assume", &vec![int("x", 1)]).end, RunEnd::Returned);
    let seen = run("assume", &vec![int("x", 0)]);
    assert_eq!(seen.end, RunEnd::AssumeViolated);
    assert!(!reached(&seen, 400) && !seen.end.is_valid());

    let seen = run("classify", &vec![int("x", 5)]);
    let RunEnd::OutOfInputs { detail } = &seen.end else {
        panic!("{:?}", seen.end)
    };
    assert!(detail.contains("asked for c (1 bytes)"), "{detail}");
    assert_eq!(seen.inputs_used, 1);

    let seen = run("classify", &vec![int("x", 5), int("c", 1)]);
    let RunEnd::InputMismatch { detail } = &seen.end else {
        panic!("{:?}", seen.end)
    };
    assert!(
        detail.contains("input 2 of the test is c (4 bytes)"),
        "{detail}"
    );

    let seen = run("classify", &vec![int("y", 5)]);
    assert!(matches!(seen.end, RunEnd::InputMismatch { .. }));
    assert!(matches!(
        run("nowhere", &vec![]).end,
        RunEnd::NoHarness { .. }
    ));
}

#[test]
fn exit_abort_assertion_and_errors_have_their_own_ends() {
    let seen = run("exit", &vec![int("code", 3)]);
    assert_eq!(
        (seen.end, seen.stdout),
        (RunEnd::Exit { code: 3 }, b"bye".to_vec())
    );
    assert_eq!(
        run("exit", &vec![int("code", 0)]).end,
        RunEnd::Exit { code: 0 }
    );
    let seen = run("abort", &vec![]);
    assert_eq!(
        (seen.end.outcome().as_str(), reached(&seen, 600)),
        ("abort", true)
    );
    let seen = run("assert", &vec![int("x", 2)]);
    assert_eq!(
        seen.end,
        RunEnd::Error {
            kind: "assertion".into()
        }
    );
    assert!(String::from_utf8_lossy(&seen.stderr).contains("Assertion `"));
    assert_eq!(
        run("error", &vec![]).end,
        RunEnd::Error {
            kind: "reach-error".into()
        }
    );
}

#[test]
fn a_pick_is_the_number_of_a_choice() {
    for (choice, value) in [(0, -1), (1, 10), (2, 20)] {
        assert_eq!(
            run("pick", &vec![int("p", choice)]).outputs,
            [int("value", value)]
        );
    }
    assert!(matches!(
        run("pick", &vec![int("p", 3)]).end,
        RunEnd::InputMismatch { .. }
    ));
}

#[test]
fn a_fault_in_a_label_makes_it_false_and_changes_nothing() {
    let seen = run("labels", &vec![int("zero", 0)]);
    assert_eq!(seen.end, RunEnd::Returned);
    assert_eq!(
        seen.triggers,
        [
            Trigger::Reach { id: 904 },
            Trigger::Label { id: 902 },
            Trigger::Label { id: 903 }
        ]
    );
    // Labels are no part of the path, and neither is what a predicate does.
    let mut trace = TraceHash::default();
    trace.add(TraceEvent::Reach { id: 904 });
    assert_eq!(seen.trace, trace.0);
    assert!(
        run("labels", &vec![int("zero", 5)])
            .triggers
            .contains(&Trigger::Label { id: 901 })
    );
}

#[test]
fn hundreds_of_thousands_of_triggers_are_kept() {
    let seen = run("many", &vec![]);
    assert_eq!(seen.triggers.len(), 300_000);
    assert!(!seen.incomplete);
}

#[test]
fn a_test_runs_in_an_empty_place_with_limits() {
    let seen = run("environment", &vec![]);
    let facts: Vec<u8> = seen.outputs[0].1.chunks(4).map(|word| word[0]).collect();
    assert_eq!(facts, [1; 6]);
}

#[test]
fn the_active_mutant_is_the_one_of_the_run() {
    let case = ReplayCase {
        harness: "labrys_harness_mutant",
        inputs: ReplayInputs::Named(&[]),
    };
    let active = |changes| ActiveMutant {
        changes,
        most_steps: 1,
    };
    let runs = [
        (case, active(&[(3, 12)])),
        (case, active(&[(4, 12)])),
        (case, active(&[(4, 12), (3, 13)])),
        (case, ActiveMutant::default()),
    ];
    let seen = replayer()
        .run_mutants(&runs, &ReplayLimits::default())
        .unwrap();
    for (seen, expected) in seen.iter().zip([12, 0, 13, 0]) {
        assert_eq!(seen.outputs, [int("active", expected)]);
        assert_eq!((seen.points.as_slice(), seen.steps), ([3].as_slice(), 1));
    }
}

#[test]
fn a_run_that_comes_to_its_points_too_often_has_timed_out() {
    let case = ReplayCase {
        harness: "labrys_harness_mutant_loop",
        inputs: ReplayInputs::Named(&[]),
    };
    let active = |most_steps| ActiveMutant {
        most_steps,
        ..ActiveMutant::default()
    };
    let runs = [(case, active(1000)), (case, active(999))];
    let seen = replayer()
        .run_mutants(&runs, &ReplayLimits::default())
        .unwrap();
    assert_eq!(seen[0].end, RunEnd::Returned);
    assert_eq!((&seen[1].end, seen[1].steps), (&RunEnd::Timeout, 1000));
}

#[test]
fn a_program_with_its_own_main_is_run_by_it() {
    let dir = tempfile::tempdir().unwrap();
    let unit = dir.path().join("m.c");
    std::fs::write(
        &unit,
        "#include \"labrys.h\"\nint main(int argc, char **argv) { (void)argv; labrys_reach(1); \
         return labrys_int(\"x\") + argc; }",
    )
    .unwrap();
    let replayer = Replayer::build(&spec(vec![unit], dir.path().join("m"))).unwrap();
    let inputs = vec![int("x", 4)];
    let case = ReplayCase {
        harness: "labrys_harness_main",
        inputs: ReplayInputs::Named(&inputs),
    };
    let seen = replayer.run(&[case], &ReplayLimits::default()).unwrap();
    assert_eq!(seen[0].end, RunEnd::Exit { code: 5 });
}

#[test]
fn the_fallback_compiler_and_errors_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let unit = dir.path().join("b.c");
    // A nullability qualifier: clang has it, gcc does not.
    std::fs::write(&unit, "int *_Nullable p; void labrys_harness_f(void) {}").unwrap();
    let replayer = Replayer::build(&spec(vec![unit.clone()], dir.path().join("b"))).unwrap();
    assert!(
        replayer.notes[0].contains("replayed with clang-19"),
        "{:?}",
        replayer.notes
    );

    // A builtin of clang: gcc takes it for a function that nobody defines.
    std::fs::write(
        &unit,
        "void labrys_harness_f(void) { static _Atomic int x; __c11_atomic_store(&x, 1, 5); }",
    )
    .unwrap();
    let replayer = Replayer::build(&spec(vec![unit.clone()], dir.path().join("b"))).unwrap();
    assert!(
        replayer.notes[0].contains("__c11_atomic_store"),
        "{:?}",
        replayer.notes
    );

    std::fs::write(&unit, "int f( {").unwrap();
    let error = Replayer::build(&spec(vec![unit.clone()], dir.path().join("b"))).unwrap_err();
    assert!(
        matches!(&error, ReplayError::Compile { unit: u, .. } if *u == unit),
        "{error}"
    );

    let mut missing = spec(vec![unit], dir.path().join("b"));
    missing.cc = "no-such-compiler".into();
    let error = Replayer::build(&missing).unwrap_err().to_string();
    assert!(
        error.contains("no-such-compiler") && error.contains("--cc"),
        "{error}"
    );
}

#[test]
fn a_binary_that_is_no_replayer_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let unit = dir.path().join("k.c");
    // Kills the process that runs the tests, before any test is run.
    std::fs::write(
        &unit,
        "#include <stdlib.h>\n__attribute__((constructor)) static void leave(void) { _Exit(9); }",
    )
    .unwrap();
    let replayer = Replayer::build(&spec(vec![unit], dir.path().join("k"))).unwrap();
    let case = ReplayCase {
        harness: "labrys_harness_f",
        inputs: ReplayInputs::Named(&[]),
    };
    let error = replayer
        .run(&[case], &ReplayLimits::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("after 0 of 1 tests"), "{error}");
}
