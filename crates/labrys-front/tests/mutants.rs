//! The meta-mutant is the original where no mutant is active, and the edited source where one is, or
//! where two are.
#![allow(clippy::unwrap_used)]

mod common;

use common::{must, options, root, run, run_annotated, runtime, sample, samples};
use labrys_front::{AnnotatedProgram, EntryChoice, FrontOptions, MutationOperator, load};
use labrys_ledger::{Mutant, PointNesting};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const FLAGS: [&str; 4] = ["-w", "-O0", "-fwrapv", "-ffp-contract=off"];

fn meta_mutant(source: &Path, flags: &[String], dir: &Path) -> AnnotatedProgram {
    meta_mutant_where(source, flags, dir, EntryChoice::Main, |_| {})
}

fn meta_mutant_where(
    source: &Path,
    flags: &[String],
    dir: &Path,
    entry: EntryChoice,
    change: impl FnOnce(&mut FrontOptions),
) -> AnnotatedProgram {
    let mut options = options(dir);
    options.criteria.clear();
    options.operators = MutationOperator::ALL.to_vec();
    options.mutants = true;
    options.bitcode = false;
    change(&mut options);
    let source = labrys_front::SourceFile {
        flags: flags.to_vec(),
        ..source.to_path_buf().into()
    };
    let name = source.shown().display().to_string();
    load(&[source], &entry, &options).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn without_an_active_mutant_programs_behave_as_the_originals() {
    for name in samples() {
        let dir = tempfile::tempdir().unwrap();
        let binary = dir.path().join("original");
        let mut gcc = Command::new("gcc");
        gcc.args(FLAGS).arg(sample(&name)).args(["-lm", "-o"]);
        must(gcc.arg(&binary));
        let expected = run(&mut Command::new(&binary));
        let program = meta_mutant(&sample(&name), &[], dir.path());
        assert!(!program.mutants.is_empty(), "{name}");
        let (output, _) = run_annotated(&program, "gcc", dir.path());
        assert_eq!(output, expected, "{name}");
    }
}

/// The programs in a folder of `tests/files`.
fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/files").join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "c"));
    paths.sort();
    paths
}

