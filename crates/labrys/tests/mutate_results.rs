//! What a tester sees of mutants: files, tables, parts of the work, and reports for other tools.

#![allow(clippy::unwrap_used)]

mod common;

use common::mutants::{Scene, json_of, mutant, status};
use common::{labrys, run};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LARGER: &str = "int larger(int a, int b) {\n  if (a > b)\n    return a;\n  return b;\n}\n";

fn larger(tests: &[&[i32]]) -> Scene {
    let mut scene = Scene::new(LARGER, "larger", &["a", "b"], tests);
    scene.options.extend(["--operators", "ROR,UOI,ABS"]);
    scene
}

const SUITE: [&str; 2] = ["--tests", "suite.json"];

#[test]
fn results_are_files() {
    let scene = larger(&[&[1, 2]]);
    let shown = scene.result(&["--out", "res"]);
    let file = scene.json("res/mutants.json");
    assert_eq!(file["schema"], "labrys/1");
    assert_eq!(file["mutants"], shown["list"]);
    let survivor = mutant(&file, "ROR: a > b → a >= b");
    assert_eq!(survivor["status"], "survived");
    assert_eq!(survivor["reason"], "never infected");
    assert_eq!(survivor["killed_by"], json!([]));
    assert_eq!(
        (&survivor["file"], &survivor["line"]),
        (&json!("x.c"), &json!(2))
    );
    let killed = mutant(&file, "ROR: a > b → true");
    assert_eq!(killed["killed_by"], json!(["t1"]));
    assert!(killed.get("reason").is_none());
    let summary = scene.json("res/summary.json");
    let counts = &summary["mutants"];
    let count = |name: &str| counts[name].as_u64().unwrap();
    let parts = [
        "duplicates",
        "killed_before",
        "killed",
        "equivalent",
        "survived",
        "no_coverage",
    ];
    let sum: u64 = parts.iter().map(|name| count(name)).sum();
    assert_eq!(sum, count("total"));
    assert!(count("no_coverage") > 0 && count("killed") == 0);
    let score = count("killed_before") as f64
        / (count("total") - count("equivalent") - count("duplicates")) as f64;
    assert!((summary["score"].as_f64().unwrap() - score).abs() < 1e-9);
    assert_eq!(summary["stop"], "done");
    assert!(summary.get("list").is_none());
    // What is not Labrys' own is left alone.
    std::fs::create_dir(scene.dir.path().join("mine")).unwrap();
    std::fs::write(scene.dir.path().join("mine/x"), "").unwrap();
    let refused = scene.run(&[&SUITE[..], &["--out", "mine"]].concat());
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("not made by labrys"),
        "{}",
        refused.stderr
    );
}

#[test]
fn survivors_are_shown_as_changes_of_their_lines() {
    let scene = larger(&[&[1, 2]]);
    let shown = scene.run(&SUITE).stdout;
    assert!(
        shown.contains("never infected\n- if (a > b)\n+ if (a >= b)\n"),
        "{shown}"
    );
    assert!(shown.contains("x.c:3:12"), "{shown}");
    assert!(
        shown.contains("never reached\n- return a;\n+ return -a;\n"),
        "{shown}"
    );
    for column in [
        "mutants",
        "killed by suite",
        "by new tests",
        "equivalent",
        "duplicate",
        "survived",
        "no coverage",
    ] {
        assert!(shown.lines().next().unwrap().contains(column), "{shown}");
    }
    assert!(
        shown.lines().any(|line| line.starts_with("all ")),
        "{shown}"
    );
}

#[test]
fn only_changed_lines_count() {
    let scene = larger(&[&[1, 2]]);
    let patch = "--- a/x.c\n+++ b/x.c\n@@ -3 +3 @@\n-    return 0;\n+    return a;\n";
    std::fs::write(scene.dir.path().join("p.diff"), patch).unwrap();
    std::fs::write(scene.dir.path().join("y.c"), "int y(int a) { return a; }\n").unwrap();
    let all = scene.result(&["y.c"]);
    for arguments in [["--in-diff", "p.diff"], ["--only", "x.c:3"]] {
        let part = scene.result(&arguments);
        let lines = part["list"].as_array().unwrap();
        assert!(!lines.is_empty());
        for mutant in lines {
            assert_eq!(mutant["line"], 3);
            // The ids stay those of the whole program.
            assert!(all["list"].as_array().unwrap().contains(mutant));
        }
        let note = part["notes"][0].as_str().unwrap();
        assert!(note.contains("mutants count"), "{note}");
    }
    let none = scene.run(&[&SUITE[..], &["--only", "x.c:5"]].concat());
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("there is no mutant; the nearest"),
        "{}",
        none.stderr
    );
}

