//! The whole program: numbers functions and globals as they are first referred to, and lifts
//! them one after the other until nothing is left to do.

use crate::address_numbers::AddressNumbers;
use crate::blocks::BlockOrder;
use crate::error::LiftResult;
use crate::fold::FoldedConstant;
use crate::function::FunctionLifter;
use crate::llvm::{
    DebugLocation, DebugScope, Linkage, LlvmModule, LlvmType, LlvmTypeKind, LlvmValue,
    TargetLayout, ValueKind,
};
use crate::prepare::ProgramVariables;
use crate::scalar_parts::{ScalarParts, ScalarPartsCache};
use labrys_ir::{FuncId, Function, Global, GlobalId, Module, ScalarKinds, SourceLoc, TextId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Numbers of the attribute kinds that matter.
pub(crate) struct AttributeKinds {
    pub(crate) by_value: u32,
    pub(crate) align: u32,
}

pub(crate) struct ProgramLifter<'m> {
    pub(crate) unit: &'m LlvmModule<'m>,
    pub(crate) layout: TargetLayout<'m>,
    pub(crate) attributes: AttributeKinds,
    pub(crate) address_numbers: AddressNumbers<'m>,
    pub(crate) out: Module,
    shapes: ScalarPartsCache<'m>,
    functions: FxHashMap<LlvmValue<'m>, FuncId>,
    /// External functions that only the lifter refers to, by name.
    library: FxHashMap<&'static str, FuncId>,
    globals: FxHashMap<LlvmValue<'m>, GlobalId>,
    texts: FxHashMap<String, u32>,
    files: FxHashMap<DebugScope<'m>, u32>,
    orders: FxHashMap<LlvmValue<'m>, Rc<BlockOrder<'m>>>,
    pending_functions: Vec<(FuncId, LlvmValue<'m>)>,
    pending_globals: Vec<(GlobalId, LlvmValue<'m>)>,
    pub(crate) variables: ProgramVariables,
    /// Parts of initial values that only instructions can compute.
    pub(crate) late_initials: Vec<LateInitial<'m>>,
}

/// A scalar of a global's initial value that is computed before the program starts.
#[derive(Clone, Copy)]
pub(crate) struct LateInitial<'m> {
    pub(crate) global: GlobalId,
    pub(crate) offset: u64,
    pub(crate) value: LlvmValue<'m>,
}

/// Parameter and result widths of a function type, without the hidden variadic parameter.
pub(crate) struct Signature {
    pub(crate) params: Vec<u8>,
    pub(crate) results: Vec<u8>,
    pub(crate) variadic: bool,
}

impl<'m> ProgramLifter<'m> {
    pub(crate) fn new(unit: &'m LlvmModule<'m>, variables: ProgramVariables) -> Self {
        let session = unit.session();
        let mut lifter = ProgramLifter {
            unit,
            layout: unit.layout(),
            attributes: AttributeKinds {
                by_value: session.attribute("byval"),
                align: session.attribute("align"),
            },
            address_numbers: AddressNumbers::of(unit),
            out: Module::default(),
            shapes: ScalarPartsCache::default(),
            functions: FxHashMap::default(),
            library: FxHashMap::default(),
            globals: FxHashMap::default(),
            texts: FxHashMap::default(),
            files: FxHashMap::default(),
            orders: FxHashMap::default(),
            pending_functions: Vec::new(),
            pending_globals: Vec::new(),
            variables,
            late_initials: Vec::new(),
        };
        // Text 0 is the file of unknown locations.
        lifter.text("");
        lifter
    }

    /// Lifts the kept symbols and all that they refer to.
    pub(crate) fn lift(mut self, keep: &[String]) -> Module {
        if keep.is_empty() {
            for function in self.unit.functions() {
                if !function.is_declaration() {
                    self.function(function);
                }
            }
            for global in self.unit.globals() {
                if global.linkage() != Linkage::LLVMAppendingLinkage {
                    self.global(global);
                }
            }
        }
        for name in keep {
            if let Some(function) = self.unit.function(name) {
                self.function(function);
            } else if let Some(global) = self.unit.global(name) {
                self.global(global);
            }
        }
        self.constructors();
        self.lift_pending();
        self.initialise_late();
        self.out
    }

    /// Lifts everything that has been referred to.
    fn lift_pending(&mut self) {
        let mut next_function = 0;
        let mut next_global = 0;
        loop {
            if next_function < self.pending_functions.len() {
                let (id, value) = self.pending_functions[next_function];
                next_function += 1;
                let lifted = FunctionLifter::lift(self, id, value);
                self.out.functions[id.index()] = lifted;
            } else if next_global < self.pending_globals.len() {
                let (id, value) = self.pending_globals[next_global];
                next_global += 1;
                self.lift_global(id, value);
            } else {
                break;
            }
        }
        self.pending_functions.clear();
        self.pending_globals.clear();
    }

    /// `__attribute__((constructor))`, by priority.
    fn constructors(&mut self) {
        let Some(list) = self.unit.global("llvm.global_ctors") else {
            return;
        };
        let Some(entries) = list.initializer() else {
            return;
        };
        let LlvmTypeKind::Array(count) = list.content_type().kind() else {
            return;
        };
        let mut found = Vec::new();
        for i in 0..count as u32 {
            let Some(entry) = entries.element(i) else {
                continue;
            };
            if let (Some(priority), Some(function)) = (entry.element(0), entry.element(1))
                && function.kind() == ValueKind::LLVMFunctionValueKind
            {
                found.push((priority.bits(), function));
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        for (_, function) in found {
            let id = self.function(function);
            self.out.constructors.push(id);
        }
    }

    /// Puts the initial values that need instructions into a constructor of their own.
    fn initialise_late(&mut self) {
        if self.late_initials.is_empty() {
            return;
        }
        let initials = std::mem::take(&mut self.late_initials);
        let id = FuncId(self.out.functions.len() as u32);
        self.out.functions.push(Function::default());
        let lifted = FunctionLifter::initialiser(self, id, &initials);
        self.out.functions[id.index()] = lifted;
        self.out.constructors.insert(0, id);
        self.lift_pending();
    }

    pub(crate) fn shape(&mut self, ty: LlvmType<'m>) -> LiftResult<Rc<ScalarParts>> {
        self.shapes.of(self.layout, ty)
    }

    pub(crate) fn signature(&mut self, ty: LlvmType<'m>) -> LiftResult<Signature> {
        let mut params = Vec::new();
        for param in ty.params() {
            params.extend(self.shape(param)?.parts.iter().map(|leaf| leaf.width));
        }
        let results = self.shape(ty.result())?;
        Ok(Signature {
            params,
            results: results.parts.iter().map(|leaf| leaf.width).collect(),
            variadic: ty.is_variadic(),
        })
    }

    pub(crate) fn text(&mut self, text: &str) -> TextId {
        if let Some(id) = self.texts.get(text) {
            return TextId(*id);
        }
        let id = self.out.texts.len() as u32;
        self.out.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        TextId(id)
    }

    pub(crate) fn loc(&mut self, location: Option<DebugLocation<'m>>) -> SourceLoc {
        let Some(location) = location.filter(|l| l.line != 0) else {
            return SourceLoc::default();
        };
        let file = match self.files.get(&location.scope) {
            Some(file) => *file,
            None => {
                let file = self.text(&location.scope.file()).0;
                self.files.insert(location.scope, file);
                file
            }
        };
        SourceLoc {
            file,
            line: location.line,
            column: location.column,
        }
    }

    /// The number of a function, which is lifted later if it is new.
    pub(crate) fn function(&mut self, value: LlvmValue<'m>) -> FuncId {
        if let Some(id) = self.functions.get(&value) {
            return *id;
        }
        let id = FuncId(self.out.functions.len() as u32);
        let name = value.name();
        let name = if name.is_empty() {
            format!("unnamed.function.{}", id.0)
        } else {
            name
        };
        self.out.functions.push(Function {
            name,
            ..Function::default()
        });
        self.functions.insert(value, id);
        self.pending_functions.push((id, value));
        id
    }

    /// A function of the C library that an intrinsic stands for.
    pub(crate) fn library_function(
        &mut self,
        name: &'static str,
        params: &[u8],
        results: &[u8],
    ) -> FuncId {
        if let Some(value) = self.unit.function(name) {
            return self.function(value);
        }
        if let Some(id) = self.library.get(name) {
            return *id;
        }
        let mut function = Function {
            name: name.to_owned(),
            results: results.to_vec(),
            ..Function::default()
        };
        for width in params {
            let reg = function.add_reg(*width);
            function.params.push(reg);
        }
        let id = FuncId(self.out.functions.len() as u32);
        self.out.functions.push(function);
        self.library.insert(name, id);
        id
    }

    /// The number of a global, whose initial value is lifted later if it is new.
    pub(crate) fn global(&mut self, value: LlvmValue<'m>) -> GlobalId {
        if let Some(id) = self.globals.get(&value) {
            return *id;
        }
        let id = GlobalId(self.out.globals.len() as u32);
        let name = value.name();
        let name = if name.is_empty() {
            format!("unnamed.global.{}", id.0)
        } else {
            name
        };
        self.out.globals.push(Global {
            name,
            size: 0,
            align: 1,
            init: Vec::new(),
            relocs: Vec::new(),
            constant: false,
            mergeable: false,
            external: false,
            changeable: false,
            element: 0,
            reach: ScalarKinds::NONE,
            parts: Vec::new(),
        });
        self.globals.insert(value, id);
        self.pending_globals.push((id, value));
        id
    }

    /// The order in which the blocks of a function are numbered.
    pub(crate) fn block_order(&mut self, function: LlvmValue<'m>) -> Rc<BlockOrder<'m>> {
        if let Some(order) = self.orders.get(&function) {
            return Rc::clone(order);
        }
        let order = Rc::new(BlockOrder::of(function));
        self.orders.insert(function, Rc::clone(&order));
        order
    }

    /// The function that an ifunc surely resolves to: its resolver returns a constant.
    pub(crate) fn resolved_ifunc(&mut self, ifunc: LlvmValue<'m>) -> Option<FoldedConstant> {
        let resolver = ifunc.resolver()?;
        if resolver.kind() != ValueKind::LLVMFunctionValueKind {
            return None;
        }
        let blocks = resolver.blocks();
        let [block] = blocks.as_slice() else {
            return None;
        };
        let last = block.instructions().last()?;
        let returned = (last.operand_count() == 1).then(|| last.operand(0))?;
        if returned.is_constant() {
            self.fold(returned)
        } else {
            None
        }
    }
}
