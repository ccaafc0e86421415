//! LLVM's compiler for the machine that Labrys runs on: a module becomes the bytes of an object.

use super::module::LlvmModule;
use llvm_sys::core::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::Once;

/// A compiler for x86-64.
pub(crate) struct TargetMachine {
    raw: LLVMTargetMachineRef,
}

impl TargetMachine {
    pub(crate) fn new() -> Result<TargetMachine, String> {
        static START: Once = Once::new();
        // SAFETY: these calls only enter the target into LLVM's tables, once.
        START.call_once(|| unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            // Assembly in functions is read.
            LLVMInitializeX86AsmParser();
        });
        const TRIPLE: &CStr = c"x86_64-pc-linux-gnu";
        // SAFETY: all texts end with a zero byte; the message is freed here.
        unsafe {
            let (mut target, mut message) = (null_mut(), null_mut());
            if LLVMGetTargetFromTriple(TRIPLE.as_ptr(), &mut target, &mut message) != 0 {
                return Err(taken(message));
            }
            let raw = LLVMCreateTargetMachine(
                target,
                TRIPLE.as_ptr(),
                c"x86-64".as_ptr(),
                c"".as_ptr(),
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelDefault,
            );
            match raw.is_null() {
                true => Err("LLVM has no compiler for x86-64".to_owned()),
                false => Ok(TargetMachine { raw }),
            }
        }
    }

    /// The object file of a module.
    pub(crate) fn compile(&self, module: &LlvmModule<'_>) -> Result<Vec<u8>, String> {
        // SAFETY: machine and module are live; buffer and message are freed here.
        unsafe {
            let (mut message, mut buffer) = (null_mut(), null_mut());
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                self.raw,
                module.raw(),
                LLVMCodeGenFileType::LLVMObjectFile,
                &mut message,
                &mut buffer,
            ) != 0;
            if failed {
                return Err(taken(message));
            }
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            match module.session().take_error() {
                Some(error) => Err(error),
                None => Ok(bytes),
            }
        }
    }
}

/// # Safety
/// `message` is a text of LLVM or null; it is freed.
unsafe fn taken(message: *mut std::ffi::c_char) -> String {
    if message.is_null() {
        return "LLVM gave no reason".to_owned();
    }
    // SAFETY: as the caller promises.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: the machine is owned.
        unsafe { LLVMDisposeTargetMachine(self.raw) }
    }
}
