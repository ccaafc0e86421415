//! Every rewrite rule keeps the meaning: random terms are built through the simplifying builder
//! and, at the same time, computed step by step on concrete values; both must agree.

use labrys_expr::{Arena, Evaluator, ExprId, Model, mask, signed};
use proptest::prelude::*;

const WIDTHS: [u8; 9] = [1, 3, 8, 16, 17, 32, 64, 80, 128];
const CORNERS: [u128; 10] = [
    0,
    1,
    2,
    7,
    0x7f,
    0x80,
    0xff,
    0x8000_0000,
    u128::MAX,
    u128::MAX >> 1,
];

struct Machine {
    arena: Arena,
    terms: Vec<(ExprId, u128)>,
}

impl Machine {
    fn pick(&self, width: u8, choice: usize) -> Option<(ExprId, u128)> {
        let fitting: Vec<_> = self
            .terms
            .iter()
            .filter(|(e, _)| self.arena.width(*e) == width)
            .collect();
        (!fitting.is_empty()).then(|| *fitting[choice % fitting.len()])
    }

    fn push(&mut self, e: ExprId, value: u128) {
        assert_eq!(value & !mask(self.arena.width(e)), 0);
        self.terms.push((e, value));
    }

    fn step(&mut self, (op, i, j, k): (u8, usize, usize, usize)) {
        let (a, x) = self.terms[i % self.terms.len()];
        let w = self.arena.width(a);
        let ones = mask(w);
        let Some((b, y)) = self.pick(w, j) else {
            return;
        };
        let m = &mut self.arena;
        let (sx, sy) = (signed(x, w), signed(y, w));
        let (e, value) = match op % 27 {
            0 => (m.add(a, b), x.wrapping_add(y) & ones),
            1 => (m.sub(a, b), x.wrapping_sub(y) & ones),
            2 => (m.mul(a, b), x.wrapping_mul(y) & ones),
            3 => (m.udiv(a, b), x.checked_div(y).unwrap_or(ones)),
            4 => (m.urem(a, b), if y == 0 { x } else { x % y }),
            5 if y == 0 => (m.sdiv(a, b), if sx < 0 { 1 } else { ones }),
            5 => (m.sdiv(a, b), sx.wrapping_div(sy) as u128 & ones),
            6 if y == 0 => (m.srem(a, b), x),
            6 => (m.srem(a, b), sx.wrapping_rem(sy) as u128 & ones),
            7 => (m.and(a, b), x & y),
            8 => (m.or(a, b), x | y),
            9 => (m.xor(a, b), x ^ y),
            10 => (m.shl(a, b), if y >= w.into() { 0 } else { (x << y) & ones }),
            11 => (m.lshr(a, b), if y >= w.into() { 0 } else { x >> y }),
            12 => (m.ashr(a, b), (sx >> y.min(127)) as u128 & ones),
            13 => (m.eq(a, b), u128::from(x == y)),
            14 => (m.ult(a, b), u128::from(x < y)),
            15 => (m.slt(a, b), u128::from(sx < sy)),
            16 => (m.ule(a, b), u128::from(x <= y)),
            17 => (m.sge(a, b), u128::from(sx >= sy)),
            18 => (m.not(a), !x & ones),
            19 => (m.neg(a), x.wrapping_neg() & ones),
            20 => {
                let low = (j % usize::from(w)) as u8;
                let width = 1 + (k % usize::from(w - low)) as u8;
                (m.extract(a, low.into(), width), (x >> low) & mask(width))
            }
            21 => {
                let to = w + (k % usize::from(129 - w)) as u8;
                (m.zext(a, to), x)
            }
            22 => {
                let to = w + (k % usize::from(129 - w)) as u8;
                (m.sext(a, to), sx as u128 & mask(to))
            }
            23 => {
                let (c, z) = self.terms[k % self.terms.len()];
                let low = self.arena.width(c);
                if u32::from(w) + u32::from(low) > 128 {
                    return;
                }
                (self.arena.concat(a, c), (x << low) | z)
            }
            24 => {
                let Some((c, z)) = self.pick(1, k) else {
                    return;
                };
                (self.arena.ite(c, a, b), if z == 1 { x } else { y })
            }
            25 => {
                let (c, z) = self.terms[k % self.terms.len()];
                let entries = [a, b, a, b, b];
                let values = [x, y, x, y, y];
                let table = self.arena.table(&entries);
                (self.arena.select(table, c), values[z.min(4) as usize])
            }
            _ => (m.constant(w, CORNERS[k % 10]), CORNERS[k % 10] & ones),
        };
        self.push(e, value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn rewriting_keeps_the_value(
        vars in prop::collection::vec((0usize..9, prop_oneof![any::<u64>(), 0u64..300]), 1..5),
        steps in prop::collection::vec((any::<u8>(), 0usize..64, 0usize..64, 0usize..1000), 1..40),
    ) {
        let mut arena = Arena::new();
        let mut model = Model::new();
        let mut terms = Vec::new();
        for (w, value) in vars {
            let width = WIDTHS[w].min(64);
            let var = arena.new_var("x", width);
            let value = value & mask(width) as u64;
            model.set(var, value);
            terms.push((arena.var_expr(var), value.into()));
        }
        for w in WIDTHS {
            let zero = arena.constant(w, 0);
            let one = arena.constant(w, 1);
            let four = arena.constant(w, 4);
            terms.extend([(zero, 0), (one, 1), (four, 4 & mask(w))]);
        }
        let mut machine = Machine { arena, terms };
        for step in steps {
            machine.step(step);
        }
        let mut evaluator = Evaluator::new();
        for (e, value) in &machine.terms {
            prop_assert_eq!(evaluator.eval(&machine.arena, &model, *e), *value);
        }
    }
}
