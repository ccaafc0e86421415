//! Objects whose address goes nowhere but into loads and stores: only code that names them can
//! read or write them. Everything else is public memory, which any pointer may lead to.

use crate::call_effects::CallEffect;
use crate::definitions::Definitions;
use crate::places::{Base, ConstantRegisters, address, constants};
use labrys_ir::{Const, FuncId, Function, GlobalId, Inst, IntrinsicOp, Module, Reg, SymbolRef};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Called by harnesses of functions: anything may have happened before such a call.
const CALLED_LATER: &str = "labrys_initial_state";

/// The public objects of a program.
pub(crate) struct PublicObjects {
    globals: Vec<bool>,
    /// The stack objects of each function, by register.
    locals: Vec<FxHashSet<Reg>>,
    /// Variables that stand for a local of a function.
    shared_locals: BTreeMap<GlobalId, FuncId>,
    /// A whole program: it starts with initial values, and all code that runs is here.
    pub(crate) is_whole: bool,
}

/// Who can read and write a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Only instructions that name it.
    Program,
    Anybody,
}

impl PublicObjects {
    pub(crate) fn of(
        module: &Module,
        effects: &[CallEffect],
        definitions: &[Option<Definitions>],
        locals: &BTreeMap<GlobalId, FuncId>,
    ) -> PublicObjects {
        let is_whole = is_whole(module, effects);
        let is_local = |number: usize| locals.contains_key(&GlobalId(number as u32));
        let is_hidden = |number: usize| is_whole && !module.globals[number].external;
        let mut objects = PublicObjects {
            globals: (0..module.globals.len())
                .map(|number| !is_local(number) && !is_hidden(number))
                .collect(),
            shared_locals: locals.clone(),
            locals: vec![FxHashSet::default(); module.functions.len()],
            is_whole,
        };
        for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
            objects.publish_symbol(reloc.target);
        }
        for (number, function) in module.functions.iter().enumerate() {
            match &definitions[number] {
                Some(known) if effects[number] == CallEffect::Body => {
                    let taken = |callee: FuncId, reg: Reg| {
                        let known = definitions[callee.index()].as_ref();
                        known.is_some_and(|known| known.param_address(reg).is_some())
                    };
                    objects.look_into(module, number, known, taken);
                }
                // What such a body does is not followed.
                _ => {
                    for (_, value) in &function.constants {
                        if let Const::Symbol(symbol) = value {
                            objects.publish_symbol(*symbol);
                        }
                    }
                }
            }
        }
        objects
    }

    pub(crate) fn is_public(&self, function: usize, base: Base) -> bool {
        match base {
            Base::Global(id) => self.globals[id.index()],
            Base::Local(reg) => self.locals[function].contains(&reg),
            Base::Pointer(_) => true,
        }
    }

    /// Does the variable stand for a local of this function?
    pub(crate) fn is_local_of(&self, base: Base, function: FuncId) -> bool {
        match base {
            Base::Global(id) => self.shared_locals.get(&id) == Some(&function),
            Base::Local(_) | Base::Pointer(_) => false,
        }
    }

    /// Who can name a variable?
    pub(crate) fn owner(&self, id: GlobalId) -> Owner {
        match self.globals[id.index()] {
            true => Owner::Anybody,
            false => Owner::Program,
        }
    }

    /// Does the program start with the value that stands in its text? Not where another part of it
    /// or the library gives it one.
    pub(crate) fn has_initial_value(&self, module: &Module, id: GlobalId) -> bool {
        let global = &module.globals[id.index()];
        let is_local = self.shared_locals.contains_key(&id);
        !is_local
            && self.is_whole
            && !global.external
            && (global.changeable || self.owner(id) == Owner::Program)
    }

    fn publish_symbol(&mut self, symbol: SymbolRef) {
        if let SymbolRef::Global { global, .. } = symbol {
            self.globals[global.index()] = true;
        }
    }

    fn publish(&mut self, function: usize, base: Base) {
        match base {
            Base::Global(id) => self.globals[id.index()] = true,
            Base::Local(reg) => {
                self.locals[function].insert(reg);
            }
            Base::Pointer(_) => {}
        }
    }

    /// Follows the addresses in a function. `taken` says whether a parameter of another one is known
    /// to be the address that it gets.
    fn look_into(
        &mut self,
        module: &Module,
        number: usize,
        known: &Definitions,
        taken: impl Fn(FuncId, Reg) -> bool,
    ) {
        let function = &module.functions[number];
        let constants = constants(function);
        let objects: Vec<Option<Base>> = (0..function.widths.len() as u32)
            .map(|reg| object(function, known, &constants, Reg(reg)))
            .collect();
        // A register that holds an address but is not followed to its object would hide it.
        for (reg, value) in &function.constants {
            if let (Const::Symbol(symbol), None) = (value, objects[reg.index()]) {
                self.publish_symbol(*symbol);
            }
        }
        for inst in &function.code {
            if let Inst::Alloca { dst, .. } = inst
                && objects[dst.index()].is_none()
            {
                self.publish(number, Base::Local(*dst));
            }
            if let Inst::Call { callee, args, .. } = inst {
                let params = &module.functions[callee.index()].params;
                for (i, reg) in function.list(*args).iter().enumerate() {
                    let is_taken = params.get(i).is_some_and(|param| taken(*callee, *param));
                    if let Some(base) = objects[reg.index()].filter(|_| !is_taken) {
                        self.publish(number, base);
                    }
                }
                continue;
            }
            inst.for_each_read(function, &mut |reg| {
                if let Some(base) = objects[reg.index()]
                    && !keeps(inst, reg, base, &objects)
                {
                    self.publish(number, base);
                }
            });
        }
        for (_, source) in &function.copies {
            if let Some(base) = objects[source.index()] {
                self.publish(number, base);
            }
        }
    }
}

