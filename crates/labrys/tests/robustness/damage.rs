//! Output directories that were cut off, edited or made by somebody else.

use crate::sandbox::{Sandbox, refused};

const COMMANDS: [&[&str]; 3] = [
    &["replay", "labrys-out", "--quiet"],
    &["explain", "labrys-out", "branch:1"],
    &["export", "labrys-out", "--format", "c"],
];

/// Which of the files each of the commands reads.
fn reads(command: &str, file: &str) -> bool {
    match command {
        "replay" => true,
        "explain" => file != "run.json",
        _ => file != "objectives.json",
    }
}

#[test]
fn truncated_and_missing_files_are_named() {
    let sandbox = Sandbox::generated();
    for file in ["suite.json", "objectives.json", "run.json"] {
        let name = format!("labrys-out/{file}");
        let whole = std::fs::read_to_string(sandbox.path(&name)).unwrap();
        let broken = ["", "{", &whole[..whole.len() / 2], "[1, 2]", "\u{0}\u{1}"];
        for command in COMMANDS.iter().filter(|c| reads(c[0], file)) {
            for text in broken {
                sandbox.write(&name, text);
                sandbox.refused(command, &[file]);
            }
            std::fs::remove_file(sandbox.path(&name)).unwrap();
            sandbox.refused(command, &[file]);
            sandbox.write(&name, &whole);
        }
    }
    for command in COMMANDS {
        assert_eq!(sandbox.run(command).code, Some(0), "{command:?}");
    }
}

#[test]
fn directories_that_are_no_output_are_refused() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        sandbox.refused(command, &["labrys-out"]);
    }
    std::fs::create_dir(sandbox.path("labrys-out")).unwrap();
    for command in COMMANDS {
        sandbox.refused(command, &["labrys-out"]);
    }
}

#[test]
fn an_unknown_objective_is_refused() {
    let sandbox = Sandbox::generated();
    for objective in ["branch:99", "brunch:1", ""] {
        let ended = sandbox.run(&["explain", "labrys-out", objective]);
        refused(&ended, &["objective"]);
    }
}

#[test]
fn a_changed_expectation_fails_the_replay() {
    let sandbox = Sandbox::generated();
    let name = "labrys-out/suite.json";
    let text = std::fs::read_to_string(sandbox.path(name)).unwrap();
    let mut suite: serde_json::Value = serde_json::from_str(&text).unwrap();
    for output in suite["tests"][0]["output_bytes"].as_array_mut().unwrap() {
        output["bytes"] = "2a2a2a2a".into();
    }
    sandbox.write(name, &suite.to_string());
    let ended = sandbox.run(&["replay", "labrys-out", "--quiet"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
}
