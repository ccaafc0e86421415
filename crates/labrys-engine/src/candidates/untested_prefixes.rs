//! Candidates whose beginning covers something that no test covers yet, since the run that left
//! them did not count: it was suspended, or an assumption discarded it. They stay until that is
//! covered, whatever lies ahead of them.

use super::pool::Ticket;
use std::collections::BTreeMap;

/// A candidate with objectives of its beginning that may be open.
struct WaitingPrefix {
    ticket: Ticket,
    objectives: Vec<u32>,
}

#[derive(Default)]
pub(crate) struct UntestedPrefixes {
    /// By one objective of each that is open.
    waiting: BTreeMap<u32, Vec<WaitingPrefix>>,
}

impl UntestedPrefixes {
    /// Takes in a candidate; `objectives` are open and at least one.
    pub(crate) fn add(&mut self, ticket: Ticket, mut objectives: Vec<u32>) {
        if let Some(first) = objectives.pop() {
            let owed = WaitingPrefix { ticket, objectives };
            self.waiting.entry(first).or_default().push(owed);
        }
    }

    /// An objective is covered; returns the candidates that need not stay for their beginning.
    pub(crate) fn cover(&mut self, objective: usize, is_open: impl Fn(u32) -> bool) -> Vec<Ticket> {
        let mut free = Vec::new();
        for mut owed in self.waiting.remove(&(objective as u32)).unwrap_or_default() {
            owed.objectives.retain(|o| is_open(*o));
            match owed.objectives.is_empty() {
                true => free.push(owed.ticket),
                false => self.add(owed.ticket, owed.objectives),
            }
        }
        free
    }
}
