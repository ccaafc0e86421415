//! Annotations that report what the program does, without predicates of their own: an outcome of a condition or decision, a place
//! that is reached. The engine and the native runtime have calls for these; in LTest's notation
//! they are labels like any other.

use super::label_places::{Notation, tag};
use super::{Annotator, next_number, render};
use crate::ast::AstNode;
use labrys_ledger::{Criterion, Trigger};

impl Annotator<'_> {
    /// Begins a condition whose outcome is reported; returns what ends it.
    pub(super) fn open_condition(
        &mut self,
        decision: u32,
        index: usize,
        node: &AstNode,
        begin: u32,
    ) -> String {
        let index = index as u32;
        let call = format!("labrys_cond({decision}, {index}, !!(");
        let trigger = |value| Trigger::Condition {
            decision,
            index,
            value,
        };
        self.open_outcome(call, trigger(true), trigger(false), node, begin)
    }

    /// The same for a whole decision.
    pub(super) fn open_decision(&mut self, decision: u32, node: &AstNode, begin: u32) -> String {
        let call = format!("labrys_decision({decision}, !!(");
        let trigger = |value| Trigger::Decision { decision, value };
        self.open_outcome(call, trigger(true), trigger(false), node, begin)
    }

    fn open_outcome(
        &mut self,
        call: String,
        yes: Trigger,
        no: Trigger,
        node: &AstNode,
        begin: u32,
    ) -> String {
        if self.context.plan.notation == Notation::Calls {
            self.edits.before(begin, call);
            return "))".to_owned();
        }
        if self.is_pure(node) {
            let text = render::plain(self.context.source, node);
            let labels = self.outcome_labels(&text, yes, no);
            return match self.open_labels(&labels, node) {
                true => ")".to_owned(),
                false => String::new(),
            };
        }
        let name = format!("labrys_outcome_{}", next_number(&mut self.temporary_number));
        self.temporary(format!(" int {name};"));
        let labels = self.outcome_labels(&name, yes, no).join(", ");
        self.edits.before(begin, format!("({name} = !!("));
        format!("), {labels}, {name})")
    }

    /// The outcome of a variable, as an expression that is 0 or 1; `value` is that expression with
    /// what was reported already.
    pub(super) fn reported(
        &mut self,
        call: &str,
        (variable, value): (&str, String),
        yes: Trigger,
        no: Trigger,
    ) -> String {
        if self.context.plan.notation == Notation::Calls {
            return format!("{call}{value})");
        }
        let labels = self
            .outcome_labels(&format!("!!{variable}"), yes, no)
            .join(", ");
        format!("({labels}, {value})")
    }

    fn outcome_labels(&mut self, text: &str, yes: Trigger, no: Trigger) -> Vec<String> {
        let mut labels = Vec::new();
        if let Some((id, tag)) = self.as_label(yes) {
            labels.push(format!("pc_label({text}, {id}, \"{tag}\")"));
        }
        if let Some((id, tag)) = self.as_label(no) {
            labels.push(format!("pc_label(!({text}), {id}, \"{tag}\")"));
        }
        labels
    }

    /// An expression that reports that it was reached.
    pub(super) fn reach(&mut self, id: u32) -> String {
        match self.context.plan.notation {
            Notation::Calls => format!("labrys_reach({id})"),
            Notation::Ltest => match self.as_label(Trigger::Reach { id }) {
                Some((id, tag)) => format!("pc_label(1, {id}, \"{tag}\")"),
                None => "(void)0".to_owned(),
            },
        }
    }

    /// Makes a label of the objectives that this event covers; its number and tag.
    pub(super) fn as_label(&mut self, trigger: Trigger) -> Option<(u32, &'static str)> {
        let first = self.first_objective;
        let covered = |o: &&mut labrys_ledger::Objective| o.trigger == trigger;
        let mut same = self.program.objectives[first..].iter_mut().filter(covered);
        let one = same.next()?;
        let criterion: Criterion = one.criterion;
        let id = next_number(&mut self.program.numbers.label);
        one.trigger = Trigger::Label { id };
        for other in same {
            other.trigger = Trigger::Label { id };
        }
        Some((id, tag(criterion)))
    }
}
