//! A set of relations, sparse: only those that somebody has stated, or that are left when a number
//! between two others goes away. What follows from several of them is found when it is asked for.

use super::stride::Stride;
use super::terms::{Atom, Literal};
use crate::value_set::ValueSet;
use std::rc::Rc;

/// At most 64 relations at a time, so that joins stay cheap; what does not fit is forgotten.
const MAX_RELATIONS: usize = 64;
/// A conclusion looks at the relations of at most 24 numbers.
const MAX_LOOKS: usize = 24;
/// A bound beyond this says nothing that a range would not say.
const MAX_BOUND: i128 = 1 << 31;
/// No bound is less than this.
const LEAST_BOUND: i64 = -(1 << 62);

/// What the numbers can be, where relations alone do not say enough.
pub(crate) type NumberRanges<'a> = &'a dyn Fn(Atom) -> Option<ValueSet>;

/// `first + second <= bound`, the smaller literal first.
type BoundedPair = ((Literal, Literal), i64);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    entries: Rc<Vec<BoundedPair>>,
    /// Sorted by atom.
    strides: Rc<Vec<(Atom, Stride)>>,
}

impl Relations {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.strides.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len() + self.strides.len()
    }

    pub(crate) fn entries(&self) -> &[BoundedPair] {
        &self.entries
    }

    pub(crate) fn strides(&self) -> &[(Atom, Stride)] {
        &self.strides
    }

    fn direct(&self, a: Literal, b: Literal) -> Option<i64> {
        let pair = (a.min(b), a.max(b));
        let at = self.entries.binary_search_by_key(&pair, |(p, _)| *p).ok()?;
        Some(self.entries[at].1)
    }

    /// `a + b <= bound` holds.
    pub(crate) fn add(&mut self, a: Literal, b: Literal, bound: i128) {
        let (a, b, bound) = match a == b && a.atom != Atom::Zero {
            true => (a, Literal::ZERO, bound.div_euclid(2)),
            false => (a, b, bound),
        };
        if a == b.negated() || bound >= MAX_BOUND {
            return;
        }
        // A weaker bound is true, too.
        let bound = i64::try_from(bound).unwrap_or(LEAST_BOUND).max(LEAST_BOUND);
        let pair = (a.min(b), a.max(b));
        match self.entries.binary_search_by_key(&pair, |(p, _)| *p) {
            Ok(at) if self.entries[at].1 <= bound => {}
            Ok(at) => Rc::make_mut(&mut self.entries)[at].1 = bound,
            Err(at) if self.entries.len() < MAX_RELATIONS => {
                Rc::make_mut(&mut self.entries).insert(at, (pair, bound));
            }
            Err(_) => {}
        }
    }

    /// `a` is `b`, a distance apart.
    pub(crate) fn add_equal(&mut self, a: Literal, b: Literal, distance: i128) {
        self.add(a, b.negated(), distance);
        self.add(a.negated(), b, -distance);
    }

    pub(crate) fn set_stride(&mut self, atom: Atom, stride: Stride) {
        match self.strides.binary_search_by_key(&atom, |(a, _)| *a) {
            Ok(at) if stride.is_any() => {
                Rc::make_mut(&mut self.strides).remove(at);
            }
            Ok(at) => Rc::make_mut(&mut self.strides)[at].1 = stride,
            Err(at) if !stride.is_any() && self.strides.len() < MAX_RELATIONS => {
                Rc::make_mut(&mut self.strides).insert(at, (atom, stride));
            }
            Err(_) => {}
        }
    }

    /// The number has this stride, too: of two the larger one is kept.
    pub(crate) fn learn_stride(&mut self, atom: Atom, stride: Stride) {
        let is_more = match self.known_stride(atom) {
            Some(known) => known.step != 0 && (stride.step == 0 || stride.step > known.step),
            None => true,
        };
        if is_more {
            self.set_stride(atom, stride);
        }
    }

    /// What is known of the stride of a number.
    pub(crate) fn stride(&self, atom: Atom, values: NumberRanges<'_>) -> Stride {
        match self.known_stride(atom) {
            Some(stride) => stride,
            None => values(atom).map_or(Stride::ANY, |value| stride_of(&value)),
        }
    }

    pub(crate) fn known_stride(&self, atom: Atom) -> Option<Stride> {
        let at = self.strides.binary_search_by_key(&atom, |(a, _)| *a).ok()?;
        Some(self.strides[at].1)
    }

    /// Is the number, which may be 0, in some relation?
    pub(crate) fn says_something_of(&self, atom: Atom) -> bool {
        atom == Atom::Zero || self.mentions(atom)
    }

    fn mentions(&self, atom: Atom) -> bool {
        let mut entries = self.entries.iter();
        atom != Atom::Zero && entries.any(|((a, b), _)| a.atom == atom || b.atom == atom)
    }

    /// The least bound of `a + b` that follows, also by way of other numbers.
    pub(crate) fn upper(&self, a: Literal, b: Literal, values: NumberRanges<'_>) -> Option<i128> {
        let range = |literal: Literal| match literal.atom {
            Atom::Zero => Some(0),
            atom => values(atom).and_then(|value| literal.upper(&value)),
        };
        let goal = b.negated();
        // Most numbers are in no relation at all.
        if !self.mentions(a.atom) && !self.mentions(b.atom) {
            return range(a).zip(range(b)).map(|(left, right)| left + right);
        }
        // `a - reached <= bound`, and where to go on from.
        let mut reached: Vec<(Literal, i128)> = vec![(a, 0)];
        let mut open: Vec<Literal> = vec![a];
        let mut looked = 0;
        while looked < MAX_LOOKS
            && let Some(literal) = open.get(looked).copied()
        {
            looked += 1;
            let Some(so_far) = distance(&reached, literal) else {
                continue;
            };
            let mut go = |to: Literal, bound: i128| {
                if relax(&mut reached, to, bound) && !open[looked..].contains(&to) {
                    open.push(to);
                }
            };
            for ((first, second), bound) in self.entries.iter() {
                if *first == literal {
                    go(second.negated(), so_far + i128::from(*bound));
                } else if *second == literal {
                    go(first.negated(), so_far + i128::from(*bound));
                }
            }
            if literal.atom == Atom::Zero {
                continue;
            }
            if let Some(bound) = range(literal) {
                go(Literal::ZERO, so_far + bound);
            }
            if reads_alike(literal, values) {
                go(literal.other_sign(), so_far);
            }
        }
        let by_way = distance(&reached, goal);
        let by_range = distance(&reached, Literal::ZERO)
            .zip(range(b))
            .map(|(left, right)| left + right);
        match (by_way, by_range) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (found, other) => found.or(other),
        }
    }

    /// The number goes away; what it said about others stays. `nonnegative`: it means the same with
    /// a sign and without.
    pub(crate) fn eliminate(&mut self, atom: Atom, nonnegative: bool) {
        let mentions = |((a, b), _): &BoundedPair| a.atom == atom || b.atom == atom;
        if self.known_stride(atom).is_some() {
            self.set_stride(atom, Stride::ANY);
        }
        if !self.entries.iter().any(mentions) {
            return;
        }
        let (gone, kept) = self.entries.iter().copied().partition(mentions);
        let gone: Vec<BoundedPair> = gone;
        self.entries = Rc::new(kept);
        let sides: Vec<(Literal, Literal, i64)> = gone
            .iter()
            .filter(|((a, b), _)| a.atom != b.atom)
            .map(|((a, b), bound)| match a.atom == atom {
                true => (*a, *b, *bound),
                false => (*b, *a, *bound),
            })
            .collect();
        for (x, a, c) in &sides {
            for (y, b, d) in &sides {
                let cancel = !x.negative
                    && y.negative
                    // With its sign a number is at most what it is without.
                    && (x.signed == y.signed || nonnegative || !x.signed && y.signed);
                if cancel && *a != b.negated() {
                    self.add(*a, *b, i128::from(*c) + i128::from(*d));
                }
            }
        }
    }

    /// All numbers that `gone` names go away.
    pub(crate) fn eliminate_all(&mut self, gone: impl Fn(Atom) -> bool, values: NumberRanges<'_>) {
        let mut atoms: Vec<Atom> = (self.entries.iter())
            .flat_map(|((a, b), _)| [a.atom, b.atom])
            .chain(self.strides.iter().map(|(atom, _)| *atom))
            .filter(|atom| *atom != Atom::Zero && gone(*atom))
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        for atom in atoms {
            self.eliminate(atom, is_nonnegative(values(atom)));
        }
    }

    /// `to`, of which nothing is known, is another name for `from`. `nonnegative`: the number means the
    /// same with a sign and without.
    pub(crate) fn assign(&mut self, to: Atom, from: Atom, nonnegative: bool) {
        let known: Vec<BoundedPair> = (self.entries.iter())
            .filter(|((a, b), _)| a.atom == from || b.atom == from)
            .copied()
            .collect();
        self.add_equal(Literal::of(to, true), Literal::of(from, true), 0);
        if !nonnegative {
            self.add_equal(Literal::of(to, false), Literal::of(from, false), 0);
        }
        let renamed = |literal: Literal| match literal.atom == from {
            true => literal.with_atom(to),
            false => literal,
        };
        for ((a, b), bound) in known {
            self.add(renamed(a), renamed(b), bound.into());
        }
        if let Some(stride) = self.known_stride(from) {
            self.set_stride(to, stride);
        }
    }

    /// What is about atoms that have another name there, under that name; the rest is left out.
    pub(crate) fn renamed(&self, name: impl Fn(Atom) -> Option<Atom>) -> Relations {
        let mut relations = Relations::default();
        let rename = |literal: Literal| match literal.atom {
            Atom::Zero => Some(literal),
            atom => name(atom).map(|atom| literal.with_atom(atom)),
        };
        for ((a, b), bound) in self.entries.iter() {
            if let (Some(a), Some(b)) = (rename(*a), rename(*b)) {
                relations.add(a, b, (*bound).into());
            }
        }
        for (atom, stride) in self.strides.iter() {
            if let Some(atom) = name(*atom) {
                relations.set_stride(atom, *stride);
            }
        }
        relations
    }

    /// Both sets hold.
    pub(crate) fn add_all(&mut self, other: &Relations) {
        for ((a, b), bound) in other.entries.iter() {
            self.add(*a, *b, (*bound).into());
        }
        for (atom, stride) in other.strides.iter() {
            if self.known_stride(*atom).is_none() {
                self.set_stride(*atom, *stride);
            }
        }
    }

    /// What holds on both ways.
    pub(crate) fn join(
        &self,
        mine: NumberRanges<'_>,
        other: &Relations,
        theirs: NumberRanges<'_>,
    ) -> Relations {
        let mut joined = Relations::default();
        if Rc::ptr_eq(&self.entries, &other.entries) || self.entries == other.entries {
            joined.entries = self.entries.clone();
        } else {
            let mut weaker = |these: &Relations, others: &Relations, values: NumberRanges<'_>| {
                for ((a, b), bound) in these.entries.iter() {
                    let bound = i128::from(*bound);
                    let there = match others.direct(*a, *b).map(i128::from) {
                        Some(direct) if direct <= bound => Some(direct),
                        _ => others.upper(*a, *b, values),
                    };
                    if let Some(there) = there {
                        joined.add(*a, *b, there.max(bound));
                    }
                }
            };
            weaker(self, other, theirs);
            weaker(other, self, mine);
        }
        joined.strides = match Rc::ptr_eq(&self.strides, &other.strides) {
            true => self.strides.clone(),
            false => self.joined_strides(mine, other, theirs),
        };
        joined
    }

    fn joined_strides(
        &self,
        mine: NumberRanges<'_>,
        other: &Relations,
        theirs: NumberRanges<'_>,
    ) -> Rc<Vec<(Atom, Stride)>> {
        let mut joined = Relations::default();
        let both = self.strides.iter().chain(other.strides.iter());
        for (atom, _) in both {
            let stride = self.stride(*atom, mine).join(other.stride(*atom, theirs));
            joined.set_stride(*atom, stride);
        }
        joined.strides
    }

    /// Of these relations, those that hold in `next` as they are; so repeated steps come to an end.
    pub(crate) fn stable(&self, next: &Relations, values: NumberRanges<'_>) -> Relations {
        let holds = |((a, b), bound): &&BoundedPair| {
            let direct = next.direct(*a, *b).is_some_and(|there| there <= *bound);
            direct
                || next
                    .upper(*a, *b, values)
                    .is_some_and(|there| there <= i128::from(*bound))
        };
        let entries: Vec<BoundedPair> = self.entries.iter().filter(holds).copied().collect();
        let strides = (self.strides.iter()).filter_map(|(atom, stride)| {
            let joined = stride.join(next.stride(*atom, values));
            (!joined.is_any()).then_some((*atom, joined))
        });
        let strides: Vec<(Atom, Stride)> = strides.collect();
        match entries == *self.entries && strides == *self.strides {
            true => self.clone(),
            false => Relations {
                entries: Rc::new(entries),
                strides: Rc::new(strides),
            },
        }
    }

    /// Bounds of single numbers that say no more than `known` are left out.
    pub(crate) fn without_known_bounds(&mut self, known: NumberRanges<'_>) {
        let is_known = |((a, b), bound): &BoundedPair| {
            let literal = match (a.atom, b.atom) {
                (Atom::Zero, _) => *b,
                (_, Atom::Zero) => *a,
                _ => return false,
            };
            let value = known(literal.atom);
            let range = value.and_then(|value| literal.upper(&value));
            range.is_some_and(|range| range <= i128::from(*bound))
        };
        if self.entries.iter().any(is_known) {
            Rc::make_mut(&mut self.entries).retain(|entry| !is_known(entry));
        }
    }
}

