//! Float constraints, which go to Bitwuzla: every operation against evaluation, and what only an
//! approximate treatment could get wrong.

#![allow(clippy::unwrap_used)]

use labrys_expr::{Arena, Evaluator, ExprId, ExprOp, Model, Rounding, VarId};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};
use proptest::prelude::*;

struct Bench {
    arena: Arena,
    path: PathCondition,
    hint: Model,
    solver: Solver,
}

impl Bench {
    fn new() -> Self {
        let options = SolverOptions {
            validate: true,
            ..SolverOptions::default()
        };
        Bench {
            arena: Arena::new(),
            path: PathCondition::new(),
            hint: Model::new(),
            solver: Solver::new(options).unwrap(),
        }
    }

    fn var(&mut self, width: u8) -> (VarId, ExprId) {
        let var = self.arena.new_var("f", width);
        (var, self.arena.var_expr(var))
    }

    fn forced(&mut self, width: u8, value: u64) -> ExprId {
        let (var, e) = self.var(width);
        let value = value & labrys_expr::mask(width) as u64;
        self.hint.set(var, value);
        let c = self.arena.constant(width, u128::from(value));
        let equal = self.arena.eq(e, c);
        self.path.push(&mut self.arena, equal);
        e
    }

    fn solve(&mut self, goal: ExprId) -> Answer {
        let answer = self
            .solver
            .solve(&mut self.arena, &self.path, goal, &self.hint);
        assert_eq!(self.solver.stats().validation_errors, Vec::<String>::new());
        answer
    }

    /// The result is what evaluation says, and nothing else.
    fn check(&mut self, e: ExprId) {
        let value = Evaluator::new().eval(&self.arena, &self.hint, e);
        let c = self.arena.constant(self.arena.width(e), value);
        let equal = self.arena.eq(e, c);
        let different = self.arena.not(equal);
        let kind = self.arena.kind(e);
        let answer = self.solve(equal);
        assert!(answer.is_sat(), "{kind:?} cannot be {value:#x}: {answer:?}");
        let answer = self.solve(different);
        assert!(
            answer.is_unsat(),
            "{kind:?} can be something else than {value:#x}: {answer:?}"
        );
    }
}

/// Bit patterns with a liking for the special ones.
fn bits(width: u8) -> BoxedStrategy<u64> {
    let special: Vec<u64> = match width {
        16 => vec![0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x7bff],
        32 => vec![
            0,
            0x8000_0000,
            0x3f80_0000,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            1,
            0x7f7f_ffff,
            0x4f00_0000,
            0xcf00_0000,
            0x5f00_0000,
            0x4effffff,
        ],
        _ => vec![
            0,
            1 << 63,
            1.0f64.to_bits(),
            (-1.5f64).to_bits(),
            f64::INFINITY.to_bits(),
            f64::NEG_INFINITY.to_bits(),
            f64::NAN.to_bits(),
            1,
            f64::MAX.to_bits(),
            2147483648.0f64.to_bits(),
            (-2147483649.0f64).to_bits(),
            9.3e18f64.to_bits(),
            (-0.5f64).to_bits(),
            2.5f64.to_bits(),
        ],
    };
    prop_oneof![
        any::<u64>(),
        prop::sample::select(special),
        (-1000i32..1000).prop_map(move |v| match width {
            16 => u64::from(v.unsigned_abs() as u16 % 0x7c00),
            32 => u64::from((v as f32 / 8.0).to_bits()),
            _ => (f64::from(v) / 8.0).to_bits(),
        }),
    ]
    .boxed()
}

