//! One incremental SAT instance: translates expressions to gates, each expression once, and reads
//! the values of the variables from the SAT solver's model.

use super::arith::{self, FloatOrder, LitVec, ShiftKind};
use super::gates::Gates;
use super::sat::Lit;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId, float};
use rustc_hash::FxHashMap;

/// Products of two unknowns of more bits than this are left to Bitwuzla: the circuit grows with the
/// square of the width.
const MAX_MUL: usize = 32;
/// Divisions by an unknown of more bits than this, too.
const MAX_DIV: usize = 32;
/// Divisions by a constant of more bits than this, too.
const MAX_DIV_CONST: usize = 64;

/// An instance with fewer SAT variables than this is kept even if most of them are no longer used:
/// it is small enough.
const MIN_STALE_VARS: usize = 2_000;
/// The same of an instance that has learnt something, which the next queries would have to find again.
const MIN_STALE_LEARNT_VARS: usize = 20_000;
/// With more conflicts for a query than this, an instance has learnt something.
const FEW_CONFLICTS: u64 = 4;
/// An instance is given up when it is so many times as large as for its first query.
const STALE_GROWTH: usize = 4;
/// Queries that need more SAT variables than this are left to Bitwuzla, to bound the memory.
const MAX_GATES: usize = 2_000_000;

/// One SAT instance.
pub(super) struct SatInstance {
    pub(super) gates: Gates,
    /// From an expression to the start of its bits in the pool.
    start: FxHashMap<ExprId, u32>,
    pool: Vec<Lit>,
    stack: Vec<ExprId>,
    /// How many input variables it has.
    inputs: usize,
    /// SAT variables that its first query needed.
    first: usize,
    queries: u64,
}

/// An operation that is left to other stages.
pub(super) struct UnsupportedOp;

impl SatInstance {
    pub(super) fn new(decide: bool) -> Self {
        SatInstance {
            gates: Gates::new(decide),
            start: FxHashMap::default(),
            pool: Vec::new(),
            stack: Vec::new(),
            inputs: 0,
            first: 0,
            queries: 0,
        }
    }

    /// How many input variables it has.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Has it grown so much that most of it belongs to old queries? Every query assigns values to all
    /// of it.
    pub(super) fn is_stale(&self) -> bool {
        let has_learnt = self.gates.sat.conflicts() > FEW_CONFLICTS * self.queries;
        let least = match has_learnt {
            true => MIN_STALE_LEARNT_VARS,
            false => MIN_STALE_VARS,
        };
        self.gates.sat.vars() > least.max(STALE_GROWTH * self.first)
    }

    /// A query has been translated.
    pub(super) fn note_query(&mut self) {
        self.queries += 1;
        if self.first == 0 {
            self.first = self.gates.sat.vars();
        }
    }

    pub(super) fn knows(&self, arena: &Arena, var: VarId) -> bool {
        self.known(arena.var_expr(var))
    }

    fn bits(&self, arena: &Arena, e: ExprId) -> &[Lit] {
        match self.start.get(&e) {
            None => &[],
            Some(&start) => &self.pool[start as usize..][..usize::from(arena.width(e))],
        }
    }

    fn known(&self, e: ExprId) -> bool {
        self.start.contains_key(&e)
    }

    /// The model's value of a variable; one that no constraint mentions is zero.
    pub(super) fn value(&self, arena: &Arena, var: VarId) -> u64 {
        let bits = self.bits(arena, arena.var_expr(var)).iter().enumerate();
        bits.fold(0, |value, (i, &l)| {
            value | u64::from(self.gates.sat.value(l)) << i
        })
    }

    /// The literal of a condition.
    pub(super) fn literal(&mut self, arena: &Arena, e: ExprId) -> Result<Lit, UnsupportedOp> {
        if !self.known(e) {
            self.blast(arena, e)?;
        }
        Ok(self.bits(arena, e).first().copied().unwrap_or(Lit::FALSE))
    }

