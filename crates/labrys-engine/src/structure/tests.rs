//! The structure against brute force, on random graphs: after every covered objective, what is live
//! and how much lies near is computed again from scratch.

use super::contexts::{CandidateFuture, Contexts, OUTSIDE};
use super::flow::{Flow, Graph};
use super::follow::CertainWay;
use super::live::LiveComponents;
use super::potential::LevelWalks;
use crate::candidates::{Candidate, Pool, Ticket};
use std::collections::{BTreeMap, BTreeSet};

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end
    }
}

fn random_graph(random: &mut Random, nodes: usize, objectives: u32) -> Graph {
    let mut graph = Graph {
        successors: vec![Vec::new(); nodes],
        owned: vec![Vec::new(); nodes],
        wild: Vec::new(),
    };
    for _ in 0..random.below(2 * nodes) + 1 {
        let (from, to) = (random.below(nodes), random.below(nodes) as u32);
        if !graph.successors[from].contains(&to) {
            graph.successors[from].push(to);
        }
    }
    for objective in 0..objectives {
        // Some have several places, and some have none.
        for _ in 0..random.below(3) {
            let owned = &mut graph.owned[random.below(nodes)];
            if !owned.contains(&objective) {
                owned.push(objective);
            }
        }
    }
    if random.below(8) == 0 {
        graph.wild.push(random.below(nodes) as u32);
    }
    graph
}

fn reachable(graph: &Graph, from: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            open.extend(&graph.successors[node as usize]);
        }
    }
    seen
}

fn leads_somewhere(graph: &Graph, open: &BTreeSet<u32>, from: u32) -> bool {
    reachable(graph, from).iter().any(|node| {
        let mut owned = graph.owned[*node as usize].iter();
        owned.any(|o| open.contains(o)) || graph.wild.contains(node)
    })
}

#[test]
fn liveness_is_reachability_of_something_open() {
    let mut random = Random(1);
    for _ in 0..400 {
        let nodes = random.below(30) + 1;
        let objectives = random.below(12) as u32 + 1;
        let graph = random_graph(&mut random, nodes, objectives);
        let mut live = LiveComponents::new(&graph);
        let mut open: BTreeSet<u32> = (0..objectives).collect();
        loop {
            for node in 0..nodes as u32 {
                let expected = leads_somewhere(&graph, &open, node);
                assert_eq!(live.is_live(live.component(node)), expected, "{graph:?}");
            }
            let Some(covered) = open.iter().nth(random.below(open.len().max(1))).copied() else {
                break;
            };
            open.remove(&covered);
            let mut died = Vec::new();
            for (node, owned) in graph.owned.iter().enumerate() {
                if owned.contains(&covered) {
                    live.lose(node as u32, &mut died);
                }
            }
            let mut once = died.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), died.len());
        }
    }
}

/// A candidate as brute force knows it.
struct Waiting {
    ticket: Ticket,
    course: usize,
    /// The nodes behind the calls, innermost first.
    stack: Vec<u32>,
}

fn is_useful(graph: &Graph, courses: &[CertainWay], open: &BTreeSet<u32>, w: &Waiting) -> bool {
    let course = &courses[w.course];
    let mut nodes = std::iter::once(&course.node).chain(&w.stack);
    course.hits.iter().any(|o| open.contains(o)) || nodes.any(|n| leads_somewhere(graph, open, *n))
}

