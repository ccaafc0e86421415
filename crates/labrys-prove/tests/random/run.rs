//! Runs a program on one input and collects its events. Written for clearness, without any code
//! of the analysis.

use labrys_ir::{
    BinOp, CastOp, CmpOp, Const, EdgeId, FuncId, Function, Inst, Module, Reg, RegList, SymbolRef,
};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// Why a run ends before the harness returns.
enum End {
    /// A fault, a failed assumption, or an end that the program asked for.
    Over,
    TooLong,
}

/// Where a run is: in front of an instruction of a function, with its registers, where its locals lie by the
/// instructions that make them, and the bytes of memory.
pub(crate) struct RunState<'a> {
    pub(crate) function: FuncId,
    pub(crate) pc: u32,
    pub(crate) regs: &'a [u64],
    pub(crate) locals: &'a BTreeMap<u32, u64>,
    pub(crate) memory: &'a BTreeMap<u64, u8>,
}

struct Run<'a> {
    module: &'a Module,
    watch: &'a mut dyn FnMut(RunState<'_>),
    inputs: std::slice::Iter<'a, u64>,
    seen: &'a mut BTreeSet<Trigger>,
    pending: Option<u32>,
    fuel: u32,
    /// Bytes by address; those that were never written are 0.
    memory: BTreeMap<u64, u8>,
    /// Where the next local lies.
    next_local: u64,
}

/// False if the run was cut off.
pub(crate) fn run(
    module: &Module,
    entry: &str,
    inputs: &[u64],
    seen: &mut BTreeSet<Trigger>,
) -> bool {
    run_watched(module, entry, inputs, seen, &mut |_| {})
}

