//! Places in memory: what an address was computed from, as an object or a register and a distance
//! from it. Two places of different objects never overlap, since a run ends at its first error.

use crate::definitions::{Definition, Definitions};
use crate::pointer_shape::{AddressShape, OffsetSteps};
use labrys_ir::{Const, Function, GlobalId, Inst, Module, Reg, SymbolRef};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An address is followed through so many additions.
const MAX_ADDITIONS: usize = 16;

/// What the distance of a place is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Base {
    Global(GlobalId),
    /// A stack object of fixed size, by the register that its address is in.
    Local(Reg),
    /// Wherever the value of this register leads.
    Pointer(Reg),
}

/// Bytes from a base on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MemoryPlace {
    pub(crate) base: Base,
    pub(crate) offset: i64,
    pub(crate) width: u8,
}

impl MemoryPlace {
    fn end(self) -> i64 {
        self.offset
            .saturating_add(i64::from(self.width.div_ceil(8)))
    }

    pub(crate) fn bytes(self) -> u64 {
        self.width.div_ceil(8).into()
    }

    /// The bytes as a part of an object; none where a pointer leads to them.
    pub(crate) fn region(self) -> Option<AddressShape> {
        let distances = OffsetSteps::one(self.offset);
        let object = self.base;
        (!matches!(object, Base::Pointer(_))).then_some(AddressShape { object, distances })
    }

    /// Do both have a byte in common, if they have the same base?
    pub(crate) fn overlaps(self, other: MemoryPlace) -> bool {
        self.offset < other.end() && other.offset < self.end()
    }
}

/// An address: its base and, where it is known, the distance from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) base: Base,
    pub(crate) offset: Option<i64>,
}

impl Address {
    pub(crate) fn place(self, width: u8) -> Option<MemoryPlace> {
        let (base, offset) = (self.base, self.offset?);
        Some(MemoryPlace {
            base,
            offset,
            width,
        })
    }
}

/// The constants of a function by register.
pub(crate) type ConstantRegisters = FxHashMap<Reg, Const>;

pub(crate) fn constants(function: &Function) -> ConstantRegisters {
    function.constants.iter().copied().collect()
}

/// What an address was computed from; none if that is not certain.
pub(crate) fn address(
    function: &Function,
    definitions: &Definitions,
    constants: &ConstantRegisters,
    reg: Reg,
) -> Option<Address> {
    let (mut reg, mut offset) = (reg, Some(0i64));
    let pointer = |reg, offset| {
        let base = Base::Pointer(definitions.name(reg));
        Some(Address { base, offset })
    };
    for _ in 0..MAX_ADDITIONS {
        // Literals may be other objects at each use, but with the same contents.
        if definitions.is_unsettled(reg) && definitions.def(reg) != Definition::Const {
            return None;
        }
        let at = match definitions.def(reg) {
            Definition::Const => {
                return match constants.get(&reg)? {
                    Const::Symbol(SymbolRef::Global { global, addend }) => Some(Address {
                        base: Base::Global(*global),
                        offset: offset.and_then(|offset| offset.checked_add(*addend)),
                    }),
                    _ => None,
                };
            }
            Definition::Inst(at) => at,
            Definition::Param => {
                return match definitions.param_address(reg) {
                    Some((id, start)) => Some(Address {
                        base: Base::Global(id),
                        offset: offset
                            .zip(start.exact())
                            .and_then(|(offset, start)| offset.checked_add(start)),
                    }),
                    None => pointer(reg, offset),
                };
            }
            Definition::Phi(_) => return pointer(reg, offset),
            Definition::Other => return None,
        };
        match function.code[at as usize] {
            Inst::Alloca { dst, .. } => {
                let base = Base::Local(dst);
                return Some(Address { base, offset });
            }
            Inst::Copy { src, .. } => reg = src,
            Inst::Load { .. } => match definitions.loaded(at) {
                Some(held) => reg = held,
                None => return pointer(reg, offset),
            },
            Inst::Offset {
                base, offset: more, ..
            } => {
                offset = offset.and_then(|offset| offset.checked_add(more.into()));
                reg = base;
            }
            Inst::Index {
                base, index, scale, ..
            } => {
                let index = match constants.get(&index) {
                    Some(Const::Int(bits)) => Some(*bits as u64 as i64),
                    _ => None,
                };
                let more = index.and_then(|index| index.checked_mul(scale.into()));
                offset = offset
                    .zip(more)
                    .and_then(|(offset, more)| offset.checked_add(more));
                reg = base;
            }
            _ => return pointer(reg, offset),
        }
    }
    None
}

/// An array of more elements than this is not looked at element by element.
const MAX_ELEMENTS: u64 = 64;

