//! Where an address can lead by the way it is computed, without any value: into one object, in steps of
//! its indices. `&plan.bar[n].height` leads to `plan`, 20 bytes from its begin and some multiple of 24
//! on.

use crate::definitions::{Definition, Definitions};
use crate::places::{Address, Base, ConstantRegisters, MemoryPlace};
use labrys_ir::{CastOp, Const, Function, Inst, Reg, SymbolRef};

/// An address is followed through so many additions.
const MAX_ADDITIONS: usize = 16;

/// OffsetSteps from the begin of an object: `start` and the multiples of `step` from there; one distance
/// if the step is 0, all if it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OffsetSteps {
    pub(crate) start: i64,
    pub(crate) step: u64,
}

impl OffsetSteps {
    pub(crate) const ALL: OffsetSteps = OffsetSteps { start: 0, step: 1 };

    pub(crate) fn one(start: i64) -> OffsetSteps {
        OffsetSteps { start, step: 0 }
    }

    pub(crate) fn exact(self) -> Option<i64> {
        (self.step == 0).then_some(self.start)
    }

    pub(crate) fn moved(self, by: i64) -> OffsetSteps {
        match self.start.checked_add(by) {
            Some(start) => OffsetSteps { start, ..self },
            None => OffsetSteps::ALL,
        }
    }

    pub(crate) fn with_step(self, step: u64) -> OffsetSteps {
        let step = gcd(self.step, step);
        OffsetSteps { step, ..self }
    }

    pub(crate) fn join(self, other: OffsetSteps) -> OffsetSteps {
        self.with_step(other.step)
            .with_step(self.start.abs_diff(other.start))
    }

    /// Can so many bytes from a distance on have one in common with those of the other?
    pub(crate) fn overlaps(self, bytes: u64, other: OffsetSteps, other_bytes: u64) -> bool {
        let step = i128::from(gcd(self.step, other.step));
        let apart = i128::from(other.start) - i128::from(self.start);
        let (bytes, other_bytes) = (i128::from(bytes), i128::from(other_bytes));
        if step == 0 {
            return -other_bytes < apart && apart < bytes;
        }
        let apart = apart.rem_euclid(step);
        apart < bytes || step - apart < other_bytes
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// An object and the distances from its begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AddressShape {
    /// Never a pointer.
    pub(crate) object: Base,
    pub(crate) distances: OffsetSteps,
}

/// A function whose addresses are asked for.
#[derive(Clone, Copy)]
pub(crate) struct AddressCode<'a> {
    pub(crate) function: &'a Function,
    pub(crate) definitions: &'a Definitions,
    pub(crate) constants: &'a ConstantRegisters,
}

