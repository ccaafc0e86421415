//! Folds LLVM constants that are known without running anything: to numbers, or to symbols plus an
//! offset. Everything else needs instructions.

use crate::llvm::{Linkage, LlvmTypeKind, LlvmValue, Opcode, TargetLayout, ValueKind};
use crate::program::ProgramLifter;
use labrys_ir::{Const, SymbolRef};

/// A folded scalar constant; numbers are cut to their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldedConstant {
    Int(u128),
    Symbol(SymbolRef),
    Undef,
}

impl FoldedConstant {
    pub(crate) fn constant(self) -> Const {
        match self {
            FoldedConstant::Int(value) => Const::Int(value),
            FoldedConstant::Symbol(symbol) => Const::Symbol(symbol),
            FoldedConstant::Undef => Const::Undef,
        }
    }

    /// This plus an offset, where that can be said as one constant.
    fn plus(self, offset: i64) -> Option<FoldedConstant> {
        match self {
            FoldedConstant::Int(value) => Some(FoldedConstant::Int(u128::from(
                (value as u64).wrapping_add(offset as u64),
            ))),
            FoldedConstant::Symbol(SymbolRef::Global { global, addend }) => {
                Some(FoldedConstant::Symbol(SymbolRef::Global {
                    global,
                    addend: addend.wrapping_add(offset),
                }))
            }
            other if offset == 0 => Some(other),
            _ => None,
        }
    }
}

/// The lowest `width` bits.
pub(crate) fn truncate(value: u128, width: u8) -> u128 {
    if width >= 128 {
        value
    } else {
        value & ((1 << width) - 1)
    }
}

impl<'m> ProgramLifter<'m> {
    /// Folds a scalar constant; none if it needs instructions.
    pub(crate) fn fold(&mut self, value: LlvmValue<'m>) -> Option<FoldedConstant> {
        match self.is_replaceable(value) {
            true => None,
            false => self.fold_definition(value),
        }
    }

    /// May another unit of the program define the symbol?
    pub(crate) fn is_replaceable(&self, value: LlvmValue<'m>) -> bool {
        let is_symbol = matches!(
            value.kind(),
            ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
                | ValueKind::LLVMGlobalIFuncValueKind
        );
        let names = &self.variables.replaceable;
        !names.is_empty() && is_symbol && names.contains(&value.name())
    }

