//! Locals whose address is passed to functions of the program, as in `take(&number)`, become variables of
//! the program, so that callees know them. A function that never runs twice at the same time has one
//! such object at a time.

use super::{BottomUp, UnfoldedModule};
use crate::definitions::Definitions;
use crate::places::{Base, address, constants};
use labrys_ir::{Const, FuncId, Global, GlobalId, Inst, Reg, ScalarKinds, SymbolRef};
use std::collections::BTreeSet;

pub(super) fn promote(unfolded: &mut UnfoldedModule, plain: &[bool], order: &BottomUp) {
    for id in &order.order {
        if plain[id.index()] {
            for reg in passed(unfolded, *id, plain) {
                make_variable(unfolded, *id, reg);
            }
        }
    }
}

/// The locals of a function whose address is an argument of a call that is looked into.
fn passed(unfolded: &UnfoldedModule, id: FuncId, plain: &[bool]) -> BTreeSet<Reg> {
    let function = &unfolded.module.functions[id.index()];
    let mut found = BTreeSet::new();
    if !function
        .code
        .iter()
        .any(|inst| matches!(inst, Inst::Alloca { .. }))
    {
        return found;
    }
    let definitions = Definitions::of(&unfolded.module, function);
    let constants = constants(function);
    for inst in &function.code {
        let Inst::Call { callee, args, .. } = inst else {
            continue;
        };
        if !plain[callee.index()] {
            continue;
        }
        for reg in function.list(*args) {
            if let Some(found_address) = address(function, &definitions, &constants, *reg)
                && let Base::Local(local) = found_address.base
                && !definitions.is_unsettled(local)
            {
                found.insert(local);
            }
        }
    }
    found
}

fn make_variable(unfolded: &mut UnfoldedModule, id: FuncId, reg: Reg) {
    let module = &mut unfolded.module;
    let function = &mut module.functions[id.index()];
    let made = function.code.iter().position(|inst| match inst {
        Inst::Alloca { dst, .. } => *dst == reg,
        _ => false,
    });
    let Some(at) = made else {
        return;
    };
    let Inst::Alloca {
        size,
        align,
        element,
        ..
    } = function.code[at]
    else {
        return;
    };
    let global = GlobalId(module.globals.len() as u32);
    // Nobody reads this register.
    let unused = function.add_reg(function.width(reg));
    function.code[at] = Inst::Copy {
        dst: unused,
        src: reg,
    };
    let symbol = SymbolRef::Global { global, addend: 0 };
    function.constants.push((reg, Const::Symbol(symbol)));
    let name = function.names.get(&reg);
    let name = name.map(|name| module.texts.get(name.text.index()).cloned());
    module.globals.push(Global {
        name: name.flatten().unwrap_or_default(),
        size: size.into(),
        align: align.into(),
        init: Vec::new(),
        relocs: Vec::new(),
        constant: false,
        mergeable: false,
        external: false,
        changeable: true,
        element: element.into(),
        reach: ScalarKinds::default(),
        parts: Vec::new(),
    });
    unfolded.locals.insert(global, id);
}
