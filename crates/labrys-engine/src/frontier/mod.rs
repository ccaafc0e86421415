//! The frontier between what runs have reached and what leads to objectives (Baluda, Denaro and Pezzè,
//! "Bidirectional Symbolic Analysis for Effective Branch Testing", 2016): predicates go backward from the
//! objectives through the code, and states of runs say which of them are reached. An objective that nothing
//! leads to is infeasible, whatever the bounds of loops are.
//!
//! The way backward looks at the code alone and leaves out no state (`precondition.rs`), so a proof rests on
//! nothing that runs have shown. They only say what to look at, and what can be left out of a predicate.

mod call_strings;
mod callees;
mod chain;
mod evidence;
mod expand;
mod facts;
mod float_terms;
mod graph;
mod guide;
mod heap;
mod known;
mod memory_effects;
mod observe;
mod places;
mod pointers;
mod precondition;
mod predecessors;
mod samples;
mod segment;
mod segment_memory;
mod targets;
#[cfg(test)]
mod tests;
mod undefined;
mod words;

pub(crate) use guide::{GoalNode, WantedNodes};

use crate::bitset::BitSet;
use crate::config::{Config, WorkAmount};
use crate::error::EngineError;
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::report::{ClaimList, FrontierProof};
use call_strings::CallStrings;
use evidence::Evidence;
use facts::Facts;
use graph::{Boldness, Closure, FrontierGraph, Kin, NodeId};
use labrys_expr::Arena;
use labrys_ir::{FuncId, KnownFacts, SourceLoc};
use labrys_ledger::Assumption;
use labrys_solver::Solver;
use places::StatePlaces;
use predecessors::ProgramPoint;
use samples::Samples;
use segment::Terms;
use std::collections::{BTreeMap, BTreeSet};
use targets::{SoughtEvent, TargetPredicate};

/// More nodes than this in all: nothing new is looked at.
const MOST_NODES_IN_ALL: usize = 40_000;

/// What only Bitwuzla answers is as much work as so many other questions.
const MORE_FOR_BITWUZLA: u64 = 32;

pub(crate) struct Frontier<'m> {
    program: &'m Program<'m>,
    objectives: &'m ObjectiveMap,
    facts: Facts,
    /// What an analysis before the search knows of all runs.
    known: Option<KnownFacts>,
    contexts: CallStrings,
    terms: Terms,
    solver: Solver,
    graph: FrontierGraph,
    samples: Samples,
    /// By the number of the event that is sought.
    targets: BTreeMap<usize, TargetNodes>,
    has_targets: bool,
    /// The objectives that nothing leads to, with what that rests on.
    excluded: BTreeMap<usize, FrontierProof>,
    evidence: Evidence,
    /// Pieces of code that were gone through.
    pieces: u64,
}

/// The nodes of an event that an objective cannot be covered without.
struct TargetNodes {
    event: SoughtEvent,
    nodes: Vec<NodeId>,
    rests_on: BTreeSet<String>,
    boldness: Boldness,
    /// Nothing more can be said before something new is seen.
    is_stuck: bool,
}

