//! The program as the analysis by cases looks at it: what is the same in all of its runs.

use super::growth::CaseBounds;
use crate::call_effects::CallEffect;
use crate::constant_tables::initial;
use crate::definitions::{Definition, Definitions};
use crate::load_numbers::MemoryRules;
use crate::param_addresses;
use crate::places::{Base, ConstantRegisters, MemoryPlace, constants};
use crate::pointer_shape::{AddressCode, AddressShape, OffsetSteps};
use crate::program::{all_definitions, callees_first, rests_on_more};
use crate::scope::AnalysisScope;
use crate::unfold::UnfoldedModule;
use crate::value_set::{MAX_WIDTH, ValueSet};
use crate::writes::{Writes, WrittenBytes};
use labrys_ir::{
    BlockId, Const, FuncId, Function, Inst, IntrinsicOp, Liveness, Module, Reg, SymbolRef,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Steps of an address beyond these are not taken one by one.
const MAX_ELEMENTS: u64 = 64;
/// A truth value is followed back through so many instructions.
const MAX_TRUTH_DEPTH: usize = 8;

/// What is known of one function in advance.
pub(super) struct CaseFunction {
    pub(super) definitions: Definitions,
    pub(super) constants: ConstantRegisters,
    /// The registers that each block needs at its start.
    live: Vec<Vec<bool>>,
    /// Phis by which branches decide: `a && b`.
    pub(super) truths: BTreeSet<Reg>,
    /// Generated text, whose constants say nothing.
    pub(super) is_made_up: bool,
    /// The place of each block in the order of the flow.
    pub(super) ranks: Vec<u32>,
}

/// What a call can do to a place.
#[derive(Clone, Copy)]
struct PlaceEffect {
    touches: bool,
    writes: bool,
}

pub(super) struct CaseSetting<'m> {
    pub(super) module: &'m Module,
    pub(super) effects: Vec<CallEffect>,
    pub(super) functions: Vec<Option<CaseFunction>>,
    pub(super) rules: MemoryRules,
    /// What a call of each function may look at or change.
    touched: Vec<Writes>,
    /// Answers that were given before.
    asked: RefCell<FxHashMap<(FuncId, MemoryPlace), PlaceEffect>>,
    /// The places of each object that are read somewhere.
    pub(super) places: BTreeMap<Base, Vec<MemoryPlace>>,
    /// What memory holds when the program starts.
    pub(super) start: Vec<(MemoryPlace, Rc<ValueSet>)>,
    pub(super) bounds: &'m CaseBounds,
    /// Callees come first.
    pub(super) ranks: Vec<u32>,
    pub(super) entries: Vec<FuncId>,
    /// Functions that may be called from where nobody looks.
    pub(super) roots: Vec<FuncId>,
}

