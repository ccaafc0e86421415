//! `bench solver`: the queries of explorations, recorded once and asked again of the whole chain,
//! of the bit-blaster alone, of Bitwuzla alone and of Z3.

use super::clock::cpu_time;
use super::explore::{self, all_paths};
use super::lab::Lab;
use super::{Findings, announce};
use labrys_driver::{Failure, Outcome};
use labrys_engine::Silent;
use labrys_expr::{Arena, ExprId};
use labrys_ledger::Criterion;
use labrys_show::table::Table;
use labrys_solver::{
    Answer, PathCondition, RecordedQuery, Recording, Solver, SolverOptions, SolverStats,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A program beside those of `bench explore`, with queries that need the last stages. It is not
/// part of the total, which a few hard queries would decide alone.
const HARD: &str = "numbers";
const HARD_SAMPLE: usize = 40;
/// Queries in the short form.
const SHORT_SAMPLE: usize = 4;
/// Bitwuzla and Z3 are slow: at most so many queries of a program are asked, evenly spread.
const SAMPLE: usize = 400;
/// How many times as fast as Bitwuzla alone the chain must be in total.
const MIN_FACTOR: f64 = 20.0;

/// The solvers that are compared, the chain first and Bitwuzla as the measure.
const CHAIN: usize = 0;
const BITWUZLA: usize = 2;

/// One solver's way through a stream.
struct SolverRun {
    answers: Vec<Answer>,
    time: Duration,
    stats: SolverStats,
}

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "program",
        "queries",
        "asked",
        "chain",
        "blaster alone",
        "Bitwuzla alone",
        "Z3",
        "Bitwuzla / chain",
        "target",
        "Z3 / chain",
        "blaster / chain",
    ]);
    let mut stages = Table::new(&[
        "all queries",
        "time",
        "one variable",
        "cache",
        "order",
        "one change",
        "SAT",
        "time in SAT",
        "Bitwuzla",
        "time in Bitwuzla",
    ]);
    let sample = if lab.short { SHORT_SAMPLE } else { SAMPLE };
    let mut totals = [Duration::ZERO; 4];
    for (name, _) in lab.some(&explore::PROGRAMS) {
        let times = compare(lab, name, sample, &mut findings, &mut stages)?;
        for (total, time) in totals.iter_mut().zip(times) {
            *total += time;
        }
    }
    let mut total = row(
        "without numbers",
        0,
        0,
        &totals,
        &format!(">= {MIN_FACTOR:.0}"),
    );
    total[1].clear();
    total[2].clear();
    findings.table.row(total);
    let hard = if lab.short { SHORT_SAMPLE } else { HARD_SAMPLE };
    compare(lab, HARD, hard, &mut findings, &mut stages)?;
    let factor = ratio(totals[BITWUZLA], totals[CHAIN]);
    findings.demand(factor >= MIN_FACTOR, || {
        format!("the chain is {factor:.1} times as fast as Bitwuzla alone, wanted {MIN_FACTOR:.0}")
    });
    findings.notes.push(format!(
        "Processor time. Alone: without slices, caches and the cheap stages; every query fresh for \
         Bitwuzla and Z3.\n\nWhere the chain answers, over all queries (answered/asked):\n\n{stages}"
    ));
    Ok(findings)
}

/// Records the queries of a program, asks all solvers and adds a row to both tables.
fn compare(
    lab: &Lab,
    name: &str,
    most: usize,
    findings: &mut Findings,
    stages: &mut Table,
) -> Outcome<[Duration; 4]> {
    announce("solver", name);
    let mut recording = record(lab, name)?;
    let Recording { arena, queries, .. } = &mut recording;
    stages.row(stage_row(
        name,
        &ask(arena, queries, SolverOptions::default())?,
    ));
    let asked = sample(queries, most);
    let mut times = [Duration::ZERO; 4];
    let mut reference: Option<Vec<Answer>> = None;
    for (time, options) in times.iter_mut().zip(solvers()) {
        let run = ask(arena, &asked, options)?;
        *time = run.time;
        let first = reference.get_or_insert_with(|| run.answers.clone());
        let wrong = disagreements(first, &run.answers);
        findings.require(wrong == 0, || {
            format!("{name}: {wrong} answers differ between the solvers")
        });
    }
    findings.demand(times[CHAIN] <= times[BITWUZLA], || {
        format!("{name}: the chain is slower than Bitwuzla alone")
    });
    findings
        .table
        .row(row(name, queries.len(), asked.len(), &times, ">= 1"));
    Ok(times)
}

/// The chain, the blaster alone, Bitwuzla alone, Z3.
fn solvers() -> [SolverOptions; 4] {
    let bare = SolverOptions {
        slice: false,
        domains: false,
        order: false,
        local: false,
        cache: false,
        ..SolverOptions::default()
    };
    [
        SolverOptions::default(),
        SolverOptions {
            bitwuzla: false,
            ..bare.clone()
        },
        SolverOptions {
            blast: false,
            ..bare.clone()
        },
        SolverOptions {
            external: Some("z3".into()),
            ..bare
        },
    ]
}

