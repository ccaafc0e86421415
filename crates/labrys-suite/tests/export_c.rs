//! Exports suites as C, compiles them with the system's compiler and runs them.
#![allow(clippy::unwrap_used)]

use labrys_ledger::InputType;
use labrys_suite::export::{CExport, CFiles, ExportError, RUNTIME_FILE, c_program};
use labrys_suite::{OriginalUnit, Suite, SuiteTarget, SuiteTest, TestInput, TestOutput};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const HARNESS: &str = r#"#include "labrys.h"
void labrys_harness_sum(void) {
  static struct node nodes[2];
  void *const choices[] = {NULL, &nodes[0], &nodes[1]};
  int result;
  labrys_symbolic(&nodes[0].value, sizeof(int), "nodes[0].value");
  nodes[0].next = labrys_pick("nodes[0].next", 3, choices);
  nodes[1].value = labrys_int("nodes[1].value");
  labrys_assume(nodes[0].next != &nodes[0]);
  result = sum(labrys_pick("list", 3, choices));
  labrys_output("return", &result, sizeof result);
}
void labrys_harness_parse(void) {
  char text[8];
  int result;
  labrys_symbolic(text, sizeof text, "text");
  result = parse(text);
  labrys_output("return", &result, sizeof result);
}
"#;

fn number(name: &str, value: i32) -> TestInput {
    let ty = InputType::Int {
        name: "int".into(),
        bits: 32,
        signed: true,
    };
    TestInput::new(name, Some(&ty), value.to_le_bytes().to_vec())
}

fn text(value: &[u8]) -> Vec<TestInput> {
    let element = Box::new(InputType::Int {
        name: "char".into(),
        bits: 8,
        signed: true,
    });
    let mut bytes = value.to_vec();
    bytes.resize(8, 0);
    vec![TestInput::new(
        "text",
        Some(&InputType::Array { element, count: 8 }),
        bytes,
    )]
}

fn add(
    suite: &mut Suite,
    entry: &str,
    name: &str,
    inputs: Vec<TestInput>,
    outcome: &str,
    result: Option<i32>,
) {
    let output = result.map(|value| TestOutput {
        name: "return".into(),
        bytes: value.to_le_bytes().to_vec(),
    });
    suite.tests.push(SuiteTest {
        id: suite.tests.len() as u32 + 1,
        name: name.into(),
        entry: entry.into(),
        inputs,
        covers: vec!["branch:1".into()],
        augments: vec![],
        conditions: None,
        outcome: outcome.into(),
        outputs: result
            .map(|value| ("return".to_owned(), value.into()))
            .into_iter()
            .collect(),
        output_bytes: output.into_iter().collect(),
        streams: vec![],
        unstable: BTreeSet::new(),
    });
}

fn list(value: i32, next: i32, other: i32, start: i32) -> Vec<TestInput> {
    vec![
        number("nodes[0].value", value),
        number("nodes[0].next", next),
        number("nodes[1].value", other),
        number("list", start),
    ]
}

fn suite() -> Suite {
    let mut suite = Suite::new(SuiteTarget {
        files: vec!["exported.c".into()],
        entry: None,
    });
    add(
        &mut suite,
        "sum",
        "sum_empty",
        list(1, 0, 2, 0),
        "ok",
        Some(0),
    );
    add(
        &mut suite,
        "sum",
        "sum_two",
        list(-5, 2, 7, 1),
        "ok",
        Some(2),
    );
    add(
        &mut suite,
        "parse",
        "parse_number",
        text(b"42 */\"\\?"),
        "ok",
        Some(42),
    );
    add(
        &mut suite,
        "parse",
        "parse_crash",
        text(b"crash"),
        "segmentation-fault",
        None,
    );
    add(
        &mut suite,
        "parse",
        "parse_leave",
        text(b"leave"),
        "exit 3",
        None,
    );
    add(
        &mut suite,
        "parse",
        "parse_assert",
        text(b"!"),
        "assertion",
        None,
    );
    suite
}

fn run(dir: &Path, files: &CFiles, flags: &[&str]) -> (Option<i32>, String) {
    let source = dir.join("t.c");
    let text = &files.tests;
    std::fs::write(&source, text).unwrap();
    std::fs::write(dir.join(RUNTIME_FILE), &files.runtime).unwrap();
    let binary = dir.join("t");
    let built = Command::new("cc")
        .args(flags)
        .arg("-o")
        .args([&binary, &source])
        .current_dir(dir)
        .output()
        .unwrap();
    let warnings = String::from_utf8_lossy(&built.stderr);
    assert!(
        built.status.success() && warnings.is_empty(),
        "{warnings}\n{text}"
    );
    let ran = Command::new(&binary).output().unwrap();
    let shown =
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    (ran.status.code(), shown)
}

