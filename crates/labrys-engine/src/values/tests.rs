//! Chosen values satisfy whatever the raw ones did: random paths, and what is chosen on small ones.

use super::{TestConstraints, Values};
use crate::inputs::{InputId, InputKind, Inputs, Scalar};
use crate::values::limits::EffortSpent;
use labrys_expr::{Arena, Evaluator, ExprId, ExprOp, Model, VarSetId};
use labrys_ledger::InputType;
use labrys_solver::{PathCondition, Solver, SolverOptions};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Inputs with a path, and values for them.
struct Desk {
    arena: Arena,
    inputs: Inputs,
    asked: Vec<InputId>,
    path: PathCondition,
    keep: Vec<ExprId>,
    model: Model,
    types: BTreeMap<String, InputType>,
    words: Vec<Vec<u8>>,
}

impl Desk {
    fn new() -> Self {
        Desk {
            arena: Arena::new(),
            inputs: Inputs::default(),
            asked: Vec::new(),
            path: PathCondition::new(),
            keep: Vec::new(),
            model: Model::new(),
            types: BTreeMap::new(),
            words: Vec::new(),
        }
    }

    /// Asks for an input, whose first variable is returned.
    fn input(&mut self, name: &str, kind: InputKind, size: u64, piece: u32) -> ExprId {
        let position = self.asked.len() as u32;
        let id = (self.inputs).request(&mut self.arena, position, name, kind, size, piece);
        self.asked.push(id);
        let (var, _) = self.inputs.get(id).pieces[0];
        self.arena.var_expr(var)
    }

    fn scalar(&mut self, name: &str, scalar: Scalar) -> ExprId {
        self.input(name, InputKind::Scalar(scalar), scalar.bytes(), 8)
    }

    fn assume(&mut self, condition: ExprId) {
        self.path.push(&mut self.arena, condition);
    }

    /// The bytes that are chosen for each input.
    fn choose(&mut self) -> Vec<Vec<u8>> {
        self.choose_and_count().0
    }

    /// The same with the number of questions that were asked.
    fn choose_and_count(&mut self) -> (Vec<Vec<u8>>, u64) {
        let mut values = Values {
            types: Arc::new(self.types.clone()),
            words: self.words.clone(),
            solver: Solver::new(SolverOptions {
                bitwuzla: false,
                ..SolverOptions::default()
            })
            .unwrap(),
            evaluator: Evaluator::new(),
            verdicts: Default::default(),
            settled: Default::default(),
            fields: Default::default(),
            spent: EffortSpent::default(),
        };
        let scene = TestConstraints {
            path: &self.path,
            keep: &self.keep,
            inputs: &self.asked,
            shown: VarSetId::EMPTY,
        };
        let chosen = values.nicer(&mut self.arena, &self.inputs, &scene, &self.model);
        let model = chosen.unwrap_or_else(|| self.model.clone());
        let mut evaluator = Evaluator::new();
        for condition in self.path.iter().chain(self.keep.iter().copied()) {
            assert_eq!(evaluator.eval(&self.arena, &model, condition), 1);
        }
        let ids = self.asked.iter();
        let bytes = ids.map(|id| self.inputs.bytes(*id, &model)).collect();
        (bytes, values.queries())
    }

    /// Gives a variable a value.
    fn set(&mut self, var: ExprId, value: u64) {
        if let labrys_expr::ExprKind::Var(var) = self.arena.kind(var) {
            self.model.set(var, value);
        }
    }

    fn int(&mut self) -> i32 {
        let chosen = self.choose();
        i32::from_le_bytes(chosen[0][..4].try_into().unwrap())
    }
}

#[test]
fn a_condition_beside_the_path_is_kept() {
    let mut desk = Desk::new();
    let x = desk.scalar("x", Scalar::Int);
    let limit = desk.arena.constant(32, 18);
    let below = desk.arena.slt(x, limit);
    desk.assume(below);
    assert_eq!(desk.int(), 17);
    let six = desk.arena.constant(32, 6);
    let rest = desk.arena.urem(x, six);
    let zero = desk.arena.constant(32, 0);
    let divides = desk.arena.eq(rest, zero);
    desk.keep.push(divides);
    assert_eq!(desk.int() % 6, 0);
}

