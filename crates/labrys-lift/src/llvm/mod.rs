//! Safe wrappers around the parts of LLVM's C interface that the lifter needs. All `unsafe`
//! code of the crate lives in this folder; every wrapper borrows the [`Unit`] that owns the
//! LLVM module, so nothing can outlive it.

mod types;
mod unit;
mod value;

pub(crate) use types::{FloatKind, Layout, Type, TypeKind};
pub(crate) use unit::{Session, Unit};
pub(crate) use value::{Block, Linkage, Location, Opcode, Scope, Value, ValueKind};
