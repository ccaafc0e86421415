//! The weakest precondition of a predicate over a piece of code: what must hold before it so that control
//! goes on to the place of the predicate and the predicate holds there. It never says less than what is
//! needed: where something is not known, it may be any value.

use super::call_strings::{CallStringId, Way, bodies};
use super::facts::Facts;
use super::memory_effects::Outside;
use super::places::StatePlace;
use super::predecessors::{Predecessor, WayOn};
use super::segment::{Segment, Terms};
use crate::program::Program;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, substitute};
use labrys_ir::{EdgeId, FuncId, Inst, Module, Reg};
use labrys_ledger::Assumption;
use std::collections::{BTreeMap, BTreeSet};

/// What a proof rests on that goes by values which were never written.
const UNDEFINED: &str = "uninitialised memory";

/// A conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Predicate {
    /// Each once, in the order of their numbers.
    pub(super) conjuncts: Vec<ExprId>,
}

/// What must hold in front of a piece of code.
pub(super) struct Precondition {
    /// From the predicate behind it.
    pub(super) needed: Vec<ExprId>,
    /// So that control goes that way.
    pub(super) way: Vec<ExprId>,
    /// Can control come this way to the predicate?
    pub(super) is_possible: bool,
    /// What the places of the predicate hold behind the piece; none if control does not get there.
    pub(super) values: Option<BTreeMap<StatePlace, ExprId>>,
    pub(super) rests_on: BTreeSet<String>,
}

pub(super) struct Preconditions<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) facts: &'a Facts,
}

impl<'a> Preconditions<'a> {
    pub(super) fn over(
        &self,
        terms: &'a mut Terms,
        predecessor: Predecessor,
        predicate: &Predicate,
        seen: &'a dyn Fn(&Arena, ExprId) -> Option<u64>,
    ) -> Precondition {
        let Predecessor { place, last, step } = predecessor;
        let mut segment = Segment::new(terms, self.program, self.facts, place.frame, seen);
        segment.run(place.pc, last);
        if !segment.ends {
            self.take(&mut segment, last, step);
        }
        let mut made = Precondition {
            needed: Vec::new(),
            way: Vec::new(),
            is_possible: !segment.ends,
            values: None,
            rests_on: std::mem::take(&mut segment.rests_on),
        };
        if segment.ends {
            return made;
        }
        let surroundings = (self.program, self.facts);
        let (values, needed) = behind(
            &mut segment,
            surroundings,
            step,
            predicate,
            &mut made.rests_on,
        );
        (made.values, made.needed) = (Some(values), needed);
        made.way = std::mem::take(&mut segment.conditions);
        let conditions: Vec<ExprId> = made.needed.iter().chain(&made.way).copied().collect();
        note_unsure(
            segment.terms,
            self.program,
            self.facts,
            &conditions,
            &mut made.rests_on,
        );
        made.way.extend(segment.new_objects_lie_apart(&conditions));
        let arena = &mut segment.terms.arena;
        match (conjuncts(arena, &made.needed), conjuncts(arena, &made.way)) {
            (Some(needed), Some(way)) => (made.needed, made.way) = (needed, way),
            _ => made.is_possible = false,
        }
        made
    }

    /// What places of the predicate hold where the program is called from outside.
    pub(super) fn initial_values(
        &self,
        terms: &'a mut Terms,
        frame: CallStringId,
        is_start: bool,
        predicate: &Predicate,
    ) -> BTreeMap<StatePlace, ExprId> {
        let unseen = |_: &Arena, _: ExprId| None;
        let mut segment = Segment::new(terms, self.program, self.facts, frame, &unseen);
        let mut values = BTreeMap::new();
        for place in places_of(segment.terms, predicate) {
            if let Some(value) = segment.initial(place).filter(|_| is_start) {
                values.insert(place, value);
            }
        }
        values
    }

    /// What the predicate says where the program is called from outside; none if it cannot hold there.
    pub(super) fn at_start(
        &self,
        terms: &'a mut Terms,
        frame: CallStringId,
        is_start: bool,
        predicate: &Predicate,
    ) -> Option<Vec<ExprId>> {
        let values = self.initial_values(terms, frame, is_start, predicate);
        let made = substituted(terms, predicate, &values);
        conjuncts(&mut terms.arena, &made)
    }

