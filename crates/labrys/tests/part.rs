//! `--only` and `--in-diff`: only objectives in these lines count, for every command; and the
//! pictures of `labrys report`, made from what `gen` wrote on the way.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod common;

use common::{Ended, labrys, run, top};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// Two functions; the first has more paths than the second condition of line 5 needs.
const PROGRAM: &str = "\
int score(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += (c >> i & 1) ? 2 : 1;
    if (a > 10 && b < 5)
        n += 10;
    if (d == 200)
        n -= 1;
    return n;
}
int other(int x) {
    if (x == 77)
        return 1;
    return 0;
}
";

/// What a commit does to it: the condition in line 5, the comment in line 12.
const PATCH: &str = "\
From 1234 Mon Sep 17 00:00:00 2001
Subject: [PATCH] fewer are enough

---
 src/x.c | 4 ++--
diff --git a/lib/x.c b/lib/x.c
index 1..2 100644
--- a/lib/x.c
+++ b/lib/x.c
@@ -2,7 +2,7 @@ int score(int a)
     int n = 0;
     for (int i = 0; i < 6; i++)
         n += (c >> i & 1) ? 2 : 1;
-    if (a > 10 && b < 6)
+    if (a > 10 && b < 5)
         n += 10;
     if (d == 200)
         n -= 1;
-- 
2.39.5
";

struct Scene {
    dir: TempDir,
}

impl Scene {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("lib")).unwrap();
        let scene = Scene { dir };
        scene.write("lib/x.c", PROGRAM);
        scene.write("change.patch", PATCH);
        scene
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        run(labrys(self.path()).args(arguments))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json", "--quiet"]);
        let ended = self.run(&all);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        serde_json::from_str(&ended.stdout).unwrap()
    }

    fn lines(&self, out: &str) -> Vec<u64> {
        let text = std::fs::read_to_string(self.path().join(out).join("objectives.json")).unwrap();
        let all: Value = serde_json::from_str(&text).unwrap();
        let all = all["objectives"].as_array().unwrap();
        all.iter().map(|o| o["line"].as_u64().unwrap()).collect()
    }
}

