//! What a call of each function does for the analysis: annotations and input functions are known by
//! name, bodies are analysed, and everything else may return anything.

use crate::scope::{AnalysisScope, Opacity, PRIMITIVE};
use labrys_ir::{CmpOp, Const, Function, Inst, Module, Reg};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEffect {
    /// Its body is analysed.
    Body,
    /// Returns anything, and may call any function whose address is taken: a function of the
    /// library, or a primitive.
    Anything,
    /// A function without a body, or of a part of the program that is not tested: it may also do
    /// anything else.
    Unknown,
    /// `labrys_cond` and `labrys_decision`: argument number `value` comes back.
    Truth {
        value: usize,
        decision: bool,
    },
    /// `labrys_switch`: argument 1 comes back.
    Switch,
    Case,
    Reach,
    Label,
    /// Goes on only if this argument is not zero.
    Assume(usize),
    /// Never returns.
    Ends,
    /// Returns 0 or 1.
    Bool,
}

impl CallEffect {
    /// Does a call of it give events?
    pub(crate) fn is_annotation(self) -> bool {
        matches!(
            self,
            CallEffect::Truth { .. } | CallEffect::Case | CallEffect::Reach | CallEffect::Label
        )
    }
}

/// The effect of a call of each function of the module, by number.
pub(crate) fn call_effects(module: &Module, scope: &AnalysisScope) -> Vec<CallEffect> {
    let assume = module.function("labrys_assume");
    let functions = module.functions.iter();
    functions
        .map(|function| {
            if function.is_external() {
                return match by_name(&function.name) {
                    CallEffect::Assume(_) if scope.ignores_assumptions => CallEffect::Anything,
                    known => known,
                };
            }
            if let Some(argument) = assume.and_then(|id| wrapped_assumption(function, id))
                && !scope.ignores_assumptions
            {
                return CallEffect::Assume(argument);
            }
            if is_annotated(module, function) {
                return CallEffect::Body;
            }
            match scope.opacity(module, function) {
                Opacity::Transparent => CallEffect::Body,
                Opacity::Library => CallEffect::Anything,
                Opacity::Unknown => CallEffect::Unknown,
            }
        })
        .collect()
}

fn is_annotated(module: &Module, function: &Function) -> bool {
    function.code.iter().any(|inst| match inst {
        Inst::Call { callee, .. } => {
            let callee = &module.functions[callee.index()];
            callee.is_external() && by_name(&callee.name).is_annotation()
        }
        _ => false,
    })
}

fn by_name(name: &str) -> CallEffect {
    match name {
        "labrys_cond" => CallEffect::Truth {
            value: 2,
            decision: false,
        },
        "labrys_decision" => CallEffect::Truth {
            value: 1,
            decision: true,
        },
        "labrys_switch" => CallEffect::Switch,
        "labrys_case" => CallEffect::Case,
        "labrys_reach" => CallEffect::Reach,
        "labrys_label" => CallEffect::Label,
        "labrys_assume" => CallEffect::Assume(0),
        "labrys_exit" | "labrys_error" => CallEffect::Ends,
        "labrys_bool" => CallEffect::Bool,
        name if name.starts_with(PRIMITIVE) => CallEffect::Anything,
        _ => CallEffect::Unknown,
    }
}

/// A function that does nothing but hand a parameter to `labrys_assume`, as the input functions
/// of other tools do; the number of the parameter.
fn wrapped_assumption(function: &Function, assume: labrys_ir::FuncId) -> Option<usize> {
    let [block] = function.blocks[..] else {
        return None;
    };
    // What is not zero exactly if parameter `n` is not.
    let mut same: Vec<(Reg, usize)> = function.params.iter().copied().zip(0..).collect();
    let mut found = None;
    for inst in &function.code[block.start as usize..block.end as usize] {
        let of = |reg: Reg| same.iter().find(|(r, _)| *r == reg).map(|(_, n)| *n);
        match *inst {
            Inst::Cast {
                op: labrys_ir::CastOp::ZExt | labrys_ir::CastOp::SExt,
                dst,
                src,
                ..
            }
            | Inst::Copy { dst, src } => same.push((dst, of(src)?)),
            Inst::Cmp {
                op: CmpOp::Ne,
                dst,
                a,
                b,
                ..
            } => {
                let zero = function
                    .constants
                    .iter()
                    .any(|(reg, value)| *reg == b && *value == Const::Int(0));
                same.push((dst, of(a).filter(|_| zero)?));
            }
            Inst::Call { callee, args, .. } if callee == assume && found.is_none() => {
                found = Some(of(*function.list(args).first()?)?);
            }
            Inst::Return { .. } => {}
            _ => return None,
        }
    }
    found
}
