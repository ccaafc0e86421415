//! Programs of csmith, which nobody here wrote: as they are, where one native run is the whole
//! truth, and with some of their globals turned into inputs, where random native runs show a part
//! of it. What native runs do is read from llvm-cov.

use super::examine::{Examination, Examined, Wrong, complaint};
use crate::draw::Draw;
use labrys_driver::output::ObjectivesFile;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::{Status, Trigger};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const INPUTS: &str = include_str!("c/inputs.c");

/// Programs that stay small: a few functions, no volatile objects, no packed structures.
const OPTIONS: [&str; 8] = [
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--no-volatiles",
    "--no-argc",
    "--concise",
    "--no-packed-struct",
];

/// Where Debian keeps the header that the programs include.
const HEADERS: &str = "-I/usr/include/csmith";
pub const ARGUMENTS: [&str; 3] = ["--main", "--", HEADERS];

/// Native runs of a program with inputs.
const RUNS: usize = 24;

/// Native runs may take so many seconds; a program that takes longer is left out.
const SECONDS: &str = "5";

/// What native runs have shown.
#[derive(Default)]
struct Happened {
    /// Outcomes of conditions: line, column and which of the two.
    outcomes: BTreeSet<(u32, u32, bool)>,
    /// Conditions of which no outcome was counted.
    uncounted: BTreeSet<(u32, u32)>,
    /// From each place on to the next: whether a run came there.
    reached: BTreeMap<(u32, u32), bool>,
}

/// Installs csmith if it is missing, as the set-up does with what Labrys needs.
pub fn install() -> Outcome<()> {
    const SETUP: &str = include_str!("../../../../../scripts/setup.sh");
    // It writes a file into its directory whatever it is asked.
    let mut version = Command::new("csmith");
    version.arg("--version").current_dir(std::env::temp_dir());
    if version.output().is_ok() && Path::new("/usr/include/csmith").is_dir() {
        return Ok(());
    }
    let script = format!("{SETUP}\nlabrys_install csmith libcsmith-dev\n");
    let status = Command::new("bash")
        .args(["-c", &script])
        .env("labrys_top", ".")
        .status()
        .map_err(|e| Failure::usage(format_args!("cannot run bash: {e}")))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::usage("csmith could not be installed; see above")),
    }
}

/// Writes the program of a seed as `subject.c` and examines it; nothing if it takes too long.
pub fn examine(
    examination: &Examination<'_>,
    dir: &Path,
    seed: u64,
    with_inputs: bool,
) -> Outcome<Option<Examined>> {
    let mut csmith = Command::new("timeout");
    csmith.args([SECONDS, "csmith", "--seed", &(seed + 1).to_string()]);
    let output = run(csmith.args(OPTIONS), dir)?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if with_inputs {
        text = turn_into_inputs(&text, &mut Draw::new(seed));
    }
    write(dir, "subject.c", &text)?;
    write(dir, "inputs.c", INPUTS)?;
    let Some(truth) = truth(dir, if with_inputs { RUNS } else { 1 })? else {
        return Ok(None);
    };
    let mut examined = Examined::default();
    let Some(file) = examination.generate(dir, "out", &[], &mut examined)? else {
        return Ok(Some(examined));
    };
    judge(&file, &truth, !with_inputs, &mut examined);
    Ok(Some(examined))
}

fn judge(file: &ObjectivesFile, truth: &Happened, complete: bool, examined: &mut Examined) {
    let own = (file.objectives.iter()).filter(|r| r.objective.file.ends_with("subject.c"));
    for record in own {
        let (o, status) = (&record.objective, &record.status);
        let Trigger::Condition { value, .. } = o.trigger else {
            continue;
        };
        if truth.is_folded(o.line, o.column) {
            continue;
        }
        let shown = truth.outcomes.contains(&(o.line, o.column, value));
        match status {
            Status::Infeasible { .. } if shown => {
                examined
                    .complaints
                    .push(complaint(Wrong::FalseProof, o, ""));
            }
            // Without inputs there is one run, and it shows all that can be covered.
            Status::Covered { .. } if complete && !shown => {
                examined
                    .complaints
                    .push(complaint(Wrong::Unconfirmed, o, ""));
            }
            _ => {}
        }
        examined.judged(status, shown, complete.then_some(true));
    }
}

