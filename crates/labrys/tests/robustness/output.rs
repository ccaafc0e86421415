//! Where the result goes: directories that are not ours, that cannot be written, a closed pipe.

use crate::common::{read_json, run};
use crate::sandbox::{ABS, Sandbox, files_below, refused};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn a_directory_that_labrys_did_not_make_is_left_alone() {
    let sandbox = Sandbox::with(ABS);
    let mine = sandbox.path("mine");
    std::fs::create_dir(&mine).unwrap();
    sandbox.write("mine/suite.json", "precious");
    sandbox.refused(&["gen", "x.c", "--out", "mine"], &["mine", "--out"]);
    assert_eq!(files_below(&mine), [mine.join("suite.json")]);
    let text = std::fs::read_to_string(mine.join("suite.json")).unwrap();
    assert_eq!(text, "precious");
}

#[test]
fn an_output_directory_is_used_again() {
    let sandbox = Sandbox::generated();
    sandbox.write("labrys-out/notes.txt", "of the user");
    let before = read_json(&sandbox.path("labrys-out/suite.json"));
    let ended = sandbox.run(&["gen", "x.c", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(read_json(&sandbox.path("labrys-out/suite.json")), before);
    assert!(sandbox.path("labrys-out/notes.txt").exists());
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let sandbox = Sandbox::with(ABS);
    sandbox.refused(&["gen", "x.c", "--out", "x.c/out"], &["x.c/out"]);
    sandbox.refused(&["gen", "x.c", "--out", "/proc/labrys"], &["/proc/labrys"]);
    // Refused before anything is searched: what is in the way is a file.
    sandbox.refused(&["gen", "x.c", "--out", "x.c"], &["x.c"]);
}

#[test]
fn the_files_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::generated();
    // What a plain file gets under the umask of this process.
    let usual = std::fs::metadata(sandbox.path("x.c"))
        .unwrap()
        .permissions();
    for file in files_below(&sandbox.path("labrys-out")) {
        let got = std::fs::metadata(&file).unwrap().permissions();
        assert_eq!(got.mode(), usual.mode(), "{}", file.display());
    }
}

#[test]
fn json_is_one_object_and_the_same_as_the_file() {
    let sandbox = Sandbox::with(ABS);
    let ended = sandbox.run(&["gen", "x.c", "--format", "json"]);
    let printed: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert!(printed.is_object());
    assert_eq!(printed, read_json(&sandbox.path("labrys-out/summary.json")));
}

#[test]
fn quiet_is_silent() {
    let sandbox = Sandbox::with(ABS);
    let ended = sandbox.run(&["gen", "x.c", "--quiet"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::generated();
    let mut command = sandbox.command(&["gen", "x.c", "--quiet"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// `/dev/full` stands for a full disk.
#[test]
fn a_full_disk_is_reported() {
    let sandbox = Sandbox::with(ABS);
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = sandbox.command(&["gen", "x.c", "--quiet"]);
    let ended = run(command.stdout(full));
    refused(&ended, &["No space left"]);
}

#[test]
fn nothing_is_exported_over_a_file_of_the_user() {
    let sandbox = Sandbox::generated();
    let out = ["export", "labrys-out", "--format", "c", "--out", "x.c"];
    sandbox.refused(&out, &["x.c"]);
    assert_eq!(std::fs::read_to_string(sandbox.path("x.c")).unwrap(), ABS);
}

/// The exported tests are found by the compiler from wherever they were written.
#[test]
fn a_suite_can_be_used_from_another_directory() {
    let sandbox = Sandbox::generated();
    let elsewhere = tempfile::tempdir().unwrap();
    let out = sandbox.path("labrys-out");
    let mut replay = sandbox.command(&["replay", "--quiet"]);
    let ended = run(replay.arg(&out).current_dir(elsewhere.path()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let mut export = sandbox.command(&["export", "--format", "c", "--out", "t.c"]);
    let ended = run(export.arg(&out).current_dir(elsewhere.path()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let mut cc = Command::new("cc");
    let ended = run(cc
        .args(["-w", "t.c", "-o", "t"])
        .current_dir(elsewhere.path()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
}
