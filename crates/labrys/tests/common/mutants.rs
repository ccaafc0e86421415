//! A program with a suite whose mutants are known, for the tests of `mutate` and `kill`.

use super::{Ended, labrys, run};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with a program and a suite of one function with parameters of type `int`.
pub struct Scene {
    pub dir: TempDir,
    pub function: &'static str,
    /// What every run gets: by default nothing is known before the runs.
    pub options: Vec<&'static str>,
}

impl Scene {
    pub fn new(text: &str, function: &'static str, names: &[&str], tests: &[&[i32]]) -> Scene {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("x.c"), text).unwrap();
        let input = |(name, value): (&&str, &i32)| {
            let bytes: String = value
                .to_le_bytes()
                .iter()
                .map(|b| format!("{b:02x}"))
                .collect();
            json!({"name": name, "type": "int", "value": value, "bytes": bytes})
        };
        let test = |(number, values): (usize, &&[i32])| {
            let inputs: Vec<Value> = names.iter().zip(*values).map(input).collect();
            json!({"id": number + 1, "name": format!("t{}", number + 1), "entry": function,
                   "inputs": inputs, "covers": [], "outcome": "ok", "outputs": {}})
        };
        let tests: Vec<Value> = tests.iter().enumerate().map(test).collect();
        let suite = json!({"schema": "labrys/1", "target": {"files": ["x.c"], "entry": function},
                           "tests": tests});
        std::fs::write(dir.path().join("suite.json"), suite.to_string()).unwrap();
        let options = vec!["--no-tce"];
        Scene {
            dir,
            function,
            options,
        }
    }

    /// Takes the place of the suite.
    pub fn with_tests(&self, names: &[&str], tests: &[&[i32]]) {
        let other = Scene::new("", self.function, names, tests);
        let suite = std::fs::read(other.dir.path().join("suite.json")).unwrap();
        std::fs::write(self.dir.path().join("suite.json"), suite).unwrap();
    }

    /// A file that was written.
    pub fn json(&self, path: &str) -> Value {
        let text = std::fs::read(self.dir.path().join(path)).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = labrys(self.dir.path());
        command.args(["mutate", "x.c", "--function", self.function, "--quiet"]);
        run(command.args(&self.options).args(arguments))
    }

    pub fn result(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["--tests", "suite.json", "--format", "json"];
        all.extend(arguments);
        json_of(&self.run(&all))
    }
}

pub fn json_of(ended: &Ended) -> Value {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// The status of the mutant with this text.
pub fn status<'a>(result: &'a Value, text: &str) -> &'a str {
    mutant(result, text)["status"].as_str().unwrap()
}

pub fn mutant<'a>(result: &'a Value, text: &str) -> &'a Value {
    let mutants = result.get("list").unwrap_or(&result["mutants"]);
    let mutants = mutants.as_array().unwrap();
    let mut same = mutants.iter().filter(|m| change(m) == text);
    let found = same.next().unwrap_or_else(|| {
        let all: Vec<String> = mutants.iter().map(change).collect();
        panic!("no mutant {text}; there are\n{}", all.join("\n"))
    });
    assert!(same.next().is_none(), "{text} is there twice");
    found
}

/// `ROR: a < b → a <= b`
pub fn change(mutant: &Value) -> String {
    let field = |name: &str| mutant[name].as_str().unwrap();
    format!(
        "{}: {} → {}",
        field("operator"),
        field("original"),
        field("replacement")
    )
}
