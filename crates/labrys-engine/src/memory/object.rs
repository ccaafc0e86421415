//! An object of memory: its bytes in chunks, and facts about it. A small object is one chunk; the
//! chunks of a large one hang in groups, which snapshots share, so that neither a snapshot nor a
//! write depends on the size. Chunks that were never written are shared as well.

use super::chunk::{CHUNK, Chunk, RawChunk};
use labrys_expr::{Arena, ExprId};
use std::rc::Rc;

/// Chunks in a group.
const GROUP: usize = 64;

/// A write into watched bytes cuts the watch in two as long as an object has fewer watches than this.
const MAX_WATCHES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Global,
    Stack,
    Heap,
}

/// Facts about an object that never change while it lives, but for what a harness says of it.
#[derive(Clone, Debug)]
pub(crate) struct ObjectInfo {
    pub(crate) region: Region,
    pub(crate) constant: bool,
    /// Its address is a multiple of this.
    pub(crate) align: u32,
    /// Byte width of its scalars where they are all the same, else 0.
    pub(crate) element: u32,
    /// The size is a guess of the harness, raised by this option.
    pub(crate) guess: Option<Rc<str>>,
    /// The assumption that the allocation has succeeded, as long as nothing else shows it.
    pub(crate) allocated_by: Option<Rc<str>>,
    /// The allocation itself has written to it.
    pub(crate) filled: bool,
    /// Bytes that hold what they hold only because of an assumption.
    pub(crate) watches: Vec<Watch>,
}

/// Bytes that hold what they hold only because of an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) flag: Rc<str>,
    pub(crate) kind: WatchKind,
}

/// When a run rests on the assumption behind watched bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WatchKind {
    /// When it reads them: a limit of the harness, such as the end of a text.
    Reading,
    /// When it decides by them: what somebody else may have written there.
    Deciding,
    /// When it decides by these bits of a number of 16 bits.
    DecidingBits(u16),
}

impl Watch {
    fn overlaps(&self, start: u64, end: u64) -> bool {
        u64::from(self.start) < end && start < u64::from(self.end)
    }

    fn part(&self, start: u32, end: u32) -> Watch {
        Watch {
            start,
            end,
            ..self.clone()
        }
    }
}

type Group = Rc<[Rc<Chunk>]>;

#[derive(Clone, Debug)]
enum Body {
    One(Chunk),
    Many { size: u64, groups: Vec<Group> },
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    body: Body,
    pub(crate) info: Rc<ObjectInfo>,
    /// There are watches: every read must look at them.
    watched: bool,
    /// Other objects could lie on it: every access must be seen.
    guarded: bool,
}

/// What a read found.
pub(crate) enum ReadValue {
    Concrete(u64),
    Symbolic(ExprId),
}

impl Object {
    /// A new object, not initialised.
    pub(crate) fn new(size: u64, info: Rc<ObjectInfo>) -> Self {
        let body = if size <= CHUNK as u64 {
            Body::One(Chunk::uninitialised(size as usize))
        } else {
            uniform(size, Chunk::uninitialised)
        };
        Object::of(body, info)
    }

    /// An object with these bytes and zeros behind them.
    pub(crate) fn with_bytes(size: u64, bytes: &[u8], info: Rc<ObjectInfo>) -> Self {
        let mut object = Object::of(
            if size <= CHUNK as u64 {
                Body::One(Chunk::filled(size as usize, 0))
            } else {
                uniform(size, |len| Chunk::filled(len, 0))
            },
            info,
        );
        let bytes = &bytes[..bytes.len().min(size as usize)];
        for (i, part) in bytes.chunks(CHUNK).enumerate() {
            if part.iter().any(|byte| *byte != 0) {
                object.patch((i * CHUNK) as u64, part);
            }
        }
        object
    }

    fn of(body: Body, info: Rc<ObjectInfo>) -> Self {
        Object {
            body,
            info,
            watched: false,
            guarded: false,
        }
    }

    /// Overwrites initial bytes, in bounds; they are not watched yet.
    pub(crate) fn patch(&mut self, offset: u64, bytes: &[u8]) {
        let mut done = 0;
        for (at, len) in parts(offset, bytes.len() as u64) {
            self.chunk_mut(at)
                .patch(within(at), &bytes[done..done + len]);
            done += len;
        }
    }

