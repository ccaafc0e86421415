//! Depth first: the newest candidate.

use crate::candidates::{SearchView, Strategy, Ticket};

#[derive(Default)]
pub(super) struct Dfs {
    stack: Vec<Ticket>,
}

impl Strategy for Dfs {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        // Tickets of candidates that were dropped lie around until there are too many of them.
        if self.stack.len() > 2 * view.pool.len() {
            self.stack.retain(|t| view.pool.contains(*t));
        }
        self.stack.extend_from_slice(tickets);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let ticket = self.stack.pop()?;
            if view.pool.contains(ticket) {
                return Some(ticket);
            }
        }
    }
}
