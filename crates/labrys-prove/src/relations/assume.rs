//! Relations where values are looked at: what they decide, and what a condition that holds adds to them.

use super::constraints::Relations;
use super::stride::Stride;
use super::terms::{Atom, Literal};
use crate::compare::negated;
use crate::reason::HeldRelation;
use crate::refine::{FunctionView, ImpossibleAssumption};
use crate::state::AbstractState;
use crate::value_set::{ValueSet, mask, signed_limits};
use labrys_ir::{BinOp, CmpOp, Reg};

/// A difference or a sum of two registers: the bounds of it as a whole number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeRange {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl WholeRange {
    /// Is it the same number in a register of this width?
    pub(super) fn fits(self, width: u8, signed: bool) -> bool {
        self.shift(width, signed) == Some(0)
    }

    /// What is to be added to get the number in a register of this width, if that is always the same:
    /// all of these numbers wrap around, or none.
    pub(super) fn shift(self, width: u8, signed: bool) -> Option<i128> {
        let (low, high) = match signed {
            true => {
                let (low, high) = signed_limits(width);
                (i128::from(low), i128::from(high))
            }
            false => (0, i128::from(mask(width))),
        };
        let around = i128::from(mask(width)) + 1;
        let mut shifts = [0, -around, around].into_iter();
        shifts.find(|shift| low <= self.low + shift && self.high + shift <= high)
    }
}

