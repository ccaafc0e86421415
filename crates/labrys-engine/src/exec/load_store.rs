//! Memory access that the fast loop does not handle: symbolic values, symbolic offsets, faults.

use super::pointer::ByteOffset;
use super::watched::TouchedPlaces;
use super::{Machine, Step};
use crate::end::{FaultKind, PathEnd};
use crate::memory::{Object, ObjectId, ReadValue, Slot, low_mask, split};
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ir::Reg;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A read from a table whose index is read from tables is asked of a solver up to so many entries of all of
/// them together: enough for checksums, and not for the tables of a scanner.
const MOST_NESTED_ENTRIES: u64 = 4_096;

/// So many parts of an index are looked at for tables.
const MOST_PARTS: usize = 1_000;

/// The places that a symbolic offset can mean: `start + index * stride`, `count` of them.
struct Window {
    index: ExprId,
    start: u64,
    stride: u64,
    count: u64,
}

impl Machine<'_> {
    pub(super) fn load(&mut self, dst: Reg, addr: Reg, width: u8) -> Step {
        let len = u64::from(width).div_ceil(8);
        let slot = match self.concrete_place(addr, len) {
            Some((id, offset)) => match self.state.memory.object(id).cloned() {
                Some(object) => {
                    if object.is_guarded() {
                        self.reads(id, (offset, len), Some(len));
                    }
                    let slot = self.read_at(&object, offset, len, width);
                    self.keep_read(id, &object, (offset, len), slot);
                    self.note_load(id, offset);
                    slot
                }
                None => return Err(self.fault(FaultKind::OutOfBounds)),
            },
            None => {
                let address = self.expr(addr);
                self.load_value(address, width)?
            }
        };
        self.set(dst, slot);
        Ok(())
    }

    pub(super) fn store(&mut self, addr: Reg, src: Reg, width: u8) -> Step {
        let len = u64::from(width).div_ceil(8);
        let value = self.get(src);
        if self.state.speculation.is_none()
            && let Some((id, offset)) = self.concrete_place(addr, len)
            && let Some(object) = self.state.memory.object_mut(id)
            && !object.is_constant()
            && !object.is_guarded()
        {
            match value.expr {
                Some(e) => {
                    let e = self.arena.zext(e, (len * 8) as u8);
                    object.put_expr(&mut self.arena, offset, e);
                }
                None => object.put(&mut self.arena, offset, len, value.bits),
            }
            return Ok(());
        }
        let address = self.expr(addr);
        self.store_value(address, value, width)
    }

    /// The usual case: a concrete address within a live object.
    fn concrete_place(&self, addr: Reg, len: u64) -> Option<(ObjectId, u64)> {
        let slot = self.get(addr);
        if slot.is_symbolic() {
            return None;
        }
        let (id, offset) = split(slot.bits);
        let size = self.state.memory.object(id)?.size();
        (offset < size && size - offset >= len).then_some((id, offset))
    }

    pub(super) fn load_value(&mut self, address: ExprId, width: u8) -> Step<Slot> {
        let len = u64::from(width).div_ceil(8);
        let place = match self.resolve(address, len) {
            Err(PathEnd::HarnessLimit { .. }) if self.looks_at_sets() => {
                return Ok(self.beyond_guess(width));
            }
            place => place?,
        };
        let Some(object) = self.state.memory.object(place.object).cloned() else {
            return Err(self.fault(FaultKind::OutOfBounds));
        };
        if object.is_guarded() {
            let range = match place.offset {
                ByteOffset::Concrete(offset) => (offset, len),
                ByteOffset::Symbolic(_) => (0, object.size()),
            };
            self.reads(place.object, range, Some(len));
        }
        match place.offset {
            ByteOffset::Concrete(offset) => Ok(self.read_at(&object, offset, len, width)),
            ByteOffset::Symbolic(offset) => {
                if let Some(window) =
                    self.window(&object, offset, len, self.config.read_window, true)
                    && !self.nests_tables(window.index, window.count)
                    && let Some(slot) = self.read_window(&object, &window, len, width)
                {
                    return Ok(slot);
                }
                let offset = self.pin_once(offset)?;
                Ok(self.read_at(&object, offset, len, width))
            }
        }
    }

    /// Would a read of one of `count` places be a table of tables that is too large to ask a solver about?
    fn nests_tables(&self, index: ExprId, count: u64) -> bool {
        let mut entries = 0;
        let mut seen = FxHashSet::default();
        let mut open = vec![index];
        while let Some(part) = open.pop() {
            if seen.len() >= MOST_PARTS || !seen.insert(part) {
                continue;
            }
            if let ExprKind::Table(table, _) = self.arena.kind(part) {
                entries += self.arena.table_entries(table).len() as u64;
            }
            self.arena
                .for_each_operand(part, |operand| open.push(operand));
        }
        entries > 0 && entries + count > MOST_NESTED_ENTRIES
    }

    pub(super) fn read_at(
        &mut self,
        object: &Rc<Object>,
        offset: u64,
        len: u64,
        width: u8,
    ) -> Slot {
        if !object.is_watched()
            && width <= 64
            && let Some(bits) = object.plain(offset, len)
        {
            return Slot::concrete(bits & low_mask(width));
        }
        let slot = self.read_bytes(object, offset, len, width);
        let flags = self.touch(object, offset, len);
        self.assuming(slot, width, &flags)
    }

    fn read_bytes(&mut self, object: &Object, offset: u64, len: u64, width: u8) -> Slot {
        match object.read(&mut self.arena, offset, len) {
            ReadValue::Concrete(bits) if width <= 64 => Slot::concrete(bits & low_mask(width)),
            ReadValue::Concrete(bits) => Slot::symbolic(self.arena.constant(width, bits.into())),
            ReadValue::Symbolic(e) => {
                let e = self.arena.extract(e, 0, width);
                self.slot_of(e)
            }
        }
    }

    /// The value at a symbolic place of the window. `None` if part of the window is not
    /// initialised: then the place matters, not only the value.
    fn read_window(
        &mut self,
        object: &Rc<Object>,
        window: &Window,
        len: u64,
        width: u8,
    ) -> Option<Slot> {
        let mut touched = TouchedPlaces::default();
        if object.is_watched() {
            for i in 0..window.count {
                touched.add(i, self.touch(object, window.start + i * window.stride, len));
            }
        }
        let entries = self.window_entries(object, window, len)?;
        let table = self.arena.table(&entries);
        let value = self.arena.select(table, window.index);
        let value = self.arena.extract(value, 0, width);
        let value = self.assuming_places(value, (window.index, window.count), touched);
        let value = match object.is_watched() {
            true => value,
            false => self.any_element(&entries, value).unwrap_or(value),
        };
        Some(self.slot_of(value))
    }

    /// All values of a window, `None` if one is not initialised. Touches no limits.
    fn window_entries(
        &mut self,
        object: &Rc<Object>,
        window: &Window,
        len: u64,
    ) -> Option<Vec<ExprId>> {
        let width = (len * 8) as u8;
        let mut entries = Vec::with_capacity(window.count as usize);
        for i in 0..window.count {
            let slot = self.read_bytes(object, window.start + i * window.stride, len, width);
            entries.push(match slot.expr {
                Some(e) if self.arena.is_uninit(e) => return None,
                Some(e) => e,
                None => self.arena.constant(width, slot.bits.into()),
            });
        }
        Some(entries)
    }

    pub(super) fn store_value(&mut self, address: ExprId, value: Slot, width: u8) -> Step {
        let len = u64::from(width).div_ceil(8);
        let place = match self.resolve(address, len) {
            // What is read there has any value.
            Err(PathEnd::HarnessLimit { .. }) if self.looks_at_sets() => return Ok(()),
            place => place?,
        };
        let Some(object) = self.state.memory.object(place.object).cloned() else {
            return Err(self.fault(FaultKind::OutOfBounds));
        };
        if object.is_constant() {
            return Err(self.fault(FaultKind::WriteToConstant));
        }
        self.before_write(place.object)?;
        if object.is_guarded() {
            let range = match place.offset {
                ByteOffset::Concrete(offset) => Some((offset, len)),
                ByteOffset::Symbolic(_) => None,
            };
            self.writes(place.object, range, Some(len));
        }
        let bytes_width = (len * 8) as u8;
        let e = match value.expr {
            Some(e) => self.arena.zext(e, bytes_width),
            None => self.arena.constant(bytes_width, value.bits.into()),
        };
        let offset = match place.offset {
            ByteOffset::Concrete(offset) => offset,
            ByteOffset::Symbolic(offset) => {
                if !self.arena.is_uninit(e)
                    && let Some(window) =
                        self.window(&object, offset, len, self.config.write_window, false)
                    && let Some(old) = self.window_entries(&object, &window, len)
                    && self.may_write_window(&old)
                {
                    drop(object);
                    self.write_window(place.object, &window, &old, e);
                    return Ok(());
                }
                self.pin(offset)?
            }
        };
        drop(object);
        if let Some(object) = self.state.memory.object_mut(place.object) {
            object.put_expr(&mut self.arena, offset, e);
        }
        Ok(())
    }

    /// A write changes every place. One to a large table of mostly constants is cheap to reason
    /// about, a second one on top of it is not.
    fn may_write_window(&self, old: &[ExprId]) -> bool {
        let symbolic = old.iter().filter(|e| self.arena.as_const(**e).is_none());
        symbolic.count() as u64 <= self.config.mixed_window
    }

    fn write_window(&mut self, id: ObjectId, window: &Window, old: &[ExprId], new: ExprId) {
        let index_width = self.arena.width(window.index);
        for (i, old) in old.iter().enumerate() {
            let offset = window.start + i as u64 * window.stride;
            let number = self.arena.constant(index_width, i as u128);
            let here = self.arena.eq(window.index, number);
            let value = self.arena.ite(here, new, *old);
            if let Some(object) = self.state.memory.object_mut(id) {
                object.put_possible(&mut self.arena, offset, value);
            }
        }
    }

    /// Finds the places that an offset (known to be in bounds) can mean, if there are at most
    /// `limit`. They may overlap only where they are read.
    fn window(
        &mut self,
        object: &Object,
        offset: ExprId,
        len: u64,
        limit: u64,
        overlap: bool,
    ) -> Option<Window> {
        let last = object.size() - len;
        let (scaled, start) = match self.arena.kind(offset) {
            ExprKind::Binary(ExprOp::Add, x, c) => match self.arena.as_const(c) {
                Some(c) => (x, c as u64),
                None => (offset, 0),
            },
            _ => (offset, 0),
        };
        let (index, stride) = self.scaled_index(scaled)?;
        // start + index * stride, moved so that the first place in bounds has index 0. A negative
        // start wraps; as a signed number it divides the right way.
        let shift = (start as i64).div_euclid(stride as i64);
        let start = (start as i64).rem_euclid(stride as i64) as u64;
        if start > last {
            return None;
        }
        let count = (last - start) / stride + 1;
        if count > limit || (!overlap && stride < len && count > 1) {
            return None;
        }
        let shift = self.arena.constant(64, shift as u64 as u128);
        let moved = self.arena.add(index, shift);
        let bits = (64 - (count - 1).leading_zeros()).max(1) as u8;
        let index = self.arena.extract(moved, 0, bits);
        Some(Window {
            index,
            start,
            stride,
            count,
        })
    }

    /// `x * scale` as (x, scale); scales that are no power of two need an `x` that cannot wrap.
    fn scaled_index(&mut self, e: ExprId) -> Option<(ExprId, u64)> {
        match self.arena.kind(e) {
            ExprKind::Binary(ExprOp::Mul, x, c) => {
                let scale = self.arena.as_const(c)? as u64;
                self.is_narrow(x).then_some((x, scale))
            }
            ExprKind::Binary(ExprOp::Concat, high, low) if self.arena.as_const(low) == Some(0) => {
                let shift = self.arena.width(low);
                (shift < 32).then(|| (self.arena.zext(high, 64), 1 << shift))
            }
            ExprKind::Convert(ExprOp::ZExt, inner) => match self.arena.kind(inner) {
                ExprKind::Binary(ExprOp::Concat, high, low)
                    if self.arena.as_const(low) == Some(0) =>
                {
                    let shift = self.arena.width(low);
                    (shift < 32).then(|| (self.arena.zext(high, 64), 1 << shift))
                }
                _ => Some((e, 1)),
            },
            _ => Some((e, 1)),
        }
    }

    /// Was it extended from at most 32 bits?
    fn is_narrow(&self, e: ExprId) -> bool {
        match self.arena.kind(e) {
            ExprKind::Convert(ExprOp::ZExt | ExprOp::SExt, inner) => self.arena.width(inner) <= 32,
            ExprKind::Binary(ExprOp::Add, a, b) => {
                self.is_narrow(a)
                    && self
                        .arena
                        .as_const(b)
                        .is_some_and(|c| (c as i64).abs() < 1 << 32)
            }
            _ => false,
        }
    }

    /// A range of symbolic length may leave its object: that is asked before the length is pinned.
    fn check_range(&mut self, start: Reg, len: ExprId) -> Step {
        let address = self.get(start);
        if address.is_symbolic() || self.arena.as_const(len).is_some() {
            return Ok(());
        }
        let (id, offset) = split(address.bits);
        let object = self.state.memory.object(id);
        let Some(size) = object.filter(|o| o.info.guess.is_none()).map(|o| o.size()) else {
            return Ok(());
        };
        let width = self.arena.width(len);
        let room = size.saturating_sub(offset);
        if width < 64 && room >> width != 0 {
            return Ok(());
        }
        let room = self.arena.constant(width, room.into());
        let leaves = self.arena.ult(room, len);
        self.check_before_pin(leaves, FaultKind::OutOfBounds)
    }

    pub(super) fn mem_copy(&mut self, dst: Reg, src: Reg, len: Reg) -> Step {
        let len = self.expr(len);
        self.check_range(src, len)?;
        self.check_range(dst, len)?;
        let len = self.pin(len)?;
        if len == 0 {
            return Ok(());
        }
        let (to, from) = (self.expr(dst), self.expr(src));
        let from = self.resolve_range(from, len)?;
        let to = self.resolve_range(to, len)?;
        let Some(source) = self.state.memory.object(from.0).cloned() else {
            return Ok(());
        };
        let watches = self.watches_to_copy(&source, from.1, to.1, len);
        if source.is_guarded() {
            self.reads(from.0, (from.1, len), None);
        }
        drop(source);
        if self
            .state
            .memory
            .object(to.0)
            .is_some_and(|o| o.is_constant())
        {
            return Err(self.fault(FaultKind::WriteToConstant));
        }
        self.before_write(to.0)?;
        self.writes_range(to, len);
        self.state.memory.copy(&mut self.arena, to, from, len);
        if let Some(target) = self
            .state
            .memory
            .object_mut(to.0)
            .filter(|_| !watches.is_empty())
        {
            watches.into_iter().for_each(|watch| target.watch(watch));
        }
        self.state.steps += len / 8;
        Ok(())
    }

    pub(super) fn mem_set(&mut self, dst: Reg, byte: Reg, len: Reg) -> Step {
        let len = self.expr(len);
        self.check_range(dst, len)?;
        let len = self.pin(len)?;
        if len == 0 {
            return Ok(());
        }
        let to = self.expr(dst);
        let (id, offset) = self.resolve_range(to, len)?;
        let byte = self.get(byte);
        self.before_write(id)?;
        self.writes_range((id, offset), len);
        let Some(object) = self.state.memory.object_mut(id) else {
            return Ok(());
        };
        if object.is_constant() {
            return Err(self.fault(FaultKind::WriteToConstant));
        }
        match byte.expr {
            None => object.fill(&mut self.arena, offset, len, byte.bits as u8),
            Some(e) => {
                for i in 0..len {
                    object.put_expr(&mut self.arena, offset + i, e);
                }
            }
        }
        self.state.steps += len / 8;
        Ok(())
    }
}
