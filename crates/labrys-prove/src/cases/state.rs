//! What holds at one place of the program in one case: values of registers and of memory, and which
//! registers hold what is in memory.

use crate::places::{Base, MemoryPlace};
use crate::state::PendingSwitch;
use crate::value_set::ValueSet;
use labrys_ir::Reg;
use std::rc::Rc;

/// An address that can lead to more places than this leads anywhere in its object.
pub(super) const MAX_OFFSETS: usize = 64;

/// What a register holds; what is not known has no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CaseValue {
    Number(Rc<ValueSet>),
    /// Distances from the begin of an object, ascending.
    Address(Base, Rc<Vec<i64>>),
}

impl CaseValue {
    pub(super) fn number(value: ValueSet) -> Option<CaseValue> {
        (value.is_tracked() && !value.is_top()).then(|| CaseValue::Number(Rc::new(value)))
    }

    pub(super) fn address(base: Base, mut offsets: Vec<i64>) -> Option<CaseValue> {
        offsets.sort_unstable();
        offsets.dedup();
        let few = !offsets.is_empty() && offsets.len() <= MAX_OFFSETS;
        few.then(|| CaseValue::Address(base, Rc::new(offsets)))
    }

    pub(super) fn join(&self, other: &CaseValue) -> Option<CaseValue> {
        if self == other {
            return Some(self.clone());
        }
        match (self, other) {
            (CaseValue::Number(a), CaseValue::Number(b)) => joined(a, b).map(CaseValue::Number),
            (CaseValue::Address(a, these), CaseValue::Address(b, others)) if a == b => {
                CaseValue::address(*a, these.iter().chain(others.iter()).copied().collect())
            }
            _ => None,
        }
    }
}

fn joined(a: &Rc<ValueSet>, b: &Rc<ValueSet>) -> Option<Rc<ValueSet>> {
    if Rc::ptr_eq(a, b) || a == b {
        return Some(a.clone());
    }
    if a.width != b.width {
        return None;
    }
    let both = a.join(b);
    if both == **a {
        return Some(a.clone());
    }
    (!both.is_top()).then(|| Rc::new(both))
}

/// Where a pointer leads: to one of these distances from the begin of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointerLead {
    pub(super) pointer: Reg,
    pub(super) object: Base,
    pub(super) offsets: Rc<Vec<i64>>,
}

impl PointerLead {
    /// The places that one behind the pointer can be.
    pub(super) fn places(&self, behind: MemoryPlace) -> impl Iterator<Item = MemoryPlace> {
        let offsets = self.offsets.iter();
        offsets.map(move |from| MemoryPlace {
            base: self.object,
            offset: from.saturating_add(behind.offset),
            ..behind
        })
    }
}

/// No run gets here like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ImpossibleCase;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseState {
    /// Sorted by register.
    registers: Vec<(Reg, CaseValue)>,
    /// Sorted by place. Places may overlap: what is known of each holds.
    cells: Rc<Vec<(MemoryPlace, Rc<ValueSet>)>>,
    /// Registers that hold what is at a place.
    held: Vec<(Reg, MemoryPlace)>,
    /// Pointers that lead to one of several places of an object: what is known behind them is known of
    /// places with the pointer as base.
    leads: Vec<PointerLead>,
    pub(super) pending: PendingSwitch,
}

impl CaseState {
    pub(super) fn new() -> CaseState {
        CaseState {
            registers: Vec::new(),
            cells: Rc::new(Vec::new()),
            held: Vec::new(),
            leads: Vec::new(),
            pending: PendingSwitch::Unknown,
        }
    }

    pub(super) fn register(&self, reg: Reg) -> Option<&CaseValue> {
        let at = self
            .registers
            .binary_search_by_key(&reg, |(r, _)| *r)
            .ok()?;
        Some(&self.registers[at].1)
    }

    pub(super) fn registers(&self) -> impl Iterator<Item = &(Reg, CaseValue)> {
        self.registers.iter()
    }

    /// The register gets a new value: it does not hold what it held.
    pub(super) fn write(&mut self, reg: Reg, value: Option<CaseValue>) {
        self.held.retain(|(held, _)| *held != reg);
        self.forget_pointers(|pointer| pointer == reg);
        self.refine(reg, value);
    }

    /// What is behind these pointers is not known any more.
    pub(super) fn forget_pointers(&mut self, gone: impl Fn(Reg) -> bool) {
        if self.leads.iter().any(|lead| gone(lead.pointer)) {
            let is_gone = |base: Base| matches!(base, Base::Pointer(reg) if gone(reg));
            self.leads.retain(|lead| !gone(lead.pointer));
            self.held.retain(|(_, place)| !is_gone(place.base));
            Rc::make_mut(&mut self.cells).retain(|(place, _)| !is_gone(place.base));
        }
    }

    /// What is behind a pointer can be known from now on.
    pub(super) fn lead(&mut self, lead: PointerLead) {
        let at = (self.leads).binary_search_by_key(&lead.pointer, |known| known.pointer);
        match at {
            Ok(at) if self.leads[at] == lead => {}
            Ok(_) => {
                self.forget_pointers(|pointer| pointer == lead.pointer);
                self.lead(lead);
            }
            Err(at) => self.leads.insert(at, lead),
        }
    }

    /// Does it hold of one of the places that are meant? Where a pointer leads that is not known, it does.
    fn is_any(&self, place: MemoryPlace, holds: &impl Fn(MemoryPlace) -> bool) -> bool {
        let Base::Pointer(pointer) = place.base else {
            return holds(place);
        };
        let lead = self.leads.iter().find(|lead| lead.pointer == pointer);
        lead.is_none_or(|lead| lead.places(place).any(holds))
    }

