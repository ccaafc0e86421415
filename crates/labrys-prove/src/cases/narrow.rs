//! What a condition says of the numbers that it was computed from, in registers and in memory.

use super::analysis::{CaseAnalysis, CasePoint};
use super::state::{CaseState, CaseValue, ImpossibleCase};
use crate::call_effects::CallEffect;
use crate::compare;
use crate::definitions::Definition;
use crate::inverse::{binary_operands, cast_operand};
use crate::places::{Base, MemoryPlace};
use crate::sweep::values_without_case;
use crate::value_set::ValueSet;
use labrys_ir::{BinOp, CmpOp, Const, EdgeId, FuncId, Inst, Reg, SwitchTableId, SymbolRef};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Conditions are followed back through so many instructions.
const MAX_DEPTH: u32 = 12;

type Narrowed = Result<(), ImpossibleCase>;

impl CaseAnalysis<'_, '_> {
    /// Is the register one value wherever it is read?
    pub(super) fn is_settled(&self, function: FuncId, reg: Reg) -> bool {
        let known = self.setting.function(function);
        known.is_some_and(|known| !known.definitions.may_be_unwritten(reg))
    }

    pub(super) fn value(&self, state: &CaseState, point: CasePoint, reg: Reg) -> Option<CaseValue> {
        let known = self.setting.function(point.function)?;
        if let Some(value) = known.constants.get(&reg) {
            return match value {
                _ if known.is_made_up => None,
                Const::Symbol(SymbolRef::Global { global, addend }) => {
                    CaseValue::address(Base::Global(*global), vec![*addend])
                }
                Const::Int(bits) => {
                    let function = &self.setting.module.functions[point.function.index()];
                    let width = function.width(reg);
                    let value = ValueSet::constant(width, *bits as u64);
                    CaseValue::number(value)
                }
                _ => None,
            };
        }
        match known.definitions.may_be_unwritten(reg) {
            true => None,
            false => state.register(reg).cloned(),
        }
    }

    pub(super) fn number(&self, state: &CaseState, point: CasePoint, reg: Reg) -> ValueSet {
        let function = &self.setting.module.functions[point.function.index()];
        let width = function.width(reg);
        match self.value(state, point, reg) {
            Some(CaseValue::Number(value)) if value.width == width => *value,
            _ => ValueSet::top(width),
        }
    }

    /// A register is one of `want`, and so is what it was computed from.
    pub(super) fn assume(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        reg: Reg,
        want: &ValueSet,
    ) -> Narrowed {
        self.narrow(state, point, reg, want, MAX_DEPTH)
    }

    fn narrow(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        reg: Reg,
        want: &ValueSet,
        depth: u32,
    ) -> Narrowed {
        let Some(known) = self.setting.function(point.function) else {
            return Ok(());
        };
        let definitions = &known.definitions;
        let is_constant = definitions.def(reg) == Definition::Const;
        if depth == 0 || definitions.may_be_unwritten(reg) && !is_constant {
            return Ok(());
        }
        if let Some(CaseValue::Address(..)) = self.value(state, point, reg) {
            // No object is at address 0.
            return match want.as_constant() {
                Some(0) => Err(ImpossibleCase),
                _ => Ok(()),
            };
        }
        let now = self.number(state, point, reg);
        let new = now.meet(want).ok_or(ImpossibleCase)?;
        if is_constant {
            return Ok(());
        }
        if new != now {
            state.refine(reg, CaseValue::number(new));
            let places: Vec<MemoryPlace> = state.places_held(reg).collect();
            for place in places {
                self.narrow_cell(state, place, &new)?;
            }
        }
        match definitions.inst_at(reg, point.at) {
            Some(at) => self.narrow_operands(state, point, at, &new, depth - 1),
            None => Ok(()),
        }
    }

    /// A place holds one of `want`, and so do the registers that hold what is there.
    pub(super) fn narrow_cell(
        &self,
        state: &mut CaseState,
        place: MemoryPlace,
        want: &ValueSet,
    ) -> Narrowed {
        let now = state
            .cell(place)
            .map_or(ValueSet::top(place.width), |v| **v);
        if want.width != place.width {
            return Ok(());
        }
        let new = now.meet(want).ok_or(ImpossibleCase)?;
        if new != now {
            state.set_cell(place, Some(Rc::new(new)));
        }
        for reg in state.holders(place) {
            let held = match state.register(reg) {
                Some(CaseValue::Number(value)) if value.width == new.width => **value,
                Some(_) => continue,
                None => ValueSet::top(new.width),
            };
            let sharper = held.meet(&new).ok_or(ImpossibleCase)?;
            if sharper != held {
                state.refine(reg, CaseValue::number(sharper));
            }
        }
        Ok(())
    }

