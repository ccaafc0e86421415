//! The instruction loop. Concrete work is done here without leaving the loop; whatever touches an
//! expression, a fault or another function goes to the other files of this folder.

use super::{Machine, Step};
use crate::address::split;
use crate::end::PathEnd;
use crate::memory::Entry;
use crate::value::{Slot, low_mask, sign_extend};
use labrys_ir::{BinOp, CastOp, CmpOp, Inst};

/// How many instructions run between two looks at the clock.
const CHECK_EVERY: u64 = 1 << 18;

impl Machine<'_> {
    /// Runs the current state until its path ends.
    pub(crate) fn run(&mut self) -> PathEnd {
        loop {
            if let Err(end) = self.run_function() {
                if self.state.speculation.is_some() && matches!(end, PathEnd::Fault(_)) {
                    self.abandon_label();
                    continue;
                }
                return end;
            }
        }
    }

    /// Runs until the function changes or the path ends.
    fn run_function(&mut self) -> Step {
        let function = self.function();
        let code = &function.code[..];
        let mut pc = self.state.frame.pc as usize;
        let mut steps = 0u64;
        macro_rules! leave {
            ($body:expr) => {{
                self.state.frame.pc = pc as u32;
                self.state.steps += steps;
                self.work.instructions += steps;
                steps = 0;
                let result = $body;
                self.state.at_fork = false;
                result
            }};
        }
        loop {
            let Some(&inst) = code.get(pc) else {
                return self.unsupported("the code runs out of its function");
            };
            steps += 1;
            let regs = &mut self.state.frame.regs[..];
            match inst {
                Inst::Bin {
                    op,
                    width,
                    dst,
                    a,
                    b,
                    ..
                } => {
                    let (x, y) = (regs[a.index()], regs[b.index()]);
                    if x.expr.is_none()
                        && y.expr.is_none()
                        && let Some(value) = concrete_bin(op, width, x.bits, y.bits)
                    {
                        regs[dst.index()] = Slot::concrete(value);
                    } else {
                        leave!(self.symbolic_bin(op, width, dst, a, b)?);
                    }
                }
                Inst::Cmp {
                    op,
                    width,
                    dst,
                    a,
                    b,
                } => {
                    let (x, y) = (regs[a.index()], regs[b.index()]);
                    if x.expr.is_none() && y.expr.is_none() {
                        let value = concrete_cmp(op, width, x.bits, y.bits);
                        regs[dst.index()] = Slot::concrete(value.into());
                    } else {
                        leave!(self.symbolic_cmp(op, dst, a, b));
                    }
                }
                Inst::Cast {
                    op,
                    from,
                    to,
                    dst,
                    src,
                } => {
                    let x = regs[src.index()];
                    if x.expr.is_none()
                        && to <= 64
                        && matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
                    {
                        let value = match op {
                            CastOp::SExt => sign_extend(x.bits, from) as u64,
                            _ => x.bits,
                        };
                        regs[dst.index()] = Slot::concrete(value & low_mask(to));
                    } else {
                        leave!(self.symbolic_cast(op, to, dst, src));
                    }
                }
                Inst::Offset { dst, base, offset } => {
                    let x = regs[base.index()];
                    if x.expr.is_none() {
                        regs[dst.index()] =
                            Slot::concrete(x.bits.wrapping_add(offset as i64 as u64));
                    } else {
                        leave!(self.symbolic_offset(dst, base, offset));
                    }
                }
                Inst::Index {
                    dst,
                    base,
                    index,
                    scale,
                } => {
                    let (x, y) = (regs[base.index()], regs[index.index()]);
                    if x.expr.is_none() && y.expr.is_none() {
                        let distance = y.bits.wrapping_mul(scale.into());
                        regs[dst.index()] = Slot::concrete(x.bits.wrapping_add(distance));
                    } else {
                        leave!(self.symbolic_index(dst, base, index, scale));
                    }
                }
                Inst::Load { dst, addr, width } => {
                    let address = regs[addr.index()];
                    let len = u64::from(width).div_ceil(8);
                    if address.expr.is_none() && width <= 64 {
                        let (id, offset) = split(address.bits);
                        if let Entry::Live(object) = self.state.memory.entry(id)
                            && offset < object.size()
                            && offset + len <= object.size()
                            && object.is_plain(offset, len)
                        {
                            let value = object.plain(offset, len) & low_mask(width);
                            regs[dst.index()] = Slot::concrete(value);
                            pc += 1;
                            continue;
                        }
                    }
                    leave!(self.load(dst, addr, width)?);
                }
                Inst::Store { addr, src, width } => {
                    let (address, value) = (regs[addr.index()], regs[src.index()]);
                    let len = u64::from(width).div_ceil(8);
                    if address.expr.is_none() && value.expr.is_none() {
                        let (id, offset) = split(address.bits);
                        if let Some(object) = self.state.memory.object_mut(id)
                            && offset < object.size()
                            && offset + len <= object.size()
                            && !object.is_constant()
                        {
                            object.put(&mut self.arena, offset, len, value.bits);
                            pc += 1;
                            continue;
                        }
                    }
                    leave!(self.store(addr, src, width)?);
                }
                Inst::Copy { dst, src } => regs[dst.index()] = regs[src.index()],
                Inst::Select { dst, cond, a, b } => {
                    let c = regs[cond.index()];
                    if c.expr.is_none() {
                        let chosen = if c.bits != 0 { a } else { b };
                        regs[dst.index()] = regs[chosen.index()];
                    } else {
                        leave!(self.symbolic_select(dst, cond, a, b));
                    }
                }
                Inst::Jump { edge } => {
                    let edge = function.edges[edge.index()];
                    for &(dst, src) in
                        &function.copies[edge.copies_start as usize..edge.copies_end as usize]
                    {
                        regs[dst.index()] = regs[src.index()];
                    }
                    let target = function.blocks[edge.target.index()].start as usize;
                    if target <= pc {
                        leave!(self.check_limits()?);
                    }
                    pc = target;
                    continue;
                }
                Inst::Branch { cond, then, other } => {
                    let c = regs[cond.index()];
                    let edge = if c.expr.is_none() {
                        if c.bits != 0 { then } else { other }
                    } else {
                        leave!(self.branch(cond, then, other)?)
                    };
                    let edge = function.edges[edge.index()];
                    let regs = &mut self.state.frame.regs[..];
                    for &(dst, src) in
                        &function.copies[edge.copies_start as usize..edge.copies_end as usize]
                    {
                        regs[dst.index()] = regs[src.index()];
                    }
                    let target = function.blocks[edge.target.index()].start as usize;
                    if target <= pc {
                        leave!(self.check_limits()?);
                    }
                    pc = target;
                    continue;
                }
                other => {
                    let moved = leave!(self.slow(other)?);
                    if moved {
                        return Ok(());
                    }
                }
            }
            pc += 1;
        }
    }

    /// Ends paths that run too long, and the run when it is told to stop. Called at backward
    /// jumps and calls.
    #[inline]
    pub(super) fn check_limits(&mut self) -> Step {
        if self.state.steps > self.config.max_steps {
            return Err(PathEnd::StepLimit);
        }
        if self.work.instructions >= self.deadline_check {
            self.deadline_check = self.work.instructions + CHECK_EVERY;
            if self.config.should_stop() {
                return Err(PathEnd::Interrupted);
            }
        }
        Ok(())
    }
}

