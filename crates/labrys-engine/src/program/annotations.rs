//! Annotations whose numbers are constants, as nearly all are: what they do is worked out once, so
//! that passing one again costs next to nothing.

use crate::objectives::ObjectiveMap;
use crate::program::{Builtin, Target};
use labrys_ir::{CmpOp, Const, EdgeId, Function, Inst, Reg};
use labrys_ledger::{TraceEvent, Trigger};

/// An annotation of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Annotation {
    Condition { decision: u32, index: u32 },
    Decision { decision: u32 },
    Reach { id: u32 },
}

/// What passing an annotation with a certain value does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnnotationEffect {
    pub(crate) word: u64,
    /// The objective that it covers. Conditions of a decision with pairs are `Several`.
    pub(crate) objective: CoveredObjective,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CoveredObjective {
    None,
    One(u32),
    Several,
}

impl Annotation {
    /// The effects for false and true.
    pub(crate) fn effects(self, objectives: &ObjectiveMap) -> [AnnotationEffect; 2] {
        [false, true].map(|value| {
            let (event, trigger) = match self {
                Annotation::Condition { decision, index } => (
                    TraceEvent::Condition {
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
                Annotation::Decision { decision } => (
                    TraceEvent::Decision { decision, value },
                    Trigger::Decision { decision, value },
                ),
                Annotation::Reach { id } => (TraceEvent::Reach { id }, Trigger::Reach { id }),
            };
            let followed = matches!(self, Annotation::Condition { decision, .. }
                if objectives.pair_decisions.is_followed(decision));
            let objective = match *objectives.covered_by(trigger) {
                _ if followed => CoveredObjective::Several,
                [] => CoveredObjective::None,
                [one] => CoveredObjective::One(one),
                _ => CoveredObjective::Several,
            };
            AnnotationEffect {
                word: event.word(),
                objective,
            }
        })
    }
}

/// The annotation that an instruction is, with its result and value if it has them.
pub(crate) fn annotation_of(
    inst: &Inst,
    function: &Function,
    numbers: &Numbers,
    targets: &[Target],
) -> Option<(Annotation, Option<(Reg, Reg)>)> {
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
    let number = |reg| numbers.get(reg);
    let (args, results) = (function.list(args), function.list(results));
    match (builtin, args, results) {
        (Builtin::Cond, &[decision, index, value], &[dst]) => {
            let note = Annotation::Condition {
                decision: number(decision)?,
                index: number(index)?,
            };
            Some((note, Some((dst, value))))
        }
        (Builtin::Decision, &[decision, value], &[dst]) => Some((
            Annotation::Decision {
                decision: number(decision)?,
            },
            Some((dst, value)),
        )),
        (Builtin::Reach, &[id], _) => Some((Annotation::Reach { id: number(id)? }, None)),
        _ => None,
    }
}

/// An instruction of a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum LabelInst {
    /// The predicate follows if `dst` is not 0; `plain` if it is mere arithmetic.
    Begin { dst: Reg, id: u32, plain: bool },
    /// The predicate has been evaluated.
    End { value: Reg },
}

pub(super) fn label_inst(
    inst: &Inst,
    function: &Function,
    numbers: &Numbers,
    targets: &[Target],
) -> Option<LabelInst> {
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
    match (builtin, function.list(args), function.list(results)) {
        (Builtin::LabelOpen | Builtin::LabelBegin, &[id], &[dst]) => Some(LabelInst::Begin {
            dst,
            id: numbers.get(id)?,
            plain: builtin == Builtin::LabelOpen,
        }),
        (Builtin::Label, &[_, value], _) => Some(LabelInst::End { value }),
        _ => None,
    }
}

/// Where a label's predicate is jumped over: `if (begin != 0)` and nothing else uses the result.
pub(super) fn label_skip(
    dst: Reg,
    rest: &[Inst],
    numbers: &Numbers,
    once: impl Fn(Reg) -> bool,
) -> Option<EdgeId> {
    let [
        Inst::Cmp {
            op: CmpOp::Ne,
            dst: truth,
            a,
            b,
            ..
        },
        Inst::Branch { cond, other, .. },
        ..,
    ] = *rest
    else {
        return None;
    };
    let is_test = a == dst && numbers.get(b) == Some(0) && cond == truth;
    (is_test && once(dst) && once(truth)).then_some(other)
}

/// The registers of a function that hold constant numbers.
pub(crate) struct Numbers(Vec<Option<u32>>);

impl Numbers {
    pub(crate) fn of(function: &Function) -> Self {
        let mut numbers = vec![None; function.widths.len()];
        for (reg, value) in &function.constants {
            if let (Some(number), Const::Int(value)) = (numbers.get_mut(reg.index()), value) {
                *number = Some(*value as u32);
            }
        }
        Numbers(numbers)
    }

    pub(crate) fn get(&self, reg: Reg) -> Option<u32> {
        self.0.get(reg.index()).copied().flatten()
    }
}

/// Everything that an instruction may trigger.
pub(crate) fn triggers_of(
    inst: &Inst,
    function: &Function,
    numbers: &Numbers,
    targets: &[Target],
) -> Vec<Trigger> {
    let both = |trigger: &dyn Fn(bool) -> Trigger| vec![trigger(false), trigger(true)];
    if let Some((note, _)) = annotation_of(inst, function, numbers, targets) {
        return match note {
            Annotation::Condition { decision, index } => both(&|value| Trigger::Condition {
                decision,
                index,
                value,
            }),
            Annotation::Decision { decision } => {
                both(&|value| Trigger::Decision { decision, value })
            }
            Annotation::Reach { id } => vec![Trigger::Reach { id }],
        };
    }
    let Inst::Call { callee, args, .. } = *inst else {
        return Vec::new();
    };
    let args = function.list(args);
    let found = match (targets.get(callee.index()), args) {
        (Some(Target::Builtin(Builtin::Case)), &[switch, case]) => numbers
            .get(switch)
            .zip(numbers.get(case))
            .map(|(switch, case)| Trigger::Case { switch, case }),
        (Some(Target::Builtin(Builtin::Label)), &[id, _]) => {
            numbers.get(id).map(|id| Trigger::Label { id })
        }
        _ => None,
    };
    found.into_iter().collect()
}
