//! Safe wrappers around the parts of LLVM's C interface that the lifter needs. All `unsafe`
//! code of the crate lives in this folder; every wrapper borrows the [`LlvmModule`] that owns the
//! LLVM module, so nothing can outlive it.

mod types;
mod unit;
mod value;

pub(crate) use types::{FloatKind, LlvmType, LlvmTypeKind, TargetLayout};
pub(crate) use unit::{LlvmContext, LlvmModule};
pub(crate) use value::{
    DebugLocation, DebugScope, Linkage, LlvmBlock, LlvmValue, Opcode, ValueKind,
};
