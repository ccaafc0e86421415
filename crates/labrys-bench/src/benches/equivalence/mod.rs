//! `bench equivalence`: what `kill` proves about mutants, against small programs all of whose inputs are
//! tried natively with every mutant.
//!
//! Functions are written at random (`write.rs`) with at most 65,536 inputs (`shape.rs`). A native program
//! that the engine has no part in calls them with all inputs and all mutants (`native.rs`). A mutant
//! that Labrys calls equivalent must not be told apart by any of them.

mod native;
mod report;
mod shape;
mod trial;
mod write;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_driver::output::mutants::MutantRecord;
use labrys_driver::{Failure, Outcome};
use native::Truth;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use write::SmallProgram;

/// How many programs there are, and how many of them run with every test run.
const PROGRAMS: usize = 320;
/// From 27 on: there were mutants in these that were called equivalent and are not.
const SLICE: std::ops::Range<usize> = 27..33;

/// The time of `kill` for one program.
const TIME: Duration = Duration::from_secs(20);

/// A mutant with what Labrys says of it and what is true.
struct JudgedMutant {
    said: MutantRecord,
    truth: Truth,
    /// What is true of the mutant that this one is said to be the same as.
    twin: Option<Truth>,
}

/// A program with all its mutants.
struct JudgedProgram {
    name: String,
    has_loops: bool,
    mutants: Vec<JudgedMutant>,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let (first, count) = match args.short {
        true => (SLICE.start, SLICE.len()),
        false => (0, PROGRAMS),
    };
    let first = args.first.unwrap_or(first);
    let count = args.programs.unwrap_or(count);
    let work = lab.path().join("equivalence");
    let campaign = EquivalenceCampaign {
        numbers: first..first + count,
        time: match args.short {
            true => TIME,
            false => args.time.map_or(TIME, |time| time.0),
        },
        jobs: args.jobs.unwrap_or(2).max(1),
        order: args.order,
        keep: args
            .keep
            .clone()
            .unwrap_or_else(|| "equivalence-out".into()),
        work,
    };
    let programs = campaign.run()?;
    Ok(report::findings(&programs, &campaign.keep))
}

/// Which programs are judged and how.
struct EquivalenceCampaign {
    numbers: std::ops::Range<usize>,
    time: Duration,
    jobs: usize,
    /// How many changes a mutant has.
    order: u32,
    /// Programs with a false proof are kept here.
    keep: PathBuf,
    work: PathBuf,
}

impl EquivalenceCampaign {
    fn run(&self) -> Outcome<Vec<JudgedProgram>> {
        let next = AtomicUsize::new(self.numbers.start);
        let done = Mutex::new(Vec::new());
        let work = || -> Outcome<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.numbers.end {
                    return Ok(());
                }
                let judged = self.judge(number)?;
                if let Ok(mut done) = done.lock() {
                    done.push((number, judged));
                    if done.len() % 20 == 0 {
                        let text = format!("{} of {} programs", done.len(), self.numbers.len());
                        announce("equivalence", &text);
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
        Ok(done.into_iter().map(|(_, judged)| judged).collect())
    }

    fn judge(&self, number: usize) -> Outcome<JudgedProgram> {
        let program = write::program(number);
        let dir = self.work.join(&program.name);
        std::fs::create_dir_all(&dir).map_err(Failure::usage)?;
        let source = dir.join(format!("{}.c", program.name));
        std::fs::write(&source, &program.text).map_err(Failure::usage)?;
        let listed = native::load(&source, &dir, self.order)?;
        let truths = native::truths(&program, &listed, &dir)?;
        let said = trial::verdicts(&program, &source, &dir, (self.time, self.order))?;
        let mut mutants = Vec::new();
        for (said, mutant) in said.into_iter().zip(&listed.mutants) {
            let truth = truths[&mutant.id];
            if said.id != mutant.id || said.original != mutant.original() {
                return Err(Failure::internal(format_args!(
                    "{}: {} is not the mutant {} of the list",
                    program.name, said.id, mutant.id
                )));
            }
            let proof = said.proof.as_ref();
            let same_as = proof.and_then(|proof| proof.same_as.as_ref());
            let twin = same_as.and_then(|id| truths.get(id)).copied();
            mutants.push(JudgedMutant { said, truth, twin });
        }
        if mutants.iter().any(JudgedMutant::is_wrong) {
            self.keep(&program, &dir)?;
        }
        std::fs::remove_dir_all(&dir).map_err(Failure::usage)?;
        Ok(JudgedProgram {
            name: program.name,
            has_loops: program.has_loops,
            mutants,
        })
    }

    /// Keeps a program about which Labrys says something wrong.
    fn keep(&self, program: &SmallProgram, dir: &Path) -> Outcome<()> {
        std::fs::create_dir_all(&self.keep).map_err(Failure::usage)?;
        for name in [&format!("{}.c", program.name), "drive.c"] {
            let kept = match name == "drive.c" {
                true => self.keep.join(format!("{}-drive.c", program.name)),
                false => self.keep.join(name),
            };
            std::fs::copy(dir.join(name), kept).map_err(Failure::usage)?;
        }
        let flags = program.shape.flags().join(" ");
        let file = self.keep.join(format!("{}.flags", program.name));
        std::fs::write(file, flags).map_err(Failure::usage)
    }
}
