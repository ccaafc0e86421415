//! An object of memory: concrete bytes, which of them are initialised, and symbolic spans.

use labrys_expr::{Arena, ExprId};
use std::rc::Rc;

/// A run of bytes that hold an expression of `8 * len` bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) offset: u32,
    pub(crate) len: u32,
    pub(crate) expr: ExprId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Global,
    Stack,
    Heap,
}

/// Facts about an object that never change while it lives, but for what a harness says of it.
#[derive(Clone, Debug)]
pub(crate) struct Info {
    pub(crate) region: Region,
    pub(crate) constant: bool,
    /// Byte width of its scalars where they are all the same, else 0.
    pub(crate) element: u32,
    /// The size is a guess of the harness, raised by this option.
    pub(crate) guess: Option<Rc<str>>,
    /// Bytes that only the harness forces: start, end, the option that raises the limit.
    pub(crate) limits: Vec<(u32, u32, Rc<str>)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    bytes: Vec<u8>,
    /// One bit a byte; empty if all bytes are initialised.
    init: Vec<u64>,
    /// Sorted, not overlapping.
    spans: Vec<Span>,
    pub(crate) info: Rc<Info>,
    /// There are limits: every read must look at them.
    watched: bool,
}

/// What a read found.
pub(crate) enum Read {
    Concrete(u64),
    Symbolic(ExprId),
}

impl Object {
    /// A new object; `initialised` ones are zero.
    pub(crate) fn new(size: u64, initialised: bool, info: Rc<Info>) -> Self {
        let size = size as usize;
        let init = if initialised {
            Vec::new()
        } else {
            vec![0; size.div_ceil(64)]
        };
        Object {
            bytes: vec![0; size],
            init,
            spans: Vec::new(),
            info,
            watched: false,
        }
    }

    pub(crate) fn with_bytes(bytes: Vec<u8>, info: Rc<Info>) -> Self {
        Object {
            bytes,
            init: Vec::new(),
            spans: Vec::new(),
            info,
            watched: false,
        }
    }

    #[inline(always)]
    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    #[inline(always)]
    pub(crate) fn is_constant(&self) -> bool {
        self.info.constant
    }

    pub(crate) fn watch(&mut self, start: u32, end: u32, flag: &Rc<str>) {
        Rc::make_mut(&mut self.info)
            .limits
            .push((start, end, flag.clone()));
        self.watched = true;
    }

    pub(crate) fn set_guess(&mut self, flag: &Rc<str>) {
        Rc::make_mut(&mut self.info).guess = Some(flag.clone());
    }

    /// The limits that a read of these bytes touches.
    pub(crate) fn touched(&self, offset: u64, len: u64) -> impl Iterator<Item = &Rc<str>> {
        let limits: &[_] = if self.watched { &self.info.limits } else { &[] };
        limits
            .iter()
            .filter(move |(start, end, _)| {
                u64::from(*start) < offset + len && offset < u64::from(*end)
            })
            .map(|(_, _, flag)| flag)
    }

    /// Are all bytes concrete, initialised and without limits?
    pub(crate) fn is_all_plain(&self) -> bool {
        self.spans.is_empty() && !self.watched && self.is_all_init()
    }

