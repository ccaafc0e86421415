//! Makes a module small for execution: the predicates of labels share registers.

use labrys_ir::{Inst, Module, share_registers};

/// Lets the predicates of labels share registers. Analyses that rely on single assignment come
/// before it.
pub fn compact(module: &mut Module) {
    let label = module
        .functions
        .iter()
        .position(|f| f.name == "labrys_label");
    let Some(label) = label else { return };
    for function in &mut module.functions {
        let ends_label =
            |inst: &Inst| matches!(inst, Inst::Call { callee, .. } if callee.index() == label);
        let code = &function.code;
        let holds_label = |block: &labrys_ir::Block| {
            let code = code.get(block.start as usize..block.end as usize);
            code.is_some_and(|code| code.iter().any(ends_label))
        };
        let chosen: Vec<bool> = function.blocks.iter().map(holds_label).collect();
        if chosen.contains(&true) {
            share_registers(function, &chosen);
        }
    }
    debug_assert_eq!(labrys_ir::verify(module), Ok(()));
}
