//! What a call of each function means on the way backward: bodies of the program are gone through, models
//! of the library and what Labrys has generated are not. Of these it is only known what they may write.

use super::pointers::{PointerOrigin, Pointers};
use crate::program::{Builtin, Program, Target};
use labrys_ir::{
    Cfg, Const, Dominators, FuncId, GlobalId, Inst, IntrinsicOp, Reg, SymbolRef, loops,
};
use labrys_ledger::protocol::is_generated;
use std::collections::BTreeSet;

/// A model of the library that is looked into has at most so many instructions.
const SHORT: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callee {
    /// Its body is gone through.
    Body,
    Builtin(Builtin),
    /// Returns any value and writes nothing that the program names.
    Quiet,
    /// May write every object that was given away.
    Loud,
    /// May also write the variables that other code can change.
    Unknown,
}

/// What a call does, by function.
pub(super) fn callees(program: &Program<'_>) -> Vec<Callee> {
    let count = program.module.functions.len();
    let mut callees: Vec<Callee> = (0..count as u32)
        .map(|id| first_guess(program, FuncId(id)))
        .collect();
    let own = program_globals(program, &callees);
    // A model is short or quiet only if all that it calls is.
    while let Some((id, weaker)) = (0..count).find_map(|id| {
        let weaker = weaker(program, FuncId(id as u32), &callees, &own)?;
        Some((id, weaker))
    }) {
        callees[id] = weaker;
    }
    callees
}

/// Is it code of the program, and neither a model nor generated?
pub(super) fn is_programs(program: &Program<'_>, id: FuncId) -> bool {
    let function = &program.module.functions[id.index()];
    !function.is_external() && program.is_users_function(id) && !is_generated(&function.name)
}

fn is_model(program: &Program<'_>, id: FuncId) -> bool {
    program.targets[id.index()] == Target::Body && !program.is_users_function(id)
}

fn first_guess(program: &Program<'_>, id: FuncId) -> Callee {
    match program.targets[id.index()] {
        Target::Builtin(builtin) => Callee::Builtin(builtin),
        Target::Math(_) => Callee::Quiet,
        Target::Native(_) => Callee::Loud,
        Target::Missing => Callee::Unknown,
        Target::Body if is_programs(program, id) || is_model(program, id) => Callee::Body,
        Target::Body => Callee::Unknown,
    }
}

/// The next weaker thing that can be said of a model, if what is said of it does not hold.
fn weaker(
    program: &Program<'_>,
    id: FuncId,
    callees: &[Callee],
    own: &BTreeSet<GlobalId>,
) -> Option<Callee> {
    if !is_model(program, id) {
        return None;
    }
    match callees[id.index()] {
        Callee::Body if !is_short(program, id, callees) => Some(Callee::Quiet),
        Callee::Quiet if !is_quiet(program, id, callees, own) => Some(Callee::Loud),
        _ => None,
    }
}

/// A model that only asks for inputs, assumes or ends: its body says all of it.
fn is_short(program: &Program<'_>, id: FuncId, callees: &[Callee]) -> bool {
    let function = &program.module.functions[id.index()];
    let cfg = Cfg::of(function);
    let is_plain = |inst: &Inst| match inst {
        Inst::Call { callee, .. } => match callees[callee.index()] {
            Callee::Body => is_model(program, *callee),
            Callee::Builtin(builtin) => matches!(
                builtin,
                Builtin::Scalar(_) | Builtin::Assume | Builtin::Exit | Builtin::Error
            ),
            Callee::Quiet | Callee::Loud | Callee::Unknown => false,
        },
        Inst::Bin { .. }
        | Inst::Cmp { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::Copy { .. }
        | Inst::Jump { .. }
        | Inst::Branch { .. }
        | Inst::Return { .. }
        | Inst::Unreachable => true,
        _ => false,
    };
    // What it returns may rest on the surroundings.
    function.results.is_empty()
        && function.code.len() <= SHORT
        && loops(&cfg, &Dominators::of(&cfg)).is_empty()
        && function.code.iter().all(is_plain)
}

/// Does it write nothing but its own objects?
fn is_quiet(
    program: &Program<'_>,
    id: FuncId,
    callees: &[Callee],
    own: &BTreeSet<GlobalId>,
) -> bool {
    let function = &program.module.functions[id.index()];
    let mine = own_registers(program, id, own);
    function.code.iter().all(|inst| match inst {
        Inst::Store { addr, .. } => mine[addr.index()],
        Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } => mine[dst.index()],
        Inst::CallPointer { .. } | Inst::Unsupported { .. } => false,
        Inst::Intrinsic { op, .. } => !matches!(
            op,
            IntrinsicOp::SetJmp | IntrinsicOp::LongJmp | IntrinsicOp::OtherThreads
        ),
        Inst::Call { callee, .. } => match callees[callee.index()] {
            Callee::Body | Callee::Quiet => !is_programs(program, *callee),
            Callee::Loud | Callee::Unknown => false,
            Callee::Builtin(builtin) => writes_nothing(builtin),
        },
        _ => true,
    })
}

