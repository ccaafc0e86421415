//! Insertions into and replacements of the preprocessed text, by byte offset.
//!
//! Edits are recorded while the tree is walked: openings before the children of a node,
//! closings after them. At one offset all closings come first, and within each kind the order
//! of recording holds, so nested annotations nest.

use std::collections::BTreeSet;

/// A set of edits, applied at once.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    inserts: Vec<Insert>,
    /// Ranges whose text is dropped; their newlines are kept so that lines stay as they are.
    deletions: Vec<(u32, u32)>,
    /// Ranges that vanish with all that was inserted inside them.
    dropped: Vec<(u32, u32)>,
    replaced: BTreeSet<u32>,
}

#[derive(Debug)]
struct Insert {
    offset: u32,
    order: Order,
    text: String,
}

/// What comes first at one offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Close,
    Declare,
    Open,
}

impl Edits {
    /// Inserts before the token that starts at `offset`.
    pub(crate) fn before(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(Insert {
            offset,
            order: Order::Open,
            text: text.into(),
        });
    }

    /// Inserts before the token that starts at `offset` and before all other openings there.
    pub(crate) fn before_all(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(Insert {
            offset,
            order: Order::Declare,
            text: text.into(),
        });
    }

    /// Inserts after the token that ends at `offset`.
    pub(crate) fn after(&mut self, offset: u32, text: impl Into<String>) {
        self.inserts.push(Insert {
            offset,
            order: Order::Close,
            text: text.into(),
        });
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
        if self.replaced.insert(begin) {
            self.delete(begin, end);
            self.before(begin, text);
        }
    }

    /// The text with all edits.
    pub(crate) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        let dropped = std::mem::take(&mut self.dropped);
        self.inserts.retain(|i| {
            let inside = |(begin, end): &(u32, u32)| {
                *begin < i.offset && i.offset < *end
                    || i.order == Order::Open
                        && i.offset == *begin
                        && i.text.starts_with("labrys_stub_")
            };
            !dropped.iter().any(inside)
        });
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

    fn applied(edits: Edits, text: &str) -> String {
        String::from_utf8(edits.apply(text.as_bytes())).unwrap()
    }

    #[test]
    fn nested_wraps_nest() {
        let text = "if (a&&b) c;";
        let mut edits = Edits::default();
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
        let mut edits = Edits::default();
        edits.delete(4, 9);
        edits.before(4, "<");
        edits.delete(10, 14);
        edits.after(15, ">");
        edits.delete(14, 15);
        assert_eq!(applied(edits, text), "x = <a\n>;");
    }

    #[test]
    fn an_insert_inside_a_deletion_survives() {
        let mut edits = Edits::default();
        edits.delete(1, 5);
        edits.before(3, "!");
        assert_eq!(applied(edits, "abcdef"), "a!f");
    }
}
