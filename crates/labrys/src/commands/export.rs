//! `labrys export`: a suite in the form of a test framework.

use super::print;
use crate::cli::{ExportArgs, ExportFormat};
use crate::failure::{Exit, Failure, Outcome};
use crate::outdir::OutDir;
use crate::records::Run;
use labrys_suite::{Suite, export};
use std::path::Path;

pub fn run(args: &ExportArgs) -> Outcome {
    let out = OutDir::open(&args.dir)?;
    let run: Run = out.read_json("run.json")?;
    let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
    let ExportFormat::C = args.format;
    let sources = absolute(&run.sources)?;
    let harness: String = run
        .entries
        .iter()
        .map(|entry| entry.harness_text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let text = export::c(&export::CExport {
        suite: &suite,
        sources: &sources,
        harness: &harness,
        dialects: true,
    })
    .map_err(Failure::usage)?;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => {
            let dir = out.file("tests");
            std::fs::create_dir_all(&dir).map_err(|e| cannot(&dir, &e))?;
            dir.join("tests.c")
        }
    };
    if args.out.is_some() && path.exists() {
        return Err(Failure::usage(format_args!(
            "{} exists already; labrys overwrites nothing",
            path.display()
        )));
    }
    std::fs::write(&path, text).map_err(|e| cannot(&path, &e))?;
    let tests = suite.tests.len();
    print(&format!(
        "{tests} tests written to {0}; try: cc -o tests {0} && ./tests\n",
        path.display()
    ))?;
    Ok(Exit::Done)
}

fn absolute(sources: &[std::path::PathBuf]) -> Outcome<Vec<String>> {
    sources
        .iter()
        .map(|source| {
            let path = std::path::absolute(source).map_err(|e| cannot(source, &e))?;
            Ok(path.display().to_string())
        })
        .collect()
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format_args!("cannot write {}: {error}", path.display()))
}
