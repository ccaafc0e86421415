//! Random statements over memory: variables, parts of them, a local, elements by an index, a pointer
//! that leads to one of several places or nowhere.

use crate::program::Writer;
use labrys_ir::{CastOp, Const, Global, GlobalId, Inst, Module, Reg, ScalarKinds, SymbolRef};

/// Variables of eight bytes. The last one holds a pointer, and nothing else.
const VARIABLES: u32 = 4;
pub(crate) const POINTER: u32 = VARIABLES - 1;
/// The index of an element has two bits.
const INDEX_MASK: u64 = 3;

/// Adds the variables to a module.
pub(crate) fn add_variables(module: &mut Module) {
    for number in 0..VARIABLES {
        module.globals.push(Global {
            name: format!("v{number}"),
            size: 8,
            align: 8,
            init: match number {
                1 => vec![1, 2, 3, 4, 5, 6, 7, 8],
                _ => Vec::new(),
            },
            relocs: Vec::new(),
            constant: false,
            mergeable: false,
            external: false,
            changeable: true,
            element: 0,
            reach: ScalarKinds::NONE,
            parts: Vec::new(),
        });
    }
}

impl Writer<'_> {
    pub(crate) fn variable(&mut self, number: u32, addend: i64) -> Reg {
        let reg = self.function.add_reg(64);
        let global = GlobalId(number);
        let symbol = Const::Symbol(SymbolRef::Global { global, addend });
        self.function.constants.push((reg, symbol));
        reg
    }

    /// An address to read or write at most two bytes.
    pub(crate) fn any_address(&mut self) -> Reg {
        let number = self.random.below(POINTER as usize) as u32;
        let place = self.random.below(4) as i32;
        match self.random.below(8) {
            0..=2 => self.variable(number, place.into()),
            3 | 4 => {
                let base = self.variable(number, 0);
                let dst = self.function.add_reg(64);
                self.emit(Inst::Offset {
                    dst,
                    base,
                    offset: place,
                });
                dst
            }
            5 => {
                let operand = self.operand();
                let wide = self.cast(CastOp::ZExt, 64, operand);
                let mask = self.constant_of_64(INDEX_MASK);
                let index = self.binary(labrys_ir::BinOp::And, wide, mask);
                let base = match self.random.one_in(2) {
                    true => self.variable(number, 0),
                    false => self.local(),
                };
                let dst = self.function.add_reg(64);
                self.emit(Inst::Index {
                    dst,
                    base,
                    index,
                    scale: 1,
                });
                dst
            }
            6 => self.local(),
            _ => {
                let addr = self.variable(POINTER, 0);
                let dst = self.function.add_reg(64);
                self.emit(Inst::Load {
                    dst,
                    addr,
                    width: 64,
                });
                dst
            }
        }
    }

    pub(crate) fn constant_of_64(&mut self, bits: u64) -> Reg {
        let reg = self.function.add_reg(64);
        self.function.constants.push((reg, Const::Int(bits.into())));
        reg
    }

    pub(crate) fn local(&mut self) -> Reg {
        match self.local {
            Some(reg) => reg,
            None => self.variable(0, 0),
        }
    }

    pub(crate) fn memory_statement(&mut self) {
        let width = if self.random.one_in(5) { 16 } else { 8 };
        match self.random.below(9) {
            0..=3 => {
                let operand = self.operand();
                let src = self.cast(CastOp::ZExt, width, operand);
                let addr = self.any_address();
                self.emit(Inst::Store { addr, src, width });
            }
            4..=7 => {
                let addr = self.any_address();
                let dst = self.function.add_reg(width);
                self.emit(Inst::Load { dst, addr, width });
                let value = self.cast(CastOp::Trunc, self.width, dst);
                let i = self.random.below(self.variables.len());
                self.variables[i] = value;
            }
            _ => {
                let target = match self.random.below(4) {
                    0 => self.local(),
                    1 => self.constant_of_64(0),
                    _ => {
                        let place = self.random.below(3) as i64;
                        self.variable(1 + (place as u32 & 1), place)
                    }
                };
                let addr = self.variable(POINTER, 0);
                self.emit(Inst::Store {
                    addr,
                    src: target,
                    width: 64,
                });
            }
        }
    }
}
