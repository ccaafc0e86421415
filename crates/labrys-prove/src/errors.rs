//! Which events no error can come before: then it says nothing that a run ends at its first error.
//!
//! An instruction can have an error if C leaves undefined what it does with some values that it may get here:
//! a division by zero, an access outside of an object, a sum that overflows, a call of code that is not looked
//! into. What is known of values holds up to the first error, so it may be used. An event is free of errors
//! if no such instruction can be executed before it, along the edges of the program, as everywhere
//! (`docs/design/093-assumptions.md`).

use crate::call_effects::CallEffect;
use crate::definitions::{CodePoint, Definition};
use crate::places::{Base, MemoryPlace};
use crate::program::ProgramAnalysis;
use crate::refine::FunctionView;
use crate::scope::{AnalysisScope, PRIMITIVE};
use crate::sites::{AnnotationSite, AnnotationSites};
use crate::state::AbstractState;
use crate::sweep::{AnnotationObserver, FunctionSweep};
use crate::value_set::ValueSet;
use labrys_ir::{
    BinOp, BlockId, CastOp, Const, FuncId, Function, GlobalId, Inst, IntrinsicOp, Reg, RegList,
    SymbolRef, block_edges,
};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// An address is followed through so many additions.
const MOST_ADDITIONS: usize = 16;

/// Primitives by which text of the program says that it rests on something.
const NOTES: [&str; 3] = ["labrys_touch", "labrys_guess", "labrys_limit"];

/// The events among those asked for that no error can come before.
pub(crate) fn free_of_errors(
    program: &mut ProgramAnalysis<'_>,
    scope: &AnalysisScope,
    locals: &BTreeMap<GlobalId, FuncId>,
    sites: &AnnotationSites,
    wanted: &[Trigger],
) -> BTreeSet<Trigger> {
    let module = program.module;
    if program.incomplete || !module.constructors.is_empty() {
        return BTreeSet::new();
    }
    let is_made_up = |function: &Function| {
        let no_constants = scope.instructions_without_constants(module, function);
        !no_constants.is_empty()
    };
    let made_up: Vec<bool> = module.functions.iter().map(is_made_up).collect();
    let mut finder = ErrorFinder {
        locals,
        made_up: &made_up,
        found: BTreeSet::new(),
        reached: BTreeSet::new(),
    };
    program.observe(&mut finder);
    let (found, reached) = (finder.found, finder.reached);
    for (id, at) in &found {
        let function = &module.functions[id.index()];
        let line = function.locs.get(*at as usize).map_or(0, |loc| loc.line);
        let inst = function.code[*at as usize];
        tracing::trace!(function = function.name, line, ?inst, "can have an error");
    }
    let ways = ErrorWays::new(program, scope, found, reached);
    let is_free = |trigger: &&Trigger| {
        let sites = sites
            .by_trigger
            .get(*trigger)
            .map_or(&[][..], Vec::as_slice);
        !sites.is_empty() && sites.iter().all(|site| ways.is_free_before(*site))
    };
    wanted.iter().filter(is_free).copied().collect()
}

/// Notes the instructions that can have an error.
struct ErrorFinder<'a> {
    /// Variables that stand for a local of a function.
    locals: &'a BTreeMap<GlobalId, FuncId>,
    /// Functions of generated text, whose own instructions have no errors.
    made_up: &'a [bool],
    found: BTreeSet<(FuncId, u32)>,
    reached: BTreeSet<(FuncId, u32)>,
}

impl AnnotationObserver for ErrorFinder<'_> {
    fn annotation(
        &mut self,
        _: &FunctionView<'_>,
        _: &AbstractState,
        _: CodePoint,
        _: CallEffect,
        _: RegList,
    ) {
    }

    fn before(&mut self, sweep: &FunctionSweep<'_>, state: &AbstractState, point: CodePoint) {
        let at = (sweep.id, point.at);
        self.reached.insert(at);
        let instruction = CheckedInstruction {
            sweep,
            view: sweep.view(),
            state,
            point,
            locals: self.locals,
        };
        let is_own = !self.made_up[sweep.id.index()];
        if sweep.facts.is_unknown || (is_own && instruction.can_fail()) {
            self.found.insert(at);
        }
    }
}

/// An instruction with what is known where it stands.
struct CheckedInstruction<'a, 's> {
    sweep: &'a FunctionSweep<'s>,
    view: FunctionView<'a>,
    state: &'a AbstractState,
    point: CodePoint,
    locals: &'a BTreeMap<GlobalId, FuncId>,
}

