//! Novelty: candidates first whose state differs from all states that were run from the same place, in
//! one variable or in a pair of them.
//!
//! A program that reacts to what comes from outside has a state, and most of its branches ask for it. A
//! state is new in a variable if no run from this place has begun with this value of it, and new in a
//! pair if none has begun with these two values (width-based search; Lipovetzky and Geffner, ECAI 2012).
//! It is the better the fewer values of that variable or pair this place has seen: so flags come before
//! counters, and a place that has hardly been visited before one that was visited a thousand times.
//! Variables whose new values have led to nothing new for long come later.
//!
//! Before all of them come the states that something open asks for: where a run has come to a condition
//! and memory decided against it, states in which memory would decide otherwise are new at each place
//! that they come to, however often it was visited by others.

use super::state_variables::{KeptSetting, Setting, StateVariables, Variable, mix, wanted_setting};
use crate::candidates::{
    Candidate, InputValues, Pool, Resume, SearchView, Strategy, ThreadFindings, Ticket,
};
use labrys_ir::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// Bits of the table of combinations that were seen, and of the table of their numbers. Two that fall on
/// each other cost a rank, nothing else.
const SEEN_BITS: u32 = 27;
const COUNT_BITS: u32 = 22;

/// A new pair is worth as much as a new value of a variable that has so many times as many; the same
/// for three variables.
const PAIR: u32 = 2;
const TRIPLE: u32 = 4;

/// A state that something open asks for is new at a place as long as none like it was run from there.
const WANTED: u32 = 0;

/// Triples of so many variables are looked at: of those that vary at a place, the ones with the fewest
/// values there.
const IN_TRIPLES: usize = 16;

/// After so many visits a place is worth half.
const VISITS: u32 = 8;

/// After so many runs for its sake that have come to no new place, a variable is worth half.
const FRUITLESS: u32 = 8;

/// The rank of a state that is new in nothing.
const SEEN: u32 = u32::MAX;

/// In what a state is new at its place.
#[derive(Clone, Copy)]
struct NewCombination {
    /// How many combinations of these variables the place had seen, weighted; the fewer the better.
    rank: u32,
    weight: u32,
    /// The variables; the same again if there are fewer than three.
    variables: Option<[Variable; 3]>,
    /// The combination in the table of those that were seen, and its variables in that of numbers.
    key: u64,
    set: u64,
    /// Something open asks for states that are so.
    is_wanted: bool,
}

/// A candidate that waits.
struct Waiting {
    ticket: Ticket,
    place: u64,
    settings: Rc<[KeptSetting]>,
    new: NewCombination,
}

/// What became of the candidates of a place.
#[derive(Clone, Copy, Default)]
struct PlaceHistory {
    visits: u32,
    /// How many were infeasible since one was not.
    failures: u32,
}

impl PlaceHistory {
    /// What ranks are multiplied with.
    fn factor(self) -> u32 {
        (1 + self.visits / VISITS).saturating_mul(1 + self.failures)
    }
}

pub(super) struct Novelty<'m> {
    variables: StateVariables<'m>,
    /// One bit for each combination of values that a run from a place has begun with.
    seen: Vec<u64>,
    /// How many combinations of values of some variables a place has seen.
    counts: Vec<u16>,
    places: FxHashMap<u64, PlaceHistory>,
    /// Places at which candidates were left.
    known: FxHashSet<u64>,
    /// By variable: runs for its sake since one has come to a new place.
    fruitless: Vec<u32>,
    /// Rank, age; the smallest comes first.
    queue: BinaryHeap<Reverse<(u32, u32, Ticket)>>,
    age: u32,
    /// By slot of the pool.
    waiting: Vec<Option<Waiting>>,
    /// The candidate that was taken last, and the variables for whose sake it was chosen.
    taken: Option<Waiting>,
    sake: Option<[Variable; 3]>,
    /// The last run has left candidates at a place where there were none before.
    comes_to_new_place: bool,
    /// Places, each with something open that asks for the states of candidates that were left there.
    wanted_places: FxHashSet<u64>,
    /// The last run has left candidates at one of them for the first time.
    comes_nearer: bool,
    /// How many of the states that are asked for are known.
    wanted: usize,
}

