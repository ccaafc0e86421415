//! Programs with labels whose predicates may fault or branch: what is covered and what is proved is
//! what the file says, in all four instrumentations, and the program has the paths that it has
//! without labels.

use crate::common::{Generated, generate};
use crate::expect;
use std::collections::BTreeMap;
use std::path::Path;

const ARGUMENTS: [&str; 6] = ["--main", "--exhaust", "--time", "120s", "--seed", "3"];

/// Each must find the same.
const VARIANTS: [&[&str]; 4] = [
    &["--instrumentation", "direct"],
    &["--instrumentation", "tight", "-j", "2"],
    &[
        "--instrumentation=tight-idl1",
        "--search=dfs",
        "--snapshots=0",
    ],
    &["--instrumentation", "tight-idl2", "--validate"],
];

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["covered + | infeasible + | unknown +"],
        &[],
    )?;
    let mut expected = BTreeMap::new();
    for words in expectations {
        for tag in &words[1..] {
            expected.insert(tag.clone(), words[0].clone());
        }
    }
    let mut wrong = Vec::new();
    let plain = run(file, "branch", &[])?;
    let plain = plain.summary["work"]["paths"].as_u64();
    for variant in VARIANTS {
        let generated = run(file, "branch,labels", variant)?;
        let found = statuses(&generated);
        if found != expected {
            wrong.push(format!("{variant:?}: {found:?}, expected {expected:?}"));
        }
        expect::complete(&mut wrong, &generated);
        let work = &generated.summary["work"];
        let leaves = work["labels"]["covered"].as_u64();
        let paths = work["paths"].as_u64().zip(leaves).map(|(all, l)| all - l);
        // The direct form is there to be compared with: it splits paths at labels.
        if paths != plain && !variant.contains(&"direct") {
            wrong.push(format!(
                "{variant:?}: {paths:?} paths, {plain:?} without labels"
            ));
        }
    }
    Ok(wrong)
}

fn run(file: &Path, criteria: &str, more: &[&str]) -> Result<Generated, String> {
    let mut arguments = ARGUMENTS.to_vec();
    arguments.extend(["--criterion", criteria]);
    arguments.extend(more);
    let arguments = [&crate::expect::TRUSTED, &arguments[..]].concat();
    generate(&[file], &arguments)
}

/// The status of each label by its tag, which its text ends with.
fn statuses(generated: &Generated) -> BTreeMap<String, String> {
    let labels = generated.objectives.iter();
    let labels = labels.filter(|o| o["criterion"] == "labels");
    labels
        .map(|o| {
            let text = o["text"].as_str().unwrap();
            let (_, tag) = text.rsplit_once('[').unwrap();
            let status = o["status"].as_str().unwrap();
            (tag.trim_end_matches(']').to_owned(), status.to_owned())
        })
        .collect()
}
