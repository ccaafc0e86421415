//! Conditions and decisions in expressions.
//!
//! A decision is the controlling expression of `if`, `while`, `do`, `for` or `?:`, or a tree of
//! `&&` and `||` anywhere else. Its conditions are the leaves below `&&`, `||`, `!` and
//! parentheses, exactly what llvm-cov counts as branch regions.

use super::decisions::{self, DecisionWrapping, SourceDecision, outcome};
use super::label_places::{LabelPlace, Notation};
use super::pairs::{self, ON_PAIRS};
use super::{Annotator, next_number};
use crate::ast::{AstKind, AstNode};
use labrys_ledger::{Criterion, Trigger};

/// The criteria that ask for both outcomes of a condition that is a decision on its own.
pub(super) const ON_CONDITIONS: [Criterion; 5] = [
    Criterion::Branch,
    Criterion::Condition,
    Criterion::DecisionCondition,
    Criterion::MultipleCondition,
    Criterion::Gacc,
];

impl Annotator<'_> {
    /// Annotates an expression: its own labels, then what is inside it.
    pub(super) fn expression(&mut self, node: &AstNode) {
        if let (Some(text), Some((begin, _))) = (self.ahead.remove(&node.id), node.span()) {
            self.edits.before(begin, text);
        }
        let mut place = self.waiting.remove(&node.id).unwrap_or_default();
        self.run_time_errors(node, &mut place);
        let mutated = self.mutated_value(node, &mut place);
        let opened = self.open(&place, node);
        let choice = self.open_choice(node);
        self.inside(node);
        self.close_choice(choice, node);
        if let Some((_, end)) = node.span() {
            self.close(opened, end);
            if let Some(text) = self.behind.remove(&node.id) {
                self.edits.after(end, text);
            }
        }
        self.leave_mutated(mutated);
    }

    /// Annotates what is decided and called inside an expression.
    fn inside(&mut self, node: &AstNode) {
        match node.kind {
            AstKind::BinaryOperator if is_logical(node) => {
                if self.visited.insert(node.id) {
                    self.decide(node, false);
                }
            }
            AstKind::ConditionalOperator => {
                if let [condition, yes, no] = node.inner.as_slice()
                    && self.visited.insert(node.id)
                {
                    self.controlling(condition);
                    self.expression(yes);
                    self.expression(no);
                }
            }
            AstKind::BinaryConditionalOperator => self.elvis(node),
            AstKind::CallExpr => self.call(node),
            AstKind::StmtExpr => {
                for body in &node.inner {
                    self.keep(body.inner.last());
                    self.statement(body, true);
                }
            }
            AstKind::GenericSelectionExpr => {
                if let Some(chosen) = node.selected() {
                    self.expression(chosen);
                }
            }
            AstKind::InitListExpr => self.initialisers(node),
            // Not evaluated, or constant.
            AstKind::UnaryExprOrTypeTraitExpr
            | AstKind::OffsetOfExpr
            | AstKind::ConstantExpr
            | AstKind::ChooseExpr
            | AstKind::TypeTraitExpr
            | AstKind::OpaqueValueExpr
            | AstKind::PredefinedExpr => {}
            _ => {
                for child in &node.inner {
                    self.expression(child);
                }
            }
        }
    }

    /// A GNU range `[0 ... 3] = f()` lists one expression for many elements; compilers differ in
    /// how often they evaluate it, so it is left alone.
    fn initialisers(&mut self, node: &AstNode) {
        for (index, child) in node.inner.iter().enumerate() {
            let same =
                |other: Option<&AstNode>| other.is_some_and(|o| o.id == child.id && o.id != 0);
            let before = index.checked_sub(1).and_then(|i| node.inner.get(i));
            if !same(before) && !same(node.inner.get(index + 1)) {
                self.expression(child);
            }
        }
    }

    fn call(&mut self, node: &AstNode) {
        match node.callee() {
            Some("__builtin_constant_p") => self.asked_of_compiler(node),
            Some("__builtin_object_size" | "__builtin_dynamic_object_size") => {}
            // What an assumption asks for is a precondition, not an objective.
            Some(
                "labrys_assume" | "klee_assume" | "__VERIFIER_assume" | "__CPROVER_assume"
                | "__builtin_assume",
            ) => {}
            Some("pc_label" | "pc_label_bindings" | "pc_label_sequence")
                if self.context.plan.wanted.has(Criterion::Labels) =>
            {
                self.label(node);
            }
            Some("pc_label" | "pc_label_bindings" | "pc_label_sequence") => self.drop_label(node),
            callee => {
                let reached = self.call_site(callee, node);
                let unsure = self.has_unsure_truth(callee, node);
                for child in &node.inner {
                    if !self.is_fixed(node, child) {
                        self.expression(child);
                    }
                }
                for _ in [reached, unsure].into_iter().filter(|open| *open) {
                    if let Some((_, end)) = node.span() {
                        self.edits.after(end, ")");
                    }
                }
            }
        }
    }

    /// `__builtin_constant_p(e)`, whose operand is not evaluated: whether a compiler knows a value that
    /// is no constant depends on the compiler and its options.
    fn asked_of_compiler(&mut self, node: &AstNode) {
        let is_known = |operand: &AstNode| self.constant(operand).is_some();
        let is_label_text = self.context.plan.notation != Notation::Calls;
        if is_label_text || node.child(1).is_none_or(is_known) {
            return;
        }
        if let Some((begin, end)) = node.span() {
            self.edits.before(begin, "labrys_compiler_knows(");
            self.edits.after(end, ")");
        }
    }

    /// `__builtin_signbit(e)`, of which C only says whether it is 0: GCC and clang give different
    /// numbers. True if something has to be closed behind it.
    fn has_unsure_truth(&mut self, callee: Option<&str>, node: &AstNode) -> bool {
        let names = [
            "__builtin_signbit",
            "__builtin_signbitf",
            "__builtin_signbitl",
        ];
        let is_call = self.context.plan.notation == Notation::Calls;
        let Some((begin, _)) = node.span() else {
            return false;
        };
        let wraps = is_call && callee.is_some_and(|name| names.contains(&name));
        if wraps {
            self.edits.before(begin, "labrys_truth(");
        }
        wraps
    }

    /// Whether an argument must stay as it is: compilers want constants where their built-in
    /// functions have some.
    pub(super) fn is_fixed(&self, call: &AstNode, argument: &AstNode) -> bool {
        let literal = |node: &AstNode| node.skip_implicit().kind == AstKind::FloatingLiteral;
        call.callee()
            .is_some_and(|name| name.starts_with("__builtin_"))
            && (self.constant(argument).is_some() || literal(argument))
    }

    /// The objective of a call site; true if something has to be closed behind it.
    fn call_site(&mut self, callee: Option<&str>, node: &AstNode) -> bool {
        // A function that returns twice must be called where the program does.
        let twice = ["setjmp", "sigsetjmp", "vfork"];
        let own = |name: &str| {
            name.starts_with("__") || name.starts_with("labrys_") || name.starts_with("_setjmp")
        };
        let counted = !callee.is_some_and(|name| own(name) || twice.contains(&name));
        let (true, Some(span)) = (
            self.context.plan.wanted.has(Criterion::Call) && counted,
            node.span(),
        ) else {
            return false;
        };
        let at = self.excerpt(span);
        let id = next_number(&mut self.program.numbers.reach);
        self.objective(
            Criterion::Call,
            &at,
            format!("call of {}", at.text),
            Trigger::Reach { id },
        );
        let reach = self.reach(id);
        self.edits.before(span.0, format!("({reach}, "));
        true
    }

    /// Annotates a controlling expression.
    pub(super) fn controlling(&mut self, node: &AstNode) {
        self.decide(node, true);
    }

    /// Annotates a decision; `controls` says that a statement or `?:` depends on it.
    fn decide(&mut self, node: &AstNode, controls: bool) {
        let Some(span) = node.span() else { return };
        let number = next_number(&mut self.program.numbers.decision);
        let wanted = self.context.plan.wanted;
        let is_open = self.constant(node).is_none() && self.is_scalar(node);
        let whole = controls && wanted.decisions() && is_open;
        let decision = self.decision(number, node);
        if whole {
            self.outcomes_of(number, span, decision.conditions.len() == 1);
        }
        let mut wraps = self.decision_objectives(&decision);
        let mutated = self.mutated_condition(node, &mut wraps.place);
        let opened = self.open(&wraps.place, node);
        let end = whole.then(|| self.open_decision(number, node, span.0));
        if wraps.in_place() {
            self.open_in_place(number, span.0);
        }
        self.conditions(&decision, &wraps, &mut 0, node);
        if wraps.in_place() {
            let labels = wraps.behind.before(self.context.plan.notation);
            let vector = match wraps.vector {
                true => pairs::report(number),
                false => String::new(),
            };
            let result = decisions::result_name(number);
            self.edits
                .after(span.1, format!("), {labels}{vector}{result})"));
        }
        if let Some(end) = end {
            self.edits.after(span.1, end);
        }
        self.close(opened, span.1);
        self.leave_mutated(mutated);
    }

    /// The objectives of a decision as a whole. Those of one with a `single` condition are that
    /// condition's: `decision-condition` has them once.
    fn outcomes_of(&mut self, decision: u32, span: (u32, u32), single: bool) {
        let at = self.excerpt(span);
        for criterion in [Criterion::Decision, Criterion::DecisionCondition] {
            let again = single && criterion == Criterion::DecisionCondition;
            if self.context.plan.wanted.has(criterion) && !again {
                for value in [true, false] {
                    let trigger = Trigger::Decision { decision, value };
                    self.objective(criterion, &at, outcome(&at, value), trigger);
                }
            }
        }
    }

    fn open_in_place(&mut self, decision: u32, begin: u32) {
        let (seen, yes) = decisions::variable_names(decision);
        let result = decisions::result_name(decision);
        self.temporary(format!(" unsigned long long {seen}, {yes}; int {result};"));
        self.edits
            .before(begin, format!("({seen} = 0, {yes} = 0, {result} = !!("));
    }

    /// Annotates the conditions of a decision, numbering them in short-circuit order.
    fn conditions(
        &mut self,
        decision: &SourceDecision,
        wraps: &DecisionWrapping,
        next: &mut usize,
        node: &AstNode,
    ) {
        let mut place = LabelPlace::default();
        let mutated = self.mutated_condition(node, &mut place);
        let opened = self.open(&place, node);
        if let Some((logical, _)) = logical_below(node) {
            self.visited.insert(logical.id);
            let choice = self.open_choice(logical);
            for operand in &logical.inner {
                self.conditions(decision, wraps, next, operand);
            }
            self.close_choice(choice, logical);
        } else {
            let index = *next;
            *next += 1;
            self.condition(decision, wraps, index, node);
        }
        if let Some((_, end)) = node.span() {
            self.close(opened, end);
        }
        self.leave_mutated(mutated);
    }

    fn condition(
        &mut self,
        decision: &SourceDecision,
        wraps: &DecisionWrapping,
        index: usize,
        node: &AstNode,
    ) {
        let span = match node.span() {
            Some(span) if decision.conditions[index].constant.is_none() => span,
            _ => return self.expression(node),
        };
        let number = decision.number;
        if self.context.plan.wanted.has(Criterion::Branch) {
            let at = self.excerpt(span);
            for value in [true, false] {
                let index = index as u32;
                let trigger = Trigger::Condition {
                    decision: number,
                    index,
                    value,
                };
                self.objective(Criterion::Branch, &at, outcome(&at, value), trigger);
            }
        }
        // What is kept must not branch before the outcome is reported: the engine forks there.
        if wraps.in_place() {
            self.edits.before(span.0, "((");
        }
        let end = wraps.events[index].then(|| self.open_condition(number, index, node, span.0));
        let bounded = self.open_boundary(node);
        let operand = decision.pure && decision.conditions.len() > 1;
        let constant = self.open_constants(node, operand);
        let negation = self.open_negation(node);
        self.expression(node);
        self.close_choice(negation, node);
        self.close_choice(constant, node);
        self.close_boundary(bounded);
        if let Some(end) = end {
            self.edits.after(span.1, end);
        }
        if wraps.in_place() {
            let (seen, yes) = decisions::variable_names(number);
            let bit = 1u64 << index;
            self.edits.after(
                span.1,
                format!(
                    ") ? ({seen} |= {bit}ULL, {yes} |= {bit}ULL, 1) : ({seen} |= {bit}ULL, 0))"
                ),
            );
        }
    }

    /// GNU `a ?: b`: the value of `a` is kept in a temporary so that it is evaluated once.
    fn elvis(&mut self, node: &AstNode) {
        let (Some(value), Some(other)) = (node.inner.first(), node.inner.last()) else {
            return;
        };
        let (Some(span), Some(whole)) = (value.span(), node.span()) else {
            return;
        };
        let question = self.context.source.skip_blank(span.1);
        let wanted = self.context.plan.wanted;
        let annotate = (wanted.conditions() || wanted.decisions())
            && self.constant(value).is_none()
            && self.is_scalar(value)
            && self.context.source.slice((question, question + 1)) == "?";
        if !annotate || !self.visited.insert(node.id) {
            self.expression(value);
            self.expression(other);
            return;
        }
        let decision = next_number(&mut self.program.numbers.decision);
        let name = format!("labrys_value_{decision}");
        // A bit-field has no type of its own; the promotion is what `?:` does anyway.
        let promote = if self.is_arithmetic(value) { "+" } else { "" };
        let mut test = format!("!!{name}");
        let at = self.excerpt(span);
        if wanted.conditions() {
            let trigger = |value| Trigger::Condition {
                decision,
                index: 0,
                value,
            };
            for criterion in ON_CONDITIONS.into_iter().filter(|c| wanted.has(*c)) {
                for value in [true, false] {
                    self.objective(criterion, &at, outcome(&at, value), trigger(value));
                }
            }
            self.elvis_pair(decision, value, trigger);
            let call = format!("labrys_cond({decision}, 0, ");
            test = self.reported(&call, (&name, test), trigger(true), trigger(false));
        }
        if wanted.decisions() {
            self.outcomes_of(decision, span, true);
            let trigger = |value| Trigger::Decision { decision, value };
            let call = format!("labrys_decision({decision}, ");
            test = self.reported(&call, (&name, test), trigger(true), trigger(false));
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

    /// The pair of GNU `a ?: b`, a decision of one condition.
    fn elvis_pair(&mut self, number: u32, value: &AstNode, trigger: impl Fn(bool) -> Trigger) {
        let wanted = self.context.plan.wanted;
        let Some(at) = value.span().map(|span| self.excerpt(span)) else {
            return;
        };
        if self.context.plan.notation == Notation::Ltest {
            for criterion in ON_PAIRS.into_iter().filter(|c| wanted.has(*c)) {
                for value in [true, false] {
                    self.objective(criterion, &at, outcome(&at, value), trigger(value));
                }
            }
        } else if wanted.has_any(&ON_PAIRS) {
            let decision = self.decision(number, value);
            let condition = labrys_ledger::decision::Condition {
                text: without_parentheses(&at.text).to_owned(),
                line: at.line,
                column: at.column,
                constant: None,
                labels: None,
            };
            if decision.conditions.len() == 1 {
                self.pair_objectives(&decision, vec![condition], &at);
            }
        }
    }

    fn is_arithmetic(&self, node: &AstNode) -> bool {
        use crate::types::TypeShape;
        let ty = self.context.types.of(node);
        matches!(
            ty.canonical().shape,
            TypeShape::Int { .. } | TypeShape::Float { .. } | TypeShape::Enum(_)
        )
    }

    /// Vectors have conditions too (`v ? a : b` per element), but no truth value.
    pub(super) fn is_scalar(&self, node: &AstNode) -> bool {
        let text = node.ty.as_ref();
        let vector = |t: &str| t.contains("vector_size__") || t.contains("ext_vector_type");
        !text.is_some_and(|t| {
            vector(&t.qual_type) || t.desugared_qual_type.as_deref().is_some_and(vector)
        })
    }
}

pub(super) fn is_logical(node: &AstNode) -> bool {
    node.kind == AstKind::BinaryOperator && matches!(node.opcode(), "&&" | "||")
}

/// Whether an expression is 0 or 1.
pub(super) fn is_truth_value(node: &AstNode) -> bool {
    let node = node.skip_implicit();
    match node.kind {
        AstKind::BinaryOperator => matches!(
            node.opcode(),
            "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||"
        ),
        AstKind::UnaryOperator => node.opcode() == "!",
        _ => false,
    }
}

/// The `&&` or `||` below parentheses, implicit casts and `!`, if there is one, and whether the
/// number of `!` is odd.
pub(super) fn logical_below(node: &AstNode) -> Option<(&AstNode, bool)> {
    let mut node = node;
    let mut negated = false;
    loop {
        match node.kind {
            _ if is_logical(node) => return Some((node, negated)),
            AstKind::ParenExpr | AstKind::ImplicitCastExpr => node = node.child(0)?,
            AstKind::UnaryOperator if node.opcode() == "!" => {
                negated = !negated;
                node = node.child(0)?;
            }
            _ => return None,
        }
    }
}

/// The text without parentheses that enclose all of it.
pub(super) fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        // Those of a statement expression belong to it.
        if inside.starts_with('{') {
            break;
        }
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
        assert_eq!(without_parentheses("(({ f(); }))"), "({ f(); })");
    }
}
