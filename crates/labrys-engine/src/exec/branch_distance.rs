//! How nearly a run has taken an outcome of a condition that no run has taken yet: the branch
//! distance of fitness-guided search (Xie et al., DSN 2009). Measured only for searches that use
//! it, and only for open outcomes of conditions that runs have come to.

use super::Machine;
use crate::candidates::BranchDistance;
use crate::program::Program;
use crate::program::annotations::{self, Annotation, Numbers};
use labrys_ir::{BinOp, CmpOp, FuncId, Function, Inst, Reg};
use labrys_ledger::Trigger;
use rustc_hash::{FxHashMap, FxHashSet};

/// At most this many outcomes are measured in a run: with more open outcomes other strategies cover
/// something sooner.
const MOST_TARGETS: usize = 64;

/// At most this many conditions with an open outcome leave the fast loop.
const MOST_WATCHED: usize = 512;

/// A comparison in front of an annotation.
#[derive(Clone, Copy, Debug)]
struct AnnotatedComparison {
    op: CmpOp,
    width: u8,
    a: Reg,
    b: Reg,
    /// The annotation gets its negation.
    negated: bool,
}

#[derive(Default)]
pub(crate) struct DistanceMeter {
    /// The annotations of each condition.
    annotations: FxHashMap<(u32, u32), Vec<usize>>,
    targets: FxHashSet<Trigger>,
    comparisons: FxHashMap<(FuncId, u32), Option<AnnotatedComparison>>,
}

impl DistanceMeter {
    pub(crate) fn new(program: &Program<'_>) -> Box<Self> {
        let mut meter = DistanceMeter::default();
        for (number, note) in program.annotations.iter().enumerate() {
            if let Annotation::Condition { decision, index } = note {
                let annotations = meter.annotations.entry((*decision, *index)).or_default();
                annotations.push(number);
            }
        }
        Box::new(meter)
    }
}

impl Machine<'_> {
    /// Objectives were covered: their conditions have been reached, and what is open there is a
    /// target.
    pub(crate) fn watch(&mut self, news: &[usize]) {
        let Some(meter) = &mut self.meter else {
            return;
        };
        for objective in news {
            let Some(trigger) = self.objectives.trigger(*objective) else {
                continue;
            };
            let Trigger::Condition {
                decision,
                index,
                value,
            } = trigger
            else {
                continue;
            };
            let other = Trigger::Condition {
                decision,
                index,
                value: !value,
            };
            let open = self.objectives.covered_by(other).iter();
            let is_open = open
                .clone()
                .any(|o| !self.findings.covered.contains(*o as usize));
            meter.targets.remove(&trigger);
            let watched = is_open && meter.targets.len() < MOST_WATCHED;
            if watched {
                meter.targets.insert(other);
            }
            let annotations = meter.annotations.get(&(decision, index));
            for note in annotations.into_iter().flatten() {
                self.effects[*note] = self.program.annotations[*note].effects(self.objectives);
                if watched {
                    // The loop leaves such an annotation to `condition`, which measures it.
                    let effect = &mut self.effects[*note][usize::from(value)];
                    effect.objective = annotations::CoveredObjective::Several;
                }
            }
        }
    }

    /// Another run follows.
    pub(crate) fn forget_distances(&mut self) {
        self.findings.distances.clear();
    }

    /// A condition has come out as `value`; `reg` holds it.
    pub(super) fn measure(&mut self, decision: u32, index: u32, reg: Reg, value: bool) {
        let target = Trigger::Condition {
            decision,
            index,
            value: !value,
        };
        if self.meter.is_none() || !self.is_open(target) || self.state.speculation.is_some() {
            return;
        }
        self.note_wanted_outcome(target, reg, !value);
        let Some(meter) = &mut self.meter else {
            return;
        };
        if self.findings.distances.len() >= MOST_TARGETS {
            return;
        }
        let place = (self.state.frame.function, self.state.frame.pc);
        let function = &self.program.module.functions[place.0.index()];
        let comparison = *meter
            .comparisons
            .entry(place)
            .or_insert_with(|| comparison(function, place.1, reg));
        let distance = match comparison {
            Some(c) => {
                let (a, b) = (self.value(c.a), self.value(c.b));
                distance(c.op, c.width, a, b, value == c.negated)
            }
            None => 1,
        };
        let first = self.state.forks;
        let nearest = self.findings.distances.entry(target);
        let nearest = nearest.or_insert(BranchDistance { distance, first });
        nearest.distance = nearest.distance.min(distance);
    }
}

