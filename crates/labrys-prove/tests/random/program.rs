//! Random programs: structured code in single assignment form, as the lifter writes it, with every
//! kind of annotation; and tangled code, which assigns registers anywhere.

use labrys_ir::{
    BinOp, Block, BlockId, CastOp, CmpOp, Const, EdgeId, FuncId, Function, Inst, Module, Reg,
    RegList, SourceLoc, SwitchTable, SwitchTableId, SymbolRef,
};
use labrys_ledger::Trigger;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Branches,
    Loops,
    Calls,
    /// Calls, loops, and what is in memory.
    Memory,
    /// The same, with addresses in parameters, elements by index, and results that say how a call went.
    Pointers,
    /// Memory, with numbers that are compared with each other.
    Relations,
    Tangled,
}

pub(crate) struct Program {
    pub(crate) module: Module,
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) width: u32,
    pub(crate) inputs: u32,
}

/// Functions without a body, in the order of their numbers.
const EXTERNAL: [(&str, &[u8], &[u8]); 8] = [
    ("labrys_uint", &[], &[0]),
    ("labrys_cond", &[32, 32, 32], &[32]),
    ("labrys_decision", &[32, 32], &[32]),
    ("labrys_label", &[32, 32], &[]),
    ("labrys_reach", &[32], &[]),
    ("labrys_switch", &[32, 0], &[0]),
    ("labrys_case", &[32, 32], &[]),
    ("labrys_assume", &[32], &[]),
];
const INPUT: FuncId = FuncId(0);
const COND: FuncId = FuncId(1);
const DECISION: FuncId = FuncId(2);
const LABEL: FuncId = FuncId(3);
const REACH: FuncId = FuncId(4);
const SWITCH: FuncId = FuncId(5);
const CASE: FuncId = FuncId(6);
const ASSUME: FuncId = FuncId(7);
/// The first function with a body is the harness.
const FIRST: u32 = EXTERNAL.len() as u32;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub(crate) fn random(seed: u64, shape: Shape) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x55);
    for _ in 0..4 {
        random.below(2);
    }
    let width = 3 + random.below(2) as u8;
    let functions = match shape {
        Shape::Calls | Shape::Memory | Shape::Relations => 2 + random.below(2) as u32,
        Shape::Pointers => 2 + random.below(3) as u32,
        _ => 1,
    };
    let mut module = Module::default();
    for (name, params, results) in EXTERNAL {
        let real = |w: &u8| if *w == 0 { width } else { *w };
        let mut function = Function {
            name: name.into(),
            results: results.iter().map(real).collect(),
            ..Function::default()
        };
        for param in params {
            let reg = function.add_reg(real(param));
            function.params.push(reg);
        }
        module.functions.push(function);
    }
    if matches!(shape, Shape::Memory | Shape::Relations | Shape::Pointers) {
        crate::memory::add_variables(&mut module);
    }
    let mut triggers = Vec::new();
    let mut next_id = 0;
    let inputs = 2;
    for number in 0..=functions {
        let writer = Writer {
            random: &mut random,
            shape,
            width,
            function: Function::default(),
            blocks: vec![Vec::new()],
            current: 0,
            variables: Vec::new(),
            triggers: &mut triggers,
            next_id: &mut next_id,
            callees: (number + 1..=functions)
                .map(|n| FuncId(FIRST + n))
                .collect(),
            own: FuncId(FIRST + number),
            depth: 0,
            calls: 0,
            local: None,
            pointer: None,
        };
        let name = if number == 0 {
            "harness".to_owned()
        } else {
            format!("f{number}")
        };
        let mut function = match (shape, number) {
            (Shape::Tangled, 1) => writer.tangled(),
            (_, 0) => writer.harness(inputs),
            _ => writer.body(),
        };
        function.name = name;
        module.functions.push(function);
    }
    Program {
        module,
        triggers,
        width: width.into(),
        inputs,
    }
}

pub(crate) struct Writer<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) shape: Shape,
    pub(crate) width: u8,
    pub(crate) function: Function,
    blocks: Vec<Vec<Inst>>,
    current: usize,
    /// The registers that hold the variables now.
    pub(crate) variables: Vec<Reg>,
    triggers: &'a mut Vec<Trigger>,
    next_id: &'a mut u32,
    callees: Vec<FuncId>,
    own: FuncId,
    pub(crate) depth: u32,
    calls: u32,
    /// The address of a local of eight bytes.
    pub(crate) local: Option<Reg>,
    /// The parameter that is an address.
    pub(crate) pointer: Option<Reg>,
}

