//! The clock, the process and the machine that an exported test sees: those of the recorded runs.

use crate::original::has_function;

const MACHINE: &str = include_str!("../../../../runtime/machine.h");
const CLOCK: &str = include_str!("../../../../runtime/clock.h");
const WORLD: &str = include_str!("world.c");

/// What a function is called in the text that is compiled only if a test file names it.
const NAMED: &str = "#ifdef LABRYS_FIX_";

/// The text for the runtime file, with names that no program has.
pub(super) fn text() -> String {
    let own_names = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("#include"));
        let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
        lines
            .replace("FIXED_", "LABRYS_FIXED_")
            .replace("clock_", "labrys_clock_")
    };
    format!("{}{}{WORLD}", own_names(MACHINE), own_names(CLOCK))
        .replace("static int ", "static __attribute__((unused)) int ")
        .replace("static long ", "static __attribute__((unused)) long ")
}

/// The functions about the outside that a program of these preprocessed texts calls and does not
/// define, and that a recorded run answers in its own way.
pub fn outside_functions(texts: &[String]) -> Vec<&'static str> {
    let texts: Vec<String> = texts
        .iter()
        .map(|text| without_system_headers(text))
        .collect();
    let all = WORLD.lines().filter_map(|line| line.strip_prefix(NAMED));
    let is_used = |name: &&str| texts.iter().any(|text| has_function(text, name));
    let is_foreign = |name: &&str| !texts.iter().any(|text| defines(text, name));
    all.filter(is_used).filter(is_foreign).collect()
}

/// They declare everything. A line marker of a system header ends with the flag 3, perhaps with a 4
/// behind it.
fn without_system_headers(text: &str) -> String {
    let mut own = String::new();
    let mut is_system = false;
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(marker) => is_system = marker.trim_end_matches(" 4").ends_with(" 3"),
            None if is_system => {}
            None => own.extend([line, "\n"]),
        }
    }
    own
}

/// Whether C text defines a function: its name, its parameters, its body.
fn defines(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let whole = !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let after = text[at + name.len()..].trim_start();
        whole && after.starts_with('(') && behind_parentheses(after).starts_with('{')
    })
}

fn behind_parentheses(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim_start();
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_and_not_defined_is_of_the_outside() {
        let found = |text: &str| outside_functions(&[text.to_owned()]);
        assert_eq!(
            found("int f(void) { if (time(0) > 3) { return getpid(); } }"),
            ["time", "getpid"]
        );
        assert_eq!(
            found("long time(long *(p)) { return 3; } int f() { return time(0); }"),
            [""; 0]
        );
        assert_eq!(
            found("int runtime(void); int f() { return runtime() + clocks(1); }"),
            [""; 0]
        );
    }
}
