//! What is known about one function while the analysis runs: the values of its registers, and what
//! holds behind each of its edges. Sweeps add to it until nothing changes.

use crate::call_addresses::PlaceOffsets;
use crate::call_effects::CallEffect;
use crate::definitions::Definitions;
use crate::load_numbers::{LoadNumbers, MemoryRules, number_loads};
use crate::places::{
    ConstantRegisters, MemoryPlace, constants as constants_by_register, read_places,
};
use crate::refine::FunctionView;
use crate::relations::{Pack, PackedCells};
use crate::scope::AnalysisScope;
use crate::state::AbstractState;
use crate::static_rule::StaticRule;
use crate::value_set::{MAX_WIDTH, ValueSet, WideningThresholds};
use labrys_ir::{
    BlockId, Const, FuncId, Function, Inst, IntrinsicOp, Module, Reg, SymbolRef, block_edges,
};
use std::cell::Cell;

/// A register may grow three times before its bounds are widened to the next threshold.
const GROWTHS_BEFORE_WIDENING: u8 = 3;
/// After 30 growths the register may have any value, so that the analysis ends.
const GROWTHS_BEFORE_GIVING_UP: u8 = 30;

pub(crate) struct FunctionFacts {
    pub(crate) definitions: Definitions,
    /// Places of objects that are read.
    pub(crate) read_places: Vec<MemoryPlace>,
    /// Registers that hold what is in memory.
    pub(crate) numbers: LoadNumbers,
    /// The numbers that relations are kept about.
    pub(crate) pack: Pack,
    pub(crate) constants: Vec<Option<ValueSet>>,
    /// The same as they stand in the program.
    pub(crate) symbols: ConstantRegisters,
    /// See [`AnalysisScope::instructions_without_constants`].
    pub(crate) no_constants: Vec<bool>,
    pub(crate) thresholds: WideningThresholds,
    /// What each register can be over all of its definitions that are reached.
    pub(crate) base: Vec<Option<ValueSet>>,
    /// The same, over the definitions met in the present sweep.
    pub(crate) next: Vec<Option<ValueSet>>,
    grown: Vec<u8>,
    /// What holds behind each edge that can be taken.
    pub(crate) edges: Vec<Option<AbstractState>>,
    /// Where in their objects the addresses in parameters lead.
    pub(crate) param_places: Vec<PlaceOffsets>,
    /// How often what memory holds behind each edge has grown.
    pub(crate) edge_grown: Vec<u8>,
    /// How often the relations behind each edge have changed.
    pub(crate) relations_changed: Vec<u8>,
    /// A register holds one number, or anything.
    pub(crate) only_constants: bool,
    /// Registers and control may be anything: the function can return twice, or parts of it are
    /// missing.
    pub(crate) is_unknown: bool,
    /// Part of its code could not be translated.
    pub(crate) incomplete: bool,
}

