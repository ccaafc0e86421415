//! Splits C text into tokens, to line up a source file with its preprocessed form. Comments, white
//! space and line continuations disappear.

/// A token: its place in the text and its line and column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CToken<'a> {
    pub text: &'a str,
    pub offset: usize,
    pub line: u32,
    pub column: u32,
}

const PUNCTUATORS: [&str; 23] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##",
];

/// All tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<CToken<'_>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 1, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => 0,
            b'\\' if rest.get(1) == Some(&b'\n') => 0,
            b'/' if rest.get(1) == Some(&b'/') => {
                at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.get(1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/").map_or(text.len(), |e| at + e + 4);
                for (i, b) in bytes[at..end].iter().enumerate() {
                    if *b == b'\n' {
                        line += 1;
                        line_start = at + i + 1;
                    }
                }
                at = end;
                continue;
            }
            b'"' | b'\'' => quoted(rest),
            b if is_word(b) => rest.iter().take_while(|b| is_word(**b)).count(),
            b if b >= 0x80 => text[at..].chars().next().map_or(1, char::len_utf8),
            _ => PUNCTUATORS
                .iter()
                .find(|p| rest.starts_with(p.as_bytes()))
                .map_or(1, |p| p.len()),
        };
        if length > 0 {
            let column = (at - line_start + 1) as u32;
            out.push(CToken {
                text: &text[at..at + length],
                offset: at,
                line,
                column,
            });
        }
        if rest[0] == b'\n' {
            line += 1;
            line_start = at + 1;
        }
        at += length.max(1);
    }
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The length of a string or character literal; an unclosed one ends with its line.
fn quoted(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'\n' {
        match rest[at] {
            b'\\' if at + 1 < rest.len() && rest[at + 1].is_ascii() => at += 2,
            b if b == rest[0] => return at + 1,
            _ => at += 1,
        }
    }
    at.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_vanish_and_columns_stay() {
        let text = "a /* x\n y */ >>= \"s\\\"t\" // c\n\tb->c";
        let found: Vec<_> = tokens(text)
            .iter()
            .map(|t| (t.text, t.line, t.column))
            .collect();
        assert_eq!(
            found,
            [
                ("a", 1, 1),
                (">>=", 2, 7),
                ("\"s\\\"t\"", 2, 11),
                ("b", 3, 2),
                ("->", 3, 3),
                ("c", 3, 5)
            ]
        );
    }

    #[test]
    fn unclosed_literals_and_foreign_letters_do_not_confuse() {
        let found: Vec<_> = tokens("don't ü\n/* open").iter().map(|t| t.text).collect();
        assert_eq!(found, ["don", "'t ü"]);
    }
}
