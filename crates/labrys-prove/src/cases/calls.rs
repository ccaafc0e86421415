//! What calls make of a state: annotations, functions of the program, and what is not looked into.

use super::analysis::{CaseAnalysis, CasePoint};
use super::state::{CaseState, CaseValue, ImpossibleCase};
use crate::call_effects::CallEffect;
use crate::places::{Base, MemoryPlace};
use crate::sites::AnnotationSite;
use crate::state::PendingSwitch;
use crate::value_set::ValueSet;
use labrys_ir::{FuncId, Reg, RegList};
use labrys_ledger::Trigger;

impl CaseAnalysis<'_, '_> {
    pub(super) fn call(
        &mut self,
        mut state: CaseState,
        point: CasePoint,
        callee: FuncId,
        (args, results): (RegList, RegList),
        next: &mut Vec<CaseState>,
    ) {
        let function = &self.setting.module.functions[point.function.index()];
        let argument = |i: usize| function.list(args).get(i).copied();
        if self
            .rule_out(&mut state, point, function.list(args))
            .is_err()
        {
            return;
        }
        match self.setting.effects[callee.index()] {
            CallEffect::Body => {
                return self.call_body(state, point, callee, (args, results), next);
            }
            CallEffect::Anything | CallEffect::Unknown => {
                state.pending = PendingSwitch::Unknown;
                let (setting, number) = (self.setting, point.function.index());
                let (rules, writes) = (&setting.rules, setting.rules.writes.call(callee));
                state
                    .forget(|place| rules.may_write(writes, number, place.region(), place.bytes()));
                self.set_results(&mut state, point, results, &[]);
            }
            CallEffect::Truth { value, .. } => {
                let value = argument(value).map(|reg| self.number(&state, point, reg));
                let value = value.map(|value| match value.is_zero() {
                    Some(true) => value,
                    Some(false) => value.join(&ValueSet::constant(value.width, 1)),
                    None => match ValueSet::unsigned(value.width, 0, 1) {
                        Some(truth) => value.join(&truth),
                        None => value,
                    },
                });
                let value = value.and_then(CaseValue::number);
                self.set_results(&mut state, point, results, &[value]);
            }
            CallEffect::Switch => {
                let value = argument(1).and_then(|reg| self.value(&state, point, reg));
                let id = argument(0).map(|reg| self.number(&state, point, reg));
                state.pending = match id.and_then(|id| id.as_constant()) {
                    Some(id) => PendingSwitch::Switch(id as u32),
                    None => PendingSwitch::Unknown,
                };
                self.set_results(&mut state, point, results, &[value]);
            }
            CallEffect::Case => state.pending = PendingSwitch::None,
            CallEffect::Bool => {
                let regs = function.list(results);
                let truth = regs.first().map(|reg| function.width(*reg));
                let truth = truth.and_then(|width| ValueSet::unsigned(width, 0, 1));
                let value = truth.and_then(CaseValue::number);
                self.set_results(&mut state, point, results, &[value]);
            }
            CallEffect::Assume(i) => {
                if let Some(reg) = argument(i) {
                    let want = ValueSet::not_zero(function.width(reg));
                    if self.assume(&mut state, point, reg, &want).is_err() {
                        return;
                    }
                }
                self.set_results(&mut state, point, results, &[]);
            }
            CallEffect::Reach => self.set_results(&mut state, point, results, &[]),
            CallEffect::Label => {
                // What a predicate wrote is taken back.
                state.forget(|_| true);
                self.set_results(&mut state, point, results, &[]);
            }
            CallEffect::Ends => return,
        }
        next.push(state);
    }

    /// Takes what an annotation says in the runs that do not give the events which are known never to happen.
    fn rule_out(
        &self,
        state: &mut CaseState,
        point: CasePoint,
        args: &[Reg],
    ) -> Result<(), ImpossibleCase> {
        let site = AnnotationSite {
            function: point.function,
            at: point.at.at,
        };
        let function = &self.setting.module.functions[point.function.index()];
        for trigger in self.never.get(&site).into_iter().flatten() {
            let (value, holds) = match trigger {
                Trigger::Reach { .. } => return Err(ImpossibleCase),
                Trigger::Condition { value, .. } => (args.get(2), *value),
                Trigger::Decision { value, .. } => (args.get(1), *value),
                _ => continue,
            };
            let Some(value) = value else {
                continue;
            };
            let width = function.width(*value);
            let want = match holds {
                true => ValueSet::constant(width, 0),
                false => ValueSet::not_zero(width),
            };
            self.assume(state, point, *value, &want)?;
        }
        Ok(())
    }

    fn call_body(
        &mut self,
        state: CaseState,
        point: CasePoint,
        callee: FuncId,
        (args, results): (RegList, RegList),
        next: &mut Vec<CaseState>,
    ) {
        let setting = self.setting;
        let function = &setting.module.functions[point.function.index()];
        let params = setting.module.functions[callee.index()].params.len();
        for state in self.split(point.function, state) {
            let given: Vec<Option<CaseValue>> = (0..params)
                .map(|i| {
                    let reg = *function.list(args).get(i)?;
                    let value = self.value(&state, point, reg)?;
                    match value {
                        // Locals have no name in other functions.
                        CaseValue::Address(Base::Local(_), _) => None,
                        value => Some(value),
                    }
                })
                .collect();
            let mut passed = CaseState::new();
            for (place, value) in state.cells() {
                let is_global = matches!(place.base, Base::Global(_));
                if is_global && setting.touches(callee, *place) {
                    passed.set_cell(*place, Some(value.clone()));
                }
            }
            let pointers = self.passed_pointers(&state, point, callee, args);
            for pointer in &pointers {
                self.pass_behind(&state, &mut passed, pointer, callee);
            }
            let context = self.enter(callee, &given, passed, Some(point.node));
            for exit in self.exits(context) {
                let mut after = state.clone();
                after.pending = PendingSwitch::Unknown;
                let is_changed = |place: MemoryPlace| match place.base {
                    Base::Global(_) => setting.may_write(callee, place),
                    _ => setting.rules.may_write(
                        setting.rules.writes.call(callee),
                        point.function.index(),
                        place.region(),
                        place.bytes(),
                    ),
                };
                after.forget(is_changed);
                let mut agrees = true;
                let cells = exit.memory.cells();
                let is_own = |place: MemoryPlace| !matches!(place.base, Base::Pointer(_));
                for (place, value) in cells.filter(|(place, _)| is_own(*place)) {
                    match is_changed(*place) {
                        true => after.set_cell(*place, Some(value.clone())),
                        false => agrees &= self.narrow_cell(&mut after, *place, value).is_ok(),
                    }
                }
                for pointer in &pointers {
                    agrees &= self.take_behind(&exit.memory, &mut after, pointer).is_ok();
                }
                if agrees {
                    self.set_results(&mut after, point, results, &exit.results);
                    next.push(after);
                }
            }
        }
    }
}