fn two() -> impl Strategy<Value = (u8, u64, u64)> {
    prop::sample::select(vec![16u8, 32, 64]).prop_flat_map(|w| (Just(w), bits(w), bits(w)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn arithmetic(
        op in prop::sample::select(vec![
            ExprOp::FAdd, ExprOp::FSub, ExprOp::FMul, ExprOp::FDiv, ExprOp::FRem, ExprOp::FEq, ExprOp::FLt, ExprOp::FLe,
        ]),
        (width, a, b) in two(),
    ) {
        let mut bench = Bench::new();
        let (x, y) = (bench.forced(width, a), bench.forced(width, b));
        let e = bench.arena.binary(op, x, y);
        bench.check(e);
    }

    /// Comparisons never need Bitwuzla: constants are intervals, the rest is blasted.
    #[test]
    fn comparisons_are_bit_patterns(
        op in prop::sample::select(vec![ExprOp::FEq, ExprOp::FLt, ExprOp::FLe]),
        (width, a, b) in two(),
        negated: bool, flipped: bool,
    ) {
        let mut bench = Bench::new();
        let (var, x) = bench.var(width);
        let c = bench.arena.constant(width, u128::from(a) & labrys_expr::mask(width));
        let d = bench.forced(width, b);
        for y in [c, d] {
            let goal = if flipped { bench.arena.binary(op, y, x) } else { bench.arena.binary(op, x, y) };
            let goal = if negated { bench.arena.not(goal) } else { goal };
            if let Answer::Sat(model) = bench.solve(goal) {
                prop_assert_eq!(Evaluator::new().eval(&bench.arena, &model, goal), 1);
                bench.hint.set(var, model.get(var));
                bench.path.push(&mut bench.arena, goal);
            }
        }
        prop_assert_eq!(bench.solver.stats().bitwuzla.asked, 0);
    }

    #[test]
    fn unary_and_conversions(
        (width, a, _) in two(),
        to in prop::sample::select(vec![8u8, 16, 32, 64]),
        format in prop::sample::select(vec![16u8, 32, 64]),
        mode in prop::sample::select(vec![
            Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down,
            Rounding::ToZero,
        ]),
        signed: bool,
    ) {
        let mut bench = Bench::new();
        let x = bench.forced(width, a);
        let to_int = if signed { ExprOp::FToS } else { ExprOp::FToU };
        let from_int = if signed { ExprOp::SToF } else { ExprOp::UToF };
        let made = [
            bench.arena.fsqrt(x),
            bench.arena.fround(mode, x),
            bench.arena.convert(to_int, x, to),
            bench.arena.convert(from_int, x, format),
            bench.arena.ffma(x, x, x),
        ];
        for e in made {
            bench.check(e);
        }
        if format != width {
            let e = bench.arena.convert(ExprOp::FToF, x, format);
            bench.check(e);
        }
    }
}

#[test]
fn finds_inputs_for_float_conditions() {
    let mut bench = Bench::new();
    let (v, x) = bench.var(64);
    let half = bench.arena.constant(64, u128::from(0.5f64.to_bits()));
    let product = bench.arena.fmul(x, x);
    let goal = bench.arena.feq(product, half);
    // No double has exactly this square.
    assert!(bench.solve(goal).is_unsat());
    let quarter = bench.arena.constant(64, u128::from(0.25f64.to_bits()));
    let goal = bench.arena.feq(product, quarter);
    let Answer::Sat(model) = bench.solve(goal) else {
        panic!("0.5 * 0.5 is 0.25")
    };
    assert_eq!(f64::from_bits(model.get(v)).abs(), 0.5);
}

#[test]
fn nan_is_not_itself_and_zeros_are_equal() {
    let mut bench = Bench::new();
    let (v, x) = bench.var(32);
    let same = bench.arena.feq(x, x);
    let goal = bench.arena.not(same);
    let Answer::Sat(model) = bench.solve(goal) else {
        panic!("NaN != NaN")
    };
    assert!(f32::from_bits(model.get(v) as u32).is_nan());
    let zero = bench.arena.constant(32, 0);
    let (equal, bits) = (bench.arena.feq(x, zero), bench.arena.ne(x, zero));
    let goal = bench.arena.and(equal, bits);
    let Answer::Sat(model) = bench.solve(goal) else {
        panic!("-0.0 == 0.0")
    };
    assert_eq!(model.get(v), 0x8000_0000);
}

#[test]
fn x87_and_fmod_are_refined_by_evaluation() {
    let mut bench = Bench::new();
    let (v, x) = bench.var(64);
    let wide = bench.arena.convert(ExprOp::FToF, x, 80);
    let back = bench.arena.convert(ExprOp::FToF, wide, 64);
    let three = bench.arena.constant(64, u128::from(3.0f64.to_bits()));
    let goal = bench.arena.feq(back, three);
    match bench.solve(goal) {
        Answer::Sat(model) => assert_eq!(f64::from_bits(model.get(v)), 3.0),
        Answer::Unknown(_) => {}
        Answer::Unsat => panic!("3.0 survives the way through long double"),
    }
}
