//! Insertions into and replacements of the preprocessed text, by byte offset.
//!
//! Edits are recorded while the tree is walked: openings before the children of a node,
//! closings after them. At one offset all closings come first, and within each kind the order
//! of recording holds, so nested annotations nest. What encloses a single token is inside of all.

use crate::annotate::flat;
use std::collections::{BTreeMap, BTreeSet};

/// Encloses a range in a text to insert. It is a control character, which inserted text never holds.
const COPY_MARK: char = '\u{1}';

/// A set of edits, applied at once.
#[derive(Debug, Default)]
pub(crate) struct TextEdits {
    inserts: Vec<TextInsertion>,
    /// Ranges whose text is dropped; their newlines are kept so that lines stay as they are.
    deletions: Vec<(u32, u32)>,
    /// Ranges that vanish with all that was inserted inside them.
    dropped: Vec<(u32, u32)>,
    /// Tokens with another text: begin, end, text.
    replaced: BTreeMap<u32, (u32, String)>,
    /// The first bytes of tokens that are enclosed.
    enclosed: BTreeSet<u32>,
}

#[derive(Debug)]
struct TextInsertion {
    offset: u32,
    order: InsertOrder,
    text: String,
}

/// What comes first at one offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InsertOrder {
    CloseToken,
    Close,
    Declare,
    Open,
    OpenToken,
    Replacement,
}

impl TextEdits {
    /// Inserts before the token that starts at `offset`.
    pub(crate) fn before(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(TextInsertion {
            offset,
            order: InsertOrder::Open,
            text: text.into(),
        });
    }

    /// Inserts before the token that starts at `offset` and before all other openings there.
    pub(crate) fn before_all(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(TextInsertion {
            offset,
            order: InsertOrder::Declare,
            text: text.into(),
        });
    }

    /// Inserts after the token that ends at `offset`.
    pub(crate) fn after(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(TextInsertion {
            offset,
            order: InsertOrder::Close,
            text: text.into(),
        });
    }

    /// Is the token that begins here enclosed?
    pub(crate) fn encloses(&self, begin: u32) -> bool {
        self.enclosed.contains(&begin)
    }

    /// Encloses a single token, inside of all other insertions at its ends; once.
    pub(crate) fn enclose_token(&mut self, (begin, end): (u32, u32), open: &str, close: &str) {
        if !self.enclosed.insert(begin) {
            return;
        }
        for (offset, order, text) in [
            (begin, InsertOrder::OpenToken, open),
            (end, InsertOrder::CloseToken, close),
        ] {
            self.inserts.push(TextInsertion {
                offset,
                order,
                text: text.to_owned(),
            });
        }
    }

    pub(crate) fn delete(&mut self, begin: u32, end: u32) {
        self.deletions.push((begin, end));
    }

    /// Replaces a range together with everything that is or will be inserted inside it.
    pub(crate) fn drop_for(&mut self, begin: u32, end: u32, text: &str) {
        self.dropped.push((begin, end));
        self.delete(begin, end);
        self.after(end, text);
    }

    /// Replaces a token; once, since clang may list one expression several times.
    pub(crate) fn replace(&mut self, begin: u32, end: u32, text: &str) {
        if self
            .replaced
            .insert(begin, (end, text.to_owned()))
            .is_none()
        {
            self.delete(begin, end);
            self.inserts.push(TextInsertion {
                offset: begin,
                order: InsertOrder::Replacement,
                text: text.to_owned(),
            });
        }
    }

    /// What stands, in a text to insert, for the text of a range on one line: with its replaced
    /// tokens, but without what is inserted into it.
    pub(crate) fn copy((begin, end): (u32, u32)) -> String {
        format!("{COPY_MARK}{begin} {end}{COPY_MARK}")
    }

    fn expanded(&self, insert: &str, text: &[u8]) -> String {
        let mut out = String::with_capacity(insert.len());
        for (index, piece) in insert.split(COPY_MARK).enumerate() {
            let range = piece.split_once(' ').filter(|_| index % 2 == 1);
            let range = range.and_then(|(b, e)| b.parse().ok().zip(e.parse().ok()));
            match range {
                Some((begin, end)) => out.push_str(&flat(&self.copied(begin, end, text))),
                None => out.push_str(piece),
            }
        }
        out
    }

