//! One instruction on its own, whatever its operands are: what the fast loop does not do itself.

use super::{Machine, Step};
use crate::memory::{Slot, low_mask, sign_extend};
use crate::program::concrete::{concrete_bin, concrete_cmp};
use labrys_ir::{CastOp, EdgeId, Inst};

/// Where execution goes on.
pub(super) enum Next {
    /// At the next instruction.
    Here,
    /// Over this edge.
    Edge(EdgeId),
    /// The frame or its position has changed.
    Frame,
}

impl Machine<'_> {
    pub(super) fn generic(&mut self, inst: &Inst) -> Step<Next> {
        match *inst {
            Inst::Bin {
                op,
                width,
                dst,
                a,
                b,
                ..
            } => {
                let (x, y) = (self.get(a), self.get(b));
                if !(x.is_symbolic() || y.is_symbolic())
                    && let Some(value) = concrete_bin(op, width, x.bits, y.bits)
                {
                    self.set(dst, Slot::concrete(value));
                } else {
                    self.symbolic_bin(op, width, dst, a, b)?;
                }
            }
            Inst::Cmp {
                op,
                width,
                dst,
                a,
                b,
            } => {
                let (x, y) = (self.get(a), self.get(b));
                if x.is_symbolic() || y.is_symbolic() {
                    self.symbolic_cmp(op, dst, a, b);
                } else {
                    let value = concrete_cmp(op, width, x.bits, y.bits);
                    self.set(dst, Slot::concrete(value.into()));
                }
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            } => {
                let x = self.get(src);
                let plain = matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt);
                if x.is_symbolic() || to > 64 || !plain {
                    self.symbolic_cast(op, to, dst, src);
                } else {
                    let value = match op {
                        CastOp::SExt => sign_extend(x.bits, from) as u64,
                        _ => x.bits,
                    };
                    self.set(dst, Slot::concrete(value & low_mask(to)));
                }
            }
            Inst::Offset { dst, base, offset } => self.symbolic_offset(dst, base, offset),
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => {
                self.symbolic_index(dst, base, index, scale);
            }
            Inst::Load { dst, addr, width } => self.load(dst, addr, width)?,
            Inst::Store { addr, src, width } => self.store(addr, src, width)?,
            Inst::Copy { dst, src } => {
                let value = self.get(src);
                self.set(dst, value);
            }
            Inst::Select { dst, cond, a, b } => {
                let c = self.get(cond);
                if c.is_symbolic() {
                    self.symbolic_select(dst, cond, a, b);
                } else {
                    let chosen = self.get(if c.bits != 0 { a } else { b });
                    self.set(dst, chosen);
                }
            }
            Inst::Jump { edge } => return Ok(Next::Edge(edge)),
            Inst::Branch { cond, then, other } => {
                let c = self.get(cond);
                if c.is_symbolic() {
                    return Ok(Next::Edge(self.branch(cond, then, other)?));
                }
                return Ok(Next::Edge(if c.bits != 0 { then } else { other }));
            }
            other => {
                if self.slow(other)? {
                    return Ok(Next::Frame);
                }
            }
        }
        Ok(Next::Here)
    }
}
