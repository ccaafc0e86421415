//! Constraints that only corner values satisfy: a solver that cuts a corner would call them
//! unsatisfiable. Each is asked with all stages and with each of the stages that could be wrong
//! alone.

#![allow(clippy::unwrap_used)]

use labrys_expr::{Arena, ExprId, Model};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};

type Build = fn(&mut Arena, ExprId) -> Vec<ExprId>;

fn con(a: &mut Arena, x: ExprId, v: u128) -> ExprId {
    a.constant(a.width(x), v)
}

/// Constraints on one variable, its width, and the only value that satisfies them, or none.
fn cases() -> Vec<(&'static str, u8, Build, Option<u64>)> {
    vec![
        (
            "x == -x and x != 0: the smallest int",
            32,
            |a, x| {
                let n = a.neg(x);
                let zero = con(a, x, 0);
                vec![a.eq(n, x), a.ne(x, zero)]
            },
            Some(0x8000_0000),
        ),
        (
            "x < x - 1, signed: the smallest int",
            32,
            |a, x| {
                let one = con(a, x, 1);
                let y = a.sub(x, one);
                vec![a.slt(x, y)]
            },
            Some(0x8000_0000),
        ),
        (
            "x + 1 < x, unsigned: the largest",
            64,
            |a, x| {
                let one = con(a, x, 1);
                let y = a.add(x, one);
                vec![a.ult(y, x)]
            },
            Some(u64::MAX),
        ),
        (
            "sign bit of a byte: 0x80 alone",
            8,
            |a, x| {
                let (zero, c) = (con(a, x, 0), con(a, x, 0x81));
                vec![a.slt(x, zero), a.ult(x, c)]
            },
            Some(0x80),
        ),
        (
            "x + 10 wraps below 3, and x is not 246 or 247",
            8,
            |a, x| {
                let (ten, three) = (con(a, x, 10), con(a, x, 3));
                let y = a.add(x, ten);
                let (p, q) = (con(a, x, 246), con(a, x, 247));
                vec![a.ult(y, three), a.ne(x, p), a.ne(x, q)]
            },
            Some(248),
        ),
        (
            "x + 10 wraps below 3, wide",
            32,
            |a, x| {
                let (ten, three) = (con(a, x, 10), con(a, x, 3));
                let y = a.add(x, ten);
                let (p, q) = (con(a, x, 0xffff_fff6), con(a, x, 0xffff_fff7));
                vec![a.ult(y, three), a.ne(x, p), a.ne(x, q)]
            },
            Some(0xffff_fff8),
        ),
        (
            "signed at most -128 after sign extension",
            8,
            |a, x| {
                let wide = a.sext(x, 32);
                let limit = a.constant(32, 0xffff_ff81);
                vec![a.slt(wide, limit)]
            },
            Some(0x80),
        ),
        (
            "signed below and unsigned above",
            32,
            |a, x| {
                let (zero, c) = (con(a, x, 0), con(a, x, 0xffff_fffe));
                vec![a.slt(x, zero), a.ugt(x, c)]
            },
            Some(u32::MAX as u64),
        ),
        (
            "both ends of the signed range are different",
            32,
            |a, x| {
                let (least, most) = (con(a, x, 0x8000_0000), con(a, x, 0x7fff_ffff));
                vec![a.sle(x, least), a.sge(x, most)]
            },
            None,
        ),
        (
            "x / -1 overflows to itself",
            32,
            |a, x| {
                let minus = con(a, x, 0xffff_ffff);
                let q = a.sdiv(x, minus);
                let zero = con(a, x, 0);
                vec![a.eq(q, x), a.slt(x, zero)]
            },
            Some(0x8000_0000),
        ),
        (
            "division by zero gives all ones",
            16,
            |a, x| {
                let c = con(a, x, 5);
                let q = a.udiv(c, x);
                let ones = con(a, x, 0xffff);
                vec![a.eq(q, ones)]
            },
            Some(0),
        ),
        (
            "signed division keeps -7 / 2 at -3",
            32,
            |a, x| {
                let two = con(a, x, 2);
                let q = a.sdiv(x, two);
                let (c, even) = (con(a, x, 0xffff_fffd), con(a, x, 0xffff_fffa));
                vec![a.eq(q, c), a.ne(x, even)]
            },
            Some(0xffff_fff9),
        ),
        (
            "the square of 0x10000 is zero",
            32,
            |a, x| {
                let square = a.mul(x, x);
                let (zero, limit) = (con(a, x, 0), con(a, x, 0x10001));
                vec![a.eq(square, zero), a.ult(x, limit), a.ugt(x, zero)]
            },
            Some(0x10000),
        ),
        (
            "truncation hides the high bits",
            32,
            |a, x| {
                let low = a.extract(x, 0, 8);
                let c = a.constant(8, 0);
                let (p, q) = (con(a, x, 0xff), con(a, x, 0x101));
                vec![a.eq(low, c), a.ugt(x, p), a.ult(x, q)]
            },
            Some(0x100),
        ),
        (
            "an unsigned long above every signed one",
            64,
            |a, x| {
                let c = con(a, x, u128::from(u64::MAX - 1));
                vec![a.ugt(x, c)]
            },
            Some(u64::MAX),
        ),
        (
            "no number between neighbours",
            64,
            |a, x| {
                let (p, q) = (con(a, x, 5), con(a, x, 6));
                vec![a.ugt(x, p), a.ult(x, q)]
            },
            None,
        ),
    ]
}

