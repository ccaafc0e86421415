//! Random statements over addresses that functions get and pass on, elements of two bytes by an index,
//! and calls on whose results the caller branches.

use crate::memory::POINTER;
use crate::program::Writer;
use labrys_ir::{BinOp, CastOp, CmpOp, Inst, Reg};

/// Eight bytes are four elements.
const ELEMENT: u32 = 2;
const INDEX_MASK: u64 = 3;

impl Writer<'_> {
    fn emit_offset(&mut self, base: Reg, offset: i32) -> Reg {
        let dst = self.function.add_reg(64);
        self.emit(Inst::Offset { dst, base, offset });
        dst
    }

    /// The address of an element of a variable or of the local.
    fn element(&mut self) -> Reg {
        let number = self.random.below(POINTER as usize) as u32;
        let base = match self.random.below(4) {
            0 => self.local(),
            1 if self.pointer.is_some() && self.random.one_in(3) => self.passed_address(),
            _ => self.variable(number, 0),
        };
        let operand = self.operand();
        let index = if self.random.one_in(2) {
            let byte = self.cast(CastOp::ZExt, 8, operand);
            let mask = self.constant(8, INDEX_MASK);
            let masked = self.binary(BinOp::And, byte, mask);
            self.cast(CastOp::ZExt, 64, masked)
        } else {
            let wide = self.cast(CastOp::ZExt, 64, operand);
            let mask = self.constant_of_64(INDEX_MASK);
            self.binary(BinOp::And, wide, mask)
        };
        let dst = self.function.add_reg(64);
        self.emit(Inst::Index {
            dst,
            base,
            index,
            scale: ELEMENT,
        });
        dst
    }

    /// An address for a call.
    pub(crate) fn passed_address(&mut self) -> Reg {
        let number = self.random.below(POINTER as usize) as u32;
        let place = self.random.below(4);
        match self.random.below(9) {
            0..=2 => self.variable(number, place as i64),
            3 | 4 => self.local(),
            5 => {
                let base = self.local();
                self.emit_offset(base, place as i32)
            }
            6 if self.pointer.is_none() => self.element(),
            6 => {
                let number = self.random.below(POINTER as usize) as u32;
                let (a, b) = (self.variable(number, 0), self.local());
                let cond = self.comparison();
                let dst = self.function.add_reg(64);
                self.emit(Inst::Select { dst, cond, a, b });
                dst
            }
            _ => match self.pointer {
                Some(base) => self.emit_offset(base, (place % 2) as i32),
                None => self.variable(number, 0),
            },
        }
    }

    fn behind(&mut self) -> Reg {
        match (self.pointer, self.random.below(4)) {
            (Some(pointer), 0 | 1) => pointer,
            (Some(pointer), 2) => self.emit_offset(pointer, 1),
            _ => self.element(),
        }
    }

    fn store_byte(&mut self, addr: Reg) {
        let operand = self.operand();
        let src = self.cast(CastOp::ZExt, 8, operand);
        self.emit(Inst::Store {
            addr,
            src,
            width: 8,
        });
    }

    fn load_byte(&mut self, addr: Reg) -> Reg {
        let dst = self.function.add_reg(8);
        self.emit(Inst::Load {
            dst,
            addr,
            width: 8,
        });
        dst
    }

    /// Keeps what is behind an address as a variable.
    fn take(&mut self, addr: Reg) {
        let value = self.load_byte(addr);
        let value = self.cast(CastOp::Trunc, self.width, value);
        let i = self.random.below(self.variables.len());
        self.variables[i] = value;
    }

    pub(crate) fn pointer_statement(&mut self) {
        match self.random.below(8) {
            0 | 1 => self.memory_statement(),
            2 => {
                let addr = self.behind();
                self.store_byte(addr);
            }
            3 => {
                let addr = self.behind();
                self.take(addr);
            }
            4 => self.checked(),
            _ => {
                if let Some(value) = self.any_call()
                    && self.depth < 3
                    && !self.random.one_in(3)
                {
                    self.status_branch(value);
                }
            }
        }
    }

    /// Stores through an address, checks what is there now, and reads it again.
    fn checked(&mut self) {
        let addr = self.behind();
        self.store_byte(addr);
        if self.random.one_in(2) {
            self.memory_statement();
        }
        let held = self.load_byte(addr);
        let number = self.random.below(8) as u64;
        let bound = self.constant(8, number);
        let dst = self.function.add_reg(1);
        let op = self.random.pick(&[CmpOp::Ult, CmpOp::Ugt, CmpOp::Eq]);
        self.emit(Inst::Cmp {
            op,
            width: 8,
            dst,
            a: held,
            b: bound,
        });
        if self.depth < 3 {
            self.branch_on(dst, Some(addr));
        }
        self.take(addr);
    }

    /// Looks at what is behind an address on both ways of a branch.
    pub(crate) fn look_behind(&mut self, addr: Option<Reg>) {
        if let Some(addr) = addr {
            self.take(addr);
            self.label();
            if self.random.one_in(2) {
                let number = self.random.below(POINTER as usize) as u32;
                let place = self.random.below(8) as i64;
                let other = self.variable(number, place);
                self.take(other);
                self.label();
            }
        }
    }
}
