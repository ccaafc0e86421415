//! The objects that a harness has made, and the variables that its pointers could have led to: which
//! of them could lie on each other in ways that the harness did not try, and which of their bytes
//! would then hold something else than they do.
//!
//! Bytes of an object are *stale* when another object, which could lie there, was written later. A
//! read of stale bytes rests on the two being apart. What is stale is kept here; the machine asks.

use super::ObjectId;
use labrys_ir::ScalarKinds;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Which ways of lying on each other are choices of the harness, for two objects of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AliasChoices {
    /// None.
    Nothing,
    /// Both begin at the same place.
    Start,
    /// The same, and there are no others, since each is a single structure.
    Whole,
    /// The one begins at any element of the other or behind its last one.
    Places,
    /// The user says that nothing else leads there.
    Alone,
}

impl AliasChoices {
    pub(crate) fn by_name(name: &str) -> AliasChoices {
        match name {
            "start" => AliasChoices::Start,
            "whole" => AliasChoices::Whole,
            "places" => AliasChoices::Places,
            "alone" => AliasChoices::Alone,
            _ => AliasChoices::Nothing,
        }
    }
}

/// What is known of an object that others could lie on.
#[derive(Clone, Debug)]
pub(crate) struct AliasObject {
    pub(crate) object: ObjectId,
    pub(crate) size: u64,
    /// The size of its elements: another object of the same type lies there a multiple of it away.
    pub(crate) stride: u64,
    pub(crate) kinds: ScalarKinds,
    /// Made by the harness; else a variable of the program.
    pub(crate) made: bool,
    pub(crate) group: String,
    pub(crate) choices: AliasChoices,
    /// If it is a structure: its type, then the types of structures inside of it.
    pub(crate) records: Vec<String>,
}

/// Bytes of an object: offset and length.
pub(crate) type ByteRange = (u64, u64);

/// What never changes while the program runs, but for objects that join.
#[derive(Clone, Debug, Default)]
struct KnownObjects {
    objects: Vec<AliasObject>,
    index: FxHashMap<ObjectId, usize>,
    /// For each object the others that it could lie on in a way that is no choice.
    partners: Vec<Vec<usize>>,
}

/// Which bytes of an object would hold something else if others lay there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StaleBytes {
    /// The kinds of scalars that were written to objects that could lie anywhere on it.
    kinds: ScalarKinds,
    /// Objects that may begin where it begins were written, but only at this element.
    but_element: Option<u64>,
    /// What was written to it since.
    fresh: Vec<ByteRange>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct AliasTable {
    known: Rc<KnownObjects>,
    stale: Vec<StaleBytes>,
    /// The inputs are made: what is written now is written by the program.
    active: bool,
}

impl AliasTable {
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Is everything known of the same objects, and the same of each?
    pub(crate) fn is_same(&self, other: &AliasTable) -> bool {
        Rc::ptr_eq(&self.known, &other.known)
            && self.active == other.active
            && self.stale == other.stale
            || self.is_empty() && other.is_empty()
    }

    pub(crate) fn activate(&mut self) {
        self.active = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.objects.is_empty()
    }

    /// Notes an object; returns the objects whose accesses must be seen from now on.
    pub(crate) fn add(&mut self, object: AliasObject) -> Vec<ObjectId> {
        let known = Rc::make_mut(&mut self.known);
        let number = match known.index.get(&object.object) {
            // A variable that a harness has filled, or an object that a stub makes once more.
            Some(number) => {
                known.objects[*number] = object;
                *number
            }
            None => {
                known.index.insert(object.object, known.objects.len());
                known.objects.push(object);
                known.partners.push(Vec::new());
                self.stale.push(StaleBytes::default());
                known.objects.len() - 1
            }
        };
        known.find_partners(number);
        let partners = known.partners[number].iter().copied();
        let all = partners.chain(std::iter::once(number));
        match known.partners[number].is_empty() {
            true => Vec::new(),
            false => all.map(|i| known.objects[i].object).collect(),
        }
    }

