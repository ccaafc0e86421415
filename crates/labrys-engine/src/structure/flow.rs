//! The flow of control through a program as a graph of short pieces of code, with the objectives
//! that each piece owns: every way that a run can go is a way of the graph.
//!
//! A node is a piece of a block: it begins where a block does, at an annotation with objectives or
//! behind a call. Calls lead into the called function and to the code behind the call; returns
//! lead nowhere, since the callers of a path that is under way are known (`contexts.rs`). Where
//! the code does not show where control goes, the graph has more ways than there are
//! (`docs/design/070-coverage-structure.md` goes through all of them).

use crate::objectives::ObjectiveMap;
use crate::program::annotations::{Numbers, triggers_of};
use crate::program::{Builtin, Program, Target};
use labrys_ir::{BlockId, CallGraph, FuncId, Function, Inst, IntrinsicOp, Module, block_edges};
use labrys_ledger::Trigger;

/// A graph with objectives at its nodes, and nothing of programs.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) successors: Vec<Vec<u32>>,
    /// The objectives that can be covered at a node.
    pub(crate) owned: Vec<Vec<u32>>,
    /// Nodes from which anything can happen.
    pub(crate) wild: Vec<u32>,
}

pub(crate) struct Flow {
    pub(crate) graph: Graph,
    /// The first node of each function, and behind the last one the number of all their nodes.
    first: Vec<u32>,
    /// The first instruction of each node.
    starts: Vec<u32>,
    /// Does the node end with a return?
    pub(crate) returns: Vec<bool>,
    /// Nodes behind which a function is called once more, which no proof needs.
    pub(crate) extra_calls: Vec<u32>,
    /// Nodes at whose end a function without a body may do what it likes, and where that leads:
    /// functions whose addresses are taken, and `longjmp`.
    pub(crate) stub_effects: Vec<u32>,
    pub(crate) unknown_ways: Vec<u32>,
}

/// The nodes that belong to no function.
#[derive(Clone, Copy)]
struct SharedNodes {
    /// A call of a function that is not known: leads to all whose address is taken.
    any_taken: u32,
    /// A `longjmp`: leads behind every `setjmp`.
    any_jump: u32,
    /// Leads to code that is not known.
    wild: u32,
}

impl Flow {
    pub(crate) fn new(program: &Program<'_>, objectives: &ObjectiveMap) -> Self {
        let module = program.module;
        let mut flow = Flow {
            graph: Graph::default(),
            first: Vec::with_capacity(module.functions.len() + 1),
            starts: Vec::new(),
            returns: Vec::new(),
            extra_calls: Vec::new(),
            stub_effects: Vec::new(),
            unknown_ways: Vec::new(),
        };
        let mut owned: Vec<(u32, u32, Vec<u32>)> = Vec::new();
        for (number, function) in module.functions.iter().enumerate() {
            flow.first.push(flow.starts.len() as u32);
            let numbers = Numbers::of(function);
            let mut is_start = vec![false; function.code.len() + 1];
            for block in &function.blocks {
                is_start[block.start as usize] = true;
            }
            for (place, inst) in function.code.iter().enumerate() {
                let here = objectives_at(inst, function, &numbers, program, objectives);
                if !here.is_empty() {
                    is_start[place] = true;
                    owned.push((number as u32, place as u32, here));
                }
                if leaves_node(inst, program) {
                    is_start[place + 1] = true;
                }
            }
            let starts = (0..function.code.len()).filter(|place| is_start[*place]);
            flow.starts.extend(starts.map(|place| place as u32));
        }
        let count = flow.starts.len() as u32;
        flow.first.push(count);
        let shared_nodes = SharedNodes {
            any_taken: count,
            any_jump: count + 1,
            wild: count + 2,
        };
        let all = count as usize + 3;
        flow.graph.successors = vec![Vec::new(); all];
        flow.graph.owned = vec![Vec::new(); all];
        flow.returns = vec![false; all];
        flow.graph.wild.push(shared_nodes.wild);
        flow.unknown_ways = vec![shared_nodes.any_taken, shared_nodes.any_jump];
        for (function, place, here) in owned {
            let node = flow.node_at(FuncId(function), place);
            flow.graph.owned[node as usize].extend(here);
        }
        flow.connect(program, objectives, shared_nodes);
        for list in flow
            .graph
            .successors
            .iter_mut()
            .chain(&mut flow.graph.owned)
        {
            list.sort_unstable();
            list.dedup();
        }
        flow
    }

