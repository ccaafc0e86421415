//! What an analysis before the search knows of all runs, as conditions over the places of predicates. It is a
//! premise of every question about a place: a predicate that contradicts it leads nowhere.

use super::Frontier;
use super::call_strings::CallStringId;
use super::memory_effects::MemoryEffects;
use super::places::{ObjectPart, StatePlace};
use super::predecessors::ProgramPoint;
use super::segment::Terms;
use crate::memory::ObjectId;
use labrys_expr::{Arena, ExprId};
use labrys_ir::{CmpOp, FactPlace, FactTerm, KnownFact, NumberSet, Reg};
use std::collections::BTreeSet;

/// A stride above this is left out: a remainder by it is as hard as a division.
const LARGEST_STRIDE: u64 = 1 << 12;

/// Where a fact holds: a frame, and the place of the code in it.
#[derive(Clone, Copy)]
struct FactScope {
    frame: CallStringId,
    pc: u32,
    /// The innermost frame: elsewhere memory may have changed since.
    is_innermost: bool,
}

impl Frontier<'_> {
    /// What holds in all runs at a place and has to do with some conditions: false if no run comes there.
    pub(super) fn known_at(&mut self, point: ProgramPoint, conditions: &[ExprId]) -> Vec<ExprId> {
        let Some(known) = self.known.take() else {
            return Vec::new();
        };
        let mut about = self.places_in(conditions);
        let scopes = self.scopes(point);
        let mut found: Vec<ExprId> = Vec::new();
        for scope in &scopes {
            let id = self.contexts.get(scope.frame).function;
            match known.at.get(&(id, scope.pc)) {
                Some(None) => {
                    found = vec![self.terms.arena.no()];
                    break;
                }
                Some(Some(facts)) => {
                    found.extend(self.facts_of(*scope, point, facts, &mut about));
                }
                None => {}
            }
            let always = known.registers.get(id.index()).into_iter().flatten();
            let asked: Vec<(FactPlace, &NumberSet)> = always
                .map(|(reg, numbers)| (FactPlace::Register(*reg), numbers))
                .filter(|(place, _)| self.is_about(*scope, *place, &about))
                .collect();
            for (place, numbers) in asked {
                found.extend(self.in_set(*scope, place, numbers));
            }
        }
        if let Some(scope) = scopes.first().copied() {
            for (place, numbers) in &known.globals {
                if self.is_about(scope, *place, &about) {
                    found.extend(self.in_set(scope, *place, numbers));
                }
            }
        }
        self.known = Some(known);
        found.sort_unstable();
        found.dedup();
        found.retain(|fact| self.terms.arena.as_const(*fact) != Some(1));
        found
    }

    /// The frames of a place, innermost first. In those that have called, the place is the start of the piece
    /// with the call.
    fn scopes(&self, point: ProgramPoint) -> Vec<FactScope> {
        let mut scopes = vec![FactScope {
            frame: point.frame,
            pc: point.pc,
            is_innermost: true,
        }];
        let mut frame = point.frame;
        while let Some((caller, call)) = self.contexts.get(frame).caller {
            scopes.push(FactScope {
                frame: caller,
                pc: self.pieces_of().start_of(caller, call).pc,
                is_innermost: false,
            });
            frame = caller;
        }
        scopes
    }

    fn facts_of(
        &mut self,
        scope: FactScope,
        point: ProgramPoint,
        facts: &[KnownFact],
        about: &mut BTreeSet<StatePlace>,
    ) -> Vec<ExprId> {
        let registers = self.pieces_of().function(scope.frame).widths.len();
        let holds_still = |this: &Self, place: FactPlace| match place {
            // The analysis has seen more registers, where several share one.
            FactPlace::Register(reg) if reg.index() >= registers => false,
            _ if scope.is_innermost => true,
            FactPlace::Register(reg) => !this.is_written_before_call(scope, point, reg),
            FactPlace::Global { .. } | FactPlace::Local { .. } => false,
        };
        let usable: Vec<&KnownFact> = (facts.iter())
            .filter(|fact| {
                let mut places = fact.places().into_iter().flatten();
                places.all(|place| holds_still(self, place))
            })
            .collect();
        // What is related to something in memory says more with what is known of that. A register that no
        // condition mentions may never have been written here, and then nothing holds of it.
        for fact in &usable {
            if let [Some(a), Some(b)] = fact.places() {
                for (known, other) in [(a, b), (b, a)] {
                    let is_memory = !matches!(other, FactPlace::Register(_));
                    if is_memory && self.is_about(scope, known, about) {
                        about.extend(self.state_places(scope, other));
                    }
                }
            }
        }
        let mut found = Vec::new();
        for fact in usable {
            let mut places = fact.places().into_iter().flatten();
            if places.all(|place| self.is_about(scope, place, about)) {
                found.extend(self.condition(scope, fact));
            }
        }
        found
    }

    /// Is a register of a frame written between the start of the piece and the call that the frame is in?
    fn is_written_before_call(&self, scope: FactScope, point: ProgramPoint, reg: Reg) -> bool {
        let mut frame = point.frame;
        while let Some((caller, call)) = self.contexts.get(frame).caller {
            if caller == scope.frame {
                let pieces = self.pieces_of();
                let function = pieces.function(caller);
                let mut code = function.code[scope.pc as usize..call as usize].iter();
                return code.any(|inst| {
                    let mut is_written = false;
                    inst.for_each_write(function, &mut |written| is_written |= written == reg);
                    is_written
                });
            }
            frame = caller;
        }
        true
    }

    fn places_in(&self, conditions: &[ExprId]) -> BTreeSet<StatePlace> {
        let Terms { arena, places } = &self.terms;
        let vars = conditions
            .iter()
            .flat_map(|condition| arena.vars_iter(arena.vars(*condition)));
        vars.filter_map(|var| places.place(var)).collect()
    }

    fn is_about(&self, scope: FactScope, place: FactPlace, about: &BTreeSet<StatePlace>) -> bool {
        let wanted = self.state_places(scope, place);
        wanted.iter().any(|place| about.contains(place))
    }

    /// The places of predicates that a place of an analysis consists of, lowest first.
    fn state_places(&self, scope: FactScope, place: FactPlace) -> Vec<StatePlace> {
        let (object, offset, width) = match place {
            FactPlace::Register(reg) => {
                let frame = scope.frame;
                return vec![StatePlace::Register { frame, reg }];
            }
            FactPlace::Global {
                global,
                offset,
                width,
            } => (Some(self.program.global_object(global)), offset, width),
            FactPlace::Local {
                made_by,
                offset,
                width,
            } => (
                self.terms.places.known_local((scope.frame, made_by)),
                offset,
                width,
            ),
        };
        let parts = object.map(|object| self.parts(object, offset, width));
        let parts = parts.into_iter().flatten();
        parts.map(StatePlace::ObjectPart).collect()
    }

    fn parts(&self, object: ObjectId, offset: u64, width: u8) -> Vec<ObjectPart> {
        let memory = MemoryEffects::new(self.program, &self.facts);
        let len = u64::from(width).div_ceil(8);
        match memory.shape(&self.terms.places, object) {
            Some(shape) if offset.saturating_add(len) <= shape.size && len > 0 => {
                shape.cells(object, offset, len)
            }
            _ => Vec::new(),
        }
    }

    /// What a place of an analysis holds.
    fn value_of(&mut self, scope: FactScope, place: FactPlace) -> Option<ExprId> {
        let parts = self.state_places(scope, place);
        let pieces = self.pieces_of();
        let (low, width) = match place {
            FactPlace::Register(reg) => (0, pieces.function(scope.frame).width(reg)),
            FactPlace::Global { offset, width, .. } | FactPlace::Local { offset, width, .. } => {
                let first = match parts.first()? {
                    StatePlace::ObjectPart(part) => part.offset,
                    _ => return None,
                };
                ((offset - first) * 8, width)
            }
        };
        let Terms { arena, places } = &mut self.terms;
        let mut whole: Option<ExprId> = None;
        for part in parts {
            let part = match part {
                StatePlace::ObjectPart(part) => {
                    places.of(arena, StatePlace::ObjectPart(part), part.width())
                }
                other => places.of(arena, other, width),
            };
            whole = Some(whole.map_or(part, |lower| arena.concat(part, lower)));
        }
        let whole = whole?;
        (arena.width(whole) as u64 >= low + u64::from(width)).then_some(())?;
        Some(arena.extract(whole, low as u32, width))
    }

    fn in_set(&mut self, scope: FactScope, place: FactPlace, numbers: &NumberSet) -> Vec<ExprId> {
        match self.value_of(scope, place) {
            Some(value) => in_set(&mut self.terms.arena, value, numbers),
            None => Vec::new(),
        }
    }

    fn condition(&mut self, scope: FactScope, fact: &KnownFact) -> Vec<ExprId> {
        let made = match fact {
            KnownFact::In(place, numbers) => return self.in_set(scope, *place, numbers),
            KnownFact::AtMost {
                first,
                second,
                bound,
            } => self.at_most(scope, *first, *second, *bound),
            KnownFact::Stride { place, step, rest } => {
                let value = self.value_of(scope, *place);
                value.and_then(|value| stride(&mut self.terms.arena, value, *step, *rest))
            }
            KnownFact::Compared { op, a, b } => {
                let a = self.value_of(scope, FactPlace::Register(*a));
                let b = self.value_of(scope, FactPlace::Register(*b));
                let arena = &mut self.terms.arena;
                let same = |(a, b): &(ExprId, ExprId)| arena.width(*a) == arena.width(*b);
                let both = a.zip(b).filter(same);
                both.map(|(a, b)| compared(&mut self.terms.arena, *op, a, b))
            }
        };
        made.into_iter().collect()
    }

    fn at_most(
        &mut self,
        scope: FactScope,
        first: FactTerm,
        second: Option<FactTerm>,
        bound: i64,
    ) -> Option<ExprId> {
        let a = self.value_of(scope, first.place)?;
        let b = match second {
            Some(second) => Some((self.value_of(scope, second.place)?, second)),
            None => None,
        };
        let arena = &mut self.terms.arena;
        let difference = b.filter(|(b, second)| {
            first.negative != second.negative
                && first.signed == second.signed
                && arena.width(*b) == arena.width(a)
        });
        if let Some((b, _)) = difference
            && (bound == 0 || bound == -1)
        {
            let (less, more) = if first.negative { (b, a) } else { (a, b) };
            return Some(match (bound, first.signed) {
                (0, true) => arena.sle(less, more),
                (0, false) => arena.ule(less, more),
                (_, true) => arena.slt(less, more),
                (_, false) => arena.ult(less, more),
            });
        }
        let widest = b.map_or(0, |(b, _)| arena.width(b)).max(arena.width(a));
        // Three more bits hold the sum of two of them, or of one and the other way round.
        let wide = widest + 3;
        let fits = wide >= 64 || bound.unsigned_abs() < 1 << (wide - 1);
        fits.then_some(())?;
        let mut sum = whole(arena, a, first, wide);
        if let Some((b, second)) = b {
            let b = whole(arena, b, second, wide);
            sum = arena.add(sum, b);
        }
        let bound = signed_constant(arena, wide, bound);
        Some(arena.sle(sum, bound))
    }
}

