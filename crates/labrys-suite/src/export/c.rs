//! A C program that includes the original source, so that `static` functions can be tested, brings a
//! small runtime along, and has one readable function for each test. It needs
//! nothing but a C compiler and POSIX. A program of several sources becomes a file for each of
//! them, since their `static` names and macros may clash, and one for the tests.

use super::row::TableEntry;
use super::world;
use crate::original::{OriginalUnit, has_function};
use crate::suite::{Suite, SuiteTest, TestOutput, ended_normally};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Columns of a line at most, unless a single entry is longer.
const MAX_LINE: usize = 100;

const RUNTIME: &str = include_str!("runtime.c");
const DIALECTS: &str = include_str!("../../../../runtime/dialects.c");

/// The text of `labrys.h`, to be written beside the exported file as `labrys.h` if a source
/// includes it.
pub const HEADER: &str = include_str!("../../../../runtime/labrys.h");

/// The name of the file that the tests include.
pub const RUNTIME_FILE: &str = "labrys_test.h";

/// What to export.
#[derive(Clone, Copy, Debug)]
pub struct CExport<'a> {
    pub suite: &'a Suite,
    /// The original sources, as the `#include`s of the exported file name them.
    pub units: &'a [OriginalUnit],
    /// Whether the sources use the input functions of other tools (`klee_make_symbolic`…).
    pub dialects: bool,
    /// The functions about the outside that the sources call, by [`super::outside_functions`].
    pub outside: &'a [&'a str],
}

/// Why a suite cannot be exported.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("the path '{0}' cannot stand in an #include; copy the file to another place")]
    Path(String),
    #[error("there is no harness for {0}, which test {1} needs")]
    NoHarness(String, u32),
}

/// The files of an exported program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CFiles {
    pub tests: String,
    /// What the tests stand on, to be written beside them as [`RUNTIME_FILE`].
    pub runtime: String,
    /// One for each source, in order; none if there is only one source, which then is part of
    /// `tests`.
    pub units: Vec<String>,
}

/// The suite as a C program that runs all tests, prints `N passed, N failed` and ends with status
/// 1 if one failed.
pub fn c_program(export: &CExport<'_>) -> Result<CFiles, ExportError> {
    let mut out = String::new();
    let files = export.suite.target.files.join(", ");
    out.push_str("/* Tests of ");
    out.push_str(&comment(&files));
    out.push_str(", written by Labrys.\n *\n *     cc -o tests THIS_FILE && ./tests\n */\n");
    let mut units = Vec::new();
    if let [only] = export.units {
        if only.hides_from(RUNTIME) {
            // The runtime must see the real declarations.
            RUNTIME
                .lines()
                .filter(|line| line.starts_with("#include"))
                .for_each(|line| out.extend([line, "\n"]));
        }
        source(&mut out, only)?;
    } else {
        for unit in export.units {
            let mut text = String::new();
            source(&mut text, unit)?;
            text.push_str(HEADER);
            harness(&mut text, unit);
            units.push(text);
        }
    }
    for name in export.outside {
        let _ = writeln!(out, "#define LABRYS_FIX_{name}");
    }
    let _ = writeln!(out, "#include \"{RUNTIME_FILE}\"");
    let mut runtime = "/* What the tests that Labrys writes stand on. */\n".to_owned();
    runtime.push_str(RUNTIME);
    runtime.push_str(&world::text());
    if export.dialects {
        section(&mut runtime, "Input functions of other tools");
        runtime.push_str(&without_our_header(DIALECTS));
    }
    if let [only] = export.units {
        harness(&mut out, only);
    }
    section(&mut out, "Tests");
    let names = names(&export.suite.tests);
    for (test, name) in export.suite.tests.iter().zip(&names) {
        write_test(&mut out, export, test, name)?;
    }
    write_main(&mut out, export.suite, &names);
    Ok(CFiles {
        tests: out,
        runtime,
        units,
    })
}

/// The original source of a unit.
fn source(out: &mut String, unit: &OriginalUnit) -> Result<(), ExportError> {
    let path = unit.source.display().to_string();
    if path.contains(['"', '\n', '\\']) {
        return Err(ExportError::Path(path));
    }
    out.push_str(&unit.defines(true, RUNTIME));
    let _ = writeln!(out, "#include \"{path}\"");
    out.push_str(&unit.undefines(true, RUNTIME));
    Ok(())
}

