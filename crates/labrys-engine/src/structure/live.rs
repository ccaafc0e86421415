//! Which nodes of a graph can still lead to an open objective.
//!
//! The components of the graph are a DAG. Each counts what keeps it alive: its own open objectives
//! and its live successors. When an objective is covered, counters go down along the edges of what
//! dies; so a whole run pays once for each edge, however often something is covered.

use super::components::components;
use super::flow::Graph;

pub(crate) struct LiveComponents {
    /// From a node to its component.
    component: Vec<u32>,
    /// What keeps a component alive.
    support: Vec<u32>,
    predecessors: Vec<Vec<u32>>,
}

impl LiveComponents {
    pub(crate) fn new(graph: &Graph) -> Self {
        let found = components(&graph.successors);
        let mut live = LiveComponents {
            component: found.of,
            support: vec![0; found.count],
            predecessors: vec![Vec::new(); found.count],
        };
        for (node, owned) in graph.owned.iter().enumerate() {
            live.support[live.component[node] as usize] += owned.len() as u32;
        }
        for node in &graph.wild {
            live.support[live.component[*node as usize] as usize] += 1;
        }
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (node, successors) in graph.successors.iter().enumerate() {
            let from = live.component[node];
            let ends = successors.iter().map(|s| live.component[*s as usize]);
            edges.extend(ends.filter(|to| *to != from).map(|to| (from, to)));
        }
        edges.sort_unstable();
        edges.dedup();
        // Successors have smaller numbers, so they are settled first.
        for (from, to) in edges {
            if live.support[to as usize] > 0 {
                live.support[from as usize] += 1;
                live.predecessors[to as usize].push(from);
            }
        }
        live
    }

    pub(crate) fn component(&self, node: u32) -> u32 {
        self.component[node as usize]
    }

    pub(crate) fn is_live(&self, component: u32) -> bool {
        self.support[component as usize] > 0
    }

    pub(crate) fn components(&self) -> usize {
        self.support.len()
    }

    /// An objective of a node is covered; `died` gets the components that lead to nothing now.
    pub(crate) fn lose(&mut self, node: u32, died: &mut Vec<u32>) {
        let mut at = died.len();
        self.weaken(self.component[node as usize], died);
        while let Some(dead) = died.get(at).copied() {
            at += 1;
            for before in std::mem::take(&mut self.predecessors[dead as usize]) {
                self.weaken(before, died);
            }
        }
    }

    fn weaken(&mut self, component: u32, died: &mut Vec<u32>) {
        let support = &mut self.support[component as usize];
        *support -= 1;
        if *support == 0 {
            died.push(component);
        }
    }
}