    pub(crate) fn get(&self, object: ObjectId) -> Option<&AliasObject> {
        let number = self.known.index.get(&object)?;
        self.known.objects.get(*number)
    }

    /// What changes when the program writes to `range` of an object scalars of so many bytes
    /// (`None`: of any size).
    pub(crate) fn after_write(
        &self,
        object: ObjectId,
        range: ByteRange,
        scalar: Option<u64>,
    ) -> Vec<(usize, StaleBytes)> {
        let Some(&written) = self.known.index.get(&object) else {
            return Vec::new();
        };
        let object = &self.known.objects[written];
        let kinds = object.kinds_of(scalar);
        let mut changes = Vec::new();
        for &other in &self.known.partners[written] {
            let partner = &self.known.objects[other];
            if kinds.may_overlap(partner.kinds) {
                let alike = object.begins_like(partner).then(|| object.element(range));
                let new = self.stale[other].overwritten(kinds, alike);
                changes.extend(new.map(|new| (other, new)));
            }
        }
        changes.extend(self.stale[written].written(range).map(|new| (written, new)));
        changes
    }

    /// Is it the object of this number?
    pub(crate) fn is_object(&self, number: usize, object: ObjectId) -> bool {
        self.known.index.get(&object) == Some(&number)
    }

    pub(crate) fn apply(&mut self, changes: Vec<(usize, StaleBytes)>) {
        for (number, new) in changes {
            self.stale[number] = new;
        }
    }

    /// Does a read rest on no other object lying there?
    pub(crate) fn is_stale(&self, object: ObjectId, range: ByteRange, scalar: Option<u64>) -> bool {
        let Some(&number) = self.known.index.get(&object) else {
            return false;
        };
        let (object, stale) = (&self.known.objects[number], &self.stale[number]);
        let element = object.element(range);
        let elsewhere = stale.but_element.is_some() && element != stale.but_element;
        (elsewhere || object.kinds_of(scalar).may_overlap(stale.kinds)) && !stale.is_fresh(range)
    }

    /// Could the harness have made these two pointers equal, or (`ordered`) have given them another
    /// order or distance, in a way that it did not try? The offsets are known or not.
    pub(crate) fn may_meet(
        &self,
        (a, at): (ObjectId, Option<u64>),
        (b, bt): (ObjectId, Option<u64>),
        ordered: bool,
    ) -> bool {
        let known = &self.known;
        let (Some(x), Some(y)) = (known.index.get(&a), known.index.get(&b)) else {
            return false;
        };
        let (x, y) = (&known.objects[*x], &known.objects[*y]);
        let alone = |o: &AliasObject| o.choices == AliasChoices::Alone;
        if !(x.made || y.made) || alone(x) || alone(y) {
            return false;
        }
        if x.group != y.group || x.choices != y.choices {
            return true;
        }
        let inside = at.is_some_and(|o| o < x.size) && bt.is_some_and(|o| o < y.size);
        let element = |at: Option<u64>| at.map(|o| o / x.stride.max(1));
        match x.choices {
            AliasChoices::Places => false,
            AliasChoices::Whole => ordered || !inside,
            AliasChoices::Start => ordered || !inside || element(at) != element(bt),
            _ => true,
        }
    }

    /// Nothing needs to be seen any more; returns what was seen so far.
    pub(crate) fn close(&mut self) -> Vec<ObjectId> {
        let objects = self.known.objects.iter().map(|o| o.object).collect();
        *self = AliasTable::default();
        objects
    }
}

impl KnownObjects {
    fn find_partners(&mut self, number: usize) {
        let others = 0..self.objects.len();
        let found: Vec<usize> = others
            .filter(|other| self.may_overlap(number, *other))
            .collect();
        for (other, partners) in self.partners.iter_mut().enumerate() {
            partners.retain(|partner| *partner != number);
            if found.contains(&other) {
                partners.push(number);
            }
        }
        self.partners[number] = found;
    }

