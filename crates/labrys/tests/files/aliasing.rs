//! Random functions over two pointers, their elements and a global variable, made by a fixed rule.
//! The truth is what the compiled functions do over many layouts: the pointers lead into one array, to
//! different ones, or to the variable. What was seen there may not be called infeasible.

use crate::common::{generate, run};
use crate::trial;
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const PROGRAMS: u64 = 3;
const FUNCTIONS: u64 = 4;

/// The pointers lead to one of so many places, and each layout is run with so many contents.
const PLACES: u64 = 4;
const CONTENTS: u64 = 300;

pub fn trials() -> Vec<Trial> {
    (0..PROGRAMS)
        .map(|seed| trial(format!("aliasing/random_{seed}"), move || check(seed)))
        .collect()
}

fn check(seed: u64) -> Result<Vec<String>, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let program = Program::new(seed);
    let file = dir.path().join("functions.c");
    std::fs::write(&file, program.text(false)).map_err(|e| e.to_string())?;
    let seen = seen_natively(&program, dir.path())?;
    let arguments = ["--time", "100s", "--no-faults"];
    let generated = generate(&[&file], &arguments)?;
    let mut wrong = Vec::new();
    let (mut proved, mut covered) = (0, 0);
    for objective in &generated.objectives {
        // Of two conditions in one line the native form notes the first; nothing changes `hidden`.
        if objective["text"] == "hidden is false" {
            proved += u64::from(objective["status"] == "infeasible");
            continue;
        }
        let line = objective["line"].as_u64().unwrap_or(0);
        let truth = objective["text"]
            .as_str()
            .is_some_and(|t| t.ends_with(" is true"));
        let was_seen = seen.contains(&(line, truth));
        match objective["status"].as_str() {
            Some("infeasible") if was_seen => {
                wrong.push(format!(
                    "seen natively: {objective}\n{}",
                    program.text(false)
                ));
            }
            Some("infeasible") => proved += 1,
            Some("covered") if was_seen => covered += 1,
            _ => {}
        }
    }
    if covered * 3 < seen.len() * 2 {
        wrong.push(format!("{covered} of {} outcomes are covered", seen.len()));
    }
    // In the other programs every function compares pointers first.
    if seed == 0 && proved == 0 {
        wrong.push("nothing is proved".into());
    }
    Ok(wrong)
}

/// Lines with the outcomes of their conditions that some layout shows.
fn seen_natively(program: &Program, dir: &Path) -> Result<BTreeSet<(u64, bool)>, String> {
    let (file, binary) = (dir.join("native.c"), dir.join("native"));
    std::fs::write(&file, program.text(true)).map_err(|e| e.to_string())?;
    let compiled = run(Command::new("cc")
        .arg("-w")
        .arg(&file)
        .arg("-o")
        .arg(&binary));
    if compiled.code != Some(0) {
        return Err(compiled.stderr);
    }
    let ended = run(&mut Command::new(&binary));
    let lines = ended.stdout.lines().map(|line| {
        let (line, truth) = line.split_once(' ').ok_or("no outcome")?;
        let line = line.parse().map_err(|_| "no number")?;
        Ok((line, truth == "1"))
    });
    lines.collect::<Result<_, &str>>().map_err(str::to_owned)
}

struct Program {
    functions: Vec<RandomFunction>,
}

struct RandomFunction {
    /// Statements, and conditions behind `?`.
    lines: Vec<String>,
    /// The pointers only look at their first element, so they may lead to the variable.
    single: bool,
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let functions = (0..FUNCTIONS).map(|_| random.function()).collect();
        Program { functions }
    }

    /// The functions, with the same lines in both forms; the native one notes each condition.
    fn text(&self, native: bool) -> String {
        let mut text = String::from("int g; static int hidden;\n");
        if native {
            text = "int g; static int hidden; int printf(const char *, ...); char seen[999][2]; \
                    int note(int line, int truth) { if (!seen[line][truth]++) \
                    printf(\"%d %d\\n\", line, truth); return truth; }\n"
                .to_owned();
        }
        for (number, function) in self.functions.iter().enumerate() {
            let _ = writeln!(text, "int f{number}(int *p, int *q) {{");
            text.push_str("  if (!p || !q) return -1; int r = 0; hidden = 1;\n");
            for line in &function.lines {
                match line.strip_prefix('?') {
                    Some(condition) if native => {
                        let (first, rest) =
                            condition.split_at(condition.find(" &&").unwrap_or(condition.len()));
                        let _ = writeln!(text, "  if (note(__LINE__, !!({first})){rest}) r++;");
                    }
                    Some(condition) => {
                        let _ = writeln!(text, "  if ({condition}) r++;");
                    }
                    None => {
                        let _ = writeln!(text, "  {line}");
                    }
                }
            }
            text.push_str("  return r;\n}\n");
        }
        if native {
            self.layouts(&mut text);
        }
        text
    }

    /// A main program that calls each function with all layouts.
    fn layouts(&self, text: &mut String) {
        text.push_str("static unsigned long state = 7; static int next(void) { state = state * ");
        text.push_str(
            "6364136223846793005ul + 1442695040888963407ul; return (state >> 40) % 4; }\n",
        );
        text.push_str("int main(void) { int a[8], b[8];\n");
        for (number, function) in self.functions.iter().enumerate() {
            let places = PLACES + 1 + u64::from(function.single);
            let _ = writeln!(
                text,
                "  for (int i = 0; i < {places}; i++) for (int j = 0; j < {places}; j++)\n  \
                 for (int k = 0; k < {CONTENTS}; k++) {{\n    \
                 int *place[] = {{ a, a + 1, a + 2, a + 3, b, &g }};\n    \
                 for (int n = 0; n < 8; n++) a[n] = next(), b[n] = next();\n    \
                 g = 0; f{number}(place[i], place[j]); }}"
            );
        }
        text.push_str("  return 0; }\n");
    }
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn function(&mut self) -> RandomFunction {
        let single = self.below(2) == 0;
        let compares = self.below(2) == 0;
        let mut lines = Vec::new();
        for _ in 0..3 + self.below(3) {
            let (to, value) = (self.object(single), self.below(4));
            match self.below(3) {
                0 => lines.push(format!("{to} = {value};")),
                1 => lines.push(format!("{to} = {};", self.object(single))),
                _ => lines.push(self.condition(single, compares)),
            }
        }
        lines.push(self.condition(single, compares));
        lines.push(self.condition(single, compares));
        RandomFunction { lines, single }
    }

    fn object(&mut self, single: bool) -> &'static str {
        match single {
            true => self.pick(&["*p", "*q", "g"]),
            false => self.pick(&["*p", "*q", "p[1]", "q[1]", "q[2]", "g"]),
        }
    }

    fn condition(&mut self, single: bool, compares: bool) -> String {
        let value = self.below(4);
        match self.below(if compares { 4 } else { 2 }) {
            0 => format!("?{} == {value}", self.object(single)),
            1 => format!(
                "?{} > {} && hidden",
                self.object(single),
                self.object(single)
            ),
            2 => format!(
                "?{}",
                self.pick(&[
                    "p == q",
                    "p == &g",
                    "q == p + 1",
                    "p + 2 == q",
                    "hidden == 2"
                ])
            ),
            _ => format!(
                "?{}",
                self.pick(&["p != q", "&g != q", "q != p + 3", "hidden == 0"])
            ),
        }
    }
}
