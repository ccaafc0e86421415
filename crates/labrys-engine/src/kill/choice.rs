//! Which way of the original is tried next for a mutant: one behind the place where its state became
//! another one, or one that leads to the mutant.

use super::original_paths::OriginalPath;
use super::pair_search::PairSearch;
use crate::bitset::BitSet;
use labrys_ir::{CallGraph, CodePosition, Const, Distances, FuncId, Function, Inst, Module, Reg};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The annotation at which a mutant is chosen.
const CHOICE: &str = "labrys_mutant";

/// The places of a candidate's calls; each list is there once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StackId(u32);

/// How far it is from any place to the mutants of a point.
pub(super) struct PointDistances {
    places: BTreeMap<u32, Vec<CodePosition>>,
    graph: CallGraph,
    ids: FxHashMap<Vec<CodePosition>, StackId>,
    /// Outermost call first.
    stacks: Vec<Vec<CodePosition>>,
    known: FxHashMap<u32, KnownDistances>,
}

/// How far it is to one point.
struct KnownDistances {
    distances: Distances,
    /// From the stacks that were asked about; the inner `None` if no way leads to the point.
    from: Vec<Option<Option<u32>>>,
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
            ids: FxHashMap::default(),
            stacks: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// The points of all mutants of the program.
    pub(super) fn points(&self) -> BitSet {
        let mut points = BitSet::default();
        (self.places.keys()).for_each(|point| points.insert(*point as usize));
        points
    }

    /// The number of a list of calls, innermost first.
    pub(super) fn stack(&mut self, calls: Vec<CodePosition>) -> StackId {
        let stacks = &mut self.stacks;
        *self.ids.entry(calls).or_insert_with_key(|calls| {
            stacks.push(calls.iter().rev().copied().collect());
            StackId(stacks.len() as u32 - 1)
        })
    }

    /// The distance of a candidate with these calls; `None` if no way leads to the point.
    fn of(&mut self, module: &Module, point: u32, StackId(stack): StackId) -> Option<u32> {
        let (places, graph) = (&self.places, &self.graph);
        let known = self.known.entry(point).or_insert_with(|| {
            let targets = places.get(&point).map_or(&[][..], Vec::as_slice);
            KnownDistances {
                distances: Distances::to(module, graph, targets),
                from: Vec::new(),
            }
        });
        if known.from.len() < self.stacks.len() {
            known.from.resize(self.stacks.len(), None);
        }
        let stack = stack as usize;
        *known.from[stack].get_or_insert_with(|| known.distances.from_stack(&self.stacks[stack]))
    }
}

/// How many forks come on each path before a point; paths that do not come to it have `NEVER`.
#[derive(Default)]
pub(super) struct ForksBefore(FxHashMap<u32, Vec<u32>>);

const NEVER: u32 = u32::MAX;

impl ForksBefore {
    /// Those of each path, the fewest of these points.
    fn of(&mut self, points: &[u32], paths: &[OriginalPath]) -> Vec<u32> {
        let mut fewest = vec![NEVER; paths.len()];
        for point in points {
            let known = self.0.entry(*point).or_default();
            let new = paths[known.len()..].iter();
            known.extend(new.map(|path| path.forks_before(*point).unwrap_or(NEVER)));
            for (fewest, forks) in fewest.iter_mut().zip(known) {
                *fewest = (*fewest).min(*forks);
            }
        }
        fewest
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
        let mutant = &mut self.killer.mutants[number];
        let points: Vec<u32> = mutant.points().collect();
        let turn = mutant.asked;
        mutant.asked += 1;
        let forks = self.forks_before.of(&points, &self.paths);
        let Some(next) = self.next_behind(&forks) else {
            return self.towards(&points, &forks, turn);
        };
        // By turns: near to the mutant, anywhere behind it, another way to it.
        match turn % 3 {
            0 => Some(next),
            1 => self.any_behind(&forks),
            _ => self.towards(&points, &forks, turn / 3).or(Some(next)),
        }
    }

    /// The candidates that lie behind the mutant, with the forks between them.
    fn behind<'f>(&'f self, forks: &'f [u32]) -> impl Iterator<Item = (u32, usize)> + 'f {
        let waiting = self.waiting.iter().enumerate();
        waiting.filter_map(|(place, waiting)| {
            let between = waiting.candidate.number.checked_sub(forks[waiting.path])?;
            (between > 0).then_some((between, place))
        })
    }

    fn next_behind(&self, forks: &[u32]) -> Option<usize> {
        self.behind(forks).min().map(|(_, place)| place)
    }

    fn any_behind(&mut self, forks: &[u32]) -> Option<usize> {
        let places: Vec<usize> = self.behind(forks).map(|(_, place)| place).collect();
        let any = (self.killer.random() as usize).checked_rem(places.len())?;
        Some(places[any])
    }

    /// A candidate that can lead to the mutant, of those that have not passed it. By turns: the nearest, the
    /// one with the shortest path, since the nearest may lead nowhere, and any.
    fn towards(&mut self, points: &[u32], forks: &[u32], turn: u64) -> Option<usize> {
        let leading = self.leading(points, forks);
        match turn % 3 {
            0 => leading.iter().min().map(|(_, place)| *place),
            1 => {
                let places = leading.iter().map(|(_, place)| *place);
                places.min_by_key(|place| self.waiting[*place].candidate.number)
            }
            _ => {
                let any = (self.killer.random() as usize).checked_rem(leading.len())?;
                Some(leading[any].1)
            }
        }
    }

    /// All of them, with their distances.
    fn leading(&mut self, points: &[u32], forks: &[u32]) -> Vec<(u32, usize)> {
        let module = self.killer.runner.machine.program.module;
        let distances = &mut self.distances;
        let mut leading = Vec::new();
        for (place, waiting) in self.waiting.iter().enumerate() {
            if waiting.candidate.number > forks[waiting.path] {
                continue;
            }
            let reach = points.iter();
            let near = reach.filter_map(|point| distances.of(module, *point, waiting.stack));
            // A jump or a handler may lead where the flow of control does not.
            let near = near
                .min()
                .or_else(|| waiting.may_jump().then_some(u32::MAX));
            leading.extend(near.map(|near| (near, place)));
        }
        leading
    }
}
