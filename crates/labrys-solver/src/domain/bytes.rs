//! Sets of values of a variable of at most eight bits, as 256 bits: intersection, removal and the
//! lowest member.

use labrys_expr::mask;

/// The values that a small variable may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: ByteSet = ByteSet([0; 4]);

    /// All values of `width` bits, at most 8.
    pub(crate) fn full(width: u8) -> ByteSet {
        match width {
            8 => ByteSet([u64::MAX; 4]),
            7 => ByteSet([u64::MAX, u64::MAX, 0, 0]),
            _ => ByteSet([mask(1 << width) as u64, 0, 0, 0]),
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    #[inline]
    pub(crate) fn intersect(self, other: ByteSet) -> ByteSet {
        let (a, b) = (self.0, other.0);
        ByteSet([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    #[inline]
    pub(crate) fn without(self, other: ByteSet) -> ByteSet {
        let (a, b) = (self.0, other.0);
        ByteSet([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    /// The smallest value.
    #[inline]
    pub(crate) fn lowest(self) -> Option<u64> {
        let word = self.0.iter().position(|&w| w != 0)?;
        Some(word as u64 * 64 + u64::from(self.0[word].trailing_zeros()))
    }

    /// Its value if there is only one.
    pub(crate) fn only(self) -> Option<u64> {
        let count: u32 = self.0.iter().map(|w| w.count_ones()).sum();
        self.lowest().filter(|_| count == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_sets_have_the_right_size() {
        for width in 1..=8u8 {
            let set = ByteSet::full(width);
            let count: u32 = set.0.iter().map(|w| w.count_ones()).sum();
            assert_eq!(count, 1 << width);
        }
    }

    #[test]
    fn lowest_of_the_last_value() {
        let mut set = ByteSet::EMPTY;
        assert_eq!(set.lowest(), None);
        set.insert(255);
        assert_eq!(set.lowest(), Some(255));
        assert_eq!(ByteSet::full(8).without(set).intersect(set), ByteSet::EMPTY);
    }
}
