//! One sweep over a function: every block that can be reached is executed on what is known, and
//! what holds behind each of its edges is found.

use crate::call_addresses::CallAddresses;
use crate::call_effects::CallEffect;
use crate::call_values::CallValues;
use crate::constant_tables::load;
use crate::definitions::CodePoint;
use crate::facts::FunctionFacts;
use crate::load_numbers::MemoryRules;
use crate::memory_values::MemoryValues;
use crate::refine::FunctionView;
use crate::relations::PackedCells;
use crate::state::{AbstractState, PendingSwitch};
use crate::transfer::{cast, intrinsic};
use crate::value_set::ValueSet;
use crate::writes::calls_anything;
use labrys_ir::{
    BlockId, EdgeId, FuncId, Function, Inst, IntrinsicOp, Module, Reg, RegList, block_edges,
};
use std::collections::BTreeMap;

/// What a sweep is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepMode {
    /// Up to a fixed point: values and edges are added.
    Grow,
    /// From a fixed point down again: what no definition gives any more is taken away.
    Shrink,
    /// Nothing changes, annotations are reported.
    Report,
}

impl SweepMode {
    /// Steps that one assumption may take. The final report may take more: it runs only once.
    fn step_limit(self) -> u32 {
        match self {
            SweepMode::Grow | SweepMode::Shrink => 300,
            SweepMode::Report => 4000,
        }
    }
}

/// Told about every annotation that can be reached.
pub(crate) trait AnnotationObserver {
    fn annotation(
        &mut self,
        view: &FunctionView<'_>,
        state: &AbstractState,
        point: CodePoint,
        known: CallEffect,
        args: RegList,
    );

    /// Control comes to an instruction, and this holds.
    fn before(&mut self, _: &FunctionSweep<'_>, _: &AbstractState, _: CodePoint) {}
}

pub(crate) struct FunctionSweep<'a> {
    pub(crate) module: &'a Module,
    pub(crate) effects: &'a [CallEffect],
    pub(crate) id: FuncId,
    pub(crate) function: &'a Function,
    pub(crate) facts: &'a mut FunctionFacts,
    pub(crate) call_values: &'a mut CallValues,
    pub(crate) call_addresses: &'a mut CallAddresses,
    /// None if memory is not looked at.
    pub(crate) rules: Option<&'a MemoryRules>,
    pub(crate) memory: &'a mut MemoryValues,
    /// The places of variables that relations are kept about.
    pub(crate) packed_cells: &'a PackedCells,
    /// Are relations looked at?
    pub(crate) relates: bool,
    pub(crate) mode: SweepMode,
    pub(crate) observer: Option<&'a mut dyn AnnotationObserver>,
    /// Instructions looked at.
    pub(crate) work: u64,
    pub(crate) changed: bool,
}

