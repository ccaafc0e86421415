//! Which registers an instruction reads and writes. Analyses and the verifier ask here, so that
//! they need not know every instruction.

use crate::{Function, Inst, Reg, RegList};

impl Inst {
    /// Do its lists lie within the function's table?
    pub fn lists_within(&self, function: &Function) -> bool {
        let within =
            |list: RegList| (list.start as usize + list.len as usize) <= function.lists.len();
        match *self {
            Inst::Call { args, results, .. }
            | Inst::CallPointer { args, results, .. }
            | Inst::Intrinsic { args, results, .. } => within(args) && within(results),
            Inst::Return { values } => within(values),
            _ => true,
        }
    }

    /// Calls `visit` with every register that is read.
    pub fn for_each_read(&self, function: &Function, visit: &mut impl FnMut(Reg)) {
        let mut all = |list: RegList| function.list(list).iter().copied().for_each(&mut *visit);
        match *self {
            Inst::Call { args, .. } | Inst::Intrinsic { args, .. } => all(args),
            Inst::CallPointer { target, args, .. } => {
                all(args);
                visit(target);
            }
            Inst::Return { values } => all(values),
            Inst::Bin { a, b, .. }
            | Inst::Cmp { a, b, .. }
            | Inst::FBin { a, b, .. }
            | Inst::FCmp { a, b, .. } => [a, b].into_iter().for_each(visit),
            Inst::Cast { src, .. } | Inst::FUn { src, .. } | Inst::Copy { src, .. } => visit(src),
            Inst::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(visit),
            Inst::Offset { base, .. } => visit(base),
            Inst::Index { base, index, .. } => [base, index].into_iter().for_each(visit),
            Inst::AllocaDynamic { count, .. } => visit(count),
            Inst::Load { addr, .. } => visit(addr),
            Inst::Store { addr, src, .. } => [addr, src].into_iter().for_each(visit),
            Inst::MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(visit),
            Inst::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(visit),
            Inst::Branch { cond, .. } => visit(cond),
            Inst::Switch { value, .. } => visit(value),
            Inst::JumpIndirect { address, .. } => visit(address),
            Inst::Alloca { .. }
            | Inst::Jump { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => {}
        }
    }

    /// Calls `visit` with every register that is written.
    pub fn for_each_write(&self, function: &Function, visit: &mut impl FnMut(Reg)) {
        match *self {
            Inst::Bin { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::FBin { dst, .. }
            | Inst::FUn { dst, .. }
            | Inst::FCmp { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Offset { dst, .. }
            | Inst::Index { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::AllocaDynamic { dst, .. }
            | Inst::Load { dst, .. } => visit(dst),
            Inst::Call { results, .. }
            | Inst::CallPointer { results, .. }
            | Inst::Intrinsic { results, .. } => {
                function.list(results).iter().copied().for_each(visit);
            }
            _ => {}
        }
    }

    /// Replaces every register that the instruction names itself, by what it reads and by what it writes;
    /// lists stay.
    pub(crate) fn map_registers(
        &mut self,
        read: &impl Fn(Reg) -> Reg,
        written: &impl Fn(Reg) -> Reg,
    ) {
        let change = |registers: &mut [&mut Reg]| {
            for reg in registers {
                **reg = read(**reg);
            }
        };
        match self {
            Inst::Bin { a, b, .. }
            | Inst::Cmp { a, b, .. }
            | Inst::FBin { a, b, .. }
            | Inst::FCmp { a, b, .. } => change(&mut [a, b]),
            Inst::Cast { src, .. } | Inst::FUn { src, .. } | Inst::Copy { src, .. } => {
                change(&mut [src]);
            }
            Inst::Select { cond, a, b, .. } => change(&mut [cond, a, b]),
            Inst::Offset { base, .. } => change(&mut [base]),
            Inst::Index { base, index, .. } => change(&mut [base, index]),
            Inst::AllocaDynamic { count, .. } => change(&mut [count]),
            Inst::Load { addr, .. } => change(&mut [addr]),
            Inst::Store { addr, src, .. } => change(&mut [addr, src]),
            Inst::MemCopy { dst, src, len, .. } => change(&mut [dst, src, len]),
            Inst::MemSet { dst, byte, len } => change(&mut [dst, byte, len]),
            Inst::CallPointer { target, .. } => change(&mut [target]),
            Inst::Branch { cond, .. } => change(&mut [cond]),
            Inst::Switch { value, .. } => change(&mut [value]),
            Inst::JumpIndirect { address, .. } => change(&mut [address]),
            Inst::Alloca { .. }
            | Inst::Call { .. }
            | Inst::Intrinsic { .. }
            | Inst::Return { .. }
            | Inst::Jump { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => {}
        }
        match self {
            Inst::Bin { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::FBin { dst, .. }
            | Inst::FUn { dst, .. }
            | Inst::FCmp { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Offset { dst, .. }
            | Inst::Index { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::AllocaDynamic { dst, .. }
            | Inst::Load { dst, .. } => *dst = written(*dst),
            _ => {}
        }
    }
}
