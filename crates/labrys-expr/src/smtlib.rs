//! Expressions as SMT-LIB 2 text: one definition a node, so that shared parts stay shared.
//!
//! Booleans are bit-vectors of width 1. A float result is an unknown bit pattern whose meaning is
//! asserted; what SMT-LIB cannot say (C's `fmod`, the x87 format, uninitialised values) is an
//! unknown without meaning, and [`SmtScript::exact`] is false then: `unsat` still holds, a model has
//! to be checked by evaluation.

use crate::float::ieee_format;
use crate::{Arena, ExprId, ExprKind, ExprOp, Rounding, VarId};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Declarations, definitions and assertions, without `check-sat`.
#[derive(Clone, Debug)]
pub struct SmtScript {
    pub text: String,
    /// Does the text say everything that the expressions say?
    pub exact: bool,
    /// The variables that it declares.
    pub vars: Vec<VarId>,
}

/// The script that asserts all constraints, which are of width 1.
pub fn script(arena: &Arena, constraints: &[ExprId]) -> SmtScript {
    let mut printer = SmtPrinter {
        arena,
        done: FxHashSet::default(),
        body: String::new(),
        exact: true,
        vars: Vec::new(),
        floats: constraints.iter().any(|&c| arena.has_float(c)),
    };
    for &c in constraints {
        printer.define(c);
        let name = printer.name(c);
        line(&mut printer.body, format_args!("(assert (= {name} #b1))"));
    }
    let mut text = String::new();
    let logic = if printer.floats { "QF_BVFP" } else { "QF_BV" };
    line(&mut text, format_args!("(set-logic {logic})"));
    printer.vars.sort_unstable();
    for &var in &printer.vars {
        let name: String = arena
            .var_name(var)
            .chars()
            .filter(|c| !c.is_control())
            .collect();
        let width = arena.var_width(var);
        line(
            &mut text,
            format_args!("(declare-const v{} (_ BitVec {width})) ; {name}", var.0),
        );
    }
    text.push_str(&printer.body);
    SmtScript {
        text,
        exact: printer.exact,
        vars: printer.vars,
    }
}

/// The name of a variable in a script.
pub fn var_name(var: VarId) -> String {
    format!("v{}", var.0)
}

struct SmtPrinter<'a> {
    arena: &'a Arena,
    done: FxHashSet<ExprId>,
    body: String,
    exact: bool,
    vars: Vec<VarId>,
    floats: bool,
}

