//! Loads from constant tables, and the places that an address with an index can mean.

use crate::definitions::{CodePoint, Definition};
use crate::places::Base;
use crate::refine::FunctionView;
use crate::state::AbstractState;
use crate::value_set::{MAX_WIDTH, ValueSet};
use labrys_ir::{Const, Global, Inst, Module, Reg, SymbolRef};

/// A load whose address can have more values than this gives an unknown result.
const MAX_ADDRESSES: usize = 1024;
/// An address is followed through so many additions.
const MAX_ADDITIONS: u32 = 8;

/// What a load can give.
pub(crate) fn load(
    module: &Module,
    view: &FunctionView<'_>,
    state: &AbstractState,
    point: CodePoint,
    addr: Reg,
    width: u8,
) -> ValueSet {
    let top = ValueSet::top(width);
    if width > MAX_WIDTH || view.sees_no_constants(point.at) {
        return top;
    }
    let Some((Base::Global(global), offsets)) = places(view, state, point, addr) else {
        return top;
    };
    let global = &module.globals[global.index()];
    if !global.constant || global.external {
        return top;
    }
    let mut value: Option<ValueSet> = None;
    for offset in offsets {
        let Some(here) = initial(global, offset, width) else {
            return top;
        };
        value = Some(value.map_or(here, |other| other.join(&here)));
    }
    value.unwrap_or(top)
}

/// The variable and the offsets that an address can mean.
pub(crate) fn places(
    view: &FunctionView<'_>,
    state: &AbstractState,
    point: CodePoint,
    addr: Reg,
) -> Option<(Base, Vec<i128>)> {
    places_of(view, state, point, addr, MAX_ADDITIONS)
}

fn places_of(
    view: &FunctionView<'_>,
    state: &AbstractState,
    point: CodePoint,
    addr: Reg,
    depth: u32,
) -> Option<(Base, Vec<i128>)> {
    if depth == 0 || view.definitions.may_be_unwritten(addr) {
        return None;
    }
    if view.definitions.def(addr) == Definition::Const {
        let mut constants = view.function.constants.iter();
        return constants.find_map(|(reg, value)| match value {
            Const::Symbol(SymbolRef::Global { global, addend }) if *reg == addr => {
                Some((Base::Global(*global), vec![i128::from(*addend)]))
            }
            _ => None,
        });
    }
    if view.definitions.def(addr) == Definition::Param {
        return parameter_places(view, addr);
    }
    let at = view.definitions.inst_at(addr, point)?;
    match view.function.code[at as usize] {
        Inst::Alloca { dst, .. } => Some((Base::Local(dst), vec![0])),
        Inst::Copy { src, .. } => places_of(view, state, point, src, depth - 1),
        Inst::Load { .. } => {
            let held = view.definitions.loaded(at)?;
            places_of(view, state, point, held, depth - 1)
        }
        Inst::Offset { base, offset, .. } => {
            let (global, mut offsets) = places_of(view, state, point, base, depth - 1)?;
            for place in &mut offsets {
                *place += i128::from(offset);
            }
            Some((global, offsets))
        }
        Inst::Index {
            base, index, scale, ..
        } => {
            let index = view.read(state, index, at);
            if !index.is_tracked() {
                return None;
            }
            let (low, high) = (i128::from(index.smin), i128::from(index.smax));
            if high - low >= MAX_ADDRESSES as i128 {
                return None;
            }
            let (global, bases) = places_of(view, state, point, base, depth - 1)?;
            let mut offsets = Vec::new();
            for n in low..=high {
                if index.contains(n as u64) {
                    offsets.extend(bases.iter().map(|at| at + n * i128::from(scale)));
                }
            }
            (offsets.len() <= MAX_ADDRESSES).then_some((global, offsets))
        }
        _ => None,
    }
}

/// A parameter that leads into one object.
fn parameter_places(view: &FunctionView<'_>, reg: Reg) -> Option<(Base, Vec<i128>)> {
    let (id, start) = view.definitions.param_address(reg)?;
    let offsets = match start.exact() {
        Some(start) => vec![start.into()],
        None => {
            let params = &view.function.params;
            let i = params.iter().position(|param| *param == reg)?;
            let known = view.param_places.get(i)?.as_ref()?;
            known.iter().map(|offset| i128::from(*offset)).collect()
        }
    };
    Some((Base::Global(id), offsets))
}

/// The bytes at an offset of a variable's initial value, as a number. None outside, and where an
/// address stands.
pub(crate) fn initial(global: &Global, offset: i128, width: u8) -> Option<ValueSet> {
    let bytes = i128::from(width.div_ceil(8));
    // A number of more than 64 bits is no value of the analysis.
    if offset < 0 || bytes > 8 || offset + bytes > i128::from(global.size) {
        return None;
    }
    let overlaps = |at: i128| at < offset + bytes && offset < at + 8;
    if global
        .relocs
        .iter()
        .any(|reloc| overlaps(i128::from(reloc.offset)))
    {
        return None;
    }
    let byte = |i: i128| global.init.get((offset + i) as usize).copied().unwrap_or(0);
    let bits = (0..bytes).fold(0u64, |bits, i| bits | u64::from(byte(i)) << (8 * i));
    Some(ValueSet::constant(width, bits))
}
