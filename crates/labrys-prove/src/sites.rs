//! Finds the annotations of a module: where each stands, and which events it can give.

use crate::call_effects::CallEffect;
use labrys_ir::{Const, FuncId, Function, Inst, Module, Reg, RegList};
use labrys_ledger::Trigger;
use std::collections::BTreeMap;

/// An instruction of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AnnotationSite {
    pub(crate) function: FuncId,
    pub(crate) at: u32,
}

#[derive(Debug, Default)]
pub(crate) struct AnnotationSites {
    /// All places that can give an event, by the event.
    pub(crate) by_trigger: BTreeMap<Trigger, Vec<AnnotationSite>>,
    /// Some annotation does not say by a constant which one it is.
    pub(crate) unnamed: bool,
}

impl AnnotationSites {
    pub(crate) fn of(module: &Module, known: &[CallEffect]) -> AnnotationSites {
        let mut sites = AnnotationSites::default();
        for (number, function) in module.functions.iter().enumerate() {
            for (at, inst) in function.code.iter().enumerate() {
                let Inst::Call { callee, args, .. } = inst else {
                    continue;
                };
                let site = AnnotationSite {
                    function: FuncId(number as u32),
                    at: at as u32,
                };
                match events(function, known[callee.index()], *args) {
                    None => sites.unnamed = true,
                    Some(events) => {
                        for trigger in events {
                            sites.by_trigger.entry(trigger).or_default().push(site);
                        }
                    }
                }
            }
        }
        sites
    }
}

/// The events that a call can give; none if it does not name them by constants.
pub(crate) fn events(
    function: &Function,
    known: CallEffect,
    args: RegList,
) -> Option<Vec<Trigger>> {
    let args = function.list(args);
    let number = |i: usize| args.get(i).and_then(|reg| constant(function, *reg));
    Some(match known {
        CallEffect::Truth {
            decision: false, ..
        } => {
            let (decision, index) = (number(0)?, number(1)?);
            let event = |value| Trigger::Condition {
                decision,
                index,
                value,
            };
            vec![event(false), event(true)]
        }
        CallEffect::Truth { decision: true, .. } => {
            let decision = number(0)?;
            let event = |value| Trigger::Decision { decision, value };
            vec![event(false), event(true)]
        }
        CallEffect::Case => vec![Trigger::Case {
            switch: number(0)?,
            case: number(1)?,
        }],
        CallEffect::Reach => vec![Trigger::Reach { id: number(0)? }],
        CallEffect::Label => vec![Trigger::Label { id: number(0)? }],
        _ => Vec::new(),
    })
}

fn constant(function: &Function, reg: Reg) -> Option<u32> {
    let (_, value) = function.constants.iter().find(|(r, _)| *r == reg)?;
    match value {
        Const::Int(bits) => Some(*bits as u32),
        _ => None,
    }
}
