//! Finds the loads that may read a pointer as a number although nothing converts it: from a place
//! where a pointer was stored, as with the members of a union, or to which one was copied byte by
//! byte. Places are known by the value that their addresses are made from, and their offset to it.

use crate::exposure::escapes;
use crate::fold::constant_offset;
use crate::llvm::{LlvmModule, LlvmTypeKind, LlvmValue, Opcode, TargetLayout, ValueKind};
use rustc_hash::FxHashMap;

/// Bytes of a pointer.
const POINTER: i64 = 8;

/// A local that is copied on more often than this is taken for one that anybody reads.
const MOST_COPIES: u32 = 4;

/// A value that is an address, and an offset to it if that is known.
type KnownPlace<'m> = (LlvmValue<'m>, Option<i64>);

/// Bytes that are copied from the second place to the first.
struct CopiedBytes<'m> {
    to: KnownPlace<'m>,
    from: KnownPlace<'m>,
    size: Option<i64>,
}

/// What reads, copies and stores pointers as bytes.
pub(crate) struct PointerBytes<'m> {
    layout: TargetLayout<'m>,
    places: PointerPlaces<'m>,
    copies: Vec<CopiedBytes<'m>>,
    /// All loads of something else than a pointer.
    loads: Vec<LlvmValue<'m>>,
    /// Stores of whole words to places that are seen wherever they are read.
    stores: Vec<LlvmValue<'m>>,
}

impl<'m> PointerBytes<'m> {
    pub(crate) fn of(unit: &'m LlvmModule<'m>) -> PointerBytes<'m> {
        let layout = unit.layout();
        let mut bytes = PointerBytes {
            layout,
            places: PointerPlaces::default(),
            copies: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
        };
        for function in unit.functions() {
            for block in function.blocks() {
                for inst in block.instructions() {
                    match inst.opcode() {
                        Opcode::LLVMStore if is_pointer(inst.operand(0)) => {
                            let (root, offset) = place(layout, inst.operand(1));
                            bytes.places.add(root, offset);
                        }
                        Opcode::LLVMStore if is_word(inst.operand(0)) => bytes.stores.push(inst),
                        Opcode::LLVMLoad if !is_pointer(inst) => bytes.loads.push(inst),
                        Opcode::LLVMCall => bytes.copies.extend(copied(layout, inst)),
                        _ => {}
                    }
                }
            }
        }
        bytes
    }

    /// The loads of something else than a pointer from where a pointer may be.
    pub(crate) fn loads(&mut self) -> Vec<LlvmValue<'m>> {
        while self.copies.iter().any(|copy| self.places.copy(copy)) {}
        let may_read_pointer = |load: &&LlvmValue<'m>| {
            let size = self.layout.size(load.ty()) as i64;
            self.places.meet(place(self.layout, load.operand(0)), size)
        };
        self.loads
            .iter()
            .filter(may_read_pointer)
            .copied()
            .collect()
    }

    /// Follows addresses as numbers into the locals where they are stored, such as a structure that
    /// a function gets by value. True if there is a new place.
    pub(crate) fn follow(&mut self, is_address: impl Fn(LlvmValue<'m>) -> bool) -> bool {
        let mut grows = false;
        for store in &self.stores {
            if is_address(store.operand(0)) && stays_local(*store) {
                let (root, offset) = place(self.layout, store.operand(1));
                grows |= self.places.add(root, offset);
            }
        }
        grows
    }
}

/// Does a store write to a local that only loads read, and copies to other such locals?
pub(crate) fn stays_local(store: LlvmValue<'_>) -> bool {
    is_local(store.operand(1), MOST_COPIES)
}

/// The same of the local that an address leads to, after so many copies at most.
fn is_local(address: LlvmValue<'_>, copies: u32) -> bool {
    let mut root = address;
    while root.operation() == Some(Opcode::LLVMGetElementPtr) {
        root = root.operand(0);
    }
    root.operation() == Some(Opcode::LLVMAlloca)
        && !escapes(root)
        && copied_to(root).all(|to| copies > 0 && is_local(to, copies - 1))
}

