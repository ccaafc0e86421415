//! Mutants of statements in the meta-mutant: deleted (`SDL`), a jump exchanged for another (`SBRC`),
//! a `break` of a `switch` dropped (`SWR`).
//!
//! A statement `S` becomes `{ if (!labrys_mutant(7)) S }`: one branch with a join behind it, and no
//! text stands twice, so `S` may hold anything but a label that somebody can jump to.

use super::Annotator;
use super::mutation_operator::MutationOperator;
use super::operators::ExpressionMutant;
use super::statements::{end_of, head_of};
use crate::ast::{AstKind, AstNode};
use crate::dialects;
use std::collections::BTreeSet;

/// A longer statement is shown by its head: a line of the list has room for about this many
/// characters.
const MAX_SHOWN: usize = 60;

/// Where the walk over the statements is.
#[derive(Default)]
pub(super) struct StatementWalk {
    /// Statements that clang lists several times have their mutants once.
    seen: BTreeSet<u64>,
    /// Statements that must stay: values of statement expressions, and what has an attribute.
    kept: BTreeSet<u64>,
    /// Expressions whose values nobody uses.
    unused: BTreeSet<u64>,
    /// What `break` and `continue` here mean, innermost last.
    around: Vec<Breakable>,
    /// If the last statement of the function were left out, it would end without a value.
    needs_value: bool,
    /// The last statement of the body.
    last: u64,
}

/// A statement that `break` leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breakable {
    Loop,
    /// With the last statement of its body.
    Switch(u64),
}

/// A statement whose first half is written.
#[derive(Default)]
pub(super) struct OpenStatement {
    end: Option<(u32, String)>,
    breakable: bool,
}

