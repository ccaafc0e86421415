//! Whole programs with arguments, standard input, files and environment: what is covered, that the
//! native runs are as predicted, that other coverage tools agree, and that the exported script
//! passes on a plain build of the program.

use crate::common::{Ended, Generated, generate, labrys, run};
use crate::expect;
use std::path::Path;
use std::process::Command;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["branches # covered # | branches # covered # infeasible #"],
        &["flags +", "confined", "stop *", "unknown # *", "output +"],
    )?;
    let own = file.display().to_string();
    let flags: Vec<String> = lines(&expectations, "flags")
        .flatten()
        .map(|flag| flag.replace("SELF", &own))
        .collect();
    // Where the program must see no other files, only the sandbox will do.
    let confined = lines(&expectations, "confined").next().is_some();
    let mut options: Vec<&str> = vec!["--main", "--validate"];
    if !confined {
        options.push("--llvm-cov");
    }
    options.extend(flags.iter().map(String::as_str));
    let generated = generate(&[file], &options)?;
    let mut wrong = Vec::new();
    let w = &mut wrong;
    let number = |name| expect::number(&expectations, name);
    for (name, total) in [
        ("branches", "objectives"),
        ("covered", "covered"),
        ("infeasible", "infeasible"),
        ("unknown", "unknown"),
    ] {
        expect::same(w, name, generated.total("branch", total), number(name));
    }
    for part in ["gaps", "divergences", "stubs", "errors"] {
        expect::empty(w, &generated, part);
    }
    for words in lines(&expectations, "stop") {
        if generated.summary["stop"] != words[0] {
            w.push(format!("stop: {}", generated.summary["stop"]));
        }
    }
    for words in lines(&expectations, "unknown") {
        reasons(w, &generated, &words[1]);
    }
    for words in lines(&expectations, "output") {
        outputs(w, &generated, &words.join(" "));
    }
    let out = generated.out();
    let replay = run(labrys(&out).arg("replay").arg(&out).arg("--quiet"));
    if replay.code != Some(0) {
        w.push(format!("replay: {}{}", replay.stdout, replay.stderr));
    }
    if !confined {
        exported(w, &generated, file)?;
    }
    Ok(wrong)
}

/// The words after the given one.
fn lines<'a>(expectations: &'a [Vec<String>], name: &'a str) -> impl Iterator<Item = &'a [String]> {
    expectations
        .iter()
        .filter(move |words| words[0] == name)
        .map(|words| &words[1..])
}

/// What is unknown must be so for this reason.
fn reasons(wrong: &mut Vec<String>, generated: &Generated, reason: &str) {
    for objective in &generated.objectives {
        let given = objective["reason"].as_str().unwrap_or_default();
        if objective["status"] == "unknown" && !given.starts_with(reason) {
            wrong.push(format!("{} is unknown: {given}", objective["id"]));
        }
    }
}

/// Some test must have an output of that name which is not empty.
fn outputs(wrong: &mut Vec<String>, generated: &Generated, name: &str) {
    let has = |test: &serde_json::Value| {
        test["outputs"][name]
            .as_str()
            .is_some_and(|t| !t.is_empty())
    };
    if !generated.tests.iter().any(has) {
        wrong.push(format!("no test has the output '{name}'"));
    }
}

/// The script must pass on the program as the user builds it.
fn exported(wrong: &mut Vec<String>, generated: &Generated, file: &Path) -> Result<(), String> {
    let (dir, out) = (generated.dir.path(), generated.out());
    let mut export = labrys(dir);
    export.args(["export", "--format", "sh", "--out", "tests.sh"]);
    succeed(export.arg(&out))?;
    let mut build = Command::new("cc");
    succeed(
        build
            .current_dir(dir)
            .args(["-w", "-o", "binary"])
            .arg(file),
    )?;
    let mut tests = Command::new("sh");
    tests.current_dir(dir).arg("tests.sh");
    let ended = run(tests.env("PROGRAM", "./binary"));
    let passed = format!("{0} of {0} tests passed\n", generated.tests.len());
    if ended.code != Some(0) || ended.stdout != passed {
        wrong.push(format!("the script: {}{}", ended.stdout, ended.stderr));
    }
    Ok(())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let Ended {
        code,
        stdout,
        stderr,
    } = run(command);
    match code {
        Some(0) => Ok(()),
        _ => Err(format!("{command:?}: {stdout}{stderr}")),
    }
}
