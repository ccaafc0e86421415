//! Which bits of a value depend on uninitialised memory.
//!
//! Bit-fields are read and written by the word around them, and structures are passed by value
//! with their padding, so an expression may contain indeterminate bits that its value does not
//! depend on. What is said here of an operation is what memory checkers do: bits move with
//! shifts, masks cut them off, carries spread them upwards, anything else spreads them everywhere.

use crate::{Arena, ExprId, ExprKind, ExprOp, mask};
use rustc_hash::FxHashMap;

/// What is known of a node: its bits that are indeterminate, and the same value with zeros in
/// the place of all uninitialised memory.
#[derive(Clone, Copy)]
struct Definedness {
    undefined: u128,
    filled: ExprId,
}

impl Arena {
    /// The same value without uninitialised memory in it, if it does not depend on it.
    pub fn defined(&mut self, e: ExprId) -> Option<ExprId> {
        if !self.is_uninit(e) {
            return Some(e);
        }
        let mut known: FxHashMap<ExprId, Definedness> = FxHashMap::default();
        let mut open = vec![e];
        while let Some(&top) = open.last() {
            let before = open.len();
            if !known.contains_key(&top) && self.is_uninit(top) {
                self.for_each_operand(top, |operand| {
                    if self.is_uninit(operand) && !known.contains_key(&operand) {
                        open.push(operand);
                    }
                });
            }
            if open.len() == before {
                open.pop();
                let node = self.define(top, &known);
                known.insert(top, node);
            }
        }
        let whole = known.get(&e)?;
        (whole.undefined == 0).then_some(whole.filled)
    }

    /// One node whose operands are known.
    fn define(&mut self, e: ExprId, known: &FxHashMap<ExprId, Definedness>) -> Definedness {
        let of = |operand: ExprId| {
            known.get(&operand).copied().unwrap_or(Definedness {
                undefined: 0,
                filled: operand,
            })
        };
        let width = self.width(e);
        let all = mask(width);
        let everything = |operands: &[Definedness]| {
            let any = operands.iter().any(|o| o.undefined != 0);
            if any { all } else { 0 }
        };
        let (undefined, filled) = match self.kind(e) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Assumed(_) => (0, e),
            ExprKind::Uninit => (all, self.constant(width, 0)),
            ExprKind::Unary(op, a) => {
                let a = of(a);
                let bits = match op {
                    ExprOp::Not => a.undefined,
                    ExprOp::Neg => spread_upwards(a.undefined) & all,
                    _ => everything(&[a]),
                };
                (bits, self.unary(op, a.filled))
            }
            ExprKind::Binary(op, a, b) => {
                let low_width = self.width(b);
                let (a, b) = (of(a), of(b));
                let both = a.undefined | b.undefined;
                let [by_a, by_b] = [a, b].map(|o| self.as_const(o.filled));
                let bits = match (op, by_a, by_b) {
                    // A zero that is certain decides, and so does a one.
                    (ExprOp::And, value, other) => {
                        both & bits_left_open(value, a.undefined, all)
                            & bits_left_open(other, b.undefined, all)
                    }
                    (ExprOp::Or, value, other) => {
                        let [value, other] = [value, other].map(|v| v.map(|v| !v));
                        both & bits_left_open(value, a.undefined, all)
                            & bits_left_open(other, b.undefined, all)
                    }
                    (ExprOp::Xor, ..) => both,
                    (ExprOp::Add | ExprOp::Sub | ExprOp::Mul, ..) => spread_upwards(both) & all,
                    (ExprOp::Shl, _, Some(by)) if b.undefined == 0 && by < 128 => {
                        a.undefined << by & all
                    }
                    (ExprOp::LShr, _, Some(by)) if b.undefined == 0 && by < 128 => {
                        a.undefined >> by
                    }
                    (ExprOp::Concat, ..) => a.undefined << low_width | b.undefined,
                    _ => everything(&[a, b]),
                };
                (bits, self.binary(op, a.filled, b.filled))
            }
            ExprKind::Ite(c, a, b) => {
                let (c, a, b) = (of(c), of(a), of(b));
                let bits = everything(&[c]) | a.undefined | b.undefined;
                (bits, self.ite(c.filled, a.filled, b.filled))
            }
            ExprKind::Extract(a, low) => {
                let a = of(a);
                let filled = self.extract(a.filled, low, width);
                (a.undefined >> low & all, filled)
            }
            ExprKind::Convert(op, a) => {
                let a = of(a);
                let bits = match op {
                    ExprOp::ZExt => a.undefined,
                    _ => everything(&[a]),
                };
                (bits, self.convert(op, a.filled, width))
            }
            ExprKind::Table(table, index) => {
                let entries: Vec<ExprId> = self.table_entries(table).to_vec();
                let entries: Vec<Definedness> = entries.into_iter().map(of).collect();
                let index = of(index);
                let mut bits = everything(&[index]);
                bits |= entries.iter().fold(0, |bits, entry| bits | entry.undefined);
                let filled: Vec<ExprId> = entries.iter().map(|entry| entry.filled).collect();
                let table = self.table(&filled);
                (bits, self.select(table, index.filled))
            }
            ExprKind::Fma(a, b, c) => {
                let operands = [of(a), of(b), of(c)];
                let [a, b, c] = operands.map(|o| o.filled);
                (everything(&operands), self.ffma(a, b, c))
            }
            ExprKind::Round(mode, a) => {
                let a = of(a);
                (everything(&[a]), self.fround(mode, a.filled))
            }
        };
        Definedness { undefined, filled }
    }
}

