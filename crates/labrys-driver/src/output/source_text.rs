//! Where a mutant stands in the text of its file, and what its lines look like with it. The texts
//! of mutants have their own spaces, so both are compared without.

use super::mutants::{MutantRecord, MutantsFile, RecordedChange};
use std::collections::BTreeMap;
use std::ops::Range;

/// So many lines of a change are shown at most.
const MOST_LINES: usize = 4;

/// An operand may stand in so many parentheses, which its own text does not have.
const MOST_PARENTHESES: usize = 8;

/// The files of a program, as far as they are what they were when the mutants were made.
pub struct SourceTexts {
    texts: BTreeMap<String, String>,
}

/// The lines that a mutant changes, before and after.
#[derive(Debug, PartialEq, Eq)]
pub struct LineChange {
    pub before: Vec<String>,
    pub after: Vec<String>,
}

impl SourceTexts {
    pub fn read(file: &MutantsFile) -> Self {
        let texts = file.sources.iter();
        SourceTexts {
            texts: texts
                .filter_map(|source| Some((source.file.clone(), source.unchanged_text()?)))
                .collect(),
        }
    }

    /// The text of a file.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file).map(String::as_str)
    }

    /// The bytes of a change; `None` where its text does not stand there, as in a macro.
    pub fn span(&self, change: &RecordedChange<'_>) -> Option<Range<usize>> {
        let text = self.text(change.file)?;
        let begin = offset(text, change.line, change.column)?;
        span_of(text, begin, change.original)
    }

    /// The lines with and without the mutant. Two changes in different lines are shown one after the
    /// other; where lines cannot be shown, the texts of the change are.
    pub fn line_changes(&self, mutant: &MutantRecord) -> Vec<LineChange> {
        let changes = mutant.changes();
        if let Some(both) = self.of_same_lines(&changes) {
            return vec![both];
        }
        let alone = |change: &RecordedChange<'_>| {
            let shown = self.of_same_lines(std::slice::from_ref(change));
            shown.unwrap_or_else(|| LineChange {
                before: vec![change.original.to_owned()],
                after: vec![change.replacement.to_owned()],
            })
        };
        changes.iter().map(alone).collect()
    }

    /// The lines with and without these changes, if all of them are in the same ones.
    fn of_same_lines(&self, changes: &[RecordedChange<'_>]) -> Option<LineChange> {
        let file = changes.first()?.file;
        let text = self.text(file)?;
        let mut spans: Vec<(Range<usize>, &str)> = Vec::new();
        for change in changes.iter().filter(|change| change.file == file) {
            spans.push((self.span(change)?, change.replacement));
        }
        spans.sort_by_key(|(span, _)| span.start);
        let lines_of = |span: &Range<usize>| {
            let end = text[span.end..]
                .find('\n')
                .map_or(text.len(), |at| span.end + at);
            text[..span.start].rfind('\n').map_or(0, |at| at + 1)..end
        };
        let lines = lines_of(&spans.first()?.0);
        let same = spans.iter().all(|(span, _)| lines_of(span) == lines);
        let apart = spans
            .windows(2)
            .all(|pair| pair[0].0.end <= pair[1].0.start);
        if spans.len() < changes.len() || !same || !apart {
            return None;
        }
        let before = &text[lines.clone()];
        let indent = before.len() - before.trim_start().len();
        let shown = |text: &str| -> Vec<String> {
            let lines = text.lines();
            lines.map(|line| unindented(line, indent)).collect()
        };
        let mut after = String::new();
        let mut from = lines.start;
        for (span, replacement) in spans {
            after += &text[from..span.start];
            after += replacement;
            from = span.end;
        }
        after += &text[from..lines.end];
        let change = LineChange {
            before: shown(before),
            after: shown(&after),
        };
        (change.before.len() <= MOST_LINES).then_some(change)
    }
}

/// Without so many spaces at the beginning, as far as there are such.
fn unindented(line: &str, indent: usize) -> String {
    let spaces = line.len() - line.trim_start().len();
    line[spaces.min(indent)..].trim_end().to_owned()
}

/// The byte at a line and a column, both from 1.
fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let lines = text.split_inclusive('\n');
    let before = lines.take((line as usize).checked_sub(1)?);
    let before: usize = before.map(str::len).sum();
    let offset = before + (column as usize).checked_sub(1)?;
    text.is_char_boundary(offset).then_some(offset)
}

/// Where `wanted` stands, from here or behind parentheses that open here.
fn span_of(text: &str, begin: usize, wanted: &str) -> Option<Range<usize>> {
    let mut begin = begin;
    for _ in 0..=MOST_PARENTHESES {
        if let Some(length) = same_but_for_space(&text[begin..], wanted) {
            return Some(begin..begin + length);
        }
        let rest = text[begin..].strip_prefix('(')?;
        begin = text.len() - rest.trim_start().len();
    }
    None
}

/// How much of the text has the characters of `wanted`, whatever spaces there are.
fn same_but_for_space(text: &str, wanted: &str) -> Option<usize> {
    let mut found = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let mut end = 0;
    for c in wanted.chars().filter(|c| !c.is_whitespace()) {
        let (at, same) = found.next()?;
        if same != c {
            return None;
        }
        end = at + same.len_utf8();
    }
    (end > 0).then_some(end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_are_found_whatever_their_spaces() {
        let text = "int f(int a) {\n  return ((a\n    <3)) && g( a );\n}\n";
        let at = |line, column, wanted: &str| {
            let begin = offset(text, line, column)?;
            let span = span_of(text, begin, wanted)?;
            Some(text[span].to_owned())
        };
        assert_eq!(at(2, 12, "a < 3").unwrap(), "a\n    <3");
        assert_eq!(at(2, 10, "a < 3").unwrap(), "a\n    <3", "in parentheses");
        assert_eq!(at(3, 13, "g(a)").unwrap(), "g( a )");
        assert_eq!(at(3, 13, "g(b)"), None);
        assert_eq!(at(9, 1, "a"), None);
        assert_eq!(at(0, 1, "a"), None);
        assert_eq!(at(1, 0, "a"), None);
        assert_eq!(at(1, 1, ""), None);
    }
}
