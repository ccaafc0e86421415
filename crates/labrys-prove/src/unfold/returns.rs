//! A return for each way to it: functions that return a status join all ways in one block, where it is
//! not known any more what held on which.

use labrys_ir::{Block, BlockId, EdgeId, Function, Inst, Reg, block_edges};
use rustc_hash::FxHashMap;

/// A block of more instructions than this does more than to return.
const MAX_INSTRUCTIONS: u32 = 8;
/// A return with more ways to it than this is left as it is.
const MAX_WAYS: usize = 64;

/// Gives each edge to a block that only returns a block of its own.
pub(super) fn split(function: &mut Function) {
    for number in 0..function.blocks.len() {
        let block = function.blocks[number];
        let edges: Vec<EdgeId> = (0..function.blocks.len() as u32)
            .flat_map(|from| block_edges(function, BlockId(from)))
            .filter(|edge| function.edges[edge.index()].target.index() == number)
            .collect();
        let is_split = (2..=MAX_WAYS).contains(&edges.len())
            && number != 0
            && only_returns(function, block)
            && stays_inside(function, number as u32, &edges);
        if is_split {
            for edge in &edges[1..] {
                give_own_block(function, block, *edge);
            }
        }
    }
}

fn only_returns(function: &Function, block: Block) -> bool {
    let code = &function.code[block.start as usize..block.end as usize];
    let is_simple = |inst: &Inst| {
        matches!(
            inst,
            Inst::Copy { .. } | Inst::Cast { .. } | Inst::Cmp { .. } | Inst::Bin { .. }
        )
    };
    let Some((Inst::Return { .. }, before)) = code.split_last() else {
        return false;
    };
    block.end - block.start <= MAX_INSTRUCTIONS && before.iter().all(is_simple)
}

/// The registers that are written on these edges and in the block.
fn written(function: &Function, block: Block, edges: &[EdgeId]) -> Vec<Reg> {
    let copies = edges.iter().flat_map(|edge| function.edge_copies(*edge));
    let mut all: Vec<Reg> = copies.map(|(dst, _)| *dst).collect();
    for inst in &function.code[block.start as usize..block.end as usize] {
        inst.for_each_write(function, &mut |reg| all.push(reg));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Does nobody else write or read what is written there?
fn stays_inside(function: &Function, number: u32, edges: &[EdgeId]) -> bool {
    let block = function.blocks[number as usize];
    let own = written(function, block, edges);
    let is_own = |reg: Reg| own.binary_search(&reg).is_ok();
    let mut inside = true;
    for (at, inst) in function.code.iter().enumerate() {
        if (block.start as usize..block.end as usize).contains(&at) {
            continue;
        }
        inst.for_each_read(function, &mut |reg| inside &= !is_own(reg));
        inst.for_each_write(function, &mut |reg| inside &= !is_own(reg));
    }
    for i in 0..function.edges.len() as u32 {
        for (dst, src) in function.edge_copies(EdgeId(i)) {
            let here = edges.contains(&EdgeId(i));
            inside &= here || !is_own(*dst) && !is_own(*src);
        }
    }
    let fixed = function.params.iter().copied();
    let fixed = fixed.chain(function.constants.iter().map(|(reg, _)| *reg));
    inside && !fixed.into_iter().any(is_own)
}

fn give_own_block(function: &mut Function, block: Block, edge: EdgeId) {
    let mut names: FxHashMap<Reg, Reg> = FxHashMap::default();
    let mut copies = Vec::new();
    for (dst, src) in function.edge_copies(edge).to_vec() {
        let src = names.get(&src).copied().unwrap_or(src);
        let new = function.add_reg(function.width(dst));
        copies.push((new, src));
        names.insert(dst, new);
    }
    let start = function.code.len() as u32;
    for at in block.start..block.end {
        let inst = renamed(function, function.code[at as usize], &mut names);
        function.code.push(inst);
        let loc = function.locs.get(at as usize).copied();
        function.locs.push(loc.unwrap_or_default());
    }
    let end = function.code.len() as u32;
    function.blocks.push(Block { start, end });
    let target = BlockId(function.blocks.len() as u32 - 1);
    let own = function.add_edge(target, &copies);
    function.edges[edge.index()] = function.edges[own.index()];
    // The new edge is nobody's: it has the copies only once.
    function.edges.pop();
}

/// An instruction with the names that its registers have in a copy of its block.
fn renamed(function: &mut Function, inst: Inst, names: &mut FxHashMap<Reg, Reg>) -> Inst {
    let read = |reg: Reg| names.get(&reg).copied().unwrap_or(reg);
    let mut inst = match inst {
        Inst::Copy { dst, src } => Inst::Copy {
            dst,
            src: read(src),
        },
        Inst::Cast {
            op,
            from,
            to,
            dst,
            src,
        } => Inst::Cast {
            op,
            from,
            to,
            dst,
            src: read(src),
        },
        Inst::Cmp {
            op,
            width,
            dst,
            a,
            b,
        } => Inst::Cmp {
            op,
            width,
            dst,
            a: read(a),
            b: read(b),
        },
        Inst::Bin {
            op,
            width,
            nsw,
            dst,
            a,
            b,
        } => Inst::Bin {
            op,
            width,
            nsw,
            dst,
            a: read(a),
            b: read(b),
        },
        Inst::Return { values } => {
            let values: Vec<Reg> = function.list(values).iter().map(|reg| read(*reg)).collect();
            Inst::Return {
                values: function.add_list(&values),
            }
        }
        other => other,
    };
    if let Inst::Copy { dst, .. }
    | Inst::Cast { dst, .. }
    | Inst::Cmp { dst, .. }
    | Inst::Bin { dst, .. } = &mut inst
    {
        let new = function.add_reg(function.width(*dst));
        names.insert(*dst, new);
        *dst = new;
    }
    inst
}
