//! `switch`: one objective for every case label, every `default`, and, where there is no
//! `default`, for "no case matches". A label counts only when the switch jumps to it, not when
//! control falls into it; the runtime tells the two apart.

use super::label_places::{Notation, tag};
use super::statements::end_of;
use super::{Annotator, next_number, render};
use crate::ast::{AstKind, AstNode};
use crate::types::TypeShape;
use labrys_ledger::{Criterion, Trigger};

/// The switch statement around the statement that is being annotated.
pub(super) struct SwitchContext {
    number: u32,
    next_case: u32,
    text: String,
    has_default: bool,
}

impl Annotator<'_> {
    pub(super) fn switch_statement(&mut self, node: &AstNode) {
        let [.., value, body] = node.inner.as_slice() else {
            return;
        };
        let (Some(span), Some(body_span)) = (value.span(), body.span()) else {
            return;
        };
        let ty = self.context.types.of(value);
        let wide = matches!(ty.canonical().shape, TypeShape::Int { bits: 128, .. });
        let annotate = self.context.plan.wanted.switches() && !wide;
        if !annotate {
            let outer = self.switch.take();
            let choice = self.open_switch(value, body);
            self.expression(value);
            self.close_choice(choice, value);
            self.statement(body, false);
            self.switch = outer;
            return;
        }
        let number = next_number(&mut self.program.numbers.switch);
        let text = self.excerpt(span).text;
        if self.context.plan.notation == Notation::Ltest {
            return self.labelled_switch(node, number, text);
        }
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
        let switch = SwitchContext {
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

    fn case_objective(
        &mut self,
        switch: &mut SwitchContext,
        span: (u32, u32),
        text: String,
    ) -> u32 {
        let case = next_number(&mut switch.next_case);
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
    pub(super) fn case(&mut self, node: &AstNode, block: bool) {
        self.stop_before(node);
        let constants = match (node.kind, node.is_gnu_range) {
            (AstKind::DefaultStmt, _) => 0,
            (_, true) => 2,
            (_, false) => 1,
        };
        let labelled = node
            .inner
            .get(constants)
            .filter(|n| n.kind != AstKind::Nothing);
        let Some((begin, _)) = node.span() else {
            return;
        };
        let constant_end = match constants.checked_sub(1).and_then(|i| node.child(i)) {
            Some(constant) => constant.span().map(|(_, end)| end),
            None => Some(begin + "default".len() as u32),
        };
        let colon = constant_end.and_then(|end| self.context.source.after(end, b':'));
        let mut close = None;
        if let (Some(mut switch), Some(colon), Some(end)) =
            (self.switch.take(), colon, constant_end)
        {
            let label = self.excerpt((begin, end)).text;
            switch.has_default |= node.kind == AstKind::DefaultStmt;
            let text = format!("{label} of switch ({})", switch.text);
            let case = self.case_objective(&mut switch, (begin, end), text);
            let call = format!("labrys_case({}, {case});", switch.number);
            self.switch = Some(switch);
            if self.context.plan.notation == Notation::Ltest {
                // The labels of the cases stand before the switch.
            } else if block {
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

    /// A switch in LTest's notation: the labels of all its cases stand before it and speak of its
    /// value, since control can also fall into a case.
    fn labelled_switch(&mut self, node: &AstNode, number: u32, text: String) {
        let [.., value, body] = node.inner.as_slice() else {
            return;
        };
        let Some(span) = value.span() else {
            return;
        };
        let pure = self.is_pure(value);
        let shown = match pure {
            true => render::plain(self.context.source, value),
            false => format!("labrys_switch_{number}"),
        };
        let mut cases = Vec::new();
        cases_of(body, &mut cases);
        let matches: Vec<Option<String>> =
            (cases.iter()).map(|c| self.matches(c, &shown)).collect();
        let any: Vec<&str> = matches.iter().flatten().map(String::as_str).collect();
        let none = match any.is_empty() {
            true => "1".to_owned(),
            false => format!("!({})", any.join(" | ")),
        };
        let mut predicates: Vec<String> = matches
            .iter()
            .map(|m| m.clone().unwrap_or_else(|| none.clone()))
            .collect();
        if cases.iter().all(|c| c.kind != AstKind::DefaultStmt) {
            predicates.push(none);
        }
        let criteria = [
            Criterion::Branch,
            Criterion::Decision,
            Criterion::DecisionCondition,
        ];
        let wanted = self.context.plan.wanted;
        let tag = criteria
            .into_iter()
            .find(|c| wanted.has(*c))
            .map_or("BC", tag);
        let mut labels = Vec::new();
        let mut ids = Vec::new();
        for predicate in &predicates {
            let id = next_number(&mut self.program.numbers.label);
            labels.push(format!("pc_label({predicate}, {id}, \"{tag}\")"));
            ids.push(id);
        }
        if pure {
            let opened = self.open_labels(&labels, value);
            self.expression(value);
            self.close(opened, span.1);
        } else {
            let ty = self.context.types.of(value).unqualified();
            self.temporary(format!(" {};", self.context.types.declare(&ty, &shown)));
            self.edits.before(span.0, format!("({shown} = ("));
            self.expression(value);
            self.edits
                .after(span.1, format!("), {}, {shown})", labels.join(", ")));
        }
        let switch = SwitchContext {
            number,
            next_case: 0,
            text,
            has_default: false,
        };
        let outer = self.switch.replace(switch);
        self.statement(body, false);
        let inner = std::mem::replace(&mut self.switch, outer);
        if let Some(mut switch) = inner.filter(|s| !s.has_default) {
            let text = format!("no case matches in switch ({})", switch.text);
            self.case_objective(&mut switch, span, text);
        }
        let first = self.first_objective;
        for objective in &mut self.program.objectives[first..] {
            if let Trigger::Case { switch, case } = objective.trigger
                && switch == number
                && let Some(id) = ids.get(case as usize)
            {
                objective.trigger = Trigger::Label { id: *id };
            }
        }
    }

    /// That the value is that of a case; `None` for `default`.
    fn matches(&self, case: &AstNode, value: &str) -> Option<String> {
        let text = |index: usize| {
            case.child(index)
                .map(|c| render::plain(self.context.source, c))
        };
        match (case.kind, case.is_gnu_range) {
            (AstKind::DefaultStmt, _) => None,
            (_, false) => Some(format!("(({value}) == ({}))", text(0)?)),
            (_, true) => Some(format!(
                "((({value}) >= ({})) & (({value}) <= ({})))",
                text(0)?,
                text(1)?
            )),
        }
    }
}

/// The case labels of a switch, in order; not those of a switch inside it.
pub(super) fn cases_of<'n>(node: &'n AstNode, found: &mut Vec<&'n AstNode>) {
    if let AstKind::CaseStmt | AstKind::DefaultStmt = node.kind {
        found.push(node);
    }
    for child in node.inner.iter().filter(|c| c.kind != AstKind::SwitchStmt) {
        cases_of(child, found);
    }
}
