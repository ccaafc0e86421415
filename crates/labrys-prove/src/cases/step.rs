//! What an instruction makes of a state; one state can become several.

use super::analysis::{CaseAnalysis, CasePoint};
use super::keys::SplitElements;
use super::setting::CaseFunction;
use super::state::{CaseState, CaseValue};
use crate::compare::decide;
use crate::constant_tables::initial;
use crate::places::{Base, MemoryPlace};
use crate::pointer_shape::{AddressShape, OffsetSteps};
use crate::state::PendingSwitch;
use crate::transfer::{binary, cast, intrinsic};
use crate::value_set::{MAX_WIDTH, ValueSet};
use crate::writes::calls_anything;
use labrys_ir::{Inst, IntrinsicOp, Reg, RegList};
use std::rc::Rc;

/// An index with more values than this is not split into them.
const MAX_SPLIT: usize = 8;

/// Where an address leads.
enum CaseTarget {
    Places(Base, Rc<Vec<i64>>),
    Within(AddressShape),
    Anywhere,
}

impl CaseAnalysis<'_, '_> {
    /// Adds the states behind an instruction that is no terminator.
    pub(super) fn step(
        &mut self,
        mut state: CaseState,
        point: CasePoint,
        inst: Inst,
        next: &mut Vec<CaseState>,
    ) {
        let number = |state: &CaseState, reg| self.number(state, point, reg);
        let value = match inst {
            Inst::Bin { op, a, b, .. } => {
                CaseValue::number(binary(op, &number(&state, a), &number(&state, b)))
            }
            Inst::Cmp { op, a, b, .. } => {
                let truth = self.compared_addresses(&state, point, op, a, b);
                let truth = truth.or_else(|| decide(op, &number(&state, a), &number(&state, b)));
                CaseValue::number(ValueSet::truth(truth))
            }
            Inst::Cast { op, to, src, .. } => CaseValue::number(cast(op, to, &number(&state, src))),
            Inst::Copy { dst, src } => {
                let value = self.value(&state, point, src);
                let is_settled = self.is_settled(point.function, src);
                state.write(dst, value);
                if is_settled {
                    state.hold_same(dst, src);
                }
                return next.push(state);
            }
            Inst::Select { dst, cond, a, b } => {
                return self.select(state, point, (dst, cond, a, b), next);
            }
            Inst::Offset { base, offset, .. } => match self.value(&state, point, base) {
                Some(CaseValue::Address(base, at)) => {
                    let moved = at.iter().map(|at| at.saturating_add(offset.into()));
                    CaseValue::address(base, moved.collect())
                }
                _ => None,
            },
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => return self.index(state, point, (dst, base, index, scale), next),
            Inst::Alloca { dst, .. } => CaseValue::address(Base::Local(dst), vec![0]),
            Inst::Load { dst, addr, width } => {
                self.load(&mut state, point, dst, addr, width);
                return next.push(state);
            }
            Inst::Store { addr, src, width } => {
                self.store(&mut state, point, addr, src, width);
                return next.push(state);
            }
            Inst::MemCopy { dst, src, len, .. } => {
                self.copy(&mut state, point, dst, src, len);
                return next.push(state);
            }
            Inst::MemSet { dst, byte, len } => {
                self.fill(&mut state, point, dst, byte, len);
                return next.push(state);
            }
            Inst::Call {
                callee,
                args,
                results,
            } => return self.call(state, point, callee, (args, results), next),
            Inst::CallPointer { results, .. } => {
                state.pending = PendingSwitch::Unknown;
                self.anything_runs(&mut state, point);
                self.set_results(&mut state, point, results, &[]);
                return next.push(state);
            }
            Inst::Intrinsic { op, args, results } => {
                if matches!(op, IntrinsicOp::LongJmp | IntrinsicOp::Trap) {
                    return;
                }
                let function = &self.setting.module.functions[point.function.index()];
                let args = function.list(args).iter();
                let args: Vec<ValueSet> = args.map(|reg| number(&state, *reg)).collect();
                if calls_anything(&inst) {
                    self.anything_runs(&mut state, point);
                }
                let values = intrinsic(op, &args).into_iter().map(CaseValue::number);
                let values: Vec<Option<CaseValue>> = values.collect();
                self.set_results(&mut state, point, results, &values);
                return next.push(state);
            }
            _ => None,
        };
        let function = &self.setting.module.functions[point.function.index()];
        inst.for_each_write(function, &mut |dst| state.write(dst, value.clone()));
        next.push(state);
    }

