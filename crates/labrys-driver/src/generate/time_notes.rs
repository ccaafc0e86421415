//! What there was no time or memory for, in words for the summary.

use super::session::SearchedEntry;

/// At most so many functions are listed that there was no time for.
const MOST_LISTED: usize = 10;

/// What there was no time for.
pub(super) fn time_notes(searched: &[SearchedEntry], was_built: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let left_out: Vec<&SearchedEntry> = searched
        .iter()
        .filter(|s| s.report.is_unsearched())
        .collect();
    if let Some(first) = left_out.first() {
        let names = left_out.iter().map(|s| s.entry.function.as_str());
        let mut list: Vec<&str> = names.take(MOST_LISTED).collect();
        if left_out.len() > MOST_LISTED {
            list.push("…");
        }
        notes.push(format!(
            "{}: {} of {} functions were not looked at: {}",
            first.report.stop.name(),
            left_out.len(),
            searched.len(),
            list.join(", ")
        ));
    }
    let not_run: usize = searched.iter().map(|s| s.judged.not_run).sum();
    if not_run > 0 {
        let why = match was_built {
            true => "there was no time left",
            false => "the native program was not finished",
        };
        notes.push(format!(
            "time: {not_run} tests were not run natively and are not in the suite: {why}"
        ));
    }
    notes
}
