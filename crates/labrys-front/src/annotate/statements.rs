//! Statements: where they begin and end, and what is inserted before them.

use super::places::Notation;
use super::{Annotator, take};
use crate::ast::{Kind, Node};
use crate::source::Source;
use labrys_ledger::{Criterion, Trigger};

impl Annotator<'_> {
    /// Annotates the body of the function.
    pub(super) fn function_body(&mut self, body: &Node) {
        let mut entry = String::new();
        if self.context.plan.wanted.has(Criterion::Function) {
            entry = self.function_entry();
        }
        entry += &self.input_domain();
        self.parameters();
        self.statement(body, true);
        let temporaries = std::mem::take(&mut self.temporaries);
        self.insert_at_entry(body, &(temporaries + &entry));
    }

    fn function_entry(&mut self) -> String {
        let Some(name) = self.function.loc.0 else {
            return String::new();
        };
        let id = take(&mut self.session.numbers.reach);
        let at = self.excerpt(name);
        let text = format!("{} is called", self.function.name());
        self.objective(Criterion::Function, &at, text, Trigger::Reach { id });
        format!(" {};", self.reach(id))
    }

    fn insert_at_entry(&mut self, body: &Node, text: &str) {
        let Some((open, _)) = body.span().filter(|_| !text.is_empty()) else {
            return;
        };
        // Local label declarations must stay first.
        let labels = body.inner.iter().take_while(|s| {
            s.kind == Kind::DeclStmt && s.inner.iter().any(|d| d.kind == Kind::LabelDecl)
        });
        let entry = labels
            .filter_map(Node::span)
            .map(|(_, end)| end)
            .last()
            .unwrap_or(open + 1);
        self.edits.after(entry, text);
    }

    /// Annotates a statement. `block` says that it stands, perhaps after labels, directly in
    /// a block, where other statements can be put before it.
    pub(super) fn statement(&mut self, node: &Node, block: bool) {
        if let Kind::CompoundStmt = node.kind {
            let visible = self.variables.len();
            for child in &node.inner {
                self.statement(child, true);
            }
            self.variables.truncate(visible);
            return;
        }
        let reach = self.context.plan.wanted.has(Criterion::Statement) && is_executable(node);
        let begin = node.span().map(|s| s.0);
        let mut brace = None;
        if let (true, Some(begin)) = (reach, begin) {
            let id = self.reach_objective(node);
            let reach = self.reach(id);
            if block {
                self.edits.before(begin, format!("{reach}; "));
            } else {
                brace = end_of(node, self.context.source);
                if brace.is_some() {
                    self.edits.before(begin, format!("{{ {reach}; "));
                }
            }
        }
        if self.context.plan.notation == Notation::Ltest {
            self.first_expression = first_expression(node).zip(begin.filter(|_| block));
        }
        self.parts(node, block);
        if let Some(end) = brace {
            self.edits.after(end, " }");
        }
    }

    fn reach_objective(&mut self, node: &Node) -> u32 {
        let id = take(&mut self.session.numbers.reach);
        if let Some(span) = head_of(node, self.context.source) {
            let at = self.excerpt(span);
            let text = at.text.clone();
            self.objective(Criterion::Statement, &at, text, Trigger::Reach { id });
        }
        id
    }

    fn parts(&mut self, node: &Node, block: bool) {
        let child = |index: usize| node.child(index).filter(|n| n.kind != Kind::Nothing);
        match node.kind {
            Kind::IfStmt => {
                let branches = 1 + usize::from(node.has_else);
                let condition = node.inner.len().saturating_sub(branches + 1);
                if let Some(condition) = child(condition) {
                    self.controlling(condition);
                }
                for branch in node.inner.iter().skip(condition + 1) {
                    self.statement(branch, false);
                }
            }
            Kind::WhileStmt => {
                if let [.., condition, body] = node.inner.as_slice() {
                    self.controlling(condition);
                    self.statement(body, false);
                }
            }
            Kind::DoStmt => {
                if let [body, condition] = node.inner.as_slice() {
                    self.statement(body, false);
                    self.controlling(condition);
                }
            }
            Kind::ForStmt => {
                let visible = self.variables.len();
                if let Some(init) = child(0) {
                    self.for_init(init);
                }
                if let Some(condition) = child(2) {
                    self.controlling(condition);
                }
                if let Some(increment) = child(3) {
                    self.expression(increment);
                }
                if let Some(body) = child(4) {
                    self.statement(body, false);
                }
                self.variables.truncate(visible);
            }
            Kind::SwitchStmt => self.switch_statement(node),
            Kind::CaseStmt | Kind::DefaultStmt => self.case(node, block),
            Kind::LabelStmt | Kind::AttributedStmt => {
                if let Some(labelled) = node.inner.last() {
                    self.statement(labelled, block);
                }
            }
            Kind::DeclStmt => self.for_init(node),
            Kind::GCCAsmStmt | Kind::MSAsmStmt | Kind::NullStmt => {}
            Kind::ReturnStmt | Kind::IndirectGotoStmt => {
                for value in &node.inner {
                    self.expression(value);
                }
            }
            Kind::BreakStmt | Kind::ContinueStmt | Kind::GotoStmt => {}
            _ => self.expression(node),
        }
    }

    /// Declarations or an expression, evaluated where they stand.
    fn for_init(&mut self, node: &Node) {
        if node.kind != Kind::DeclStmt {
            return self.expression(node);
        }
        for variable in node.inner.iter().filter(|d| d.kind == Kind::VarDecl) {
            if let (false, Some(init)) = (has_static_storage(variable), variable.initialiser()) {
                self.expression(init);
            }
            self.declare(variable);
        }
    }
}

