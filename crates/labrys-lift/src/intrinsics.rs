//! LLVM's intrinsic functions by name (without type suffixes).

use crate::error::{Lifted, unsupported};
use crate::function::{FunctionLifter, Regs};
use crate::instructions::refuse_brain;
use crate::libm;
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};
use crate::variadic::VA_LIST_SIZE;
use labrys_ir::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, Inst, IntrinsicOp, Reg};
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn llvm_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lifted<()> {
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
    fn effect(&mut self, inst: Value<'m>, name: &str) -> Lifted<bool> {
        match name {
            "dbg.declare"
            | "dbg.value"
            | "dbg.label"
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
                let dst = self.get_one(inst.operand(0))?;
                let byte = self.get_one(inst.operand(1))?;
                let len = self.get_one(inst.operand(2))?;
                let len = self.resize(len, 64);
                self.emit(Inst::MemSet { dst, byte, len });
            }
            "va_start" => {
                let list = self.get_one(inst.operand(0))?;
                self.va_start(list);
            }
            "va_copy" => {
                let dst = self.get_one(inst.operand(0))?;
                let src = self.get_one(inst.operand(1))?;
                self.copy_bytes(dst, src, VA_LIST_SIZE);
            }
            "trap" | "debugtrap" | "ubsantrap" => self.plain_effect(IntrinsicOp::Trap, &[]),
            "stackrestore" => {
                let token = self.get_one(inst.operand(0))?;
                self.plain_effect(IntrinsicOp::StackRestore, &[token]);
            }
            "eh.sjlj.longjmp" => {
                let buffer = self.get_one(inst.operand(0))?;
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

    fn copy_memory(&mut self, inst: Value<'m>, moves: bool) -> Lifted<()> {
        let dst = self.get_one(inst.operand(0))?;
        let src = self.get_one(inst.operand(1))?;
        let len = self.get_one(inst.operand(2))?;
        let len = self.resize(len, 64);
        self.emit(Inst::MemCopy {
            dst,
            src,
            len,
            moves,
        });
        Ok(())
    }

    fn value_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lifted<Regs> {
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
                let pointer = self.get_one(first(0))?;
                let mask = self.get_one(first(1))?;
                let mask = self.sign_extend(mask, 64);
                Ok(smallvec![self.bin(BinOp::And, 64, pointer, mask)])
            }
            "stacksave" => Ok(smallvec![self.intrinsic(IntrinsicOp::StackSave, &[], 64)]),
            "returnaddress" => Ok(smallvec![self.int(64, 0)]),
            "frameaddress" => Ok(smallvec![self.entry_object(16, 16, 8)]),
            "eh.sjlj.setjmp" => {
                let buffer = self.get_one(first(0))?;
                Ok(smallvec![self.intrinsic(
                    IntrinsicOp::SetJmp,
                    &[buffer],
                    32
                )])
            }
            "get.rounding" => Ok(smallvec![self.int(32, 1)]),
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
    fn lanes(&mut self, inst: Value<'m>, op: IntrinsicOp, count: u32) -> Lifted<Regs> {
        let mut arguments = Vec::new();
        for i in 0..count {
            arguments.push(self.get(inst.operand(i))?);
        }
        let shape = self.program.shape(inst.ty())?;
        let mut regs = Regs::new();
        for (i, leaf) in shape.leaves.iter().enumerate() {
            let lane: Vec<Reg> = arguments.iter().map(|regs| regs[i]).collect();
            regs.push(self.intrinsic(op, &lane, leaf.width));
        }
        Ok(regs)
    }

    /// The results of all lanes, then their overflow bits.
    fn overflow(&mut self, inst: Value<'m>, op: IntrinsicOp) -> Lifted<Regs> {
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let mut values = Regs::new();
        let mut bits = Regs::new();
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

    fn three_way(&mut self, inst: Value<'m>, less: CmpOp, greater: CmpOp) -> Lifted<Regs> {
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let shape = self.program.shape(inst.ty())?;
        let mut regs = Regs::new();
        for (i, leaf) in shape.leaves.iter().enumerate() {
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
    fn sign_mask(&mut self, inst: Value<'m>) -> Lifted<Regs> {
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
    fn object_size(&mut self, inst: Value<'m>) -> Lifted<Regs> {
        let TypeKind::Int(width @ 1..=64) = inst.ty().kind() else {
            return unsupported("llvm.objectsize of this type");
        };
        let mut object = inst.operand(0);
        let mut offset = 0i64;
        while matches!(
            object.kind(),
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMConstantExprValueKind
        ) && object.opcode() == Opcode::LLVMGetElementPtr
        {
            let Some(step) = self.program.constant_offset(object) else {
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

    fn float_class(&mut self, inst: Value<'m>) -> Lifted<Regs> {
        refuse_brain(inst.operand(0).ty())?;
        let values = self.get(inst.operand(0))?;
        let mask = self.get_one(inst.operand(1))?;
        Ok(values
            .into_iter()
            .map(|value| self.intrinsic(IntrinsicOp::IsFpClass, &[value, mask], 1))
            .collect())
    }

    /// `llvm.vector.reduce.*`: folds the lanes from the first to the last.
    fn reduce(&mut self, inst: Value<'m>, operation: &str) -> Lifted<Regs> {
        let vector = inst.operand(inst.argument_count() - 1);
        refuse_brain(vector.ty())?;
        let mut lanes = self.get(vector)?.into_iter();
        let start = if inst.argument_count() == 2 {
            Some(self.get_one(inst.operand(0))?)
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

    // ---- Floats ----

    fn math(&mut self, inst: Value<'m>, name: &str) -> Lifted<Regs> {
        let unary = match name {
            "sqrt" => FUnOp::Sqrt,
            "fabs" => FUnOp::Abs,
            "floor" => FUnOp::Floor,
            "ceil" => FUnOp::Ceil,
            "trunc" => FUnOp::Trunc,
            "round" => FUnOp::Round,
            "rint" | "nearbyint" | "roundeven" => FUnOp::RoundEven,
            _ => return self.more_math(inst, name),
        };
        self.float_unary(inst.operand(0), unary)
    }

    fn more_math(&mut self, inst: Value<'m>, name: &str) -> Lifted<Regs> {
        let binary = |this: &mut Self, op| this.float_binary(inst.operand(0), inst.operand(1), op);
        match name {
            "copysign" => binary(self, FBinOp::CopySign),
            "minnum" => binary(self, FBinOp::Min),
            "maxnum" => binary(self, FBinOp::Max),
            "minimum" | "maximum" => {
                refuse_brain(inst.ty())?;
                let a = self.get(inst.operand(0))?;
                let b = self.get(inst.operand(1))?;
                Ok(a.into_iter()
                    .zip(b)
                    .map(|(a, b)| self.strict_extreme(a, b, name == "maximum"))
                    .collect())
            }
            "fma" => {
                refuse_brain(inst.ty())?;
                self.lanes(inst, IntrinsicOp::Fma, 3)
            }
            "fmuladd" => self.multiply_add(inst),
            "lround" | "llround" => self.round_to_int(inst, FUnOp::Round),
            "lrint" | "llrint" => self.round_to_int(inst, FUnOp::RoundEven),
            "fptosi.sat" => self.saturating(inst, true),
            "fptoui.sat" => self.saturating(inst, false),
            _ => self.library_math(inst, name),
        }
    }

    /// Without fused instructions the product is rounded before the sum, as x86-64 at `-O0` does.
    fn multiply_add(&mut self, inst: Value<'m>) -> Lifted<Regs> {
        refuse_brain(inst.ty())?;
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let c = self.get(inst.operand(2))?;
        let mut regs = Regs::new();
        for i in 0..a.len() {
            let product = self.fbin(FBinOp::Mul, a[i], b[i]);
            regs.push(self.fbin(FBinOp::Add, product, c[i]));
        }
        Ok(regs)
    }

    fn round_to_int(&mut self, inst: Value<'m>, op: FUnOp) -> Lifted<Regs> {
        let rounded = self.float_unary(inst.operand(0), op)?;
        let shape = self.program.shape(inst.ty())?;
        Ok(rounded
            .into_iter()
            .zip(&shape.leaves)
            .map(|(src, leaf)| self.cast(CastOp::FToS, src, leaf.width))
            .collect())
    }

    /// IEEE 754-2019 `minimum` and `maximum`: NaN wins, and -0 is below +0.
    fn strict_extreme(&mut self, a: Reg, b: Reg, largest: bool) -> Reg {
        let width = self.out.width(a);
        let (better, join) = if largest {
            (FCmpOp::Ogt, BinOp::And)
        } else {
            (FCmpOp::Olt, BinOp::Or)
        };
        let nan = self.fcmp(FCmpOp::Uno, a, b);
        let equal = self.fcmp(FCmpOp::Oeq, a, b);
        let first = self.fcmp(better, a, b);
        let sum = self.fbin(FBinOp::Add, a, b);
        // Equal numbers differ in the sign of zero at most.
        let joined = self.bin(join, width, a, b);
        let chosen = self.select(first, a, b);
        let chosen = self.select(equal, joined, chosen);
        self.select(nan, sum, chosen)
    }

    /// Conversions that clamp to the range of the result; NaN becomes 0.
    fn saturating(&mut self, inst: Value<'m>, is_signed: bool) -> Lifted<Regs> {
        refuse_brain(inst.operand(0).ty())?;
        let sources = self.get(inst.operand(0))?;
        let shape = self.program.shape(inst.ty())?;
        let mut regs = Regs::new();
        for (src, leaf) in sources.into_iter().zip(&shape.leaves) {
            regs.push(self.saturate(src, leaf.width, is_signed));
        }
        Ok(regs)
    }

    fn saturate(&mut self, src: Reg, to: u8, is_signed: bool) -> Reg {
        let ones = u128::MAX >> (128 - u32::from(to));
        let (low, high, op, back) = if is_signed {
            let low = 1u128 << (to - 1);
            (low, low - 1, CastOp::FToS, CastOp::SToF)
        } else {
            (0, ones, CastOp::FToU, CastOp::UToF)
        };
        let width = self.out.width(src);
        let (low, high) = (self.int(to, low), self.int(to, high));
        let zero = self.int(to, 0);
        // The limits as floats: the upper one may round up, so equal means too large as well.
        let low_float = self.cast(back, low, width);
        let high_float = self.cast(back, high, width);
        let is_low = self.fcmp(FCmpOp::Ole, src, low_float);
        let is_high = self.fcmp(FCmpOp::Oge, src, high_float);
        let nan = self.fcmp(FCmpOp::Uno, src, src);
        // Convert a harmless number where the result is not used.
        let harmless = self.int(width, 0);
        let outside = self.bin(BinOp::Or, 1, is_low, is_high);
        let outside = self.bin(BinOp::Or, 1, outside, nan);
        let safe = self.select(outside, harmless, src);
        let inside = self.cast(op, safe, to);
        let result = self.select(is_low, low, inside);
        let result = self.select(is_high, high, result);
        self.select(nan, zero, result)
    }

    /// Functions of the C library under another name.
    fn library_math(&mut self, inst: Value<'m>, name: &str) -> Lifted<Regs> {
        let Some(function) = libm::function(name, inst.ty()) else {
            return unsupported(format!("the intrinsic llvm.{name}"));
        };
        let mut args = Vec::new();
        for i in 0..inst.argument_count() {
            args.push(self.get_one(inst.operand(i))?);
        }
        let widths: Vec<u8> = args.iter().map(|reg| self.out.width(*reg)).collect();
        let (shape, regs) = self.regs_of(inst.ty())?;
        let results: Vec<u8> = shape.leaves.iter().map(|leaf| leaf.width).collect();
        let callee = self.program.library_function(function, &widths, &results);
        let args = self.out.add_list(&args);
        let results = self.out.add_list(&regs);
        self.emit(Inst::Call {
            callee,
            args,
            results,
        });
        Ok(regs)
    }

    /// Float operations under `#pragma STDC FENV_ACCESS ON`; the rounding mode is the default.
    fn constrained(&mut self, inst: Value<'m>, name: &str) -> Lifted<Regs> {
        let binary = |this: &mut Self, op| this.float_binary(inst.operand(0), inst.operand(1), op);
        match name {
            "fadd" => binary(self, FBinOp::Add),
            "fsub" => binary(self, FBinOp::Sub),
            "fmul" => binary(self, FBinOp::Mul),
            "fdiv" => binary(self, FBinOp::Div),
            "frem" => binary(self, FBinOp::Rem),
            "fptosi" => self.convert(inst, CastOp::FToS),
            "fptoui" => self.convert(inst, CastOp::FToU),
            "sitofp" => self.convert(inst, CastOp::SToF),
            "uitofp" => self.convert(inst, CastOp::UToF),
            "fptrunc" | "fpext" => self.convert(inst, CastOp::FToF),
            "fcmp" | "fcmps" => {
                let printed = inst.operand(2).text();
                let op = match printed.split('"').nth(1) {
                    Some("oeq") => FCmpOp::Oeq,
                    Some("ogt") => FCmpOp::Ogt,
                    Some("oge") => FCmpOp::Oge,
                    Some("olt") => FCmpOp::Olt,
                    Some("ole") => FCmpOp::Ole,
                    Some("one") => FCmpOp::One,
                    Some("ord") => FCmpOp::Ord,
                    Some("uno") => FCmpOp::Uno,
                    Some("ueq") => FCmpOp::Ueq,
                    Some("ugt") => FCmpOp::Ugt,
                    Some("uge") => FCmpOp::Uge,
                    Some("ult") => FCmpOp::Ult,
                    Some("ule") => FCmpOp::Ule,
                    Some("une") => FCmpOp::Une,
                    _ => return unsupported(format!("the comparison {printed}")),
                };
                self.float_compare(inst.operand(0), inst.operand(1), op)
            }
            "fma" => self.lanes(inst, IntrinsicOp::Fma, 3),
            _ => self.math(inst, name),
        }
    }
}
