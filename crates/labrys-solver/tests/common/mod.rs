//! Random expressions as plain trees, so that they can be built by the simplifying builder, or
//! handed to a solver as they are.

#![allow(dead_code)]

use labrys_expr::{Arena, ExprId, ExprOp, VarId};
use proptest::prelude::*;

/// An expression without simplification. Widths are settled when it is built: operands are
/// brought to the width of the first.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Var(usize),
    Const(u128),
    Unary(ExprOp, Box<Tree>),
    Binary(ExprOp, Box<Tree>, Box<Tree>),
    Compare(Compare, Box<Tree>, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
    Extract(Box<Tree>, u8, u8),
    Extend(bool, Box<Tree>, u8),
    Concat(Box<Tree>, Box<Tree>),
    Table(Vec<Tree>, Box<Tree>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// The largest width that a tree reaches.
pub(crate) const MAX_WIDTH: u8 = 40;

impl Tree {
    /// Through the builder of the arena.
    pub(crate) fn build(&self, arena: &mut Arena, vars: &[VarId]) -> ExprId {
        match self {
            Tree::Var(i) => arena.var_expr(vars[i % vars.len()]),
            Tree::Const(value) => arena.constant(12, *value),
            Tree::Unary(op, a) => {
                let a = a.build(arena, vars);
                arena.unary(*op, a)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = pair(arena, vars, a, b);
                arena.binary(*op, a, b)
            }
            Tree::Compare(compare, a, b) => {
                let (a, b) = pair(arena, vars, a, b);
                match compare {
                    Compare::Eq => arena.eq(a, b),
                    Compare::Ne => arena.ne(a, b),
                    Compare::Ult => arena.ult(a, b),
                    Compare::Ule => arena.ule(a, b),
                    Compare::Slt => arena.slt(a, b),
                    Compare::Sle => arena.sle(a, b),
                }
            }
            Tree::Ite(c, a, b) => {
                let c = truth(c.build(arena, vars), arena);
                let (a, b) = pair(arena, vars, a, b);
                arena.ite(c, a, b)
            }
            Tree::Extract(a, low, width) => {
                let a = a.build(arena, vars);
                let (low, width) = bounds(arena.width(a), *low, *width);
                arena.extract(a, u32::from(low), width)
            }
            Tree::Extend(signed, a, by) => {
                let a = a.build(arena, vars);
                let width = (arena.width(a) + by).min(MAX_WIDTH).max(arena.width(a));
                if *signed {
                    arena.sext(a, width)
                } else {
                    arena.zext(a, width)
                }
            }
            Tree::Concat(a, b) => {
                let (a, b) = (a.build(arena, vars), b.build(arena, vars));
                if arena.width(a) + arena.width(b) > MAX_WIDTH {
                    b
                } else {
                    arena.concat(a, b)
                }
            }
            Tree::Table(entries, index) => {
                let first = entries[0].build(arena, vars);
                let width = arena.width(first);
                let mut all = vec![first];
                for entry in &entries[1..] {
                    let e = entry.build(arena, vars);
                    all.push(fit(arena, e, width));
                }
                let index = index.build(arena, vars);
                let table = arena.table(&all);
                arena.select(table, index)
            }
        }
    }
}

fn pair(arena: &mut Arena, vars: &[VarId], a: &Tree, b: &Tree) -> (ExprId, ExprId) {
    let a = a.build(arena, vars);
    let b = b.build(arena, vars);
    let width = arena.width(a);
    (a, fit(arena, b, width))
}

fn fit(arena: &mut Arena, e: ExprId, width: u8) -> ExprId {
    match arena.width(e) {
        w if w > width => arena.extract(e, 0, width),
        w if w < width => arena.sext(e, width),
        _ => e,
    }
}

fn truth(e: ExprId, arena: &mut Arena) -> ExprId {
    let zero = arena.constant(arena.width(e), 0);
    arena.ne(e, zero)
}

/// A valid range of bits of a value that wide.
pub(crate) fn bounds(of: u8, low: u8, width: u8) -> (u8, u8) {
    let low = low % of;
    (low, width.clamp(1, of - low))
}

pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let constant = prop_oneof![
        any::<u128>(),
        0..20u128,
        Just(0xfff),
        Just(0x800),
        Just(0x7ff)
    ];
    let leaf = prop_oneof![
        3 => (0..3usize).prop_map(Tree::Var),
        2 => constant.prop_map(Tree::Const),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let b = || inner.clone().prop_map(Box::new);
        let binary = prop::sample::select(vec![
            ExprOp::Add,
            ExprOp::Sub,
            ExprOp::Mul,
            ExprOp::UDiv,
            ExprOp::SDiv,
            ExprOp::URem,
            ExprOp::SRem,
            ExprOp::And,
            ExprOp::Or,
            ExprOp::Xor,
            ExprOp::Shl,
            ExprOp::LShr,
            ExprOp::AShr,
        ]);
        prop_oneof![
            1 => (prop::sample::select(vec![ExprOp::Not, ExprOp::Neg]), b()).prop_map(|(op, a)| Tree::Unary(op, a)),
            6 => (binary, b(), b()).prop_map(|(op, x, y)| Tree::Binary(op, x, y)),
            3 => (compare(), b(), b()).prop_map(|(op, x, y)| Tree::Compare(op, x, y)),
            2 => (b(), b(), b()).prop_map(|(c, x, y)| Tree::Ite(c, x, y)),
            2 => (b(), 0..40u8, 1..20u8).prop_map(|(a, low, width)| Tree::Extract(a, low, width)),
            2 => (any::<bool>(), b(), 0..20u8).prop_map(|(s, a, by)| Tree::Extend(s, a, by)),
            1 => (b(), b()).prop_map(|(x, y)| Tree::Concat(x, y)),
            1 => (proptest::collection::vec(inner.clone(), 1..5), b()).prop_map(|(t, i)| Tree::Table(t, i)),
        ]
    })
}

pub(crate) fn compare() -> impl Strategy<Value = Compare> {
    prop::sample::select(vec![
        Compare::Eq,
        Compare::Ne,
        Compare::Ult,
        Compare::Ule,
        Compare::Slt,
        Compare::Sle,
    ])
}

/// A condition.
pub(crate) fn bool_tree() -> impl Strategy<Value = Tree> {
    let b = || tree().prop_map(Box::new);
    let simple = (compare(), b(), b()).prop_map(|(op, x, y)| Tree::Compare(op, x, y));
    simple.prop_recursive(2, 4, 2, |inner| {
        let b = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (
                prop::sample::select(vec![ExprOp::And, ExprOp::Or, ExprOp::Xor]),
                b(),
                b()
            )
                .prop_map(|(op, x, y)| Tree::Binary(op, x, y)),
            b().prop_map(|a| Tree::Unary(ExprOp::Not, a)),
        ]
    })
}