/// A number as a whole number of more bits.
fn whole(arena: &mut Arena, value: ExprId, term: FactTerm, width: u8) -> ExprId {
    let value = match term.signed {
        true => arena.sext(value, width),
        false => arena.zext(value, width),
    };
    match term.negative {
        true => arena.neg(value),
        false => value,
    }
}

fn signed_constant(arena: &mut Arena, width: u8, number: i64) -> ExprId {
    arena.constant(width, i128::from(number) as u128)
}

fn compared(arena: &mut Arena, op: CmpOp, a: ExprId, b: ExprId) -> ExprId {
    match op {
        CmpOp::Eq => arena.eq(a, b),
        CmpOp::Ne => arena.ne(a, b),
        CmpOp::Ult => arena.ult(a, b),
        CmpOp::Ule => arena.ule(a, b),
        CmpOp::Ugt => arena.ugt(a, b),
        CmpOp::Uge => arena.uge(a, b),
        CmpOp::Slt => arena.slt(a, b),
        CmpOp::Sle => arena.sle(a, b),
        CmpOp::Sgt => arena.sgt(a, b),
        CmpOp::Sge => arena.sge(a, b),
    }
}

/// That a number with its sign is a rest and some multiple of a step.
fn stride(arena: &mut Arena, value: ExprId, step: u64, rest: i64) -> Option<ExprId> {
    let width = arena.width(value);
    let fits = |number: i64| width >= 64 || number.unsigned_abs() < 1 << (width - 1);
    (fits(rest) && step <= LARGEST_STRIDE && fits(step as i64)).then_some(())?;
    if step == 0 {
        let rest = signed_constant(arena, width, rest);
        return Some(arena.eq(value, rest));
    }
    if step.is_power_of_two() {
        let bits = step.trailing_zeros() as u8;
        (bits > 0).then_some(())?;
        let low = arena.extract(value, 0, bits);
        let rest = signed_constant(arena, bits, rest);
        return Some(arena.eq(low, rest));
    }
    let wide = width + 2;
    let value = arena.sext(value, wide);
    let rest = signed_constant(arena, wide, rest);
    let distance = arena.sub(value, rest);
    let step = signed_constant(arena, wide, step as i64);
    let left = arena.binary(labrys_expr::ExprOp::SRem, distance, step);
    let zero = arena.constant(wide, 0);
    Some(arena.eq(left, zero))
}