/// What may stand in the place of a statement: the mutant and the new statement.
type StatementMutants = Vec<(ExpressionMutant, &'static str)>;

impl Annotator<'_> {
    /// Notes how the function ends.
    pub(super) fn function_end(&mut self, body: &AstNode) {
        let ty = self.context.types.of(self.function);
        let has_value = ty.function().is_some_and(|f| !f.result.is_void());
        let last = body.inner.last().map(innermost);
        let returns = last.is_some_and(|s| s.kind == AstKind::ReturnStmt);
        self.statements.needs_value = has_value && !returns && self.function.name() != "main";
        self.statements.last = last.map_or(0, |s| s.id);
    }

    /// Begins a statement that may be left out or replaced.
    pub(super) fn open_statement(&mut self, node: &AstNode) -> OpenStatement {
        let mut open = OpenStatement::default();
        if !self.context.plan.mutants {
            return open;
        }
        match node.kind {
            AstKind::AttributedStmt => self.keep(node.inner.last()),
            _ if is_expression(node) => self.discard(node),
            _ => {}
        }
        if self.statements.seen.insert(node.id) {
            let mut found = self.statement_mutants(node);
            found.retain(|(mutant, _)| self.is_wanted(mutant));
            open.end = self.write_statement(node, found);
        }
        let breakable = match node.kind {
            AstKind::WhileStmt | AstKind::DoStmt | AstKind::ForStmt => Some(Breakable::Loop),
            AstKind::SwitchStmt => Some(Breakable::Switch(last_of(node))),
            _ => None,
        };
        open.breakable = breakable.is_some();
        self.statements.around.extend(breakable);
        open
    }

    pub(super) fn close_statement(&mut self, open: OpenStatement) {
        if open.breakable {
            self.statements.around.pop();
        }
        if let Some((end, text)) = open.end {
            self.edits.after(end, text);
        }
    }

    /// A statement that stays as it is; the one below its labels, if there are any.
    pub(super) fn keep(&mut self, statement: Option<&AstNode>) {
        let mut statement = statement;
        while let Some(node) = statement {
            self.statements.kept.insert(node.id);
            let labelled = matches!(node.kind, AstKind::LabelStmt | AstKind::AttributedStmt);
            statement = node.inner.last().filter(|_| labelled);
        }
    }

    /// Nobody uses the value of this expression.
    pub(super) fn discard(&mut self, node: &AstNode) {
        let mut node = node;
        loop {
            self.statements.unused.insert(node.id);
            let through = matches!(node.kind, AstKind::ParenExpr | AstKind::CStyleCastExpr);
            match node.child(0) {
                Some(inner) if through => node = inner,
                _ => return,
            }
        }
    }

    pub(super) fn is_unused(&self, node: &AstNode) -> bool {
        self.statements.unused.contains(&node.id)
    }

    /// Whether mutants of the operator are asked for.
    pub(super) fn has(&self, operator: MutationOperator) -> bool {
        self.context.plan.operators.contains(&operator)
    }

    fn write_statement(
        &mut self,
        node: &AstNode,
        found: StatementMutants,
    ) -> Option<(u32, String)> {
        let (begin, _) = node.span().filter(|_| !found.is_empty())?;
        let end = end_of(node, self.context.source)?;
        let (mutants, texts): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let point = self.point_of(mutants, (begin, end));
        self.edits
            .before(begin, format!("{{ if (!labrys_mutant({point})) "));
        let mut close = String::new();
        for (number, text) in (1..).zip(texts).filter(|(_, text)| !text.is_empty()) {
            close += &format!(" else if (labrys_mutant({point}) == {number}) {text}");
        }
        Some((end, close + " }"))
    }

    fn statement_mutants(&mut self, node: &AstNode) -> StatementMutants {
        let mut found = Vec::new();
        if self.statements.kept.contains(&node.id) || has_label(node) {
            return found;
        }
        if let Some(operator) = self.deletion(node) {
            self.statement_mutant(operator, node, ";", "", &mut found);
        }
        let around = &self.statements.around;
        let loops = around.contains(&Breakable::Loop);
        match node.kind {
            AstKind::BreakStmt if loops => {
                self.statement_mutant(
                    MutationOperator::Sbrc,
                    node,
                    "continue;",
                    "continue;",
                    &mut found,
                );
            }
            AstKind::ContinueStmt if !self.statements.needs_value => {
                self.statement_mutant(MutationOperator::Sbrc, node, "break;", "break;", &mut found);
            }
            _ => {}
        }
        found
    }

    fn statement_mutant(
        &mut self,
        operator: MutationOperator,
        node: &AstNode,
        shown: &str,
        text: &'static str,
        found: &mut StatementMutants,
    ) {
        let Some((span, old)) = self.shown_statement(node) else {
            return;
        };
        let shown = format!("{operator}: {old} → {shown}");
        found.push((ExpressionMutant::written(operator, span, shown), text));
    }

    /// The statement as the user wrote it; a long one without its body.
    fn shown_statement(&mut self, node: &AstNode) -> Option<((u32, u32), String)> {
        let (begin, _) = node.span()?;
        let whole = (begin, end_of(node, self.context.source)?);
        let text = self.excerpt(whole).text;
        if text.chars().count() <= MAX_SHOWN || is_expression(node) {
            return Some((whole, text));
        }
        let head = head_of(node, self.context.source)?;
        let head = self.excerpt(head).text;
        Some((whole, format!("{head} …")))
    }

    /// The operator that leaves a statement out, if one does.
    fn deletion(&self, node: &AstNode) -> Option<MutationOperator> {
        let deleted = match node.kind {
            AstKind::IfStmt => {
                let branches = 1 + usize::from(node.has_else);
                let condition = node.inner.len().checked_sub(branches + 1)?;
                let same = !node.has_else && self.becomes_false(node.child(condition)?);
                !same && self.may_be_left_out(node)
            }
            AstKind::WhileStmt => {
                let condition = node.inner.len().checked_sub(2)?;
                !self.becomes_false(node.child(condition)?) && self.may_be_left_out(node)
            }
            AstKind::DoStmt | AstKind::ForStmt | AstKind::SwitchStmt => self.may_be_left_out(node),
            AstKind::ReturnStmt => !self.statements.needs_value && self.statements.last != node.id,
            AstKind::BreakStmt => return self.break_deletion(node),
            AstKind::ContinueStmt | AstKind::GotoStmt => !self.statements.needs_value,
            AstKind::CompoundStmt => node.inner.len() > 1 && self.may_be_left_out(node),
            _ => {
                let has_effect = is_expression(node) && !self.is_pure(node) && !is_fixed(node);
                let deleted = has_effect && self.may_be_left_out(node);
                let call = node.kind == AstKind::CallExpr;
                if deleted && call && !self.has(MutationOperator::Sdl) {
                    return Some(MutationOperator::Cdl);
                }
                deleted
            }
        };
        deleted.then_some(MutationOperator::Sdl)
    }

    /// Without a `break` control falls into the next case, or stays in a loop.
    fn break_deletion(&self, node: &AstNode) -> Option<MutationOperator> {
        match self.statements.around.last()? {
            Breakable::Switch(last) if *last == node.id => None,
            Breakable::Switch(_) if self.has(MutationOperator::Swr) => Some(MutationOperator::Swr),
            _ => Some(MutationOperator::Sdl),
        }
    }

    /// Whether another operator makes the condition false, which leaves its statement out, too.
    fn becomes_false(&self, condition: &AstNode) -> bool {
        let chosen = self.has(MutationOperator::Dcr) || self.has_constants(condition);
        chosen && self.is_pure(condition)
    }

    /// Whether the function still ends with a value, if it has one.
    fn may_be_left_out(&self, node: &AstNode) -> bool {
        if !self.statements.needs_value {
            return true;
        }
        let mut stays = false;
        node.walk(&mut |n| {
            stays |= match n.kind {
                AstKind::ReturnStmt | AstKind::GotoStmt | AstKind::IndirectGotoStmt => true,
                AstKind::WhileStmt | AstKind::DoStmt | AstKind::ForStmt => true,
                _ => n.type_text().contains("noreturn"),
            };
        });
        !stays
    }
}

