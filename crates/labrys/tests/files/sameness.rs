//! What must not make a difference: a second run, the strategy, the memory.

use crate::common::{Generated, generate};
use crate::{c_files, exact, trial};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

/// Every so manieth exact program is taken, to save time.
const EVERY: usize = 24;

pub fn trials() -> Vec<Trial> {
    let files = c_files("tests/files/exact");
    let is_slow = |file: &PathBuf| {
        exact::SLOW
            .iter()
            .any(|slow| file.ends_with(format!("{slow}.c")))
    };
    let files = files
        .into_iter()
        .filter(|f| !is_slow(f))
        .skip(2)
        .step_by(EVERY);
    files
        .flat_map(|file| {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let (again, other) = (file.clone(), file);
            [
                trial(format!("again/{name}"), move || twice(&again)),
                trial(format!("strategies/{name}"), move || strategies(&other)),
            ]
        })
        .collect()
}

/// The same seed gives the same suite, byte for byte.
fn twice(file: &Path) -> Result<Vec<String>, String> {
    let suite = || -> Result<String, String> {
        let generated = generate(&[file], &["--main", "--seed", "7"])?;
        std::fs::read_to_string(generated.out().join("suite.json")).map_err(|e| e.to_string())
    };
    let (first, second) = (suite()?, suite()?);
    Ok(match first == second {
        true => Vec::new(),
        false => vec![format!("two suites:\n{first}\n{second}")],
    })
}

/// Every strategy, another seed and a memory that holds no snapshot find the same.
fn strategies(file: &Path) -> Result<Vec<String>, String> {
    let variants: [&[&str]; 10] = [
        &["--search", "random-path"],
        &["--search", "dfs"],
        &["--search", "bfs"],
        &["--search", "random-path", "--seed", "99"],
        &["--search", "bfs", "--snapshots", "0"],
        &["--search", "rp-md2u"],
        &["--search", "rp-md2u", "--snapshots", "0"],
        &["--search", "pps"],
        &["--search", "cfg"],
        &["--search", "mix", "--snapshots", "0"],
    ];
    let mut expected = None;
    let mut wrong = Vec::new();
    for variant in variants {
        let mut arguments = exact::ARGUMENTS[..6].to_vec();
        arguments.extend(variant);
        let found = outcome(&generate(&[file], &arguments)?);
        let expected = expected.get_or_insert_with(|| found.clone());
        if *expected != found {
            wrong.push(format!("{variant:?}: {found:?}, others {expected:?}"));
        }
    }
    Ok(wrong)
}

/// Covered objectives, infeasible ones, the number of paths, the reason to stop.
fn outcome(generated: &Generated) -> (Vec<String>, Vec<String>, u64, String) {
    (
        generated.with_status("covered"),
        generated.with_status("infeasible"),
        generated.distinct_paths(),
        generated.summary["stop"].to_string(),
    )
}
