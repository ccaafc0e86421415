//! Labels in the source, as LTest writes them: `pc_label(predicate, id, "tag")`.
//!
//! The call becomes `labrys_label`. A predicate never forks a path, so `&&` and `||` in it are
//! turned into `&` and `|` over operands that are 0 or 1, unless the right one can fault.

use super::conditions::is_logical;
use super::label_places::Notation;
use super::purity::can_fault;
use super::{Annotator, next_number};
use crate::ast::{AstKind, AstNode, LiteralValue};
use labrys_ledger::{Criterion, Trigger};

impl Annotator<'_> {
    /// Replaces a label call by its annotation.
    pub(super) fn label(&mut self, call: &AstNode) {
        let (Some(whole), Some(predicate)) = (call.span(), call.child(1)) else {
            return;
        };
        let Some(span) = predicate.span() else { return };
        if call.callee() != Some("pc_label") {
            let at = self.excerpt(whole);
            self.program.notes.insert(format!(
                "{}:{}: of {} only the first predicate is measured",
                at.file,
                at.line,
                call.callee().unwrap_or_default()
            ));
        }
        let at = self.excerpt(span);
        if has_assignment(predicate) {
            self.program.notes.insert(format!(
                "{}:{}: the predicate of a label has side effects: it is left out",
                at.file, at.line
            ));
            return self.drop_label(call);
        }
        let id = next_number(&mut self.program.numbers.label);
        let tag = call
            .inner
            .iter()
            .skip(2)
            .find_map(|argument| match &argument.skip_implicit() {
                AstNode {
                    kind: AstKind::StringLiteral,
                    value: Some(LiteralValue::Text(text)),
                    ..
                } => Some(text.trim_matches('"').to_owned()),
                _ => None,
            });
        let text = match tag {
            Some(tag) if !tag.is_empty() => format!("{} [{tag}]", at.text),
            _ => at.text.clone(),
        };
        self.objective(Criterion::Labels, &at, text, Trigger::Label { id });
        if self.context.plan.notation == Notation::Ltest {
            return;
        }
        self.edits.delete(whole.0, span.0);
        self.edits.delete(span.1, whole.1);
        self.edits.before(span.0, format!("LABRYS_LABEL({id}, "));
        self.predicate(predicate);
        self.edits.after(span.1, ")");
    }

    /// Takes a label call out of the program when labels are not asked for.
    pub(super) fn drop_label(&mut self, call: &AstNode) {
        if let (Notation::Calls, Some((begin, end))) = (self.context.plan.notation, call.span()) {
            self.edits.drop_for(begin, end, "((void)0)");
        }
    }

    fn predicate(&mut self, node: &AstNode) {
        if is_logical(node)
            && let [left, right] = node.inner.as_slice()
        {
            for operand in [left, right] {
                let Some(span) = operand.span() else { continue };
                self.edits.before(span.0, "!!(");
                self.predicate(operand);
                self.edits.after(span.1, ")");
            }
            if let (Some((_, end)), false) = (left.span(), can_fault(right)) {
                // The operator follows the left operand, `&&` becomes `&`.
                let operator = self.context.source.skip_blank(end);
                self.edits.delete(operator, operator + 1);
            }
            return;
        }
        for child in &node.inner {
            self.predicate(child);
        }
    }
}

/// Whether an expression changes something itself, whatever the functions do that it calls.
fn has_assignment(node: &AstNode) -> bool {
    let itself = match node.kind {
        AstKind::BinaryOperator => node.opcode() == "=",
        AstKind::UnaryOperator => matches!(node.opcode(), "++" | "--"),
        AstKind::CompoundAssignOperator => true,
        _ => false,
    };
    itself || node.inner.iter().any(has_assignment)
}