impl AddressCode<'_> {
    /// The object that an address leads into; none if that is not known.
    pub(crate) fn shape(&self, reg: Reg) -> Option<AddressShape> {
        let (mut reg, mut distances) = (reg, OffsetSteps::one(0));
        let from = |object, start: OffsetSteps, distances: OffsetSteps| {
            let moved = start.with_step(distances.step).moved(distances.start);
            Some(AddressShape {
                object,
                distances: moved,
            })
        };
        for _ in 0..MAX_ADDITIONS {
            let at = match self.step(reg)? {
                AddressStep::Object(object, start) => return from(object, start, distances),
                AddressStep::Inst(at) => at,
            };
            reg = match self.function.code[at as usize] {
                Inst::Alloca { dst, .. } => {
                    return from(Base::Local(dst), OffsetSteps::one(0), distances);
                }
                Inst::Copy { src, .. } => src,
                Inst::Load { .. } => self.definitions.loaded(at)?,
                Inst::Offset { base, offset, .. } => {
                    distances = distances.moved(offset.into());
                    base
                }
                Inst::Index {
                    base, index, scale, ..
                } => {
                    distances = match self.number(index, scale) {
                        Some(more) => distances.moved(more),
                        None => distances.with_step(self.step_of(index, scale)),
                    };
                    base
                }
                _ => return None,
            };
        }
        None
    }

    /// An address as a distance from an object, or from the register from which on it is not one
    /// number.
    pub(crate) fn pointer(&self, reg: Reg) -> Option<Address> {
        let (mut reg, mut offset) = (reg, 0i64);
        for _ in 0..MAX_ADDITIONS {
            let here = |reg: Reg, offset: i64| {
                let base = Base::Pointer(self.definitions.name(reg));
                let offset = Some(offset);
                (!self.definitions.is_unsettled(reg)).then_some(Address { base, offset })
            };
            let at = match self.step(reg)? {
                AddressStep::Object(base, start) => {
                    let Some(start) = start.exact() else {
                        return here(reg, offset);
                    };
                    let offset = Some(offset.checked_add(start)?);
                    return Some(Address { base, offset });
                }
                AddressStep::Inst(at) => at,
            };
            let (next, more) = match self.function.code[at as usize] {
                Inst::Alloca { dst, .. } => {
                    let (base, offset) = (Base::Local(dst), Some(offset));
                    return Some(Address { base, offset });
                }
                Inst::Copy { src, .. } => (src, 0),
                Inst::Load { .. } => match self.definitions.loaded(at) {
                    Some(held) => (held, 0),
                    None => return here(reg, offset),
                },
                Inst::Offset { base, offset, .. } => (base, offset.into()),
                Inst::Index {
                    base, index, scale, ..
                } => match self.number(index, scale) {
                    Some(more) => (base, more),
                    None => return here(reg, offset),
                },
                _ => return here(reg, offset),
            };
            offset = offset.checked_add(more)?;
            reg = next;
        }
        None
    }

    fn step(&self, reg: Reg) -> Option<AddressStep> {
        let definition = self.definitions.def(reg);
        // Literals may be other objects at each use, but with the same contents.
        if self.definitions.is_unsettled(reg) && definition != Definition::Const {
            return None;
        }
        match definition {
            Definition::Const => match self.constants.get(&reg)? {
                Const::Symbol(SymbolRef::Global { global, addend }) => Some(AddressStep::Object(
                    Base::Global(*global),
                    OffsetSteps::one(*addend),
                )),
                _ => None,
            },
            Definition::Param => {
                let (id, distances) = self.definitions.param_address(reg)?;
                Some(AddressStep::Object(Base::Global(id), distances))
            }
            Definition::Inst(at) => Some(AddressStep::Inst(at)),
            Definition::Phi(_) | Definition::Other => None,
        }
    }

    fn number(&self, index: Reg, scale: u32) -> Option<i64> {
        match self.constants.get(&index)? {
            Const::Int(bits) => (*bits as u64 as i64).checked_mul(scale.into()),
            _ => None,
        }
    }

    /// Multiples of what an index adds. A product with an index of 64 bits wraps at a power of two.
    fn step_of(&self, index: Reg, scale: u32) -> u64 {
        let narrow = |inst: &Inst| {
            matches!(
                inst,
                Inst::Cast {
                    op: CastOp::SExt | CastOp::ZExt,
                    from: ..=32,
                    ..
                }
            )
        };
        let scale = u64::from(scale);
        match self.definitions.def(index) {
            Definition::Inst(at) if narrow(&self.function.code[at as usize]) => scale,
            _ => gcd(scale, 1 << 63),
        }
    }

    /// The bytes of a place, as a part of an object; none if its base leads anywhere.
    pub(crate) fn region(&self, place: MemoryPlace) -> Option<AddressShape> {
        let start = match place.base {
            Base::Pointer(reg) => self.shape(reg)?,
            object => AddressShape {
                object,
                distances: OffsetSteps::one(0),
            },
        };
        let distances = start.distances.moved(place.offset);
        Some(AddressShape { distances, ..start })
    }
}

/// One step back from an address.
enum AddressStep {
    Object(Base, OffsetSteps),
    Inst(u32),
}
