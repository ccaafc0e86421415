//! `bench torture`: what Labrys says, against programs whose truth can be found out natively.
//!
//! Random functions of C are written in batches (`write/`). A native program that Labrys has no
//! part in calls them in all the ways that it knows and records which outcomes of conditions
//! happen (`native.rs`). Labrys must not call one of these infeasible, its exported tests must
//! show what it calls covered, and options that must not matter must not (`examine.rs`). What
//! fails is kept with a reduced form (`reduce.rs`).

mod examine;
mod marked;
mod native;
mod reduce;
mod report;
mod write;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use examine::{Examination, Examined};
use labrys_driver::{Failure, Outcome};
use native::Batch;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use write::{Kind, Subject};

/// How many functions the whole campaign has, and the slice that every test run has.
const PROGRAMS: usize = 10_000;
const SLICE: usize = 300;

/// Functions in one file: one process of Labrys and one of the truth judge them all.
const TOGETHER: usize = 15;

/// Kinds that are not in the slice: what makes their proofs wrong is known and not yet mended.
const NOT_IN_SLICE: [Kind; 6] = [
    Kind::GlobalPointers,
    Kind::Addresses,
    Kind::Stubs,
    Kind::Callbacks,
    Kind::State,
    Kind::Library,
];

/// Options that must not change what is covered and what is infeasible.
const OPTIONS: [&[&str]; 12] = [
    &["-j", "2"],
    &["--search", "dfs"],
    &["--search", "bfs"],
    &["--search", "pps"],
    &["--search", "random-path"],
    &["--search", "cfg"],
    &["--memory", "40M"],
    &["--no-static"],
    &["--no-filter"],
    &["--seed", "7"],
    &["--expressions", "2000"],
    &["--search", "fitness", "--exhaust"],
];

/// Which functions are examined and how.
struct Campaign {
    kinds: Vec<Kind>,
    batches: usize,
    first: usize,
    time: Duration,
    jobs: usize,
    keep: PathBuf,
    work: PathBuf,
    record: PathBuf,
}

/// A batch after its examination.
struct Outcomes {
    kind: Kind,
    subjects: Vec<Subject>,
    examined: Examined,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let programs = match args.short {
        true => args.programs.unwrap_or(SLICE),
        false => args.programs.unwrap_or(PROGRAMS),
    };
    let work = lab.path().join("torture");
    std::fs::create_dir_all(&work).map_err(Failure::usage)?;
    let campaign = Campaign {
        kinds: kinds(args)?,
        batches: programs.div_ceil(TOGETHER),
        first: args.first.unwrap_or(0),
        time: args.time.map_or(Duration::from_secs(20), |time| time.0),
        jobs: args.jobs.unwrap_or(2).max(1),
        keep: args.keep.clone().unwrap_or_else(|| "torture-out".into()),
        record: native::record(&work)?,
        work,
    };
    let outcomes = campaign.run()?;
    Ok(report::findings(&outcomes, &campaign.keep))
}

/// The kinds that were asked for by name; without names all, in the short form those of the slice.
fn kinds(args: &BenchArgs) -> Outcome<Vec<Kind>> {
    if let Some(unknown) = (args.program.iter()).find(|n| Kind::ALL.iter().all(|k| k.name() != **n))
    {
        let known: Vec<_> = Kind::ALL.iter().map(|k| k.name()).collect();
        return Err(Failure::usage(format_args!(
            "unknown kind '{unknown}'; known are {}",
            known.join(", ")
        )));
    }
    let wanted = |kind: &Kind| match args.program.is_empty() {
        true => !args.short || !NOT_IN_SLICE.contains(kind),
        false => args.program.iter().any(|name| name == kind.name()),
    };
    Ok(Kind::ALL.into_iter().filter(wanted).collect())
}

impl Campaign {
    fn run(&self) -> Outcome<Vec<Outcomes>> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || -> Outcome<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.batches {
                    return Ok(());
                }
                let outcomes = self.batch(self.first + number)?;
                if let Ok(mut done) = done.lock() {
                    done.push((number, outcomes));
                    if done.len() % 50 == 0 {
                        let text = format!("{} of {} batches", done.len(), self.batches);
                        announce("torture", &text);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                let panicked = || Failure::internal("a thread of the benchmark panicked");
                thread.join().unwrap_or_else(|_| Err(panicked()))
            })
        })?;
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(number, _)| *number);
        Ok(done.into_iter().map(|(_, outcomes)| outcomes).collect())
    }

    /// Writes and examines the batch of this number, and keeps what is wrong about it.
    fn batch(&self, number: usize) -> Outcome<Outcomes> {
        let kind = self.kinds[number % self.kinds.len()];
        let subjects = batch_of(kind, number);
        let dir = self.work.join(format!("{number}"));
        std::fs::create_dir_all(&dir).map_err(Failure::usage)?;
        let examined = self
            .examination(number)
            .examine(&Batch::write(&dir, &subjects)?)?;
        if !examined.complaints.is_empty() {
            self.keep(number, &dir, &subjects, &examined)?;
        }
        std::fs::remove_dir_all(&dir).map_err(Failure::usage)?;
        Ok(Outcomes {
            kind,
            subjects,
            examined,
        })
    }

    fn examination(&self, number: usize) -> Examination<'_> {
        Examination {
            time: self.time,
            options: OPTIONS[(number / self.kinds.len()) % OPTIONS.len()],
            record: &self.record,
            export: true,
        }
    }

    /// Copies the batch to the folder of failures, with what is wrong and a reduced form of each
    /// function that is to blame.
    fn keep(
        &self,
        number: usize,
        dir: &Path,
        subjects: &[Subject],
        examined: &Examined,
    ) -> Outcome<()> {
        let kept = self
            .keep
            .join(format!("{}-{number}", subjects[0].kind.name()));
        std::fs::create_dir_all(&kept).map_err(Failure::usage)?;
        for name in ["subject.c", "native.c", "drive.c", "exported.c"] {
            if dir.join(name).is_file() {
                std::fs::copy(dir.join(name), kept.join(name)).map_err(Failure::usage)?;
            }
        }
        let mut text = format!("batch {number}\n");
        for complaint in &examined.complaints {
            text += &format!("{}: {}\n", complaint.wrong.name(), complaint.text);
        }
        std::fs::write(kept.join("wrong.txt"), text).map_err(Failure::usage)?;
        reduce::reduce(&self.examination(number), subjects, examined, &kept)
    }
}

/// The functions of a batch. The same number gives the same ones.
fn batch_of(kind: Kind, number: usize) -> Vec<Subject> {
    let mut next = 0;
    let write = |index: usize| {
        let seed = (number * TOGETHER + index) as u64;
        let subject = write::subject(kind, &format!("f{index}"), seed, next);
        next = subject.marks.end;
        subject
    };
    (0..TOGETHER).map(write).collect()
}
