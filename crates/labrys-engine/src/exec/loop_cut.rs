//! Loops in a proof: what a turn may change gets any value when a loop is entered, as far as the
//! relations allow that are believed to hold there. A path that comes to the start of the next turn ends:
//! if the relations hold there again and nothing else has changed, the turns that follow are no others.

use super::loop_facts::{LoopFacts, LoopRelation, LoopTerm};
use super::{Machine, Step};
use crate::end::PathEnd;
use crate::inputs::InputKind;
use crate::memory::{ObjectChange, Slot, split};
use crate::program::MarkedLoop;
use crate::report::ClaimTopic;
use crate::state::{LoopPlace, MemoryRange, OpenLoop};
use labrys_expr::{ExprId, Model};
use labrys_ir::{Const, Reg};
use labrys_solver::Answer;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Of the constants of its function, a place is compared with so many on each side of its value.
const NEAREST_CONSTANTS: usize = 3;

/// A place is compared with at most so many others.
const MOST_COMPARED: usize = 12;

/// A variable that has at most so many values may be the state of an automaton.
const MOST_VALUES: usize = 64;

const OBJECTS: &str = "objects that a turn of a loop makes or frees live on";
const UNANSWERED: &str = "a question about a loop has no answer";
const OTHER_STATE: &str = "a loop changes jumps or handlers of faults";
const WIDE: &str = "a loop changes values of more than 64 bits";

/// The loops of the program, and what is believed of them.
#[derive(Clone)]
pub(crate) struct LoopProof {
    pub(crate) loops: Rc<Vec<MarkedLoop>>,
    pub(crate) facts: Rc<RefCell<LoopFacts>>,
}

/// A place where a loop is entered, with what it holds there.
struct EnteredPlace {
    place: LoopPlace,
    width: u8,
    value: u64,
}

