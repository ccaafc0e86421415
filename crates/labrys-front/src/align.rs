//! Finds the columns and texts of expressions as the user wrote them.
//!
//! The preprocessed text has its own spacing and expanded macros. Each of its lines is aligned
//! token by token with the line of the original file: names that disappeared are macro calls,
//! what stands around them is matched one to one, and what a macro made is shown at its name,
//! or at the argument that it merely passed on.

use crate::lexer::{self, CToken};
use crate::source::PreprocessedText;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Characters of a text in an objective; longer ones are cut.
const MAX_TEXT: usize = 80;

/// Aligning two token lists takes time and memory for each pair of tokens; beyond this number of
/// pairs it is not tried.
const MAX_ALIGNMENT_CELLS: usize = 400_000;

/// The original files of a program, read when first needed.
#[derive(Default)]
pub(crate) struct OriginalFiles {
    files: BTreeMap<Arc<str>, Option<OriginalFile>>,
    /// The line that was aligned last: the next expression is often on it, too.
    last: Option<(LineKey, Rc<AlignedLine>)>,
}

/// What the alignment of a line depends on beside its text: the file, and the first and the last
/// original line.
type LineKey = (Arc<str>, u32, u32);

struct OriginalFile {
    text: String,
    /// Offset, length, line and column of each token outside of preprocessor directives.
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

impl OriginalFile {
    fn read(path: &str) -> Option<OriginalFile> {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let tokens = without_directives(&text)
            .iter()
            .map(|t| (t.offset, t.text.len(), t.line, t.column))
            .collect();
        Some(OriginalFile { text, tokens })
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

/// The tokens of a text that are not part of preprocessor directives.
fn without_directives(text: &str) -> Vec<CToken<'_>> {
    let continued = |line_end: usize| text[..line_end].ends_with('\\');
    let mut skip_until = 0;
    let mut last_line = 0;
    let mut out = Vec::new();
    for token in lexer::tokens(text) {
        let starts_line = token.line != last_line;
        last_line = token.line;
        if starts_line && token.text == "#" && token.offset >= skip_until {
            let mut end = token.offset;
            loop {
                end += text[end..].find('\n').unwrap_or(text.len() - end);
                if !continued(end) || end >= text.len() {
                    break;
                }
                end += 1;
            }
            skip_until = end;
        }
        if token.offset >= skip_until {
            out.push(token);
        }
    }
    out
}

/// One preprocessed line, aligned with the original.
struct AlignedLine {
    text: String,
    /// Offset and length of each token.
    tokens: Vec<(usize, usize)>,
    owners: Vec<TokenOrigin>,
    /// Macro calls: first and last original token.
    macros: Vec<(usize, usize)>,
}

/// Where a preprocessed token comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenOrigin {
    /// It is this original token.
    Token(usize),
    /// This macro call made it.
    Macro(usize),
    Unknown,
}

impl AlignedLine {
    /// The number of the token at or after an offset in the line.
    fn index_at(&self, offset: usize) -> usize {
        self.tokens
            .partition_point(|(start, length)| start + length <= offset)
    }

    fn token_text(&self, index: usize) -> &str {
        let (offset, length) = self.tokens[index];
        &self.text[offset..offset + length]
    }

    fn owner(&self, index: usize) -> TokenOrigin {
        self.owners
            .get(index)
            .copied()
            .unwrap_or(TokenOrigin::Unknown)
    }

    /// The original token where token `index` begins, and whether the original text can be cut
    /// there: not in the middle of what a macro made.
    fn begin(&self, index: usize) -> Option<(usize, bool)> {
        match self.owner(index) {
            TokenOrigin::Token(token) => Some((token, true)),
            TokenOrigin::Macro(call) => {
                let first =
                    index.checked_sub(1).map(|i| self.owner(i)) != Some(TokenOrigin::Macro(call));
                Some((self.macros[call].0, first))
            }
            TokenOrigin::Unknown => None,
        }
    }

    /// The same for the end of token `index`.
    fn end(&self, index: usize) -> Option<(usize, bool)> {
        match self.owner(index) {
            TokenOrigin::Token(token) => Some((token, true)),
            TokenOrigin::Macro(call) => Some((
                self.macros[call].1,
                self.owner(index + 1) != TokenOrigin::Macro(call),
            )),
            TokenOrigin::Unknown => None,
        }
    }

