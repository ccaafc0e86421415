//! Columns and texts as the user wrote them.
//!
//! The preprocessed text has its own spacing and expanded macros. Each of its lines is aligned
//! token by token with the line of the original file (longest common subsequence); what a macro
//! produced is shown at the macro's name.

use crate::lexer::{self, Token};
use crate::source::Source;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts longer than this are cut.
const TEXT_LIMIT: usize = 80;

/// Alignment is quadratic in the length of a line; beyond this product it is not tried.
const ALIGNMENT_LIMIT: usize = 400_000;

/// The original files of a program, read when first needed.
#[derive(Default)]
pub(crate) struct Originals {
    files: BTreeMap<Arc<str>, Option<Original>>,
}

struct Original {
    text: String,
    /// Start of each line's first token in `starts`; tokens are (offset, length, line, column).
    tokens: Vec<(usize, usize, u32, u32)>,
}

/// A piece of the user's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

impl Original {
    fn read(path: &str) -> Option<Original> {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let tokens = lexer::tokens(&text)
            .iter()
            .map(|t| (t.offset, t.text.len(), t.line, t.column))
            .collect();
        Some(Original { text, tokens })
    }

    /// The numbers of the tokens on lines `first` to `last`.
    fn between(&self, first: u32, last: u32) -> std::ops::Range<usize> {
        let start = self.tokens.partition_point(|t| t.2 < first);
        start..self.tokens.partition_point(|t| t.2 <= last)
    }

    fn token_text(&self, index: usize) -> &str {
        let (offset, length, ..) = self.tokens[index];
        &self.text[offset..offset + length]
    }

    /// The text from one token to another, without comments and with single blanks.
    fn text_between(&self, first: usize, last: usize) -> String {
        let mut out = String::new();
        for index in first..=last {
            if index > first {
                let (previous, length, ..) = self.tokens[index - 1];
                if self.tokens[index].0 > previous + length {
                    out.push(' ');
                }
            }
            out.push_str(self.token_text(index));
        }
        out
    }
}

/// One preprocessed line, aligned with the original.
struct Line<'a> {
    tokens: Vec<Token<'a>>,
    start: u32,
    matched: Vec<Option<usize>>,
    original: std::ops::Range<usize>,
}

impl Line<'_> {
    /// The number of the token at or after an offset.
    fn index_at(&self, offset: u32) -> usize {
        let offset = offset.saturating_sub(self.start) as usize;
        self.tokens.partition_point(|t| t.offset + t.text.len() <= offset)
    }

    /// The original token where token `index` or the macro that made it begins.
    fn first(&self, index: usize) -> Option<usize> {
        if let Some(matched) = self.matched.get(index).copied().flatten() {
            return Some(matched);
        }
        let before = self.matched[..index.min(self.matched.len())].iter().rev().find_map(|m| *m);
        let guess = before.map_or(self.original.start, |b| b + 1);
        self.original.contains(&guess).then_some(guess)
    }

    /// The original token where token `index` or the macro call that made it ends.
    fn last(&self, index: usize) -> Option<usize> {
        if let Some(matched) = self.matched.get(index).copied().flatten() {
            return Some(matched);
        }
        match self.matched.get(index + 1) {
            Some(Some(next)) => next.checked_sub(1),
            Some(None) => None,
            None => self.original.end.checked_sub(1),
        }
    }

    /// Whether the original text may begin exactly with this token: it is the user's, or the
    /// first that a macro made.
    fn starts_cleanly(&self, index: usize) -> bool {
        self.matched.get(index).is_some_and(|m| m.is_some())
            || index == 0
            || self.matched.get(index - 1).is_some_and(|m| m.is_some())
    }
}