/// Explores all paths of a program and keeps the queries.
fn record(lab: &Lab, name: &str) -> Outcome<Recording> {
    let program = lab.prepare(name, &[Criterion::Branch])?;
    let recording = Arc::new(Mutex::new(Recording::default()));
    let mut config = all_paths();
    config.solver.recording = Some(recording.clone());
    labrys_engine::explore(
        &program.module,
        &program.entry,
        &program.objectives,
        &config,
        &mut Silent,
    )
    .map_err(Failure::internal)?;
    drop(config);
    Arc::into_inner(recording)
        .and_then(|recording| recording.into_inner().ok())
        .ok_or_else(|| Failure::internal("the recording of queries is still in use"))
}

fn sample(queries: &[RecordedQuery], most: usize) -> Vec<RecordedQuery> {
    let count = queries.len().min(most);
    (0..count)
        .map(|i| queries[i * queries.len() / count].clone())
        .collect()
}

/// Asks a new solver all queries in their order.
fn ask(arena: &mut Arena, queries: &[RecordedQuery], options: SolverOptions) -> Outcome<SolverRun> {
    let paths = paths(arena, queries);
    let mut answers = Vec::with_capacity(queries.len());
    let (stats, time) = cpu_time(|| {
        let mut solver = Solver::new(options).map_err(Failure::usage)?;
        for (query, path) in queries.iter().zip(&paths) {
            answers.push(solver.solve(arena, path, query.goal, &query.hint));
        }
        Ok(solver.stats().clone())
    })?;
    Ok(SolverRun {
        answers,
        time,
        stats: stats?,
    })
}

/// The path conditions of the queries. What a query has in common with the one before it is
/// shared, as it is between the candidates of an exploration.
fn paths(arena: &mut Arena, queries: &[RecordedQuery]) -> Vec<PathCondition> {
    let mut steps: Vec<PathCondition> = vec![PathCondition::new()];
    let mut before: &[ExprId] = &[];
    let mut paths = Vec::with_capacity(queries.len());
    for query in queries {
        let pairs = before.iter().zip(&query.path);
        let common = pairs.take_while(|(a, b)| a == b).count();
        steps.truncate(common + 1);
        let mut path = steps[common].clone();
        for &constraint in &query.path[common..] {
            path.push(arena, constraint);
            steps.push(path.clone());
        }
        paths.push(path);
        before = &query.path;
    }
    paths
}

/// How often one says sat and the other unsat.
fn disagreements(one: &[Answer], other: &[Answer]) -> usize {
    let differ =
        |(a, b): &(&Answer, &Answer)| a.is_sat() && b.is_unsat() || a.is_unsat() && b.is_sat();
    one.iter().zip(other).filter(differ).count()
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn row(
    name: &str,
    queries: usize,
    asked: usize,
    times: &[Duration; 4],
    target: &str,
) -> Vec<String> {
    let ms = |t: Duration| format!("{:.2} ms", t.as_secs_f64() * 1e3);
    let over = |t: Duration| format!("{:.1}", ratio(t, times[CHAIN]));
    let [chain, blaster, bitwuzla, z3] = *times;
    vec![
        name.into(),
        queries.to_string(),
        asked.to_string(),
        ms(chain),
        ms(blaster),
        ms(bitwuzla),
        ms(z3),
        over(bitwuzla),
        target.into(),
        over(z3),
        over(blaster),
    ]
}

fn stage_row(name: &str, run: &SolverRun) -> Vec<String> {
    let s = &run.stats;
    let ms = |seconds: f64| format!("{:.2} ms", seconds * 1e3);
    let stage = |s: &labrys_solver::StageStats| format!("{}/{}", s.answered, s.asked);
    vec![
        name.into(),
        ms(run.time.as_secs_f64()),
        stage(&s.domains),
        stage(&s.cache),
        stage(&s.order),
        stage(&s.local),
        stage(&s.blast),
        ms(s.blast.seconds),
        stage(&s.bitwuzla),
        ms(s.bitwuzla.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_expr::Model;

    #[test]
    fn rebuilt_paths_are_the_recorded_ones() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 8);
        let x = arena.var_expr(x);
        let mut below = |n: u128| {
            let limit = arena.constant(8, n);
            arena.ult(x, limit)
        };
        let (a, b, c, d) = (below(90), below(80), below(70), below(60));
        let streams: [&[ExprId]; 5] = [&[a, b, c], &[a, b], &[], &[a, d], &[a, d, c]];
        let queries: Vec<RecordedQuery> = streams
            .iter()
            .map(|path| RecordedQuery {
                path: path.to_vec(),
                goal: a,
                hint: Model::new(),
            })
            .collect();
        let rebuilt = paths(&mut arena, &queries);
        for (path, expected) in rebuilt.iter().zip(streams) {
            assert_eq!(path.to_vec(), expected);
        }
    }
}