    fn narrow_operands(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        at: u32,
        new: &ValueSet,
        depth: u32,
    ) -> Narrowed {
        let function = &self.setting.module.functions[point.function.index()];
        match function.code[at as usize] {
            Inst::Copy { src, .. } => self.narrow(state, point, src, new, depth),
            Inst::Cast { op, src, from, .. } => {
                let old = self.number(state, point, src);
                match cast_operand(op, from, new, &old) {
                    Some(want) => self.narrow(state, point, src, &want, depth),
                    None => Ok(()),
                }
            }
            Inst::Cmp { op, a, b, .. } => match new.as_constant() {
                Some(1) => self.holds(state, point, (op, a, b), depth),
                Some(0) => self.holds(state, point, (compare::negated(op), a, b), depth),
                _ => Ok(()),
            },
            Inst::Bin { op, a, b, .. } => {
                let (left, right) = (self.number(state, point, a), self.number(state, point, b));
                if op == BinOp::Or {
                    return Ok(());
                }
                let (for_a, for_b) = binary_operands(op, new, &left, &right);
                for (reg, want) in [(a, for_a), (b, for_b)] {
                    if let Some(want) = want {
                        let want = want.ok_or(ImpossibleCase)?;
                        self.narrow(state, point, reg, &want, depth)?;
                    }
                }
                Ok(())
            }
            Inst::Call { callee, args, .. } => {
                let argument = |i: usize| function.list(args).get(i).copied();
                match (self.setting.effects[callee.index()], new.is_zero()) {
                    (CallEffect::Truth { value, .. }, Some(zero)) => {
                        let Some(value) = argument(value) else {
                            return Ok(());
                        };
                        let width = function.width(value);
                        let want = match zero {
                            true => ValueSet::constant(width, 0),
                            false => ValueSet::not_zero(width),
                        };
                        self.narrow(state, point, value, &want, depth)
                    }
                    (CallEffect::Switch, _) => match argument(1) {
                        Some(value) => self.narrow(state, point, value, new, depth),
                        None => Ok(()),
                    },
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn holds(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        (op, a, b): (CmpOp, Reg, Reg),
        depth: u32,
    ) -> Narrowed {
        if let Some(truth) = self.compared_addresses(state, point, op, a, b) {
            return if truth { Ok(()) } else { Err(ImpossibleCase) };
        }
        let (left, right) = (self.number(state, point, a), self.number(state, point, b));
        let (left, right) = compare::sharpen(op, &left, &right).ok_or(ImpossibleCase)?;
        self.narrow(state, point, a, &left, depth)?;
        self.narrow(state, point, b, &right, depth)
    }

    /// Whether a comparison of an address with 0 holds.
    pub(super) fn compared_addresses(
        &self,
        state: &CaseState,
        point: CasePoint,
        op: CmpOp,
        a: Reg,
        b: Reg,
    ) -> Option<bool> {
        let is_address =
            |reg| matches!(self.value(state, point, reg), Some(CaseValue::Address(..)));
        let is_null = |reg| self.number(state, point, reg).as_constant() == Some(0);
        let is_decided = is_address(a) && is_null(b) || is_null(a) && is_address(b);
        match op {
            CmpOp::Eq if is_decided => Some(false),
            CmpOp::Ne if is_decided => Some(true),
            _ => None,
        }
    }

    /// The values with which a `switch` takes each of its edges.
    pub(super) fn switch_edges(
        &self,
        state: &CaseState,
        point: CasePoint,
        reg: Reg,
        table: SwitchTableId,
    ) -> Vec<(EdgeId, ValueSet)> {
        let function = &self.setting.module.functions[point.function.index()];
        let table = &function.switches[table.index()];
        let now = self.number(state, point, reg);
        let mut wanted: BTreeMap<EdgeId, Vec<ValueSet>> = BTreeMap::new();
        for (number, edge) in &table.cases {
            if !now.is_tracked() || now.contains(*number as u64) {
                let value = ValueSet::constant(now.width, *number as u64);
                wanted.entry(*edge).or_default().push(value);
            }
        }
        if let Some(edge) = table.default
            && let Some(rest) = values_without_case(&now, &table.cases)
        {
            wanted.entry(edge).or_default().push(rest);
        }
        let wanted = wanted.into_iter();
        let joined = wanted.filter_map(|(edge, values)| {
            Some((edge, values.into_iter().reduce(|a, b| a.join(&b))?))
        });
        joined.collect()
    }
}
