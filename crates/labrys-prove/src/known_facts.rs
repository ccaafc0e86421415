//! Hands over what the analysis knows of all runs, for rules that go on from there.

use crate::call_effects::{CallEffect, call_effects};
use crate::compare::OrderSet;
use crate::definitions::{CodePoint, Definition, Definitions};
use crate::escapes::Owner;
use crate::places::{Base, MemoryPlace};
use crate::program::{AnalysisTask, ProgramAnalysis};
use crate::refine::FunctionView;
use crate::relations::{Atom, Literal};
use crate::scope::AnalysisScope;
use crate::state::AbstractState;
use crate::static_rule::StaticRule;
use crate::sweep::{AnnotationObserver, FunctionSweep};
use crate::value_set::{MAX_WIDTH, ValueSet};
use labrys_budget::Deadline;
use labrys_ir::{
    CmpOp, FactPlace, FactTerm, FuncId, Function, Inst, KnownFact, KnownFacts, Module, NumberSet,
    Reg, RegList,
};
use std::collections::{BTreeMap, BTreeSet};

/// A fact about a register that is the same expression as others holds of so many of them at most.
const MOST_ALIKE: usize = 4;

/// What holds in all runs of the entries, with all that the analysis knows; none if that is too much work.
pub fn known_facts(
    module: &Module,
    scope: &AnalysisScope,
    deadline: &Deadline,
) -> Option<KnownFacts> {
    let effects = call_effects(module, scope);
    let bodies = (0..module.functions.len() as u32).map(FuncId);
    let bodies: Vec<FuncId> = bodies
        .filter(|id| effects[id.index()] == CallEffect::Body)
        .collect();
    // Facts stand at places of this module, so it is not written out.
    let task = AnalysisTask {
        module,
        scope,
        locals: &BTreeMap::new(),
        rule: StaticRule::Relations,
        deadline,
    };
    let mut program = ProgramAnalysis::analyse(&task, &effects, &bodies)?;
    let mut collector = FactCollector::default();
    program.observe(&mut collector);
    if program.cut_short || deadline.is_over() {
        return None;
    }
    let mut facts = KnownFacts {
        rule: "relations",
        at: collector.at,
        registers: vec![BTreeMap::new(); module.functions.len()],
        globals: Vec::new(),
    };
    let mut read: BTreeSet<MemoryPlace> = BTreeSet::new();
    for id in bodies {
        let Some(known) = program.facts(id) else {
            continue;
        };
        if known.is_unknown || !known.no_constants.is_empty() || !program.is_reached(id) {
            continue;
        }
        let function = &module.functions[id.index()];
        for point in starts_of_pieces(function) {
            facts.at.entry((id, point)).or_insert(None);
        }
        let base = known.base.iter().enumerate();
        let base = base.map(|(number, value)| (Reg(number as u32), value));
        let is_known = |reg: Reg| {
            !known.definitions.may_be_unwritten(reg) && known.constants[reg.index()].is_none()
        };
        facts.registers[id.index()] = base
            .filter(|(reg, _)| is_known(*reg))
            .filter_map(|(reg, value)| Some((reg, number_set((*value).as_ref()?)?)))
            .collect();
        read.extend(&known.read_places);
    }
    facts.globals = read
        .into_iter()
        .filter_map(|place| {
            let value = program.variable(place)?;
            Some((fact_place(place, None)?, number_set(&value)?))
        })
        .collect();
    Some(facts)
}

/// The starts of blocks, and what stands behind calls.
fn starts_of_pieces(function: &Function) -> Vec<u32> {
    let calls = function.code.iter().enumerate();
    let calls = calls.filter(|(_, inst)| is_call(inst));
    let behind = calls.map(|(at, _)| at as u32 + 1);
    let blocks = function.blocks.iter().map(|block| block.start);
    blocks.chain(behind).collect()
}

fn is_call(inst: &Inst) -> bool {
    matches!(inst, Inst::Call { .. } | Inst::CallPointer { .. })
}

