//! A small cache of the objects that the fast loop accessed last: where their bytes are. It spares
//! the way through pages and reference counts, and is emptied whenever the loop is left, since
//! anything else may change the memory or share it with a snapshot.

use crate::address::split;
use crate::memory::Memory;

const LINES: usize = 16;

#[derive(Clone, Copy)]
struct Line {
    object: u32,
    writable: bool,
    size: u64,
    bytes: *mut u8,
}

const EMPTY: Line = Line {
    object: u32::MAX,
    writable: false,
    size: 0,
    bytes: std::ptr::null_mut(),
};

pub(crate) struct Windows {
    lines: [Line; LINES],
    used: bool,
}

impl Windows {
    pub(crate) fn new() -> Self {
        Windows {
            lines: [EMPTY; LINES],
            used: false,
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if self.used {
            self.lines = [EMPTY; LINES];
            self.used = false;
        }
    }

    /// Up to 8 concrete bytes; `None` if anything is special about them.
    #[inline(always)]
    pub(super) fn read(&mut self, memory: &mut Memory, address: u64, len: u8) -> Option<u64> {
        let (id, offset) = split(address);
        let mut line = self.lines[id.index() % LINES];
        if line.object != id.0 {
            line = self.fill(memory, address, false)?;
        }
        if offset >= line.size || line.size - offset < u64::from(len) {
            return None;
        }
        // SAFETY: the bytes are within the object, and the line was filled after the last change
        // of the memory by anything but `write` below.
        unsafe {
            let at = line.bytes.add(offset as usize);
            Some(match len {
                1 => u64::from(*at),
                2 => u64::from(at.cast::<u16>().read_unaligned()),
                4 => u64::from(at.cast::<u32>().read_unaligned()),
                8 => at.cast::<u64>().read_unaligned(),
                _ => {
                    let mut value = [0u8; 8];
                    std::ptr::copy_nonoverlapping(at, value.as_mut_ptr(), len.into());
                    u64::from_le_bytes(value)
                }
            })
        }
    }

    /// Writes up to 8 concrete bytes; false if anything is special about the place.
    #[inline(always)]
    pub(super) fn write(&mut self, memory: &mut Memory, address: u64, len: u8, value: u64) -> bool {
        let (id, offset) = split(address);
        let mut line = self.lines[id.index() % LINES];
        if line.object != id.0 || !line.writable {
            match self.fill(memory, address, true) {
                Some(filled) => line = filled,
                None => return false,
            }
        }
        if offset >= line.size || line.size - offset < u64::from(len) {
            return false;
        }
        // SAFETY: as in `read`; a writable line is of an object that nothing else shares.
        unsafe {
            let at = line.bytes.add(offset as usize);
            match len {
                1 => *at = value as u8,
                2 => at.cast::<u16>().write_unaligned(value as u16),
                4 => at.cast::<u32>().write_unaligned(value as u32),
                8 => at.cast::<u64>().write_unaligned(value),
                _ => {
                    std::ptr::copy_nonoverlapping(value.to_le_bytes().as_ptr(), at, len.into());
                }
            }
        }
        true
    }

    /// Looks the object up and remembers it. Making it writable may move it, but there is never
    /// more than one line of an object, which is replaced here.
    #[cold]
    fn fill(&mut self, memory: &mut Memory, address: u64, write: bool) -> Option<Line> {
        let id = split(address).0;
        let object = memory.object(id)?;
        if !object.is_all_plain() || (write && object.is_constant()) {
            return None;
        }
        let (size, bytes) = if write {
            memory.object_mut(id)?.raw_bytes()
        } else {
            let bytes = object.bytes();
            (bytes.len() as u64, bytes.as_ptr().cast_mut())
        };
        let line = Line {
            object: id.0,
            writable: write,
            size,
            bytes,
        };
        self.lines[id.index() % LINES] = line;
        self.used = true;
        Some(line)
    }
}