impl SmtPrinter<'_> {
    /// Writes the definitions of everything below, operands first.
    fn define(&mut self, e: ExprId) {
        let arena = self.arena;
        let mut stack = vec![e];
        while let Some(&top) = stack.last() {
            if self.done.contains(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            arena.for_each_operand(top, |operand| {
                if !self.done.contains(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                stack.pop();
                self.done.insert(top);
                self.node(top);
            }
        }
    }

    fn name(&self, e: ExprId) -> String {
        match self.arena.kind(e) {
            ExprKind::Const(value) => literal(self.arena.width(e), value),
            ExprKind::Assumed(_) => literal(self.arena.width(e), 0),
            ExprKind::Var(var) => var_name(var),
            _ => format!("e{}", e.index()),
        }
    }

    fn node(&mut self, e: ExprId) {
        let width = self.arena.width(e);
        let name = |x: ExprId| self.name(x);
        let term = match self.arena.kind(e) {
            ExprKind::Const(_) | ExprKind::Assumed(_) => return,
            ExprKind::Var(var) => {
                self.vars.push(var);
                return;
            }
            ExprKind::Unary(ExprOp::Not, a) => format!("(bvnot {})", name(a)),
            ExprKind::Unary(ExprOp::Neg, a) => format!("(bvneg {})", name(a)),
            ExprKind::Binary(op, a, b) if op < ExprOp::FAdd => {
                let (x, y) = (name(a), name(b));
                match op {
                    ExprOp::Eq => format!("(ite (= {x} {y}) #b1 #b0)"),
                    ExprOp::Ult => format!("(ite (bvult {x} {y}) #b1 #b0)"),
                    ExprOp::Slt => format!("(ite (bvslt {x} {y}) #b1 #b0)"),
                    _ => format!("({} {x} {y})", bv_name(op)),
                }
            }
            ExprKind::Ite(c, a, b) => {
                format!("(ite (= {} #b1) {} {})", name(c), name(a), name(b))
            }
            ExprKind::Extract(a, low) => {
                let high = low + u32::from(width) - 1;
                format!("((_ extract {high} {low}) {})", name(a))
            }
            ExprKind::Convert(ExprOp::ZExt, a) => {
                format!(
                    "((_ zero_extend {}) {})",
                    width - self.arena.width(a),
                    name(a)
                )
            }
            ExprKind::Convert(ExprOp::SExt, a) => {
                format!(
                    "((_ sign_extend {}) {})",
                    width - self.arena.width(a),
                    name(a)
                )
            }
            ExprKind::Table(table, index) => {
                let entries = self.arena.table_entries(table);
                let index_width = self.arena.width(index);
                let mut text = String::new();
                let mut open = 0;
                for (i, &entry) in entries.iter().enumerate() {
                    // Indices that do not fit the width cannot occur.
                    let last = i + 1 == entries.len() || (i as u128) == crate::mask(index_width);
                    if last {
                        text.push_str(&name(entry));
                        break;
                    }
                    let at = literal(index_width, i as u128);
                    let _ = write!(text, "(ite (= {} {at}) {} ", name(index), name(entry));
                    open += 1;
                }
                text.push_str(&")".repeat(open));
                text
            }
            _ => return self.float(e),
        };
        self.definition(e, &term);
    }

    fn definition(&mut self, e: ExprId, term: &str) {
        let (id, width) = (e.index(), self.arena.width(e));
        line(
            &mut self.body,
            format_args!("(define-fun e{id} () (_ BitVec {width}) {term})"),
        );
    }

    fn float(&mut self, e: ExprId) {
        let width = self.arena.width(e);
        match self.float_term(e) {
            Some(FloatTerm::Bits(term)) => self.definition(e, &term),
            Some(FloatTerm::Float(term)) => {
                // The payload of a NaN is open.
                self.exact = false;
                let id = e.index();
                line(
                    &mut self.body,
                    format_args!("(declare-const e{id} (_ BitVec {width}))"),
                );
                if let Some((exponent, significand)) = ieee_format(width) {
                    line(
                        &mut self.body,
                        format_args!(
                            "(assert (= ((_ to_fp {exponent} {significand}) e{id}) {term}))"
                        ),
                    );
                }
            }
            None => {
                self.exact = false;
                let id = e.index();
                line(
                    &mut self.body,
                    format_args!("(declare-const e{id} (_ BitVec {width}))"),
                );
            }
        }
    }

    fn float_term(&self, e: ExprId) -> Option<FloatTerm> {
        let width = self.arena.width(e);
        let term = match self.arena.kind(e) {
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.read(a)?, self.read(b)?);
                let compare =
                    |name: &str| Some(FloatTerm::Bits(format!("(ite ({name} {x} {y}) #b1 #b0)")));
                match op {
                    ExprOp::FEq => return compare("fp.eq"),
                    ExprOp::FLt => return compare("fp.lt"),
                    ExprOp::FLe => return compare("fp.leq"),
                    ExprOp::FAdd => format!("(fp.add RNE {x} {y})"),
                    ExprOp::FSub => format!("(fp.sub RNE {x} {y})"),
                    ExprOp::FMul => format!("(fp.mul RNE {x} {y})"),
                    ExprOp::FDiv => format!("(fp.div RNE {x} {y})"),
                    _ => return None,
                }
            }
            ExprKind::Unary(ExprOp::FSqrt, a) => format!("(fp.sqrt RNE {})", self.read(a)?),
            ExprKind::Fma(a, b, c) if width != 16 => {
                format!(
                    "(fp.fma RNE {} {} {})",
                    self.read(a)?,
                    self.read(b)?,
                    self.read(c)?
                )
            }
            ExprKind::Round(mode, a) => {
                format!("(fp.roundToIntegral {} {})", mode_name(mode), self.read(a)?)
            }
            ExprKind::Convert(op @ (ExprOp::FToS | ExprOp::FToU), a) => {
                let from = self.arena.width(a);
                return to_int(op == ExprOp::FToS, from, width, &self.read(a)?);
            }
            ExprKind::Convert(op, a) => {
                let (exponent, significand) = ieee_format(width)?;
                match op {
                    ExprOp::FToF => {
                        format!("((_ to_fp {exponent} {significand}) RNE {})", self.read(a)?)
                    }
                    ExprOp::SToF => {
                        format!("((_ to_fp {exponent} {significand}) RNE {})", self.name(a))
                    }
                    ExprOp::UToF => format!(
                        "((_ to_fp_unsigned {exponent} {significand}) RNE {})",
                        self.name(a)
                    ),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(FloatTerm::Float(term))
    }

    fn read(&self, e: ExprId) -> Option<String> {
        let (exponent, significand) = ieee_format(self.arena.width(e))?;
        Some(format!(
            "((_ to_fp {exponent} {significand}) {})",
            self.name(e)
        ))
    }
}

/// The SMT-LIB term of a float operation, by its sort.
enum FloatTerm {
    /// A bit-vector term.
    Bits(String),
    /// A float term.
    Float(String),
}

/// Towards zero as x86-64 does it; `None` where compilers differ or the target is too wide.
fn to_int(signed: bool, from: u8, to: u8, x: &str) -> Option<FloatTerm> {
    let (exponent, significand) = ieee_format(from)?;
    let via: u8 = match (signed, to) {
        (true, ..=32) => 32,
        (true, ..=64) | (false, ..=32) => 64,
        _ => return None,
    };
    let bound = |value: u128| {
        let bits = literal(via + 1, value);
        format!("((_ to_fp {exponent} {significand}) RTZ {bits})")
    };
    let half = 1u128 << (via - 1);
    let low = bound((half << 1) | half);
    let high = bound(half);
    let below = if u64::from(via) < 1 << (exponent - 1) {
        "fp.lt"
    } else {
        "fp.leq"
    };
    let integral = format!("(fp.roundToIntegral RTZ {x})");
    let inside = format!(
        "(and (not (fp.isNaN {x})) (not (fp.isInfinite {x})) (fp.geq {integral} {low}) ({below} {integral} {high}))"
    );
    let value = format!(
        "(ite {inside} ((_ fp.to_sbv {via}) RTZ {x}) {})",
        literal(via, half)
    );
    Some(FloatTerm::Bits(match to {
        _ if to < via => format!("((_ extract {} 0) {value})", to - 1),
        _ => value,
    }))
}

fn mode_name(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::ToZero => "RTZ",
    }
}

fn bv_name(op: ExprOp) -> &'static str {
    match op {
        ExprOp::Add => "bvadd",
        ExprOp::Sub => "bvsub",
        ExprOp::Mul => "bvmul",
        ExprOp::UDiv => "bvudiv",
        ExprOp::SDiv => "bvsdiv",
        ExprOp::URem => "bvurem",
        ExprOp::SRem => "bvsrem",
        ExprOp::And => "bvand",
        ExprOp::Or => "bvor",
        ExprOp::Xor => "bvxor",
        ExprOp::Shl => "bvshl",
        ExprOp::LShr => "bvlshr",
        ExprOp::AShr => "bvashr",
        _ => "concat",
    }
}

fn literal(width: u8, value: u128) -> String {
    format!("#b{value:0width$b}", width = usize::from(width))
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(content);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_are_defined_once() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 8);
        let x = arena.var_expr(x);
        let y = arena.new_var("y\n)", 8);
        let y = arena.var_expr(y);
        let product = arena.mul(x, y);
        let sum = arena.add(product, y);
        let a = arena.ult(product, sum);
        let b = arena.eq(sum, x);
        let script = script(&arena, &[a, b]);
        assert!(script.exact);
        assert_eq!(script.text.matches("bvmul").count(), 1);
        assert_eq!(script.text.matches("declare-const").count(), 2);
        assert_eq!(script.text.matches("(assert").count(), 2);
        assert_eq!(
            script.text.matches('(').count(),
            script.text.matches(')').count() - 1
        );
    }

    #[test]
    fn what_cannot_be_said_is_not_exact() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 64);
        let x = arena.var_expr(x);
        let r = arena.frem(x, x);
        let c = arena.feq(r, x);
        assert!(!script(&arena, &[c]).exact);
    }
}