fn object(
    function: &Function,
    known: &Definitions,
    constants: &ConstantRegisters,
    reg: Reg,
) -> Option<Base> {
    let base = address(function, known, constants, reg)?.base;
    (!matches!(base, Base::Pointer(_))).then_some(base)
}

/// Does an instruction that reads an address of an object let it go nowhere?
fn keeps(inst: &Inst, reg: Reg, base: Base, objects: &[Option<Base>]) -> bool {
    let same = |dst: &Reg| objects[dst.index()] == Some(base);
    match inst {
        Inst::Load { .. } | Inst::Cmp { .. } | Inst::MemSet { .. } => match inst {
            Inst::MemSet { byte, len, .. } => *byte != reg && *len != reg,
            _ => true,
        },
        Inst::Store { src, .. } => *src != reg,
        Inst::MemCopy { len, .. } => *len != reg,
        Inst::Copy { dst, .. } | Inst::Offset { dst, .. } => same(dst),
        Inst::Index { dst, index, .. } => same(dst) && *index != reg,
        Inst::Intrinsic { op, .. } => matches!(
            op,
            IntrinsicOp::ComparePointers
                | IntrinsicOp::PointersEqual
                | IntrinsicOp::PointersOrdered
                | IntrinsicOp::PointersSubtracted
                | IntrinsicOp::AddressBits
                | IntrinsicOp::AddressBytes
        ),
        _ => false,
    }
}

/// Is all code that can run here, from a start with initial values? Not where a harness calls a
/// function, where functions have no body, or where part of one could not be translated.
fn is_whole(module: &Module, effects: &[CallEffect]) -> bool {
    let is_missing = |inst: &Inst| matches!(inst, Inst::Unsupported { .. });
    let is_unknown = |effect: &CallEffect| *effect == CallEffect::Unknown;
    module.function(CALLED_LATER).is_none()
        && !effects.iter().any(is_unknown)
        && !(module.functions.iter()).any(|function| function.code.iter().any(is_missing))
}
