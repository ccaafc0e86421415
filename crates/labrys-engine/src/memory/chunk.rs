//! A chunk of an object: concrete bytes, which of them are plain, and symbolic spans. Snapshots
//! share chunks, so that a write to a large object copies one chunk and not the object.

use super::words::Word;
use labrys_expr::{Arena, ExprId};

/// Bytes in a chunk; the last chunk of an object may have fewer.
pub(crate) const CHUNK: usize = 1024;

/// A run of bytes that hold an expression of `8 * len` bits; never across chunks.
#[derive(Clone, Copy, Debug)]
struct Span {
    offset: u16,
    len: u16,
    expr: ExprId,
}

impl Span {
    fn end(&self) -> usize {
        usize::from(self.offset) + usize::from(self.len)
    }

    fn new(offset: usize, len: usize, expr: ExprId) -> Self {
        Span {
            offset: offset as u16,
            len: len as u16,
            expr,
        }
    }

    /// The part of it between two places of its chunk.
    fn part(&self, arena: &mut Arena, low: usize, high: usize) -> ExprId {
        let from = low - usize::from(self.offset);
        arena.extract(self.expr, from as u32 * 8, ((high - low) * 8) as u8)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Chunk {
    bytes: Box<[u8]>,
    /// One bit a byte: is it concrete and initialised? Empty if all are. A byte that is neither
    /// plain nor part of a span is uninitialised.
    plain: Vec<u64>,
    /// Sorted, not overlapping.
    spans: Vec<Span>,
}

/// Where the bytes of a chunk are, for the fast loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawChunk {
    pub(crate) bytes: *mut u8,
    pub(crate) len: u64,
    /// The bits of the plain bytes, null if all are plain.
    pub(crate) plain: *mut u64,
    /// There are symbolic bytes: one that is not plain must not be overwritten just so.
    pub(crate) spans: bool,
}

impl Chunk {
    pub(super) fn uninitialised(len: usize) -> Self {
        Chunk {
            bytes: vec![0; len].into(),
            plain: vec![0; len.div_ceil(64)],
            spans: Vec::new(),
        }
    }

    pub(super) fn filled(len: usize, byte: u8) -> Self {
        Chunk::of(vec![byte; len].into())
    }

