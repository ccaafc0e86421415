//! How long a run lasts after SIGINT or SIGTERM, at moments from the front end to the reports.

use super::super::lab::Lab;
use super::super::{Findings, announce};
use super::{SHORT_OVERTIME, row, texts};
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A run has to end so soon.
const SOON: Duration = Duration::from_secs(1);

/// The program is still read at the first moments; the last ones are in the search, the native runs
/// or the reports, as fast as the machine is.
const MOMENTS: [f64; 6] = [0.2, 1.0, 2.0, 3.0, 5.0, 8.0];
const SHORT_MOMENTS: [f64; 1] = [0.5];

/// A run that is interrupted.
struct InterruptedCase {
    name: &'static str,
    text: fn(size: usize) -> String,
    size: usize,
    options: &'static [&'static str],
    signal: &'static str,
}

const CASES: [InterruptedCase; 5] = [
    InterruptedCase {
        name: "4,000 tests",
        text: texts::many_cases,
        size: 4_000,
        options: &[],
        signal: "INT",
    },
    InterruptedCase {
        name: "4,000 tests, llvm-cov and gcov",
        text: texts::many_cases,
        size: 4_000,
        options: &["--time", "5s", "--llvm-cov", "--gcov"],
        signal: "TERM",
    },
    InterruptedCase {
        name: "4,000 tests, augmented",
        text: texts::many_cases,
        size: 4_000,
        options: &["--time", "9s", "--augment", "boundary,mutation"],
        signal: "INT",
    },
    InterruptedCase {
        name: "1,000 conjuncts",
        text: texts::conjuncts,
        size: 1_000,
        options: &[],
        signal: "TERM",
    },
    InterruptedCase {
        name: "5,000 functions",
        text: texts::many_functions,
        size: 5_000,
        options: &["-j", "2"],
        signal: "INT",
    },
];

pub(super) fn measure(lab: &Lab, findings: &mut Findings) -> Outcome<()> {
    let moments: &[f64] = if lab.short { &SHORT_MOMENTS } else { &MOMENTS };
    for (number, case) in CASES.iter().enumerate() {
        announce("limits", &format!("SIG{}, {}", case.signal, case.name));
        let source = lab.path().join(format!("signal-{number}.c"));
        std::fs::write(&source, (case.text)(case.size)).map_err(Failure::usage)?;
        for moment in moments {
            let mut command = Command::new(labrys()?);
            command.arg("gen").arg(&source).args(case.options);
            command.args(["--quiet", "--format", "json"]);
            command.arg("--out").arg(lab.path().join("limits"));
            interrupt(command, case, *moment, findings)?;
        }
    }
    Ok(())
}

/// Runs a command, sends the signal after so many seconds, and measures the time from then on.
fn interrupt(
    mut command: Command,
    case: &InterruptedCase,
    moment: f64,
    findings: &mut Findings,
) -> Outcome<()> {
    let name = format!("SIG{} after {moment} s, {}", case.signal, case.name);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().map_err(Failure::usage)?;
    std::thread::sleep(Duration::from_secs_f64(moment));
    let mut kill = Command::new("kill");
    kill.args(["-s", case.signal, &child.id().to_string()]);
    let sent = Instant::now();
    // A run that has ended already is a process of ours that nobody has waited for.
    kill.status().map_err(Failure::usage)?;
    let output = child.wait_with_output().map_err(Failure::usage)?;
    let wall = sent.elapsed();
    let summary = serde_json::from_slice(&output.stdout).ok();
    findings.require(
        summary.is_some() || output.status.code() == Some(130),
        || {
            let message = String::from_utf8_lossy(&output.stderr);
            format!("{name}: {}: {}", output.status, message.trim())
        },
    );
    findings.require(wall < SHORT_OVERTIME, || format!("{name}: {wall:?}"));
    findings.demand(wall <= SOON, || {
        format!("{name}: {:.2} s, allowed 1 s", wall.as_secs_f64())
    });
    row(findings, &name, SOON, [wall, SOON], summary.as_ref());
    Ok(())
}
