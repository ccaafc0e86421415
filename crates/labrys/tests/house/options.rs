//! The options in the documents are those of `--help`: `docs/options.md` is written from it, and
//! every option that another document mentions exists.

use crate::documents::{Code, OPTIONS, documents};
use crate::help::{Command, commands};
use crate::tree::{files, read, top};
use std::fmt::Write as _;
use std::fs;

/// Options of other tools, which documents mention together with the name of the tool.
const FOREIGN: [(&str, &str); 15] = [
    ("llvm-cov", "--show-mcdc"),
    ("objcopy", "--redefine-sym"),
    ("./configure", "--static"),
    ("cc", "--coverage"),
    ("--wrap", "--wrap"),
    ("ld", "--wrap"),
    ("cargo", "--release"),
    ("cargo", "--workspace"),
    ("cargo", "--all-targets"),
    ("cargo", "--example"),
    ("cargo", "--sanitizer"),
    ("KLEE", "--max-fail"),
    ("--help", "--help"),
    ("bless.py", "--check"),
    ("./test", "--bless-guard"),
];

#[test]
fn the_page_of_options_is_what_help_says() {
    let page = page(&commands());
    let path = top().join(OPTIONS);
    if std::env::var_os("LABRYS_BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "{OPTIONS} is not what --help says; LABRYS_BLESS=1 writes it anew"
    );
}

#[test]
fn every_option_in_a_document_exists() {
    let commands = commands();
    let mut wrong = Vec::new();
    for document in documents() {
        for code in document.code() {
            let line = document.line(code.line);
            for option in options_in(&code.text) {
                if !is_known(&option, &code, line, &commands) {
                    wrong.push(format!("{}: {option}", document.place(code.line)));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "no help has these options:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_benchmark_in_a_document_exists() {
    let list = read(&top().join("crates/labrys-bench/src/benches/mod.rs"));
    let mut wrong = Vec::new();
    for document in documents() {
        for code in document.code() {
            let Some((_, rest)) = code.text.split_once("./bench ") else {
                continue;
            };
            let named = rest.split(' ').take_while(|word| {
                word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.ends_with(':')
            });
            for name in named.filter(|name| !list.contains(&format!("name: \"{name}\""))) {
                wrong.push(format!("{}: ./bench {name}", document.place(code.line)));
            }
        }
    }
    assert!(wrong.is_empty(), "no such benchmark:\n{}", wrong.join("\n"));
}

/// The words of a piece of code that are long options, without values.
fn options_in(code: &str) -> Vec<String> {
    let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("--") {
        let before = code[..at].chars().next_back();
        let rest: String = code[at + 2..].chars().take_while(|&c| name(c)).collect();
        let starts_word = before.is_none_or(|c| " [(,='\"|".contains(c));
        if starts_word && rest.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.push(format!("--{rest}"));
        }
    }
    found
}

fn is_known(option: &str, code: &Code, line: &str, commands: &[Command]) -> bool {
    if FOREIGN
        .iter()
        .any(|&(tool, it)| it == option && line.contains(tool))
    {
        return true;
    }
    if code.text.contains("./bench ") || (!code.block && line.contains("./bench ")) {
        let is_of_bench = bench_has(option);
        if is_of_bench || code.text.contains("./bench ") {
            return is_of_bench;
        }
    }
    // A command line names the command whose option it must be.
    let named = commands.iter().find(|command| {
        let call = format!("labrys {} ", command.name);
        code.text.contains(&call) || code.text.starts_with(&format!("{} --", command.name))
    });
    match named {
        Some(command) => command.has(option),
        None => commands.iter().any(|command| command.has(option)),
    }
}

/// The program of the benchmarks is not built for these tests: its flags are looked up in its source.
fn bench_has(option: &str) -> bool {
    let field = format!("{}:", option.trim_start_matches('-').replace('-', "_"));
    ["crates/labrys-bench/src"]
        .iter()
        .flat_map(|folder| files(&top().join(folder), "rs"))
        .any(|path| {
            read(&path).lines().any(|line| {
                line.trim_start()
                    .trim_start_matches("pub ")
                    .starts_with(&field)
            })
        })
}

fn page(commands: &[Command]) -> String {
    let mut page = String::from(
        "# Options\n\nWritten from `--help` by a test (`crates/labrys/tests/house/options.rs`); do not edit. \
         `LABRYS_BLESS=1` writes it anew.\n",
    );
    for command in commands {
        let _ = write!(
            page,
            "\n## {}\n\n{}.\n\n`{}`\n",
            command.name, command.about, command.usage
        );
        for section in &command.sections {
            let _ = write!(page, "\n| {} | |\n| --- | --- |\n", section.heading);
            for entry in &section.entries {
                let _ = writeln!(
                    page,
                    "| `{}` | {} |",
                    cell(&entry.form),
                    cell(&entry.meaning)
                );
            }
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
