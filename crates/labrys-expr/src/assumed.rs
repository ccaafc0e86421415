//! Values that rest on an assumption: the result of a call that usually succeeds, a value that
//! something outside of the program may change. Such a value is a sum of the value and a zero of its
//! own kind, which no rewriting removes; whoever decides by the value finds the zero in it.

use crate::node::{ExprNode, flag};
use crate::varset::VarSetId;
use crate::{Arena, ExprId, ExprKind, ExprOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Counts the assumed values of a path. The same place has the same node on all paths, which never
/// meet: what they have in common is stored once.
#[derive(Clone, Copy, Debug, Default)]
pub struct AssumedPlaces(u32);

impl AssumedPlaces {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    /// For a path that goes on from two.
    pub fn of_both(self, other: AssumedPlaces) -> AssumedPlaces {
        AssumedPlaces(self.0.max(other.0))
    }
}

/// An assumption that a value rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssumptionId {
    /// The place of the value on its path.
    place: u32,
    /// The number of the text, and whether it is known what the value can be otherwise.
    kind: u32,
}

impl AssumptionId {
    pub(crate) fn of(node: &ExprNode) -> Self {
        AssumptionId {
            place: node.a,
            kind: node.b,
        }
    }

    /// Is it known what the value can be if the assumption does not hold?
    pub fn is_bounded(self) -> bool {
        self.kind & 1 == 1
    }
}

/// The texts of assumptions, and values without them.
#[derive(Default)]
pub(crate) struct Assumptions {
    texts: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
    /// What values are without their assumptions.
    plain: FxHashMap<ExprId, (ExprId, Arc<[AssumptionId]>)>,
}

impl Assumptions {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let text: Arc<str> = text.into();
        let number = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// Forgets the expressions that it has met.
    pub(crate) fn forget(&mut self) {
        self.plain = FxHashMap::default();
    }
}

impl Arena {
    /// The same value, which rests on an assumption with this text. Two such values of a path are
    /// never known to be equal. What the value rests on already is said anew, so that a counter in a
    /// volatile variable does not grow with its past.
    pub fn assumed(&mut self, value: ExprId, text: &str, places: &mut AssumedPlaces) -> ExprId {
        self.assumed_all(value, &[text], places)
    }

    /// The same with several texts.
    pub fn assumed_all(
        &mut self,
        value: ExprId,
        texts: &[&str],
        places: &mut AssumedPlaces,
    ) -> ExprId {
        if texts.is_empty() {
            return value;
        }
        let (plain, known) = self.without_assumptions(value);
        let mut all: Vec<u32> = (known.iter())
            .map(|known| known.kind >> 1)
            .filter(|number| !texts.contains(&&*self.assumptions.texts[*number as usize]))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.extend(texts.iter().map(|text| self.assumptions.number(text)));
        let width = self.width(value);
        all.into_iter().fold(plain, |value, number| {
            let zero = self.zero(unbounded(number, places), width);
            self.xor(value, zero)
        })
    }

    /// The same value, of which only these bits rest on an assumption, and only under a condition.
    pub fn assumed_bits(
        &mut self,
        value: ExprId,
        bits: u128,
        condition: ExprId,
        (text, places): (&str, &mut AssumedPlaces),
    ) -> ExprId {
        let width = self.width(value);
        let number = self.assumptions.number(text);
        let mut id = unbounded(number, places);
        id.kind |= u32::from(self.as_const(condition).is_none());
        let zero = self.zero(id, width);
        let bits = self.constant(width, bits);
        let zero = self.and(zero, bits);
        let none = self.constant(width, 0);
        let zero = self.ite(condition, zero, none);
        self.xor(value, zero)
    }

    /// The same value, or one of the `count` values from `low` on if the assumption does not hold. What
    /// the value rests on already stays as it is.
    pub fn assumed_between(
        &mut self,
        value: ExprId,
        low: u128,
        count: u128,
        (text, places): (&str, &mut AssumedPlaces),
    ) -> ExprId {
        let width = self.width(value);
        let number = self.assumptions.number(text);
        let mut id = unbounded(number, places);
        id.kind |= 1;
        let fails = self.zero(id, 1);
        let which = self.zero(id, width);
        let none = self.constant(width, 0);
        let count = self.constant(width, count);
        let low = self.constant(width, low);
        let is_within = self.ult(which, count);
        let distance = self.ite(is_within, which, none);
        let other = self.add(low, distance);
        self.ite(fails, other, value)
    }

