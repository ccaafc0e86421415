//! Fitness-guided search (Fitnex; Xie, Tillmann, de Halleux, Schulte, DSN 2009), for outcomes that
//! depend on the input through loops and counters: flipping them directly is infeasible, but some
//! paths come nearer than others.
//!
//! The fitness of a path is the least branch distance with which it has missed the target. What a
//! branch gains when it is flipped is learnt from the runs that flipped it. A candidate is good if
//! its path is near and its branch has gained something: `F(path) - gain(branch)` is least. Where
//! a target is several gains away, as many later flips of the same branch on the same path are
//! wished for at once, which the model may grant or not.

use crate::candidates::{ALWAYS, BranchDistances, SearchView, Strategy, Ticket};
use labrys_ledger::Trigger;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// At most this many runs for a target may come no nearer before the next one has its turn.
const PATIENCE: u32 = 12;
/// At most this many flips are wished for at once.
const MOST_WISHES: u64 = 64;
/// The gain of a branch whose run does not come to the target any more, in parts of the distance.
const LOSS: f64 = -1.0;

/// What a run has shown, and the candidates that it has left.
struct PastRun {
    distances: BranchDistances,
    left: RefCell<Vec<(u32, Ticket)>>,
}

/// Where a candidate comes from.
struct Origin {
    ticket: Ticket,
    run: Rc<PastRun>,
    /// The place and outcome that it flips to.
    branch: u32,
    number: u32,
}

#[derive(Clone, Copy, Default)]
struct LearntGain {
    sum: f64,
    count: f64,
}

/// Fitness of the path, its length, the candidate; the smallest is the best.
type TargetEntry = Reverse<(u64, u32, Ticket)>;

/// The target of the moment.
struct Focus {
    target: Trigger,
    /// By branch.
    queues: BTreeMap<u32, BinaryHeap<TargetEntry>>,
    best: u64,
    patience: u32,
}

#[derive(Default)]
pub(super) struct Fitness {
    /// By slot of the pool.
    origins: Vec<Option<Origin>>,
    gains: FxHashMap<(Trigger, u32), LearntGain>,
    /// Targets that runs have come to, with the least distance.
    targets: BTreeMap<Trigger, u64>,
    focus: Option<Focus>,
    /// The candidate that was taken last.
    last: Option<(Rc<PastRun>, u32, u32)>,
    wishes: Vec<Ticket>,
}

impl Fitness {
    fn learn(&mut self, distances: &BranchDistances) {
        for (target, nearest) in distances {
            let best = self.targets.entry(*target).or_insert(u64::MAX);
            *best = nearest.distance.min(*best);
        }
        let Some((parent, branch, number)) = self.last.take() else {
            return;
        };
        for (target, before) in &parent.distances {
            let distance = before.distance as f64;
            let gain = match distances.get(target) {
                Some(now) => distance - now.distance as f64,
                // The condition was evaluated before the fork: nothing gained, nothing lost.
                None if before.first < number => 0.0,
                None => LOSS * distance,
            };
            let known = self.gains.entry((*target, branch)).or_default();
            known.sum += gain;
            known.count += 1.0;
        }
    }

    fn gain(&self, target: Trigger, branch: u32) -> f64 {
        let known = self.gains.get(&(target, branch));
        known.map_or(0.0, |gain| gain.sum / gain.count)
    }

    /// Makes a target the one to be sought.
    fn focus_on(&mut self, target: Trigger, view: &SearchView<'_, '_>) {
        let mut focus = Focus {
            target,
            queues: BTreeMap::new(),
            best: self.targets.get(&target).copied().unwrap_or(u64::MAX),
            patience: PATIENCE,
        };
        for origin in self.origins.iter().flatten() {
            if view.pool.contains(origin.ticket) {
                focus.add(origin);
            }
        }
        self.focus = Some(focus);
    }

    /// The next target behind the present one that is still open.
    fn change(&mut self, view: &SearchView<'_, '_>) -> bool {
        let is_open = |target: &Trigger| view.is_open(*target);
        self.targets.retain(|target, _| is_open(target));
        let now = self.focus.take().map(|focus| focus.target);
        let behind = self
            .targets
            .keys()
            .find(|t| now.is_none_or(|now| **t > now));
        match behind.or_else(|| self.targets.keys().next()).copied() {
            Some(next) => {
                self.focus_on(next, view);
                true
            }
            None => false,
        }
    }

