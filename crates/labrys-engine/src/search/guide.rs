//! How far a candidate is from an objective that is still open, in instructions of the program.
//!
//! Distances are computed for all open objectives at once and grow stale as objectives get
//! covered; they are computed again now and then, counted in runs and not in time.

use crate::bitset::BitSet;
use crate::candidates::{Candidate, Resume};
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::program::annotations::{Numbers, triggers_of};

use super::near::PlaceHash;
use labrys_ir::{CallGraph, CodePosition, Distances, FuncId, Module};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Runs between two computations of the distances, at least.
const RUNS: u32 = 64;

pub(super) struct DistanceGuide<'m> {
    module: &'m Module,
    graph: CallGraph,
    /// The annotations that have objectives, in the order of the program.
    annotations: Vec<(CodePosition, Vec<u32>)>,
    distances: Distances,
    /// Open objectives when the distances were computed.
    open: usize,
    runs: u32,
}

impl<'m> DistanceGuide<'m> {
    pub(super) fn new(program: &'m Program<'m>, objectives: &ObjectiveMap) -> Self {
        let module = program.module;
        let graph = CallGraph::of(module);
        let mut annotations = Vec::new();
        for (number, function) in module.functions.iter().enumerate() {
            let numbers = Numbers::of(function);
            for (place, inst) in function.code.iter().enumerate() {
                let triggers = triggers_of(inst, function, &numbers, &program.targets);
                let here: Vec<u32> = triggers
                    .iter()
                    .flat_map(|t| objectives.aims_of(*t))
                    .collect();
                if !here.is_empty() {
                    let place = CodePosition {
                        function: FuncId(number as u32),
                        place: place as u32,
                    };
                    annotations.push((place, here));
                }
            }
        }
        let targets: Vec<CodePosition> = annotations.iter().map(|(place, _)| *place).collect();
        let open = annotations.iter().map(|(_, here)| here.len()).sum();
        let distances = Distances::to(module, &graph, &targets);
        DistanceGuide {
            module,
            graph,
            annotations,
            distances,
            open,
            runs: 0,
        }
    }

    pub(super) fn module(&self) -> &'m Module {
        self.module
    }

    /// Called once a run. True if the distances have changed.
    pub(super) fn refresh(&mut self, covered: &BitSet) -> bool {
        self.runs += 1;
        if self.runs < RUNS {
            return false;
        }
        self.runs = 0;
        self.update(covered)
    }

    /// Computes the distances again, if anything was covered. True if they have changed.
    pub(super) fn update(&mut self, covered: &BitSet) -> bool {
        let is_open = |o: &&u32| !covered.contains(**o as usize);
        let open = self.annotations.iter().flat_map(|(_, here)| here);
        let open = open.filter(is_open).count();
        if open == self.open {
            return false;
        }
        self.open = open;
        let targets: Vec<CodePosition> = self
            .annotations
            .iter()
            .filter(|(_, here)| here.iter().any(|o| is_open(&o)))
            .map(|(place, _)| *place)
            .collect();
        self.distances = Distances::to(self.module, &self.graph, &targets);
        true
    }

    /// The distance of a candidate; `None` if nothing open can be reached from it.
    pub(super) fn distance(&self, candidate: &Candidate) -> Option<u32> {
        Some(self.place_and_distance(candidate)?.1)
    }

    /// The same, with the place where it goes on.
    pub(super) fn place_and_distance(&self, candidate: &Candidate) -> Option<(PlaceHash, u32)> {
        let mut stack = candidate.calls();
        let here = stack.first_mut()?;
        here.place = match candidate.resume {
            Resume::Edge(edge) => {
                let function = &self.module.functions[here.function.index()];
                let block = function.edges[edge.index()].target;
                function.blocks[block.index()].start
            }
            // The annotation at which it waits is no aim of its own.
            Resume::Again => here.place + 1,
            Resume::Continue => here.place,
        };
        let place = FxBuildHasher.hash_one(&stack);
        stack.reverse();
        Some((place, self.distances.from_stack(&stack)?))
    }
}