    fn zero(&mut self, id: AssumptionId, width: u8) -> ExprId {
        let zero = ExprNode {
            op: ExprOp::Assumed,
            width,
            flags: flag::ASSUMED,
            a: id.place,
            b: id.kind,
            c: 0,
        };
        self.intern_with(zero, VarSetId::EMPTY)
    }

    /// Does the value rest on an assumption?
    #[inline]
    pub fn is_assumed(&self, e: ExprId) -> bool {
        self.nodes[e.index()].flags & flag::ASSUMED != 0
    }

    /// The same value without its assumptions, and these.
    pub fn without_assumptions(&mut self, e: ExprId) -> (ExprId, Arc<[AssumptionId]>) {
        if !self.is_assumed(e) {
            return (e, Arc::default());
        }
        if let Some((plain, ids)) = self.assumptions.plain.get(&e) {
            return (*plain, ids.clone());
        }
        let (plain, ids) = self.replaced(e, &mut |arena, _, width| arena.constant(width, 0));
        let ids: Arc<[AssumptionId]> = ids.into();
        self.assumptions.plain.insert(e, (plain, ids.clone()));
        (plain, ids)
    }

    pub fn text_of_assumption(&self, id: AssumptionId) -> Arc<str> {
        self.assumptions.texts[(id.kind >> 1) as usize].clone()
    }

    /// The value if only these assumptions do not hold: `free` gives anything of a width, for the
    /// assumption at this place of the list.
    pub fn without_these(
        &mut self,
        e: ExprId,
        ids: &[AssumptionId],
        free: &mut dyn FnMut(&mut Arena, usize, u8) -> ExprId,
    ) -> ExprId {
        let mut by = |arena: &mut Arena, id: AssumptionId, width: u8| match ids
            .iter()
            .position(|other| *other == id)
        {
            Some(place) => free(arena, place, width),
            None => arena.constant(width, 0),
        };
        self.replaced(e, &mut by).0
    }

    /// The value with something else for the zero of each assumption, and these, in their order on the
    /// path.
    fn replaced(
        &mut self,
        e: ExprId,
        by: &mut dyn FnMut(&mut Arena, AssumptionId, u8) -> ExprId,
    ) -> (ExprId, Vec<AssumptionId>) {
        let mut ids = Vec::new();
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut open = vec![e];
        while let Some(&top) = open.last() {
            let before = open.len();
            if self.is_assumed(top) && !known.contains_key(&top) {
                self.for_each_operand(top, |operand| {
                    if self.is_assumed(operand) && !known.contains_key(&operand) {
                        open.push(operand);
                    }
                });
            }
            if open.len() == before {
                open.pop();
                let new = match self.kind(top) {
                    ExprKind::Assumed(id) => {
                        ids.push(id);
                        let width = self.width(top);
                        by(self, id, width)
                    }
                    _ => self.rebuilt(top, &known),
                };
                known.insert(top, new);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        (known.get(&e).copied().unwrap_or(e), ids)
    }

    /// One node over other operands.
    fn rebuilt(&mut self, e: ExprId, known: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let of = |operand: ExprId| known.get(&operand).copied().unwrap_or(operand);
        let width = self.width(e);
        match self.kind(e) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Uninit | ExprKind::Assumed(_) => e,
            ExprKind::Unary(op, a) => self.unary(op, of(a)),
            ExprKind::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            ExprKind::Ite(c, a, b) => self.ite(of(c), of(a), of(b)),
            ExprKind::Extract(a, low) => self.extract(of(a), low, width),
            ExprKind::Convert(op, a) => self.convert(op, of(a), width),
            ExprKind::Table(table, index) => {
                let entries: Vec<ExprId> = self.table_entries(table).to_vec();
                let entries: Vec<ExprId> = entries.into_iter().map(of).collect();
                let table = self.table(&entries);
                self.select(table, of(index))
            }
            ExprKind::Fma(a, b, c) => self.ffma(of(a), of(b), of(c)),
            ExprKind::Round(mode, a) => self.fround(mode, of(a)),
        }
    }
}

fn unbounded(number: u32, places: &mut AssumedPlaces) -> AssumptionId {
    AssumptionId {
        place: places.next(),
        kind: number << 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, AssumedPlaces, Evaluator, ExprId, Model};

    /// The value without its assumptions, and the texts of these.
    fn parts(arena: &mut Arena, e: ExprId) -> (ExprId, Vec<String>) {
        let (plain, ids) = arena.without_assumptions(e);
        let texts = ids
            .iter()
            .map(|id| arena.text_of_assumption(*id).to_string());
        (plain, texts.collect())
    }

    #[test]
    fn what_is_computed_from_an_assumption_rests_on_it() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        let size = arena.assumed(x, "it works", &mut places);
        let three = arena.constant(32, 3);
        let sum = arena.add(size, three);
        let plain = arena.add(x, three);
        assert!(arena.is_assumed(sum));
        assert!(!arena.is_assumed(plain));
        assert_eq!(parts(&mut arena, sum), (plain, vec!["it works".into()]));
        assert_eq!(parts(&mut arena, plain), (plain, vec![]));
    }

