//! `bench latency`: from the command line to the replayed suite, for a function of twenty lines.

use super::clock::{median, run_child};
use super::lab::Lab;
use super::{Findings, announce};
use crate::product::labrys;
use labrys_driver::generate::judge::{Judge, judge};
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{ObjectiveMap, Silent, explore};
use labrys_ledger::Ledger;
use labrys_suite::{ReplayLimits, UniqueNames};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

const FUNCTION: &str = "fare";
const RUNS: usize = 10;
/// The median must be below this.
const MAX_TIME: Duration = Duration::from_millis(500);

/// The steps of a run, in the order of [`steps`].
const STEPS: [&str; 5] = ["front end", "lift", "explore", "native build", "replay"];

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let source = lab.source("latency");
    let labrys = labrys()?;
    let mut walls = Vec::new();
    let mut used = Vec::new();
    for i in 0..lab.runs(RUNS) {
        announce("latency", &format!("run {} of {RUNS}", i + 1));
        let mut command = Command::new(&labrys);
        command
            .arg("gen")
            .arg(&source)
            .args(["--function", FUNCTION]);
        command
            .arg("--quiet")
            .arg("--out")
            .arg(lab.path().join("latency"));
        let start = Instant::now();
        let (_, cpu) = run_child(&mut command)?;
        walls.push(start.elapsed());
        used.push(cpu);
    }
    let wall = median(&mut walls);
    let mut findings = Findings::new(&["step", "median", "least", "most", "target"]);
    let ms = |t: Duration| format!("{:.0} ms", t.as_secs_f64() * 1e3);
    let mut row = |name: &str, times: &mut [Duration], target: &str| {
        let middle = median(times);
        let ends = [times.first(), times.last()].map(|t| t.copied().unwrap_or_default());
        findings.table.row(vec![
            name.into(),
            ms(middle),
            ms(ends[0]),
            ms(ends[1]),
            target.into(),
        ]);
    };
    row(
        "labrys gen, wall time",
        &mut walls,
        &format!("< {}", ms(MAX_TIME)),
    );
    row("labrys gen, processor time", &mut used, "");
    let split: Vec<[Duration; 5]> = (0..lab.runs(RUNS))
        .map(|_| steps(lab, &source))
        .collect::<Outcome<_>>()?;
    for (i, name) in STEPS.iter().enumerate() {
        let mut times: Vec<Duration> = split.iter().map(|steps| steps[i]).collect();
        row(&format!("  {name}"), &mut times, "");
    }
    findings.demand(wall < MAX_TIME, || {
        format!(
            "{} from the command line to the replayed suite, wanted {}",
            ms(wall),
            ms(MAX_TIME)
        )
    });
    findings.notes.push(format!(
        "{RUNS} runs. The steps are wall time, one after the other; in a run the native build goes \
         beside lifting and exploring."
    ));
    Ok(findings)
}

/// Does in this process what `gen` does, and takes the time of each step.
fn steps(lab: &Lab, source: &std::path::Path) -> Outcome<[Duration; 5]> {
    let work = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        let time = now - last;
        last = now;
        time
    };
    let project = Project::open(Request::new(vec![source.into()]).function(FUNCTION))?;
    let sizes = project.request.harness.sizes;
    let loaded = project.load(&ProgramForm::Annotated, sizes, work.path())?;
    let front = lap();
    let module = project.lift(&loaded)?;
    let lift = lap();
    let [entry] = &loaded.entries[..] else {
        return Err(Failure::internal("latency.c has no single entry"));
    };
    let map = ObjectiveMap::new(&loaded.objectives, &loaded.decisions, |_, o| {
        entry.scope.contains(&o.function)
    });
    let config = project
        .request
        .engine_config(project.request.search.time, &Arc::default());
    let report =
        explore(&module, &entry.harness, &map, &config, &mut Silent).map_err(Failure::internal)?;
    let explore = lap();
    let native = work.path().join("replay");
    let replayer = project.build_native(&loaded, &native)?;
    let build = lap();
    let mut ledger = Ledger::new(loaded.objectives.clone()).with_decisions(&loaded.decisions);
    judge(
        entry,
        &(&report).into(),
        &Judge {
            replayer: &replayer,
            second: &|| Err(Failure::internal("the latency example must not diverge")),
            limits: &ReplayLimits::default(),
        },
        &mut ledger,
        &mut UniqueNames::default(),
        1,
    )?;
    Ok([front, lift, explore, build, lap()])
}
