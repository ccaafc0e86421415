//! Every operation of the blaster against evaluation: with the operands forced to values, the
//! result must be the evaluated one and cannot be another.

#![allow(clippy::unwrap_used)]

use labrys_expr::{Arena, Evaluator, ExprId, ExprOp, Model, VarId, mask};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};
use proptest::prelude::*;

/// Only the blaster.
fn blaster() -> Solver {
    let options = SolverOptions {
        domains: false,
        order: false,
        local: false,
        cache: false,
        bitwuzla: false,
        conflicts: 1_000_000,
        ..SolverOptions::default()
    };
    Solver::new(options).unwrap()
}

/// A value of any width up to 128 bits, made of up to two variables, forced to `value`.
fn operand(
    arena: &mut Arena,
    path: &mut PathCondition,
    hint: &mut Model,
    width: u8,
    value: u128,
) -> ExprId {
    let mut part = |arena: &mut Arena, width: u8, value: u128| {
        let var: VarId = arena.new_var("x", width);
        hint.set(var, value as u64);
        let e = arena.var_expr(var);
        let c = arena.constant(width, value);
        let forced = arena.eq(e, c);
        path.push(arena, forced);
        e
    };
    if width <= 64 {
        return part(arena, width, value & mask(width));
    }
    let low = part(arena, 64, value & mask(64));
    let high = part(arena, width - 64, value >> 64 & mask(width - 64));
    arena.concat(high, low)
}

/// The result of `e` is what evaluation says, and nothing else.
fn check(arena: &mut Arena, path: &PathCondition, hint: &Model, e: ExprId) {
    let mut solver = blaster();
    let value = Evaluator::new().eval(arena, hint, e);
    let c = arena.constant(arena.width(e), value);
    let equal = arena.eq(e, c);
    let different = arena.not(equal);
    if !matches!(solver.solve(arena, path, equal, hint), Answer::Sat(_)) {
        panic!("{:?} cannot be {value:#x}", arena.kind(e));
    }
    if !matches!(solver.solve(arena, path, different, hint), Answer::Unsat) {
        panic!("{:?} can be something else than {value:#x}", arena.kind(e));
    }
    assert_eq!(solver.stats().rejected_models, 0);
}

/// Values with a liking for corners.
fn value() -> impl Strategy<Value = u128> {
    let high = (0..128u32).prop_map(|k| 1u128 << k);
    let below = (0..128u32).prop_map(|k| (1u128 << k) - 1);
    prop_oneof![any::<u128>(), 0..140u128, high, below, Just(u128::MAX)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn binary(
        op in prop::sample::select(vec![
            ExprOp::Add, ExprOp::Sub, ExprOp::And, ExprOp::Or, ExprOp::Xor, ExprOp::Shl, ExprOp::LShr, ExprOp::AShr, ExprOp::Eq,
            ExprOp::Ult, ExprOp::Slt,
        ]),
        width in 1..=128u8, a in value(), b in value(),
    ) {
        let (mut arena, mut path, mut hint) = (Arena::new(), PathCondition::new(), Model::new());
        let x = operand(&mut arena, &mut path, &mut hint, width, a);
        let y = operand(&mut arena, &mut path, &mut hint, width, b);
        let e = arena.binary(op, x, y);
        check(&mut arena, &path, &hint, e);
    }

    #[test]
    fn products_and_quotients(
        op in prop::sample::select(vec![ExprOp::Mul, ExprOp::UDiv, ExprOp::SDiv, ExprOp::URem, ExprOp::SRem]),
        width in 1..=32u8, a in value(), b in value(),
    ) {
        let (mut arena, mut path, mut hint) = (Arena::new(), PathCondition::new(), Model::new());
        let x = operand(&mut arena, &mut path, &mut hint, width, a);
        let y = operand(&mut arena, &mut path, &mut hint, width, b);
        let e = arena.binary(op, x, y);
        check(&mut arena, &path, &hint, e);
    }

    #[test]
    fn with_a_constant(
        op in prop::sample::select(vec![
            ExprOp::Mul, ExprOp::UDiv, ExprOp::SDiv, ExprOp::URem, ExprOp::SRem, ExprOp::Add, ExprOp::Shl, ExprOp::AShr, ExprOp::Slt,
        ]),
        width in 1..=64u8, a in value(), b in value(),
    ) {
        let (mut arena, mut path, mut hint) = (Arena::new(), PathCondition::new(), Model::new());
        let x = operand(&mut arena, &mut path, &mut hint, width, a);
        let y = arena.constant(width, b);
        let e = arena.binary(op, x, y);
        check(&mut arena, &path, &hint, e);
    }

    #[test]
    fn choices_and_parts(
        width in 1..=100u8, a in value(), b in value(), c: bool, low in 0..100u8, n in 1..100u8,
        by in 0..28u8, index in value(), index_width in 1..=64u8,
        entries in proptest::collection::vec(value(), 1..20),
    ) {
        let (mut arena, mut path, mut hint) = (Arena::new(), PathCondition::new(), Model::new());
        let x = operand(&mut arena, &mut path, &mut hint, width, a);
        let y = operand(&mut arena, &mut path, &mut hint, width, b);
        let c = operand(&mut arena, &mut path, &mut hint, 1, u128::from(c));
        let i = operand(&mut arena, &mut path, &mut hint, index_width, index);
        let low = low % width;
        let n = n.clamp(1, width - low);
        let mut all: Vec<ExprId> = entries.iter().map(|&v| arena.constant(width, v)).collect();
        all.push(x);
        let table = arena.table(&all);
        let made = [
            arena.ite(c, x, y),
            arena.extract(x, u32::from(low), n),
            arena.zext(x, width + by),
            arena.sext(x, width + by),
            arena.neg(x),
            arena.not(y),
            arena.select(table, i),
        ];
        for e in made {
            check(&mut arena, &path, &hint, e);
        }
    }
}