impl FunctionSweep<'_> {
    pub(crate) fn view(&self) -> FunctionView<'_> {
        self.facts.view(
            self.function,
            self.effects,
            self.packed_cells,
            self.mode.step_limit(),
        )
    }

    /// Sweeps over all blocks; true if anything has changed.
    pub(crate) fn sweep(&mut self) -> bool {
        self.changed = false;
        if self.mode == SweepMode::Shrink {
            self.facts.next.fill(None);
        }
        self.facts.param_places = self.call_addresses.parameters(self.id);
        let params = self.call_values.params(self.id, self.function);
        for (reg, value) in self.function.params.iter().zip(params) {
            self.define(*reg, value);
        }
        if self.facts.is_unknown {
            self.store_anything();
        }
        if self.facts.incomplete {
            // The code that is missing may return anything.
            self.call_values
                .returns(self.id, self.function, &[], self.mode);
            self.return_memory(&AbstractState::default(), None);
            self.return_nothing();
        }
        for i in 0..self.facts.definitions.order.len() {
            let block = self.facts.definitions.order[i];
            if let Some(state) = self.state_at_start(block) {
                self.block(block, state);
            } else {
                self.set_all_edge_states(block);
            }
        }
        if self.mode == SweepMode::Shrink {
            for i in 0..self.facts.base.len() {
                let (old, new) = (self.facts.base[i], self.facts.next[i]);
                if let (Some(old), Some(new)) = (old, new) {
                    self.sharpen(i, old, new);
                }
            }
        }
        self.changed
    }

    /// What holds at the start of a block; none if it cannot be reached.
    pub(crate) fn state_at_start(&self, block: BlockId) -> Option<AbstractState> {
        if self.facts.is_unknown {
            return Some(AbstractState::default());
        }
        let mut joined: Option<AbstractState> = None;
        if block == BlockId(0) {
            let relations = self.relations_at_call();
            let mut cells = self.memory.at_call(self.id);
            self.forget_own_locals(&mut cells);
            joined = Some(AbstractState::with_memory(cells, relations));
        }
        for edge in &self.facts.definitions.incoming[block.index()] {
            if let Some(state) = &self.facts.edges[edge.index()] {
                joined = Some(match joined {
                    None => state.clone(),
                    Some(other) => self.joined(&other, state),
                });
            }
        }
        joined
    }

    fn set_all_edge_states(&mut self, block: BlockId) {
        for edge in block_edges(self.function, block) {
            self.set_edge_state(edge, None);
        }
    }

    fn block(&mut self, number: BlockId, mut state: AbstractState) {
        let block = self.function.blocks[number.index()];
        // States are joined and copied at each block.
        self.work += u64::from(block.end - block.start) + state.cells.len() as u64;
        self.work += state.relations.len() as u64;
        for at in block.start..block.end {
            let point = CodePoint { block: number, at };
            let inst = self.function.code[at as usize];
            if let Some(observer) = self.observer.take() {
                observer.before(self, &state, point);
                self.observer = Some(observer);
            }
            if inst.is_terminator() {
                self.terminator(&state, point, inst);
            } else if !self.instruction(&mut state, point, inst) {
                self.set_all_edge_states(number);
                return;
            }
        }
    }

    /// Executes an instruction; false if control does not go on behind it.
    fn instruction(&mut self, state: &mut AbstractState, point: CodePoint, inst: Inst) -> bool {
        let view = self.view();
        let read = |reg: Reg| view.read(state, reg, point.at);
        let width = |reg: Reg| self.function.width(reg);
        let (dst, value) = match inst {
            Inst::Bin { op, dst, a, b, .. } => {
                let value = view.binary(op, (a, b), &read(a), &read(b));
                (dst, view.related_result(state, op, (a, b), value, point.at))
            }
            Inst::Cmp { op, dst, a, b, .. } => {
                let truth = view.compare(state, point, op, (a, b), &read(a), &read(b));
                (dst, ValueSet::truth(truth))
            }
            Inst::Cast {
                op, to, dst, src, ..
            } => (dst, cast(op, to, &read(src))),
            Inst::Copy { dst, src } => (dst, read(src)),
            Inst::Select { dst, cond, a, b } => (
                dst,
                match read(cond).is_zero() {
                    Some(true) => read(b),
                    Some(false) => read(a),
                    None => read(a).join(&read(b)),
                },
            ),
            Inst::Alloca { dst, .. } if !view.sees_no_constants(point.at) => {
                (dst, ValueSet::not_zero(width(dst)))
            }
            Inst::Load {
                dst, addr, width, ..
            } => {
                let value = load(self.module, &view, state, point, addr, width);
                let value = self.load(state, point, addr, value);
                (dst, value)
            }
            Inst::Store { addr, src, width } => {
                let value = read(src);
                self.store(state, point, addr, width, value);
                self.relate_store(state, addr, src, width);
                return true;
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let len = read(len).as_constant();
                self.copy(state, dst, src, len);
                return true;
            }
            Inst::MemSet { dst, byte, len } => {
                let (byte, len) = (read(byte).as_constant(), read(len).as_constant());
                self.fill(state, dst, byte, len);
                return true;
            }
            Inst::Call {
                callee,
                args,
                results,
            } => return self.call(state, point, callee, args, results),
            Inst::CallPointer { results, .. } => {
                state.pending = PendingSwitch::Unknown;
                self.call_anything(state);
                self.set_results(state, results, &[]);
                return true;
            }
            Inst::Intrinsic { op, args, results } => {
                if matches!(op, IntrinsicOp::LongJmp | IntrinsicOp::Trap) {
                    return false;
                }
                let args: Vec<ValueSet> =
                    self.function.list(args).iter().map(|r| read(*r)).collect();
                if calls_anything(&inst) {
                    self.call_anything(state);
                }
                self.set_results(state, results, &intrinsic(op, &args));
                self.relate(state, point, inst);
                return true;
            }
            _ => {
                let mut written = Vec::new();
                inst.for_each_write(self.function, &mut |reg| written.push(reg));
                for reg in written {
                    self.set(state, reg, ValueSet::top(self.function.width(reg)));
                }
                return true;
            }
        };
        self.set(state, dst, value);
        self.relate(state, point, inst);
        true
    }

    fn call(
        &mut self,
        state: &mut AbstractState,
        point: CodePoint,
        callee: FuncId,
        args: RegList,
        results: RegList,
    ) -> bool {
        let known = self.effects[callee.index()];
        let argument = |i: usize| self.function.list(args).get(i).copied();
        let view = self.facts.view(
            self.function,
            self.effects,
            self.packed_cells,
            self.mode.step_limit(),
        );
        if let Some(observer) = &mut self.observer {
            observer.annotation(&view, state, point, known, args);
        }
        let read = |reg: Option<Reg>| reg.map(|reg| view.read(state, reg, point.at));
        match known {
            CallEffect::Body => {
                let target = &self.module.functions[callee.index()];
                let given: Vec<ValueSet> = (0..target.params.len())
                    .map(|i| {
                        let width = target.width(target.params[i]);
                        read(argument(i))
                            .filter(|value| value.width == width)
                            .unwrap_or(ValueSet::top(width))
                    })
                    .collect();
                self.pass_addresses(state, point, callee, args);
                let returned = self
                    .call_values
                    .call(self.id, callee, &given, self.mode)
                    .map(<[ValueSet]>::to_vec);
                state.pending = PendingSwitch::Unknown;
                self.pass_relations(state, point, callee, args);
                let Some(values) = returned else {
                    self.pass_memory(state, callee, args, RegList::default());
                    return false;
                };
                self.set_results(state, results, &values);
                self.pass_memory(state, callee, args, results);
                self.take_relations(state, callee, args, results);
            }
            CallEffect::Anything | CallEffect::Unknown => {
                state.pending = PendingSwitch::Unknown;
                self.call_unseen(state, callee);
                self.set_results(state, results, &[]);
            }
            CallEffect::Truth { value, .. } => {
                // The value itself comes back, or 1 for every value that is not zero.
                let value = read(argument(value)).map(|value| {
                    let truth = match value.is_zero() {
                        Some(true) => return value,
                        Some(false) => ValueSet::constant(value.width, 1),
                        None => ValueSet::unsigned(value.width, 0, 1).unwrap_or(value),
                    };
                    value.join(&truth)
                });
                self.set_results(state, results, &Vec::from_iter(value));
            }
            CallEffect::Switch => {
                let value = read(argument(1));
                let id = read(argument(0)).and_then(|id| id.as_constant());
                state.pending = id.map_or(PendingSwitch::Unknown, |id| {
                    PendingSwitch::Switch(id as u32)
                });
                self.set_results(state, results, &Vec::from_iter(value));
            }
            CallEffect::Case => state.pending = PendingSwitch::None,
            CallEffect::Bool => {
                let results_of = self.function.list(results);
                let value = results_of
                    .first()
                    .and_then(|reg| ValueSet::unsigned(self.function.width(*reg), 0, 1));
                self.set_results(state, results, &Vec::from_iter(value));
            }
            CallEffect::Assume(i) => {
                if let Some(reg) = argument(i) {
                    let want = ValueSet::not_zero(self.function.width(reg));
                    if view.assume(state, point, reg, &want).is_err() {
                        return false;
                    }
                }
                self.set_results(state, results, &[]);
            }
            CallEffect::Reach => self.set_results(state, results, &[]),
            CallEffect::Label => {
                self.end_label(state, point);
                self.set_results(state, results, &[]);
            }
            CallEffect::Ends => return false,
        }
        true
    }

    fn set_results(&mut self, state: &mut AbstractState, results: RegList, values: &[ValueSet]) {
        for i in 0..results.len as usize {
            let reg = self.function.list(results)[i];
            let width = self.function.width(reg);
            let value = values.get(i).copied().filter(|v| v.width == width);
            self.set(state, reg, value.unwrap_or(ValueSet::top(width)));
        }
    }

    fn set(&mut self, state: &mut AbstractState, reg: Reg, value: ValueSet) {
        if self.facts.definitions.name(reg) == reg {
            state.forget(reg);
        }
        self.forget_relations(state, reg);
        self.define(reg, value);
    }

    /// A definition has been executed.
    fn define(&mut self, reg: Reg, value: ValueSet) {
        let value = match self.facts.only_constants && value.as_constant().is_none() {
            true => ValueSet::top(value.width),
            false => value,
        };
        match self.mode {
            SweepMode::Grow => self.changed |= self.facts.grow(reg, value),
            SweepMode::Shrink => {
                let i = reg.index();
                let next = match self.facts.next[i] {
                    None => value,
                    Some(other) => other.join(&value),
                };
                self.facts.next[i] = Some(next);
                // The only definition of a register has told all about it.
                if matches!(
                    self.facts.definitions.def(reg),
                    crate::definitions::Definition::Inst(_)
                ) && let Some(old) = self.facts.base[i]
                {
                    self.sharpen(i, old, value);
                }
            }
            SweepMode::Report => {}
        }
    }

    fn sharpen(&mut self, reg: usize, old: ValueSet, by: ValueSet) {
        if let Some(sharper) = old.meet(&by)
            && sharper != old
        {
            self.facts.base[reg] = Some(sharper);
            self.changed = true;
        }
    }

    fn terminator(&mut self, state: &AbstractState, point: CodePoint, inst: Inst) {
        match inst {
            Inst::Jump { edge } => self.take_edge(edge, point, Some(state.clone())),
            Inst::Branch { cond, then, other } if then != other => {
                for (edge, truth) in [(then, 1), (other, 0)] {
                    let view = self.view();
                    let mut side = state.clone();
                    let want = ValueSet::constant(1, truth);
                    let taken = view.assume(&mut side, point, cond, &want).is_ok();
                    let steps = view.steps_taken.get();
                    self.work += steps;
                    self.take_edge(edge, point, taken.then_some(side));
                }
            }
            Inst::Switch { value, table } => self.switch(state, point, value, table),
            Inst::Return { values } => {
                let view = self.view();
                let regs = self.function.list(values);
                let values: Vec<ValueSet> = regs
                    .iter()
                    .map(|reg| view.read(state, *reg, point.at))
                    .collect();
                let result = regs.first().copied().zip(values.first().copied());
                self.call_values
                    .returns(self.id, self.function, &values, self.mode);
                self.return_memory(state, result);
                self.return_relations(state, point);
            }
            Inst::Unreachable | Inst::Unsupported { .. } => {}
            _ => {
                for edge in block_edges(self.function, point.block) {
                    self.take_edge(edge, point, Some(state.clone()));
                }
            }
        }
    }

    fn switch(
        &mut self,
        state: &AbstractState,
        point: CodePoint,
        reg: Reg,
        table: labrys_ir::SwitchTableId,
    ) {
        let width = self.function.width(reg);
        let table = &self.function.switches[table.index()];
        let mut numbers: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (number, edge) in &table.cases {
            let of_edge = numbers.entry(edge.index()).or_default();
            of_edge.push(*number as u64);
        }
        for edge in block_edges(self.function, point.block) {
            let view = self.view();
            let now = view.read(state, reg, point.at);
            let cases = numbers.get(&edge.index()).into_iter().flatten();
            let cases = cases.filter(|n| !now.is_tracked() || now.contains(**n));
            let values = cases.map(|n| ValueSet::constant(width, *n));
            let mut want = values.reduce(|a, b| a.join(&b));
            if table.default == Some(edge)
                && let Some(rest) = values_without_case(&now, &table.cases)
            {
                want = Some(want.map_or(rest, |cases| cases.join(&rest)));
            }
            let side = want.and_then(|want| {
                let mut side = state.clone();
                let taken = view.assume(&mut side, point, reg, &want).is_ok();
                taken.then_some(side)
            });
            self.take_edge(edge, point, side);
        }
    }

    /// Executes the copies of an edge that is taken.
    fn take_edge(&mut self, edge: EdgeId, point: CodePoint, state: Option<AbstractState>) {
        let Some(mut state) = state else {
            return self.set_edge_state(edge, None);
        };
        self.learn_memory(&mut state, point);
        let mut copied: Vec<(Reg, ValueSet)> = Vec::new();
        for (dst, src) in self.function.edge_copies(edge) {
            let before = copied.iter().rev().find(|(reg, _)| reg == src);
            let value = match before {
                Some((_, value)) => *value,
                None => self.view().read(&state, *src, point.at),
            };
            copied.push((*dst, value));
        }
        self.relate_copies(&mut state, edge, &copied);
        let cases = state.cases.clone();
        for (dst, value) in copied {
            state.forget(dst);
            self.define(dst, value);
        }
        if let Some(mut cases) = cases {
            // Copies come one after the other.
            let copies = self.function.edge_copies(edge);
            let found = copies
                .iter()
                .find(|(dst, src)| *dst == cases.reg || *src == cases.reg);
            if let Some((dst, _)) = found.filter(|(_, src)| *src == cases.reg) {
                cases.reg = *dst;
                state.cases = Some(cases);
            }
        }
        self.forget_dead(&mut state, edge);
        self.set_edge_state(edge, Some(state));
    }

    fn set_edge_state(&mut self, edge: EdgeId, state: Option<AbstractState>) {
        if self.mode == SweepMode::Report || self.facts.is_unknown {
            return;
        }
        let state = self.widened(edge, state);
        let state = self.with_stable_relations(edge, state);
        let slot = &mut self.facts.edges[edge.index()];
        if *slot != state {
            *slot = state;
            self.changed = true;
        }
    }
}