#[test]
fn shards_together_are_the_whole() {
    let scene = larger(&[&[1, 2], &[7, -3]]);
    let whole = scene.result(&[]);
    let mut merge = vec!["mutate", "--merge"];
    let names = ["s1", "s2", "s3"];
    for (name, shard) in names.iter().zip(["1/3", "2/3", "3/3"]) {
        let part = scene.result(&["--shard", shard, "--out", name]);
        assert!(part["list"].as_array().unwrap().len() < 20);
        merge.push(name);
    }
    let merged = |arguments: &[&str]| {
        let mut command = labrys(scene.dir.path());
        run(command.args(arguments))
    };
    let two = merged(&["mutate", "--merge", "s1", "s2"]);
    assert!(
        two.stdout.contains("shards 3/3 are missing"),
        "{}",
        two.stdout
    );
    merge.extend(["--out", "all", "--format", "json"]);
    let all = json_of(&merged(&merge));
    assert_eq!(all["mutants"], whole["mutants"]);
    assert_eq!(
        scene.json("all/mutants.json")["mutants"]
            .as_array()
            .unwrap()
            .len(),
        whole["list"].as_array().unwrap().len()
    );
    for (one, other) in all["list"]
        .as_array()
        .unwrap()
        .iter()
        .zip(whole["list"].as_array().unwrap())
    {
        assert_eq!(
            (&one["id"], &one["status"]),
            (&other["id"], &other["status"])
        );
    }
    let low = merged(&["mutate", "--merge", "all", "--fail-under", "99"]);
    assert_eq!(low.code, Some(1));
    // A file that has changed in between.
    std::fs::write(scene.dir.path().join("x.c"), format!("{LARGER}\n")).unwrap();
    scene.result(&["--shard", "1/3", "--out", "s4"]);
    let other = merged(&["mutate", "--merge", "s1", "s4"]);
    assert_eq!(other.code, Some(2));
    assert!(
        other.stderr.contains("x.c is not the same in s1 and in s4"),
        "{}",
        other.stderr
    );
}

#[test]
fn several_suites_over_one_program_are_put_together() {
    let scene = larger(&[&[1, 2]]);
    scene.result(&["--out", "a"]);
    scene.with_tests(&["a", "b"], &[&[7, -3]]);
    scene.result(&["--out", "b"]);
    let mut command = labrys(scene.dir.path());
    let both = run(command.args(["mutate", "--merge", "a", "b", "--format", "json"]));
    let both = json_of(&both);
    scene.with_tests(&["a", "b"], &[&[1, 2], &[7, -3]]);
    let together = scene.result(&[]);
    assert_eq!(both["mutants"], together["mutants"]);
    // Both suites call their test t1.
    let names = |test: usize| both["tests"][test]["name"].as_str().unwrap().to_owned();
    assert_eq!((names(0), names(1)), ("t1".to_owned(), "t1_2".to_owned()));
}

#[test]
fn only_what_survived_is_run_again() {
    let scene = larger(&[&[1, 2]]);
    let first = scene.result(&["--iterate", "--out", "res"]);
    let note = |result: &Value| result["notes"][0].as_str().unwrap().to_owned();
    assert!(
        note(&first).contains("no earlier results"),
        "{}",
        note(&first)
    );
    // Nothing but survivors, which no test kills this time either.
    let again = scene.result(&["--iterate", "--out", "res"]);
    let killed = first["mutants"]["killed_before"].as_u64().unwrap();
    assert!(
        note(&again).contains(&format!("{killed} of ")),
        "{}",
        note(&again)
    );
    assert_eq!(again["mutants"], first["mutants"]);
    let runs = |result: &Value| result["work"]["native_runs"].as_u64().unwrap();
    assert!(runs(&again) < runs(&first));
    // A new test kills more; what was killed before keeps its killer.
    scene.with_tests(&["a", "b"], &[&[7, -3], &[1, 2]]);
    let more = scene.result(&["--iterate", "--out", "res"]);
    assert!(more["mutants"]["killed_before"].as_u64().unwrap() > killed);
    let old = mutant(&more, "ROR: a > b → true");
    assert_eq!(old["killed_by"], json!(["t2"]), "it has another name now");
    // Without its killer a mutant is open again.
    scene.with_tests(&["a", "b"], &[&[5, 5]]);
    let fewer = scene.result(&["--iterate", "--out", "res"]);
    assert_eq!(status(&fewer, "ROR: a > b → true"), "survived");
    // A change of the program makes all of them open.
    std::fs::write(scene.dir.path().join("x.c"), format!("\n{LARGER}")).unwrap();
    let changed = scene.result(&["--iterate", "--out", "res"]);
    assert!(
        note(&changed).contains("x.c has changed"),
        "{}",
        note(&changed)
    );
}

