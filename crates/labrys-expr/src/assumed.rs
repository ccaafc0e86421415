//! Values that rest on an assumption: the result of a call that usually succeeds, a value that
//! something outside of the program may change. Such a value is a sum of the value and a zero of its
//! own kind, which no rewriting removes; whoever decides by the value finds the zero in it.

use crate::node::{ExprNode, flag};
use crate::varset::VarSetId;
use crate::{Arena, ExprId, ExprKind, ExprOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why a value rests on an assumption.
#[derive(Clone, Debug)]
pub(crate) struct AssumedZero {
    text: Arc<str>,
    /// What the value can be otherwise is known.
    is_bounded: bool,
}

impl Arena {
    /// The same value, which rests on an assumption with this text. Two such values are never known
    /// to be equal. What the value rests on already is said anew, so that a counter in a volatile
    /// variable does not grow with its past.
    pub fn assumed(&mut self, value: ExprId, text: &Arc<str>) -> ExprId {
        self.assumed_all(value, std::slice::from_ref(text))
    }

    /// The same with several texts.
    pub fn assumed_all(&mut self, value: ExprId, texts: &[Arc<str>]) -> ExprId {
        if texts.is_empty() || !self.is_assumed(value) {
            return (texts.iter()).fold(value, |value, text| self.with_zero(value, text));
        }
        let (plain, known) = self.without_assumptions(value);
        let others = known.iter().filter(|other| !texts.contains(other));
        let mut all: Vec<&Arc<str>> = others.collect();
        all.dedup();
        all.extend(texts);
        all.into_iter()
            .fold(plain, |value, text| self.with_zero(value, text))
    }

    fn with_zero(&mut self, value: ExprId, text: &Arc<str>) -> ExprId {
        let number = self.new_zero(text, false);
        let zero = self.zero(number, self.width(value));
        self.xor(value, zero)
    }

    /// The same value, of which only these bits rest on an assumption, and only under a condition.
    pub fn assumed_bits(
        &mut self,
        value: ExprId,
        bits: u128,
        condition: ExprId,
        text: &Arc<str>,
    ) -> ExprId {
        let width = self.width(value);
        let number = self.new_zero(text, self.as_const(condition).is_none());
        let zero = self.zero(number, width);
        let bits = self.constant(width, bits);
        let zero = self.and(zero, bits);
        let none = self.constant(width, 0);
        let zero = self.ite(condition, zero, none);
        self.xor(value, zero)
    }

    /// The same value, or one of the `count` values from `low` on if the assumption does not hold. What
    /// the value rests on already stays as it is.
    pub fn assumed_between(
        &mut self,
        value: ExprId,
        low: u128,
        count: u128,
        text: &Arc<str>,
    ) -> ExprId {
        let width = self.width(value);
        let number = self.new_zero(text, true);
        let fails = self.zero(number, 1);
        let which = self.zero(number, width);
        let none = self.constant(width, 0);
        let count = self.constant(width, count);
        let low = self.constant(width, low);
        let is_within = self.ult(which, count);
        let distance = self.ite(is_within, which, none);
        let other = self.add(low, distance);
        self.ite(fails, other, value)
    }

    fn new_zero(&mut self, text: &Arc<str>, is_bounded: bool) -> u32 {
        self.assumptions.push(AssumedZero {
            text: text.clone(),
            is_bounded,
        });
        self.assumptions.len() as u32 - 1
    }

    fn zero(&mut self, number: u32, width: u8) -> ExprId {
        let zero = ExprNode {
            op: ExprOp::Assumed,
            width,
            flags: flag::ASSUMED,
            a: number,
            b: 0,
            c: 0,
        };
        self.intern_with(zero, VarSetId::EMPTY)
    }

    /// Does the value rest on an assumption?
    #[inline]
    pub fn is_assumed(&self, e: ExprId) -> bool {
        self.nodes[e.index()].flags & flag::ASSUMED != 0
    }

    /// The same value without its assumptions, and their texts.
    pub fn without_assumptions(&mut self, e: ExprId) -> (ExprId, Vec<Arc<str>>) {
        let (plain, numbers) = self.replaced(e, &mut |arena, _, width| arena.constant(width, 0));
        let texts = numbers
            .iter()
            .map(|number| self.text_of_assumption(*number));
        (plain, texts.collect())
    }

    /// The numbers of the assumptions that the value rests on.
    pub fn assumptions_of(&mut self, e: ExprId) -> Vec<u32> {
        self.replaced(e, &mut |arena, _, width| arena.constant(width, 0))
            .1
    }

    pub fn text_of_assumption(&self, number: u32) -> Arc<str> {
        self.assumptions[number as usize].text.clone()
    }

    /// Is it known what the value can be if the assumption does not hold?
    pub fn is_bounded_assumption(&self, number: u32) -> bool {
        self.assumptions[number as usize].is_bounded
    }

    /// The value if only these assumptions do not hold: `free` gives anything of a width, for the
    /// assumption at this place of the list.
    pub fn without_these(
        &mut self,
        e: ExprId,
        numbers: &[u32],
        free: &mut dyn FnMut(&mut Arena, usize, u8) -> ExprId,
    ) -> ExprId {
        let mut by = |arena: &mut Arena, number: u32, width: u8| match numbers
            .iter()
            .position(|n| *n == number)
        {
            Some(place) => free(arena, place, width),
            None => arena.constant(width, 0),
        };
        self.replaced(e, &mut by).0
    }

    /// The value with something else for the zero of each assumption, and their numbers.
    fn replaced(
        &mut self,
        e: ExprId,
        by: &mut dyn FnMut(&mut Arena, u32, u8) -> ExprId,
    ) -> (ExprId, Vec<u32>) {
        let mut numbers = Vec::new();
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut open = vec![e];
        while let Some(&top) = open.last() {
            let before = open.len();
            if self.is_assumed(top) && !known.contains_key(&top) {
                self.for_each_operand(top, |operand| {
                    if self.is_assumed(operand) && !known.contains_key(&operand) {
                        open.push(operand);
                    }
                });
            }
            if open.len() == before {
                open.pop();
                let new = match self.kind(top) {
                    ExprKind::Assumed(number) => {
                        numbers.push(number);
                        let width = self.width(top);
                        by(self, number, width)
                    }
                    _ => self.rebuilt(top, &known),
                };
                known.insert(top, new);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        (known.get(&e).copied().unwrap_or(e), numbers)
    }

    /// One node over other operands.
    fn rebuilt(&mut self, e: ExprId, known: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let of = |operand: ExprId| known.get(&operand).copied().unwrap_or(operand);
        let width = self.width(e);
        match self.kind(e) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Uninit | ExprKind::Assumed(_) => e,
            ExprKind::Unary(op, a) => self.unary(op, of(a)),
            ExprKind::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            ExprKind::Ite(c, a, b) => self.ite(of(c), of(a), of(b)),
            ExprKind::Extract(a, low) => self.extract(of(a), low, width),
            ExprKind::Convert(op, a) => self.convert(op, of(a), width),
            ExprKind::Table(table, index) => {
                let entries: Vec<ExprId> = self.table_entries(table).to_vec();
                let entries: Vec<ExprId> = entries.into_iter().map(of).collect();
                let table = self.table(&entries);
                self.select(table, of(index))
            }
            ExprKind::Fma(a, b, c) => self.ffma(of(a), of(b), of(c)),
            ExprKind::Round(mode, a) => self.fround(mode, of(a)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, Evaluator, Model};

    #[test]
    fn what_is_computed_from_an_assumption_rests_on_it() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        let size = arena.assumed(x, &"it works".into());
        let three = arena.constant(32, 3);
        let sum = arena.add(size, three);
        let plain = arena.add(x, three);
        assert!(arena.is_assumed(sum));
        assert!(!arena.is_assumed(plain));
        assert_eq!(
            arena.without_assumptions(sum),
            (plain, vec!["it works".into()])
        );
        assert_eq!(arena.without_assumptions(plain), (plain, vec![]));
    }

    #[test]
    fn a_value_does_not_grow_with_its_past() {
        let mut arena = Arena::new();
        let one = arena.constant(32, 1);
        let mut count = arena.constant(32, 0);
        for _ in 0..100 {
            let next = arena.add(count, one);
            count = arena.assumed(next, &"volatile".into());
        }
        let (plain, texts) = arena.without_assumptions(count);
        assert_eq!(arena.as_const(plain), Some(100));
        assert_eq!(texts, ["volatile".into()]);
    }

    #[test]
    fn two_assumptions_are_never_the_same_value() {
        let mut arena = Arena::new();
        let ten = arena.constant(32, 10);
        let a = arena.assumed(ten, &"first".into());
        let b = arena.assumed(ten, &"second".into());
        let same = arena.eq(a, b);
        assert_eq!(arena.as_const(same), None);
        let (same, texts) = arena.without_assumptions(same);
        assert_eq!(same, arena.yes());
        assert_eq!(texts, ["first".into(), "second".into()]);
    }

    #[test]
    fn other_bits_than_the_assumed_ones_rest_on_nothing() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 16);
        let x = arena.var_expr(x);
        let limit = arena.constant(16, 128);
        let is_small = arena.ult(x, limit);
        for condition in [arena.yes(), is_small] {
            let class = arena.assumed_bits(x, 0xf7ff, condition, &"it works".into());
            let class = arena.zext(class, 32);
            for (bit, rests) in [(0x800, false), (0x400, true)] {
                let bit = arena.constant(32, bit);
                let is_set = arena.and(class, bit);
                assert_eq!(arena.is_assumed(is_set), rests);
            }
        }
    }

    #[test]
    fn a_bounded_value_is_another_one_within_its_bounds() {
        let mut arena = Arena::new();
        let three = arena.constant(32, 3);
        let all_ones = u128::from(u32::MAX);
        let size = arena.assumed_between(three, all_ones, 10, &"it works".into());
        assert_eq!(
            arena.without_assumptions(size),
            (three, vec!["it works".into()])
        );
        let number = arena.assumptions_of(size)[0];
        assert!(arena.is_bounded_assumption(number));
        let mut evaluator = Evaluator::default();
        for (which, expected) in [(0, all_ones), (9, 8), (10, all_ones), (77, all_ones)] {
            let mut free = |arena: &mut Arena, _, width| match width {
                1 => arena.yes(),
                _ => arena.constant(width, which),
            };
            let other = arena.without_these(size, &[number], &mut free);
            assert_eq!(evaluator.eval(&arena, &Model::default(), other), expected);
        }
    }

    #[test]
    fn an_assumption_changes_no_value() {
        let mut arena = Arena::new();
        let value = arena.constant(80, 77);
        let assumed = arena.assumed(value, &"it works".into());
        let mut evaluator = Evaluator::default();
        assert_eq!(evaluator.eval(&arena, &Model::default(), assumed), 77);
    }
}
