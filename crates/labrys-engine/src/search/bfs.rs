//! Breadth first: the oldest candidate.

use crate::candidates::{SearchView, Strategy, Ticket};
use std::collections::VecDeque;

#[derive(Default)]
pub(super) struct Bfs {
    queue: VecDeque<Ticket>,
}

impl Strategy for Bfs {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        // Tickets of candidates that were dropped lie around until there are too many of them.
        if self.queue.len() > 2 * view.pool.len() {
            self.queue.retain(|t| view.pool.contains(*t));
        }
        self.queue.extend(tickets);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let ticket = self.queue.pop_front()?;
            if view.pool.contains(ticket) {
                return Some(ticket);
            }
        }
    }

    fn prefers_old(&self) -> bool {
        true
    }
}
