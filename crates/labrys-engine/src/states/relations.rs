//! Relations between places: two terms over places that the program compares with each other, and which of
//! less, equal and greater was seen where a node of the graph begins. Terms outlive the graph that they were
//! found in, so they have an arena of their own.

use super::graph::KeptPlace;
use labrys_expr::{Arena, ExprId, ExprKind, VarId, c_text, substitute};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

/// So many comparisons are looked at in all nodes.
const MOST_COMPARISONS: usize = 400;

/// A term of more parts than this says too much at once.
const MOST_PARTS: usize = 80;

/// What a variable of a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TermPlace {
    pub(crate) place: KeptPlace,
    /// A pointer is looked at as its distance from the start of its object.
    pub(crate) base: u64,
    /// The bits of the variable, which may be more than those of the place.
    pub(crate) width: u8,
}

/// Two terms that are compared with each other, perhaps only where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ComparedTerms {
    pub(crate) guard: Option<ExprId>,
    pub(crate) left: ExprId,
    pub(crate) right: ExprId,
    pub(crate) is_signed: bool,
}

/// How two numbers can lie to each other: a set of these three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PossibleOrders(u8);

impl PossibleOrders {
    pub(crate) const LESS: PossibleOrders = PossibleOrders(1);
    pub(crate) const EQUAL: PossibleOrders = PossibleOrders(2);
    pub(crate) const GREATER: PossibleOrders = PossibleOrders(4);
    pub(crate) const ANY: PossibleOrders = PossibleOrders(7);

    pub(crate) fn contains(self, other: PossibleOrders) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn with(self, other: PossibleOrders) -> PossibleOrders {
        PossibleOrders(self.0 | other.0)
    }

    /// The condition that two numbers lie so.
    pub(crate) fn holds(
        self,
        arena: &mut Arena,
        (left, right): (ExprId, ExprId),
        is_signed: bool,
    ) -> ExprId {
        let mut less = |a, b| match is_signed {
            true => arena.slt(a, b),
            false => arena.ult(a, b),
        };
        match self {
            PossibleOrders::LESS => less(left, right),
            PossibleOrders::GREATER => less(right, left),
            PossibleOrders(6) => {
                let less = less(left, right);
                arena.not(less)
            }
            PossibleOrders(3) => {
                let greater = less(right, left);
                arena.not(greater)
            }
            PossibleOrders::EQUAL => arena.eq(left, right),
            PossibleOrders(5) => arena.ne(left, right),
            PossibleOrders(0) => arena.no(),
            _ => arena.yes(),
        }
    }

    /// In the words of C.
    pub(crate) fn words(self) -> &'static str {
        match self.0 {
            1 => "<",
            2 => "==",
            3 => "<=",
            4 => ">",
            5 => "!=",
            _ => ">=",
        }
    }
}

impl From<Ordering> for PossibleOrders {
    fn from(order: Ordering) -> PossibleOrders {
        match order {
            Ordering::Less => PossibleOrders::LESS,
            Ordering::Equal => PossibleOrders::EQUAL,
            Ordering::Greater => PossibleOrders::GREATER,
        }
    }
}

/// What holds between two terms in all states of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRelation {
    pub(crate) terms: ComparedTerms,
    pub(crate) orders: PossibleOrders,
}

/// The terms that the program compares, over all graphs.
#[derive(Default)]
pub(crate) struct RelationTerms {
    pub(crate) arena: Arena,
    places: Vec<TermPlace>,
    known: FxHashMap<TermPlace, VarId>,
    /// With the first comparison that each of them comes from.
    pub(crate) compared: Vec<(ComparedTerms, usize)>,
    seen: FxHashMap<ComparedTerms, usize>,
    /// Places that were seen to hold what others held: all those of one arrival together.
    pub(crate) copies: BTreeSet<Vec<(KeptPlace, KeptPlace)>>,
}

impl RelationTerms {
    /// The variable for a place.
    pub(crate) fn var(&mut self, place: TermPlace, name: &str) -> VarId {
        if let Some(var) = self.known.get(&place) {
            return *var;
        }
        let var = self.arena.new_var(name, place.width);
        self.places.push(place);
        self.known.insert(place, var);
        var
    }