    #[inline(always)]
    pub(crate) fn size(&self) -> u64 {
        match &self.body {
            Body::One(chunk) => chunk.len() as u64,
            Body::Many { size, .. } => *size,
        }
    }

    /// Has nothing been written to it?
    pub(crate) fn is_blank(&self) -> bool {
        match &self.body {
            Body::One(chunk) => chunk.is_blank(),
            Body::Many { groups, .. } => groups
                .iter()
                .all(|group| group.iter().all(|chunk| chunk.is_blank())),
        }
    }

    #[inline(always)]
    pub(crate) fn is_constant(&self) -> bool {
        self.info.constant
    }

    /// These bytes rest on an assumption until they are overwritten.
    pub(crate) fn watch(&mut self, new: Watch) {
        let covers = |old: &Watch| {
            let is_same = old.flag == new.flag && old.kind == new.kind;
            is_same && old.start <= new.start && new.end <= old.end
        };
        if new.start < new.end && !self.info.watches.iter().any(covers) {
            Rc::make_mut(&mut self.info).watches.push(new);
            self.watched = true;
        }
    }

    /// These bytes were overwritten: whatever forced them before is gone.
    #[cold]
    fn unwatch(&mut self, offset: u64, len: u64) {
        let watches = &self.info.watches;
        if !watches.iter().any(|w| w.overlaps(offset, offset + len)) {
            return;
        }
        let (from, to) = (offset as u32, (offset + len) as u32);
        // Too many pieces make every read slow; a watch that stays too long is only careful.
        let may_split = watches.len() < MAX_WATCHES;
        let mut left = Vec::with_capacity(watches.len() + 1);
        for watch in watches {
            let splits = watch.start < from && to < watch.end;
            if !watch.overlaps(offset, offset + len) || splits && !may_split {
                left.push(watch.clone());
                continue;
            }
            if watch.start < from {
                left.push(watch.part(watch.start, from));
            }
            if to < watch.end {
                left.push(watch.part(to, watch.end));
            }
        }
        self.watched = !left.is_empty();
        Rc::make_mut(&mut self.info).watches = left;
    }

    /// Does the same hold for both, apart from their contents?
    pub(crate) fn is_of_the_same_kind(&self, other: &Object) -> bool {
        let (ours, theirs) = (&self.info, &other.info);
        self.size() == other.size()
            && self.guarded == other.guarded
            && (Rc::ptr_eq(ours, theirs)
                || ours.region == theirs.region
                    && ours.constant == theirs.constant
                    && ours.align == theirs.align
                    && ours.element == theirs.element
                    && ours.guess == theirs.guess
                    && ours.allocated_by == theirs.allocated_by
                    && ours.filled == theirs.filled
                    && ours.watches == theirs.watches)
    }

    /// The run rests on these flags: nothing that it reads here later says more.
    pub(crate) fn forget_watches(&mut self, flags: &[Rc<str>]) {
        let info = Rc::make_mut(&mut self.info);
        info.watches.retain(|watch| !flags.contains(&watch.flag));
        self.watched = !info.watches.is_empty();
    }

    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    pub(crate) fn guard(&mut self, guarded: bool) {
        self.guarded = guarded;
    }

    #[inline(always)]
    pub(crate) fn is_guarded(&self) -> bool {
        self.guarded
    }

    pub(crate) fn set_guess(&mut self, flag: &Rc<str>) {
        Rc::make_mut(&mut self.info).guess = Some(flag.clone());
    }

    /// What a read of these bytes rests on, or what decisions by them do.
    pub(crate) fn touched(&self, offset: u64, len: u64) -> impl Iterator<Item = &Watch> {
        let watches: &[_] = if self.watched {
            &self.info.watches
        } else {
            &[]
        };
        let end = offset + len;
        watches.iter().filter(move |w| w.overlaps(offset, end))
    }

    /// The chunk at an offset, in bounds.
    #[inline(always)]
    pub(super) fn chunk(&self, offset: u64) -> &Chunk {
        match &self.body {
            Body::One(chunk) => chunk,
            Body::Many { groups, .. } => {
                let number = offset as usize / CHUNK;
                &groups[number / GROUP][number % GROUP]
            }
        }
    }

