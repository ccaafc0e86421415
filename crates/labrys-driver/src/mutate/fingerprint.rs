//! What the verdicts of mutants rest on: the files of the program and the inputs of the tests, as
//! hashes, so that a later run can tell whether they still hold.

use crate::output::mutants::{SourceState, TestState, hash};
use crate::request::Request;
use labrys_front::AnnotatedUnit;
use labrys_suite::import::{ImportedContent, ImportedTest};
use labrys_suite::{HarnessSizes, UniqueNames};
use std::collections::BTreeSet;
use std::path::Path;

/// What the user says about the program and its harness.
pub(super) fn settings(request: &Request) -> String {
    let Request {
        program,
        harness,
        world,
        ..
    } = request;
    hash(format!("{program:?} {harness:?} {world:?}").as_bytes())
}

/// The files that the units were made from, without those of the system, in the order of their
/// names.
pub(super) fn sources(units: &[AnnotatedUnit]) -> Vec<SourceState> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for unit in units {
        names.extend(unit.annotated.lines().filter_map(named_by_marker));
    }
    let states = names.into_iter().filter_map(SourceState::of);
    states.collect()
}

/// The file of a line marker, `# 12 "name" flags`, unless it is one of the system.
fn named_by_marker(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    number.parse::<u32>().ok()?;
    let (name, flags) = rest.rsplit_once('"')?;
    let system = flags.split(' ').any(|flag| flag == "3");
    (!system && !name.starts_with('<')).then_some(name)
}

/// The tests by names that tell them apart, with hashes of what they give to the program.
pub(super) fn tests(tests: &[ImportedTest]) -> Vec<TestState> {
    let mut names = UniqueNames::default();
    let state = |test: &ImportedTest| TestState {
        name: names.unique(&shown_name(test)),
        hash: hash(inputs(test).as_bytes()),
    };
    tests.iter().map(state).collect()
}

/// Tests of suites have names of their own; other tests are named by their files.
fn shown_name(test: &ImportedTest) -> String {
    match test.content {
        ImportedContent::Labrys { .. } => test.name.clone(),
        _ => Path::new(&test.name)
            .file_name()
            .map_or(test.name.clone(), |name| {
                name.to_string_lossy().into_owned()
            }),
    }
}

/// The hash of a test with these inputs.
pub(crate) fn hash_of_test(
    entry: &str,
    inputs: &[(String, Vec<u8>)],
    sizes: Option<HarnessSizes>,
) -> String {
    hash(named_inputs(entry, inputs, sizes).as_bytes())
}

fn named_inputs(entry: &str, inputs: &[(String, Vec<u8>)], sizes: Option<HarnessSizes>) -> String {
    format!("{entry:?} {inputs:?} {sizes:?}")
}

fn inputs(test: &ImportedTest) -> String {
    match &test.content {
        ImportedContent::Labrys { test, sizes } => {
            named_inputs(&test.entry, &test.replay_inputs(), *sizes)
        }
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_the_files_of_the_user() {
        assert_eq!(named_by_marker("# 1 \"x.c\" 2"), Some("x.c"));
        assert_eq!(named_by_marker("# 12 \"a b.h\""), Some("a b.h"));
        for other in [
            "# 1 \"/usr/include/stdio.h\" 1 3 4",
            "# 1 \"<built-in>\" 1",
            "int x; // # 1 \"y.c\"",
            "# pragma \"x\"",
        ] {
            assert_eq!(named_by_marker(other), None, "{other}");
        }
    }
}