    /// A flow of functions with so many nodes each, without code.
    #[cfg(test)]
    pub(crate) fn of_graph(graph: Graph, sizes: &[u32], returns: Vec<bool>) -> Self {
        let mut first = vec![0];
        for size in sizes {
            first.push(first[first.len() - 1] + size);
        }
        Flow {
            graph,
            first,
            starts: Vec::new(),
            returns,
            extra_calls: Vec::new(),
            stub_effects: Vec::new(),
            unknown_ways: Vec::new(),
        }
    }

    /// The node that an instruction belongs to.
    pub(crate) fn node_at(&self, function: FuncId, place: u32) -> u32 {
        let first = self.first[function.index()];
        let nodes = &self.starts[first as usize..self.first[function.index() + 1] as usize];
        let behind = nodes.partition_point(|start| *start <= place) as u32;
        first + behind.saturating_sub(1)
    }

    /// Is the instruction the first of its node?
    pub(crate) fn is_start(&self, node: u32, place: u32) -> bool {
        self.starts.get(node as usize) == Some(&place)
    }

    /// The function of a node; hubs have none.
    pub(crate) fn function_of(&self, node: u32) -> Option<FuncId> {
        let behind = self.first.partition_point(|first| *first <= node);
        let is_hub = behind == self.first.len();
        (!is_hub).then(|| FuncId(behind as u32 - 1))
    }

    fn entry(&self, module: &Module, function: FuncId) -> Option<u32> {
        let external = module.functions[function.index()].is_external();
        (!external).then(|| self.node_at(function, 0))
    }

    fn connect(
        &mut self,
        program: &Program<'_>,
        objectives: &ObjectiveMap,
        shared_nodes: SharedNodes,
    ) {
        let module = program.module;
        let taken = CallGraph::of(module).address_taken;
        for id in &taken {
            let entry = self.entry(module, *id);
            self.graph.successors[shared_nodes.any_taken as usize].extend(entry);
            // An annotation that is called through a pointer has any number.
            if let Target::Builtin(builtin) = program.targets[id.index()] {
                let all = objectives.matching(|t| kind(t) == builtin);
                self.graph.owned[shared_nodes.any_taken as usize].extend(all);
            }
        }
        for (number, function) in module.functions.iter().enumerate() {
            let id = FuncId(number as u32);
            let mut block_by_end = vec![None; function.code.len() + 1];
            for (block, range) in function.blocks.iter().enumerate() {
                block_by_end[range.end as usize] = Some(BlockId(block as u32));
            }
            let (first, last) = (self.first[number], self.first[number + 1]);
            for node in first..last {
                let behind = (node + 1 < last).then_some(node + 1);
                let end = match behind {
                    Some(next) => self.starts[next as usize] as usize,
                    None => function.code.len(),
                };
                let inst = &function.code[end - 1];
                self.returns[node as usize] = matches!(inst, Inst::Return { .. });
                match builtin(inst, program) {
                    Some(Builtin::ExtraCall) => self.extra_calls.push(node),
                    // What is noted during the call may count as a place right behind it.
                    Some(Builtin::Effects) => {
                        self.stub_effects.push(node);
                        self.stub_effects.extend(behind);
                    }
                    _ => {}
                }
                let ways = match block_by_end[end] {
                    Some(block) if inst.is_terminator() => self.jumps(function, id, block),
                    _ => self.straight(program, inst, behind, shared_nodes),
                };
                self.graph.successors[node as usize] = ways;
                if let Inst::Unsupported { .. } = inst {
                    self.graph.successors[node as usize].push(shared_nodes.wild);
                }
                if let (Some(IntrinsicOp::SetJmp), Some(behind)) = (intrinsic(inst), behind) {
                    self.graph.successors[shared_nodes.any_jump as usize].push(behind);
                }
            }
        }
    }

