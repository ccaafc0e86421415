//! The command line of the benchmarks.

use clap::Parser;
use labrys_driver::request::units::TimeSpan;
use std::path::PathBuf;
use std::time::Duration;

/// Measures speed and reproduces the published tables.
#[derive(Parser, Debug, Default)]
#[command(name = "bench", max_term_width = 100)]
pub struct BenchArgs {
    /// Which ones: engine, explore, solver, latency, memory, limits, search; all of these without names; or label-coverage, coverage-structure, augmentation, corpus, programs, mutants, torture, equivalence, stubborn, bidirectional, fuzz, killed
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// label-coverage, coverage-structure, augmentation, corpus, programs, mutants, equivalence, stubborn, bidirectional: time of each search [default: 60s, 2s, 10s, 10s, 60s, 20s, 20s, 120s, 60s and 300s]
    #[arg(long)]
    pub time: Option<TimeSpan>,
    /// corpus: only this package (repeatable)
    #[arg(long, value_name = "P")]
    pub package: Vec<String>,
    /// label-coverage, coverage-structure, augmentation, programs, mutants, stubborn, bidirectional: only this one (repeatable); coverage-structure takes groups, too
    #[arg(long, value_name = "NAME")]
    pub program: Vec<String>,
    /// coverage-structure, augmentation, corpus, programs: so many at a time [default: as many as there are processors]; bidirectional: so many subjects at a time [default: 1]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// coverage-structure: so many seeds for each strategy [default: 30]
    #[arg(long, value_name = "N")]
    pub seeds: Option<u64>,
    /// coverage-structure: so many iterations for each unit [default: 100]; fuzz: so many inputs for each reader [default: 1000000]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// coverage-structure: write the figures into this directory
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// corpus, stubborn, bidirectional: outcomes are read from and added to this file
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// corpus: another list of functions than the fixed one
    #[arg(long, value_name = "FILE")]
    pub functions: Option<PathBuf>,
    /// corpus: compare branch suites with augmented ones by the mutants that they kill
    #[arg(long)]
    pub mutants: bool,
    /// corpus: compare the rules before the search and by all paths with all rules
    #[arg(long)]
    pub proofs: bool,
    /// corpus --proofs: compare with this older labrys instead
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// bidirectional: only this method (repeatable)
    #[arg(long, value_name = "NAME")]
    pub method: Vec<String>,
    /// stubborn: compare configurations of the paper's strategy, one parameter changed at a time
    #[arg(long)]
    pub semu: bool,
    /// corpus: choose the sample anew and print it
    #[arg(long, hide = true)]
    pub choose: bool,
    /// torture, equivalence, stubborn: so many programs [default: 10100, 320, all]; corpus --proofs: so many functions of each package [default: 6]
    #[arg(long, value_name = "N")]
    pub programs: Option<usize>,
    /// torture, equivalence: the number of the first batch of programs or program, which is its seed [default: 0]
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// equivalence: changes of a mutant, 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub order: u32,
    /// torture: only these rules may prove something [default: all]
    #[arg(long, value_name = "RULE,…")]
    pub proof_rules: Option<String>,
    /// torture: functions and programs all of whose inputs are tried, with each rule alone and with all
    #[arg(long)]
    pub each_rule: bool,
    /// torture, equivalence: what fails is kept in this directory [default: torture-out, equivalence-out]
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Little of everything, without the network and without judging speed: shows that the
    /// benchmarks still run and that what they compare is still true
    #[arg(long)]
    pub short: bool,
}

impl BenchArgs {
    /// The arguments with those of the short form, where that is asked for.
    pub fn shortened(mut self) -> Self {
        if self.short {
            self.time = self.time.or(Some(TimeSpan(Duration::from_secs(2))));
            self.seeds = self.seeds.or(Some(1));
            self.iterations = self.iterations.or(Some(20));
            self.jobs = self.jobs.or(Some(1));
        }
        self
    }

    /// Whether a program was asked for. Without names all are, in the short form only some.
    pub fn wants(&self, name: &str, in_short: &[&str]) -> bool {
        match self.program.is_empty() {
            true => !self.short || in_short.contains(&name),
            false => self.program.iter().any(|wanted| wanted == name),
        }
    }
}
