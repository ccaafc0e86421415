//! Random path: walks down the tree of paths from its root, choosing a side at random at every
//! fork that has candidates on both sides. Candidates high up in the tree, which have the least
//! conditions, are taken more often, and loops do not starve the rest.

use crate::candidates::{SearchView, Strategy, Ticket};
use crate::random::Random;

/// A node of the tree: a fork with two sides, a waiting candidate, or nothing any more.
#[derive(Default)]
struct Node {
    parent: u32,
    sides: Option<[u32; 2]>,
    candidate: Option<Ticket>,
    /// Candidates at and below this node.
    waiting: u32,
}

pub(super) struct RandomPath {
    /// Node 0 is the root.
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// The node of each candidate, by its slot in the pool.
    places: Vec<u32>,
    /// Where the last run started.
    last: u32,
    random: Random,
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> Self {
        RandomPath {
            nodes: vec![Node::default()],
            free: Vec::new(),
            places: Vec::new(),
            last: 0,
            random: Random::new(seed),
        }
    }

    pub(super) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    fn insert(&mut self, tickets: &[Ticket]) {
        // A run that goes on where others have forked already.
        while let Some([_, right]) = self.nodes[self.last as usize].sides {
            self.last = right;
        }
        let start = self.last;
        let mut at = start;
        for (after, ticket) in (0..tickets.len() as u32).rev().zip(tickets) {
            let left = self.new_node(at);
            let right = self.new_node(at);
            self.nodes[at as usize].sides = Some([left, right]);
            if self.places.len() <= ticket.slot() {
                self.places.resize(ticket.slot() + 1, 0);
            }
            self.places[ticket.slot()] = left;
            let node = &mut self.nodes[left as usize];
            node.candidate = Some(*ticket);
            node.waiting = 1;
            self.nodes[right as usize].waiting = after;
            at = right;
        }
        self.count(start, tickets.len() as i32);
    }

    /// Takes a candidate out of the tree; its node.
    fn remove(&mut self, ticket: Ticket) -> Option<u32> {
        let place = *self.places.get(ticket.slot())?;
        let node = self.nodes.get_mut(place as usize)?;
        if node.candidate != Some(ticket) {
            return None;
        }
        node.candidate = None;
        self.count(place, -1);
        Some(place)
    }

    fn new_node(&mut self, parent: u32) -> u32 {
        let node = Node {
            parent,
            ..Node::default()
        };
        match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Adds `change` to the counters from a node up to the root.
    fn count(&mut self, mut node: u32, change: i32) {
        loop {
            let n = &mut self.nodes[node as usize];
            n.waiting = n.waiting.wrapping_add_signed(change);
            if node == 0 {
                break;
            }
            node = n.parent;
        }
    }

    /// Gives the nodes below one back that has nothing waiting any more.
    fn prune(&mut self, node: u32) {
        let mut open = Vec::new();
        open.extend(self.nodes[node as usize].sides.take().into_iter().flatten());
        while let Some(id) = open.pop() {
            open.extend(self.nodes[id as usize].sides.take().into_iter().flatten());
            self.free.push(id);
        }
    }
}

impl Strategy for RandomPath {
    fn add(&mut self, tickets: &[Ticket], _view: &mut SearchView<'_, '_>) {
        self.insert(tickets);
    }

    fn next(&mut self, _view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        if self.nodes[0].waiting == 0 {
            return None;
        }
        let mut at = 0u32;
        while let Some([left, right]) = self.nodes[at as usize].sides {
            let live = [left, right].map(|id| self.nodes[id as usize].waiting > 0);
            let side = match live {
                [true, true] => self.random.coin(),
                [true, false] => 0,
                _ => 1,
            };
            // A side without candidates is not walked again.
            let id = [left, right][side];
            let other = [left, right][1 - side];
            if !live[1 - side] {
                self.prune(other);
            }
            at = id;
        }
        self.nodes[at as usize].candidate
    }

    fn taken(&mut self, ticket: Ticket) {
        if let Some(node) = self.remove(ticket) {
            self.last = node;
        }
    }

    fn forget(&mut self, ticket: Ticket) {
        self.remove(ticket);
    }
}
