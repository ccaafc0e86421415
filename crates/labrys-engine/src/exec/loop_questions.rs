//! What the turns of loops ask of the places that they change: which of them stand in one condition, with
//! which numbers they are compared, and which they are assigned. Relations are made from that.

use super::Machine;
use super::loop_cut::LoopProof;
use super::loop_observed::ObservedTurns;
use crate::memory::{Object, ReadValue};
use crate::state::{LoopPlace, MemoryRange};
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A condition on more variables says nothing of one of them.
const MOST_VARIABLES: usize = 80;

/// The same for kinds of places.
const MOST_PLACES: usize = 5;

/// Of the conditions of a path, the newest ones say in which state it is.
const MOST_CONDITIONS: usize = 60;

/// So many parts of an expression are looked at.
const MOST_NODES: usize = 400;

/// More numbers are no set of states.
const MOST_ASSIGNED: usize = 24;

/// So many values of memory are known by their expressions.
const MOST_HELD_VALUES: usize = 4096;

/// An array with more elements is not one place.
const MOST_ELEMENTS: usize = 64;

/// What the variables of an exploration stand for.
#[derive(Debug, Default)]
pub(crate) struct LoopVariables {
    /// What a turn of which loop begins with.
    of_loops: FxHashMap<VarId, (u32, LoopPlace)>,
    /// What memory held when the last loop was entered.
    held: FxHashMap<VarId, LoopPlace>,
    /// The same for what is computed from variables.
    held_values: FxHashMap<ExprId, LoopPlace>,
    /// Conditions that were looked at.
    seen: FxHashSet<ExprId>,
    /// How often loops were entered.
    pub(super) entered: u64,
    /// Only if a known run is followed to see what turns change.
    pub(crate) observed: Option<ObservedTurns>,
    /// The only place of a loop that a condition depends on.
    states: FxHashMap<(ExprId, u32), Option<LoopPlace>>,
}

impl LoopVariables {
    /// Does the variable stand for what a turn of the loop begins with in this place?
    pub(super) fn is_of(&self, var: VarId, number: u32, place: LoopPlace) -> bool {
        self.of_loops.get(&var) == Some(&(number, place))
    }
}

