//! The programs that are measured: they must give the right answer before their speed counts. The
//! concrete ones have no inputs and are run in a short form; the others have all their paths, in a
//! memory that is too small for the snapshots of some, which must lose nothing.

use crate::common::generate;
use crate::expect;
use std::path::Path;

/// Beyond so many paths there is no test for each: each would be run natively.
const MOST_TESTS: u64 = 1000;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["paths # | short * | branches # feasible #"],
        &["result *", "fault * #"],
    )?;
    let paths = expect::number(&expectations, "paths");
    let mut arguments = vec!["--main", "--time", "120s", "--raw-values"];
    match paths {
        Some(many) if many > MOST_TESTS => arguments.extend(["--exhaust", "--snapshots", "0"]),
        Some(_) => arguments.extend(["--criterion", "branch,path", "--snapshots", "0"]),
        None => {}
    }
    let is_short = |words: &Vec<String>| words[0] == "short";
    if expectations.iter().any(is_short) {
        arguments.extend(["--", "-DSHORT"]);
    }
    let generated = generate(&[file], &arguments)?;
    let mut wrong = Vec::new();
    expect::same(&mut wrong, "paths", generated.distinct_paths(), paths);
    let branch = |name| generated.total("branch", name);
    let number = |name| expect::number(&expectations, name);
    if number("branches").is_some() {
        let w = &mut wrong;
        expect::same(w, "branches", branch("objectives"), number("branches"));
        expect::same(w, "feasible", branch("covered"), number("feasible"));
        expect::same(w, "unknown", branch("unknown"), Some(0));
        expect::faults(w, &generated, &expectations);
    }
    if expectations.iter().any(is_short) {
        expect::result(&mut wrong, &generated, "short", &expectations);
    }
    if paths.is_some() {
        expect::complete(&mut wrong, &generated);
    } else {
        expect::empty(&mut wrong, &generated, "divergences");
    }
    Ok(wrong)
}
