//! Stages: answers that are known already. Exact repetitions are common, since an independent
//! group is asked about again on every path of the others; unsatisfiable cores and models are
//! kept under the goal that they refuted or satisfied.

use crate::query::{Outcome, Query, Stage};
use labrys_expr::{Arena, Evaluator, ExprId, Model, VarId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The caches are emptied when they have this many entries.
const MAX_ENTRIES: usize = 1 << 16;
/// The exact answers are also emptied when their keys have this many constraints in all.
const MAX_KEYS: usize = 1 << 22;
/// Cores and models kept for one goal.
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

    pub(crate) fn learn(&mut self, query: &Query, outcome: &Outcome) {
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

    fn learn_core(&mut self, query: &Query, core: &[ExprId]) {
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
    fn answer(&mut self, _: &Arena, query: &Query) -> Outcome {
        if let Some(known) = self.exact.get(&key(query)) {
            if known.goal == query.goal && *known.constraints == query.constraints[..] {
                return match &known.values {
                    Some(values) => Outcome::Sat(values.to_vec()),
                    None => Outcome::Unsat(None),
                };
            }
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

/// Models that satisfied the same goal before, on other paths.
#[derive(Default)]
pub(crate) struct Reuse {
    models: FxHashMap<ExprId, Vec<Values>>,
    evaluator: Evaluator,
    scratch: Model,
}

impl Reuse {
    pub(crate) fn forget(&mut self) {
        self.models.clear();
    }

    pub(crate) fn learn(&mut self, query: &Query, outcome: &Outcome) {
        let Outcome::Sat(values) = outcome else {
            return;
        };
        if self.models.len() >= MAX_ENTRIES {
            self.models.clear();
        }
        let models = self.models.entry(query.goal).or_default();
        if models.len() >= PER_GOAL {
            models.remove(0);
        }
        models.push(values.clone().into_boxed_slice());
    }
}

impl Stage for Reuse {
    fn answer(&mut self, arena: &Arena, query: &Query) -> Outcome {
        let Some(models) = self.models.get(&query.goal) else {
            return Outcome::Pass(None);
        };
        for values in models.iter().rev() {
            for &var in &query.vars {
                self.scratch.set(var, 0);
            }
            for &(var, value) in values {
                self.scratch.set(var, value);
            }
            self.evaluator.reset();
            // The goal holds, but newer constraints are likelier to fail than older ones.
            let holds = |&c: &ExprId| self.evaluator.eval(arena, &self.scratch, c) == 1;
            if query.constraints.iter().rev().all(holds) {
                let values = query.vars.iter().map(|&v| (v, self.scratch.get(v)));
                return Outcome::Sat(values.collect());
            }
        }
        Outcome::Pass(None)
    }
}

fn key(query: &Query) -> u64 {
    let mut hasher = FxHasher::default();
    query.goal.hash(&mut hasher);
    query.constraints.hash(&mut hasher);
    hasher.finish()
}