    /// The same for writing; copied first if a snapshot shares it.
    #[inline(always)]
    fn chunk_mut(&mut self, offset: u64) -> &mut Chunk {
        match &mut self.body {
            Body::One(chunk) => chunk,
            Body::Many { groups, .. } => {
                let number = offset as usize / CHUNK;
                Rc::make_mut(&mut Rc::make_mut(&mut groups[number / GROUP])[number % GROUP])
            }
        }
    }

    /// Calls `each` with the values of all pieces that differ from those of another object of the same
    /// size.
    pub(crate) fn differences(
        &self,
        other: &Object,
        arena: &mut Arena,
        each: &mut impl FnMut(&mut Arena, ExprId, ExprId),
    ) {
        let mut at = 0;
        while at < self.size() {
            let (ours, theirs) = (self.chunk(at), other.chunk(at));
            if !std::ptr::eq(ours, theirs) {
                ours.differences(theirs, arena, each);
            }
            at += CHUNK as u64;
        }
    }

    /// The bytes that differ from those of another object of the same size, as ranges.
    pub(crate) fn different_bytes(&self, other: &Object, arena: &mut Arena) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut at = 0;
        while at < self.size() {
            let (ours, theirs) = (self.chunk(at), other.chunk(at));
            if !std::ptr::eq(ours, theirs) {
                ours.different_bytes(theirs, arena, &mut |start, end| {
                    ranges.push((at + start as u64, at + end as u64));
                });
            }
            at += CHUNK as u64;
        }
        ranges
    }

    /// The chunk at an offset for the fast loop; `None` if the offset is out of bounds.
    pub(crate) fn raw(&self, offset: u64) -> Option<RawChunk> {
        (offset < self.size()).then(|| self.chunk(offset).raw())
    }

    pub(crate) fn raw_mut(&mut self, offset: u64) -> Option<RawChunk> {
        (offset < self.size()).then(|| self.chunk_mut(offset).raw_mut())
    }

    /// The bytes up to a zero, if all of them are plain.
    pub(crate) fn text(&self, offset: u64) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for (at, len) in parts(offset, self.size().checked_sub(offset)?) {
            let chunk = self.chunk(at);
            let bytes = chunk.bytes(within(at), len);
            let end = bytes.iter().position(|byte| *byte == 0);
            let used = end.map_or(len, |end| end + 1);
            if !chunk.is_plain(within(at), used) {
                return None;
            }
            text.extend_from_slice(&bytes[..end.unwrap_or(len)]);
            if end.is_some() {
                return Some(text);
            }
        }
        None
    }

    /// Writes up to 8 concrete bytes, in bounds.
    #[inline(always)]
    pub(crate) fn put(&mut self, arena: &mut Arena, offset: u64, len: u64, value: u64) {
        if self.watched {
            self.unwatch(offset, len);
        }
        self.put_bytes(arena, offset, len, value);
    }

    #[inline(always)]
    fn put_bytes(&mut self, arena: &mut Arena, offset: u64, len: u64, value: u64) {
        let bytes = value.to_le_bytes();
        let (at, len) = (within(offset), len as usize);
        if at + len <= CHUNK {
            return self.chunk_mut(offset).put(arena, at, &bytes[..len]);
        }
        let here = CHUNK - at;
        self.chunk_mut(offset).put(arena, at, &bytes[..here]);
        self.chunk_mut(offset + here as u64)
            .put(arena, 0, &bytes[here..len]);
    }

    /// Writes an expression whose width is a multiple of 8, in bounds.
    pub(crate) fn put_expr(&mut self, arena: &mut Arena, offset: u64, expr: ExprId) {
        if self.watched {
            self.unwatch(offset, u64::from(arena.width(expr)) / 8);
        }
        self.put_possible(arena, offset, expr);
    }

    /// The same for an expression that may be what has been there before: it is watched as before.
    pub(crate) fn put_possible(&mut self, arena: &mut Arena, offset: u64, expr: ExprId) {
        let len = u64::from(arena.width(expr)) / 8;
        if let Some(value) = arena.as_const(expr) {
            self.put_bytes(arena, offset, len.min(8), value as u64);
            if len > 8 {
                self.put_bytes(arena, offset + 8, len - 8, (value >> 64) as u64);
            }
            return;
        }
        for (at, len) in parts(offset, len) {
            let part = arena.extract(expr, (at - offset) as u32 * 8, (len * 8) as u8);
            match arena.as_const(part) {
                // Half of an expression may be a constant where the whole is none.
                Some(value) => {
                    let bytes = value.to_le_bytes();
                    self.chunk_mut(at).put(arena, within(at), &bytes[..len]);
                }
                None => self.chunk_mut(at).put_expr(arena, within(at), part),
            }
        }
    }

    /// Up to 8 bytes as a number, if they are all plain.
    #[inline(always)]
    pub(crate) fn plain(&self, offset: u64, len: u64) -> Option<u64> {
        let (at, len) = (within(offset), len as usize);
        if at + len > CHUNK || len > 8 {
            return None;
        }
        let chunk = self.chunk(offset);
        if !chunk.is_plain(at, len) {
            return None;
        }
        let mut value = [0u8; 8];
        value[..len].copy_from_slice(chunk.bytes(at, len));
        Some(u64::from_le_bytes(value))
    }

    /// Reads up to 16 bytes, in bounds; more than 8 always come as an expression.
    pub(crate) fn read(&self, arena: &mut Arena, offset: u64, len: u64) -> ReadValue {
        if let Some(value) = self.plain(offset, len) {
            return ReadValue::Concrete(value);
        }
        if within(offset) + len as usize <= CHUNK
            && let Some(e) = self.chunk(offset).span(within(offset), len as usize)
        {
            return ReadValue::Symbolic(e);
        }
        let e = self.assemble(arena, offset, len);
        match arena.as_const(e) {
            Some(value) if len <= 8 => ReadValue::Concrete(value as u64),
            _ => ReadValue::Symbolic(e),
        }
    }

    /// Puts a value together from pieces: parts of spans, concrete runs, uninitialised bytes.
    fn assemble(&self, arena: &mut Arena, offset: u64, len: u64) -> ExprId {
        let mut value: Option<ExprId> = None;
        for (start, len) in parts(offset, len) {
            let chunk = self.chunk(start);
            let mut at = within(start);
            let end = at + len;
            while at < end {
                let (piece, stop) = chunk.piece(arena, at, end);
                at = stop;
                value = Some(match value {
                    Some(low) => arena.concat(piece, low),
                    None => piece,
                });
            }
        }
        value.unwrap_or_else(|| arena.uninit(8))
    }

    /// Copies a range from another object, byte for byte, symbolic parts included. Both ranges
    /// are in bounds. Whole chunks that lie alike are shared.
    pub(crate) fn copy_from(
        &mut self,
        arena: &mut Arena,
        to: u64,
        source: &Object,
        from: u64,
        len: u64,
    ) {
        if self.watched {
            self.unwatch(to, len);
        }
        let mut done = 0;
        while done < len {
            let (t, f) = (to + done, from + done);
            let room = CHUNK - within(t).max(within(f));
            let part = (len - done).min(room as u64) as usize;
            if !(part == CHUNK && self.share(t, source, f)) {
                let origin = source.chunk(f);
                self.chunk_mut(t)
                    .copy(arena, within(t), origin, within(f), part);
            }
            done += part as u64;
        }
    }

    /// Makes a whole chunk one with a chunk of another object.
    fn share(&mut self, to: u64, source: &Object, from: u64) -> bool {
        let (Body::Many { groups, .. }, Body::Many { groups: others, .. }) =
            (&mut self.body, &source.body)
        else {
            return false;
        };
        let (to, from) = (to as usize / CHUNK, from as usize / CHUNK);
        let chunk = others[from / GROUP][from % GROUP].clone();
        Rc::make_mut(&mut groups[to / GROUP])[to % GROUP] = chunk;
        true
    }

    /// Fills a range with one concrete byte. Whole chunks become one.
    pub(crate) fn fill(&mut self, arena: &mut Arena, offset: u64, len: u64, byte: u8) {
        if self.watched {
            self.unwatch(offset, len);
        }
        let mut shared: Option<Rc<Chunk>> = None;
        for (at, part) in parts(offset, len) {
            match &mut self.body {
                Body::Many { groups, .. } if part == CHUNK => {
                    let chunk = shared.get_or_insert_with(|| Rc::new(Chunk::filled(CHUNK, byte)));
                    let number = at as usize / CHUNK;
                    Rc::make_mut(&mut groups[number / GROUP])[number % GROUP] = chunk.clone();
                }
                _ => self.chunk_mut(at).fill(arena, within(at), part, byte),
            }
        }
    }

    /// Calls `visit` with every expression in a range.
    pub(crate) fn for_each_expr_between(
        &self,
        start: u64,
        end: u64,
        visit: &mut impl FnMut(ExprId),
    ) {
        for (at, len) in parts(start, end.saturating_sub(start)) {
            self.chunk(at)
                .exprs_between(within(at), within(at) + len, visit);
        }
    }

    /// Calls `visit` with the offset and the length of every symbolic part.
    pub(super) fn for_each_symbolic(&self, visit: &mut impl FnMut(u64, u32)) {
        let mut at = 0;
        while at < self.size() {
            for (offset, len) in self.chunk(at).symbolic_parts() {
                visit(at + offset as u64, len as u32);
            }
            at += CHUNK as u64;
        }
    }

    /// Calls `visit` with every expression in it; groups that `first` has seen are left out.
    pub(super) fn for_each_expr(
        &self,
        first: &mut impl FnMut(*const u8) -> bool,
        visit: &mut impl FnMut(ExprId),
    ) {
        match &self.body {
            Body::One(chunk) => chunk.exprs().for_each(&mut *visit),
            Body::Many { groups, .. } => {
                for group in groups.iter().filter(|g| first(Rc::as_ptr(g).cast())) {
                    for chunk in group.iter() {
                        chunk.exprs().for_each(&mut *visit);
                    }
                }
            }
        }
    }
}

