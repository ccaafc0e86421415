//! Evaluations of decisions that are under way where a candidate starts. As long as one can bring a
//! pair of MC/DC, or a first half that is useful, the candidate is worth running.

use crate::pairs::{Flight, Pairs};
use labrys_ledger::{Relevance, Vector};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The evaluations under way, innermost first. 0 is none.
pub(crate) type FlightId = u32;
const GROUNDED: FlightId = 0;

struct Known {
    goal: u32,
    prefix: Vector,
    before: FlightId,
    /// Of this evaluation and those around it.
    relevance: Relevance,
    /// Flights inside this one.
    inner: Vec<FlightId>,
}

pub(crate) struct Flights {
    list: Vec<Known>,
    ids: FxHashMap<(u32, Vector, FlightId), FlightId>,
    /// Flights of a decision that may still bring something.
    of_goal: BTreeMap<u32, Vec<FlightId>>,
}

/// A flight whose relevance has changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    pub(crate) flight: FlightId,
    pub(crate) now: Relevance,
}

impl Default for Flights {
    fn default() -> Self {
        Flights {
            list: vec![Known {
                goal: 0,
                prefix: Vector::default(),
                before: GROUNDED,
                relevance: Relevance::Irrelevant,
                inner: Vec::new(),
            }],
            ids: FxHashMap::default(),
            of_goal: BTreeMap::new(),
        }
    }
}

impl Flights {
    pub(crate) fn id(&mut self, flight: Option<&Rc<Flight>>, pairs: &Pairs) -> FlightId {
        let mut chain = Vec::new();
        let mut next = flight;
        while let Some(flight) = next {
            chain.push(flight);
            next = flight.before.as_ref();
        }
        let mut id = GROUNDED;
        for flight in chain.into_iter().rev() {
            id = self.intern(flight.goal, flight.prefix, id, pairs);
        }
        id
    }

    fn intern(&mut self, goal: u32, prefix: Vector, before: FlightId, pairs: &Pairs) -> FlightId {
        if let Some(id) = self.ids.get(&(goal, prefix, before)) {
            return *id;
        }
        let id = self.list.len() as FlightId;
        self.ids.insert((goal, prefix, before), id);
        let own = pairs.of_prefix(goal, prefix);
        self.list.push(Known {
            goal,
            prefix,
            before,
            relevance: own.max(self.relevance(before)),
            inner: Vec::new(),
        });
        if own != Relevance::Irrelevant {
            self.of_goal.entry(goal).or_default().push(id);
        }
        if before != GROUNDED {
            self.list[before as usize].inner.push(id);
        }
        id
    }

    pub(crate) fn relevance(&self, flight: FlightId) -> Relevance {
        self.list[flight as usize].relevance
    }

    /// These decisions, or all, were evaluated in a way that is new.
    pub(crate) fn refresh(&mut self, goals: Option<&[u32]>, pairs: &Pairs) -> Vec<Changed> {
        let mut open: Vec<FlightId> = Vec::new();
        let all: Vec<u32>;
        let goals = match goals {
            Some(goals) => goals,
            None => {
                all = self.of_goal.keys().copied().collect();
                &all
            }
        };
        for goal in goals {
            if let Some(flights) = self.of_goal.get_mut(goal) {
                open.extend_from_slice(flights);
                // What is irrelevant stays so.
                let list = &self.list;
                flights.retain(|id| {
                    let prefix = list[*id as usize].prefix;
                    pairs.of_prefix(*goal, prefix) != Relevance::Irrelevant
                });
            }
        }
        let mut changed = Vec::new();
        let mut at = 0;
        while let Some(id) = open.get(at).copied() {
            at += 1;
            let known = &self.list[id as usize];
            let own = pairs.of_prefix(known.goal, known.prefix);
            let now = own.max(self.relevance(known.before));
            let known = &mut self.list[id as usize];
            if now != known.relevance {
                known.relevance = now;
                open.extend_from_slice(&known.inner);
                changed.push(Changed { flight: id, now });
            }
        }
        changed
    }
}
