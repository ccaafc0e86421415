//! Expressions to Bitwuzla's terms. What Bitwuzla cannot express exactly becomes an unknown that
//! is noted as abstract: refutations stay valid, and models are refined by evaluation.

use super::float;
use super::terms::{Term, TermManager};
use bitwuzla_sys as sys;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId};
use rustc_hash::FxHashMap;

/// The terms of one query.
pub(crate) struct Translation {
    pub(crate) terms: TermManager,
    known: FxHashMap<ExprId, Term>,
    vars: FxHashMap<VarId, Term>,
    /// Expressions whose term is wholly or partly unconstrained.
    pub(crate) abstracted: Vec<ExprId>,
}

impl Translation {
    pub(crate) fn new(terms: TermManager) -> Self {
        Translation {
            terms,
            known: FxHashMap::default(),
            vars: FxHashMap::default(),
            abstracted: Vec::new(),
        }
    }

    /// The bit-vector term of an expression.
    pub(crate) fn term(&mut self, arena: &Arena, e: ExprId) -> Term {
        let mut stack = vec![e];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            arena.for_each_operand(top, |operand| {
                if !self.known.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                stack.pop();
                let term = self.node(arena, top);
                self.known.insert(top, term);
            }
        }
        self.get(e)
    }

    /// A term that was made before; an unknown would be a bug of the walk above.
    pub(crate) fn get(&self, e: ExprId) -> Term {
        self.known[&e]
    }

    pub(crate) fn value_of(&self, var: VarId) -> u64 {
        let term = self.vars.get(&var);
        term.and_then(|&term| self.terms.value(term))
            .map_or(0, |v| v as u64)
    }

    /// An unknown in place of something that has no exact term.
    pub(crate) fn abstraction(&mut self, e: ExprId, width: u8) -> Term {
        if self.abstracted.last() != Some(&e) {
            self.abstracted.push(e);
        }
        self.terms.unknown(width)
    }

    fn node(&mut self, arena: &Arena, e: ExprId) -> Term {
        let width = arena.width(e);
        let t = &self.terms;
        match arena.kind(e) {
            ExprKind::Const(value) => t.constant(width, value),
            ExprKind::Var(var) => {
                let term = t.unknown(width);
                self.vars.insert(var, term);
                term
            }
            ExprKind::Uninit => self.abstraction(e, width),
            ExprKind::Assumed(_) => t.constant(width, 0),
            ExprKind::Unary(ExprOp::Not, a) => t.op1(sys::BITWUZLA_KIND_BV_NOT, self.get(a)),
            ExprKind::Unary(ExprOp::Neg, a) => t.op1(sys::BITWUZLA_KIND_BV_NEG, self.get(a)),
            ExprKind::Binary(op, a, b) => match bv_kind(op) {
                Some(kind) => {
                    let term = t.op2(kind, self.get(a), self.get(b));
                    match op {
                        ExprOp::Eq | ExprOp::Ult | ExprOp::Slt => t.bit(term),
                        _ => term,
                    }
                }
                None => float::node(self, arena, e),
            },
            ExprKind::Ite(c, a, b) => t.ite(t.boolean(self.get(c)), self.get(a), self.get(b)),
            ExprKind::Extract(a, low) => {
                let (high, low) = (u64::from(low) + u64::from(width) - 1, u64::from(low));
                t.indexed2(sys::BITWUZLA_KIND_BV_EXTRACT, self.get(a), high, low)
            }
            ExprKind::Convert(ExprOp::ZExt, a) => {
                let by = u64::from(width - arena.width(a));
                t.indexed1(sys::BITWUZLA_KIND_BV_ZERO_EXTEND, self.get(a), by)
            }
            ExprKind::Convert(ExprOp::SExt, a) => {
                let by = u64::from(width - arena.width(a));
                t.indexed1(sys::BITWUZLA_KIND_BV_SIGN_EXTEND, self.get(a), by)
            }
            ExprKind::Table(table, index) => {
                let entries = arena.table_entries(table);
                let (index_term, index_width) = (self.get(index), arena.width(index));
                let bits: Vec<Term> = (0..u64::from(index_width))
                    .map(|i| {
                        let bit = t.indexed2(sys::BITWUZLA_KIND_BV_EXTRACT, index_term, i, i);
                        t.boolean(bit)
                    })
                    .collect();
                let entries: Vec<Term> = entries.iter().map(|&entry| self.get(entry)).collect();
                table_term(t, &entries, &bits, 0)
            }
            _ => float::node(self, arena, e),
        }
    }
}

/// A tree of choices over the index's bits; past the end it is the last entry.
fn table_term(t: &TermManager, entries: &[Term], index: &[Term], base: u128) -> Term {
    let last = entries.len() as u128 - 1;
    if base >= last {
        return entries[last as usize];
    }
    let Some((&bit, lower)) = index.split_last() else {
        return entries[base as usize];
    };
    let low = table_term(t, entries, lower, base);
    let high = table_term(t, entries, lower, base.saturating_add(1 << lower.len()));
    t.ite(bit, high, low)
}

pub(super) fn bv_kind(op: ExprOp) -> Option<sys::BitwuzlaKind> {
    Some(match op {
        ExprOp::Add => sys::BITWUZLA_KIND_BV_ADD,
        ExprOp::Sub => sys::BITWUZLA_KIND_BV_SUB,
        ExprOp::Mul => sys::BITWUZLA_KIND_BV_MUL,
        ExprOp::UDiv => sys::BITWUZLA_KIND_BV_UDIV,
        ExprOp::SDiv => sys::BITWUZLA_KIND_BV_SDIV,
        ExprOp::URem => sys::BITWUZLA_KIND_BV_UREM,
        ExprOp::SRem => sys::BITWUZLA_KIND_BV_SREM,
        ExprOp::And => sys::BITWUZLA_KIND_BV_AND,
        ExprOp::Or => sys::BITWUZLA_KIND_BV_OR,
        ExprOp::Xor => sys::BITWUZLA_KIND_BV_XOR,
        ExprOp::Shl => sys::BITWUZLA_KIND_BV_SHL,
        ExprOp::LShr => sys::BITWUZLA_KIND_BV_SHR,
        ExprOp::AShr => sys::BITWUZLA_KIND_BV_ASHR,
        ExprOp::Eq => sys::BITWUZLA_KIND_EQUAL,
        ExprOp::Ult => sys::BITWUZLA_KIND_BV_ULT,
        ExprOp::Slt => sys::BITWUZLA_KIND_BV_SLT,
        ExprOp::Concat => sys::BITWUZLA_KIND_BV_CONCAT,
        _ => return None,
    })
}