    pub(crate) fn place(&self, var: VarId) -> TermPlace {
        self.places[var.index()]
    }

    /// The variables of a comparison.
    pub(crate) fn vars(&self, terms: &ComparedTerms) -> Vec<VarId> {
        let sides = [Some(terms.left), Some(terms.right), terms.guard];
        let mut vars: Vec<VarId> = Vec::new();
        for e in sides.into_iter().flatten() {
            vars.extend(self.arena.vars_iter(self.arena.vars(e)));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Adds a comparison, and the same for each element if it is about the element that an index names and
    /// the index can only be one of these values.
    /// Gives the comparison that they all come from.
    pub(crate) fn add(
        &mut self,
        terms: ComparedTerms,
        values: &FxHashMap<VarId, Vec<u64>>,
    ) -> Option<usize> {
        let mut tables = Vec::new();
        self.find_tables(terms.left, &mut tables);
        self.find_tables(terms.right, &mut tables);
        if let Some(guard) = terms.guard {
            self.find_tables(guard, &mut tables);
        }
        let is_fixed = [terms.left, terms.right].map(|side| self.arena.as_const(side).is_some());
        let has_guard = terms.guard.is_some();
        if is_fixed.contains(&true)
            && !has_guard
            && (!tables.is_empty() || self.has_pointer(&terms))
        {
            return None;
        }
        let root = self.add_one(terms, None)?;
        let mut indexes: Vec<VarId> = Vec::new();
        for index in tables {
            indexes.extend(self.arena.vars_iter(self.arena.vars(index)));
        }
        indexes.sort_unstable();
        indexes.dedup();
        let [index] = indexes[..] else {
            return Some(root);
        };
        for value in values.get(&index).into_iter().flatten() {
            let element = self.with_values(terms, &mut |arena, var| match var == index {
                true => arena.constant(arena.var_width(var), (*value).into()),
                false => arena.var_expr(var),
            });
            self.add_one(element, Some(root));
        }
        Some(root)
    }

    /// A comparison with other values in the place of its variables.
    fn with_values(
        &mut self,
        terms: ComparedTerms,
        value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
    ) -> ComparedTerms {
        let sides = [Some(terms.left), Some(terms.right), terms.guard];
        let sides: Vec<ExprId> = sides.into_iter().flatten().collect();
        let made = substitute(&mut self.arena, &sides, value);
        ComparedTerms {
            left: made[0],
            right: made[1],
            guard: made.get(2).copied(),
            ..terms
        }
    }

    fn has_pointer(&self, terms: &ComparedTerms) -> bool {
        let mut vars = self.vars(terms).into_iter();
        vars.any(|var| self.place(var).base != 0)
    }

    fn add_one(&mut self, terms: ComparedTerms, root: Option<usize>) -> Option<usize> {
        let terms = self.in_one_order(terms);
        if let Some(root) = self.seen.get(&terms) {
            return Some(*root);
        }
        let vars = self.vars(&terms).len();
        let is_wanted = (2..=MOST_PARTS).contains(&vars) && terms.left != terms.right;
        if !is_wanted || self.compared.len() >= MOST_COMPARISONS {
            return None;
        }
        let root = root.unwrap_or(self.compared.len());
        self.compared.push((terms, root));
        self.seen.insert(terms, root);
        Some(root)
    }

    /// What comes from these comparisons.
    pub(crate) fn from(&self, roots: &BTreeSet<usize>) -> Vec<ComparedTerms> {
        let chosen = self
            .compared
            .iter()
            .filter(|(_, root)| roots.contains(root));
        chosen.map(|(terms, _)| *terms).collect()
    }

    /// Is it about places alone, and not about what an index leads to?
    pub(crate) fn is_plain(&self, root: usize) -> bool {
        let Some((terms, _)) = self.compared.get(root) else {
            return false;
        };
        let mut tables = Vec::new();
        let sides = [Some(terms.left), Some(terms.right), terms.guard];
        for side in sides.into_iter().flatten() {
            self.find_tables(side, &mut tables);
        }
        tables.is_empty()
    }

    /// Does it hold only where a condition does?
    pub(crate) fn has_guard(&self, root: usize) -> bool {
        let terms = self.compared.get(root);
        terms.is_some_and(|(terms, _)| terms.guard.is_some())
    }

    /// A relation in the words of the source; none if it says nothing, or not in a few words.
    pub(crate) fn words(&self, relation: &NodeRelation) -> Option<String> {
        if relation.orders == PossibleOrders::ANY || relation.orders == PossibleOrders::default() {
            return None;
        }
        let ComparedTerms {
            guard,
            left,
            right,
            is_signed,
        } = relation.terms;
        let [left, right] = [left, right].map(|side| c_text(&self.arena, side));
        let sign = match is_signed || relation.orders == PossibleOrders::EQUAL {
            true => "",
            false => "(unsigned)",
        };
        let words = format!("{sign}{left} {} {sign}{right}", relation.orders.words());
        let words = match guard {
            Some(guard) => format!("{words} if {}", c_text(&self.arena, guard)),
            None => words,
        };
        let is_short = !["table[", "bits ", "…"]
            .iter()
            .any(|part| words.contains(part));
        is_short.then_some(words)
    }

    /// The same comparison, the other way round if that is how others are.
    fn in_one_order(&mut self, terms: ComparedTerms) -> ComparedTerms {
        let is_never = terms
            .guard
            .is_some_and(|guard| self.arena.as_const(guard) == Some(0));
        let guard = terms
            .guard
            .filter(|guard| self.arena.as_const(*guard).is_none());
        let (left, right) =
            match terms.left < terms.right || self.arena.as_const(terms.right).is_some() {
                true => (terms.left, terms.right),
                false => (terms.right, terms.left),
            };
        match is_never {
            // Nothing is compared.
            true => ComparedTerms {
                right: left,
                left,
                guard,
                ..terms
            },
            false => ComparedTerms {
                left,
                right,
                guard,
                ..terms
            },
        }
    }

    /// Adds what comparisons of copies are comparisons of.
    pub(crate) fn follow_copies(&mut self) {
        let copies: Vec<FxHashMap<KeptPlace, KeptPlace>> = (self.copies.iter())
            .map(|copies| copies.iter().copied().collect())
            .collect();
        let mut at = 0;
        while at < self.compared.len() {
            let (terms, root) = self.compared[at];
            at += 1;
            let vars = self.vars(&terms);
            let places: Vec<KeptPlace> = vars.iter().map(|var| self.place(*var).place).collect();
            for copies in &copies {
                if places.iter().any(|place| copies.contains_key(place)) {
                    let from = self.copied(terms, copies);
                    self.add_one(from, Some(root));
                }
            }
        }
    }

    fn copied(
        &mut self,
        terms: ComparedTerms,
        copies: &FxHashMap<KeptPlace, KeptPlace>,
    ) -> ComparedTerms {
        let mut from: FxHashMap<VarId, VarId> = FxHashMap::default();
        for var in self.vars(&terms) {
            let known = self.place(var);
            if let Some(place) = copies.get(&known.place) {
                let name = self.arena.var_name(var).to_owned();
                let other = self.var(
                    TermPlace {
                        place: *place,
                        ..known
                    },
                    &name,
                );
                from.insert(var, other);
            }
        }
        self.with_values(terms, &mut |arena, var| {
            arena.var_expr(from.get(&var).copied().unwrap_or(var))
        })
    }

    /// The indexes of all tables in a term.
    fn find_tables(&self, e: ExprId, indexes: &mut Vec<ExprId>) {
        let mut open = vec![e];
        let mut seen = FxHashSet::default();
        while let Some(e) = open.pop() {
            if !seen.insert(e) || seen.len() > MOST_PARTS {
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Table(_, index) => indexes.push(index),
                _ => self.arena.for_each_operand(e, |operand| open.push(operand)),
            }
        }
    }
}

impl fmt::Debug for RelationTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.compared).finish()
    }
}