/// The registers that only ever point into objects of the model itself.
fn own_registers(program: &Program<'_>, id: FuncId, programs: &BTreeSet<GlobalId>) -> Vec<bool> {
    let function = &program.module.functions[id.index()];
    let mut own = vec![true; function.widths.len()];
    function
        .params
        .iter()
        .for_each(|reg| own[reg.index()] = false);
    for (reg, value) in &function.constants {
        own[reg.index()] = matches!(value, Const::Symbol(SymbolRef::Global { global, .. })
            if !programs.contains(global));
    }
    loop {
        let mut lost: Vec<Reg> = Vec::new();
        for inst in &function.code {
            match *inst {
                Inst::Alloca { .. } => {}
                Inst::Copy { src, .. } if own[src.index()] => {}
                Inst::Offset { base, .. } | Inst::Index { base, .. } if own[base.index()] => {}
                Inst::Select { a, b, .. } if own[a.index()] && own[b.index()] => {}
                _ => inst.for_each_write(function, &mut |reg| lost.push(reg)),
            }
        }
        let copies = function.copies.iter();
        lost.extend(
            copies
                .filter(|(_, src)| !own[src.index()])
                .map(|(dst, _)| *dst),
        );
        lost.retain(|reg| own[reg.index()]);
        if lost.is_empty() {
            return own;
        }
        lost.into_iter().for_each(|reg| own[reg.index()] = false);
    }
}

fn writes_nothing(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Scalar(_)
            | Builtin::Assume
            | Builtin::Error
            | Builtin::Exit
            | Builtin::Malloc
            | Builtin::MallocAligned
            | Builtin::Free
            | Builtin::ObjectSize
            | Builtin::Write
            | Builtin::WriteText
            | Builtin::Exact
            | Builtin::Touch
            | Builtin::Assumed
            | Builtin::Truth
            | Builtin::IsAssumed
            | Builtin::CompilerKnows
            | Builtin::Plain
            | Builtin::Select
            | Builtin::Current
            | Builtin::IsSymbolic
            | Builtin::IsUninit
            | Builtin::Pin
            | Builtin::Limit
            | Builtin::Guess
            | Builtin::HasInput
            | Builtin::WideProperty
    )
}

/// The variables that code of the program names.
fn program_globals(program: &Program<'_>, callees: &[Callee]) -> BTreeSet<GlobalId> {
    let mut named = BTreeSet::new();
    for id in (0..callees.len() as u32).map(FuncId) {
        if is_programs(program, id) {
            let pointers = Pointers::of(program, id, &|_, _| true);
            named.extend(pointers.named.iter().filter_map(|origin| match origin {
                PointerOrigin::Global(global) => Some(*global),
                PointerOrigin::Local(_) | PointerOrigin::Parameter(_) => None,
            }));
        }
    }
    let relocs = program.module.globals.iter().flat_map(|g| &g.relocs);
    named.extend(relocs.filter_map(|reloc| match reloc.target {
        SymbolRef::Global { global, .. } => Some(global),
        _ => None,
    }));
    named
}
