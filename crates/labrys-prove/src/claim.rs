//! What a decided comparison says, as SMT-LIB text: with operands in these sets it never has the other
//! outcome. Other solvers can check that; that the operands are in these sets is what the analysis shows.

use crate::reason::{DecidedComparison, HeldRelation};
use crate::value_set::ValueSet;
use labrys_ir::CmpOp;
use std::fmt::Write;

impl DecidedComparison {
    /// A script without `check-sat` that has no solution, for a comparison whose outcome is always `truth`.
    pub fn script(&self, truth: bool) -> String {
        let width = self.left.width;
        let mut text = String::from("(set-logic QF_BV)\n");
        for (name, set) in [("a", &self.left), ("b", &self.right)] {
            let _ = writeln!(text, "(declare-const {name} (_ BitVec {width}))");
            for fact in facts(name, set) {
                let _ = writeln!(text, "(assert {fact})");
            }
        }
        for fact in self.relation.iter().flat_map(|held| related(held, width)) {
            let _ = writeln!(text, "(assert {fact})");
        }
        let comparison = comparison(self.op);
        let _ = match truth {
            true => writeln!(text, "(assert (not {comparison}))"),
            false => writeln!(text, "(assert {comparison})"),
        };
        text
    }
}

/// A relation of `a` and `b`, as whole numbers: two more bits hold every difference.
fn related(relation: &HeldRelation, width: u8) -> Vec<String> {
    let wide = usize::from(width) + 2;
    let number = |value: i128| {
        let bits = value as u128 & (u128::MAX >> (128 - wide));
        format!("#b{bits:0wide$b}")
    };
    let fits = |value: i128| value.unsigned_abs() < 1 << (wide - 1);
    let difference = |signed: bool| {
        let extend = if signed { "sign_extend" } else { "zero_extend" };
        format!("(bvsub ((_ {extend} 2) a) ((_ {extend} 2) b))")
    };
    match *relation {
        HeldRelation::AtMost { signed, distance } if fits(distance) => {
            vec![format!(
                "(not (bvslt {} {}))",
                number(distance),
                difference(signed)
            )]
        }
        HeldRelation::AtLeast { signed, distance } if fits(distance) => {
            vec![format!(
                "(not (bvslt {} {}))",
                difference(signed),
                number(distance)
            )]
        }
        HeldRelation::Strides { left, right } => {
            let stride = |name: &str, (step, rest): (u64, i128)| {
                let from_rest = format!("(bvsub ((_ sign_extend 2) {name}) {})", number(rest));
                let is_known = step != 1 && fits(step.into()) && fits(rest);
                is_known.then(|| match step {
                    0 => format!("(= {from_rest} {})", number(0)),
                    _ => {
                        let step = number(step.into());
                        format!("(= (bvsrem {from_rest} {step}) {})", number(0))
                    }
                })
            };
            let both = [stride("a", left), stride("b", right)];
            both.into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Membership in a set of values.
fn facts(name: &str, set: &ValueSet) -> Vec<String> {
    let width = usize::from(set.width);
    let mask = u64::MAX >> (64 - u32::from(set.width.clamp(1, 64)));
    let number = |value: u64| format!("#b{:0width$b}", value & mask);
    vec![
        format!("(not (bvult {name} {}))", number(set.umin)),
        format!("(not (bvult {} {name}))", number(set.umax)),
        format!("(not (bvslt {name} {}))", number(set.smin as u64)),
        format!("(not (bvslt {} {name}))", number(set.smax as u64)),
        format!("(= (bvand {name} {}) {})", number(set.zeros), number(0)),
        format!(
            "(= (bvand {name} {}) {})",
            number(set.ones),
            number(set.ones)
        ),
    ]
}

fn comparison(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "(= a b)",
        CmpOp::Ne => "(not (= a b))",
        CmpOp::Ult => "(bvult a b)",
        CmpOp::Ule => "(not (bvult b a))",
        CmpOp::Ugt => "(bvult b a)",
        CmpOp::Uge => "(not (bvult a b))",
        CmpOp::Slt => "(bvslt a b)",
        CmpOp::Sle => "(not (bvslt b a))",
        CmpOp::Sgt => "(bvslt b a)",
        CmpOp::Sge => "(not (bvslt a b))",
    }
}
