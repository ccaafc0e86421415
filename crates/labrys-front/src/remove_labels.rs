//! Takes labels out of text in LTest's notation: those whose objectives do not count. The rest of
//! the text stays as it is.

use std::collections::BTreeSet;

const CALL: &str = "pc_label(";

/// The text without the labels that are not kept. Labels stand as statements, or as the left
/// operands of commas.
pub(crate) fn without_labels(text: &str, keep: &BTreeSet<u32>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next_call(rest) {
        let (before, call) = rest.split_at(at);
        out.push_str(before);
        let Some((id, length)) = read_call(call) else {
            out.push_str(CALL);
            rest = &call[CALL.len()..];
            continue;
        };
        let (label, behind) = call.split_at(length);
        if keep.contains(&id) {
            out.push_str(label);
            rest = behind;
        } else {
            rest = closed_up(&mut out, behind);
        }
    }
    out + rest
}

/// Takes away what belonged to a label that is gone; gives back what follows.
fn closed_up<'t>(out: &mut String, behind: &'t str) -> &'t str {
    if let Some(operand) = behind.strip_prefix(',') {
        return operand.trim_start();
    }
    let is_statement = out
        .trim_end()
        .chars()
        .last()
        .is_none_or(|c| matches!(c, ';' | '{' | '}' | ':'));
    match behind.strip_prefix(';') {
        Some(next) if is_statement => match next.strip_prefix('\n') {
            // It was alone on its line.
            Some(next) if out.trim_end_matches([' ', '\t']).ends_with('\n') => {
                out.truncate(out.trim_end_matches([' ', '\t']).len());
                next
            }
            _ => next.strip_prefix(' ').unwrap_or(next),
        },
        _ => behind,
    }
}

/// Where the next call begins, outside of string literals and longer names.
fn next_call(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = end_of_literal(bytes, at, quote),
            _ => {
                let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
                let begins = at == 0 || !is_name(bytes[at - 1]);
                if begins && bytes[at..].starts_with(CALL.as_bytes()) {
                    return Some(at);
                }
                at += 1;
            }
        }
    }
    None
}

/// The number of the label and the length of its call: `pc_label(predicate, id, "tag")`.
fn read_call(text: &str) -> Option<(u32, usize)> {
    let bytes = text.as_bytes();
    let mut at = CALL.len();
    let mut depth = 1;
    let mut commas = Vec::new();
    while depth > 0 {
        match bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                at = end_of_literal(bytes, at, *quote);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
        at += 1;
    }
    let [.., first, second] = commas[..] else {
        return None;
    };
    let id = text.get(first + 1..second)?.trim().parse().ok()?;
    Some((id, at))
}

/// Behind a string or character literal.
fn end_of_literal(bytes: &[u8], begin: usize, quote: u8) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, ids: &[u32]) -> String {
        without_labels(text, &ids.iter().copied().collect())
    }

    #[test]
    fn statements_and_operands_disappear_and_what_is_kept_stays() {
        let text = "int f(int a) {\n    pc_label((a > 1), 0, \"CC\");\n    pc_label(!(a > 1), 1, \"CC\");\n    if (a > 1)\n        return 2;\n    while ((pc_label(a < g(3, ')'), 2, \"CC\"), pc_label(1, 3, \"CC\"), a < 3)) a++;\n    { pc_label(1, 4, \"DC\"); a = 1; }\n}\n";
        assert_eq!(kept(text, &[0, 1, 2, 3, 4]), text);
        let expected = "int f(int a) {\n    pc_label(!(a > 1), 1, \"CC\");\n    if (a > 1)\n        return 2;\n    while ((pc_label(1, 3, \"CC\"), a < 3)) a++;\n    { a = 1; }\n}\n";
        assert_eq!(kept(text, &[1, 3]), expected);
        let none = kept(text, &[]);
        assert!(!none.contains("pc_label"), "{none}");
        assert!(none.contains("while ((a < 3)) a++;"), "{none}");
    }

    #[test]
    fn a_label_that_is_a_body_leaves_its_semicolon() {
        let text = "if (x) pc_label(1, 7, \"DC\"); y = 1;";
        assert_eq!(kept(text, &[]), "if (x) ; y = 1;");
    }

    #[test]
    fn what_is_no_label_is_left_alone() {
        for text in [
            "puts(\"pc_label(1, 2, 3)\");",
            "my_pc_label(1, 2, \"x\");",
            "pc_label(x);",
            "pc_label(1, two, \"x\");",
            "pc_label(\"",
            "char c = '\"'; pc_label(",
        ] {
            assert_eq!(kept(text, &[]), text);
        }
    }
}
