//! Evaluates expressions under a model: in come an arena, values of the variables and an
//! expression, out comes its value. Each node is computed once until the model changes.

use crate::node::{ExprKind, ExprNode, ExprOp, mask, signed};
use crate::{Arena, ExprId, Model, TableId, VarId, float};
use rustc_hash::FxHashMap;

/// Evaluates expressions under one model, each node once. Call [`Evaluator::reset`] whenever the
/// model changes.
#[derive(Debug, Default)]
pub struct Evaluator {
    epoch: u32,
    memo: Vec<EvalMemo>,
    wide: FxHashMap<ExprId, u128>,
    stack: Vec<ExprId>,
    computed: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct EvalMemo {
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
            self.memo.resize(
                arena.nodes.len() + arena.nodes.len() / 2,
                EvalMemo::default(),
            );
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
        if node.op == ExprOp::Const {
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
            self.memo[e.index()] = EvalMemo {
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
            ExprOp::Const | ExprOp::Var | ExprOp::Uninit | ExprOp::Assumed => {}
            ExprOp::Ite => match self.known(arena, a) {
                None => self.stack.push(a),
                Some(c) => self.need(arena, if c != 0 { b } else { ExprId::new(node.c) }),
            },
            ExprOp::Table => match self.known(arena, b) {
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
            ExprOp::Var => u128::from(model.get(VarId(node.a))) & mask(node.width),
            ExprOp::Ite => {
                let chosen = if get(ExprId::new(node.a)) != 0 {
                    node.b
                } else {
                    node.c
                };
                get(ExprId::new(chosen))
            }
            ExprOp::Table => get(entry(arena, &node, get(ExprId::new(node.b)))),
            _ => apply(arena, e, get),
        }
    }
}

fn entry(arena: &Arena, node: &ExprNode, index: u128) -> ExprId {
    let entries = arena.table_entries(TableId(node.a));
    entries[(index.min(entries.len() as u128 - 1)) as usize]
}

/// Computes one node from the values of its operands.
pub(crate) fn apply(arena: &Arena, e: ExprId, get: impl Fn(ExprId) -> u128) -> u128 {
    let width = arena.width(e);
    match arena.kind(e) {
        ExprKind::Const(value) => value,
        ExprKind::Var(_) | ExprKind::Uninit | ExprKind::Assumed(_) => 0,
        ExprKind::Unary(op, a) => unary(op, width, get(a)),
        ExprKind::Binary(op, a, b) => binary(op, arena.width(a), get(a), arena.width(b), get(b)),
        ExprKind::Ite(c, a, b) => {
            if get(c) != 0 {
                get(a)
            } else {
                get(b)
            }
        }
        ExprKind::Extract(a, low) => (get(a) >> low) & mask(width),
        ExprKind::Convert(op, a) => convert(op, arena.width(a), width, get(a)),
        ExprKind::Table(table, i) => {
            let entries = arena.table_entries(table);
            get(entries[(get(i).min(entries.len() as u128 - 1)) as usize])
        }
        ExprKind::Fma(a, b, c) => float::fma(width, get(a), get(b), get(c)),
        ExprKind::Round(mode, a) => float::round(mode, width, get(a)),
    }
}

pub(crate) fn unary(op: ExprOp, width: u8, a: u128) -> u128 {
    match op {
        ExprOp::Not => !a & mask(width),
        ExprOp::Neg => a.wrapping_neg() & mask(width),
        _ => float::sqrt(width, a),
    }
}

pub(crate) fn convert(op: ExprOp, from: u8, to: u8, a: u128) -> u128 {
    match op {
        ExprOp::ZExt => a,
        ExprOp::SExt => signed(a, from) as u128 & mask(to),
        ExprOp::FToF => float::convert(from, to, a),
        ExprOp::FToS => float::to_int(true, from, to, a),
        ExprOp::FToU => float::to_int(false, from, to, a),
        ExprOp::SToF => float::from_int(true, from, to, a),
        _ => float::from_int(false, from, to, a),
    }
}

/// Two operands of the same width, but for `Concat`.
pub(crate) fn binary(op: ExprOp, width: u8, a: u128, low_width: u8, b: u128) -> u128 {
    use std::cmp::Ordering::{Equal, Less};
    let ones = mask(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let shift = b.min(128) as u32;
    match op {
        ExprOp::Add => a.wrapping_add(b) & ones,
        ExprOp::Sub => a.wrapping_sub(b) & ones,
        ExprOp::Mul => a.wrapping_mul(b) & ones,
        ExprOp::UDiv => a.checked_div(b).unwrap_or(ones),
        ExprOp::URem => a.checked_rem(b).unwrap_or(a),
        ExprOp::SDiv if b == 0 => (if sa < 0 { 1 } else { ones }) & ones,
        ExprOp::SDiv => sa.wrapping_div(sb) as u128 & ones,
        ExprOp::SRem if b == 0 => a,
        ExprOp::SRem => sa.wrapping_rem(sb) as u128 & ones,
        ExprOp::And => a & b,
        ExprOp::Or => a | b,
        ExprOp::Xor => a ^ b,
        ExprOp::Shl => a.checked_shl(shift).unwrap_or(0) & ones,
        ExprOp::LShr => a.checked_shr(shift).unwrap_or(0),
        ExprOp::AShr => (sa >> shift.min(127)) as u128 & ones,
        ExprOp::Eq => u128::from(a == b),
        ExprOp::Ult => u128::from(a < b),
        ExprOp::Slt => u128::from(sa < sb),
        ExprOp::Concat => (a << low_width) | b,
        ExprOp::FAdd => float::arith(float::FloatArith::Add, width, a, b),
        ExprOp::FSub => float::arith(float::FloatArith::Sub, width, a, b),
        ExprOp::FMul => float::arith(float::FloatArith::Mul, width, a, b),
        ExprOp::FDiv => float::arith(float::FloatArith::Div, width, a, b),
        ExprOp::FRem => float::arith(float::FloatArith::Rem, width, a, b),
        ExprOp::FEq => u128::from(float::compare(width, a, b) == Some(Equal)),
        ExprOp::FLt => u128::from(float::compare(width, a, b) == Some(Less)),
        ExprOp::FLe => u128::from(matches!(float::compare(width, a, b), Some(Equal | Less))),
        _ => 0,
    }
}
