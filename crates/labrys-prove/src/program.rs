//! The analysis of a whole program: functions are analysed until nothing new passes between them,
//! then twice more from the result, which takes back part of what widening has lost.

use crate::call_addresses::CallAddresses;
use crate::call_effects::CallEffect;
use crate::call_values::CallValues;
use crate::cases::CaseBounds;
use crate::cells::Cells;
use crate::constant_tables::initial;
use crate::definitions::Definitions;
use crate::escapes::Owner;
use crate::facts::FunctionFacts;
use crate::load_numbers::MemoryRules;
use crate::memory_values::MemoryValues;
use crate::param_addresses;
use crate::places::{Base, MemoryPlace, constants, read_places};
use crate::relations::{Pack, PackedCells, PackedRegisters, choose};
use crate::scope::AnalysisScope;
use crate::static_rule::StaticRule;
use crate::sweep::{AnnotationObserver, FunctionSweep, SweepMode};
use crate::value_set::{MAX_WIDTH, ValueSet, WideningThresholds};
use labrys_budget::Deadline;
use labrys_ir::{Const, FuncId, Function, GlobalId, Inst, IntrinsicOp, Module, SymbolRef};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that an analysis may take (visits of instructions and of parts of expressions): a few
/// seconds. They are counted, so that the result does not depend on the machine.
const MAX_STEPS: u64 = 20_000_000;
/// Sweeps over one function; if it has not settled by then, the analysis is given up.
const MAX_SWEEPS: usize = 120;
/// Downward rounds over the program, and sweeps over a function in each, that take back part of
/// what widening has lost.
const SHARPENING_ROUNDS: usize = 2;
const SHARPENING_SWEEPS: usize = 3;

/// What an analysis is about.
pub(crate) struct AnalysisTask<'m> {
    pub(crate) module: &'m Module,
    pub(crate) scope: &'m AnalysisScope,
    /// Variables that stand for a local of a function.
    pub(crate) locals: &'m BTreeMap<GlobalId, FuncId>,
    pub(crate) rule: StaticRule,
    pub(crate) deadline: &'m Deadline,
}

pub(crate) struct ProgramAnalysis<'m> {
    pub(crate) module: &'m Module,
    pub(crate) effects: Vec<CallEffect>,
    scope: &'m AnalysisScope,
    facts: Vec<Option<Box<FunctionFacts>>>,
    call_values: CallValues,
    call_addresses: CallAddresses,
    rule: StaticRule,
    /// None if memory is not looked at.
    rules: Option<MemoryRules>,
    memory: MemoryValues,
    /// The numbers that relations are kept about, by function; empty without relations.
    packs: Vec<PackedRegisters>,
    packed_cells: PackedCells,
    /// What is known of the registers of functions that were not looked at yet.
    definitions: Vec<Option<Definitions>>,
    /// Functions from which an annotation that is asked for can be reached by calls with a name.
    relevant: Vec<bool>,
    /// Code is missing: it may call anything and hold any annotation.
    pub(crate) incomplete: bool,
    work: u64,
    deadline: &'m Deadline,
    /// The deadline was over before the analysis was done.
    pub(crate) cut_short: bool,
}