    /// Where the arguments of a macro call hold exactly the tokens `first..=last`.
    fn argument(
        &self,
        original: &OriginalFile,
        first: usize,
        last: usize,
    ) -> Option<(usize, usize)> {
        let TokenOrigin::Macro(call) = self.owner(first) else {
            return None;
        };
        if self.owner(last) != TokenOrigin::Macro(call) || last >= self.tokens.len() {
            return None;
        }
        let length = (first..=last).count();
        let (name, close) = self.macros[call];
        (name + 1..=close).find_map(|at| {
            let end = at + length.checked_sub(1)?;
            let same = |i| self.token_text(first + i) == original.token_text(at + i);
            (end <= close && (0..length).all(same)).then_some((at, end))
        })
    }
}

impl OriginalFiles {
    /// Where a span of preprocessed text stands in the user's file, and the user's text for it;
    /// the expanded text where a macro hides it.
    pub(crate) fn excerpt(&mut self, source: &PreprocessedText, span: (u32, u32)) -> Excerpt {
        let place = source.place(span.0);
        let (line_start, _) = source.line_around(span.0);
        let mut excerpt = Excerpt {
            file: place.file.clone(),
            line: place.line,
            column: span.0 - line_start + 1,
            text: collapse(source.slice(span)),
        };
        // The expanded text stays where a macro hides the user's.
        let _ = self.show_original(&mut excerpt, source, span);
        excerpt.text = cut(excerpt.text);
        excerpt
    }

    /// Puts the user's position and text into the excerpt as far as they can be found.
    fn show_original(
        &mut self,
        excerpt: &mut Excerpt,
        source: &PreprocessedText,
        span: (u32, u32),
    ) -> Option<()> {
        let (head, start) = self.align(&excerpt.file, source, span.0)?;
        let first = head.index_at(start);
        let (tail, end) = self.align(&excerpt.file, source, span.1 - 1)?;
        let last = tail.index_at(end);
        let original = self.original(&excerpt.file)?;
        let same_line = source.line_around(span.0).0 == source.line_around(span.1 - 1).0;
        let argument = match same_line {
            true => head.argument(original, first, last),
            false => None,
        };
        let (begin, end) = match argument {
            Some((begin, end)) => (Some((begin, true)), Some((end, true))),
            None => (head.begin(first), tail.end(last)),
        };
        let (begin, clean) = begin?;
        let (_, _, line, column) = original.tokens[begin];
        (excerpt.line, excerpt.column) = (line, column);
        if let (true, Some((end, true))) = (clean, end)
            && end >= begin
            && end - begin < 200
        {
            excerpt.text = original.text_between(begin, end);
        }
        Some(())
    }

    fn original(&mut self, file: &Arc<str>) -> Option<&OriginalFile> {
        let entry = self.files.entry(file.clone());
        entry.or_insert_with(|| OriginalFile::read(file)).as_ref()
    }

    /// The line of a place, and the place in it; none if the file cannot be read.
    fn align(
        &mut self,
        file: &Arc<str>,
        source: &PreprocessedText,
        offset: u32,
    ) -> Option<(Rc<AlignedLine>, usize)> {
        let (start, text) = source.line_around(offset);
        let first = source.place(offset).line;
        let last = source.last_original_line(offset).max(first);
        let within = offset.saturating_sub(start) as usize;
        let key = (file.clone(), first, last);
        if let Some((known, aligned)) = &self.last
            && *known == key
            && aligned.text == text
        {
            return Some((aligned.clone(), within));
        }
        let aligned = Rc::new(align(self.original(file)?, text, first, last));
        self.last = Some((key, aligned.clone()));
        Some((aligned, within))
    }
}

/// Aligns a preprocessed line with the original lines `first` to `last`.
fn align(original: &OriginalFile, text: &str, first: u32, last: u32) -> AlignedLine {
    let tokens = lexer::tokens(text);
    let line = |owners, macros| AlignedLine {
        text: text.to_owned(),
        tokens: tokens.iter().map(|t| (t.offset, t.text.len())).collect(),
        owners,
        macros,
    };
    // A macro call over several lines is one preprocessed line; most lines are themselves.
    for last in [first, last] {
        let range = original.between(first, last);
        let macros = macro_calls(&tokens, original, range.clone());
        if let Some(owners) = match_around_macros(&tokens, original, range, &macros) {
            return line(owners, macros);
        }
    }
    let range = original.between(first, first);
    line(common_subsequence(&tokens, original, range), Vec::new())
}

/// The macro calls among original tokens: names that preprocessing made disappear, each with its
/// arguments.
fn macro_calls(
    tokens: &[CToken],
    original: &OriginalFile,
    range: std::ops::Range<usize>,
) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let kept: BTreeSet<&str> = tokens.iter().map(|t| t.text).collect();
    let mut at = range.start;
    while at < range.end {
        let text = original.token_text(at);
        let name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !name || kept.contains(text) {
            at += 1;
            continue;
        }
        let mut end = at;
        let mut depth = 0;
        for next in at + 1..range.end {
            match original.token_text(next) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = if original.token_text(next) == ")" {
                    next
                } else {
                    at
                };
                break;
            }
        }
        out.push((at, end));
        at = end + 1;
    }
    out
}

