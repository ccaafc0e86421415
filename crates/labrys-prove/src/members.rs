//! A small set of numbers, named one by one: the states of a machine lie far apart, so that an
//! interval says little about them.

/// At most 16 numbers are named; more cost time and have not proved more.
pub(crate) const MAX_MEMBERS: usize = 16;

/// Numbers in ascending order; none if they are not named. Unused slots are zero, so that equal sets
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members {
    count: u8,
    numbers: [u64; MAX_MEMBERS],
}

impl Members {
    pub(crate) const UNKNOWN: Members = Members {
        count: 0,
        numbers: [0; MAX_MEMBERS],
    };

    pub(crate) fn one(number: u64) -> Members {
        let mut members = Members::UNKNOWN;
        members.count = 1;
        members.numbers[0] = number;
        members
    }

    /// The numbers, if they are named.
    pub(crate) fn get(&self) -> Option<&[u64]> {
        (self.count > 0).then(|| &self.numbers[..self.count.into()])
    }

    /// The set of these numbers, which ascend; unknown if they are too many or none.
    pub(crate) fn of(numbers: impl Iterator<Item = u64>) -> Members {
        let mut members = Members::UNKNOWN;
        for number in numbers {
            if usize::from(members.count) == MAX_MEMBERS {
                return Members::UNKNOWN;
            }
            members.numbers[usize::from(members.count)] = number;
            members.count += 1;
        }
        members
    }

    pub(crate) fn union(&self, other: &Members) -> Members {
        let (Some(mut a), Some(mut b)) = (self.get(), other.get()) else {
            return Members::UNKNOWN;
        };
        let next = || {
            let number = match (a.first(), b.first()) {
                (Some(x), Some(y)) => *x.min(y),
                (Some(x), None) | (None, Some(x)) => *x,
                (None, None) => return None,
            };
            let rest = |all: &mut &[u64]| {
                if all.first() == Some(&number) {
                    *all = &all[1..];
                }
            };
            rest(&mut a);
            rest(&mut b);
            Some(number)
        };
        Members::of(std::iter::from_fn(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_sorted_and_bounded() {
        let set = |numbers: &[u64]| Members::of(numbers.iter().copied());
        let union = set(&[1, 5, 9]).union(&set(&[0, 5, 7]));
        assert_eq!(union.get(), Some(&[0, 1, 5, 7, 9][..]));
        let many = Members::of(0..16);
        assert_eq!(many.get().map(<[u64]>::len), Some(16));
        assert_eq!(many.union(&set(&[3])), many);
        assert_eq!(many.union(&set(&[16])).get(), None);
        assert_eq!(many.union(&Members::UNKNOWN).get(), None);
    }
}