/// Where bytes at an address, or at one that is made from it, are copied to.
fn copied_to(address: LlvmValue<'_>) -> Box<dyn Iterator<Item = LlvmValue<'_>> + '_> {
    let users = address.users().into_iter();
    Box::new(users.flat_map(move |user| match user.operation() {
        Some(Opcode::LLVMGetElementPtr) => copied_to(user),
        Some(Opcode::LLVMCall) if is_copy(user) && user.operand(1) == address => {
            Box::new(std::iter::once(user.operand(0)))
        }
        _ => Box::new(std::iter::empty()),
    }))
}

/// Where pointers were stored.
#[derive(Default)]
struct PointerPlaces<'m>(FxHashMap<LlvmValue<'m>, Vec<Option<i64>>>);

impl<'m> PointerPlaces<'m> {
    /// True if it is a new place.
    fn add(&mut self, root: LlvmValue<'m>, offset: Option<i64>) -> bool {
        let known = self.0.entry(root).or_default();
        let is_new = !known.contains(&offset) && !known.contains(&None);
        if is_new {
            known.push(offset);
        }
        is_new
    }

    /// Adds the pointers that a copy makes; true if there is a new one.
    fn copy(&mut self, copy: &CopiedBytes<'m>) -> bool {
        let sources = self.0.get(&copy.from.0).cloned().unwrap_or_default();
        let mut grows = false;
        for source in sources {
            let moved = source.zip(copy.from.1).map(|(at, from)| at - from);
            let is_outside = |(at, size): (i64, i64)| at <= -POINTER || at >= size;
            if moved.zip(copy.size).is_some_and(is_outside) {
                continue;
            }
            let offset = moved.zip(copy.to.1).map(|(moved, to)| to + moved);
            grows |= self.add(copy.to.0, offset);
        }
        grows
    }

    /// May a pointer lie in these bytes?
    fn meet(&self, (root, offset): KnownPlace<'m>, size: i64) -> bool {
        self.0.get(&root).is_some_and(|known| {
            known.iter().any(|at| match at.zip(offset) {
                Some((at, offset)) => at < offset + size && offset < at + POINTER,
                None => true,
            })
        })
    }
}

fn is_pointer(value: LlvmValue<'_>) -> bool {
    value.ty().kind() == LlvmTypeKind::Pointer
}

pub(crate) fn is_word(value: LlvmValue<'_>) -> bool {
    value.ty().kind() == LlvmTypeKind::Int(64)
}

fn place<'m>(layout: TargetLayout<'m>, address: LlvmValue<'m>) -> KnownPlace<'m> {
    let (mut root, mut offset) = (address, Some(0));
    loop {
        match root.operation() {
            Some(Opcode::LLVMGetElementPtr) => {
                let step = constant_offset(layout, root);
                offset = offset.zip(step).map(|(offset, step)| offset + step);
            }
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => {}
            _ => return (root, offset),
        }
        root = root.operand(0);
    }
}

fn copied<'m>(layout: TargetLayout<'m>, call: LlvmValue<'m>) -> Option<CopiedBytes<'m>> {
    if !is_copy(call) {
        return None;
    }
    let size = call.operand(2);
    let is_number = size.kind() == ValueKind::LLVMConstantIntValueKind;
    Some(CopiedBytes {
        to: place(layout, call.operand(0)),
        from: place(layout, call.operand(1)),
        size: is_number.then(|| size.bits() as i64),
    })
}

fn is_copy(call: LlvmValue<'_>) -> bool {
    let called = call.called();
    if called.kind() != ValueKind::LLVMFunctionValueKind || call.argument_count() < 3 {
        return false;
    }
    match called.intrinsic() {
        Some(name) => ["llvm.memcpy", "llvm.memmove"].contains(&name),
        None => ["memcpy", "memmove"].contains(&called.name().as_str()),
    }
}