    pub(super) fn of(bytes: Box<[u8]>) -> Self {
        Chunk {
            bytes,
            plain: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Is no byte initialised?
    pub(super) fn is_blank(&self) -> bool {
        self.spans.is_empty()
            && (self.bytes.is_empty()
                || !self.plain.is_empty() && self.plain.iter().all(|bits| *bits == 0))
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Where its bytes are, for reading only.
    pub(super) fn raw(&self) -> RawChunk {
        RawChunk {
            bytes: self.bytes.as_ptr().cast_mut(),
            len: self.bytes.len() as u64,
            plain: if self.plain.is_empty() {
                std::ptr::null_mut()
            } else {
                self.plain.as_ptr().cast_mut()
            },
            spans: !self.spans.is_empty(),
        }
    }

    /// Where its bytes are, for writing.
    pub(super) fn raw_mut(&mut self) -> RawChunk {
        self.settle();
        RawChunk {
            bytes: self.bytes.as_mut_ptr(),
            plain: if self.plain.is_empty() {
                std::ptr::null_mut()
            } else {
                self.plain.as_mut_ptr()
            },
            ..self.raw()
        }
    }

    /// Drops the bits if all bytes are plain.
    fn settle(&mut self) {
        let (whole, rest) = (self.len() / 64, self.len() % 64);
        if self.spans.is_empty()
            && !self.plain.is_empty()
            && self.plain[..whole].iter().all(|w| *w == u64::MAX)
            && (rest == 0 || self.plain[whole] == u64::MAX >> (64 - rest))
        {
            self.plain = Vec::new();
        }
    }

    /// Are these bytes concrete and initialised?
    #[inline(always)]
    pub(super) fn is_plain(&self, at: usize, len: usize) -> bool {
        self.plain.is_empty() || is_set(&self.plain, at, len)
    }

    /// Plain bytes.
    #[inline(always)]
    pub(super) fn bytes(&self, at: usize, len: usize) -> &[u8] {
        &self.bytes[at..at + len]
    }

    /// The four bytes from `at` on.
    pub(super) fn word(&self, at: usize) -> Word {
        let bytes = &self.bytes[at..at + 4];
        if self.is_plain(at, 4) {
            return Word::Plain(bytes.iter().rev().fold(0, |w, b| w << 8 | u32::from(*b)));
        }
        let span = self.spans.get(self.first_span(at));
        match span.is_some_and(|s| usize::from(s.offset) < at + 4) {
            true => Word::Symbolic,
            false => Word::Uninitialised,
        }
    }

    /// Calls `each` with the values of all pieces that are not the same in another chunk of this size.
    pub(super) fn differences(
        &self,
        other: &Chunk,
        arena: &mut Arena,
        each: &mut impl FnMut(&mut Arena, ExprId, ExprId),
    ) {
        let len = self.len();
        let mut at = 0;
        while at < len {
            let both_plain = self.is_plain(at, 1) && other.is_plain(at, 1);
            if both_plain && self.bytes[at] == other.bytes[at] {
                at += 1;
                continue;
            }
            let (_, end) = self.piece(arena, at, len);
            let (theirs, end) = other.piece(arena, at, end);
            let (ours, _) = self.piece(arena, at, end);
            if ours != theirs {
                each(arena, ours, theirs);
            }
            at = end;
        }
    }

    /// Calls `each` with the start and the end of all pieces that differ from those of another chunk.
    pub(super) fn different_bytes(
        &self,
        other: &Chunk,
        arena: &mut Arena,
        each: &mut impl FnMut(usize, usize),
    ) {
        let len = self.len();
        let mut at = 0;
        while at < len {
            let both_plain = self.is_plain(at, 1) && other.is_plain(at, 1);
            if both_plain && self.bytes[at] == other.bytes[at] {
                at += 1;
                continue;
            }
            let (_, end) = self.piece(arena, at, len);
            let (theirs, end) = other.piece(arena, at, end);
            let (ours, _) = self.piece(arena, at, end);
            if ours != theirs {
                each(at, end);
            }
            at = end;
        }
    }

    /// Writes concrete bytes.
    #[inline(always)]
    pub(super) fn put(&mut self, arena: &mut Arena, at: usize, bytes: &[u8]) {
        let len = bytes.len();
        self.bytes[at..at + len].copy_from_slice(bytes);
        if !self.spans.is_empty() {
            self.cut(arena, at, len);
        }
        if !self.plain.is_empty() {
            set(&mut self.plain, at, len, true);
        }
    }

    /// Overwrites bytes of a chunk that is all plain.
    pub(super) fn patch(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    pub(super) fn fill(&mut self, arena: &mut Arena, at: usize, len: usize, byte: u8) {
        self.bytes[at..at + len].fill(byte);
        self.cut(arena, at, len);
        if !self.plain.is_empty() {
            set(&mut self.plain, at, len, true);
            self.settle();
        }
    }

    /// Writes an expression whose width is a multiple of 8, and no constant.
    pub(super) fn put_expr(&mut self, arena: &mut Arena, at: usize, expr: ExprId) {
        let len = usize::from(arena.width(expr)) / 8;
        let place = self.cut(arena, at, len);
        self.spans.insert(place, Span::new(at, len, expr));
        self.set_plain(at, len, false);
    }

    /// The span that is just these bytes.
    #[inline]
    pub(super) fn span(&self, at: usize, len: usize) -> Option<ExprId> {
        let place = self.first_span(at);
        let span = self.spans.get(place)?;
        (usize::from(span.offset) == at && usize::from(span.len) == len).then_some(span.expr)
    }

    /// The longest piece from `at` and before `end` that is of one kind, and where it ends.
    pub(super) fn piece(&self, arena: &mut Arena, at: usize, end: usize) -> (ExprId, usize) {
        let span = self.spans.get(self.first_span(at)).copied();
        if let Some(span) = span.filter(|s| usize::from(s.offset) <= at) {
            let stop = end.min(span.end());
            return (span.part(arena, at, stop), stop);
        }
        let piece = if self.is_plain(at, 1) {
            arena.constant(8, self.bytes[at].into())
        } else {
            arena.uninit(8)
        };
        (piece, at + 1)
    }

    /// Copies a range of another chunk, symbolic parts included.
    pub(super) fn copy(
        &mut self,
        arena: &mut Arena,
        to: usize,
        source: &Chunk,
        from: usize,
        len: usize,
    ) {
        self.bytes[to..to + len].copy_from_slice(&source.bytes[from..from + len]);
        let mut place = self.cut(arena, to, len);
        if source.plain.is_empty() {
            if !self.plain.is_empty() {
                set(&mut self.plain, to, len, true);
            }
            return;
        }
        for i in 0..len {
            self.set_plain(to + i, 1, source.is_plain(from + i, 1));
        }
        for span in &source.spans[source.first_span(from)..] {
            if usize::from(span.offset) >= from + len {
                break;
            }
            let (low, high) = (from.max(span.offset.into()), span.end().min(from + len));
            let expr = span.part(arena, low, high);
            let copy = Span::new(to + (low - from), high - low, expr);
            self.spans.insert(place, copy);
            place += 1;
        }
    }

    pub(super) fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.spans.iter().map(|span| span.expr)
    }

    /// The offset and the length of every symbolic part.
    pub(super) fn symbolic_parts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let spans = self.spans.iter();
        spans.map(|span| (usize::from(span.offset), usize::from(span.len)))
    }

    /// Calls `visit` with the expressions that overlap a range.
    pub(super) fn exprs_between(&self, start: usize, end: usize, visit: &mut impl FnMut(ExprId)) {
        let spans = self.spans[self.first_span(start)..].iter();
        let inside = spans.take_while(|span| usize::from(span.offset) < end);
        inside.for_each(|span| visit(span.expr));
    }

    /// The first span that ends behind this place.
    #[inline]
    fn first_span(&self, at: usize) -> usize {
        self.spans.partition_point(|s| s.end() <= at)
    }

    fn set_plain(&mut self, at: usize, len: usize, value: bool) {
        if self.plain.is_empty() {
            if value {
                return;
            }
            self.plain = vec![u64::MAX; self.len().div_ceil(64)];
            // Bits behind the end stay clear, so that a full mask is known by its value.
            let rest = self.len() % 64;
            if rest != 0
                && let Some(last) = self.plain.last_mut()
            {
                *last = u64::MAX >> (64 - rest);
            }
        }
        set(&mut self.plain, at, len, value);
    }

    /// Removes spans from a range, keeping the parts outside it; returns where a span for the
    /// range would be inserted. What was symbolic in the range is not plain: the caller says what
    /// is there now.
    fn cut(&mut self, arena: &mut Arena, at: usize, len: usize) -> usize {
        let end = at + len;
        let first = self.first_span(at);
        let behind = self.spans[first..]
            .iter()
            .take_while(|s| usize::from(s.offset) < end)
            .count();
        if behind == 0 {
            return first;
        }
        let (head, tail) = (self.spans[first], self.spans[first + behind - 1]);
        let mut kept = Vec::with_capacity(2);
        let mut place = first;
        if usize::from(head.offset) < at {
            let low = usize::from(head.offset);
            kept.push(Span::new(low, at - low, head.part(arena, low, at)));
            place += 1;
        }
        if tail.end() > end {
            let high = tail.end();
            kept.push(Span::new(end, high - end, tail.part(arena, end, high)));
        }
        self.spans.splice(first..first + behind, kept);
        place
    }
}

#[inline(always)]
fn is_set(bits: &[u64], at: usize, len: usize) -> bool {
    if at % 64 + len <= 64 {
        let want = (u64::MAX >> (64 - len)) << (at % 64);
        return bits[at / 64] & want == want;
    }
    (at..at + len).all(|i| bits[i / 64] >> (i % 64) & 1 == 1)
}

/// Sets or clears a range of bits, at least one.
#[inline]
fn set(bits: &mut [u64], at: usize, len: usize, value: bool) {
    let (mut at, end) = (at, at + len);
    while at < end {
        let count = (64 - at % 64).min(end - at);
        let mask = (u64::MAX >> (64 - count)) << (at % 64);
        if value {
            bits[at / 64] |= mask;
        } else {
            bits[at / 64] &= !mask;
        }
        at += count;
    }
}
