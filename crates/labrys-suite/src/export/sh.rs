//! The suite of a whole program as a shell script: each test runs the program in a directory of
//! its own with the test's files, standard input, environment and arguments, and checks standard
//! output, the files that it must write and the exit status. Any build of the program can be
//! tested by it.

use crate::suite::{Suite, SuiteTest};
use labrys_ledger::World;
use std::fmt::Write;

/// What the script is made from.
pub struct ShExport<'a> {
    pub suite: &'a Suite,
    pub world: &'a World,
}

/// What stands before the tests.
const HEAD: &str = include_str!("head.sh");

/// What stands behind them.
const TAIL: &str = include_str!("tail.sh");

/// The script, and how many tests are in it: those whose inputs do not make a command line are
/// left out.
pub fn shell_script(export: &ShExport<'_>) -> (String, usize) {
    let name = export.world.program.as_deref().unwrap_or("program");
    let mut script = HEAD
        .replace("@FILES@", &one_line(&export.suite.target.files.join(", ")))
        .replace("@NAME@", &quoted(name.as_bytes()));
    let mut count = 0;
    for test in &export.suite.tests {
        if let Some(text) = one_test(test, export.world) {
            script.push_str(&text);
            count += 1;
        }
    }
    script.push_str(TAIL);
    (script, count)
}

fn one_test(test: &SuiteTest, world: &World) -> Option<String> {
    let input = |name: &str| {
        let input = test.inputs.iter().find(|input| input.name == name)?;
        Some(input.bytes.as_slice())
    };
    let found = world.surroundings(&input)?;
    let mut out = format!("\nbegin {}\n", test.name);
    write_file(&mut out, "$work/stdin", &found.stdin);
    for (name, bytes) in &found.files {
        if let Some((directory, _)) = name.rsplit_once('/') {
            let _ = writeln!(out, "mkdir -p {}", quoted(directory.as_bytes()));
        }
        write_file(&mut out, name, bytes);
    }
    let mut words = Vec::new();
    for (name, value) in &found.environment {
        let word = [name.as_bytes(), b"=", value].concat();
        words.push(word_of(&mut out, &word, words.len()));
    }
    words.push("\"$start\"".to_owned());
    for argument in &found.arguments {
        words.push(word_of(&mut out, argument, words.len()));
    }
    let _ = writeln!(out, "run {}", words.join(" "));
    let output = |name: &str| test.output_bytes.iter().find(|o| o.name == name);
    if !test.unstable.is_empty() {
        let names: Vec<&str> = test.unstable.iter().map(String::as_str).collect();
        let names = one_line(&names.join(", "));
        let _ = writeln!(
            out,
            "# not checked, since it changes from run to run: {names}"
        );
    }
    let stable = |name: &str| !test.unstable.contains(name);
    if let Some(exit) = output("exit") {
        if let Some(stdout) = output("stdout").filter(|_| stable("stdout")) {
            write_file(&mut out, "$work/expected", &stdout.bytes);
            out.push_str("same 'standard output' \"$work/expected\" \"$work/stdout\"\n");
        }
        if test.always_ends_so() && stable("exit") {
            let _ = writeln!(out, "status {}", exit.bytes.first().copied().unwrap_or(0));
        }
        for file in &test.output_bytes {
            if let Some(name) = file
                .name
                .strip_prefix("file ")
                .filter(|_| stable(&file.name))
            {
                write_file(&mut out, "$work/expected", &file.bytes);
                let name = quoted(name.as_bytes());
                let _ = writeln!(out, "same {name} \"$work/expected\" {name}");
            }
        }
    }
    out.push_str("finish\n");
    Some(out)
}

/// Writes bytes to a file by `printf`, which knows octal numbers everywhere.
fn write_file(out: &mut String, path: &str, bytes: &[u8]) {
    let path = match path.strip_prefix("$work/") {
        Some(_) => format!("\"{path}\""),
        None => quoted(path.as_bytes()),
    };
    if bytes.is_empty() {
        let _ = writeln!(out, ": > {path}");
        return;
    }
    for (number, part) in bytes.chunks(512).enumerate() {
        let arrow = if number == 0 { ">" } else { ">>" };
        let _ = writeln!(out, "printf '{}' {arrow} {path}", octal(part));
    }
}

/// A word of the command line; one that cannot be quoted becomes a variable first.
fn word_of(out: &mut String, bytes: &[u8], number: usize) -> String {
    if bytes.iter().all(|b| (0x20..0x7f).contains(b)) {
        return quoted(bytes);
    }
    // The letter keeps a newline at the end, which the substitution would drop.
    let _ = writeln!(out, "w{number}=$(printf '{}x')", octal(bytes));
    format!("\"${{w{number}%x}}\"")
}

fn octal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        match byte {
            b'%' => out.push_str("%%"),
            // A dash at the start would be an option of printf.
            b'\\' | b'\'' | b'-' => {
                let _ = write!(out, "\\{byte:03o}");
            }
            0x20..=0x7e => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
        out
    })
}

/// Printable text as one word.
fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