    fn is_all_init(&self) -> bool {
        let (whole, rest) = (self.bytes.len() / 64, self.bytes.len() % 64);
        self.init.is_empty()
            || (self.init[..whole].iter().all(|w| *w == u64::MAX)
                && (rest == 0 || self.init[whole] == u64::MAX >> (64 - rest)))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Size and bytes of an object that is all plain, for writing.
    pub(crate) fn raw_bytes(&mut self) -> (u64, *mut u8) {
        self.init.clear();
        (self.bytes.len() as u64, self.bytes.as_mut_ptr())
    }

    /// Plain bytes as a little-endian number, up to 8 of them, in bounds.
    #[inline(always)]
    pub(crate) fn plain(&self, offset: u64, len: u64) -> u64 {
        let at = offset as usize;
        match len {
            1 => u64::from(self.bytes[at]),
            4 => u64::from(u32::from_le_bytes(fixed(&self.bytes[at..at + 4]))),
            8 => u64::from_le_bytes(fixed(&self.bytes[at..at + 8])),
            _ => {
                let mut value = [0u8; 8];
                value[..len as usize].copy_from_slice(&self.bytes[at..at + len as usize]);
                u64::from_le_bytes(value)
            }
        }
    }

    /// Writes up to 8 concrete bytes, in bounds.
    #[inline(always)]
    pub(crate) fn put(&mut self, arena: &mut Arena, offset: u64, len: u64, value: u64) {
        let at = offset as usize;
        match len {
            1 => self.bytes[at] = value as u8,
            4 => self.bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
            8 => self.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
            _ => {
                let n = len as usize;
                self.bytes[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
            }
        }
        if !self.init.is_empty() {
            self.set_init(offset, len);
        }
        if !self.spans.is_empty() {
            self.cut(arena, offset as u32, len as u32);
        }
    }

    /// Writes an expression whose width is a multiple of 8, in bounds.
    pub(crate) fn put_expr(&mut self, arena: &mut Arena, offset: u64, expr: ExprId) {
        let len = u32::from(arena.width(expr)) / 8;
        if let Some(value) = arena.as_const(expr) {
            let low = u64::from(len.min(8));
            self.put(arena, offset, low, value as u64);
            if len > 8 {
                self.put(arena, offset + 8, u64::from(len) - 8, (value >> 64) as u64);
            }
            return;
        }
        let offset = offset as u32;
        if !self.init.is_empty() {
            self.set_init(offset.into(), len.into());
        }
        let at = self.cut(arena, offset, len);
        self.spans.insert(at, Span { offset, len, expr });
    }

    /// Reads up to 16 bytes, in bounds; more than 8 always come as an expression.
    pub(crate) fn read(&self, arena: &mut Arena, offset: u64, len: u64) -> Read {
        let at = self
            .spans
            .partition_point(|s| u64::from(s.offset + s.len) <= offset);
        if let Some(s) = self.spans.get(at)
            && u64::from(s.offset) == offset
            && u64::from(s.len) == len
        {
            return Read::Symbolic(s.expr);
        }
        if len <= 8
            && !self.has_span(offset, len)
            && (self.init.is_empty() || self.is_init(offset, len))
        {
            return Read::Concrete(self.plain(offset, len));
        }
        Read::Symbolic(self.assemble(arena, offset, len))
    }

    /// Puts a value together from pieces: parts of spans, concrete runs, uninitialised bytes.
    fn assemble(&self, arena: &mut Arena, offset: u64, len: u64) -> ExprId {
        let mut value: Option<ExprId> = None;
        let end = offset + len;
        let mut at = offset;
        while at < end {
            let piece = match self.span_at(at) {
                Some(s) => {
                    let from = at - u64::from(s.offset);
                    let stop = end.min(u64::from(s.offset + s.len));
                    let width = (stop - at) * 8;
                    at = stop;
                    arena.extract(s.expr, from as u32 * 8, width as u8)
                }
                None => {
                    let byte = self.bytes[at as usize];
                    let known = self.init.is_empty() || self.is_init(at, 1);
                    at += 1;
                    if known {
                        arena.constant(8, byte.into())
                    } else {
                        arena.uninit(8)
                    }
                }
            };
            value = Some(match value {
                Some(low) => arena.concat(piece, low),
                None => piece,
            });
        }
        value.unwrap_or_else(|| arena.uninit(8))
    }

    /// Copies a range from another object, byte for byte, symbolic parts included. Both ranges
    /// are in bounds.
    pub(crate) fn copy_from(
        &mut self,
        arena: &mut Arena,
        to: u64,
        source: &Object,
        from: u64,
        len: u64,
    ) {
        let (t, f, n) = (to as usize, from as usize, len as usize);
        self.bytes[t..t + n].copy_from_slice(&source.bytes[f..f + n]);
        if !source.init.is_empty() || !self.init.is_empty() {
            if self.init.is_empty() && !source.is_init(from, len) {
                self.init = vec![u64::MAX; self.bytes.len().div_ceil(64)];
            }
            if !self.init.is_empty() {
                for i in 0..len {
                    let known = source.init.is_empty() || source.is_init(from + i, 1);
                    self.set_init_bit(to + i, known);
                }
            }
        }
        let first_free = self.cut(arena, to as u32, len as u32);
        let first = source
            .spans
            .partition_point(|s| u64::from(s.offset + s.len) <= from);
        for (at, s) in (first_free..).zip(&source.spans[first..]) {
            let (start, stop) = (u64::from(s.offset), u64::from(s.offset + s.len));
            if start >= from + len {
                break;
            }
            let (low, high) = (start.max(from), stop.min(from + len));
            let width = ((high - low) * 8) as u8;
            let expr = arena.extract(s.expr, ((low - start) * 8) as u32, width);
            let span = Span {
                offset: (to + (low - from)) as u32,
                len: (high - low) as u32,
                expr,
            };
            self.spans.insert(at, span);
        }
    }

    /// Fills a range with one concrete byte.
    pub(crate) fn fill(&mut self, arena: &mut Arena, offset: u64, len: u64, byte: u8) {
        let (at, n) = (offset as usize, len as usize);
        self.bytes[at..at + n].fill(byte);
        if !self.init.is_empty() {
            self.set_init(offset, len);
        }
        self.cut(arena, offset as u32, len as u32);
    }

    /// The expressions in it.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.spans.iter().map(|span| span.expr)
    }

    fn span_at(&self, offset: u64) -> Option<Span> {
        let at = self
            .spans
            .partition_point(|s| u64::from(s.offset + s.len) <= offset);
        self.spans
            .get(at)
            .copied()
            .filter(|s| u64::from(s.offset) <= offset)
    }

    #[inline]
    fn has_span(&self, offset: u64, len: u64) -> bool {
        let at = self
            .spans
            .partition_point(|s| u64::from(s.offset + s.len) <= offset);
        self.spans
            .get(at)
            .is_some_and(|s| u64::from(s.offset) < offset + len)
    }

    #[inline]
    fn is_init(&self, offset: u64, len: u64) -> bool {
        if len <= 8 && offset % 64 + len <= 64 {
            let want = (u64::MAX >> (64 - len)) << (offset % 64);
            return self.init[(offset / 64) as usize] & want == want;
        }
        (offset..offset + len).all(|i| self.init[(i / 64) as usize] >> (i % 64) & 1 == 1)
    }

    #[inline]
    fn set_init(&mut self, offset: u64, len: u64) {
        if len <= 8 && offset % 64 + len <= 64 {
            self.init[(offset / 64) as usize] |= (u64::MAX >> (64 - len)) << (offset % 64);
            return;
        }
        for i in offset..offset + len {
            self.init[(i / 64) as usize] |= 1 << (i % 64);
        }
    }

    fn set_init_bit(&mut self, offset: u64, known: bool) {
        let word = &mut self.init[(offset / 64) as usize];
        *word = *word & !(1 << (offset % 64)) | u64::from(known) << (offset % 64);
    }

    /// Removes spans from a range, keeping the parts outside it; returns where a span for the
    /// range would be inserted.
    fn cut(&mut self, arena: &mut Arena, offset: u32, len: u32) -> usize {
        let end = offset + len;
        let mut at = self.spans.partition_point(|s| s.offset + s.len <= offset);
        while let Some(&s) = self.spans.get(at) {
            if s.offset >= end {
                break;
            }
            self.spans.remove(at);
            if s.offset < offset {
                let keep = offset - s.offset;
                let expr = arena.extract(s.expr, 0, (keep * 8) as u8);
                self.spans.insert(
                    at,
                    Span {
                        offset: s.offset,
                        len: keep,
                        expr,
                    },
                );
                at += 1;
            }
            if s.offset + s.len > end {
                let keep = s.offset + s.len - end;
                let expr = arena.extract(s.expr, (end - s.offset) * 8, (keep * 8) as u8);
                self.spans.insert(
                    at,
                    Span {
                        offset: end,
                        len: keep,
                        expr,
                    },
                );
            }
        }
        at
    }
}

#[inline(always)]
fn fixed<const N: usize>(slice: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(slice);
    out
}
