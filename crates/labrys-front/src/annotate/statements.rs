//! Walks over the statements of a function: finds where each begins and ends, inserts the
//! annotations of statement criteria, and hands its expressions on.

use super::label_places::Notation;
use super::{Annotator, next_number};
use crate::ast::{AstKind, AstNode};
use crate::source::PreprocessedText;
use labrys_ledger::{Criterion, Trigger};

impl Annotator<'_> {
    /// Annotates the body of the function.
    pub(super) fn function_body(&mut self, body: &AstNode) {
        let mut entry = String::new();
        if self.context.plan.wanted.has(Criterion::Function) {
            entry = self.function_entry();
        }
        entry += &self.input_domain();
        self.parameters();
        self.function_end(body);
        self.statement(body, true);
        let temporaries = std::mem::take(&mut self.temporaries);
        self.insert_at_entry(body, &(temporaries + &entry));
    }

    fn function_entry(&mut self) -> String {
        let Some(name) = self.function.loc.0 else {
            return String::new();
        };
        let id = next_number(&mut self.program.numbers.reach);
        let at = self.excerpt(name);
        let text = format!("{} is called", self.function.name());
        self.objective(Criterion::Function, &at, text, Trigger::Reach { id });
        format!(" {};", self.reach(id))
    }

    fn insert_at_entry(&mut self, body: &AstNode, text: &str) {
        let Some((open, _)) = body.span().filter(|_| !text.is_empty()) else {
            return;
        };
        // Local label declarations must stay first.
        let labels = body.inner.iter().take_while(|s| {
            s.kind == AstKind::DeclStmt && s.inner.iter().any(|d| d.kind == AstKind::LabelDecl)
        });
        let entry = labels
            .filter_map(AstNode::span)
            .map(|(_, end)| end)
            .last()
            .unwrap_or(open + 1);
        self.edits.after(entry, text);
    }

    /// Annotates a statement. `block` says that it stands, perhaps after labels, directly in
    /// a block, where other statements can be put before it.
    pub(super) fn statement(&mut self, node: &AstNode, block: bool) {
        if let AstKind::CompoundStmt = node.kind {
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
        let open = self.open_statement(node);
        self.parts(node, block);
        self.close_statement(open);
        if let Some(end) = brace {
            self.edits.after(end, " }");
        }
    }

    fn reach_objective(&mut self, node: &AstNode) -> u32 {
        let id = next_number(&mut self.program.numbers.reach);
        if let Some(span) = head_of(node, self.context.source) {
            let at = self.excerpt(span);
            let text = at.text.clone();
            self.objective(Criterion::Statement, &at, text, Trigger::Reach { id });
        }
        id
    }

    fn parts(&mut self, node: &AstNode, block: bool) {
        let child = |index: usize| node.child(index).filter(|n| n.kind != AstKind::Nothing);
        match node.kind {
            AstKind::IfStmt => {
                let branches = 1 + usize::from(node.has_else);
                let condition = node.inner.len().saturating_sub(branches + 1);
                if let Some(condition) = child(condition) {
                    self.controlling(condition);
                }
                for branch in node.inner.iter().skip(condition + 1) {
                    let block = node.has_else && branch.kind == AstKind::CompoundStmt;
                    let open = block.then(|| self.open_statement(branch));
                    self.statement(branch, false);
                    self.close_statement(open.unwrap_or_default());
                }
            }
            AstKind::WhileStmt => {
                if let [.., condition, body] = node.inner.as_slice() {
                    self.controlling(condition);
                    self.statement(body, false);
                }
            }
            AstKind::DoStmt => {
                if let [body, condition] = node.inner.as_slice() {
                    self.statement(body, false);
                    self.controlling(condition);
                }
            }
            AstKind::ForStmt => {
                let visible = self.variables.len();
                if let Some(init) = child(0) {
                    self.for_init(init);
                }
                if let Some(condition) = child(2) {
                    self.controlling(condition);
                }
                if let Some(increment) = child(3) {
                    self.discard(increment);
                    self.expression(increment);
                }
                if let Some(body) = child(4) {
                    self.statement(body, false);
                }
                self.variables.truncate(visible);
            }
            AstKind::SwitchStmt => self.switch_statement(node),
            AstKind::CaseStmt | AstKind::DefaultStmt => self.case(node, block),
            AstKind::LabelStmt | AstKind::AttributedStmt => {
                if let Some(labelled) = node.inner.last() {
                    self.statement(labelled, block);
                }
            }
            AstKind::DeclStmt => self.for_init(node),
            AstKind::GCCAsmStmt | AstKind::MSAsmStmt | AstKind::NullStmt => {}
            AstKind::ReturnStmt => {
                for value in &node.inner {
                    let choice = self.open_return(value);
                    self.expression(value);
                    self.close_choice(choice, value);
                }
            }
            AstKind::IndirectGotoStmt => {
                for value in &node.inner {
                    self.expression(value);
                }
            }
            AstKind::BreakStmt | AstKind::ContinueStmt | AstKind::GotoStmt => {}
            _ => self.expression(node),
        }
    }

    /// Declarations or an expression, evaluated where they stand.
    fn for_init(&mut self, node: &AstNode) {
        if node.kind != AstKind::DeclStmt {
            return self.expression(node);
        }
        for variable in node.inner.iter().filter(|d| d.kind == AstKind::VarDecl) {
            if let (false, Some(init)) = (has_static_storage(variable), variable.initialiser()) {
                self.expression(init);
            }
            self.declare(variable);
        }
    }
}

