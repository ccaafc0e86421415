//! From an assumption about a register back to what it was computed from: `zext(x > 5) != 0`
//! says that `x` is at least 6. A contradiction on the way means that the assumption cannot hold.

use crate::call_addresses::PlaceOffsets;
use crate::call_effects::CallEffect;
use crate::compare::{self, OrderSet, decide};
use crate::definitions::{CodePoint, Definition, Definitions};
use crate::equal_registers::MAX_COMPARED_DEPTH;
use crate::focused_places::FocusedPlaces;
use crate::inverse::{binary_operands, cast_operand};
use crate::relations::{Pack, PackedCells};
use crate::state::AbstractState;
use crate::transfer::{binary, cast};
use crate::value_set::ValueSet;
use crate::writes::{calls_anything, written};
use labrys_ir::{BinOp, BlockId, CmpOp, Function, Inst, Reg};
use std::cell::Cell;

/// Expressions are followed this deep; each level costs a visit of all operands.
const MAX_EXPRESSION_DEPTH: u32 = 14;
/// Values are computed again from sharper operands this deep; each level may double the cost.
const MAX_RECOMPUTED_DEPTH: u32 = 5;
/// An assumption is applied three times, so that what was learnt last sharpens what came first.
const LEARNING_ROUNDS: usize = 3;
/// The way over one edge into a phi is followed this deep: through a decision of two conditions.
const MAX_EDGE_DEPTH: u32 = 10;
/// A phi with more edges than this is not followed edge by edge.
const MAX_PHI_EDGES: usize = 16;

/// One function as far as it is known by now.
pub(crate) struct FunctionView<'a> {
    pub(crate) function: &'a Function,
    pub(crate) definitions: &'a Definitions,
    /// What a call of each function of the module does.
    pub(crate) effects: &'a [CallEffect],
    /// The numbers that relations are kept about.
    pub(crate) pack: &'a Pack,
    pub(crate) packed_cells: &'a PackedCells,
    /// Constants by register.
    pub(crate) constants: &'a [Option<ValueSet>],
    /// What each register can be, wherever it is written; none if nothing writes it yet.
    pub(crate) base: &'a [Option<ValueSet>],
    /// What holds behind each edge; none if it is not taken.
    pub(crate) edges: &'a [Option<AbstractState>],
    /// Where in their objects the addresses in parameters lead.
    pub(crate) param_places: &'a [PlaceOffsets],
    /// Instructions that may not know the constants that they read; none are if it is empty.
    pub(crate) no_constants: &'a [bool],
    /// An assumption teaches nothing: it holds, or it does not.
    pub(crate) only_constants: bool,
    /// Steps that one assumption may take in all.
    pub(crate) step_limit: u32,
    /// Steps that are left of it.
    pub(crate) steps_left: Cell<u32>,
    /// Steps taken by all.
    pub(crate) steps_taken: Cell<u64>,
}

/// The assumption cannot hold.
pub(crate) struct ImpossibleAssumption;

pub(crate) type AssumptionResult = Result<(), ImpossibleAssumption>;

