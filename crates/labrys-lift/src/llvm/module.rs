//! Wrappers of the LLVM context and of whole modules: reading, linking, verifying, running passes,
//! writing.

use super::types::TargetLayout;
use super::value::LlvmValue;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::{LLVMGetBitcodeModuleInContext2, LLVMParseBitcodeInContext2};
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMDiagnosticSeverity};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};
use std::path::Path;

/// An LLVM context that collects diagnostics instead of printing them or ending the process.
pub(crate) struct LlvmContext {
    raw: LLVMContextRef,
    errors: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic and the pointer that was registered, which outlives
    // the context.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let raw = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        (*errors.cast::<RefCell<Vec<String>>>())
            .borrow_mut()
            .push(text);
    }
}

impl LlvmContext {
    pub(crate) fn new() -> LlvmContext {
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: a fresh context; `errors` is boxed and dropped after the context.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let pointer: *const RefCell<Vec<String>> = &*errors;
            LLVMContextSetDiagnosticHandler(raw, Some(collect), pointer.cast_mut().cast());
            raw
        };
        LlvmContext { raw, errors }
    }

    pub(super) fn raw(&self) -> LLVMContextRef {
        self.raw
    }

    /// The messages of the errors since the last call.
    fn take_errors(&self) -> String {
        let errors: Vec<String> = self.errors.borrow_mut().drain(..).collect();
        if errors.is_empty() {
            "LLVM gave no reason".to_owned()
        } else {
            errors.join("; ")
        }
    }

    /// Reads bitcode. Function bodies are read on demand if `lazy`, which leaves errors in them
    /// to [`LlvmModule::link`].
    pub(crate) fn read(&self, bytes: &[u8], lazy: bool) -> Result<LlvmModule<'_>, String> {
        // SAFETY: the buffer is a copy. A lazy module takes it over on success; in all other
        // cases it is disposed of here.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"bitcode".as_ptr(),
            );
            let mut raw = std::ptr::null_mut();
            let failed = if lazy {
                LLVMGetBitcodeModuleInContext2(self.raw, buffer, &mut raw) != 0
            } else {
                LLVMParseBitcodeInContext2(self.raw, buffer, &mut raw) != 0
            };
            if failed || !lazy {
                LLVMDisposeMemoryBuffer(buffer);
            }
            if failed || raw.is_null() {
                return Err(self.take_errors());
            }
            Ok(LlvmModule { raw, session: self })
        }
    }

    /// The number of an attribute kind such as `byval`.
    pub(crate) fn attribute(&self, name: &str) -> u32 {
        // SAFETY: the name is given with its length.
        unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: every unit borrows the session, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// An LLVM module.
pub(crate) struct LlvmModule<'s> {
    raw: LLVMModuleRef,
    session: &'s LlvmContext,
}

impl<'s> LlvmModule<'s> {
    pub(super) fn new(raw: LLVMModuleRef, session: &'s LlvmContext) -> LlvmModule<'s> {
        LlvmModule { raw, session }
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(crate) fn session(&self) -> &'s LlvmContext {
        self.session
    }

    pub(crate) fn layout(&self) -> TargetLayout<'_> {
        // SAFETY: the layout lives as long as the module.
        TargetLayout::new(unsafe { LLVMGetModuleDataLayout(self.raw) })
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: the module is live; the chain ends with null.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        std::iter::successors(LlvmValue::optional(first), |f| {
            LlvmValue::optional(unsafe { LLVMGetNextFunction(f.raw) })
        })
    }

    pub(crate) fn globals(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: the module is live; the chain ends with null.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        std::iter::successors(LlvmValue::optional(first), |g| {
            LlvmValue::optional(unsafe { LLVMGetNextGlobal(g.raw) })
        })
    }