const NOWHERE: SourceLoc = SourceLoc {
    file: 0,
    line: 0,
    column: 0,
};

impl Writer<'_> {
    pub(crate) fn emit(&mut self, inst: Inst) {
        self.blocks[self.current].push(inst);
    }

    pub(crate) fn constant(&mut self, width: u8, bits: u64) -> Reg {
        let reg = self.function.add_reg(width);
        let bits = u128::from(bits & ((1u64 << width) - 1));
        self.function.constants.push((reg, Const::Int(bits)));
        reg
    }

    pub(crate) fn call(&mut self, callee: FuncId, args: &[Reg], result: Option<u8>) -> Reg {
        let args = self.function.add_list(args);
        let reg = self.function.add_reg(result.unwrap_or(1));
        let results = match result {
            Some(_) => self.function.add_list(&[reg]),
            None => RegList::default(),
        };
        self.emit(Inst::Call {
            callee,
            args,
            results,
        });
        reg
    }

    fn id(&mut self) -> u32 {
        *self.next_id += 1;
        *self.next_id
    }

    fn harness(mut self, inputs: u32) -> Function {
        let given: Vec<Reg> = (0..inputs)
            .map(|_| self.call(INPUT, &[], Some(self.width)))
            .collect();
        self.variables = given.clone();
        if self.random.one_in(3) {
            let cond = self.comparison();
            let wide = self.cast(CastOp::ZExt, 32, cond);
            self.call(ASSUME, &[wide], None);
        }
        if self.shape == Shape::Calls {
            self.code(2);
        }
        let callee = FuncId(FIRST + 1);
        let mut args: Vec<Reg> = (0..2).map(|i| self.variables[i]).collect();
        if self.shape == Shape::Pointers {
            args.push(self.passed_address());
        }
        self.call(callee, &args, Some(self.width));
        self.finish(&[])
    }

    fn body(mut self) -> Function {
        for _ in 0..2 {
            let reg = self.function.add_reg(self.width);
            self.function.params.push(reg);
            self.variables.push(reg);
        }
        if self.shape == Shape::Pointers {
            let reg = self.function.add_reg(64);
            self.function.params.push(reg);
            self.pointer = Some(reg);
        }
        self.function.results = vec![self.width];
        let zero = self.constant(self.width, 0);
        self.variables.push(zero);
        if matches!(self.shape, Shape::Memory | Shape::Pointers) {
            let dst = self.function.add_reg(64);
            self.emit(Inst::Alloca {
                dst,
                size: 8,
                align: 8,
                element: 0,
            });
            self.local = Some(dst);
            self.code(5);
        }
        self.code(4);
        let result = match self.shape == Shape::Pointers && self.random.one_in(2) {
            true => self.constant(self.width, 1),
            false => self.operand(),
        };
        self.finish(&[result])
    }

    fn finish(mut self, results: &[Reg]) -> Function {
        let values = self.function.add_list(results);
        self.emit(Inst::Return { values });
        for block in &self.blocks {
            let start = self.function.code.len() as u32;
            self.function.code.extend(block);
            self.function.blocks.push(Block {
                start,
                end: self.function.code.len() as u32,
            });
        }
        self.function.locs = vec![NOWHERE; self.function.code.len()];
        self.function
    }

    fn code(&mut self, statements: usize) {
        for _ in 0..1 + self.random.below(statements) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let deep = self.depth >= 3;
        if self.shape == Shape::Memory && self.random.one_in(2) {
            return self.memory_statement();
        }
        if self.shape == Shape::Pointers && self.random.one_in(2) {
            return self.pointer_statement();
        }
        if self.shape == Shape::Relations && self.random.one_in(2) {
            return self.relation_statement();
        }
        match self.random.below(11) {
            0..=2 => self.assign(),
            3 => self.label(),
            4 => {
                let id = self.id();
                let reg = self.constant(32, id.into());
                self.call(REACH, &[reg], None);
                self.triggers.push(Trigger::Reach { id });
            }
            5..=6 if !deep => self.branch(),
            7 if !deep => self.switch(),
            8 if !deep && self.shape == Shape::Loops => self.repeat(),
            9 if matches!(self.shape, Shape::Calls | Shape::Memory | Shape::Relations) => {
                self.any_call();
            }
            10 if !deep && !matches!(self.shape, Shape::Branches | Shape::Calls) => self.repeat(),
            _ => self.assign(),
        }
    }

    pub(crate) fn label(&mut self) {
        let holds = self.predicate();
        let wide = self.cast(CastOp::ZExt, 32, holds);
        let id = self.id();
        let reg = self.constant(32, id.into());
        self.call(LABEL, &[reg, wide], None);
        self.triggers.push(Trigger::Label { id });
    }

    fn assign(&mut self) {
        let value = self.expression(2);
        let i = self.random.below(self.variables.len());
        self.variables[i] = value;
    }

    /// A condition that is annotated, as a register of one bit.
    fn condition(&mut self) -> Reg {
        let holds = self.predicate();
        let wide = self.cast(CastOp::ZExt, 32, holds);
        let id = self.id();
        let number = self.constant(32, id.into());
        let decision = self.random.one_in(3);
        let value = if decision {
            self.call(DECISION, &[number, wide], Some(32))
        } else {
            let index = self.constant(32, 0);
            self.call(COND, &[number, index, wide], Some(32))
        };
        for value in [true, false] {
            self.triggers.push(if decision {
                Trigger::Decision {
                    decision: id,
                    value,
                }
            } else {
                Trigger::Condition {
                    decision: id,
                    index: 0,
                    value,
                }
            });
        }
        self.is_not_zero(value)
    }

    fn new_block(&mut self) -> usize {
        self.blocks.push(Vec::new());
        self.blocks.len() - 1
    }

    fn edge(&mut self, target: usize, copies: &[(Reg, Reg)]) -> EdgeId {
        self.function.add_edge(BlockId(target as u32), copies)
    }

    /// Ends the current block with a jump that brings these values into the registers of phis.
    fn jump(&mut self, target: usize, phis: &[Reg], values: &[Reg]) {
        // By way of other registers, so that no phi is written before it is read.
        let mut copies = Vec::new();
        let mut last = Vec::new();
        for (phi, value) in phis.iter().zip(values) {
            if self.random.one_in(2) || values.contains(phi) {
                let between = self.function.add_reg(self.function.width(*phi));
                copies.push((between, *value));
                last.push((*phi, between));
            } else {
                last.push((*phi, *value));
            }
        }
        copies.extend(last);
        let edge = self.edge(target, &copies);
        self.emit(Inst::Jump { edge });
    }

    /// Runs each part from the same variables and joins what they leave behind.
    fn merge(&mut self, starts: &[usize], parts: &mut dyn FnMut(&mut Self, usize) -> bool) {
        let before = self.variables.clone();
        let after = self.new_block();
        let mut ends = Vec::new();
        self.depth += 1;
        for (i, start) in starts.iter().enumerate() {
            self.variables = before.clone();
            self.current = *start;
            if parts(self, i) {
                ends.push((self.current, self.variables.clone()));
            }
        }
        self.depth -= 1;
        let mut phis = Vec::new();
        let mut joined = before.clone();
        for (i, reg) in joined.iter_mut().enumerate() {
            let first = ends.first().map(|(_, v)| v[i]);
            if ends.iter().any(|(_, v)| Some(v[i]) != first) {
                let phi = self.function.add_reg(self.width);
                phis.push((i, phi));
                *reg = phi;
            } else if let Some(same) = first {
                *reg = same;
            }
        }
        let regs: Vec<Reg> = phis.iter().map(|(_, phi)| *phi).collect();
        for (end, variables) in &ends {
            self.current = *end;
            let values: Vec<Reg> = phis.iter().map(|(i, _)| variables[*i]).collect();
            self.jump(after, &regs, &values);
        }
        self.current = after;
        self.variables = joined;
    }

    fn branch(&mut self) {
        // `a && b`: the second condition is only looked at if the first holds.
        let both = self.random.one_in(3);
        let cond = self.condition();
        let (yes, no) = (self.new_block(), self.new_block());
        let (then, other) = (self.edge(yes, &[]), self.edge(no, &[]));
        self.emit(Inst::Branch { cond, then, other });
        if both {
            // The truth of the whole as a phi.
            self.current = yes;
            let second = self.condition();
            let after = self.new_block();
            let truth = self.function.add_reg(1);
            let false_ = self.constant(1, 0);
            self.jump(after, &[truth], &[second]);
            self.current = no;
            self.jump(after, &[truth], &[false_]);
            self.current = after;
            let (yes, no) = (self.new_block(), self.new_block());
            let (then, other) = (self.edge(yes, &[]), self.edge(no, &[]));
            self.emit(Inst::Branch {
                cond: truth,
                then,
                other,
            });
            self.merge(&[yes, no], &mut |w, _| w.part());
        } else {
            self.merge(&[yes, no], &mut |w, _| w.part());
        }
    }

    /// Statements; false if control does not go on behind them.
    fn part(&mut self) -> bool {
        self.code(3);
        let often = match self.shape {
            Shape::Pointers => 3,
            _ => 12,
        };
        if self.depth > 0
            && (self.depth > 1 || self.shape == Shape::Pointers)
            && self.random.one_in(often)
            && !self.function.results.is_empty()
        {
            let value = match self.shape == Shape::Pointers && !self.random.one_in(4) {
                true => {
                    let status = self.random.below(3) as u64;
                    self.constant(self.width, status)
                }
                false => self.operand(),
            };
            let values = self.function.add_list(&[value]);
            self.emit(Inst::Return { values });
            return false;
        }
        true
    }

    fn switch(&mut self) {
        let value = self.expression(1);
        let id = self.id();
        let number = self.constant(32, id.into());
        let value = self.call(SWITCH, &[number, value], Some(self.width));
        let count = 1 + self.random.below(4);
        let starts: Vec<usize> = (0..=count).map(|_| self.new_block()).collect();
        let mut cases: Vec<(u128, EdgeId)> = Vec::new();
        for start in &starts[..count] {
            let n = self.random.below(1 << self.width) as u128;
            if cases.iter().all(|(m, _)| *m != n) {
                let edge = self.edge(*start, &[]);
                cases.push((n, edge));
            } else {
                // A block that nothing leads to would be no part of a lifted program.
                let edge = cases[0].1;
                let target = *start as u32;
                self.function.edges[edge.index()].target = BlockId(target);
            }
        }
        cases.sort_by_key(|(n, _)| *n);
        let default = self.edge(starts[count], &[]);
        self.function.switches.push(SwitchTable {
            cases,
            default: Some(default),
        });
        let table = SwitchTableId(self.function.switches.len() as u32 - 1);
        self.emit(Inst::Switch { value, table });
        self.merge(&starts, &mut |w, i| {
            let (switch, case) = (w.constant(32, id.into()), w.constant(32, i as u64));
            w.call(CASE, &[switch, case], None);
            w.triggers.push(Trigger::Case {
                switch: id,
                case: i as u32,
            });
            if w.random.one_in(4) {
                // As if fallen into: the switch has not jumped here.
                let case = w.constant(32, 100 + i as u64);
                w.call(CASE, &[switch, case], None);
                w.triggers.push(Trigger::Case {
                    switch: id,
                    case: 100 + i as u32,
                });
            }
            w.part()
        });
    }

    fn repeat(&mut self) {
        let before = self.variables.clone();
        let (head, body, after) = (self.new_block(), self.new_block(), self.new_block());
        let phis: Vec<Reg> = before
            .iter()
            .map(|_| self.function.add_reg(self.width))
            .collect();
        let counter = self.function.add_reg(8);
        let (zero, one) = (self.constant(8, 0), self.constant(8, 1));
        let bound = self.random.below(6) as u64;
        let limit = self.constant(8, bound);
        let all: Vec<Reg> = phis.iter().copied().chain([counter]).collect();
        let values: Vec<Reg> = before.iter().copied().chain([zero]).collect();
        self.jump(head, &all, &values);
        self.current = head;
        self.variables = phis.clone();
        let op = self
            .random
            .pick(&[CmpOp::Ult, CmpOp::Ne, CmpOp::Sle, CmpOp::Slt]);
        let more = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op,
            width: 8,
            dst: more,
            a: counter,
            b: limit,
        });
        let cond = if self.random.one_in(2) {
            let other = self.condition();
            self.binary(BinOp::And, more, other)
        } else {
            more
        };
        let (then, other) = (self.edge(body, &[]), self.edge(after, &[]));
        self.emit(Inst::Branch { cond, then, other });
        self.current = body;
        self.depth += 1;
        self.code(3);
        // A label on the counter.
        let op = self.random.pick(&[CmpOp::Eq, CmpOp::Ugt, CmpOp::Uge]);
        let near = bound + self.random.below(4) as u64;
        let other = self.constant(8, near.wrapping_sub(2));
        let dst = self.function.add_reg(1);
        self.emit(Inst::Cmp {
            op,
            width: 8,
            dst,
            a: counter,
            b: other,
        });
        let wide = self.cast(CastOp::ZExt, 32, dst);
        let id = self.id();
        let number = self.constant(32, id.into());
        self.call(LABEL, &[number, wide], None);
        self.triggers.push(Trigger::Label { id });
        self.depth -= 1;
        let next = self.binary(BinOp::Add, counter, one);
        let values: Vec<Reg> = self.variables.iter().copied().chain([next]).collect();
        self.jump(head, &all, &values);
        self.current = after;
        self.variables = phis;
    }

    pub(crate) fn any_call(&mut self) -> Option<Reg> {
        self.calls += 1;
        // A function may call itself, rarely: the runs are short.
        let recursive = self.random.one_in(8) && self.own.0 > FIRST;
        let callee = if recursive {
            self.own
        } else if self.callees.is_empty() {
            return None;
        } else {
            self.random.pick(&self.callees.clone())
        };
        let mut args = vec![self.operand(), self.operand()];
        if self.shape == Shape::Pointers {
            if self.random.one_in(2) {
                let number = self.random.below(4) as u64;
                args[1] = self.constant(self.width, number);
            }
            args.push(self.passed_address());
        }
        let value = if self.random.one_in(5) {
            let target = self.function.add_reg(64);
            let symbol = Const::Symbol(SymbolRef::Function(callee));
            self.function.constants.push((target, symbol));
            let value = self.function.add_reg(self.width);
            let args = self.function.add_list(&args);
            let results = self.function.add_list(&[value]);
            self.emit(Inst::CallPointer {
                target,
                args,
                results,
            });
            value
        } else {
            self.call(callee, &args, Some(self.width))
        };
        let i = self.random.below(self.variables.len());
        self.variables[i] = value;
        Some(value)
    }

    /// Branches on what a call has returned.
    pub(crate) fn status_branch(&mut self, value: Reg) {
        let number = self.random.below(2) as u64;
        let status = self.constant(self.width, number);
        let cond = self.function.add_reg(1);
        let op = self.random.pick(&[CmpOp::Eq, CmpOp::Ne]);
        self.emit(Inst::Cmp {
            op,
            width: self.width,
            dst: cond,
            a: value,
            b: status,
        });
        self.branch_on(cond, None);
    }

    /// Branches, and looks at what an address leads to behind it.
    pub(crate) fn branch_on(&mut self, cond: Reg, addr: Option<Reg>) {
        let (yes, no) = (self.new_block(), self.new_block());
        let (then, other) = (self.edge(yes, &[]), self.edge(no, &[]));
        self.emit(Inst::Branch { cond, then, other });
        self.merge(&[yes, no], &mut |w, _| {
            w.look_behind(addr);
            w.part()
        });
    }

    /// Blocks that jump anywhere and registers that are written anywhere.
    fn tangled(mut self) -> Function {
        for _ in 0..2 {
            let reg = self.function.add_reg(self.width);
            self.function.params.push(reg);
            self.variables.push(reg);
        }
        self.function.results = vec![self.width];
        for _ in 0..2 {
            // Zero until somebody writes it.
            let reg = self.function.add_reg(self.width);
            self.variables.push(reg);
        }
        let pool = self.variables.clone();
        let count = 2 + self.random.below(5);
        for _ in 1..count {
            self.new_block();
        }
        for number in 0..count {
            self.current = number;
            self.variables = pool.clone();
            for _ in 0..self.random.below(3) {
                match self.random.below(3) {
                    0 => self.label(),
                    1 => {
                        let src = self.expression(1);
                        let dst = self.random.pick(&pool);
                        self.emit(Inst::Copy { dst, src });
                    }
                    _ => {
                        let (a, b) = (self.operand(), self.operand());
                        let dst = self.random.pick(&pool);
                        let op = self.random.pick(&[BinOp::Add, BinOp::And, BinOp::Sub]);
                        self.emit(Inst::Bin {
                            op,
                            width: self.width,
                            nsw: false,
                            dst,
                            a,
                            b,
                        });
                    }
                }
            }
            if number + 1 == count || self.random.one_in(6) {
                let value = self.operand();
                let values = self.function.add_list(&[value]);
                self.emit(Inst::Return { values });
                continue;
            }
            let cond = self.condition();
            let mut edge = || {
                let target = self.random.below(count);
                let copies: Vec<(Reg, Reg)> = (0..self.random.below(3))
                    .map(|_| (self.random.pick(&pool), self.random.pick(&pool)))
                    .collect();
                self.function.add_edge(BlockId(target as u32), &copies)
            };
            let (then, other) = (edge(), edge());
            self.emit(Inst::Branch { cond, then, other });
        }
        // The last block returns already.
        for block in &self.blocks {
            let start = self.function.code.len() as u32;
            self.function.code.extend(block);
            self.function.blocks.push(Block {
                start,
                end: self.function.code.len() as u32,
            });
        }
        self.function.locs = vec![NOWHERE; self.function.code.len()];
        self.function
    }
}
