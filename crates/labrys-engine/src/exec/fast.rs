//! The instruction loop. Concrete work is done here without leaving the loop; whatever touches an
//! expression, a fault or another function goes to the other files of this folder.

use super::generic::Next;
use super::registers::Registers;
use super::{Machine, Step};
use crate::end::PathEnd;
use crate::memory::{Slot, low_mask, sign_extend, split};
use crate::program::annotations::CoveredObjective;
use crate::program::decode::Op;
use labrys_budget::EndCause;
use labrys_ledger::Assumption;

/// How many instructions run between two looks at the clock.
const CHECK_EVERY: u64 = 1 << 18;

/// The same for instructions outside the loop.
const SLOW_CHECK_EVERY: u32 = 128;

/// What an instruction outside the loop costs more than one inside, in the budget of a path.
const SLOW_COST: u64 = 15;

/// How many instructions run in the loop before its counters are looked at.
const FLUSH_EVERY: u64 = 1 << 14;

impl Machine<'_> {
    /// Runs the current state until its path ends.
    pub(crate) fn run(&mut self) -> PathEnd {
        self.settled.clear();
        self.chunk_cache.lock(self.state.speculation.is_some());
        loop {
            if let Err(end) = self.run_function()
                && let Err(end) = self.leave_label(end)
                && let Err(end) = self.enter_handler(end)
            {
                return end;
            }
        }
    }

    /// Runs until the function changes or the path ends. A dispatch table: all operations are in one
    /// loop, so that its counters and the registers stay where the processor has them.
    fn run_function(&mut self) -> Step {
        let function = self.function();
        let fast = &self.program.fast[self.state.frame.function.index()];
        let ops = &fast.ops[..];
        let copies = &function.copies[..];
        let mut pc = self.state.frame.pc as usize;
        let mut steps = 0u64;
        let mut regs = Registers::new(&mut self.state.frame.regs);
        // Leaves the loop for the rest of the machine, which sees the position and the counters.
        macro_rules! leave {
            ($body:expr) => {{
                self.state.frame.pc = pc as u32;
                self.state.steps += steps;
                self.work.instructions += steps;
                steps = 0;
                let result = $body;
                self.state.at_fork = false;
                self.chunk_cache.clear();
                regs = Registers::new(&mut self.state.frame.regs);
                result
            }};
        }
        macro_rules! go {
            ($edge:expr) => {{
                let edge = fast.edges[$edge as usize];
                for &(dst, src) in &copies[edge.copies_start as usize..edge.copies_end as usize] {
                    regs.set(dst.0, regs.get(src.0));
                }
                let back = edge.target as usize <= pc;
                pc = edge.target as usize;
                if back && steps > FLUSH_EVERY {
                    leave!(self.check_limits()?);
                }
                continue;
            }};
        }
        // Executes the instruction at this position by itself.
        macro_rules! generic {
            () => {{
                steps += 1;
                // Here and not at jumps: `leave` starts to count again, so that a loop with such
                // an instruction would never be looked at.
                self.state.steps += SLOW_COST;
                match leave!({
                    self.check_limits()?;
                    self.generic(&function.code[pc])?
                }) {
                    Next::Here => {
                        pc += 1;
                        continue;
                    }
                    Next::Edge(edge) => go!(edge.0),
                    Next::Frame => return Ok(()),
                }
            }};
        }
        macro_rules! binary {
            ($o:expr, $f:expr) => {{
                let (x, y) = (regs.get($o.a), regs.get($o.b));
                if x.is_symbolic() | y.is_symbolic() {
                    generic!()
                }
                let f: fn(u64, u64) -> u64 = $f;
                regs.set($o.dst, Slot::concrete(f(x.bits, y.bits)));
            }};
        }
        macro_rules! shift {
            ($o:expr, $width:expr, $f:expr) => {{
                let (x, y) = (regs.get($o.a), regs.get($o.b));
                if x.is_symbolic() | y.is_symbolic() || y.bits >= $width {
                    generic!()
                }
                let f: fn(u64, u64) -> u64 = $f;
                regs.set($o.dst, Slot::concrete(f(x.bits, y.bits)));
            }};
        }
        macro_rules! compare {
            ($o:expr, $f:expr) => {{
                let (x, y) = (regs.get($o.a), regs.get($o.b));
                if x.is_symbolic() | y.is_symbolic() {
                    generic!()
                }
                let f: fn(u64, u64) -> bool = $f;
                steps += 2;
                go!(if f(x.bits, y.bits) { $o.then } else { $o.other })
            }};
        }
        macro_rules! load {
            ($address:expr, $dst:expr, $len:expr, $steps:expr) => {{
                match self
                    .chunk_cache
                    .read(&mut self.state.memory, $address, $len)
                {
                    Some(value) => regs.set($dst, Slot::concrete(value)),
                    None => generic!(),
                }
                steps += $steps;
                pc += $steps;
                continue;
            }};
        }
        macro_rules! store {
            ($address:expr, $value:expr, $len:expr, $steps:expr) => {{
                let memory = &mut self.state.memory;
                if !self.chunk_cache.write(memory, $address, $len, $value) {
                    generic!()
                }
                steps += $steps;
                pc += $steps;
                continue;
            }};
        }
        loop {
            let Some(op) = ops.get(pc) else {
                return self.unsupported("the code runs out of its function");
            };
            match *op {
                Op::Generic => generic!(),
                Op::Annotated { dst, value, note } => {
                    let x = regs.get(value);
                    let truth = x.bits != 0;
                    let effect = self.effects[note as usize][usize::from(truth)];
                    if x.is_symbolic() || self.is_news(effect.objective) {
                        generic!()
                    }
                    self.state.trace.add_word(effect.word);
                    regs.set(dst, Slot::concrete(truth.into()));
                }
                Op::Reached { note } => {
                    let effect = self.effects[note as usize][0];
                    if self.is_news(effect.objective) {
                        generic!()
                    }
                    self.state.trace.add_word(effect.word);
                }
                Op::LabelBegin { dst, id, plain } => {
                    if self.mode.until().is_some() || self.state.speculation.is_some() {
                        generic!()
                    }
                    let open = self.labels.open.contains(id as usize);
                    if open && !plain {
                        generic!()
                    }
                    self.state.passages += 1;
                    self.state.opened = open.then_some(id);
                    regs.set(dst, Slot::concrete(open.into()));
                }
                Op::LabelSkip {
                    dst,
                    id,
                    plain,
                    other,
                } => {
                    if self.mode.until().is_some() || self.state.speculation.is_some() {
                        generic!()
                    }
                    if !self.labels.open.contains(id as usize) {
                        self.state.passages += 1;
                        steps += 3;
                        go!(other)
                    }
                    if !plain {
                        generic!()
                    }
                    self.state.passages += 1;
                    self.state.opened = Some(id);
                    regs.set(dst, Slot::concrete(1));
                }
                Op::LabelEnd { value } => {
                    let x = regs.get(value);
                    if x.is_symbolic() || x.bits != 0 || self.state.speculation.is_some() {
                        generic!()
                    }
                }
                Op::Add32(o) => binary!(o, |x, y| (x as u32).wrapping_add(y as u32).into()),
                Op::Add64(o) => binary!(o, u64::wrapping_add),
                Op::Sub32(o) => binary!(o, |x, y| (x as u32).wrapping_sub(y as u32).into()),
                Op::Sub64(o) => binary!(o, u64::wrapping_sub),
                Op::Mul32(o) => binary!(o, |x, y| (x as u32).wrapping_mul(y as u32).into()),
                Op::Mul64(o) => binary!(o, u64::wrapping_mul),
                Op::And(o) => binary!(o, |x, y| x & y),
                Op::Or(o) => binary!(o, |x, y| x | y),
                Op::Xor(o) => binary!(o, |x, y| x ^ y),
                Op::Shl32(o) => shift!(o, 32, |x, y| ((x as u32) << y).into()),
                Op::Shl64(o) => shift!(o, 64, |x, y| x << y),
                Op::LShr32(o) => shift!(o, 32, |x, y| ((x as u32) >> y).into()),
                Op::LShr64(o) => shift!(o, 64, |x, y| x >> y),
                Op::AShr32(o) => shift!(o, 32, |x, y| ((x as i32) >> y) as u32 as u64),
                Op::Eq(o) => binary!(o, |x, y| (x == y).into()),
                Op::Ne(o) => binary!(o, |x, y| (x != y).into()),
                Op::Ult(o) => binary!(o, |x, y| (x < y).into()),
                Op::Slt32(o) => binary!(o, |x, y| ((x as i32) < y as i32).into()),
                Op::Slt64(o) => binary!(o, |x, y| ((x as i64) < y as i64).into()),
                Op::EqBranch(o) => compare!(o, |x, y| x == y),
                Op::UltBranch(o) => compare!(o, |x, y| x < y),
                Op::Slt32Branch(o) => compare!(o, |x, y| (x as i32) < y as i32),
                Op::Slt64Branch(o) => compare!(o, |x, y| (x as i64) < y as i64),
                Op::Extend { dst, src } => {
                    let x = regs.get(src);
                    if x.is_symbolic() {
                        generic!()
                    }
                    regs.set(dst, x);
                }
                Op::SExt { dst, src, from, to } => {
                    let x = regs.get(src);
                    if x.is_symbolic() {
                        generic!()
                    }
                    let value = sign_extend(x.bits, from) as u64 & low_mask(to);
                    regs.set(dst, Slot::concrete(value));
                }
                Op::Trunc { dst, src, to } => {
                    let x = regs.get(src);
                    if x.is_symbolic() {
                        generic!()
                    }
                    regs.set(dst, Slot::concrete(x.bits & low_mask(to)));
                }
                Op::Offset { dst, base, offset } => {
                    let x = regs.get(base);
                    if x.is_symbolic() {
                        generic!()
                    }
                    regs.set(
                        dst,
                        Slot::concrete(x.bits.wrapping_add(offset as i64 as u64)),
                    );
                }
                Op::Index {
                    dst,
                    base,
                    index,
                    scale,
                } => {
                    let (x, y) = (regs.get(base), regs.get(index));
                    if x.is_symbolic() | y.is_symbolic() {
                        generic!()
                    }
                    let distance = y.bits.wrapping_mul(scale.into());
                    regs.set(dst, Slot::concrete(x.bits.wrapping_add(distance)));
                }
                Op::Load { dst, addr, len } => {
                    let x = regs.get(addr);
                    if x.is_symbolic() {
                        generic!()
                    }
                    load!(x.bits, dst, len, 1)
                }
                Op::Store { addr, src, len } => {
                    let (x, value) = (regs.get(addr), regs.get(src));
                    if x.is_symbolic() | value.is_symbolic() {
                        generic!()
                    }
                    store!(x.bits, value.bits, len, 1)
                }
                Op::IndexLoad {
                    dst,
                    base,
                    index,
                    scale,
                    len,
                } => {
                    let (x, y) = (regs.get(base), regs.get(index));
                    if x.is_symbolic() | y.is_symbolic() {
                        generic!()
                    }
                    let address = x.bits.wrapping_add(y.bits.wrapping_mul(scale.into()));
                    load!(address, dst, len, 2)
                }
                Op::IndexStore {
                    src,
                    base,
                    index,
                    scale,
                    len,
                } => {
                    let (x, y, value) = (regs.get(base), regs.get(index), regs.get(src));
                    if x.is_symbolic() | y.is_symbolic() | value.is_symbolic() {
                        generic!()
                    }
                    let address = x.bits.wrapping_add(y.bits.wrapping_mul(scale.into()));
                    store!(address, value.bits, len, 2)
                }
                Op::OffsetLoad {
                    dst,
                    base,
                    offset,
                    len,
                } => {
                    let x = regs.get(base);
                    if x.is_symbolic() {
                        generic!()
                    }
                    load!(x.bits.wrapping_add(offset as i64 as u64), dst, len, 2)
                }
                Op::OffsetStore {
                    src,
                    base,
                    offset,
                    len,
                } => {
                    let (x, value) = (regs.get(base), regs.get(src));
                    if x.is_symbolic() | value.is_symbolic() {
                        generic!()
                    }
                    store!(
                        x.bits.wrapping_add(offset as i64 as u64),
                        value.bits,
                        len,
                        2
                    )
                }
                Op::PointerPair { a, b } => {
                    let (x, y) = (regs.get(a), regs.get(b));
                    let is_one = split(x.bits).0 == split(y.bits).0 && x.bits != y.bits;
                    if x.is_symbolic() | y.is_symbolic() || !is_one {
                        generic!()
                    }
                }
                Op::Copy { dst, src } => regs.set(dst, regs.get(src)),
                Op::Select { dst, cond, a, b } => {
                    let c = regs.get(cond);
                    if c.is_symbolic() {
                        generic!()
                    }
                    regs.set(dst, regs.get(if c.bits != 0 { a } else { b }));
                }
                Op::Jump { edge } => {
                    steps += 1;
                    go!(edge)
                }
                Op::Branch { cond, then, other } => {
                    let c = regs.get(cond);
                    if c.is_symbolic() {
                        generic!()
                    }
                    steps += 1;
                    go!(if c.bits != 0 { then } else { other })
                }
            }
            steps += 1;
            pc += 1;
        }
    }

    /// Does an annotation cover something that the path has not covered yet?
    #[inline(always)]
    fn is_news(&self, objective: CoveredObjective) -> bool {
        match objective {
            CoveredObjective::None => false,
            CoveredObjective::One(one) => !self.state.hits.contains(one as usize),
            CoveredObjective::Several => true,
        }
    }

    /// The path was longer than it may be; what lies behind it was not seen.
    #[cold]
    fn step_limit(&mut self) -> PathEnd {
        let text = self.text(&Assumption::Resource("steps".into()).to_string());
        // Also where a label's predicate is evaluated: the whole path ends.
        self.rest_on_path(&text);
        PathEnd::StepLimit
    }

    /// Ends paths that run too long, and the run when it is told to stop. Called at backward
    /// jumps and calls.
    #[inline]
    pub(super) fn check_limits(&mut self) -> Step {
        if self.state.steps > self.config.max_steps {
            return Err(self.step_limit());
        }
        let is_long = self.state.steps > self.pace.slice_end
            || self.arena.live() > self.pace.most_expressions
            || self.state.inputs.len() > self.pace.most_inputs;
        if is_long && self.mode.may_be_suspended() {
            return Err(PathEnd::Suspended);
        }
        // Instructions on expressions take long, however few they are.
        self.pace.slow_instructions = self.pace.slow_instructions.wrapping_add(1);
        if self.work.instructions >= self.pace.next_clock_check
            || self.pace.slow_instructions.is_multiple_of(SLOW_CHECK_EVERY)
        {
            self.pace.next_clock_check = self.work.instructions + CHECK_EVERY;
            match self.config.deadline.cause() {
                None => {}
                // Perhaps memory can be given back; then the path goes on.
                Some(EndCause::Memory) if self.mode.may_be_suspended() => {
                    return Err(PathEnd::Suspended);
                }
                // It needs what a run has needed before, and its candidate would be lost.
                Some(EndCause::Memory) if self.mode.returns_to_a_fork() => {}
                Some(_) => return Err(PathEnd::Interrupted),
            }
        }
        Ok(())
    }
}
