//! The builder's rewrite rules against Bitwuzla: a random tree is built through the simplifying
//! builder and, without any simplification of ours, as Bitwuzla's term; the two may never differ.

use super::terms::{CheckResult, Term, TermManager};
use super::translate::Translation;
use crate::SolverOptions;
use crate::common::{Compare, MAX_WIDTH, Tree, bounds, tree};
use crate::limits::{QueryDeadline, QueryLimits};
use bitwuzla_sys as sys;
use labrys_expr::{Arena, ExprOp};
use proptest::prelude::*;

fn deadline() -> QueryDeadline {
    QueryLimits::new(&SolverOptions::default()).start()
}

/// A term and its width.
type WidthTerm = (Term, u8);

fn raw(t: &TermManager, vars: &[WidthTerm], tree: &Tree) -> WidthTerm {
    let go = |tree: &Tree| raw(t, vars, tree);
    let pair = |a: &Tree, b: &Tree| {
        let (x, width) = go(a);
        (x, fit(t, go(b), width), width)
    };
    match tree {
        Tree::Var(i) => vars[i % vars.len()],
        Tree::Const(value) => (t.constant(12, value & 0xfff), 12),
        Tree::Unary(op, a) => {
            let (x, width) = go(a);
            let kind = if *op == ExprOp::Not {
                sys::BITWUZLA_KIND_BV_NOT
            } else {
                sys::BITWUZLA_KIND_BV_NEG
            };
            (t.op1(kind, x), width)
        }
        Tree::Binary(op, a, b) => {
            let (x, y, width) = pair(a, b);
            (t.op2(super::translate::bv_kind(*op).unwrap(), x, y), width)
        }
        Tree::Compare(compare, a, b) => {
            let (x, y, _) = pair(a, b);
            let kind = match compare {
                Compare::Eq => sys::BITWUZLA_KIND_EQUAL,
                Compare::Ne => sys::BITWUZLA_KIND_DISTINCT,
                Compare::Ult => sys::BITWUZLA_KIND_BV_ULT,
                Compare::Ule => sys::BITWUZLA_KIND_BV_ULE,
                Compare::Slt => sys::BITWUZLA_KIND_BV_SLT,
                Compare::Sle => sys::BITWUZLA_KIND_BV_SLE,
            };
            (t.bit(t.op2(kind, x, y)), 1)
        }
        Tree::Ite(c, a, b) => {
            let (c, width) = go(c);
            let zero = t.equal(c, t.constant(width, 0));
            let (x, y, width) = pair(a, b);
            (t.ite(zero, y, x), width)
        }
        Tree::Extract(a, low, width) => {
            let (x, of) = go(a);
            let (low, width) = bounds(of, *low, *width);
            (extract(t, x, low, width), width)
        }
        Tree::Extend(signed, a, by) => {
            let (x, width) = go(a);
            let to = (width + by).min(MAX_WIDTH).max(width);
            let kind = if *signed {
                sys::BITWUZLA_KIND_BV_SIGN_EXTEND
            } else {
                sys::BITWUZLA_KIND_BV_ZERO_EXTEND
            };
            (t.indexed1(kind, x, u64::from(to - width)), to)
        }
        Tree::Concat(a, b) => {
            let ((x, high), (y, low)) = (go(a), go(b));
            if high + low > MAX_WIDTH {
                (y, low)
            } else {
                (t.op2(sys::BITWUZLA_KIND_BV_CONCAT, x, y), high + low)
            }
        }
        Tree::Table(entries, index) => {
            let width = go(&entries[0]).1;
            let (index, index_width) = go(index);
            let last = fit(t, go(&entries[entries.len() - 1]), width);
            let chosen = entries
                .iter()
                .enumerate()
                .rev()
                .skip(1)
                .fold(last, |rest, (i, entry)| {
                    if (i as u128) > labrys_expr::mask(index_width) {
                        return rest;
                    }
                    let here = t.equal(index, t.constant(index_width, i as u128));
                    t.ite(here, fit(t, go(entry), width), rest)
                });
            (chosen, width)
        }
    }
}

fn extract(t: &TermManager, x: Term, low: u8, width: u8) -> Term {
    let high = u64::from(low) + u64::from(width) - 1;
    t.indexed2(sys::BITWUZLA_KIND_BV_EXTRACT, x, high, u64::from(low))
}

fn fit(t: &TermManager, (x, from): WidthTerm, to: u8) -> Term {
    match from.cmp(&to) {
        std::cmp::Ordering::Greater => extract(t, x, 0, to),
        std::cmp::Ordering::Less => {
            t.indexed1(sys::BITWUZLA_KIND_BV_SIGN_EXTEND, x, u64::from(to - from))
        }
        std::cmp::Ordering::Equal => x,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn simplification_keeps_the_meaning(
        widths in proptest::collection::vec(prop_oneof![Just(1u8), Just(8), Just(12), 2..14u8], 3),
        tree in tree(),
    ) {
        let mut arena = Arena::new();
        let vars: Vec<_> = widths.iter().map(|&w| arena.new_var("v", w)).collect();
        let simplified = tree.build(&mut arena, &vars);
        let mut tr = Translation::new(TermManager::new(&deadline(), 0));
        let inputs: Vec<WidthTerm> = vars
            .iter()
            .map(|&v| {
                let e = arena.var_expr(v);
                (tr.term(&arena, e), arena.var_width(v))
            })
            .collect();
        let ours = tr.term(&arena, simplified);
        let (theirs, width) = raw(&tr.terms, &inputs, &tree);
        prop_assert_eq!(width, arena.width(simplified));
        tr.terms.assert(tr.terms.op2(sys::BITWUZLA_KIND_DISTINCT, ours, theirs));
        let result = tr.terms.check();
        prop_assert!(
            result != CheckResult::Sat,
            "differs at {:?}",
            vars.iter().map(|&v| tr.value_of(v)).collect::<Vec<_>>()
        );
    }
}

/// The test above would pass if the check could never find a difference.
#[test]
fn a_wrong_rule_would_be_seen() {
    let mut arena = Arena::new();
    let var = arena.new_var("v", 8);
    let x = arena.var_expr(var);
    let most = arena.constant(8, 0x7f);
    let wrong = arena.ult(x, most);
    let mut tr = Translation::new(TermManager::new(&deadline(), 0));
    let input = (tr.term(&arena, x), 8);
    let ours = tr.term(&arena, wrong);
    let limit = Tree::Const(0x7f);
    let tree = Tree::Compare(Compare::Ule, Box::new(Tree::Var(0)), Box::new(limit));
    let (theirs, _) = raw(&tr.terms, &[input], &tree);
    tr.terms
        .assert(tr.terms.op2(sys::BITWUZLA_KIND_DISTINCT, ours, theirs));
    assert_eq!(tr.terms.check(), CheckResult::Sat);
    assert_eq!(tr.value_of(var), 0x7f);
}