    fn select(
        &self,
        state: CaseState,
        point: CasePoint,
        (dst, cond, a, b): (Reg, Reg, Reg, Reg),
        next: &mut Vec<CaseState>,
    ) {
        for (chosen, truth) in [(a, 1), (b, 0)] {
            let mut side = state.clone();
            let want = ValueSet::constant(1, truth);
            if self.assume(&mut side, point, cond, &want).is_ok() {
                let value = self.value(&side, point, chosen);
                side.write(dst, value);
                next.push(side);
            }
        }
    }

    /// An address with an index, in one state for each element that is told apart.
    fn index(
        &self,
        mut state: CaseState,
        point: CasePoint,
        (dst, base, index, scale): (Reg, Reg, Reg, u32),
        next: &mut Vec<CaseState>,
    ) {
        let Some(CaseValue::Address(object, from)) = self.value(&state, point, base) else {
            state.write(dst, None);
            return next.push(state);
        };
        let number = self.number(&state, point, index);
        let offsets = |number: &ValueSet| {
            let all = number.members.get()?;
            let moved = from.iter().flat_map(|from| {
                all.iter().map(|n| {
                    let n = crate::value_set::signed(number.width, *n);
                    n.saturating_mul(scale.into()).saturating_add(*from)
                })
            });
            Some(moved.collect::<Vec<i64>>())
        };
        let parts = match (
            self.keys.split.get(&object),
            number.members.get(),
            &from[..],
        ) {
            (Some(SplitElements::Each), Some(all), _) if all.len() <= MAX_SPLIT => {
                let one = |n: &u64| ValueSet::constant(number.width, *n);
                all.iter().map(one).collect()
            }
            (Some(SplitElements::One(low, high)), Some(all), [from]) => {
                let inside = |n: &u64| {
                    let n = crate::value_set::signed(number.width, *n);
                    let at = n.saturating_mul(scale.into()).saturating_add(*from);
                    (*low..*high).contains(&at)
                };
                let (these, others): (Vec<u64>, Vec<u64>) = all.iter().partition(|n| inside(n));
                let parts = [these, others].into_iter();
                let some = parts.filter_map(|part| ValueSet::of_numbers(number.width, part));
                some.collect()
            }
            _ => vec![number],
        };
        let is_split = parts.len() > 1;
        for part in parts {
            let mut fork = state.clone();
            if is_split && self.assume(&mut fork, point, index, &part).is_err() {
                continue;
            }
            let value = offsets(&part).and_then(|all| CaseValue::address(object, all));
            fork.write(dst, value);
            next.push(fork);
        }
    }

    fn target(&self, state: &CaseState, point: CasePoint, addr: Reg) -> CaseTarget {
        if let Some(CaseValue::Address(base, offsets)) = self.value(state, point, addr) {
            return CaseTarget::Places(base, offsets);
        }
        let code = self.setting.code(point.function);
        match code.and_then(|code| code.shape(addr)) {
            Some(shape) => CaseTarget::Within(shape),
            None => CaseTarget::Anywhere,
        }
    }