impl<'m> ProgramAnalysis<'m> {
    /// Analyses what can be reached from the entries; none if that is too much. `holders` are the
    /// functions with the annotations that are asked for.
    pub(crate) fn analyse(
        task: &AnalysisTask<'m>,
        known: &[CallEffect],
        holders: &[FuncId],
    ) -> Option<ProgramAnalysis<'m>> {
        let entries = task.scope.entries.iter();
        let entries = entries.map(|name| task.module.function(name));
        let entries: Vec<FuncId> = entries.collect::<Option<_>>()?;
        let relevant = relevant(task.module, holders);
        ProgramAnalysis::attempt(task, known.to_vec(), &entries, relevant.clone()).or_else(|| {
            // What other functions return is then unknown.
            let mut fewer = known.to_vec();
            for (known, relevant) in fewer.iter_mut().zip(&relevant) {
                if *known == CallEffect::Body && !relevant {
                    *known = CallEffect::Anything;
                }
            }
            for entry in &entries {
                fewer[entry.index()] = CallEffect::Body;
            }
            ProgramAnalysis::attempt(task, fewer, &entries, relevant)
        })
    }

    fn attempt(
        task: &AnalysisTask<'m>,
        known: Vec<CallEffect>,
        entries: &[FuncId],
        relevant: Vec<bool>,
    ) -> Option<ProgramAnalysis<'m>> {
        let AnalysisTask {
            module,
            scope,
            locals,
            rule,
            deadline,
        } = *task;
        let looks_at_memory = rule >= StaticRule::Memory && !rests_on_more(module, scope, &known);
        let mut definitions = all_definitions(module, looks_at_memory);
        if looks_at_memory {
            param_addresses::find(module, scope, &known, &mut definitions);
        }
        let rules = looks_at_memory.then(|| MemoryRules::of(module, &known, &definitions, locals));
        let (packs, packed_cells) = match &rules {
            Some(rules) if rule == StaticRule::Relations => {
                let is_made_up = |function: &Function| {
                    let no_constants = scope.instructions_without_constants(module, function);
                    !no_constants.is_empty()
                };
                choose(module, &known, &definitions, rules, &is_made_up)
            }
            _ => Default::default(),
        };
        let mut program = ProgramAnalysis {
            module,
            relevant,
            effects: known,
            scope,
            facts: (0..module.functions.len()).map(|_| None).collect(),
            call_values: CallValues::new(module),
            call_addresses: CallAddresses::new(module),
            memory: MemoryValues::new(module, all_constants(module), locals),
            packs,
            packed_cells,
            rule,
            rules,
            definitions,
            incomplete: false,
            work: 0,
            deadline,
            cut_short: false,
        };
        let start = program.initial_cells();
        for entry in entries {
            program.call_values.open(*entry);
            program.memory.open(*entry, &start);
        }
        program.open_roots();
        if !program.grow() {
            tracing::debug!(work = program.work, "the program is too large to analyse");
            return None;
        }
        for _ in 0..SHARPENING_ROUNDS {
            program.shrink();
        }
        tracing::debug!(work = program.work, "analysed");
        Some(program)
    }

    /// Functions that may be called from where the analysis does not look: those whose address is
    /// taken, constructors, and what the bodies that are not looked into call.
    fn open_roots(&mut self) {
        let module = self.module;
        let mut roots = module.constructors.clone();
        for (number, function) in module.functions.iter().enumerate() {
            let constants = function.constants.iter().map(|(_, value)| *value);
            roots.extend(constants.filter_map(|value| match value {
                Const::Symbol(SymbolRef::Function(id)) => Some(id),
                _ => None,
            }));
            if self.effects[number] != CallEffect::Body {
                let calls = function.code.iter().filter_map(|inst| match inst {
                    Inst::Call { callee, .. } => Some(*callee),
                    _ => None,
                });
                roots.extend(calls);
            }
        }
        for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
            if let SymbolRef::Function(id) = reloc.target {
                roots.push(id);
            }
        }
        for id in roots {
            self.open(id);
        }
    }

    fn open(&mut self, id: FuncId) {
        let stores = |rules: &MemoryRules| rules.writes.call(id).objects().next().is_some();
        let matters = self.relevant[id.index()] || self.rules.as_ref().is_some_and(stores);
        if self.effects[id.index()] == CallEffect::Body && matters {
            self.call_values.open(id);
            self.memory.open(id, &Cells::default());
        }
    }

    /// What memory holds when the program starts; nothing is known where a function is called that
    /// other code may have called before, or where constructors run first.
    fn initial_cells(&self) -> Cells {
        let mut cells = Cells::default();
        let Some(rules) = &self.rules else {
            return cells;
        };
        if !rules.public.is_whole || !self.module.constructors.is_empty() {
            return cells;
        }
        for (number, function) in self.module.functions.iter().enumerate() {
            let Some(definitions) = &self.definitions[number] else {
                continue;
            };
            if self.effects[number] != CallEffect::Body {
                continue;
            }
            let constants = constants(function);
            for place in read_places(self.module, function, definitions, &constants) {
                if let Base::Global(id) = place.base
                    && rules.public.has_initial_value(self.module, id)
                    && let Some(value) = initial(
                        &self.module.globals[id.index()],
                        place.offset.into(),
                        place.width,
                    )
                    && rules.is_steady(number, place.region(), place.bytes())
                {
                    cells.set(place, value);
                }
            }
        }
        cells
    }

    /// Part of a function that is reached is missing.
    fn assume_missing_code(&mut self) {
        if !std::mem::replace(&mut self.incomplete, true) {
            for number in 0..self.module.functions.len() as u32 {
                self.open(FuncId(number));
            }
        }
    }

    fn grow(&mut self) -> bool {
        let order = callees_first(self.module);
        let first = |id: &FuncId| order[id.index()];
        while let Some(id) = self.call_values.dirty.iter().copied().min_by_key(first) {
            self.call_values.dirty.remove(&id);
            let mut facts = self.facts[id.index()]
                .take()
                .unwrap_or_else(|| self.new_facts(id));
            if facts.incomplete {
                self.assume_missing_code();
            }
            let mut walk = self.walk(id, &mut facts, SweepMode::Grow);
            let settled = (0..MAX_SWEEPS).any(|_| !walk.sweep());
            let work = walk.work;
            self.work += work;
            self.call_values.dirty.append(&mut self.memory.dirty);
            if !settled {
                facts.forget_everything(&self.module.functions[id.index()]);
                self.call_values.dirty.insert(id);
            }
            self.facts[id.index()] = Some(facts);
            if self.work > MAX_STEPS || self.deadline.is_over() {
                return false;
            }
        }
        true
    }

    fn new_facts(&mut self, id: FuncId) -> Box<FunctionFacts> {
        let (module, index) = (self.module, id.index());
        let known = self.definitions[index].take();
        let known = known.unwrap_or_else(|| Definitions::of(module, &module.functions[index]));
        let (scope, effects) = (self.scope, &self.effects);
        let mut facts = Box::new(FunctionFacts::new(
            module,
            id,
            scope,
            effects,
            self.rules.as_ref(),
            self.rule,
            known,
        ));
        if let Some(chosen) = self.packs.get(index).filter(|_| !facts.is_unknown) {
            let function = &module.functions[index];
            facts.pack = Pack::new(chosen, function, &facts.definitions, effects);
        }
        facts
    }

    fn walk<'a>(
        &'a mut self,
        id: FuncId,
        facts: &'a mut FunctionFacts,
        mode: SweepMode,
    ) -> FunctionSweep<'a> {
        FunctionSweep {
            module: self.module,
            effects: &self.effects,
            id,
            function: &self.module.functions[id.index()],
            facts,
            call_values: &mut self.call_values,
            call_addresses: &mut self.call_addresses,
            rules: self.rules.as_ref(),
            memory: &mut self.memory,
            packed_cells: &self.packed_cells,
            relates: !self.packs.is_empty(),
            mode,
            observer: None,
            work: 0,
            changed: false,
        }
    }

    fn shrink(&mut self) {
        for number in 0..self.module.functions.len() {
            if self.deadline.is_over() {
                self.cut_short = true;
                return;
            }
            let id = FuncId(number as u32);
            let Some(mut facts) = self.facts[number].take() else {
                continue;
            };
            if self.call_values.is_reached(id) {
                for _ in 0..SHARPENING_SWEEPS {
                    self.call_values.begin_results(id);
                    self.memory.begin_returns(id);
                    let mut walk = self.walk(id, &mut facts, SweepMode::Shrink);
                    let changed = walk.sweep();
                    let work = walk.work;
                    self.work += work;
                    // The next sweep would see the same again.
                    if !changed {
                        break;
                    }
                }
                self.call_values.shrink_results(id);
                self.memory.shrink_returns(id);
            }
            self.facts[number] = Some(facts);
        }
        self.call_values.shrink_arguments();
        self.call_addresses.end_round();
        self.memory.end_round();
    }

    pub(crate) fn is_reached(&self, id: FuncId) -> bool {
        self.call_values.is_reached(id)
    }

    pub(crate) fn facts(&self, id: FuncId) -> Option<&FunctionFacts> {
        self.facts[id.index()].as_deref()
    }

    /// None if memory is not looked at.
    pub(crate) fn rules(&self) -> Option<&MemoryRules> {
        self.rules.as_ref()
    }

    /// What a place of a variable that only the program itself can name can hold at any time.
    pub(crate) fn stored(&mut self, place: MemoryPlace) -> ValueSet {
        (self.memory).variable(self.module, place, FuncId(0))
    }

    /// What is known of all registers, and of all variables that only the program itself can name.
    pub(crate) fn bounds(&mut self) -> CaseBounds {
        let facts = self.facts.iter();
        let registers = facts.map(|facts| facts.as_ref().map_or(Vec::new(), |f| f.base.clone()));
        let registers = registers.collect();
        let read = self.facts.iter().flatten();
        let read: BTreeSet<MemoryPlace> = read
            .flat_map(|facts| facts.read_places.iter().copied())
            .collect();
        let mut places = BTreeMap::new();
        for place in read {
            if let (Base::Global(id), Some(rules)) = (place.base, &self.rules)
                && rules.public.owner(id) == Owner::Program
            {
                places.insert(place, self.stored(place));
            }
        }
        CaseBounds { registers, places }
    }

    /// Shows every annotation that can be reached.
    pub(crate) fn observe(&mut self, observer: &mut dyn AnnotationObserver) {
        for number in 0..self.module.functions.len() {
            let id = FuncId(number as u32);
            let Some(mut facts) = self.facts[number].take() else {
                continue;
            };
            if self.call_values.is_reached(id) {
                let mut walk = self.walk(id, &mut facts, SweepMode::Report);
                walk.observer = Some(observer);
                walk.sweep();
            }
            self.facts[number] = Some(facts);
        }
    }
}