impl FunctionView<'_> {
    /// What a register can be for an instruction that reads it.
    pub(crate) fn read(&self, state: &AbstractState, reg: Reg, by: u32) -> ValueSet {
        if let Some(constant) = &self.constants[reg.index()] {
            return match self.sees_no_constants(by) {
                false => *constant,
                true => ValueSet::top(constant.width),
            };
        }
        let width = self.function.width(reg);
        if self.definitions.may_be_unwritten(reg) {
            return ValueSet::top(width);
        }
        let base = self.base[reg.index()].unwrap_or(ValueSet::top(width));
        let value = match state.value(self.definitions.name(reg)) {
            Some(here) => base.meet(here).unwrap_or(base),
            None => base,
        };
        self.with_stride(state, reg, value)
    }

    pub(crate) fn sees_no_constants(&self, at: u32) -> bool {
        self.no_constants.get(at as usize).copied().unwrap_or(false)
    }

    /// The same, computed anew from what is known of its operands at this point.
    pub(crate) fn recomputed(
        &self,
        state: &AbstractState,
        point: CodePoint,
        reg: Reg,
        by: u32,
        depth: u32,
    ) -> Result<ValueSet, ImpossibleAssumption> {
        let value = self.read(state, reg, by);
        if depth == 0 || value.as_constant().is_some() || !self.step() {
            return Ok(value);
        }
        let Some(at) = self.definitions.inst_at(reg, point) else {
            return Ok(value);
        };
        let of = |reg: Reg| self.recomputed(state, point, reg, at, depth - 1);
        let again = match self.function.code[at as usize] {
            Inst::Bin { op, a, b, .. } => {
                let (left, right) = (of(a)?, of(b)?);
                let result = self.binary(op, (a, b), &left, &right);
                self.related_result(state, op, (a, b), result, at)
            }
            Inst::Cmp { op, a, b, .. } => {
                ValueSet::truth(self.compare(state, point, op, (a, b), &of(a)?, &of(b)?))
            }
            Inst::Cast { op, to, src, .. } => cast(op, to, &of(src)?),
            Inst::Copy { src, .. } => of(src)?,
            Inst::Load { .. } => match self.definitions.loaded(at) {
                Some(held) => of(held)?,
                None => return Ok(value),
            },
            Inst::Select { cond, a, b, .. } => match of(cond)?.is_zero() {
                Some(true) => of(b)?,
                Some(false) => of(a)?,
                None => of(a)?.join(&of(b)?),
            },
            _ => return Ok(value),
        };
        value.meet(&again).ok_or(ImpossibleAssumption)
    }

    pub(crate) fn step(&self) -> bool {
        let left = self.steps_left.get();
        self.steps_left.set(left.saturating_sub(1));
        self.steps_taken.set(self.steps_taken.get() + 1);
        left > 0
    }

    /// Arithmetic; a register minus itself is zero whatever it is.
    pub(crate) fn binary(
        &self,
        op: BinOp,
        (a, b): (Reg, Reg),
        left: &ValueSet,
        right: &ValueSet,
    ) -> ValueSet {
        let same = self.definitions.name(a) == self.definitions.name(b);
        match op {
            BinOp::Sub | BinOp::Xor if same && !self.definitions.may_be_unwritten(a) => {
                ValueSet::constant(left.width, 0)
            }
            _ => binary(op, left, right),
        }
    }

    /// Whether a comparison holds, by the values of its operands and by what is known of their
    /// order.
    pub(crate) fn compare(
        &self,
        state: &AbstractState,
        point: CodePoint,
        op: CmpOp,
        (a, b): (Reg, Reg),
        left: &ValueSet,
        right: &ValueSet,
    ) -> Option<bool> {
        if let Some(value) = decide(op, left, right) {
            return Some(value);
        }
        let known = self.order(state, a, b).decides(op);
        let known = known.or_else(|| self.decided_by_relation(state, op, (a, b), point.at));
        known.or_else(
            || match self.are_equal(state, point, a, b, MAX_COMPARED_DEPTH) {
                true => OrderSet::SAME.decides(op),
                false => None,
            },
        )
    }

    fn order(&self, state: &AbstractState, a: Reg, b: Reg) -> OrderSet {
        let loose = |reg| self.definitions.may_be_unwritten(reg);
        let (x, y) = (self.definitions.name(a), self.definitions.name(b));
        match loose(a) || loose(b) {
            true => OrderSet::ANY,
            false => state.order(x, y),
        }
    }

    /// Adds to a state that a register, as the instruction `point.at` reads it, is one of `want`.
    pub(crate) fn assume(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        reg: Reg,
        want: &ValueSet,
    ) -> AssumptionResult {
        if self.only_constants {
            let now = self.read(state, reg, point.at);
            return now.meet(want).map(|_| ()).ok_or(ImpossibleAssumption);
        }
        self.steps_left.set(self.step_limit);
        for _ in 0..LEARNING_ROUNDS {
            let before = state.clone();
            self.narrow(state, point, reg, point.at, want, MAX_EXPRESSION_DEPTH)?;
            if *state == before {
                break;
            }
        }
        self.settle_cases(state, point)
    }

    fn narrow(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        reg: Reg,
        by: u32,
        want: &ValueSet,
        depth: u32,
    ) -> AssumptionResult {
        if depth == 0 || !self.step() || self.definitions.may_be_unwritten(reg) {
            return Ok(());
        }
        let now = self.recomputed(state, point, reg, by, MAX_RECOMPUTED_DEPTH)?;
        let new = now.meet(want).ok_or(ImpossibleAssumption)?;
        if self.definitions.def(reg) == Definition::Const {
            return Ok(());
        }
        if new != self.read(state, reg, by) {
            state.set_value(self.definitions.name(reg), new);
        }
        if let Some(at) = self.definitions.inst_at(reg, point) {
            self.assume_operands(state, point, at, &new, depth - 1)
        } else if let Some(block) = self.definitions.phi_at(reg, point) {
            self.assume_phi_operands(state, point, block, reg, &new, depth - 1)
        } else {
            Ok(())
        }
    }

    /// Back through the instruction that computes a register, which is one of `new`.
    fn assume_operands(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        at: u32,
        new: &ValueSet,
        depth: u32,
    ) -> AssumptionResult {
        match self.function.code[at as usize] {
            Inst::Copy { src, .. } => self.narrow(state, point, src, at, new, depth),
            Inst::Load { .. } => match self.definitions.loaded(at) {
                Some(held) => self.narrow(state, point, held, at, new, depth),
                None => Ok(()),
            },
            Inst::Cast { op, src, from, .. } => {
                let old = self.recomputed(state, point, src, at, MAX_RECOMPUTED_DEPTH)?;
                match cast_operand(op, from, new, &old) {
                    Some(want) => self.narrow(state, point, src, at, &want, depth),
                    None => Ok(()),
                }
            }
            Inst::Cmp { op, a, b, .. } => match new.as_constant() {
                Some(1) => self.holds(state, point, at, (op, a, b), depth),
                Some(0) => self.holds(state, point, at, (compare::negated(op), a, b), depth),
                _ => Ok(()),
            },
            Inst::Bin { op, a, b, .. } => {
                self.assume_binary_operands(state, point, at, (op, a, b), new, depth)
            }
            Inst::Select { cond, a, b, .. } => {
                let one = |state: &mut AbstractState, chosen: u64, side: Reg| {
                    let chosen = ValueSet::constant(1, chosen);
                    self.narrow(state, point, cond, at, &chosen, depth)?;
                    self.narrow(state, point, side, at, new, depth)
                };
                self.assume_either(state, |s| one(s, 1, a), |s| one(s, 0, b))
            }
            Inst::Call { callee, args, .. } => {
                let argument = |i: usize| self.function.list(args).get(i).copied();
                match (&self.effects[callee.index()], new.is_zero()) {
                    (CallEffect::Truth { value, .. }, Some(zero)) => {
                        let Some(value) = argument(*value) else {
                            return Ok(());
                        };
                        let width = self.function.width(value);
                        let want = match zero {
                            true => ValueSet::constant(width, 0),
                            false => ValueSet::not_zero(width),
                        };
                        self.narrow(state, point, value, at, &want, depth)
                    }
                    (CallEffect::Switch, _) => match argument(1) {
                        Some(value) => self.narrow(state, point, value, at, new, depth),
                        None => Ok(()),
                    },
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// A comparison holds.
    fn holds(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        at: u32,
        (op, a, b): (CmpOp, Reg, Reg),
        depth: u32,
    ) -> AssumptionResult {
        let left = self.recomputed(state, point, a, at, MAX_RECOMPUTED_DEPTH)?;
        let right = self.recomputed(state, point, b, at, MAX_RECOMPUTED_DEPTH)?;
        let order = self.order(state, a, b).and(OrderSet::of(op));
        let differ = order.and(OrderSet::SAME).is_impossible();
        if order.is_impossible() || differ && self.are_equal(state, point, a, b, MAX_COMPARED_DEPTH)
        {
            return Err(ImpossibleAssumption);
        }
        self.relate_compared(state, op, (a, b), at)?;
        // What the order says by now may be more than this comparison alone.
        let op = if order == OrderSet::SAME {
            CmpOp::Eq
        } else {
            op
        };
        let (left, right) = compare::sharpen(op, &left, &right).ok_or(ImpossibleAssumption)?;
        let is_constant = |reg| self.definitions.def(reg) == Definition::Const;
        let is_loose = |reg| self.definitions.may_be_unwritten(reg);
        if !is_constant(a) && !is_constant(b) && !is_loose(a) && !is_loose(b) {
            let (x, y) = (self.definitions.name(a), self.definitions.name(b));
            if !state.add_order(x, y, order) {
                return Err(ImpossibleAssumption);
            }
        }
        self.narrow(state, point, a, at, &left, depth)?;
        self.narrow(state, point, b, at, &right, depth)
    }

    fn assume_binary_operands(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        at: u32,
        (op, a, b): (BinOp, Reg, Reg),
        new: &ValueSet,
        depth: u32,
    ) -> AssumptionResult {
        let left = self.recomputed(state, point, a, at, MAX_RECOMPUTED_DEPTH)?;
        let right = self.recomputed(state, point, b, at, MAX_RECOMPUTED_DEPTH)?;
        let width = new.width;
        let small = left.is_tracked() && left.umax <= 1 && right.umax <= 1;
        let not_zero = ValueSet::not_zero(width);
        let zero = ValueSet::constant(width, 0);
        if op == BinOp::Or && new.is_zero() == Some(false) {
            return self.assume_either(
                state,
                |s| self.narrow(s, point, a, at, &not_zero, depth),
                |s| self.narrow(s, point, b, at, &not_zero, depth),
            );
        }
        if op == BinOp::And && small && new.is_zero() == Some(true) {
            return self.assume_either(
                state,
                |s| self.narrow(s, point, a, at, &zero, depth),
                |s| self.narrow(s, point, b, at, &zero, depth),
            );
        }
        self.relate_operands(state, (op, a, b), new, at)?;
        let (for_a, for_b) = binary_operands(op, new, &left, &right);
        if let Some(want) = for_a {
            self.narrow(
                state,
                point,
                a,
                at,
                &want.ok_or(ImpossibleAssumption)?,
                depth,
            )?;
        }
        if let Some(want) = for_b {
            self.narrow(
                state,
                point,
                b,
                at,
                &want.ok_or(ImpossibleAssumption)?,
                depth,
            )?;
        }
        Ok(())
    }

    /// One of two assumptions holds: what follows from both does.
    fn assume_either(
        &self,
        state: &mut AbstractState,
        first: impl FnOnce(&mut AbstractState) -> AssumptionResult,
        second: impl FnOnce(&mut AbstractState) -> AssumptionResult,
    ) -> AssumptionResult {
        let mut other = state.clone();
        match (first(state), second(&mut other)) {
            (Ok(()), Ok(())) => *state = state.join(&other),
            (Ok(()), Err(_)) => {}
            (Err(_), Ok(())) => *state = other,
            (Err(_), Err(_)) => return Err(ImpossibleAssumption),
        }
        Ok(())
    }

    /// Has nothing been written to memory since control came into this block?
    fn is_memory_unchanged(&self, block: BlockId, point: CodePoint) -> bool {
        if block != point.block {
            return false;
        }
        let start = self.function.blocks[block.index()].start;
        let mut before = self.function.code[start as usize..point.at as usize].iter();
        let writes = |inst: &Inst| match inst {
            Inst::Call { callee, .. } => matches!(
                self.effects[callee.index()],
                CallEffect::Body | CallEffect::Anything | CallEffect::Unknown | CallEffect::Label
            ),
            inst => written(inst).is_some() || calls_anything(inst),
        };
        !before.any(writes)
    }

    /// A phi is one of `new`: control came over an edge that can give such a value. What held
    /// behind all of these edges still holds for registers that have not been written since.
    fn assume_phi_operands(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        block: BlockId,
        reg: Reg,
        new: &ValueSet,
        depth: u32,
    ) -> AssumptionResult {
        let incoming = &self.definitions.incoming[block.index()];
        if incoming.len() > MAX_PHI_EDGES {
            return Ok(());
        }
        let mut joined: Option<AbstractState> = None;
        for edge in incoming {
            let Some(behind) = &self.edges[edge.index()] else {
                continue;
            };
            let source = self.definitions.source[edge.index()];
            let at_end = CodePoint {
                block: source,
                at: self.function.blocks[source.index()].end,
            };
            let copies = self.function.edge_copies(*edge);
            let Some(i) = copies.iter().position(|(dst, _)| *dst == reg) else {
                return Ok(());
            };
            let src = copies[i].1;
            let mut way = behind.clone();
            // Relations behind the edge are about what was copied, not about what was there before.
            for (dst, _) in copies {
                if let Some(atom) = self.atom(*dst) {
                    way.relations.eliminate(atom, false);
                }
            }
            // The terminator of the source stands for the copies.
            let plain = !copies[..i].iter().any(|(dst, _)| *dst == src);
            if plain
                && self
                    .narrow(
                        &mut way,
                        at_end,
                        src,
                        at_end.at - 1,
                        new,
                        depth.min(MAX_EDGE_DEPTH),
                    )
                    .and_then(|()| self.settle_cases(&mut way, at_end))
                    .is_err()
            {
                continue;
            }
            joined = Some(match joined {
                None => way,
                Some(other) => other.join(&way),
            });
        }
        let Some(joined) = joined else {
            return Err(ImpossibleAssumption);
        };
        if self.is_memory_unchanged(block, point) {
            // A pointer may have been computed anew since.
            let mut cells = joined.cells.clone();
            cells.focused = FocusedPlaces::default();
            state.cells = state.cells.meet(&cells);
        }
        let fixed = |reg: Reg| self.definitions.is_fixed_since(reg, block);
        for (reg, value) in joined.values().iter().filter(|(reg, _)| fixed(*reg)) {
            let value = match state.value(*reg) {
                Some(here) => here.meet(value).ok_or(ImpossibleAssumption)?,
                None => *value,
            };
            state.set_value(*reg, value);
        }
        let orders = joined.orders().iter();
        for ((a, b), order) in orders.filter(|((a, b), _)| fixed(*a) && fixed(*b)) {
            if !state.add_order(*a, *b, *order) {
                return Err(ImpossibleAssumption);
            }
        }
        Ok(())
    }
}
