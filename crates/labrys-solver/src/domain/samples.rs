//! Values worth trying where nothing better is known: the constants of the goal and their
//! neighbours, and for floats a few numbers of every size. A guess that evaluation confirms saves
//! a call of Bitwuzla.

use labrys_expr::{Arena, ExprId, ExprOp, VarId, mask};
use rustc_hash::FxHashSet;

/// At most 128 nodes of the goal are searched for constants, and at most 48 values are proposed.
const MAX_NODES: usize = 128;
const MAX_SAMPLES: usize = 48;

const FLOATS: [f64; 14] = [
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    10.0,
    -10.0,
    100.0,
    -1000.0,
    1e6,
    1e300,
    -1e300,
    f64::INFINITY,
    f64::NAN,
];

/// Values for the variable, in a fixed order.
pub(crate) fn samples(arena: &Arena, goal: ExprId, var: VarId) -> Vec<u64> {
    let width = arena.var_width(var);
    let ones = mask(width);
    let mut out: Vec<u64> = Vec::new();
    let mut add = |value: u128| {
        let value = (value & ones) as u64;
        if out.len() < MAX_SAMPLES && !out.contains(&value) {
            out.push(value);
        }
    };
    let mut seen = FxHashSet::default();
    let mut stack = vec![goal];
    while let Some(e) = stack.pop() {
        if seen.len() >= MAX_NODES || !seen.insert(e) {
            continue;
        }
        if let Some(c) = arena.as_const(e) {
            if arena.width(e) == width {
                let values = [
                    c,
                    c.wrapping_add(1),
                    c.wrapping_sub(1),
                    c ^ (1 << (width - 1)),
                ];
                values.into_iter().for_each(&mut add);
            }
            continue;
        }
        arena.for_each_operand(e, |operand| {
            // An index into a table of constants says little about an input.
            if arena.op(e) != ExprOp::Table || arena.as_const(operand).is_none() {
                stack.push(operand);
            }
        });
    }
    if arena.has_float(goal) {
        for x in FLOATS {
            match width {
                32 => add(u128::from((x as f32).to_bits())),
                64 => add(u128::from(x.to_bits())),
                _ => {}
            }
        }
    }
    out
}
