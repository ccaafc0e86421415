//! Loops in a proof: what a turn may change gets any value when a loop is entered, as far as the
//! relations allow that are believed to hold there. A path that comes to the start of the next turn ends:
//! if the relations hold there again and nothing else has changed, the turns that follow are no others.

use super::loop_facts::{HeldPlaces, LoopFacts, LoopRelation};
use super::{Machine, Step};
use crate::end::PathEnd;
use crate::inputs::InputKind;
use crate::memory::{Slot, split};
use crate::program::MarkedLoop;
use crate::report::ClaimTopic;
use crate::state::{LoopPlace, MemoryRange, OpenLoop};
use labrys_expr::{Arena, ExprId, Model};
use labrys_ir::Reg;
use labrys_solver::Answer;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const UNANSWERED: &str = "a question about a loop has no answer";
const WIDE: &str = "a loop changes values of more than 64 bits";

/// The loops of the program, and what is believed of them.
#[derive(Clone)]
pub(crate) struct LoopProof {
    pub(crate) loops: Rc<Vec<MarkedLoop>>,
    pub(crate) facts: Rc<RefCell<LoopFacts>>,
}

/// A place where a loop is entered, with what it holds there.
pub(super) struct EnteredPlace {
    pub(super) place: LoopPlace,
    pub(super) width: u8,
    pub(super) value: u64,
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
        if self.loop_variables.observed.is_some() {
            self.observe_turn(&proof, number);
            return Ok(());
        }
        let serial = self.state.frame.serial;
        // Loops of calls that have returned, and this one if it was left before.
        let is_over = |open: &OpenLoop| {
            open.serial > serial || (open.serial == serial && open.number == number)
        };
        Rc::make_mut(&mut self.state.open_loops).retain(|open| !is_over(open));
        if self.given_up(&proof, number) {
            return Ok(());
        }
        self.expect_changes(&proof, number);
        let Some(places) = self.entered_places(&proof, number)? else {
            return Ok(());
        };
        self.seed_relations(&proof, number, &places);
        let holding = self.relations_here(&proof, number)?;
        self.note_names(&proof, number, &places);
        let holding = self.disprove(&proof, number, holding, false);
        self.note_held_variables();
        let is_first = self.first_turn(&proof, number);
        self.give_any_value(number, &places, is_first)?;
        self.reveal_to_stubs(&proof, number);
        let relations: Vec<usize> = holding.iter().map(|(relation, _)| *relation).collect();
        let conditions = self.conditions(&proof, number, &relations)?;
        for (relation, condition) in strongest(&proof, number, &conditions) {
            self.note_relation(condition, number, relation);
            self.constrain(condition);
        }
        let any = places.iter().filter_map(|entered| match entered.place {
            LoopPlace::Memory(range) => Some(range),
            LoopPlace::Register(_) => None,
        });
        self.loop_variables.entered += 1;
        let open = OpenLoop {
            number,
            serial,
            entry: self.loop_variables.entered,
            memory: self.state.memory.clone(),
            any: any.collect(),
            relations,
            turns: 0,
            is_first,
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
        if self.loop_variables.observed.is_some() {
            self.observe_turn(&proof, number);
            return Ok(());
        }
        let serial = self.state.frame.serial;
        let open_loops = self.state.open_loops.clone();
        let is_it = |open: &OpenLoop| open.serial == serial && open.number == number;
        let Some(at) = open_loops.iter().rposition(is_it) else {
            let facts = proof.facts.borrow();
            let belief = facts.beliefs.get(&number);
            let why = belief.and_then(|belief| belief.given_up);
            return why.map_or(Ok(()), |why| self.unsupported(why));
        };
        let open = &open_loops[at];
        self.note_what_is_assigned(&proof, open);
        self.note_counters(&proof, number);
        self.look_at_changes(&proof, open);
        if self.takes_another_turn(&proof, open) {
            return self.begin_next_turn(&proof, at);
        }
        let conditions = self.conditions(&proof, number, &open.relations)?;
        self.disprove(&proof, number, conditions, true);
        Err(PathEnd::LoopClosed)
    }

    fn note_what_is_assigned(&mut self, proof: &LoopProof, open: &OpenLoop) {
        let number = open.number;
        for range in &open.any {
            self.note_assigned(proof, number, LoopPlace::Memory(*range));
        }
        for reg in &proof.loops[number as usize].changed {
            self.note_assigned(proof, number, LoopPlace::Register(*reg));
        }
    }

    fn given_up(&self, proof: &LoopProof, number: u32) -> bool {
        let facts = proof.facts.borrow();
        let belief = facts.beliefs.get(&number);
        belief.is_some_and(|belief| belief.given_up.is_some())
    }