impl ProgramAnalysis<'_> {
    /// What a variable can hold at any time that only the program itself can name.
    fn variable(&mut self, place: MemoryPlace) -> Option<ValueSet> {
        let Base::Global(id) = place.base else {
            return None;
        };
        let rules = self.rules()?;
        let is_own = rules.public.owner(id) == Owner::Program;
        is_own.then(|| self.stored(place))
    }
}

#[derive(Default)]
pub(crate) struct FactCollector {
    pub(crate) at: BTreeMap<(FuncId, u32), Option<Vec<KnownFact>>>,
    /// What memory holds in generated text, too.
    also_made_up: bool,
    /// The function that is looked at, and its registers that are the same expression as others.
    alike: Option<(FuncId, AlikeRegisters)>,
}

impl FactCollector {
    pub(crate) fn of_everything() -> FactCollector {
        FactCollector {
            also_made_up: true,
            ..FactCollector::default()
        }
    }
}

/// Which registers stand behind a name.
#[derive(Default)]
struct AlikeRegisters {
    by_name: BTreeMap<Reg, Vec<Reg>>,
    by_atom: BTreeMap<Reg, Vec<Reg>>,
}

impl AlikeRegisters {
    fn of(view: &FunctionView<'_>) -> AlikeRegisters {
        let mut alike = AlikeRegisters::default();
        let definitions = view.definitions;
        for reg in (0..view.function.widths.len() as u32).map(Reg) {
            if definitions.may_be_unwritten(reg) || view.constants[reg.index()].is_some() {
                continue;
            }
            let add = |all: &mut BTreeMap<Reg, Vec<Reg>>, name: Reg| {
                let alike = all.entry(name).or_default();
                if alike.len() < MOST_ALIKE {
                    alike.push(reg);
                }
            };
            add(&mut alike.by_name, definitions.name(reg));
            if let Some(atom) = view.pack.atom(reg) {
                add(&mut alike.by_atom, atom);
            }
        }
        alike
    }

    fn named(&self, name: Reg) -> &[Reg] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }
}

impl AnnotationObserver for FactCollector {
    fn annotation(
        &mut self,
        _: &FunctionView<'_>,
        _: &AbstractState,
        _: CodePoint,
        _: CallEffect,
        _: RegList,
    ) {
    }

    fn before(&mut self, sweep: &FunctionSweep<'_>, state: &AbstractState, point: CodePoint) {
        let at = point.at;
        let start = sweep.function.blocks[point.block.index()].start;
        let is_behind = at > start && is_call(&sweep.function.code[at as usize - 1]);
        let facts = &sweep.facts;
        let is_made_up = !facts.no_constants.is_empty();
        if (at != start && !is_behind) || facts.is_unknown || (is_made_up && !self.also_made_up) {
            return;
        }
        let view = sweep.view();
        if self.alike.as_ref().is_none_or(|(id, _)| *id != sweep.id) {
            self.alike = Some((sweep.id, AlikeRegisters::of(&view)));
        }
        let mut found = Vec::new();
        if let Some((_, alike)) = self.alike.as_ref().filter(|_| !is_made_up) {
            values(&view, state, alike, &mut found);
            orders(state, alike, &mut found);
            relations(sweep, &view, state, alike, &mut found);
        }
        for (place, value) in state.cells.iter() {
            if sweep.is_object(place.base)
                && let Some(place) = fact_place(*place, Some(view.definitions))
                && let Some(numbers) = number_set(value)
            {
                found.push(KnownFact::In(place, numbers));
            }
        }
        self.at.insert((sweep.id, at), Some(found));
    }
}

/// What registers hold here beyond what they always hold.
fn values(
    view: &FunctionView<'_>,
    state: &AbstractState,
    alike: &AlikeRegisters,
    found: &mut Vec<KnownFact>,
) {
    for (name, here) in state.values() {
        for reg in alike.named(*name) {
            let base = view.base[reg.index()].unwrap_or(ValueSet::top(here.width));
            if let Some(value) = base.meet(here)
                && let Some(numbers) = number_set(&value)
            {
                found.push(KnownFact::In(FactPlace::Register(*reg), numbers));
            }
        }
    }
}