/// Matches the tokens outside of macro calls one to one; everything between them comes from the
/// macro call that stands there. `None` if they do not fit.
fn match_around_macros(
    tokens: &[CToken],
    original: &OriginalFile,
    range: std::ops::Range<usize>,
    macros: &[(usize, usize)],
) -> Option<Vec<TokenOrigin>> {
    let mut owners = vec![TokenOrigin::Unknown; tokens.len()];
    let mut at = 0;
    for number in 0..=macros.len() {
        let begin = number
            .checked_sub(1)
            .map_or(range.start, |m| macros[m].1 + 1);
        let end = macros.get(number).map_or(range.end, |m| m.0);
        let length = end - begin;
        let fits = |from: usize| {
            from + length <= tokens.len()
                && (0..length).all(|i| tokens[from + i].text == original.token_text(begin + i))
        };
        let last = number == macros.len();
        let from = match number {
            0 if last => (fits(0) && length == tokens.len()).then_some(0)?,
            0 => fits(0).then_some(0)?,
            _ if last => {
                let from = tokens.len().checked_sub(length)?;
                (from >= at && fits(from)).then_some(from)?
            }
            _ => (at..tokens.len()).find(|from| fits(*from))?,
        };
        if let Some(call) = number.checked_sub(1) {
            owners[at..from].fill(TokenOrigin::Macro(call));
        }
        for i in 0..length {
            owners[from + i] = TokenOrigin::Token(begin + i);
        }
        at = from + length;
    }
    Some(owners)
}

/// For each token of the line the original token that it is, by longest common subsequence.
fn common_subsequence(
    tokens: &[CToken],
    original: &OriginalFile,
    range: std::ops::Range<usize>,
) -> Vec<TokenOrigin> {
    let (n, m) = (tokens.len(), range.len());
    let mut owners = vec![TokenOrigin::Unknown; n];
    if n * m > MAX_ALIGNMENT_CELLS {
        return owners;
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
            owners[i] = TokenOrigin::Token(range.start + j);
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    owners
}

fn collapse(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with("# "));
    lines
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

fn cut(text: String) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text;
    }
    let mut short: String = text.chars().take(MAX_TEXT - 1).collect();
    short.push('…');
    short
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
        let source = PreprocessedText::new(text.clone());
        let at = text.rfind(needle).unwrap() as u32;
        let excerpt = OriginalFiles::default().excerpt(&source, (at, at + needle.len() as u32));
        (excerpt.line, excerpt.column, excerpt.text)
    }

    /// The line that was aligned last is taken again only for the same text.
    #[test]
    fn two_units_may_make_different_text_of_one_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.h");
        std::fs::write(&path, "int x = A + (y > 3);\n").unwrap();
        let mut files = OriginalFiles::default();
        for made in ["1", "1 + 2 + 3", "1"] {
            let text = format!("# 1 \"{}\"\nint x = {made} + (y > 3);\n", path.display());
            let source = PreprocessedText::new(text.clone());
            let begin = text.rfind('y').unwrap() as u32;
            for _ in 0..2 {
                let shown = files.excerpt(&source, (begin, begin + 5));
                assert_eq!((shown.column, &*shown.text), (14, "y > 3"));
            }
        }
    }

    #[test]
    fn columns_are_those_of_the_source() {
        let got = show("if ( a   >\tMAX ) x();\n", "if ( a > 10 ) x();\n", "a > 10");
        assert_eq!(got, (1, 6, "a > MAX".into()));
    }

    #[test]
    fn what_a_macro_made_is_at_its_name() {
        let got = show(
            "r = IS(q, 7) + 1;\n",
            "r = (q > 0 && q < 7) + 1;\n",
            "q > 0",
        );
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
        let got = show(
            "CHECK(a,\n  b < 2);\nx;\n",
            "if (a && b < 2);\n\nx;\n",
            "b < 2",
        );
        assert_eq!(got, (2, 3, "b < 2".into()));
    }

    #[test]
    fn expressions_over_lines_are_joined() {
        let got = show(
            "if (a && /* c */\n    b) f();\n",
            "if (a &&\n    b) f();\n",
            "a &&\n    b",
        );
        assert_eq!(got, (1, 5, "a && b".into()));
    }
}
