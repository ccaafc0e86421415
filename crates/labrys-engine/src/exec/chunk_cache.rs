//! A small cache of the chunks that the fast loop accessed last: where their bytes are. It spares
//! the way through pages and reference counts, and is emptied whenever the loop is left, since
//! anything else may change the memory or share it with a snapshot.

use crate::memory::{CHUNK, Memory, RawChunk, split};

const LINES: usize = 64;
const CHUNK_BITS: u32 = CHUNK.trailing_zeros();

/// One chunk. Aligned, so that its place in the array is a shift.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheLine {
    /// The number of the chunk in the address space.
    tag: u64,
    /// The same if it may be written.
    write_tag: u64,
    bytes: *mut u8,
    /// Its size if all of its bytes are plain, else 0: then `chunk` has to be asked.
    plain_len: u64,
    chunk: RawChunk,
}

/// No address has this number.
const NO_TAG: u64 = u64::MAX;

const EMPTY: CacheLine = CacheLine {
    tag: NO_TAG,
    write_tag: NO_TAG,
    bytes: std::ptr::null_mut(),
    plain_len: 0,
    chunk: RawChunk {
        bytes: std::ptr::null_mut(),
        len: 0,
        plain: std::ptr::null_mut(),
        spans: false,
    },
};

pub(crate) struct ChunkCache {
    lines: [CacheLine; LINES],
    /// The lines that are not empty.
    used: Vec<u8>,
    /// Nothing may be written here: somebody wants to look at every write.
    locked: bool,
}

impl ChunkCache {
    pub(crate) fn new() -> Self {
        ChunkCache {
            lines: [EMPTY; LINES],
            used: Vec::with_capacity(LINES),
            locked: false,
        }
    }

    pub(super) fn lock(&mut self, locked: bool) {
        self.clear();
        self.locked = locked;
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if !self.used.is_empty() {
            self.empty();
        }
    }

    #[inline(never)]
    fn empty(&mut self) {
        for place in self.used.drain(..) {
            let line = &mut self.lines[usize::from(place) % LINES];
            line.tag = NO_TAG;
            line.write_tag = NO_TAG;
        }
    }

    /// Up to 8 concrete bytes; `None` if anything is special about them.
    #[inline(always)]
    pub(super) fn read(&mut self, memory: &mut Memory, address: u64, len: u8) -> Option<u64> {
        let mut line = &self.lines[place(address)];
        if line.tag != address >> CHUNK_BITS {
            line = self.fill(memory, address, false)?;
        }
        let offset = address % CHUNK as u64;
        if offset + u64::from(len) > line.plain_len && !may_read(&line.chunk, offset, len) {
            return None;
        }
        // SAFETY: the bytes are within the chunk, and the line was filled after the last change
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
        let mut line = &self.lines[place(address)];
        if line.write_tag != address >> CHUNK_BITS {
            match self.fill(memory, address, true) {
                Some(filled) => line = filled,
                None => return false,
            }
        }
        let offset = address % CHUNK as u64;
        if offset + u64::from(len) > line.plain_len && !may_write(&line.chunk, offset, len) {
            return false;
        }
        // SAFETY: as in `read`; a line with a tag for writing is of a chunk that nothing else
        // shares.
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

    /// Looks the chunk up and remembers it. Making it writable may move it, but there is never
    /// more than one line of a chunk, which is replaced here; other chunks of its object stay
    /// where they are.
    #[cold]
    fn fill(&mut self, memory: &mut Memory, address: u64, write: bool) -> Option<&CacheLine> {
        let (id, offset) = split(address);
        let object = memory.object(id)?;
        if object.is_watched()
            || object.is_guarded()
            || (write && (self.locked || object.is_constant()))
        {
            return None;
        }
        let chunk = if write {
            memory.object_mut(id)?.raw_mut(offset)?
        } else {
            object.raw(offset)?
        };
        let place = place(address);
        let line = &mut self.lines[place];
        if line.tag == NO_TAG {
            self.used.push(place as u8);
        }
        let tag = address >> CHUNK_BITS;
        *line = CacheLine {
            tag,
            write_tag: if write { tag } else { NO_TAG },
            bytes: chunk.bytes,
            plain_len: if chunk.plain.is_null() { chunk.len } else { 0 },
            chunk,
        };
        Some(line)
    }
}

/// Are all these bytes in bounds and plain?
#[inline(never)]
fn may_read(chunk: &RawChunk, offset: u64, len: u8) -> bool {
    if offset + u64::from(len) > chunk.len || chunk.plain.is_null() {
        return false;
    }
    // SAFETY: the bytes are in bounds, and there is a bit for each byte of the chunk.
    unsafe { is_plain(chunk.plain, offset, len) }
}

/// The same; bytes that were not initialised become plain.
#[inline(never)]
fn may_write(chunk: &RawChunk, offset: u64, len: u8) -> bool {
    if may_read(chunk, offset, len) {
        return true;
    }
    if offset + u64::from(len) > chunk.len || chunk.plain.is_null() || chunk.spans {
        return false;
    }
    // SAFETY: as in `may_read`, and the chunk is one that may be written.
    unsafe { make_plain(chunk.plain, offset, len) };
    true
}

/// The line of an address: neighbouring objects and neighbouring chunks have different ones.
#[inline(always)]
fn place(address: u64) -> usize {
    ((address >> CHUNK_BITS) ^ (address >> 40)) as usize % LINES
}

/// Are up to 8 bytes plain?
///
/// # Safety
/// There is a bit for each of the bytes, in words of 64.
#[inline(always)]
unsafe fn is_plain(bits: *const u64, offset: u64, len: u8) -> bool {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let want = u64::MAX >> (64 - u32::from(len));
    // SAFETY: the caller's promise; the second word is there if the bytes reach into it.
    unsafe {
        let mut have = *bits.add(word) >> shift;
        if shift + u64::from(len) > 64 {
            have |= *bits.add(word + 1) << (64 - shift);
        }
        have & want == want
    }
}

/// # Safety
/// As for [`is_plain`].
#[inline(always)]
unsafe fn make_plain(bits: *mut u64, offset: u64, len: u8) {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let these = u64::MAX >> (64 - u32::from(len));
    // SAFETY: as above.
    unsafe {
        *bits.add(word) |= these << shift;
        if shift + u64::from(len) > 64 {
            *bits.add(word + 1) |= these >> (64 - shift);
        }
    }
}
