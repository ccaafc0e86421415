//! Time, memory and signals hold for whole commands, whatever these wait for; what was not done is
//! named. How long commands take is measured by `./bench limits`: bounds are wide here.

use crate::common::{Ended, read_json, run};
use crate::sandbox::{ABS, Sandbox};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far more than anything here takes, and far less than what would be waited for in vain.
const SOON: Duration = Duration::from_secs(120);

/// A compiler that says that it runs, and does not end.
const HANGS: &str = "touch \"$RUNNING\"; sleep 1000";

/// Writes a compiler that does this instead of compiling.
fn compiler(sandbox: &Sandbox, script: &str) -> String {
    sandbox.write("compiler", &format!("#!/bin/sh\n{script}\n"));
    let path = sandbox.path("compiler");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// The command failed with this code and one line that has these parts.
fn failed(ended: &Ended, code: i32, parts: &[&str]) {
    assert_eq!(ended.code, Some(code), "{ended:?}");
    assert_eq!(ended.stderr.trim_end().lines().count(), 1, "{ended:?}");
    for part in parts {
        assert!(ended.stderr.contains(part), "no '{part}' in {ended:?}");
    }
}

/// Starts a command, waits until its compiler runs, which never ends, and sends a signal.
fn interrupted(sandbox: &Sandbox, arguments: &[&str], signal: &str) -> Ended {
    // A directory of its own: a compiler of the last command may still be there for a moment.
    let marks = tempfile::tempdir().unwrap();
    let running = marks.path().join("running");
    let mut command = sandbox.command(arguments);
    let child = command
        .env("RUNNING", &running)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    let started = Instant::now();
    while !running.exists() {
        assert!(started.elapsed() < SOON, "{arguments:?}: no compiler runs");
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = run(Command::new("kill").args([signal, &child.id().to_string()]));
    assert_eq!(kill.code, Some(0));
    let sent = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < SOON, "{arguments:?}: {:?}", sent.elapsed());
    Ended::from(output)
}

#[test]
fn a_signal_ends_every_command_while_a_compiler_hangs() {
    let sandbox = Sandbox::generated();
    let hanging = compiler(&sandbox, HANGS);
    let commands: [&[&str]; 6] = [
        &["gen", "x.c", "--clang", &hanging, "--out", "new"],
        &["prove", "x.c", "--clang", &hanging],
        &[
            "measure",
            "x.c",
            "--tests",
            "labrys-out",
            "--clang",
            &hanging,
        ],
        &["mutate", "x.c", "--tests", "labrys-out", "--cc", &hanging],
        &["mutate", "x.c", "--list", "--clang", &hanging],
        &["replay", "labrys-out", "--cc", &hanging],
    ];
    for (command, signal) in commands
        .into_iter()
        .zip(["-INT", "-TERM"].into_iter().cycle())
    {
        let ended = interrupted(&sandbox, command, signal);
        failed(&ended, 130, &["stopped during"]);
    }
}

/// The search had a result, though it could not be run natively.
#[test]
fn a_signal_during_the_native_build_writes_everything() {
    let sandbox = Sandbox::with(ABS);
    let hanging = compiler(&sandbox, HANGS);
    let arguments = [
        "gen", "x.c", "--quiet", "--format", "json", "--cc", &hanging,
    ];
    let ended = interrupted(&sandbox, &arguments, "-INT");
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["infeasible"], 0, "{summary}");
    for file in ["summary.json", "objectives.json", "suite.json", "run.json"] {
        read_json(&sandbox.path("labrys-out").join(file));
    }
}

#[test]
fn too_little_time_to_read_the_program_is_one_message() {
    let sandbox = Sandbox::generated();
    let hanging = compiler(&sandbox, "sleep 1000");
    let commands: [&[&str]; 4] = [
        &["gen", "x.c", "--clang", &hanging, "--out", "new"],
        &["prove", "x.c", "--clang", &hanging],
        &["measure", "x.c", "--tests", "labrys-out", "--cc", &hanging],
        &["mutate", "x.c", "--tests", "labrys-out", "--cc", &hanging],
    ];
    for command in commands {
        let ended = run(sandbox.command(command).args(["--time", "1s"]));
        failed(&ended, 1, &["the time was over", "--time"]);
    }
}

/// Tests that could not be run are named, and nothing is concluded from their search.
#[test]
fn what_there_was_no_time_for_is_named() {
    let sandbox = Sandbox::with(
        "int f(int x) {\n    if (x == 1 && x == 2)\n        return 1;\n    return 0;\n}\n",
    );
    let hanging = compiler(&sandbox, "sleep 1000");
    let arguments = [
        "gen", "x.c", "--quiet", "--format", "json", "--cc", &hanging,
    ];
    let ended = run(sandbox
        .command(&arguments)
        .args(["--time", "3s", "--no-static"]));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["covered"], 0, "{summary}");
    assert_eq!(summary["totals"]["infeasible"], 0, "{summary}");
    let notes = summary["notes"].to_string();
    assert!(notes.contains("were not run natively"), "{notes}");
    let objectives = read_json(&sandbox.path("labrys-out/objectives.json")).to_string();
    assert!(
        objectives.contains("time: its test was not run natively"),
        "{objectives}"
    );
    assert!(
        objectives.contains("time: not all tests were run natively"),
        "{objectives}"
    );
}

