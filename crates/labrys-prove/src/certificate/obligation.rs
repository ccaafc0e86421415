//! What a certificate rests on: statements about all runs, each of which follows from others that are about
//! earlier moments of the run.

use super::code::CertifiedCode;
use super::facts::StatedFact;
use super::words::numbers;
use labrys_ir::{FuncId, NumberSet, Reg, SourceLoc};
use labrys_ledger::Trigger;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obligation {
    /// The event does not happen at this instruction.
    Never {
        id: FuncId,
        at: u32,
        trigger: Trigger,
    },
    /// No run comes to this place.
    Unreached { id: FuncId, at: u32 },
    /// It holds whenever control comes to this place.
    Holds {
        id: FuncId,
        at: u32,
        fact: StatedFact,
    },
    /// Whenever the register is written, it gets one of these numbers.
    Always {
        id: FuncId,
        reg: Reg,
        set: NumberSet,
    },
    /// It holds whenever the function returns.
    Leaves { id: FuncId, fact: StatedFact },
    /// What the function returns is one of these numbers.
    Returns {
        id: FuncId,
        result: usize,
        set: NumberSet,
    },
}

impl Obligation {
    /// Where it is stated.
    pub(super) fn loc(&self, code: &CertifiedCode<'_>) -> SourceLoc {
        use crate::definitions::Definition;
        match self {
            Obligation::Never { id, at, .. }
            | Obligation::Unreached { id, at }
            | Obligation::Holds { id, at, .. } => code.loc(*id, *at),
            Obligation::Always { id, reg, .. } => {
                let facts = code.program.facts(*id);
                match facts.map(|facts| facts.definitions.def(*reg)) {
                    Some(Definition::Inst(at)) => code.loc(*id, at),
                    Some(Definition::Phi(block)) => {
                        code.loc(*id, code.function(*id).blocks[block.index()].start)
                    }
                    _ => code.function(*id).loc,
                }
            }
            Obligation::Leaves { id, .. } | Obligation::Returns { id, .. } => {
                code.function(*id).loc
            }
        }
    }

    pub(super) fn words(&self, code: &CertifiedCode<'_>) -> String {
        match self {
            Obligation::Never { .. } => "it never happens here".to_owned(),
            Obligation::Unreached { .. } => "no run comes here".to_owned(),
            Obligation::Holds { id, fact, .. } => {
                format!(
                    "whenever control comes here: {}",
                    code.fact_words(*id, fact)
                )
            }
            Obligation::Always { id, reg, set } => {
                format!(
                    "{} is always {}",
                    code.register_name(*id, *reg),
                    numbers(set)
                )
            }
            Obligation::Leaves { id, fact } => {
                let name = &code.function(*id).name;
                format!("whenever {name} returns: {}", code.fact_words(*id, fact))
            }
            Obligation::Returns { id, set, .. } => {
                let name = &code.function(*id).name;
                format!("what {name} returns is {}", numbers(set))
            }
        }
    }
}