    fn load(&self, state: &mut CaseState, point: CasePoint, dst: Reg, addr: Reg, width: u8) {
        let target = self.target(state, point, addr);
        let CaseTarget::Places(base, offsets) = target else {
            return state.write(dst, None);
        };
        if width > MAX_WIDTH {
            return state.write(dst, None);
        }
        let place = |offset: i64| MemoryPlace {
            base,
            offset,
            width,
        };
        let mut value: Option<ValueSet> = None;
        for offset in offsets.iter() {
            let here = self.held_at(state, point, place(*offset));
            value = Some(value.map_or(here, |other| other.join(&here)));
        }
        let behind = self.behind(state, point, addr, width);
        if let (Some(place), Some(all)) = (behind, value) {
            let known = state.cell(place).and_then(|known| known.meet(&all));
            value = Some(known.unwrap_or(all));
        }
        state.write(dst, value.and_then(CaseValue::number));
        if let (Some(place), Some(value)) = (behind, value)
            && place.base != Base::Pointer(dst)
            && self.is_settled(point.function, dst)
        {
            state.set_cell(place, Some(Rc::new(value)));
            state.hold(dst, place);
        }
        if let [offset] = offsets[..]
            && self.setting.is_steady(point.function, base)
            && self.is_settled(point.function, dst)
        {
            state.hold(dst, place(offset));
        }
    }

    fn held_at(&self, state: &CaseState, point: CasePoint, place: MemoryPlace) -> ValueSet {
        let top = ValueSet::top(place.width);
        if let Base::Global(id) = place.base {
            let global = &self.setting.module.globals[id.index()];
            let is_made_up = |known: &CaseFunction| known.is_made_up;
            let hidden = self.setting.function(point.function).is_none_or(is_made_up);
            if global.constant && !global.external && !hidden {
                return initial(global, place.offset.into(), place.width).unwrap_or(top);
            }
        }
        let known = state.cell(place).map_or(top, |value| **value);
        match self.setting.bounds.place(place) {
            Some(bound) => known.meet(bound).unwrap_or(known),
            None => known,
        }
    }

    fn store(&self, state: &mut CaseState, point: CasePoint, addr: Reg, src: Reg, width: u8) {
        let value = self.number(state, point, src);
        let is_whole = width.is_multiple_of(8) && width <= MAX_WIDTH && value.width == width;
        let is_number = !matches!(self.value(state, point, src), Some(CaseValue::Address(..)));
        let value = Rc::new(match is_whole && is_number {
            true => value,
            false => ValueSet::top(width),
        });
        let target = self.target(state, point, addr);
        let CaseTarget::Places(base, offsets) = target else {
            let bytes = u64::from(width.div_ceil(8));
            return self.write_somewhere(state, point, &target, bytes);
        };
        let place = |offset: i64| MemoryPlace {
            base,
            offset,
            width,
        };
        let old: Vec<Option<Rc<ValueSet>>> = offsets
            .iter()
            .map(|offset| state.cell(place(*offset)).cloned())
            .collect();
        let overlaps = |known: MemoryPlace| {
            let mut all = offsets.iter();
            known.base == base && all.any(|offset| place(*offset).overlaps(known))
        };
        let behind = self.behind(state, point, addr, width);
        state.forget(overlaps);
        if !self.setting.is_steady(point.function, base) || width > MAX_WIDTH {
            return;
        }
        if let [offset] = offsets[..] {
            state.set_cell(place(offset), Some(value));
            if is_whole && is_number && self.is_settled(point.function, src) {
                state.hold(src, place(offset));
            }
            return;
        }
        if let Some(place) = behind {
            state.set_cell(place, Some(value.clone()));
            if is_whole && is_number && self.is_settled(point.function, src) {
                state.hold(src, place);
            }
        }
        let bytes = i64::from(width.div_ceil(8));
        if offsets.windows(2).any(|pair| pair[1] - pair[0] < bytes) {
            return;
        }
        for (offset, old) in offsets.iter().zip(old) {
            let joined = old.map(|old| Rc::new(old.join(&value)));
            state.set_cell(place(*offset), joined);
        }
    }

    /// So many bytes change at an address that is not known.
    fn write_somewhere(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        target: &CaseTarget,
        bytes: u64,
    ) {
        match target {
            CaseTarget::Within(shape) => state.forget(|known| {
                let there = OffsetSteps::one(known.offset);
                known.base == shape.object && shape.distances.overlaps(bytes, there, known.bytes())
            }),
            CaseTarget::Places(base, _) => state.forget(|known| known.base == *base),
            CaseTarget::Anywhere => {
                let (public, number) = (&self.setting.rules.public, point.function.index());
                state.forget(|known| public.is_public(number, known.base));
            }
        }
    }

