//! Several criteria at once: the objectives are those of each on its own, under the same ids and
//! with the same statuses, and what two criteria share is searched for once.

use crate::common::{Generated, generate, top};
use crate::trial;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const CRITERIA: [&str; 5] = [
    "branch",
    "condition",
    "decision-condition",
    "multiple-condition",
    "gacc",
];

pub fn trials() -> Vec<Trial> {
    vec![trial("criteria/together".to_owned(), check)]
}

fn check() -> Result<Vec<String>, String> {
    let file = top().join("tests/files/criteria/logic.c");
    let run = |criteria: &str| generate(&[&file], &["--criterion", criteria]);
    let together = run(&CRITERIA.join(","))?;
    let mut wrong = Vec::new();
    let (mut paths, mut tests, mut objectives) = (0, 0, 0);
    for criterion in CRITERIA {
        let alone = run(criterion)?;
        let (is, should) = (of(&together, criterion), of(&alone, criterion));
        for id in is.keys().chain(should.keys()).collect::<BTreeSet<_>>() {
            if is.get(id) != should.get(id) {
                let (is, should) = (is.get(id), should.get(id));
                wrong.push(format!("{id}: {is:?} together, {should:?} alone"));
            }
        }
        objectives += should.len();
        paths += work(&alone);
        tests += alone.tests.len();
    }
    if objectives != together.objectives.len() {
        let all = together.objectives.len();
        wrong.push(format!("{all} objectives together, {objectives} alone"));
    }
    if work(&together) > paths || together.tests.len() > tests {
        let (p, t) = (work(&together), together.tests.len());
        wrong.push(format!(
            "{p} paths and {t} tests together, {paths} and {tests} alone"
        ));
    }
    wrong.extend(shared(&together, objectives));
    Ok(wrong)
}

/// Line, text and status of the objectives of a criterion, by id.
fn of(generated: &Generated, criterion: &str) -> BTreeMap<String, String> {
    let mine = generated
        .objectives
        .iter()
        .filter(|o| o["criterion"] == criterion);
    mine.map(|o| {
        let what = format!("{}: {} {}", o["line"], o["text"], o["status"]);
        (o["id"].as_str().unwrap().to_owned(), what)
    })
    .collect()
}

fn work(generated: &Generated) -> u64 {
    generated.summary["work"]["paths"].as_u64().unwrap()
}

/// What two criteria share has one trigger, so it has one status and the same tests.
fn shared(generated: &Generated, objectives: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut by_trigger: BTreeMap<String, &Value> = BTreeMap::new();
    for objective in &generated.objectives {
        let key = objective["trigger"].to_string();
        let first = by_trigger.entry(key).or_insert(objective);
        for part in ["status", "tests"] {
            if first[part] != objective[part] {
                wrong.push(format!(
                    "{} and {} differ in {part}",
                    first["id"], objective["id"]
                ));
            }
        }
    }
    if by_trigger.len() * 3 > objectives * 2 {
        let triggers = by_trigger.len();
        wrong.push(format!("{triggers} triggers for {objectives} objectives"));
    }
    wrong
}
