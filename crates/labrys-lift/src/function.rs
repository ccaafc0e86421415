//! Translates one LLVM function: gives registers to its values, makes the edges with the copies for
//! its phis, and walks over its blocks.

use crate::blocks::BlockOrder;
use crate::error::{LiftResult, UnsupportedConstruct};
use crate::fold::truncate;
use crate::llvm::{LlvmBlock, LlvmType, LlvmValue, Opcode};
use crate::locals::frame_bytes;
use crate::program::{LateInitial, ProgramLifter};
use crate::scalar_parts::ScalarParts;
use labrys_ir::{
    BinOp, Block as OutBlock, CastOp, CmpOp, Const, EdgeId, FuncId, Function, Inst, Reg, SourceLoc,
    SymbolRef, VariableName,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The registers of one LLVM value, a register a scalar.
pub(crate) type ScalarRegs = SmallVec<[Reg; 2]>;

pub(crate) struct FunctionLifter<'p, 'm> {
    pub(crate) program: &'p mut ProgramLifter<'m>,
    pub(crate) out: Function,
    pub(crate) values: FxHashMap<LlvmValue<'m>, ScalarRegs>,
    constants: FxHashMap<(u8, Const), Reg>,
    /// The constant registers that hold numbers.
    numbers: FxHashMap<Reg, u128>,
    pub(crate) order: Rc<BlockOrder<'m>>,
    /// Phis of each block, by its number.
    phis: Vec<Vec<LlvmValue<'m>>>,
    incoming: FxHashMap<(LlvmValue<'m>, LlvmBlock<'m>), LlvmValue<'m>>,
    /// Stack objects that go to the start of the entry block.
    entry: Vec<Inst>,
    pub(crate) in_entry: bool,
    current: Option<LlvmBlock<'m>>,
    /// Edges of the current block that have been made.
    edges: Vec<(LlvmBlock<'m>, EdgeId)>,
    /// The hidden parameter of a variadic function.
    pub(crate) area: Option<Reg>,
    loc: SourceLoc,
}

impl<'p, 'm> FunctionLifter<'p, 'm> {
    fn new(program: &'p mut ProgramLifter<'m>, id: FuncId, order: Rc<BlockOrder<'m>>) -> Self {
        let name = program.out.functions[id.index()].name.clone();
        FunctionLifter {
            program,
            out: Function {
                name,
                ..Function::default()
            },
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
            numbers: FxHashMap::default(),
            order,
            phis: Vec::new(),
            incoming: FxHashMap::default(),
            entry: Vec::new(),
            in_entry: true,
            current: None,
            edges: Vec::new(),
            area: None,
            loc: SourceLoc::default(),
        }
    }

    pub(crate) fn lift(
        program: &'p mut ProgramLifter<'m>,
        id: FuncId,
        value: LlvmValue<'m>,
    ) -> Function {
        let order = program.block_order(value);
        let mut lifter = FunctionLifter::new(program, id, order);
        lifter.out.loc = lifter.program.loc(value.definition());
        lifter.out.frame = u32::try_from(frame_bytes(value)).unwrap_or(u32::MAX);
        let signature = lifter.parameters(value);
        if !value.is_declaration() {
            match signature {
                Ok(()) => lifter.body(),
                Err(UnsupportedConstruct(what)) => lifter.refuse(&what),
            }
        }
        lifter.out
    }

    /// A function that computes the initial values that need instructions.
    pub(crate) fn initialiser(
        program: &'p mut ProgramLifter<'m>,
        id: FuncId,
        initials: &[LateInitial<'m>],
    ) -> Function {
        let mut lifter = FunctionLifter::new(program, id, Rc::new(BlockOrder::empty()));
        lifter.out.name = "labrys.initialise".to_owned();
        for initial in initials {
            let place = lifter.constant(
                64,
                Const::Symbol(SymbolRef::Global {
                    global: initial.global,
                    addend: initial.offset as i64,
                }),
            );
            if let Err(UnsupportedConstruct(what)) = lifter
                .get(initial.value)
                .and_then(|regs| lifter.store_regs(initial.value.ty(), place, &regs))
            {
                tracing::warn!("an initial value is left zero: {what}");
            }
        }
        let values = lifter.out.add_list(&[]);
        lifter.emit(Inst::Return { values });
        lifter.end_block(0);
        lifter.out
    }

    fn parameters(&mut self, function: LlvmValue<'m>) -> LiftResult<()> {
        let signature = self.program.signature(function.content_type())?;
        self.out.results = signature.results;
        self.out.variadic = signature.variadic;
        for param in function.params() {
            let shape = self.program.shape(param.ty())?;
            let regs: ScalarRegs = shape
                .parts
                .iter()
                .map(|leaf| self.reg(leaf.width))
                .collect();
            self.out.params.extend_from_slice(&regs);
            self.values.insert(param, regs);
        }
        if signature.variadic {
            let area = self.reg(64);
            self.out.params.push(area);
            self.area = Some(area);
        }
        Ok(())
    }

    fn body(&mut self) {
        let order = Rc::clone(&self.order);
        self.prepare_phis(&order);
        for (number, block) in order.blocks.iter().enumerate() {
            let start = self.out.code.len();
            self.in_entry = number == 0;
            self.current = Some(*block);
            self.edges.clear();
            for inst in block.instructions() {
                if inst.opcode() == Opcode::LLVMPHI {
                    continue;
                }
                self.loc = self.program.loc(inst.location());
                self.note_address_bits(inst);
                if let Err(UnsupportedConstruct(what)) = self.instruction(inst) {
                    self.refuse_here(&what);
                    break;
                }
            }
            if !self.out.code.last().is_some_and(Inst::is_terminator) {
                self.refuse_here("a block without an end");
            }
            self.end_block(start);
        }
        self.insert_entry();
    }

    /// The body of a function that cannot be lifted at all.
    fn refuse(&mut self, what: &str) {
        self.loc = self.out.loc;
        self.refuse_here(what);
        self.end_block(0);
    }

    fn refuse_here(&mut self, what: &str) {
        let message = self.program.text(&format!("{what} is not supported"));
        self.emit(Inst::Unsupported { message });
    }

    fn end_block(&mut self, start: usize) {
        self.out.blocks.push(OutBlock {
            start: start as u32,
            end: self.out.code.len() as u32,
        });
    }

    /// Puts the collected stack objects at the start of the entry block.
    fn insert_entry(&mut self) {
        let count = self.entry.len();
        if count == 0 {
            return;
        }
        let loc = self.out.loc;
        self.out.code.splice(0..0, self.entry.drain(..));
        self.out.locs.splice(0..0, std::iter::repeat_n(loc, count));
        for (number, block) in self.out.blocks.iter_mut().enumerate() {
            if number > 0 {
                block.start += count as u32;
            }
            block.end += count as u32;
        }
    }

    /// Gives every phi its registers before any edge is made.
    fn prepare_phis(&mut self, order: &BlockOrder<'m>) {
        for block in &order.blocks {
            let mut phis = Vec::new();
            for inst in block.instructions() {
                if inst.opcode() != Opcode::LLVMPHI {
                    break;
                }
                // A phi of an unsupported type has no registers; its uses are refused.
                let Ok(shape) = self.program.shape(inst.ty()) else {
                    continue;
                };
                let regs = shape
                    .parts
                    .iter()
                    .map(|leaf| self.reg(leaf.width))
                    .collect();
                self.values.insert(inst, regs);
                for (value, from) in inst.incoming() {
                    self.incoming.insert((inst, from), value);
                }
                phis.push(inst);
            }
            self.phis.push(phis);
        }
    }

    /// The edge from the current block to a successor, with the copies for its phis.
    pub(crate) fn edge(&mut self, target: LlvmBlock<'m>) -> LiftResult<EdgeId> {
        if let Some((_, edge)) = self.edges.iter().find(|(block, _)| *block == target) {
            return Ok(*edge);
        }
        let (Some(from), Some(number)) = (self.current, self.order.number(target)) else {
            return Err(UnsupportedConstruct(
                "a jump out of the function".to_owned(),
            ));
        };
        let mut copies = Vec::new();
        for phi in self.phis[number.index()].clone() {
            let Some(value) = self.incoming.get(&(phi, from)).copied() else {
                continue;
            };
            let sources = self.get(value)?;
            let targets = self.get(phi)?;
            copies.extend(targets.into_iter().zip(sources));
        }
        let copies = self.sequence(copies);
        let edge = self.out.add_edge(number, &copies);
        self.edges.push((target, edge));
        Ok(edge)
    }

    /// Orders parallel copies so that executing them one after the other has the same effect;
    /// a cycle is broken with a spare register.
    fn sequence(&mut self, mut pending: Vec<(Reg, Reg)>) -> Vec<(Reg, Reg)> {
        pending.retain(|(to, from)| to != from);
        let mut readers: FxHashMap<Reg, u32> = FxHashMap::default();
        for (_, from) in &pending {
            *readers.entry(*from).or_default() += 1;
        }
        let mut done = Vec::with_capacity(pending.len());
        while !pending.is_empty() {
            let before = pending.len();
            pending.retain(|(to, from)| {
                if readers.get(to).copied().unwrap_or(0) > 0 {
                    return true;
                }
                done.push((*to, *from));
                if let Some(count) = readers.get_mut(from) {
                    *count -= 1;
                }
                false
            });
            if pending.len() == before {
                // Every target is still read: save one and let its readers use the copy.
                let saved = pending[0].0;
                let spare = self.reg(self.out.width(saved));
                done.push((spare, saved));
                let mut moved = 0;
                for (_, from) in pending.iter_mut().filter(|(_, from)| *from == saved) {
                    *from = spare;
                    moved += 1;
                }
                readers.insert(saved, 0);
                readers.insert(spare, moved);
            }
        }
        done
    }

    /// A register holds a variable of the source, or its place.
    pub(crate) fn note_name(&mut self, call: LlvmValue<'m>) {
        let Some(variable) = call.described_variable() else {
            return;
        };
        if let Some([reg]) = self.values.get(&variable.value).map(|regs| &regs[..]) {
            let reg = *reg;
            let text = self.program.text(&variable.name);
            let unsigned = variable.unsigned;
            let name = VariableName { text, unsigned };
            self.out.names.entry(reg).or_insert(name);
        }
    }

    // ---- Registers and constants ----

    pub(crate) fn reg(&mut self, width: u8) -> Reg {
        self.out.add_reg(width)
    }

    pub(crate) fn emit(&mut self, inst: Inst) {
        self.out.code.push(inst);
        self.out.locs.push(self.loc);
    }

    /// A stack object that exists once a call.
    pub(crate) fn entry_object(&mut self, size: u32, align: u16, element: u16) -> Reg {
        let dst = self.reg(64);
        self.entry.push(Inst::Alloca {
            dst,
            size,
            align,
            element,
        });
        dst
    }

    pub(crate) fn constant(&mut self, width: u8, value: Const) -> Reg {
        if let Some(reg) = self.constants.get(&(width, value)) {
            return *reg;
        }
        let reg = self.reg(width);
        self.out.constants.push((reg, value));
        if let Const::Int(number) = value {
            self.numbers.insert(reg, number);
        }
        self.constants.insert((width, value), reg);
        reg
    }

    pub(crate) fn int(&mut self, width: u8, value: u128) -> Reg {
        self.constant(width, Const::Int(truncate(value, width)))
    }

    pub(crate) fn undef(&mut self, width: u8) -> Reg {
        self.constant(width, Const::Undef)
    }

    pub(crate) fn undef_of(&mut self, ty: LlvmType<'m>) -> LiftResult<ScalarRegs> {
        let shape = self.program.shape(ty)?;
        Ok(shape
            .parts
            .iter()
            .map(|leaf| self.undef(leaf.width))
            .collect())
    }

    /// Fresh registers for a value of that type.
    pub(crate) fn regs_of(
        &mut self,
        ty: LlvmType<'m>,
    ) -> LiftResult<(Rc<ScalarParts>, ScalarRegs)> {
        let shape = self.program.shape(ty)?;
        let regs = shape
            .parts
            .iter()
            .map(|leaf| self.reg(leaf.width))
            .collect();
        Ok((shape, regs))
    }

    /// The registers of an operand.
    pub(crate) fn get(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        if let Some(regs) = self.values.get(&value) {
            return Ok(regs.clone());
        }
        if value.is_constant() {
            return self.constant_regs(value);
        }
        // Only code that cannot be reached uses what has not been defined.
        self.undef_of(value.ty())
    }

    /// The register of a scalar operand.
    pub(crate) fn scalar_operand(&mut self, value: LlvmValue<'m>) -> LiftResult<Reg> {
        match self.get(value)?.as_slice() {
            [reg] => Ok(*reg),
            _ => Err(UnsupportedConstruct(format!(
                "the operand {}",
                value.text().trim()
            ))),
        }
    }

    // ---- Small builders ----

    pub(crate) fn bin(&mut self, op: BinOp, width: u8, a: Reg, b: Reg) -> Reg {
        let dst = self.reg(width);
        self.emit(Inst::Bin {
            op,
            width,
            nsw: false,
            dst,
            a,
            b,
        });
        dst
    }

    pub(crate) fn cmp(&mut self, op: CmpOp, width: u8, a: Reg, b: Reg) -> Reg {
        let dst = self.reg(1);
        self.emit(Inst::Cmp {
            op,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    pub(crate) fn select(&mut self, cond: Reg, a: Reg, b: Reg) -> Reg {
        let dst = self.reg(self.out.width(a));
        self.emit(Inst::Select { dst, cond, a, b });
        dst
    }

    pub(crate) fn cast(&mut self, op: CastOp, src: Reg, to: u8) -> Reg {
        let from = self.out.width(src);
        let dst = self.reg(to);
        self.emit(Inst::Cast {
            op,
            from,
            to,
            dst,
            src,
        });
        dst
    }

    /// Zero-extends or cuts to a width.
    pub(crate) fn resize(&mut self, src: Reg, width: u8) -> Reg {
        if let Some(number) = self.numbers.get(&src) {
            return self.int(width, *number);
        }
        let from = self.out.width(src);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => src,
            std::cmp::Ordering::Less => self.cast(CastOp::ZExt, src, width),
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, src, width),
        }
    }

    /// `base + offset`, an address.
    pub(crate) fn address(&mut self, base: Reg, offset: i64) -> Reg {
        if offset == 0 {
            return base;
        }
        match i32::try_from(offset) {
            Ok(offset) => {
                let dst = self.reg(64);
                self.emit(Inst::Offset { dst, base, offset });
                dst
            }
            Err(_) => {
                let distance = self.int(64, offset as u64 as u128);
                self.bin(BinOp::Add, 64, base, distance)
            }
        }
    }
}