/// Makes one to three of the integer globals inputs, at the beginning of `main`.
fn turn_into_inputs(text: &str, draw: &mut Draw) -> String {
    let is_integer = |line: &&str| {
        let mut words = line.split(' ');
        words.next() == Some("static")
            && words
                .next()
                .is_some_and(|t| t.ends_with("_t") && t.contains("int"))
            && words
                .next()
                .is_some_and(|name| name.starts_with("g_") && !name.contains('['))
    };
    let globals: Vec<&str> = (text.lines().filter(is_integer))
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    let mut chosen = BTreeSet::new();
    for _ in 0..draw.within(1, 3).min(globals.len()) {
        chosen.insert(globals[draw.below(globals.len())]);
    }
    let make = |name: &&str| format!(" labrys_symbolic(&{name}, sizeof {name}, \"{name}\");");
    let inputs: String = chosen.iter().map(make).collect();
    let declared =
        "#include \"csmith.h\"\nvoid labrys_symbolic(void *, unsigned long, const char *);";
    text.replace("#include \"csmith.h\"", declared)
        .replace("crc32_gentab();", &format!("crc32_gentab();{inputs}"))
}

/// What native runs show, by clang and llvm-cov.
fn truth(dir: &Path, runs: usize) -> Outcome<Option<Happened>> {
    let mut clang = Command::new("clang-19");
    clang.args([
        "-w",
        "-O0",
        "-fwrapv",
        HEADERS,
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
    ]);
    succeed(clang.args(["subject.c", "inputs.c", "-o", "native"]), dir)?;
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "-o", "merged"]);
    for number in 0..runs {
        let mut native = Command::new("timeout");
        native
            .args([SECONDS, "./native"])
            .env("TORTURE_SEED", number.to_string());
        let profile = format!("{number}.raw");
        let output = run(native.env("LLVM_PROFILE_FILE", &profile), dir)?;
        if output.status.success() {
            merge.arg(profile);
        } else if number == 0 {
            return Ok(None);
        }
        // A run with other inputs than csmith meant may crash or go on for ever.
    }
    succeed(&mut merge, dir)?;
    let mut export = Command::new("llvm-cov-19");
    let output = run(
        export.args(["export", "native", "-instr-profile=merged"]),
        dir,
    )?;
    let all: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| Failure::usage(format_args!("llvm-cov: {e}")))?;
    let files = all["data"][0]["files"].as_array().into_iter().flatten();
    let mut subject = files.filter(|f| {
        f["filename"]
            .as_str()
            .is_some_and(|n| n.ends_with("subject.c"))
    });
    Ok(Some(subject.next().map(Happened::of).unwrap_or_default()))
}

impl Happened {
    /// What llvm-cov says of a file.
    fn of(file: &Value) -> Happened {
        let rows = |name: &str| file[name].as_array().into_iter().flatten();
        let number = |row: &Value, at: usize| row[at].as_u64().unwrap_or(0);
        let place = |row: &Value| (number(row, 0) as u32, number(row, 1) as u32);
        let mut happened = Happened::default();
        for segment in rows("segments") {
            happened
                .reached
                .insert(place(segment), number(segment, 2) > 0);
        }
        for branch in rows("branches") {
            let (line, column) = place(branch);
            let counts = [4, 5].map(|at| number(branch, at));
            for (count, value) in counts.into_iter().zip([true, false]) {
                if count > 0 {
                    happened.outcomes.insert((line, column, value));
                }
            }
            if counts == [0, 0] {
                happened.uncounted.insert((line, column));
            }
        }
        happened
    }

    /// Was a condition reached of which clang knows the outcome? It counts none of its outcomes
    /// then, as of `(void *)0 == &x`.
    fn is_folded(&self, line: u32, column: u32) -> bool {
        let here = self.reached.range(..=(line, column)).next_back();
        self.uncounted.contains(&(line, column)) && here.is_some_and(|(_, reached)| *reached)
    }
}

fn write(dir: &Path, name: &str, text: &str) -> Outcome<()> {
    std::fs::write(dir.join(name), text)
        .map_err(|e| Failure::usage(format_args!("cannot write {name}: {e}")))
}

fn run(command: &mut Command, dir: &Path) -> Outcome<Output> {
    command
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Failure::usage(format_args!("cannot run {command:?}: {e}")))
}

fn succeed(command: &mut Command, dir: &Path) -> Outcome<()> {
    let output = run(command, dir)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Failure::usage(format_args!(
            "{command:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_integer_globals_become_inputs() {
        let text = "#include \"csmith.h\"\nstatic uint8_t g_3 = 1UL;\nstatic int32_t g_4[2] = {0};\n\
                    static int32_t *g_5 = &g_3;\nint main (void)\n{\n    crc32_gentab();\n}\n";
        let changed = turn_into_inputs(text, &mut Draw::new(1));
        assert!(
            changed.contains("labrys_symbolic(&g_3, sizeof g_3, \"g_3\");"),
            "{changed}"
        );
        assert!(
            !changed.contains("&g_4,") && !changed.contains("&*g_5"),
            "{changed}"
        );
    }
}
