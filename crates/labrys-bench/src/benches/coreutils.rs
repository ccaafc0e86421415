//! `bench programs`: programs of coreutils as they are built, with symbolic arguments, input and
//! files. What counts is measured by gcov: the exported tests run on a binary that gcc built for
//! it, and the branches of the program's own source file that were taken are counted.

use super::corpus::fetch_and_build;
use super::lab::Lab;
use super::{Findings, announce, miniature};
use crate::arguments::BenchArgs;
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use serde::Deserialize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A program: its name, the object and the source that are its own, and what of its surroundings
/// is symbolic.
pub(super) struct CoreProgram {
    pub(super) name: &'static str,
    object: &'static str,
    pub(super) source: &'static str,
    pub(super) flags: &'static [&'static str],
}

const fn subject(name: &'static str, flags: &'static [&'static str]) -> CoreProgram {
    CoreProgram {
        name,
        object: name,
        source: name,
        flags,
    }
}

pub(super) const SUBJECTS: [CoreProgram; 15] = [
    subject(
        "echo",
        &["--sym-args", "0..2:9", "--sym-env", "POSIXLY_CORRECT:1"],
    ),
    subject(
        "basename",
        &["--sym-args", "0..1:6", "--sym-args", "0..2:4"],
    ),
    subject("dirname", &["--sym-args", "0..1:6", "--sym-args", "0..2:4"]),
    subject("factor", &["--sym-args", "0..2:6", "--sym-stdin", "6"]),
    subject("expr", &["--sym-args", "0..1:6", "--sym-args", "0..4:2"]),
    subject(
        "wc",
        &[
            "--sym-args",
            "0..1:6",
            "--sym-args",
            "0..2:2",
            "--sym-stdin",
            "4",
            "--sym-file",
            "A:11",
            "--sym-env",
            "LC_ALL:7",
            "--sym-env",
            "POSIXLY_CORRECT:1",
        ],
    ),
    CoreProgram {
        name: "cksum",
        object: "cksum-cksum",
        source: "cksum",
        flags: &["--sym-args", "0..2:6", "--sym-stdin", "6"],
    },
    CoreProgram {
        name: "base64",
        object: "base64-basenc",
        source: "basenc",
        flags: &[
            "--sym-args",
            "0..1:6",
            "--sym-args",
            "0..2:3",
            "--sym-stdin",
            "6",
            "--sym-file",
            "A:4",
        ],
    },
    subject("printf", &["--sym-args", "0..1:6", "--sym-args", "0..2:4"]),
    subject("test", &["--sym-args", "0..4:3", "--sym-file", "A:2"]),
    subject(
        "tr",
        &[
            "--sym-args",
            "0..1:9",
            "--sym-args",
            "0..3:5",
            "--sym-stdin",
            "3",
        ],
    ),
    subject("seq", &["--sym-args", "0..1:6", "--sym-args", "0..3:3"]),
    subject("nl", &["--sym-args", "0..2:6", "--sym-stdin", "7"]),
    subject(
        "pathchk",
        &["--sym-args", "0..2:2", "--sym-args", "0..1:260"],
    ),
    subject(
        "cut",
        &[
            "--sym-args",
            "0..1:6",
            "--sym-args",
            "0..2:4",
            "--sym-stdin",
            "5",
        ],
    ),
];

/// The time of one search, unless --time says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// So many programs must reach so much coverage.
const GOOD_COVERAGE: f64 = 0.8;
const GOOD_PROGRAMS: usize = 10;

/// What was found for one program.
struct ProgramResult {
    objectives: u64,
    covered: u64,
    infeasible: u64,
    tests: u64,
    paths: u64,
    failed: u64,
    taken: usize,
    branches: usize,
}

/// What stands in for them in the short form.
const MINIATURE: CoreProgram = subject(miniature::NAME, &["--sym-args", "0..2:3"]);

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let package = if args.short {
        miniature::NAME
    } else {
        "coreutils"
    };
    let packages = [package.to_owned(), format!("{package}-coverage")];
    let corpus = match args.short {
        true => miniature::build(lab)?,
        false => fetch_and_build(&packages)?,
    };
    let [built, measured] = packages.map(|name| corpus.join("src").join(name));
    let time = args.time.map_or(DEFAULT_TIME, |time| time.0);
    let chosen: Vec<&CoreProgram> = match args.short {
        true => vec![&MINIATURE],
        false => SUBJECTS
            .iter()
            .filter(|s| args.wants(s.name, &[]))
            .collect(),
    };
    let jobs = args
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let results = on_threads(jobs, &chosen, |subject| {
        announce("programs", subject.name);
        try_one(subject, &built, &measured, time)
    })?;
    let mut findings = Findings::new(&[
        "program",
        "branches taken (gcov)",
        "objectives",
        "covered",
        "infeasible",
        "paths",
        "tests",
        "failing on the gcc build",
        "symbolic",
    ]);
    let mut good = 0;
    for (subject, result) in chosen.iter().zip(&results) {
        let share = result.taken as f64 / result.branches.max(1) as f64;
        good += usize::from(share > GOOD_COVERAGE);
        findings.table.row(vec![
            subject.name.to_owned(),
            format!("{:.1} % of {}", share * 100.0, result.branches),
            result.objectives.to_string(),
            result.covered.to_string(),
            result.infeasible.to_string(),
            result.paths.to_string(),
            result.tests.to_string(),
            result.failed.to_string(),
            subject.flags.join(" "),
        ]);
    }
    let wanted = GOOD_PROGRAMS.min(chosen.len());
    findings.demand(good >= wanted, || {
        format!("{good} programs above 80 % of their branches, wanted {wanted}")
    });
    Ok(findings)
}