fn harness(out: &mut String, unit: &OriginalUnit) {
    section(out, "Harness");
    out.push_str(&unit.defines(false, RUNTIME));
    out.push_str(&without_our_header(&unit.harness));
    out.push_str(&unit.undefines(false, RUNTIME));
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n/* ---- {title} ---- */\n\n");
}

/// The runtime above has all that the header declares.
fn without_our_header(text: &str) -> String {
    let is_ours = |line: &&str| {
        let line: String = line.split_whitespace().collect();
        line == "#include\"labrys.h\"" || line == "#include<labrys.h>"
    };
    text.lines()
        .filter(|line| !is_ours(line))
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// The names of the tests as C identifiers, each once: a suite may come from elsewhere.
fn names(tests: &[SuiteTest]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    tests
        .iter()
        .map(|test| {
            let clean = |c: char| {
                if c.is_ascii_alphanumeric() { c } else { '_' }
            };
            let mut name: String = test.name.chars().map(clean).collect();
            if !taken.insert(name.clone()) {
                let _ = write!(name, "_test_{}", test.id);
                taken.insert(name.clone());
            }
            name
        })
        .collect()
}

fn write_test(
    out: &mut String,
    export: &CExport<'_>,
    test: &SuiteTest,
    name: &str,
) -> Result<(), ExportError> {
    let outcome = comment(&test.outcome);
    let mut about = format!("Test {} of {}: {outcome}.", test.id, test.entry);
    if !test.covers.is_empty() {
        let _ = write!(about, " Covers {}.", comment(&test.covers.join(", ")));
    }
    if !test.unstable.is_empty() {
        let names: Vec<&str> = test.unstable.iter().map(String::as_str).collect();
        let names = comment(&names.join(", "));
        let _ = write!(
            about,
            "\n * Not checked, since it changes from run to run: {names}."
        );
    }
    let _ = writeln!(out, "/* {about} */\nstatic void test_{name}(void) {{");
    let inputs = test.inputs.iter();
    let inputs = inputs.map(|i| TableEntry::new(&i.name, &i.bytes, Some(&i.value)));
    let inputs = table(out, "inputs", inputs);
    let inputs_and_outputs = format!("{inputs}, {}", table(out, "outputs", outputs(test)));
    let _ = writeln!(out, "  labrys_expect({inputs_and_outputs});");
    let harness = test.harness();
    let has_harness = |unit: &OriginalUnit| has_function(&unit.harness, &harness);
    if export.units.iter().any(has_harness) {
        if export.units.len() > 1 {
            let _ = writeln!(out, "  extern void {harness}(void);");
        }
        let _ = writeln!(out, "  {harness}();");
    } else if test.entry == "main" {
        out.push_str("  static char program[] = \"program\", *arguments[] = {program, NULL};\n");
        // By way of a variable: the program's main may have other parameters.
        if export.units.len() > 1 {
            out.push_str("  extern int labrys_main();\n");
        }
        out.push_str("  int (*run)(int, char **) = ");
        out.push_str("(int (*)(int, char **))(void (*)(void))labrys_main;\n");
        out.push_str("  exit(run(1, arguments));\n");
    } else {
        return Err(ExportError::NoHarness(test.entry.clone(), test.id));
    }
    out.push_str("}\n\n");
    Ok(())
}

/// The outputs of a test; those that change from run to run have no bytes.
fn outputs(test: &SuiteTest) -> impl ExactSizeIterator<Item = TableEntry<'_>> {
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    test.output_bytes
        .iter()
        .map(move |TestOutput { name, bytes }| {
            let turn = turns.entry(name).or_insert(0);
            *turn += 1;
            let value = match turn {
                1 => test.outputs.get(name),
                _ => test.outputs.get(&format!("{name}#{turn}")),
            };
            let mut row = TableEntry::new(name, bytes, value);
            if test.unstable.contains(name) {
                row.code = format!("LABRYS_ANY({})", bytes.len());
            }
            row
        })
}

