//! Loads and stores of a piece of code: where an address leads, and what a write does to a place.

use super::code::CertifiedCode;
use super::meaning::{WIDEST, anything};
use super::piece::{CodePiece, symbol_object};
use super::script::{SmtFormula, SmtTerm};
use crate::constant_tables::initial;
use crate::definitions::Definition;
use crate::places::{Base, MemoryPlace};
use labrys_ir::{Const, FuncId, Inst, Reg};

/// An address is followed through so many additions.
const MOST_ADDITIONS: usize = 16;
/// A read by an index looks at so many elements at most.
const MOST_ELEMENTS: u64 = 128;

/// An object, or what a pointer leads to, and a distance from there.
#[derive(Clone, Debug)]
pub(super) struct AddressTarget {
    pub(super) base: Base,
    pub(super) offset: i64,
    /// What indices add; none if nothing.
    more: Option<SmtTerm>,
}

/// Something that was written.
#[derive(Clone, Debug)]
pub(super) struct MemoryWrite {
    /// None if it may be anywhere that a pointer can lead to.
    target: Option<AddressTarget>,
    /// So many bytes; none if that is not known.
    bytes: Option<u64>,
    value: WrittenValue,
}

#[derive(Clone, Debug)]
enum WrittenValue {
    /// One number of so many bits.
    Number(u8, SmtTerm),
    /// The same byte everywhere.
    Byte(u8),
    Unknown,
    /// All that memory holds is unknown, private objects, too.
    Everything,
}

/// What a place holds behind a write.
pub(super) enum WriteEffect {
    /// What it held before.
    None,
    Value(SmtTerm),
    Anything,
    /// The value if the first holds, anything if the last holds, else what it held before.
    Perhaps {
        exactly: SmtFormula,
        value: Option<SmtTerm>,
        touched: SmtFormula,
    },
}

impl MemoryWrite {
    pub(super) fn everything() -> MemoryWrite {
        MemoryWrite {
            target: None,
            bytes: None,
            value: WrittenValue::Everything,
        }
    }

    pub(super) fn effect(
        &self,
        code: &CertifiedCode<'_>,
        id: FuncId,
        place: MemoryPlace,
    ) -> WriteEffect {
        if matches!(self.value, WrittenValue::Everything) {
            return WriteEffect::Anything;
        }
        let Some(target) = &self.target else {
            return match code.is_public(id, place.base) {
                true => WriteEffect::Anything,
                false => WriteEffect::None,
            };
        };
        if target.base != place.base {
            let is_pointer = |base: Base| matches!(base, Base::Pointer(_));
            let may_meet = match (is_pointer(target.base), is_pointer(place.base)) {
                (false, false) => false,
                (true, false) => code.is_public(id, place.base),
                (false, true) => code.is_public(id, target.base),
                (true, true) => true,
            };
            return match may_meet {
                true => WriteEffect::Anything,
                false => WriteEffect::None,
            };
        }
        let Some(bytes) = self.bytes else {
            return WriteEffect::Anything;
        };
        match &target.more {
            None => self.at_distance(target.offset, bytes, place),
            Some(more) => self.by_index(target.offset, more, bytes, place),
        }
    }

    fn at_distance(&self, offset: i64, bytes: u64, place: MemoryPlace) -> WriteEffect {
        let (from, to) = (i128::from(offset), i128::from(offset) + i128::from(bytes));
        let start = i128::from(place.offset);
        let end = start + i128::from(place.bytes());
        if end <= from || to <= start {
            return WriteEffect::None;
        }
        match &self.value {
            WrittenValue::Number(width, value) if *width == place.width && start == from => {
                WriteEffect::Value(value.clone())
            }
            WrittenValue::Byte(byte) if from <= start && end <= to => {
                let all = u128::from_ne_bytes([*byte; 16]);
                WriteEffect::Value(SmtTerm::number(place.width, all))
            }
            _ => WriteEffect::Anything,
        }
    }

    fn by_index(&self, offset: i64, more: &SmtTerm, bytes: u64, place: MemoryPlace) -> WriteEffect {
        let number = |value: i64| SmtTerm::number(more.width, value as u64 as u128);
        let from = SmtTerm::of(more.width, "bvadd", &[more, &number(offset)]);
        let exactly = SmtFormula::of("=", &[&from, &number(place.offset)]);
        // The ranges have a byte in common if their distance, as a number that wraps, is small.
        let apart = SmtTerm::of(more.width, "bvsub", &[&number(place.offset), &from]);
        let shifted = number(place.bytes() as i64 - 1);
        let apart = SmtTerm::of(more.width, "bvadd", &[&apart, &shifted]);
        let reach = number((bytes + place.bytes() - 1) as i64);
        let touched = SmtFormula::of("bvult", &[&apart, &reach]);
        let value = match &self.value {
            WrittenValue::Number(width, value) if *width == place.width => Some(value.clone()),
            _ => None,
        };
        WriteEffect::Perhaps {
            exactly,
            value,
            touched,
        }
    }
}

