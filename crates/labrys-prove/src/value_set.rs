//! What is known about the value of a register: an unsigned interval, a signed interval, known bits
//! and, if they are few, the numbers one by one. Each sharpens the others. A value of more than 64
//! bits is not tracked.

use crate::members::Members;

/// All numbers of a range of up to 16 are named.
const NAMED_RANGE: u64 = 16;

/// A set of bit-vectors of one width. Never empty: what could become empty returns an `Option`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSet {
    pub width: u8,
    pub umin: u64,
    pub umax: u64,
    pub smin: i64,
    pub smax: i64,
    /// Bits that are 0 in every member.
    pub zeros: u64,
    /// Bits that are 1 in every member.
    pub ones: u64,
    /// All members, if they are few.
    pub members: Members,
}

/// The widest value that is tracked.
pub(crate) const MAX_WIDTH: u8 = 64;

pub(crate) fn mask(width: u8) -> u64 {
    if width >= MAX_WIDTH {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

fn sign_bit(width: u8) -> u64 {
    1 << (width.min(MAX_WIDTH) - 1)
}

/// The bits of a number of this width as a signed number.
pub(crate) fn signed(width: u8, bits: u64) -> i64 {
    let unused = u32::from(MAX_WIDTH - width.min(MAX_WIDTH));
    ((bits << unused) as i64) >> unused
}

pub(crate) fn signed_limits(width: u8) -> (i64, i64) {
    let most = (mask(width) >> 1) as i64;
    (-most - 1, most)
}

impl ValueSet {
    pub fn top(width: u8) -> ValueSet {
        let (smin, smax) = signed_limits(width);
        ValueSet {
            width,
            umin: 0,
            umax: mask(width),
            smin,
            smax,
            zeros: 0,
            ones: 0,
            members: Members::UNKNOWN,
        }
    }

    /// One number; a top value if it is too wide to be tracked.
    pub fn constant(width: u8, bits: u64) -> ValueSet {
        if width > MAX_WIDTH {
            return ValueSet::top(width);
        }
        let bits = bits & mask(width);
        let number = signed(width, bits);
        ValueSet {
            width,
            umin: bits,
            umax: bits,
            smin: number,
            smax: number,
            zeros: !bits & mask(width),
            ones: bits,
            members: Members::one(bits),
        }
    }

    pub fn truth(value: Option<bool>) -> ValueSet {
        match value {
            Some(value) => ValueSet::constant(1, value.into()),
            None => ValueSet::top(1),
        }
    }

    /// The numbers from `low` to `high`, without a sign.
    pub fn unsigned(width: u8, low: u64, high: u64) -> Option<ValueSet> {
        let mut value = ValueSet::top(width);
        if width > MAX_WIDTH {
            return Some(value);
        }
        value.umin = low;
        value.umax = high.min(mask(width));
        value.reduced()
    }

    /// The numbers from `low` to `high`, with a sign.
    pub fn signed(width: u8, low: i64, high: i64) -> Option<ValueSet> {
        let mut value = ValueSet::top(width);
        if width > MAX_WIDTH {
            return Some(value);
        }
        value.smin = value.smin.max(low);
        value.smax = value.smax.min(high);
        value.reduced()
    }

    /// The numbers with these bits.
    pub fn bits(width: u8, zeros: u64, ones: u64) -> Option<ValueSet> {
        let mut value = ValueSet::top(width);
        if width > MAX_WIDTH {
            return Some(value);
        }
        value.zeros = zeros & mask(width);
        value.ones = ones & mask(width);
        value.reduced()
    }

    /// Every number but zero.
    pub fn not_zero(width: u8) -> ValueSet {
        ValueSet::unsigned(width, 1, mask(width)).unwrap_or(ValueSet::top(width))
    }

    pub fn is_tracked(&self) -> bool {
        self.width <= MAX_WIDTH
    }

    pub fn is_top(&self) -> bool {
        *self == ValueSet::top(self.width)
    }

    pub fn as_constant(&self) -> Option<u64> {
        (self.is_tracked() && self.umin == self.umax).then_some(self.umin)
    }

    /// Whether it is zero, if that is known.
    pub fn is_zero(&self) -> Option<bool> {
        if !self.is_tracked() {
            None
        } else if self.umax == 0 {
            Some(true)
        } else if self.umin > 0 || self.smin > 0 || self.smax < 0 {
            Some(false)
        } else {
            None
        }
    }

    pub fn contains(&self, bits: u64) -> bool {
        let number = signed(self.width, bits);
        !self.is_tracked()
            || (self.umin <= bits
                && bits <= self.umax
                && self.smin <= number
                && number <= self.smax
                && bits & self.zeros == 0
                && bits & self.ones == self.ones
                && self
                    .members
                    .get()
                    .is_none_or(|all| all.binary_search(&bits).is_ok()))
    }

    /// What both have in common; none if that is nothing.
    pub fn meet(&self, other: &ValueSet) -> Option<ValueSet> {
        if !self.is_tracked() || !other.is_tracked() || self.width != other.width {
            return Some(*self);
        }
        if self == other {
            return Some(*self);
        }
        ValueSet {
            width: self.width,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            members: match (self.members.get(), other.members.get()) {
                (Some(these), Some(others)) => {
                    let both = these.iter().copied();
                    let both = Members::of(both.filter(|n| others.binary_search(n).is_ok()));
                    both.get()?;
                    both
                }
                (Some(_), None) => self.members,
                _ => other.members,
            },
        }
        .reduced()
    }

    /// The smallest set that holds both.
    pub fn join(&self, other: &ValueSet) -> ValueSet {
        if !self.is_tracked() || self.width != other.width {
            return ValueSet::top(self.width);
        }
        ValueSet {
            width: self.width,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            members: self.members.union(&other.members),
        }
    }

    /// The same without a number.
    pub(crate) fn without(&self, number: u64) -> Option<ValueSet> {
        let Some(all) = self.members.get() else {
            return Some(*self);
        };
        let members = Members::of(all.iter().copied().filter(|n| *n != number));
        members.get()?;
        ValueSet { members, ..*self }.reduced()
    }

    /// These numbers; none if they are too many to be named.
    pub(crate) fn of_numbers(width: u8, mut numbers: Vec<u64>) -> Option<ValueSet> {
        numbers.sort_unstable();
        numbers.dedup();
        let members = Members::of(numbers.into_iter());
        members.get()?;
        let top = ValueSet::top(width);
        ValueSet { members, ..top }.named()
    }

    /// `self` has grown to `next`: the bounds that moved go on to the next of the thresholds, which
    /// are sorted, or to the end of the type. Known bits that changed are given up. A small set may
    /// grow by constants of the program.
    pub fn widen(&self, next: &ValueSet, thresholds: &WideningThresholds) -> ValueSet {
        if !self.is_tracked() || self.width != next.width {
            return ValueSet::top(self.width);
        }
        let top = ValueSet::top(self.width);
        let mut wide = self.join(next);
        if let Some(all) = wide.members.get()
            && (all.iter()).all(|n| self.contains(*n) || thresholds.has_constant(self.width, *n))
        {
            return wide;
        }
        wide.members = Members::UNKNOWN;
        if wide.umin < self.umin {
            wide.umin = thresholds.below(wide.umin);
        }
        if wide.umax > self.umax {
            wide.umax = thresholds.above(wide.umax).min(top.umax);
        }
        if wide.smin < self.smin {
            wide.smin = thresholds.signed_below(wide.smin).max(top.smin);
        }
        if wide.smax > self.smax {
            wide.smax = thresholds.signed_above(wide.smax).min(top.smax);
        }
        if wide.zeros != self.zeros || wide.ones != self.ones {
            wide.zeros = 0;
            wide.ones = 0;
        }
        // The parts are left as they are: to sharpen them would undo the widening.
        wide
    }

    /// Lets every part sharpen the others.
    fn reduced(mut self) -> Option<ValueSet> {
        let (all, sign) = (mask(self.width), sign_bit(self.width));
        for _ in 0..3 {
            let before = self;
            if self.umin > self.umax || self.smin > self.smax || self.zeros & self.ones != 0 {
                return None;
            }
            // Bits to bounds.
            self.umin = self.umin.max(self.ones);
            self.umax = self.umax.min(all & !self.zeros);
            let (least, most) = if (self.zeros | self.ones) & sign != 0 {
                (self.ones, all & !self.zeros)
            } else {
                (self.ones | sign, all & !self.zeros & !sign)
            };
            self.smin = self.smin.max(signed(self.width, least));
            self.smax = self.smax.min(signed(self.width, most));
            if self.umin > self.umax || self.smin > self.smax {
                return None;
            }
            // One half of the numbers has the same order with and without a sign.
            if self.umin & sign == self.umax & sign {
                self.smin = self.smin.max(signed(self.width, self.umin));
                self.smax = self.smax.min(signed(self.width, self.umax));
            }
            if self.smin > self.smax {
                return None;
            }
            if (self.smin < 0) == (self.smax < 0) {
                self.umin = self.umin.max(self.smin as u64 & all);
                self.umax = self.umax.min(self.smax as u64 & all);
            }
            if self.umin > self.umax {
                return None;
            }
            // The leading bits in which the bounds agree are known.
            let differing = self.umin ^ self.umax;
            let known = match differing {
                0 => all,
                _ => all & !(u64::MAX >> differing.leading_zeros()),
            };
            self.ones |= self.umin & known;
            self.zeros |= !self.umin & known;
            if self == before {
                break;
            }
        }
        if self.zeros & self.ones != 0 {
            return None;
        }
        self.named()
    }

    /// Names the members if they are few, and lets them sharpen the rest.
    fn named(mut self) -> Option<ValueSet> {
        let few = NAMED_RANGE;
        let known = ValueSet {
            members: Members::UNKNOWN,
            ..self
        };
        let inside = |n: &u64| known.contains(*n);
        self.members = if let Some(all) = self.members.get() {
            Members::of(all.iter().copied().filter(inside))
        } else if self.umax - self.umin < few {
            Members::of((self.umin..=self.umax).filter(inside))
        } else if (self.smax.wrapping_sub(self.smin) as u64) < few {
            let all = mask(self.width);
            // Ascending without a sign: those that are not negative come first.
            let positive = (self.smin.max(0)..=self.smax).map(|n| n as u64 & all);
            let negative = (self.smin..=self.smax.min(-1)).map(|n| n as u64 & all);
            Members::of(positive.chain(negative).filter(inside))
        } else {
            return Some(self);
        };
        let all = self.members.get()?;
        let signed_all = || all.iter().map(|n| signed(self.width, *n));
        let (first, last) = (*all.first()?, *all.last()?);
        let (least, most) = (signed_all().min()?, signed_all().max()?);
        let ones = all.iter().fold(u64::MAX, |bits, n| bits & n) & mask(self.width);
        let zeros = all.iter().fold(u64::MAX, |bits, n| bits & !n) & mask(self.width);
        (self.umin, self.umax) = (first, last);
        (self.smin, self.smax) = (least, most);
        (self.ones, self.zeros) = (ones, zeros);
        Some(self)
    }
}

/// The numbers at which widening stops first: the constants of a function and their neighbours.
#[derive(Clone, Debug, Default)]
pub struct WideningThresholds {
    /// The constants themselves with their widths.
    constants: Vec<(u8, u64)>,
    unsigned: Vec<u64>,
    signed: Vec<i64>,
}

impl WideningThresholds {
    pub fn new(constants: impl Iterator<Item = (u8, u64)>) -> WideningThresholds {
        let mut thresholds = WideningThresholds::default();
        for (width, bits) in constants {
            thresholds.constants.push((width, bits & mask(width)));
            for near in [bits.wrapping_sub(1), bits, bits.wrapping_add(1)] {
                thresholds.unsigned.push(near & mask(width));
                thresholds.signed.push(signed(width, near));
            }
        }
        thresholds.signed.extend([-1, 0, 1]);
        thresholds.constants.sort_unstable();
        thresholds.constants.dedup();
        thresholds.unsigned.sort_unstable();
        thresholds.unsigned.dedup();
        thresholds.signed.sort_unstable();
        thresholds.signed.dedup();
        thresholds
    }

    fn has_constant(&self, width: u8, bits: u64) -> bool {
        self.constants.binary_search(&(width, bits)).is_ok()
    }

    fn below(&self, number: u64) -> u64 {
        let at = self.unsigned.partition_point(|t| *t <= number);
        at.checked_sub(1).map_or(0, |i| self.unsigned[i])
    }

    fn above(&self, number: u64) -> u64 {
        let at = self.unsigned.partition_point(|t| *t < number);
        self.unsigned.get(at).copied().unwrap_or(u64::MAX)
    }

    fn signed_below(&self, number: i64) -> i64 {
        let at = self.signed.partition_point(|t| *t <= number);
        at.checked_sub(1).map_or(i64::MIN, |i| self.signed[i])
    }

    fn signed_above(&self, number: i64) -> i64 {
        let at = self.signed.partition_point(|t| *t < number);
        self.signed.get(at).copied().unwrap_or(i64::MAX)
    }
}