    /// Makes the gates of everything below `e`, operands first.
    fn blast(&mut self, arena: &Arena, e: ExprId) -> Result<(), UnsupportedOp> {
        if arena.is_uninit(e) {
            return Err(UnsupportedOp);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(e);
        while let Some(&top) = stack.last() {
            if self.known(top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            arena.for_each_operand(top, |operand| {
                if !self.known(operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.gates.sat.vars() > MAX_GATES {
                return Err(UnsupportedOp);
            }
            let bits = self.node(arena, top)?;
            debug_assert_eq!(bits.len(), usize::from(arena.width(top)));
            self.start.insert(top, self.pool.len() as u32);
            self.pool.extend_from_slice(&bits);
        }
        self.stack = stack;
        Ok(())
    }

    fn node(&mut self, arena: &Arena, e: ExprId) -> Result<LitVec, UnsupportedOp> {
        let width = usize::from(arena.width(e));
        match arena.kind(e) {
            ExprKind::Const(value) => Ok((0..width)
                .map(|i| Lit::constant(value >> i & 1 == 1))
                .collect()),
            ExprKind::Assumed(_) => Ok((0..width).map(|_| Lit::constant(false)).collect()),
            ExprKind::Var(_) => {
                self.inputs += 1;
                Ok((0..width).map(|_| self.gates.input()).collect())
            }
            ExprKind::Unary(ExprOp::Not, a) => Ok(arith::not(self.bits(arena, a))),
            ExprKind::Unary(ExprOp::Neg, a) => {
                let a = self.bits(arena, a).to_vec();
                Ok(arith::neg(&mut self.gates, &a))
            }
            ExprKind::Binary(op, a, b) => self.binary(arena, op, a, b),
            ExprKind::Ite(c, a, b) => {
                let c = self.bits(arena, c).first().copied().ok_or(UnsupportedOp)?;
                let (a, b) = (self.bits(arena, a).to_vec(), self.bits(arena, b).to_vec());
                Ok(arith::mux(&mut self.gates, c, &a, &b))
            }
            ExprKind::Extract(a, low) => {
                let low = low as usize;
                Ok(self.bits(arena, a)[low..low + width].to_vec())
            }
            ExprKind::Convert(ExprOp::ZExt, a) => {
                let mut bits = self.bits(arena, a).to_vec();
                bits.resize(width, Lit::FALSE);
                Ok(bits)
            }
            ExprKind::Convert(ExprOp::SExt, a) => {
                let mut bits = self.bits(arena, a).to_vec();
                let sign = bits.last().copied().unwrap_or(Lit::FALSE);
                bits.resize(width, sign);
                Ok(bits)
            }
            ExprKind::Table(table, index) => {
                let entries = arena.table_entries(table);
                let entries: Vec<LitVec> = entries
                    .iter()
                    .map(|&entry| self.bits(arena, entry).to_vec())
                    .collect();
                let index = self.bits(arena, index).to_vec();
                Ok(arith::table(&mut self.gates, &entries, &index))
            }
            _ => Err(UnsupportedOp),
        }
    }

    fn binary(
        &mut self,
        arena: &Arena,
        op: ExprOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<LitVec, UnsupportedOp> {
        let (x, y) = (self.bits(arena, a).to_vec(), self.bits(arena, b).to_vec());
        let constant = arena.as_const(a).is_some() || arena.as_const(b).is_some();
        let g = &mut self.gates;
        let each = |g: &mut Gates, f: fn(&mut Gates, Lit, Lit) -> Lit| {
            x.iter().zip(&y).map(|(&p, &q)| f(g, p, q)).collect()
        };
        Ok(match op {
            ExprOp::Add => arith::add(g, &x, &y, Lit::FALSE),
            ExprOp::Sub => arith::sub(g, &x, &y),
            ExprOp::Mul if constant || x.len() <= MAX_MUL => arith::mul(g, &x, &y),
            ExprOp::UDiv | ExprOp::URem | ExprOp::SDiv | ExprOp::SRem => {
                return self.division(arena, op, a, b);
            }
            ExprOp::And => each(g, Gates::and),
            ExprOp::Or => each(g, Gates::or),
            ExprOp::Xor => each(g, Gates::xor),
            ExprOp::Shl => arith::shift(g, ShiftKind::Left, &x, &y),
            ExprOp::LShr => arith::shift(g, ShiftKind::Right, &x, &y),
            ExprOp::AShr => arith::shift(g, ShiftKind::RightSigned, &x, &y),
            ExprOp::Eq => vec![arith::equal(g, &x, &y)],
            ExprOp::Ult => vec![arith::less(g, &x, &y, false)],
            ExprOp::Slt => vec![arith::less_signed(g, &x, &y)],
            ExprOp::FEq | ExprOp::FLt | ExprOp::FLe if x.len() != 80 => {
                let order = match op {
                    ExprOp::FEq => FloatOrder::Equal,
                    ExprOp::FLt => FloatOrder::Less,
                    _ => FloatOrder::LessOrEqual,
                };
                let infinity = float::infinity(arena.width(a));
                vec![arith::compare_floats(g, order, &x, &y, infinity)]
            }
            ExprOp::Concat => y.into_iter().chain(x).collect(),
            _ => return Err(UnsupportedOp),
        })
    }

    fn division(
        &mut self,
        arena: &Arena,
        op: ExprOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<LitVec, UnsupportedOp> {
        let (x, y) = (self.bits(arena, a).to_vec(), self.bits(arena, b).to_vec());
        let limit = if arena.as_const(b).is_some() {
            MAX_DIV_CONST
        } else {
            MAX_DIV
        };
        if x.len() > limit {
            return Err(UnsupportedOp);
        }
        let signed = matches!(op, ExprOp::SDiv | ExprOp::SRem);
        let g = &mut self.gates;
        let (negative_x, negative_y) = (x[x.len() - 1], y[y.len() - 1]);
        // The remainder of a known quotient makes no new gates: equal gates are made once.
        let (quotient, rest) = if signed {
            let (x, y) = (arith::magnitude(g, &x), arith::magnitude(g, &y));
            arith::divide(g, &x, &y)
        } else {
            arith::divide(g, &x, &y)
        };
        Ok(match op {
            ExprOp::UDiv => quotient,
            ExprOp::URem => rest,
            ExprOp::SDiv => {
                let differ = g.xor(negative_x, negative_y);
                let negated = arith::neg(g, &quotient);
                arith::mux(g, differ, &negated, &quotient)
            }
            _ => {
                let negated = arith::neg(g, &rest);
                arith::mux(g, negative_x, &negated, &rest)
            }
        })
    }
}
