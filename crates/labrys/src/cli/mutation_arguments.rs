//! What `mutate` and `kill` take beside the options that all share.

use super::{Options, ProgramArgs, ShowArgs, TestCommandArgs, TestsFormat};
use clap::{ArgAction, Args};
use labrys_driver::mutate::MutantChoice;
use labrys_driver::request::Shard;
use labrys_engine::{KillOptions, KillStrategy, Selection, SemuParameters};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct MutateArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests: an output directory of gen or its suite.json, KLEE's .ktest files, test cases of
    /// Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required_unless_present_any = ["list", "merge", "test_command"])]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    #[command(flatten)]
    pub commands: TestCommandArgs,
    /// Only list the mutants
    #[arg(long, conflicts_with_all = ["tests", "iterate", "subsuming"])]
    pub list: bool,
    /// No runs: put the results together that mutate or kill has written to these directories, those
    /// of shards or of several suites
    #[arg(
        long,
        value_name = "DIR",
        num_args = 1..,
        conflicts_with_all = ["tests", "list", "shard", "iterate", "subsuming", "sources"]
    )]
    pub merge: Vec<PathBuf>,
    /// Leave out killed mutants that die whenever another one does
    #[arg(help_heading = "Mutants", long, conflicts_with = "shard")]
    pub subsuming: bool,
    #[command(flatten)]
    pub mutants: MutantArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Which mutants are run and which count, for `mutate` and `kill`.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Mutants")]
pub struct MutantArgs {
    /// Changes of a mutant: 2 makes pairs of the mutants that 1 makes, each in one pair, chosen by
    /// --seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub order: u32,
    /// Only the K-th of N parts of the mutants, to share the work between machines; mutate --merge
    /// puts the results together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Do not run again what the results in --out decide: only what survived
    #[arg(long, requires = "out")]
    pub iterate: bool,
    /// Run mutants whose optimised code is that of the original or of another mutant, too
    #[arg(long)]
    pub no_tce: bool,
}

impl MutantArgs {
    pub fn choice(&self) -> MutantChoice {
        MutantChoice {
            shard: self.shard,
            iterate: self.iterate,
            compare_code: !self.no_tce,
        }
    }
}

#[derive(Args, Debug)]
pub struct KillArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests from which the search starts: an output directory of gen or its suite.json, KLEE's
    /// .ktest files, test cases of Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required = true)]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    #[command(flatten)]
    pub search: KillSearchArgs,
    #[command(flatten)]
    pub mutants: MutantArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// How `kill` searches.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Search for killing tests")]
pub struct KillSearchArgs {
    /// How tests are looked for: pairs (paths of original and mutant up to their ends), semu (in lock-step with checkpoints), infection (another state behind the mutant is enough), dse (mutants are not looked at)
    #[arg(long, value_name = "STRATEGY", default_value = "pairs", value_parser = by_name(&KillStrategy::NAMES))]
    pub strategy: KillStrategy,
    /// semu, precondition length: gmd2ms (tests are followed up to the depth at which the first of them comes to a mutant), smd2ms (each up to its own)
    #[arg(long, value_name = "LENGTH", default_value = "gmd2ms", action = ArgAction::Set, value_parser = by_name(&[("gmd2ms", false), ("smd2ms", true)]))]
    pub pl: bool,
    /// semu, checkpoint window: forks between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub cw: u32,
    /// semu, propagating proportion: the part of the paths that goes on behind a checkpoint, 0 to 1
    #[arg(long, value_name = "PART", default_value = "0.25", value_parser = part_of_one)]
    pub pp: f64,
    /// semu, propagation selection: rnd (any paths go on), mdo (those that are near to an output)
    #[arg(long, value_name = "SELECTION", default_value = "rnd", value_parser = by_name(&Selection::NAMES))]
    pub pss: Selection,
    /// semu, minimum propagation depth: checkpoints before the first test is made
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub mpd: u32,
    /// semu: tests are made even if the states do not differ
    #[arg(long)]
    pub nsd: bool,
    /// semu and infection: tests that are made for a mutant
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub ntpm: usize,
}

impl KillSearchArgs {
    pub fn options(&self) -> KillOptions {
        KillOptions {
            strategy: self.strategy,
            semu: SemuParameters {
                own_length: self.pl,
                checkpoint_window: self.cw,
                propagating: self.pp,
                selection: self.pss,
                least_depth: self.mpd,
                no_state_difference: self.nsd,
                tests_per_mutant: self.ntpm,
            },
        }
    }
}

/// Reads one of these names.
fn by_name<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let known = names.iter().find(|(name, _)| *name == text);
        known.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            format!("known are {}", names.join(", "))
        })
    }
}

fn part_of_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("a number from 0 to 1 is needed".to_owned()),
    }
}
