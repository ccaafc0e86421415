//! `export`: a suite in the form of a test framework.

use crate::failure::{Failure, Outcome};
use crate::output::{OutDir, RunRecord};
use labrys_ledger::World;
use labrys_suite::{OriginalUnit, Suite, export};
use std::path::{Path, PathBuf};

/// Form of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A C program with the tests, and a header that it includes
    C,
    /// For whole programs: one shell script that runs any build of the program
    Sh,
}

/// What is exported, and where to.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// An output directory of `gen`.
    pub dir: PathBuf,
    pub format: ExportFormat,
    /// Write here instead of to `tests/` in the directory.
    pub out: Option<PathBuf>,
}

/// Writes the tests, and says in one line where they are and how they are run.
pub fn export_suite(args: &ExportRequest) -> Outcome<String> {
    let out = OutDir::open(&args.dir)?;
    let run: RunRecord = out.read_json("run.json")?;
    let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
    let world = run.entries.iter().find_map(|entry| entry.world.as_ref());
    match (args.format, world) {
        (ExportFormat::C, None) => as_c(args, &out, &run, &suite),
        (ExportFormat::Sh, Some(world)) => as_sh(args, &out, &suite, world),
        (ExportFormat::C, Some(_)) => Err(Failure::usage(
            "this is the suite of a whole program, which is more than a C function; export it with --format sh",
        )),
        (ExportFormat::Sh, None) => Err(Failure::usage(
            "--format sh is for whole programs (gen --main); this is a suite of functions, export it with --format c",
        )),
    }
}

fn as_sh(args: &ExportRequest, out: &OutDir, suite: &Suite, world: &World) -> Outcome<String> {
    let (script, count) = export::shell_script(&export::ShExport { suite, world });
    let path = destination(args, out, "tests.sh")?;
    write(&[(path.clone(), script.as_str())], args.out.is_some())?;
    Ok(format!(
        "{count} tests written to {path}; try: PROGRAM=/path/to/{name} sh {path}\n",
        path = path.display(),
        name = world.program.as_deref().unwrap_or("program")
    ))
}

/// Where the result goes: where the user says, else into the suite's own directory.
fn destination(args: &ExportRequest, out: &OutDir, name: &str) -> Outcome<PathBuf> {
    match &args.out {
        Some(path) => Ok(path.clone()),
        None => {
            let dir = out.file("tests");
            std::fs::create_dir_all(&dir).map_err(|e| cannot(&dir, &e))?;
            Ok(dir.join(name))
        }
    }
}

fn as_c(args: &ExportRequest, out: &OutDir, run: &RunRecord, suite: &Suite) -> Outcome<String> {
    let units = run.originals();
    let texts = texts(out, run);
    let files = export::c_program(&export::CExport {
        suite,
        units: &units,
        // What cannot be read may use anything.
        dialects: texts
            .as_ref()
            .is_none_or(|all| all.iter().any(|text| uses_dialects(text))),
        outside: &export::outside_functions(&texts.unwrap_or_default()),
    })
    .map_err(Failure::usage)?;
    let path = destination(args, out, "tests.c")?;
    let stem = path
        .file_stem()
        .map_or("tests".into(), |stem| stem.to_string_lossy().into_owned());
    let runtime = path.with_file_name(export::RUNTIME_FILE);
    let mut written = vec![
        (path.clone(), files.tests.as_str()),
        (runtime, files.runtime.as_str()),
    ];
    for (number, text) in files.units.iter().enumerate() {
        let unit = path.with_file_name(format!("{stem}-unit-{}.c", number + 1));
        written.push((unit, text));
    }
    let mut command = "cc".to_owned();
    if units.iter().any(includes_our_header) {
        written.push((path.with_file_name("labrys.h"), export::HEADER));
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.map_or(".".into(), |dir| dir.display().to_string());
        command = format!("{command} -I {dir}");
    }
    for flag in flags(run) {
        command = format!("{command} {flag}");
    }
    write(&written, args.out.is_some())?;
    let sources = written
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|e| e == "c"));
    let beside = run.beside.units.iter().map(|unit| &unit.path);
    let sources: Vec<_> = sources
        .map(|(path, _)| path)
        .chain(beside.chain(&run.beside.objects))
        .map(|path| path.display().to_string())
        .collect();
    Ok(format!(
        "{} tests written to {}; try: {command} -o tests {} && ./tests\n",
        suite.tests.len(),
        path.display(),
        sources.join(" ")
    ))
}

/// The annotated sources, if they can all be read.
fn texts(out: &OutDir, run: &RunRecord) -> Option<Vec<String>> {
    let text = |unit: &String| {
        let bytes = std::fs::read(out.file(unit)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    run.units.iter().map(text).collect()
}

/// Whether the program uses the input functions of other tools.
fn uses_dialects(text: &str) -> bool {
    const OF_OTHERS: [&str; 9] = [
        "klee_",
        "__VERIFIER_",
        "__CPROVER_",
        "__Crest",
        "CREST_",
        "nondet_",
        "pc_label",
        "reach_error",
        "labels.h",
    ];
    OF_OTHERS.iter().any(|name| text.contains(name))
}

/// The flags of all sources, each once. The tests are compiled by one command.
fn flags(run: &RunRecord) -> Vec<&str> {
    let mut all: Vec<&[String]> = Vec::new();
    for source in &run.sources {
        if !all.contains(&source.flags.as_slice()) {
            all.push(&source.flags);
        }
    }
    let flags = all.into_iter().flatten();
    flags.chain(&run.link_flags).map(String::as_str).collect()
}

/// A source that includes `labrys.h` needs it beside the tests.
fn includes_our_header(unit: &OriginalUnit) -> bool {
    std::fs::read(&unit.source)
        .is_ok_and(|text| String::from_utf8_lossy(&text).contains("labrys.h"))
}

/// Writes the files; where the user chose the place, only if none is there already.
fn write(files: &[(PathBuf, &str)], keep: bool) -> Outcome<()> {
    let is_other = |path: &Path, text: &str| {
        path.exists() && std::fs::read(path).map_or(true, |there| there != text.as_bytes())
    };
    let mut others = files
        .iter()
        .filter(|(path, text)| keep && is_other(path, text));
    if let Some((path, _)) = others.next() {
        return Err(Failure::usage(format_args!(
            "{} exists already; labrys overwrites nothing",
            path.display()
        )));
    }
    for (path, text) in files {
        std::fs::write(path, text).map_err(|e| cannot(path, &e))?;
    }
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format_args!("cannot write {}: {error}", path.display()))
}
