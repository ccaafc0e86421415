//! Addresses. The number of the object is in the high bits, a signed offset in the low ones, so
//! every object is surrounded by guard gaps of half a terabyte and an address that runs out of
//! its object still tells which one it came from.

/// Number of an object: a global, a stack or heap object, a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId(pub(crate) u32);

const OFFSET_BITS: u32 = 40;
/// The distance from an object up to which an address belongs to it.
pub(crate) const HALF: u64 = 1 << (OFFSET_BITS - 1);

/// The largest object number: addresses stay positive as signed numbers.
pub(crate) const MAX_OBJECT: u32 = (1 << 23) - 1;

impl ObjectId {
    /// What the null pointer and everything near it belongs to.
    pub(crate) const NULL: ObjectId = ObjectId(0);

    #[inline(always)]
    pub(crate) fn base(self) -> u64 {
        u64::from(self.0) << OFFSET_BITS
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The object that an address belongs to, in bounds or not, and the offset (negative ones wrap).
#[inline(always)]
pub(crate) fn split(address: u64) -> (ObjectId, u64) {
    let object = ObjectId((address.wrapping_add(HALF) >> OFFSET_BITS) as u32);
    (object, address.wrapping_sub(object.base()))
}
