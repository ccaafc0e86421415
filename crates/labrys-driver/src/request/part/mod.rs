//! The part of a program that counts: `--only` and `--in-diff`. Objectives elsewhere leave the
//! ledger, so the search does not look for them. The others keep their names.

pub mod diff;
pub mod lines;

use crate::failure::{Failure, Outcome};
use diff::TouchedFile;
use labrys_front::SourceFile;
use labrys_ledger::{Mutant, Objective};
use lines::{LineRange, means};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How many files a message names.
const NAMED: usize = 8;

/// What was asked for. Where both options are given, a line must satisfy both.
#[derive(Clone, Debug)]
pub struct Part {
    only: Vec<LineRange>,
    diff: Option<(PathBuf, Vec<TouchedFile>)>,
}

impl Part {
    /// Reads the patch, if there is one; `None` if everything counts.
    pub fn read(only: Vec<LineRange>, in_diff: Option<&Path>) -> Outcome<Option<Part>> {
        if only.is_empty() && in_diff.is_none() {
            return Ok(None);
        }
        let diff = match in_diff {
            None => None,
            Some(path) => {
                let text = text_of(path)?;
                let touched = diff::read(&text).map_err(|error| {
                    Failure::usage(format_args!("--in-diff {}: {error}", path.display()))
                })?;
                Some((path.to_owned(), touched))
            }
        };
        Ok(Some(Part { only, diff }))
    }

    /// The option that says what counts.
    pub fn option(&self) -> &'static str {
        match self.only.is_empty() {
            true => "--in-diff",
            false => "--only",
        }
    }

    /// Takes the objectives or mutants out that do not count, and notes how many are left. A place
    /// that the program does not have is an error; a patch may well be about something else.
    pub fn restrict<T: Placed>(
        &self,
        all: &mut Vec<T>,
        sources: &[SourceFile],
        notes: &mut Vec<String>,
    ) -> Outcome<()> {
        let mut files: Vec<String> = all.iter().map(|item| item.place().0.to_owned()).collect();
        files.extend(sources.iter().map(|s| s.shown().display().to_string()));
        files.sort();
        files.dedup();
        let total = all.len();
        let what = T::MANY;
        if !self.only.is_empty() {
            let wanted = self.wanted_places(&files, all)?;
            all.retain(|item| within(&wanted, item));
            let places: Vec<String> = self.only.iter().map(ToString::to_string).collect();
            let (count, places) = (all.len(), places.join(", "));
            notes.push(format!("--only {places}: {count} of {total} {what} count"));
        }
        if let Some((path, touched)) = &self.diff {
            let wanted = wanted_changes(&files, touched);
            all.retain(|item| within(&wanted, item));
            let count = all.len();
            let mut note = format!(
                "--in-diff {}: {count} of {total} {what} count",
                path.display()
            );
            if wanted.is_empty() {
                let changed = touched.iter().map(|t| t.path.as_str());
                note += &format!(
                    "; the patch changes no file of the program ({}), but {}",
                    named(files.iter().map(String::as_str)),
                    named(changed)
                );
            } else if count == 0 {
                note += T::NONE_IN_LINES;
            }
            notes.push(note);
        }
        Ok(())
    }

    /// Takes out what is not in the part, without a word: there may be nothing.
    pub fn keep<T: Placed>(&self, all: &mut Vec<T>) {
        let mut files: Vec<String> = all.iter().map(|item| item.place().0.to_owned()).collect();
        files.sort();
        files.dedup();
        let mut wanted: Vec<LinesByFile> = Vec::new();
        if !self.only.is_empty() {
            let mut lines = LinesByFile::new();
            for only in &self.only {
                for file in files.iter().filter(|f| means(&only.file, f)) {
                    let these = lines.entry(file.clone()).or_default();
                    these.push(only.lines.unwrap_or((0, u32::MAX)));
                }
            }
            wanted.push(lines);
        }
        if let Some((_, touched)) = &self.diff {
            wanted.push(wanted_changes(&files, touched));
        }
        all.retain(|item| {
            let (file, line) = item.place();
            wanted.iter().all(|lines| has_line(lines, file, line))
        });
    }

    /// The lines of each place, by the program's own names of the files.
    fn wanted_places<T: Placed>(&self, files: &[String], all: &[T]) -> Outcome<LinesByFile> {
        let mut wanted = LinesByFile::new();
        for place in &self.only {
            let lines = place.lines.unwrap_or((0, u32::MAX));
            let meant: Vec<&String> = files.iter().filter(|f| means(&place.file, f)).collect();
            if meant.is_empty() {
                return Err(Failure::usage(format_args!(
                    "--only {place}: the program has no file '{}', only {}",
                    place.file,
                    named(files.iter().map(String::as_str))
                )));
            }
            let mut here = LinesByFile::new();
            for file in meant {
                here.entry(file.clone()).or_default().push(lines);
            }
            if !all.iter().any(|item| within(&here, item)) {
                return Err(Failure::usage(format_args!(
                    "--only {place}: there is no {}{}",
                    T::ONE,
                    nearest(&here, all)
                )));
            }
            for (file, lines) in here {
                wanted.entry(file).or_default().extend(lines);
            }
        }
        Ok(wanted)
    }
}

