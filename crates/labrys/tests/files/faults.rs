//! Programs with run-time errors, and some that only look as if they had one: kinds and lines are
//! those that the sanitizers see over all inputs. Each error has a test and a call stack.

use crate::common::generate;
use crate::{exact, expect};
use std::path::Path;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(&expectations, &["fault * # | no fault"], &[])?;
    let generated = generate(&[file], &exact::ARGUMENTS[..6])?;
    let mut wrong = Vec::new();
    expect::complete(&mut wrong, &generated);
    expect::faults(&mut wrong, &generated, &expectations);
    for error in generated.summary["errors"].as_array().unwrap() {
        let test = generated.tests.iter().find(|t| t["id"] == error["test"]);
        match test {
            None => wrong.push(format!("no test shows {error}")),
            Some(test) if test["outcome"] != error["kind"] => {
                wrong.push(format!("the outcome of {} is not {error}", test["name"]));
            }
            Some(_) => {}
        }
        if error["stack"].as_array().is_none_or(Vec::is_empty) {
            wrong.push(format!("no call stack: {error}"));
        }
    }
    Ok(wrong)
}