    fn take(&self, segment: &mut Segment<'a>, last: u32, step: WayOn) {
        let module = self.program.module;
        let function = segment.function();
        let inst = function.code[last as usize];
        match (step, inst) {
            (WayOn::Edge(edge), _) => {
                let condition = edge_condition(segment, inst, edge);
                segment.conditions.extend(condition);
                for &(dst, src) in function.edge_copies(edge) {
                    segment.copy(dst, src);
                }
            }
            (WayOn::Enter(callee), Inst::Call { args, .. } | Inst::CallPointer { args, .. }) => {
                let id = segment.terms.places.function_of(callee);
                if let Inst::CallPointer { target, .. } = inst {
                    let led = segment.get(target);
                    let there = is_function(segment, led, id);
                    segment.conditions.push(there);
                }
                let params = &module.functions[id.index()].params;
                for (param, arg) in params.iter().zip(function.list(args)) {
                    let value = segment.get(*arg);
                    let (from, to) = (
                        segment.terms.arena.width(value),
                        module.functions[id.index()].width(*param),
                    );
                    let value = match from == to {
                        true => value,
                        false => segment.any(to),
                    };
                    segment.hand_over(callee, *param, value);
                }
            }
            (WayOn::Leave { to, call }, Inst::Return { values }) => {
                let caller = segment.terms.places.function_of(to);
                let caller = &module.functions[caller.index()];
                let (Inst::Call { results, .. } | Inst::CallPointer { results, .. }) =
                    caller.code[call as usize]
                else {
                    return;
                };
                let values: Vec<ExprId> = {
                    let regs = function.list(values);
                    regs.iter().map(|reg| segment.get(*reg)).collect()
                };
                for (at, dst) in caller.list(results).iter().enumerate() {
                    let width = caller.width(*dst);
                    let value = values.get(at).copied();
                    let value = value.filter(|v| segment.terms.arena.width(*v) == width);
                    let value = value.unwrap_or_else(|| segment.any(width));
                    segment.hand_over(to, *dst, value);
                }
            }
            (
                WayOn::Over(way),
                Inst::Call { args, results, .. } | Inst::CallPointer { args, results, .. },
            ) => match way {
                Way::Over(callee) => {
                    if let Inst::CallPointer { target, .. } = inst {
                        let led = segment.get(target);
                        for known in bodies(self.facts, module, &inst) {
                            let there = is_function(segment, led, known);
                            let other = segment.terms.arena.not(there);
                            segment.conditions.push(other);
                        }
                    }
                    segment.call_over(callee, args, results);
                }
                Way::Cut | Way::Into(_) => segment.outside(Outside::Everything, results),
            },
            _ => segment.ends = true,
        }
    }
}

/// Is a pointer the address of a function?
fn is_function(segment: &mut Segment<'_>, pointer: ExprId, id: FuncId) -> ExprId {
    let Terms { arena, places } = &mut *segment.terms;
    let address = places.address(arena, Program::function_object(id), 0);
    arena.eq(pointer, address)
}

/// The condition under which the last instruction of a block takes an edge.
fn edge_condition(segment: &mut Segment<'_>, inst: Inst, edge: EdgeId) -> Option<ExprId> {
    match inst {
        Inst::Branch { cond, then, other } if then != other => {
            let cond = segment.get(cond);
            let arena = &mut segment.terms.arena;
            Some(match edge == then {
                true => cond,
                false => arena.not(cond),
            })
        }
        Inst::Switch { value, table } => {
            let value = segment.get(value);
            let function = segment.function();
            let table = &function.switches[table.index()];
            let arena = &mut segment.terms.arena;
            let width = arena.width(value);
            let (mut here, mut any) = (arena.no(), arena.no());
            for &(case, to) in &table.cases {
                let case = arena.constant(width, case);
                let taken = arena.eq(value, case);
                any = arena.or(any, taken);
                if to == edge {
                    here = arena.or(here, taken);
                }
            }
            if table.default == Some(edge) {
                let none = arena.not(any);
                here = arena.or(here, none);
            }
            Some(here)
        }
        _ => None,
    }
}