impl<'m> CaseSetting<'m> {
    /// None if the program does something that this analysis does not follow.
    pub(super) fn of(
        unfolded: &'m UnfoldedModule,
        scope: &AnalysisScope,
        effects: &[CallEffect],
        bounds: &'m CaseBounds,
    ) -> Option<CaseSetting<'m>> {
        let module = &unfolded.module;
        if rests_on_more(module, scope, effects) || !is_followed(module, effects) {
            return None;
        }
        let entries = scope.entries.iter().map(|name| module.function(name));
        let entries: Vec<FuncId> = entries.collect::<Option<_>>()?;
        let mut definitions = all_definitions(module, true);
        param_addresses::find(module, scope, effects, &mut definitions);
        let rules = MemoryRules::of(module, effects, &definitions, &unfolded.locals);
        if !rules.public.is_whole {
            return None;
        }
        let functions = definitions.into_iter().enumerate().map(|(number, known)| {
            let function = &module.functions[number];
            let looked_into = effects[number] == CallEffect::Body;
            known
                .filter(|_| looked_into)
                .map(|known| CaseFunction::of(module, scope, function, known, effects))
        });
        let mut setting = CaseSetting {
            module,
            effects: effects.to_vec(),
            functions: functions.collect(),
            rules,
            touched: Vec::new(),
            asked: RefCell::default(),
            places: BTreeMap::new(),
            start: Vec::new(),
            bounds,
            ranks: callees_first(module),
            entries,
            roots: roots(module, effects),
        };
        setting.touched = setting.find_touched();
        setting.places = setting.read_places();
        setting.start = setting.initial_cells();
        Some(setting)
    }

    pub(super) fn function(&self, id: FuncId) -> Option<&CaseFunction> {
        self.functions[id.index()].as_ref()
    }

    pub(super) fn code(&self, id: FuncId) -> Option<AddressCode<'_>> {
        let known = self.function(id)?;
        Some(AddressCode {
            function: &self.module.functions[id.index()],
            definitions: &known.definitions,
            constants: &known.constants,
        })
    }

    /// May a call of a function look at a place, or change it?
    pub(super) fn touches(&self, callee: FuncId, place: MemoryPlace) -> bool {
        self.effect(callee, place).touches
    }

    pub(super) fn may_write(&self, callee: FuncId, place: MemoryPlace) -> bool {
        self.effect(callee, place).writes
    }

    fn effect(&self, callee: FuncId, place: MemoryPlace) -> PlaceEffect {
        if let Some(known) = self.asked.borrow().get(&(callee, place)) {
            return *known;
        }
        let (touched, writes) = (
            &self.touched[callee.index()],
            self.rules.writes.call(callee),
        );
        let may = |code: &Writes| {
            (self.rules).may_write(code, callee.index(), place.region(), place.bytes())
        };
        let effect = PlaceEffect {
            touches: may(touched),
            writes: may(writes),
        };
        self.asked.borrow_mut().insert((callee, place), effect);
        effect
    }

    /// Is what is there only changed by what is executed?
    pub(super) fn is_steady(&self, function: FuncId, base: Base) -> bool {
        let all = AddressShape {
            object: base,
            distances: OffsetSteps::ALL,
        };
        self.rules.is_steady(function.index(), Some(all), 1)
    }

    /// What each function touches, with all that it calls.
    fn find_touched(&self) -> Vec<Writes> {
        let module = self.module;
        let mut touched: Vec<Writes> = (0..module.functions.len())
            .map(|number| self.touched_by(FuncId(number as u32)))
            .collect();
        loop {
            let mut changed = false;
            for (number, function) in module.functions.iter().enumerate() {
                let mut all = touched[number].clone();
                for inst in &function.code {
                    if let Inst::Call { callee, .. } = inst {
                        all.add(&touched[callee.index()]);
                    }
                }
                changed |= all != touched[number];
                touched[number] = all;
            }
            if !changed {
                return touched;
            }
        }
    }

    fn touched_by(&self, id: FuncId) -> Writes {
        let mut touched = self.rules.writes.call(id).clone();
        let Some(code) = self.code(id) else {
            return touched;
        };
        for inst in &code.function.code {
            let (addr, bytes) = match *inst {
                Inst::Load { addr, width, .. } => (addr, Some(u64::from(width.div_ceil(8)))),
                Inst::MemCopy { src, .. } => (src, None),
                _ => continue,
            };
            match code.shape(addr) {
                Some(shape) if !self.rules.public.is_public(id.index(), shape.object) => {
                    if let Base::Global(object) = shape.object {
                        touched.add_part(object, WrittenBytes::of(bytes, shape.distances));
                    }
                }
                _ => touched.public = true,
            }
        }
        touched
    }

    /// The places of variables that some load can mean, as far as its steps tell.
    fn read_places(&self) -> BTreeMap<Base, Vec<MemoryPlace>> {
        let mut places: BTreeMap<Base, BTreeSet<MemoryPlace>> = BTreeMap::new();
        for number in 0..self.module.functions.len() {
            let Some(code) = self.code(FuncId(number as u32)) else {
                continue;
            };
            for inst in &code.function.code {
                let Inst::Load { addr, width, .. } = *inst else {
                    continue;
                };
                if let Some(shape) = code.shape(addr)
                    && width <= MAX_WIDTH
                    && width.is_multiple_of(8)
                {
                    let of_object = places.entry(shape.object).or_default();
                    of_object.extend(self.all_places(shape, width));
                }
            }
        }
        let places = places.into_iter();
        places
            .map(|(base, all)| (base, all.into_iter().collect()))
            .collect()
    }

    /// All places of a shape in its variable, if they are few.
    pub(super) fn all_places(&self, shape: AddressShape, width: u8) -> Vec<MemoryPlace> {
        let Base::Global(id) = shape.object else {
            return Vec::new();
        };
        let bytes = u64::from(width.div_ceil(8));
        let size = self.module.globals[id.index()].size;
        let place = |offset: i64| MemoryPlace {
            base: shape.object,
            offset,
            width,
        };
        let OffsetSteps { start, step } = shape.distances;
        if step == 0 {
            return vec![place(start)];
        }
        if step < bytes || size / step > MAX_ELEMENTS {
            return Vec::new();
        }
        let Ok(step) = i64::try_from(step) else {
            return Vec::new();
        };
        let first = start.rem_euclid(step);
        let last = size.saturating_sub(bytes) as i64;
        let mut offsets = Vec::new();
        let mut at = first;
        while at <= last {
            offsets.push(at);
            at += step;
        }
        offsets.into_iter().map(place).collect()
    }

    fn initial_cells(&self) -> Vec<(MemoryPlace, Rc<ValueSet>)> {
        if !self.rules.public.is_whole || !self.module.constructors.is_empty() {
            return Vec::new();
        }
        let places = self.places.values().flatten();
        let known = places.filter_map(|place| {
            let Base::Global(id) = place.base else {
                return None;
            };
            let global = &self.module.globals[id.index()];
            let starts = self.rules.public.has_initial_value(self.module, id);
            let steady = starts && self.is_steady(FuncId(0), place.base);
            let value = initial(global, place.offset.into(), place.width).filter(|_| steady)?;
            Some((*place, Rc::new(value)))
        });
        known.collect()
    }
}

