//! Translates plain instructions and constant expressions: arithmetic, conversions, comparisons,
//! addresses and the ends of blocks.

use crate::error::{LiftResult, unsupported};
use crate::fold::signed;
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{FloatKind, LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use labrys_ir::{
    BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, Inst, IntrinsicOp, Reg, SwitchTable, SwitchTableId,
};
use llvm_sys::{LLVMIntPredicate as Int, LLVMRealPredicate as Real};

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn instruction(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        match inst.opcode() {
            Opcode::LLVMRet => self.ret(inst),
            Opcode::LLVMBr => self.branch(inst),
            Opcode::LLVMSwitch => self.switch(inst),
            Opcode::LLVMIndirectBr => self.indirect(inst),
            Opcode::LLVMUnreachable => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            Opcode::LLVMInvoke => {
                self.call(inst)?;
                let edge = self.edge(inst.normal_successor())?;
                self.emit(Inst::Jump { edge });
                Ok(())
            }
            Opcode::LLVMCallBr => unsupported("inline assembly that jumps (asm goto)"),
            Opcode::LLVMStore => self.store(inst),
            Opcode::LLVMFence => {
                self.other_threads();
                Ok(())
            }
            Opcode::LLVMCall => self.call(inst),
            _ => {
                let regs = self.operation(inst)?;
                self.values.insert(inst, regs);
                Ok(())
            }
        }
    }

    /// An operation with a value; instructions and constant expressions alike.
    pub(crate) fn operation(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        match value.opcode() {
            Opcode::LLVMAdd => self.arithmetic(value, BinOp::Add),
            Opcode::LLVMSub => self.arithmetic(value, BinOp::Sub),
            Opcode::LLVMMul => self.arithmetic(value, BinOp::Mul),
            Opcode::LLVMUDiv => self.arithmetic(value, BinOp::UDiv),
            Opcode::LLVMSDiv => self.arithmetic(value, BinOp::SDiv),
            Opcode::LLVMURem => self.arithmetic(value, BinOp::URem),
            Opcode::LLVMSRem => self.arithmetic(value, BinOp::SRem),
            Opcode::LLVMShl => self.arithmetic(value, BinOp::Shl),
            Opcode::LLVMLShr => self.arithmetic(value, BinOp::LShr),
            Opcode::LLVMAShr => self.arithmetic(value, BinOp::AShr),
            Opcode::LLVMAnd => {
                let regs = self.arithmetic(value, BinOp::And)?;
                Ok(self.unless_class(value, regs))
            }
            Opcode::LLVMOr => self.arithmetic(value, BinOp::Or),
            Opcode::LLVMXor => self.arithmetic(value, BinOp::Xor),
            Opcode::LLVMFAdd => self.float_operation(value, FBinOp::Add),
            Opcode::LLVMFSub => self.float_operation(value, FBinOp::Sub),
            Opcode::LLVMFMul => self.float_operation(value, FBinOp::Mul),
            Opcode::LLVMFDiv => self.float_operation(value, FBinOp::Div),
            Opcode::LLVMFRem => self.float_operation(value, FBinOp::Rem),
            Opcode::LLVMFNeg => self.float_unary(value.operand(0), FUnOp::Neg),
            Opcode::LLVMTrunc => self.convert(value, CastOp::Trunc),
            Opcode::LLVMZExt => self.convert(value, CastOp::ZExt),
            Opcode::LLVMSExt => self.convert(value, CastOp::SExt),
            Opcode::LLVMFPToUI => self.convert(value, CastOp::FToU),
            Opcode::LLVMFPToSI => self.convert(value, CastOp::FToS),
            Opcode::LLVMUIToFP => self.convert(value, CastOp::UToF),
            Opcode::LLVMSIToFP => self.convert(value, CastOp::SToF),
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => self.convert(value, CastOp::FToF),
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr => self.pointer_cast(value),
            Opcode::LLVMBitCast => self.bit_cast(value),
            // An opaque value of a local that is always written first.
            Opcode::LLVMFreeze if !value.is_used() => Ok(ScalarRegs::new()),
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => self.get(value.operand(0)),
            Opcode::LLVMICmp => self.compare(value),
            Opcode::LLVMFCmp => self.compare_floats(value),
            Opcode::LLVMSelect => self.choose(value),
            Opcode::LLVMGetElementPtr => self.element_pointer(value),
            Opcode::LLVMAlloca => self.alloca(value),
            Opcode::LLVMLoad => self.load(value),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(value),
            Opcode::LLVMAtomicRMW => self.read_modify_write(value),
            Opcode::LLVMVAArg => self.variable_argument(value),
            Opcode::LLVMExtractElement => self.extract_element(value),
            Opcode::LLVMInsertElement => self.insert_element(value),
            Opcode::LLVMShuffleVector => self.shuffle(value),
            Opcode::LLVMExtractValue => self.extract_value(value),
            Opcode::LLVMInsertValue => self.insert_value(value),
            other => {
                let name = format!("{other:?}");
                let name = name.trim_start_matches("LLVM").to_lowercase();
                unsupported(format!("the LLVM instruction '{name}'"))
            }
        }
    }

    fn arithmetic(&mut self, value: LlvmValue<'m>, op: BinOp) -> LiftResult<ScalarRegs> {
        let nsw = value.kind() == ValueKind::LLVMInstructionValueKind
            && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl)
            && value.has_nsw();
        let a = self.get(value.operand(0))?;
        let b = self.get(value.operand(1))?;
        if op == BinOp::Sub {
            self.pointer_pair(value, IntrinsicOp::PointersSubtracted, &a, &b);
        }
        let (shape, regs) = self.regs_of(value.ty())?;
        for (i, leaf) in shape.parts.iter().enumerate() {
            self.emit(Inst::Bin {
                op,
                width: leaf.width,
                nsw,
                dst: regs[i],
                a: a[i],
                b: b[i],
            });
        }
        Ok(regs)
    }

    pub(crate) fn float_operation(
        &mut self,
        value: LlvmValue<'m>,
        op: FBinOp,
    ) -> LiftResult<ScalarRegs> {
        let regs = self.float_binary(value.operand(0), value.operand(1), op)?;
        Ok(self.unless_loose(value, regs))
    }

    pub(crate) fn float_binary(
        &mut self,
        a: LlvmValue<'m>,
        b: LlvmValue<'m>,
        op: FBinOp,
    ) -> LiftResult<ScalarRegs> {
        refuse_bfloat(a.ty())?;
        let ty = a.ty();
        let a = self.get(a)?;
        let b = self.get(b)?;
        let (shape, regs) = self.regs_of(ty)?;
        for (i, leaf) in shape.parts.iter().enumerate() {
            self.emit(Inst::FBin {
                op,
                width: leaf.width,
                dst: regs[i],
                a: a[i],
                b: b[i],
            });
        }
        Ok(regs)
    }

    pub(crate) fn float_unary(
        &mut self,
        operand: LlvmValue<'m>,
        op: FUnOp,
    ) -> LiftResult<ScalarRegs> {
        refuse_bfloat(operand.ty())?;
        let sources = self.get(operand)?;
        let (shape, regs) = self.regs_of(operand.ty())?;
        for (i, leaf) in shape.parts.iter().enumerate() {
            self.emit(Inst::FUn {
                op,
                width: leaf.width,
                dst: regs[i],
                src: sources[i],
            });
        }
        Ok(regs)
    }

    pub(crate) fn convert(&mut self, value: LlvmValue<'m>, op: CastOp) -> LiftResult<ScalarRegs> {
        refuse_bfloat(value.ty())?;
        refuse_bfloat(value.operand(0).ty())?;
        let sources = self.get(value.operand(0))?;
        let shape = self.program.shape(value.ty())?;
        Ok(sources
            .into_iter()
            .zip(&shape.parts)
            .map(|(src, leaf)| self.cast(op, src, leaf.width))
            .collect())
    }

    fn pointer_cast(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let sources = self.get(value.operand(0))?;
        let shape = self.program.shape(value.ty())?;
        Ok(sources
            .into_iter()
            .zip(&shape.parts)
            .map(|(src, leaf)| self.resize(src, leaf.width))
            .collect())
    }

    fn compare(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let op = match value.int_predicate() {
            Int::LLVMIntEQ => CmpOp::Eq,
            Int::LLVMIntNE => CmpOp::Ne,
            Int::LLVMIntUGT => CmpOp::Ugt,
            Int::LLVMIntUGE => CmpOp::Uge,
            Int::LLVMIntULT => CmpOp::Ult,
            Int::LLVMIntULE => CmpOp::Ule,
            Int::LLVMIntSGT => CmpOp::Sgt,
            Int::LLVMIntSGE => CmpOp::Sge,
            Int::LLVMIntSLT => CmpOp::Slt,
            Int::LLVMIntSLE => CmpOp::Sle,
        };
        let a = self.get(value.operand(0))?;
        let b = self.get(value.operand(1))?;
        let question = match op {
            CmpOp::Eq | CmpOp::Ne => IntrinsicOp::PointersEqual,
            _ => IntrinsicOp::PointersOrdered,
        };
        self.pointer_pair(value, question, &a, &b);
        self.pointers_are_compared(value, &a, &b);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| self.cmp(op, self.out.width(a), a, b))
            .collect())
    }

    fn compare_floats(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let (a, b) = (value.operand(0), value.operand(1));
        let op = match value.float_predicate() {
            Real::LLVMRealOEQ => FCmpOp::Oeq,
            Real::LLVMRealOGT => FCmpOp::Ogt,
            Real::LLVMRealOGE => FCmpOp::Oge,
            Real::LLVMRealOLT => FCmpOp::Olt,
            Real::LLVMRealOLE => FCmpOp::Ole,
            Real::LLVMRealONE => FCmpOp::One,
            Real::LLVMRealORD => FCmpOp::Ord,
            Real::LLVMRealUNO => FCmpOp::Uno,
            Real::LLVMRealUEQ => FCmpOp::Ueq,
            Real::LLVMRealUGT => FCmpOp::Ugt,
            Real::LLVMRealUGE => FCmpOp::Uge,
            Real::LLVMRealULT => FCmpOp::Ult,
            Real::LLVMRealULE => FCmpOp::Ule,
            Real::LLVMRealUNE => FCmpOp::Une,
            always @ (Real::LLVMRealPredicateFalse | Real::LLVMRealPredicateTrue) => {
                let bit = u128::from(always == Real::LLVMRealPredicateTrue);
                let lanes = self.program.shape(value.ty())?.parts.len();
                return Ok((0..lanes).map(|_| self.int(1, bit)).collect());
            }
        };
        let regs = self.float_compare(a, b, op)?;
        Ok(self.unless_loose(value, regs))
    }

    pub(crate) fn float_compare(
        &mut self,
        a: LlvmValue<'m>,
        b: LlvmValue<'m>,
        op: FCmpOp,
    ) -> LiftResult<ScalarRegs> {
        refuse_bfloat(a.ty())?;
        let a = self.get(a)?;
        let b = self.get(b)?;
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| self.fcmp(op, a, b))
            .collect())
    }

    pub(crate) fn fcmp(&mut self, op: FCmpOp, a: Reg, b: Reg) -> Reg {
        let dst = self.reg(1);
        self.emit(Inst::FCmp {
            op,
            width: self.out.width(a),
            dst,
            a,
            b,
        });
        dst
    }

    fn choose(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let conditions = self.get(value.operand(0))?;
        let a = self.get(value.operand(1))?;
        let b = self.get(value.operand(2))?;
        let mut regs = ScalarRegs::new();
        for (i, (a, b)) in a.into_iter().zip(b).enumerate() {
            // One condition for all lanes, or one for each.
            let condition = conditions[i.min(conditions.len() - 1)];
            regs.push(self.select(condition, a, b));
        }
        Ok(regs)
    }

    // ---- Addresses ----

    fn element_pointer(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let lanes = match value.ty().kind() {
            LlvmTypeKind::Vector(lanes) => lanes as usize,
            _ => 1,
        };
        let bases = self.get(value.operand(0))?;
        let mut regs = ScalarRegs::new();
        for lane in 0..lanes {
            let base = bases[lane.min(bases.len() - 1)];
            regs.push(self.lane_pointer(value, base, lane)?);
        }
        Ok(regs)
    }

    /// One lane of a GEP: variable indices first, all constant parts in one offset.
    fn lane_pointer(&mut self, gep: LlvmValue<'m>, base: Reg, lane: usize) -> LiftResult<Reg> {
        let mut address = base;
        let mut offset = 0i64;
        let mut ty = gep.gep_type();
        for i in 1..gep.operand_count() {
            let index = gep.operand(i);
            if i > 1 && ty.kind() == LlvmTypeKind::Struct {
                let field = lane_constant(index, lane).map_or(0, signed) as u32;
                let place = self.program.layout.field_offset(ty, field);
                offset = offset.wrapping_add(place as i64);
                ty = ty.field(field);
                continue;
            }
            if i > 1 {
                ty = ty.element();
            }
            let scale = self.program.layout.size(ty);
            if let Some(constant) = lane_constant(index, lane) {
                offset = offset.wrapping_add(signed(constant).wrapping_mul(scale as i64));
            } else {
                let indices = self.get(index)?;
                let index = indices[lane.min(indices.len() - 1)];
                address = self.index(address, index, scale);
            }
        }
        Ok(self.address(address, offset))
    }

    fn index(&mut self, base: Reg, index: Reg, scale: u64) -> Reg {
        if scale == 0 {
            return base;
        }
        let width = self.out.width(index);
        let mut index = match width.cmp(&64) {
            std::cmp::Ordering::Less => self.cast(CastOp::SExt, index, 64),
            std::cmp::Ordering::Equal => index,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, index, 64),
        };
        let scale = u32::try_from(scale).unwrap_or_else(|_| {
            let factor = self.int(64, u128::from(scale));
            index = self.bin(BinOp::Mul, 64, index, factor);
            1
        });
        let dst = self.reg(64);
        self.emit(Inst::Index {
            dst,
            base,
            index,
            scale,
        });
        dst
    }

    // ---- Ends of blocks ----

    fn ret(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        let regs = if inst.operand_count() == 0 {
            ScalarRegs::new()
        } else {
            self.get(inst.operand(0))?
        };
        let values = self.out.add_list(&regs);
        self.emit(Inst::Return { values });
        Ok(())
    }

    fn branch(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        let then = self.edge(inst.successor(0))?;
        let Some(condition) = inst.branch_condition() else {
            self.emit(Inst::Jump { edge: then });
            return Ok(());
        };
        let other = self.edge(inst.successor(1))?;
        let cond = self.scalar_operand(condition)?;
        self.emit(Inst::Branch { cond, then, other });
        Ok(())
    }

    fn switch(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        let default = Some(self.edge(inst.successor(0))?);
        let mut cases = Vec::new();
        for i in 1..inst.successor_count() {
            let edge = self.edge(inst.successor(i))?;
            cases.push((inst.operand(2 * i).bits(), edge));
        }
        cases.sort_by_key(|(value, _)| *value);
        let value = self.scalar_operand(inst.operand(0))?;
        let table = self.table(SwitchTable { cases, default });
        self.emit(Inst::Switch { value, table });
        Ok(())
    }

    fn indirect(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        let mut cases = Vec::new();
        for i in 0..inst.successor_count() {
            let target = inst.successor(i);
            if let Some(number) = self.order.number(target) {
                cases.push((u128::from(number.0), self.edge(target)?));
            }
        }
        cases.sort_by_key(|(value, _)| *value);
        cases.dedup_by_key(|(value, _)| *value);
        let address = self.scalar_operand(inst.operand(0))?;
        let table = self.table(SwitchTable {
            cases,
            default: None,
        });
        self.emit(Inst::JumpIndirect { address, table });
        Ok(())
    }

    fn table(&mut self, table: SwitchTable) -> SwitchTableId {
        self.out.switches.push(table);
        SwitchTableId(self.out.switches.len() as u32 - 1)
    }

    // ---- Aggregates ----

    /// First register and count of the part of an aggregate that the indices name.
    fn part(&mut self, mut ty: LlvmType<'m>, indices: &[u32]) -> LiftResult<(usize, usize)> {
        let mut start = 0;
        for index in indices {
            match ty.kind() {
                LlvmTypeKind::Struct => {
                    for field in ty.fields().into_iter().take(*index as usize) {
                        start += self.program.shape(field)?.parts.len();
                    }
                    ty = ty.field(*index);
                }
                _ => {
                    ty = ty.element();
                    start += *index as usize * self.program.shape(ty)?.parts.len();
                }
            }
        }
        Ok((start, self.program.shape(ty)?.parts.len()))
    }

    fn extract_value(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let whole = self.get(value.operand(0))?;
        let (start, count) = self.part(value.operand(0).ty(), value.indices())?;
        Ok(whole[start..start + count].iter().copied().collect())
    }

    fn insert_value(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let mut whole = self.get(value.operand(0))?;
        let part = self.get(value.operand(1))?;
        let (start, count) = self.part(value.ty(), value.indices())?;
        whole[start..start + count].copy_from_slice(&part);
        Ok(whole)
    }
}

/// A constant index of a GEP, of one lane if it is a vector.
fn lane_constant(index: LlvmValue<'_>, lane: usize) -> Option<LlvmValue<'_>> {
    if index.kind() == ValueKind::LLVMConstantIntValueKind {
        return Some(index);
    }
    if matches!(index.ty().kind(), LlvmTypeKind::Vector(_)) && index.is_constant() {
        let element = index.element(lane as u32)?;
        return (element.kind() == ValueKind::LLVMConstantIntValueKind).then_some(element);
    }
    None
}

/// A float format with 8 bits of exponent in 16 bits has no arithmetic in the IR.
pub(crate) fn refuse_bfloat(ty: LlvmType<'_>) -> LiftResult<()> {
    let scalar = match ty.kind() {
        LlvmTypeKind::Vector(_) => ty.element(),
        _ => ty,
    };
    match scalar.kind() {
        LlvmTypeKind::Float(FloatKind::Brain) => unsupported("arithmetic on __bf16"),
        _ => Ok(()),
    }
}
