//! What is behind a pointer that leads to one of several places: `lamp->angle` where `lamp` can be any lamp. It
//! is known of a place with the pointer as its base, beside what is known of each place that it can be, and goes
//! with the pointer into calls and back.

use super::analysis::{CaseAnalysis, CasePoint};
use super::state::{CaseState, CaseValue, ImpossibleCase, PointerLead};
use crate::definitions::Definition;
use crate::places::{Base, MemoryPlace};
use crate::value_set::MAX_WIDTH;
use labrys_ir::{FuncId, Inst, Reg, RegList};
use std::rc::Rc;

/// An address is followed through so many constant distances.
const MAX_DISTANCES: usize = 8;

/// A pointer of a caller that a parameter is `from` bytes away from.
pub(super) struct PassedPointer {
    lead: PointerLead,
    param: Reg,
    from: i64,
}

impl CaseAnalysis<'_, '_> {
    /// The place as one behind the pointer that the address was computed from, where that leads to one of
    /// several places.
    pub(super) fn behind(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        addr: Reg,
        width: u8,
    ) -> Option<MemoryPlace> {
        let (pointer, offset) = self.pointer_of(point, addr)?;
        let is_tracked = width <= MAX_WIDTH && width.is_multiple_of(8);
        let lead = self.lead_of(state, point, pointer).filter(|_| is_tracked)?;
        state.lead(lead);
        Some(MemoryPlace {
            base: Base::Pointer(pointer),
            offset,
            width,
        })
    }

    /// Where a pointer leads that can be one of several places.
    fn lead_of(&self, state: &CaseState, point: CasePoint, pointer: Reg) -> Option<PointerLead> {
        let Some(CaseValue::Address(object, offsets)) = self.value(state, point, pointer) else {
            return None;
        };
        let is_one_of_several = offsets.len() > 1 && self.setting.is_steady(point.function, object);
        is_one_of_several.then_some(PointerLead {
            pointer,
            object,
            offsets,
        })
    }

    /// The register that an address is a constant distance away from, as it is now.
    fn pointer_of(&self, point: CasePoint, addr: Reg) -> Option<(Reg, i64)> {
        let code = self.setting.code(point.function)?;
        let (mut reg, mut distance) = (addr, 0i64);
        for _ in 0..MAX_DISTANCES {
            if code.definitions.may_be_unwritten(reg) {
                return None;
            }
            if code.definitions.def(reg) == Definition::Other {
                return None;
            }
            let inst = code.definitions.inst_at(reg, point.at);
            (reg, distance) = match inst.map(|at| code.function.code[at as usize]) {
                Some(Inst::Offset { base, offset, .. }) => {
                    (base, distance.checked_add(offset.into())?)
                }
                Some(Inst::Copy { src, .. }) => (src, distance),
                _ => return Some((reg, distance)),
            };
        }
        None
    }

    /// The pointers behind which something may be known when a function is called, and when it returns.
    pub(super) fn passed_pointers(
        &self,
        state: &CaseState,
        point: CasePoint,
        callee: FuncId,
        args: RegList,
    ) -> Vec<PassedPointer> {
        let Some(known) = self.setting.function(callee) else {
            return Vec::new();
        };
        let module = self.setting.module;
        let function = &module.functions[point.function.index()];
        let params = module.functions[callee.index()].params.iter();
        let pairs = params.zip(function.list(args));
        let pairs = pairs.filter(|(param, _)| known.definitions.def(**param) == Definition::Param);
        let passed = pairs.filter_map(|(param, arg)| {
            let (pointer, from) = self.pointer_of(point, *arg)?;
            let lead = self.lead_of(state, point, pointer)?;
            // Locals have no name in other functions, and calls with different literals share a context.
            let Base::Global(id) = lead.object else {
                return None;
            };
            let is_constant = module.globals[id.index()].constant;
            (!is_constant).then_some(PassedPointer {
                lead,
                param: *param,
                from,
            })
        });
        passed.collect()
    }

    /// Gives a function what is known behind a pointer.
    pub(super) fn pass_behind(
        &self,
        state: &CaseState,
        passed: &mut CaseState,
        pointer: &PassedPointer,
        callee: FuncId,
    ) {
        let PassedPointer { lead, param, from } = pointer;
        let base = Base::Pointer(lead.pointer);
        let is_seen = |place: MemoryPlace| {
            let mut all = lead.places(place);
            all.any(|place| self.setting.touches(callee, place))
        };
        let known = state.cells().filter(|(place, _)| place.base == base);
        let known: Vec<_> = known.filter(|(place, _)| is_seen(*place)).collect();
        if known.is_empty() {
            return;
        }
        let offsets = lead.offsets.iter().map(|at| at.saturating_add(*from));
        passed.lead(PointerLead {
            pointer: *param,
            object: lead.object,
            offsets: Rc::new(offsets.collect()),
        });
        for (place, value) in known {
            let there = MemoryPlace {
                base: Base::Pointer(*param),
                offset: place.offset.saturating_sub(*from),
                width: place.width,
            };
            passed.set_cell(there, Some(value.clone()));
        }
    }

    /// Takes back what is known behind a parameter when its function returns.
    pub(super) fn take_behind(
        &self,
        returned: &CaseState,
        after: &mut CaseState,
        pointer: &PassedPointer,
    ) -> Result<(), ImpossibleCase> {
        let PassedPointer { lead, param, from } = pointer;
        let base = Base::Pointer(*param);
        for (place, value) in returned.cells().filter(|(place, _)| place.base == base) {
            let there = MemoryPlace {
                base: Base::Pointer(lead.pointer),
                offset: place.offset.saturating_add(*from),
                width: place.width,
            };
            after.lead(lead.clone());
            self.narrow_cell(after, there, value)?;
        }
        Ok(())
    }
}
