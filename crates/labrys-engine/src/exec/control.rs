//! Branches, switches and computed jumps on symbolic values, and all the rarer instructions.

use super::{Machine, Step};
use crate::candidates::Resume;
use crate::end::FaultKind;
use crate::memory::split;
use crate::program::Program;
use labrys_expr::ExprId;
use labrys_ir::{EdgeId, FuncId, Inst, Reg, SwitchTable, SwitchTableId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The ways out of switches on expressions, each with its condition. Paths come to the same switch
/// with the same value again and again.
pub(super) type SwitchWays = FxHashMap<(ExprId, FuncId, SwitchTableId), Rc<[(EdgeId, ExprId)]>>;

/// Of so many switches the ways are remembered.
const MOST_SWITCH_WAYS: usize = 4096;

impl Machine<'_> {
    /// A branch on an expression: follows the current model, leaves the other side behind.
    pub(super) fn branch(&mut self, cond: Reg, then: EdgeId, other: EdgeId) -> Step<EdgeId> {
        let c = self.expr(cond);
        let (c, texts) = self.deciding(c)?;
        let taken = match self.arena.as_const(c) {
            Some(value) => value != 0,
            None => self.holds(c),
        };
        let (edge, away) = if taken { (then, other) } else { (other, then) };
        self.rest_on_edge(&texts, away);
        if self.arena.as_const(c).is_some() {
            return Ok(edge);
        }
        self.fork_point()?;
        if self.known(c).is_some() {
            return Ok(edge);
        }
        let not = self.arena.not(c);
        let (here, there) = if taken { (c, not) } else { (not, c) };
        let mut shared = None;
        self.fork_shared(there, Resume::Edge(away), &mut shared);
        self.rest(here, edge, &mut shared)?;
        self.constrain(here);
        Ok(edge)
    }

    /// Executes an instruction that the fast loop does not know. True if the loop must look at
    /// the frame again.
    pub(super) fn slow(&mut self, inst: Inst) -> Step<bool> {
        match inst {
            Inst::Alloca {
                dst,
                size,
                align,
                element,
            } => self.alloca(dst, size.into(), align.into(), element.into())?,
            Inst::AllocaDynamic {
                dst,
                count,
                element,
            } => {
                self.alloca_dynamic(dst, count, element)?;
            }
            Inst::MemCopy { dst, src, len, .. } => self.mem_copy(dst, src, len)?,
            Inst::MemSet { dst, byte, len } => self.mem_set(dst, byte, len)?,
            Inst::Call {
                callee,
                args,
                results,
            } => return self.call(callee, args, results),
            Inst::CallPointer {
                target,
                args,
                results,
            } => {
                return self.call_pointer(target, args, results);
            }
            Inst::Intrinsic { op, args, results } => return self.intrinsic(op, args, results),
            Inst::Switch { value, table } => {
                let edge = self.switch(value, table)?;
                self.take_edge(edge);
                return Ok(true);
            }
            Inst::JumpIndirect { address, table } => {
                let edge = self.jump_indirect(address, table)?;
                self.take_edge(edge);
                return Ok(true);
            }
            Inst::Return { values } => {
                self.return_from_call(values)?;
                return Ok(true);
            }
            Inst::FBin {
                op,
                width,
                dst,
                a,
                b,
            } => self.float_bin(op, width, dst, a, b),
            Inst::FUn {
                op,
                width,
                dst,
                src,
            } => self.float_un(op, width, dst, src),
            Inst::FCmp {
                op,
                width,
                dst,
                a,
                b,
            } => self.float_cmp(op, width, dst, a, b),
            Inst::Unreachable => return Err(self.fault(FaultKind::Unreachable)),
            Inst::Unsupported { message } => {
                let message = self.program.module.text(message).to_owned();
                return self.unsupported(message);
            }
            // The fast loop executes these itself.
            Inst::Bin { .. }
            | Inst::Cmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::Copy { .. }
            | Inst::Offset { .. }
            | Inst::Index { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. } => {}
        }
        Ok(false)
    }

    /// Goes over an edge: its copies, then the start of its block.
    pub(crate) fn take_edge(&mut self, edge: EdgeId) {
        let function = self.function();
        let edge = function.edges[edge.index()];
        for &(dst, src) in &function.copies[edge.copies_start as usize..edge.copies_end as usize] {
            let value = self.get(src);
            self.set(dst, value);
        }
        self.state.frame.pc = function.blocks[edge.target.index()].start;
    }

    fn switch(&mut self, value: Reg, number: SwitchTableId) -> Step<EdgeId> {
        self.check_limits()?;
        let function = self.function();
        let table = &function.switches[number.index()];
        let slot = self.get(value);
        let e = slot.expr.filter(|e| self.arena.as_const(*e).is_none());
        let current = match slot.expr {
            Some(e) => self.current.value(&self.arena, e),
            None => slot.bits.into(),
        };
        let found = table.cases.binary_search_by_key(&current, |(v, _)| *v).ok();
        let taken = found.map(|i| table.cases[i].1).or(table.default);
        let Some(taken) = taken else {
            return Err(self.fault(FaultKind::Unreachable));
        };
        let Some(e) = e else { return Ok(taken) };
        let e = self.initialised(e)?;
        if self.arena.as_const(e).is_some() {
            return Ok(taken);
        }
        self.fork_point()?;
        let ways = self.switch_ways(e, number);
        let mut shared = None;
        let mut here = None;
        for &(edge, condition) in ways.iter() {
            if function.edges[edge.index()] == function.edges[taken.index()] {
                here = Some(condition);
            } else if self.known(condition) != Some(false) {
                self.fork_shared(condition, Resume::Edge(edge), &mut shared);
            } else {
                self.skip_way();
            }
        }
        if let Some(condition) = here
            && self.known(condition).is_none()
        {
            self.rest(condition, taken, &mut shared)?;
            self.constrain(condition);
        }
        Ok(taken)
    }

    /// The distinct edges of a switch with the conditions under which they are taken.
    fn switch_ways(&mut self, e: ExprId, table: SwitchTableId) -> Rc<[(EdgeId, ExprId)]> {
        let key = (e, self.state.frame.function, table);
        if let Some(known) = self.switch_ways.get(&key) {
            return known.clone();
        }
        if self.switch_ways.len() >= MOST_SWITCH_WAYS {
            self.switch_ways.clear();
        }
        let ways: Rc<[(EdgeId, ExprId)]> = self.new_switch_ways(e, table).into();
        self.switch_ways.insert(key, ways.clone());
        ways
    }

    fn new_switch_ways(&mut self, e: ExprId, table: SwitchTableId) -> Vec<(EdgeId, ExprId)> {
        let function = self.function();
        let SwitchTable { cases, default } = &function.switches[table.index()];
        let width = self.arena.width(e);
        let mut ways: Vec<(EdgeId, ExprId)> = Vec::new();
        let mut any = self.arena.no();
        for &(value, edge) in cases {
            let constant = self.arena.constant(width, value);
            let condition = self.arena.eq(e, constant);
            any = self.arena.or(any, condition);
            let same = |way: &&mut (EdgeId, ExprId)| {
                function.edges[way.0.index()] == function.edges[edge.index()]
            };
            match ways.iter_mut().find(same) {
                Some(way) => way.1 = self.arena.or(way.1, condition),
                None => ways.push((edge, condition)),
            }
        }
        if let Some(default) = *default {
            let condition = self.arena.not(any);
            let same = |way: &&mut (EdgeId, ExprId)| {
                function.edges[way.0.index()] == function.edges[default.index()]
            };
            match ways.iter_mut().find(same) {
                Some(way) => way.1 = self.arena.or(way.1, condition),
                None => ways.push((default, condition)),
            }
        }
        ways
    }

    fn jump_indirect(&mut self, address: Reg, table: SwitchTableId) -> Step<EdgeId> {
        self.check_limits()?;
        let e = self.expr(address);
        let address = self.pin_pointer(e)?;
        let (object, block) = split(address);
        let function = self.function();
        let here = Program::function_object(self.state.frame.function);
        let cases = &function.switches[table.index()].cases;
        let found = cases.binary_search_by_key(&u128::from(block), |(v, _)| *v);
        match found {
            Ok(i) if object == here => Ok(cases[i].1),
            _ => Err(self.fault(FaultKind::InvalidCall)),
        }
    }
}
