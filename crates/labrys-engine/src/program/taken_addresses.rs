//! The functions whose address the program uses. Only these can be called through a pointer; a number in
//! memory that looks like the address of another one is a number.

use labrys_ir::{Const, FuncId, Module, SymbolRef};

/// For each function of the module, whether its address is used.
pub(super) fn taken_addresses(module: &Module) -> Vec<bool> {
    let mut taken = vec![false; module.functions.len()];
    let mut note = |function: FuncId| taken[function.index()] = true;
    for (_, value) in module.functions.iter().flat_map(|f| &f.constants) {
        if let Const::Symbol(SymbolRef::Function(function)) = value {
            note(*function);
        }
    }
    for reloc in module.globals.iter().flat_map(|g| &g.relocs) {
        if let SymbolRef::Function(function) = reloc.target {
            note(function);
        }
    }
    taken
}
