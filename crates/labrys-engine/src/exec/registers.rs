//! Unchecked access to the registers of the current frame, for the fast loop only.
//!
//! Every register number in a [`crate::program::decode::FastCode`] was checked against the size of the
//! function's frame when it was decoded, and a frame always has that size.

use crate::memory::Slot;

#[derive(Clone, Copy)]
pub(super) struct Registers {
    first: *mut Slot,
    #[cfg(debug_assertions)]
    len: usize,
}

impl Registers {
    /// Valid until the frame is changed by anything else.
    #[inline(always)]
    pub(super) fn new(slots: &mut [Slot]) -> Self {
        Registers {
            first: slots.as_mut_ptr(),
            #[cfg(debug_assertions)]
            len: slots.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(self, register: u32) -> Slot {
        #[cfg(debug_assertions)]
        assert!((register as usize) < self.len);
        // SAFETY: see the head of this file.
        unsafe { *self.first.add(register as usize) }
    }

    #[inline(always)]
    pub(super) fn set(self, register: u32, value: Slot) {
        #[cfg(debug_assertions)]
        assert!((register as usize) < self.len);
        // SAFETY: see the head of this file.
        unsafe { *self.first.add(register as usize) = value }
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "register")]
    fn a_register_beyond_the_frame_is_caught() {
        let mut slots = vec![Slot::default(); 2];
        Registers::new(&mut slots).get(2);
    }
}