#[test]
fn a_choice_between_pointers_stays() {
    let mut desk = Desk::new();
    let pick = desk.input("p", InputKind::Pick { count: 5 }, 4, 4);
    let x = desk.scalar("x", Scalar::Int);
    let count = desk.arena.constant(32, 5);
    let valid = desk.arena.ult(pick, count);
    desk.assume(valid);
    // The number is bound to the choice, so a small one would need another choice.
    let same = desk.arena.eq(pick, x);
    desk.assume(same);
    for value in [pick, x] {
        let labrys_expr::ExprKind::Var(var) = desk.arena.kind(value) else {
            unreachable!()
        };
        desk.model.set(var, 3);
    }
    let chosen = desk.choose();
    assert_eq!(chosen, [[3, 0, 0, 0], [3, 0, 0, 0]]);
}

fn ints(chosen: &[Vec<u8>]) -> Vec<i32> {
    let int = |bytes: &Vec<u8>| i32::from_le_bytes(bytes[..4].try_into().unwrap());
    chosen.iter().map(int).collect()
}

#[test]
fn numbers_in_an_order_become_small_without_a_question() {
    let mut desk = Desk::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| desk.scalar(name, Scalar::Int));
    // c < a <= b, side by side and far away from zero: none can become small alone.
    let below = desk.arena.slt(c, a);
    let not_above = desk.arena.sle(a, b);
    desk.assume(below);
    desk.assume(not_above);
    for (var, value) in [(a, 1_000_000), (b, 1_000_000), (c, 999_999)] {
        desk.set(var, value);
    }
    let (chosen, questions) = desk.choose_and_count();
    assert_eq!((ints(&chosen), questions), (vec![2, 3, 1], 0));
}

#[test]
fn numbers_in_an_order_begin_at_a_constant() {
    let mut desk = Desk::new();
    let [a, b] = ["a", "b"].map(|name| desk.scalar(name, Scalar::Int));
    // 50 < a = b
    let fifty = desk.arena.constant(32, 50);
    let (above, same) = (desk.arena.slt(fifty, a), desk.arena.eq(a, b));
    desk.assume(above);
    desk.assume(same);
    desk.set(a, 1_000_000);
    desk.set(b, 1_000_000);
    assert_eq!(ints(&desk.choose()), [51, 51]);
}

#[test]
fn numbers_that_are_bound_by_more_than_their_order_are_asked_for() {
    let mut desk = Desk::new();
    let [a, b] = ["a", "b"].map(|name| desk.scalar(name, Scalar::Int));
    // b = 3a: ranks say nothing of that.
    let three = desk.arena.constant(32, 3);
    let product = desk.arena.mul(a, three);
    let same = desk.arena.eq(b, product);
    desk.assume(same);
    desk.set(a, 100_000);
    desk.set(b, 300_000);
    let (chosen, questions) = desk.choose_and_count();
    let chosen = ints(&chosen);
    assert!(questions > 0 && chosen[1] == 3 * chosen[0] && chosen[0].abs() <= 16);
}

#[test]
fn a_model_that_does_not_satisfy_the_path_is_left_alone() {
    let mut desk = Desk::new();
    let x = desk.scalar("x", Scalar::Int);
    let seven = desk.arena.constant(32, 7);
    let is_seven = desk.arena.eq(x, seven);
    desk.assume(is_seven);
    let mut values = Values {
        types: Arc::default(),
        words: Vec::new(),
        solver: Solver::new(SolverOptions::default()).unwrap(),
        evaluator: Evaluator::new(),
        verdicts: Default::default(),
        settled: Default::default(),
        fields: Default::default(),
        spent: EffortSpent::default(),
    };
    let scene = TestConstraints {
        path: &desk.path,
        keep: &[],
        inputs: &desk.asked,
        shown: VarSetId::EMPTY,
    };
    let none = values.nicer(&mut desk.arena, &desk.inputs, &scene, &desk.model);
    assert_eq!(none, None);
}

