//! Relations between places: two terms over places that the program compares with each other, and which of
//! less, equal and greater was seen where a node of the graph begins. Terms outlive the graph that they were
//! found in, so they have an arena of their own.

use super::graph::KeptPlace;
use labrys_expr::{Arena, ExprId, ExprKind, VarId, substitute};
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
pub(crate) struct OrderSet(u8);

impl OrderSet {
    pub(crate) const LESS: OrderSet = OrderSet(1);
    pub(crate) const EQUAL: OrderSet = OrderSet(2);
    pub(crate) const GREATER: OrderSet = OrderSet(4);
    pub(crate) const ANY: OrderSet = OrderSet(7);

    pub(crate) fn contains(self, other: OrderSet) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn with(self, other: OrderSet) -> OrderSet {
        OrderSet(self.0 | other.0)
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
            OrderSet::LESS => less(left, right),
            OrderSet::GREATER => less(right, left),
            OrderSet(6) => {
                let less = less(left, right);
                arena.not(less)
            }
            OrderSet(3) => {
                let greater = less(right, left);
                arena.not(greater)
            }
            OrderSet::EQUAL => arena.eq(left, right),
            OrderSet(5) => arena.ne(left, right),
            OrderSet(0) => arena.no(),
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

impl From<Ordering> for OrderSet {
    fn from(order: Ordering) -> OrderSet {
        match order {
            Ordering::Less => OrderSet::LESS,
            Ordering::Equal => OrderSet::EQUAL,
            Ordering::Greater => OrderSet::GREATER,
        }
    }
}

/// What holds between two terms in all states of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRelation {
    pub(crate) terms: ComparedTerms,
    pub(crate) orders: OrderSet,
}

/// The terms that the program compares, over all graphs.
#[derive(Default)]
pub(crate) struct RelationTerms {
    pub(crate) arena: Arena,
    places: Vec<TermPlace>,
    known: FxHashMap<TermPlace, VarId>,
    pub(crate) compared: Vec<ComparedTerms>,
    seen: FxHashSet<ComparedTerms>,
    /// Places that were seen to hold what others held: all those of one arrival together.
    pub(crate) copies: BTreeSet<Vec<(KeptPlace, KeptPlace)>>,
}

impl RelationTerms {
    /// The variable for a place.
    pub(crate) fn var(&mut self, place: TermPlace, name: &str) -> VarId {
        if let Some(var) = self.known.get(&place) {
            return *var;
        }
        let var = self.arena.new_var(name, 64);
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

    /// Adds a comparison, and the same for each element if it is about the element that an index names.
    pub(crate) fn add(&mut self, terms: ComparedTerms) {
        self.add_one(terms);
        let mut tables = Vec::new();
        for side in [terms.left, terms.right] {
            self.find_tables(side, &mut tables);
        }
        let Some((index, entries)) = tables.first().copied() else {
            return;
        };
        if tables.iter().any(|table| *table != (index, entries)) {
            return;
        }
        for element in 0..entries {
            let left = self.element(terms.left, element);
            let right = self.element(terms.right, element);
            self.add_one(ComparedTerms {
                left,
                right,
                ..terms
            });
        }
    }

    fn add_one(&mut self, terms: ComparedTerms) {
        let is_small = self.vars(&terms).len() <= MOST_PARTS;
        let is_decided = self.vars(&terms).is_empty() || terms.left == terms.right;
        if is_small
            && !is_decided
            && self.compared.len() < MOST_COMPARISONS
            && self.seen.insert(terms)
        {
            self.compared.push(terms);
        }
    }

    /// Adds what comparisons of copies are comparisons of.
    pub(crate) fn follow_copies(&mut self) {
        let copies: Vec<FxHashMap<KeptPlace, KeptPlace>> = (self.copies.iter())
            .map(|copies| copies.iter().copied().collect())
            .collect();
        let mut at = 0;
        while at < self.compared.len() {
            let terms = self.compared[at];
            at += 1;
            let vars = self.vars(&terms);
            let places: Vec<KeptPlace> = vars.iter().map(|var| self.place(*var).place).collect();
            for copies in &copies {
                if places.iter().any(|place| copies.contains_key(place)) {
                    let from = self.copied(terms, copies);
                    self.add_one(from);
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
            let TermPlace { place, base } = self.place(var);
            if let Some(place) = copies.get(&place) {
                let name = self.arena.var_name(var).to_owned();
                let other = self.var(TermPlace { place: *place, base }, &name);
                from.insert(var, other);
            }
        }
        let sides = [Some(terms.left), Some(terms.right), terms.guard];
        let sides: Vec<ExprId> = sides.into_iter().flatten().collect();
        let made = substitute(&mut self.arena, &sides, &mut |arena, var| {
            arena.var_expr(from.get(&var).copied().unwrap_or(var))
        });
        ComparedTerms {
            left: made[0],
            right: made[1],
            guard: made.get(2).copied(),
            ..terms
        }
    }

    /// The indexes of all tables in a term, with their sizes.
    fn find_tables(&self, e: ExprId, tables: &mut Vec<(ExprId, usize)>) {
        if let ExprKind::Table(table, index) = self.arena.kind(e) {
            tables.push((index, self.arena.table_entries(table).len()));
            return;
        }
        let mut operands = Vec::new();
        self.arena.for_each_operand(e, |operand| operands.push(operand));
        if operands.len() <= 2 {
            for operand in operands {
                self.find_tables(operand, tables);
            }
        }
    }

    /// A term with one element in the place of its table.
    fn element(&mut self, e: ExprId, number: usize) -> ExprId {
        let width = self.arena.width(e);
        match self.arena.kind(e) {
            ExprKind::Table(table, _) => self.arena.table_entries(table)[number],
            ExprKind::Extract(a, low) => {
                let a = self.element(a, number);
                self.arena.extract(a, low, width)
            }
            ExprKind::Convert(op, a) => {
                let a = self.element(a, number);
                self.arena.convert(op, a, width)
            }
            ExprKind::Unary(op, a) => {
                let a = self.element(a, number);
                self.arena.unary(op, a)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.element(a, number), self.element(b, number));
                self.arena.binary(op, a, b)
            }
            _ => e,
        }
    }
}

impl fmt::Debug for RelationTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.compared).finish()
    }
}