/// The expression that a statement evaluates before anything else.
fn first_expression(node: &Node) -> Option<u64> {
    let first = match node.kind {
        Kind::IfStmt => node.child(
            node.inner
                .len()
                .checked_sub(2 + usize::from(node.has_else))?,
        ),
        Kind::SwitchStmt => node.child(node.inner.len().checked_sub(2)?),
        Kind::ReturnStmt => node.child(0),
        Kind::DeclStmt => {
            let variable = node.child(0).filter(|d| d.kind == Kind::VarDecl)?;
            variable
                .initialiser()
                .filter(|_| !has_static_storage(variable))
        }
        Kind::BinaryOperator | Kind::CompoundAssignOperator => Some(node),
        _ => None,
    };
    first.map(|n| n.id)
}

fn has_static_storage(variable: &Node) -> bool {
    variable.is_static() || variable.is_extern()
}

/// Whether running the statement does something that can be seen.
fn is_executable(node: &Node) -> bool {
    match node.kind {
        Kind::NullStmt | Kind::CompoundStmt | Kind::LabelStmt | Kind::CaseStmt => false,
        Kind::DefaultStmt | Kind::Nothing => false,
        Kind::AttributedStmt => node.inner.last().is_some_and(is_executable),
        Kind::DeclStmt => node
            .inner
            .iter()
            .any(|d| d.kind == Kind::VarDecl && d.init.is_some() && !has_static_storage(d)),
        _ => true,
    }
}

/// The part of a statement that is shown: without the bodies of loops and branches.
fn head_of(node: &Node, source: &Source) -> Option<(u32, u32)> {
    let (begin, end) = node.span()?;
    let body = match node.kind {
        Kind::IfStmt => node.child(1),
        Kind::WhileStmt | Kind::ForStmt | Kind::SwitchStmt => node.inner.last(),
        Kind::DoStmt => return Some((begin, begin + 2)),
        Kind::DeclStmt => return Some((begin, end)),
        _ => return Some((begin, end_of(node, source).unwrap_or(end))),
    };
    let head = body.and_then(Node::span).map_or(end, |(body, _)| body);
    let text = source.slice((begin, head));
    // Macro-generated bodies may share the line; the head ends with its last parenthesis.
    Some((
        begin,
        begin + text.rfind(')').map_or(text.trim_end().len(), |p| p + 1) as u32,
    ))
}

/// The byte after a statement, its semicolon included.
pub(super) fn end_of(node: &Node, source: &Source) -> Option<u32> {
    let (_, end) = node.span()?;
    match node.kind {
        Kind::CompoundStmt | Kind::NullStmt | Kind::DeclStmt => Some(end),
        Kind::IfStmt
        | Kind::WhileStmt
        | Kind::ForStmt
        | Kind::SwitchStmt
        | Kind::LabelStmt
        | Kind::CaseStmt
        | Kind::DefaultStmt
        | Kind::AttributedStmt => end_of(node.inner.last()?, source),
        _ => source.after(end, b';'),
    }
}