/// `None` where the operation is a fault or the values are wider than 64 bits.
#[inline(always)]
fn concrete_bin(op: BinOp, width: u8, x: u64, y: u64) -> Option<u64> {
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl if y < width.into() => x << y,
        BinOp::LShr if y < width.into() => x >> y,
        BinOp::AShr if y < width.into() => (sign_extend(x, width) >> y) as u64,
        BinOp::UDiv if y != 0 => x / y,
        BinOp::URem if y != 0 => x % y,
        BinOp::SDiv | BinOp::SRem if y != 0 => {
            let (x, y) = (sign_extend(x, width), sign_extend(y, width));
            if y == -1 && x == sign_extend(1 << (width - 1), width) {
                return None;
            }
            (if op == BinOp::SDiv {
                x.wrapping_div(y)
            } else {
                x.wrapping_rem(y)
            }) as u64
        }
        _ => return None,
    };
    Some(value & low_mask(width))
}

#[inline(always)]
fn concrete_cmp(op: CmpOp, width: u8, x: u64, y: u64) -> bool {
    let (sx, sy) = (sign_extend(x, width), sign_extend(y, width));
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Ult => x < y,
        CmpOp::Ule => x <= y,
        CmpOp::Ugt => x > y,
        CmpOp::Uge => x >= y,
        CmpOp::Slt => sx < sy,
        CmpOp::Sle => sx <= sy,
        CmpOp::Sgt => sx > sy,
        CmpOp::Sge => sx >= sy,
    }
}