impl<'m> Frontier<'m> {
    /// None if control may go ways that the code does not show.
    pub(crate) fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        config: &Config,
    ) -> Result<Option<Self>, EngineError> {
        let Some(mut facts) = Facts::new(program, entry, false) else {
            return Ok(None);
        };
        let mut contexts = CallStrings::new(program.module, &facts, entry);
        if contexts.is_cut {
            let Some(strict) = Facts::new(program, entry, true) else {
                return Ok(None);
            };
            facts = strict;
            contexts = CallStrings::new(program.module, &facts, entry);
        }
        let name = &program.module.functions[entry.index()].name;
        let source = config.facts.as_ref();
        let known = source.and_then(|source| source.ask(program.module, name, &config.deadline));
        let mut options = config.solver.clone();
        options.deadline = config.deadline.clone();
        let rule = known.as_ref().map_or("", |known| known.rule);
        let terms = Terms {
            places: StatePlaces::new(&contexts),
            arena: Arena::new(),
        };
        Ok(Some(Frontier {
            program,
            objectives,
            has_targets: false,
            facts,
            known,
            contexts,
            terms,
            evidence: Evidence::new(&options, rule)?,
            solver: Solver::new(options)?,
            graph: FrontierGraph::default(),
            samples: Samples::new(),
            targets: BTreeMap::new(),
            excluded: BTreeMap::new(),
            pieces: 0,
        }))
    }

    /// Where the objectives are covered. Runs may have shown where pointers lead.
    fn add_targets(&mut self) {
        let found = targets::targets(self);
        for (number, (event, targets)) in found.into_iter().enumerate() {
            let mut rests_on = BTreeSet::new();
            let mut nodes = Vec::new();
            for target in targets {
                let TargetPredicate {
                    place,
                    predicate,
                    rests_on: texts,
                } = target;
                rests_on.extend(texts);
                let kin = Kin {
                    event: number,
                    boldness: Boldness::Bold,
                };
                nodes.extend(predicate.map(|predicate| self.graph.node(place, predicate, kin)));
            }
            let target = TargetNodes {
                event,
                nodes,
                rests_on,
                boldness: Boldness::Bold,
                is_stuck: false,
            };
            self.targets.insert(number, target);
        }
    }

    /// Looks for proofs for the objectives that are not decided, for so much work at most. True if something
    /// was left undone for want of work.
    pub(crate) fn search(&mut self, decided: &BitSet, most: WorkAmount, config: &Config) -> bool {
        if !std::mem::replace(&mut self.has_targets, true) {
            self.add_targets();
        }
        self.targets
            .retain(|_, target| !decided.contains(target.event.objective));
        let is_cut_short = self.go_backward(most, config);
        self.coarsen();
        is_cut_short
    }

    fn go_backward(&mut self, most: WorkAmount, config: &Config) -> bool {
        let began = self.work();
        let mut open: Vec<usize> = (self.targets.iter())
            .filter(|(_, target)| !target.is_stuck)
            .map(|(number, _)| *number)
            .collect();
        // By turns, a step for each: one that never ends does not keep the others from it.
        while !open.is_empty() {
            let mut left = Vec::new();
            for number in open {
                let is_spent = self.work().less(began).exceeds(most);
                if is_spent || config.should_stop() || self.graph.len() > MOST_NODES_IN_ALL {
                    return true;
                }
                if self.step(number) {
                    left.push(number);
                }
            }
            open = left;
        }
        false
    }

    /// What was done so far.
    pub(crate) fn work(&self) -> WorkAmount {
        let stats = self.solver.stats();
        let (queries, bitwuzla) = (stats.queries, stats.bitwuzla.asked);
        WorkAmount {
            instructions: self.pieces * 64,
            queries: queries + MORE_FOR_BITWUZLA * bitwuzla,
        }
    }

    /// One step for an event; true if there is more to do.
    fn step(&mut self, number: usize) -> bool {
        let Some(target) = self.targets.get(&number) else {
            return false;
        };
        let event = target.event;
        let most = target.boldness.most_nodes();
        match self.graph.closure(&target.nodes, most) {
            Closure::Waits(id) => {
                self.expand(id);
                true
            }
            Closure::Weak(id, link) => {
                self.strengthen(id, link);
                true
            }
            Closure::Closed(nodes, mut assumes) => {
                assumes.extend(target.rests_on.iter().cloned());
                assumes.insert(Assumption::FirstError.to_string());
                let targets = target.nodes.clone();
                self.evidence.goes_by_known = false;
                let steps = self.argument(event, &targets);
                let proof = FrontierProof {
                    predicates: nodes.len(),
                    places: self.places_of(&nodes),
                    assumes,
                    half: event.half,
                    goes_by_known: self.evidence.goes_by_known,
                    steps,
                };
                self.excluded.insert(event.objective, proof);
                self.targets
                    .retain(|_, target| target.event.objective != event.objective);
                false
            }
            Closure::TooLarge if target.boldness.less().is_some() => {
                self.be_less_bold(number);
                true
            }
            Closure::Reached | Closure::TooLarge => {
                if let Some(target) = self.targets.get_mut(&number) {
                    target.is_stuck = true;
                }
                false
            }
        }
    }

    /// Begins again for an event and leaves out less: what was left out led too far.
    fn be_less_bold(&mut self, number: usize) {
        let Some(target) = self.targets.get_mut(&number) else {
            return;
        };
        let Some(less) = target.boldness.less() else {
            return;
        };
        target.boldness = less;
        for id in &mut target.nodes {
            let node = self.graph.get(*id);
            let (place, predicate) = (node.place, node.predicate.clone());
            let kin = Kin {
                event: number,
                boldness: less,
            };
            *id = self.graph.node(place, predicate, kin);
        }
    }

    /// Removes the nodes that lead to nothing open (algorithm 3 of the paper).
    fn coarsen(&mut self) {
        let targets = self.targets.values().flat_map(|target| &target.nodes);
        let targets: Vec<NodeId> = targets.copied().collect();
        let numbers = self.graph.coarsen(&targets);
        for target in self.targets.values_mut() {
            for id in &mut target.nodes {
                *id = numbers.get(id).copied().unwrap_or(*id);
            }
        }
    }

    /// Where some nodes are in the source.
    fn places_of(&self, nodes: &[NodeId]) -> Vec<SourceLoc> {
        let mut places: Vec<SourceLoc> = Vec::new();
        for id in nodes {
            let loc = self.location(self.graph.get(*id).place);
            if !places.contains(&loc) {
                places.push(loc);
            }
        }
        places
    }

    /// Where a place of the code is in the source.
    fn location(&self, point: ProgramPoint) -> SourceLoc {
        let function = self.contexts.get(point.frame).function;
        let function = &self.program.module.functions[function.index()];
        let loc = function.locs.get(point.pc as usize).copied();
        loc.filter(|loc| loc.line != 0).unwrap_or(function.loc)
    }

    /// The questions without a solution that proofs rest on.
    pub(crate) fn claims(&self) -> &ClaimList {
        &self.evidence.claims
    }

    /// What nothing leads to, with the texts of what that rests on.
    pub(crate) fn excluded(&self) -> &BTreeMap<usize, FrontierProof> {
        &self.excluded
    }

    /// Sizes of tables, for `--stats`.
    pub(crate) fn sizes(&self) -> [(&'static str, usize); 4] {
        [
            ("frontier nodes", self.graph.len()),
            ("frontier samples", self.samples.count()),
            ("frontier call strings", self.contexts.len()),
            ("frontier queries", self.solver.stats().queries as usize),
        ]
    }
}
