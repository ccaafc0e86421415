//! How many elements of an array are not 0: what a loop counts anew, and what a variable of the program is
//! kept at. The arrays are small, so it is a sum over all of their elements. Such relations are tried where
//! a condition compares a number that a loop has counted with another one.

use super::Machine;
use super::loop_cut::LoopProof;
use super::loop_facts::{HeldPlaces, LoopFacts, LoopRelation, LoopTerm};
use super::loop_questions::without_indices;
use crate::state::LoopPlace;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Sums over more elements are no simple questions.
const MOST_COUNTED: usize = 64;

/// So many arrays are tried for one number.
const MOST_ARRAYS: usize = 6;

/// So many parts of an expression are looked at.
const MOST_NODES: usize = 400;

/// Elements in rows: those of an array in each element of another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CountedElements {
    pub(crate) rows: Vec<Vec<LoopPlace>>,
    /// The place whose value says which row it is about. Without one, it is that of the element that is
    /// looked at.
    pub(crate) row: Option<LoopPlace>,
}

impl CountedElements {
    /// How many elements of a row are not 0.
    pub(crate) fn count(
        &self,
        arena: &mut Arena,
        width: u8,
        below: Option<LoopPlace>,
        held: &dyn HeldPlaces,
    ) -> Option<ExprId> {
        let below = match below {
            Some(below) => Some(held.value(below)?),
            None => None,
        };
        let mut count = arena.constant(width, 0);
        let columns = self.rows.first()?.len();
        for column in 0..columns {
            let mut counts = self.is_set(arena, column, held)?;
            if let Some(below) = below {
                let is_below = column_below(arena, column, below);
                counts = arena.and(counts, is_below);
            }
            let one = arena.zext(counts, width);
            count = arena.add(count, one);
        }
        Some(count)
    }

    /// All elements of a row from this one on are 0.
    pub(crate) fn zero_from(
        &self,
        arena: &mut Arena,
        from: LoopPlace,
        held: &dyn HeldPlaces,
    ) -> Option<ExprId> {
        let from = held.value(from)?;
        let columns = self.rows.first()?.len();
        let mut all = arena.yes();
        for column in 0..columns {
            let is_set = self.is_set(arena, column, held)?;
            let is_below = column_below(arena, column, from);
            let is_zero = arena.not(is_set);
            let holds = arena.or(is_below, is_zero);
            all = arena.and(all, holds);
        }
        Some(all)
    }

    /// Is the element of a column not 0?
    fn is_set(&self, arena: &mut Arena, column: usize, held: &dyn HeldPlaces) -> Option<ExprId> {
        let element = |row: usize| held.exact(*self.rows.get(row)?.get(column)?);
        let mut value = match self.row {
            None if self.rows.len() == 1 => element(0)?,
            None => {
                let (at, of) = held.element();
                return match of == self.rows.len() {
                    true => Some(is_not_zero(arena, element(at)?)),
                    false => None,
                };
            }
            Some(_) => element(self.rows.len() - 1)?,
        };
        if let Some(selector) = self.row {
            let selector = held.value(selector)?;
            for row in 0..self.rows.len() - 1 {
                let number = arena.constant(arena.width(selector), row as u128);
                let is_it = arena.eq(selector, number);
                let here = element(row)?;
                value = arena.ite(is_it, here, value);
            }
        }
        Some(is_not_zero(arena, value))
    }
}

fn is_not_zero(arena: &mut Arena, value: ExprId) -> ExprId {
    let zero = arena.constant(arena.width(value), 0);
    let is_zero = arena.eq(value, zero);
    arena.not(is_zero)
}

fn column_below(arena: &mut Arena, column: usize, bound: ExprId) -> ExprId {
    let column = arena.constant(arena.width(bound), column as u128);
    arena.slt(column, bound)
}

