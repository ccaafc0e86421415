//! Criteria: the objectives of a file and their statuses are exactly those that stand in it, written
//! by hand from the definitions in `docs/criteria.md`.
//!
//! - `// run NAME: FLAGS` is one run of `labrys gen` with these flags, and one test.
//!   `// run NAME = A B: FLAGS` expects what A and B expect, and what both expect once.
//! - `//~ NAME: TEXT ¦ TEXT` lists objectives of that run on the last line above that is no such
//!   list. `infeasible:` or `unknown:` before a text is its status; others are covered.
//!   `{p, q}` in a text stands for two texts, one with `p` and one with `q` (but a brace before a
//!   blank is C). `NAME NAME:` lists them for several runs.
//! - `//~ fault: KIND` is an error on that line that the runs may find; they find no others.

use crate::common::{Generated, generate};
use crate::{c_files, trial};
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::Path;

const DIRECTORY: &str = "tests/files/criteria";

/// How often each objective of a run is there, by line and text, then by status.
type Objectives = BTreeMap<(u64, String), BTreeMap<String, usize>>;

#[derive(Default)]
struct Run {
    name: String,
    parts: Vec<String>,
    flags: Vec<String>,
}

#[derive(Default)]
struct Written {
    runs: Vec<Run>,
    objectives: BTreeMap<String, Objectives>,
    faults: Vec<String>,
}

/// One trial for each run of each file.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in c_files(DIRECTORY) {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let written = match read(&std::fs::read_to_string(&file).unwrap()) {
            Ok(written) => written,
            Err(wrong) => {
                trials.push(trial(format!("criteria/{stem}"), || Ok(vec![wrong])));
                continue;
            }
        };
        if written.runs.is_empty() {
            let wrong = vec!["the file has no line '// run NAME: FLAGS'".to_owned()];
            trials.push(trial(format!("criteria/{stem}"), || Ok(wrong)));
        }
        for run in &written.runs {
            let expected = expected(&written, run);
            let (file, flags, faults) = (file.clone(), run.flags.clone(), written.faults.clone());
            let name = format!("criteria/{stem}/{}", run.name);
            trials.push(trial(name, move || {
                check(&file, &flags, &expected, &faults)
            }));
        }
    }
    trials
}

fn check(
    file: &Path,
    flags: &[String],
    expected: &Objectives,
    faults: &[String],
) -> Result<Vec<String>, String> {
    let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
    arguments.extend(["--exhaust", "--time", "60s"]);
    if expected.is_empty() {
        return Err("the file lists no objective of this run".into());
    }
    let arguments = [&crate::expect::TRUSTED, &arguments[..]].concat();
    let generated = generate(&[file], &arguments)?;
    let mut wrong = differences(&found(&generated), expected);
    for part in ["gaps", "divergences"] {
        crate::expect::empty(&mut wrong, &generated, part);
    }
    for error in generated.summary["errors"].as_array().unwrap() {
        let error = format!("{} {}", error["kind"].as_str().unwrap(), error["line"]);
        if !faults.contains(&error) {
            wrong.push(format!("fault: {error}"));
        }
    }
    Ok(wrong)
}

/// The objectives that a run has written.
fn found(generated: &Generated) -> Objectives {
    let mut found = Objectives::new();
    for objective in &generated.objectives {
        let text = |name: &str| objective[name].as_str().unwrap().to_owned();
        let place = (objective["line"].as_u64().unwrap(), text("text"));
        *found
            .entry(place)
            .or_default()
            .entry(text("status"))
            .or_default() += 1;
    }
    found
}