/// Does independent work by so many threads; the results are in the order of the items.
fn on_threads<I: Sync, T: Send>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> Outcome<T> + Sync,
) -> Outcome<Vec<T>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Outcome<T>>>> = items.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((item, place)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    items.get(at).zip(results.get(at))
                } {
                    let result = work(item);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
        }
    });
    let missing = || Err(Failure::internal("a thread of the benchmark panicked"));
    results
        .into_iter()
        .map(|place| {
            let result = place.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.unwrap_or_else(missing)
        })
        .collect()
}

fn try_one(
    subject: &CoreProgram,
    built: &Path,
    measured: &Path,
    time: Duration,
) -> Outcome<ProgramResult> {
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let labrys = labrys()?;
    let out = work.path().join("out");
    let mut generate = Command::new(&labrys);
    generate
        .arg("gen")
        .arg(built.join("src").join(subject.name))
        .args(subject.flags)
        .args(["--main", "--quiet", "--format", "json", "--program-name"])
        .args([subject.name, "--time"])
        .arg(format!("{}ms", time.as_millis()))
        .arg("--out")
        .arg(&out);
    let summary: ProgramSummary = parsed(subject.name, &mut generate)?;
    let mut export = Command::new(&labrys);
    export.arg("export").arg(&out).args(["--format", "sh"]);
    output(subject.name, &mut export)?;
    // The counters of this program's own object only: other programs share the library's.
    let counters = measured
        .join("src")
        .join(format!("{}.gcda", subject.object));
    let _ = std::fs::remove_file(&counters);
    let mut tests = Command::new("sh");
    tests
        .arg(out.join("tests/tests.sh"))
        .env("PROGRAM", measured.join("src").join(subject.name));
    let said = tests
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::usage)?;
    let failed = String::from_utf8_lossy(&said.stdout)
        .lines()
        .filter(|line| line.starts_with("failed: "))
        .count();
    let mut gcov = Command::new("gcov");
    gcov.current_dir(measured)
        .args(["--json-format", "--stdout", "--branch-probabilities"])
        .arg(Path::new("src").join(format!("{}.gcno", subject.object)));
    let report: GcovOutput = parsed(subject.name, &mut gcov)?;
    let source = format!("src/{}.c", subject.source);
    let own = report.files.iter().filter(|f| f.file == source);
    let branches: Vec<u64> = own
        .flat_map(|f| &f.lines)
        .flat_map(|line| &line.branches)
        .map(|branch| branch.count)
        .collect();
    if branches.is_empty() {
        return Err(Failure::usage(format_args!(
            "{}: gcov reports no branches of {source}",
            subject.name
        )));
    }
    Ok(ProgramResult {
        objectives: summary.totals.objectives,
        covered: summary.totals.covered,
        infeasible: summary.totals.infeasible,
        tests: summary.tests,
        paths: summary.work.paths,
        failed: failed as u64,
        taken: branches.iter().filter(|count| **count > 0).count(),
        branches: branches.len(),
    })
}

fn output(name: &str, command: &mut Command) -> Outcome<Vec<u8>> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::usage)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(Failure::usage(format_args!(
        "{name}: {} ended with {}:\n{}",
        command.get_program().to_string_lossy(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )))
}

fn parsed<T: for<'a> Deserialize<'a>>(name: &str, command: &mut Command) -> Outcome<T> {
    let text = output(name, command)?;
    serde_json::from_slice(&text).map_err(|error| {
        Failure::usage(format_args!(
            "{name}: {}: {error}",
            command.get_program().to_string_lossy()
        ))
    })
}

#[derive(Deserialize)]
struct ProgramSummary {
    totals: GcovTotals,
    tests: u64,
    work: ProgramWork,
}

#[derive(Deserialize)]
struct GcovTotals {
    objectives: u64,
    covered: u64,
    infeasible: u64,
}

#[derive(Deserialize)]
struct ProgramWork {
    paths: u64,
}

#[derive(Deserialize)]
struct GcovOutput {
    files: Vec<CoveredFile>,
}

#[derive(Deserialize)]
struct CoveredFile {
    file: String,
    lines: Vec<CoveredLine>,
}

#[derive(Deserialize)]
struct CoveredLine {
    branches: Vec<CoveredBranch>,
}

#[derive(Deserialize)]
struct CoveredBranch {
    count: u64,
}