/// The bits that one operand of a conjunction leaves open: all but its certain zeros.
fn bits_left_open(value: Option<u128>, undefined: u128, all: u128) -> u128 {
    value.map_or(all, |value| value | undefined)
}

/// All bits from the lowest one upwards.
fn spread_upwards(bits: u128) -> u128 {
    match bits {
        0 => 0,
        _ => u128::MAX << bits.trailing_zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_beside_uninitialised_bits_is_defined() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 8);
        let x = arena.var_expr(x);
        let junk = arena.uninit(24);
        let word = arena.concat(junk, x);
        // The field above is written, the one below is read.
        let keep = arena.constant(32, !0x3ff00 & 0xffff_ffff);
        let kept = arena.and(word, keep);
        let new = arena.constant(32, 0x12300);
        let word = arena.or(kept, new);
        let low = arena.constant(32, 0xff);
        let field = arena.and(word, low);
        let wide = arena.zext(x, 32);
        assert_eq!(arena.defined(field), Some(wide));
        let shift = arena.constant(32, 8);
        let upper = arena.lshr(word, shift);
        let ten = arena.constant(32, 0x3ff);
        let upper = arena.and(upper, ten);
        let value = arena.constant(32, 0x123);
        assert_eq!(arena.defined(upper), Some(value));
        assert_eq!(arena.defined(word), None);
        let three = arena.constant(32, 3);
        let sum = arena.add(word, three);
        let low_sum = arena.extract(sum, 0, 8);
        assert!(arena.defined(low_sum).is_some());
        let high_sum = arena.extract(sum, 24, 8);
        assert_eq!(arena.defined(high_sum), None);
    }

    #[test]
    fn what_depends_on_junk_is_not_defined() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 8);
        let x = arena.var_expr(x);
        let junk = arena.uninit(8);
        let zero = arena.constant(8, 0);
        // An unknown operand of "and" is no mask.
        let masked = arena.and(junk, x);
        assert_eq!(arena.defined(masked), None);
        let condition = arena.eq(junk, zero);
        let chosen = arena.ite(condition, x, zero);
        assert_eq!(arena.defined(chosen), None);
        let quotient = arena.udiv(x, junk);
        assert_eq!(arena.defined(quotient), None);
        let product = arena.mul(x, junk);
        assert_eq!(arena.defined(product), None);
    }
}
