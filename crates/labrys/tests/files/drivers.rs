//! Drivers that were written for other tools run unchanged, and give the coverage that a careful
//! reader expects of them.

use crate::common::generate;
use crate::expect;
use std::path::Path;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["branches # feasible # | labels # covered #"],
        &["paths #", "fault * #", "input *"],
    )?;
    let number = |name| expect::number(&expectations, name);
    // No --main: it asks for inputs, which is reason enough.
    let criterion = if number("labels").is_some() {
        "branch,path,labels"
    } else {
        "branch,path"
    };
    let generated = generate(&[file], &["--criterion", criterion, "--validate"])?;
    let mut wrong = Vec::new();
    let w = &mut wrong;
    let total = |criterion, name| generated.total(criterion, name);
    expect::same(
        w,
        "branches",
        total("branch", "objectives"),
        number("branches"),
    );
    expect::same(
        w,
        "feasible",
        total("branch", "covered"),
        number("feasible"),
    );
    expect::same(w, "paths", generated.distinct_paths(), number("paths"));
    if let Some(labels) = number("labels") {
        expect::same(w, "labels", total("labels", "objectives"), Some(labels));
        expect::same(
            w,
            "labels covered",
            total("labels", "covered"),
            number("covered"),
        );
    }
    expect::faults(w, &generated, &expectations);
    expect::complete(w, &generated);
    for words in expectations.iter().filter(|words| words[0] == "input") {
        let named = |test: &serde_json::Value| {
            let inputs = test["inputs"].as_array().unwrap();
            inputs.iter().any(|input| input["name"] == *words[1])
        };
        if !generated.tests.iter().all(named) {
            w.push(format!("not every test has the input {}", words[1]));
        }
    }
    Ok(wrong)
}
