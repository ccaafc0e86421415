//! Compiles the C library models for the host under other names and compares them with the
//! host's library; checks that they compile without warnings for the engine as well.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn models() -> Vec<PathBuf> {
    c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/libc"))
}

fn c_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() > 4);
    files
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{command:?}\n{text}{errors}"
    );
    text
}

#[test]
fn the_models_agree_with_the_host() {
    let dir = tempfile::tempdir().unwrap();
    let object = |file: &Path, kind: &str| {
        dir.path().join(format!(
            "{}-{kind}.o",
            file.file_stem().unwrap().to_string_lossy()
        ))
    };
    let flags = [
        "-std=gnu11",
        "-O1",
        "-Wall",
        "-Wextra",
        "-fno-builtin",
        "-c",
    ];
    let mut names = BTreeSet::new();
    for file in models() {
        let plain = object(&file, "plain");
        // Only for the names; warnings are looked for below.
        run(Command::new("cc")
            .args(["-std=gnu11", "-w", "-fno-builtin", "-c"])
            .arg(&file)
            .arg("-o")
            .arg(&plain));
        for line in run(Command::new("nm").arg(&plain)).lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            if let [.., "W" | "V", name] = words[..] {
                names.insert(name.to_owned());
            }
        }
    }
    assert!(
        names.contains("strlen") && names.contains("printf"),
        "{names:?}"
    );
    let renames: String = names
        .iter()
        .map(|name| format!("#define {name} model_{name}\n"))
        .collect();
    let header = dir.path().join("renames.h");
    std::fs::write(&header, renames).unwrap();

    let mut link = Command::new("cc");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/libc");
    link.args(["-O1", "-w", "-fno-builtin"]);
    link.args(c_files(&tests));
    for file in models() {
        let renamed = object(&file, "renamed");
        let mut compile = Command::new("cc");
        compile.args(flags).arg("-include").arg(&header);
        run(compile.arg(&file).arg("-o").arg(&renamed));
        link.arg(renamed);
    }
    let binary = dir.path().join("models");
    run(link.arg("-o").arg(&binary));
    assert_eq!(run(&mut Command::new(&binary)), "all models agree\n");
}

#[test]
fn the_models_compile_for_the_engine_without_warnings() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let mut files = models();
    files.push(runtime.join("dialects.c"));
    for file in files {
        run(Command::new("clang-19")
            .args([
                "-O0",
                "-Xclang",
                "-disable-O0-optnone",
                "-Wall",
                "-Wextra",
                "-fno-builtin",
            ])
            .args(["-emit-llvm", "-c", "-I"])
            .arg(&runtime)
            .arg(&file)
            .arg("-o")
            .arg(dir.path().join("model.bc")));
    }
}
