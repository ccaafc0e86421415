//! Safe wrappers around the parts of LLVM's C interface that the lifter needs. All `unsafe`
//! code of the crate lives in this folder; every wrapper borrows the [`LlvmModule`] that owns the
//! LLVM module, so nothing can outlive it.

mod debug;
mod edit;
mod module;
mod types;
mod value;

pub(crate) use edit::AttributeName;
pub(crate) use module::{LlvmContext, LlvmModule};
pub(crate) use types::{FloatKind, LlvmType, LlvmTypeKind, TargetLayout};
pub(crate) use value::{
    DebugLocation, DebugScope, Linkage, LlvmBlock, LlvmValue, Opcode, ValueKind, Visibility,
};
