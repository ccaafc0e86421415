//! The whole chain on random constraint sets, with validation by Bitwuzla, and each way of
//! switching stages off; the answers must not depend on it.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Tree, bool_tree};
use labrys_expr::{Arena, Model};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions, SolverStats, UnknownReason};
use proptest::prelude::*;
use std::time::Duration;

/// Asks for each condition in turn and takes those that are satisfiable onto the path.
fn explore(options: SolverOptions, widths: &[u8], goals: &[Tree]) -> (Vec<bool>, SolverStats) {
    let mut arena = Arena::new();
    let vars: Vec<_> = widths.iter().map(|&w| arena.new_var("v", w)).collect();
    let mut solver = Solver::new(options).unwrap();
    let mut path = PathCondition::new();
    let mut hint = Model::new();
    let mut answers = Vec::new();
    for tree in goals {
        let goal = tree.build(&mut arena, &vars);
        match solver.solve(&mut arena, &path, goal, &hint) {
            Answer::Sat(model) => {
                answers.push(true);
                hint = model;
                path.push(&mut arena, goal);
            }
            Answer::Unsat => answers.push(false),
            // A wide product may be too hard, or too much for a stage alone; the answers up to
            // here count.
            Answer::Unknown(UnknownReason::Limit | UnknownReason::Unsupported) => break,
            Answer::Unknown(reason) => panic!("unknown: {reason}"),
        }
    }
    (answers, solver.stats().clone())
}

fn with(change: impl Fn(&mut SolverOptions)) -> SolverOptions {
    let mut options = SolverOptions {
        timeout: Duration::from_secs(2),
        ..SolverOptions::default()
    };
    change(&mut options);
    options
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn agrees_with_bitwuzla(
        widths in proptest::collection::vec(prop_oneof![Just(8u8), Just(3), Just(16), Just(11)], 3),
        goals in proptest::collection::vec(bool_tree(), 1..6),
    ) {
        let (answers, stats) = explore(with(|o| o.validate = true), &widths, &goals);
        prop_assert!(stats.validation_errors.is_empty(), "{:?}", stats.validation_errors);
        prop_assert_eq!(stats.rejected_models, 0);
        let variants: [fn(&mut SolverOptions); 5] = [
            |o| o.slice = false,
            |o| o.domains = false,
            |o| { o.cache = false; o.local = false; o.order = false },
            |o| o.blast = false,
            |o| o.bitwuzla = false,
        ];
        for change in variants {
            let (others, _) = explore(with(change), &widths, &goals);
            let both = others.len().min(answers.len());
            prop_assert_eq!(&others[..both], &answers[..both]);
        }
    }
}

/// Comparisons between a few variables and constants, the questions of sorting programs.
fn comparison() -> impl Strategy<Value = Tree> {
    let term = || {
        prop_oneof![
            4 => (0..3usize).prop_map(Tree::Var),
            1 => (0..6u128).prop_map(Tree::Const),
        ]
        .prop_map(Box::new)
    };
    (common::compare(), term(), term()).prop_map(|(op, a, b)| Tree::Compare(op, a, b))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn orders_agree_with_bitwuzla(goals in proptest::collection::vec(comparison(), 1..10)) {
        let (answers, stats) = explore(with(|o| o.validate = true), &[12, 12, 12], &goals);
        prop_assert!(stats.validation_errors.is_empty(), "{:?}", stats.validation_errors);
        prop_assert_eq!(stats.rejected_models, 0);
        prop_assert_eq!(&explore(with(|o| o.order = false), &[12, 12, 12], &goals).0, &answers);
    }
}