impl Machine<'_> {
    /// Behind a turn: the registers to which it adds 1, on one of its ways at least.
    pub(super) fn note_counters(&mut self, proof: &LoopProof, number: u32) {
        for reg in &proof.loops[number as usize].changed {
            let place = LoopPlace::Register(*reg);
            if proof.facts.borrow().counters.contains(&(number, place)) {
                continue;
            }
            let value = self.expr(*reg);
            if self.is_counted_up(value, number, place) {
                let mut facts = proof.facts.borrow_mut();
                facts.counters.insert((number, place));
                facts.has_new_questions = true;
            }
        }
    }

    fn is_counted_up(&self, value: ExprId, number: u32, place: LoopPlace) -> bool {
        let mut open = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            if seen.len() > MOST_NODES {
                return false;
            }
            match self.arena.kind(e) {
                ExprKind::Ite(_, a, b) => open.extend([a, b]),
                ExprKind::Binary(ExprOp::Add, a, b) => {
                    let is_one = |e: ExprId| self.is_one_or_none(e);
                    let is_own = |e: ExprId| self.stands_for(e, number, place);
                    if is_one(a) && is_own(b) || is_one(b) && is_own(a) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// 1, or a truth value as a number.
    fn is_one_or_none(&self, e: ExprId) -> bool {
        match self.arena.kind(e) {
            ExprKind::Const(number) => number == 1,
            ExprKind::Convert(_, truth) => self.arena.width(truth) == 1,
            ExprKind::Ite(_, a, b) => [a, b].iter().all(|e| {
                let number = self.arena.as_const(*e);
                number.is_some_and(|number| number <= 1)
            }),
            _ => false,
        }
    }

    /// Is it the value with which a turn of the loop began?
    fn stands_for(&self, e: ExprId, number: u32, place: LoopPlace) -> bool {
        let inner = match self.arena.kind(e) {
            ExprKind::Extract(inner, 0) => inner,
            _ => e,
        };
        match self.arena.kind(inner) {
            ExprKind::Var(var) => self.loop_variables.is_of(var, number, place),
            _ => false,
        }
    }

    /// The relations of counts to try for a loop. `firsts` are the places that a turn changes and others that
    /// are known at its head, with their first values.
    pub(super) fn counts(
        &self,
        facts: &LoopFacts,
        number: u32,
        changed: &BTreeSet<LoopPlace>,
        small: &[(LoopPlace, u64)],
    ) -> Vec<LoopRelation> {
        let mut made = Vec::new();
        let arrays = self.tested_arrays(facts);
        let counters = facts.counters.iter().filter(|(of, _)| *of == number);
        for (_, counter) in counters {
            if facts.compared_with(number, *counter).is_empty() {
                continue;
            }
            for rows in &arrays {
                self.counted_so_far(*counter, rows, small, &mut made);
            }
        }
        for (number, counter) in &facts.counters {
            for kept in facts.compared_with(*number, *counter) {
                for rows in &arrays {
                    let is_changed = |place: &LoopPlace| changed.contains(place);
                    if is_changed(&kept) || rows.iter().flatten().any(is_changed) {
                        kept_counts(facts, kept, rows, &mut made);
                    }
                }
            }
        }
        made.dedup();
        made
    }

    /// A register may be the number of those elements that come before another register.
    fn counted_so_far(
        &self,
        counter: LoopPlace,
        rows: &Rc<Vec<Vec<LoopPlace>>>,
        small: &[(LoopPlace, u64)],
        made: &mut Vec<LoopRelation>,
    ) {
        let columns = rows[0].len() as u64;
        let selectors: Vec<Option<LoopPlace>> = match rows.len() {
            1 => vec![None],
            count => (small.iter())
                .filter(|(place, value)| *place != counter && *value < count as u64)
                .map(|(place, _)| Some(*place))
                .collect(),
        };
        for row in selectors {
            let of = Rc::new(CountedElements {
                rows: rows.to_vec(),
                row,
            });
            let term = LoopTerm {
                place: counter,
                minus: 0,
            };
            let indices = small.iter().filter(|(place, value)| {
                *place != counter && Some(*place) != row && *value <= columns
            });
            for (index, _) in indices {
                made.push(LoopRelation::Count {
                    term,
                    of: of.clone(),
                    below: Some(*index),
                });
            }
        }
    }

    /// Arrays in global memory whose elements the program compares with 0, in rows.
    fn tested_arrays(&self, facts: &LoopFacts) -> Vec<Rc<Vec<Vec<LoopPlace>>>> {
        let tested = facts.asked.values().flat_map(|asked| &asked.tested);
        let zero = tested.filter(|(_, numbers)| numbers.contains(&0));
        let places: BTreeSet<LoopPlace> = zero.map(|(place, _)| *place).collect();
        let mut arrays = Vec::new();
        for place in places {
            let Some(family) = facts.families.get(&place) else {
                continue;
            };
            if (2..=MOST_COUNTED).contains(&family.len()) && arrays.len() < MOST_ARRAYS {
                arrays.push(Rc::new(self.in_rows(family)));
            }
        }
        arrays
    }

    /// `banks[2].valve[7].broken` is in row 2.
    fn in_rows(&self, family: &[LoopPlace]) -> Vec<Vec<LoopPlace>> {
        let mut rows: Vec<(String, Vec<LoopPlace>)> = Vec::new();
        for place in family {
            let name = self.place_name(*place).text;
            let row = match without_indices(&name).matches('[').count() {
                2 => name.split(']').next().unwrap_or_default().to_owned(),
                _ => String::new(),
            };
            match rows.last_mut() {
                Some((known, places)) if *known == row => places.push(*place),
                _ => rows.push((row, vec![*place])),
            }
        }
        let all: Vec<Vec<LoopPlace>> = rows.into_iter().map(|(_, places)| places).collect();
        match all.iter().all(|row| row.len() == all[0].len()) {
            true => all,
            false => vec![family.to_vec()],
        }
    }
}

/// A variable, or a member of each element, may be kept at the number of elements that are not 0.
fn kept_counts(
    facts: &LoopFacts,
    kept: LoopPlace,
    rows: &Rc<Vec<Vec<LoopPlace>>>,
    made: &mut Vec<LoopRelation>,
) {
    let size = |place: LoopPlace| facts.families.get(&place).map_or(1, |family| family.len());
    let in_rows = CountedElements {
        rows: rows.to_vec(),
        row: None,
    };
    let of = match size(kept) {
        1 => CountedElements {
            rows: vec![rows.concat()],
            row: None,
        },
        size if size == rows.len() => in_rows.clone(),
        _ => return,
    };
    if of.rows.iter().flatten().any(|place| *place == kept) {
        return;
    }
    made.push(LoopRelation::Count {
        term: LoopTerm {
            place: kept,
            minus: 0,
        },
        of: Rc::new(of),
        below: None,
    });
    // How far the elements are in use.
    let ends = facts
        .counters
        .iter()
        .flat_map(|(number, counter)| facts.compared_with(*number, *counter));
    let in_rows = Rc::new(in_rows);
    for from in ends {
        let is_like = size(from) == rows.len();
        let is_other = !rows.iter().flatten().any(|place| *place == from);
        if is_like && is_other {
            made.push(LoopRelation::ZeroFrom {
                of: in_rows.clone(),
                from,
            });
        }
    }
}

impl LoopFacts {
    /// The places that counts of a loop are about, with one element of each array.
    pub(super) fn counted_places(&self, number: u32) -> Vec<LoopPlace> {
        let belief = self.beliefs.get(&number);
        let relations = belief
            .into_iter()
            .flat_map(|belief| belief.relations.iter().flatten());
        let about = relations.filter_map(|relation| {
            let first = relation.counted()?.rows.first()?.first();
            Some(relation.places().into_iter().chain(first.copied()))
        });
        about.flatten().collect()
    }

    /// The places in memory with which a condition compares a place of a loop.
    fn compared_with(&self, number: u32, place: LoopPlace) -> Vec<LoopPlace> {
        let Some(asked) = self.asked.get(&number) else {
            return Vec::new();
        };
        let others = asked.pairs.iter().filter_map(|(a, b)| match place {
            place if place == *a => Some(*b),
            place if place == *b => Some(*a),
            _ => None,
        });
        let others = others.filter(|other| matches!(other, LoopPlace::Memory(_)));
        others.collect()
    }
}
