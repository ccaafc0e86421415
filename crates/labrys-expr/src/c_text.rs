//! Expressions in the words of C, for people: short, with the names of variables, and cut where they are
//! long. What is signed is not known of a value; comparisons say it where it matters.

use crate::{Arena, ExprId, ExprKind, ExprOp, signed};

/// Deeper parts are left out.
const MOST_LEVELS: u32 = 12;

/// A text that is longer than this is cut.
const MOST_CHARACTERS: usize = 160;

/// What stands for a part that is left out.
const CUT: &str = "…";

/// The text of a condition or a value.
pub fn c_text(arena: &Arena, e: ExprId) -> String {
    let text = Printer { arena }.text(e, 0);
    match text.chars().count() > MOST_CHARACTERS {
        true => text
            .chars()
            .take(MOST_CHARACTERS)
            .chain(CUT.chars())
            .collect(),
        false => text,
    }
}

struct Printer<'a> {
    arena: &'a Arena,
}

impl Printer<'_> {
    fn text(&self, e: ExprId, level: u32) -> String {
        if level > MOST_LEVELS {
            return CUT.to_owned();
        }
        let width = self.arena.width(e);
        let inner = |x: ExprId| self.operand(x, level + 1);
        match self.arena.kind(e) {
            ExprKind::Const(value) if width == 1 => (value != 0).to_string(),
            ExprKind::Const(value) => number(value, width),
            ExprKind::Var(var) => self.arena.var_name(var).to_owned(),
            ExprKind::Uninit => "uninitialised".to_owned(),
            ExprKind::Assumed(_) => "0".to_owned(),
            ExprKind::Unary(ExprOp::Not, a) if width == 1 => self.negated(a, level),
            ExprKind::Unary(ExprOp::Not, a) => format!("~{}", inner(a)),
            ExprKind::Unary(ExprOp::Neg, a) => format!("-{}", inner(a)),
            ExprKind::Unary(_, a) => format!("sqrt({})", self.text(a, level + 1)),
            ExprKind::Binary(op, a, b) => {
                let (mut a, mut b) = (a, b);
                // A constant stands on the right.
                let turns = matches!(
                    op,
                    ExprOp::Add | ExprOp::Mul | ExprOp::And | ExprOp::Or | ExprOp::Xor | ExprOp::Eq
                );
                if turns && self.arena.as_const(a).is_some() {
                    (a, b) = (b, a);
                }
                // `a + -1` is `a - 1`.
                if op == ExprOp::Add
                    && let Some(value) = self.arena.as_const(b)
                    && signed(value, width) < 0
                    && width > 1
                {
                    let value = signed(value, width).unsigned_abs();
                    return format!("{} - {value}", inner(a));
                }
                let sign = symbol(op, width);
                if sign.is_empty() {
                    return format!("{CUT}({}, {})", inner(a), inner(b));
                }
                let (left, right) = match op {
                    ExprOp::Ult => (self.unsigned(a, level), self.unsigned(b, level)),
                    _ => (inner(a), inner(b)),
                };
                format!("{left} {sign} {right}")
            }
            ExprKind::Ite(c, a, b) => format!("{} ? {} : {}", inner(c), inner(a), inner(b)),
            ExprKind::Extract(a, 0) if matches!(width, 8 | 16 | 32) => {
                format!("({}){}", unsigned_type(width), inner(a))
            }
            ExprKind::Extract(a, low) => format!(
                "bits {}..{} of {}",
                low,
                low + u32::from(width) - 1,
                inner(a)
            ),
            // C widens by itself.
            ExprKind::Convert(ExprOp::SExt | ExprOp::ZExt, a) => self.text(a, level + 1),
            ExprKind::Convert(_, a) => format!("({CUT}){}", inner(a)),
            ExprKind::Table(_, index) => format!("table[{}]", self.text(index, level + 1)),
            ExprKind::Fma(a, b, c) => format!("fma({}, {}, {})", inner(a), inner(b), inner(c)),
            ExprKind::Round(_, a) => format!("round({})", self.text(a, level + 1)),
        }
    }

    /// `!(a < b)` is `a >= b`.
    fn negated(&self, e: ExprId, level: u32) -> String {
        let inner = |x: ExprId| self.operand(x, level + 1);
        match self.arena.kind(e) {
            ExprKind::Binary(ExprOp::Eq, a, b) => {
                let (a, b) = match self.arena.as_const(a).is_some() {
                    true => (b, a),
                    false => (a, b),
                };
                format!("{} != {}", inner(a), inner(b))
            }
            ExprKind::Binary(ExprOp::Slt, a, b) => format!("{} >= {}", inner(a), inner(b)),
            ExprKind::Binary(ExprOp::Ult, a, b) => {
                format!("{} >= {}", self.unsigned(a, level), self.unsigned(b, level))
            }
            _ => format!("!{}", inner(e)),
        }
    }

    fn unsigned(&self, e: ExprId, level: u32) -> String {
        match self.arena.as_const(e) {
            Some(value) => value.to_string(),
            None => format!(
                "({}){}",
                unsigned_type(self.arena.width(e)),
                self.operand(e, level + 1)
            ),
        }
    }

    /// In parentheses, if it has operands of its own.
    fn operand(&self, e: ExprId, level: u32) -> String {
        let text = self.text(e, level);
        let is_plain = text
            .chars()
            .all(|c| c.is_alphanumeric() || "_@.[]-~!()".contains(c))
            && !text.contains(' ');
        match is_plain {
            true => text,
            false => format!("({text})"),
        }
    }
}