/// Every program of the language tests computes with all operators, and without an active mutant,
/// what it says at its top. All that it calls is there.
#[test]
fn with_all_operators_the_language_tests_compute_the_same() {
    let mut operators = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in programs("lang") {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let expected = text
            .lines()
            .find_map(|l| l.strip_prefix("// expect: result "));
        let Some(expected) = expected else { continue };
        let dir = tempfile::tempdir().unwrap();
        let program = meta_mutant_where(&path, &[], dir.path(), EntryChoice::Main, |options| {
            let is_word = |c: char| !c.is_alphanumeric() && c != '_';
            let words = text.split(is_word).chain(["__errno_location"]);
            options.modelled.extend(words.map(str::to_owned));
        });
        operators.extend(program.mutants.iter().map(|m| m.operator.clone()));
        assert!(
            program.stubs.is_empty(),
            "{}: {:?}",
            path.display(),
            program.stubs
        );
        // What clang's headers make of atomic operations only clang can compile; which zero `fmin`
        // chooses is the compiler's.
        let only_clang = ["<stdatomic.h>", "_BitInt", "fmin("];
        let for_clang = only_clang.iter().any(|word| text.contains(word));
        for compiler in ["clang-19", "gcc"]
            .into_iter()
            .take(if for_clang { 1 } else { 2 })
        {
            let (output, _) = run_annotated(&program, compiler, dir.path());
            let printed = String::from_utf8_lossy(&output.stderr).into_owned();
            let printed = printed.lines().find_map(|l| l.strip_prefix("result "));
            if printed != Some(expected) {
                wrong.push(format!("{} {compiler}: {printed:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all: BTreeSet<String> = MutationOperator::ALL.iter().map(|o| o.name()).collect();
    assert_eq!(operators, all);
}

#[test]
fn with_all_operators_functions_compile() {
    for path in programs("augmentation") {
        let dir = tempfile::tempdir().unwrap();
        let program = meta_mutant_where(&path, &[], dir.path(), EntryChoice::Every, |_| {});
        assert!(!program.mutants.is_empty());
        for compiler in ["gcc", "clang-19"] {
            for unit in &program.units {
                let mut command = Command::new(compiler);
                command.args(["-w", "-DLABRYS_NATIVE", "-fsyntax-only", "-x", "c"]);
                must(command.arg(&unit.annotated_path));
            }
        }
    }
}

fn subjects() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/mutants/edits.c"
    ))
}

/// The parts of the file between its marks: head, functions by name, `main`.
fn parts(text: &str) -> (String, Vec<(String, String)>, String) {
    let mut pieces = text.split("//: ");
    let head = pieces.next().unwrap().to_owned();
    let mut functions: Vec<(String, String)> = Vec::new();
    let mut main = String::new();
    for piece in pieces {
        let (name, body) = piece.split_once('\n').unwrap();
        match name {
            "end" => main = body.to_owned(),
            _ => functions.push((name.to_owned(), body.to_owned())),
        }
    }
    (head, functions, main)
}

/// The source with all changes that a mutant is said to be; `None` if they cannot be written down.
fn edited(text: &str, mutant: &Mutant) -> Option<String> {
    let mut parts: Vec<&Mutant> = mutant.parts().collect();
    parts.sort_by_key(|part| (part.line, part.column));
    let apart = |pair: &[&Mutant]| {
        let before = pair[0];
        let end = before.column as usize + before.original().len();
        let whole = before.operator == "SWR" || before.original().ends_with(" …");
        before.line < pair[1].line || end <= pair[1].column as usize && !whole
    };
    if !parts.windows(2).all(apart) {
        return None;
    }
    // Behind a change columns are others.
    let mut edited = text.to_owned();
    for part in parts.into_iter().rev() {
        edited = edited_once(&edited, part)?;
    }
    Some(edited)
}

fn edited_once(text: &str, mutant: &Mutant) -> Option<String> {
    let (old, new) = (mutant.original(), mutant.replacement());
    if new == "fails on zero" {
        return None;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[mutant.line as usize - 1];
    let begin = mutant.column as usize - 1;
    // The text is shown without the parentheses around it.
    let (old, to_the_end) = match old.strip_suffix(" …") {
        Some(head) => (head, true),
        None => (old, false),
    };
    let found = line[begin..].find(old);
    let begin = begin + found.unwrap_or_else(|| panic!("{}:{}", mutant.line, mutant.text));
    let end = if to_the_end {
        line.len()
    } else {
        begin + old.len()
    };
    match (mutant.operator.as_str(), new) {
        ("SWR", "(dropped)") => line.replace_range(begin..end, ""),
        ("SWR", moved) if moved.starts_with("(moved to ") => {
            let next = moved.strip_prefix("(moved to ").unwrap();
            let next = next.strip_suffix(')').unwrap();
            let place = end + line[end..].find(next).unwrap();
            line.insert_str(place, old);
            line.replace_range(begin..end, "");
        }
        ("SDL" | "SWR" | "SBRC", _) | (_, ";") => line.replace_range(begin..end, new),
        _ => line.replace_range(begin..end, &format!("({new})")),
    }
    Some(lines.join("\n"))
}

/// One program with a copy of the function for each mutant; its argument says which is called.
fn all_edited(text: &str, name: &str, mutants: &[Mutant]) -> (String, BTreeSet<usize>) {
    let mut functions = String::new();
    let mut table = String::new();
    let mut written = BTreeSet::new();
    let (head, _, main) = parts(text);
    for (number, mutant) in mutants.iter().enumerate() {
        let Some(edited) = edited(text, mutant) else {
            continue;
        };
        let (_, all, _) = parts(&edited);
        let (_, body) = all.into_iter().find(|(n, _)| n == name).unwrap();
        functions += &format!("#define {name} {name}_{number}\n{body}#undef {name}\n");
        table += &format!("[{number}] = {name}_{number}, ");
        written.insert(number);
    }
    let main = main.replace("int main(void)", "int main(int argc, char **argv)");
    let main = main.replace("SUBJECT(", "table[atoi(argv[1])](");
    let source = format!(
        "#include <stdlib.h>\n{head}{functions}static int (*const table[])(int, int) = {{{table}}};\n{main}"
    );
    (source, written)
}

/// The file with a table of its functions; `LABRYS_SUBJECT` says which is called.
fn all_subjects(text: &str, functions: &[(String, String)]) -> String {
    let names: Vec<&str> = functions.iter().map(|(name, _)| name.as_str()).collect();
    let table = names.join(", ");
    let (before, main) = text.split_once("//: end\n").unwrap();
    let main = main.replace("SUBJECT(", "table[atoi(getenv(\"LABRYS_SUBJECT\"))](");
    format!("{before}static int (*const table[])(int, int) = {{{table}}};\n{main}")
}

/// The executable of a program with all its mutants.
fn compile_meta_mutant(program: &AnnotatedProgram, dir: &Path) -> PathBuf {
    let meta = dir.join("meta");
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).args(["-DLABRYS_NATIVE", "-x", "c"]);
    gcc.args(program.units.iter().map(|u| &u.annotated_path));
    gcc.args(["-x", "none"]).arg(runtime());
    must(gcc.args(["-lm", "-o"]).arg(&meta));
    meta
}

#[test]
fn every_mutant_is_the_edit_that_it_claims_to_be() {
    let text = std::fs::read_to_string(subjects()).unwrap();
    let (_, functions, _) = parts(&text);
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("edits.c");
    std::fs::write(&source, all_subjects(&text, &functions)).unwrap();
    let program = meta_mutant(&source, &[], dir.path());
    let meta = compile_meta_mutant(&program, dir.path());
    let mut checked: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut pair_count = 0;
    for (subject, (name, _)) in functions.into_iter().enumerate() {
        let of_function = |m: &&Mutant| m.function == name;
        let mut mutants: Vec<Mutant> = program
            .mutants
            .iter()
            .filter(of_function)
            .cloned()
            .collect();
        let pairs = pairs(&mutants, &program.nesting);
        pair_count += pairs.len();
        mutants.extend(pairs);
        let (source, written) = all_edited(&text, &name, &mutants);
        let plain = dir.path().join("plain");
        compile(&source, &plain, dir.path());
        let with_mutant = |changes: &[(u32, u32)]| {
            let mut command = Command::new(&meta);
            let subject = subject.to_string();
            run(activate(&mut command, changes).env("LABRYS_SUBJECT", subject))
        };
        let original = with_mutant(&[]);
        let mut different = 0;
        for number in written {
            let mutant = &mutants[number];
            let expected = run(Command::new(&plain).arg(number.to_string()));
            let output = with_mutant(&mutant.changes());
            // What was printed before a crash depends on buffers.
            let (fine, expected_fine) = (output.status.success(), expected.status.success());
            if fine != expected_fine || fine && output.stdout != expected.stdout {
                let texts: Vec<&str> = mutant.parts().map(|part| part.text.as_str()).collect();
                wrong.push(format!("{name}:{}: {}", mutant.line, texts.join(" and ")));
            }
            different += usize::from(output.stdout != original.stdout);
            *checked.entry(mutant.operator.clone()).or_default() += 1;
        }
        assert!(
            different * 3 > mutants.len(),
            "{name}: only {different} of {} mutants do anything",
            mutants.len()
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all: BTreeSet<String> = MutationOperator::ALL.iter().map(|o| o.name()).collect();
    let seen: BTreeSet<String> = checked.keys().cloned().collect();
    assert_eq!(all, seen);
    assert!(pair_count > 100, "{pair_count}");
}

fn compile(source: &str, binary: &Path, dir: &Path) {
    let file = dir.join("edited.c");
    std::fs::write(&file, source).unwrap();
    let mut gcc = Command::new("gcc");
    must(gcc.args(FLAGS).arg(&file).arg("-o").arg(binary));
}

/// The command, with these changes made.
fn activate<'c>(command: &'c mut Command, changes: &[(u32, u32)]) -> &'c mut Command {
    let changes = changes
        .iter()
        .map(|(point, chosen)| format!("{point} {chosen}"));
    let active: Vec<String> = changes.collect();
    command.env("LABRYS_MUTANT", active.join(" "))
}

/// Each mutant with another one that can be active beside it.
fn pairs(mutants: &[Mutant], nesting: &PointNesting) -> Vec<Mutant> {
    let count = mutants.len();
    let pair = |(place, first): (usize, &Mutant)| {
        let others = (1..count).map(|step| &mutants[(place + step * 7) % count]);
        let mut fitting = others.filter(|other| nesting.can_be_together(first.point, other.point));
        fitting.next().map(|other| Mutant::pair(first, other))
    };
    mutants.iter().enumerate().filter_map(pair).collect()
}

#[test]
fn a_read_that_fails_on_zero_does() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("zero.c");
    std::fs::write(
        &file,
        "int main(int argc, char **argv) { int x = argc > 1 ? 0 : 3; return x; }\n",
    )
    .unwrap();
    let program = meta_mutant(&file, &[], dir.path());
    let mutant = |m: &&Mutant| m.text == "ABS: x → fails on zero";
    let mutant = program.mutants.iter().find(mutant).unwrap();
    let _ = run_annotated(&program, "gcc", dir.path());
    let meta = dir.path().join("annotated-gcc");
    let fine = run(activate(&mut Command::new(&meta), &mutant.changes()));
    assert_eq!(fine.status.code(), Some(3));
    let mut failing = Command::new(&meta);
    let failed = run(activate(&mut failing, &mutant.changes()).arg("zero"));
    assert!(!failed.status.success());
}