impl Machine<'_> {
    /// `labrys_loop_enter(number)`
    pub(super) fn enter_loop(&mut self, number: Reg) -> Step {
        let Some(proof) = self.loop_proof.clone() else {
            return Ok(());
        };
        if self.state.speculation.is_some() {
            return Ok(());
        }
        let number = self.value(number) as u32;
        let serial = self.state.frame.serial;
        // Loops of calls that have returned, and this one if it was left before.
        let is_over = |open: &OpenLoop| {
            open.serial > serial || (open.serial == serial && open.number == number)
        };
        Rc::make_mut(&mut self.state.open_loops).retain(|open| !is_over(open));
        if self.given_up(&proof, number) {
            return Ok(());
        }
        let Some(places) = self.entered_places(&proof, number)? else {
            return Ok(());
        };
        self.seed_relations(&proof, number, &places);
        let holding = self.relations_here(&proof, number)?;
        self.note_names(&proof, number, &places);
        let holding = self.disprove(&proof, number, holding, false);
        self.give_any_value(number, &places);
        self.reveal_to_stubs(&proof, number);
        let relations: Vec<usize> = holding.iter().map(|(relation, _)| *relation).collect();
        for (relation, condition) in self.conditions(&proof, number, &relations)? {
            self.note_relation(condition, number, relation);
            self.constrain(condition);
        }
        let any = places.iter().filter_map(|entered| match entered.place {
            LoopPlace::Memory(range) => Some(range),
            LoopPlace::Register(_) => None,
        });
        let open = OpenLoop {
            number,
            serial,
            memory: self.state.memory.clone(),
            any: any.collect(),
            relations,
            jumps: self.state.jumps.len(),
            handled_faults: self.state.handled_faults,
            known_to_stubs: self.state.known_to_stubs.clone(),
        };
        Rc::make_mut(&mut self.state.open_loops).push(open);
        Ok(())
    }

    /// `labrys_loop_again(number)`
    pub(super) fn turn_again(&mut self, number: Reg) -> Step {
        let Some(proof) = self.loop_proof.clone() else {
            return Ok(());
        };
        if self.state.speculation.is_some() {
            return Ok(());
        }
        let number = self.value(number) as u32;
        let serial = self.state.frame.serial;
        let open_loops = self.state.open_loops.clone();
        let mut open = open_loops.iter().rev();
        let open = open.find(|open| open.serial == serial && open.number == number);
        let Some(open) = open else {
            let facts = proof.facts.borrow();
            let belief = facts.beliefs.get(&number);
            let why = belief.and_then(|belief| belief.given_up);
            return why.map_or(Ok(()), |why| self.unsupported(why));
        };
        let conditions = self.conditions(&proof, number, &open.relations)?;
        self.disprove(&proof, number, conditions, true);
        self.look_at_changes(&proof, open);
        Err(PathEnd::LoopClosed)
    }

    fn given_up(&self, proof: &LoopProof, number: u32) -> bool {
        let facts = proof.facts.borrow();
        let belief = facts.beliefs.get(&number);
        belief.is_some_and(|belief| belief.given_up.is_some())
    }

    fn give_up(&self, proof: &LoopProof, number: u32, why: &'static str) {
        proof.facts.borrow_mut().hopeless.insert(number, why);
    }

    /// What a turn may change, with its values; none if nothing can be said of the loop.
    fn entered_places(
        &mut self,
        proof: &LoopProof,
        number: u32,
    ) -> Step<Option<Vec<EnteredPlace>>> {
        let registers = proof.loops[number as usize].changed.iter();
        let mut places: Vec<LoopPlace> = registers.map(|r| LoopPlace::Register(*r)).collect();
        if let Some(belief) = proof.facts.borrow().beliefs.get(&number) {
            let memory = belief.memory.iter().filter(|range| self.is_there(range));
            places.extend(memory.map(|range| LoopPlace::Memory(*range)));
        }
        let mut entered = Vec::new();
        for place in places {
            let Some(value) = self.place_value(place)? else {
                continue;
            };
            let width = self.arena.width(value);
            if width > 64 {
                self.give_up(proof, number, WIDE);
                return Ok(None);
            }
            let value = match self.arena.defined(value) {
                Some(value) => self.current.value(&self.arena, value) as u64,
                None => 0,
            };
            entered.push(EnteredPlace {
                place,
                width,
                value,
            });
        }
        Ok(Some(entered))
    }

    fn is_there(&self, range: &MemoryRange) -> bool {
        let object = self.state.memory.object(range.object);
        object.is_some_and(|object| range.offset + u64::from(range.len) <= object.size())
    }

    /// What a place holds; none if it is not there.
    fn place_value(&mut self, place: LoopPlace) -> Step<Option<ExprId>> {
        match place {
            LoopPlace::Register(reg) => Ok(Some(self.expr(reg))),
            LoopPlace::Memory(range) if self.is_there(&range) => {
                let address = range.object.base().wrapping_add(range.offset);
                let address = self.arena.constant(64, address.into());
                let width = (range.len * 8) as u8;
                let slot = self.load_value(address, width)?;
                Ok(Some(match slot.expr {
                    Some(e) => e,
                    None => self.arena.constant(width, slot.bits.into()),
                }))
            }
            LoopPlace::Memory(_) => Ok(None),
        }
    }

    /// The object that a pointer leads into.
    fn object_of_pointer(&self, width: u8, value: u64) -> Option<(u64, u64)> {
        let (object, offset) = split(value);
        let found = self.state.memory.object(object).filter(|_| width == 64)?;
        (offset <= found.size()).then(|| (object.base(), found.size()))
    }

    /// The relations that are believed, with their conditions for what the places hold now.
    fn relations_here(&mut self, proof: &LoopProof, number: u32) -> Step<Vec<(usize, ExprId)>> {
        let facts = proof.facts.borrow();
        let Some(belief) = facts.beliefs.get(&number) else {
            return Ok(Vec::new());
        };
        let all = 0..belief.relations.len();
        let alive = all.filter(|relation| !facts.disproved.contains(&(number, *relation)));
        let alive: Vec<usize> = alive.collect();
        drop(facts);
        self.conditions(proof, number, &alive)
    }

    fn conditions(
        &mut self,
        proof: &LoopProof,
        number: u32,
        relations: &[usize],
    ) -> Step<Vec<(usize, ExprId)>> {
        let facts = proof.facts.borrow();
        let Some(belief) = facts.beliefs.get(&number) else {
            return Ok(Vec::new());
        };
        let mut places: BTreeSet<LoopPlace> = belief.seeded.clone();
        let live = &proof.loops[number as usize].compared;
        places.extend(live.iter().map(|reg| LoopPlace::Register(*reg)));
        let mut values: Vec<(LoopPlace, ExprId)> = Vec::new();
        for place in places {
            if let Some(value) = self.place_value(place)?
                && let Some(value) = self.arena.defined(value)
            {
                values.push((place, value));
            }
        }
        let mut conditions = Vec::new();
        let mut unknown = Vec::new();
        for relation in relations {
            let Some(Some(made)) = belief.relations.get(*relation) else {
                continue;
            };
            let mut value = |_: &mut _, place| {
                let found = values.binary_search_by_key(&place, |(place, _)| *place);
                found.ok().map(|at| values[at].1)
            };
            match made.holds(&mut self.arena, &mut value) {
                Some(condition) => {
                    let condition = self.rest_on_assumptions(condition);
                    conditions.push((*relation, condition));
                }
                // Nothing is known of memory that was never written, or of objects that are gone.
                None => unknown.push(*relation),
            }
        }
        drop(facts);
        let mut facts = proof.facts.borrow_mut();
        facts
            .disproved
            .extend(unknown.into_iter().map(|relation| (number, relation)));
        Ok(conditions)
    }

    /// Those of the conditions that hold for every input of the path; the others are disproved.
    fn disprove(
        &mut self,
        proof: &LoopProof,
        number: u32,
        mut conditions: Vec<(usize, ExprId)>,
        behind_a_turn: bool,
    ) -> Vec<(usize, ExprId)> {
        let model = self.current.model.clone();
        self.drop_broken(proof, number, &mut conditions, &model);
        loop {
            let mut all = self.arena.yes();
            for (_, condition) in &conditions {
                all = self.arena.and(all, *condition);
            }
            let broken = self.arena.not(all);
            if self.arena.as_const(broken) == Some(0) {
                return conditions;
            }
            let path = &self.state.path;
            match self.solver.solve(&mut self.arena, path, broken, &model) {
                Answer::Unsat => {
                    self.claim_relations(number, &conditions, behind_a_turn);
                    return conditions;
                }
                Answer::Sat(model) => {
                    let before = conditions.len();
                    self.drop_broken(proof, number, &mut conditions, &Rc::new(model));
                    if conditions.len() == before {
                        self.give_up(proof, number, UNANSWERED);
                        return Vec::new();
                    }
                }
                Answer::Unknown(_) => {
                    self.give_up(proof, number, UNANSWERED);
                    return Vec::new();
                }
            }
        }
    }

    /// Notes for a proof that each of these relations holds on the path.
    fn claim_relations(&mut self, number: u32, holding: &[(usize, ExprId)], behind_a_turn: bool) {
        if !self.notes_all_claims() {
            return;
        }
        let (path, loc) = (self.state.path.clone(), self.location());
        for (relation, condition) in holding {
            let relation = *relation;
            let broken = self.arena.not(*condition);
            if self.arena.as_const(broken) == Some(0) {
                continue;
            }
            let topic = match behind_a_turn {
                true => ClaimTopic::Kept { number, relation },
                false => ClaimTopic::Entered { number, relation },
            };
            self.claim(topic, loc, &path, broken);
        }
    }

    /// Remembers what the source calls the places of a loop.
    fn note_names(&mut self, proof: &LoopProof, number: u32, places: &[EnteredPlace]) {
        let compared = proof.loops[number as usize].compared.iter();
        let compared = compared.map(|reg| (LoopPlace::Register(*reg), self.get(*reg).bits));
        let entered = places.iter().map(|entered| (entered.place, entered.value));
        let mut facts = proof.facts.borrow_mut();
        for (place, value) in entered.chain(compared) {
            let names = &mut facts.names;
            names
                .entry((number, place))
                .or_insert_with(|| self.place_name(place));
            let (object, _) = split(value);
            if !facts.objects.contains_key(&object)
                && self.state.memory.object(object).is_some()
                && let Some(name) = self.object_name(object)
            {
                facts.objects.insert(object, name);
            }
        }
    }

    fn drop_broken(
        &mut self,
        proof: &LoopProof,
        number: u32,
        conditions: &mut Vec<(usize, ExprId)>,
        model: &Rc<Model>,
    ) {
        let current = self.current.model.clone();
        self.current.set(model.clone());
        let mut facts = proof.facts.borrow_mut();
        conditions.retain(|(relation, condition)| {
            let holds = self.current.value(&self.arena, *condition) != 0;
            if !holds {
                facts.disproved.insert((number, *relation));
            }
            holds
        });
        drop(facts);
        self.current.set(current);
    }

    /// New variables in the places that a turn may change. The run goes on with the values that they
    /// have.
    fn give_any_value(&mut self, number: u32, places: &[EnteredPlace]) {
        let mut model = (*self.current.model).clone();
        let keeps = self.mode.until().is_none();
        for (at, entered) in places.iter().enumerate() {
            let bytes = u64::from(entered.width.div_ceil(8));
            let name = self.variable_name(number, at, entered.place);
            let id = self.request(&name, InputKind::Memory, bytes, 8);
            let (var, _) = self.inputs.get(id).pieces[0];
            let fresh = self.arena.var_expr(var);
            let fresh = self.arena.extract(fresh, 0, entered.width);
            let base = self.object_of_pointer(entered.width, entered.value);
            let base = base.map_or(0, |(base, _)| base);
            if keeps {
                model.set(var, entered.value.wrapping_sub(base));
            }
            let start = self.arena.constant(entered.width, base.into());
            let value = self.arena.add(start, fresh);
            match entered.place {
                LoopPlace::Register(reg) => self.set_expr(reg, value),
                LoopPlace::Memory(range) => {
                    if let Some(object) = self.state.memory.object_mut(range.object) {
                        object.put_expr(&mut self.arena, range.offset, value);
                    }
                }
            }
        }
        if keeps {
            self.current.set(Rc::new(model));
        }
        self.chunk_cache.clear();
    }

    /// The name of the variable that stands for any value of a place: what the source calls it, and the
    /// line of its loop.
    fn variable_name(&self, number: u32, at: usize, place: LoopPlace) -> String {
        match &self.loop_proof {
            Some(proof) if self.notes_all_claims() => {
                let line = proof.loops[number as usize].loc.line;
                format!("{}@{line}", self.place_name(place).text)
            }
            _ => format!("loop {number} place {at}"),
        }
    }

    /// What lies behind the end of an object whose size is a guess.
    pub(super) fn beyond_guess(&mut self, width: u8) -> Slot {
        let bytes = u64::from(width).div_ceil(8);
        let id = self.request("beyond", InputKind::Memory, bytes, 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        let value = self.arena.var_expr(var);
        let value = self.arena.extract(value, 0, width);
        self.slot_of(value)
    }

    /// Functions without a body may know what earlier turns have told them.
    fn reveal_to_stubs(&mut self, proof: &LoopProof, number: u32) {
        let facts = proof.facts.borrow();
        let Some(belief) = facts.beliefs.get(&number) else {
            return;
        };
        for (object, access) in &belief.known_to_stubs {
            if self.state.memory.object(*object).is_some() {
                let known = Rc::make_mut(&mut self.state.known_to_stubs);
                let known = known.entry(*object).or_insert(*access);
                *known = (*known).max(*access);
            }
        }
    }

    /// What a turn has changed and is not yet believed to change.
    fn look_at_changes(&mut self, proof: &LoopProof, open: &OpenLoop) {
        let state = &self.state;
        if state.jumps.len() != open.jumps || state.handled_faults != open.handled_faults {
            self.give_up(proof, open.number, OTHER_STATE);
        }
        for (object, access) in state.known_to_stubs.iter() {
            let before = open.known_to_stubs.get(object);
            let is_new = before.is_none_or(|before| before < access);
            let lives_on = open.memory.object(*object).is_some();
            if is_new && lives_on {
                let mut facts = proof.facts.borrow_mut();
                facts.revealed.insert((open.number, *object), *access);
            }
        }
        for change in open.memory.changes(&self.state.memory) {
            let ObjectChange::Contents(id) = change else {
                self.give_up(proof, open.number, OBJECTS);
                continue;
            };
            let objects = (open.memory.object(id), self.state.memory.object(id));
            let (Some(before), Some(now)) = objects else {
                continue;
            };
            let element = u64::from(now.info.element);
            let size = now.size();
            let ranges = before.different_bytes(now, &mut self.arena);
            let mut facts = proof.facts.borrow_mut();
            for (start, end) in ranges {
                let mut at = start;
                while at < end {
                    let range = scalar_at(id, at, end, element, size);
                    let is_known = open.any.iter().any(|any| {
                        any.object == id && any.offset <= at && at < any.offset + u64::from(any.len)
                    });
                    if !is_known {
                        facts.changed.insert((open.number, range), size);
                    }
                    at = match is_known {
                        true => at + 1,
                        false => range.offset + u64::from(range.len),
                    };
                }
            }
        }
    }

    /// Relations of places for which there are none yet, made from what they hold now.
    fn seed_relations(&mut self, proof: &LoopProof, number: u32, places: &[EnteredPlace]) {
        let mut facts = proof.facts.borrow_mut();
        let belief = facts.beliefs.entry(number).or_default();
        let marked = &proof.loops[number as usize];
        let function = &self.program.module.functions[marked.function.index()];
        let mut known: Vec<(LoopTerm, u8, u64)> = Vec::new();
        for entered in places.iter().filter(|e| belief.seeded.contains(&e.place)) {
            let minus = self.object_of_pointer(entered.width, entered.value);
            let minus = minus.map_or(0, |(base, _)| base);
            let place = entered.place;
            let value = entered.value.wrapping_sub(minus);
            known.push((LoopTerm { place, minus }, entered.width, value));
        }
        let mut compared = Vec::new();
        for reg in &marked.compared {
            let value = self.state.frame.regs[reg.index()];
            let value = match value.expr {
                Some(e) => match self.arena.defined(e) {
                    Some(e) => self.current.value(&self.arena, e) as u64,
                    None => continue,
                },
                None => value.bits,
            };
            let width = function.width(*reg);
            let minus = self.object_of_pointer(width, value);
            let minus = minus.map_or(0, |(base, _)| base);
            let place = LoopPlace::Register(*reg);
            compared.push((LoopTerm { place, minus }, width, value.wrapping_sub(minus)));
        }
        for entered in places {
            if !belief.seeded.insert(entered.place) {
                continue;
            }
            let object = self.object_of_pointer(entered.width, entered.value);
            let minus = object.map_or(0, |(base, _)| base);
            let term = LoopTerm {
                place: entered.place,
                minus,
            };
            let value = entered.value.wrapping_sub(minus);
            let mut made = alone(
                term,
                entered.width,
                value,
                object.map(|(_, size)| size),
                function,
            );
            let others = compared.iter().chain(known.iter().rev());
            for (other, width, at) in others.take(MOST_COMPARED) {
                made.extend(together(
                    (term, entered.width, value),
                    (*other, *width, *at),
                ));
            }
            belief.relations.extend(made.into_iter().map(Some));
            known.push((term, entered.width, value));
        }
    }
}