impl<'m> Novelty<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Novelty {
            variables: StateVariables::new(module),
            seen: vec![0; 1 << (SEEN_BITS - 6)],
            counts: vec![0; 1 << COUNT_BITS],
            places: FxHashMap::default(),
            known: FxHashSet::default(),
            fruitless: Vec::new(),
            queue: BinaryHeap::new(),
            age: 0,
            waiting: Vec::new(),
            taken: None,
            sake: None,
            comes_to_new_place: false,
            wanted_places: FxHashSet::default(),
            comes_nearer: false,
            wanted: 0,
        }
    }

    fn is_seen(&self, key: u64) -> bool {
        let bit = key >> (64 - SEEN_BITS);
        self.seen[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Notes that a combination of values was seen; `set` names the variables that have them.
    fn see(&mut self, key: u64, set: u64) {
        let bit = key >> (64 - SEEN_BITS);
        let word = &mut self.seen[bit as usize / 64];
        if *word >> (bit % 64) & 1 == 0 {
            *word |= 1 << (bit % 64);
            let count = &mut self.counts[(set >> (64 - COUNT_BITS)) as usize];
            *count = count.saturating_add(1);
        }
    }

    fn count(&self, set: u64) -> u32 {
        u32::from(self.counts[(set >> (64 - COUNT_BITS)) as usize]).max(1)
    }

    fn history(&self, place: u64) -> PlaceHistory {
        self.places.get(&place).copied().unwrap_or_default()
    }

    /// The rank of a state at a place, the smaller the better.
    fn rank(&self, place: u64, new: NewCombination) -> u32 {
        let history = self.history(place);
        let factor = match new.is_wanted {
            true => 1 + history.failures,
            false => history.factor(),
        };
        new.rank.saturating_add(1).saturating_mul(factor)
    }

    /// The best of all combinations in which a state is new.
    fn newest(&self, place: u64, settings: &[KeptSetting]) -> NewCombination {
        let mut best = NewCombination {
            rank: 0,
            weight: 1,
            variables: None,
            key: place,
            set: place,
            is_wanted: false,
        };
        if !self.is_seen(place) {
            return best;
        }
        best.rank = SEEN;
        let mut settings = spelled_out(settings);
        settings.retain(|s| !self.variables.is_closed(s.variable));
        let settings = &settings[..];
        for (at, one) in settings.iter().enumerate() {
            let key = single(place, one.key);
            let weight = match self.variables.is_wanted(one.variable) {
                true => WANTED,
                false => 1,
            };
            self.consider(&mut best, key, weight, || single(place, one.name), [one; 3]);
            for other in &settings[..at] {
                let key = pair(place, one.key, other.key);
                let set = || pair(place, one.name, other.name);
                self.consider(&mut best, key, PAIR, set, [one, other, other]);
            }
        }
        if best.rank == SEEN {
            for [one, other, third] in self.triples(place, settings) {
                let key = triple(place, [one.key, other.key, third.key]);
                let set = || triple(place, [one.name, other.name, third.name]);
                self.consider(&mut best, key, TRIPLE, set, [one, other, third]);
            }
        }
        best
    }

    /// Takes a combination if it is new and better than the best one so far.
    #[inline(always)]
    fn consider(
        &self,
        best: &mut NewCombination,
        key: u64,
        weight: u32,
        set: impl FnOnce() -> u64,
        settings: [&Setting; 3],
    ) {
        let variables = settings.map(|s| s.variable);
        if weight >= best.rank || self.is_seen(key) {
            return;
        }
        let set = set();
        let rank = self.weighted_count(set, weight, variables);
        if rank < best.rank {
            *best = NewCombination {
                rank,
                weight,
                variables: Some(variables),
                key,
                set,
                is_wanted: variables.iter().any(|v| self.variables.is_wanted(*v)),
            };
        }
    }

    /// How many combinations a place has seen, weighted by the number of variables and by how long they
    /// have led to nothing.
    fn weighted_count(&self, set: u64, weight: u32, variables: [Variable; 3]) -> u32 {
        let fruitless = variables.map(|v| self.fruitless(v)).into_iter().max();
        let fruitless = fruitless.unwrap_or(0) / FRUITLESS;
        if weight == WANTED {
            return fruitless;
        }
        let factor = 1 + fruitless;
        self.count(set).saturating_mul(weight * factor)
    }

    /// The triples of a state that are looked at.
    fn triples<'s>(&self, place: u64, settings: &'s [Setting]) -> Vec<[&'s Setting; 3]> {
        let with_count = |s: &'s Setting| (self.count(single(place, s.name)), s);
        let mut varying: Vec<(u32, &Setting)> = settings.iter().map(with_count).collect();
        varying.retain(|(count, _)| *count > 1);
        varying.sort_by_key(|(count, s)| (*count, s.variable));
        varying.truncate(IN_TRIPLES);
        let mut found = Vec::new();
        for (third, (_, a)) in varying.iter().enumerate() {
            for (second, (_, b)) in varying[..third].iter().enumerate() {
                found.extend(varying[..second].iter().map(|(_, c)| [*a, *b, *c]));
            }
        }
        found
    }

    /// In what a candidate that waits is new by now. As long as that is roughly the same as before, the
    /// other combinations are not looked at.
    fn up_to_date(&self, waiting: &Waiting) -> NewCombination {
        let mut new = waiting.new;
        let Some(variables) = new.variables else {
            return match new.rank != SEEN && self.is_seen(new.key) {
                true => self.newest(waiting.place, &waiting.settings),
                false => new,
            };
        };
        let now = self.weighted_count(new.set, new.weight, variables);
        if self.is_seen(new.key) || now > new.rank.saturating_mul(2) {
            return self.newest(waiting.place, &waiting.settings);
        }
        new.rank = now.max(new.rank);
        new
    }

    fn fruitless(&self, variable: Variable) -> u32 {
        self.fruitless.get(variable as usize).copied().unwrap_or(0)
    }

    /// A run has begun with this state at this place.
    fn visit(&mut self, from: &Waiting) {
        let place = from.place;
        let history = self.places.entry(place).or_default();
        history.visits += 1;
        history.failures = 0;
        self.see(place, place);
        let settings = spelled_out(&from.settings);
        for (at, one) in settings.iter().enumerate() {
            self.see(single(place, one.key), single(place, one.name));
            for other in &settings[..at] {
                let set = pair(place, one.name, other.name);
                self.see(pair(place, one.key, other.key), set);
            }
        }
        for [one, other, third] in self.triples(place, &settings) {
            let set = triple(place, [one.name, other.name, third.name]);
            self.see(triple(place, [one.key, other.key, third.key]), set);
        }
    }

    /// The run that was chosen for the sake of some variables has come to a new place, or has not.
    fn learn(&mut self) {
        for variable in self.sake.take().into_iter().flatten() {
            let fruitful =
                self.comes_to_new_place || self.comes_nearer && self.variables.is_wanted(variable);
            if self.fruitless.len() <= variable as usize {
                self.fruitless.resize(variable as usize + 1, 0);
            }
            let count = &mut self.fruitless[variable as usize];
            *count = if fruitful { 0 } else { *count + 1 };
        }
    }

    /// Takes in a candidate that waits.
    fn add_waiting(&mut self, ticket: Ticket, pool: &Pool, values: &mut dyn InputValues) {
        let Some(candidate) = pool.get(ticket) else {
            return;
        };
        let place = place_of(candidate);
        let settings = match &candidate.snapshot {
            Some(state) => self.variables.of(state, values),
            None => Rc::from([]),
        };
        self.comes_to_new_place |= self.known.insert(place);
        for setting in &spelled_out(&settings) {
            if self.variables.is_wanted(setting.variable) {
                self.comes_nearer |= self.wanted_places.insert(single(place, setting.key));
            }
        }
        let new = self.newest(place, &settings);
        let rank = self.rank(place, new);
        self.age += 1;
        self.queue.push(Reverse((rank, self.age, ticket)));
        if self.waiting.len() <= ticket.slot() {
            self.waiting.resize_with(ticket.slot() + 1, || None);
        }
        self.waiting[ticket.slot()] = Some(Waiting {
            ticket,
            place,
            settings,
            new,
        });
    }

    /// Takes in the states that something open asks for since the last run: candidates that wait may be
    /// in one.
    fn take_in_wanted(&mut self, pool: &Pool, found: &ThreadFindings) {
        let all = &found.wanted.all;
        if all.len() == self.wanted {
            return;
        }
        (self.variables).close_wanted(|state| state.is_open(&found.covered));
        let mut new = Vec::new();
        for state in &all[self.wanted..] {
            if state.is_open(&found.covered) {
                new.push((self.variables.want(state), state));
            }
        }
        self.wanted = all.len();
        for at in 0..self.waiting.len() {
            let Some(waiting) = &self.waiting[at] else {
                continue;
            };
            let candidate = pool.get(waiting.ticket);
            let Some(state) = candidate.and_then(|c| c.snapshot.as_ref()) else {
                continue;
            };
            let met = new
                .iter()
                .filter(|(_, wanted)| wanted.is_met(&state.memory));
            let met: Vec<KeptSetting> =
                met.map(|(variable, _)| wanted_setting(*variable)).collect();
            if !met.is_empty() {
                let settings = waiting.settings.iter().copied().chain(met).collect();
                self.renew(at, settings);
            }
        }
    }

    /// More is known of a candidate that waits.
    fn renew(&mut self, at: usize, settings: Rc<[KeptSetting]>) {
        let Some(mut waiting) = self.waiting[at].take() else {
            return;
        };
        waiting.settings = settings;
        waiting.new = self.newest(waiting.place, &waiting.settings);
        let rank = self.rank(waiting.place, waiting.new);
        self.age += 1;
        self.queue.push(Reverse((rank, self.age, waiting.ticket)));
        self.waiting[at] = Some(waiting);
    }

    /// Takes in all candidates that wait, those of runs that it has not seen.
    pub(super) fn look_at_all(&mut self, pool: &Pool, values: &mut dyn InputValues) {
        let mut all: Vec<Ticket> = pool.iter().map(|(ticket, _)| ticket).collect();
        all.sort_unstable();
        for ticket in all {
            self.add_waiting(ticket, pool, values);
        }
    }
}

