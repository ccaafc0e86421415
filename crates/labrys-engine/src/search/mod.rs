//! Search strategies: which candidate is taken next. A strategy orders the tickets of the pool and
//! owns nothing else; `docs/search.md` says what each is good for.

mod bfs;
mod cfg;
mod dfs;
mod fitness;
mod guide;
mod mix;
mod near;
mod near_misses;
mod novelty;
mod pps;
mod random_path;
mod rp_md2u;
mod state_variables;

mod update_cost;

pub use update_cost::{UpdateCost, update_cost};

use crate::candidates::Strategy;
use crate::config::{Config, Search};
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use pps::Pps;

pub(crate) fn strategy<'m>(
    config: &Config,
    program: &'m Program<'m>,
    objectives: &ObjectiveMap,
) -> Box<dyn Strategy + 'm> {
    match config.search {
        Search::Dfs => Box::new(dfs::Dfs::default()),
        Search::Bfs => Box::new(bfs::Bfs::default()),
        Search::RandomPath | Search::Frontier | Search::FrontierFirstCome => {
            Box::new(random_path::RandomPath::new(config.seed))
        }
        Search::Cfg => {
            let guide = guide::DistanceGuide::new(program, objectives);
            Box::new(cfg::CfgDirected::new(config.seed, guide))
        }
        Search::Fitness => Box::new(mix::Mix::fitness(config.seed)),
        Search::Mix => {
            let guide = guide::DistanceGuide::new(program, objectives);
            Box::new(mix::Mix::of_all(config.seed, guide, &config.deadline))
        }
        Search::Novelty => Box::new(novelty::Novelty::new(program.module)),
        Search::Pps => Box::new(Pps::new(config.seed, &config.deadline)),
        Search::RpMd2u => {
            let guide = guide::DistanceGuide::new(program, objectives);
            Box::new(rp_md2u::RpMd2u::new(config.seed, guide))
        }
    }
}