/// The number that a changed byte is probably part of.
fn scalar_at(
    object: crate::memory::ObjectId,
    at: u64,
    end: u64,
    element: u64,
    size: u64,
) -> MemoryRange {
    let len = match element {
        1 | 2 | 4 | 8 => element,
        _ if end - at >= 8 && at.is_multiple_of(8) => 8,
        _ if at / 4 * 4 + 4 <= size => 4,
        _ => 1,
    };
    let offset = at / len * len;
    match offset + len <= size {
        true => MemoryRange {
            object,
            offset,
            len: len as u32,
        },
        false => MemoryRange {
            object,
            offset: at,
            len: 1,
        },
    }
}

fn sign_extended(width: u8, value: u64) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

/// What may hold of one place.
fn alone(
    term: LoopTerm,
    width: u8,
    value: u64,
    size: Option<u64>,
    function: &labrys_ir::Function,
) -> Vec<LoopRelation> {
    let mut made = Vec::new();
    if width == 1 {
        return made;
    }
    let mask = u64::MAX >> (64 - u32::from(width));
    let constants = function
        .constants
        .iter()
        .filter_map(|(reg, value)| match value {
            Const::Int(value) if function.width(*reg) == width => Some(*value as u64 & mask),
            _ => None,
        });
    let mut constants: BTreeSet<u64> = constants.collect();
    constants.extend(size);
    if constants.len() <= MOST_VALUES && constants.contains(&value) && size.is_none() {
        let values: Vec<u64> = constants.iter().copied().collect();
        let values = values.into();
        made.push(LoopRelation::OneOf { term, values });
    }
    constants.extend([0, 1, value]);
    for signed in [false, true] {
        // Numbers in the order that is asked for.
        let rank = |bound: u64| match signed {
            true => i128::from(sign_extended(width, bound)),
            false => i128::from(bound),
        };
        let mut bounds: Vec<u64> = constants.iter().copied().collect();
        bounds.sort_by_key(|bound| rank(*bound));
        let below = bounds.iter().rev().filter(|b| rank(**b) <= rank(value));
        for bound in below.take(NEAREST_CONSTANTS).copied() {
            made.push(LoopRelation::AtLeast {
                term,
                bound,
                signed,
            });
        }
        let above = bounds.iter().filter(|b| rank(**b) >= rank(value));
        for bound in above.take(NEAREST_CONSTANTS).copied() {
            made.push(LoopRelation::AtMost {
                term,
                bound,
                signed,
            });
        }
    }
    for bits in 1..=3.min(u32::from(width) - 1) {
        let from_start = LoopTerm {
            minus: term.minus.wrapping_add(value & ((1 << bits) - 1)),
            ..term
        };
        made.push(LoopRelation::Multiple {
            term: from_start,
            bits,
        });
    }
    made
}

