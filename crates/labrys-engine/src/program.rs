//! A module made ready for execution: functions resolved to bodies or built-in operations,
//! functions and globals laid out in memory.

use crate::address::ObjectId;
use crate::builtins::Builtin;
use crate::exec::decode::Fast;
use crate::exec::notes::Note;
use crate::memory::{Entry, Info, Memory, Object, Region};
use labrys_ir::{FuncId, Module, SymbolRef};
use std::rc::Rc;

/// What calling a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Body,
    Builtin(Builtin),
    /// Declared, but neither defined nor built in.
    Missing,
}

pub(crate) struct Program<'m> {
    pub(crate) module: &'m Module,
    pub(crate) targets: Vec<Target>,
    pub(crate) fast: Vec<Fast>,
    /// The annotations of all functions.
    pub(crate) notes: Vec<Note>,
}

impl<'m> Program<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let targets: Vec<Target> = module
            .functions
            .iter()
            .map(|f| match Builtin::by_name(&f.name) {
                _ if !f.is_external() => Target::Body,
                Some(builtin) => Target::Builtin(builtin),
                None => Target::Missing,
            })
            .collect();
        let mut notes = Vec::new();
        let functions = module.functions.iter();
        let fast = functions
            .map(|f| Fast::new(f, &targets, &mut notes))
            .collect();
        Program {
            module,
            targets,
            fast,
            notes,
        }
    }

    /// Functions come first, then globals.
    pub(crate) fn function_object(id: FuncId) -> ObjectId {
        ObjectId(id.0 + 1)
    }

    pub(crate) fn function_at(&self, object: ObjectId) -> Option<FuncId> {
        let index = object.0.checked_sub(1)?;
        ((index as usize) < self.module.functions.len()).then_some(FuncId(index))
    }

    fn global_object(&self, index: usize) -> ObjectId {
        ObjectId((1 + self.module.functions.len() + index) as u32)
    }

    /// The first object number that is free for the stack and the heap.
    pub(crate) fn first_free(&self) -> u32 {
        self.global_object(self.module.globals.len()).0
    }

    pub(crate) fn address(&self, symbol: SymbolRef) -> u64 {
        match symbol {
            SymbolRef::Global { global, addend } => self
                .global_object(global.index())
                .base()
                .wrapping_add(addend as u64),
            SymbolRef::Function(id) => Self::function_object(id).base(),
            // Block 0 is never the target of a computed goto, so no block has its function's
            // own address.
            SymbolRef::Block { function, block } => {
                Self::function_object(function).base() + u64::from(block.0)
            }
        }
    }

    /// The memory before the first instruction: all globals with their initial values.
    pub(crate) fn initial_memory(&self) -> Memory {
        let mut memory = Memory::default();
        for (index, global) in self.module.globals.iter().enumerate() {
            let info = Rc::new(Info {
                region: Region::Global,
                constant: global.constant,
                element: global.element,
                guess: None,
                limits: Vec::new(),
            });
            let mut object = Object::with_bytes(global.size, &global.init, info);
            for reloc in &global.relocs {
                if reloc.offset + 8 <= global.size {
                    let address = self.address(reloc.target);
                    object.patch(reloc.offset, &address.to_le_bytes());
                }
            }
            memory.set(self.global_object(index), Entry::Live(Rc::new(object)));
        }
        memory
    }
}