/// What stands in a line of a file, and how messages call it.
pub trait Placed {
    const ONE: &'static str;
    const MANY: &'static str;
    /// What is said where the changed lines have none.
    const NONE_IN_LINES: &'static str;

    fn place(&self) -> (&str, u32);
}

impl Placed for Objective {
    const ONE: &'static str = "objective of the criterion";
    const MANY: &'static str = "objectives";
    const NONE_IN_LINES: &'static str =
        "; the changed lines have none (statements are one for every line: --criterion statement)";

    fn place(&self) -> (&str, u32) {
        (&self.file, self.line)
    }
}

impl Placed for Mutant {
    const ONE: &'static str = "mutant";
    const MANY: &'static str = "mutants";
    const NONE_IN_LINES: &'static str = "; the changed lines have none";

    fn place(&self) -> (&str, u32) {
        (&self.file, self.line)
    }
}

/// Lines by the program's names of the files.
type LinesByFile = BTreeMap<String, Vec<(u32, u32)>>;

fn within(wanted: &LinesByFile, item: &impl Placed) -> bool {
    let (file, line) = item.place();
    has_line(wanted, file, line)
}

fn has_line(wanted: &LinesByFile, file: &str, line: u32) -> bool {
    let mut lines = wanted.get(file).into_iter().flatten();
    lines.any(|(from, to)| (*from..=*to).contains(&line))
}

/// Which lines of which files the patch touches. A name that several files end with means the
/// one whose path has most in common with it.
fn wanted_changes(files: &[String], touched: &[TouchedFile]) -> LinesByFile {
    let mut wanted = LinesByFile::new();
    for file in files {
        let fitting = touched.iter().filter(|t| means(&t.path, file));
        let longest = fitting.max_by_key(|t| Path::new(&t.path).components().count());
        if let Some(touched) = longest {
            let lines = wanted.entry(file.clone()).or_default();
            lines.extend(&touched.lines);
        }
    }
    wanted
}

/// Where the next ones are, for a place that has none.
fn nearest(here: &LinesByFile, all: &[impl Placed]) -> String {
    let Some((file, lines)) = here.iter().next() else {
        return String::new();
    };
    let from = lines.first().map_or(0, |(from, _)| *from);
    let places = all.iter().map(Placed::place);
    let mut known: Vec<u32> = places
        .filter(|(name, _)| name == file)
        .map(|(_, line)| line)
        .collect();
    known.sort_by_key(|line| (line.abs_diff(from), *line));
    known.dedup();
    known.truncate(2);
    known.sort_unstable();
    match &known[..] {
        [] => " in this file".to_owned(),
        [one] => format!("; the nearest is in line {one}"),
        [one, two, ..] => format!("; the nearest are in the lines {one} and {two}"),
    }
}

fn named<'a>(files: impl Iterator<Item = &'a str>) -> String {
    let files: Vec<&str> = files.collect();
    let shown = files[..files.len().min(NAMED)].join(", ");
    match files.len() {
        0 => "nothing".to_owned(),
        n if n > NAMED => format!("{shown} and {} more", n - NAMED),
        _ => shown,
    }
}

/// The text of the patch, `-` for standard input. Names and changed lines may be in any encoding.
fn text_of(path: &Path) -> Outcome<String> {
    let read = |path: &Path| -> std::io::Result<Vec<u8>> {
        if path != Path::new("-") {
            return std::fs::read(path);
        }
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read(path)
        .map_err(|error| Failure::usage(format_args!("cannot read {}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
