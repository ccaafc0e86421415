//! How many open objectives lie near a node: the walk down of predictive path search (paper on
//! coverage structures, section IV.C). A level is a step from one node that owns objectives to the
//! next.
//!
//! The walk is the same every time, and only the number of open objectives on it goes down. So a
//! value that was computed earlier is an upper bound.

use super::contexts::{ContextId, Contexts};
use super::flow::Flow;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// At most this many nodes are looked at in one walk; it is about what is near.
const MOST_NODES: usize = 4096;

/// The first nodes with objectives behind a node.
#[derive(Debug, Default)]
struct NodesAhead {
    sites: Vec<u32>,
    /// Can the function return without passing one?
    returns: bool,
}

#[derive(Default)]
pub(crate) struct LevelWalks {
    /// By node, made when it is needed.
    ahead: Vec<Option<Rc<NodesAhead>>>,
}

impl LevelWalks {
    pub(crate) fn new(nodes: usize) -> Self {
        LevelWalks {
            ahead: vec![None; nodes],
        }
    }

    /// Open objectives on the first `levels` levels from `starts`, which have the context of the
    /// same frame. `open` has the number of open objectives of each node.
    pub(crate) fn potential(
        &mut self,
        flow: &Flow,
        contexts: &Contexts,
        starts: &[u32],
        context: ContextId,
        levels: u32,
        open: &[u32],
    ) -> u32 {
        let mut found = 0;
        let mut counted: FxHashSet<u32> = FxHashSet::default();
        let mut seen: FxHashSet<(u32, ContextId)> = FxHashSet::default();
        let mut level: Vec<(u32, ContextId)> = Vec::new();
        for start in starts {
            self.reach(flow, contexts, *start, context, &mut seen, &mut level);
        }
        for _ in 1..levels {
            let mut next = Vec::new();
            for (site, context) in &level {
                if counted.insert(*site) {
                    found += open[*site as usize];
                }
                for node in &flow.graph.successors[*site as usize] {
                    if seen.len() < MOST_NODES {
                        self.reach(flow, contexts, *node, *context, &mut seen, &mut next);
                    }
                }
                self.give_back(flow, contexts, *site, *context, &mut seen, &mut next);
            }
            level = next;
        }
        for (site, _) in &level {
            if counted.insert(*site) {
                found += open[*site as usize];
            }
        }
        found
    }

    /// Adds the first sites from a node on that were not seen yet.
    fn reach(
        &mut self,
        flow: &Flow,
        contexts: &Contexts,
        node: u32,
        context: ContextId,
        seen: &mut FxHashSet<(u32, ContextId)>,
        level: &mut Vec<(u32, ContextId)>,
    ) {
        let (mut node, mut context) = (node, context);
        loop {
            let ahead = self.ahead(flow, node);
            for site in &ahead.sites {
                if seen.insert((*site, context)) {
                    level.push((*site, context));
                }
            }
            if !ahead.returns {
                return;
            }
            // Back in the function that has called the candidate's.
            match contexts.back(context) {
                Some((back, parent)) => (node, context) = (back, parent),
                None => return,
            }
        }
    }

    /// A site at the end of its function leads back to the caller.
    fn give_back(
        &mut self,
        flow: &Flow,
        contexts: &Contexts,
        site: u32,
        context: ContextId,
        seen: &mut FxHashSet<(u32, ContextId)>,
        level: &mut Vec<(u32, ContextId)>,
    ) {
        if flow.returns[site as usize]
            && let Some((back, parent)) = contexts.back(context)
        {
            self.reach(flow, contexts, back, parent, seen, level);
        }
    }

    fn ahead(&mut self, flow: &Flow, node: u32) -> Rc<NodesAhead> {
        if let Some(known) = &self.ahead[node as usize] {
            return known.clone();
        }
        let home = flow.function_of(node);
        let mut ahead = NodesAhead::default();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            if !seen.insert(at) || seen.len() > MOST_NODES {
                continue;
            }
            if !flow.graph.owned[at as usize].is_empty() {
                ahead.sites.push(at);
                continue;
            }
            // Of a function that is called on the way, the code behind the call is there already.
            ahead.returns |= flow.returns[at as usize] && flow.function_of(at) == home;
            open.extend(&flow.graph.successors[at as usize]);
        }
        ahead.sites.sort_unstable();
        let ahead = Rc::new(ahead);
        self.ahead[node as usize] = Some(ahead.clone());
        ahead
    }
}