    /// More is known of the value that the register has.
    pub(super) fn refine(&mut self, reg: Reg, value: Option<CaseValue>) {
        match (
            self.registers.binary_search_by_key(&reg, |(r, _)| *r),
            value,
        ) {
            (Ok(at), Some(value)) => self.registers[at].1 = value,
            (Ok(at), None) => {
                self.registers.remove(at);
            }
            (Err(at), Some(value)) => self.registers.insert(at, (reg, value)),
            (Err(_), None) => {}
        }
    }

    pub(super) fn keep_registers(&mut self, keep: impl Fn(Reg) -> bool) {
        self.registers.retain(|(reg, _)| keep(*reg));
        self.held.retain(|(reg, _)| keep(*reg));
    }

    pub(super) fn cell(&self, place: MemoryPlace) -> Option<&Rc<ValueSet>> {
        let at = self.cells.binary_search_by_key(&place, |(p, _)| *p).ok()?;
        Some(&self.cells[at].1)
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &(MemoryPlace, Rc<ValueSet>)> {
        self.cells.iter()
    }

    /// What a place holds; places that overlap it stay as they are.
    pub(super) fn set_cell(&mut self, place: MemoryPlace, value: Option<Rc<ValueSet>>) {
        let value = value.filter(|value| !value.is_top() && value.width == place.width);
        match (self.cells.binary_search_by_key(&place, |(p, _)| *p), value) {
            (Ok(at), Some(value)) => {
                if self.cells[at].1 != value {
                    Rc::make_mut(&mut self.cells)[at].1 = value;
                }
            }
            (Ok(at), None) => {
                Rc::make_mut(&mut self.cells).remove(at);
            }
            (Err(at), Some(value)) => Rc::make_mut(&mut self.cells).insert(at, (place, value)),
            (Err(_), None) => {}
        }
    }

    /// What is at these places is not known any more.
    pub(super) fn forget(&mut self, gone: impl Fn(MemoryPlace) -> bool) {
        let left = |place: MemoryPlace| !self.is_any(place, &gone);
        let cells = match self.cells.iter().all(|(place, _)| left(*place)) {
            true => None,
            false => {
                let cells = self.cells.iter().filter(|(place, _)| left(*place));
                Some(Rc::new(cells.cloned().collect()))
            }
        };
        let held = self.held.iter().filter(|(_, place)| left(*place));
        self.held = held.copied().collect();
        if let Some(cells) = cells {
            self.cells = cells;
        }
    }

    pub(super) fn hold(&mut self, reg: Reg, place: MemoryPlace) {
        if !self.held.contains(&(reg, place)) {
            self.held.push((reg, place));
            self.held.sort_unstable();
        }
    }

    /// A register becomes another name of what is at the places that `of` holds.
    pub(super) fn hold_same(&mut self, reg: Reg, of: Reg) {
        let places: Vec<MemoryPlace> = self.places_held(of).collect();
        for place in places {
            self.hold(reg, place);
        }
    }

    pub(super) fn places_held(&self, reg: Reg) -> impl Iterator<Item = MemoryPlace> {
        let held = self.held.iter().filter(move |(r, _)| *r == reg);
        held.map(|(_, place)| *place)
    }

    pub(super) fn holders(&self, place: MemoryPlace) -> Vec<Reg> {
        let held = self.held.iter().filter(|(_, p)| *p == place);
        held.map(|(reg, _)| *reg).collect()
    }

    /// What holds in both.
    pub(super) fn join(&self, other: &CaseState) -> CaseState {
        let registers = self.registers.iter().filter_map(|(reg, value)| {
            let there = other.register(*reg)?;
            Some((*reg, value.join(there)?))
        });
        let registers = registers.collect();
        let cells = match Rc::ptr_eq(&self.cells, &other.cells) {
            true => self.cells.clone(),
            false => self.joined_cells(other),
        };
        let held = self.held.iter().filter(|held| other.held.contains(held));
        let mut joined = CaseState {
            registers,
            cells,
            held: held.copied().collect(),
            leads: self.leads.clone(),
            pending: match self.pending == other.pending {
                true => self.pending,
                false => PendingSwitch::Unknown,
            },
        };
        joined.join_leads(other);
        joined
    }

    /// A pointer leads where it does in one of both.
    fn join_leads(&mut self, other: &CaseState) {
        if self.leads == other.leads {
            return;
        }
        let both = self.leads.iter().filter_map(|lead| {
            let mut others = other.leads.iter();
            let there = others.find(|there| there.pointer == lead.pointer)?;
            let all = lead.offsets.iter().chain(there.offsets.iter()).copied();
            let CaseValue::Address(_, offsets) = CaseValue::address(lead.object, all.collect())?
            else {
                return None;
            };
            (lead.object == there.object).then_some(PointerLead {
                offsets,
                ..lead.clone()
            })
        });
        let both: Vec<PointerLead> = both.collect();
        let is_known = |reg: Reg| both.iter().any(|lead| lead.pointer == reg);
        self.forget_pointers(|reg| !is_known(reg));
        self.leads = both;
    }

    fn joined_cells(&self, other: &CaseState) -> Rc<Vec<(MemoryPlace, Rc<ValueSet>)>> {
        let mut others = other.cells.iter().peekable();
        let mut both = Vec::with_capacity(self.cells.len());
        for (place, value) in self.cells.iter() {
            while others.next_if(|(there, _)| there < place).is_some() {}
            if let Some((_, there)) = others.next_if(|(there, _)| there == place)
                && let Some(value) = joined(value, there)
            {
                both.push((*place, value));
            }
        }
        match both == *self.cells {
            true => self.cells.clone(),
            false => Rc::new(both),
        }
    }
}