fn number(value: u128, width: u8) -> String {
    signed(value, width).to_string()
}

fn unsigned_type(width: u8) -> &'static str {
    match width {
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned",
        _ => "unsigned long",
    }
}

fn symbol(op: ExprOp, width: u8) -> &'static str {
    match op {
        ExprOp::Add | ExprOp::FAdd => "+",
        ExprOp::Sub | ExprOp::FSub => "-",
        ExprOp::Mul | ExprOp::FMul => "*",
        ExprOp::UDiv | ExprOp::SDiv | ExprOp::FDiv => "/",
        ExprOp::URem | ExprOp::SRem | ExprOp::FRem => "%",
        ExprOp::And if width == 1 => "&&",
        ExprOp::Or if width == 1 => "||",
        ExprOp::And => "&",
        ExprOp::Or => "|",
        ExprOp::Xor if width == 1 => "!=",
        ExprOp::Xor => "^",
        ExprOp::Shl => "<<",
        ExprOp::LShr | ExprOp::AShr => ">>",
        ExprOp::Eq | ExprOp::FEq => "==",
        ExprOp::Ult | ExprOp::Slt | ExprOp::FLt => "<",
        ExprOp::FLe => "<=",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_read_like_c() {
        let mut arena = Arena::new();
        let (x, y) = (arena.new_var("x", 32), arena.new_var("y", 32));
        let (x, y) = (arena.var_expr(x), arena.var_expr(y));
        let minus = arena.constant(32, u128::from(u32::MAX));
        let less = arena.add(x, minus);
        let order = arena.sle(y, less);
        assert_eq!(c_text(&arena, order), "(x - 1) >= y");
        let five = arena.constant(32, 5);
        let below = arena.ult(x, five);
        assert_eq!(c_text(&arena, below), "(unsigned)x < 5");
        let differs = arena.ne(x, five);
        assert_eq!(c_text(&arena, differs), "x != 5");
    }

    #[test]
    fn a_long_condition_is_cut() {
        let mut arena = Arena::new();
        let x = arena.new_var("a_rather_long_name", 32);
        let mut e = arena.var_expr(x);
        for i in 0..40 {
            let y = arena.new_var(&format!("another_name_{i}"), 32);
            let y = arena.var_expr(y);
            e = arena.mul(e, y);
        }
        assert!(c_text(&arena, e).chars().count() <= MOST_CHARACTERS + 1);
    }
}
