//! Random statements that relate numbers: counters that go up and down by small steps, comparisons of
//! two of them or of their sum and difference, and variables that hold one for a while.

use crate::program::Writer;
use labrys_ir::{BinOp, CastOp, CmpOp, Const, GlobalId, Inst, Reg, SymbolRef};

/// Each is in a variable of its own, which no pointer leads to.
const KEPT: usize = 2;

impl Writer<'_> {
    pub(crate) fn relation_statement(&mut self) {
        match self.random.below(8) {
            0..=3 => {
                let from = self.random.below(self.variables.len());
                let steps = [1, 1, 1, 2, 3];
                let step = self.random.pick(&steps);
                let step = self.constant(self.width, step);
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub]);
                let next = self.binary(op, self.variables[from], step);
                let to = match self.random.one_in(2) {
                    true => from,
                    false => self.random.below(self.variables.len()),
                };
                self.variables[to] = next;
            }
            4 => {
                let (i, addr) = (self.random.below(self.variables.len()), self.kept());
                let src = self.cast(CastOp::ZExt, 8, self.variables[i]);
                self.emit(Inst::Store {
                    addr,
                    src,
                    width: 8,
                });
            }
            5 => {
                let (i, addr) = (self.random.below(self.variables.len()), self.kept());
                let dst = self.function.add_reg(8);
                self.emit(Inst::Load {
                    dst,
                    addr,
                    width: 8,
                });
                self.variables[i] = self.cast(CastOp::Trunc, self.width, dst);
            }
            _ => self.label(),
        }
    }

    fn kept(&mut self) -> Reg {
        let global = GlobalId(self.random.below(KEPT) as u32);
        let reg = self.function.add_reg(64);
        let symbol = Const::Symbol(SymbolRef::Global { global, addend: 0 });
        self.function.constants.push((reg, symbol));
        reg
    }

    /// Two variables, or a sum of two and a number.
    pub(crate) fn related_comparison(&mut self) -> Reg {
        let ops = [
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Ult,
            CmpOp::Ule,
            CmpOp::Slt,
            CmpOp::Sge,
            CmpOp::Ugt,
        ];
        let op = self.random.pick(&ops);
        let mut pick = || {
            let i = self.random.below(self.variables.len());
            self.variables[i]
        };
        let (mut a, mut b) = (pick(), pick());
        if self.random.one_in(3) {
            let sum = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::URem]);
            a = self.binary(sum, a, b);
            let bits = self.random.below(5) as u64;
            b = self.constant(self.width, bits);
        }
        let dst = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op,
            width: self.width,
            dst,
            a,
            b,
        });
        dst
    }
}
