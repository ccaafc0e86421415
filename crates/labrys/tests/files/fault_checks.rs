//! Faults that the search itself does not find: it ends when everything is covered, and then the
//! fault checks that its runs have met are asked. With the filter, without it and with two threads
//! the same faults come out, each with a test; `--no-faults` leaves them out.

use crate::common::{Generated, generate};
use crate::expect;
use std::path::Path;

/// Each with what it adds to the arguments of a file.
const VARIANTS: [&[&str]; 3] = [&[], &["--no-filter"], &["-j", "2"]];

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(&expectations, &["fault * # | no fault"], &[])?;
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let own = text.lines().find_map(|l| l.strip_prefix("// arguments: "));
    let own: Vec<&str> = own.unwrap_or("").split_whitespace().collect();
    let run = |more: &[&str]| generate(&[file], &[&["--main"], &own[..], more].concat());
    let expected = expectations.iter().filter(|words| words[0] == "fault");
    let expected = expected.count();
    let mut wrong = Vec::new();
    for variant in VARIANTS {
        let mut found = Vec::new();
        let generated = run(variant)?;
        expect::faults(&mut found, &generated, &expectations);
        // Where there is no fault, an outcome may be impossible: then all paths were run.
        let stop = &generated.summary["stop"];
        if stop != "all-covered" && (expected > 0 || stop != "exhausted") {
            found.push(format!("stop: {stop}"));
        }
        expect::empty(&mut found, &generated, "divergences");
        shown(&mut found, &generated);
        wrong.extend(found.iter().map(|line| format!("{variant:?}: {line}")));
    }
    let plain = run(&["--no-faults"])?;
    if plain.summary["work"]["fault_checks"]["asked"] != 0 {
        wrong.push("--no-faults: checks were asked".into());
    }
    let errors = errors(&plain);
    if expected > 0 && errors >= expected {
        wrong.push(format!(
            "--no-faults: {errors} errors, nothing was left to ask"
        ));
    }
    Ok(wrong)
}

fn errors(generated: &Generated) -> usize {
    generated.summary["errors"].as_array().map_or(0, Vec::len)
}

/// Every error has a test with its outcome.
fn shown(wrong: &mut Vec<String>, generated: &Generated) {
    for error in generated.summary["errors"].as_array().into_iter().flatten() {
        let mut tests = generated.tests.iter();
        if !tests.any(|t| t["id"] == error["test"] && t["outcome"] == error["kind"]) {
            wrong.push(format!("no test shows {error}"));
        }
    }
}
