//! How many open objectives lie near a node: the walk down of predictive path search (paper on
//! coverage structures, section IV.C). A level is a step from one node that owns objectives to the
//! next.
//!
//! The walk is the same every time, and only the number of open objectives on it goes down. So a
//! value that was computed earlier is an upper bound.

use super::contexts::{ContextId, Contexts};
use super::flow::Flow;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// What walks from a place over so many levels have found since something was covered: the
    /// thousand cases of a switch lead to the same code behind it.
    found: FxHashMap<(u32, ContextId, u32), u32>,
}

impl LevelWalks {
    pub(crate) fn new(nodes: usize) -> Self {
        LevelWalks {
            ahead: vec![None; nodes],
            found: FxHashMap::default(),
        }
    }

    /// Something was covered, so that the walks find less.
    pub(crate) fn forget(&mut self) {
        self.found.clear();
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
        let [start] = starts else {
            return self.walk(flow, contexts, starts, context, levels, open);
        };
        let (start, context) = self.first_choice(flow, contexts, *start, context);
        let key = (start, context, levels);
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        let found = self.walk(flow, contexts, &[start], context, levels, open);
        self.found.insert(key, found);
        found
    }

    /// The place that a node leads to without passing an objective or a choice; a walk from there
    /// finds the same.
    fn first_choice(
        &self,
        flow: &Flow,
        contexts: &Contexts,
        mut node: u32,
        mut context: ContextId,
    ) -> (u32, ContextId) {
        // No more steps than there are nodes: a loop without objectives has no first choice.
        for _ in 0..flow.graph.successors.len() {
            if !flow.graph.owned[node as usize].is_empty() {
                break;
            }
            let only = match flow.graph.successors[node as usize][..] {
                [only] if flow.function_of(only) == flow.function_of(node) => Some(only),
                _ => None,
            };
            match (only, flow.returns[node as usize], contexts.back(context)) {
                (Some(only), false, _) => node = only,
                (None, true, Some(back)) if flow.graph.successors[node as usize].is_empty() => {
                    (node, context) = back;
                }
                _ => break,
            }
        }
        (node, context)
    }

    fn walk(
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

#[cfg(test)]
mod tests {
    use super::super::contexts::OUTSIDE;
    use super::super::flow::Graph;
    use super::super::live::LiveComponents;
    use super::*;

    /// The cases of a switch, each of which leads to the end of the function, and the code behind
    /// its call.
    #[test]
    fn cases_that_lead_to_the_same_code_take_one_walk() {
        const CASES: usize = 500;
        // Nodes: the cases, the return, and in the caller the code behind the call.
        let (end, behind) = (CASES as u32, CASES as u32 + 1);
        let mut successors = vec![vec![end]; CASES];
        successors.extend([vec![], vec![]]);
        let mut owned = vec![Vec::new(); CASES + 1];
        owned.push(vec![0, 1]);
        let graph = Graph {
            successors,
            owned,
            wild: Vec::new(),
        };
        let live = LiveComponents::new(&graph);
        let returns = (0..=behind).map(|node| node == end).collect();
        let flow = Flow::of_graph(graph, &[end + 1, 1], returns);
        let mut contexts = Contexts::new(live.components());
        let context = contexts.context(behind, OUTSIDE, &live);
        let mut walks = LevelWalks::new(CASES + 2);
        let mut open = vec![0; CASES + 2];
        for left in [2, 1] {
            open[behind as usize] = left;
            walks.forget();
            for case in 0..end {
                let got = walks.potential(&flow, &contexts, &[case], context, 2, &open);
                assert_eq!(got, left);
            }
            assert_eq!(walks.found.len(), 1, "each case has a walk of its own");
        }
    }
}
