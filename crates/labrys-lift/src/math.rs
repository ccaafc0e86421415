//! Intrinsics on floats: those that the IR has, those made of several operations, and those that
//! are functions of the C library.

use crate::error::{LiftResult, unsupported};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::instructions::refuse_bfloat;
use crate::libm;
use crate::llvm::LlvmValue;
use labrys_ir::{BinOp, CastOp, FBinOp, FCmpOp, FUnOp, Inst, IntrinsicOp, Reg};

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn math(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<ScalarRegs> {
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

    fn more_math(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<ScalarRegs> {
        let binary = |this: &mut Self, op| this.float_binary(inst.operand(0), inst.operand(1), op);
        match name {
            "copysign" => binary(self, FBinOp::CopySign),
            "minnum" => binary(self, FBinOp::Min),
            "maxnum" => binary(self, FBinOp::Max),
            "minimum" | "maximum" => {
                refuse_bfloat(inst.ty())?;
                let a = self.get(inst.operand(0))?;
                let b = self.get(inst.operand(1))?;
                Ok(a.into_iter()
                    .zip(b)
                    .map(|(a, b)| self.strict_extreme(a, b, name == "maximum"))
                    .collect())
            }
            "fma" => {
                refuse_bfloat(inst.ty())?;
                self.lanes(inst, IntrinsicOp::Fma, 3)
            }
            "fmuladd" => {
                let regs = self.multiply_add(inst)?;
                Ok(self.unless_loose(inst, regs))
            }
            "lround" | "llround" => self.round_to_int(inst, FUnOp::Round),
            "lrint" | "llrint" => self.round_to_int(inst, FUnOp::RoundEven),
            "fptosi.sat" => self.saturating(inst, true),
            "fptoui.sat" => self.saturating(inst, false),
            _ => self.library_math(inst, name),
        }
    }

    /// Without fused instructions the product is rounded before the sum, as x86-64 at `-O0` does. With
    /// them that is an assumption.
    fn multiply_add(&mut self, inst: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        refuse_bfloat(inst.ty())?;
        let a = self.get(inst.operand(0))?;
        let b = self.get(inst.operand(1))?;
        let c = self.get(inst.operand(2))?;
        let mut regs = ScalarRegs::new();
        for i in 0..a.len() {
            let product = self.fbin(FBinOp::Mul, a[i], b[i]);
            regs.push(self.fbin(FBinOp::Add, product, c[i]));
        }
        Ok(regs)
    }

    fn round_to_int(&mut self, inst: LlvmValue<'m>, op: FUnOp) -> LiftResult<ScalarRegs> {
        let rounded = self.float_unary(inst.operand(0), op)?;
        let shape = self.program.shape(inst.ty())?;
        Ok(rounded
            .into_iter()
            .zip(&shape.parts)
            .map(|(src, leaf)| self.cast(CastOp::FToS, src, leaf.width))
            .collect())
    }

    /// IEEE 754-2019 `minimum` and `maximum`: NaN wins, and -0 is below +0.
    pub(crate) fn strict_extreme(&mut self, a: Reg, b: Reg, largest: bool) -> Reg {
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
    fn saturating(&mut self, inst: LlvmValue<'m>, is_signed: bool) -> LiftResult<ScalarRegs> {
        refuse_bfloat(inst.operand(0).ty())?;
        let sources = self.get(inst.operand(0))?;
        let shape = self.program.shape(inst.ty())?;
        let mut regs = ScalarRegs::new();
        for (src, leaf) in sources.into_iter().zip(&shape.parts) {
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
    fn library_math(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<ScalarRegs> {
        let Some(function) = libm::function(name, inst.ty()) else {
            return unsupported(format!("the intrinsic llvm.{name}"));
        };
        let mut args = Vec::new();
        for i in 0..inst.argument_count() {
            args.push(self.scalar_operand(inst.operand(i))?);
        }
        let widths: Vec<u8> = args.iter().map(|reg| self.out.width(*reg)).collect();
        let (shape, regs) = self.regs_of(inst.ty())?;
        let results: Vec<u8> = shape.parts.iter().map(|leaf| leaf.width).collect();
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
    pub(crate) fn constrained(
        &mut self,
        inst: LlvmValue<'m>,
        name: &str,
    ) -> LiftResult<ScalarRegs> {
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