    /// The best candidate for the present target.
    fn choose(&mut self, view: &SearchView<'_, '_>) -> Option<Ticket> {
        let gains = &self.gains;
        let focus = self.focus.as_mut()?;
        let mut best: Option<(f64, TargetEntry)> = None;
        for (branch, queue) in &mut focus.queues {
            while let Some(Reverse((_, _, ticket))) = queue.peek()
                && !view.pool.contains(*ticket)
            {
                queue.pop();
            }
            let Some(top) = queue.peek() else { continue };
            let known = gains.get(&(focus.target, *branch));
            let gain = known.map_or(0.0, |gain| gain.sum / gain.count);
            let fitness = top.0.0 as f64 - gain;
            if best.is_none_or(|(other, place)| fitness < other || fitness == other && *top > place)
            {
                best = Some((fitness, *top));
            }
        }
        focus.queues.retain(|_, queue| !queue.is_empty());
        best.map(|(_, Reverse((_, _, ticket)))| ticket)
    }

    /// Flips of the same branch, later on the same path, that together may reach the target.
    fn wish(&mut self, ticket: Ticket) {
        self.wishes.clear();
        let (Some(focus), Some(Some(origin))) = (&self.focus, self.origins.get(ticket.slot()))
        else {
            return;
        };
        let gain = self.gain(focus.target, origin.branch);
        let Some(nearest) = origin.run.distances.get(&focus.target) else {
            return;
        };
        if gain <= 0.0 {
            return;
        }
        let flips = (nearest.distance as f64 / gain).ceil();
        let more = (flips as u64).saturating_sub(1).min(MOST_WISHES);
        let left = origin.run.left.borrow();
        let later = left
            .iter()
            .skip_while(|(_, other)| *other != ticket)
            .skip(1);
        let same = later.filter(|(branch, _)| *branch == origin.branch);
        self.wishes
            .extend(same.take(more as usize).map(|(_, t)| *t));
    }

    /// Takes in the last run; true if it came nearer to the present target than any before.
    pub(super) fn add_run(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) -> bool {
        self.learn(view.distances);
        let mut nearer = false;
        if let Some(focus) = &mut self.focus
            && let Some(nearest) = view.distances.get(&focus.target)
            && nearest.distance < focus.best
        {
            focus.best = nearest.distance;
            focus.patience = PATIENCE;
            nearer = true;
        }
        if view.distances.is_empty() {
            return nearer;
        }
        let run = Rc::new(PastRun {
            distances: view.distances.clone(),
            left: RefCell::default(),
        });
        for ticket in tickets {
            let spot = view.pool.spot(*ticket);
            let branch = view.structure.as_deref().map(|s| s.branch(spot));
            let (Some(branch), Some(candidate)) = (branch, view.pool.get(*ticket)) else {
                continue;
            };
            if spot == ALWAYS {
                continue;
            }
            if self.origins.len() <= ticket.slot() {
                self.origins.resize_with(ticket.slot() + 1, || None);
            }
            run.left.borrow_mut().push((branch, *ticket));
            let origin = Origin {
                ticket: *ticket,
                run: run.clone(),
                branch,
                number: candidate.number,
            };
            if let Some(focus) = &mut self.focus {
                focus.add(&origin);
            }
            self.origins[ticket.slot()] = Some(origin);
        }
        nearer
    }
}

impl Focus {
    fn add(&mut self, origin: &Origin) {
        if let Some(nearest) = origin.run.distances.get(&self.target) {
            let queue = self.queues.entry(origin.branch).or_default();
            queue.push(Reverse((nearest.distance, origin.number, origin.ticket)));
        }
    }
}

impl Strategy for Fitness {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        self.add_run(tickets, view);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.wishes.clear();
        for _ in 0..=self.targets.len() {
            let usable = |focus: &Focus| focus.patience > 0 && view.is_open(focus.target);
            if !self.focus.as_ref().is_some_and(usable) && !self.change(view) {
                return None;
            }
            if let Some(ticket) = self.choose(view) {
                if let Some(focus) = &mut self.focus {
                    focus.patience -= 1;
                }
                self.wish(ticket);
                return Some(ticket);
            }
            // Nothing leads there: another target.
            if let Some(focus) = &mut self.focus {
                focus.patience = 0;
            }
        }
        None
    }

    fn taken(&mut self, ticket: Ticket) {
        let origin = self.origins.get_mut(ticket.slot()).and_then(Option::take);
        let origin = origin.filter(|origin| origin.ticket == ticket);
        self.last = origin.map(|o| (o.run, o.branch, o.number));
    }

    fn forget(&mut self, ticket: Ticket) {
        if let Some(origin) = self.origins.get_mut(ticket.slot()) {
            origin.take_if(|origin| origin.ticket == ticket);
        }
    }

    fn wishes(&self) -> &[Ticket] {
        &self.wishes
    }
}
