//! A directory with a program and tests, and the result of `measure` on them.

use crate::common::{Ended, labrys, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tempfile::TempDir;

pub struct Scene {
    dir: TempDir,
}

/// What `measure --format json` printed.
pub struct Score {
    pub json: Value,
}

impl Scene {
    /// One with a file `x.c`.
    pub fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let scene = Scene { dir };
        scene.write("x.c", text.as_bytes());
        scene
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        run(labrys(self.dir.path()).args(arguments))
    }

    /// `gen` with these arguments must succeed.
    pub fn generate(&self, arguments: &[&str]) {
        let mut all = vec!["gen", "x.c", "--quiet"];
        all.extend(arguments);
        let ended = self.run(&all);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }

    /// `measure` of `x.c` with these arguments must succeed.
    pub fn measure(&self, arguments: &[&str]) -> Score {
        let mut all = vec!["measure", "x.c", "--quiet", "--format", "json"];
        all.extend(arguments);
        let ended = self.run(&all);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let json = serde_json::from_str(&ended.stdout).unwrap();
        Score { json }
    }

    /// `measure` of `x.c` must be refused with one message that has these parts.
    pub fn refused(&self, arguments: &[&str], parts: &[&str]) {
        let mut all = vec!["measure", "x.c", "--quiet"];
        all.extend(arguments);
        let ended = self.run(&all);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert_eq!(ended.stdout, "");
        for part in parts {
            assert!(ended.stderr.contains(part), "no '{part}' in {ended:?}");
        }
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    }
}

/// The ids of the covered ones among objectives.
pub fn covered(objectives: &Value) -> BTreeSet<String> {
    let all = objectives.as_array().unwrap().iter();
    all.filter(|o| o["status"] == "covered")
        .map(|o| o["id"].as_str().unwrap().to_owned())
        .collect()
}

impl Score {
    pub fn covered(&self) -> BTreeSet<String> {
        covered(&self.json["objectives"])
    }

    /// The texts of the objectives that are covered, in order.
    pub fn covered_texts(&self) -> Vec<&str> {
        let all = self.json["objectives"].as_array().unwrap().iter();
        all.filter(|o| o["status"] == "covered")
            .map(|o| o["text"].as_str().unwrap())
            .collect()
    }

    pub fn tests(&self) -> &[Value] {
        self.json["tests"].as_array().unwrap()
    }

    /// A field of every test.
    pub fn each(&self, field: &str) -> Vec<&Value> {
        self.tests().iter().map(|test| &test[field]).collect()
    }

    pub fn names(&self) -> Vec<&str> {
        let names = self.each("name").into_iter();
        names.map(|name| name.as_str().unwrap()).collect()
    }

    pub fn outcomes(&self) -> Vec<&str> {
        let outcomes = self.each("outcome").into_iter();
        outcomes.map(|outcome| outcome.as_str().unwrap()).collect()
    }

    pub fn counted(&self) -> Vec<bool> {
        let counted = self.each("counted").into_iter();
        counted.map(|counted| counted.as_bool().unwrap()).collect()
    }

    /// What is said of a test, numbered from 1.
    pub fn problems(&self, id: usize) -> String {
        self.tests()[id - 1]["problems"].to_string()
    }

    pub fn total(&self, name: &str) -> u64 {
        self.json["totals"][name].as_u64().unwrap()
    }
}
