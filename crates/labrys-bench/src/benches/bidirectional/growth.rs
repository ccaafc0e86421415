//! How the cost grows: with the number of targets, and with the length of the program.
//!
//! A program is written that consists of sections, each a small state machine of its own in global
//! variables; an input chooses the section that runs. All of it can be decided, so what is measured is
//! the way to the end.

use crate::benches::Findings;
use crate::benches::clock::run_child;
use crate::benches::lab::Lab;
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::{Failure, Outcome};
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Sections of the shorter program; the longer one has twice as many.
const SECTIONS: usize = 24;
const SHORT_SECTIONS: usize = 2;

/// The most that the double may cost.
const TARGETS_MOST: f64 = 2.2;
const LENGTH_MOST: f64 = 2.5;

/// What a run has cost.
struct GrowthCost {
    objectives: usize,
    paths: u64,
    instructions: u64,
    queries: u64,
    time: Duration,
    is_decided: bool,
}

/// A program of that many sections, and the first line behind the first half of them.
fn program(sections: usize) -> (String, usize) {
    let mut text = String::from("extern int labrys_int(const char *name);\n\n");
    let mut half = 0;
    for n in 0..sections {
        if n == sections / 2 {
            half = text.lines().count() + 1;
        }
        let _ = writeln!(text, "{}", section(n));
    }
    text.push_str("int main(void)\n{\n    switch (labrys_int(\"section\")) {\n");
    for n in 0..sections {
        let _ = writeln!(text, "    case {n}:\n        return section_{n}();");
    }
    text.push_str("    default:\n        return 0;\n    }\n}\n");
    (text, half)
}

/// A state machine: idle, open, busy, closed; four events, and checks that cannot fail.
fn section(n: usize) -> String {
    let limit = 100 + n;
    format!(
        "static int state_{n};
static int count_{n};

static int section_{n}(void)
{{
    int i;

    for (i = 0; i < 4; i++) {{
        int event = labrys_int(\"event\");

        switch (state_{n}) {{
        case 0:
            if (event == {limit})
                state_{n} = 1;
            break;
        case 1:
            count_{n}++;
            if (event > {limit})
                state_{n} = 2;
            else if (count_{n} > 4)
                return 9;
            break;
        case 2:
            if (event < 0)
                state_{n} = 3;
            break;
        case 3:
            if (count_{n} == 0)
                return 8;
            return 1;
        default:
            return 7;
        }}
    }}
    return 0;
}}
"
    )
}

/// Decides the branches of these lines, of all without them.
fn decide(lab: &Lab, sections: usize, half: bool, limit: Duration) -> Outcome<GrowthCost> {
    let (text, end) = program(sections);
    let name = format!("growth-{sections}.c");
    let source = lab.write(&name, &text)?;
    let out = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
    let mut command = Command::new(labrys()?);
    command
        .arg("gen")
        .arg(&source)
        .args(["--seed", "0", "-j", "1", "--format", "json", "--quiet"])
        .args(["--time", &format!("{}ms", limit.as_millis()), "--out"])
        .arg(out.path().join("out"))
        .stdin(Stdio::null());
    if half {
        command.args(["--only", &format!("{}:1-{}", source.display(), end - 1)]);
    }
    let (output, time) = run_child(&mut command)?;
    let summary: Summary = serde_json::from_slice(&output).map_err(Failure::usage)?;
    Ok(GrowthCost {
        objectives: summary.totals.objectives,
        paths: summary.work.paths,
        instructions: summary.work.instructions,
        queries: summary.work.queries,
        time,
        is_decided: summary.totals.unknown == 0,
    })
}

/// Measures and judges. The ratios are notes under the table of subjects.
pub fn measure(lab: &Lab, limit: Duration, findings: &mut Findings) -> Outcome<()> {
    let n = if lab.short { SHORT_SECTIONS } else { SECTIONS };
    let short = decide(lab, n, false, limit)?;
    let half = decide(lab, 2 * n, true, limit)?;
    let long = decide(lab, 2 * n, false, limit)?;
    let comparisons = [
        ("twice the targets", &half, &long, TARGETS_MOST),
        (
            "twice the program and its targets",
            &short,
            &long,
            LENGTH_MOST,
        ),
    ];
    for (what, one, other, most) in comparisons {
        let ratio = |of: &dyn Fn(&GrowthCost) -> f64| of(other) / of(one).max(1e-9);
        let time = ratio(&|c| c.time.as_secs_f64());
        findings.notes.push(format!(
            "Growth, {what}: {} and {} branches; × paths {:.2}, × instructions {:.2}, × queries {:.2}, × processor time {time:.2} (wanted {most}).",
            one.objectives,
            other.objectives,
            ratio(&|c| c.paths as f64),
            ratio(&|c| c.instructions as f64),
            ratio(&|c| c.queries as f64),
        ));
        let is_decided = one.is_decided && other.is_decided;
        findings.demand(is_decided, || {
            format!("{what}: not all decided in {} s", limit.as_secs())
        });
        findings.demand(time <= most, || {
            format!("{what}: {time:.2} times the time, wanted {most}")
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_program_is_twice_as_long() {
        let lines = |n: usize| program(n).0.lines().count();
        assert!(lines(4).abs_diff(2 * lines(2)) < 20);
        let (text, half) = program(4);
        let before: Vec<&str> = text.lines().take(half - 1).collect();
        assert!(before.iter().any(|line| line.contains("section_1(void)")));
        assert!(!before.iter().any(|line| line.contains("section_2(void)")));
    }
}
