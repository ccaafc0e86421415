//! What holds at one place beyond what always holds: sharper values of some registers, orders
//! between registers, relations, and values in memory. All tables are bounded; what does not fit is forgotten,
//! which is safe.

use crate::cells::Cells;
use crate::compare::OrderSet;
use crate::relations::Relations;
use crate::result_cases::ResultCases;
use crate::value_set::ValueSet;
use labrys_ir::Reg;

/// A state holds sharper values of at most 96 registers and orders of at most 96 pairs, so that
/// joining states stays cheap in large functions.
const MAX_REMEMBERED: usize = 96;

/// Which `switch` has just jumped: only then does a case label count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingSwitch {
    Unknown,
    Switch(u32),
    None,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AbstractState {
    /// Sorted by register.
    values: Vec<(Reg, ValueSet)>,
    /// Sorted by pair, the smaller register first.
    orders: Vec<((Reg, Reg), OrderSet)>,
    pub(crate) pending: PendingSwitch,
    /// What is in memory.
    pub(crate) cells: Cells,
    /// The same for each result of a call, if it was not looked at yet.
    pub(crate) cases: Option<ResultCases>,
    /// Between numbers in registers and in memory.
    pub(crate) relations: Relations,
}

impl Default for AbstractState {
    fn default() -> Self {
        AbstractState {
            values: Vec::new(),
            orders: Vec::new(),
            pending: PendingSwitch::Unknown,
            cells: Cells::default(),
            cases: None,
            relations: Relations::default(),
        }
    }
}

impl AbstractState {
    /// A function starts, and memory holds this.
    pub(crate) fn with_memory(cells: Cells, relations: Relations) -> AbstractState {
        AbstractState {
            cells,
            relations,
            ..AbstractState::default()
        }
    }

    pub(crate) fn value(&self, reg: Reg) -> Option<&ValueSet> {
        let at = self.values.binary_search_by_key(&reg, |(r, _)| *r).ok()?;
        Some(&self.values[at].1)
    }

    pub(crate) fn set_value(&mut self, reg: Reg, value: ValueSet) {
        match self.values.binary_search_by_key(&reg, |(r, _)| *r) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => {
                self.values.insert(at, (reg, value));
                if self.values.len() > MAX_REMEMBERED {
                    self.values.remove(0);
                }
            }
        }
    }

    pub(crate) fn values(&self) -> &[(Reg, ValueSet)] {
        &self.values
    }

    pub(crate) fn orders(&self) -> &[((Reg, Reg), OrderSet)] {
        &self.orders
    }

    fn known_order(&self, a: Reg, b: Reg) -> OrderSet {
        if a == b {
            return OrderSet::SAME;
        }
        let pair = (a.min(b), a.max(b));
        match self.orders.binary_search_by_key(&pair, |(p, _)| *p) {
            Ok(at) if a < b => self.orders[at].1,
            Ok(at) => self.orders[at].1.reversed(),
            Err(_) => OrderSet::ANY,
        }
    }

    /// How two registers are to each other, directly and by way of a third.
    pub(crate) fn order(&self, a: Reg, b: Reg) -> OrderSet {
        let mut order = self.known_order(a, b);
        if a == b || self.orders.len() < 2 {
            return order;
        }
        for ((first, second), _) in &self.orders {
            let middle = if *first == a {
                *second
            } else if *second == a {
                *first
            } else {
                continue;
            };
            if middle != b {
                let way = self
                    .known_order(a, middle)
                    .then(self.known_order(middle, b));
                order = order.and(way);
            }
        }
        order
    }

    /// Both are as `order` says; false if that cannot be.
    pub(crate) fn add_order(&mut self, a: Reg, b: Reg, order: OrderSet) -> bool {
        let order = self.order(a, b).and(order);
        if order.is_impossible() {
            return false;
        }
        if a == b || order == OrderSet::ANY {
            return true;
        }
        let (pair, order) = if a < b {
            ((a, b), order)
        } else {
            ((b, a), order.reversed())
        };
        match self.orders.binary_search_by_key(&pair, |(p, _)| *p) {
            Ok(at) => self.orders[at].1 = order,
            Err(at) => {
                self.orders.insert(at, (pair, order));
                if self.orders.len() > MAX_REMEMBERED {
                    self.orders.remove(0);
                }
            }
        }
        true
    }

    /// The register gets another value.
    pub(crate) fn forget(&mut self, reg: Reg) {
        self.values.retain(|(r, _)| *r != reg);
        self.orders.retain(|((a, b), _)| *a != reg && *b != reg);
        let cases = self.cases.take().filter(|known| known.reg != reg);
        self.cases = cases.map(|known| known.without_pointer(reg));
        (self.cells.focused).retain(|focused| focused.pointer() != Some(reg));
    }

    /// What holds on both ways.
    pub(crate) fn join(&self, other: &AbstractState) -> AbstractState {
        let nothing = |_| None;
        let relations = self.relations.join(&nothing, &other.relations, &nothing);
        self.join_with(other, relations)
    }

    /// The same, with the relations that hold on both.
    pub(crate) fn join_with(&self, other: &AbstractState, relations: Relations) -> AbstractState {
        let mut values = Vec::new();
        for (reg, value) in &self.values {
            if let Some(there) = other.value(*reg) {
                let both = value.join(there);
                if !both.is_top() {
                    values.push((*reg, both));
                }
            }
        }
        let mut orders = Vec::new();
        for ((a, b), order) in &self.orders {
            let both = order.or(other.known_order(*a, *b));
            if both != OrderSet::ANY {
                orders.push(((*a, *b), both));
            }
        }
        AbstractState {
            values,
            orders,
            pending: if self.pending == other.pending {
                self.pending
            } else {
                PendingSwitch::Unknown
            },
            cells: self.cells.join(&other.cells),
            cases: self.cases.clone().filter(|_| self.cases == other.cases),
            relations,
        }
    }
}