#[test]
fn candidates_are_dropped_when_they_lead_to_nothing_and_not_before() {
    let mut random = Random(2);
    for _ in 0..300 {
        let nodes = random.below(20) + 1;
        let objectives = random.below(10) as u32 + 1;
        let graph = random_graph(&mut random, nodes, objectives);
        let mut live = LiveComponents::new(&graph);
        let mut contexts = Contexts::new(live.components());
        let mut open: BTreeSet<u32> = (0..objectives).collect();
        let courses: Vec<CertainWay> = (0..6)
            .map(|_| CertainWay {
                hits: (0..random.below(3))
                    .map(|_| random.below(objectives as usize) as u32)
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect(),
                node: random.below(nodes) as u32,
                inside: false,
            })
            .collect();
        let mut pool = Pool::default();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            for _ in 0..random.below(8) {
                let stack: Vec<u32> = (0..random.below(4))
                    .map(|_| random.below(nodes) as u32)
                    .collect();
                let course = random.below(courses.len());
                let mut context = OUTSIDE;
                for back in stack.iter().rev() {
                    context = contexts.context(*back, context, &live);
                }
                let is_open = |o| open.contains(&o);
                let future = CandidateFuture {
                    number: course as u32,
                    course: &courses[course],
                    context,
                    evaluation: 0,
                    is_relevant: false,
                };
                let spot = contexts.spot(future, &live, is_open);
                let ticket = pool.insert(Candidate::empty(), spot);
                let new = Waiting {
                    ticket,
                    course,
                    stack,
                };
                let useful = is_useful(&graph, &courses, &open, &new);
                assert_eq!(contexts.is_live(spot), useful);
                if useful {
                    contexts.wait(spot, ticket);
                    waiting.push(new);
                } else {
                    pool.take(ticket);
                }
            }
            // Some are taken meanwhile.
            if !waiting.is_empty() && random.below(2) == 0 {
                let taken = waiting.swap_remove(random.below(waiting.len())).ticket;
                let spot = pool.spot(taken);
                pool.take(taken);
                contexts.leave(spot, |t| pool.contains(t));
            }
            let Some(covered) = open.iter().nth(random.below(open.len().max(1))).copied() else {
                break;
            };
            open.remove(&covered);
            let (mut died, mut dropped) = (Vec::new(), Vec::new());
            for (node, owned) in graph.owned.iter().enumerate() {
                if owned.contains(&covered) {
                    live.lose(node as u32, &mut died);
                }
            }
            contexts.cover(covered, &died, &mut dropped);
            let dropped: BTreeSet<Ticket> =
                dropped.into_iter().filter(|t| pool.contains(*t)).collect();
            let (keep, gone): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|w| is_useful(&graph, &courses, &open, w));
            let expected: BTreeSet<Ticket> = gone.iter().map(|w| w.ticket).collect();
            assert_eq!(dropped, expected);
            for ticket in dropped {
                let spot = pool.spot(ticket);
                pool.take(ticket);
                contexts.leave(spot, |t| pool.contains(t));
            }
            waiting = keep;
        }
    }
}

/// The levels of a walk, step by step over single nodes: a node with objectives ends a level.
fn levels(flow: &Flow, start: u32, stack: &[u32], levels: u32) -> BTreeSet<u32> {
    // State: node, and how many frames of the stack were left.
    let mut best: BTreeMap<(u32, usize), u32> = BTreeMap::new();
    let mut open = vec![((start, 0usize), 0u32)];
    while let Some(((node, left), level)) = open.pop() {
        let owns = !flow.graph.owned[node as usize].is_empty();
        let level = level + u32::from(owns);
        if level > levels || best.get(&(node, left)).is_some_and(|known| *known <= level) {
            continue;
        }
        best.insert((node, left), level);
        for next in &flow.graph.successors[node as usize] {
            open.push(((*next, left), level));
        }
        if flow.returns[node as usize] && left < stack.len() {
            open.push(((stack[left], left + 1), level));
        }
    }
    let sites = best.keys().map(|(node, _)| *node);
    sites
        .filter(|n| !flow.graph.owned[*n as usize].is_empty())
        .collect()
}

#[test]
fn potential_counts_what_is_open_on_the_next_levels() {
    let mut random = Random(3);
    for _ in 0..300 {
        let nodes = random.below(20) + 1;
        let objectives = random.below(12) as u32 + 1;
        let mut graph = random_graph(&mut random, nodes, objectives);
        // One function: what is called is looked at beside the code behind the call.
        let returns: Vec<bool> = (0..nodes).map(|_| random.below(5) == 0).collect();
        for (node, returns) in returns.iter().enumerate() {
            if *returns {
                graph.successors[node].clear();
            }
        }
        let live = LiveComponents::new(&graph);
        let flow = Flow::of_graph(graph, &[nodes as u32], returns);
        let mut contexts = Contexts::new(live.components());
        let mut walks = LevelWalks::new(nodes);
        let mut open: BTreeSet<u32> = (0..objectives).collect();
        let stack: Vec<u32> = (0..random.below(4))
            .map(|_| random.below(nodes) as u32)
            .collect();
        let mut context = OUTSIDE;
        let mut kept = Vec::new();
        for back in stack.iter().rev() {
            let before = context;
            context = contexts.context(*back, context, &live);
            // A context that leads to nothing is left out, levels and all.
            if context != before {
                kept.push(*back);
            }
        }
        kept.reverse();
        let mut last = vec![u32::MAX; nodes * 4];
        loop {
            let count = |owned: &Vec<u32>| owned.iter().filter(|o| open.contains(o)).count() as u32;
            let left: Vec<u32> = flow.graph.owned.iter().map(count).collect();
            for start in 0..nodes as u32 {
                for depth in 1..4 {
                    let got = walks.potential(&flow, &contexts, &[start], context, depth, &left);
                    let sites = levels(&flow, start, &kept, depth);
                    let expected: u32 = sites.iter().map(|n| left[*n as usize]).sum();
                    assert_eq!(got, expected, "{start} {depth} {kept:?} {:?}", flow.graph);
                    let before = &mut last[start as usize * 4 + depth as usize];
                    assert!(got <= *before, "the potential has grown");
                    *before = got;
                }
            }
            let Some(covered) = open.iter().nth(random.below(open.len().max(1))).copied() else {
                break;
            };
            open.remove(&covered);
            walks.forget();
        }
    }
}
