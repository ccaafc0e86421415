//! Random small programs in the form that the lifter writes, run on all of their inputs: an event
//! that any run gives must not be refuted. The share of the others that is refuted is counted, so
//! that an analysis that finds nothing fails, too.

mod certificates;
mod expressions;
mod facts;
mod memory;
mod pointers;
mod program;
mod relations;
mod run;

use labrys_budget::Deadline;
use labrys_ledger::Trigger;
use labrys_prove::{AnalysisScope, StaticRule, refute_with_certificates};
use program::Shape;
use std::collections::BTreeSet;
use std::time::Duration;

/// Far more than any of them takes: the analysis by cases wants an end, and counts its work.
const TIME: Duration = Duration::from_secs(36_000);

/// Of a look at what the analysis has left open, as behind a search.
const STEPS: u64 = 400_000;

/// What the runs of a program on all of its inputs give.
fn events(program: &program::Program) -> (BTreeSet<Trigger>, bool) {
    let mut seen: BTreeSet<Trigger> = BTreeSet::new();
    let mut complete = true;
    for input in 0..1u32 << (program.width * program.inputs) {
        let (given, mask) = (program.inputs, (1u32 << program.width) - 1);
        let values: Vec<u64> = (0..given)
            .map(|i| u64::from(input >> (i * program.width) & mask))
            .collect();
        complete &= run::run(&program.module, "harness", &values, &mut seen);
    }
    (seen, complete)
}

struct Score {
    programs: u32,
    infeasible: usize,
    refuted: usize,
}

/// Tries so many programs; `LABRYS_RANDOM_PROGRAMS` multiplies them, for a longer hunt.
fn try_programs(count: u64, shape: Shape) -> Score {
    let more = std::env::var("LABRYS_RANDOM_PROGRAMS").ok();
    let seeds = 0..count * more.and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut score = Score {
        programs: 0,
        infeasible: 0,
        refuted: 0,
    };
    for seed in seeds {
        let program = program::random(seed, shape);
        labrys_ir::verify(&program.module).expect("a well-formed program");
        let (seen, complete) = events(&program);
        let scope = AnalysisScope {
            entries: vec!["harness".into()],
            ..AnalysisScope::default()
        };
        let found = refute_with_certificates(
            &program.module,
            &scope,
            &program.triggers,
            StaticRule::Relations,
            &Deadline::after(TIME),
            None,
        );
        let found = found.unwrap_or_default();
        let mut refuted = found.reasons;
        if let Some(mut cases) = found.cases {
            let is_open = |t: &&Trigger| !refuted.contains_key(*t);
            let open = program.triggers.iter().filter(is_open).copied().collect();
            let later = cases.look(&open, STEPS, &Deadline::after(TIME));
            refuted.extend(later.refuted);
        }
        for trigger in refuted.keys() {
            assert!(
                !seen.contains(trigger),
                "seed {seed}: {trigger:?} is refuted ({:?}), but a run gives it\n{}",
                refuted[trigger],
                program.module
            );
        }
        score.programs += 1;
        if complete {
            let open = program.triggers.iter().filter(|t| !seen.contains(t));
            score.infeasible += open.count();
            score.refuted += refuted.len();
        }
    }
    score
}

#[track_caller]
fn check(score: &Score, least_percent: usize) {
    let percent = 100 * score.refuted / score.infeasible.max(1);
    assert!(
        percent >= least_percent,
        "{} programs: {} of {} refuted ({percent} %)",
        score.programs,
        score.refuted,
        score.infeasible
    );
}

#[test]
fn straight_code_and_branches() {
    check(&try_programs(900, Shape::Branches), 60);
}

#[test]
fn loops() {
    check(&try_programs(500, Shape::Loops), 40);
}

#[test]
fn calls_by_name_and_by_pointer() {
    check(&try_programs(600, Shape::Calls), 40);
}

#[test]
fn variables_locals_and_pointers() {
    check(&try_programs(900, Shape::Memory), 40);
}

#[test]
fn addresses_that_are_passed_and_status_results() {
    check(&try_programs(300, Shape::Pointers), 40);
}

#[test]
fn numbers_that_are_compared_and_added() {
    check(&try_programs(900, Shape::Relations), 40);
}

#[test]
fn any_order_of_blocks_and_registers() {
    // Not single assignment: little is known, and nothing wrong.
    check(&try_programs(800, Shape::Tangled), 10);
}

#[test]
fn registers_that_share_places_change_nothing() {
    let mut fewer = 0;
    for shape in [Shape::Branches, Shape::Loops, Shape::Calls, Shape::Tangled] {
        for seed in 0..150 {
            let mut program = program::random(seed, shape);
            let before = events(&program);
            let text = program.module.to_string();
            for function in &mut program.module.functions {
                let registers = function.widths.len();
                // Every block, or every other one.
                let chosen: Vec<bool> = (0..function.blocks.len() as u64)
                    .map(|block| seed % 2 == 0 || block % 2 == 0)
                    .collect();
                labrys_ir::share_registers(function, &chosen);
                fewer += registers - function.widths.len();
            }
            assert_eq!(
                events(&program),
                before,
                "seed {seed}\n{text}\n{}",
                program.module
            );
        }
    }
    assert!(fewer > 1000, "only {fewer} registers were saved");
}
