//! What it costs to keep the structure, the pool and predictive search up to date after a run, on
//! programs and pools of any size: a chain of conditions, with candidates waiting at all of them.

use super::pps::Pps;
use crate::bitset::BitSet;
use crate::candidates::{
    BranchDistances, Candidate, CoverageStructure, Pool, SearchView, Strategy,
};
use crate::error::EngineError;
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::structure::{CandidateStart, ProgramStructure};
use labrys_budget::Deadline;
use labrys_ledger::{Criterion, Objective, Trigger};
use std::fmt::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The cost of updates.
#[derive(Clone, Copy, Debug)]
pub struct UpdateCost {
    /// Nodes of the structure.
    pub nodes: usize,
    pub candidates: usize,
    /// One update and the choice of the next candidate, on average, while everything is needed.
    pub update: Duration,
    /// The same over all updates, until the last candidate is dropped.
    pub all: Duration,
}

/// The number of updates that are measured while nothing dies.
const UPDATES: usize = 64;

/// Measures a chain of so many conditions with so many candidates.
pub fn update_cost(conditions: usize, candidates: usize) -> Result<UpdateCost, EngineError> {
    let module = labrys_ir::parse(&chain(conditions))
        .map_err(|error| EngineError::NoFunction(format!("chain: {error}")))?;
    let program = Program::new(&module);
    let objectives = ObjectiveMap::new(&objectives(conditions), &[], |_, _| true);
    let mut structure = ProgramStructure::new(&program, &objectives, 3);
    let mut pool = Pool::default();
    let mut pps = Pps::new(1, &Deadline::never());
    let mut covered = BitSet::default();
    let distances = BranchDistances::default();
    let input = Rc::default();
    let main = module
        .function("main")
        .ok_or_else(|| EngineError::NoFunction("main".to_owned()))?;
    let mut tickets = Vec::with_capacity(candidates);
    for number in 0..candidates {
        // The annotation of a condition is the first instruction of its block.
        let block = module.functions[main.index()].blocks[2 * (number % conditions)];
        let start = CandidateStart::Outcome(block.start, (number / conditions).is_multiple_of(2));
        let spot = structure.spot_at(main, start);
        let ticket = pool.insert(Candidate::empty(), spot);
        structure.wait(spot, ticket);
        tickets.push(ticket);
    }
    let mut update = |from: usize, to: usize, first: Option<&[_]>| {
        let started = Instant::now();
        for objective in from..to {
            let mut dropped = Vec::new();
            covered.insert(objective);
            structure.cover(objective, &mut dropped);
            for ticket in dropped {
                let spot = pool.spot(ticket);
                if pool.take(ticket).is_some() {
                    structure.leave(spot, &|t| pool.contains(t));
                }
            }
            let mut view = SearchView {
                pool: &pool,
                covered: &covered,
                structure: Some(&mut structure),
                objectives: &objectives,
                fruitful: true,
                distances: &distances,
                input: &input,
            };
            match first {
                Some(tickets) => pps.add(tickets, &mut view),
                None => {
                    if let Some(ticket) = pps.next(&mut view) {
                        let spot = pool.spot(ticket);
                        pool.take(ticket);
                        structure.leave(spot, &|t| pool.contains(t));
                    }
                }
            }
        }
        started.elapsed()
    };
    let count = 2 * conditions;
    update(0, 1, Some(&tickets));
    let some = UPDATES.min(count / 4);
    let early = update(1, 1 + some, None);
    let late = update(1 + some, count, None);
    Ok(UpdateCost {
        nodes: structure.sizes()[0].1,
        candidates,
        update: early / some as u32,
        all: (early + late) / (count - 1) as u32,
    })
}

/// `if (labrys_cond(k, 0, x)) …` for every k, one behind the other.
fn chain(conditions: usize) -> String {
    let mut text = String::from(
        "text \"\"\nfunction @labrys_cond(r0, r1, r2) -> 32 { regs 32 32 32 }\nfunction @main(r0) {\n  regs 32 32 32 1",
    );
    text.push_str(&" 32".repeat(conditions));
    text.push_str("\n  const r1 = 0\n");
    for k in 0..conditions {
        let _ = writeln!(text, "  const r{} = {k}", k + 4);
    }
    for k in 0..conditions {
        let _ = writeln!(text, "  edge e{} -> b{}", 2 * k, 2 * k + 1);
        let _ = writeln!(text, "  edge e{} -> b{}", 2 * k + 1, 2 * k + 2);
    }
    for k in 0..conditions {
        let _ = writeln!(
            text,
            "b{}:\n  call @labrys_cond(r{}, r1, r0) -> (r2)\n  r3 = cmp.ne.32 r2, r1\n  branch r3, e{}, e{}\nb{}:\n  jump e{}",
            2 * k,
            k + 4,
            2 * k,
            2 * k + 1,
            2 * k + 1,
            2 * k + 1
        );
    }
    let _ = writeln!(text, "b{}:\n  return ()\n}}", 2 * conditions);
    text
}

/// Both outcomes of every condition.
fn objectives(conditions: usize) -> Vec<Objective> {
    let outcomes = (0..conditions as u32).flat_map(|k| [(k, true), (k, false)]);
    let objectives = outcomes.map(|(decision, value)| Objective {
        id: format!("branch:{decision}:{value}"),
        criterion: Criterion::Branch,
        function: "main".into(),
        file: String::new(),
        line: 0,
        column: 0,
        text: String::new(),
        trigger: Trigger::Condition {
            decision,
            index: 0,
            value,
        },
    });
    objectives.collect()
}