impl CheckedInstruction<'_, '_> {
    fn read(&self, reg: Reg) -> ValueSet {
        self.view.read(self.state, reg, self.point.at)
    }

    fn can_fail(&self) -> bool {
        let inst = self.sweep.function.code[self.point.at as usize];
        let definitions = &self.sweep.facts.definitions;
        let mut reads_unwritten = false;
        inst.for_each_read(self.sweep.function, &mut |reg| {
            let is_literal = definitions.def(reg) == Definition::Const
                && !matches!(self.constant(reg), Some(Const::Undef));
            reads_unwritten |= definitions.is_unsettled(reg) && !is_literal;
        });
        reads_unwritten || self.has_error(&inst)
    }

    fn has_error(&self, inst: &Inst) -> bool {
        match *inst {
            Inst::Bin { op, nsw, a, b, .. } => self.arithmetic(op, nsw, a, b),
            Inst::Cast { op, .. } => matches!(op, CastOp::FToS | CastOp::FToU),
            Inst::Load { addr, width, .. } => {
                !self.is_inside(addr, width.div_ceil(8).into(), false)
                    || !self.is_written(addr, width)
            }
            Inst::Store { addr, width, .. } => {
                !self.is_inside(addr, width.div_ceil(8).into(), true)
            }
            Inst::MemSet { dst, len, .. } => !self.is_inside(dst, self.read(len).umax, true),
            Inst::MemCopy {
                dst,
                src,
                len,
                moves,
            } => {
                let bytes = self.read(len).umax;
                let is_good = self.is_inside(dst, bytes, true) && self.is_inside(src, bytes, false);
                let objects = self.object(dst).zip(self.object(src));
                let apart = objects.is_some_and(|(to, from)| to.0 != from.0);
                !is_good || !(moves || apart) || self.is_local(src)
            }
            // An address that is computed must lie in its object, or right behind it.
            Inst::Offset { dst, .. } | Inst::Index { dst, .. } => !self.is_inside(dst, 0, false),
            Inst::Call { callee, args, .. } => self.call(callee, args),
            Inst::Intrinsic { op, args, .. } => self.intrinsic(op, args),
            Inst::CallPointer { .. }
            | Inst::AllocaDynamic { .. }
            | Inst::JumpIndirect { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => true,
            Inst::Cmp { .. }
            | Inst::FBin { .. }
            | Inst::FUn { .. }
            | Inst::FCmp { .. }
            | Inst::Select { .. }
            | Inst::Copy { .. }
            | Inst::Alloca { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. } => false,
        }
    }

    fn arithmetic(&self, op: BinOp, nsw: bool, a: Reg, b: Reg) -> bool {
        let (a, b) = (self.read(a), self.read(b));
        if !a.is_tracked() || !b.is_tracked() {
            return nsw
                || !matches!(
                    op,
                    BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Add | BinOp::Sub | BinOp::Mul
                );
        }
        let (least, most) = crate::value_set::signed_limits(a.width);
        let fits = |number: i128| i128::from(least) <= number && number <= i128::from(most);
        let ends = |set: &ValueSet| [i128::from(set.smin), i128::from(set.smax)];
        let all_fit = |op: fn(i128, i128) -> i128| {
            let pairs = ends(&a)
                .into_iter()
                .flat_map(|x| ends(&b).map(|y| op(x, y)));
            { pairs }.all(fits)
        };
        match op {
            BinOp::Add => nsw && !all_fit(|x, y| x + y),
            BinOp::Sub => nsw && !all_fit(|x, y| x - y),
            BinOp::Mul => nsw && !all_fit(|x, y| x * y),
            BinOp::UDiv | BinOp::URem => b.umin == 0,
            BinOp::SDiv | BinOp::SRem => {
                let may_be = |set: &ValueSet, number: i64| {
                    set.contains(number as u64 & crate::value_set::mask(set.width))
                };
                may_be(&b, 0) || (may_be(&b, -1) && a.smin == least)
            }
            BinOp::LShr | BinOp::AShr => b.umax >= a.width.into(),
            // Of a number with a sign, also what is shifted out is an error.
            BinOp::Shl => {
                b.umax >= a.width.into()
                    || a.smin < 0
                    || !fits(i128::from(a.smax) << b.umax.min(63))
            }
            BinOp::And | BinOp::Or | BinOp::Xor => false,
        }
    }

    fn call(&self, callee: FuncId, args: RegList) -> bool {
        let function = &self.sweep.module.functions[callee.index()];
        let name = function.name.as_str();
        match self.sweep.effects[callee.index()] {
            CallEffect::Anything | CallEffect::Unknown => {
                let is_primitive = name.starts_with(PRIMITIVE) && function.is_external();
                NOTES.contains(&name) || !(is_primitive || args.len == 0)
            }
            _ => false,
        }
    }

    fn intrinsic(&self, op: IntrinsicOp, args: RegList) -> bool {
        let first = self
            .sweep
            .function
            .list(args)
            .first()
            .map(|reg| self.read(*reg));
        match op {
            IntrinsicOp::SetJmp
            | IntrinsicOp::LongJmp
            | IntrinsicOp::StackSave
            | IntrinsicOp::StackRestore
            | IntrinsicOp::RestOn
            | IntrinsicOp::OtherThreads
            | IntrinsicOp::PointersOrdered
            | IntrinsicOp::PointersSubtracted => true,
            IntrinsicOp::LeadingZeros | IntrinsicOp::TrailingZeros => {
                first.is_none_or(|value| !value.is_tracked() || value.is_zero() != Some(false))
            }
            IntrinsicOp::Abs => first.is_none_or(|value| {
                !value.is_tracked() || value.smin == crate::value_set::signed_limits(value.width).0
            }),
            _ => false,
        }
    }

    fn constant(&self, reg: Reg) -> Option<Const> {
        self.sweep.facts.symbols.get(&reg).copied()
    }

    /// The object that an address leads into, and the distances from its begin; none if that is not known.
    fn object(&self, addr: Reg) -> Option<(Base, i128, i128)> {
        let (mut reg, mut low, mut high) = (addr, 0i128, 0i128);
        let definitions = &self.sweep.facts.definitions;
        for _ in 0..MOST_ADDITIONS {
            if let Some(constant) = self.constant(reg) {
                let Const::Symbol(SymbolRef::Global { global, addend }) = constant else {
                    return None;
                };
                let start = i128::from(addend);
                return Some((Base::Global(global), low + start, high + start));
            }
            if definitions.is_unsettled(reg) {
                return None;
            }
            let at = match definitions.def(reg) {
                Definition::Inst(at) => at,
                Definition::Param => {
                    let (id, start) = definitions.param_address(reg)?;
                    let start = i128::from(start.exact()?);
                    return Some((Base::Global(id), low + start, high + start));
                }
                _ => return None,
            };
            reg = match self.sweep.function.code[at as usize] {
                Inst::Alloca { dst, .. } => return Some((Base::Local(dst), low, high)),
                Inst::Copy { src, .. } => src,
                Inst::Offset { base, offset, .. } => {
                    low += i128::from(offset);
                    high += i128::from(offset);
                    base
                }
                Inst::Index {
                    base, index, scale, ..
                } => {
                    let index = self.read(index);
                    if !index.is_tracked() {
                        return None;
                    }
                    low += i128::from(index.smin) * i128::from(scale);
                    high += i128::from(index.smax) * i128::from(scale);
                    base
                }
                _ => return None,
            };
        }
        None
    }

    /// Are so many bytes at an address in its object, which may be written if that is asked for?
    fn is_inside(&self, addr: Reg, bytes: u64, writes: bool) -> bool {
        let Some((base, low, high)) = self.object(addr) else {
            return false;
        };
        let size = match base {
            Base::Global(id) => {
                let global = &self.sweep.module.globals[id.index()];
                if writes && global.constant {
                    return false;
                }
                global.size
            }
            Base::Local(reg) => {
                let made = self.sweep.function.code.iter().find_map(|inst| match inst {
                    Inst::Alloca { dst, size, .. } if *dst == reg => Some(u64::from(*size)),
                    _ => None,
                });
                made.unwrap_or(0)
            }
            Base::Pointer(_) => return false,
        };
        low >= 0 && high + i128::from(bytes) <= i128::from(size)
    }

    fn is_local(&self, addr: Reg) -> bool {
        match self.object(addr) {
            Some((Base::Global(id), ..)) => self.locals.contains_key(&id),
            _ => true,
        }
    }

    /// Was what is read from a local written before? That of variables always was.
    fn is_written(&self, addr: Reg, width: u8) -> bool {
        let Some((base, low, high)) = self.object(addr) else {
            return false;
        };
        let Ok(offset) = i64::try_from(low) else {
            return false;
        };
        let place = MemoryPlace {
            base,
            offset,
            width,
        };
        !self.is_local(addr) || (low == high && self.state.cells.get(place).is_some())
    }
}

/// Which code can be executed before which, with the instructions that can have an error.
struct ErrorWays<'p, 'm> {
    program: &'p ProgramAnalysis<'m>,
    found: BTreeSet<(FuncId, u32)>,
    reached: BTreeSet<(FuncId, u32)>,
    /// An instruction of the function, or of one that it calls, can have an error.
    has_error: Vec<bool>,
    callers: Vec<Vec<AnnotationSite>>,
    /// Functions that code calls that is not looked into.
    open: BTreeSet<FuncId>,
    entries: BTreeSet<FuncId>,
}

impl<'p, 'm> ErrorWays<'p, 'm> {
    fn new(
        program: &'p ProgramAnalysis<'m>,
        scope: &AnalysisScope,
        found: BTreeSet<(FuncId, u32)>,
        reached: BTreeSet<(FuncId, u32)>,
    ) -> ErrorWays<'p, 'm> {
        let module = program.module;
        let mut has_error = vec![false; module.functions.len()];
        for (id, _) in &found {
            has_error[id.index()] = true;
        }
        let mut callers = vec![Vec::new(); module.functions.len()];
        let mut open: BTreeSet<FuncId> = BTreeSet::new();
        for (number, function) in module.functions.iter().enumerate() {
            let symbols = function
                .constants
                .iter()
                .filter_map(|(_, value)| match value {
                    Const::Symbol(SymbolRef::Function(id)) => Some(*id),
                    _ => None,
                });
            open.extend(symbols);
            for (at, inst) in function.code.iter().enumerate() {
                if let Inst::Call { callee, .. } = inst {
                    match program.effects[number] {
                        CallEffect::Body => callers[callee.index()].push(AnnotationSite {
                            function: FuncId(number as u32),
                            at: at as u32,
                        }),
                        _ => drop(open.insert(*callee)),
                    }
                }
            }
        }
        for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
            if let SymbolRef::Function(id) = reloc.target {
                open.insert(id);
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (callee, sites) in callers.iter().enumerate() {
                for site in sites {
                    let site: &AnnotationSite = site;
                    let caller = site.function.index();
                    let is_reached = reached.contains(&(site.function, site.at));
                    if has_error[callee] && is_reached && !has_error[caller] {
                        has_error[caller] = true;
                        changed = true;
                    }
                }
            }
        }
        let entries = scope.entries.iter();
        ErrorWays {
            program,
            found,
            reached,
            has_error,
            callers,
            open,
            entries: entries.filter_map(|name| module.function(name)).collect(),
        }
    }

