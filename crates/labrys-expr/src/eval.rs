//! Evaluation of expressions under a model.

use crate::node::{Kind, Node, Op, mask, signed};
use crate::{Arena, ExprId, TableId, VarId, float};
use rustc_hash::FxHashMap;

/// Values of the variables; those not set are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: Vec<u64>,
}

impl Model {
    pub fn new() -> Self {
        Model::default()
    }

    #[inline]
    pub fn get(&self, var: VarId) -> u64 {
        self.values.get(var.index()).copied().unwrap_or(0)
    }

    pub fn set(&mut self, var: VarId, value: u64) {
        if var.index() >= self.values.len() {
            self.values.resize(var.index() + 1, 0);
        }
        self.values[var.index()] = value;
    }
}

/// Evaluates expressions under one model, each node once. Call [`Evaluator::reset`] whenever the
/// model changes.
#[derive(Debug, Default)]
pub struct Evaluator {
    epoch: u32,
    memo: Vec<Memo>,
    wide: FxHashMap<ExprId, u128>,
    stack: Vec<ExprId>,
    computed: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Memo {
    value: u64,
    epoch: u32,
}

impl Evaluator {
    pub fn new() -> Self {
        Evaluator {
            epoch: 1,
            ..Evaluator::default()
        }
    }

    /// Forgets all values: the model is about to change.
    pub fn reset(&mut self) {
        self.wide.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.memo.clear();
            self.epoch = 1;
        }
    }

    /// How many nodes were computed so far: the work that was done.
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// The value of `e`; uninitialised values count as zero.
    pub fn eval(&mut self, arena: &Arena, model: &Model, e: ExprId) -> u128 {
        if let Some(value) = self.known(arena, e) {
            return value;
        }
        if self.memo.len() < arena.nodes.len() {
            self.memo
                .resize(arena.nodes.len() + arena.nodes.len() / 2, Memo::default());
        }
        let base = self.stack.len();
        self.stack.push(e);
        while self.stack.len() > base {
            let Some(&top) = self.stack.last() else { break };
            let before = self.stack.len();
            self.push_missing(arena, top);
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            let value = self.compute(arena, model, top);
            self.computed += 1;
            self.store(arena, top, value);
        }
        self.known(arena, e).unwrap_or(0)
    }

    #[inline]
    fn known(&self, arena: &Arena, e: ExprId) -> Option<u128> {
        let node = &arena.nodes[e.index()];
        if node.op == Op::Const {
            return Some(arena.const_value(node));
        }
        if node.width > 64 {
            return self.wide.get(&e).copied();
        }
        let memo = self.memo.get(e.index())?;
        (memo.epoch == self.epoch).then_some(u128::from(memo.value))
    }

    #[inline]
    fn store(&mut self, arena: &Arena, e: ExprId, value: u128) {
        if arena.nodes[e.index()].width > 64 {
            self.wide.insert(e, value);
        } else {
            self.memo[e.index()] = Memo {
                value: value as u64,
                epoch: self.epoch,
            };
        }
    }

    /// Pushes the operands that are needed and not known. Of an `ite` or a table only the
    /// chosen operand is needed.
    #[inline]
    fn push_missing(&mut self, arena: &Arena, e: ExprId) {
        let node = arena.nodes[e.index()];
        let (a, b) = (ExprId::new(node.a), ExprId::new(node.b));
        match node.op {
            Op::Const | Op::Var | Op::Uninit => {}
            Op::Ite => match self.known(arena, a) {
                None => self.stack.push(a),
                Some(c) => self.need(arena, if c != 0 { b } else { ExprId::new(node.c) }),
            },
            Op::Table => match self.known(arena, b) {
                None => self.stack.push(b),
                Some(i) => self.need(arena, entry(arena, &node, i)),
            },
            _ => arena.for_each_operand(e, |operand| self.need(arena, operand)),
        }
    }

    #[inline]
    fn need(&mut self, arena: &Arena, e: ExprId) {
        if self.known(arena, e).is_none() {
            self.stack.push(e);
        }
    }

