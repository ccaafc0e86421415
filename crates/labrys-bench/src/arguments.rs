//! The command line of the benchmarks.

use clap::Parser;
use labrys_driver::request::units::TimeSpan;
use std::path::PathBuf;

/// Measures speed and reproduces the published tables.
#[derive(Parser, Debug, Default)]
#[command(name = "bench", max_term_width = 100)]
pub struct BenchArgs {
    /// Which ones: engine, explore, solver, latency, memory; all of these without names; or label-coverage, coverage-structure, augmentation, corpus, programs
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// label-coverage, coverage-structure, augmentation, corpus, programs: time of each search [default: 60s, 2s, 10s, 10s, 60s]
    #[arg(long)]
    pub time: Option<TimeSpan>,
    /// corpus: only this package (repeatable)
    #[arg(long, value_name = "P")]
    pub package: Vec<String>,
    /// label-coverage, coverage-structure, augmentation, programs: only this one (repeatable); coverage-structure takes groups, too
    #[arg(long, value_name = "NAME")]
    pub program: Vec<String>,
    /// coverage-structure, augmentation, corpus, programs: so many at a time [default: as many as there are processors]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// coverage-structure: so many seeds for each strategy [default: 30]
    #[arg(long, value_name = "N")]
    pub seeds: Option<u64>,
    /// coverage-structure: so many iterations for each unit [default: 100]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// coverage-structure: write the figures into this directory
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// corpus: outcomes are read from and added to this file
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// corpus: another list of functions than the fixed one
    #[arg(long, value_name = "FILE")]
    pub functions: Option<PathBuf>,
    /// corpus: compare branch suites with augmented ones by the mutants that they kill
    #[arg(long)]
    pub mutants: bool,
    /// corpus: choose the sample anew and print it
    #[arg(long, hide = true)]
    pub choose: bool,
}