/// The expression that a statement evaluates before anything else.
fn first_expression(node: &AstNode) -> Option<u64> {
    let first = match node.kind {
        AstKind::IfStmt => node.child(
            node.inner
                .len()
                .checked_sub(2 + usize::from(node.has_else))?,
        ),
        AstKind::SwitchStmt => node.child(node.inner.len().checked_sub(2)?),
        AstKind::ReturnStmt => node.child(0),
        AstKind::DeclStmt => {
            let variable = node.child(0).filter(|d| d.kind == AstKind::VarDecl)?;
            variable
                .initialiser()
                .filter(|_| !has_static_storage(variable))
        }
        AstKind::BinaryOperator | AstKind::CompoundAssignOperator => Some(node),
        _ => None,
    };
    first.map(|n| n.id)
}

fn has_static_storage(variable: &AstNode) -> bool {
    variable.is_static() || variable.is_extern()
}

/// Whether running the statement does something that can be seen.
fn is_executable(node: &AstNode) -> bool {
    match node.kind {
        AstKind::NullStmt | AstKind::CompoundStmt | AstKind::LabelStmt | AstKind::CaseStmt => false,
        AstKind::DefaultStmt | AstKind::Nothing => false,
        AstKind::AttributedStmt => node.inner.last().is_some_and(is_executable),
        AstKind::DeclStmt => node
            .inner
            .iter()
            .any(|d| d.kind == AstKind::VarDecl && d.init.is_some() && !has_static_storage(d)),
        _ => true,
    }
}

/// The part of a statement that is shown: without the bodies of loops and branches.
pub(super) fn head_of(node: &AstNode, source: &PreprocessedText) -> Option<(u32, u32)> {
    let (begin, end) = node.span()?;
    let body = match node.kind {
        AstKind::IfStmt => node.child(1),
        AstKind::WhileStmt | AstKind::ForStmt | AstKind::SwitchStmt => node.inner.last(),
        AstKind::DoStmt => return Some((begin, begin + 2)),
        AstKind::DeclStmt => return Some((begin, end)),
        _ => return Some((begin, end_of(node, source).unwrap_or(end))),
    };
    let head = body.and_then(AstNode::span).map_or(end, |(body, _)| body);
    let text = source.slice((begin, head));
    // Macro-generated bodies may share the line; the head ends with its last parenthesis.
    Some((
        begin,
        begin + text.rfind(')').map_or(text.trim_end().len(), |p| p + 1) as u32,
    ))
}

/// The byte after a statement, its semicolon included.
pub(super) fn end_of(node: &AstNode, source: &PreprocessedText) -> Option<u32> {
    let (_, end) = node.span()?;
    match node.kind {
        AstKind::CompoundStmt | AstKind::NullStmt | AstKind::DeclStmt => Some(end),
        AstKind::IfStmt
        | AstKind::WhileStmt
        | AstKind::ForStmt
        | AstKind::SwitchStmt
        | AstKind::LabelStmt
        | AstKind::CaseStmt
        | AstKind::DefaultStmt
        | AstKind::AttributedStmt => end_of(node.inner.last()?, source),
        _ => source.after(end, b';'),
    }
}
