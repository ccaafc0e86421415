//! `bench latency`: from the command line to the replayed suite, for a function of twenty lines.

use super::clock::{median, run_child};
use super::compilers::{Recorder, run_alone};
use super::lab::Lab;
use super::{Findings, announce};
use crate::product::labrys;
use labrys_budget::Deadline;
use labrys_driver::generate::judge::{Judge, judge};
use labrys_driver::native::by_trigger;
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{ObjectiveMap, Silent, explore};
use labrys_ledger::Ledger;
use labrys_suite::{ReplayLimits, UniqueNames};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const FUNCTION: &str = "fare";
const RUNS: usize = 10;
/// The median must be below this.
const MAX_TIME: Duration = Duration::from_millis(500);
/// The fastest run may take so many times as long as its compilers and linkers alone.
const MAX_RATIO: f64 = 1.6;

/// The steps of a run, in the order of [`steps`].
const STEPS: [&str; 5] = ["front end", "lift", "explore", "native build", "replay"];

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let source = lab.source("latency");
    let request = Request::new(vec![source.clone()]).function(FUNCTION);
    let work = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
    let compilers = compilers(lab, &request, work.path())?;
    let (mut walls, mut used, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..lab.runs(RUNS) {
        announce("latency", &format!("run {} of {RUNS}", i + 1));
        let mut command = Command::new(labrys()?);
        command.arg("gen").arg(&source);
        command.args(["--function", FUNCTION, "--quiet", "--out"]);
        command.arg(lab.path().join("latency"));
        let start = Instant::now();
        let (_, cpu) = run_child(&mut command)?;
        walls.push(start.elapsed());
        used.push(cpu);
        alone.push(run_alone(&compilers)?);
    }
    let mut findings = Findings::new(&["step", "median", "least", "most", "target"]);
    let mut row = |name: &str, times: &mut [Duration], target: &str| {
        let middle = median(times);
        let ends = [times.first(), times.last()].map(|t| t.copied().unwrap_or_default());
        let mut cells = vec![name.into()];
        cells.extend([middle, ends[0], ends[1]].map(ms));
        cells.push(target.into());
        findings.table.row(cells);
        (middle, ends[0])
    };
    let limit = format!("< {}", ms(MAX_TIME));
    let (wall, least) = row("labrys gen, wall time", &mut walls, &limit);
    row("labrys gen, processor time", &mut used, "");
    let (alone, least_alone) = row("its compilers and linkers alone", &mut alone, "");
    let split: Vec<[Duration; 5]> = (0..lab.runs(RUNS))
        .map(|_| steps(&request, work.path()))
        .collect::<Outcome<_>>()?;
    for (i, name) in STEPS.iter().enumerate() {
        let mut times: Vec<Duration> = split.iter().map(|steps| steps[i]).collect();
        row(&format!("  {name}"), &mut times, "");
    }
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    let best = ratio(least, least_alone);
    findings.table.row(vec![
        "gen / compilers and linkers".into(),
        format!("{:.2}", ratio(wall, alone)),
        format!("{best:.2}"),
        String::new(),
        format!("least <= {MAX_RATIO}"),
    ]);
    findings.demand(wall < MAX_TIME, || {
        let (wall, most) = (ms(wall), ms(MAX_TIME));
        format!("{wall} from the command line to the replayed suite, wanted {most}")
    });
    findings.demand(best <= MAX_RATIO, || {
        format!("{best:.2} times its compilers and linkers, wanted {MAX_RATIO}")
    });
    findings.notes.push(format!(
        "{} runs, by turns with the {} compiler and linker commands of such a run in the same \
         order. The steps are wall time, one after the other; in a run the native build goes \
         beside lifting and exploring.",
        lab.runs(RUNS),
        compilers.len()
    ));
    Ok(findings)
}

fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

/// How a run calls compilers and linkers, with its files in this directory. In a run they follow
/// each other as well: what goes beside the native build is lifting and exploring.
fn compilers(lab: &Lab, request: &Request, work: &Path) -> Outcome<Vec<Vec<String>>> {
    // Always the same place, since the caches tell compilers apart by their paths.
    let place = lab.runtime.cache.join("bench-compilers");
    let recorder = Recorder::new(&place, &request.program.clang, &request.replay.cc)?;
    let mut request = request.clone();
    request.program.clang.clone_from(&recorder.clang);
    request.replay.cc.clone_from(&recorder.cc);
    // The first run fills the caches of the models and of the replay's objects.
    steps(&request, work)?;
    recorder.take()?;
    steps(&request, work)?;
    recorder.take()
}

/// Does in this process what `gen` does, and takes the time of each step.
fn steps(request: &Request, work: &Path) -> Outcome<[Duration; 5]> {
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        let time = now - last;
        last = now;
        time
    };
    let project = Project::open(request.clone())?;
    let sizes = project.request.harness.sizes;
    let loaded = project.load(&ProgramForm::Annotated, sizes, work)?;
    let front = lap();
    let module = project.lift(&loaded)?;
    let lift = lap();
    let [entry] = &loaded.entries[..] else {
        return Err(Failure::internal("latency.c has no single entry"));
    };
    let map = ObjectiveMap::new(&loaded.objectives, &loaded.decisions, |_, o| {
        entry.scope.contains(&o.function)
    });
    let config = project.request.engine_config(
        &Deadline::after(project.request.search.time),
        &Deadline::never(),
    );
    let report =
        explore(&module, &entry.harness, &map, &config, &mut Silent).map_err(Failure::internal)?;
    let explore = lap();
    let native = work.join("replay");
    let replayer = project.build_native(&loaded, &native)?;
    let build = lap();
    let mut ledger = Ledger::new(loaded.objectives.clone()).with_decisions(&loaded.decisions);
    let triggers = by_trigger(ledger.objectives());
    judge(
        entry,
        &(&report).into(),
        &Judge {
            replayer: &replayer,
            second: &|| Err(Failure::internal("the latency example must not diverge")),
            limits: &ReplayLimits::default(),
            triggers: &triggers,
        },
        &mut ledger,
        &mut UniqueNames::default(),
        1,
    )?;
    Ok([front, lift, explore, build, lap()])
}