    pub(super) fn give_up(&self, proof: &LoopProof, number: u32, why: &'static str) {
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
    pub(super) fn place_value(&mut self, place: LoopPlace) -> Step<Option<ExprId>> {
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
    pub(super) fn object_of_pointer(&self, width: u8, value: u64) -> Option<(u64, u64)> {
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

    pub(super) fn conditions(
        &mut self,
        proof: &LoopProof,
        number: u32,
        relations: &[usize],
    ) -> Step<Vec<(usize, ExprId)>> {
        let facts = proof.facts.borrow();
        let Some(belief) = facts.beliefs.get(&number) else {
            return Ok(Vec::new());
        };
        let about = relations.iter().filter_map(|relation| {
            let relation = belief.relations.get(*relation)?.as_ref()?;
            Some((relation.places(), relation.counted()))
        });
        let mut places: BTreeSet<LoopPlace> = BTreeSet::new();
        for (about, counted) in about {
            places.extend(
                counted
                    .into_iter()
                    .flat_map(|counted| counted.rows.iter().flatten()),
            );
            for place in about {
                match facts.families.get(&place) {
                    Some(family) => places.extend(family.iter().copied()),
                    None => _ = places.insert(place),
                }
            }
        }
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
            match holds_for_all(&mut self.arena, made, &facts, &values) {
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
    pub(super) fn disprove(
        &mut self,
        proof: &LoopProof,
        number: u32,
        conditions: Vec<(usize, ExprId)>,
        behind_a_turn: bool,
    ) -> Vec<(usize, ExprId)> {
        let all = conditions.clone();
        let holding = self.without_broken(proof, number, conditions, behind_a_turn);
        if !behind_a_turn {
            let holds = |relation: &usize| holding.iter().any(|(known, _)| known == relation);
            let broken = all.iter().map(|(relation, _)| *relation);
            let broken = broken.filter(|relation| !holds(relation));
            let mut facts = proof.facts.borrow_mut();
            let at_entry = &mut facts.disproved_at_entry;
            at_entry.extend(broken.map(|relation| (number, relation)));
        }
        holding
    }

    fn without_broken(
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
            for (_, condition) in strongest(proof, number, &conditions) {
                all = self.arena.and(all, condition);
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
                // The round ends, and nothing was found out.
                Answer::Unknown(_) if self.config.should_stop() => {
                    proof.facts.borrow_mut().is_cut_short = true;
                    return conditions;
                }
                // Fewer of them are easier; those that were made first say most.
                Answer::Unknown(_) => {
                    let rest = conditions.split_off(conditions.len() / 2);
                    let mut facts = proof.facts.borrow_mut();
                    let dropped = rest.into_iter().map(|(relation, _)| (number, relation));
                    facts.disproved.extend(dropped);
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
        for place in facts.counted_places(number) {
            let names = &mut facts.names;
            names
                .entry((number, place))
                .or_insert_with(|| self.place_name(place));
        }
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
    fn give_any_value(
        &mut self,
        number: u32,
        places: &[EnteredPlace],
        is_first: Option<ExprId>,
    ) -> Step {
        let mut model = (*self.current.model).clone();
        let keeps = self.mode.until().is_none();
        for (at, entered) in places.iter().enumerate() {
            let bytes = u64::from(entered.width.div_ceil(8));
            let name = self.variable_name(number, at, entered.place);
            let id = self.request(&name, InputKind::Memory, bytes, 8);
            let (var, _) = self.inputs.get(id).pieces[0];
            self.note_loop_variable(var, number, entered.place);
            let fresh = self.arena.var_expr(var);
            let fresh = self.arena.extract(fresh, 0, entered.width);
            let base = self.object_of_pointer(entered.width, entered.value);
            let base = base.map_or(0, |(base, _)| base);
            if keeps {
                model.set(var, entered.value.wrapping_sub(base));
            }
            let start = self.arena.constant(entered.width, base.into());
            let any = self.arena.add(start, fresh);
            let value = self.entered_or(any, entered.place, is_first)?;
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
        Ok(())
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
}

/// Those of the relations from which the others follow.
pub(super) fn strongest(
    proof: &LoopProof,
    number: u32,
    conditions: &[(usize, ExprId)],
) -> Vec<(usize, ExprId)> {
    let facts = proof.facts.borrow();
    let chains = facts.beliefs.get(&number).map(|belief| &belief.chains);
    let chain_of = |relation: usize| *chains?.get(relation)?;
    let mut strongest: BTreeMap<u32, i128> = BTreeMap::new();
    for (chain, strength) in conditions.iter().filter_map(|(r, _)| chain_of(*r)) {
        let known = strongest.entry(chain).or_insert(strength);
        *known = (*known).max(strength);
    }
    let is_strongest = |relation: usize| {
        let chain = chain_of(relation);
        chain.is_none_or(|(chain, strength)| strongest.get(&chain) == Some(&strength))
    };
    let conditions = conditions.iter().copied();
    conditions.filter(|(r, _)| is_strongest(*r)).collect()
}

/// The condition of a relation, for all elements if its places are elements of arrays.
fn holds_for_all(
    arena: &mut Arena,
    relation: &LoopRelation,
    facts: &LoopFacts,
    values: &[(LoopPlace, ExprId)],
) -> Option<ExprId> {
    let places = relation.places();
    let sizes = places
        .iter()
        .map(|p| facts.families.get(p).map_or(1, |f| f.len()));
    let most = sizes.max().unwrap_or(1);
    let mut all = arena.yes();
    for element in 0..most {
        let held = HeldElement {
            facts,
            values,
            element,
            most,
        };
        let holds = relation.holds(arena, &held)?;
        all = arena.and(all, holds);
    }
    Some(all)
}

/// What places hold, those of arrays at one element.
pub(super) struct HeldElement<'a> {
    pub(super) facts: &'a LoopFacts,
    /// In the order of the places.
    pub(super) values: &'a [(LoopPlace, ExprId)],
    pub(super) element: usize,
    pub(super) most: usize,
}

impl HeldPlaces for HeldElement<'_> {
    fn value(&self, place: LoopPlace) -> Option<ExprId> {
        match self.facts.families.get(&place) {
            // The elements of a shorter array belong to so many of a longer one each.
            Some(family) if self.most.is_multiple_of(family.len()) => {
                self.exact(family[self.element / (self.most / family.len())])
            }
            Some(_) => None,
            None => self.exact(place),
        }
    }

    fn exact(&self, place: LoopPlace) -> Option<ExprId> {
        let found = self
            .values
            .binary_search_by_key(&place, |(place, _)| *place);
        found.ok().map(|at| self.values[at].1)
    }

    fn element(&self) -> (usize, usize) {
        (self.element, self.most)
    }
}
