//! `bench torture`: what Labrys says, against programs whose truth can be found out natively.
//!
//! Random functions of C are written in batches (`write/`). A native program that Labrys has no
//! part in calls them in all the ways that it knows and records which outcomes of conditions
//! happen (`native.rs`). Labrys must not call one of these infeasible, its exported tests must
//! show what it calls covered, and options that must not matter must not (`examine.rs`). What
//! fails is kept with a reduced form (`reduce.rs`).

mod csmith;
mod each_rule;
mod examine;
mod mains;
mod marked;
mod native;
mod programs;
mod reduce;
mod report;
mod write;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use examine::{Examination, Examined, RuleChoice};
use labrys_driver::{Failure, Outcome};
use native::Batch;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use write::{Kind, Subject};

/// How many functions the whole campaign has, and the slice that every test run has. Some of csmith's
/// programs run longer than anybody waits for, and do not count.
const PROGRAMS: usize = 10_100;
const SLICE: usize = 370;

/// Functions in one file: one process of Labrys and one of the truth judge them all.
const TOGETHER: usize = 15;

/// Whole programs that stand for one batch: each costs a process of its own.
const ALONE: usize = 5;

/// Options that must not change what is covered and what is infeasible.
const OPTIONS: [&[&str]; 12] = [
    &["-j", "2"],
    &["--search", "dfs"],
    &["--search", "bfs"],
    &["--search", "pps"],
    &["--search", "random-path"],
    &["--search", "cfg"],
    &["--memory", "100M"],
    &["--no-static"],
    &["--no-filter"],
    &["--seed", "7"],
    &["--expressions", "2000"],
    &["--search", "fitness", "--exhaust"],
];

/// Where programs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    /// Functions of our own generator.
    Functions(Kind),
    /// Whole programs with signals and failing calls, of our own generator.
    Programs,
    /// Whole programs that are machines, of our own generator.
    Mains,
    /// Whole programs of csmith, as they are.
    Csmith,
    /// The same with inputs.
    CsmithInputs,
}

impl Family {
    fn all() -> Vec<Family> {
        let functions = Kind::ALL.into_iter().map(Family::Functions);
        functions
            .chain([
                Family::Programs,
                Family::Mains,
                Family::Csmith,
                Family::CsmithInputs,
            ])
            .collect()
    }

    fn name(self) -> &'static str {
        match self {
            Family::Functions(kind) => kind.name(),
            Family::Programs => "programs",
            Family::Mains => "mains",
            Family::Csmith => "csmith",
            Family::CsmithInputs => "csmith-inputs",
        }
    }

    /// Whether some of its programs run with every `./test`, which installs no csmith.
    fn is_in_slice(self) -> bool {
        matches!(
            self,
            Family::Functions(_) | Family::Programs | Family::Mains
        )
    }

    /// Whether all inputs of its programs are tried.
    fn is_enumerated(self) -> bool {
        match self {
            Family::Functions(kind) => kind.is_enumerated(),
            Family::Mains => true,
            Family::Programs | Family::Csmith | Family::CsmithInputs => false,
        }
    }
}

/// Which functions are examined and how.
struct Campaign {
    families: Vec<Family>,
    batches: usize,
    first: usize,
    time: Duration,
    jobs: usize,
    keep: PathBuf,
    proof_rules: Option<String>,
    is_enumerated: bool,
    each_rule: Vec<RuleChoice>,
    work: PathBuf,
    record: PathBuf,
}

/// A batch after its examination.
struct CampaignOutcomes {
    family: Family,
    programs: usize,
    examined: Examined,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let programs = match args.short {
        true if args.each_rule => args.programs.unwrap_or(each_rule::SLICE),
        true => args.programs.unwrap_or(SLICE),
        false => args.programs.unwrap_or(PROGRAMS),
    };
    let work = lab.path().join("torture");
    std::fs::create_dir_all(&work).map_err(Failure::usage)?;
    let families = families(args)?;
    let campaign = Campaign {
        batches: batches_with(programs, &families),
        families,
        first: args.first.unwrap_or(0),
        time: args.time.map_or(Duration::from_secs(20), |time| time.0),
        jobs: args.jobs.unwrap_or(2).max(1),
        keep: args.keep.clone().unwrap_or_else(|| "torture-out".into()),
        proof_rules: args.proof_rules.clone(),
        is_enumerated: args.each_rule,
        // Rules that are named are tried alone.
        each_rule: match args.each_rule && args.proof_rules.is_none() {
            true => each_rule::choices(),
            false => Vec::new(),
        },
        record: native::record(&work)?,
        work,
    };
    let outcomes = campaign.run()?;
    if args.each_rule {
        return each_rule::findings(&outcomes, &campaign.keep);
    }
    Ok(report::findings(&outcomes, &campaign.keep))
}