    pub(crate) fn aliases(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: the module is live; the chain ends with null.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.raw) };
        std::iter::successors(LlvmValue::optional(first), |a| {
            LlvmValue::optional(unsafe { LLVMGetNextGlobalAlias(a.raw) })
        })
    }

    pub(crate) fn ifuncs(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: the module is live; the chain ends with null.
        let first = unsafe { LLVMGetFirstGlobalIFunc(self.raw) };
        std::iter::successors(LlvmValue::optional(first), |f| {
            LlvmValue::optional(unsafe { LLVMGetNextGlobalIFunc(f.raw) })
        })
    }

    /// A function of that name.
    pub(crate) fn function(&self, name: &str) -> Option<LlvmValue<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is live and the name ends with a zero byte.
        LlvmValue::optional(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// A global variable of that name.
    pub(crate) fn global(&self, name: &str) -> Option<LlvmValue<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is live and the name ends with a zero byte.
        LlvmValue::optional(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// Removes a global variable that nothing refers to, such as `llvm.used`.
    pub(crate) fn delete_global(&mut self, name: &str) {
        if let Some(global) = self.global(name) {
            let raw = global.raw;
            // SAFETY: the exclusive borrow means that no value of this module is held.
            unsafe { LLVMDeleteGlobal(raw) }
        }
    }

    /// Assembly outside of functions.
    pub(crate) fn has_assembly(&self) -> bool {
        let mut length = 0;
        // SAFETY: the module is live; only the length is looked at.
        unsafe { LLVMGetModuleInlineAsm(self.raw, &mut length) };
        length != 0
    }

    /// Keeps the passes away from a function.
    pub(crate) fn disable_passes(&self, function: LlvmValue<'_>) {
        for name in ["optnone", "noinline"] {
            let kind = self.session.attribute(name);
            // SAFETY: the function belongs to this module and the kind to its context.
            unsafe {
                let attribute = LLVMCreateEnumAttribute(self.session.raw, kind, 0);
                LLVMAddAttributeAtIndex(function.raw, LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Gives a function an attribute that only Labrys knows.
    pub(crate) fn set_text_attribute(&self, function: LlvmValue<'_>, name: &str, value: &str) {
        // SAFETY: the function belongs to this module; LLVM copies both texts.
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                self.session.raw,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(function.raw, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Stores a value of which nothing is known into a stack object, before an instruction behind it.
    pub(crate) fn store_opaque(&self, local: LlvmValue<'_>, before: LlvmValue<'_>) {
        // SAFETY: both are instructions of one function of this module.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.session.raw);
            LLVMPositionBuilderBefore(builder, before.raw);
            let undefined = LLVMGetUndef(LLVMGetAllocatedType(local.raw));
            let opaque = LLVMBuildFreeze(builder, undefined, c"".as_ptr());
            LLVMBuildStore(builder, opaque, local.raw);
            LLVMDisposeBuilder(builder);
        }
    }

    /// Checks the module with LLVM's verifier.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        // SAFETY: the message is a fresh string that is freed here.
        unsafe {
            let broken = LLVMVerifyModule(
                self.raw,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            ) != 0;
            let text = if message.is_null() {
                String::new()
            } else {
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeMessage(message);
                text
            };
            if broken {
                return Err(text.lines().next().unwrap_or("broken module").to_owned());
            }
        }
        Ok(())
    }

    /// Moves everything of `other` into this module.
    pub(crate) fn link(&mut self, other: LlvmModule<'s>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: both modules are of one context; LLVM destroys the second one.
        let failed = unsafe { LLVMLinkModules2(self.raw, raw) != 0 };
        if failed {
            return Err(self.session.take_errors());
        }
        Ok(())
    }

    /// Writes the module as bitcode.
    pub(crate) fn write(&self, path: &Path) -> Result<(), ()> {
        let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| ())?;
        // SAFETY: the module is live and the path ends with a zero byte.
        match unsafe { LLVMWriteBitcodeToFile(self.raw, path.as_ptr()) } {
            0 => Ok(()),
            _ => Err(()),
        }
    }

    pub(crate) fn run_passes(&mut self, pipeline: &CStr) -> Result<(), String> {
        // SAFETY: options and messages are freed here.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, pipeline.as_ptr(), std::ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let raw = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(raw);
            Err(text)
        }
    }
}

impl Drop for LlvmModule<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned and its context still lives.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}
