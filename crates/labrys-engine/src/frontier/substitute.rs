//! Puts other expressions in the place of variables.

use labrys_expr::{Arena, ExprId, ExprKind, VarId};
use rustc_hash::FxHashMap;

/// What becomes of expressions, each worked out once.
#[derive(Default)]
pub(super) struct Substitution {
    known: FxHashMap<ExprId, ExprId>,
}

impl Substitution {
    /// The expression with `value` of each of its variables.
    pub(super) fn apply(
        &mut self,
        arena: &mut Arena,
        e: ExprId,
        value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
    ) -> ExprId {
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
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let new = self.rebuild(arena, top, value);
            self.known.insert(top, new);
        }
        self.known.get(&e).copied().unwrap_or(e)
    }

    fn rebuild(
        &self,
        arena: &mut Arena,
        e: ExprId,
        value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
    ) -> ExprId {
        let new = |operand: ExprId| self.known.get(&operand).copied().unwrap_or(operand);
        match arena.kind(e) {
            ExprKind::Const(_) | ExprKind::Uninit | ExprKind::Assumed(_) => e,
            ExprKind::Var(var) => value(arena, var),
            ExprKind::Unary(op, a) => arena.unary(op, new(a)),
            ExprKind::Binary(op, a, b) => arena.binary(op, new(a), new(b)),
            ExprKind::Ite(c, a, b) => arena.ite(new(c), new(a), new(b)),
            ExprKind::Extract(a, low) => {
                let width = arena.width(e);
                arena.extract(new(a), low, width)
            }
            ExprKind::Convert(op, a) => {
                let width = arena.width(e);
                arena.convert(op, new(a), width)
            }
            ExprKind::Table(table, index) => {
                let entries: Vec<ExprId> = arena.table_entries(table).to_vec();
                let entries: Vec<ExprId> = entries.into_iter().map(new).collect();
                let table = arena.table(&entries);
                arena.select(table, new(index))
            }
            ExprKind::Fma(a, b, c) => arena.ffma(new(a), new(b), new(c)),
            ExprKind::Round(mode, a) => arena.fround(mode, new(a)),
        }
    }
}