    /// Where a block leads.
    fn jumps(&self, function: &Function, id: FuncId, block: BlockId) -> Vec<u32> {
        let edges = block_edges(function, block).into_iter();
        edges
            .map(|edge| {
                let target = function.edges[edge.index()].target;
                self.node_at(id, function.blocks[target.index()].start)
            })
            .collect()
    }

    /// Where an instruction inside a block leads.
    fn straight(
        &self,
        program: &Program<'_>,
        inst: &Inst,
        behind: Option<u32>,
        shared_nodes: SharedNodes,
    ) -> Vec<u32> {
        let mut ways = Vec::new();
        match inst {
            Inst::Call { callee, .. } => match program.targets[callee.index()] {
                Target::Body => ways.extend(self.entry(program.module, *callee)),
                Target::Builtin(Builtin::Exit | Builtin::Error) => return ways,
                // The model gives up, or there is none: the real function may call back.
                Target::Builtin(Builtin::Unsupported) | Target::Missing => {
                    ways.extend([shared_nodes.any_taken, shared_nodes.any_jump]);
                }
                _ => {}
            },
            Inst::CallPointer { .. } => ways.push(shared_nodes.any_taken),
            _ if intrinsic(inst) == Some(IntrinsicOp::LongJmp) => ways.push(shared_nodes.any_jump),
            _ => {}
        }
        ways.extend(behind);
        ways
    }
}

fn builtin(inst: &Inst, program: &Program<'_>) -> Option<Builtin> {
    let Inst::Call { callee, .. } = inst else {
        return None;
    };
    match program.targets[callee.index()] {
        Target::Builtin(builtin) => Some(builtin),
        _ => None,
    }
}

fn intrinsic(inst: &Inst) -> Option<IntrinsicOp> {
    match inst {
        Inst::Intrinsic { op, .. } => Some(*op),
        _ => None,
    }
}

/// Does control leave the block's straight line at this instruction?
fn leaves_node(inst: &Inst, program: &Program<'_>) -> bool {
    match inst {
        Inst::CallPointer { .. } => true,
        Inst::Call { callee, .. } => match program.targets[callee.index()] {
            Target::Body | Target::Missing => true,
            Target::Builtin(builtin) => matches!(
                builtin,
                Builtin::Exit
                    | Builtin::Error
                    | Builtin::Unsupported
                    | Builtin::ExtraCall
                    | Builtin::Effects
            ),
            Target::Math(_) | Target::Native(_) => false,
        },
        _ => matches!(
            intrinsic(inst),
            Some(IntrinsicOp::SetJmp | IntrinsicOp::LongJmp)
        ),
    }
}

/// The objectives that an instruction may cover.
fn objectives_at(
    inst: &Inst,
    function: &Function,
    numbers: &Numbers,
    program: &Program<'_>,
    objectives: &ObjectiveMap,
) -> Vec<u32> {
    let triggers = triggers_of(inst, function, numbers, &program.targets);
    if !triggers.is_empty() {
        return triggers
            .iter()
            .flat_map(|t| objectives.aims_of(*t))
            .collect();
    }
    // An annotation whose numbers are computed may cover all of its kind.
    match inst {
        Inst::Call { callee, .. } => match program.targets[callee.index()] {
            Target::Builtin(builtin) => objectives.matching(|t| kind(t) == builtin),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The annotation that pulls a trigger.
fn kind(trigger: Trigger) -> Builtin {
    match trigger {
        Trigger::Reach { .. } => Builtin::Reach,
        Trigger::Condition { .. } | Trigger::Pair { .. } => Builtin::Cond,
        Trigger::Decision { .. } => Builtin::Decision,
        Trigger::Case { .. } => Builtin::Case,
        Trigger::Label { .. } => Builtin::Label,
    }
}
