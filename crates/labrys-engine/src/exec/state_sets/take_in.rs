//! The sets of a node take in what an arriving state can hold. Most values need no question: numbers,
//! and what has been in a place since the node in front. The others are asked for together, and elements
//! of an array that a path may all have written share their sets.

use super::held::HeldValue;
use crate::exec::Machine;
use crate::memory::sign_extend;
use crate::states::{GrowingSet, OpenPlace, SetPlace, StateGraph, most_numbers};
use labrys_expr::{ExprId, ExprKind, ExprOp, VarId};
use labrys_solver::{Answer, PathCondition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// So many values are asked for in one question.
const MOST_ASKED_AT_ONCE: usize = 16;

/// More numbers than this that are computed, from what has been there before, are a range.
const MOST_COMPUTED_NUMBERS: usize = 5;

/// A range that has grown so often has no end on the side where it grows.
const MOST_EXACT_GROWTHS: u8 = 3;

/// What is known of so many values together says little of each: `tape[at] != 0`.
const MOST_NARROWED_AT_ONCE: usize = 8;

/// So many nodes of a choice between values are looked at.
const MOST_CHOICES: usize = 256;

/// The sets of the node in which the path began, by their variables.
struct SetsBefore {
    /// With their widths.
    sets: FxHashMap<VarId, (u8, GrowingSet)>,
    /// The variables about which the path knows more than the node.
    narrowed: FxHashSet<VarId>,
}

/// A place of the next node has what a place of the node in front had.
pub(super) struct PassedValue {
    pub(super) var: VarId,
    pub(super) to: SetPlace,
}

/// A value that a set has to contain.
struct AskedValue {
    at: usize,
    /// As a distance from the start of its object.
    value: ExprId,
}

impl Machine<'_> {
    /// Lets the sets of open places contain what the current state can hold there, with all inputs of its
    /// path. Says which of them hold what a place of the node in front held.
    pub(super) fn take_in(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        open: &mut [OpenPlace],
    ) -> Vec<PassedValue> {
        let stops = graph.borrow().stops.clone();
        let mut before: Option<SetsBefore> = None;
        let mut passed = Vec::new();
        let mut asked: Vec<AskedValue> = Vec::new();
        for (at, place) in open.iter_mut().enumerate() {
            if place.values == GrowingSet::Any {
                continue;
            }
            match self.held_at(place.place) {
                HeldValue::Number(value) => {
                    let value = value.wrapping_sub(place.base) & mask(place.width);
                    if !place.values.contains(value, place.width) {
                        place
                            .values
                            .grow(value, place.width, (most_numbers(place), &stops));
                    }
                }
                HeldValue::Expression(e) => {
                    let before = before.get_or_insert_with(|| self.sets_before(graph));
                    if let Some(all) = self.all_values(before, e).filter(|_| place.base == 0) {
                        (place.values).join(all, place.width, (most_numbers(place), &stops));
                        let to = place.place;
                        passed.extend(self.variable(e).map(|var| PassedValue { var, to }));
                        continue;
                    }
                    self.solver.note_goal(&self.arena, e);
                    if !self.is_within(before, e, place) {
                        let base = self.arena.constant(place.width, place.base.into());
                        let value = self.arena.sub(e, base);
                        asked.push(AskedValue { at, value });
                    }
                }
                // It was never written, so a program that reads it gets anything.
                HeldValue::Undefined => {
                    place.values = GrowingSet::Any;
                }
            }
        }
        let mut siblings: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for asked in &asked {
            if let Some(array) = open[asked.at].array {
                siblings.entry(array).or_default().push(asked.at);
            }
        }
        for asked in asked.chunks(MOST_ASKED_AT_ONCE) {
            self.take_in_asked(open, asked, &siblings, &stops);
        }
        passed
    }

    /// Lets sets contain all values that expressions have with the inputs of the path.
    fn take_in_asked(
        &mut self,
        open: &mut [OpenPlace],
        asked: &[AskedValue],
        siblings: &FxHashMap<u32, Vec<usize>>,
        stops: &[i64],
    ) {
        loop {
            // What the inputs at hand show needs no question.
            for AskedValue { at, value: e } in asked {
                let place = &mut open[*at];
                let value = self.current.value(&self.arena, *e) as u64;
                if place.values.contains(value, place.width) {
                    continue;
                }
                if self.counts_to_bound(place, (*e, value), stops)
                    || !place.values.add_number(value, most_computed(place))
                {
                    self.grow_to_stops(place, (*e, value), stops);
                }
                let (values, array) = (place.values.clone(), place.array);
                let others = array.and_then(|array| siblings.get(&array));
                for other in others.into_iter().flatten() {
                    let other = &mut open[*other];
                    (other.values).join(&values, other.width, (most_numbers(other), stops));
                }
            }
            let mut outside = self.arena.no();
            for AskedValue { at, value } in asked {
                let holds = open[*at].values.holds(&mut self.arena, *value);
                let not = self.arena.not(holds);
                outside = self.arena.or(outside, not);
            }
            if self.arena.as_const(outside) == Some(0) {
                return;
            }
            let model = self.current.model.clone();
            match (self.solver).solve(&mut self.arena, &self.state.path, outside, &model) {
                Answer::Unsat => {
                    self.claim_joined(outside);
                    return;
                }
                Answer::Sat(model) => {
                    self.current.set(Rc::new(model));
                    let is_outside = |AskedValue { at, value }: &AskedValue| {
                        let value = self.current.value(&self.arena, *value) as u64;
                        !open[*at].values.contains(value, open[*at].width)
                    };
                    if asked.iter().any(is_outside) {
                        continue;
                    }
                }
                Answer::Unknown(_) => {}
            }
            match asked {
                [] => return,
                [AskedValue { at, .. }] => {
                    open[*at].values = GrowingSet::Any;
                    return;
                }
                _ => {
                    let (some, others) = asked.split_at(asked.len() / 2);
                    self.take_in_asked(open, some, siblings, stops);
                    return self.take_in_asked(open, others, siblings, stops);
                }
            }
        }
    }

    /// Is it what a place held before, and one more or less, and does the program itself say how far that
    /// goes? Then the turns of the loop in between are not gone through one by one.
    fn counts_to_bound(
        &mut self,
        place: &OpenPlace,
        (e, value): (ExprId, u64),
        stops: &[i64],
    ) -> bool {
        let width = place.width;
        let Some(step) = self.step_of(e).filter(|step| step.abs() == 1) else {
            return false;
        };
        let Some((low, high)) = place.values.ends(width) else {
            return false;
        };
        let signed = sign_extend(value, width);
        if low == high || (step > 0) != (signed > high) {
            return false;
        }
        let path = [self.path_beyond_sets(e)];
        let least = i64::MIN >> (64 - u32::from(width));
        let range = least..=!least;
        let possible = stops.iter().copied().filter(|stop| range.contains(stop));
        let beyond: Vec<i64> = match step > 0 {
            true => possible.filter(|stop| *stop >= signed).collect(),
            false => possible.rev().filter(|stop| *stop <= signed).collect(),
        };
        let stop = self.nearest_stop(e, &path, &beyond, step < 0);
        stop.is_some_and(|stop| stop != signed)
    }

    /// What is added to a variable, if the expression is such a sum.
    fn step_of(&self, e: ExprId) -> Option<i64> {
        let ExprKind::Binary(ExprOp::Add, a, b) = self.arena.kind(e) else {
            return None;
        };
        let (var, step) = match (self.arena.as_const(a), self.arena.as_const(b)) {
            (Some(step), None) => (b, step as u64),
            (None, Some(step)) => (a, step as u64),
            _ => return None,
        };
        self.variable(var)?;
        Some(sign_extend(step, self.arena.width(e)))
    }

    /// Makes a range as small as stops allow, which contains a set and all values of an expression.
    fn grow_to_stops(&mut self, place: &mut OpenPlace, (e, value): (ExprId, u64), stops: &[i64]) {
        let width = place.width;
        let Some((low, high)) = place.values.ends(width) else {
            return;
        };
        let growths = place.values.growths();
        let paths = match growths < MOST_EXACT_GROWTHS {
            true => vec![self.path_beyond_sets(e), self.state.path.clone()],
            false => vec![self.path_beyond_sets(e)],
        };
        let value = sign_extend(value, width);
        let least = i64::MIN >> (64 - u32::from(width));
        let (mut start, mut end) = (low, high);
        let is_first = growths == 0;
        if value < low || is_first {
            let below = stops.partition_point(|stop| *stop <= value.min(low));
            let below = stops[..below].iter().rev().copied();
            let below: Vec<i64> = below.take_while(|stop| *stop >= least).collect();
            start = self.nearest_stop(e, &paths, &below, true).unwrap_or(least);
        }
        if value > high || is_first {
            let above = stops.partition_point(|stop| *stop < value.max(high));
            let above = stops[above..].iter().copied();
            let above: Vec<i64> = above.take_while(|stop| *stop <= !least).collect();
            end = self
                .nearest_stop(e, &paths, &above, false)
                .unwrap_or(!least);
        }
        place.values = GrowingSet::between((start, end), width, growths.saturating_add(1));
    }

    /// The path without what the node in front says of the places that an expression depends on: the next
    /// turns of a loop go on to the limits that the program itself sets.
    fn path_beyond_sets(&mut self, e: ExprId) -> PathCondition {
        let mut known = FxHashSet::default();
        if let Some(graph) = &self.states {
            let graph = graph.borrow();
            if let Some(node) = graph.current {
                known.extend(graph.nodes[node].image.path.iter());
            }
        }
        let vars = self.arena.vars(e);
        let depends_on: FxHashSet<VarId> = self.arena.vars_iter(vars).collect();
        let conditions: Vec<ExprId> = self.state.path.iter().collect();
        let mut path = PathCondition::new();
        for condition in conditions.into_iter().rev() {
            let vars = self.arena.vars(condition);
            let is_left_out = known.contains(&condition)
                && (self.arena.vars_iter(vars)).all(|var| depends_on.contains(&var));
            if !is_left_out {
                path.push(&mut self.arena, condition);
            }
        }
        path
    }

    /// The first of some stops that no value of an expression is beyond, on one of these paths: each of
    /// them has all values that there are.
    fn nearest_stop(
        &mut self,
        e: ExprId,
        paths: &[PathCondition],
        stops: &[i64],
        is_below: bool,
    ) -> Option<i64> {
        let width = self.arena.width(e);
        let model = self.current.model.clone();
        for path in paths {
            let (mut start, mut end) = (0, stops.len());
            while start < end {
                let middle = start + (end - start) / 2;
                let stop = stops[middle] as u64 & mask(width);
                let stop = self.arena.constant(width, stop.into());
                let beyond = match is_below {
                    true => self.arena.slt(e, stop),
                    false => self.arena.slt(stop, e),
                };
                let answer = (self.solver).solve(&mut self.arena, path, beyond, &model);
                match matches!(answer, Answer::Unsat) {
                    true => end = middle,
                    false => start = middle + 1,
                }
            }
            if let Some(stop) = stops.get(start) {
                return Some(*stop);
            }
        }
        None
    }

    /// What the node says in which the path began, and where the path knows better.
    fn sets_before(&self, graph: &RefCell<StateGraph>) -> SetsBefore {
        let graph = graph.borrow();
        let mut sets = FxHashMap::default();
        let mut known = FxHashSet::default();
        if let Some(node) = graph.current {
            let node = &graph.nodes[node];
            let places = node.open.iter();
            sets.extend(places.map(|place| (place.var, (place.width, place.values.clone()))));
            known.extend(node.image.path.iter());
        }
        let mut narrowed = FxHashSet::default();
        for condition in self.state.path.iter().filter(|c| !known.contains(c)) {
            let vars = self.arena.vars(condition);
            if self.arena.vars_len(vars) <= MOST_NARROWED_AT_ONCE {
                narrowed.extend(self.arena.vars_iter(vars));
            }
        }
        SetsBefore { sets, narrowed }
    }

    /// All values of an expression, if it is a variable of which nothing is known but what the node in
    /// front says. Of an input, nothing does.
    fn all_values<'b>(&self, before: &'b SetsBefore, e: ExprId) -> Option<&'b GrowingSet> {
        let var = (self.variable(e)).filter(|var| !before.narrowed.contains(var))?;
        match before.sets.get(&var) {
            Some((width, values)) => (*width == self.arena.width(e)).then_some(values),
            None => Some(&GrowingSet::Any),
        }
    }

    /// Is each value that a choice leads to a number of a set, or the value with which the path began in a
    /// place of its node, if the set contains all of these?
    fn is_within(&self, before: &SetsBefore, e: ExprId, place: &OpenPlace) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            if seen.len() > MOST_CHOICES {
                return false;
            }
            match self.arena.kind(e) {
                ExprKind::Ite(_, then, other) => open.extend([then, other]),
                _ => {
                    let is_inside = match (self.arena.as_const(e), self.variable(e)) {
                        (Some(value), _) => {
                            let value = (value as u64).wrapping_sub(place.base) & mask(place.width);
                            place.values.contains(value, place.width)
                        }
                        (None, Some(var)) if place.base == 0 => {
                            before.sets.get(&var).is_some_and(|(width, values)| {
                                *width == place.width && place.values.includes(values, place.width)
                            })
                        }
                        (None, _) => false,
                    };
                    if !is_inside {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The variable that an expression is.
    fn variable(&self, e: ExprId) -> Option<VarId> {
        match self.arena.kind(e) {
            ExprKind::Var(var) => Some(var),
            _ => None,
        }
    }
}

/// As `most_numbers`, of values that are computed: the program has only so many constants, but a sum can
/// have all values one after the other.
fn most_computed(place: &OpenPlace) -> usize {
    match place.base {
        0 => MOST_COMPUTED_NUMBERS,
        _ => most_numbers(place),
    }
}

pub(super) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width.clamp(1, 64)))
}