    fn copied(&self, begin: u32, end: u32, text: &[u8]) -> String {
        let slice = |from: u32, to: u32| {
            let bytes = text.get(from as usize..to as usize).unwrap_or_default();
            String::from_utf8_lossy(bytes)
        };
        let mut out = String::new();
        let mut at = begin;
        for (from, (to, new)) in self.replaced.range(begin..end) {
            out.push_str(&slice(at, *from));
            out.push_str(new);
            at = *to;
        }
        out.push_str(&slice(at, end));
        out
    }

    /// The text with all edits.
    pub(crate) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        let dropped = std::mem::take(&mut self.dropped);
        self.inserts.retain(|i| {
            let inside = |(begin, end): &(u32, u32)| {
                *begin < i.offset && i.offset < *end
                    || i.order >= InsertOrder::OpenToken && i.offset == *begin
                    || i.order == InsertOrder::CloseToken && i.offset == *end
            };
            !dropped.iter().any(inside)
        });
        let mut inserts = std::mem::take(&mut self.inserts);
        for insert in inserts.iter_mut().filter(|i| i.text.contains(COPY_MARK)) {
            insert.text = self.expanded(&insert.text, text);
        }
        self.inserts = inserts;
        self.inserts.sort_by_key(|i| (i.offset, i.order));
        self.deletions.sort_unstable();
        let added: usize = self.inserts.iter().map(|i| i.text.len()).sum();
        let mut out = Vec::with_capacity(text.len() + added);
        let mut deletions = self.deletions.into_iter().peekable();
        let mut at = 0;
        let mut copy = |out: &mut Vec<u8>, from: usize, to: usize| {
            let mut from = from;
            while let Some(&(begin, end)) = deletions.peek() {
                let (begin, end) = (begin as usize, end as usize);
                if begin >= to {
                    break;
                }
                let (first, stop) = (begin.max(from), end.min(to).max(from));
                out.extend_from_slice(&text[from..first]);
                out.extend(text[first..stop].iter().filter(|byte| **byte == b'\n'));
                from = stop;
                if end > to {
                    break;
                }
                deletions.next();
            }
            out.extend_from_slice(&text[from..to]);
        };
        for insert in self.inserts {
            let offset = insert.offset as usize;
            copy(&mut out, at, offset);
            at = offset;
            out.extend_from_slice(insert.text.as_bytes());
        }
        copy(&mut out, at, text.len());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(edits: TextEdits, text: &str) -> String {
        String::from_utf8(edits.apply(text.as_bytes())).unwrap()
    }

    #[test]
    fn nested_wraps_nest() {
        let text = "if (a&&b) c;";
        let mut edits = TextEdits::default();
        edits.before(4, "D(");
        for (begin, end, name) in [(4, 5, "C0("), (7, 8, "C1(")] {
            edits.before(begin, name);
            edits.after(end, ")");
        }
        edits.after(8, ")");
        assert_eq!(applied(edits, text), "if (D(C0(a)&&C1(b))) c;");
    }

    #[test]
    fn deletions_keep_newlines_and_inserts() {
        let text = "x = call(a,\n b);";
        let mut edits = TextEdits::default();
        edits.delete(4, 9);
        edits.before(4, "<");
        edits.delete(10, 14);
        edits.after(15, ">");
        edits.delete(14, 15);
        assert_eq!(applied(edits, text), "x = <a\n>;");
    }

    #[test]
    fn copies_have_replacements_but_no_inserts() {
        let mut edits = TextEdits::default();
        let copied = format!("({} ? ", TextEdits::copy((4, 12)));
        edits.before(4, copied);
        edits.before(4, "<");
        edits.after(5, ">");
        edits.replace(4, 5, "stub");
        edits.after(12, ")");
        assert_eq!(
            applied(edits, "x = f(a,\n b);"),
            "x = (stub(a, b) ? <stub>(a,\n b);)".replace("b);)", "b));")
        );
    }

    #[test]
    fn a_token_is_enclosed_inside_of_everything_else() {
        let mut edits = TextEdits::default();
        edits.before(0, "C(");
        edits.enclose_token((0, 1), "<", ">");
        edits.enclose_token((0, 1), "<", ">");
        edits.replace(0, 1, "stub");
        edits.before(0, "D(");
        edits.after(1, ")");
        edits.after(1, ")");
        assert_eq!(applied(edits, "f + 1"), "C(D(<stub>)) + 1");
    }

    #[test]
    fn an_insert_inside_a_deletion_survives() {
        let mut edits = TextEdits::default();
        edits.delete(1, 5);
        edits.before(3, "!");
        assert_eq!(applied(edits, "abcdef"), "a!f");
    }
}
