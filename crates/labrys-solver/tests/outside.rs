//! The query log and the external solver.

#![allow(clippy::unwrap_used)]

use labrys_expr::{Arena, ExprOp, Model};
use labrys_solver::{Answer, PathCondition, Solver, SolverError, SolverOptions};
use std::process::Command;
use std::time::{Duration, Instant};

/// Some queries of every kind, with what they should answer.
fn ask(options: SolverOptions) -> (Vec<&'static str>, labrys_solver::SolverStats) {
    let mut arena = Arena::new();
    let x = arena.new_var("x", 32);
    let y = arena.new_var("odd name\n)", 32);
    let f = arena.new_var("f", 64);
    let (x, y, f) = (arena.var_expr(x), arena.var_expr(y), arena.var_expr(f));
    let mut solver = Solver::new(options).unwrap();
    let mut path = PathCondition::new();
    let mut hint = Model::new();
    let ten = arena.constant(32, 10);
    let sum = arena.add(x, y);
    let product = arena.mul(x, y);
    let entries: Vec<_> = (0..5u128).map(|i| arena.constant(32, i * 7)).collect();
    let table = arena.table(&entries);
    let looked_up = arena.select(table, y);
    let whole = arena.convert(ExprOp::FToS, f, 32);
    let twelve = arena.constant(32, 12);
    let goals = [
        arena.ult(x, ten),
        arena.eq(sum, ten),
        arena.ult(ten, y),
        arena.eq(product, ten),
        arena.eq(looked_up, twelve),
        arena.eq(whole, twelve),
    ];
    let mut answers = Vec::new();
    for goal in goals {
        answers.push(match solver.solve(&mut arena, &path, goal, &hint) {
            Answer::Sat(model) => {
                hint = model;
                path.push(&mut arena, goal);
                "sat"
            }
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        });
    }
    (answers, solver.stats().clone())
}

fn has_z3() -> bool {
    Command::new("z3").arg("-version").output().is_ok()
}

#[test]
fn z3_agrees_with_the_chain() {
    if !has_z3() {
        return;
    }
    let (ours, _) = ask(SolverOptions {
        validate: true,
        ..SolverOptions::default()
    });
    let external = SolverOptions {
        external: Some("z3".into()),
        domains: false,
        local: false,
        order: false,
        ..SolverOptions::default()
    };
    let (theirs, stats) = ask(external);
    assert_eq!(ours, theirs);
    assert_eq!(stats.external.answered, stats.queries);
    assert_eq!((stats.blast.asked, stats.bitwuzla.asked), (0, 0));
}

#[test]
fn a_hung_solver_is_killed_and_the_answer_is_unknown() {
    let options = SolverOptions {
        external: Some("sleep 1000".into()),
        timeout: Duration::from_millis(50),
        domains: false,
        local: false,
        order: false,
        ..SolverOptions::default()
    };
    let start = Instant::now();
    let (answers, stats) = ask(options);
    assert!(answers.iter().all(|a| *a == "unknown"), "{answers:?}");
    assert_eq!(stats.unknown, stats.queries);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_missing_solver_is_an_error_at_the_start() {
    let options = SolverOptions {
        external: Some("no-such-solver".into()),
        ..SolverOptions::default()
    };
    assert!(matches!(
        Solver::new(options),
        Err(SolverError::External { .. })
    ));
}

#[test]
fn logged_queries_can_be_read_by_another_solver() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("queries");
    let (answers, _) = ask(SolverOptions {
        log_queries: Some(log.clone()),
        ..SolverOptions::default()
    });
    let mut files: Vec<_> = std::fs::read_dir(&log)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    assert_eq!(files.len(), answers.len());
    for (file, answer) in files.iter().zip(&answers) {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.starts_with(&format!("; labrys: {answer}")), "{text}");
        if has_z3() {
            let output = Command::new("z3").arg(file).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(said.trim(), *answer, "{text}");
        }
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let options = SolverOptions {
        log_queries: Some(file.path().join("below")),
        ..SolverOptions::default()
    };
    assert!(matches!(Solver::new(options), Err(SolverError::Log { .. })));
}