/// The comparison whose result an annotation gets, if its operands are still there.
fn comparison(function: &Function, place: u32, value: Reg) -> Option<AnnotatedComparison> {
    let mut blocks = function.blocks.iter();
    let block = blocks.find(|b| b.start <= place && place < b.end)?;
    let numbers = Numbers::of(function);
    let mut wanted = value;
    let mut negated = false;
    let mut found = None;
    let mut written: Vec<Reg> = Vec::new();
    for at in (block.start..place).rev() {
        let inst = &function.code[at as usize];
        let mut writes = Vec::new();
        inst.for_each_write(function, &mut |reg| writes.push(reg));
        let known: Vec<Reg> = written.clone();
        written.extend(&writes);
        if !writes.contains(&wanted) {
            continue;
        }
        match *inst {
            Inst::Copy { src, .. } | Inst::Cast { src, .. } => wanted = src,
            // `!`
            Inst::Bin {
                op: BinOp::Xor,
                width: 1,
                a,
                b,
                ..
            } if numbers.get(b) == Some(1) => {
                wanted = a;
                negated = !negated;
            }
            Inst::Cmp {
                op, width, a, b, ..
            } => {
                let lost = known.contains(&a) || known.contains(&b);
                found = (!lost && width <= 64).then_some(AnnotatedComparison {
                    op,
                    width,
                    a,
                    b,
                    negated,
                });
                // `(x < y) != 0` is about `x` and `y`, if that is a comparison.
                let zero = numbers.get(b) == Some(0);
                match op {
                    CmpOp::Ne if zero => wanted = a,
                    CmpOp::Eq if zero => {
                        wanted = a;
                        negated = !negated;
                    }
                    _ => return found,
                }
            }
            _ => return found,
        }
    }
    found
}

/// By how much `a op b` misses being `want`; at least 1.
fn distance(op: CmpOp, width: u8, a: u64, b: u64, want: bool) -> u64 {
    use crate::memory::sign_extend;
    let signed = matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge);
    let (x, y) = match signed {
        true => (
            i128::from(sign_extend(a, width)),
            i128::from(sign_extend(b, width)),
        ),
        false => (i128::from(a), i128::from(b)),
    };
    let gap = (x - y).unsigned_abs();
    let is_equality = matches!((op, want), (CmpOp::Eq, true) | (CmpOp::Ne, false));
    let is_strict = matches!(
        (op, want),
        (CmpOp::Ult | CmpOp::Ugt | CmpOp::Slt | CmpOp::Sgt, true)
            | (CmpOp::Ule | CmpOp::Uge | CmpOp::Sle | CmpOp::Sge, false)
    );
    let gap = if is_equality {
        // Numbers that differ by a little around 0 are far apart only as unsigned ones.
        let (x, y) = (sign_extend(a, width), sign_extend(b, width));
        gap.min((i128::from(x) - i128::from(y)).unsigned_abs())
    } else {
        gap + u128::from(is_strict)
    };
    u64::try_from(gap).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_what_is_missing() {
        let d = |op, a: i32, b: i32, want| distance(op, 32, a as u32 as u64, b as u32 as u64, want);
        assert_eq!(d(CmpOp::Eq, 2, 6, true), 4);
        assert_eq!(d(CmpOp::Eq, -1, 1, true), 2);
        assert_eq!(d(CmpOp::Eq, 6, 6, false), 1);
        assert_eq!(d(CmpOp::Slt, 9, -1, true), 11);
        assert_eq!(d(CmpOp::Sle, 9, -1, true), 10);
        assert_eq!(d(CmpOp::Sge, 9, -1, false), 11);
        assert_eq!(d(CmpOp::Ult, -1, 0, true), 1 << 32);
    }
}
