//! Mutants that the compiler calls equivalent or duplicates, against native runs with every input:
//! random functions of one byte, of which all 256 values are tests.

#![allow(clippy::unwrap_used)]

mod common;

use common::{labrys, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// Programs that a run of this test makes; `LABRYS_TRIVIAL_PROGRAMS` asks for more.
const PROGRAMS: u64 = 1;

#[test]
fn no_input_tells_apart_what_the_compiler_does_not() {
    let asked = std::env::var("LABRYS_TRIVIAL_PROGRAMS").ok();
    let programs = asked.and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS);
    let (mut equivalent, mut duplicates) = (0, 0);
    for seed in 1..=programs {
        let dir = tempfile::tempdir().unwrap();
        let text = RandomFunction::new(seed).text();
        std::fs::write(dir.path().join("x.c"), &text).unwrap();
        let write = |name: &str, suite: Value| {
            std::fs::write(dir.path().join(name), suite.to_string()).unwrap();
        };
        // What the compiler says has nothing to do with the tests.
        write("one.json", suite_of(0..=0));
        write("all.json", suite_of(0..=255));
        let mut compared = mutants(dir.path(), &["--tests", "one.json"]);
        let mut truth = mutants(dir.path(), &["--tests", "all.json", "--no-tce"]);
        let pairs = ["--tests", "one.json", "--order", "2"];
        compared.extend(mutants(dir.path(), &pairs));
        let pairs = ["--tests", "all.json", "--no-tce", "--order", "2"];
        truth.extend(mutants(dir.path(), &pairs));
        for (id, mutant) in &compared {
            let is_killed = |id: &str| {
                let status = truth[id]["status"].as_str().unwrap();
                matches!(status, "killed" | "crashed" | "timeout")
            };
            match mutant["status"].as_str().unwrap() {
                "equivalent" => {
                    equivalent += 1;
                    assert!(
                        !is_killed(id),
                        "seed {seed}: {mutant}\n{}\n{text}",
                        truth[id]
                    );
                }
                "duplicate" => {
                    duplicates += 1;
                    let other = mutant["proof"]["same_as"].as_str().unwrap();
                    assert_eq!(
                        is_killed(id),
                        is_killed(other),
                        "seed {seed}: {mutant}\n{text}"
                    );
                }
                _ => {}
            }
        }
    }
    assert!(
        equivalent > 0 && duplicates > 0,
        "{equivalent} and {duplicates}"
    );
}

/// The mutants by their ids.
fn mutants(dir: &Path, arguments: &[&str]) -> BTreeMap<String, Value> {
    let mut command = labrys(dir);
    command.args(["mutate", "x.c", "--function", "f"]);
    command
        .args(["--quiet", "--format", "json"])
        .args(arguments);
    let ended = run(&mut command);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    let list = result["list"].as_array().unwrap();
    let by_id = |m: &Value| (m["id"].as_str().unwrap().to_owned(), m.clone());
    list.iter().map(by_id).collect()
}

fn suite_of(bytes: RangeInclusive<u8>) -> Value {
    let test = |byte: u8| {
        json!({"id": u32::from(byte) + 1, "name": format!("t{byte}"), "entry": "f",
               "inputs": [{"name": "a", "type": "unsigned char", "value": byte,
                           "bytes": format!("{byte:02x}")}],
               "covers": [], "outcome": "ok", "outputs": {}})
    };
    let tests: Vec<Value> = bytes.map(test).collect();
    json!({"schema": "labrys/1", "target": {"files": ["x.c"], "entry": "f"}, "tests": tests})
}

/// Writes a function with loops, divisions, shifts, tables and locals that may not be written.
struct RandomFunction {
    state: u64,
}

impl RandomFunction {
    fn new(seed: u64) -> Self {
        RandomFunction {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    fn below(&mut self, count: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % count
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len() as u64) as usize]
    }

    fn text(&mut self) -> String {
        let body: String = (0..2).map(|_| self.statement(2)).collect();
        format!(
            "static const int t[8] = {{1, 0, 3, -1, 7, 2, 0, 9}};\n\
             int f(unsigned char a) {{\n  int x = a, y = 3, n = 0;\n  unsigned u = a;\n{body}  \
             return x ^ y ^ (int)u;\n}}\n"
        )
    }

    fn statement(&mut self, depth: u32) -> String {
        let target = self.one_of(&["x", "y", "u"]);
        let value = self.expression(2);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("  {target} = {value};\n"),
            1 => format!(
                "  {target} {}= {value};\n",
                self.one_of(&["+", "-", "*", "^"])
            ),
            2 => format!("  if ({value}) {{\n{}  }}\n", self.statement(depth - 1)),
            3 => format!(
                "  if ({value}) {{\n{}  }} else {{\n{}  }}\n",
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            4 => format!(
                "  for (int i = 0; i < {}; i++) {{\n{}    if ({value}) break;\n  }}\n",
                2 + self.below(4),
                self.statement(depth - 1)
            ),
            _ => format!(
                "  while (n < 4 && {value}) {{\n    n++;\n{}  }}\n",
                self.statement(depth - 1)
            ),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self
                .one_of(&["a", "x", "y", "u", "0", "1", "2", "7", "255"])
                .to_owned();
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(14) {
            0 => format!("({left} / {right})"),
            1 => format!("({left} % ({right} | 1))"),
            2 => format!("({left} << ({right} & 31))"),
            3 => format!("({left} >> {right})"),
            4 => format!("t[({left}) & 7]"),
            5 => format!("({left} ? {right} : y)"),
            6 => format!("({left} && {right})"),
            7 => format!("-({left})"),
            8 => format!("({left} & {right})"),
            _ => {
                let operator = self.one_of(&["+", "-", "*", "|", "<", "<=", "==", ">", "!="]);
                format!("({left} {operator} {right})")
            }
        }
    }
}
