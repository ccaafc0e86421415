//! Mutants of `switch` in the meta-mutant (`SWR`): a case label is dropped, so that its value goes to
//! `default` or nowhere; it is moved to the next case; control no longer falls into a case. That it
//! falls where it did not is in `statement_mutants.rs`.
//!
//! Labels stay where they are: the value is changed instead, in one place.

use super::Annotator;
use super::meta_mutant::OpenChoice;
use super::mutation_operator::MutationOperator;
use super::operators::ExpressionMutant;
use super::statement_mutants::innermost;
use super::switches::cases_of;
use crate::ast::{AstKind, AstNode};

/// A case label with one value.
struct SwitchCase<'n> {
    node: &'n AstNode,
    /// The first and the last value; `None` for `default`.
    values: Option<(i128, i128)>,
    /// The statement that it labels, perhaps together with other labels.
    target: u64,
}

impl Annotator<'_> {
    /// Begins the value of a switch, whose labels may be dropped or moved.
    pub(super) fn open_switch(&mut self, value: &AstNode, body: &AstNode) -> OpenChoice {
        let wanted = self.changes() && self.has(MutationOperator::Swr);
        let Some(span) = value.span().filter(|_| wanted) else {
            return self.unchanged();
        };
        self.fallen_into(body);
        let mut found = self.other_labels(body);
        found.retain(|(mutant, _)| self.is_wanted(mutant));
        if found.is_empty() {
            return self.unchanged();
        }
        let point = self.point(&found, Some(span));
        let mut chosen = String::new();
        for (number, (_, text)) in (1..).zip(&found) {
            chosen += &format!("labrys_mutant({point}) == {number} && {text} : ");
        }
        self.edits.before(
            span.0,
            "(__extension__({ __auto_type labrys_value = +(".to_owned(),
        );
        self.opened(format!(
            "); labrys_mutant({point}) ? {chosen}labrys_value : labrys_value; }}))"
        ))
    }

    /// The labels that may be dropped or moved, each with `labrys_value == C ? D`.
    fn other_labels(&mut self, body: &AstNode) -> Vec<(ExpressionMutant, String)> {
        let mut nodes = Vec::new();
        cases_of(body, &mut nodes);
        let cases: Option<Vec<SwitchCase>> = nodes.into_iter().map(|n| self.case_of(n)).collect();
        let Some(cases) = cases else {
            return Vec::new();
        };
        let ranges: Vec<(i128, i128)> = cases.iter().filter_map(|c| c.values).collect();
        let is_free = |n: &i128| !ranges.iter().any(|(low, high)| (low..=high).contains(&n));
        let Some(free) = (0..=ranges.len() as i128 * 2 + 1).find(is_free) else {
            return Vec::new();
        };
        let default = cases.iter().find(|c| c.values.is_none());
        let mut found = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            let Some((value, _)) = case.values.filter(|(low, high)| low == high) else {
                continue;
            };
            if default.is_none_or(|d| d.target != case.target) {
                self.other_label(case, value, free, "(dropped)", &mut found);
            }
            let next = cases[index + 1..].iter().find(|c| c.target != case.target);
            if let Some((next, (other, _))) = next.and_then(|c| c.values.map(|v| (c, v))) {
                let new = format!("(moved to {})", self.shown_label(next.node));
                self.other_label(case, value, other, &new, &mut found);
            }
        }
        found
    }

    fn other_label(
        &mut self,
        case: &SwitchCase,
        from: i128,
        to: i128,
        new: &str,
        found: &mut Vec<(ExpressionMutant, String)>,
    ) {
        let Some(span) = label_span(case.node) else {
            return;
        };
        let shown = format!("SWR: {} → {new}", self.shown_label(case.node));
        let of_type = |value: i128| format!("(__typeof__(labrys_value))({value}LL)");
        let text = format!("labrys_value == {} ? {}", of_type(from), of_type(to));
        let mutant = ExpressionMutant::written(MutationOperator::Swr, span, shown);
        found.push((mutant, text));
    }

    fn shown_label(&mut self, case: &AstNode) -> String {
        let text = label_span(case).map_or(String::new(), |span| self.excerpt(span).text);
        format!("{text}:")
    }

    fn case_of<'n>(&self, node: &'n AstNode) -> Option<SwitchCase<'n>> {
        let values = match (node.kind, node.is_gnu_range) {
            (AstKind::DefaultStmt, _) => None,
            (_, false) => Some(self.constant(node.child(0)?)?).map(|value| (value, value)),
            (_, true) => Some((
                self.constant(node.child(0)?)?,
                self.constant(node.child(1)?)?,
            )),
        };
        // Larger ones cannot be written with their signs.
        let small = |value: i128| value.abs() <= i128::from(i64::MAX);
        if values.is_some_and(|(low, high)| !small(low) || !small(high)) {
            return None;
        }
        let target = innermost(node).id;
        Some(SwitchCase {
            node,
            values,
            target,
        })
    }

    /// Finds the cases of a body into which control falls, and where a `break` could stop it.
    fn fallen_into(&mut self, body: &AstNode) {
        if body.kind != AstKind::CompoundStmt {
            return;
        }
        for pair in body.inner.windows(2) {
            let [before, case] = pair else { continue };
            let labelled = matches!(case.kind, AstKind::CaseStmt | AstKind::DefaultStmt);
            let Some((begin, _)) = case.span().filter(|_| labelled && completes(before)) else {
                continue;
            };
            // `[[fallthrough]];` must stay directly before the label.
            let attribute = before.kind == AstKind::AttributedStmt;
            let place = match (attribute, before.span()) {
                (true, Some((attribute, _))) => attribute,
                (true, None) => continue,
                _ => begin,
            };
            self.stops.insert(case.id, place);
        }
    }

    /// A `break` before a case into which control falls.
    pub(super) fn stop_before(&mut self, case: &AstNode) {
        let (Some(place), Some(span)) = (self.stops.remove(&case.id), label_span(case)) else {
            return;
        };
        let label = self.shown_label(case);
        let shown = format!("SWR: {label} → break; {label}");
        let mutant = ExpressionMutant::written(MutationOperator::Swr, span, shown);
        if self.is_wanted(&mutant) {
            let point = self.point_of(vec![mutant], (place, place));
            self.edits
                .before(place, format!("if (labrys_mutant({point})) break; "));
        }
    }
}

/// From `case` to the constant, or `default`.
fn label_span(case: &AstNode) -> Option<(u32, u32)> {
    let (begin, _) = case.span()?;
    let constant = match (case.kind, case.is_gnu_range) {
        (AstKind::DefaultStmt, _) => return Some((begin, begin + "default".len() as u32)),
        (_, true) => case.child(1)?,
        (_, false) => case.child(0)?,
    };
    Some((begin, constant.span()?.1))
}

/// Whether control can reach the end of a statement, as far as its last statement tells.
fn completes(node: &AstNode) -> bool {
    let node = innermost(node);
    match node.kind {
        AstKind::BreakStmt | AstKind::ContinueStmt | AstKind::ReturnStmt => false,
        AstKind::GotoStmt | AstKind::IndirectGotoStmt => false,
        AstKind::CompoundStmt => node.inner.last().is_none_or(completes),
        AstKind::IfStmt if node.has_else => node.inner.iter().rev().take(2).any(completes),
        AstKind::CallExpr => {
            let callee = node.child(0).map(AstNode::skip_implicit);
            !callee.is_some_and(|f| f.type_text().contains("noreturn"))
        }
        _ => true,
    }
}
