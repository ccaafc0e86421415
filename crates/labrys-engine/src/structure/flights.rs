//! Evaluations of decisions that are under way where a candidate starts. As long as one can bring a
//! pair of MC/DC, or a first half that is useful, the candidate is worth running.

use crate::mcdc::{Flight, Pairs, PassId};
use labrys_ledger::decision::PartialEvaluation;
use labrys_ledger::{OutcomeVector, Relevance};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The evaluations under way, innermost first. 0 is none.
pub(crate) type FlightId = u32;
const GROUNDED: FlightId = 0;

struct Known {
    goal: u32,
    begun: PartialEvaluation,
    pass: PassId,
    before: FlightId,
    /// Of this evaluation and those around it.
    relevance: Relevance,
    /// Flights inside this one.
    inner: Vec<FlightId>,
}

pub(crate) struct Flights {
    list: Vec<Known>,
    ids: FxHashMap<(u32, OutcomeVector, PassId, FlightId), FlightId>,
    /// Flights of a decision that may still bring something.
    of_goal: BTreeMap<u32, Vec<FlightId>>,
    of_pass: BTreeMap<PassId, Vec<FlightId>>,
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
                begun: PartialEvaluation::default(),
                pass: 0,
                before: GROUNDED,
                relevance: Relevance::Irrelevant,
                inner: Vec::new(),
            }],
            ids: FxHashMap::default(),
            of_goal: BTreeMap::new(),
            of_pass: BTreeMap::new(),
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
            id = self.intern(flight, id, pairs);
        }
        id
    }

    fn intern(&mut self, flight: &Flight, before: FlightId, pairs: &Pairs) -> FlightId {
        let (goal, prefix, pass) = (flight.goal, flight.prefix, flight.pass);
        if let Some(id) = self.ids.get(&(goal, prefix, pass, before)) {
            return *id;
        }
        let id = self.list.len() as FlightId;
        self.ids.insert((goal, prefix, pass, before), id);
        let mut begun = pairs.begin(goal, prefix);
        let own = pairs.look(goal, &mut begun, pass);
        self.list.push(Known {
            goal,
            begun,
            pass,
            before,
            relevance: own.max(self.relevance(before)),
            inner: Vec::new(),
        });
        if own != Relevance::Irrelevant {
            self.of_goal.entry(goal).or_default().push(id);
            if pass > 0 {
                self.of_pass.entry(pass).or_default().push(id);
            }
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
                let list = &mut self.list;
                flights.retain(|id| {
                    let known = &mut list[*id as usize];
                    pairs.look(*goal, &mut known.begun, known.pass) != Relevance::Irrelevant
                });
            }
        }
        self.look_again(open, pairs)
    }

    /// Evaluations of these passes cannot have some halves.
    pub(crate) fn exclude(&mut self, passes: &[PassId], pairs: &Pairs) -> Vec<Changed> {
        let flights = passes.iter().filter_map(|pass| self.of_pass.get(pass));
        let open = flights.flatten().copied().collect();
        self.look_again(open, pairs)
    }

    fn look_again(&mut self, mut open: Vec<FlightId>, pairs: &Pairs) -> Vec<Changed> {
        let mut changed = Vec::new();
        let mut at = 0;
        while let Some(id) = open.get(at).copied() {
            at += 1;
            let known = &mut self.list[id as usize];
            let own = pairs.look(known.goal, &mut known.begun, known.pass);
            let known = &self.list[id as usize];
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
