//! Asks Bitwuzla about a script as it was read, without the expressions and rewrite rules of Labrys.

use super::Verdict;
use super::reader::{Script, TermNode, TermSort};
use crate::bitwuzla::{CheckResult, Term, TermManager};
use crate::limits::QueryDeadline;
use bitwuzla_sys as sys;

/// Does the script have a solution?
pub(super) fn check(script: &Script, deadline: &QueryDeadline) -> Verdict {
    let terms = TermManager::new(deadline, 0);
    let mut made: Vec<Term> = Vec::new();
    for (node, sort) in &script.nodes {
        let Some(term) = term(&terms, node, *sort, &made) else {
            return Verdict::Undecided("an operation that Bitwuzla is not asked about");
        };
        made.push(term);
    }
    for asserted in &script.asserted {
        terms.assert(made[*asserted]);
    }
    match terms.check() {
        CheckResult::Unsat => Verdict::Holds,
        CheckResult::Sat => Verdict::Broken,
        CheckResult::Unknown => Verdict::Undecided("Bitwuzla has no answer in time"),
    }
}

fn term(terms: &TermManager, node: &TermNode, sort: TermSort, made: &[Term]) -> Option<Term> {
    let (operator, indices, arguments) = match (node, sort) {
        (TermNode::Variable, TermSort::Bits(width)) => return Some(terms.unknown(width)),
        (TermNode::Bits(value), TermSort::Bits(width)) => {
            return Some(terms.constant(width, *value));
        }
        (TermNode::Bool(value), _) => {
            let bit = terms.constant(1, (*value).into());
            return Some(terms.boolean(bit));
        }
        (TermNode::Rounding(name), _) => return Some(terms.rounding(rounding(name)?)),
        (
            TermNode::Apply {
                operator,
                indices,
                arguments,
            },
            _,
        ) => (operator.as_str(), &indices[..], arguments),
        _ => return None,
    };
    let arguments: Vec<Term> = arguments.iter().map(|at| made[*at]).collect();
    let kind = kind(operator, &arguments)?;
    Some(match (indices, &arguments[..]) {
        ([], [a]) => terms.op1(kind, *a),
        ([], [a, b]) => terms.op2(kind, *a, *b),
        ([], [a, b, c]) => terms.op3(kind, *a, *b, *c),
        ([], [a, b, c, d]) => terms.op4(kind, [*a, *b, *c, *d]),
        ([i], [a]) => terms.indexed1(kind, *a, *i),
        ([i, j], [a]) => terms.indexed2(kind, *a, *i, *j),
        ([i], [mode, a]) => terms.rounded_indexed1(kind, *mode, *a, *i),
        ([i, j], [mode, a]) if operator == "to_fp" => {
            // The same name for what comes from a float and from a signed number.
            let kind = match terms.is_bits(*a) {
                true => sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
                false => kind,
            };
            terms.rounded_indexed2(kind, *mode, *a, *i, *j)
        }
        ([i, j], [mode, a]) => terms.rounded_indexed2(kind, *mode, *a, *i, *j),
        _ => return None,
    })
}

fn rounding(name: &str) -> Option<sys::BitwuzlaRoundingMode> {
    Some(match name {
        "RNE" => sys::BITWUZLA_RM_RNE,
        "RNA" => sys::BITWUZLA_RM_RNA,
        "RTP" => sys::BITWUZLA_RM_RTP,
        "RTN" => sys::BITWUZLA_RM_RTN,
        "RTZ" => sys::BITWUZLA_RM_RTZ,
        _ => return None,
    })
}

fn kind(operator: &str, arguments: &[Term]) -> Option<sys::BitwuzlaKind> {
    Some(match operator {
        "=" => sys::BITWUZLA_KIND_EQUAL,
        "ite" => sys::BITWUZLA_KIND_ITE,
        "not" => sys::BITWUZLA_KIND_NOT,
        "and" => sys::BITWUZLA_KIND_AND,
        "or" => sys::BITWUZLA_KIND_OR,
        "bvnot" => sys::BITWUZLA_KIND_BV_NOT,
        "bvneg" => sys::BITWUZLA_KIND_BV_NEG,
        "bvadd" => sys::BITWUZLA_KIND_BV_ADD,
        "bvsub" => sys::BITWUZLA_KIND_BV_SUB,
        "bvmul" => sys::BITWUZLA_KIND_BV_MUL,
        "bvudiv" => sys::BITWUZLA_KIND_BV_UDIV,
        "bvsdiv" => sys::BITWUZLA_KIND_BV_SDIV,
        "bvurem" => sys::BITWUZLA_KIND_BV_UREM,
        "bvsrem" => sys::BITWUZLA_KIND_BV_SREM,
        "bvand" => sys::BITWUZLA_KIND_BV_AND,
        "bvor" => sys::BITWUZLA_KIND_BV_OR,
        "bvxor" => sys::BITWUZLA_KIND_BV_XOR,
        "bvshl" => sys::BITWUZLA_KIND_BV_SHL,
        "bvlshr" => sys::BITWUZLA_KIND_BV_SHR,
        "bvashr" => sys::BITWUZLA_KIND_BV_ASHR,
        "bvult" => sys::BITWUZLA_KIND_BV_ULT,
        "bvslt" => sys::BITWUZLA_KIND_BV_SLT,
        "concat" => sys::BITWUZLA_KIND_BV_CONCAT,
        "extract" => sys::BITWUZLA_KIND_BV_EXTRACT,
        "zero_extend" => sys::BITWUZLA_KIND_BV_ZERO_EXTEND,
        "sign_extend" => sys::BITWUZLA_KIND_BV_SIGN_EXTEND,
        "to_fp" if arguments.len() == 1 => sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV,
        "to_fp" => sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP,
        "to_fp_unsigned" => sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV,
        "fp.add" => sys::BITWUZLA_KIND_FP_ADD,
        "fp.sub" => sys::BITWUZLA_KIND_FP_SUB,
        "fp.mul" => sys::BITWUZLA_KIND_FP_MUL,
        "fp.div" => sys::BITWUZLA_KIND_FP_DIV,
        "fp.fma" => sys::BITWUZLA_KIND_FP_FMA,
        "fp.sqrt" => sys::BITWUZLA_KIND_FP_SQRT,
        "fp.roundToIntegral" => sys::BITWUZLA_KIND_FP_RTI,
        "fp.eq" => sys::BITWUZLA_KIND_FP_EQUAL,
        "fp.lt" => sys::BITWUZLA_KIND_FP_LT,
        "fp.leq" => sys::BITWUZLA_KIND_FP_LEQ,
        "fp.geq" => sys::BITWUZLA_KIND_FP_GEQ,
        "fp.isNaN" => sys::BITWUZLA_KIND_FP_IS_NAN,
        "fp.isInfinite" => sys::BITWUZLA_KIND_FP_IS_INF,
        "fp.to_sbv" => sys::BITWUZLA_KIND_FP_TO_SBV,
        _ => return None,
    })
}