/// What may hold of two places.
fn together(
    (a, a_width, a_value): (LoopTerm, u8, u64),
    (b, b_width, b_value): (LoopTerm, u8, u64),
) -> Vec<LoopRelation> {
    let mut made = Vec::new();
    if a_width == b_width {
        for signed in [false, true] {
            let order = match signed {
                true => sign_extended(a_width, a_value).cmp(&sign_extended(b_width, b_value)),
                false => a_value.cmp(&b_value),
            };
            let (low, high) = if order.is_le() { (a, b) } else { (b, a) };
            made.push(LoopRelation::NotAbove { low, high, signed });
            if order.is_eq() {
                let (low, high) = (high, low);
                made.push(LoopRelation::NotAbove { low, high, signed });
            } else {
                made.push(LoopRelation::Below { low, high, signed });
            }
        }
    }
    let (a_value, b_value) = (
        sign_extended(a_width, a_value),
        sign_extended(b_width, b_value),
    );
    for factor in [1, 2, 4, 8] {
        if a_value == b_value.wrapping_mul(factor as i64) {
            made.push(LoopRelation::Times {
                term: a,
                of: b,
                factor,
            });
        }
        if factor > 1 && b_value == a_value.wrapping_mul(factor as i64) {
            made.push(LoopRelation::Times {
                term: b,
                of: a,
                factor,
            });
        }
    }
    made
}
