//! Runs that go wrong in the middle: interrupted, endless, unsupported.

use crate::common::{Ended, read_json, run};
use crate::sandbox::{ABS, Sandbox, refused};
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
    for signal in ["-INT", "-TERM"] {
        let sandbox = Sandbox::with(MANY_PATHS);
        let mut command = sandbox.command(&[
            "gen",
            "x.c",
            "--quiet",
            "--format",
            "json",
            "--proof-rules",
            "constants",
        ]);
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
        assert_eq!(output.status.code(), Some(130), "{output:?}");
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
    // The time is for reading the program, too: 1 s may be too little on a busy machine.
    let ended = sandbox.run(&[
        "gen",
        "x.c",
        "--quiet",
        "--format",
        "json",
        "--proof-rules",
        "constants",
        "--time",
        "5s",
    ]);
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

/// Runs Labrys in a user namespace that allows no others, without any rights.
fn without_namespaces(sandbox: &Sandbox, arguments: &[&str]) -> Ended {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all \
                  --inh-caps=-all --ambient-caps=-all \"$@\"";
    let labrys = sandbox.command(arguments);
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-user=1000",
        "--map-group=1000",
        "--keep-caps",
    ]);
    command
        .args(["sh", "-c", script, "sh"])
        .arg(labrys.get_program());
    command
        .args(labrys.get_args())
        .current_dir(sandbox.path("."));
    for (name, value) in labrys.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    run(&mut command)
}

#[test]
fn a_complete_sandbox_can_be_required() {
    let sandbox = Sandbox::with(ABS);
    let doctor = sandbox.run(&["doctor", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&doctor.stdout).unwrap();
    assert_eq!(
        found["confined"] == true,
        doctor.code == Some(0),
        "{doctor:?}"
    );
    let gen_code = sandbox
        .run(&["gen", "x.c", "--quiet", "--require-sandbox"])
        .code;
    let expected = if found["confined"] == true { 0 } else { 2 };
    assert_eq!(gen_code, Some(expected));

    let doctor = without_namespaces(&sandbox, &["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    assert!(
        doctor.stdout.contains("allow user namespaces"),
        "{doctor:?}"
    );
    let ended = without_namespaces(&sandbox, &["gen", "x.c", "--quiet", "--require-sandbox"]);
    refused(
        &ended,
        &["--require-sandbox", "process namespace", "labrys doctor"],
    );
    // Without the option the runs are made, and the summary says what they lack.
    let ended = without_namespaces(&sandbox, &["gen", "x.c", "--quiet", "--out", "open"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = std::fs::read_to_string(sandbox.path("open/summary.json")).unwrap();
    assert!(summary.contains("not completely confined"), "{summary}");
}