#[test]
fn subsumed_mutants_are_not_counted() {
    let scene = larger(&[&[1, 2], &[7, -3], &[0, 0]]);
    let all = scene.result(&[]);
    let some = scene.result(&["--subsuming", "--out", "res"]);
    let total = |result: &Value| result["mutants"]["total"].as_u64().unwrap();
    let subsumed = some["subsumed"].as_u64().unwrap();
    assert!(subsumed > 0);
    assert_eq!(total(&some) + subsumed, total(&all));
    let list = some["list"].as_array().unwrap();
    assert_eq!(list.len() as u64, total(&all), "they are in the list");
    let tests = |mutant: &Value| -> Vec<String> {
        let names = mutant["killed_by"].as_array().unwrap().iter();
        names
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    };
    for mutant in list {
        let Some(by) = mutant.get("subsumed_by") else {
            continue;
        };
        let by = list.iter().find(|other| other["id"] == *by).unwrap();
        assert!(by.get("subsumed_by").is_none());
        let own = tests(mutant);
        assert!(tests(by).iter().all(|test| own.contains(test)));
    }
    let shown = scene.run(&[&SUITE[..], &["--subsuming"]].concat()).stdout;
    assert!(
        shown.contains(&format!("{subsumed} more are killed whenever")),
        "{shown}"
    );
}

