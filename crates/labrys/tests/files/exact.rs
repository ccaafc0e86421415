//! Programs whose inputs can be enumerated: branches, feasible branches and paths are exactly those
//! that brute force has found. In every second one the pairs of MC/DC are looked for in the same run,
//! in the others on their own (`mcdc.rs`).

use crate::common::{Generated, generate};
use crate::{expect, mcdc};
use std::collections::BTreeMap;
use std::path::Path;

/// Which values are shown is what the tests of values are for: here the solver's own are kept.
pub const ARGUMENTS: [&str; 7] = [
    "--main",
    "--criterion",
    "branch,path",
    "--time",
    "120s",
    "--raw-values",
    "--validate",
];

/// Programs on which Bitwuzla takes long when it is asked again for every answer: floats, chains of
/// divisions, and tables of thousands of entries.
pub const SLOW: [&str; 5] = [
    "float_math",
    "float_special",
    "float_to_int",
    "gcd",
    "large_tables",
];

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["branches # feasible #", "paths #"],
        &["infeasible *", "mcdc * *"],
    )?;
    let number = |name| expect::number(&expectations, name);
    let name = file.file_stem().unwrap().to_string_lossy();
    let validated = !SLOW.contains(&name.as_ref());
    let arguments = &ARGUMENTS[..ARGUMENTS.len() - usize::from(!validated)];
    let mut arguments = [&expect::TRUSTED, arguments].concat();
    let with_pairs = mcdc::is_together(file);
    if with_pairs {
        arguments.extend(["--criterion", mcdc::CRITERIA]);
    }
    let generated = generate(&[file], &arguments)?;
    let branch = |name| generated.total("branch", name);
    let mut wrong = Vec::new();
    let w = &mut wrong;
    expect::same(w, "branches", branch("objectives"), number("branches"));
    expect::same(w, "feasible", branch("covered"), number("feasible"));
    expect::same(w, "unknown", branch("unknown"), Some(0));
    expect::same(w, "paths", generated.distinct_paths(), number("paths"));
    expect::complete(w, &generated);
    expect::empty(w, &generated, "errors");
    let (got, expected) = (infeasible(&generated), expected_infeasible(&expectations));
    if got != expected {
        wrong.push(format!("infeasible: {got:?}, expected {expected:?}"));
    }
    if with_pairs {
        mcdc::compare(&generated, file, &mut wrong);
    }
    Ok(wrong)
}

/// How often an outcome at a place is infeasible; macros put several at one place. An implicit
/// default has no column: the oracle puts it at the operand, Labrys at the keyword.
type Places = BTreeMap<String, usize>;

fn infeasible(generated: &Generated) -> Places {
    let mut places = Places::new();
    for objective in &generated.objectives {
        if objective["criterion"] != "branch" || objective["status"] != "infeasible" {
            continue;
        }
        let (line, column) = (&objective["line"], &objective["column"]);
        let value = &objective["trigger"]["condition"]["value"];
        let text = objective["text"].as_str().unwrap();
        let place = if value.is_boolean() {
            format!("{line}:{column}:{value}")
        } else if is_implicit_default(text) {
            format!("{line}:default")
        } else {
            format!("{line}:{column}:case")
        };
        *places.entry(place).or_default() += 1;
    }
    places
}

fn expected_infeasible(expectations: &[Vec<String>]) -> Places {
    let mut places = Places::new();
    for words in expectations.iter().filter(|words| words[0] == "infeasible") {
        let parts: Vec<&str> = words[1].split(':').collect();
        let place = match parts[2] {
            "default" => format!("{}:default", parts[0]),
            _ => words[1].clone(),
        };
        *places.entry(place).or_default() += 1;
    }
    places
}

fn is_implicit_default(text: &str) -> bool {
    text.starts_with("no case matches")
}
