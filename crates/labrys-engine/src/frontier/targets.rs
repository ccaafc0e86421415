//! The places and predicates of objectives: what must hold at the start of a piece of code so that the
//! annotation in it covers the objective.

use super::Frontier;
use super::call_strings::CallStringId;
use super::callees::Callee;
use super::facts::Facts;
use super::places::StatePlace;
use super::precondition::{Predicate, conjuncts, note_unsure};
use super::predecessors::{ProgramPoint, block_of};
use super::samples::value_under;
use super::segment::Segment;
use crate::objectives::ObjectiveMap;
use crate::program::annotations::{Numbers, triggers_of};
use crate::program::{Builtin, Program};
use labrys_expr::{Arena, ExprId};
use labrys_ir::{FuncId, Function, Inst, block_edges};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// An event without which an objective cannot be covered. A pair needs several.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoughtEvent {
    pub(super) objective: usize,
    /// Of a pair: the outcome of its condition that the event belongs to.
    pub(super) half: Option<bool>,
}

/// Everything at which an event can be; what is missing is not looked for.
pub(super) type Targets = Vec<(SoughtEvent, Vec<TargetPredicate>)>;

/// A place with what must hold there.
#[derive(Clone, Debug)]
pub(super) struct TargetPredicate {
    pub(super) place: ProgramPoint,
    /// None if it cannot hold.
    pub(super) predicate: Option<Predicate>,
    pub(super) rests_on: BTreeSet<String>,
}

pub(super) fn targets(frontier: &mut Frontier<'_>) -> Targets {
    let (program, objectives) = (frontier.program, frontier.objectives);
    let mut sought: Vec<(SoughtEvent, Trigger)> = Vec::new();
    for objective in objectives.listed() {
        let events = events_of(objectives, objective).into_iter();
        sought.extend(events.map(|(half, trigger)| (SoughtEvent { objective, half }, trigger)));
    }
    let wanted: BTreeSet<Trigger> = sought.iter().map(|(_, trigger)| *trigger).collect();
    let mut places: BTreeMap<Trigger, Vec<TargetPredicate>> = BTreeMap::new();
    let mut unclear: BTreeSet<Trigger> = frontier.facts.triggered_outside.clone();
    for id in (0..program.module.functions.len() as u32).map(FuncId) {
        if frontier.facts.callees[id.index()] != Callee::Body {
            continue;
        }
        let function = &program.module.functions[id.index()];
        let numbers = Numbers::of(function);
        let is_called = frontier.contexts.of(id).next().is_some();
        for (pc, inst) in function.code.iter().enumerate() {
            for trigger in triggers_of(inst, function, &numbers, &program.targets) {
                if !wanted.contains(&trigger) || !is_called {
                    continue;
                }
                if let Trigger::Label { .. } = trigger
                    && !is_plain_predicate(program, &frontier.facts, function, pc as u32)
                {
                    unclear.insert(trigger);
                }
                let found = at_instruction(frontier, id, pc as u32, trigger);
                places.entry(trigger).or_default().extend(found);
            }
        }
    }
    let is_clear = |(event, trigger): (SoughtEvent, Trigger)| {
        let found = places.get(&trigger)?;
        (!unclear.contains(&trigger)).then(|| (event, found.clone()))
    };
    sought.into_iter().filter_map(is_clear).collect()
}

/// The events that an objective cannot be covered without. A pair needs both outcomes of its condition and,
/// where the decision has labels for them, evaluations in which they decide.
fn events_of(objectives: &ObjectiveMap, objective: usize) -> Vec<(Option<bool>, Trigger)> {
    let trigger = match objectives.trigger(objective) {
        Some(trigger) => trigger,
        None => return Vec::new(),
    };
    let Trigger::Pair {
        decision,
        condition: index,
        ..
    } = trigger
    else {
        return vec![(None, trigger)];
    };
    let mut events = Vec::new();
    for value in [true, false] {
        let outcome = Trigger::Condition {
            decision,
            index,
            value,
        };
        let label = objectives.label_of_half(decision, index, value);
        let label = label.map(|id| Trigger::Label { id });
        let both = [Some(outcome), label].into_iter().flatten();
        events.extend(both.map(|event| (Some(value), event)));
    }
    events
}

