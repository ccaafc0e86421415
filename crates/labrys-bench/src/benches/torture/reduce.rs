//! A smaller form of a function about which Labrys is wrong: statements are taken out, largest
//! pieces first, as long as the same kind of complaint remains.

use super::examine::{Examination, Examined, Wrong};
use super::native::Batch;
use super::write::Subject;
use labrys_driver::{Failure, Outcome};
use std::path::Path;

/// Smaller forms that are tried for one function; each costs about a second.
const TRIES: usize = 60;

/// Functions of a batch that are reduced, so that a broken build does not take days.
const REDUCED: usize = 3;

/// Writes `NAME.c` with the smallest form that was found for each function to blame.
pub fn reduce(
    examination: &Examination<'_>,
    subjects: &[Subject],
    examined: &Examined,
    kept: &Path,
) -> Outcome<()> {
    let mut done = Vec::new();
    for complaint in &examined.complaints {
        let Some(function) = &complaint.function else {
            continue;
        };
        // The helper of a function has its name in its own.
        let is_meant =
            |s: &&Subject| s.name == *function || function.ends_with(&format!("_{}", s.name));
        let Some(subject) = subjects.iter().find(is_meant) else {
            continue;
        };
        if done.contains(&&subject.name) || done.len() >= REDUCED {
            continue;
        }
        done.push(&subject.name);
        let small = smallest(examination, subject, complaint.wrong, kept)?;
        let dir = tempfile::tempdir_in(kept).map_err(Failure::usage)?;
        let batch = Batch::write(dir.path(), &[small])?;
        let to = kept.join(format!("{}.c", subject.name));
        std::fs::write(to, &batch.forms.plain).map_err(Failure::usage)?;
    }
    Ok(())
}

fn smallest(
    examination: &Examination<'_>,
    subject: &Subject,
    wrong: Wrong,
    kept: &Path,
) -> Outcome<Subject> {
    let mut best = subject.clone();
    let mut tries = 0;
    let mut from = 0;
    while tries < TRIES {
        let lines: Vec<&str> = best.text.split_inclusive('\n').collect();
        let Some((start, end)) = (from..lines.len()).find_map(|at| piece(&lines, at)) else {
            break;
        };
        let mut small = best.clone();
        small.text = [&lines[..start], &lines[end..]].concat().concat();
        tries += 1;
        if is_wrong(examination, &small, wrong, kept)? {
            best = small;
            from = start;
        } else {
            from = start + 1;
        }
    }
    Ok(best)
}

/// The statement that begins at this line: up to the brace that closes it.
fn piece(lines: &[&str], at: usize) -> Option<(usize, usize)> {
    let line = lines[at];
    // Only what is inside of a function; its first and its last line stay.
    if line.starts_with("int ") && line.ends_with("{\n") || line.starts_with('}') {
        return None;
    }
    let mut depth = 0i32;
    for (number, line) in lines.iter().enumerate().skip(at) {
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        if depth < 0 {
            return None;
        }
        if depth == 0 && (line.ends_with(";\n") || line.ends_with("}\n")) {
            return Some((at, number + 1));
        }
    }
    None
}

fn is_wrong(
    examination: &Examination<'_>,
    subject: &Subject,
    wrong: Wrong,
    kept: &Path,
) -> Outcome<bool> {
    let dir = tempfile::tempdir_in(kept).map_err(Failure::usage)?;
    let batch = Batch::write(dir.path(), std::slice::from_ref(subject))?;
    // A form that does not compile any more is none.
    let Ok(examined) = examination.examine(&batch, std::slice::from_ref(subject)) else {
        return Ok(false);
    };
    Ok(examined.complaints.iter().any(|c| c.wrong == wrong))
}
