//! Annotations whose numbers are constants, as nearly all are: what they do is worked out once, so
//! that passing one again costs next to nothing.

use crate::builtins::Builtin;
use crate::coverage::ObjectiveMap;
use crate::program::Target;
use labrys_ir::{Const, Function, Inst, Reg};
use labrys_ledger::{Event, Trigger};

/// An annotation of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Note {
    Condition { decision: u32, index: u32 },
    Decision { decision: u32 },
    Reach { id: u32 },
}

/// What passing an annotation with a certain value does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub(crate) word: u64,
    /// The objective that it covers.
    pub(crate) objective: Objective,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Objective {
    None,
    One(u32),
    Several,
}

impl Note {
    /// The effects for false and true.
    pub(crate) fn effects(self, objectives: &ObjectiveMap) -> [Effect; 2] {
        [false, true].map(|value| {
            let (event, trigger) = match self {
                Note::Condition { decision, index } => (
                    Event::Condition {
                        decision,
                        index,
                        value,
                    },
                    Trigger::Condition {
                        decision,
                        index,
                        value,
                    },
                ),
                Note::Decision { decision } => (
                    Event::Decision { decision, value },
                    Trigger::Decision { decision, value },
                ),
                Note::Reach { id } => (Event::Reach { id }, Trigger::Reach { id }),
            };
            let objective = match *objectives.covered_by(trigger) {
                [] => Objective::None,
                [one] => Objective::One(one),
                _ => Objective::Several,
            };
            Effect {
                word: event.word(),
                objective,
            }
        })
    }
}

/// The annotation that an instruction is, with its result and value if it has them.
pub(super) fn note_of(
    inst: &Inst,
    function: &Function,
    targets: &[Target],
) -> Option<(Note, Option<(Reg, Reg)>)> {
    let Inst::Call {
        callee,
        args,
        results,
    } = *inst
    else {
        return None;
    };
    let Target::Builtin(builtin) = *targets.get(callee.index())? else {
        return None;
    };
    let number = |reg| number(function, reg);
    let (args, results) = (function.list(args), function.list(results));
    match (builtin, args, results) {
        (Builtin::Cond, &[decision, index, value], &[dst]) => {
            let note = Note::Condition {
                decision: number(decision)?,
                index: number(index)?,
            };
            Some((note, Some((dst, value))))
        }
        (Builtin::Decision, &[decision, value], &[dst]) => Some((
            Note::Decision {
                decision: number(decision)?,
            },
            Some((dst, value)),
        )),
        (Builtin::Reach, &[id], _) => Some((Note::Reach { id: number(id)? }, None)),
        _ => None,
    }
}

/// The result and the number of the label that an instruction opens.
pub(super) fn label_begin(
    inst: &Inst,
    function: &Function,
    targets: &[Target],
) -> Option<(Reg, u32)> {
    let Inst::Call {
        callee,
        args,
        results,
    } = *inst
    else {
        return None;
    };
    let Target::Builtin(Builtin::LabelOpen | Builtin::LabelBegin) = *targets.get(callee.index())?
    else {
        return None;
    };
    match (function.list(args), function.list(results)) {
        (&[id], &[dst]) => Some((dst, number(function, id)?)),
        _ => None,
    }
}

fn number(function: &Function, reg: Reg) -> Option<u32> {
    let (_, value) = function.constants.iter().find(|(r, _)| *r == reg)?;
    match value {
        Const::Int(value) => Some(*value as u32),
        _ => None,
    }
}

/// Everything that an instruction may trigger.
pub(crate) fn triggers_of(inst: &Inst, function: &Function, targets: &[Target]) -> Vec<Trigger> {
    let both = |trigger: &dyn Fn(bool) -> Trigger| vec![trigger(false), trigger(true)];
    if let Some((note, _)) = note_of(inst, function, targets) {
        return match note {
            Note::Condition { decision, index } => both(&|value| Trigger::Condition {
                decision,
                index,
                value,
            }),
            Note::Decision { decision } => both(&|value| Trigger::Decision { decision, value }),
            Note::Reach { id } => vec![Trigger::Reach { id }],
        };
    }
    let Inst::Call { callee, args, .. } = *inst else {
        return Vec::new();
    };
    let args = function.list(args);
    let found = match (targets.get(callee.index()), args) {
        (Some(Target::Builtin(Builtin::Case)), &[switch, case]) => number(function, switch)
            .zip(number(function, case))
            .map(|(switch, case)| Trigger::Case { switch, case }),
        (Some(Target::Builtin(Builtin::Label)), &[id, _]) => {
            number(function, id).map(|id| Trigger::Label { id })
        }
        _ => None,
    };
    found.into_iter().collect()
}
