//! Stage: answers that are known already. Exact repetitions are common, since an independent
//! group is asked about again on every path of the others; unsatisfiable cores are kept under the
//! goal that they refute.

use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, ExprId, VarId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The caches are emptied when they have this many entries, to bound their memory.
const MAX_ENTRIES: usize = 1 << 16;
/// The exact answers are also emptied when their keys have this many constraints in all.
const MAX_KEY_CONSTRAINTS: usize = 1 << 22;
/// Unsatisfiable cores kept for one goal; each is compared with every query for that goal.
const MAX_CORES_PER_GOAL: usize = 4;

type VarValues = Box<[(VarId, u64)]>;

/// Answers to queries of exactly the same constraints, and cores.
#[derive(Default)]
pub(crate) struct CacheStage {
    exact: FxHashMap<u64, CachedAnswer>,
    /// Constraints in the keys of `exact`.
    keys: usize,
    /// Constraints (sorted) that contradict the goal.
    cores: FxHashMap<ExprId, Vec<Box<[ExprId]>>>,
}

struct CachedAnswer {
    constraints: Box<[ExprId]>,
    goal: ExprId,
    /// `None` if unsatisfiable.
    values: Option<VarValues>,
}

impl CacheStage {
    pub(crate) fn forget(&mut self) {
        *self = CacheStage::default();
    }

    pub(crate) fn len(&self) -> usize {
        self.exact.len() + self.cores.len()
    }

    pub(crate) fn learn(&mut self, query: &Query<'_>, outcome: &StageOutcome) {
        let values = match outcome {
            StageOutcome::Sat(values) => Some(values.clone().into_boxed_slice()),
            StageOutcome::Unsat(core) => {
                if let Some(core) = core {
                    self.learn_core(query, core);
                }
                None
            }
            StageOutcome::Pass(_) => return,
        };
        if self.exact.len() >= MAX_ENTRIES || self.keys >= MAX_KEY_CONSTRAINTS {
            self.exact.clear();
            self.keys = 0;
        }
        self.keys += query.constraints.len();
        let constraints = query.constraints.clone().into_boxed_slice();
        self.exact.insert(
            key(query),
            CachedAnswer {
                constraints,
                goal: query.goal,
                values,
            },
        );
    }

    fn learn_core(&mut self, query: &Query<'_>, core: &[ExprId]) {
        if self.cores.len() >= MAX_ENTRIES {
            self.cores.clear();
        }
        let mut rest: Vec<ExprId> = core.iter().copied().filter(|&c| c != query.goal).collect();
        rest.sort_unstable();
        let cores = self.cores.entry(query.goal).or_default();
        if cores.len() >= MAX_CORES_PER_GOAL {
            cores.remove(0);
        }
        cores.push(rest.into_boxed_slice());
    }
}

impl Stage for CacheStage {
    fn answer(&mut self, _: &Arena, query: &Query<'_>) -> StageOutcome {
        if let Some(known) = self.exact.get(&key(query))
            && known.goal == query.goal
            && *known.constraints == query.constraints[..]
        {
            return match &known.values {
                Some(values) => StageOutcome::Sat(values.to_vec()),
                None => StageOutcome::Unsat(None),
            };
        }
        let refuted = self.cores.get(&query.goal).is_some_and(|cores| {
            cores.iter().any(|core| {
                core.iter()
                    .all(|c| query.constraints.binary_search(c).is_ok())
            })
        });
        if refuted {
            StageOutcome::Unsat(None)
        } else {
            StageOutcome::Pass(None)
        }
    }
}

fn key(query: &Query<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    query.goal.hash(&mut hasher);
    query.constraints.hash(&mut hasher);
    hasher.finish()
}
