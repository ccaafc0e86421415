//! The objects that a call of each function may look at or change, with all that it calls: what memory
//! holds elsewhere is of no interest to it.

use crate::call_effects::CallEffect;
use crate::definitions::Definitions;
use crate::escapes::PublicObjects;
use crate::places::{Base, constants};
use crate::pointer_shape::AddressCode;
use crate::writes::{calls_anything, open_callees};
use labrys_ir::{FuncId, Function, GlobalId, Inst, Module, Reg};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Footprint {
    /// All that is public.
    public: bool,
    objects: BTreeSet<GlobalId>,
}

impl Footprint {
    fn add(&mut self, other: &Footprint) {
        self.public |= other.public;
        self.objects.extend(&other.objects);
    }
}

pub(crate) struct Footprints {
    of: Vec<Footprint>,
}

impl Footprints {
    pub(crate) fn of(
        module: &Module,
        effects: &[CallEffect],
        definitions: &[Option<Definitions>],
        public: &PublicObjects,
    ) -> Footprints {
        let functions = module.functions.iter().zip(definitions).enumerate();
        let mut of: Vec<Footprint> = functions
            .map(|(number, (function, known))| own(number, function, known.as_ref(), public))
            .collect();
        let open = open_callees(module, effects);
        let mut anything = Footprint {
            public: true,
            ..Footprint::default()
        };
        loop {
            let mut changed = false;
            for (number, function) in module.functions.iter().enumerate() {
                let mut all = of[number].clone();
                for inst in &function.code {
                    match inst {
                        Inst::Call { callee, .. } => all.add(&of[callee.index()]),
                        _ if calls_anything(inst) => all.add(&anything),
                        _ => {}
                    }
                }
                changed |= all != of[number];
                of[number] = all;
            }
            let mut next = anything.clone();
            for id in &open {
                next.add(&of[id.index()]);
            }
            changed |= next != anything;
            anything = next;
            if !changed {
                return Footprints { of };
            }
        }
    }

    /// May a call of this function look at the object, or change it?
    pub(crate) fn has(&self, callee: FuncId, base: Base, is_public: bool) -> bool {
        let footprint = &self.of[callee.index()];
        match base {
            _ if is_public => footprint.public,
            Base::Global(id) => footprint.objects.contains(&id),
            Base::Local(_) | Base::Pointer(_) => false,
        }
    }
}

/// What a function touches by itself.
fn own(
    number: usize,
    function: &Function,
    known: Option<&Definitions>,
    public: &PublicObjects,
) -> Footprint {
    let mut footprint = Footprint::default();
    let Some(definitions) = known else {
        footprint.public = true;
        return footprint;
    };
    let constants = constants(function);
    let code = AddressCode {
        function,
        definitions,
        constants: &constants,
    };
    let mut touch = |addr: Reg| match code.shape(addr).map(|shape| shape.object) {
        Some(Base::Global(id)) if !public.is_public(number, Base::Global(id)) => {
            footprint.objects.insert(id);
        }
        Some(Base::Local(_)) => {}
        _ => footprint.public = true,
    };
    for inst in &function.code {
        match *inst {
            Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::MemSet { dst: addr, .. } => {
                touch(addr);
            }
            Inst::MemCopy { dst, src, .. } => {
                touch(dst);
                touch(src);
            }
            _ => {}
        }
    }
    footprint
}