/// The values that no case of a `switch` names; none if there are no others.
pub(crate) fn values_without_case(now: &ValueSet, cases: &[(u128, EdgeId)]) -> Option<ValueSet> {
    if !now.is_tracked() {
        return Some(*now);
    }
    let width = now.width;
    let named = |bits: u64| {
        let bits = bits & crate::value_set::mask(width);
        cases
            .binary_search_by_key(&u128::from(bits), |(n, _)| *n)
            .is_ok()
    };
    let mut rest = *now;
    for (number, _) in cases {
        rest = rest.without(*number as u64)?;
    }
    for _ in 0..=cases.len() {
        let mut bounds = rest;
        if named(rest.umin) {
            bounds = bounds.meet(&ValueSet::unsigned(
                width,
                rest.umin.checked_add(1)?,
                u64::MAX,
            )?)?;
        }
        if named(rest.umax) {
            bounds = bounds.meet(&ValueSet::unsigned(width, 0, rest.umax.checked_sub(1)?)?)?;
        }
        if named(rest.smin as u64) {
            bounds = bounds.meet(&ValueSet::signed(
                width,
                rest.smin.checked_add(1)?,
                i64::MAX,
            )?)?;
        }
        if named(rest.smax as u64) {
            bounds = bounds.meet(&ValueSet::signed(
                width,
                i64::MIN,
                rest.smax.checked_sub(1)?,
            )?)?;
        }
        if bounds == rest {
            break;
        }
        rest = bounds;
    }
    Some(rest)
}
