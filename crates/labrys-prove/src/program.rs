//! The analysis of a whole program: functions are analysed until nothing new passes between them,
//! then twice more from the result, which takes back part of what widening has lost.

use crate::call_effects::CallEffect;
use crate::call_values::CallValues;
use crate::facts::FunctionFacts;
use crate::scope::AnalysisScope;
use crate::sweep::{AnnotationObserver, FunctionSweep, SweepMode};
use labrys_budget::Deadline;
use labrys_ir::{Const, FuncId, Inst, Module, SymbolRef};

/// Steps that an analysis may take (visits of instructions and of parts of expressions): a few
/// seconds. They are counted, so that the result does not depend on the machine.
const MAX_STEPS: u64 = 20_000_000;
/// Sweeps over one function; if it has not settled by then, the analysis is given up.
const MAX_SWEEPS: usize = 120;
/// Downward rounds over the program, and sweeps over a function in each, that take back part of
/// what widening has lost.
const SHARPENING_ROUNDS: usize = 2;
const SHARPENING_SWEEPS: usize = 3;

pub(crate) struct ProgramAnalysis<'m> {
    pub(crate) module: &'m Module,
    pub(crate) effects: Vec<CallEffect>,
    scope: &'m AnalysisScope,
    facts: Vec<Option<Box<FunctionFacts>>>,
    call_values: CallValues,
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
        module: &'m Module,
        scope: &'m AnalysisScope,
        known: &[CallEffect],
        holders: &[FuncId],
        deadline: &'m Deadline,
    ) -> Option<ProgramAnalysis<'m>> {
        let entries = scope.entries.iter().map(|name| module.function(name));
        let entries: Vec<FuncId> = entries.collect::<Option<_>>()?;
        let relevant = relevant(module, holders);
        ProgramAnalysis::attempt(
            module,
            scope,
            known.to_vec(),
            &entries,
            relevant.clone(),
            deadline,
        )
        .or_else(|| {
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
            ProgramAnalysis::attempt(module, scope, fewer, &entries, relevant, deadline)
        })
    }

    fn attempt(
        module: &'m Module,
        scope: &'m AnalysisScope,
        known: Vec<CallEffect>,
        entries: &[FuncId],
        relevant: Vec<bool>,
        deadline: &'m Deadline,
    ) -> Option<ProgramAnalysis<'m>> {
        let mut program = ProgramAnalysis {
            module,
            relevant,
            effects: known,
            scope,
            facts: (0..module.functions.len()).map(|_| None).collect(),
            call_values: CallValues::new(module),
            incomplete: false,
            work: 0,
            deadline,
            cut_short: false,
        };
        for entry in entries {
            program.call_values.open(*entry);
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
        if self.effects[id.index()] == CallEffect::Body && self.relevant[id.index()] {
            self.call_values.open(id);
        }
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
        while let Some(id) = self.call_values.dirty.pop_first() {
            let mut facts = self.facts[id.index()]
                .take()
                .unwrap_or_else(|| Box::new(FunctionFacts::new(self.module, id, self.scope)));
            if facts.incomplete {
                self.assume_missing_code();
            }
            let mut walk = FunctionSweep::new(
                self.module,
                &self.effects,
                id,
                &mut facts,
                &mut self.call_values,
                SweepMode::Grow,
            );
            let settled = (0..MAX_SWEEPS).any(|_| !walk.sweep());
            self.work += walk.work;
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
                    let (module, known) = (self.module, &self.effects);
                    let between = &mut self.call_values;
                    let mut walk = FunctionSweep::new(
                        module,
                        known,
                        id,
                        &mut facts,
                        between,
                        SweepMode::Shrink,
                    );
                    walk.sweep();
                    self.work += walk.work;
                }
                self.call_values.shrink_results(id);
            }
            self.facts[number] = Some(facts);
        }
        self.call_values.shrink_arguments();
    }

    pub(crate) fn is_reached(&self, id: FuncId) -> bool {
        self.call_values.is_reached(id)
    }

    pub(crate) fn facts(&self, id: FuncId) -> Option<&FunctionFacts> {
        self.facts[id.index()].as_deref()
    }

    /// Shows every annotation that can be reached.
    pub(crate) fn observe(&mut self, observer: &mut dyn AnnotationObserver) {
        for number in 0..self.module.functions.len() {
            let id = FuncId(number as u32);
            let Some(mut facts) = self.facts[number].take() else {
                continue;
            };
            if self.call_values.is_reached(id) {
                let (module, known) = (self.module, &self.effects);
                let between = &mut self.call_values;
                let mut walk =
                    FunctionSweep::new(module, known, id, &mut facts, between, SweepMode::Report);
                walk.observer = Some(observer);
                walk.sweep();
            }
            self.facts[number] = Some(facts);
        }
    }
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
