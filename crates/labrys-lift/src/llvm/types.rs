//! Wrappers of LLVM types and of the target's data layout: kinds, sizes, alignments and field
//! offsets.

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::*;
use std::ffi::CStr;
use std::marker::PhantomData;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LlvmType<'m> {
    pub(super) raw: LLVMTypeRef,
    owner: PhantomData<&'m ()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FloatKind {
    Half,
    Brain,
    Single,
    Double,
    Extended,
    Quad,
}

impl FloatKind {
    pub(crate) fn width(self) -> u8 {
        match self {
            FloatKind::Half | FloatKind::Brain => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::Extended => 80,
            FloatKind::Quad => 128,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LlvmTypeKind {
    Void,
    Int(u32),
    Float(FloatKind),
    Pointer,
    Array(u64),
    Vector(u32),
    Struct,
    Function,
    /// Labels, metadata, tokens, scalable vectors, target types.
    Other,
}

impl<'m> LlvmType<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> LlvmType<'m> {
        LlvmType {
            raw,
            owner: PhantomData,
        }
    }

    pub(crate) fn kind(self) -> LlvmTypeKind {
        // SAFETY: `raw` is a live type, and each query is made for its own kind only.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMVoidTypeKind => LlvmTypeKind::Void,
                LLVMTypeKind::LLVMIntegerTypeKind => {
                    LlvmTypeKind::Int(LLVMGetIntTypeWidth(self.raw))
                }
                LLVMTypeKind::LLVMHalfTypeKind => LlvmTypeKind::Float(FloatKind::Half),
                LLVMTypeKind::LLVMBFloatTypeKind => LlvmTypeKind::Float(FloatKind::Brain),
                LLVMTypeKind::LLVMFloatTypeKind => LlvmTypeKind::Float(FloatKind::Single),
                LLVMTypeKind::LLVMDoubleTypeKind => LlvmTypeKind::Float(FloatKind::Double),
                LLVMTypeKind::LLVMX86_FP80TypeKind => LlvmTypeKind::Float(FloatKind::Extended),
                LLVMTypeKind::LLVMFP128TypeKind => LlvmTypeKind::Float(FloatKind::Quad),
                LLVMTypeKind::LLVMPointerTypeKind => LlvmTypeKind::Pointer,
                LLVMTypeKind::LLVMArrayTypeKind => {
                    LlvmTypeKind::Array(LLVMGetArrayLength2(self.raw))
                }
                LLVMTypeKind::LLVMVectorTypeKind => {
                    LlvmTypeKind::Vector(LLVMGetVectorSize(self.raw))
                }
                LLVMTypeKind::LLVMStructTypeKind => LlvmTypeKind::Struct,
                LLVMTypeKind::LLVMFunctionTypeKind => LlvmTypeKind::Function,
                _ => LlvmTypeKind::Other,
            }
        }
    }

    /// Has a size: neither opaque nor a function.
    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: `raw` is a live type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The element type of an array or vector.
    pub(crate) fn element(self) -> LlvmType<'m> {
        debug_assert!(matches!(
            self.kind(),
            LlvmTypeKind::Array(_) | LlvmTypeKind::Vector(_)
        ));
        // SAFETY: only called for arrays and vectors.
        LlvmType::new(unsafe { LLVMGetElementType(self.raw) })
    }

    /// The field types of a struct.
    pub(crate) fn fields(self) -> Vec<LlvmType<'m>> {
        debug_assert_eq!(self.kind(), LlvmTypeKind::Struct);
        // SAFETY: only called for structs; the array has room for every element.
        unsafe {
            let count = LLVMCountStructElementTypes(self.raw);
            (0..count)
                .map(|i| LlvmType::new(LLVMStructGetTypeAtIndex(self.raw, i)))
                .collect()
        }
    }

    pub(crate) fn field(self, index: u32) -> LlvmType<'m> {
        debug_assert_eq!(self.kind(), LlvmTypeKind::Struct);
        // SAFETY: only called for structs with an index that LLVM has verified.
        LlvmType::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
    }

    /// The parameter types of a function type.
    pub(crate) fn params(self) -> Vec<LlvmType<'m>> {
        debug_assert_eq!(self.kind(), LlvmTypeKind::Function);
        // SAFETY: only called for function types; the array has room for every parameter.
        unsafe {
            let count = LLVMCountParamTypes(self.raw) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(LlvmType::new).collect()
        }
    }

    pub(crate) fn result(self) -> LlvmType<'m> {
        debug_assert_eq!(self.kind(), LlvmTypeKind::Function);
        // SAFETY: only called for function types.
        LlvmType::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    pub(crate) fn is_variadic(self) -> bool {
        debug_assert_eq!(self.kind(), LlvmTypeKind::Function);
        // SAFETY: only called for function types.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    /// The type as LLVM writes it.
    pub(crate) fn text(self) -> String {
        // SAFETY: LLVM returns a fresh string that is freed here.
        unsafe {
            let raw = LLVMPrintTypeToString(self.raw);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeMessage(raw);
            text
        }
    }
}

/// Sizes and offsets on the target.
#[derive(Clone, Copy)]
pub(crate) struct TargetLayout<'m> {
    raw: LLVMTargetDataRef,
    owner: PhantomData<&'m ()>,
}

impl<'m> TargetLayout<'m> {
    pub(super) fn new(raw: LLVMTargetDataRef) -> TargetLayout<'m> {
        TargetLayout {
            raw,
            owner: PhantomData,
        }
    }

    /// Little endian with pointers of 64 bits.
    pub(crate) fn is_supported(self) -> bool {
        // SAFETY: `raw` is the live layout of a module.
        unsafe {
            matches!(LLVMByteOrder(self.raw), LLVMByteOrdering::LLVMLittleEndian)
                && LLVMPointerSize(self.raw) == 8
        }
    }

    /// Bytes from one array element to the next; 0 for types without a size.
    pub(crate) fn size(self, ty: LlvmType<'m>) -> u64 {
        if !ty.is_sized() {
            return 0;
        }
        // SAFETY: the type is sized.
        unsafe { LLVMABISizeOfType(self.raw, ty.raw) }
    }

    pub(crate) fn align(self, ty: LlvmType<'m>) -> u32 {
        if !ty.is_sized() {
            return 1;
        }
        // SAFETY: the type is sized.
        unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw) }
    }

    pub(crate) fn field_offset(self, ty: LlvmType<'m>, index: u32) -> u64 {
        debug_assert_eq!(ty.kind(), LlvmTypeKind::Struct);
        // SAFETY: only called for sized structs with an index that LLVM has verified.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw, index) }
    }
}