impl FunctionFacts {
    pub(crate) fn new(
        module: &Module,
        id: FuncId,
        scope: &AnalysisScope,
        effects: &[CallEffect],
        rules: Option<&MemoryRules>,
        rule: StaticRule,
        mut definitions: Definitions,
    ) -> FunctionFacts {
        let function = &module.functions[id.index()];
        let mut constants = vec![None; function.widths.len()];
        for (reg, value) in &function.constants {
            constants[reg.index()] = Some(constant(module, function.width(*reg), *value));
        }
        let literals = function.constants.iter().filter_map(|(reg, value)| {
            let width = function.width(*reg);
            match value {
                Const::Int(bits) if width <= MAX_WIDTH => Some((width, *bits as u64)),
                _ => None,
            }
        });
        let incomplete = function
            .code
            .iter()
            .any(|inst| matches!(inst, Inst::Unsupported { .. }));
        let twice = function.code.iter().any(|inst| {
            matches!(
                inst,
                Inst::Intrinsic {
                    op: IntrinsicOp::SetJmp,
                    ..
                }
            )
        });
        let no_constants = scope.instructions_without_constants(module, function);
        // What generated text stores is a guess, which must not get a name.
        let numbers = match rules.filter(|_| no_constants.is_empty()) {
            Some(rules) => number_loads(module, id.index(), effects, rules, &mut definitions),
            None => LoadNumbers::default(),
        };
        let symbols = constants_by_register(function);
        let read_places = match rules {
            Some(_) => read_places(module, function, &definitions, &symbols),
            None => Vec::new(),
        };
        let mut facts = FunctionFacts {
            definitions,
            read_places,
            numbers,
            pack: Pack::default(),
            constants,
            symbols,
            no_constants,
            thresholds: WideningThresholds::new(literals),
            base: vec![None; function.widths.len()],
            next: vec![None; function.widths.len()],
            grown: vec![0; function.widths.len()],
            edges: vec![None; function.edges.len()],
            param_places: Vec::new(),
            edge_grown: vec![0; function.edges.len()],
            relations_changed: vec![0; function.edges.len()],
            only_constants: rule == StaticRule::Constants,
            is_unknown: false,
            incomplete,
        };
        if incomplete || twice || shares_edges(function) {
            facts.forget_everything(function);
        }
        facts
    }

    pub(crate) fn forget_everything(&mut self, function: &Function) {
        self.is_unknown = true;
        self.definitions.forget_everything(function);
        self.numbers = LoadNumbers::default();
        self.pack = Pack::default();
        for edge in &mut self.edges {
            *edge = Some(AbstractState::default());
        }
    }

    pub(crate) fn view<'a>(
        &'a self,
        function: &'a Function,
        known: &'a [CallEffect],
        cells: &'a PackedCells,
        effort: u32,
    ) -> FunctionView<'a> {
        FunctionView {
            function,
            definitions: &self.definitions,
            effects: known,
            pack: &self.pack,
            packed_cells: cells,
            constants: &self.constants,
            base: &self.base,
            edges: &self.edges,
            param_places: &self.param_places,
            no_constants: &self.no_constants,
            only_constants: self.only_constants,
            step_limit: effort,
            steps_left: Cell::new(0),
            steps_taken: Cell::new(0),
        }
    }

    /// A definition gives the register this value, too; true if it is new.
    pub(crate) fn grow(&mut self, reg: Reg, value: ValueSet) -> bool {
        let i = reg.index();
        let Some(old) = self.base[i] else {
            self.base[i] = Some(value);
            return true;
        };
        let joined = old.join(&value);
        if joined == old {
            return false;
        }
        self.grown[i] = self.grown[i].saturating_add(1);
        self.base[i] = Some(match self.grown[i] {
            0..=GROWTHS_BEFORE_WIDENING => joined,
            GROWTHS_BEFORE_GIVING_UP.. => ValueSet::top(old.width),
            _ => old.widen(&joined, &self.thresholds),
        });
        true
    }
}

/// Do two blocks leave by one edge? The lifter gives each its own; what holds behind an edge is
/// kept once.
fn shares_edges(function: &Function) -> bool {
    let mut seen = vec![false; function.edges.len()];
    (0..function.blocks.len() as u32).any(|number| {
        let mut edges = block_edges(function, BlockId(number)).into_iter();
        edges.any(|edge| std::mem::replace(&mut seen[edge.index()], true))
    })
}

fn constant(module: &Module, width: u8, value: Const) -> ValueSet {
    let address = || ValueSet::not_zero(width);
    match value {
        Const::Int(bits) if width <= MAX_WIDTH => ValueSet::constant(width, bits as u64),
        Const::Symbol(SymbolRef::Global { global, addend }) => {
            let global = &module.globals[global.index()];
            // An address within or right behind a variable of the program is not null.
            match !global.external && addend >= 0 && addend as u64 <= global.size {
                true => address(),
                false => ValueSet::top(width),
            }
        }
        Const::Symbol(SymbolRef::Function(id)) if !module.functions[id.index()].is_external() => {
            address()
        }
        _ => ValueSet::top(width),
    }
}
