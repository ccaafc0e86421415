//! Random expressions and conditions.

use crate::program::{Shape, Writer};
use labrys_ir::{BinOp, CastOp, CmpOp, Inst, Reg};

impl Writer<'_> {
    pub(crate) fn operand(&mut self) -> Reg {
        if self.random.one_in(3) {
            let bits = self.random.below(1 << self.width) as u64;
            return self.constant(self.width, bits);
        }
        let i = self.random.below(self.variables.len());
        self.variables[i]
    }

    pub(crate) fn cast(&mut self, op: CastOp, to: u8, src: Reg) -> Reg {
        let from = self.function.width(src);
        let dst = self.function.add_reg(to);
        self.emit(Inst::Cast {
            op,
            from,
            to,
            dst,
            src,
        });
        dst
    }

    pub(crate) fn binary(&mut self, op: BinOp, a: Reg, b: Reg) -> Reg {
        let width = self.function.width(a);
        let dst = self.function.add_reg(width);
        let nsw = self.random.one_in(2);
        self.emit(Inst::Bin {
            op,
            width,
            nsw,
            dst,
            a,
            b,
        });
        dst
    }

    pub(crate) fn expression(&mut self, depth: u32) -> Reg {
        if depth == 0 || self.random.one_in(4) {
            return self.operand();
        }
        match self.random.below(9) {
            0..=5 => {
                let ops = [
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::And,
                    BinOp::UDiv,
                    BinOp::URem,
                    BinOp::SDiv,
                    BinOp::SRem,
                    BinOp::Shl,
                    BinOp::LShr,
                    BinOp::AShr,
                ];
                let op = self.random.pick(&ops);
                let a = self.expression(depth - 1);
                let b = self.expression(depth - 1);
                self.binary(op, a, b)
            }
            6 => {
                let src = self.expression(depth - 1);
                let op = self.random.pick(&[CastOp::SExt, CastOp::ZExt]);
                let wide = self.cast(op, self.width + 3, src);
                let bits = self.next_bits();
                let other = self.constant(self.width + 3, bits);
                let sum = self.binary(BinOp::Add, wide, other);
                self.cast(CastOp::Trunc, self.width, sum)
            }
            7 => {
                let cond = self.comparison();
                let (a, b) = (self.operand(), self.operand());
                let dst = self.function.add_reg(self.width);
                self.emit(Inst::Select { dst, cond, a, b });
                dst
            }
            _ => {
                let cond = self.comparison();
                self.cast(CastOp::ZExt, self.width, cond)
            }
        }
    }

    pub(crate) fn next_bits(&mut self) -> u64 {
        self.random.below(1 << (self.width + 3)) as u64
    }

    pub(crate) fn comparison(&mut self) -> Reg {
        let ops = [
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Ult,
            CmpOp::Ule,
            CmpOp::Ugt,
            CmpOp::Uge,
            CmpOp::Slt,
            CmpOp::Sle,
            CmpOp::Sgt,
            CmpOp::Sge,
        ];
        let op = self.random.pick(&ops);
        let depth = self.random.below(3) as u32;
        let (mut a, mut b) = (self.expression(depth), self.operand());
        let mut width = self.width;
        if self.random.one_in(3) {
            // The integer promotions.
            let op = self.random.pick(&[CastOp::SExt, CastOp::ZExt]);
            a = self.cast(op, 32, a);
            b = self.cast(op, 32, b);
            width = 32;
        }
        let dst = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    /// Comparisons put together, as in the labels of multiple conditions.
    pub(crate) fn predicate(&mut self) -> Reg {
        if self.shape == Shape::Relations && !self.random.one_in(4) {
            return self.related_comparison();
        }
        if self.random.one_in(5) {
            return self.mutant();
        }
        let mut reg = self.comparison();
        for _ in 0..self.random.below(4) {
            let next = self.comparison();
            if self.random.one_in(4) {
                let yes = self.constant(1, 1);
                reg = self.binary(BinOp::Xor, reg, yes);
            }
            let op = self
                .random
                .pick(&[BinOp::And, BinOp::And, BinOp::Or, BinOp::Xor]);
            reg = if self.random.one_in(3) {
                let (a, b) = (
                    self.cast(CastOp::ZExt, 32, reg),
                    self.cast(CastOp::ZExt, 32, next),
                );
                let both = self.binary(op, a, b);
                self.is_not_zero(both)
            } else {
                self.binary(op, reg, next)
            };
        }
        reg
    }

    pub(crate) fn is_not_zero(&mut self, reg: Reg) -> Reg {
        let width = self.function.width(reg);
        let zero = self.constant(width, 0);
        let dst = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op: CmpOp::Ne,
            width,
            dst,
            a: reg,
            b: zero,
        });
        dst
    }

    /// Does an expression differ from itself with one operation more?
    fn mutant(&mut self) -> Reg {
        let (a, c) = (self.expression(1), self.operand());
        let zero = match self.random.below(3) {
            0 => self.constant(self.width, 0),
            1 => {
                let cond = self.comparison();
                self.cast(CastOp::ZExt, self.width, cond)
            }
            _ => self.operand(),
        };
        let ops = [BinOp::Add, BinOp::Sub, BinOp::Xor, BinOp::Mul, BinOp::Shl];
        let op = self.random.pick(&ops);
        let b = self.binary(op, a, zero);
        let op = self
            .random
            .pick(&[CmpOp::Ne, CmpOp::Slt, CmpOp::Uge, CmpOp::Eq]);
        let mut sides = [a, b];
        if self.random.one_in(2) {
            let then = self.random.pick(&[BinOp::Add, BinOp::And, BinOp::Mul]);
            sides = sides.map(|side| self.binary(then, side, c));
        }
        let dst = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op,
            width: self.width,
            dst,
            a: sides[0],
            b: sides[1],
        });
        dst
    }
}
