//! Makes a module small for execution: registers that are used in one block only share places.

use labrys_ir::{Inst, Module, share_registers};

/// A frame with so many registers is copied as fast as one with fewer.
const SMALL_FRAME: usize = 32;

/// Lets the registers of large functions share places, and those of the predicates of labels in every
/// function. Analyses that rely on single assignment come before it.
pub fn compact(module: &mut Module) {
    let label = module
        .functions
        .iter()
        .position(|f| f.name == "labrys_label");
    let ends_label =
        |inst: &Inst| matches!(inst, Inst::Call { callee, .. } if Some(callee.index()) == label);
    for function in &mut module.functions {
        let is_large = function.widths.len() > SMALL_FRAME;
        let code = &function.code;
        let holds_label = |block: &labrys_ir::Block| {
            let code = code.get(block.start as usize..block.end as usize);
            code.is_some_and(|code| code.iter().any(ends_label))
        };
        let blocks = function.blocks.iter();
        let chosen: Vec<bool> = blocks.map(|b| is_large || holds_label(b)).collect();
        if chosen.contains(&true) {
            share_registers(function, &chosen);
        }
    }
    debug_assert_eq!(labrys_ir::verify(module), Ok(()));
}
