//! Changes of modules, functions and instructions: what the comparison of mutants needs to make
//! one function out of a program, to define all that it does and to fix its choices.

use super::module::{LlvmContext, LlvmModule};
use super::value::{LlvmValue, ValueKind};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::comdat::LLVMSetComdat;
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex, LLVMOpcode, LLVMVisibility};
use std::ffi::{CStr, CString};
use std::ptr::null_mut;

/// An attribute of a function, of its result or of a parameter, or of a call of it.
pub(crate) enum AttributeName {
    Known(u32),
    Text(String),
}

impl LlvmContext {
    /// Values keep no names from now on: code that differs only in them is the same.
    pub(crate) fn discard_names(&self) {
        // SAFETY: the context is live.
        unsafe { LLVMContextSetDiscardValueNames(self.raw(), 1) }
    }

    /// Reads a module in LLVM's text form.
    pub(crate) fn read_text(&self, text: &CStr) -> Result<LlvmModule<'_>, String> {
        let bytes = text.to_bytes();
        // SAFETY: the parser takes the copied buffer; its message is freed here.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"text".as_ptr(),
            );
            let (mut raw, mut message) = (null_mut(), null_mut());
            if LLVMParseIRInContext(self.raw(), buffer, &mut raw, &mut message) == 0 {
                return Ok(LlvmModule::new(raw, self));
            }
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            Err(text)
        }
    }
}

impl<'s> LlvmModule<'s> {
    /// Another module with the same content.
    pub(crate) fn copy(&self) -> LlvmModule<'s> {
        // SAFETY: the module is live; the copy is of the same context.
        LlvmModule::new(unsafe { LLVMCloneModule(self.raw()) }, self.session())
    }

    /// The module as bitcode.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        // SAFETY: the module is live; the buffer is freed here.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw());
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    pub(crate) fn drop_assembly(&self) {
        // SAFETY: the text is empty.
        unsafe { LLVMSetModuleInlineAsm2(self.raw(), c"".as_ptr(), 0) }
    }

    /// The kind of machine and the layout of another module.
    pub(crate) fn take_target(&self, other: &LlvmModule<'_>) {
        // SAFETY: both modules are live; LLVM copies the texts.
        unsafe {
            LLVMSetTarget(self.raw(), LLVMGetTarget(other.raw()));
            LLVMSetDataLayout(self.raw(), LLVMGetDataLayoutStr(other.raw()));
        }
    }

    pub(crate) fn is_for_x86_64(&self) -> bool {
        // SAFETY: the module is live and owns the text.
        let triple = unsafe { CStr::from_ptr(LLVMGetTarget(self.raw())) };
        triple.to_bytes().starts_with(b"x86_64")
    }

    /// A constant of which only the size is known.
    pub(crate) fn unknown_constant(&self, name: &str, size: u64) -> LlvmValue<'_> {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a fresh global of this module, of bytes.
        unsafe {
            let bytes = LLVMArrayType2(LLVMInt8TypeInContext(self.session().raw()), size);
            let raw = LLVMAddGlobal(self.raw(), bytes, name.as_ptr());
            LLVMSetGlobalConstant(raw, 1);
            LLVMSetAlignment(raw, 16);
            LlvmValue::new(raw)
        }
    }

    /// Copies bytes from one object to another of the same size, before an instruction.
    pub(crate) fn insert_copy(
        &self,
        before: LlvmValue<'_>,
        to: LlvmValue<'_>,
        from: LlvmValue<'_>,
        size: u64,
    ) {
        self.build_before(before, |builder| {
            // SAFETY: both are pointers that are defined before the instruction.
            unsafe {
                let size = LLVMConstInt(LLVMInt64TypeInContext(self.session().raw()), size, 0);
                LLVMBuildMemCpy(builder, to.raw, 1, from.raw, 1, size)
            }
        });
    }

    /// Loads a value of the type of another one, before an instruction.
    pub(crate) fn insert_load(
        &self,
        before: LlvmValue<'_>,
        like: LlvmValue<'_>,
        from: LlvmValue<'_>,
    ) -> LlvmValue<'_> {
        // SAFETY: `from` is a pointer that is defined before the instruction.
        LlvmValue::new(self.build_before(before, |builder| unsafe {
            LLVMBuildLoad2(builder, LLVMTypeOf(like.raw), from.raw, c"".as_ptr())
        }))
    }

    /// Calls a function, before an instruction.
    pub(crate) fn insert_call(
        &self,
        before: LlvmValue<'_>,
        function: LlvmValue<'_>,
        arguments: &[LlvmValue<'_>],
    ) -> LlvmValue<'_> {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|a| a.raw).collect();
        // SAFETY: the arguments are of the types that the function has, and defined before.
        LlvmValue::new(self.build_before(before, |builder| unsafe {
            LLVMBuildCall2(
                builder,
                LLVMGlobalGetValueType(function.raw),
                function.raw,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                c"".as_ptr(),
            )
        }))
    }

    fn build_before(
        &self,
        before: LlvmValue<'_>,
        build: impl FnOnce(LLVMBuilderRef) -> LLVMValueRef,
    ) -> LLVMValueRef {
        // SAFETY: the instruction is one of this module; the builder is freed here.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.session().raw());
            LLVMPositionBuilderBefore(builder, before.raw);
            let built = build(builder);
            LLVMDisposeBuilder(builder);
            built
        }
    }

    /// A constant of 64 bits.
    pub(crate) fn number(&self, value: u64) -> LlvmValue<'_> {
        // SAFETY: the type is of this context.
        LlvmValue::new(unsafe {
            LLVMConstInt(LLVMInt64TypeInContext(self.session().raw()), value, 0)
        })
    }

    /// Gives a function an attribute that LLVM knows.
    pub(crate) fn set_attribute(&self, function: LlvmValue<'_>, name: &str) {
        let kind = self.session().attribute(name);
        // SAFETY: the function belongs to this module and the kind to its context.
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.session().raw(), kind, 0);
            LLVMAddAttributeAtIndex(function.raw, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Makes the end of a block an endless loop.
    pub(crate) fn loop_for_ever(&self, end: LlvmValue<'_>) {
        // SAFETY: `end` is the terminator of a block without successors; the new block is of the
        // same function.
        unsafe {
            let context = self.session().raw();
            let function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(end.raw));
            let block = LLVMAppendBasicBlockInContext(context, function, c"".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block);
            LLVMBuildBr(builder, block);
            LLVMPositionBuilderBefore(builder, end.raw);
            LLVMBuildBr(builder, block);
            LLVMDisposeBuilder(builder);
            LLVMInstructionEraseFromParent(end.raw);
        }
    }
}