/// The families that were asked for by name; without names all, in the short form those of the
/// slice.
fn families(args: &BenchArgs) -> Outcome<Vec<Family>> {
    let all = Family::all();
    if let Some(unknown) = (args.program.iter()).find(|n| all.iter().all(|f| f.name() != **n)) {
        let known: Vec<_> = all.iter().map(|family| family.name()).collect();
        return Err(Failure::usage(format_args!(
            "unknown kind '{unknown}'; known are {}",
            known.join(", ")
        )));
    }
    let wanted = |family: &Family| match args.program.is_empty() {
        true if args.each_rule => family.is_enumerated(),
        true => !args.short || family.is_in_slice(),
        false => args.program.iter().any(|name| name == family.name()),
    };
    let wanted: Vec<Family> = all.into_iter().filter(wanted).collect();
    if wanted.contains(&Family::Csmith) || wanted.contains(&Family::CsmithInputs) {
        csmith::install()?;
    }
    Ok(wanted)
}

/// How many batches have so many programs, if the families take turns and all of csmith's programs
/// can be used.
fn batches_with(programs: usize, families: &[Family]) -> usize {
    let mut counted = 0;
    let sizes = families.iter().map(|family| match family {
        Family::Functions(_) => TOGETHER,
        Family::Programs | Family::Mains | Family::Csmith | Family::CsmithInputs => ALONE,
    });
    let full = |size: usize| {
        let is_open = counted < programs;
        counted += size;
        is_open
    };
    sizes
        .cycle()
        .map(full)
        .take_while(|is_open| *is_open)
        .count()
}

impl Campaign {
    fn run(&self) -> Outcome<Vec<CampaignOutcomes>> {
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
    fn batch(&self, number: usize) -> Outcome<CampaignOutcomes> {
        let family = self.families[number % self.families.len()];
        let dir = self.work.join(format!("{number}"));
        std::fs::create_dir_all(&dir).map_err(Failure::usage)?;
        let (programs, examined) = match family {
            Family::Functions(kind) => self.functions(kind, number, &dir)?,
            Family::Programs | Family::Mains | Family::Csmith | Family::CsmithInputs => {
                self.programs(family, number, &dir)?
            }
        };
        std::fs::remove_dir_all(&dir).map_err(Failure::usage)?;
        Ok(CampaignOutcomes {
            family,
            programs,
            examined,
        })
    }

    fn functions(&self, kind: Kind, number: usize, dir: &Path) -> Outcome<(usize, Examined)> {
        let subjects = batch_of(kind, number);
        let batch = Batch::write(dir, &subjects)?;
        let examined = self.examination(number).examine(&batch, &subjects)?;
        if !examined.complaints.is_empty() {
            let kept = self.keep(&format!("{}-{number}", kind.name()), dir, &examined)?;
            reduce::reduce(&self.examination(number), &subjects, &examined, &kept)?;
        }
        Ok((subjects.len(), examined))
    }

    fn programs(&self, family: Family, number: usize, dir: &Path) -> Outcome<(usize, Examined)> {
        let mut all = Examined::default();
        let mut programs = 0;
        for index in 0..ALONE {
            let seed = number * ALONE + index;
            let dir = &dir.join(format!("{index}"));
            std::fs::create_dir_all(dir).map_err(Failure::usage)?;
            let mut examination = self.examination(number);
            // What a program exports is no C.
            examination.export = false;
            examination.arguments = match family {
                Family::Programs => programs::WORLDS[seed % programs::WORLDS.len()],
                Family::Mains => &["--main"],
                _ => &csmith::ARGUMENTS,
            };
            let of_csmith = |inputs| csmith::examine(&examination, dir, seed as u64, inputs);
            let examined = match family {
                Family::Csmith => of_csmith(false)?,
                Family::CsmithInputs => of_csmith(true)?,
                Family::Mains => Some(mains::examine(&examination, dir, seed as u64)?),
                _ => Some(programs::examine(&examination, dir, seed as u64)?),
            };
            let Some(examined) = examined else {
                continue;
            };
            programs += 1;
            if !examined.complaints.is_empty() {
                self.keep(&format!("{}-{seed}", family.name()), dir, &examined)?;
            }
            all.objectives.extend(examined.objectives);
            all.complaints.extend(examined.complaints);
            all.add_rules(examined.by_rule);
            all.unproved.extend(examined.unproved);
        }
        Ok((programs, all))
    }

    fn examination(&self, number: usize) -> Examination<'_> {
        Examination {
            each_rule: &self.each_rule,
            lists_unproved: self.is_enumerated,
            time: self.time,
            proof_rules: self.proof_rules.as_deref(),
            arguments: &[],
            options: match self.is_enumerated {
                true => &[],
                false => OPTIONS[(number / self.families.len()) % OPTIONS.len()],
            },
            record: &self.record,
            export: !self.is_enumerated,
        }
    }

    /// Copies a program to the folder of failures, with what is wrong about it.
    fn keep(&self, name: &str, dir: &Path, examined: &Examined) -> Outcome<PathBuf> {
        let kept = self.keep.join(name);
        std::fs::create_dir_all(&kept).map_err(Failure::usage)?;
        for name in ["subject.c", "native.c", "drive.c", "exported.c", "inputs.c"] {
            if dir.join(name).is_file() {
                std::fs::copy(dir.join(name), kept.join(name)).map_err(Failure::usage)?;
            }
        }
        let mut text = String::new();
        for complaint in &examined.complaints {
            text += &format!("{}: {}\n", complaint.wrong.name(), complaint.text);
        }
        std::fs::write(kept.join("wrong.txt"), text).map_err(Failure::usage)?;
        Ok(kept)
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
