//! Which events can happen, and which places are accessed, by the states of one run.

use super::analysis::{CaseAnalysis, CaseObserver, CasePoint};
use super::interest::CaseField;
use super::keys::{CaseKeys, SplitElements};
use super::state::{CaseState, CaseValue};
use crate::places::MemoryPlace;
use crate::sites::events;
use crate::state::PendingSwitch;
use crate::value_set::ValueSet;
use labrys_ir::{FuncId, Inst, Reg};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// An event, and a register of the function that it stands in.
pub(super) type ElementLead = (Trigger, FuncId, Reg);

#[derive(Debug, Default)]
pub(super) struct CaseJudge {
    pub(super) possible: BTreeSet<Trigger>,
    /// Events that can happen where the register leads to the element that is told apart.
    pub(super) possible_there: BTreeSet<(Trigger, Reg)>,
    /// The elements that are read or written by addresses that are known.
    pub(super) accessed: BTreeMap<CaseField, BTreeSet<MemoryPlace>>,
    /// Where in their objects registers lead when an event can happen; none where that is not known.
    pub(super) leads: BTreeMap<ElementLead, Option<BTreeSet<i64>>>,
    /// The registers that are asked for.
    pub(super) elements: BTreeSet<(FuncId, Reg)>,
}

impl CaseObserver for CaseJudge {
    fn annotation(
        &mut self,
        analysis: &CaseAnalysis<'_, '_>,
        state: &CaseState,
        point: CasePoint,
        inst: Inst,
    ) {
        match inst {
            Inst::Load { addr, width, .. } | Inst::Store { addr, width, .. } => {
                let code = analysis.setting.code(point.function);
                let shape = code.and_then(|code| code.shape(addr));
                let field = shape.and_then(|shape| CaseField::of(shape, width));
                if let Some(field) = field.filter(|field| field.step > 0)
                    && let Some(CaseValue::Address(base, offsets)) =
                        analysis.value(state, point, addr)
                {
                    let all = offsets.iter().map(|offset| MemoryPlace {
                        base,
                        offset: *offset,
                        width,
                    });
                    self.accessed.entry(field).or_default().extend(all);
                }
            }
            Inst::Call { callee, args, .. } => {
                let known = analysis.setting.effects[callee.index()];
                let function = &analysis.setting.module.functions[point.function.index()];
                for trigger in events(function, known, args).unwrap_or_default() {
                    if is_possible(analysis, state, point, trigger, function.list(args)) {
                        self.possible.insert(trigger);
                        self.note_elements(analysis, state, point, trigger);
                    }
                }
            }
            _ => {}
        }
    }
}

impl CaseJudge {
    fn note_elements(
        &mut self,
        analysis: &CaseAnalysis<'_, '_>,
        state: &CaseState,
        point: CasePoint,
        trigger: Trigger,
    ) {
        let elements = self.elements.clone();
        for (function, reg) in elements.into_iter().filter(|(id, _)| *id == point.function) {
            let value = analysis.value(state, point, reg);
            if may_be_there(analysis.keys, value.as_ref()) {
                self.possible_there.insert((trigger, reg));
            }
            let leads = self.leads.entry((trigger, function, reg));
            let leads = leads.or_insert_with(|| Some(BTreeSet::new()));
            match (value, leads.as_mut()) {
                (Some(CaseValue::Address(_, offsets)), Some(known)) => known.extend(offsets.iter()),
                _ => *leads = None,
            }
        }
    }
}

/// Can an address lead to the element that is told apart?
fn may_be_there(keys: &CaseKeys, value: Option<&CaseValue>) -> bool {
    let Some(CaseValue::Address(base, offsets)) = value else {
        return true;
    };
    match keys.split.get(base) {
        Some(SplitElements::One(from, to)) => {
            offsets.iter().any(|offset| (*from..*to).contains(offset))
        }
        _ => true,
    }
}

fn is_possible(
    analysis: &CaseAnalysis<'_, '_>,
    state: &CaseState,
    point: CasePoint,
    trigger: Trigger,
    args: &[Reg],
) -> bool {
    let (value, holds) = match trigger {
        Trigger::Reach { .. } | Trigger::Pair { .. } => return true,
        Trigger::Case { switch, .. } => {
            return match state.pending {
                PendingSwitch::Unknown => true,
                PendingSwitch::Switch(id) => id == switch,
                PendingSwitch::None => false,
            };
        }
        Trigger::Condition { value, .. } => (args.get(2), value),
        Trigger::Decision { value, .. } => (args.get(1), value),
        Trigger::Label { .. } => (args.get(1), true),
    };
    let Some(value) = value else {
        return true;
    };
    let function = &analysis.setting.module.functions[point.function.index()];
    let width = function.width(*value);
    let want = match holds {
        true => ValueSet::not_zero(width),
        false => ValueSet::constant(width, 0),
    };
    let mut trial = state.clone();
    analysis.assume(&mut trial, point, *value, &want).is_ok()
}
