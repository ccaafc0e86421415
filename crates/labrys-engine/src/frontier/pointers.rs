//! Which objects the registers of a function may point into, and which of its objects are given away, so
//! that code elsewhere may write them. Both are known without running the program, and rather too much than
//! too little.

use crate::program::{Builtin, Program, Target};
use labrys_ir::{Const, FuncId, Function, GlobalId, Inst, IntrinsicOp, Reg, SymbolRef};
use std::collections::{BTreeMap, BTreeSet};

/// Where a pointer comes from: a variable, a local by the instruction that makes it, or what the function was
/// called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PointerOrigin {
    Global(GlobalId),
    Local(u32),
    Parameter(u32),
}

/// Where a pointer was got: from a parameter, or from a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerStart {
    Parameter(u32),
    Result(u32),
}

/// Where the registers of a function may point.
#[derive(Debug, Default)]
pub(super) struct Pointers {
    /// By register.
    into: Vec<BTreeSet<PointerOrigin>>,
    /// The objects whose addresses go where they are not followed.
    pub(super) given_away: BTreeSet<PointerOrigin>,
    /// The objects that the function names.
    pub(super) named: BTreeSet<PointerOrigin>,
    /// By register: the local, and the distance from its start, that it is the address of all the time.
    locals: Vec<Option<(u32, u64)>>,
    /// By register: what it was computed from by adding a distance, and what it may have been computed from
    /// on one of several ways.
    starts: Vec<Option<(PointerStart, u64)>>,
    likely_starts: Vec<Option<(PointerStart, u64)>>,
}

impl Pointers {
    /// `gives_away` says of a function that is gone through, and of one of its parameters, whether it lets a
    /// pointer go on.
    pub(super) fn of(
        program: &Program<'_>,
        id: FuncId,
        gives_away: &dyn Fn(FuncId, u32) -> bool,
    ) -> Pointers {
        let function = &program.module.functions[id.index()];
        let mut pointers = Pointers {
            into: vec![BTreeSet::new(); function.widths.len()],
            ..Pointers::default()
        };
        pointers.follow(function);
        pointers.find_locals(function);
        pointers.named = pointers.into.iter().flatten().copied().collect();
        for inst in &function.code {
            pointers.look_at_uses(program, function, inst, gives_away);
        }
        pointers
    }

    /// The local, by the instruction that makes it, and the distance from its start, if a register is the
    /// address of that whenever it has a value.
    pub(super) fn local_address(&self, reg: Reg) -> Option<(u32, u64)> {
        self.locals.get(reg.index()).copied().flatten()
    }

    /// What a register was computed from, and the distance from there; on one of several ways, if that is
    /// enough. Only for guesses.
    pub(super) fn start_of(&self, reg: Reg, is_one_enough: bool) -> Option<(PointerStart, u64)> {
        let starts = match is_one_enough {
            true => &self.likely_starts,
            false => &self.starts,
        };
        starts.get(reg.index()).copied().flatten()
    }

    fn find_locals(&mut self, function: &Function) {
        let mut writes = vec![0u32; function.widths.len()];
        for inst in &function.code {
            inst.for_each_write(function, &mut |reg| writes[reg.index()] += 1);
        }
        let copied = function.copies.iter().map(|(dst, _)| dst);
        copied.for_each(|reg| writes[reg.index()] += 1);
        function
            .params
            .iter()
            .for_each(|reg| writes[reg.index()] += 1);
        let made = |pc: u32, inst: &Inst| match *inst {
            Inst::Alloca { dst, .. } => Some((dst, (pc, 0))),
            _ => None,
        };
        let once = |reg: Reg| writes[reg.index()] == 1;
        self.locals = by_distance(function, &once, BTreeMap::new(), made, &[]);
        let params = (0..).zip(&function.params);
        let params = params.map(|(number, reg)| (*reg, (PointerStart::Parameter(number), 0)));
        let params: BTreeMap<Reg, (PointerStart, u64)> = params.collect();
        let got = |pc: u32, inst: &Inst| match *inst {
            Inst::Call { results, .. } => {
                let first = function.list(results).first()?;
                Some((*first, (PointerStart::Result(pc), 0)))
            }
            _ => None,
        };
        self.starts = by_distance(function, &once, params.clone(), got, &[]);
        self.likely_starts = by_distance(function, &|_| true, params, got, &function.copies);
    }

    /// Where a register may point.
    pub(super) fn of_register(&self, reg: Reg) -> &BTreeSet<PointerOrigin> {
        &self.into[reg.index()]
    }