    /// Could the two lie on each other in a way that is no choice of the harness?
    fn may_overlap(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.objects[a], &self.objects[b]);
        let complete = matches!(x.choices, AliasChoices::Whole | AliasChoices::Places);
        a != b
            && (x.made || y.made)
            && x.choices != AliasChoices::Alone
            && y.choices != AliasChoices::Alone
            && x.kinds.may_overlap(y.kinds)
            && !(complete && x.choices == y.choices && x.group == y.group)
            && records_may_overlap(&x.records, &y.records)
    }
}

impl AliasObject {
    fn kinds_of(&self, scalar: Option<u64>) -> ScalarKinds {
        scalar.map_or(self.kinds, |bytes| self.kinds.accessed(bytes))
    }

    /// Do both begin at the same place in another run of the harness?
    fn begins_like(&self, other: &AliasObject) -> bool {
        let start = AliasChoices::Start;
        self.choices == start && other.choices == start && self.group == other.group
    }

    /// The element that holds these bytes, if it is one.
    fn element(&self, (start, len): ByteRange) -> Option<u64> {
        let stride = self.stride.max(1);
        let last = (start + len.max(1) - 1) / stride;
        (start / stride == last).then_some(last)
    }
}

impl StaleBytes {
    /// An object that could lie here was written. If both may begin at one place, `alike` says which
    /// element of it, or that it was more than one. `None` if that changes nothing.
    fn overwritten(&self, kinds: ScalarKinds, alike: Option<Option<u64>>) -> Option<StaleBytes> {
        let mut new = StaleBytes {
            fresh: Vec::new(),
            ..*self
        };
        match (alike.flatten(), self.but_element) {
            (Some(element), None) => new.but_element = Some(element),
            (Some(element), Some(first)) if element == first => {}
            _ => new.kinds = new.kinds.with(kinds),
        }
        (new != *self).then_some(new)
    }

    /// These bytes hold what the program has just written.
    fn written(&self, range: ByteRange) -> Option<StaleBytes> {
        let stale = !self.kinds.is_empty() || self.but_element.is_some();
        if !stale || self.is_fresh(range) {
            return None;
        }
        let mut new = self.clone();
        match new.fresh.last_mut() {
            Some((start, len)) if *start + *len == range.0 => *len += range.1,
            _ => new.fresh.push(range),
        }
        Some(new)
    }

    fn is_fresh(&self, (start, len): ByteRange) -> bool {
        let mut at = start;
        while at < start + len {
            match self.fresh.iter().find(|(s, l)| *s <= at && at < s + l) {
                Some((s, l)) => at = s + l,
                None => return false,
            }
        }
        true
    }
}