fn distance(reached: &[(Literal, i128)], literal: Literal) -> Option<i128> {
    let mut found = reached.iter().filter(|(known, _)| *known == literal);
    found.next().map(|(_, distance)| *distance)
}

fn relax(reached: &mut Vec<(Literal, i128)>, literal: Literal, bound: i128) -> bool {
    match reached.iter_mut().find(|(known, _)| *known == literal) {
        Some((_, known)) if *known <= bound => false,
        Some((_, known)) => {
            *known = bound;
            true
        }
        None => {
            reached.push((literal, bound));
            true
        }
    }
}

/// Is `literal - literal.other_sign()` at most 0? With its sign a number is at most what it is without.
fn reads_alike(literal: Literal, values: NumberRanges<'_>) -> bool {
    literal.signed != literal.negative || is_nonnegative(values(literal.atom))
}

fn is_nonnegative(value: Option<ValueSet>) -> bool {
    value.is_some_and(|value| value.is_tracked() && value.smin >= 0)
}

/// The stride that the bits and bounds of a value say.
fn stride_of(value: &ValueSet) -> Stride {
    if !value.is_tracked() {
        return Stride::ANY;
    }
    if value.as_constant().is_some() {
        return Stride::number(value.smin.into());
    }
    let low_zeros = value.zeros.trailing_ones().min(62);
    Stride::of(1 << low_zeros, 0)
}
