//! `switch`: one objective for every case label, every `default`, and, where there is no
//! `default`, for "no case matches". A label counts only when the switch jumps to it, not when
//! control falls into it; the runtime tells the two apart.

use super::statements::end_of;
use super::{Annotator, take};
use crate::ast::{Kind, Node};
use crate::types::Shape;
use labrys_ledger::{Criterion, Trigger};

/// The switch statement around the statement that is being annotated.
pub(super) struct Switch {
    number: u32,
    next_case: u32,
    text: String,
    has_default: bool,
}

impl Annotator<'_> {
    pub(super) fn switch_statement(&mut self, node: &Node) {
        let [.., value, body] = node.inner.as_slice() else {
            return;
        };
        let (Some(span), Some(body_span)) = (value.span(), body.span()) else {
            return;
        };
        let ty = self.context.types.of(value);
        let wide = matches!(ty.canonical().shape, Shape::Int { bits: 128, .. });
        let annotate = self.context.plan.wanted.switches() && !wide;
        if !annotate {
            let outer = self.switch.take();
            self.expression(value);
            self.statement(body, false);
            self.switch = outer;
            return;
        }
        let number = take(&mut self.session.numbers.switch);
        let text = self.excerpt(span).text;
        let cast = self.context.types.spell(&ty.unqualified());
        self.edits.before(
            span.0,
            format!("({cast})labrys_switch({number}, (unsigned long long)("),
        );
        self.expression(value);
        self.edits.after(span.1, "))");

        // The body goes into a block of its own so that the added `default` can neither jump
        // into the scope of a variable-length array nor follow a label without a statement.
        let end = end_of(body, self.context.source);
        let switch = Switch {
            number,
            next_case: 0,
            text,
            has_default: false,
        };
        let outer = self.switch.replace(switch);
        self.edits.before(body_span.0, "{ ");
        self.statement(body, false);
        let inner = std::mem::replace(&mut self.switch, outer);
        let mut close = " }".to_owned();
        if let Some(mut switch) = inner.filter(|s| !s.has_default) {
            let text = format!("no case matches in switch ({})", switch.text);
            let case = self.case_objective(&mut switch, span, text);
            close = format!(" default: labrys_case({number}, {case}); }}");
        }
        self.edits.after(end.unwrap_or(body_span.1), close);
    }

    fn case_objective(&mut self, switch: &mut Switch, span: (u32, u32), text: String) -> u32 {
        let case = take(&mut switch.next_case);
        let at = self.excerpt(span);
        let trigger = Trigger::Case {
            switch: switch.number,
            case,
        };
        let wanted = self.context.plan.wanted;
        for criterion in [
            Criterion::Branch,
            Criterion::Decision,
            Criterion::DecisionCondition,
        ] {
            if wanted.has(criterion) {
                self.objective(criterion, &at, text.clone(), trigger);
            }
        }
        case
    }

    /// A `case` or `default` label with its statement.
    pub(super) fn case(&mut self, node: &Node, block: bool) {
        let labels = match (node.kind, node.is_gnu_range) {
            (Kind::DefaultStmt, _) => 0,
            (_, true) => 2,
            (_, false) => 1,
        };
        let labelled = node.inner.get(labels).filter(|n| n.kind != Kind::Nothing);
        let Some((begin, _)) = node.span() else {
            return;
        };
        let constant_end = match labels.checked_sub(1).and_then(|i| node.child(i)) {
            Some(constant) => constant.span().map(|(_, end)| end),
            None => Some(begin + "default".len() as u32),
        };
        let colon = constant_end.and_then(|end| self.context.source.after(end, b':'));
        let mut close = None;
        if let (Some(mut switch), Some(colon), Some(end)) =
            (self.switch.take(), colon, constant_end)
        {
            let label = self.excerpt((begin, end)).text;
            switch.has_default |= node.kind == Kind::DefaultStmt;
            let text = format!("{label} of switch ({})", switch.text);
            let case = self.case_objective(&mut switch, (begin, end), text);
            let call = format!("labrys_case({}, {case});", switch.number);
            self.switch = Some(switch);
            if block {
                self.edits.after(colon, format!(" {call}"));
            } else {
                close = labelled.and_then(|l| end_of(l, self.context.source));
                let open = if close.is_some() { "{ " } else { "" };
                self.edits.after(colon, format!(" {open}{call}"));
            }
        }
        if let Some(labelled) = labelled {
            self.statement(labelled, block || close.is_some());
        }
        if let Some(end) = close {
            self.edits.after(end, " }");
        }
    }
}