impl Machine<'_> {
    /// A variable stands for any value that a turn may begin with.
    pub(super) fn note_loop_variable(&mut self, var: VarId, number: u32, place: LoopPlace) {
        self.loop_variables.of_loops.insert(var, (number, place));
    }

    /// Which variables global memory holds as they are.
    pub(super) fn note_held_variables(&mut self) {
        let program = self.program;
        for (number, global) in program.module.globals.iter().enumerate() {
            let id = program.global_object(labrys_ir::GlobalId(number as u32));
            let Some(object) = self.state.memory.object(id).cloned() else {
                continue;
            };
            for part in &global.parts {
                let range = MemoryRange {
                    object: id,
                    offset: part.offset,
                    len: part.size as u32,
                };
                let place = LoopPlace::Memory(range);
                let Some(value) = self.held_value(&object, range) else {
                    continue;
                };
                let known = &mut self.loop_variables;
                match variable(&self.arena, value) {
                    Some(var) => _ = known.held.insert(var, place),
                    None if known.held_values.len() < MOST_HELD_VALUES => {
                        known.held_values.insert(value, place);
                    }
                    None => known.held_values.clear(),
                }
            }
        }
    }

    fn held_value(&mut self, object: &Object, range: MemoryRange) -> Option<ExprId> {
        let len = u64::from(range.len);
        let fits = len <= 8 && range.offset + len <= object.size();
        if !fits || object.plain(range.offset, len).is_some() {
            return None;
        }
        match object.read(&mut self.arena, range.offset, len) {
            ReadValue::Symbolic(e) => Some(e),
            ReadValue::Concrete(_) => None,
        }
    }

    /// A path may go on only if this condition holds.
    pub(super) fn note_question(&mut self, condition: ExprId) {
        let Some(proof) = self.loop_proof.clone() else {
            return;
        };
        if !self.loop_variables.seen.insert(condition) {
            return;
        }
        let Some((vars, held)) = self.asked_parts(condition) else {
            return;
        };
        let numbers: BTreeSet<u32> = (vars.iter())
            .filter_map(|var| self.loop_variables.of_loops.get(var))
            .map(|(number, _)| *number)
            .collect();
        for number in numbers {
            let (changed, mut others) = self.places_of(&proof, number, &vars);
            others.extend(held.iter().filter(|place| !changed.contains(*place)));
            if changed.len() + others.len() > MOST_PLACES {
                continue;
            }
            let states = self.states_of_path(&proof, number);
            let mut facts = proof.facts.borrow_mut();
            let asked = facts.asked.entry(number).or_default();
            let mut has_new = false;
            for a in &changed {
                for b in changed.iter().filter(|b| a < b).chain(&others) {
                    has_new |= asked.pairs.insert((*a, *b));
                }
                for b in states.iter().filter(|b| *b != a) {
                    has_new |= asked.guarded.insert((*a.min(b), *a.max(b)));
                }
            }
            facts.has_new_questions |= has_new;
        }
        self.note_compared_numbers(&proof, condition);
    }

    /// What a condition is about: variables, and places in memory whose values stand in it as a whole. None
    /// if that is too much.
    fn asked_parts(&mut self, condition: ExprId) -> Option<(Vec<VarId>, BTreeSet<LoopPlace>)> {
        let proof = self.loop_proof.clone()?;
        let (mut vars, mut held) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![condition];
        let mut seen = FxHashSet::default();
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Some(place) = self.loop_variables.held_values.get(&e).copied() {
                held.insert(self.representative(&proof, place));
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Var(var) => _ = vars.insert(var),
                ExprKind::Unary(_, a) | ExprKind::Extract(a, _) | ExprKind::Convert(_, a) => {
                    open.push(a);
                }
                ExprKind::Ite(c, a, b) => open.extend([c, a, b]),
                ExprKind::Binary(_, a, b) => open.extend([a, b]),
                _ => {
                    let vars_here = self.arena.vars(e);
                    vars.extend(self.arena.vars_iter(vars_here));
                }
            }
            if seen.len() > MOST_NODES || vars.len() > MOST_VARIABLES {
                return None;
            }
        }
        Some((vars.into_iter().collect(), held))
    }

    /// The places of a loop that the newest conditions of the path are about, each of them about one.
    fn states_of_path(&mut self, proof: &LoopProof, number: u32) -> BTreeSet<LoopPlace> {
        let newest: Vec<ExprId> = self.state.path.iter().take(MOST_CONDITIONS).collect();
        let mut states = BTreeSet::new();
        for condition in newest {
            if let Some(known) = self.loop_variables.states.get(&(condition, number)) {
                states.extend(*known);
                continue;
            }
            let vars = self.arena.vars(condition);
            let mut only = None;
            if self.arena.vars_len(vars) <= MOST_VARIABLES {
                let vars: Vec<VarId> = self.arena.vars_iter(vars).collect();
                let (changed, others) = self.places_of(proof, number, &vars);
                only = changed
                    .first()
                    .copied()
                    .filter(|_| changed.len() == 1 && others.is_empty());
            }
            let known = &mut self.loop_variables.states;
            known.insert((condition, number), only);
            states.extend(only);
        }
        states
    }

    /// The places behind some variables, one for each array: those that turns of a loop change, and others.
    fn places_of(
        &mut self,
        proof: &LoopProof,
        number: u32,
        vars: &[VarId],
    ) -> (BTreeSet<LoopPlace>, BTreeSet<LoopPlace>) {
        let (mut changed, mut others) = (BTreeSet::new(), BTreeSet::new());
        let mut outer = BTreeSet::new();
        for var in vars {
            match self.loop_variables.of_loops.get(var).copied() {
                Some((of, place)) if of == number => {
                    changed.insert(self.representative(proof, place));
                }
                known => {
                    if let Some(place) = self.loop_variables.held.get(var).copied() {
                        others.insert(self.representative(proof, place));
                    } else if let Some((_, place @ LoopPlace::Memory(_))) = known {
                        outer.insert(self.representative(proof, place));
                    }
                }
            }
        }
        // What a loop further out changes may have been changed since.
        if others.is_empty() {
            others = outer;
        }
        others.retain(|place| !changed.contains(place));
        (changed, others)
    }

    /// The numbers with which parts of a condition are compared.
    fn note_compared_numbers(&mut self, proof: &LoopProof, condition: ExprId) {
        let mut open = vec![condition];
        let mut seen = FxHashSet::default();
        while let Some(e) = open.pop() {
            if seen.len() > MOST_NODES || !seen.insert(e) {
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Unary(_, a) | ExprKind::Extract(a, _) | ExprKind::Convert(_, a) => {
                    open.push(a);
                }
                ExprKind::Ite(c, a, b) => open.extend([c, a, b]),
                ExprKind::Binary(op, a, b) => {
                    let is_comparison = matches!(op, ExprOp::Eq | ExprOp::Slt | ExprOp::Ult);
                    if is_comparison {
                        for (value, number) in [(a, b), (b, a)] {
                            if let Some(number) = self.arena.as_const(number) {
                                let is_test = op == ExprOp::Eq;
                                self.note_compared(proof, value, number as u64, is_test);
                            }
                        }
                    }
                    open.extend([a, b]);
                }
                _ => {}
            }
        }
    }

    fn note_compared(&mut self, proof: &LoopProof, value: ExprId, number: u64, is_test: bool) {
        let width = self.arena.width(value);
        let vars = self.arena.vars(value);
        if !(2..=64).contains(&width) || self.arena.vars_len(vars) > MOST_VARIABLES {
            return;
        }
        let vars: Vec<VarId> = self.arena.vars_iter(vars).collect();
        let mask = u64::MAX >> (64 - u32::from(width));
        for var in vars {
            let Some((of, place)) = self.loop_variables.of_loops.get(&var).copied() else {
                continue;
            };
            let place = self.representative(proof, place);
            let mut facts = proof.facts.borrow_mut();
            let asked = facts.asked.entry(of).or_default();
            let mut has_new = false;
            if is_test {
                let tested = asked.tested.entry(place).or_default();
                has_new |= tested.len() < MOST_ASSIGNED && tested.insert(number & mask);
            }
            let constants = asked.constants.entry(place).or_default();
            for number in [number.wrapping_sub(1), number, number.wrapping_add(1)] {
                has_new |= constants.len() < MOST_ASSIGNED && constants.insert(number & mask);
            }
            facts.has_new_questions |= has_new;
        }
    }

    /// The numbers that a turn has assigned to a place, if its value is one of some.
    pub(super) fn note_assigned(&mut self, proof: &LoopProof, number: u32, place: LoopPlace) {
        let Ok(Some(value)) = self.place_value(place) else {
            return;
        };
        let mut open = vec![value];
        let mut seen = FxHashSet::default();
        let mut numbers = BTreeSet::new();
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Const(number) => {
                    numbers.insert(number as u64);
                }
                ExprKind::Ite(_, a, b) => open.extend([a, b]),
                ExprKind::Extract(..) | ExprKind::Var(_) => {}
                _ => return,
            }
            if seen.len() > MOST_NODES || numbers.len() > MOST_ASSIGNED {
                return;
            }
        }
        let place = self.representative(proof, place);
        let mut facts = proof.facts.borrow_mut();
        let assigned = &mut facts.asked.entry(number).or_default().assigned;
        let assigned = assigned.entry(place).or_default();
        let before = assigned.len();
        assigned.extend(numbers);
        let has_new = assigned.len() > before;
        facts.has_new_questions |= has_new;
    }

    /// The first element of the array that a place is an element of, or the place itself.
    pub(super) fn representative(&mut self, proof: &LoopProof, place: LoopPlace) -> LoopPlace {
        let known = proof.facts.borrow().families.get(&place).cloned();
        let family = match known {
            Some(family) => family,
            None => {
                let family: Rc<[LoopPlace]> = self.elements_like(place).into();
                let mut facts = proof.facts.borrow_mut();
                for member in family.iter() {
                    facts.families.insert(*member, family.clone());
                }
                family
            }
        };
        family.first().copied().unwrap_or(place)
    }

    /// All elements of an array, or the same member of all of them.
    fn elements_like(&self, place: LoopPlace) -> Vec<LoopPlace> {
        let LoopPlace::Memory(range) = place else {
            return vec![place];
        };
        let members = self.same_members(range);
        match (1..=MOST_ELEMENTS).contains(&members.len()) && range.len <= 4 {
            true => members.into_iter().map(LoopPlace::Memory).collect(),
            false => vec![place],
        }
    }

    /// The same member of all elements of a global array, if the range is one.
    pub(super) fn same_members(&self, range: MemoryRange) -> Vec<MemoryRange> {
        let Some(global) = self.program.global_at(range.object) else {
            return Vec::new();
        };
        let len = u64::from(range.len);
        let parts = global.parts.iter().filter(|part| part.size == len);
        let Some(own) = parts.clone().find(|part| part.offset == range.offset) else {
            return Vec::new();
        };
        let pattern = without_indices(&own.path);
        let same = parts.filter(|part| without_indices(&part.path) == pattern);
        let range_of = |offset| MemoryRange { offset, ..range };
        same.map(|part| range_of(part.offset)).collect()
    }
}

/// The variable that an expression is, or the first bits of.
fn variable(arena: &Arena, e: ExprId) -> Option<VarId> {
    let inner = match arena.kind(e) {
        ExprKind::Extract(inner, 0) => inner,
        _ => e,
    };
    match arena.kind(inner) {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}

/// `[2].valve[7].broken` and `[0].valve[1].broken` are the same member.
pub(super) fn without_indices(path: &str) -> String {
    let mut pattern = String::new();
    let mut is_index = false;
    for c in path.chars() {
        is_index = match c {
            '[' => true,
            ']' => false,
            _ => is_index,
        };
        if !is_index || c == '[' {
            pattern.push(c);
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_member_of_all_elements_has_one_pattern() {
        assert_eq!(without_indices("[2].valve[17].broken"), "[].valve[].broken");
        assert_eq!(without_indices("[0].valve[3].broken"), "[].valve[].broken");
        assert_ne!(without_indices("[0].valve[3].moves"), "[].valve[].broken");
        assert_eq!(without_indices(".bank.low"), ".bank.low");
    }
}