impl<'m> LlvmValue<'m> {
    /// A number of the same type.
    pub(crate) fn same_type_number(self, value: u64) -> LlvmValue<'m> {
        // SAFETY: asked only of integers.
        LlvmValue::new(unsafe { LLVMConstInt(LLVMTypeOf(self.raw), value, 0) })
    }

    /// Everybody who uses this value uses the other one.
    pub(crate) fn replace_by(self, other: LlvmValue<'m>) {
        // SAFETY: both are of one type and one function or constants.
        unsafe { LLVMReplaceAllUsesWith(self.raw, other.raw) }
    }

    pub(crate) fn set_operand(self, index: u32, value: LlvmValue<'m>) {
        // SAFETY: the index is below the count of operands, and the value of the type of the old.
        unsafe { LLVMSetOperand(self.raw, index, value.raw) }
    }

    /// The instruction before this one in its block.
    pub(crate) fn previous(self) -> Option<LlvmValue<'m>> {
        // SAFETY: only called for instructions in blocks.
        LlvmValue::optional(unsafe { LLVMGetPreviousInstruction(self.raw) })
    }

    /// Takes an instruction that nothing uses out of its function.
    pub(crate) fn erase(self) {
        // SAFETY: the instruction has no users; the caller does not use it again.
        unsafe { LLVMInstructionEraseFromParent(self.raw) }
    }

    pub(crate) fn is_undefined(self) -> bool {
        // SAFETY: `raw` is a live value; poison is a kind of `undef` for LLVM.
        unsafe { LLVMIsUndef(self.raw) != 0 || LLVMIsPoison(self.raw) != 0 }
    }

    /// Forgets the initial value of a variable.
    pub(crate) fn drop_initializer(self) {
        // SAFETY: only called for global variables; without a value they are declarations.
        unsafe { LLVMSetInitializer(self.raw, null_mut()) }
    }

    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: the name is given with its length.
        unsafe { LLVMSetValueName2(self.raw, name.as_ptr().cast(), name.len()) }
    }

    /// What the linker does with a definition beyond its linkage is forgotten.
    pub(crate) fn make_plain(self) {
        // SAFETY: only called for functions and global variables.
        unsafe {
            LLVMSetComdat(self.raw, null_mut());
            LLVMSetVisibility(self.raw, LLVMVisibility::LLVMDefaultVisibility);
        }
    }

    /// Forgets what a compiler may assume of an instruction: flags, alignment and metadata.
    pub(crate) fn drop_promises(self) {
        use LLVMOpcode::*;
        // SAFETY: each flag is taken from instructions that may have it.
        unsafe {
            match LLVMGetInstructionOpcode(self.raw) {
                LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMTrunc => {
                    LLVMSetNUW(self.raw, 0);
                    LLVMSetNSW(self.raw, 0);
                }
                LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => LLVMSetExact(self.raw, 0),
                LLVMZExt | LLVMUIToFP => LLVMSetNNeg(self.raw, 0),
                LLVMOr => LLVMSetIsDisjoint(self.raw, 0),
                LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(self.raw, 0),
                LLVMLoad | LLVMStore if self.is_plain_access() => LLVMSetAlignment(self.raw, 1),
                _ => {}
            }
            if LLVMCanValueUseFastMathFlags(self.raw) != 0 {
                LLVMSetFastMathFlags(self.raw, 0);
            }
            let mut count = 0;
            let all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(self.raw, &mut count);
            for place in 0..count as u32 {
                LLVMSetMetadata(
                    self.raw,
                    LLVMValueMetadataEntriesGetKind(all, place),
                    null_mut(),
                );
            }
            LLVMDisposeValueMetadataEntries(all);
        }
    }

    /// A load or store that is neither volatile nor atomic.
    pub(crate) fn is_plain_access(self) -> bool {
        // SAFETY: only called for loads and stores.
        let ordering = unsafe { LLVMGetOrdering(self.raw) };
        let atomic = ordering != llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        !atomic && !self.is_volatile()
    }

    /// Keeps only some of the attributes of a function and of its result and parameters, or of a
    /// call. `keep` is told the place (none for the function itself) and the name.
    pub(crate) fn retain_attributes(self, keep: &dyn Fn(bool, &AttributeName) -> bool) {
        let is_function = self.kind() == ValueKind::LLVMFunctionValueKind;
        // SAFETY: `raw` is a function or a call; the indices are those that it may have.
        unsafe {
            let parameters = match is_function {
                true => LLVMCountParams(self.raw),
                false => LLVMGetNumArgOperands(self.raw),
            };
            let places = [LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex];
            for place in places.into_iter().chain(1..=parameters) {
                for name in self.attribute_names(place, is_function) {
                    if !keep(place == LLVMAttributeFunctionIndex, &name) {
                        self.remove_attribute(place, is_function, &name);
                    }
                }
            }
        }
    }

    unsafe fn attribute_names(self, place: u32, is_function: bool) -> Vec<AttributeName> {
        // SAFETY: the array has room for all attributes of the place.
        unsafe {
            let count = match is_function {
                true => LLVMGetAttributeCountAtIndex(self.raw, place),
                false => LLVMGetCallSiteAttributeCount(self.raw, place),
            };
            let mut all: Vec<LLVMAttributeRef> = vec![null_mut(); count as usize];
            match is_function {
                true => LLVMGetAttributesAtIndex(self.raw, place, all.as_mut_ptr()),
                false => LLVMGetCallSiteAttributes(self.raw, place, all.as_mut_ptr()),
            }
            let name = |attribute: LLVMAttributeRef| match LLVMIsStringAttribute(attribute) {
                0 => AttributeName::Known(LLVMGetEnumAttributeKind(attribute)),
                _ => {
                    let mut length = 0;
                    let raw = LLVMGetStringAttributeKind(attribute, &mut length);
                    let bytes = std::slice::from_raw_parts(raw.cast::<u8>(), length as usize);
                    AttributeName::Text(String::from_utf8_lossy(bytes).into_owned())
                }
            };
            all.into_iter().map(name).collect()
        }
    }

    unsafe fn remove_attribute(self, place: u32, is_function: bool, name: &AttributeName) {
        // SAFETY: the attribute is one of the place.
        unsafe {
            match (name, is_function) {
                (AttributeName::Known(kind), true) => {
                    LLVMRemoveEnumAttributeAtIndex(self.raw, place, *kind);
                }
                (AttributeName::Known(kind), false) => {
                    LLVMRemoveCallSiteEnumAttribute(self.raw, place, *kind);
                }
                (AttributeName::Text(text), true) => LLVMRemoveStringAttributeAtIndex(
                    self.raw,
                    place,
                    text.as_ptr().cast(),
                    text.len() as u32,
                ),
                (AttributeName::Text(text), false) => LLVMRemoveCallSiteStringAttribute(
                    self.raw,
                    place,
                    text.as_ptr().cast(),
                    text.len() as u32,
                ),
            }
        }
    }
}