/// Structures of different types overlap only where the one is inside of the other.
fn records_may_overlap(a: &[String], b: &[String]) -> bool {
    match (a.first(), b.first()) {
        (Some(x), Some(y)) => b.contains(x) || a.contains(y),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Option<u64> = Some(4);

    fn object(number: u32, kinds: &str, group: &str, choices: AliasChoices) -> AliasObject {
        AliasObject {
            object: ObjectId(number),
            size: 16,
            stride: 4,
            kinds: ScalarKinds::parse(kinds),
            made: true,
            group: group.to_owned(),
            choices,
            records: Vec::new(),
        }
    }

    impl AliasTable {
        fn write(&mut self, object: ObjectId, range: ByteRange, scalar: Option<u64>) -> bool {
            let changes = self.after_write(object, range, scalar);
            let changed = !changes.is_empty();
            self.apply(changes);
            changed
        }
    }

    fn table(objects: impl IntoIterator<Item = AliasObject>) -> AliasTable {
        let mut table = AliasTable::default();
        for object in objects {
            table.add(object);
        }
        table
    }

    const A: ObjectId = ObjectId(1);
    const B: ObjectId = ObjectId(2);

    #[test]
    fn a_write_makes_the_others_stale_until_they_are_written() {
        let mut table = table([
            object(1, "i", "", AliasChoices::Nothing),
            object(2, "i", "", AliasChoices::Nothing),
        ]);
        assert!(!table.is_stale(B, (0, 4), INT));
        assert!(table.write(A, (0, 4), INT));
        assert!(!table.write(A, (4, 4), INT), "nothing new");
        assert!(table.is_stale(B, (0, 4), INT));
        assert!(!table.is_stale(A, (0, 4), INT));
        table.write(B, (4, 4), INT);
        assert!(!table.is_stale(B, (4, 4), INT));
        assert!(table.is_stale(B, (0, 4), INT));
        assert!(table.is_stale(B, (0, 8), None));
        assert!(table.is_stale(A, (8, 4), INT));
    }

    #[test]
    fn objects_that_begin_alike_rest_only_on_other_distances() {
        let mut table = table([
            object(1, "i", "int", AliasChoices::Start),
            object(2, "i", "int", AliasChoices::Start),
        ]);
        table.write(A, (0, 4), INT);
        assert!(
            !table.is_stale(B, (0, 4), INT),
            "the same start is a choice"
        );
        assert!(
            table.is_stale(B, (4, 4), INT),
            "but a distance of one is none"
        );
        table.write(A, (4, 4), INT);
        assert!(table.is_stale(B, (0, 4), INT));
        assert!(!table.may_meet((A, Some(0)), (B, Some(0)), false));
        assert!(table.may_meet((A, Some(4)), (B, Some(0)), false));
        assert!(table.may_meet((A, Some(0)), (B, Some(0)), true));
    }

    #[test]
    fn complete_choices_and_other_kinds_leave_nothing_stale() {
        for choices in [
            AliasChoices::Whole,
            AliasChoices::Places,
            AliasChoices::Alone,
        ] {
            let mut table = table([object(1, "ip", "t", choices), object(2, "ip", "t", choices)]);
            table.write(A, (0, 4), INT);
            assert!(!table.is_stale(B, (8, 4), INT));
        }
        let mut table = table([
            object(1, "i", "", AliasChoices::Nothing),
            object(2, "pc", "", AliasChoices::Nothing),
        ]);
        table.write(A, (0, 4), INT);
        assert!(!table.is_stale(B, (0, 8), Some(8)), "a pointer is no int");
        assert!(
            table.is_stale(B, (8, 1), Some(1)),
            "a character is any byte"
        );
    }

    #[test]
    fn variables_meet_only_what_the_harness_made() {
        let mut variable = object(1, "i", "", AliasChoices::Nothing);
        variable.made = false;
        let mut second = variable.clone();
        second.object = B;
        let made = object(3, "i", "int", AliasChoices::Start);
        let mut table = table([variable, second, made]);
        table.write(A, (0, 4), INT);
        assert!(!table.is_stale(B, (0, 4), INT));
        assert!(table.is_stale(ObjectId(3), (0, 4), INT));
        assert!(!table.may_meet((A, Some(0)), (B, Some(0)), false));
        assert!(table.may_meet((A, Some(0)), (ObjectId(3), Some(0)), false));
        let mut offered = table.get(A).unwrap().clone();
        offered.group = "int".to_owned();
        offered.choices = AliasChoices::Start;
        table.add(offered);
        assert!(!table.may_meet((A, Some(0)), (ObjectId(3), Some(0)), false));
        assert!(table.may_meet((A, Some(0)), (ObjectId(3), Some(4)), false));
    }

    #[test]
    fn structures_overlap_only_inside_of_each_other() {
        let names = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert!(!records_may_overlap(&names(&["a"]), &names(&["b", "c"])));
        assert!(records_may_overlap(&names(&["a"]), &names(&["b", "a"])));
        assert!(records_may_overlap(&names(&[]), &names(&["b"])));
    }
}
