//! The preprocessed text of a unit, and the user's file and line for every byte of it, from clang's
//! line markers.

use std::sync::Arc;

/// A preprocessed translation unit.
#[derive(Debug)]
pub(crate) struct PreprocessedText {
    pub text: String,
    lines: Vec<PreprocessedLine>,
    /// Marks stand for letters that cannot be shown.
    marked: bool,
}

/// One line of the preprocessed text.
#[derive(Debug, Clone)]
struct PreprocessedLine {
    start: u32,
    file: Arc<str>,
    number: u32,
    system: bool,
}

/// Where something stands in the user's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourcePlace {
    pub file: Arc<str>,
    pub line: u32,
    /// In a system header, which is neither annotated nor measured.
    pub system: bool,
}

impl PreprocessedText {
    pub(crate) fn new(text: String) -> Self {
        let mut lines = Vec::new();
        let mut file: Arc<str> = Arc::from("");
        let (mut number, mut system) = (1, false);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            match marker(line) {
                Some((n, name, is_system)) => {
                    if *file != *name {
                        file = Arc::from(name);
                    }
                    number = n;
                    system = is_system;
                }
                None => {
                    lines.push(PreprocessedLine {
                        start,
                        file: file.clone(),
                        number,
                        system,
                    });
                    // A marker may name the last line that there can be.
                    number = number.saturating_add(1);
                }
            }
            start += line.len() as u32;
        }
        PreprocessedText {
            text,
            lines,
            marked: false,
        }
    }

    /// The same with marks for letters.
    pub(crate) fn marked(text: String) -> Self {
        PreprocessedText {
            marked: true,
            ..PreprocessedText::new(text)
        }
    }

    fn line_index(&self, offset: u32) -> Option<usize> {
        self.lines
            .partition_point(|l| l.start <= offset)
            .checked_sub(1)
    }

    pub(crate) fn place(&self, offset: u32) -> SourcePlace {
        match self.line_index(offset).map(|i| &self.lines[i]) {
            Some(l) => SourcePlace {
                file: l.file.clone(),
                line: l.number,
                system: l.system,
            },
            None => SourcePlace {
                file: Arc::from(""),
                line: 0,
                system: true,
            },
        }
    }

    /// The line of preprocessed text around an offset, with the offset of its first byte.
    pub(crate) fn line_around(&self, offset: u32) -> (u32, &str) {
        let Some(line) = self.line_index(offset).map(|i| &self.lines[i]) else {
            return (0, "");
        };
        let rest = &self.text[line.start as usize..];
        (line.start, rest.lines().next().unwrap_or(""))
    }

    /// The last line of the original file whose tokens may stand on the preprocessed line
    /// around `offset`: a macro call over several lines becomes one line.
    pub(crate) fn last_original_line(&self, offset: u32) -> u32 {
        let Some(index) = self.line_index(offset) else {
            return 0;
        };
        let here = &self.lines[index];
        for next in &self.lines[index + 1..] {
            let text = self.text[next.start as usize..]
                .lines()
                .next()
                .unwrap_or("");
            if next.file != here.file || next.number <= here.number {
                break;
            }
            if !text.trim().is_empty() {
                return next.number - 1;
            }
        }
        here.number.saturating_add(1)
    }

    /// `file:line:column` as clang prints it in the names of unnamed types.
    pub(crate) fn clang_position(&self, offset: u32) -> String {
        let place = self.place(offset);
        let (start, _) = self.line_around(offset);
        let column = (offset - start).saturating_add(1);
        format!("{}:{}:{column}", place.file, place.line)
    }

    /// Whether the text is that of the file: where the file is in another encoding than UTF-8,
    /// marks stand for its letters.
    pub(crate) fn is_exact(&self, span: (u32, u32)) -> bool {
        !self.marked || !self.slice(span).contains('?')
    }

    pub(crate) fn slice(&self, (begin, end): (u32, u32)) -> &str {
        self.text.get(begin as usize..end as usize).unwrap_or("")
    }

    /// The first byte at or after `from` that is neither white space nor in a line marker.
    pub(crate) fn skip_blank(&self, from: u32) -> u32 {
        let bytes = self.text.as_bytes();
        let mut at = from as usize;
        let mut line_start = at == 0 || bytes.get(at - 1) == Some(&b'\n');
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => line_start = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b'#' if line_start => {
                    while bytes.get(at + 1).is_some_and(|b| *b != b'\n') {
                        at += 1;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        at as u32
    }

    /// The byte after the next `wanted`, which only blanks may precede.
    pub(crate) fn after(&self, from: u32, wanted: u8) -> Option<u32> {
        let at = self.skip_blank(from);
        (self.text.as_bytes().get(at as usize) == Some(&wanted)).then_some(at + 1)
    }
}

/// Reads a line marker, `# 12 "file.c" 1 3`: line, file, whether it is a system header.
fn marker(line: &str) -> Option<(u32, String, bool)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_end().strip_prefix('"')?;
    let end = rest.rfind('"')?;
    let name = rest[..end].replace("\\\"", "\"").replace("\\\\", "\\");
    let system = rest[end + 1..].split_whitespace().any(|flag| flag == "3");
    Some((number, name, system))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 1 \"x.c\"\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n# 7 \"x.c\" 2\nint b;\nint\n# 20 \"x.c\"\nc;\n";

    #[test]
    fn the_last_line_that_there_can_be_has_lines_behind_it() {
        let text = format!("# {} \"x.c\"\nint a;\nint b;\n", u32::MAX);
        let source = PreprocessedText::new(text.clone());
        let last = text.len() as u32 - 2;
        assert_eq!(source.place(last).line, u32::MAX);
        assert_eq!(source.last_original_line(last), u32::MAX);
        let far = PreprocessedText::new("int a;".to_owned()).clang_position(u32::MAX);
        assert!(far.ends_with(&u32::MAX.to_string()), "{far}");
    }

    #[test]
    fn offsets_have_the_users_lines() {
        let source = PreprocessedText::new(TEXT.to_owned());
        let at = |needle: &str| source.place(TEXT.find(needle).unwrap() as u32);
        assert_eq!((at("int a").line, at("int a").system), (1, true));
        assert_eq!(
            (&*at("int b").file, at("int b").line, at("int b").system),
            ("x.c", 7, false)
        );
        assert_eq!(at("c;").line, 20);
        let b = TEXT.find("b;").unwrap() as u32;
        assert_eq!(source.clang_position(b), "x.c:7:5");
    }

    #[test]
    fn blanks_and_markers_are_skipped() {
        let source = PreprocessedText::new(TEXT.to_owned());
        let from = TEXT.find("int\n").unwrap() as u32 + 3;
        assert_eq!(
            source.after(from, b'c'),
            Some(TEXT.find("c;").unwrap() as u32 + 1)
        );
        assert_eq!(source.after(from, b';'), None);
    }
}
