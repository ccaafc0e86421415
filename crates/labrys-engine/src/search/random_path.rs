//! Random path: walks down the tree of paths from its root, choosing a side at random at every
//! fork that has candidates on both sides. Candidates high up in the tree, which have the least
//! conditions, are taken more often, and loops do not starve the rest.

use super::{Strategy, can_move};
use crate::candidate::Candidate;
use crate::state::BitSet;

/// A node of the tree: a fork with two sides, a waiting candidate, or nothing any more.
#[derive(Default)]
struct Node {
    parent: u32,
    sides: Option<[u32; 2]>,
    candidate: Option<Box<Candidate>>,
    /// Candidates at and below this node.
    waiting: u32,
    /// Tells the candidates apart that have the same node one after the other.
    serial: u32,
}

/// Names a candidate in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    node: u32,
    serial: u32,
}

pub(super) struct RandomPath {
    /// Node 0 is the root.
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// Where the last run started.
    last: u32,
    random: u64,
    serial: u32,
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> Self {
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        RandomPath {
            nodes: vec![Node::default()],
            free: Vec::new(),
            last: 0,
            random,
            serial: 0,
        }
    }

    /// 32 random bits.
    pub(super) fn random(&mut self) -> u32 {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    fn coin(&mut self) -> usize {
        (self.random() >> 31) as usize
    }

    /// All candidates that wait, with their tickets.
    pub(super) fn tickets(&self) -> impl Iterator<Item = (Ticket, &Candidate)> {
        self.nodes.iter().enumerate().filter_map(|(node, n)| {
            let ticket = Ticket {
                node: node as u32,
                serial: n.serial,
            };
            Some((ticket, n.candidate.as_deref()?))
        })
    }

    /// Takes a certain candidate, if it still waits.
    pub(super) fn redeem(&mut self, ticket: Ticket) -> Option<Candidate> {
        let node = self.nodes.get_mut(ticket.node as usize)?;
        if node.serial != ticket.serial {
            return None;
        }
        let candidate = node.candidate.take()?;
        self.count(ticket.node, -1);
        self.last = ticket.node;
        Some(*candidate)
    }

    /// Takes in candidates, and tells `each` their tickets.
    pub(super) fn insert(
        &mut self,
        candidates: &mut Vec<Candidate>,
        mut each: impl FnMut(Ticket, &Candidate),
    ) {
        if candidates.is_empty() {
            return;
        }
        let mut at = self.last;
        let added = candidates.len() as i32;
        let start = at;
        for candidate in candidates.drain(..) {
            let left = self.new_node(at);
            let right = self.new_node(at);
            self.nodes[at as usize].sides = Some([left, right]);
            self.serial += 1;
            let ticket = Ticket {
                node: left,
                serial: self.serial,
            };
            each(ticket, &candidate);
            let node = &mut self.nodes[left as usize];
            node.serial = self.serial;
            node.candidate = Some(Box::new(candidate));
            node.waiting = 1;
            at = right;
        }
        // Below the start the k-th fork has all later candidates.
        let mut rest = added;
        let mut node = start;
        while let Some([_, right]) = self.nodes[node as usize].sides {
            rest -= 1;
            self.nodes[right as usize].waiting = rest as u32;
            node = right;
        }
        self.count(start, added);
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
    fn add(&mut self, candidates: &mut Vec<Candidate>) {
        self.insert(candidates, |_, _| {});
    }

    fn take(&mut self, _covered: &BitSet) -> Option<Candidate> {
        if self.nodes[0].waiting == 0 {
            return None;
        }
        let mut at = 0u32;
        while let Some([left, right]) = self.nodes[at as usize].sides {
            let live = [left, right].map(|id| self.nodes[id as usize].waiting > 0);
            let side = match live {
                [true, true] => self.coin(),
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
        let candidate = self.nodes[at as usize].candidate.take()?;
        self.count(at, -1);
        self.last = at;
        Some(*candidate)
    }

    fn len(&self) -> usize {
        self.nodes[0].waiting as usize
    }

    fn give(&mut self) -> Option<Candidate> {
        let movable = |n: &Node| n.candidate.as_deref().is_some_and(can_move);
        let at = self.nodes.iter().position(movable)? as u32;
        let candidate = self.nodes[at as usize].candidate.take()?;
        self.count(at, -1);
        Some(*candidate)
    }

    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_> {
        Box::new(
            self.nodes
                .iter_mut()
                .filter_map(|n| n.candidate.as_deref_mut()),
        )
    }
}