impl FunctionView<'_> {
    pub(crate) fn atom(&self, reg: Reg) -> Option<Atom> {
        self.pack.atom(reg).map(Atom::Reg)
    }

    /// What a number can be, without relations.
    pub(crate) fn atom_value(&self, state: &AbstractState, atom: Atom) -> Option<ValueSet> {
        match atom {
            Atom::Reg(reg) => {
                let base = self.base[reg.index()]?;
                Some(match state.value(self.definitions.name(reg)) {
                    Some(here) => base.meet(here).unwrap_or(base),
                    None => base,
                })
            }
            Atom::Cell(number) => {
                let place = self.packed_cells.place(number);
                state.cells.get(place).copied()
            }
            Atom::Zero => None,
            Atom::Param(_) | Atom::Result(_) => None,
        }
    }

    /// A value of a register, with what is known of its stride.
    pub(crate) fn with_stride(&self, state: &AbstractState, reg: Reg, value: ValueSet) -> ValueSet {
        if state.relations.strides().is_empty() {
            return value;
        }
        let stride = self
            .atom(reg)
            .and_then(|atom| state.relations.known_stride(atom));
        let sharp = stride.and_then(|stride| stride.sharpen(&value));
        sharp.unwrap_or(value)
    }

    /// The stride of a register for an instruction that reads it.
    pub(super) fn stride(&self, state: &AbstractState, reg: Reg, by: u32) -> Stride {
        let value = self.read(state, reg, by);
        let known = self
            .atom(reg)
            .and_then(|atom| state.relations.known_stride(atom));
        match (value.as_constant(), known) {
            (None, Some(stride)) => stride,
            _ => Relations::default().stride(Atom::Zero, &|_| Some(value)),
        }
    }

    /// A register as a literal and a number that is added to it.
    fn side(&self, reg: Reg, value: &ValueSet, signed: bool) -> Option<(Literal, i128)> {
        match value.as_constant() {
            Some(bits) => {
                let number = match signed {
                    true => i128::from(value.smin),
                    false => i128::from(bits),
                };
                Some((Literal::ZERO, number))
            }
            None => self.atom(reg).map(|atom| (Literal::of(atom, signed), 0)),
        }
    }

    /// The bounds of `a + b` or, if `subtracts`, of `a - b`, as whole numbers.
    pub(crate) fn extent(
        &self,
        state: &AbstractState,
        (a, b): (Reg, Reg),
        subtracts: bool,
        signed: bool,
        by: u32,
    ) -> Option<WholeRange> {
        let (left, right) = (self.read(state, a, by), self.read(state, b, by));
        if !left.is_tracked() || left.width != right.width {
            return None;
        }
        let range = |value: &ValueSet| match signed {
            true => (i128::from(value.smin), i128::from(value.smax)),
            false => (i128::from(value.umin), i128::from(value.umax)),
        };
        let ((a_low, a_high), (b_low, b_high)) = (range(&left), range(&right));
        let mut extent = match subtracts {
            true => WholeRange {
                low: a_low - b_high,
                high: a_high - b_low,
            },
            false => WholeRange {
                low: a_low + b_low,
                high: a_high + b_high,
            },
        };
        if state.relations.entries().is_empty() {
            return Some(extent);
        }
        let sides = self
            .side(a, &left, signed)
            .zip(self.side(b, &right, signed));
        if let Some(((x, add), (y, more))) = sides
            && (x.atom != Atom::Zero || y.atom != Atom::Zero)
            && state.relations.says_something_of(x.atom)
            && state.relations.says_something_of(y.atom)
        {
            let values = |atom| self.atom_value(state, atom);
            let (y, more) = match subtracts {
                true => (y.negated(), -more),
                false => (y, more),
            };
            let distance = add + more;
            self.count_steps(state.relations.len() as u64);
            if let Some(most) = state.relations.upper(x, y, &values) {
                extent.high = extent.high.min(most + distance);
            }
            let least = state.relations.upper(x.negated(), y.negated(), &values);
            if let Some(least) = least {
                extent.low = extent.low.max(distance - least);
            }
        }
        Some(extent)
    }

    fn count_steps(&self, steps: u64) {
        self.steps_taken.set(self.steps_taken.get() + steps);
    }

    /// Do relations say more of these registers than their values?
    fn are_related(&self, state: &AbstractState, a: Reg, b: Reg) -> bool {
        !state.relations.is_empty() && (self.atom(a).is_some() || self.atom(b).is_some())
    }

    /// Whether a comparison holds, as far as relations decide it.
    pub(crate) fn decided_by_relation(
        &self,
        state: &AbstractState,
        op: CmpOp,
        (a, b): (Reg, Reg),
        by: u32,
    ) -> Option<bool> {
        if !self.are_related(state, a, b) {
            return None;
        }
        let extent = |signed| self.extent(state, (a, b), true, signed, by);
        match op {
            CmpOp::Ne => {
                let equal = self.decided_by_relation(state, CmpOp::Eq, (a, b), by);
                equal.map(|equal| !equal)
            }
            CmpOp::Eq => {
                let apart = |found: &WholeRange| found.low > 0 || found.high < 0;
                let same = |found: &WholeRange| found.low == 0 && found.high == 0;
                let found: Vec<WholeRange> = [true, false].into_iter().filter_map(extent).collect();
                if found.iter().any(apart) {
                    Some(false)
                } else if found.iter().any(same) {
                    Some(true)
                } else {
                    let meet = self.stride(state, a, by).meets(self.stride(state, b, by));
                    (!meet).then_some(false)
                }
            }
            CmpOp::Slt | CmpOp::Ult => {
                let found = extent(op == CmpOp::Slt)?;
                match (found.high < 0, found.low >= 0) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                }
            }
            CmpOp::Sgt => self.decided_by_relation(state, CmpOp::Slt, (b, a), by),
            CmpOp::Ugt => self.decided_by_relation(state, CmpOp::Ult, (b, a), by),
            CmpOp::Sle | CmpOp::Ule | CmpOp::Sge | CmpOp::Uge => {
                let other = self.decided_by_relation(state, negated(op), (a, b), by);
                other.map(|holds| !holds)
            }
        }
    }

    /// The relation that decides a comparison which values do not decide, and how.
    pub(crate) fn deciding_relation(
        &self,
        state: &AbstractState,
        op: CmpOp,
        (a, b): (Reg, Reg),
        by: u32,
    ) -> Option<(HeldRelation, bool)> {
        let truth = self.decided_by_relation(state, op, (a, b), by)?;
        let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
        for signed in [true, false] {
            let fits = match op {
                CmpOp::Eq | CmpOp::Ne => true,
                CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => signed,
                _ => !signed,
            };
            let Some(found) = self
                .extent(state, (a, b), true, signed, by)
                .filter(|_| fits)
            else {
                continue;
            };
            let (low, high) = (found.low, found.high);
            // What the comparison says when it has this outcome: that the left side is not above,
            // or not below.
            let is_below = match op {
                CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule => truth,
                CmpOp::Eq | CmpOp::Ne => high < 0,
                _ => !truth,
            };
            if is_equality && low <= 0 && high >= 0 {
                continue;
            }
            let relation = match is_below {
                true => HeldRelation::AtMost {
                    signed,
                    distance: high,
                },
                false => HeldRelation::AtLeast {
                    signed,
                    distance: low,
                },
            };
            return Some((relation, truth));
        }
        let side = |reg| {
            let stride = self.stride(state, reg, by);
            (stride.step, stride.rest)
        };
        let (left, right) = (side(a), side(b));
        let apart = !self.stride(state, a, by).meets(self.stride(state, b, by));
        (is_equality && apart).then_some((HeldRelation::Strides { left, right }, truth))
    }

    /// A comparison holds: relations learn it.
    pub(crate) fn relate_compared(
        &self,
        state: &mut AbstractState,
        op: CmpOp,
        (a, b): (Reg, Reg),
        by: u32,
    ) -> Result<(), ImpossibleAssumption> {
        if self.pack.is_empty() {
            return Ok(());
        }
        if self.decided_by_relation(state, op, (a, b), by) == Some(false) {
            return Err(ImpossibleAssumption);
        }
        let (Some(x), Some(y)) = (self.atom(a), self.atom(b)) else {
            return Ok(());
        };
        if x == y {
            return Ok(());
        }
        let relations = &mut state.relations;
        let mut less = |x: Atom, y: Atom, signed: bool, bound: i128| {
            let (x, y) = (Literal::of(x, signed), Literal::of(y, signed));
            relations.add(x, y.negated(), bound);
        };
        match op {
            CmpOp::Slt => less(x, y, true, -1),
            CmpOp::Sle => less(x, y, true, 0),
            CmpOp::Sgt => less(y, x, true, -1),
            CmpOp::Sge => less(y, x, true, 0),
            CmpOp::Ult => less(x, y, false, -1),
            CmpOp::Ule => less(x, y, false, 0),
            CmpOp::Ugt => less(y, x, false, -1),
            CmpOp::Uge => less(y, x, false, 0),
            CmpOp::Eq => {
                for signed in [true, false] {
                    less(x, y, signed, 0);
                    less(y, x, signed, 0);
                }
            }
            CmpOp::Ne => {
                // Where one is known not to be above the other, it is below.
                for signed in [true, false] {
                    if let Some(found) = self.extent(state, (a, b), true, signed, by) {
                        let (x, y) = (Literal::of(x, signed), Literal::of(y, signed));
                        if found.high == 0 {
                            state.relations.add(x, y.negated(), -1);
                        } else if found.low == 0 {
                            state.relations.add(x.negated(), y, -1);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What a sum, a difference or a rest can be by relations of its operands.
    pub(crate) fn related_result(
        &self,
        state: &AbstractState,
        op: BinOp,
        (a, b): (Reg, Reg),
        value: ValueSet,
        by: u32,
    ) -> ValueSet {
        if !value.is_tracked() || !self.are_related(state, a, b) {
            return value;
        }
        match op {
            BinOp::Add | BinOp::Sub if self.atom(a).is_some() && self.atom(b).is_some() => {
                let mut value = value;
                for signed in [true, false] {
                    let found = self.extent(state, (a, b), op == BinOp::Sub, signed, by);
                    let found = found.filter(|found| found.fits(value.width, signed));
                    let sharp = found.and_then(|found| match signed {
                        true => ValueSet::signed(value.width, found.low as i64, found.high as i64),
                        false => {
                            ValueSet::unsigned(value.width, found.low as u64, found.high as u64)
                        }
                    });
                    value = sharp.and_then(|sharp| value.meet(&sharp)).unwrap_or(value);
                }
                value
            }
            BinOp::URem | BinOp::SRem => {
                let stride = self.rest_stride(state, (a, b), by);
                let sharp = stride.and_then(|stride| stride.sharpen(&value));
                sharp.unwrap_or(value)
            }
            _ => value,
        }
    }

    /// The stride of `a % b`, for an `a` that is not negative and a number `b`.
    pub(super) fn rest_stride(
        &self,
        state: &AbstractState,
        (a, b): (Reg, Reg),
        by: u32,
    ) -> Option<Stride> {
        let divisor = self.read(state, b, by);
        let is_plain = self.read(state, a, by).smin >= 0 && divisor.smin > 0;
        let divisor = divisor.as_constant().filter(|_| is_plain)?;
        Some(self.stride(state, a, by).modulo(divisor))
    }

    /// The result of an operation is one of `new`: relations of its operands learn it.
    pub(crate) fn relate_operands(
        &self,
        state: &mut AbstractState,
        (op, a, b): (BinOp, Reg, Reg),
        new: &ValueSet,
        by: u32,
    ) -> Result<(), ImpossibleAssumption> {
        if self.pack.is_empty() || !new.is_tracked() {
            return Ok(());
        }
        match op {
            BinOp::Add | BinOp::Sub => {
                let (Some(x), Some(y)) = (self.atom(a), self.atom(b)) else {
                    return Ok(());
                };
                for signed in [true, false] {
                    let found = self.extent(state, (a, b), op == BinOp::Sub, signed, by);
                    if !found.is_some_and(|found| found.fits(new.width, signed)) {
                        continue;
                    }
                    let (low, high) = match signed {
                        true => (i128::from(new.smin), i128::from(new.smax)),
                        false => (i128::from(new.umin), i128::from(new.umax)),
                    };
                    let (x, mut y) = (Literal::of(x, signed), Literal::of(y, signed));
                    if op == BinOp::Sub {
                        y = y.negated();
                    }
                    let found = found.unwrap_or(WholeRange { low, high });
                    if found.high < low || found.low > high {
                        return Err(ImpossibleAssumption);
                    }
                    if high < found.high {
                        state.relations.add(x, y, high);
                    }
                    if low > found.low {
                        state.relations.add(x.negated(), y.negated(), -low);
                    }
                }
            }
            BinOp::URem | BinOp::SRem => {
                let (divisor, rest) = (self.read(state, b, by), new.as_constant());
                let is_plain = self.read(state, a, by).smin >= 0 && divisor.smin > 0;
                let (Some(divisor), Some(rest)) = (divisor.as_constant(), rest) else {
                    return Ok(());
                };
                if !is_plain {
                    return Ok(());
                }
                let known = self.stride(state, a, by);
                let learnt = Stride::of(divisor, rest.into());
                if !known.meets(learnt) {
                    return Err(ImpossibleAssumption);
                }
                if let Some(atom) = self.atom(a)
                    && known.step != 0
                    && learnt.step > known.step
                {
                    state.relations.set_stride(atom, learnt);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
