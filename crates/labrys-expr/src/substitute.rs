//! Puts other expressions in the place of variables, in the same arena or into another one.

use crate::{Arena, ExprId, ExprKind, VarId};
use rustc_hash::FxHashMap;

/// The expressions with `value` of each of their variables.
pub fn substitute(
    arena: &mut Arena,
    expressions: &[ExprId],
    value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
) -> Vec<ExprId> {
    let mut new = FxHashMap::default();
    for e in operands_first(arena, expressions) {
        let node = SpelledOut::of(arena, e);
        let made = node.build(arena, &new, value);
        new.insert(e, made);
    }
    let made = expressions.iter().filter_map(|e| new.get(e).copied());
    made.collect()
}

/// The same in another arena.
pub fn transplant(
    from: &Arena,
    to: &mut Arena,
    expressions: &[ExprId],
    value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
) -> Vec<ExprId> {
    let mut new = FxHashMap::default();
    for e in operands_first(from, expressions) {
        let node = SpelledOut::of(from, e);
        let made = node.build(to, &new, value);
        new.insert(e, made);
    }
    let made = expressions.iter().filter_map(|e| new.get(e).copied());
    made.collect()
}

/// All parts of some expressions, each once, operands before what uses them.
fn operands_first(arena: &Arena, expressions: &[ExprId]) -> Vec<ExprId> {
    let mut order = Vec::new();
    let mut seen = FxHashMap::default();
    let mut stack: Vec<(ExprId, bool)> = expressions.iter().rev().map(|e| (*e, false)).collect();
    while let Some((e, operands_done)) = stack.pop() {
        if operands_done {
            order.push(e);
        } else if seen.insert(e, ()).is_none() {
            stack.push((e, true));
            arena.for_each_operand(e, |operand| stack.push((operand, false)));
        }
    }
    order
}

/// A node with all that is needed to make it anew.
struct SpelledOut {
    kind: ExprKind,
    width: u8,
    entries: Vec<ExprId>,
}

impl SpelledOut {
    fn of(arena: &Arena, e: ExprId) -> SpelledOut {
        let kind = arena.kind(e);
        SpelledOut {
            kind,
            width: arena.width(e),
            entries: match kind {
                ExprKind::Table(table, _) => arena.table_entries(table).to_vec(),
                _ => Vec::new(),
            },
        }
    }

    fn build(
        self,
        arena: &mut Arena,
        new: &FxHashMap<ExprId, ExprId>,
        value: &mut impl FnMut(&mut Arena, VarId) -> ExprId,
    ) -> ExprId {
        let width = self.width;
        let new = |operand: ExprId| new.get(&operand).copied().unwrap_or(operand);
        match self.kind {
            ExprKind::Const(bits) => arena.constant(width, bits),
            // Predicates have none of both.
            ExprKind::Uninit | ExprKind::Assumed(_) => arena.uninit(width),
            ExprKind::Var(var) => value(arena, var),
            ExprKind::Unary(op, a) => arena.unary(op, new(a)),
            ExprKind::Binary(op, a, b) => arena.binary(op, new(a), new(b)),
            ExprKind::Ite(c, a, b) => arena.ite(new(c), new(a), new(b)),
            ExprKind::Extract(a, low) => arena.extract(new(a), low, width),
            ExprKind::Convert(op, a) => arena.convert(op, new(a), width),
            ExprKind::Table(_, index) => {
                let entries: Vec<ExprId> = self.entries.into_iter().map(new).collect();
                let table = arena.table(&entries);
                arena.select(table, new(index))
            }
            ExprKind::Fma(a, b, c) => arena.ffma(new(a), new(b), new(c)),
            ExprKind::Round(mode, a) => arena.fround(mode, new(a)),
        }
    }
}