    fn compute(&self, arena: &Arena, model: &Model, e: ExprId) -> u128 {
        let get = |x: ExprId| self.known(arena, x).unwrap_or(0);
        let node = arena.nodes[e.index()];
        match node.op {
            Op::Var => u128::from(model.get(VarId(node.a))) & mask(node.width),
            Op::Ite => {
                let chosen = if get(ExprId::new(node.a)) != 0 {
                    node.b
                } else {
                    node.c
                };
                get(ExprId::new(chosen))
            }
            Op::Table => get(entry(arena, &node, get(ExprId::new(node.b)))),
            _ => apply(arena, e, get),
        }
    }
}

fn entry(arena: &Arena, node: &Node, index: u128) -> ExprId {
    let entries = arena.table_entries(TableId(node.a));
    entries[(index.min(entries.len() as u128 - 1)) as usize]
}

/// Computes one node from the values of its operands.
pub(crate) fn apply(arena: &Arena, e: ExprId, get: impl Fn(ExprId) -> u128) -> u128 {
    let width = arena.width(e);
    match arena.kind(e) {
        Kind::Const(value) => value,
        Kind::Var(_) | Kind::Uninit => 0,
        Kind::Unary(op, a) => unary(op, width, get(a)),
        Kind::Binary(op, a, b) => binary(op, arena.width(a), get(a), arena.width(b), get(b)),
        Kind::Ite(c, a, b) => {
            if get(c) != 0 {
                get(a)
            } else {
                get(b)
            }
        }
        Kind::Extract(a, low) => (get(a) >> low) & mask(width),
        Kind::Convert(op, a) => convert(op, arena.width(a), width, get(a)),
        Kind::Table(table, i) => {
            let entries = arena.table_entries(table);
            get(entries[(get(i).min(entries.len() as u128 - 1)) as usize])
        }
        Kind::Fma(a, b, c) => float::fma(width, get(a), get(b), get(c)),
        Kind::Round(mode, a) => float::round(mode, width, get(a)),
    }
}

pub(crate) fn unary(op: Op, width: u8, a: u128) -> u128 {
    match op {
        Op::Not => !a & mask(width),
        Op::Neg => a.wrapping_neg() & mask(width),
        _ => float::sqrt(width, a),
    }
}

pub(crate) fn convert(op: Op, from: u8, to: u8, a: u128) -> u128 {
    match op {
        Op::ZExt => a,
        Op::SExt => signed(a, from) as u128 & mask(to),
        Op::FToF => float::convert(from, to, a),
        Op::FToS => float::to_int(true, from, to, a),
        Op::FToU => float::to_int(false, from, to, a),
        Op::SToF => float::from_int(true, from, to, a),
        _ => float::from_int(false, from, to, a),
    }
}

/// Two operands of the same width, but for `Concat`.
pub(crate) fn binary(op: Op, width: u8, a: u128, low_width: u8, b: u128) -> u128 {
    use std::cmp::Ordering::{Equal, Less};
    let ones = mask(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let shift = b.min(128) as u32;
    match op {
        Op::Add => a.wrapping_add(b) & ones,
        Op::Sub => a.wrapping_sub(b) & ones,
        Op::Mul => a.wrapping_mul(b) & ones,
        Op::UDiv => a.checked_div(b).unwrap_or(ones),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => (if sa < 0 { 1 } else { ones }) & ones,
        Op::SDiv => sa.wrapping_div(sb) as u128 & ones,
        Op::SRem if b == 0 => a,
        Op::SRem => sa.wrapping_rem(sb) as u128 & ones,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => a.checked_shl(shift).unwrap_or(0) & ones,
        Op::LShr => a.checked_shr(shift).unwrap_or(0),
        Op::AShr => (sa >> shift.min(127)) as u128 & ones,
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Slt => u128::from(sa < sb),
        Op::Concat => (a << low_width) | b,
        Op::FAdd => float::arith(float::Arith::Add, width, a, b),
        Op::FSub => float::arith(float::Arith::Sub, width, a, b),
        Op::FMul => float::arith(float::Arith::Mul, width, a, b),
        Op::FDiv => float::arith(float::Arith::Div, width, a, b),
        Op::FRem => float::arith(float::Arith::Rem, width, a, b),
        Op::FEq => u128::from(float::compare(width, a, b) == Some(Equal)),
        Op::FLt => u128::from(float::compare(width, a, b) == Some(Less)),
        Op::FLe => u128::from(matches!(float::compare(width, a, b), Some(Equal | Less))),
        _ => 0,
    }
}
