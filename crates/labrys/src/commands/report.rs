//! `labrys report`: the results of one or several runs in another form. `--format svg` draws
//! coverage over iterations or time, one line for each run; `--format mutation-json` has the
//! mutants of `mutate` and `kill` in the schema of mutation-testing-elements.

use super::print;
use crate::cli::{ReportArgs, ReportBy, ReportFormat};
use crate::exit::{CommandResult, Exit};
use labrys_driver::mutate::merge;
use labrys_driver::output::OutDir;
use labrys_driver::output::curve::{self, By, Curve};
use labrys_driver::output::elements::MutationElements;
use labrys_driver::{Failure, Outcome};
use labrys_show::plot::{Chart, PlotLine};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn run(args: &ReportArgs) -> CommandResult {
    let text = match args.format {
        ReportFormat::Svg => picture(args)?,
        ReportFormat::MutationJson => mutation_json(&args.dirs)?,
    };
    match &args.out {
        None => print(&text)?,
        Some(path) => write(path, &text)?,
    }
    Ok(Exit::Done)
}

/// The mutants of these directories.
fn mutation_json(dirs: &[String]) -> Outcome<String> {
    let dirs: Vec<PathBuf> = dirs.iter().map(PathBuf::from).collect();
    let merged = merge(&dirs, None)?;
    let elements = MutationElements::of(&merged.file)?;
    let text = serde_json::to_string_pretty(&elements).map_err(Failure::internal)?;
    Ok(format!("{text}\n"))
}

fn picture(args: &ReportArgs) -> Outcome<String> {
    let by = match args.by {
        ReportBy::Paths => By::Paths,
        ReportBy::Time => By::Time,
    };
    let mut curves = Vec::new();
    for text in &args.dirs {
        let (name, dir) = named(text);
        curves.push((name, curve_of(Path::new(dir), by)?));
    }
    Ok(chart(&curves, by).svg())
}

/// `NAME=DIR`, or a directory whose name may have a `=` itself.
fn named(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, dir)) if !name.is_empty() && !Path::new(text).exists() => (Some(name), dir),
        _ => (None, text),
    }
}

fn curve_of(dir: &Path, by: By) -> Outcome<Curve> {
    let out = OutDir::open(dir)?;
    let path = out.file("events.jsonl");
    let log = std::fs::read(&path).map_err(|error| {
        Failure::usage(format_args!(
            "cannot read {}: {error}; only gen writes it",
            path.display()
        ))
    })?;
    curve::read(&String::from_utf8_lossy(&log), by)
        .map_err(|error| Failure::usage(format_args!("{}: {error}", path.display())))
}

/// One picture of all runs. A run without a name is called by its strategy, and by its seed where
/// that is not enough.
fn chart(curves: &[(Option<&str>, Curve)], by: By) -> Chart {
    let same_search = |curve: &Curve| {
        let unnamed = curves.iter().filter(|(name, _)| name.is_none());
        unnamed.filter(|(_, c)| c.search == curve.search).count() > 1
    };
    let lines = curves.iter().map(|(name, curve)| PlotLine {
        name: match name {
            Some(name) => (*name).to_owned(),
            None if same_search(curve) => format!("{} {}", curve.search, curve.seed),
            None => curve.search.clone(),
        },
        points: curve.points.clone(),
    });
    let criteria: BTreeSet<&str> = curves
        .iter()
        .flat_map(|(_, c)| c.criteria.iter().map(String::as_str))
        .collect();
    let criteria: Vec<&str> = criteria.into_iter().collect();
    let totals: BTreeSet<usize> = curves.iter().map(|(_, c)| c.objectives).collect();
    let of = match totals.iter().next() {
        Some(total) if totals.len() == 1 => format!(" of {total}"),
        _ => String::new(),
    };
    Chart {
        title: format!("{} coverage", criteria.join(", ")),
        x_label: match by {
            By::Paths => "iterations".to_owned(),
            By::Time => "seconds".to_owned(),
        },
        y_label: format!("covered objectives{of}"),
        whole_x: by == By::Paths,
        lines: lines.collect(),
    }
}

/// Writes a new file; nothing is overwritten.
fn write(path: &Path, text: &str) -> Outcome<()> {
    if path.exists() {
        return Err(Failure::usage(format_args!(
            "{} exists already; labrys overwrites nothing",
            path.display()
        )));
    }
    std::fs::write(path, text)
        .map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(search: &str, seed: u64, objectives: usize) -> Curve {
        Curve {
            search: search.to_owned(),
            seed,
            criteria: vec!["branch".to_owned()],
            objectives,
            points: vec![(0.0, 0.0), (3.0, 2.0)],
        }
    }

    #[test]
    fn runs_are_called_by_what_tells_them_apart() {
        let curves = [
            (None, curve("pps", 0, 4)),
            (None, curve("dfs", 1, 4)),
            (None, curve("dfs", 2, 4)),
            (Some("mine"), curve("dfs", 3, 4)),
        ];
        let chart = chart(&curves, By::Paths);
        let names: Vec<&str> = chart.lines.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, ["pps", "dfs 1", "dfs 2", "mine"]);
        assert_eq!(chart.y_label, "covered objectives of 4");
        assert_eq!(chart.title, "branch coverage");
    }

    #[test]
    fn a_name_stands_before_the_directory() {
        assert_eq!(named("a=b/c"), (Some("a"), "b/c"));
        assert_eq!(named("b/c"), (None, "b/c"));
        assert_eq!(named("=b"), (None, "=b"));
    }
}
