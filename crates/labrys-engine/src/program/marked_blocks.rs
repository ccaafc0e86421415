//! A program with a call on every edge between two blocks, so that a run can be looked at there. Places of
//! instructions stay as they are.

use super::loop_table::{constant, put_on_edge};
use labrys_ir::{FuncId, Function, Module, Reg, block_edges};

/// The call that is put on edges; its argument is the number of the block that begins. No C function has
/// such a name.
pub(crate) const BLOCK: &str = "labrys block";

/// Puts the calls into some functions of a module.
pub(crate) fn mark_blocks(module: &mut Module, is_wanted: impl Fn(FuncId) -> bool) {
    let callee = FuncId(module.functions.len() as u32);
    for (number, function) in module.functions.iter_mut().enumerate() {
        if is_wanted(FuncId(number as u32)) {
            mark_function(function, callee);
        }
    }
    module.functions.push(Function {
        name: BLOCK.to_owned(),
        widths: vec![32],
        params: vec![Reg(0)],
        ..Function::default()
    });
}

fn mark_function(function: &mut Function, callee: FuncId) {
    let blocks = function.blocks.len() as u32;
    let mut marked = vec![false; function.edges.len()];
    for source in (0..blocks).map(labrys_ir::BlockId) {
        for edge in block_edges(function, source) {
            if !std::mem::replace(&mut marked[edge.index()], true) {
                let target = function.edges[edge.index()].target;
                let number = constant(function, target.0);
                put_on_edge(function, edge, callee, number);
            }
        }
    }
}
