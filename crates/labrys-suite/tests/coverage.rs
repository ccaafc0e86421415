//! Measures a program with llvm-cov and gcov and compares with what the tests must do.
#![allow(clippy::unwrap_used)]

use labrys_suite::coverage::{CoverageSpec, gcov, llvm_cov};
use labrys_suite::{OriginalUnit, ReplayCase, ReplayLimits, RunEnd};
use std::path::{Path, PathBuf};

type Named = Vec<(String, Vec<u8>)>;

fn inputs(x: i32, c: u8) -> Named {
    vec![
        ("x".into(), x.to_le_bytes().to_vec()),
        ("c".into(), vec![c]),
    ]
}

fn spec(work_dir: &Path) -> CoverageSpec {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    CoverageSpec {
        linked_parts: labrys_suite::LinkedParts::default(),
        units: vec![OriginalUnit {
            source: root.join("tests/programs/measured.c"),
            renamed: vec![],
            system: vec![],
            flags: vec![],
            directory: None,
            harness: "void labrys_harness_weigh(void) { int x = labrys_int(\"x\"); \
                      char c = labrys_char(\"c\"); int r = weigh(x, c); \
                      labrys_output(\"return\", &r, sizeof r); }"
                .into(),
        }],
        runtime_dir: root.join("../../runtime"),
        work_dir: work_dir.to_owned(),
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        mcdc: true,
    }
}

fn tests() -> Vec<Named> {
    vec![
        inputs(5, b'b'),
        inputs(-5, b'a'),
        inputs(1000, b'a'),
        inputs(1001, b'a'),
    ]
}

fn cases(tests: &[Named]) -> Vec<ReplayCase<'_>> {
    tests
        .iter()
        .map(|inputs| ReplayCase {
            harness: "labrys_harness_weigh",
            inputs: labrys_suite::ReplayInputs::Named(inputs),
        })
        .collect()
}

#[test]
fn llvm_cov_counts_every_outcome() {
    let dir = tempfile::tempdir().unwrap();
    let tests = tests();
    let seen = llvm_cov(&spec(dir.path()), &cases(&tests), &ReplayLimits::default()).unwrap();
    let rows: Vec<_> = seen
        .branches
        .iter()
        .map(|b| (b.line, b.column, b.expanded_at, b.true_count, b.false_count))
        .collect();
    // The runs that end in abort and exit count as well.
    assert_eq!(
        rows,
        [
            (3, 22, Some((9, 7)), 3, 1),
            (3, 33, Some((9, 7)), 1, 2),
            (7, 7, None, 3, 1),
            (7, 16, None, 2, 1),
            (11, 7, None, 1, 3),
            (13, 7, None, 1, 2),
            // In the header, called twice a test.
            (3, 33, None, 2, 6),
        ]
    );
    assert_eq!((seen.outcomes(), seen.covered()), (14, 14));
    let rows: Vec<_> = seen
        .decisions
        .iter()
        .map(|d| (d.begin, d.end, &d.covered[..]))
        .collect();
    assert_eq!(
        rows,
        [
            ((3, 22), (3, 42), &[true, true][..]),
            ((7, 7), (7, 24), &[true, true][..])
        ]
    );
    assert_eq!(seen.observations[2].end, RunEnd::Signal { number: 6 });
    assert_eq!(seen.observations[3].end, RunEnd::Exit { code: 4 });
}

#[test]
fn gcov_counts_every_line() {
    let dir = tempfile::tempdir().unwrap();
    let tests = tests();
    for _ in 0..2 {
        // The second time: nothing of the first measurement is counted again.
        let seen = gcov(&spec(dir.path()), &cases(&tests), &ReplayLimits::default()).unwrap();
        let line = |number: u32| seen.lines.iter().find(|line| line.line == number).unwrap();
        assert_eq!((line(7).count, line(7).branches.len()), (4, 4));
        assert_eq!(line(7).branches.iter().sum::<u64>(), 7);
        assert_eq!(line(8).count, 2);
        assert_eq!(line(12).count, 1);
        assert_eq!(line(14).count, 1);
        assert_eq!(line(15).count, 2);
    }
}

#[test]
fn without_tests_nothing_is_covered() {
    let dir = tempfile::tempdir().unwrap();
    let seen = llvm_cov(&spec(dir.path()), &[], &ReplayLimits::default()).unwrap();
    assert_eq!((seen.outcomes(), seen.covered()), (14, 0));
    let seen = gcov(&spec(dir.path()), &[], &ReplayLimits::default()).unwrap();
    assert!(!seen.lines.is_empty() && seen.lines.iter().all(|line| line.count == 0));
}