fn differences(found: &Objectives, expected: &Objectives) -> Vec<String> {
    let none = BTreeMap::new();
    let mut places: Vec<_> = found.keys().chain(expected.keys()).collect();
    places.sort();
    places.dedup();
    let mut wrong = Vec::new();
    for place in places {
        let (is, should) = (
            found.get(place).unwrap_or(&none),
            expected.get(place).unwrap_or(&none),
        );
        let count = |statuses: &BTreeMap<String, usize>| statuses.values().sum::<usize>();
        let (line, text) = place;
        if count(is) > count(should) {
            wrong.push(format!("unexpected: {line}: {text} {is:?}, not {should:?}"));
        } else if count(is) < count(should) {
            wrong.push(format!("missing: {line}: {text} {should:?}, not {is:?}"));
        } else if is != should {
            wrong.push(format!(
                "wrong status: {line}: {text} {is:?}, not {should:?}"
            ));
        }
    }
    wrong
}

/// What a run should give: its own list and those of its parts.
fn expected(written: &Written, run: &Run) -> Objectives {
    let mut all = Objectives::new();
    for name in run.parts.iter().chain([&run.name]) {
        for (place, statuses) in written.objectives.get(name).into_iter().flatten() {
            let entry = all.entry(place.clone()).or_default();
            for (status, count) in statuses {
                let most = entry.entry(status.clone()).or_default();
                *most = (*most).max(*count);
            }
        }
    }
    all
}

/// Reads the runs and lists of a file.
fn read(text: &str) -> Result<Written, String> {
    let mut written = Written::default();
    let mut line_of_code = 0;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(rest) = line.strip_prefix("// run ") {
            written.runs.push(read_run(rest)?);
        } else if let Some(list) = line.trim_start().strip_prefix("//~ ") {
            let (names, texts) = list
                .split_once(": ")
                .ok_or(format!("line {number}: no name of a run"))?;
            if names == "fault" {
                let kinds = texts.split(" ¦ ");
                written
                    .faults
                    .extend(kinds.map(|kind| format!("{kind} {line_of_code}")));
                continue;
            }
            for name in names.split(' ') {
                if !written.runs.iter().any(|run| run.name == name) {
                    return Err(format!("line {number}: there is no run {name}"));
                }
                let list = written.objectives.entry(name.to_owned()).or_default();
                add(list, line_of_code, texts);
            }
        } else {
            line_of_code = number;
        }
    }
    Ok(written)
}

fn read_run(rest: &str) -> Result<Run, String> {
    let (names, flags) = rest
        .split_once(": ")
        .ok_or(format!("run {rest}: no flags"))?;
    let (name, parts) = names.split_once(" = ").unwrap_or((names, ""));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Ok(Run {
        name: name.to_owned(),
        parts: words(parts),
        flags: flags_of(flags),
    })
}

/// Words at blanks, except between single quotes.
fn flags_of(text: &str) -> Vec<String> {
    let mut flags = Vec::new();
    for (index, piece) in text.split('\'').enumerate() {
        if index % 2 == 1 {
            flags.push(piece.to_owned());
        } else {
            flags.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    flags
}

fn add(objectives: &mut Objectives, line: u64, texts: &str) {
    for item in texts.split(" ¦ ") {
        let item = item.trim();
        let (status, text) = match item.split_once(": ") {
            Some((status @ ("infeasible" | "unknown"), text)) => (status, text),
            _ => ("covered", item),
        };
        for text in expand(text) {
            let statuses = objectives.entry((line, text)).or_default();
            *statuses.entry(status.to_owned()).or_default() += 1;
        }
    }
}

/// All texts that `{p, q}` stands for.
fn expand(text: &str) -> Vec<String> {
    let Some((before, rest)) = text.split_once('{') else {
        return vec![text.to_owned()];
    };
    let Some((choices, after)) = rest.split_once('}').filter(|_| !rest.starts_with(' ')) else {
        return vec![text.to_owned()];
    };
    let tails = expand(after);
    let choices = choices.split(", ");
    choices
        .flat_map(|choice| {
            tails
                .iter()
                .map(move |tail| format!("{before}{choice}{tail}"))
        })
        .collect()
}