fn ask(options: SolverOptions, width: u8, build: Build) -> Option<u64> {
    let mut arena = Arena::new();
    let var = arena.new_var("x", width);
    let x = arena.var_expr(var);
    let mut solver = Solver::new(options).unwrap();
    let mut path = PathCondition::new();
    let mut hint = Model::new();
    let constraints = build(&mut arena, x);
    let mut value = Some(0);
    for c in constraints {
        match solver.solve(&mut arena, &path, c, &hint) {
            Answer::Sat(model) => {
                value = Some(model.get(var));
                hint = model;
                path.push(&mut arena, c);
            }
            Answer::Unsat => value = None,
            Answer::Unknown(reason) => panic!("unknown: {reason}"),
        }
    }
    assert_eq!(solver.stats().validation_errors, Vec::<String>::new());
    value
}

#[test]
fn corner_values_are_found() {
    for (name, width, build, expected) in cases() {
        let all = SolverOptions {
            validate: true,
            ..SolverOptions::default()
        };
        assert_eq!(ask(all, width, build), expected, "{name}");
        let blaster = SolverOptions {
            domains: false,
            local: false,
            order: false,
            bitwuzla: false,
            ..SolverOptions::default()
        };
        assert_eq!(
            ask(blaster, width, build),
            expected,
            "{name}, by the blaster"
        );
        let bitwuzla = SolverOptions {
            domains: false,
            local: false,
            order: false,
            blast: false,
            ..SolverOptions::default()
        };
        assert_eq!(ask(bitwuzla, width, build), expected, "{name}, by Bitwuzla");
    }
}

#[test]
fn an_indeterminate_condition_is_unknown_not_unsat() {
    let mut arena = Arena::new();
    let x = arena.uninit(8);
    let c = arena.constant(8, 3);
    let goal = arena.eq(x, c);
    let mut solver = Solver::new(SolverOptions::default()).unwrap();
    let answer = solver.solve(&mut arena, &PathCondition::new(), goal, &Model::new());
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

#[test]
fn a_used_up_budget_is_unknown_not_unsat() {
    let mut arena = Arena::new();
    let (x, y) = (arena.new_var("x", 32), arena.new_var("y", 32));
    let (x, y) = (arena.var_expr(x), arena.var_expr(y));
    let (x, y) = (arena.zext(x, 64), arena.zext(y, 64));
    let product = arena.mul(x, y);
    // The product of two primes near 2^31.
    let c = arena.constant(64, 2_147_483_647 * 2_147_483_629);
    let one = arena.constant(64, 1);
    let (a, b) = (arena.ugt(x, one), arena.ult(x, y));
    let both = arena.and(a, b);
    let same = arena.eq(product, c);
    let goal = arena.and(same, both);
    let options = SolverOptions {
        timeout: std::time::Duration::from_millis(50),
        conflicts: 10,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(options).unwrap();
    let start = std::time::Instant::now();
    let answer = solver.solve(&mut arena, &PathCondition::new(), goal, &Model::new());
    assert!(!answer.is_unsat());
    assert!(start.elapsed().as_secs() < 5, "the limit was not kept");
}