    fn follow(&mut self, function: &Function) {
        for (number, reg) in (0..).zip(&function.params) {
            self.into[reg.index()].insert(PointerOrigin::Parameter(number));
        }
        for (reg, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Global { global, .. }) = value {
                self.into[reg.index()].insert(PointerOrigin::Global(*global));
            }
        }
        for (pc, inst) in function.code.iter().enumerate() {
            if let Inst::Alloca { dst, .. } | Inst::AllocaDynamic { dst, .. } = inst {
                self.into[dst.index()].insert(PointerOrigin::Local(pc as u32));
            }
        }
        loop {
            let mut grown = false;
            for inst in &function.code {
                match *inst {
                    Inst::Copy { dst, src } => grown |= self.flows(src, dst),
                    Inst::Offset { dst, base, .. } | Inst::Index { dst, base, .. } => {
                        grown |= self.flows(base, dst);
                    }
                    Inst::Select { dst, a, b, .. } => {
                        grown |= self.flows(a, dst);
                        grown |= self.flows(b, dst);
                    }
                    _ => {}
                }
            }
            for (dst, src) in &function.copies {
                grown |= self.flows(*src, *dst);
            }
            if !grown {
                return;
            }
        }
    }

    fn flows(&mut self, from: Reg, to: Reg) -> bool {
        let new: Vec<PointerOrigin> = (self.into[from.index()])
            .difference(&self.into[to.index()])
            .copied()
            .collect();
        self.into[to.index()].extend(&new);
        !new.is_empty()
    }

    fn look_at_uses(
        &mut self,
        program: &Program<'_>,
        function: &Function,
        inst: &Inst,
        gives_away: &dyn Fn(FuncId, u32) -> bool,
    ) {
        match *inst {
            Inst::Copy { .. }
            | Inst::Offset { .. }
            | Inst::Cmp { .. }
            | Inst::Load { .. }
            | Inst::Alloca { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::JumpIndirect { .. }
            | Inst::Select { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => {}
            Inst::Index { index, .. } => self.give_away(index),
            Inst::Store { src, .. } => self.give_away(src),
            Inst::MemCopy { len, .. } | Inst::MemSet { len, .. } => self.give_away(len),
            Inst::Call { callee, .. } if keeps_no_pointer(program.targets[callee.index()]) => {}
            Inst::Call { callee, args, .. } => {
                for (number, reg) in (0..).zip(function.list(args)) {
                    if gives_away(callee, number) {
                        self.give_away(*reg);
                    }
                }
            }
            Inst::Intrinsic { op, .. } if only_compares(op) => {}
            _ => {
                let mut read = Vec::new();
                inst.for_each_read(function, &mut |reg| read.push(reg));
                read.into_iter().for_each(|reg| self.give_away(reg));
            }
        }
    }

    fn give_away(&mut self, reg: Reg) {
        let origins = std::mem::take(&mut self.into[reg.index()]);
        self.given_away.extend(&origins);
        self.into[reg.index()] = origins;
    }
}

/// Built-in functions that use a pointer only while they run. What they write with it is looked at where
/// they are called.
fn keeps_no_pointer(target: Target) -> bool {
    matches!(
        target,
        Target::Builtin(
            Builtin::Symbolic
                | Builtin::Output
                | Builtin::Guess
                | Builtin::Limit
                | Builtin::Cond
                | Builtin::Decision
                | Builtin::Scalar(_)
        )
    )
}

fn only_compares(op: IntrinsicOp) -> bool {
    matches!(
        op,
        IntrinsicOp::ComparePointers
            | IntrinsicOp::PointersEqual
            | IntrinsicOp::PointersOrdered
            | IntrinsicOp::PointersSubtracted
            | IntrinsicOp::AddressBits
            | IntrinsicOp::AddressBytes
    )
}

/// Follows some registers from where they begin, by additions of constants and these copies; what is found
/// first stays.
fn by_distance<T: Copy>(
    function: &Function,
    is_followed: &dyn Fn(Reg) -> bool,
    given: BTreeMap<Reg, (T, u64)>,
    begins: impl Fn(u32, &Inst) -> Option<(Reg, (T, u64))>,
    copies: &[(Reg, Reg)],
) -> Vec<Option<(T, u64)>> {
    let mut all: Vec<Option<(T, u64)>> = vec![None; function.widths.len()];
    for (reg, start) in given {
        all[reg.index()] = Some(start).filter(|_| is_followed(reg));
    }
    loop {
        let mut grown = false;
        for (pc, inst) in function.code.iter().enumerate() {
            let (dst, found) = match *inst {
                Inst::Copy { dst, src } => (dst, all[src.index()]),
                Inst::Offset { dst, base, offset } => {
                    let moved =
                        |(start, at): (T, u64)| (start, at.wrapping_add_signed(offset.into()));
                    (dst, all[base.index()].map(moved))
                }
                _ => match begins(pc as u32, inst) {
                    Some((dst, start)) => (dst, Some(start)),
                    None => continue,
                },
            };
            let known = &mut all[dst.index()];
            if known.is_none() && found.is_some() && is_followed(dst) {
                *known = found;
                grown = true;
            }
        }
        for (dst, src) in copies {
            if all[dst.index()].is_none() && all[src.index()].is_some() {
                all[dst.index()] = all[src.index()];
                grown = true;
            }
        }
        if !grown {
            return all;
        }
    }
}