#[test]
fn tests_that_were_not_measured_are_named() {
    let sandbox =
        Sandbox::with("int f(int x) {\n    while (x == 3)\n        ;\n    return x;\n}\n");
    let arguments = [
        "gen",
        "x.c",
        "--quiet",
        "--max-steps",
        "100000",
        "--replay-time",
        "100ms",
    ];
    assert_eq!(sandbox.run(&arguments).code, Some(0));
    let measure = [
        "measure",
        "x.c",
        "--tests",
        "labrys-out",
        "--format",
        "json",
    ];
    let ended = run(sandbox
        .command(&measure)
        .args(["--time", "5s", "--replay-time", "1000s"]));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let measured: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let notes = measured["notes"].to_string();
    assert!(notes.contains("tests were not run"), "{notes}");
}

#[test]
fn too_little_memory_to_read_the_program_is_one_message() {
    let sandbox = Sandbox::with(ABS);
    let ended = sandbox.run(&["gen", "x.c", "--quiet", "--memory", "1M"]);
    failed(&ended, 1, &["the memory was used up", "--memory"]);
}

#[test]
fn a_compiler_that_crashes_is_one_message() {
    let sandbox = Sandbox::with(ABS);
    let dump = "for i in 1 2 3 4 5 6 7 8 9; do echo 'PLEASE submit a bug report' >&2; done";
    for script in [&format!("{dump}; exit 139"), "kill -SEGV $$"] {
        let crashing = compiler(&sandbox, script);
        for which in ["--clang", "--cc"] {
            let ended = sandbox.run(&["gen", "x.c", "--quiet", which, &crashing]);
            failed(&ended, 2, &["crashed", which]);
        }
    }
}

/// What the native compilers reject is told at once, and not after a search.
#[test]
fn a_program_that_does_not_compile_natively_is_not_searched() {
    let sandbox = Sandbox::with(
        "#include \"labrys.h\"\nint main(void) {\n    int n = 0;\n    for (int i = 0; i < 100; i++)\n        if (labrys_int(\"x\") % 7 == 3)\n            n++;\n    if (n == 101)\n        __asm__ volatile(\"not_an_instruction\");\n    return 0;\n}\n",
    );
    let started = Instant::now();
    let arguments = [
        "gen",
        "x.c",
        "--quiet",
        "--time",
        "1h",
        "--criterion",
        "path",
    ];
    sandbox.refused(&arguments, &["not_an_instruction"]);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
}

/// Both compilers accept old C.
#[test]
fn a_return_without_a_value_is_compiled() {
    let sandbox =
        Sandbox::with("int f(int x) {\n    if (x > 3)\n        return;\n    return 1;\n}\n");
    let ended = sandbox.run(&["gen", "x.c", "--quiet", "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
}

#[test]
fn an_endless_program_without_inputs_is_not_finished() {
    let sandbox = Sandbox::with("int f(void) {\n    for (;;)\n        ;\n}\n");
    let arguments = [
        "gen",
        "x.c",
        "--quiet",
        "--format",
        "json",
        "--replay-time",
        "100ms",
    ];
    let ended = run(sandbox.command(&arguments).args(["--max-steps", "100000"]));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["stop"], "steps", "{summary}");
    assert_eq!(summary["totals"]["infeasible"], 0, "{summary}");
}

/// Runs Labrys with a directory for temporary files that has so many kilobytes.
fn with_small_disk(sandbox: &Sandbox, kilobytes: u32, arguments: &[&str]) -> Ended {
    std::fs::create_dir_all(sandbox.path("small")).unwrap();
    let script = format!("mount -t tmpfs -o size={kilobytes}k small small && exec \"$@\"");
    let labrys = sandbox.command(arguments);
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        &script,
        "sh",
    ]);
    command.arg(labrys.get_program()).args(labrys.get_args());
    for (name, value) in labrys.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.env("TMPDIR", sandbox.path("small"));
    run(command.current_dir(sandbox.path(".")))
}

#[test]
fn a_full_directory_for_temporary_files_is_one_message() {
    let sandbox = Sandbox::with(ABS);
    // The models of the C library are in the cache from now on.
    assert_eq!(sandbox.run(&["gen", "x.c", "--quiet"]).code, Some(0));
    for kilobytes in [4, 16, 64] {
        let ended = with_small_disk(&sandbox, kilobytes, &["gen", "x.c", "--quiet"]);
        assert_eq!(ended.code, Some(2), "{kilobytes} kB: {ended:?}");
        assert_eq!(ended.stderr.trim_end().lines().count(), 1, "{ended:?}");
        let message = ended.stderr.to_lowercase();
        assert!(
            message.contains("no space left"),
            "{kilobytes} kB: {ended:?}"
        );
    }
}