impl CaseFunction {
    fn of(
        module: &Module,
        scope: &AnalysisScope,
        function: &Function,
        definitions: Definitions,
        effects: &[CallEffect],
    ) -> CaseFunction {
        let liveness = Liveness::of(function);
        let blocks = function.blocks.iter();
        let mut ranks = vec![u32::MAX; function.blocks.len()];
        for (rank, block) in (0..).zip(&definitions.order) {
            ranks[block.index()] = rank;
        }
        let no_constants = scope.instructions_without_constants(module, function);
        CaseFunction {
            live: blocks
                .map(|block| liveness.at(function, block.start))
                .collect(),
            truths: truths(function, &definitions, effects),
            constants: constants(function),
            is_made_up: !no_constants.is_empty(),
            definitions,
            ranks,
        }
    }

    pub(super) fn needs(&self, block: BlockId, reg: Reg) -> bool {
        self.live[block.index()][reg.index()]
    }
}

/// The phis whose truth decides a branch, or is given back.
fn truths(function: &Function, definitions: &Definitions, effects: &[CallEffect]) -> BTreeSet<Reg> {
    let decides = |inst: &Inst| match *inst {
        Inst::Branch { cond, .. } => vec![cond],
        Inst::Return { values } => function.list(values).to_vec(),
        _ => Vec::new(),
    };
    let asked = function.code.iter().flat_map(decides);
    asked
        .filter_map(|reg| truth(function, definitions, effects, reg))
        .collect()
}

/// The phi that a truth value was made from.
fn truth(
    function: &Function,
    definitions: &Definitions,
    effects: &[CallEffect],
    mut reg: Reg,
) -> Option<Reg> {
    for _ in 0..MAX_TRUTH_DEPTH {
        let at = match definitions.def(reg) {
            Definition::Inst(at) => at,
            Definition::Phi(_) => return Some(reg),
            _ => return None,
        };
        reg = match function.code[at as usize] {
            Inst::Cast { src, .. } | Inst::Copy { src, .. } => src,
            Inst::Cmp { a, .. } => a,
            Inst::Call { callee, args, .. } => match effects[callee.index()] {
                CallEffect::Truth { value, .. } => *function.list(args).get(value)?,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}

/// Nothing returns twice, and all code is here.
fn is_followed(module: &Module, effects: &[CallEffect]) -> bool {
    let is_other = |inst: &Inst| {
        matches!(
            inst,
            Inst::Unsupported { .. }
                | Inst::JumpIndirect { .. }
                | Inst::Intrinsic {
                    op: IntrinsicOp::SetJmp,
                    ..
                }
        )
    };
    let functions = module.functions.iter().zip(effects);
    let mut looked_into = functions.filter(|(_, effect)| **effect == CallEffect::Body);
    looked_into.all(|(function, _)| !function.code.iter().any(is_other))
}

/// Functions whose address is taken, constructors, and what bodies call that are not looked into.
fn roots(module: &Module, effects: &[CallEffect]) -> Vec<FuncId> {
    let mut roots: BTreeSet<FuncId> = module.constructors.iter().copied().collect();
    for (number, function) in module.functions.iter().enumerate() {
        for (_, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Function(id)) = value {
                roots.insert(*id);
            }
        }
        if effects[number] != CallEffect::Body {
            roots.extend(function.code.iter().filter_map(|inst| match inst {
                Inst::Call { callee, .. } => Some(*callee),
                _ => None,
            }));
        }
    }
    for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
        if let SymbolRef::Function(id) = reloc.target {
            roots.insert(id);
        }
    }
    let bodies = roots.into_iter();
    bodies
        .filter(|id| effects[id.index()] == CallEffect::Body)
        .collect()
}
