//! The filter: it changes no status. Programs with all ways that control can go are covered
//! entirely by every strategy, and others have the same statuses with and without it.

use crate::common::{Generated, generate};
use crate::{c_files, trial};
use libtest_mimic::Trial;
use std::path::Path;

/// Every so manieth exact program is taken, to save time.
const EVERY: usize = 16;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in c_files("tests/files/search") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        trials.push(trial(format!("search/{name}"), move || covered(&file)));
    }
    for file in c_files("tests/files/search/states") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        trials.push(trial(format!("states/{name}"), move || needs_states(&file)));
    }
    for file in c_files("tests/files/exact").into_iter().step_by(EVERY) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        trials.push(trial(format!("filter/{name}"), move || same(&file)));
    }
    trials
}

/// Whatever the filter drops, everything is covered.
fn covered(file: &Path) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for search in ["bfs", "cfg", "mix"] {
        let arguments = ["--main", "--no-static", "--search", search];
        let generated = generate(&[file], &arguments)?;
        let (all, covered) = (
            generated.total("branch", "objectives"),
            generated.total("branch", "covered"),
        );
        if all != covered || all == 0 {
            wrong.push(format!("{search}: {covered:?} of {all:?} covered"));
        }
    }
    Ok(wrong)
}

/// So many paths are enough for a search that tells states apart.
const STATE_PATHS: &str = "6000";

/// Programs with a state: everything is covered by a search that tells states apart, and not by one that
/// goes by distances and chance.
fn needs_states(file: &Path) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for (search, covers_all) in [("mix", true), ("rp-md2u", false)] {
        let arguments = ["--main", "--no-static", "--search", search];
        let limited = [&arguments[..], &["--paths", STATE_PATHS]].concat();
        let generated = generate(&[file], &limited)?;
        let all = generated.total("branch", "objectives");
        let covered = generated.total("branch", "covered");
        if (all == covered) != covers_all || all == 0 {
            wrong.push(format!("{search}: {covered:?} of {all:?} covered"));
        }
    }
    Ok(wrong)
}

/// Statuses do not depend on the filter, and it saves runs rather than costs them.
fn same(file: &Path) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for (criterion, search) in [("branch", "dfs"), ("condition,mcdc,mcdc-unique", "mix")] {
        let arguments = [
            "--main",
            "--no-static",
            "--criterion",
            criterion,
            "--search",
            search,
        ];
        let filtered = generate(&[file], &arguments)?;
        let mut more = arguments.to_vec();
        more.push("--no-filter");
        let whole = generate(&[file], &more)?;
        for status in ["covered", "infeasible"] {
            let (with, without) = (filtered.with_status(status), whole.with_status(status));
            if with != without {
                wrong.push(format!(
                    "{criterion}, {search}, {status}: {with:?}, without the filter {without:?}"
                ));
            }
        }
        if search == "dfs" && paths(&filtered) > paths(&whole) {
            wrong.push(format!(
                "{} runs, without the filter {}",
                paths(&filtered),
                paths(&whole)
            ));
        }
    }
    Ok(wrong)
}

fn paths(generated: &Generated) -> u64 {
    generated.summary["work"]["paths"].as_u64().unwrap()
}
