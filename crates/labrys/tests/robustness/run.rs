//! Runs that go wrong in the middle: interrupted, endless, unsupported.

use crate::common::{read_json, run};
use crate::sandbox::Sandbox;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// More paths than any run can take, and one branch that none of them takes.
const MANY_PATHS: &str = "\
#include \"labrys.h\"
int main(void) {
    unsigned count = 0;
    for (int i = 0; i < 100; i++)
        if (labrys_int(\"x\") % 7 == 3)
            count++;
    if (count == 101)
        return 1;
    return 0;
}
";

#[test]
fn an_interrupted_run_writes_everything() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let sandbox = Sandbox::with(MANY_PATHS);
        let mut command = sandbox.command(&["gen", "x.c", "--quiet", "--format", "json"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        // The search has begun when it has found something.
        let events = sandbox.path("labrys-out/events.jsonl");
        let started = Instant::now();
        while std::fs::metadata(&events).map_or(0, |m| m.len()) == 0 {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "nothing happens"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let kill = run(Command::new("kill").args([signal, &child.id().to_string()]));
        assert_eq!(kill.code, Some(0));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["stop"], "interrupted");
        for file in ["summary.json", "objectives.json", "suite.json", "run.json"] {
            read_json(&sandbox.path("labrys-out").join(file));
        }
        let replay = sandbox.run(&["replay", "labrys-out", "--quiet"]);
        assert_eq!(replay.code, Some(0), "{replay:?}");
    }
}

#[test]
fn the_time_is_kept() {
    let sandbox = Sandbox::with(MANY_PATHS);
    let started = Instant::now();
    let ended = sandbox.run(&["gen", "x.c", "--quiet", "--format", "json", "--time", "1s"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        started.elapsed() < Duration::from_secs(120),
        "{:?}",
        started.elapsed()
    );
    assert!(ended.stdout.contains("\"stop\": \"time\""), "{ended:?}");
}

/// Neither the search nor the replay hangs on a loop that some input never leaves.
#[test]
fn an_endless_program_is_stopped() {
    let sandbox = Sandbox::with(
        "int f(int x) {\n    while (x == 7)\n        ;\n    if (x > 100)\n        return 1;\n    return 0;\n}\n",
    );
    let arguments = ["gen", "x.c", "--format", "json", "--quiet", "--time", "5s"];
    let mut command = sandbox.command(&arguments);
    let ended = run(command.args(["--max-steps", "1000000", "--replay-time", "500ms"]));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["covered"], 4, "{summary}");
}

/// What cannot be executed ends its path, with its place, and not the run.
#[test]
fn inline_assembly_ends_its_path_only() {
    let sandbox = Sandbox::with(
        "int f(int x) {\n    if (x == 1)\n        __asm__ volatile(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");\n    if (x > 5)\n        return 2;\n    return 3;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--format", "json", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["covered"], 4, "{summary}");
    let gaps = summary["gaps"].to_string();
    assert!(
        gaps.contains("x.c:3") && gaps.contains("assembly"),
        "{gaps}"
    );
}

/// A function that nobody defines returns an input, and the summary says so.
#[test]
fn missing_functions_are_inputs() {
    let sandbox = Sandbox::with(
        "int sensor(int channel);\nint f(void) {\n    if (sensor(3) > 70)\n        return 1;\n    return 0;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--format", "json", "--quiet"]);
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
    assert_eq!(summary["stubs"][0]["name"], "sensor", "{summary}");
}