#[test]
fn a_word_of_the_program_is_taken_where_it_fits() {
    let mut desk = Desk::new();
    desk.words = vec![b"no".to_vec(), b"yes".to_vec()];
    desk.input("s", InputKind::Memory, 8, 1);
    let (first, third) = {
        let pieces = &desk.inputs.get(desk.asked[0]).pieces;
        (pieces[0].0, pieces[2].0)
    };
    let zero = desk.arena.constant(8, 0);
    for var in [first, third] {
        let byte = desk.arena.var_expr(var);
        let is_text = desk.arena.ne(byte, zero);
        desk.assume(is_text);
        desk.model.set(var, 200);
    }
    assert_eq!(&desk.choose()[0], b"yes\0\0\0\0\0");
    desk.words.clear();
    assert_eq!(&desk.choose()[0], b"abc\0\0\0\0\0");
}

/// A random term: numbers choose operations and operands.
fn term(arena: &mut Arena, vars: &[ExprId], picks: &[(u8, u8, u16)], width: u8) -> ExprId {
    let widen = |arena: &mut Arena, e: ExprId| match arena.width(e) {
        narrow if narrow < width => arena.sext(e, width),
        wide if wide > width => arena.extract(e, 0, width),
        _ => e,
    };
    let first = vars[usize::from(picks[0].1) % vars.len()];
    let mut e = widen(arena, first);
    for (op, operand, constant) in picks {
        let other = match operand % 3 {
            0 => arena.constant(width, (*constant).into()),
            _ => {
                let var = vars[usize::from(*operand) % vars.len()];
                widen(arena, var)
            }
        };
        let ops = [
            ExprOp::Add,
            ExprOp::Sub,
            ExprOp::Xor,
            ExprOp::And,
            ExprOp::Or,
            ExprOp::Mul,
        ];
        e = arena.binary(ops[usize::from(*op) % ops.len()], e, other);
    }
    e
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever the path, the chosen values take it: `choose` checks that.
    #[test]
    fn chosen_values_take_the_same_path(
        values in proptest::collection::vec(any::<u64>(), 8),
        conditions in proptest::collection::vec(
            (any::<u8>(), proptest::collection::vec(any::<(u8, u8, u16)>(), 1..4), any::<u16>()),
            1..8,
        ),
        kept in 0..3usize,
    ) {
        let mut desk = Desk::new();
        let scalars = [Scalar::Int, Scalar::ULong, Scalar::Short, Scalar::UChar, Scalar::Char];
        let names = ["a", "b", "c", "d", "e"];
        let mut vars: Vec<ExprId> = scalars
            .iter()
            .zip(names)
            .map(|(scalar, name)| desk.scalar(name, *scalar))
            .collect();
        vars.push(desk.input("s", InputKind::Memory, 5, 1));
        vars.push(desk.input("p", InputKind::Pick { count: 3 }, 4, 4));
        let ids = desk.asked.clone();
        let pieces = ids.iter().flat_map(|id| desk.inputs.get(*id).pieces.clone());
        for ((var, bytes), value) in pieces.zip(values.iter().cycle()) {
            desk.model.set(var, value & (u64::MAX >> (64 - 8 * bytes)));
        }
        let mut evaluator = Evaluator::new();
        for (i, (kind, picks, limit)) in conditions.iter().enumerate() {
            let width = [8, 16, 32, 64][usize::from(*kind) % 4];
            let e = term(&mut desk.arena, &vars, picks, width);
            let limit = desk.arena.constant(width, u128::from(*limit));
            let condition = match kind / 4 % 3 {
                0 => desk.arena.slt(e, limit),
                1 => desk.arena.ult(limit, e),
                _ => desk.arena.eq(e, limit),
            };
            let holds = evaluator.eval(&desk.arena, &desk.model, condition) == 1;
            let condition = if holds { condition } else { desk.arena.not(condition) };
            if i < kept {
                desk.keep.push(condition);
            } else {
                desk.assume(condition);
            }
        }
        let before = desk.inputs.bytes(ids[6], &desk.model);
        let chosen = desk.choose();
        prop_assert_eq!(&chosen[6], &before);
        prop_assert_eq!(chosen, desk.choose());
    }
}
