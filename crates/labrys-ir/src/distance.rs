//! Shortest distances, in instructions, from any place of a program to the nearest of some
//! targets. A path may go down into called functions and back up through the call stack; a call
//! that is passed over costs as much as the shortest way through the called function.

use crate::call_graph::CallGraph;
use crate::cfg::Cfg;
use crate::{FuncId, Inst, Module};
use std::collections::VecDeque;

/// The distance where no path leads to a target.
const UNREACHABLE: u32 = u32::MAX;

/// An instruction of a function: `code[place]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodePosition {
    pub function: FuncId,
    pub place: u32,
}

/// Distances to one set of targets.
#[derive(Clone, Debug)]
pub struct Distances {
    /// Of every instruction: to the end of its function by returning.
    to_return: Vec<Vec<u32>>,
    /// Of every instruction: to the nearest target without returning.
    to_target: Vec<Vec<u32>>,
}

impl Distances {
    pub fn to(module: &Module, graph: &CallGraph, targets: &[CodePosition]) -> Distances {
        let mut is_target: Vec<Vec<bool>> = module
            .functions
            .iter()
            .map(|f| vec![false; f.code.len()])
            .collect();
        for target in targets {
            let function = is_target.get_mut(target.function.index());
            if let Some(mark) = function.and_then(|f| f.get_mut(target.place as usize)) {
                *mark = true;
            }
        }
        let cfgs: Vec<Cfg> = module.functions.iter().map(Cfg::of).collect();
        let solver = DistanceSolver {
            module,
            graph,
            cfgs: &cfgs,
        };
        let returns = solver.solve(|entries, id, place, inst, next| match inst {
            Inst::Return { .. } => 1,
            _ => next.saturating_add(solver.cost(entries, id, place)),
        });
        let through: Vec<u32> = returns.iter().map(|f| entry(f)).collect();
        let to_target = solver.solve(|entries, id, place, inst, next| {
            if is_target[id.index()][place as usize] {
                return 0;
            }
            let mut best = next.saturating_add(solver.cost(&through, id, place));
            let function = &module.functions[id.index()];
            graph.targets(module, function, inst, |callee| {
                best = best.min(entries[callee.index()].saturating_add(1));
            });
            best
        });
        Distances {
            to_return: returns,
            to_target,
        }
    }

    /// The distance of an instruction to the nearest target that is reached without returning
    /// from its function.
    pub fn from_place(&self, from: CodePosition) -> Option<u32> {
        known(
            *self
                .to_target
                .get(from.function.index())?
                .get(from.place as usize)?,
        )
    }

    /// The distance of a running program: `stack` holds the next instruction of each frame, the
    /// outermost first.
    pub fn from_stack(&self, stack: &[CodePosition]) -> Option<u32> {
        let mut best = UNREACHABLE;
        let mut walked = 0u32;
        for frame in stack.iter().rev() {
            let (Some(targets), Some(returns)) = (
                self.to_target.get(frame.function.index()),
                self.to_return.get(frame.function.index()),
            ) else {
                break;
            };
            let place = frame.place as usize;
            let here = targets.get(place).copied().unwrap_or(UNREACHABLE);
            best = best.min(walked.saturating_add(here));
            walked = walked.saturating_add(returns.get(place).copied().unwrap_or(UNREACHABLE));
        }
        known(best)
    }
}

fn known(distance: u32) -> Option<u32> {
    (distance != UNREACHABLE).then_some(distance)
}

fn entry(function: &[u32]) -> u32 {
    function.first().copied().unwrap_or(UNREACHABLE)
}

struct DistanceSolver<'a> {
    module: &'a Module,
    graph: &'a CallGraph,
    cfgs: &'a [Cfg],
}

impl DistanceSolver<'_> {
    /// What it costs to pass over an instruction, given the way through each function.
    fn cost(&self, through: &[u32], id: FuncId, place: u32) -> u32 {
        let function = &self.module.functions[id.index()];
        let inst = &function.code[place as usize];
        let mut best: Option<u32> = None;
        self.graph.targets(self.module, function, inst, |callee| {
            let external = self.module.functions[callee.index()].is_external();
            let cost = if external { 0 } else { through[callee.index()] };
            best = Some(best.map_or(cost, |known| known.min(cost)));
        });
        best.unwrap_or(0).saturating_add(1)
    }

    /// Smallest solution of `distance = step(entries, place, distance of what follows)`. Only
    /// functions whose callees have improved are computed again.
    fn solve(&self, step: impl Fn(&[u32], FuncId, u32, &Inst, u32) -> u32) -> Vec<Vec<u32>> {
        let functions = &self.module.functions;
        let mut distances: Vec<Vec<u32>> = functions
            .iter()
            .map(|f| vec![UNREACHABLE; f.code.len()])
            .collect();
        let mut entries = vec![UNREACHABLE; functions.len()];
        let mut queue: VecDeque<FuncId> = (0..functions.len() as u32).map(FuncId).collect();
        let mut queued = vec![true; functions.len()];
        while let Some(id) = queue.pop_front() {
            queued[id.index()] = false;
            self.function(id, &entries, &step, &mut distances[id.index()]);
            let new = entry(&distances[id.index()]);
            if new < entries[id.index()] {
                entries[id.index()] = new;
                for caller in &self.graph.callers[id.index()] {
                    if !std::mem::replace(&mut queued[caller.index()], true) {
                        queue.push_back(*caller);
                    }
                }
            }
        }
        distances
    }

    /// Goes over the blocks against the flow until nothing gets shorter.
    fn function(
        &self,
        id: FuncId,
        entries: &[u32],
        step: &impl Fn(&[u32], FuncId, u32, &Inst, u32) -> u32,
        distances: &mut [u32],
    ) {
        let function = &self.module.functions[id.index()];
        let cfg = &self.cfgs[id.index()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.order.iter().rev() {
                let successors = cfg.successors[block.index()].iter();
                let mut next = successors
                    .map(|s| distances[function.blocks[s.index()].start as usize])
                    .min()
                    .unwrap_or(UNREACHABLE);
                let range = function.blocks[block.index()];
                for place in (range.start..range.end).rev() {
                    let inst = &function.code[place as usize];
                    let best = step(entries, id, place, inst, next);
                    if best < distances[place as usize] {
                        distances[place as usize] = best;
                        changed = true;
                    }
                    next = distances[place as usize];
                }
            }
        }
    }
}
