//! Splits text into words, with the quoting that shells, GCC's response files and
//! `compile_commands.json` have in common.

/// Splits text into words: white space separates, quotes group, a backslash takes the next
/// character as it is. A quote that is never closed groups up to the end.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                let next = characters.next();
                let word = word.get_or_insert_default();
                match (quote, next) {
                    // Between double quotes only these lose their backslash.
                    (Some(_), Some(c)) if !matches!(c, '"' | '\\' | '$' | '`' | '\n') => {
                        word.push('\\');
                        word.push(c);
                    }
                    (_, Some('\n')) => {}
                    (_, next) => word.extend(next),
                }
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_and_backslashes_escape() {
        assert_eq!(
            split("cc  -DX='a b' -DY=\\\"s\\\" \"-DZ=\\\"q\\\" r\" ''\n-c x.c"),
            ["cc", "-DX=a b", "-DY=\"s\"", "-DZ=\"q\" r", "", "-c", "x.c"]
        );
        assert_eq!(split("\"a\\b\" 'c\\d' e\\ f"), ["a\\b", "c\\d", "e f"]);
        assert!(split(" \n").is_empty());
    }
}
