//! Translates calls of LLVM's intrinsic functions, which are known by name without their type
//! suffixes. Those on floats are in `math.rs`.

use crate::error::{LiftResult, unsupported};
use crate::fold::constant_offset;
use crate::function::{FunctionLifter, ScalarRegs};
use crate::instructions::refuse_bfloat;
use crate::llvm::{LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use crate::variadic::VA_LIST_SIZE;
use labrys_ir::{BinOp, CastOp, CmpOp, FBinOp, Inst, IntrinsicOp, Reg};
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn llvm_intrinsic(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<()> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        if self.effect(inst, short)? {
            return Ok(());
        }
        let regs = match short.strip_prefix("experimental.constrained.") {
            Some(plain) => self.constrained(inst, plain)?,
            None => self.value_intrinsic(inst, short)?,
        };
        self.values.insert(inst, regs);
        Ok(())
    }

    /// Intrinsics without a result; false if the name is not one of them.
    fn effect(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<bool> {
        match name {
            "dbg.declare" | "dbg.value" => self.note_name(inst),
            "dbg.label"
            | "dbg.assign"
            | "lifetime.start"
            | "lifetime.end"
            | "invariant.end"
            | "var.annotation"
            | "codeview.annotation"
            | "assume"
            | "experimental.noalias.scope.decl"
            | "donothing"
            | "sideeffect"
            | "pseudoprobe"
            | "prefetch"
            | "clear_cache"
            | "va_end"
            | "instrprof.increment" => {}
            "memcpy" | "memcpy.inline" => self.copy_memory(inst, false)?,
            "memmove" => self.copy_memory(inst, true)?,
            "memset" | "memset.inline" => {
                let dst = self.scalar_operand(inst.operand(0))?;
                let byte = self.scalar_operand(inst.operand(1))?;
                let len = self.scalar_operand(inst.operand(2))?;
                let len = self.resize(len, 64);
                self.emit(Inst::MemSet { dst, byte, len });
            }
            "va_start" => {
                let list = self.scalar_operand(inst.operand(0))?;
                self.va_start(list);
            }
            "va_copy" => {
                let dst = self.scalar_operand(inst.operand(0))?;
                let src = self.scalar_operand(inst.operand(1))?;
                self.copy_bytes(dst, src, VA_LIST_SIZE);
            }
            "trap" | "debugtrap" | "ubsantrap" => self.plain_effect(IntrinsicOp::Trap, &[]),
            "stackrestore" => {
                let token = self.scalar_operand(inst.operand(0))?;
                self.plain_effect(IntrinsicOp::StackRestore, &[token]);
            }
            "eh.sjlj.longjmp" => {
                let buffer = self.scalar_operand(inst.operand(0))?;
                let one = self.int(32, 1);
                self.long_jump(buffer, one);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn plain_effect(&mut self, op: IntrinsicOp, args: &[Reg]) {
        let args = self.out.add_list(args);
        let results = self.out.add_list(&[]);
        self.emit(Inst::Intrinsic { op, args, results });
    }

    fn copy_memory(&mut self, inst: LlvmValue<'m>, moves: bool) -> LiftResult<()> {
        let dst = self.scalar_operand(inst.operand(0))?;
        let src = self.scalar_operand(inst.operand(1))?;
        let len = self.scalar_operand(inst.operand(2))?;
        let len = self.resize(len, 64);
        self.emit(Inst::MemCopy {
            dst,
            src,
            len,
            moves,
        });
        if inst.argument_count() > 3 && inst.operand(3).bits() == 1 {
            self.copied_from_volatile(inst.operand(1));
        }
        Ok(())
    }

    fn value_intrinsic(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<ScalarRegs> {
        let first = |i: u32| inst.operand(i);
        match name {
            "expect"
            | "expect.with.probability"
            | "annotation"
            | "ptr.annotation"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "threadlocal.address"
            | "ssa.copy"
            | "arithmetic.fence"
            | "canonicalize"
            | "preserve.array.access.index"
            | "preserve.union.access.index" => self.get(first(0)),
            "invariant.start" => self.undef_of(inst.ty()),
            "ctpop" => self.lanes(inst, IntrinsicOp::PopCount, 1),
            "ctlz" => self.lanes(inst, IntrinsicOp::LeadingZeros, 1),
            "cttz" => self.lanes(inst, IntrinsicOp::TrailingZeros, 1),
            "bswap" => self.lanes(inst, IntrinsicOp::ByteSwap, 1),
            "bitreverse" => self.lanes(inst, IntrinsicOp::BitReverse, 1),
            "abs" => self.lanes(inst, IntrinsicOp::Abs, 1),
            "fshl" => self.lanes(inst, IntrinsicOp::FunnelLeft, 3),
            "fshr" => self.lanes(inst, IntrinsicOp::FunnelRight, 3),
            "sadd.sat" => self.lanes(inst, IntrinsicOp::SAddSat, 2),
            "uadd.sat" => self.lanes(inst, IntrinsicOp::UAddSat, 2),
            "ssub.sat" => self.lanes(inst, IntrinsicOp::SSubSat, 2),
            "usub.sat" => self.lanes(inst, IntrinsicOp::USubSat, 2),
            "smin" => self.lanes(inst, IntrinsicOp::SMin, 2),
            "smax" => self.lanes(inst, IntrinsicOp::SMax, 2),
            "umin" => self.lanes(inst, IntrinsicOp::UMin, 2),
            "umax" => self.lanes(inst, IntrinsicOp::UMax, 2),
            "sadd.with.overflow" => self.overflow(inst, IntrinsicOp::SAddOverflow),
            "uadd.with.overflow" => self.overflow(inst, IntrinsicOp::UAddOverflow),
            "ssub.with.overflow" => self.overflow(inst, IntrinsicOp::SSubOverflow),
            "usub.with.overflow" => self.overflow(inst, IntrinsicOp::USubOverflow),
            "smul.with.overflow" => self.overflow(inst, IntrinsicOp::SMulOverflow),
            "umul.with.overflow" => self.overflow(inst, IntrinsicOp::UMulOverflow),
            "scmp" => self.three_way(inst, CmpOp::Slt, CmpOp::Sgt),
            "ucmp" => self.three_way(inst, CmpOp::Ult, CmpOp::Ugt),
            "objectsize" => self.object_size(inst),
            "is.constant" => Ok(smallvec![self.int(1, 0)]),
            "ptrmask" => {
                let pointer = self.scalar_operand(first(0))?;
                let mask = self.scalar_operand(first(1))?;
                let mask = self.sign_extend(mask, 64);
                Ok(smallvec![self.bin(BinOp::And, 64, pointer, mask)])
            }
            "stacksave" => Ok(smallvec![self.intrinsic(IntrinsicOp::StackSave, &[], 64)]),
            "returnaddress" => {
                // Somewhere in the code, but not where a function begins.
                let somewhere = self.int(64, 0x40_1000);
                Ok(smallvec![
                    self.assumed(somewhere, "environment: return addresses")
                ])
            }
            "frameaddress" => Ok(smallvec![self.entry_object(16, 16, 8)]),
            "eh.sjlj.setjmp" => {
                let buffer = self.scalar_operand(first(0))?;
                Ok(smallvec![self.intrinsic(
                    IntrinsicOp::SetJmp,
                    &[buffer],
                    32
                )])
            }
            "get.rounding" => {
                let to_nearest = self.int(32, 1);
                Ok(smallvec![
                    self.assumed(to_nearest, "environment: rounding mode")
                ])
            }
            "convert.to.fp16" | "convert.from.fp16" => self.convert(inst, CastOp::FToF),
            "is.fpclass" => self.float_class(inst),
            "x86.sse2.pmovmskb.128"
            | "x86.avx2.pmovmskb"
            | "x86.sse.movmsk.ps"
            | "x86.sse2.movmsk.pd" => self.sign_mask(inst),
            _ => match name.strip_prefix("vector.reduce.") {
                Some(operation) => self.reduce(inst, operation),
                None => self.math(inst, name),
            },
        }
    }

    /// Applies an operation of the IR to each lane of the first `count` arguments.
    pub(crate) fn lanes(
        &mut self,
        inst: LlvmValue<'m>,
        op: IntrinsicOp,
        count: u32,
    ) -> LiftResult<ScalarRegs> {
        let mut arguments = Vec::new();
        for i in 0..count {
            arguments.push(self.get(inst.operand(i))?);
        }
        let shape = self.program.shape(inst.ty())?;
        let mut regs = ScalarRegs::new();
        for (i, leaf) in shape.parts.iter().enumerate() {
            let lane: Vec<Reg> = arguments.iter().map(|regs| regs[i]).collect();
            regs.push(self.intrinsic(op, &lane, leaf.width));
        }
        Ok(regs)
    }

    /// The results of all lanes, then their overflow bits.
    fn overflow(&mut self, inst: LlvmValue<'m>, op: IntrinsicOp) -> LiftResult<ScalarRegs> {
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let mut values = ScalarRegs::new();
        let mut bits = ScalarRegs::new();
        for (a, b) in a.into_iter().zip(b) {
            let value = self.reg(self.out.width(a));
            let bit = self.reg(1);
            let args = self.out.add_list(&[a, b]);
            let results = self.out.add_list(&[value, bit]);
            self.emit(Inst::Intrinsic { op, args, results });
            values.push(value);
            bits.push(bit);
        }
        values.extend(bits);
        Ok(values)
    }

    fn three_way(
        &mut self,
        inst: LlvmValue<'m>,
        less: CmpOp,
        greater: CmpOp,
    ) -> LiftResult<ScalarRegs> {
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let shape = self.program.shape(inst.ty())?;
        let mut regs = ScalarRegs::new();
        for (i, leaf) in shape.parts.iter().enumerate() {
            let width = self.out.width(a[i]);
            let below = self.cmp(less, width, a[i], b[i]);
            let above = self.cmp(greater, width, a[i], b[i]);
            let (minus, zero) = (self.int(leaf.width, u128::MAX), self.int(leaf.width, 0));
            let one = self.int(leaf.width, 1);
            let rest = self.select(above, one, zero);
            regs.push(self.select(below, minus, rest));
        }
        Ok(regs)
    }

    /// The sign bits of all lanes as one number (`_mm_movemask_epi8` and its kin).
    fn sign_mask(&mut self, inst: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let lanes = self.get(inst.operand(0))?;
        let mut bits = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let width = self.out.width(lane);
            let distance = self.int(width, u128::from(width - 1));
            let sign = self.bin(BinOp::LShr, width, lane, distance);
            bits.push(self.resize(sign, 1));
        }
        let mask = self.regroup(&bits, &[bits.len() as u8])[0];
        Ok(smallvec![self.resize(mask, 32)])
    }

    /// What the compiler knows without optimisation: the size of a local or global that is
    /// named directly, else "unknown".
    fn object_size(&mut self, inst: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let LlvmTypeKind::Int(width @ 1..=64) = inst.ty().kind() else {
            return unsupported("llvm.objectsize of this type");
        };
        let mut object = inst.operand(0);
        let mut offset = 0i64;
        while matches!(
            object.kind(),
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMConstantExprValueKind
        ) && object.opcode() == Opcode::LLVMGetElementPtr
        {
            let Some(step) = constant_offset(self.program.layout, object) else {
                break;
            };
            offset += step;
            object = object.operand(0);
        }
        let layout = self.program.layout;
        let size = match object.kind() {
            ValueKind::LLVMGlobalVariableValueKind if !object.is_declaration() => {
                Some(layout.size(object.content_type()))
            }
            ValueKind::LLVMInstructionValueKind
                if object.opcode() == Opcode::LLVMAlloca
                    && object.operand(0).kind() == ValueKind::LLVMConstantIntValueKind =>
            {
                let count = object.operand(0).bits() as u64;
                Some(layout.size(object.allocated_type()).wrapping_mul(count))
            }
            _ => None,
        };
        let size = match size {
            Some(size) if offset >= 0 => size.saturating_sub(offset as u64),
            Some(_) => 0,
            None if inst.operand(1).bits() == 1 => 0,
            None => u64::MAX,
        };
        Ok(smallvec![self.int(width as u8, u128::from(size))])
    }

    fn float_class(&mut self, inst: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        refuse_bfloat(inst.operand(0).ty())?;
        let values = self.get(inst.operand(0))?;
        let mask = self.scalar_operand(inst.operand(1))?;
        Ok(values
            .into_iter()
            .map(|value| self.intrinsic(IntrinsicOp::IsFpClass, &[value, mask], 1))
            .collect())
    }

    /// `llvm.vector.reduce.*`: folds the lanes from the first to the last.
    fn reduce(&mut self, inst: LlvmValue<'m>, operation: &str) -> LiftResult<ScalarRegs> {
        let vector = inst.operand(inst.argument_count() - 1);
        refuse_bfloat(vector.ty())?;
        let mut lanes = self.get(vector)?.into_iter();
        let start = if inst.argument_count() == 2 {
            Some(self.scalar_operand(inst.operand(0))?)
        } else {
            lanes.next()
        };
        let Some(mut result) = start else {
            return unsupported("an empty vector");
        };
        let width = self.out.width(result);
        for lane in lanes {
            result = match operation {
                "add" => self.bin(BinOp::Add, width, result, lane),
                "mul" => self.bin(BinOp::Mul, width, result, lane),
                "and" => self.bin(BinOp::And, width, result, lane),
                "or" => self.bin(BinOp::Or, width, result, lane),
                "xor" => self.bin(BinOp::Xor, width, result, lane),
                "smax" => self.intrinsic(IntrinsicOp::SMax, &[result, lane], width),
                "smin" => self.intrinsic(IntrinsicOp::SMin, &[result, lane], width),
                "umax" => self.intrinsic(IntrinsicOp::UMax, &[result, lane], width),
                "umin" => self.intrinsic(IntrinsicOp::UMin, &[result, lane], width),
                "fadd" => self.fbin(FBinOp::Add, result, lane),
                "fmul" => self.fbin(FBinOp::Mul, result, lane),
                "fmax" => self.fbin(FBinOp::Max, result, lane),
                "fmin" => self.fbin(FBinOp::Min, result, lane),
                "fmaximum" => self.strict_extreme(result, lane, true),
                "fminimum" => self.strict_extreme(result, lane, false),
                _ => return unsupported(format!("llvm.vector.reduce.{operation}")),
            };
        }
        Ok(smallvec![result])
    }
}
