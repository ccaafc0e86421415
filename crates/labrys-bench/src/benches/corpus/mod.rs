//! `bench corpus`: functions of ten Debian packages that nobody here wrote.
//!
//! A script fetches the sources and builds them through `labrys cc`. Then `labrys gen` runs on a
//! fixed sample of functions, each in a process of its own with limits. Every outcome is written
//! to a file at once, so that a run that was stopped goes on where it was.

mod fates;
mod mutants;
mod proofs;
mod report;
pub(super) mod sample;
mod search_results;
pub(super) mod trial;

use super::lab::Lab;
use super::{Findings, announce, miniature};
use crate::arguments::BenchArgs;
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use sample::{Chosen, Objects};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use trial::{CorpusTrial, TrialLimits};

/// The source packages, by their names in Debian.
const PACKAGES: [&str; 10] = [
    "bash",
    "coreutils",
    "flex",
    "grep",
    "jq",
    "libpng1.6",
    "make",
    "sed",
    "tar",
    "zlib",
];

/// The set-up and the script that fetches and builds, as they stand in `scripts/`.
const SCRIPTS: [(&str, &str); 2] = [
    ("setup.sh", include_str!("../../../../../scripts/setup.sh")),
    (
        "corpus.sh",
        include_str!("../../../../../scripts/corpus.sh"),
    ),
];

/// The time of one search, unless --time says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Memory of one process: address space, most of which is never touched.
const MEMORY_KIB: u64 = 12 << 20;

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let (packages, corpus) = match args.short {
        true => (vec![miniature::NAME.to_owned()], miniature::build(lab)?),
        false => {
            let packages = packages(args)?;
            let corpus = fetch_and_build(&packages)?;
            (packages, corpus)
        }
    };
    let objects = Objects::find(&corpus, &packages)?;
    if args.choose {
        return choose(&objects);
    }
    let sample = match &args.functions {
        Some(path) => sample::read(path)?,
        None if args.short => vec![miniature::function()],
        None => sample::fixed()?,
    };
    let sample: Vec<Chosen> = sample
        .into_iter()
        .filter(|chosen| packages.contains(&chosen.package))
        .collect();
    if args.mutants {
        return mutants::run(sample, &objects, args);
    }
    if args.proofs {
        return proofs::run(sample, &objects, args);
    }
    let time = args.time.map_or(DEFAULT_TIME, |time| time.0);
    let limits = TrialLimits {
        time,
        memory_kib: MEMORY_KIB,
    };
    let results = match &args.results {
        Some(path) => path.clone(),
        None => corpus.join(format!("results-{}ms.jsonl", time.as_millis())),
    };
    let trials = run_all(&sample, &objects, &limits, &results, args.jobs)?;
    let mut findings = report::findings(&sample, &trials);
    let note = format!("outcome of each function: {}", results.display());
    findings.notes.push(note);
    Ok(findings)
}

/// The packages that were asked for.
fn packages(args: &BenchArgs) -> Outcome<Vec<String>> {
    if let Some(unknown) = args
        .package
        .iter()
        .find(|name| !PACKAGES.contains(&name.as_str()))
    {
        return Err(Failure::usage(format_args!(
            "unknown package '{unknown}'; known are {}",
            PACKAGES.join(", ")
        )));
    }
    let wanted = |name: &&&str| args.package.is_empty() || args.package.iter().any(|p| p == **name);
    let chosen = PACKAGES.iter().filter(wanted);
    Ok(chosen.map(ToString::to_string).collect())
}

/// Runs the script; what is there already takes no time.
pub(super) fn fetch_and_build(packages: &[String]) -> Outcome<PathBuf> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let scripts = dir.path().join("scripts");
    std::fs::create_dir(&scripts).map_err(Failure::usage)?;
    for (name, text) in SCRIPTS {
        std::fs::write(scripts.join(name), text).map_err(Failure::usage)?;
    }
    let output = Command::new("bash")
        .arg(scripts.join("corpus.sh"))
        .arg(compiler()?)
        .args(packages)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::usage(format_args!("cannot run bash: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last() {
        Some(corpus) if output.status.success() => Ok(corpus.into()),
        _ => Err(Failure::usage("the corpus cannot be built; see above")),
    }
}

/// The compiler for the packages: the small program beside this one, or this one.
pub(super) fn compiler() -> Outcome<String> {
    let this = labrys()?;
    let small = this.with_file_name("labrys-cc");
    Ok(match small.is_file() {
        true => small.display().to_string(),
        false => format!("{} cc", this.display()),
    })
}

/// Prints the list that `tests/corpus/functions.txt` holds.
fn choose(objects: &Objects) -> Outcome<Findings> {
    let mut findings = Findings::new(&["# package", "source", "function", "complexity"]);
    for chosen in sample::choose(objects)? {
        findings.table.row(vec![
            chosen.package,
            chosen.source,
            chosen.function,
            chosen.complexity.to_string(),
        ]);
    }
    Ok(findings)
}

/// Runs what the file of results does not have yet, several at a time.
fn run_all(
    sample: &[Chosen],
    objects: &Objects,
    limits: &TrialLimits,
    results: &Path,
    jobs: Option<usize>,
) -> Outcome<BTreeMap<String, CorpusTrial>> {
    let cannot = |error: std::io::Error| {
        Failure::usage(format_args!("cannot write {}: {error}", results.display()))
    };
    let done = trial::read(results);
    let waiting = sample.iter().filter(|c| !done.contains_key(&c.key()));
    let waiting: Vec<&Chosen> = waiting.collect();
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(results)
        .map_err(cannot)?;
    let total = waiting.len();
    let mut waiting = waiting.into_iter();
    announce(
        "corpus",
        &format!("{} functions, {total} to do", sample.len()),
    );
    let threads =
        jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let next = Mutex::new(|| waiting.next());
    let written = Mutex::new((done, file));
    std::thread::scope(|scope| {
        let work = || -> Outcome<()> {
            loop {
                let chosen = next.lock().map_err(poisoned)?();
                let Some(chosen) = chosen else {
                    return Ok(());
                };
                let trial = trial::run(chosen, objects, limits)?;
                let line = serde_json::to_string(&trial).map_err(Failure::internal)? + "\n";
                let mut written = written.lock().map_err(poisoned)?;
                written.1.write_all(line.as_bytes()).map_err(cannot)?;
                written.0.insert(chosen.key(), trial);
            }
        };
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Failure::internal("a thread of the benchmark panicked")))
        })
    })?;
    let (all, _) = written.into_inner().map_err(poisoned)?;
    Ok(all)
}

fn poisoned<T>(_: T) -> Failure {
    Failure::internal("a thread of the benchmark panicked")
}