/// Writes a table of named bytes and gives the two arguments that pass it on.
fn table<'a>(
    out: &mut String,
    table: &str,
    rows: impl ExactSizeIterator<Item = TableEntry<'a>>,
) -> String {
    let count = rows.len();
    if count == 0 {
        return "NULL, 0".to_owned();
    }
    let entry = |TableEntry { name, code, shown }: TableEntry<'_>| {
        let name = literal(name.as_bytes());
        let shown = shown.map_or(String::new(), |text| format!(" /* {text} */"));
        format!("{{{name}, {code}{shown}}}")
    };
    let entries: Vec<String> = rows.map(entry).collect();
    let head = format!("  const struct labrys_bytes {table}[] = {{");
    let line = format!("{head}{}}};", entries.join(", "));
    match line.len() <= MAX_LINE {
        true => {
            let _ = writeln!(out, "{line}");
        }
        false => {
            let _ = writeln!(out, "{head}\n{}}};", filled(&entries).join("\n"));
        }
    }
    format!("{table}, {count}")
}

/// Entries in lines that are as long as they may be.
fn filled(entries: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let comma = if number + 1 < entries.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if line.len() + 1 + entry.len() + 3 <= MAX_LINE => {
                let _ = write!(line, " {entry}{comma}");
            }
            _ => lines.push(format!("      {entry}{comma}")),
        }
    }
    lines
}

/// A C string literal; always three octal digits, so that no following digit is taken in.
pub(super) fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b' '..=b'~' if !matches!(byte, b'"' | b'\\' | b'?') => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// Text that cannot end a comment, and stays on its line.
pub(super) fn comment(text: &str) -> String {
    const MAX_COMMENT: usize = 200;
    let mut out = String::new();
    for c in text.chars().take(MAX_COMMENT) {
        match c {
            c if c.is_control() => out.push(' '),
            '/' if out.ends_with('*') => out.push_str(" /"),
            '*' if out.ends_with('/') => out.push_str(" *"),
            c => out.push(c),
        }
    }
    if text.chars().count() > MAX_COMMENT {
        out.push('…');
    }
    if out.ends_with(['*', '\\']) {
        out.push(' ');
    }
    out
}

/// What a test must write to a stream, if that is known. A text with the name of a source in it
/// (`__FILE__`) is another where the source is included under another name.
fn written<'a>(suite: &Suite, test: &'a SuiteTest, stream: &str) -> Option<&'a [u8]> {
    let ends_well = ended_normally(&test.outcome);
    let bytes = test.stream(stream);
    let text = String::from_utf8_lossy(bytes);
    let names_source = suite.target.files.iter().any(|file| {
        let name = Path::new(file).file_name().unwrap_or_default();
        !name.is_empty() && text.contains(&*name.to_string_lossy())
    });
    (ends_well && !test.unstable.contains(stream) && !names_source).then_some(bytes)
}

fn write_main(out: &mut String, suite: &Suite, names: &[String]) {
    let tests = &suite.tests;
    if tests.is_empty() {
        out.push_str("int main(void) { return labrys_run_all(NULL, 0); }\n");
        return;
    }
    out.push_str("static const struct labrys_test labrys_tests[] = {\n");
    for (test, name) in tests.iter().zip(names) {
        let outcome = match test.always_ends_so() {
            true => test.outcome.as_bytes(),
            false => b"any",
        };
        let outcome = literal(outcome);
        let streams = ["stdout", "stderr"].map(|stream| match written(suite, test, stream) {
            Some(bytes) => format!("{{{}, {}}}", bytes.len(), literal(bytes)),
            None => "{0, NULL}".to_owned(),
        });
        let streams = streams.join(", ");
        let _ = writeln!(
            out,
            "    {{\"{name}\", test_{name}, {outcome}, {{{streams}}}}},"
        );
    }
    out.push_str("};\n\nint main(void) {\n");
    out.push_str(
        "  return labrys_run_all(labrys_tests, sizeof labrys_tests / sizeof *labrys_tests);\n}\n",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_comment_or_literal() {
        assert_eq!(comment("a */ b /* c\nd *"), "a * / b / * c d * ");
        assert_eq!(literal(b"a\"\\\x01" as &[u8]), "\"a\\042\\134\\001\"");
        assert_eq!(literal(b"??/1"), "\"\\077\\077/1\"");
    }
}