/// The predicate in terms of what holds in front of the piece.
fn behind(
    segment: &mut Segment<'_>,
    (program, facts): (&Program<'_>, &Facts),
    step: WayOn,
    predicate: &Predicate,
    rests_on: &mut BTreeSet<String>,
) -> (BTreeMap<StatePlace, ExprId>, Vec<ExprId>) {
    let module = program.module;
    let mut values = BTreeMap::new();
    for place in places_of(segment.terms, predicate) {
        let begins = match step {
            WayOn::Enter(callee) => is_new_in(segment.terms, module, callee, place),
            _ => false,
        };
        let value: ExprId = match begins {
            true => {
                let width = width_of(segment.terms, module, place);
                segment.any(width)
            }
            false => segment.value(place),
        };
        values.insert(place, value);
    }
    // What the values say before they meet.
    let met: Vec<ExprId> = values.values().copied().collect();
    note_unsure(segment.terms, program, facts, &met, rests_on);
    let needed = substituted(segment.terms, predicate, &values);
    (values, needed)
}

/// Has the place no value yet where the function of a frame begins?
fn is_new_in(terms: &Terms, module: &Module, callee: CallStringId, place: StatePlace) -> bool {
    let function = &module.functions[terms.places.function_of(callee).index()];
    match place {
        StatePlace::Register { frame, reg } if frame == callee => {
            let is_constant = |reg: Reg| function.constants.iter().any(|(known, _)| *known == reg);
            !function.params.contains(&reg) && !is_constant(reg)
        }
        StatePlace::ObjectPart(cell) => {
            let local = terms.places.local_of(cell.object);
            local.is_some_and(|(frame, _)| frame == callee)
        }
        StatePlace::Register { .. } | StatePlace::PendingSwitch | StatePlace::Base(_) => false,
    }
}

fn width_of(terms: &Terms, module: &Module, place: StatePlace) -> u8 {
    match place {
        StatePlace::Register { frame, reg } => {
            module.functions[terms.places.function_of(frame).index()].width(reg)
        }
        StatePlace::ObjectPart(cell) => cell.width(),
        StatePlace::PendingSwitch => 32,
        StatePlace::Base(_) => 64,
    }
}

/// What goes by a value that was never written rests on all uses of it being the same; what goes by the
/// address of a literal, on which of them share their bytes.
pub(super) fn note_unsure(
    terms: &Terms,
    program: &Program<'_>,
    facts: &Facts,
    conditions: &[ExprId],
    rests_on: &mut BTreeSet<String>,
) {
    for condition in conditions {
        for var in terms.arena.vars_iter(terms.arena.vars(*condition)) {
            let is_undefined = match terms.places.place(var) {
                Some(StatePlace::Register { frame, reg }) => facts
                    .undefined
                    .contains(terms.places.function_of(frame), reg),
                Some(StatePlace::Base(object)) => {
                    if program
                        .global_at(object)
                        .is_some_and(|global| global.mergeable)
                    {
                        rests_on.insert(Assumption::Addresses.to_string());
                    }
                    false
                }
                _ => terms.places.is_undefined(var),
            };
            if is_undefined {
                rests_on.insert(UNDEFINED.to_owned());
            }
        }
    }
}

/// The places that a predicate is about.
pub(super) fn places_of(terms: &Terms, predicate: &Predicate) -> BTreeSet<StatePlace> {
    let mut places = BTreeSet::new();
    for conjunct in &predicate.conjuncts {
        let vars = terms.arena.vars(*conjunct);
        let vars = terms.arena.vars_iter(vars);
        places.extend(vars.filter_map(|var| terms.places.place(var)));
    }
    places
}

fn substituted(
    terms: &mut Terms,
    predicate: &Predicate,
    values: &BTreeMap<StatePlace, ExprId>,
) -> Vec<ExprId> {
    let Terms { arena, places } = terms;
    substitute(arena, &predicate.conjuncts, &mut |arena, var| {
        let value = places.place(var).and_then(|place| values.get(&place));
        value.copied().unwrap_or_else(|| arena.var_expr(var))
    })
}

/// The parts of some conditions that must hold together, each once; none if one of them is false.
pub(super) fn conjuncts(arena: &mut Arena, conditions: &[ExprId]) -> Option<Vec<ExprId>> {
    let mut parts = BTreeSet::new();
    let mut open: Vec<ExprId> = conditions.to_vec();
    while let Some(e) = open.pop() {
        match arena.kind(e) {
            ExprKind::Const(0) => return None,
            ExprKind::Const(_) => {}
            ExprKind::Binary(ExprOp::And, a, b) if arena.width(e) == 1 => open.extend([a, b]),
            ExprKind::Unary(ExprOp::Not, inner) if arena.width(e) == 1 => match arena.kind(inner) {
                ExprKind::Binary(ExprOp::Or, a, b) => {
                    open.extend([a, b].map(|part| arena.not(part)));
                }
                _ => {
                    parts.insert(e);
                }
            },
            _ => {
                parts.insert(e);
            }
        }
    }
    // What contradicts itself at first sight.
    for part in &parts {
        let not = arena.not(*part);
        if parts.contains(&not) {
            return None;
        }
    }
    Some(parts.into_iter().collect())
}
