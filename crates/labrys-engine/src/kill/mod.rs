//! The search for inputs that kill mutants (paper on stubborn mutants in `docs/papers.md`), and the
//! proof that there are none.
//!
//! Original and mutant run on one input, and what is seen of them at their ends must differ. The tree
//! of paths of the original is shared by all mutants; where a path comes to a mutant there is a
//! snapshot, from which the mutant is run under the path condition of the whole path of the original.

mod baselines;
mod beside;
mod choice;
mod difference;
mod killer;
mod known_outcomes;
mod masking;
mod memory_use;
mod mutant_task;
mod native;
mod options;
mod original_paths;
mod output_distance;
mod pair_search;
mod postponed;
mod report;
mod semu;
mod step;

pub use native::NativeKills;
pub use options::{KillOptions, KillStrategy, Selection, SemuParameters};
pub use report::{KillReport, KillingTest, MutantFinding, UnkilledReason};

use crate::config::Config;
use crate::error::EngineError;
use crate::exec::trail::Alternative;
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Joins, Program, entry_of};
use killer::Killer;
use labrys_ir::Module;
use pair_search::PairSearch;
use std::rc::Rc;

/// The changes of a mutant, all of them active together.
pub type MutantChanges = Vec<Alternative>;

/// Looks for inputs that tell mutants from the original, starting from the inputs of a suite that
/// does not. What it finds is run natively at once.
pub fn kill_mutants(
    module: &Module,
    entry: &str,
    mutants: &[MutantChanges],
    suite: &[Vec<InputValue>],
    options: &KillOptions,
    native: &mut dyn NativeKills,
    config: &Config,
) -> Result<KillReport, EngineError> {
    let mut marked = module.clone();
    let joins = Rc::new(Joins::mark(&mut marked));
    let entry = entry_of(&marked, entry)?;
    let program = Program::new(&marked);
    let nothing = ObjectiveMap::default();
    let mut killer = Killer::new(&program, entry, &nothing, joins, mutants, native, config)?;
    killer.meets_all = options.strategy != KillStrategy::Pairs;
    Ok(match options.strategy {
        KillStrategy::Pairs => PairSearch::new(killer).search(suite),
        KillStrategy::Semu => semu::semu(killer, suite, &options.semu),
        KillStrategy::Infection => baselines::infection(killer, suite, &options.semu),
        KillStrategy::Dse => baselines::dse(killer, suite, &options.semu),
    })
}