/// The same with something that looks at every state.
pub(crate) fn run_watched(
    module: &Module,
    entry: &str,
    inputs: &[u64],
    seen: &mut BTreeSet<Trigger>,
    watch: &mut dyn FnMut(RunState<'_>),
) -> bool {
    let mut run = Run {
        module,
        watch,
        inputs: inputs.iter(),
        seen,
        pending: None,
        fuel: 1200,
        memory: BTreeMap::new(),
        next_local: FIRST_LOCAL,
    };
    for (number, global) in module.globals.iter().enumerate() {
        for (i, byte) in global.init.iter().enumerate() {
            run.memory
                .insert(address_of(number as u64) + i as u64, *byte);
        }
    }
    let entry = module.function(entry).expect("the entry");
    !matches!(run.call(entry, &[], 0), Err(End::TooLong))
}

/// Variables lie far apart, and so do locals.
const APART: u64 = 1 << 20;
const FIRST_LOCAL: u64 = 1 << 40;

/// Every object has eight bytes.
fn is_inside(start: u64, width: u8) -> bool {
    start >= APART && start % APART + u64::from(width / 8) <= 8
}

pub(crate) fn address_of(global: u64) -> u64 {
    (global + 1) * APART
}

pub(crate) fn mask(width: u8) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

pub(crate) fn signed(width: u8, bits: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

impl Run<'_> {
    fn call(&mut self, id: FuncId, args: &[u64], depth: u32) -> Result<Vec<u64>, End> {
        let function = &self.module.functions[id.index()];
        if function.is_external() {
            return self.builtin(&function.name, args);
        }
        if depth > 20 {
            return Err(End::TooLong);
        }
        let mut regs = vec![0u64; function.widths.len()];
        for (reg, value) in &function.constants {
            regs[reg.index()] = match value {
                Const::Int(bits) => *bits as u64,
                Const::Symbol(SymbolRef::Function(id)) => 1000 + u64::from(id.0),
                Const::Symbol(SymbolRef::Global { global, addend }) => {
                    address_of(global.0.into()).wrapping_add_signed(*addend)
                }
                _ => 0,
            };
        }
        for (reg, value) in function.params.iter().zip(args) {
            regs[reg.index()] = *value;
        }
        let mut pc = 0;
        let mut locals: BTreeMap<u32, u64> = BTreeMap::new();
        loop {
            (self.watch)(RunState {
                function: id,
                pc: pc as u32,
                regs: &regs,
                locals: &locals,
                memory: &self.memory,
            });
            self.fuel = self.fuel.checked_sub(1).ok_or(End::TooLong)?;
            let get = |reg: Reg| regs[reg.index()];
            let list = |list: RegList| -> Vec<u64> {
                function.list(list).iter().map(|r| get(*r)).collect()
            };
            let inst = function.code[pc];
            pc += 1;
            match inst {
                Inst::Bin {
                    op,
                    width,
                    dst,
                    a,
                    b,
                    ..
                } => regs[dst.index()] = binary(op, width, get(a), get(b)).ok_or(End::Over)?,
                Inst::Cmp {
                    op,
                    width,
                    dst,
                    a,
                    b,
                } => regs[dst.index()] = compare(op, width, get(a), get(b)).into(),
                Inst::Cast {
                    op,
                    from,
                    to,
                    dst,
                    src,
                } => {
                    let bits = match op {
                        CastOp::SExt => signed(from, get(src)) as u64,
                        _ => get(src),
                    };
                    regs[dst.index()] = bits & mask(to);
                }
                Inst::Select { dst, cond, a, b } => {
                    regs[dst.index()] = if get(cond) != 0 { get(a) } else { get(b) };
                }
                Inst::Copy { dst, src } => regs[dst.index()] = get(src),
                Inst::Call {
                    callee,
                    args,
                    results,
                } => {
                    let values = self.call(callee, &list(args), depth + 1)?;
                    for (reg, value) in function.list(results).iter().zip(values) {
                        regs[reg.index()] = value;
                    }
                }
                Inst::CallPointer {
                    target,
                    args,
                    results,
                } => {
                    let callee = FuncId((get(target) - 1000) as u32);
                    let values = self.call(callee, &list(args), depth + 1)?;
                    for (reg, value) in function.list(results).iter().zip(values) {
                        regs[reg.index()] = value;
                    }
                }
                Inst::Offset { dst, base, offset } => {
                    regs[dst.index()] = get(base).wrapping_add_signed(offset.into());
                }
                Inst::Index {
                    dst,
                    base,
                    index,
                    scale,
                } => {
                    let distance = get(index).wrapping_mul(scale.into());
                    regs[dst.index()] = get(base).wrapping_add(distance);
                }
                Inst::Alloca { dst, .. } => {
                    regs[dst.index()] = self.next_local;
                    locals.insert(pc as u32 - 1, self.next_local);
                    self.next_local += APART;
                }
                Inst::Load { dst, addr, width } => {
                    let start = get(addr);
                    if !is_inside(start, width) {
                        return Err(End::Over);
                    }
                    let byte = |i: u64| self.memory.get(&(start + i)).copied().unwrap_or(0);
                    let bytes = u64::from(width / 8);
                    regs[dst.index()] =
                        (0..bytes).fold(0, |bits, i| bits | u64::from(byte(i)) << (8 * i));
                }
                Inst::Store { addr, src, width } => {
                    let (start, bits) = (get(addr), get(src));
                    if !is_inside(start, width) {
                        return Err(End::Over);
                    }
                    for i in 0..u64::from(width / 8) {
                        self.memory.insert(start + i, (bits >> (8 * i)) as u8);
                    }
                }
                Inst::Jump { edge } => pc = take(function, edge, &mut regs),
                Inst::Branch { cond, then, other } => {
                    let edge = if get(cond) != 0 { then } else { other };
                    pc = take(function, edge, &mut regs);
                }
                Inst::Switch { value, table } => {
                    let table = &function.switches[table.index()];
                    let value = u128::from(get(value));
                    let found = table.cases.iter().find(|(n, _)| *n == value);
                    let edge = found.map(|(_, e)| *e).or(table.default).ok_or(End::Over)?;
                    pc = take(function, edge, &mut regs);
                }
                Inst::Return { values } => return Ok(list(values)),
                Inst::Unreachable => return Err(End::Over),
                other => panic!("the generator does not write {other:?}"),
            }
        }
    }

    fn builtin(&mut self, name: &str, args: &[u64]) -> Result<Vec<u64>, End> {
        let id = |i: usize| args[i] as u32;
        match name {
            "labrys_cond" => {
                self.seen.insert(Trigger::Condition {
                    decision: id(0),
                    index: id(1),
                    value: args[2] != 0,
                });
                Ok(vec![args[2]])
            }
            "labrys_decision" => {
                self.seen.insert(Trigger::Decision {
                    decision: id(0),
                    value: args[1] != 0,
                });
                Ok(vec![args[1]])
            }
            "labrys_label" => {
                if args[1] != 0 {
                    self.seen.insert(Trigger::Label { id: id(0) });
                }
                Ok(vec![])
            }
            "labrys_reach" => {
                self.seen.insert(Trigger::Reach { id: id(0) });
                Ok(vec![])
            }
            "labrys_switch" => {
                self.pending = Some(id(0));
                Ok(vec![args[1]])
            }
            "labrys_case" => {
                if self.pending.take() == Some(id(0)) {
                    self.seen.insert(Trigger::Case {
                        switch: id(0),
                        case: id(1),
                    });
                }
                Ok(vec![])
            }
            "labrys_assume" if args[0] == 0 => Err(End::Over),
            "labrys_assume" => Ok(vec![]),
            "labrys_uint" => Ok(vec![self.inputs.next().copied().unwrap_or(0)]),
            other => panic!("the generator does not call {other}"),
        }
    }
}

fn take(function: &Function, edge: EdgeId, regs: &mut [u64]) -> usize {
    for (dst, src) in function.edge_copies(edge) {
        regs[dst.index()] = regs[src.index()];
    }
    let target = function.edges[edge.index()].target;
    function.blocks[target.index()].start as usize
}

fn binary(op: BinOp, width: u8, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (signed(width, a), signed(width, b));
    let least = signed(width, (mask(width) >> 1) + 1);
    let divides = y != 0 && !(x == least && y == -1);
    let shifts = b < u64::from(width);
    let bits = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::SDiv => divides.then(|| (x / y) as u64)?,
        BinOp::SRem => divides.then(|| (x % y) as u64)?,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => shifts.then(|| a << b)?,
        BinOp::LShr => shifts.then(|| a >> b)?,
        BinOp::AShr => shifts.then(|| (x >> b) as u64)?,
    };
    Some(bits & mask(width))
}

pub(crate) fn compare(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    let (x, y) = (signed(width, a), signed(width, b));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
    }
}
