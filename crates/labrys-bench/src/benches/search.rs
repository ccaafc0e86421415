//! `bench search`: the two examples of the paper on coverage structures by every strategy, and what
//! an update of the coverage structure costs with programs and pools of growing size.

use super::lab::Lab;
use super::{Findings, announce};
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Search, Silent, Stop, explore, update_cost};
use labrys_ledger::Criterion;

/// Seeds for each strategy; the mean counts.
const SEEDS: u64 = 30;
/// Runs in which predictive search covers `bubble`.
const BUBBLE_RUNS: f64 = 4.0;
/// The part of the runs of `pps` that `mix` may need for `loop`.
const LOOP_PART: f64 = 0.3;
/// How much more an update may cost with a hundred times as much of everything: caches are no
/// longer in reach of the processor then.
const MAX_GROWTH: f64 = 10.0;

/// Conditions of the chain, two nodes each, and candidates.
const SIZES: [(usize, usize); 5] = [
    (5_000, 1_000),
    (5_000, 10_000),
    (5_000, 100_000),
    (500, 100_000),
    (50, 100_000),
];

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&["what", "bubble", "loop", "target"]);
    let mut means = Vec::new();
    for (name, search) in Search::NAMES {
        announce("search", name);
        let bubble = mean_runs(lab, "bubble", search)?;
        let found = mean_runs(lab, "loop", search)?;
        let target = match search {
            Search::Pps => "bubble 4",
            Search::Mix => "bubble 4, loop 30 % of pps",
            _ => "",
        };
        let row = [
            format!("runs, {name}"),
            format!("{bubble:.1}"),
            format!("{found:.1}"),
            target.to_owned(),
        ];
        findings.table.row(row.to_vec());
        means.push((search, bubble, found));
    }
    let mean = |search| means.iter().find(|(s, ..)| *s == search).copied();
    if let (Some((_, pps, pps_loop)), Some((_, mix, mix_loop))) =
        (mean(Search::Pps), mean(Search::Mix))
    {
        findings.demand(pps == BUBBLE_RUNS && mix == BUBBLE_RUNS, || {
            format!("bubble: {pps:.1} runs by pps and {mix:.1} by mix, not {BUBBLE_RUNS:.0}")
        });
        let part = mix_loop / pps_loop;
        findings.demand(part <= LOOP_PART, || {
            format!("loop: mix needs {:.0} % of the runs of pps", part * 100.0)
        });
        let note = format!(
            "loop: mix needs {:.0} % of the runs of pps; means of {SEEDS} seeds.",
            part * 100.0
        );
        findings.notes.push(note);
    }
    updates(lab, &mut findings)?;
    Ok(findings)
}

/// The mean number of runs until all branches are covered.
fn mean_runs(lab: &Lab, name: &str, search: Search) -> Outcome<f64> {
    let program = lab.prepare(name, &[Criterion::Branch])?;
    let mut runs = 0;
    let seeds = lab.runs(SEEDS as usize) as u64;
    for seed in 0..seeds {
        let config = Config {
            search,
            seed,
            deadline: Deadline::never(),
            ..Config::default()
        };
        let (module, entry, objectives) = (&program.module, &program.entry, &program.objectives);
        let report =
            explore(module, entry, objectives, &config, &mut Silent).map_err(Failure::internal)?;
        if report.stop != Stop::AllCovered {
            return Err(Failure::internal(format_args!("{name} is not covered")));
        }
        runs += report.work.paths;
    }
    Ok(runs as f64 / seeds as f64)
}

/// The cost of updates, as ratios to the cheapest.
fn updates(lab: &Lab, findings: &mut Findings) -> Outcome<()> {
    let mut costs = Vec::new();
    for (conditions, candidates) in lab.some(&SIZES).iter().copied() {
        announce("search", &format!("update, {candidates} candidates"));
        costs.push(update_cost(conditions, candidates).map_err(Failure::internal)?);
    }
    let least = costs.iter().map(|c| c.update).min().unwrap_or_default();
    for cost in costs {
        let growth = cost.update.as_secs_f64() / least.as_secs_f64();
        findings.demand(growth <= MAX_GROWTH, || {
            format!(
                "{} candidates, {} nodes: an update costs {growth:.1} times the least",
                cost.candidates, cost.nodes
            )
        });
        findings.notes.push(format!(
            "update with {} candidates, {} nodes: {:.2} µs, {growth:.1} times the least; over all updates {:.2} µs",
            cost.candidates,
            cost.nodes,
            cost.update.as_secs_f64() * 1e6,
            cost.all.as_secs_f64() * 1e6,
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stdout)]
    use super::*;

    #[test]
    fn the_examples_of_the_paper() {
        let lab = Lab::new(false).unwrap();
        for search in [Search::Pps, Search::Mix] {
            assert_eq!(mean_runs(&lab, "bubble", search).unwrap(), BUBBLE_RUNS);
        }
        let pps = mean_runs(&lab, "loop", Search::Pps).unwrap();
        let mix = mean_runs(&lab, "loop", Search::Mix).unwrap();
        println!("loop: {pps} runs by pps, {mix} by mix");
        assert!(mix <= LOOP_PART * pps, "{mix} runs, {pps} by pps");
    }
}