    /// Can nothing that is executed before an instruction have an error?
    fn is_free_before(&self, site: AnnotationSite) -> bool {
        let mut seen: BTreeSet<FuncId> = BTreeSet::new();
        let mut open = vec![site];
        while let Some(site) = open.pop() {
            if !self.is_free_within(site) {
                return false;
            }
            let id = site.function;
            if !seen.insert(id) {
                continue;
            }
            if self.open.contains(&id) {
                return false;
            }
            if !self.entries.contains(&id) {
                open.extend(&self.callers[id.index()]);
            }
        }
        true
    }

    /// The same of the code of its function, and of what that calls.
    fn is_free_within(&self, site: AnnotationSite) -> bool {
        let AnnotationSite { function: id, at } = site;
        let function = &self.program.module.functions[id.index()];
        let blocks = function.blocks.iter();
        let Some(own) = { blocks }.position(|block| block.start <= at && at < block.end) else {
            return false;
        };
        let mut before = vec![Vec::new(); function.blocks.len()];
        for block in 0..function.blocks.len() {
            for edge in block_edges(function, BlockId(block as u32)) {
                before[function.edges[edge.index()].target.index()].push(block);
            }
        }
        let mut is_before = vec![false; function.blocks.len()];
        let mut open = before[own].clone();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut is_before[block], true) {
                open.extend(&before[block]);
            }
        }
        let whole = (0..function.blocks.len()).filter(|block| is_before[*block]);
        let code = whole.flat_map(|block| {
            let block = function.blocks[block];
            block.start..block.end
        });
        let mut code = code.chain(function.blocks[own].start..at);
        code.all(|at| self.is_free(id, function, at))
    }

    fn is_free(&self, id: FuncId, function: &Function, at: u32) -> bool {
        if !self.reached.contains(&(id, at)) {
            return true;
        }
        let calls_error = match function.code[at as usize] {
            Inst::Call { callee, .. } => self.has_error[callee.index()],
            _ => false,
        };
        !calls_error && !self.found.contains(&(id, at))
    }
}
