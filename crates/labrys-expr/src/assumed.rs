//! Values that rest on an assumption: the result of a call that usually succeeds, a value that
//! something outside of the program may change. Such a value is a sum of the value and a zero of its
//! own kind, which no rewriting removes; whoever decides by the value finds the zero in it.

use crate::node::{ExprNode, flag};
use crate::varset::VarSetId;
use crate::{Arena, ExprId, ExprKind, ExprOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Arena {
    /// The same value, which rests on an assumption with this text. Two such values are never known
    /// to be equal. What the value rests on already is said anew, so that a counter in a volatile
    /// variable does not grow with its past.
    pub fn assumed(&mut self, value: ExprId, text: &Arc<str>) -> ExprId {
        if !self.is_assumed(value) {
            return self.with_zero(value, text);
        }
        let (plain, texts) = self.without_assumptions(value);
        let others = texts.iter().filter(|other| *other != text);
        let mut all: Vec<&Arc<str>> = others.collect();
        all.dedup();
        all.push(text);
        all.into_iter()
            .fold(plain, |value, text| self.with_zero(value, text))
    }

    fn with_zero(&mut self, value: ExprId, text: &Arc<str>) -> ExprId {
        let number = self.assumptions.len() as u32;
        self.assumptions.push(text.clone());
        let zero = ExprNode {
            op: ExprOp::Assumed,
            width: self.width(value),
            flags: flag::ASSUMED,
            a: number,
            b: 0,
            c: 0,
        };
        let zero = self.intern_with(zero, VarSetId::EMPTY);
        self.xor(value, zero)
    }

    /// Does the value rest on an assumption?
    #[inline]
    pub fn is_assumed(&self, e: ExprId) -> bool {
        self.nodes[e.index()].flags & flag::ASSUMED != 0
    }

    /// The same value without its assumptions, and their texts.
    pub fn without_assumptions(&mut self, e: ExprId) -> (ExprId, Vec<Arc<str>>) {
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
                if let ExprKind::Assumed(number) = self.kind(top) {
                    numbers.push(number);
                }
                let plain = self.rebuilt(top, &known);
                known.insert(top, plain);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let texts = numbers
            .iter()
            .map(|n| self.assumptions[*n as usize].clone());
        let texts = texts.collect();
        (known.get(&e).copied().unwrap_or(e), texts)
    }

    /// One node over other operands.
    fn rebuilt(&mut self, e: ExprId, known: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let of = |operand: ExprId| known.get(&operand).copied().unwrap_or(operand);
        let width = self.width(e);
        match self.kind(e) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Uninit => e,
            ExprKind::Assumed(_) => self.constant(width, 0),
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
    fn an_assumption_changes_no_value() {
        let mut arena = Arena::new();
        let value = arena.constant(80, 77);
        let assumed = arena.assumed(value, &"it works".into());
        let mut evaluator = Evaluator::default();
        assert_eq!(evaluator.eval(&arena, &Model::default(), assumed), 77);
    }
}