    fn forget_target(&self, state: &mut CaseState, point: CasePoint, addr: Reg) {
        let target = match self.target(state, point, addr) {
            CaseTarget::Within(shape) => CaseTarget::Places(shape.object, Rc::new(Vec::new())),
            target => target,
        };
        self.write_somewhere(state, point, &target, 1);
    }

    /// Bytes from `dst` on, as a range of an object, if it is known.
    fn range(
        &self,
        state: &CaseState,
        point: CasePoint,
        dst: Reg,
        len: Reg,
    ) -> Option<(Base, i64, i64)> {
        let len = i64::try_from(self.number(state, point, len).as_constant()?).ok()?;
        match self.value(state, point, dst)? {
            CaseValue::Address(base, offsets) => match offsets[..] {
                [from] => Some((base, from, from.checked_add(len)?)),
                _ => None,
            },
            CaseValue::Number(_) => None,
        }
    }

    fn copy(&self, state: &mut CaseState, point: CasePoint, dst: Reg, src: Reg, len: Reg) {
        let to = self.range(state, point, dst, len);
        let from = self.range(state, point, src, len);
        let Some((base, start, end)) = to else {
            return self.forget_target(state, point, dst);
        };
        let mut copied = Vec::new();
        if let Some((source, from, last)) = from {
            for (place, value) in state.cells() {
                let place_end = place.offset.saturating_add(place.bytes() as i64);
                if place.base == source && from <= place.offset && place_end <= last {
                    let offset = place.offset - from + start;
                    let place = MemoryPlace {
                        base,
                        offset,
                        ..*place
                    };
                    copied.push((place, value.clone()));
                }
            }
        }
        forget_range(state, base, start, end);
        if self.setting.is_steady(point.function, base) {
            for (place, value) in copied {
                state.set_cell(place, Some(value));
            }
        }
    }

    fn fill(&self, state: &mut CaseState, point: CasePoint, dst: Reg, byte: Reg, len: Reg) {
        let Some((base, start, end)) = self.range(state, point, dst, len) else {
            return self.forget_target(state, point, dst);
        };
        forget_range(state, base, start, end);
        let byte = self.number(state, point, byte).as_constant();
        let places = self.setting.places.get(&base);
        if let (Some(byte), Some(places), true) =
            (byte, places, self.setting.is_steady(point.function, base))
        {
            let pattern = (byte & 0xff) * 0x0101_0101_0101_0101;
            for place in places {
                if start <= place.offset && place.offset + place.bytes() as i64 <= end {
                    let value = ValueSet::constant(place.width, pattern);
                    state.set_cell(*place, Some(Rc::new(value)));
                }
            }
        }
    }

    /// Code runs that is not named.
    fn anything_runs(&self, state: &mut CaseState, point: CasePoint) {
        let rules = &self.setting.rules;
        let writes = &rules.writes.unknown;
        let number = point.function.index();
        state.forget(|place| rules.may_write(writes, number, place.region(), place.bytes()));
    }

    pub(super) fn set_results(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        results: RegList,
        values: &[Option<CaseValue>],
    ) {
        let function = &self.setting.module.functions[point.function.index()];
        for (i, reg) in function.list(results).iter().enumerate() {
            let value = values.get(i).cloned().flatten();
            let value = value.filter(|value| match value {
                CaseValue::Number(value) => value.width == function.width(*reg),
                CaseValue::Address(..) => true,
            });
            state.write(*reg, value);
        }
    }
}

fn forget_range(state: &mut CaseState, base: Base, start: i64, end: i64) {
    state.forget(|known| {
        let known_end = known.offset.saturating_add(known.bytes() as i64);
        known.base == base && known.offset < end && start < known_end
    });
}
