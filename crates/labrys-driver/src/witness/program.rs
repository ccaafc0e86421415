//! The program for verifiers: the annotated program without its header and line markers, with the
//! objective as a call of `reach_error`, and a `main` that calls the harness.

use super::labels::without_labels;
use crate::failure::{Failure, Outcome};
use crate::output::RunRecord;
use labrys_ledger::world::FileContents;
use labrys_ledger::{Trigger, World};
use std::fmt::Write;

const RUNTIME: &str = include_str!("runtime.c");

/// What the objective's annotation is called.
const OBJECTIVE: &str = "labrys_objective(";

/// A C program, and where the lines of the source went.
pub(super) struct WitnessProgram {
    pub(super) text: String,
    /// File and line of the source, by line of the text.
    origins: Vec<Option<(String, u32)>>,
}

impl WitnessProgram {
    /// Makes the program from the annotated one.
    pub(super) fn new(annotated: &str, run: &RunRecord, trigger: Trigger) -> Outcome<Self> {
        let mut program = WitnessProgram {
            text: String::new(),
            origins: Vec::new(),
        };
        program.add(RUNTIME);
        program.add(&annotations(trigger)?);
        let mut place: Option<(String, u32)> = None;
        let label = match trigger {
            Trigger::Label { id } => Some(id),
            _ => None,
        };
        let Some(annotated) = without_labels(annotated, label) else {
            return Err(Failure::usage(
                "the predicate of this label may fault, and then it counts as false; no C program can say that",
            ));
        };
        for line in annotated.lines() {
            if let Some(marked) = marker(line) {
                place = Some(marked);
                continue;
            }
            // What stands before the first marker is the header of labrys.
            let Some((_, number)) = &mut place else {
                continue;
            };
            let here = *number;
            *number += 1;
            let file = place.as_ref().map(|(file, _)| file.clone());
            program.line(
                &without_float_names(&with_objective(line, trigger)),
                file.map(|file| (file, here)),
            );
        }
        program.add(&main(run)?);
        Ok(program)
    }

    fn add(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line, None);
        }
    }

    fn line(&mut self, line: &str, origin: Option<(String, u32)>) {
        self.text.push_str(line);
        self.text.push('\n');
        self.origins.push(origin);
    }

    /// Line and column (both from 1) of the loop that a line of the source begins.
    pub(super) fn loop_at(&self, file: &str, line: u32) -> Option<(usize, usize)> {
        let is_there = |origin: &Option<(String, u32)>| {
            let origin = origin.as_ref();
            origin.is_some_and(|(other, number)| other == file && *number == line)
        };
        let mut lines = self.text.lines().zip(&self.origins).enumerate();
        lines.find_map(|(at, (text, origin))| {
            let column = loop_keyword(text).filter(|_| is_there(origin))?;
            Some((at + 1, column + 1))
        })
    }
}

/// Where `while`, `for` or `do` stands as a word.
fn loop_keyword(line: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<usize> = Vec::new();
    for keyword in ["while", "for", "do"] {
        found.extend(line.match_indices(keyword).map(|(at, _)| at).filter(|at| {
            let (before, behind) = (&line[..*at], &line[at + keyword.len()..]);
            !before.ends_with(is_word) && !behind.starts_with(is_word)
        }));
    }
    // Two loops in one line cannot be told apart.
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// `# 12 "file.c"`
fn marker(line: &str) -> Option<(String, u32)> {
    let rest = line
        .strip_prefix("# ")
        .or_else(|| line.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    let file = rest.strip_prefix('"')?.split('"').next()?;
    Some((file.to_owned(), number.parse().ok()?))
}

/// The annotation of the objective has a name of its own.
fn with_objective(line: &str, trigger: Trigger) -> String {
    match trigger {
        Trigger::Condition {
            decision, index, ..
        } => line.replace(&format!("labrys_cond({decision}, {index}, "), OBJECTIVE),
        Trigger::Decision { decision, .. } => {
            line.replace(&format!("labrys_decision({decision}, "), OBJECTIVE)
        }
        _ => line.to_owned(),
    }
    .replace(ANY_ORDER, "((void)0)")
}

/// Headers that clang has read define these names, which are words of the language for gcc.
fn without_float_names(line: &str) -> String {
    const NAMES: [&str; 5] = [
        "_Float128",
        "_Float64x",
        "_Float32x",
        "_Float64",
        "_Float32",
    ];
    match line.contains("_Float") {
        true => NAMES.iter().fold(line.to_owned(), |line, name| {
            line.replace(name, &format!("labrys{}", name.to_lowercase()))
        }),
        false => line.to_owned(),
    }
}

/// What a place is called whose order of evaluation C leaves open.
const ANY_ORDER: &str = "LABRYS_ANY_ORDER";

/// The functions that depend on the objective.
fn annotations(trigger: Trigger) -> Outcome<String> {
    let (mut objective, mut case, mut reach) = ("0".to_owned(), "0".to_owned(), "0".to_owned());
    match trigger {
        Trigger::Condition { value, .. } | Trigger::Decision { value, .. } => {
            objective = if value { "value" } else { "!value" }.to_owned();
        }
        Trigger::Case {
            switch,
            case: index,
        } => {
            case = format!("id == {switch} && index == {index} && labrys_jumped == id + 1");
        }
        Trigger::Reach { id } => reach = format!("id == {id}"),
        // It calls reach_error where it stands.
        Trigger::Label { .. } => {}
        Trigger::Pair { .. } => {
            return Err(Failure::usage(
                "a pair of MC/DC is two evaluations in two runs; a witness is for objectives that are one event of the program",
            ));
        }
    }
    Ok(format!(
        "int labrys_objective(int value) {{
  if ({objective})
    reach_error();
  return value;
}}
void labrys_case(unsigned id, unsigned index) {{
  if ({case})
    reach_error();
  labrys_jumped = 0;
}}
void labrys_reach(unsigned id) {{
  if ({reach})
    reach_error();
}}
"
    ))
}

/// Does a program see nothing but its arguments?
fn is_only_arguments(world: &World) -> bool {
    world.files.is_empty() && world.environment.is_empty() && world.stdin == FileContents::default()
}

/// Calls any of the harnesses.
fn main(run: &RunRecord) -> Outcome<String> {
    let worlds = run.entries.iter().filter_map(|entry| entry.world.as_ref());
    if worlds.clone().any(|world| !is_only_arguments(world)) {
        return Err(Failure::usage(
            "the files, the standard input and the environment of a program are no inputs that verifiers know; arguments are",
        ));
    }
    let mut text = String::from("int main(void) {\n");
    match &run.entries[..] {
        [only] => {
            let _ = writeln!(text, "  labrys_harness_{}();", only.function);
        }
        entries => {
            text.push_str("  switch (__VERIFIER_nondet_uint()) {\n");
            for (number, entry) in entries.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "  case {number}:\n    labrys_harness_{}();\n    break;",
                    entry.function
                );
            }
            text.push_str("  }\n");
        }
    }
    text.push_str("  return 0;\n}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found_by_their_keyword() {
        assert_eq!(loop_keyword("    while (i < n) {"), Some(4));
        assert_eq!(loop_keyword("  forward(x);"), None);
        assert_eq!(loop_keyword("for (;;) while (x)"), None);
    }

    #[test]
    fn markers_say_where_a_line_is_from() {
        assert_eq!(marker("# 6 \"x.c\" 2"), Some(("x.c".to_owned(), 6)));
        assert_eq!(marker("#define x 1"), None);
    }
}