/// That a value is one of some numbers, in the words that say it most shortly.
fn in_set(arena: &mut Arena, value: ExprId, numbers: &NumberSet) -> Vec<ExprId> {
    let width = arena.width(value);
    if width != numbers.width {
        return Vec::new();
    }
    let mask = u64::MAX >> (64 - u32::from(width.clamp(1, 64)));
    let constant = |arena: &mut Arena, bits: u64| arena.constant(width, u128::from(bits & mask));
    if !numbers.members.is_empty() {
        let mut one_of = arena.no();
        for number in &numbers.members {
            let number = constant(arena, *number);
            let is_it = arena.eq(value, number);
            one_of = arena.or(one_of, is_it);
        }
        return vec![one_of];
    }
    let mut found = Vec::new();
    let half = (mask >> 1) as i64;
    let plain = numbers.smin >= 0;
    if numbers.smin > -half - 1 {
        let low = constant(arena, numbers.smin as u64);
        found.push(arena.sle(low, value));
    }
    if numbers.smax < half {
        let high = constant(arena, numbers.smax as u64);
        found.push(arena.sle(value, high));
    }
    if numbers.umin > 0 && !plain {
        let low = constant(arena, numbers.umin);
        found.push(arena.ule(low, value));
    }
    if numbers.umax < mask && !plain {
        let high = constant(arena, numbers.umax);
        found.push(arena.ule(value, high));
    }
    let known = (numbers.zeros | numbers.ones) & mask;
    // Leading zeros are in the bounds.
    if numbers.ones != 0 || numbers.zeros & !(u64::MAX << numbers.umax.max(1).ilog2()) != 0 {
        let bits = constant(arena, known);
        let ones = constant(arena, numbers.ones);
        let there = arena.and(value, bits);
        found.push(arena.eq(there, ones));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_expr::{Evaluator, Model};

    /// Of all numbers of four bits, those that satisfy all conditions.
    fn satisfying(make: impl Fn(&mut Arena, ExprId) -> Vec<ExprId>) -> Vec<u64> {
        let mut arena = Arena::new();
        let var = arena.new_var("x", 4);
        let value = arena.var_expr(var);
        let conditions = make(&mut arena, value);
        (0..16)
            .filter(|number| {
                let mut model = Model::new();
                model.set(var, *number);
                let mut holds = conditions.iter();
                holds.all(|c| Evaluator::new().eval(&arena, &model, *c) != 0)
            })
            .collect()
    }

    #[test]
    fn sets_of_numbers_are_said_in_full() {
        let any = NumberSet {
            width: 4,
            umin: 0,
            umax: 15,
            smin: -8,
            smax: 7,
            zeros: 0,
            ones: 0,
            members: Vec::new(),
        };
        let of = |numbers: NumberSet| satisfying(|arena, x| in_set(arena, x, &numbers));
        assert_eq!(of(any.clone()).len(), 16);
        let below = NumberSet {
            umin: 2,
            umax: 5,
            smin: 2,
            smax: 5,
            ..any.clone()
        };
        assert_eq!(of(below), [2, 3, 4, 5]);
        let around = NumberSet {
            smin: -2,
            smax: 1,
            ..any.clone()
        };
        assert_eq!(of(around), [0, 1, 14, 15]);
        let high = NumberSet {
            umin: 9,
            umax: 12,
            ..any.clone()
        };
        assert_eq!(of(high), [9, 10, 11, 12]);
        let odd = NumberSet {
            ones: 1,
            zeros: 4,
            ..any.clone()
        };
        assert_eq!(of(odd), [1, 3, 9, 11]);
        let few = NumberSet {
            members: vec![3, 12],
            ..any
        };
        assert_eq!(of(few), [3, 12]);
    }

    #[test]
    fn strides_are_about_numbers_with_a_sign() {
        let of =
            |step, rest| satisfying(|arena, x| stride(arena, x, step, rest).into_iter().collect());
        assert_eq!(of(4, 1), [1, 5, 9, 13]);
        // -8 ..= 7, not 8 ..= 15: -7, -4, -1, 2, 5.
        assert_eq!(of(3, 2), [2, 5, 9, 12, 15]);
        assert_eq!(of(0, -3), [13]);
    }
}