fn orders(state: &AbstractState, alike: &AlikeRegisters, found: &mut Vec<KnownFact>) {
    for ((first, second), order) in state.orders() {
        for a in alike.named(*first) {
            for b in alike.named(*second) {
                for op in comparisons(*order) {
                    let (a, b) = (*a, *b);
                    found.push(KnownFact::Compared { op, a, b });
                }
            }
        }
    }
}

/// Comparisons that hold and from which the others follow.
fn comparisons(order: OrderSet) -> Vec<CmpOp> {
    let holds = |op: CmpOp| order.decides(op) == Some(true);
    let strongest = |ops: &[CmpOp]| ops.iter().copied().find(|op| holds(*op));
    if holds(CmpOp::Eq) {
        return vec![CmpOp::Eq];
    }
    let signed = strongest(&[CmpOp::Slt, CmpOp::Sgt, CmpOp::Sle, CmpOp::Sge]);
    let unsigned = strongest(&[CmpOp::Ult, CmpOp::Ugt, CmpOp::Ule, CmpOp::Uge]);
    let mut all: Vec<CmpOp> = signed.into_iter().chain(unsigned).collect();
    let is_strict = |op: &CmpOp| matches!(op, CmpOp::Slt | CmpOp::Sgt | CmpOp::Ult | CmpOp::Ugt);
    if holds(CmpOp::Ne) && !all.iter().any(is_strict) {
        all.push(CmpOp::Ne);
    }
    all
}

fn relations(
    sweep: &FunctionSweep<'_>,
    view: &FunctionView<'_>,
    state: &AbstractState,
    alike: &AlikeRegisters,
    found: &mut Vec<KnownFact>,
) {
    let places = |atom: Atom| -> Vec<FactPlace> {
        match atom {
            Atom::Reg(reg) => {
                let all = alike.by_atom.get(&reg).into_iter().flatten();
                all.map(|reg| FactPlace::Register(*reg)).collect()
            }
            Atom::Cell(number) => {
                let place = view.packed_cells.place(number);
                let place = sweep.is_object(place.base).then_some(place);
                let place = place.and_then(|place| fact_place(place, Some(view.definitions)));
                place.into_iter().collect()
            }
            Atom::Zero | Atom::Param(_) | Atom::Result(_) => Vec::new(),
        }
    };
    let term = |literal: Literal, place: FactPlace| FactTerm {
        place,
        signed: literal.signed,
        negative: literal.negative,
    };
    for ((a, b), bound) in state.relations.entries() {
        let (a, b) = if a.atom == Atom::Zero { (b, a) } else { (a, b) };
        for first in places(a.atom) {
            let first = term(*a, first);
            let mut push = |second| {
                found.push(KnownFact::AtMost {
                    first,
                    second,
                    bound: *bound,
                });
            };
            match b.atom {
                Atom::Zero => push(None),
                atom => (places(atom).into_iter()).for_each(|place| push(Some(term(*b, place)))),
            }
        }
    }
    for (atom, stride) in state.relations.strides() {
        let Ok(rest) = i64::try_from(stride.rest) else {
            continue;
        };
        for place in places(*atom) {
            found.push(KnownFact::Stride {
                place,
                step: stride.step,
                rest,
            });
        }
    }
}

/// A place in a variable, or in a local of the function with these definitions.
fn fact_place(place: MemoryPlace, definitions: Option<&Definitions>) -> Option<FactPlace> {
    let offset = u64::try_from(place.offset).ok()?;
    let width = place.width;
    match place.base {
        Base::Global(global) => Some(FactPlace::Global {
            global,
            offset,
            width,
        }),
        Base::Local(reg) => match definitions?.def(reg) {
            Definition::Inst(made_by) => Some(FactPlace::Local {
                made_by,
                offset,
                width,
            }),
            _ => None,
        },
        Base::Pointer(_) => None,
    }
}

/// None if the value may be anything.
pub(crate) fn number_set(value: &ValueSet) -> Option<NumberSet> {
    (value.width <= MAX_WIDTH && !value.is_top()).then(|| NumberSet {
        width: value.width,
        umin: value.umin,
        umax: value.umax,
        smin: value.smin,
        smax: value.smax,
        zeros: value.zeros,
        ones: value.ones,
        members: value.members.get().unwrap_or_default().to_vec(),
    })
}
