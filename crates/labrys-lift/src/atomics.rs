//! Translates atomic operations to plain loads and stores: the programs that the engine runs have
//! one thread. Functions may be called in programs that have more, so what an atomic operation reads,
//! and all that is read behind it, may have been changed by another one.

use crate::error::LiftResult;
use crate::function::{FunctionLifter, ScalarRegs};
use crate::instructions::refuse_bfloat;
use crate::llvm::LlvmValue;
use labrys_ir::{BinOp, CmpOp, FBinOp, Inst, IntrinsicOp, Reg};
use llvm_sys::LLVMAtomicRMWBinOp as Op;
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    /// Returns the old value and whether it was the expected one.
    pub(crate) fn compare_exchange(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let addr = self.scalar_operand(value.operand(0))?;
        let expected = self.scalar_operand(value.operand(1))?;
        let new = self.scalar_operand(value.operand(2))?;
        let width = self.out.width(expected);
        self.other_threads();
        let old = self.load_scalar(addr, width);
        let old = self.unless_volatile(value, value.operand(0), smallvec![old])[0];
        let equal = self.cmp(CmpOp::Eq, width, old, expected);
        let src = self.select(equal, new, old);
        self.emit(Inst::Store { addr, src, width });
        Ok(smallvec![old, equal])
    }

    /// Other threads may have changed what they share with this one. Those that write plain objects do
    /// so before they release, and this one reads them behind an operation like this.
    pub(crate) fn other_threads(&mut self) {
        let none = self.out.add_list(&[]);
        self.emit(Inst::Intrinsic {
            op: IntrinsicOp::OtherThreads,
            args: none,
            results: none,
        });
    }

    pub(crate) fn read_modify_write(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        refuse_bfloat(value.ty())?;
        let addr = self.scalar_operand(value.operand(0))?;
        let operand = self.scalar_operand(value.operand(1))?;
        let width = self.out.width(operand);
        self.other_threads();
        let old = self.load_scalar(addr, width);
        let old = self.unless_volatile(value, value.operand(0), smallvec![old])[0];
        let src = self.combine(value.atomic_operation(), width, old, operand);
        self.emit(Inst::Store { addr, src, width });
        Ok(smallvec![old])
    }

    fn combine(&mut self, op: Op, width: u8, old: Reg, operand: Reg) -> Reg {
        match op {
            Op::LLVMAtomicRMWBinOpXchg => operand,
            Op::LLVMAtomicRMWBinOpAdd => self.bin(BinOp::Add, width, old, operand),
            Op::LLVMAtomicRMWBinOpSub => self.bin(BinOp::Sub, width, old, operand),
            Op::LLVMAtomicRMWBinOpAnd => self.bin(BinOp::And, width, old, operand),
            Op::LLVMAtomicRMWBinOpOr => self.bin(BinOp::Or, width, old, operand),
            Op::LLVMAtomicRMWBinOpXor => self.bin(BinOp::Xor, width, old, operand),
            Op::LLVMAtomicRMWBinOpNand => {
                let both = self.bin(BinOp::And, width, old, operand);
                let ones = self.int(width, u128::MAX);
                self.bin(BinOp::Xor, width, both, ones)
            }
            Op::LLVMAtomicRMWBinOpMax => self.intrinsic(IntrinsicOp::SMax, &[old, operand], width),
            Op::LLVMAtomicRMWBinOpMin => self.intrinsic(IntrinsicOp::SMin, &[old, operand], width),
            Op::LLVMAtomicRMWBinOpUMax => self.intrinsic(IntrinsicOp::UMax, &[old, operand], width),
            Op::LLVMAtomicRMWBinOpUMin => self.intrinsic(IntrinsicOp::UMin, &[old, operand], width),
            Op::LLVMAtomicRMWBinOpFAdd => self.fbin(FBinOp::Add, old, operand),
            Op::LLVMAtomicRMWBinOpFSub => self.fbin(FBinOp::Sub, old, operand),
            Op::LLVMAtomicRMWBinOpFMax => self.fbin(FBinOp::Max, old, operand),
            Op::LLVMAtomicRMWBinOpFMin => self.fbin(FBinOp::Min, old, operand),
            Op::LLVMAtomicRMWBinOpUIncWrap => {
                let (zero, one) = (self.int(width, 0), self.int(width, 1));
                let next = self.bin(BinOp::Add, width, old, one);
                let wraps = self.cmp(CmpOp::Uge, width, old, operand);
                self.select(wraps, zero, next)
            }
            Op::LLVMAtomicRMWBinOpUDecWrap => {
                let (zero, one) = (self.int(width, 0), self.int(width, 1));
                let next = self.bin(BinOp::Sub, width, old, one);
                let is_zero = self.cmp(CmpOp::Eq, width, old, zero);
                let is_above = self.cmp(CmpOp::Ugt, width, old, operand);
                let wraps = self.bin(BinOp::Or, 1, is_zero, is_above);
                self.select(wraps, operand, next)
            }
        }
    }

    pub(crate) fn fbin(&mut self, op: FBinOp, a: Reg, b: Reg) -> Reg {
        let width = self.out.width(a);
        let dst = self.reg(width);
        self.emit(Inst::FBin {
            op,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    /// An operation of the IR with one result.
    pub(crate) fn intrinsic(&mut self, op: IntrinsicOp, args: &[Reg], width: u8) -> Reg {
        let dst = self.reg(width);
        let args = self.out.add_list(args);
        let results = self.out.add_list(&[dst]);
        self.emit(Inst::Intrinsic { op, args, results });
        dst
    }
}