/// A number for each function: callees come before their callers, so that callers see what they return.
pub(crate) fn callees_first(module: &Module) -> Vec<u32> {
    let count = module.functions.len();
    let callees: Vec<Vec<usize>> = (module.functions.iter())
        .map(|function| {
            let calls = function.code.iter().filter_map(|inst| match inst {
                Inst::Call { callee, .. } => Some(callee.index()),
                _ => None,
            });
            calls.collect()
        })
        .collect();
    let mut order = vec![u32::MAX; count];
    let mut seen = vec![false; count];
    let mut next = 0;
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        while let Some((number, child)) = stack.last_mut() {
            let number = *number;
            if *child == 0 && std::mem::replace(&mut seen[number], true) {
                stack.pop();
                continue;
            }
            match callees[number].get(*child) {
                Some(callee) => {
                    *child += 1;
                    stack.push((*callee, 0));
                }
                None => {
                    order[number] = next;
                    next += 1;
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Does what the program stores rest on something outside of it: the order in which a compiler
/// evaluates operands, or a volatile object that is copied? Generated text is left out.
pub(crate) fn rests_on_more(
    module: &Module,
    scope: &AnalysisScope,
    effects: &[CallEffect],
) -> bool {
    let touch = module.function("labrys_touch");
    let rests = |inst: &Inst| match inst {
        Inst::Call { callee, .. } => Some(*callee) == touch,
        Inst::Intrinsic { op, .. } => *op == IntrinsicOp::RestOn,
        _ => false,
    };
    let functions = module.functions.iter().zip(effects);
    functions
        .filter(|(_, effect)| **effect == CallEffect::Body)
        .filter(|(function, _)| function.code.iter().any(rests))
        .any(|(function, _)| {
            let no_constants = scope.instructions_without_constants(module, function);
            no_constants.is_empty()
        })
}

/// Of all functions with a body, if somebody wants to look into all.
pub(crate) fn all_definitions(module: &Module, is_wanted: bool) -> Vec<Option<Definitions>> {
    let functions = module.functions.iter();
    let known = |function: &Function| {
        (is_wanted && !function.is_external()).then(|| Definitions::of(module, function))
    };
    functions.map(known).collect()
}

/// The constants of all functions.
pub(crate) fn all_constants(module: &Module) -> WideningThresholds {
    let numbers = module.functions.iter().flat_map(|function| {
        function.constants.iter().filter_map(|(reg, value)| {
            let width = function.width(*reg);
            match value {
                Const::Int(bits) if width <= MAX_WIDTH => Some((width, *bits as u64)),
                _ => None,
            }
        })
    });
    WideningThresholds::new(numbers)
}

/// Functions from which one of some functions can be reached by calls with a name.
fn relevant(module: &Module, holders: &[FuncId]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); module.functions.len()];
    for (number, function) in module.functions.iter().enumerate() {
        for inst in &function.code {
            if let Inst::Call { callee, .. } = inst {
                callers[callee.index()].push(number);
            }
        }
    }
    let mut relevant = vec![false; module.functions.len()];
    let mut open: Vec<usize> = Vec::new();
    for id in holders {
        if !std::mem::replace(&mut relevant[id.index()], true) {
            open.push(id.index());
        }
    }
    while let Some(number) = open.pop() {
        for caller in std::mem::take(&mut callers[number]) {
            if !std::mem::replace(&mut relevant[caller], true) {
                open.push(caller);
            }
        }
    }
    relevant
}
