//! Conditions and decisions in expressions.
//!
//! A decision is the controlling expression of `if`, `while`, `do`, `for` or `?:`, or a tree of
//! `&&` and `||` anywhere else. Its conditions are the leaves below `&&`, `||`, `!` and
//! parentheses, exactly what llvm-cov counts as branch regions.

use super::{Annotator, take};
use crate::ast::{Kind, Node};
use labrys_ledger::{Criterion, Trigger};

impl Annotator<'_> {
    /// Annotates what is decided inside an expression.
    pub(super) fn expression(&mut self, node: &Node) {
        match node.kind {
            Kind::BinaryOperator if is_logical(node) => {
                if self.visited.insert(node.id) {
                    let decision = take(&mut self.session.numbers.decision);
                    self.conditions(decision, &mut 0, node);
                }
            }
            Kind::ConditionalOperator => {
                if let [condition, yes, no] = node.inner.as_slice()
                    && self.visited.insert(node.id)
                {
                    self.controlling(condition);
                    self.expression(yes);
                    self.expression(no);
                }
            }
            Kind::BinaryConditionalOperator => self.elvis(node),
            Kind::CallExpr => self.call(node),
            Kind::StmtExpr => {
                for body in &node.inner {
                    self.statement(body, true);
                }
            }
            Kind::GenericSelectionExpr => {
                if let Some(chosen) = node.selected() {
                    self.expression(chosen);
                }
            }
            Kind::InitListExpr => self.initialisers(node),
            // Not evaluated, or constant.
            Kind::UnaryExprOrTypeTraitExpr
            | Kind::OffsetOfExpr
            | Kind::ConstantExpr
            | Kind::ChooseExpr
            | Kind::TypeTraitExpr
            | Kind::OpaqueValueExpr
            | Kind::PredefinedExpr => {}
            _ => {
                for child in &node.inner {
                    self.expression(child);
                }
            }
        }
    }

    /// A GNU range `[0 ... 3] = f()` lists one expression for many elements; compilers differ in
    /// how often they evaluate it, so it is left alone.
    fn initialisers(&mut self, node: &Node) {
        for (index, child) in node.inner.iter().enumerate() {
            let same = |other: Option<&Node>| other.is_some_and(|o| o.id == child.id && o.id != 0);
            let before = index.checked_sub(1).and_then(|i| node.inner.get(i));
            if !same(before) && !same(node.inner.get(index + 1)) {
                self.expression(child);
            }
        }
    }

    fn call(&mut self, node: &Node) {
        match node.callee() {
            Some(
                "__builtin_constant_p" | "__builtin_object_size" | "__builtin_dynamic_object_size",
            ) => {}
            // What an assumption asks for is a precondition, not an objective.
            Some(
                "labrys_assume" | "klee_assume" | "__VERIFIER_assume" | "__CPROVER_assume"
                | "__builtin_assume",
            ) => {}
            Some("pc_label" | "pc_label_bindings" | "pc_label_sequence")
                if self.context.wanted.labels =>
            {
                self.label(node);
            }
            Some("pc_label" | "pc_label_bindings" | "pc_label_sequence") => self.drop_label(node),
            _ => {
                for child in &node.inner {
                    self.expression(child);
                }
            }
        }
    }

    /// Annotates a controlling expression.
    pub(super) fn controlling(&mut self, node: &Node) {
        let Some(span) = node.span() else { return };
        let decision = take(&mut self.session.numbers.decision);
        let whole =
            self.context.wanted.decision && self.constant(node).is_none() && self.is_scalar(node);
        if whole {
            let at = self.excerpt(span);
            for value in [true, false] {
                let text = format!("{} is {value}", without_parentheses(&at.text));
                let trigger = Trigger::Decision { decision, value };
                self.objective(Criterion::Decision, &at, text, trigger);
            }
            self.edits
                .before(span.0, format!("labrys_decision({decision}, !!("));
        }
        self.conditions(decision, &mut 0, node);
        if whole {
            self.edits.after(span.1, "))");
        }
    }

    /// Annotates the conditions of a decision, numbering them in short-circuit order.
    fn conditions(&mut self, decision: u32, next: &mut u32, node: &Node) {
        if let Some(logical) = logical_below(node) {
            self.visited.insert(logical.id);
            for operand in &logical.inner {
                self.conditions(decision, next, operand);
            }
            return;
        }
        let index = take(next);
        match node.span() {
            Some(span)
                if self.context.wanted.conditions()
                    && self.constant(node).is_none()
                    && self.is_scalar(node) =>
            {
                self.condition_objectives(decision, index, span);
                self.edits
                    .before(span.0, format!("labrys_cond({decision}, {index}, !!("));
                self.expression(node);
                self.edits.after(span.1, "))");
            }
            _ => self.expression(node),
        }
    }

    fn condition_objectives(&mut self, decision: u32, index: u32, span: (u32, u32)) {
        if !self.context.wanted.branch {
            return;
        }
        let at = self.excerpt(span);
        for value in [true, false] {
            let text = format!("{} is {value}", without_parentheses(&at.text));
            let trigger = Trigger::Condition {
                decision,
                index,
                value,
            };
            self.objective(Criterion::Branch, &at, text, trigger);
        }
    }

    /// GNU `a ?: b`: the value of `a` is kept in a temporary so that it is evaluated once.
    fn elvis(&mut self, node: &Node) {
        let (Some(value), Some(other)) = (node.inner.first(), node.inner.last()) else {
            return;
        };
        let (Some(span), Some(whole)) = (value.span(), node.span()) else {
            return;
        };
        let question = self.context.source.skip_blank(span.1);
        let wanted = self.context.wanted;
        let annotate = (wanted.conditions() || wanted.decision)
            && self.constant(value).is_none()
            && self.is_scalar(value)
            && self.context.source.slice((question, question + 1)) == "?";
        if !annotate || !self.visited.insert(node.id) {
            self.expression(value);
            self.expression(other);
            return;
        }
        let decision = take(&mut self.session.numbers.decision);
        let name = format!("labrys_value_{decision}");
        // A bit-field has no type of its own; the promotion is what `?:` does anyway.
        let promote = if self.is_arithmetic(value) { "+" } else { "" };
        let mut test = format!("!!{name}");
        if wanted.conditions() {
            self.condition_objectives(decision, 0, span);
            test = format!("labrys_cond({decision}, 0, {test})");
        }
        if wanted.decision {
            let at = self.excerpt(span);
            for value in [true, false] {
                let text = format!("{} is {value}", without_parentheses(&at.text));
                let trigger = Trigger::Decision { decision, value };
                self.objective(Criterion::Decision, &at, text, trigger);
            }
            test = format!("labrys_decision({decision}, {test})");
        }
        self.edits.before(
            span.0,
            format!("(__extension__({{ __auto_type {name} = {promote}("),
        );
        self.expression(value);
        self.edits.after(span.1, format!("); {test} ? {name}"));
        self.edits.delete(question, question + 1);
        self.expression(other);
        self.edits.after(whole.1, "; }))");
    }

    fn is_arithmetic(&self, node: &Node) -> bool {
        use crate::types::Shape;
        let ty = self.context.types.of(node);
        matches!(
            ty.canonical().shape,
            Shape::Int { .. } | Shape::Float { .. } | Shape::Enum(_)
        )
    }

    /// Vectors have conditions too (`v ? a : b` per element), but no truth value.
    fn is_scalar(&self, node: &Node) -> bool {
        let text = node.ty.as_ref();
        let vector = |t: &str| t.contains("vector_size__") || t.contains("ext_vector_type");
        !text.is_some_and(|t| {
            vector(&t.qual_type) || t.desugared_qual_type.as_deref().is_some_and(vector)
        })
    }
}

pub(super) fn is_logical(node: &Node) -> bool {
    node.kind == Kind::BinaryOperator && matches!(node.opcode(), "&&" | "||")
}

/// The `&&` or `||` below parentheses, implicit casts and `!`, if there is one.
fn logical_below(node: &Node) -> Option<&Node> {
    let mut node = node;
    loop {
        match node.kind {
            _ if is_logical(node) => return Some(node),
            Kind::ParenExpr | Kind::ImplicitCastExpr => node = node.child(0)?,
            Kind::UnaryOperator if node.opcode() == "!" => node = node.child(0)?,
            _ => return None,
        }
    }
}

/// The text without parentheses that enclose all of it.
fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let mut depth = 0i32;
        let closes_early = inside.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        });
        if closes_early {
            break;
        }
        text = inside.trim();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_parentheses;

    #[test]
    fn only_enclosing_parentheses_go() {
        assert_eq!(without_parentheses("((a) > (b))"), "(a) > (b)");
        assert_eq!(without_parentheses("(a) > (b)"), "(a) > (b)");
        assert_eq!(without_parentheses("((x))"), "x");
    }
}
