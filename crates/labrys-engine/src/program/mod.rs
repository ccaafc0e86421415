//! A module made ready for execution: functions resolved to bodies or built-in operations,
//! functions and globals laid out in memory.

mod address_guesses;
pub(crate) mod annotations;
mod builtins;
mod compact;
pub(crate) mod concrete;
mod cut_table;
pub(crate) mod decode;
pub(crate) mod fallible;
pub(crate) mod fault_exits;
mod joins;
mod loop_table;
mod marked_blocks;
pub(crate) mod math;
pub(crate) mod native;
mod taken_addresses;
pub(crate) mod written;

pub(crate) use address_guesses::{AddressRoot, ExpectedWrite};
pub(crate) use builtins::Builtin;
pub use compact::compact;
pub(crate) use cut_table::{CutKind, is_users, mark_cuts};
pub use fallible::faulty_functions;
pub(crate) use joins::Joins;
pub(crate) use loop_table::{LoopTable, MarkedLoop};
pub(crate) use marked_blocks::mark_blocks;

use crate::end::FaultKind;
use crate::error::EngineError;
use crate::memory::{
    Memory, Object, ObjectEntry, ObjectId, ObjectInfo, Region, Slot, Watch, WatchKind, low_mask,
};
use annotations::Annotation;
use decode::FastCode;
use fallible::FallibleCall;
use fault_exits::FaultExits;
use labrys_ir::{
    BlockId, Const, FuncId, Function, Global, GlobalId, Module, Reg, ScalarKinds, SourceLoc,
    SymbolRef, TextId,
};
use labrys_ledger::protocol::STUB_PREFIX;
use math::Math;
use native::NativeFunction;
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;

/// Part of the file name of every model of the library.
const MODEL_FILES: &str = "labrys-runtime";

/// The environment of a program without one, in the models: which variables there are is not known.
const NO_VARIABLES: &str = "labrys_no_variables";

/// What calling a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Body,
    Builtin(Builtin),
    /// An exact operation on floats.
    Math(Math),
    /// Called natively, by its number in [`Program::natives`].
    Native(u32),
    /// Declared, but neither defined nor built in.
    Missing,
}

/// The registers of a function before its first instruction: constants are there already.
#[derive(Debug, Default)]
pub(crate) struct StartRegisters {
    pub(crate) registers: Vec<Slot>,
    /// Those that hold expressions: register, width, value; `None` for an undefined one.
    pub(crate) expressions: Vec<(Reg, u8, Option<u128>)>,
}

/// The function of this name, to start at.
pub(crate) fn entry_of(module: &Module, name: &str) -> Result<FuncId, EngineError> {
    let found = module.function(name);
    found.ok_or_else(|| EngineError::NoFunction(name.to_owned()))
}

pub(crate) struct Program<'m> {
    pub(crate) module: &'m Module,
    pub(crate) targets: Vec<Target>,
    pub(crate) fast: Vec<FastCode>,
    /// The annotations of all functions.
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) natives: Vec<NativeFunction>,
    pub(crate) fault_exits: FaultExits,
    /// By the number of a file: is it a model of the library?
    model_files: Vec<bool>,
    /// What calls of each function by the program rest on.
    fallible: Vec<Option<Box<FallibleCall>>>,
    /// By the number of a function: is it the user's, and no model of the library?
    users: Vec<bool>,
    /// By the number of a function: does it stand for one without a body?
    stubs: Vec<bool>,
    /// By the number of a function: does the program use its address?
    taken: Vec<bool>,
    /// What the registers of each function hold when it is called.
    starts: Vec<OnceLock<StartRegisters>>,
    /// Where the error number is, if the program has one.
    pub(crate) errno: Option<(ObjectId, u64)>,
}