    #[test]
    fn a_value_does_not_grow_with_its_past() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let one = arena.constant(32, 1);
        let mut count = arena.constant(32, 0);
        for _ in 0..100 {
            let next = arena.add(count, one);
            count = arena.assumed(next, "volatile", &mut places);
        }
        let (plain, texts) = parts(&mut arena, count);
        assert_eq!(arena.as_const(plain), Some(100));
        assert_eq!(texts, ["volatile"]);
    }

    #[test]
    fn two_assumptions_are_never_the_same_value() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let ten = arena.constant(32, 10);
        let a = arena.assumed(ten, "first", &mut places);
        let b = arena.assumed(ten, "second", &mut places);
        let same = arena.eq(a, b);
        assert_eq!(arena.as_const(same), None);
        let (same, texts) = parts(&mut arena, same);
        assert_eq!(same, arena.yes());
        assert_eq!(texts, ["first", "second"]);
    }

    #[test]
    fn paths_share_what_they_have_in_common() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let ten = arena.constant(32, 10);
        let before = arena.assumed(ten, "it works", &mut places);
        let mut other_path = places;
        let here = arena.assumed(ten, "it works", &mut places);
        let there = arena.assumed(ten, "it works", &mut other_path);
        assert_eq!(here, there);
        assert_ne!(here, before);
        let again = arena.assumed(here, "it works", &mut places);
        let nodes = arena.len();
        let again_there = arena.assumed(there, "it works", &mut other_path);
        assert_eq!(again, again_there);
        assert_eq!(arena.len(), nodes);
    }

    #[test]
    fn what_is_collected_is_not_remembered() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let ten = arena.constant(32, 10);
        let assumed = arena.assumed(ten, "it works", &mut places);
        assert_eq!(parts(&mut arena, assumed), (ten, vec!["it works".into()]));
        let marks = crate::LiveMarks::new(&arena);
        arena.collect(&marks);
        // The ids are used again, in another order.
        let one = arena.constant(32, 1);
        let first = arena.assumed(one, "it fails", &mut places);
        let second = arena.assumed(one, "it works", &mut places);
        assert_eq!(parts(&mut arena, first), (one, vec!["it fails".into()]));
        assert_eq!(parts(&mut arena, second), (one, vec!["it works".into()]));
    }

    #[test]
    fn other_bits_than_the_assumed_ones_rest_on_nothing() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let x = arena.new_var("x", 16);
        let x = arena.var_expr(x);
        let limit = arena.constant(16, 128);
        let is_small = arena.ult(x, limit);
        for condition in [arena.yes(), is_small] {
            let class = arena.assumed_bits(x, 0xf7ff, condition, ("it works", &mut places));
            let class = arena.zext(class, 32);
            for (bit, rests) in [(0x800, false), (0x400, true)] {
                let bit = arena.constant(32, bit);
                let is_set = arena.and(class, bit);
                assert_eq!(arena.is_assumed(is_set), rests);
            }
        }
    }

    #[test]
    fn a_bounded_value_is_another_one_within_its_bounds() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let three = arena.constant(32, 3);
        let all_ones = u128::from(u32::MAX);
        let size = arena.assumed_between(three, all_ones, 10, ("it works", &mut places));
        assert_eq!(parts(&mut arena, size), (three, vec!["it works".into()]));
        let id = arena.without_assumptions(size).1[0];
        assert!(id.is_bounded());
        let mut evaluator = Evaluator::default();
        for (which, expected) in [(0, all_ones), (9, 8), (10, all_ones), (77, all_ones)] {
            let mut free = |arena: &mut Arena, _, width| match width {
                1 => arena.yes(),
                _ => arena.constant(width, which),
            };
            let other = arena.without_these(size, &[id], &mut free);
            assert_eq!(evaluator.eval(&arena, &Model::default(), other), expected);
        }
    }

    #[test]
    fn an_assumption_changes_no_value() {
        let mut arena = Arena::new();
        let mut places = AssumedPlaces::default();
        let value = arena.constant(80, 77);
        let assumed = arena.assumed(value, "it works", &mut places);
        let mut evaluator = Evaluator::default();
        assert_eq!(evaluator.eval(&arena, &Model::default(), assumed), 77);
    }
}