#[test]
fn only_the_changed_lines_count_in_every_command() {
    let scene = Scene::new();
    let whole = scene.json(&["gen", "lib/x.c", "--out", "whole"]);
    let part = scene.json(&[
        "gen",
        "lib/x.c",
        "--in-diff",
        "change.patch",
        "--out",
        "part",
    ]);
    assert_eq!(part["totals"]["objectives"], 4, "{part}");
    assert_eq!(part["totals"]["covered"], 4, "{part}");
    assert_eq!(scene.lines("part"), [5; 4]);
    // The function that the patch does not touch is not searched.
    let functions = part["by_function"].as_array().unwrap();
    assert_eq!(functions.len(), 1, "{part}");
    assert!(part["tests"].as_u64() < whole["tests"].as_u64());
    // The objectives keep the names that they have in the whole program.
    let ids = |out: &str| {
        let text = std::fs::read_to_string(scene.path().join(out).join("objectives.json")).unwrap();
        let all: Value = serde_json::from_str(&text).unwrap();
        let all = all["objectives"].as_array().unwrap().clone();
        let there = all.into_iter().filter(|o| o["line"] == 5);
        there.map(|o| o["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids("part"), ids("whole"));
    let same = scene.json(&["gen", "lib/x.c", "--only", "x.c:5", "--out", "only"]);
    assert_eq!(same["totals"], part["totals"]);
    assert_eq!(same["work"]["paths"], part["work"]["paths"]);

    let measured = scene.json(&[
        "measure",
        "lib/x.c",
        "--tests",
        "whole",
        "--in-diff",
        "change.patch",
    ]);
    assert_eq!(measured["totals"]["objectives"], 4);
    assert_eq!(measured["totals"]["covered"], 4);
    let proved = scene.json(&["prove", "lib/x.c", "--only", "lib/x.c:12-14"]);
    assert_eq!(proved["totals"]["objectives"], 2);
    let listed = scene.run(&[
        "label",
        "lib/x.c",
        "--criterion",
        "condition",
        "--format",
        "labels",
        "--in-diff",
        "change.patch",
    ]);
    let labels = listed.stdout.lines().filter(|l| !l.starts_with('#'));
    assert_eq!(labels.count(), 4, "{listed:?}");
    let printed = scene.run(&[
        "label",
        "lib/x.c",
        "--criterion",
        "condition",
        "--only",
        "x.c:5",
    ]);
    assert_eq!(printed.stdout.matches("pc_label(").count(), 4);
}

/// Regression testing: one line has changed, and its tests take a small part of all paths.
#[test]
fn a_change_of_one_line_takes_few_paths() {
    let scene = Scene::new();
    let old = std::fs::read_to_string(top().join("examples/pump.c")).unwrap();
    let line = old.lines().position(|l| l.contains("pressure > p->limit"));
    let number = line.unwrap() + 1;
    let new = old.replace("pressure > p->limit", "pressure >= p->limit");
    scene.write("pump.c", &new);
    scene.write(
        "pump.patch",
        &format!(
            "--- a/pump.c\n+++ b/pump.c\n@@ -{number} +{number} @@\n-    if (pressure > p->limit)\n+    if (pressure >= p->limit)\n"
        ),
    );
    let paths = |summary: &Value| summary["work"]["paths"].as_u64().unwrap();
    for search in ["dfs", "pps"] {
        let gen_by = ["gen", "pump.c", "--search", search];
        let whole = scene.json(&[&gen_by[..], &["--out", "whole"]].concat());
        let only = ["--in-diff", "pump.patch", "--out", "part"];
        let part = scene.json(&[&gen_by[..], &only].concat());
        assert_eq!(part["totals"]["covered"], 2, "{part}");
        let (part, whole) = (paths(&part), paths(&whole));
        assert!(part * 20 < whole, "{search}: {part} of {whole} paths");
    }
}

#[test]
fn places_can_stand_in_the_configuration_and_add_up() {
    let scene = Scene::new();
    scene.write("labrys.toml", "only = [\"x.c:5\", \"lib/x.c:12\"]\n");
    let both = scene.json(&["gen", "lib/x.c", "--out", "both"]);
    assert_eq!(both["totals"]["objectives"], 6);
    let one = scene.json(&["gen", "lib/x.c", "--only", "x.c:7-9", "--out", "one"]);
    assert_eq!(one["totals"]["objectives"], 2);
    // Both options: lines that satisfy both.
    let none = scene.json(&[
        "gen",
        "lib/x.c",
        "--only",
        "x.c:7",
        "--in-diff",
        "change.patch",
        "--out",
        "none",
    ]);
    assert_eq!(none["totals"]["objectives"], 0);
    scene.write("labrys.toml", "only = [\"x.c:9-5\"]\n");
    let ended = scene.run(&["gen", "lib/x.c"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("x.c:9-5"), "{ended:?}");
}

#[test]
fn a_patch_of_something_else_is_no_error_but_said() {
    let scene = Scene::new();
    scene.write(
        "docs.patch",
        "--- a/docs/x.c\n+++ b/docs/x.c\n@@ -5 +5 @@\n-a\n+b\n",
    );
    let ended = scene.run(&["gen", "lib/x.c", "--in-diff", "docs.patch", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for part in ["0 of 12", "docs/x.c", "0 tests"] {
        assert!(ended.stdout.contains(part), "no '{part}' in {ended:?}");
    }
    scene.write(
        "comment.patch",
        "--- a/x.c\n+++ b/x.c\n@@ -9 +9 @@\n-a\n+b\n",
    );
    let ended = scene.run(&["gen", "lib/x.c", "--in-diff", "comment.patch", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("statement"), "{ended:?}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let scene = Scene::new();
    scene.write("bad.patch", "--- a/x.c\n+++ b/x.c\n@@ -1,9 +1,9 @@\n-a\n");
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--only", "y.c:3"], &["--only y.c:3", "lib/x.c"]),
        (&["--only", "lib/x.c:2"], &["lib/x.c:2", "lines 3 and 4"]),
        (&["--in-diff", "missing.patch"], &["missing.patch"]),
        (&["--in-diff", "bad.patch"], &["bad.patch", "line 5"]),
        (&["--in-diff", "lib/x.c"], &["lib/x.c", "unified diff"]),
        (
            &["--only", "x.c:5", "--criterion", "path"],
            &["--only", "path"],
        ),
    ];
    for (options, parts) in cases {
        let mut arguments = vec!["gen", "lib/x.c"];
        arguments.extend(options);
        let ended = scene.run(&arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        for part in parts {
            assert!(ended.stderr.contains(part), "no '{part}' in {ended:?}");
        }
    }
}

#[test]
fn runs_are_drawn_from_their_events() {
    let scene = Scene::new();
    for search in ["dfs", "bfs"] {
        scene.json(&[
            "gen", "lib/x.c", "--search", search, "--seed", "3", "--out", search,
        ]);
    }
    let drawn = scene.run(&["report", "dfs", "second=bfs", "--format", "svg"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    let picture = roxmltree::Document::parse(&drawn.stdout).unwrap();
    let texts: Vec<&str> = picture.descendants().filter_map(|n| n.text()).collect();
    assert!(texts.contains(&"dfs (12)"), "{texts:?}");
    assert!(texts.contains(&"second (12)"), "{texts:?}");
    assert!(texts.contains(&"covered objectives of 12"), "{texts:?}");
    let out = [
        "report", "dfs", "--format", "svg", "--by", "time", "--out", "x.svg",
    ];
    assert_eq!(scene.run(&out).code, Some(0));
    assert_eq!(scene.run(&out).code, Some(2), "nothing is overwritten");

    // The log says what the curve needs, exactly.
    let log = std::fs::read_to_string(scene.path().join("dfs/events.jsonl")).unwrap();
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events[0]["event"], "run");
    assert_eq!(events[0]["search"], "dfs");
    assert_eq!(events[0]["seed"], 3);
    let ends = events.iter().filter(|e| e["event"] == "end");
    let covered: u64 = ends.map(|e| e["covered"].as_u64().unwrap()).sum();
    assert_eq!(covered, 12);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let scene = Scene::new();
    scene.json(&["gen", "lib/x.c", "--only", "x.c:12", "--out", "out"]);
    let refused = |dir: &str, parts: &[&str]| {
        let ended = scene.run(&["report", dir, "--format", "svg"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        for part in parts {
            assert!(ended.stderr.contains(part), "no '{part}' in {ended:?}");
        }
    };
    refused("lib", &["lib", "output directory"]);
    refused("a=missing", &["missing"]);
    let log = scene.path().join("out/events.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let old: Vec<&str> = text.lines().filter(|l| !l.contains("\"run\"")).collect();
    std::fs::write(&log, old.join("\n") + "\n").unwrap();
    refused("out", &["events.jsonl", "older"]);
    std::fs::write(&log, "garbage\n").unwrap();
    refused("out", &["events.jsonl", "line 1"]);
    std::fs::remove_file(&log).unwrap();
    refused("out", &["events.jsonl"]);
    let html = scene.run(&["report", "out", "--format", "html"]);
    assert_eq!(html.code, Some(2), "{html:?}");
}
