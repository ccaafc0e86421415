//! What a decided comparison says, as SMT-LIB text: with operands in these sets it never has the other
//! outcome. Other solvers can check that; that the operands are in these sets is what the analysis shows.

use crate::reason::DecidedComparison;
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
        let comparison = comparison(self.op);
        let _ = match truth {
            true => writeln!(text, "(assert (not {comparison}))"),
            false => writeln!(text, "(assert {comparison})"),
        };
        text
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
