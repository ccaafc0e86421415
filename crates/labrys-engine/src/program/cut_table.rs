//! Joins and loop heads of a program, with a call in front of each, so that paths can be stopped there.

use labrys_ir::{
    Block, BlockId, Cfg, Const, Dominators, Edge, EdgeId, FuncId, Function, Inst, Module, Reg,
    RegList, block_edges, loops,
};
use std::collections::{BTreeMap, BTreeSet};

/// The call in front of a join; its argument is the number of the join. No C function has such a name.
pub(crate) const CUT: &str = "labrys cut";

/// Part of the file name of every model of the library: they are left as they are.
const MODEL_FILES: &str = "labrys-runtime";

/// Is this a function of the program under test?
pub(crate) fn is_users(module: &Module, number: usize) -> bool {
    let function = &module.functions[number];
    !module.file(function.loc).contains(MODEL_FILES)
}

/// What comes together at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutKind {
    /// All ways to a join.
    Joins,
    /// The ways into a loop apart from those around it.
    JoinsOfTurns,
}

/// Puts the calls into a module; says how many.
pub(crate) fn mark_cuts(module: &mut Module, kind: CutKind) -> u32 {
    let callee = FuncId(module.functions.len() as u32);
    let users: Vec<bool> = (0..module.functions.len())
        .map(|number| is_users(module, number))
        .collect();
    let mut count = 0;
    for (number, function) in module.functions.iter_mut().enumerate() {
        if users[number] {
            mark_function(function, callee, kind, &mut count);
        }
    }
    module.functions.push(Function {
        name: CUT.to_owned(),
        widths: vec![32],
        params: vec![Reg(0)],
        ..Function::default()
    });
    count
}

fn mark_function(function: &mut Function, callee: FuncId, kind: CutKind, count: &mut u32) {
    let cfg = Cfg::of(function);
    let bodies: BTreeMap<BlockId, Vec<BlockId>> = match kind {
        CutKind::Joins => BTreeMap::new(),
        CutKind::JoinsOfTurns => (loops(&cfg, &Dominators::of(&cfg)).into_iter())
            .map(|found| (found.head, found.body))
            .collect(),
    };
    // By the join, and whether they lead around a loop.
    let mut edges_to: BTreeMap<(BlockId, bool), Vec<(BlockId, EdgeId)>> = BTreeMap::new();
    for source in &cfg.order {
        for edge in block_edges(function, *source) {
            let target = function.edges[edge.index()].target;
            let body = bodies.get(&target);
            let is_around = body.is_some_and(|body| body.contains(source));
            let edges = edges_to.entry((target, is_around)).or_default();
            edges.push((*source, edge));
        }
    }
    for ((target, _), edges) in edges_to {
        let sources: BTreeSet<BlockId> = edges.iter().map(|(source, _)| *source).collect();
        if sources.len() < 2 {
            continue;
        }
        // The end of `a && b`: what is known of the operands is still needed.
        let is_truth = |(_, edge): &(BlockId, EdgeId)| {
            let mut copies = function.edge_copies(*edge).iter();
            copies.any(|(to, _)| function.width(*to) == 1)
        };
        if edges.iter().any(is_truth) {
            continue;
        }
        put_before(function, target, &edges, (callee, *count));
        *count += 1;
    }
}

/// A block with a call, through which all of these edges go.
fn put_before(
    function: &mut Function,
    target: BlockId,
    edges: &[(BlockId, EdgeId)],
    (callee, number): (FuncId, u32),
) {
    let reg = Reg(function.widths.len() as u32);
    function.widths.push(32);
    function.constants.push((reg, Const::Int(number.into())));
    let onward = EdgeId(function.edges.len() as u32);
    let none = function.copies.len() as u32;
    function.edges.push(Edge {
        target,
        copies_start: none,
        copies_end: none,
    });
    let args = RegList {
        start: function.lists.len() as u32,
        len: 1,
    };
    function.lists.push(reg);
    let head = function.blocks[target.index()].start as usize;
    let loc = function.locs.get(head).copied().unwrap_or_default();
    let start = function.code.len() as u32;
    function.code.push(Inst::Call {
        callee,
        args,
        results: RegList::default(),
    });
    function.code.push(Inst::Jump { edge: onward });
    function.locs.extend([loc; 2]);
    for (_, edge) in edges {
        function.edges[edge.index()].target = BlockId(function.blocks.len() as u32);
    }
    function.blocks.push(Block {
        start,
        end: start + 2,
    });
}