fn unit(source: PathBuf, harness: &str) -> OriginalUnit {
    OriginalUnit {
        source,
        renamed: vec![],
        system: vec![],
        harness: harness.to_owned(),
        ..OriginalUnit::default()
    }
}

fn programs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

#[test]
fn an_exported_suite_compiles_without_warnings_and_passes() {
    let dir = tempfile::tempdir().unwrap();
    let units = [unit(programs().join("exported.c"), HARNESS)];
    let suite = suite();
    let files = c_program(&CExport {
        suite: &suite,
        units: &units,
        dialects: false,
        outside: &[],
    })
    .unwrap();
    assert!(
        files
            .tests
            .contains("{\"nodes[0].value\", LABRYS_INT(4, -5)},"),
        "{}",
        files.tests
    );
    assert!(files.tests.contains("static void test_sum_two(void) {"));
    let (status, shown) = run(dir.path(), &files, &["-Wall", "-Wextra"]);
    assert_eq!(status, Some(0));
    assert!(shown.starts_with("6 passed, 0 failed\n"), "{shown}");
    assert_eq!(run(dir.path(), &files, &["-O2"]).0, Some(0));
}

#[test]
fn a_changed_program_fails_its_tests() {
    let dir = tempfile::tempdir().unwrap();
    let original = std::fs::read_to_string(programs().join("exported.c")).unwrap();
    let suite = suite();
    let units = [unit("changed.c".into(), HARNESS)];
    let files = c_program(&CExport {
        suite: &suite,
        units: &units,
        dialects: false,
        outside: &[],
    })
    .unwrap();
    for (from, to, failing) in [
        (
            "total += list->value",
            "total -= list->value",
            "sum_two: return differs: expected 02 00 00 00 got fe",
        ),
        (
            "exit(3)",
            "exit(4)",
            "FAILED parse_leave: did not end as expected (exit 3)",
        ),
        ("assert(text[0] != '!');", "", "FAILED parse_assert"),
        (
            "return *(volatile int *)8;",
            "return 8;",
            "FAILED parse_crash",
        ),
    ] {
        assert!(original.contains(from));
        std::fs::write(dir.path().join("changed.c"), original.replace(from, to)).unwrap();
        let (status, shown) = run(dir.path(), &files, &[]);
        assert_eq!(status, Some(1));
        assert!(
            shown.contains(failing) && shown.contains("5 passed, 1 failed"),
            "{shown}"
        );
    }
}

#[test]
fn a_program_with_main_and_foreign_inputs_is_exported() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("k.c"),
        "#include <stddef.h>\nvoid klee_make_symbolic(void *, size_t, const char *);\n\
         int __VERIFIER_nondet_int(void);\n\
         int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); \
         return x > __VERIFIER_nondet_int() ? 7 : 0; }\n",
    )
    .unwrap();
    let mut suite = Suite::new(SuiteTarget {
        files: vec!["k.c".into()],
        entry: Some("main".into()),
    });
    add(
        &mut suite,
        "main",
        "greater",
        vec![number("x", 2), number("int", 1)],
        "exit 7",
        None,
    );
    add(
        &mut suite,
        "main",
        "less",
        vec![number("x", 0), number("int", 1)],
        "ok",
        None,
    );
    let units = [unit("k.c".into(), "")];
    let files = c_program(&CExport {
        suite: &suite,
        units: &units,
        dialects: true,
        outside: &[],
    })
    .unwrap();
    assert_eq!(
        run(dir.path(), &files, &["-Wall"]),
        (Some(0), "2 passed, 0 failed\n".into())
    );
}

#[test]
fn what_cannot_be_exported_is_said() {
    let mut suite = suite();
    let export = |suite: &Suite, units: &[OriginalUnit]| {
        c_program(&CExport {
            suite,
            units,
            dialects: false,
            outside: &[],
        })
    };
    assert_eq!(
        export(&suite, &[unit("a\"b.c".into(), "")]),
        Err(ExportError::Path("a\"b.c".into()))
    );
    suite.tests[0].entry = "nothing".into();
    assert_eq!(
        export(&suite, &[]),
        Err(ExportError::NoHarness("nothing".into(), 1))
    );
    suite.tests.clear();
    let dir = tempfile::tempdir().unwrap();
    let exported = unit(programs().join("exported.c"), HARNESS);
    let files = export(&suite, &[exported]).unwrap();
    assert_eq!(
        run(dir.path(), &files, &[]),
        (Some(0), "0 passed, 0 failed\n".into())
    );
}
