//! The examples: all feasible branches are covered, the suites replay, and the exported tests
//! compile and pass.

use crate::common::{Generated, generate, replay_and_export, top};
use crate::harness::split;
use crate::{expect, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let more = text.lines().find_map(|l| l.strip_prefix("// arguments: "));
    let more = more.map_or(Vec::new(), split);
    let mut arguments = vec!["--time", "60s"];
    arguments.extend(more.iter().map(String::as_str));
    let generated = generate(&[file], &arguments)?;
    judge(&generated)
}

fn judge(generated: &Generated) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    expect::empty(&mut wrong, generated, "divergences");
    let left = generated.with_status("unknown");
    if !left.is_empty() {
        wrong.push(format!("unknown: {left:?}"));
    }
    if generated.total("branch", "covered") == 0 {
        wrong.push("nothing is covered".into());
    }
    replay_and_export(generated)?;
    Ok(wrong)
}

/// Tests of examples that ask for more than coverage.
pub fn more() -> Vec<Trial> {
    vec![
        trial("example/calculator".into(), calculator),
        trial("example/list shapes".into(), list_shapes),
    ]
}

/// Two files, linked: functions of one call those of the other.
fn calculator() -> Result<Vec<String>, String> {
    let file = |name: &str| -> PathBuf { top().join("examples/calculator").join(name) };
    let (one, two) = (file("calculator.c"), file("operations.c"));
    let generated = generate(&[&one, &two], &[])?;
    let mut wrong = judge(&generated)?;
    expect::empty(&mut wrong, &generated, "stubs");
    expect::same(
        &mut wrong,
        "infeasible",
        generated.total("branch", "infeasible"),
        Some(0),
    );
    Ok(wrong)
}

/// Lists come out with no node, one, and several.
fn list_shapes() -> Result<Vec<String>, String> {
    let file = top().join("examples/list.c");
    let arguments = [
        "--function",
        "list_sum",
        "--criterion",
        "path",
        "--paths",
        "20",
    ];
    let generated = generate(&[&file], &arguments)?;
    let mut wrong = Vec::new();
    let shapes: Vec<Shape> = generated.tests.iter().map(shape).collect();
    for wanted in [0, 1, 2, 3].map(Shape::Nodes) {
        if !shapes.contains(&wanted) {
            wrong.push(format!("no list of {wanted:?} among {shapes:?}"));
        }
    }
    expect::empty(&mut wrong, &generated, "divergences");
    Ok(wrong)
}

#[derive(Debug, PartialEq)]
enum Shape {
    Nodes(usize),
    Cycle,
}

/// Follows the pointers of the input `list`. Its objects are named after the path that makes
/// them: `list->next` points to `&list_next_object`.
fn shape(test: &Value) -> Shape {
    let inputs = test["inputs"].as_array().unwrap();
    let mut seen: Vec<String> = vec!["NULL".into()];
    let mut path = "list".to_owned();
    loop {
        let name = format!("{path} (pointer)");
        let input = inputs.iter().find(|i| i["name"] == *name);
        // The last node that the harness makes points nowhere.
        let target = input.map_or("NULL", |i| i["value"].as_str().unwrap());
        match seen.iter().position(|s| s == target) {
            Some(0) => return Shape::Nodes(seen.len() - 1),
            Some(_) => return Shape::Cycle,
            None => seen.push(target.to_owned()),
        }
        let object = target.trim_start_matches('&').trim_end_matches("_object");
        path = format!("{}->next", object.replace("_next", "->next"));
    }
}
