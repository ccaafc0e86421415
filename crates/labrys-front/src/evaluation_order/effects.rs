//! What evaluating an expression reads and changes, as far as another operand could notice, and when
//! two operands notice each other's order.

use std::collections::BTreeSet;

/// More places than this are all places.
const MOST_PLACES: usize = 64;

/// Something that an evaluation reads or changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place<'a> {
    /// A global variable by its unit and name.
    Global(usize, &'a str),
    /// A static variable of a function by its unit and node.
    Static(usize, u64),
    /// What a pointer leads to, by the type of the access.
    Memory(AccessType),
    /// What a function without a definition may have changed: whatever pointers lead to, and
    /// variables, by functions that it calls.
    Unknown,
    /// What lies outside of the program: files, the clock, the state of the C library.
    World,
    /// Whether the program goes on: written by what may not return, read by whatever has branches.
    Course,
    /// The inputs that the environment gives: each is another one, but they come in an order.
    Inputs,
    /// All of these.
    Anything,
}

/// The types of accesses that C allows to mean the same object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AccessType {
    /// Characters, structures and whatever is not known: it may be part of every object.
    Any,
    /// An integer of so many bits.
    Int(u32),
    Float(u32),
    Pointer,
}

impl Place<'_> {
    fn overlaps(self, other: Place<'_>) -> bool {
        match (self, other) {
            // Nobody changes them.
            (Place::Inputs, _) | (_, Place::Inputs) => false,
            (Place::Anything, _) | (_, Place::Anything) => true,
            (Place::Memory(a), Place::Memory(b)) => {
                a == b || a == AccessType::Any || b == AccessType::Any
            }
            (Place::Unknown, Place::Memory(_) | Place::Global(..) | Place::Static(..))
            | (Place::Memory(_) | Place::Global(..) | Place::Static(..), Place::Unknown) => true,
            // Each call gives other values, in whatever order.
            (Place::Unknown, Place::Unknown) => false,
            (a, b) => a == b,
        }
    }
}

/// A set of places.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PlaceSet<'a>(BTreeSet<Place<'a>>);

impl<'a> PlaceSet<'a> {
    pub(super) fn add(&mut self, place: Place<'a>) {
        if self.0.contains(&Place::Anything) {
            return;
        }
        self.0.insert(place);
        if self.0.len() > MOST_PLACES || place == Place::Anything {
            self.0 = BTreeSet::from([Place::Anything]);
        }
    }

    pub(super) fn extend(&mut self, more: &PlaceSet<'a>) {
        for place in &more.0 {
            self.add(*place);
        }
    }

    fn has(&self, place: Place<'_>) -> bool {
        self.0.contains(&place)
    }

    fn overlap(&self, other: &PlaceSet<'_>) -> bool {
        (self.0.iter()).any(|a| other.0.iter().any(|b| a.overlaps(*b)))
    }
}

/// What is read and what is changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Accesses<'a> {
    pub reads: PlaceSet<'a>,
    pub writes: PlaceSet<'a>,
}

impl<'a> Accesses<'a> {
    /// Everything may be read and changed.
    pub(super) fn anything() -> Self {
        let mut all = Accesses::default();
        all.reads.add(Place::Anything);
        all.writes.add(Place::Anything);
        all
    }

    pub(super) fn both(&mut self, place: Place<'a>) {
        self.reads.add(place);
        self.writes.add(place);
    }

    pub(super) fn extend(&mut self, more: &Accesses<'a>) {
        self.reads.extend(&more.reads);
        self.writes.extend(&more.writes);
    }

    /// Does one change what the other reads or changes?
    fn disturb(&self, other: &Accesses<'_>) -> bool {
        self.writes.overlap(&other.reads)
            || self.writes.overlap(&other.writes)
            || other.writes.overlap(&self.reads)
    }
}

/// What evaluating an operand does.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects<'a> {
    /// In the expression itself.
    pub direct: Accesses<'a>,
    /// In the functions that it calls.
    pub called: Accesses<'a>,
}

impl<'a> Effects<'a> {
    pub(super) fn extend(&mut self, more: &Effects<'a>) {
        self.direct.extend(&more.direct);
        self.called.extend(&more.called);
    }

    /// Do both ask for inputs, so that they may ask in another order?
    pub(super) fn both_ask(&self, other: &Effects<'_>) -> bool {
        self.called.reads.has(Place::Inputs) && other.called.reads.has(Place::Inputs)
    }

    /// Does it matter which of two operands is evaluated first? Where no call is involved, C leaves
    /// the behaviour undefined instead of the order open.
    pub(super) fn depend_on_order(&self, other: &Effects<'_>) -> bool {
        self.called.disturb(&other.called)
            || self.called.disturb(&other.direct)
            || self.direct.disturb(&other.called)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(reads: &[Place<'static>], writes: &[Place<'static>]) -> Effects<'static> {
        let mut effects = Effects::default();
        reads.iter().for_each(|p| effects.called.reads.add(*p));
        writes.iter().for_each(|p| effects.called.writes.add(*p));
        effects
    }

    const X: Place<'static> = Place::Global(0, "x");
    const Y: Place<'static> = Place::Global(0, "y");
    const INTS: Place<'static> = Place::Memory(AccessType::Int(32));

    #[test]
    fn who_reads_notices_who_writes() {
        let (reads, writes) = (called(&[X], &[]), called(&[], &[X]));
        assert!(reads.depend_on_order(&writes));
        assert!(writes.depend_on_order(&reads));
        assert!(writes.depend_on_order(&writes));
        assert!(!reads.depend_on_order(&reads));
        assert!(!writes.depend_on_order(&called(&[Y], &[Y])));
    }

    #[test]
    fn without_a_call_it_is_not_a_matter_of_order() {
        let mut direct = Effects::default();
        direct.direct.both(X);
        assert!(!direct.depend_on_order(&direct));
        assert!(direct.depend_on_order(&called(&[X], &[])));
        assert!(direct.depend_on_order(&called(&[], &[X])));
    }

    #[test]
    fn memory_overlaps_by_type() {
        let of = |ty| called(&[Place::Memory(ty)], &[]);
        let writes = called(&[], &[INTS]);
        assert!(writes.depend_on_order(&of(AccessType::Int(32))));
        assert!(writes.depend_on_order(&of(AccessType::Any)));
        assert!(!writes.depend_on_order(&of(AccessType::Int(64))));
        assert!(!writes.depend_on_order(&of(AccessType::Pointer)));
    }

    #[test]
    fn many_places_are_all() {
        let mut many = Effects::default();
        for unit in 0..=MOST_PLACES {
            many.called.writes.add(Place::Global(unit, "x"));
        }
        assert!(many.depend_on_order(&called(&[Y], &[])));
    }
}
