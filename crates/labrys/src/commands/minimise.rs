//! `labrys minimise`: a smaller suite that covers the same.

use super::show;
use crate::cli::MinimiseArgs;
use crate::exit::{CommandResult, Exit};
use labrys_driver::minimise::{Minimised, SuiteFiles};
use labrys_driver::output::OutDir;
use labrys_driver::request::Minimise;
use labrys_driver::{Failure, Outcome};
use std::fmt::Write;
use std::path::Path;

pub fn run(args: &MinimiseArgs) -> CommandResult {
    let from = OutDir::open(&args.dir)?;
    let mut contents = SuiteFiles::read(&from)?;
    let method = args.method.unwrap_or(Minimise::Exact);
    let mut result = contents.minimise(method);
    match &args.out {
        None => {
            contents.write(&from)?;
            if !result.dropped.is_empty() && from.file("tests").exists() {
                result.notes.push(format!(
                    "{} was exported before and still has the dropped tests; run labrys export again",
                    from.file("tests").display()
                ));
            }
        }
        Some(path) => {
            let to = OutDir::create(path)?;
            to.clear()?;
            copy_others(&args.dir, &to)?;
            contents.write(&to)?;
        }
    }
    show(args.show.format, &result, |result| text(result, method))?;
    Ok(Exit::Done)
}

/// What belongs to a suite beside the files that are written anew.
fn copy_others(from: &Path, to: &OutDir) -> Outcome<()> {
    let cannot = |error: std::io::Error| {
        Failure::usage(format_args!("cannot read {}: {error}", from.display()))
    };
    for entry in std::fs::read_dir(from).map_err(cannot)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_program = name.starts_with("program") && name.ends_with(".c");
        if is_program || name == "run.json" || name == "events.jsonl" {
            to.write(&name, &std::fs::read(entry.path()).map_err(cannot)?)?;
        }
    }
    Ok(())
}

fn text(result: &Minimised, method: Minimise) -> String {
    let mut out = String::new();
    for name in &result.dropped {
        let _ = writeln!(out, "dropped: {name}");
    }
    let how = match (method, result.smallest) {
        (Minimise::None, _) => "nothing was asked for",
        (_, true) => "no smaller suite covers as much",
        (Minimise::Paper | Minimise::Greedy | Minimise::Exact, false) => {
            "there may be a smaller suite"
        }
    };
    for note in &result.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let _ = writeln!(
        out,
        "{} of {} tests kept; all that was covered still is ({how})",
        result.after, result.before
    );
    out
}
