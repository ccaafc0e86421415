//! Stage: questions about one variable, answered by sets of values.
//!
//! A variable of at most eight bits has a 256-bit set, which any predicate can be turned into by
//! evaluation. Wider ones have intervals, which are exact for comparisons with constants; where a
//! constraint is of another kind they are a superset, and members are tried by evaluation.

mod bytes;
pub(crate) mod intervals;
pub(crate) mod preimage;
pub(crate) mod samples;

use crate::path::{ConstraintLink, ConstraintList};
use bytes::ByteSet;
use intervals::IntervalSet;
use labrys_expr::{Arena, Evaluator, ExprId, ExprKind, ExprOp, Model, VarId};
use std::rc::Rc;

/// What a list of constraints says of its only variable.
#[derive(Clone, Debug)]
pub(crate) enum DomainFacts {
    Bytes(ByteSet),
    /// If not exact, only a superset of the values that satisfy all.
    Ranges {
        set: Rc<IntervalSet>,
        exact: bool,
    },
}

/// What a predicate says of its only variable.
#[derive(Clone, Debug)]
enum PredicateDomain {
    Bytes(ByteSet),
    Ranges(Rc<IntervalSet>),
    Opaque,
}

/// The answer of this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DomainAnswer {
    Value(u64),
    Unsat,
    Pass,
}

/// The memo is emptied when it has this many entries.
const MAX_MEMO: usize = 1 << 16;
/// At most 8 values of an inexact set are tried by evaluation; a set of at most 256 values is tried
/// completely, and if all fail the query is unsatisfiable.
const MAX_TRIED_MEMBERS: usize = 8;
const MAX_ENUMERATED_SET: u128 = 256;

/// The stage with its memo of predicates.
#[derive(Default)]
pub(crate) struct DomainStage {
    /// From an expression to its entry plus one.
    index: Vec<u32>,
    entries: Vec<PredicateDomain>,
    evaluator: Evaluator,
    scratch: Model,
    /// How often intervals failed their check by evaluation.
    pub(crate) rejected: u64,
}