    /// The same, where the symbols are those that are defined here.
    pub(crate) fn fold_definition(&mut self, value: LlvmValue<'m>) -> Option<FoldedConstant> {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                Some(FoldedConstant::Int(value.bits()))
            }
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind => Some(FoldedConstant::Int(0)),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                Some(FoldedConstant::Undef)
            }
            ValueKind::LLVMGlobalVariableValueKind => {
                if value.linkage() == Linkage::LLVMExternalWeakLinkage {
                    return Some(FoldedConstant::Int(0));
                }
                let global = self.global(value);
                Some(FoldedConstant::Symbol(SymbolRef::Global {
                    global,
                    addend: 0,
                }))
            }
            ValueKind::LLVMFunctionValueKind => {
                // A weak reference that nothing in the program defines is null.
                if value.linkage() == Linkage::LLVMExternalWeakLinkage {
                    return Some(FoldedConstant::Int(0));
                }
                Some(FoldedConstant::Symbol(SymbolRef::Function(
                    self.function(value),
                )))
            }
            ValueKind::LLVMGlobalAliasValueKind => self.fold(value.aliasee()),
            ValueKind::LLVMGlobalIFuncValueKind => self.resolved_ifunc(value),
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                let block = self.block_order(function).number(block)?;
                let function = self.function(function);
                Some(FoldedConstant::Symbol(SymbolRef::Block { function, block }))
            }
            ValueKind::LLVMConstantExprValueKind => self.fold_expression(value),
            _ => None,
        }
    }

    fn fold_expression(&mut self, value: LlvmValue<'m>) -> Option<FoldedConstant> {
        match value.opcode() {
            Opcode::LLVMGetElementPtr => {
                if value.ty().kind() != LlvmTypeKind::Pointer {
                    return None;
                }
                let offset = constant_offset(self.layout, value)?;
                self.fold(value.operand(0))?.plus(offset)
            }
            Opcode::LLVMAddrSpaceCast => self.fold(value.operand(0)),
            Opcode::LLVMBitCast => {
                let source = value.operand(0);
                // Only casts between scalars: a vector is a constant of several registers.
                if is_scalar(value) && is_scalar(source) {
                    self.fold(source)
                } else {
                    None
                }
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMTrunc => {
                let source = self.fold(value.operand(0))?;
                match (source, value.ty().kind()) {
                    (FoldedConstant::Undef, _) => Some(FoldedConstant::Undef),
                    (FoldedConstant::Int(bits), LlvmTypeKind::Int(width @ 1..=128)) => {
                        Some(FoldedConstant::Int(truncate(bits, width as u8)))
                    }
                    (FoldedConstant::Int(bits), LlvmTypeKind::Pointer) => {
                        Some(FoldedConstant::Int(truncate(bits, 64)))
                    }
                    (symbol, LlvmTypeKind::Int(64) | LlvmTypeKind::Pointer) => Some(symbol),
                    _ => None,
                }
            }
            Opcode::LLVMAdd => {
                let (a, b) = self.fold_pair(value)?;
                match (a, b) {
                    (symbol, FoldedConstant::Int(n)) | (FoldedConstant::Int(n), symbol) => {
                        symbol.plus(n as i64)
                    }
                    _ => None,
                }
            }
            Opcode::LLVMSub => {
                let (a, b) = self.fold_pair(value)?;
                match (a, b) {
                    (symbol, FoldedConstant::Int(n)) => symbol.plus((n as i64).wrapping_neg()),
                    (
                        FoldedConstant::Symbol(SymbolRef::Global { global, addend }),
                        FoldedConstant::Symbol(SymbolRef::Global {
                            global: other,
                            addend: less,
                        }),
                    ) if global == other => Some(FoldedConstant::Int(u128::from(
                        addend.wrapping_sub(less) as u64,
                    ))),
                    (FoldedConstant::Symbol(a), FoldedConstant::Symbol(b)) if a == b => {
                        Some(FoldedConstant::Int(0))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Both operands of a 64-bit operation.
    fn fold_pair(&mut self, value: LlvmValue<'m>) -> Option<(FoldedConstant, FoldedConstant)> {
        if value.ty().kind() != LlvmTypeKind::Int(64) {
            return None;
        }
        Some((self.fold(value.operand(0))?, self.fold(value.operand(1))?))
    }
}

/// The offset of a GEP whose indices are all constant numbers.
pub(crate) fn constant_offset<'m>(layout: TargetLayout<'m>, gep: LlvmValue<'m>) -> Option<i64> {
    let mut ty = gep.gep_type();
    let mut offset = 0i64;
    for i in 1..gep.operand_count() {
        let index = gep.operand(i);
        if index.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        let number = signed(index);
        if i == 1 {
            offset = offset.wrapping_add(number.wrapping_mul(layout.size(ty) as i64));
        } else if ty.kind() == LlvmTypeKind::Struct {
            offset = offset.wrapping_add(layout.field_offset(ty, number as u32) as i64);
            ty = ty.field(number as u32);
        } else {
            ty = ty.element();
            offset = offset.wrapping_add(number.wrapping_mul(layout.size(ty) as i64));
        }
    }
    Some(offset)
}

fn is_scalar(value: LlvmValue<'_>) -> bool {
    matches!(
        value.ty().kind(),
        LlvmTypeKind::Int(_) | LlvmTypeKind::Float(_) | LlvmTypeKind::Pointer
    )
}

/// A constant integer, sign-extended or cut to 64 bits as GEP does with its indices.
pub(crate) fn signed(index: LlvmValue<'_>) -> i64 {
    let LlvmTypeKind::Int(width) = index.ty().kind() else {
        return 0;
    };
    let bits = index.bits() as u64;
    if width >= 64 {
        bits as i64
    } else {
        ((bits << (64 - width)) as i64) >> (64 - width)
    }
}