/// The place of an offset in its chunk.
#[inline(always)]
fn within(offset: u64) -> usize {
    offset as usize % CHUNK
}

/// A range, cut where chunks meet: start and length of each part.
fn parts(offset: u64, len: u64) -> impl Iterator<Item = (u64, usize)> {
    let end = offset + len;
    let mut at = offset;
    std::iter::from_fn(move || {
        let part = (end - at).min((CHUNK - within(at)) as u64);
        let start = at;
        at += part;
        (part > 0).then_some((start, part as usize))
    })
}

/// A large object whose chunks are all alike, and one chunk until they are written.
fn uniform(size: u64, make: impl Fn(usize) -> Chunk) -> Body {
    let chunks = size.div_ceil(CHUNK as u64) as usize;
    let whole = Rc::new(make(CHUNK));
    let group: Group = vec![whole.clone(); GROUP].into();
    let mut groups = vec![group; chunks / GROUP];
    let rest = chunks % GROUP;
    if rest > 0 {
        groups.push(vec![whole; rest].into());
    }
    let tail = size as usize % CHUNK;
    if tail > 0
        && let Some(last) = groups.last_mut()
    {
        let at = (chunks - 1) % GROUP;
        Rc::make_mut(last)[at] = Rc::new(make(tail));
    }
    Body::Many { size, groups }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIG: u64 = 64 << 20;

    fn info() -> Rc<ObjectInfo> {
        Rc::new(ObjectInfo {
            region: Region::Heap,
            constant: false,
            align: 16,
            element: 0,
            guess: None,
            allocated_by: None,
            filled: false,
            watches: Vec::new(),
        })
    }

    fn concrete(object: &Object, arena: &mut Arena, offset: u64, len: u64) -> Option<u64> {
        match object.read(arena, offset, len) {
            ReadValue::Concrete(value) => Some(value),
            ReadValue::Symbolic(_) => None,
        }
    }

    /// Chunks that are not shared with `other`.
    fn own(object: &Object, other: &Object) -> usize {
        let (Body::Many { groups: a, .. }, Body::Many { groups: b, .. }) =
            (&object.body, &other.body)
        else {
            return usize::MAX;
        };
        let pairs = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b.iter()));
        pairs.filter(|(a, b)| !Rc::ptr_eq(a, b)).count()
    }

    #[test]
    fn a_write_to_a_snapshot_copies_one_chunk() {
        let mut arena = Arena::new();
        let mut object = Object::with_bytes(BIG, &[1, 2, 3], info());
        let snapshot = object.clone();
        object.put(&mut arena, BIG / 2, 8, 7);
        assert_eq!(own(&object, &snapshot), 1);
        assert_eq!(concrete(&object, &mut arena, BIG / 2, 8), Some(7));
        assert_eq!(concrete(&snapshot, &mut arena, BIG / 2, 8), Some(0));
        assert_eq!(concrete(&object, &mut arena, 0, 4), Some(0x30201));
    }

    #[test]
    fn values_across_chunks_are_whole() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 64);
        let x = arena.var_expr(x);
        let mut object = Object::new(3 * CHUNK as u64 + 5, info());
        for edge in [CHUNK as u64, 2 * CHUNK as u64, 3 * CHUNK as u64] {
            object.put_expr(&mut arena, edge - 3, x);
            assert!(
                matches!(object.read(&mut arena, edge - 3, 8), ReadValue::Symbolic(e) if e == x)
            );
            object.put(&mut arena, edge - 3, 8, 0x1122_3344_5566_7788);
            let value = concrete(&object, &mut arena, edge - 3, 8);
            assert_eq!(value, Some(0x1122_3344_5566_7788));
            // What is around it is still uninitialised.
            assert!(concrete(&object, &mut arena, edge - 4, 1).is_none());
        }
    }

    #[test]
    fn a_copy_of_megabytes_shares_chunks_and_keeps_what_is_symbolic() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        let mut from = Object::new(BIG, info());
        from.fill(&mut arena, 0, BIG - 1, 9);
        from.put_expr(&mut arena, 5 * CHUNK as u64 + 2, x);
        let mut to = Object::new(BIG, info());
        to.copy_from(&mut arena, 0, &from, 0, BIG);
        assert_eq!(own(&to, &from), 0);
        // Shifted, nothing lies alike.
        let mut to = Object::new(BIG, info());
        to.copy_from(&mut arena, 3, &from, 0, 8 * CHUNK as u64);
        let at = 5 * CHUNK as u64 + 5;
        assert!(matches!(to.read(&mut arena, at, 4), ReadValue::Symbolic(e) if e == x));
        assert_eq!(concrete(&to, &mut arena, at + 4, 4), Some(0x0909_0909));
        assert!(concrete(&to, &mut arena, 2, 1).is_none());
        assert!(concrete(&from, &mut arena, BIG - 1, 1).is_none());
    }

    fn watch(end: u32) -> Watch {
        Watch {
            start: 0,
            end,
            flag: "flag".into(),
            kind: WatchKind::Reading,
        }
    }

    #[test]
    fn what_is_overwritten_is_no_longer_watched() {
        let mut arena = Arena::new();
        let mut object = Object::with_bytes(32, &[], info());
        let touches = |object: &Object, at, len| object.touched(at, len).count();
        object.watch(watch(16));
        object.put(&mut arena, 4, 4, 1);
        assert_eq!(touches(&object, 4, 4), 0);
        assert_eq!(touches(&object, 3, 1), 1);
        assert_eq!(touches(&object, 8, 1), 1);
        assert_eq!(touches(&object, 16, 16), 0);
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        object.put_possible(&mut arena, 8, x);
        assert_eq!(touches(&object, 8, 4), 1);
        object.put_expr(&mut arena, 8, x);
        assert_eq!(touches(&object, 8, 4), 0);
        object.fill(&mut arena, 0, 16, 0);
        assert!(!object.is_watched());
    }

    #[test]
    fn a_watch_in_many_pieces_stays_where_it_is() {
        let mut arena = Arena::new();
        let mut object = Object::with_bytes(1000, &[], info());
        object.watch(watch(1000));
        for at in (1..1000).step_by(2) {
            object.put(&mut arena, at, 1, 0);
        }
        assert!(object.info.watches.len() <= MAX_WATCHES);
        for at in (0..1000).step_by(2) {
            assert_eq!(object.touched(at, 1).count(), 1);
        }
    }

    #[test]
    fn texts_end_at_zero_and_may_cross_chunks() {
        let mut bytes = vec![b'a'; CHUNK + 10];
        bytes.push(0);
        let object = Object::with_bytes(bytes.len() as u64 + 3, &bytes, info());
        assert_eq!(object.text(5), Some(vec![b'a'; CHUNK + 5]));
        let full = Object::with_bytes(2, b"ab", info());
        assert_eq!(full.text(0), None);
    }
}