/// One target for each call string of the function.
fn at_instruction(
    frontier: &mut Frontier<'_>,
    id: FuncId,
    pc: u32,
    trigger: Trigger,
) -> Vec<TargetPredicate> {
    let mut found = Vec::new();
    let frames: Vec<CallStringId> = frontier.contexts.of(id).collect();
    for frame in frames {
        let place = frontier.pieces_of().start_of(frame, pc);
        let model = frontier.samples.latest(&frontier.terms.places, place);
        let seen = |arena: &Arena, e: ExprId| Some(value_under(arena, model.as_ref()?, e));
        let Frontier {
            terms,
            program,
            facts,
            ..
        } = frontier;
        let mut segment = Segment::new(terms, program, facts, frame, &seen);
        segment.run(place.pc, pc);
        if segment.ends {
            continue;
        }
        let holds = holds(&mut segment, pc, trigger);
        let mut conditions = std::mem::take(&mut segment.conditions);
        conditions.extend(holds);
        let mut rests_on = std::mem::take(&mut segment.rests_on);
        note_unsure(segment.terms, program, facts, &conditions, &mut rests_on);
        conditions.extend(segment.new_objects_lie_apart(&conditions));
        let made = conjuncts(&mut segment.terms.arena, &conditions);
        found.push(TargetPredicate {
            place,
            predicate: made.map(|conjuncts| Predicate { conjuncts }),
            rests_on,
        });
    }
    found
}

/// What must hold at the annotation.
fn holds(segment: &mut Segment<'_>, pc: u32, trigger: Trigger) -> Option<ExprId> {
    let function = segment.function();
    let Inst::Call { args, .. } = function.code[pc as usize] else {
        return None;
    };
    let args = function.list(args);
    let (reg, wanted) = match trigger {
        Trigger::Condition { value, .. } => (*args.get(2)?, value),
        Trigger::Decision { value, .. } => (*args.get(1)?, value),
        Trigger::Label { .. } => (*args.get(1)?, true),
        Trigger::Case { switch, .. } => {
            let pending = segment.value(StatePlace::PendingSwitch);
            let arena = &mut segment.terms.arena;
            let number = arena.constant(32, switch.into());
            return Some(arena.eq(pending, number));
        }
        Trigger::Reach { .. } | Trigger::Pair { .. } => return None,
    };
    let value = segment.get(reg);
    let arena = &mut segment.terms.arena;
    let zero = arena.constant(arena.width(value), 0);
    Some(match wanted {
        true => arena.ne(value, zero),
        false => arena.eq(value, zero),
    })
}

/// Does the predicate of a label only compute a value? All code between its start and its end is looked at.
fn is_plain_predicate(
    program: &Program<'_>,
    facts: &Facts,
    function: &Function,
    label: u32,
) -> bool {
    let begins = |inst: &Inst| {
        matches!(inst, Inst::Call { callee, .. }
            if matches!(facts.callees[callee.index()],
                Callee::Builtin(Builtin::LabelOpen | Builtin::LabelBegin)))
    };
    let quiet = |inst: &Inst| match inst {
        Inst::Store { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. } => false,
        Inst::CallPointer { .. } => false,
        Inst::Call { callee, .. } => match facts.callees[callee.index()] {
            Callee::Quiet => true,
            Callee::Builtin(builtin) => builtin.leaves_no_trace(),
            Callee::Body => !super::callees::is_programs(program, *callee),
            Callee::Loud | Callee::Unknown => false,
        },
        _ => true,
    };
    // Backward from the label to where its predicate begins, on all ways.
    let mut open = vec![label];
    let mut seen = BTreeSet::new();
    while let Some(pc) = open.pop() {
        let block = block_of(function, pc);
        let start = function.blocks[block.index()].start;
        let mut begun = false;
        for at in (start..pc).rev() {
            let inst = &function.code[at as usize];
            if begins(inst) {
                begun = true;
                break;
            }
            if !quiet(inst) {
                return false;
            }
        }
        if begun || !seen.insert(block) {
            continue;
        }
        if block.0 == 0 {
            return false;
        }
        for (number, range) in function.blocks.iter().enumerate() {
            let source = labrys_ir::BlockId(number as u32);
            let mut edges = block_edges(function, source).into_iter();
            if edges.any(|edge| function.edges[edge.index()].target == block) {
                open.push(range.end - 1);
            }
        }
    }
    true
}
