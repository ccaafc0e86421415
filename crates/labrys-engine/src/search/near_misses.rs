//! Candidates next to an open outcome that a run has come to and not had.
//!
//! What decides an outcome is often a choice shortly before it that is made in control and not in values:
//! how many letters of a word were read before it is compared with a keyword, whether a loop has had one
//! more turn. So the candidates that a run has left last before such a condition are tried first, those of
//! a run that was made for the sake of the outcome before others: it mostly comes to the same condition,
//! one choice nearer or farther. Each outcome has as many tries as the others, so one that was come to
//! just now has them all until it has caught up.

use crate::candidates::{SearchView, Ticket};
use labrys_expr::Model;
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// So many candidates of a run are next to an outcome that it has missed.
const NEAREST: usize = 8;

/// So many candidates wait for an outcome; older ones are forgotten.
const MOST_WAITING: usize = 64;

/// What waits next to an outcome.
#[derive(Default)]
struct Neighbours {
    tries: u32,
    /// The one to take next is the last one.
    waiting: VecDeque<Neighbour>,
}

/// A candidate, and the input of the run that has come to the outcome: a run that changes it as little as
/// it can comes there again.
struct Neighbour {
    ticket: Ticket,
    input: Rc<Model>,
}

/// The candidates that were left last in front of a place on a path, the oldest first.
type LeftBefore = [Option<Ticket>; NEAREST];

#[derive(Default)]
pub(super) struct NearMisses {
    by_outcome: BTreeMap<Trigger, Neighbours>,
    /// By slot of the pool: what its path had left before a candidate.
    before: Vec<LeftBefore>,
    /// The same for the candidate with which the current run began.
    at_start: LeftBefore,
    /// What the run of the candidate that was chosen last should keep, as far as it can.
    input: Option<Rc<Model>>,
    /// The candidate that was chosen last, and the outcome that it is next to.
    chosen: Option<(Ticket, Trigger)>,
}

impl NearMisses {
    /// The input to start from for the candidate that was chosen last.
    pub(super) fn input(&mut self) -> Option<Rc<Model>> {
        self.input.take()
    }

    /// A run begins with this candidate.
    pub(super) fn taken(&mut self, ticket: Ticket) {
        let before = self.before.get(ticket.slot());
        self.at_start = before.copied().unwrap_or_default();
        self.chosen.take_if(|(chosen, _)| *chosen != ticket);
    }

    /// Takes in what the last run left behind, oldest first.
    pub(super) fn add(&mut self, tickets: &[Ticket], view: &SearchView<'_, '_>) {
        let at_start = std::mem::take(&mut self.at_start);
        self.add_neighbours(tickets, at_start, view);
        let mut before = at_start;
        for ticket in tickets {
            if self.before.len() <= ticket.slot() {
                self.before.resize(ticket.slot() + 1, LeftBefore::default());
            }
            self.before[ticket.slot()] = before;
            before.rotate_left(1);
            before[NEAREST - 1] = Some(*ticket);
        }
    }

    fn add_neighbours(
        &mut self,
        tickets: &[Ticket],
        at_start: LeftBefore,
        view: &SearchView<'_, '_>,
    ) {
        let sake = self.chosen.take().map(|(_, outcome)| outcome);
        for (outcome, missed) in view.distances {
            let is_before = |ticket: &Ticket| {
                let candidate = view.pool.get(*ticket);
                candidate.is_some_and(|c| c.number <= missed.first)
            };
            let of_run = tickets.iter().rev().copied();
            let earlier = at_start.into_iter().rev().flatten();
            let nearest = of_run.chain(earlier).filter(is_before).take(NEAREST);
            let neighbour = |ticket| Neighbour {
                ticket,
                input: view.input.clone(),
            };
            let nearest: Vec<Neighbour> = nearest.map(neighbour).collect();
            let waiting = &mut self.by_outcome.entry(*outcome).or_default().waiting;
            match sake == Some(*outcome) {
                true => waiting.extend(nearest.into_iter().rev()),
                false => nearest.into_iter().for_each(|n| waiting.push_front(n)),
            }
            let surplus = waiting.len().saturating_sub(MOST_WAITING);
            waiting.drain(..surplus);
        }
    }

    /// The next candidate of the outcome that has had the fewest tries.
    pub(super) fn next(&mut self, view: &SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let all = self.by_outcome.iter();
            let waiting = all.filter(|(_, neighbours)| !neighbours.waiting.is_empty());
            let (outcome, _) = waiting.min_by_key(|(_, neighbours)| neighbours.tries)?;
            let outcome = *outcome;
            if !view.is_open(outcome) {
                self.by_outcome.remove(&outcome);
                continue;
            }
            let neighbours = self.by_outcome.get_mut(&outcome)?;
            if let Some(Neighbour { ticket, input }) = neighbours.waiting.pop_back()
                && view.pool.contains(ticket)
            {
                neighbours.tries += 1;
                self.input = Some(input);
                self.chosen = Some((ticket, outcome));
                return Some(ticket);
            }
        }
    }
}
