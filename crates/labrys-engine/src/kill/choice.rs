//! Which way of the original is tried next for a mutant: one behind the place where its state became
//! another one, or one that leads to the mutant.

use super::pair_search::PairSearch;
use labrys_ir::{CallGraph, CodePosition, Const, Distances, FuncId, Function, Inst, Module, Reg};
use std::collections::BTreeMap;

/// The annotation at which a mutant is chosen.
const CHOICE: &str = "labrys_mutant";

/// How far it is from any place to the mutants of a point.
pub(super) struct PointDistances {
    places: BTreeMap<u32, Vec<CodePosition>>,
    graph: CallGraph,
    known: BTreeMap<u32, Distances>,
}

impl PointDistances {
    pub(super) fn new(module: &Module) -> Self {
        let mut places: BTreeMap<u32, Vec<CodePosition>> = BTreeMap::new();
        let choice = module.function(CHOICE);
        for (number, function) in module.functions.iter().enumerate() {
            for (place, inst) in function.code.iter().enumerate() {
                if let Some(point) = point_of(function, inst, choice) {
                    places.entry(point).or_default().push(CodePosition {
                        function: FuncId(number as u32),
                        place: place as u32,
                    });
                }
            }
        }
        PointDistances {
            places,
            graph: CallGraph::of(module),
            known: BTreeMap::new(),
        }
    }

    /// The distance of a candidate, given its calls, innermost first; `None` if no way leads to the
    /// point.
    fn of(&mut self, module: &Module, point: u32, calls: &[CodePosition]) -> Option<u32> {
        let (places, graph) = (&self.places, &self.graph);
        let distances = self.known.entry(point).or_insert_with(|| {
            let targets = places.get(&point).map_or(&[][..], Vec::as_slice);
            Distances::to(module, graph, targets)
        });
        let outermost_first: Vec<CodePosition> = calls.iter().rev().copied().collect();
        distances.from_stack(&outermost_first)
    }
}

/// The point whose mutants an instruction chooses between.
fn point_of(function: &Function, inst: &Inst, choice: Option<FuncId>) -> Option<u32> {
    let Inst::Call { callee, args, .. } = inst else {
        return None;
    };
    let point: Reg = *function
        .list(*args)
        .first()
        .filter(|_| Some(*callee) == choice)?;
    let mut constants = function.constants.iter();
    constants.find_map(|(reg, value)| match value {
        Const::Int(value) if *reg == point => u32::try_from(*value).ok(),
        _ => None,
    })
}

impl PairSearch<'_> {
    /// The place of the candidate that is best for a mutant; `None` if none can lead to it.
    pub(super) fn choose(&mut self, number: usize) -> Option<usize> {
        let mutant = &self.killer.mutants[number];
        let points: Vec<u32> = mutant.points().collect();
        let turn = mutant.asked;
        let behind: Vec<(u32, usize)> = self
            .waiting
            .iter()
            .enumerate()
            .filter_map(|(place, waiting)| {
                let path = &self.paths[waiting.path];
                let forks = path.forks_before(points.iter().copied())?;
                let number = waiting.candidate.number;
                (number > forks).then(|| (number - forks, place))
            })
            .collect();
        self.killer.mutants[number].asked += 1;
        // By turns: near to the mutant, anywhere behind it, another way to it.
        if !behind.is_empty() && turn.is_multiple_of(3) {
            return behind.iter().min().map(|(_, place)| *place);
        }
        if !behind.is_empty() && turn % 3 == 1 {
            let any = self.killer.random() as usize % behind.len();
            return Some(behind[any].1);
        }
        let before = self.nearest(&points, &behind);
        before.or_else(|| behind.iter().min().map(|(_, place)| *place))
    }

    /// The candidate from which it is not far to the mutant, of those that have not passed it.
    fn nearest(&mut self, points: &[u32], behind: &[(u32, usize)]) -> Option<usize> {
        let module = self.killer.runner.machine.program.module;
        let distances = &mut self.distances;
        let mut is_behind = vec![false; self.waiting.len()];
        for (_, place) in behind {
            is_behind[*place] = true;
        }
        let mut best: Option<(u32, usize)> = None;
        for (place, waiting) in self.waiting.iter().enumerate() {
            if is_behind[place] {
                continue;
            }
            let calls = waiting.candidate.calls();
            let reach = points.iter();
            let near = reach.filter_map(|point| distances.of(module, *point, &calls));
            // A jump or a handler may lead where the flow of control does not.
            let anywhere = waiting.may_jump().then_some(u32::MAX);
            let Some(near) = near.min().or(anywhere) else {
                continue;
            };
            if best.is_none_or(|(known, _)| near < known) {
                best = Some((near, place));
            }
        }
        best.map(|(_, place)| place)
    }
}