/// Whether a statement is an expression.
pub(super) fn is_expression(node: &AstNode) -> bool {
    matches!(
        node.kind,
        AstKind::ParenExpr
            | AstKind::UnaryOperator
            | AstKind::BinaryOperator
            | AstKind::CompoundAssignOperator
            | AstKind::ConditionalOperator
            | AstKind::CStyleCastExpr
            | AstKind::CallExpr
            | AstKind::StmtExpr
    )
}

/// The statement below labels.
pub(super) fn innermost(node: &AstNode) -> &AstNode {
    let mut node = node;
    while let (
        AstKind::LabelStmt | AstKind::CaseStmt | AstKind::DefaultStmt | AstKind::AttributedStmt,
        Some(inner),
    ) = (node.kind, node.inner.last())
    {
        node = inner;
    }
    node
}

/// The last statement of the body of a switch.
fn last_of(switch: &AstNode) -> u64 {
    let mut node = match switch.inner.last() {
        Some(body) => body,
        None => return 0,
    };
    loop {
        node = innermost(node);
        match (node.kind, node.inner.last()) {
            (AstKind::CompoundStmt, Some(last)) => node = last,
            _ => return node.id,
        }
    }
}

/// Whether somebody may jump to a label inside a statement.
fn has_label(node: &AstNode) -> bool {
    fn holds(node: &AstNode, in_switch: bool) -> bool {
        match node.kind {
            AstKind::LabelStmt => return true,
            AstKind::CaseStmt | AstKind::DefaultStmt if !in_switch => return true,
            _ => {}
        }
        let in_switch = in_switch || node.kind == AstKind::SwitchStmt;
        node.inner.iter().any(|child| holds(child, in_switch))
    }
    holds(node, false)
}

/// Calls that belong to a driver, to lists of arguments or to an assertion.
fn is_fixed(node: &AstNode) -> bool {
    let mut fixed = false;
    node.walk(&mut |n| {
        let own = |name: &str| {
            dialects::is_implemented(name)
                || name.starts_with("__builtin_va_")
                || name.starts_with("__assert")
                || name.contains("setjmp")
        };
        fixed |= n.callee().is_some_and(own);
    });
    fixed
}
