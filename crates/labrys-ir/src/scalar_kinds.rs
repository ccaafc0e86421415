//! Which kinds of scalars an object holds, as far as C's rule of effective types tells them apart:
//! a store through a pointer to one kind cannot change scalars of another kind, except that
//! characters stand for the bytes of everything.

use std::fmt;

/// A set of kinds of scalars. Its text has one letter for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct ScalarKinds(u16);

/// Letter and size in bytes of each kind. Integers of one size are one kind: signed and unsigned
/// variants may stand for each other, and so may enumerations and their integer types.
const KINDS: [(char, u64); 9] = [
    ('c', 1),
    ('s', 2),
    ('i', 4),
    ('l', 8),
    ('f', 4),
    ('d', 8),
    ('x', 10),
    ('p', 8),
    ('u', 0),
];

impl ScalarKinds {
    pub const NONE: ScalarKinds = ScalarKinds(0);
    /// Characters: they stand for the bytes of everything.
    pub const BYTES: ScalarKinds = ScalarKinds(1);
    /// Scalars of which nothing is known, such as those of a union.
    pub const UNKNOWN: ScalarKinds = ScalarKinds(1 << (KINDS.len() - 1));

    /// The set with one kind.
    pub fn of(letter: char) -> ScalarKinds {
        let index = KINDS.iter().position(|(l, _)| *l == letter);
        index.map_or(ScalarKinds::UNKNOWN, |index| ScalarKinds(1 << index))
    }

    pub fn parse(letters: &str) -> ScalarKinds {
        letters
            .chars()
            .fold(ScalarKinds::NONE, |set, l| set.with(ScalarKinds::of(l)))
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub fn with(self, other: ScalarKinds) -> ScalarKinds {
        ScalarKinds(self.0 | other.0)
    }

    /// What an access of so many bytes to an object of these kinds may mean. An access that fits
    /// none of them looks at the object as bytes.
    #[must_use]
    pub fn accessed(self, bytes: u64) -> ScalarKinds {
        let of_size = KINDS.iter().enumerate().filter(|(_, (_, b))| *b == bytes);
        let fitting = of_size.fold(self.0 & ScalarKinds::UNKNOWN.0, |set, (i, _)| {
            set | self.0 & 1 << i
        });
        match fitting {
            0 => ScalarKinds::BYTES,
            kinds => ScalarKinds(kinds),
        }
    }

    /// May a scalar of the one set lie on a scalar of the other?
    pub fn may_overlap(self, other: ScalarKinds) -> bool {
        let anything = ScalarKinds::BYTES.0 | ScalarKinds::UNKNOWN.0;
        let any = (self.0 | other.0) & anything != 0;
        self.0 & other.0 != 0 || any && !self.is_empty() && !other.is_empty()
    }
}

impl fmt::Display for ScalarKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = KINDS.iter().enumerate();
        let mut letters = letters.filter(|(i, _)| self.0 & 1 << i != 0);
        letters.try_for_each(|(_, (letter, _))| write!(f, "{letter}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_kind_and_bytes_overlap() {
        let (int, pointer) = (ScalarKinds::of('i'), ScalarKinds::of('p'));
        assert!(int.may_overlap(int.with(pointer)));
        assert!(!int.may_overlap(pointer));
        assert!(int.may_overlap(ScalarKinds::BYTES));
        assert!(!ScalarKinds::NONE.may_overlap(ScalarKinds::BYTES));
    }

    #[test]
    fn the_size_of_an_access_says_which_member_it_means() {
        let node = ScalarKinds::parse("ip");
        assert_eq!(node.accessed(4), ScalarKinds::of('i'));
        assert_eq!(node.accessed(8), ScalarKinds::of('p'));
        assert_eq!(node.accessed(1), ScalarKinds::BYTES);
        assert_eq!(ScalarKinds::BYTES.accessed(4), ScalarKinds::BYTES);
        assert_eq!(node.to_string(), "ip");
        // A union beside an int: four bytes may be a float.
        let beside = ScalarKinds::parse("iu");
        assert!(beside.accessed(4).may_overlap(ScalarKinds::of('f')));
        assert!(
            !ScalarKinds::parse("ci")
                .accessed(4)
                .may_overlap(ScalarKinds::of('f'))
        );
    }
}