/// What is read may be a copy of a copy.
const COPIES_IN_A_ROW: usize = 2;

/// The places of objects that a function reads: each that it names, and all elements where it reads by
/// an index.
pub(crate) fn read_places(
    module: &Module,
    function: &Function,
    definitions: &Definitions,
    constants: &ConstantRegisters,
) -> Vec<MemoryPlace> {
    let mut places = BTreeSet::new();
    for inst in &function.code {
        let Inst::Load { addr, width, .. } = *inst else {
            continue;
        };
        let Some(found) = address(function, definitions, constants, addr) else {
            continue;
        };
        let size = match found.base {
            Base::Global(id) => module.globals[id.index()].size,
            Base::Local(reg) => local_size(function, definitions, reg),
            Base::Pointer(_) => continue,
        };
        if let Some(place) = found.place(width) {
            places.insert(place);
            continue;
        }
        let bytes = u64::from(width.div_ceil(8));
        if let Some(elements) = elements(function, definitions, constants, addr, size) {
            places.extend(elements.into_iter().map(|offset| MemoryPlace {
                base: found.base,
                offset,
                width,
            }));
            continue;
        }
        if size / bytes <= MAX_ELEMENTS {
            places.extend((0..size / bytes).map(|k| MemoryPlace {
                base: found.base,
                offset: (k * bytes) as i64,
                width,
            }));
        }
    }
    for _ in 0..COPIES_IN_A_ROW {
        for inst in &function.code {
            let Inst::MemCopy { dst, src, .. } = *inst else {
                continue;
            };
            let of = |reg| address(function, definitions, constants, reg);
            let (Some(to), Some(from)) = (of(dst), of(src)) else {
                continue;
            };
            let copied: Vec<MemoryPlace> =
                places.iter().filter_map(|p| source(*p, to, from)).collect();
            places.extend(copied);
        }
    }
    places.into_iter().collect()
}

/// The places that an address with indices can mean in an object of this size, if they are few: those
/// worth knowing, which need not be all.
fn elements(
    function: &Function,
    definitions: &Definitions,
    constants: &ConstantRegisters,
    addr: Reg,
    size: u64,
) -> Option<Vec<i64>> {
    let size = i64::try_from(size).ok()?;
    let (mut reg, mut start) = (addr, 0i64);
    let mut scales: Vec<i64> = Vec::new();
    for _ in 0..MAX_ADDITIONS {
        let at = match (definitions.def(reg), constants.get(&reg)) {
            (_, Some(Const::Symbol(SymbolRef::Global { addend, .. }))) => {
                start = start.checked_add(*addend)?;
                break;
            }
            (Definition::Inst(at), _) => at,
            _ => return None,
        };
        match function.code[at as usize] {
            Inst::Alloca { .. } => break,
            Inst::Copy { src, .. } => reg = src,
            Inst::Load { .. } => reg = definitions.loaded(at)?,
            Inst::Offset { base, offset, .. } => {
                start = start.checked_add(offset.into())?;
                reg = base;
            }
            Inst::Index {
                base, index, scale, ..
            } => {
                match constants.get(&index) {
                    Some(Const::Int(bits)) => {
                        let more = (*bits as i64).checked_mul(scale.into())?;
                        start = start.checked_add(more)?;
                    }
                    _ => scales.push(scale.into()),
                }
                reg = base;
            }
            _ => return None,
        }
    }
    scales.sort_unstable();
    scales.dedup();
    let mut offsets = vec![start];
    let mut limit = size;
    for scale in scales.into_iter().rev().filter(|scale| *scale > 0) {
        let steps = 0..limit / scale;
        if offsets.len().checked_mul(steps.end as usize)? > MAX_ELEMENTS as usize {
            return None;
        }
        offsets = (offsets.iter())
            .flat_map(|from| steps.clone().map(move |k| from + k * scale))
            .collect();
        limit = scale;
    }
    offsets.retain(|offset| (0..size).contains(offset));
    Some(offsets)
}

/// Where a place is copied from.
fn source(place: MemoryPlace, to: Address, from: Address) -> Option<MemoryPlace> {
    let distance = place.offset.checked_sub(to.offset?)?;
    let is_object = !matches!(from.base, Base::Pointer(_));
    (place.base == to.base && is_object).then_some(MemoryPlace {
        base: from.base,
        offset: from.offset?.checked_add(distance)?,
        ..place
    })
}

fn local_size(function: &Function, definitions: &Definitions, reg: Reg) -> u64 {
    let Definition::Inst(at) = definitions.def(reg) else {
        return 0;
    };
    match function.code[at as usize] {
        Inst::Alloca { size, .. } => size.into(),
        _ => 0,
    }
}