impl<'m> Program<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let mut natives = Vec::new();
        let targets: Vec<Target> = module
            .functions
            .iter()
            .map(|f| target(f, &mut natives))
            .collect();
        let mut annotations = Vec::new();
        let functions = module.functions.iter();
        let fast = functions
            .map(|f| FastCode::new(f, &targets, &mut annotations))
            .collect();
        let fault_exits = FaultExits::new(module, &targets);
        let mut program = Program {
            module,
            targets,
            fast,
            annotations,
            natives,
            fault_exits,
            model_files: module
                .texts
                .iter()
                .map(|t| t.contains(MODEL_FILES))
                .collect(),
            fallible: Vec::new(),
            users: Vec::new(),
            stubs: module
                .functions
                .iter()
                .map(|f| f.name.starts_with(STUB_PREFIX))
                .collect(),
            taken: taken_addresses::taken_addresses(module),
            starts: module.functions.iter().map(|_| OnceLock::new()).collect(),
            errno: None,
        };
        program.find_models();
        program.errno = program.find_errno();
        program
    }

    /// The registers with which a function starts.
    #[inline]
    pub(crate) fn start(&self, id: FuncId) -> &StartRegisters {
        self.starts[id.index()].get_or_init(|| self.make_start(id))
    }

    fn make_start(&self, id: FuncId) -> StartRegisters {
        let function = &self.module.functions[id.index()];
        let mut start = StartRegisters {
            registers: vec![Slot::default(); function.widths.len()],
            expressions: Vec::new(),
        };
        for (reg, value) in &function.constants {
            let width = function.width(*reg);
            let slot = match *value {
                Const::Int(value) if width <= 64 => Slot::concrete(value as u64 & low_mask(width)),
                Const::Symbol(symbol) => Slot::concrete(self.address(symbol)),
                Const::Int(value) => {
                    start.expressions.push((*reg, width, Some(value)));
                    continue;
                }
                Const::Undef => {
                    start.expressions.push((*reg, width, None));
                    continue;
                }
            };
            start.registers[reg.index()] = slot;
        }
        start
    }

    /// Tells the models of the library from the user's functions.
    fn find_models(&mut self) {
        for function in &self.module.functions {
            let mut locs = function.locs.iter();
            let model = locs.find(|loc| loc.line != 0 && !self.is_users(**loc));
            let fallible = model.and_then(|loc| {
                let file = self.module.text(TextId(loc.file));
                FallibleCall::of(&function.name, Path::new(file))
            });
            self.fallible.push(fallible.map(Box::new));
            self.users.push(model.is_none());
        }
    }

    /// What a call of the function rests on, if the user's code calls it.
    #[inline]
    pub(crate) fn fallible(&self, callee: FuncId, caller: FuncId) -> Option<&FallibleCall> {
        let fallible = self.fallible[callee.index()].as_deref()?;
        self.is_users_function(caller).then_some(fallible)
    }

    /// Is it a function of the user, and not of a model?
    #[inline]
    pub(crate) fn is_users_function(&self, function: FuncId) -> bool {
        self.users[function.index()]
    }

    /// Does it stand for a function without a body?
    #[inline]
    pub(crate) fn is_stub(&self, function: FuncId) -> bool {
        self.stubs[function.index()]
    }

    /// Is it a position in the user's code, and not in a model of the library?
    #[inline]
    pub(crate) fn is_users(&self, loc: SourceLoc) -> bool {
        loc.line != 0 && self.model_files.get(loc.file as usize) != Some(&true)
    }

    /// The fault in which a block ends for certain, and the instruction that does it.
    pub(crate) fn fault_in_block(
        &self,
        function: &Function,
        block: BlockId,
    ) -> Option<(u32, FaultKind)> {
        self.fault_exits
            .in_block(self.module, &self.targets, function, block)
    }

    /// The object whose address `__errno_location` returns.
    fn find_errno(&self) -> Option<(ObjectId, u64)> {
        let function = self.module.function("__errno_location")?;
        let function = &self.module.functions[function.index()];
        function
            .constants
            .iter()
            .find_map(|(_, value)| match value {
                Const::Symbol(SymbolRef::Global { global, addend }) => {
                    Some((self.global_object(*global), *addend as u64))
                }
                _ => None,
            })
    }

    /// Functions come first, then globals.
    pub(crate) fn function_object(id: FuncId) -> ObjectId {
        ObjectId(id.0 + 1)
    }

    pub(crate) fn function_at(&self, object: ObjectId) -> Option<FuncId> {
        let index = object.0.checked_sub(1)?;
        ((index as usize) < self.module.functions.len()).then_some(FuncId(index))
    }

    /// Can the function be called through a pointer?
    pub(crate) fn is_address_taken(&self, function: FuncId) -> bool {
        self.taken[function.index()]
    }

    /// The global variable that is this object.
    pub(crate) fn global_at(&self, object: ObjectId) -> Option<&'m Global> {
        let index = object
            .index()
            .checked_sub(1 + self.module.functions.len())?;
        self.module.globals.get(index)
    }

    pub(crate) fn global_object(&self, id: GlobalId) -> ObjectId {
        ObjectId((1 + self.module.functions.len()) as u32 + id.0)
    }

    /// The variables that a pointer of a caller may lead to: object, size, kinds of scalars.
    pub(crate) fn exposed_globals(&self) -> Vec<(ObjectId, u64, ScalarKinds)> {
        let globals = self.module.globals.iter().enumerate();
        globals
            .filter(|(_, global)| !global.reach.is_empty() && !global.constant)
            .map(|(i, global)| {
                let object = self.global_object(GlobalId(i as u32));
                (object, global.size, global.reach)
            })
            .collect()
    }

    /// The first object number that is free for the stack and the heap.
    pub(crate) fn first_free(&self) -> u32 {
        self.global_object(GlobalId(self.module.globals.len() as u32))
            .0
    }

    pub(crate) fn address(&self, symbol: SymbolRef) -> u64 {
        match symbol {
            SymbolRef::Global { global, addend } => self
                .global_object(global)
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
            let info = Rc::new(ObjectInfo {
                region: Region::Global,
                constant: global.constant,
                align: global.align,
                element: global.element,
                guess: None,
                allocated_by: None,
                filled: false,
                watches: Vec::new(),
            });
            let mut object = Object::with_bytes(global.size, &global.init, info);
            for reloc in &global.relocs {
                if reloc.offset + 8 <= global.size {
                    let address = self.address(reloc.target);
                    object.patch(reloc.offset, &address.to_le_bytes());
                }
            }
            if global.name == NO_VARIABLES {
                object.watch(Watch {
                    start: 0,
                    end: 8,
                    flag: Rc::from(labrys_ledger::protocol::limit::SYM_ENV),
                    kind: WatchKind::Reading,
                });
            }
            memory.set(
                self.global_object(GlobalId(index as u32)),
                ObjectEntry::Live(Rc::new(object)),
            );
        }
        memory
    }
}

/// Finds out what a function is.
fn target(function: &Function, natives: &mut Vec<NativeFunction>) -> Target {
    if !function.is_external() {
        return Target::Body;
    }
    // A function that was set aside has no name: nobody can come to it.
    if function.name.is_empty() {
        return Target::Missing;
    }
    if let Some(builtin) = Builtin::by_name(&function.name) {
        return Target::Builtin(builtin);
    }
    let params: Vec<u8> = function.params.iter().map(|p| function.width(*p)).collect();
    if let Some(math) = Math::find(&function.name, &params, &function.results) {
        return Target::Math(math);
    }
    match NativeFunction::find(&function.name, &params, &function.results) {
        Some(native) => {
            natives.push(native);
            Target::Native((natives.len() - 1) as u32)
        }
        None => Target::Missing,
    }
}

/// The functions of the C library that the engine understands without a model.
pub fn library_functions() -> impl Iterator<Item = String> {
    Math::names().chain(native::names())
}