fn spelled_out(settings: &[KeptSetting]) -> Vec<Setting> {
    settings.iter().map(|s| s.spelled_out()).collect()
}

/// A variable or its value at a place.
fn single(place: u64, one: u64) -> u64 {
    mix(place ^ one)
}

fn pair(place: u64, one: u64, other: u64) -> u64 {
    mix(place ^ one.wrapping_add(other))
}

fn triple(place: u64, all: [u64; 3]) -> u64 {
    mix(place ^ all.into_iter().fold(1, u64::wrapping_add))
}

/// The place where a candidate goes on, in its context of calls.
fn place_of(candidate: &Candidate) -> u64 {
    let way = match candidate.resume {
        Resume::Edge(edge) => u64::from(edge.0) << 32,
        Resume::Again => 1 << 31 | u64::from(candidate.ordinal),
        Resume::Continue => 1 << 30,
    };
    candidate.calls().iter().fold(mix(way), |hash, at| {
        mix(hash ^ (u64::from(at.function.0) << 32 | u64::from(at.place)))
    })
}

impl Strategy for Novelty<'_> {
    fn look(
        &mut self,
        tickets: &[Ticket],
        pool: &Pool,
        found: &ThreadFindings,
        values: &mut dyn InputValues,
    ) {
        if let Some(taken) = self.taken.take() {
            self.visit(&taken);
        }
        self.comes_to_new_place = false;
        self.comes_nearer = false;
        self.take_in_wanted(pool, found);
        for ticket in tickets {
            self.add_waiting(*ticket, pool, values);
        }
        self.learn();
    }

    fn add(&mut self, _tickets: &[Ticket], _view: &mut SearchView<'_, '_>) {}

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let Reverse((rank, age, ticket)) = self.queue.pop()?;
            if !view.pool.contains(ticket) {
                continue;
            }
            let Some(waiting) = &self.waiting[ticket.slot()] else {
                return Some(ticket);
            };
            let new = self.up_to_date(waiting);
            let now = self.rank(waiting.place, new);
            if now <= rank {
                self.sake = new.variables;
                return Some(ticket);
            }
            self.queue.push(Reverse((now, age, ticket)));
            if let Some(waiting) = &mut self.waiting[ticket.slot()] {
                waiting.new = new;
            }
        }
    }

    fn last(&mut self, number: usize, pool: &Pool) -> Vec<Ticket> {
        let waiting = self.waiting.iter().flatten();
        let rank = |w: &Waiting| (self.rank(w.place, self.up_to_date(w)), w.ticket);
        let mut all: Vec<(u32, Ticket)> = waiting
            .filter(|w| pool.contains(w.ticket))
            .map(rank)
            .collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.truncate(number);
        all.into_iter().map(|(_, ticket)| ticket).collect()
    }

    fn forget(&mut self, ticket: Ticket) {
        if let Some(place) = self.waiting.get_mut(ticket.slot()) {
            place.take_if(|waiting| waiting.ticket == ticket);
        }
    }

    fn taken(&mut self, ticket: Ticket) {
        // The one before it has left nothing behind: it was infeasible.
        if let Some(failed) = self.taken.take() {
            self.places.entry(failed.place).or_default().failures += 1;
        }
        let waiting = self.waiting.get_mut(ticket.slot()).and_then(Option::take);
        self.taken = waiting.filter(|waiting| waiting.ticket == ticket);
    }
}