impl Originals {
    /// Where a span of preprocessed text stands in the user's file, and the user's text for it;
    /// the expanded text where a macro hides it.
    pub(crate) fn excerpt(&mut self, source: &Source, span: (u32, u32)) -> Excerpt {
        let place = source.place(span.0);
        let expanded = collapse(source.slice(span));
        let mut excerpt =
            Excerpt { file: place.file.clone(), line: place.line, column: 1, text: expanded };
        let original = self
            .files
            .entry(place.file.clone())
            .or_insert_with(|| Original::read(&place.file))
            .as_ref();
        let Some(original) = original else {
            let (start, _) = source.line_around(span.0);
            excerpt.column = span.0 - start + 1;
            excerpt.text = cut(excerpt.text);
            return excerpt;
        };
        let head = align(original, source, span.0);
        let index = head.index_at(span.0);
        let first = head.first(index);
        if let Some(first) = first {
            let (_, _, line, column) = original.tokens[first];
            (excerpt.line, excerpt.column) = (line, column);
        }
        let tail = align(original, source, span.1 - 1);
        let last_index = tail.index_at(span.1 - 1);
        if let (Some(first), Some(last), true) =
            (first, tail.last(last_index), head.starts_cleanly(index))
        {
            if last >= first && last - first < 200 {
                let text = original.text_between(first, last);
                if balanced(&text) {
                    excerpt.text = text;
                }
            }
        }
        excerpt.text = cut(excerpt.text);
        excerpt
    }
}

fn align<'a>(original: &Original, source: &'a Source, offset: u32) -> Line<'a> {
    let (start, text) = source.line_around(offset);
    let tokens = lexer::tokens(text);
    let first = source.place(offset).line;
    let range = original.between(first, source.last_original_line(offset).max(first));
    let matched = common_subsequence(&tokens, original, range.clone());
    Line { tokens, start, matched, original: range }
}

/// For each token of the line the original token that it is, if any.
fn common_subsequence(
    tokens: &[Token],
    original: &Original,
    range: std::ops::Range<usize>,
) -> Vec<Option<usize>> {
    let (n, m) = (tokens.len(), range.len());
    let mut matched = vec![None; n];
    if n * m > ALIGNMENT_LIMIT {
        return matched;
    }
    let same = |i: usize, j: usize| tokens[i].text == original.token_text(range.start + j);
    let width = m + 1;
    let mut best = vec![0u16; (n + 1) * width];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            best[i * width + j] = if same(i, j) {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < n && j < m {
        if same(i, j) {
            matched[i] = Some(range.start + j);
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    matched
}

fn collapse(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn cut(text: String) -> String {
    if text.chars().count() <= TEXT_LIMIT {
        return text;
    }
    let mut short: String = text.chars().take(TEXT_LIMIT - 1).collect();
    short.push('…');
    short
}

fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for token in lexer::tokens(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds `needle` in the preprocessed text and shows it as the user's.
    fn show(original: &str, preprocessed: &str, needle: &str) -> (u32, u32, String) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.c");
        std::fs::write(&path, original).unwrap();
        let text = format!("# 1 \"{}\"\n{preprocessed}", path.display());
        let source = Source::new(text.clone());
        let at = text.rfind(needle).unwrap() as u32;
        let excerpt = Originals::default().excerpt(&source, (at, at + needle.len() as u32));
        (excerpt.line, excerpt.column, excerpt.text)
    }

    #[test]
    fn columns_are_those_of_the_source() {
        let got = show("if ( a   >\tMAX ) x();\n", "if ( a > 10 ) x();\n", "a > 10");
        assert_eq!(got, (1, 6, "a > MAX".into()));
    }

    #[test]
    fn what_a_macro_made_is_at_its_name() {
        let got = show("r = IS(q, 7) + 1;\n", "r = (q > 0 && q < 7) + 1;\n", "q > 0");
        assert_eq!((got.0, got.1), (1, 5));
        assert_eq!(got.2, "q > 0");
    }

    #[test]
    fn a_whole_macro_call_keeps_its_spelling() {
        let got = show("if (IS(q)) f();\n", "if (((q) > 0)) f();\n", "((q) > 0)");
        assert_eq!(got, (1, 5, "IS(q)".into()));
    }

    #[test]
    fn arguments_over_several_lines_are_found() {
        let got = show("CHECK(a,\n  b < 2);\nx;\n", "if (a && b < 2);\n\nx;\n", "b < 2");
        assert_eq!(got, (2, 3, "b < 2".into()));
    }

    #[test]
    fn expressions_over_lines_are_joined() {
        let got = show("if (a && /* c */\n    b) f();\n", "if (a &&\n    b) f();\n", "a &&\n    b");
        assert_eq!(got, (1, 5, "a && b".into()));
    }
}