#[test]
fn other_tools_read_the_mutants() {
    let scene = larger(&[&[1, 2]]);
    scene.result(&["--out", "res"]);
    let mut command = labrys(scene.dir.path());
    let report = run(command.args(["report", "res", "--format", "mutation-json"]));
    let report = json_of(&report);
    assert_eq!(report["schemaVersion"], "2");
    assert_eq!(report["thresholds"], json!({"high": 80, "low": 60}));
    let file = &report["files"]["x.c"];
    assert_eq!(file["language"], "c");
    assert_eq!(file["source"], LARGER);
    let mutants = file["mutants"].as_array().unwrap();
    let by_replacement = |text: &str| {
        let mut found = mutants.iter().filter(|m| m["replacement"] == text);
        found.next().unwrap()
    };
    let survived = by_replacement("a >= b");
    assert_eq!(survived["status"], "Survived");
    assert_eq!(survived["mutatorName"], "ROR");
    let location = json!({"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 12}});
    assert_eq!(survived["location"], location);
    let killed = by_replacement("true");
    assert_eq!(
        (&killed["status"], &killed["killedBy"]),
        (&json!("Killed"), &json!(["t1"]))
    );
    let known = ["Killed", "Survived", "NoCoverage", "Timeout", "Ignored"];
    for mutant in mutants {
        assert!(
            known.contains(&mutant["status"].as_str().unwrap()),
            "{mutant}"
        );
    }
    assert!(mutants.iter().any(|m| m["status"] == "NoCoverage"));
    let tests = &report["testFiles"]["suite.json"]["tests"];
    assert_eq!(*tests, json!([{"id": "t1", "name": "t1"}]));
    std::fs::write(scene.dir.path().join("x.c"), "int x;\n").unwrap();
    let mut command = labrys(scene.dir.path());
    let stale = run(command.args(["report", "res", "--format", "mutation-json"]));
    assert_eq!(stale.code, Some(2));
    assert!(
        stale.stderr.contains("x.c has changed or is gone"),
        "{}",
        stale.stderr
    );
}

/// The compiler makes one maximum of both.
#[test]
fn what_the_compiler_proves_is_not_run() {
    let mut scene = larger(&[&[1, 2], &[7, -3]]);
    scene.options.retain(|option| *option != "--no-tce");
    let result = scene.result(&["--out", "res"]);
    let equal = mutant(&result, "ROR: a > b → a >= b");
    assert_eq!(equal["status"], "equivalent");
    assert_eq!(equal["proof"]["kind"], "same-code");
    assert_eq!(
        (&equal["runs"], &equal["killed_by"]),
        (&json!(0), &json!([]))
    );
    let counts = &result["mutants"];
    assert!(counts["equivalent"].as_u64().unwrap() > 0);
    assert!(counts["duplicates"].as_u64().unwrap() > 0);
    let shards = ["1/2", "2/2"].map(|shard| scene.result(&["--shard", shard]));
    for name in ["total", "equivalent", "duplicates", "killed_before"] {
        let sum: u64 = shards
            .iter()
            .map(|s| s["mutants"][name].as_u64().unwrap())
            .sum();
        assert_eq!(sum, counts[name].as_u64().unwrap(), "{name}");
    }
}

/// Equivalent mutants and duplicates come from proofs; here they are written by hand.
#[test]
fn proved_mutants_are_ignored_by_other_tools() {
    let scene = larger(&[&[1, 2]]);
    scene.result(&["--out", "res"]);
    let mut file = scene.json("res/mutants.json");
    let proof = |same_as: Option<&str>| match same_as {
        Some(id) => json!({"kind": "same-code", "same_as": id}),
        None => json!({"kind": "same-code", "detail": "-O2"}),
    };
    for (place, status, same_as) in [
        (0, "equivalent", None),
        (1, "duplicate", Some("mutation:3")),
    ] {
        let mutant = file["mutants"][place].as_object_mut().unwrap();
        mutant.remove("reason");
        mutant.insert("status".into(), json!(status));
        mutant.insert("killed_by".into(), json!([]));
        mutant.insert("proof".into(), proof(same_as));
    }
    let path = scene.dir.path().join("res/mutants.json");
    std::fs::write(path, file.to_string()).unwrap();
    let mut command = labrys(scene.dir.path());
    let report = json_of(&run(command.args([
        "report",
        "res",
        "--format",
        "mutation-json",
    ])));
    let mutants = &report["files"]["x.c"]["mutants"];
    assert_eq!(mutants[0]["status"], "Ignored");
    assert_eq!(mutants[0]["statusReason"], "proved equivalent");
    assert_eq!(mutants[1]["statusReason"], "duplicate of mutation:3");
    // They are kept by the next run, and do not count.
    let again = scene.result(&["--iterate", "--out", "res"]);
    assert_eq!(again["mutants"]["equivalent"], 1);
    assert_eq!(again["mutants"]["duplicates"], 1);
    let count = |name: &str| again["mutants"][name].as_f64().unwrap();
    let score = count("killed_before") / (count("total") - 2.0);
    assert!((again["score"].as_f64().unwrap() - score).abs() < 1e-9);
}

/// Waits until a command has got as far as the runs.
fn wait_for(file: &Path) {
    let begin = Instant::now();
    while !file.exists() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{}",
            file.display()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn who_interrupts_gets_what_is_known() {
    // A mutant makes the loop endless, and there is no point inside to count steps at.
    let text = "int f(int n) {\n  volatile int x = 0;\n  if (n > 5)\n    for (;;) { x = x; }\n  return n;\n}\n";
    let scene = Scene::new(text, "f", &["n"], &[&[1]]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_labrys"));
    command.current_dir(scene.dir.path()).stdin(Stdio::null());
    command.args(["mutate", "x.c", "--function", "f", "--replay-time", "100s"]);
    command
        .args(["--out", "res", "--format", "json"])
        .args(SUITE);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(&scene.dir.path().join("res/.labrys"));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let file = scene.json("res/mutants.json");
    let mutants = file["mutants"].as_array().unwrap();
    assert!(mutants.iter().any(|m| m["reason"] == "time"));
    let summary = scene.json("res/summary.json");
    assert_eq!(summary["stop"], "interrupted");
    assert_eq!(summary["mutants"]["total"], mutants.len());
}

#[test]
fn wrong_requests_get_one_clear_message() {
    let scene = larger(&[&[1, 2]]);
    let wrong = |arguments: &[&str], part: &str| {
        let ended = scene.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(part),
            "{arguments:?}: {}",
            ended.stderr
        );
    };
    let with_tests = |arguments: &[&'static str]| [&SUITE[..], arguments].concat();
    wrong(&with_tests(&["--shard", "5/3"]), "there is no part 5 of 3");
    wrong(&with_tests(&["--shard", "x"]), "K/N is wanted");
    wrong(&with_tests(&["--iterate"]), "--out");
    wrong(&["--list", "--subsuming"], "cannot be used with");
    wrong(
        &["--list", "--iterate", "--out", "res"],
        "cannot be used with",
    );
    wrong(
        &with_tests(&["--subsuming", "--shard", "1/2"]),
        "cannot be used with",
    );
    let merge = |arguments: &[&str]| run(labrys(scene.dir.path()).args(arguments));
    let nowhere = merge(&["mutate", "--merge", "nowhere"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(nowhere.stderr.contains("nowhere"), "{}", nowhere.stderr);
    scene.result(&["--out", "res"]);
    std::fs::write(scene.dir.path().join("res/mutants.json"), "{\"schema\":").unwrap();
    wrong(
        &with_tests(&["--iterate", "--out", "res"]),
        "res/mutants.json is damaged",
    );
    let damaged = merge(&["report", "res", "--format", "mutation-json"]);
    assert_eq!(damaged.code, Some(2));
    assert!(
        damaged.stderr.contains("mutants.json is damaged"),
        "{}",
        damaged.stderr
    );
    let other = json!({"schema": "labrys/9", "target": {"files": []}, "mutants": []});
    std::fs::write(scene.dir.path().join("res/mutants.json"), other.to_string()).unwrap();
    wrong(&with_tests(&["--iterate", "--out", "res"]), "labrys/9");
}
