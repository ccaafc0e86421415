//! Stage: answers that are known already. Exact repetitions are common, since an independent
//! group is asked about again on every path of the others; unsatisfiable cores are kept under the
//! goal that they refute.

use crate::query::{Outcome, Query, Stage};
use labrys_expr::{Arena, ExprId, VarId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The caches are emptied when they have this many entries.
const MAX_ENTRIES: usize = 1 << 16;
/// The exact answers are also emptied when their keys have this many constraints in all.
const MAX_KEYS: usize = 1 << 22;
/// Cores kept for one goal.
const PER_GOAL: usize = 4;

type Values = Box<[(VarId, u64)]>;

/// Answers to queries of exactly the same constraints, and cores.
#[derive(Default)]
pub(crate) struct Cache {
    exact: FxHashMap<u64, Known>,
    /// Constraints in the keys of `exact`.
    keys: usize,
    /// Constraints (sorted) that contradict the goal.
    cores: FxHashMap<ExprId, Vec<Box<[ExprId]>>>,
}

struct Known {
    constraints: Box<[ExprId]>,
    goal: ExprId,
    /// `None` if unsatisfiable.
    values: Option<Values>,
}

impl Cache {
    pub(crate) fn forget(&mut self) {
        *self = Cache::default();
    }

    pub(crate) fn len(&self) -> usize {
        self.exact.len() + self.cores.len()
    }

    pub(crate) fn learn(&mut self, query: &Query<'_>, outcome: &Outcome) {
        let values = match outcome {
            Outcome::Sat(values) => Some(values.clone().into_boxed_slice()),
            Outcome::Unsat(core) => {
                if let Some(core) = core {
                    self.learn_core(query, core);
                }
                None
            }
            Outcome::Pass(_) => return,
        };
        if self.exact.len() >= MAX_ENTRIES || self.keys >= MAX_KEYS {
            self.exact.clear();
            self.keys = 0;
        }
        self.keys += query.constraints.len();
        let constraints = query.constraints.clone().into_boxed_slice();
        self.exact.insert(
            key(query),
            Known {
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
        if cores.len() >= PER_GOAL {
            cores.remove(0);
        }
        cores.push(rest.into_boxed_slice());
    }
}

impl Stage for Cache {
    fn answer(&mut self, _: &Arena, query: &Query<'_>) -> Outcome {
        if let Some(known) = self.exact.get(&key(query))
            && known.goal == query.goal
            && *known.constraints == query.constraints[..]
        {
            return match &known.values {
                Some(values) => Outcome::Sat(values.to_vec()),
                None => Outcome::Unsat(None),
            };
        }
        let refuted = self.cores.get(&query.goal).is_some_and(|cores| {
            cores.iter().any(|core| {
                core.iter()
                    .all(|c| query.constraints.binary_search(c).is_ok())
            })
        });
        if refuted {
            Outcome::Unsat(None)
        } else {
            Outcome::Pass(None)
        }
    }
}

fn key(query: &Query<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    query.goal.hash(&mut hasher);
    query.constraints.hash(&mut hasher);
    hasher.finish()
}
