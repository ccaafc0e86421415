//! Labels in annotated text: the one that a witness is about becomes a call of `reach_error` under its
//! predicate, the others go away. Lines stay where they are.

/// What may be a label; the predicate of the first kind may fault.
const MAY_FAULT: &str = "LABRYS_LABEL(";
const KINDS: [&str; 3] = [MAY_FAULT, "LABRYS_LABEL_SAFE(", "LABRYS_HALF_SAFE("];

/// The text with its labels replaced; none if the wanted one is a predicate that may fault: then it would be
/// false, and a C program may do anything.
pub(super) fn without_labels(annotated: &str, wanted: Option<u32>) -> Option<String> {
    let mut text = String::with_capacity(annotated.len());
    let mut rest = annotated;
    // The macros themselves stand in the header.
    while let Some((at, kind)) = next_label(rest) {
        let behind = &rest[at + kind.len()..];
        let parts = split(behind);
        let number = parts
            .as_ref()
            .and_then(|(id, ..)| id.trim().parse::<u32>().ok());
        let (Some((_, predicate, end)), Some(number)) = (parts, number) else {
            text.push_str(&rest[..at + kind.len()]);
            rest = behind;
            continue;
        };
        text.push_str(&rest[..at]);
        if Some(number) == wanted {
            if kind == MAY_FAULT {
                return None;
            }
            text.push_str(&format!("(({predicate}) ? reach_error() : (void)0)"));
        } else {
            text.push_str("((void)0)");
            text.extend(predicate.chars().filter(|c| *c == '\n'));
        }
        rest = &behind[end..];
    }
    text.push_str(rest);
    Some(text)
}

fn next_label(text: &str) -> Option<(usize, &'static str)> {
    let found = KINDS
        .iter()
        .filter_map(|kind| Some((text.find(kind)?, *kind)));
    found.min()
}

/// The number, the predicate and the end of a label whose parenthesis is open.
fn split(text: &str) -> Option<(&str, &str, usize)> {
    let comma = text.find(',')?;
    let mut depth = 1;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[..comma], text.get(comma + 1..at)?, at + 1));
                }
            }
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_label_is_a_call_and_the_others_are_gone() {
        let text = "(LABRYS_LABEL_SAFE(1, (x) == ')'), LABRYS_LABEL(22, p->x\n), y)";
        assert_eq!(
            without_labels(text, Some(1)).as_deref(),
            Some("((( (x) == ')') ? reach_error() : (void)0), ((void)0)\n, y)")
        );
        assert_eq!(without_labels(text, Some(22)), None);
        assert_eq!(
            without_labels(text, None).as_deref(),
            Some("(((void)0), ((void)0)\n, y)")
        );
    }
}