impl CodePiece<'_> {
    /// Where an address leads; none if nothing is known of it.
    pub(super) fn target(&mut self, addr: Reg, at: u32) -> Option<AddressTarget> {
        let (mut reg, mut offset, mut more) = (addr, 0i64, None);
        for _ in 0..MOST_ADDITIONS {
            if let Some(constant) = self.code.constant(self.id, reg) {
                let Const::Symbol(symbol) = constant else {
                    return None;
                };
                let (base, start) = symbol_object(symbol)?;
                let offset = offset.checked_add(start)?;
                return Some(AddressTarget { base, offset, more });
            }
            let definitions = &self.facts.definitions;
            if definitions.is_unsettled(reg) {
                return None;
            }
            let pointer = |reg, offset, more| {
                let base = Base::Pointer(reg);
                Some(AddressTarget { base, offset, more })
            };
            let made = match definitions.def(reg) {
                Definition::Param => {
                    let known = definitions.param_address(reg);
                    let exact = known.and_then(|(id, start)| Some((id, start.exact()?)));
                    let Some((id, start)) = exact else {
                        return pointer(reg, offset, more);
                    };
                    let (base, offset) = (Base::Global(id), offset.checked_add(start)?);
                    return Some(AddressTarget { base, offset, more });
                }
                Definition::Inst(made) => made,
                Definition::Phi(_) => return pointer(reg, offset, more),
                Definition::Const | Definition::Other => return None,
            };
            match self.function.code[made as usize] {
                Inst::Alloca { dst, .. } => {
                    let base = Base::Local(dst);
                    return Some(AddressTarget { base, offset, more });
                }
                Inst::Copy { src, .. } => reg = src,
                Inst::Offset {
                    base, offset: by, ..
                } => {
                    offset = offset.checked_add(by.into())?;
                    reg = base;
                }
                Inst::Index {
                    base, index, scale, ..
                } => {
                    match self.code.constant(self.id, index) {
                        Some(Const::Int(number)) => {
                            let by = (number as u64 as i64).checked_mul(scale.into())?;
                            offset = offset.checked_add(by)?;
                        }
                        _ => {
                            let index = self.value(index, at);
                            let scale = SmtTerm::number(index.width, scale.into());
                            let by = SmtTerm::of(index.width, "bvmul", &[&index, &scale]);
                            more = Some(match more {
                                None => by,
                                Some(more) => SmtTerm::of(by.width, "bvadd", &[&more, &by]),
                            });
                        }
                    }
                    reg = base;
                }
                _ => return pointer(reg, offset, more),
            }
        }
        None
    }

    pub(super) fn load(&mut self, addr: Reg, width: u8, at: u32) -> Option<SmtTerm> {
        if width > WIDEST {
            return None;
        }
        let target = self.target(addr, at)?;
        let Some(more) = target.more else {
            let place = MemoryPlace {
                base: target.base,
                offset: target.offset,
                width,
            };
            return Some(match self.fixed(place) {
                Some(number) => SmtTerm::number(width, number),
                None if self.code.rules.is_some() => self.cell(place),
                None => return None,
            });
        };
        // Each element that the index can mean.
        let bytes = u64::from(width.div_ceil(8));
        let size = self.code.size(self.id, target.base)?;
        let places = self
            .code
            .elements(self.id, target.base, width, size / bytes <= MOST_ELEMENTS);
        let mut value = anything(&mut self.script, width, "another element");
        for offset in places {
            let place = MemoryPlace {
                base: target.base,
                offset,
                width,
            };
            let held = match self.fixed(place) {
                Some(number) => SmtTerm::number(width, number),
                None if self.code.rules.is_some() => self.cell(place),
                None => continue,
            };
            let distance = offset.wrapping_sub(target.offset);
            let is_meant = more.is(distance as u64 as u128);
            value = SmtTerm::if_else(&is_meant, &held, &value);
        }
        Some(value)
    }

    /// What a place of a constant object holds.
    fn fixed(&self, place: MemoryPlace) -> Option<u128> {
        let Base::Global(id) = place.base else {
            return None;
        };
        let global = &self.code.module.globals[id.index()];
        let is_fixed = global.constant && !global.external && !self.is_made_up();
        let value = is_fixed.then(|| initial(global, place.offset.into(), place.width));
        Some(value.flatten()?.as_constant()?.into())
    }

    fn is_made_up(&self) -> bool {
        !self.facts.no_constants.is_empty()
    }

    pub(super) fn store(&mut self, addr: Reg, width: u8, value: SmtTerm, at: u32) {
        let target = self.target(addr, at);
        let value = match value.width == width && width <= WIDEST {
            true => WrittenValue::Number(width, value),
            false => WrittenValue::Unknown,
        };
        self.writes.push(MemoryWrite {
            target,
            bytes: Some(width.div_ceil(8).into()),
            value,
        });
    }

    /// Some bytes are written, all with one byte if it is known.
    pub(super) fn fill(&mut self, addr: Reg, byte: Option<Reg>, len: Reg, at: u32) {
        let target = self.target(addr, at);
        let known = |reg: Reg| match self.code.constant(self.id, reg) {
            Some(Const::Int(number)) if !self.is_made_up() => Some(number),
            _ => None,
        };
        let value = match byte.and_then(known) {
            Some(byte) => WrittenValue::Byte(byte as u8),
            None => WrittenValue::Unknown,
        };
        let bytes = known(len)
            .map(|len| len as u64)
            .filter(|len| *len < 1 << 40);
        self.writes.push(MemoryWrite {
            target,
            bytes,
            value,
        });
    }
}