impl DomainStage {
    pub(crate) fn forget(&mut self) {
        self.index.clear();
        self.entries.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Can `goal` hold together with the constraints, all of them over `var` alone?
    pub(crate) fn solve(
        &mut self,
        arena: &Arena,
        var: VarId,
        constraints: &ConstraintList,
        goal: ExprId,
    ) -> DomainAnswer {
        let wanted = self.predicate(arena, var, goal);
        let facts = self.facts(arena, var, constraints);
        match (wanted, facts) {
            (PredicateDomain::Bytes(wanted), Some(DomainFacts::Bytes(known))) => {
                verdict(wanted.intersect(known).lowest())
            }
            (PredicateDomain::Bytes(wanted), None) => verdict(wanted.lowest()),
            (PredicateDomain::Ranges(wanted), None) => verdict(wanted.lowest().map(|v| v as u64)),
            (PredicateDomain::Ranges(wanted), Some(DomainFacts::Ranges { set, exact })) => {
                if exact {
                    return verdict(set.lowest_common(&wanted).map(|v| v as u64));
                }
                self.try_members(arena, var, constraints, goal, &set.intersect(&wanted))
            }
            (PredicateDomain::Opaque, Some(DomainFacts::Ranges { set, .. })) => {
                self.try_members(arena, var, constraints, goal, &set)
            }
            (PredicateDomain::Opaque, None) => {
                let all = IntervalSet::full(arena.var_width(var));
                self.try_members(arena, var, constraints, goal, &all)
            }
            _ => DomainAnswer::Pass,
        }
    }

    /// Do the constraints over `var` alone exclude `goal`, as far as sets of values say?
    pub(crate) fn excludes(
        &mut self,
        arena: &Arena,
        var: VarId,
        constraints: &ConstraintList,
        goal: ExprId,
    ) -> bool {
        let wanted = self.predicate(arena, var, goal);
        match (wanted, self.facts(arena, var, constraints)) {
            (PredicateDomain::Bytes(wanted), Some(DomainFacts::Bytes(known))) => {
                wanted.intersect(known).lowest().is_none()
            }
            (PredicateDomain::Ranges(wanted), Some(DomainFacts::Ranges { set, .. })) => {
                set.lowest_common(&wanted).is_none()
            }
            _ => false,
        }
    }

    /// Looks for a member of a superset that satisfies everything.
    fn try_members(
        &mut self,
        arena: &Arena,
        var: VarId,
        constraints: &ConstraintList,
        goal: ExprId,
        set: &IntervalSet,
    ) -> DomainAnswer {
        let complete = set.count() <= MAX_ENUMERATED_SET;
        let candidates: Vec<u128> = if complete {
            set.values().collect()
        } else {
            let ends = set.parts().iter().flat_map(|&(low, high)| [low, high]);
            let guesses = samples::samples(arena, goal, var)
                .into_iter()
                .map(u128::from);
            ends.take(MAX_TRIED_MEMBERS)
                .chain(guesses.filter(|&v| set.contains(v)))
                .collect()
        };
        for value in candidates {
            let value = value as u64;
            self.assign(var, value);
            let holds = |e| self.evaluator.eval(arena, &self.scratch, e) == 1;
            if std::iter::once(goal).chain(constraints.iter()).all(holds) {
                return DomainAnswer::Value(value);
            }
        }
        if complete {
            DomainAnswer::Unsat
        } else {
            DomainAnswer::Pass
        }
    }

    /// What the constraints say, worked out from the newest link that already knows.
    pub(crate) fn facts(
        &mut self,
        arena: &Arena,
        var: VarId,
        constraints: &ConstraintList,
    ) -> Option<DomainFacts> {
        let newest = constraints.0.as_deref()?;
        if let Some(facts) = newest.facts.get() {
            return Some(facts.clone());
        }
        let mut open: Vec<&ConstraintLink> = Vec::new();
        let mut facts = None;
        let mut link = Some(newest);
        while let Some(l) = link {
            if let Some(known) = l.facts.get() {
                facts = Some(known.clone());
                break;
            }
            open.push(l);
            link = l.previous.0.as_deref();
        }
        for l in open.into_iter().rev() {
            let predicate = self.predicate(arena, var, l.constraint);
            let next = add_fact(arena.var_width(var), facts, predicate);
            facts = Some(l.facts.get_or_init(|| next).clone());
        }
        facts
    }

    fn predicate(&mut self, arena: &Arena, var: VarId, e: ExprId) -> PredicateDomain {
        if let Some(entry) = self.memo(e) {
            return entry;
        }
        let predicate = self.compute(arena, var, e);
        if self.entries.len() >= MAX_MEMO {
            self.forget();
        }
        if self.index.len() <= e.index() {
            self.index.resize(e.index() + e.index() / 2 + 64, 0);
        }
        self.entries.push(predicate.clone());
        self.index[e.index()] = self.entries.len() as u32;
        predicate
    }

    #[inline]
    fn memo(&self, e: ExprId) -> Option<PredicateDomain> {
        let entry = *self.index.get(e.index())?;
        self.entries.get((entry as usize).wrapping_sub(1)).cloned()
    }

    fn compute(&mut self, arena: &Arena, var: VarId, e: ExprId) -> PredicateDomain {
        let width = arena.var_width(var);
        if width <= 8 {
            return PredicateDomain::Bytes(self.byte_set(arena, var, e));
        }
        match preimage::of_predicate(arena, width, e) {
            Some(set) if self.ends_agree(arena, var, e, &set) => {
                PredicateDomain::Ranges(Rc::new(set))
            }
            _ => PredicateDomain::Opaque,
        }
    }

    fn byte_set(&mut self, arena: &Arena, var: VarId, e: ExprId) -> ByteSet {
        let width = arena.var_width(var);
        if let ExprKind::Unary(ExprOp::Not, inner) = arena.kind(e)
            && let Some(PredicateDomain::Bytes(set)) = self.memo(inner)
        {
            return ByteSet::full(width).without(set);
        }
        let mut set = ByteSet::EMPTY;
        for value in 0..1u64 << width {
            self.assign(var, value);
            if self.evaluator.eval(arena, &self.scratch, e) == 1 {
                set.insert(value as u8);
            }
        }
        set
    }

    /// Intervals are checked by evaluation at their ends and just outside, once, so that an
    /// answer that is read off them later needs no check of its own.
    fn ends_agree(&mut self, arena: &Arena, var: VarId, e: ExprId, set: &IntervalSet) -> bool {
        let outside = set.complement(arena.var_width(var));
        for (parts, expected) in [(set.parts(), 1), (outside.parts(), 0)] {
            for &(low, high) in parts {
                for value in [low, high] {
                    self.assign(var, value as u64);
                    if self.evaluator.eval(arena, &self.scratch, e) != expected {
                        self.rejected += 1;
                        tracing::error!(value = value as u64, "intervals disagree with evaluation");
                        return false;
                    }
                }
            }
        }
        true
    }

    fn assign(&mut self, var: VarId, value: u64) {
        self.scratch.set(var, value);
        self.evaluator.reset();
    }
}

fn add_fact(width: u8, facts: Option<DomainFacts>, predicate: PredicateDomain) -> DomainFacts {
    match (facts, predicate) {
        (None, PredicateDomain::Bytes(set)) => DomainFacts::Bytes(set),
        (Some(DomainFacts::Bytes(known)), PredicateDomain::Bytes(set)) => {
            DomainFacts::Bytes(known.intersect(set))
        }
        (None, PredicateDomain::Ranges(set)) => DomainFacts::Ranges { set, exact: true },
        (None, PredicateDomain::Opaque) => DomainFacts::Ranges {
            set: Rc::new(IntervalSet::full(width)),
            exact: false,
        },
        (Some(DomainFacts::Ranges { set: known, exact }), PredicateDomain::Ranges(set)) => {
            DomainFacts::Ranges {
                set: Rc::new(known.intersect(&set)),
                exact,
            }
        }
        (Some(DomainFacts::Ranges { set, .. }), _) => DomainFacts::Ranges { set, exact: false },
        // A byte predicate is never opaque; keep what is known.
        (Some(facts), _) => facts,
    }
}

#[inline]
fn verdict(value: Option<u64>) -> DomainAnswer {
    value.map_or(DomainAnswer::Unsat, DomainAnswer::Value)
}
