//! Translates loads, stores and stack objects. A value of any type is read and written scalar by
//! scalar; padding is left alone.

use crate::error::{LiftResult, unsupported};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmType, LlvmTypeKind, LlvmValue, TargetLayout, ValueKind};
use crate::scalar_parts::{ScalarParts, uniform_element};
use labrys_ir::{Inst, Reg};
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn alloca(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let ty = value.allocated_type();
        let count = value.operand(0);
        let size = self.program.layout.size(ty);
        if self.in_entry && count.kind() == ValueKind::LLVMConstantIntValueKind {
            let total = u128::from(size).checked_mul(count.bits());
            if let Some(size) = total.and_then(|total| u32::try_from(total).ok()) {
                let align = guaranteed_alignment(self.program.layout, ty, value.alignment());
                let align = u16::try_from(align).unwrap_or(4096);
                let element = uniform_element(self.program.layout, ty);
                let element = u16::try_from(element).unwrap_or(0);
                return Ok(smallvec![self.entry_object(size, align, element)]);
            }
        }
        let mut count = self.scalar_operand(count)?;
        count = self.resize(count, 64);
        let element = match u32::try_from(size) {
            Ok(element) => element,
            Err(_) => {
                let factor = self.int(64, u128::from(size));
                count = self.bin(labrys_ir::BinOp::Mul, 64, count, factor);
                1
            }
        };
        let dst = self.reg(64);
        self.emit(Inst::AllocaDynamic {
            dst,
            count,
            element,
        });
        Ok(smallvec![dst])
    }

    pub(crate) fn load(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let addr = self.scalar_operand(value.operand(0))?;
        if value.is_atomic_load() {
            self.other_threads();
        }
        let regs = self.load_regs(value.ty(), addr)?;
        Ok(self.unless_volatile(value, value.operand(0), regs))
    }

    pub(crate) fn store(&mut self, value: LlvmValue<'m>) -> LiftResult<()> {
        let source = value.operand(0);
        let regs = self.get(source)?;
        let addr = self.scalar_operand(value.operand(1))?;
        self.store_regs(source.ty(), addr, &regs)
    }

    /// Reads a value of any type, scalar by scalar.
    pub(crate) fn load_regs(&mut self, ty: LlvmType<'m>, addr: Reg) -> LiftResult<ScalarRegs> {
        let shape = self.program.shape(ty)?;
        if shape.packed {
            let width = packed_width(&shape)?;
            let whole = self.load_scalar(addr, width);
            return Ok(self.regroup(&[whole], &widths(&shape)));
        }
        let mut regs = ScalarRegs::new();
        for leaf in &shape.parts {
            let place = self.address(addr, leaf.offset as i64);
            regs.push(self.load_scalar(place, leaf.width));
        }
        Ok(regs)
    }

    /// Writes a value of any type, scalar by scalar; padding is left alone.
    pub(crate) fn store_regs(
        &mut self,
        ty: LlvmType<'m>,
        addr: Reg,
        regs: &[Reg],
    ) -> LiftResult<()> {
        let shape = self.program.shape(ty)?;
        if shape.packed {
            let width = packed_width(&shape)?;
            let whole = self.regroup(regs, &[width]);
            self.emit(Inst::Store {
                addr,
                src: whole[0],
                width,
            });
            return Ok(());
        }
        for (leaf, src) in shape.parts.iter().zip(regs) {
            let place = self.address(addr, leaf.offset as i64);
            self.emit(Inst::Store {
                addr: place,
                src: *src,
                width: leaf.width,
            });
        }
        Ok(())
    }

    pub(crate) fn load_scalar(&mut self, addr: Reg, width: u8) -> Reg {
        let dst = self.reg(width);
        self.emit(Inst::Load { dst, addr, width });
        dst
    }

    /// Copies `size` bytes.
    pub(crate) fn copy_bytes(&mut self, dst: Reg, src: Reg, size: u64) {
        if size == 0 {
            return;
        }
        let len = self.int(64, u128::from(size));
        self.emit(Inst::MemCopy {
            dst,
            src,
            len,
            moves: false,
        });
    }
}

/// The alignment that the type of a variable promises. Compilers align arrays of 16 bytes and more to
/// 16 bytes as well, but an array that a harness makes stands for any object of its element type.
pub(crate) fn guaranteed_alignment(layout: TargetLayout<'_>, ty: LlvmType<'_>, given: u32) -> u32 {
    let promised = layout.align(ty).max(1);
    let is_array = matches!(ty.kind(), LlvmTypeKind::Array(_));
    match given {
        0 => promised,
        16 if is_array => promised,
        given => given,
    }
}

pub(crate) fn widths(shape: &ScalarParts) -> Vec<u8> {
    shape.parts.iter().map(|leaf| leaf.width).collect()
}

/// Bits of a vector whose lanes are no whole bytes.
fn packed_width(shape: &ScalarParts) -> LiftResult<u8> {
    let total: u32 = shape.parts.iter().map(|leaf| u32::from(leaf.width)).sum();
    match u8::try_from(total) {
        Ok(total @ 1..=128) => Ok(total),
        _ => unsupported(format!("a vector of {total} single bits in memory")),
    }
}
