//! Questions about one variable against brute force: every width up to ten bits, with predicates
//! of every shape that the intervals claim to handle, and others.

#![allow(clippy::unwrap_used)]

use labrys_expr::{Arena, Evaluator, ExprId, ExprOp, Model, VarId};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};
use proptest::prelude::*;

/// A term over one variable, built from a list of steps.
#[derive(Clone, Debug)]
enum Step {
    Add(u64),
    SubFrom(u64),
    Neg,
    Not,
    Xor(u64),
    And(u64),
    Or(u64),
    UDiv(u64),
    SDiv(u64),
    URem(u64),
    Mul(u64),
    LShr(u64),
    AShr(u64),
    Shl(u64),
    ZExt(u8),
    SExt(u8),
    High(u8),
    Low(u8),
    Ite(u64, u64),
    Table(Vec<u64>),
}

fn step() -> impl Strategy<Value = Step> {
    let c = any::<u64>;
    prop_oneof![
        c().prop_map(Step::Add),
        c().prop_map(Step::SubFrom),
        Just(Step::Neg),
        Just(Step::Not),
        c().prop_map(Step::Xor),
        Just(Step::Xor(u64::MAX - u64::MAX / 2)),
        c().prop_map(Step::And),
        (0..12u32).prop_map(|k| Step::And(u64::MAX << k)),
        c().prop_map(Step::Or),
        (1..20u64).prop_map(Step::UDiv),
        (1..20u64).prop_map(Step::SDiv),
        (1..20u64).prop_map(Step::URem),
        (1..20u64).prop_map(Step::Mul),
        (0..12u64).prop_map(Step::LShr),
        (0..12u64).prop_map(Step::AShr),
        (0..12u64).prop_map(Step::Shl),
        (1..20u8).prop_map(Step::ZExt),
        (1..20u8).prop_map(Step::SExt),
        (1..9u8).prop_map(Step::High),
        (1..9u8).prop_map(Step::Low),
        (c(), c()).prop_map(|(a, b)| Step::Ite(a, b)),
        proptest::collection::vec(c(), 1..9).prop_map(Step::Table),
    ]
}

fn apply(arena: &mut Arena, e: ExprId, step: &Step) -> ExprId {
    let w = arena.width(e);
    let mut con = |v: u64| arena.constant(w, u128::from(v));
    match step {
        Step::Add(c) => {
            let c = con(*c);
            arena.add(e, c)
        }
        Step::SubFrom(c) => {
            let c = con(*c);
            arena.sub(c, e)
        }
        Step::Neg => arena.neg(e),
        Step::Not => arena.not(e),
        Step::Xor(c) => {
            let c = con(*c);
            arena.xor(e, c)
        }
        Step::And(c) => {
            let c = con(*c);
            arena.and(e, c)
        }
        Step::Or(c) => {
            let c = con(*c);
            arena.or(e, c)
        }
        Step::UDiv(c) => {
            let c = con(*c);
            arena.udiv(e, c)
        }
        Step::SDiv(c) => {
            let c = con(*c);
            arena.sdiv(e, c)
        }
        Step::URem(c) => {
            let c = con(*c);
            arena.urem(e, c)
        }
        Step::Mul(c) => {
            let c = con(*c);
            arena.mul(e, c)
        }
        Step::LShr(c) => {
            let c = con(*c);
            arena.lshr(e, c)
        }
        Step::AShr(c) => {
            let c = con(*c);
            arena.ashr(e, c)
        }
        Step::Shl(c) => {
            let c = con(*c);
            arena.shl(e, c)
        }
        Step::ZExt(by) => arena.zext(e, (w + by).min(100)),
        Step::SExt(by) => arena.sext(e, (w + by).min(100)),
        Step::High(n) => {
            let n = (*n).min(w);
            arena.extract(e, u32::from(w - n), n)
        }
        Step::Low(n) => arena.extract(e, 0, (*n).min(w)),
        Step::Ite(limit, value) => {
            let (limit, value) = (con(*limit), con(*value));
            let c = arena.ult(e, limit);
            arena.ite(c, e, value)
        }
        Step::Table(values) => {
            let entries: Vec<ExprId> = values.iter().map(|&v| con(v)).collect();
            let table = arena.table(&entries);
            arena.select(table, e)
        }
    }
}

#[derive(Clone, Debug)]
struct Predicate {
    steps: Vec<Step>,
    op: ExprOp,
    constant: u64,
    flipped: bool,
    negated: bool,
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let op = prop_oneof![Just(ExprOp::Eq), Just(ExprOp::Ult), Just(ExprOp::Slt)];
    let constant = prop_oneof![
        any::<u64>(),
        0..16u64,
        Just(u64::MAX),
        Just(1 << 9),
        Just(511)
    ];
    (
        proptest::collection::vec(step(), 0..4),
        op,
        constant,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(steps, op, constant, flipped, negated)| Predicate {
            steps,
            op,
            constant,
            flipped,
            negated,
        })
}

fn build(arena: &mut Arena, var: VarId, p: &Predicate) -> ExprId {
    let mut e = arena.var_expr(var);
    for s in &p.steps {
        e = apply(arena, e, s);
    }
    let w = arena.width(e);
    let c = arena.constant(w, u128::from(p.constant));
    let e = if p.flipped {
        arena.binary(p.op, c, e)
    } else {
        arena.binary(p.op, e, c)
    };
    if p.negated { arena.not(e) } else { e }
}

fn models(arena: &Arena, var: VarId, all: &[ExprId]) -> Vec<u64> {
    let mut evaluator = Evaluator::new();
    let mut model = Model::new();
    let mut found = Vec::new();
    for value in 0..1u64 << arena.var_width(var) {
        model.set(var, value);
        evaluator.reset();
        if all.iter().all(|&c| evaluator.eval(arena, &model, c) == 1) {
            found.push(value);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn agrees_with_brute_force(
        width in 1..=10u8,
        goals in proptest::collection::vec(predicate(), 1..6),
    ) {
        let mut arena = Arena::new();
        let mut solver = Solver::new(SolverOptions::default()).unwrap();
        let other = arena.new_var("other", 32);
        let var = arena.new_var("x", width);
        let mut hint = Model::new();
        hint.set(other, 77);
        let mut path = PathCondition::new();
        let mut all = Vec::new();
        for p in &goals {
            let goal = build(&mut arena, var, p);
            all.push(goal);
            let expected = models(&arena, var, &all);
            match solver.solve(&mut arena, &path, goal, &hint) {
                Answer::Sat(model) => {
                    prop_assert!(expected.contains(&model.get(var)), "{} not in {expected:?}", model.get(var));
                    prop_assert_eq!(model.get(other), 77);
                    hint = model;
                    path.push(&mut arena, goal);
                }
                Answer::Unsat => {
                    prop_assert!(expected.is_empty(), "said unsat, but {:?}", expected);
                    all.pop();
                }
                Answer::Unknown(reason) => prop_assert!(false, "unknown: {reason}"),
            }
        }
        prop_assert_eq!(solver.stats().rejected_models, 0);
    }
}
