//! `bench engine`: programs without inputs, interpreted and compiled by `cc -O0`.

use super::clock::{cpu_time, median, run_child};
use super::lab::Lab;
use super::{Findings, announce};
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Search, Silent, explore};
use labrys_front::SourceFile;
use labrys_ledger::Criterion;
use std::process::Command;
use std::time::Duration;

const PROGRAMS: [&str; 3] = ["concrete_memory", "concrete_matrix", "concrete_arithmetic"];

/// IR instructions a second that the interpreter must reach.
const MIN_SPEED: f64 = 150e6;
/// How many times as long as the native program it may take.
const MAX_RATIO: f64 = 30.0;
/// Native runs; the median counts.
const NATIVE_RUNS: usize = 5;

/// What makes the programs short, and which of their expectations is meant then.
const SHORT: (&[&str], &str) = (&["-DSHORT"], "short");
const FULL: (&[&str], &str) = (&[], "result");

/// `labrys_output` as the native program has it: the bytes on stdout.
const STUB: &str = r#"#include <stdio.h>
void labrys_output(const char *name, const void *bytes, size_t size) {
    (void)name;
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)bytes)[i]);
}
"#;

struct Interpreted {
    instructions: u64,
    time: Duration,
    result: String,
}

impl Interpreted {
    fn speed(&self) -> f64 {
        self.instructions as f64 / self.time.as_secs_f64()
    }
}

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "program",
        "instructions",
        "interpreted",
        "native -O0",
        "M instr/s",
        "target",
        "x native",
        "target",
        "with branch annotations, M instr/s",
    ]);
    for name in lab.some(&PROGRAMS).iter().copied() {
        announce("engine", name);
        let (native_result, native) = native(lab, name)?;
        let plain = interpret(lab, name, &[])?;
        let annotated = interpret(lab, name, &[Criterion::Branch])?;
        for result in [&native_result, &plain.result, &annotated.result] {
            let expected = lab.expectation(name, form(lab).1);
            findings.require(expected == Some(result), || {
                format!("{name} gives {result}, not {}", expected.unwrap_or("?"))
            });
        }
        let ratio = plain.time.as_secs_f64() / native.as_secs_f64();
        let speed = plain.speed();
        findings.demand(speed >= MIN_SPEED, || {
            format!(
                "{name}: {:.0} M instructions a second, wanted {:.0}",
                speed / 1e6,
                MIN_SPEED / 1e6
            )
        });
        findings.demand(ratio <= MAX_RATIO, || {
            format!("{name}: {ratio:.1} times as long as native, allowed {MAX_RATIO:.0}")
        });
        findings.table.row(vec![
            name.into(),
            format!("{:.0} M", plain.instructions as f64 / 1e6),
            format!("{:.3} s", plain.time.as_secs_f64()),
            format!("{:.3} s", native.as_secs_f64()),
            format!("{:.0}", speed / 1e6),
            format!(">= {:.0}", MIN_SPEED / 1e6),
            format!("{ratio:.1}"),
            format!("<= {MAX_RATIO:.0}"),
            format!("{:.0}", annotated.speed() / 1e6),
        ]);
    }
    findings
        .notes
        .push("Processor time of the run alone; native: median of five runs.".into());
    Ok(findings)
}

/// The flags of the programs and the name of what they must give.
fn form(lab: &Lab) -> (&'static [&'static str], &'static str) {
    if lab.short { SHORT } else { FULL }
}

fn interpret(lab: &Lab, name: &str, criteria: &[Criterion]) -> Outcome<Interpreted> {
    let mut source = SourceFile::from(lab.source(name));
    source.flags = form(lab).0.iter().map(|&flag| flag.to_owned()).collect();
    let program = lab.prepare_source(source, |options| options.criteria = criteria.to_vec())?;
    let config = Config {
        search: Search::Dfs,
        every_path: true,
        deadline: Deadline::never(),
        max_steps: u64::MAX,
        ..Config::default()
    };
    let (report, time) = cpu_time(|| {
        explore(
            &program.module,
            &program.entry,
            &program.objectives,
            &config,
            &mut Silent,
        )
    })?;
    let report = report.map_err(Failure::internal)?;
    let output = report.tests.first().and_then(|t| t.outputs.first());
    let bytes = output
        .map(|(_, bytes)| bytes.as_slice())
        .unwrap_or_default();
    let hex = |b: &Option<u8>| b.map_or("??".into(), |b| format!("{b:02x}"));
    Ok(Interpreted {
        instructions: report.work.instructions,
        time,
        result: bytes.iter().map(hex).collect(),
    })
}

/// Compiles the program without annotations and runs it: what it prints, and the time.
fn native(lab: &Lab, name: &str) -> Outcome<(String, Duration)> {
    let stub = lab.write("output.c", STUB)?;
    let program = lab.path().join(name);
    let mut cc = Command::new("cc");
    cc.arg("-O0").args(form(lab).0);
    cc.arg("-I").arg(&lab.runtime.dir);
    cc.arg(lab.source(name)).arg(&stub).arg("-o").arg(&program);
    run_child(&mut cc)?;
    let mut times = Vec::new();
    let mut result = Vec::new();
    for _ in 0..lab.runs(NATIVE_RUNS) {
        let (output, time) = run_child(&mut Command::new(&program))?;
        result = output;
        times.push(time);
    }
    Ok((
        String::from_utf8_lossy(&result).into_owned(),
        median(&mut times),
    ))
}
