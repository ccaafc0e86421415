//! Mutation operators: in comes a pure expression, out come the changes that each chosen operator
//! makes of it and of the expressions inside it.

use super::Annotator;
use super::conditions::{is_logical, logical_below, without_parentheses};
use super::mutants::is_value;
use super::mutation_operator::MutationOperator;
use super::render::{NodeChange, Replacement};
use crate::ast::{AstKind, AstNode};
use crate::types::TypeShape;

/// A change of an expression.
pub(super) struct ExpressionMutant {
    pub operator: MutationOperator,
    pub kind: MutantKind,
    /// Where the change stands.
    pub span: (u32, u32),
    pub shown: String,
}

pub(super) enum MutantKind {
    Changed(NodeChange),
    /// Fails where the expression is zero: this is its text.
    FailsOnZero(u64),
    /// Has no predicate of its own: the operator writes what it does.
    Written,
}

/// What a constant operand must not become: a division by the constant 0 or a shift by a constant
/// out of range is no program.
#[derive(Clone, Copy)]
pub(super) enum ConstantLimit {
    NotZero,
    Below(u32),
}

impl ConstantLimit {
    pub(super) fn allows(self, mutant: &ExpressionMutant) -> bool {
        let new = mutant.shown.rsplit(' ').next();
        let Some(value) = new.and_then(|text| text.parse::<i128>().ok()) else {
            return true;
        };
        match self {
            ConstantLimit::NotZero => value != 0,
            ConstantLimit::Below(bits) => (0..i128::from(bits)).contains(&value),
        }
    }
}

const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const RELATIONAL: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const BITWISE: [&str; 3] = ["&", "|", "^"];

/// How strongly a binary operator binds.
fn precedence(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | "<=" | ">" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => 0,
    }
}

const ABS_INTEGER: &str = "((@ ^ -(@ < 0)) + (@ < 0))";
const NEGATIVE_ABS_INTEGER: &str = "(-((@ ^ -(@ < 0)) + (@ < 0)))";

/// The absolute value of a floating-point type and its negation. The function of another type
/// would round, or make what stands around it compute in another precision.
fn float_abs(name: &str) -> (&'static str, &'static str) {
    match name {
        "float" => ("__builtin_fabsf@", "(-__builtin_fabsf@)"),
        "long double" => ("__builtin_fabsl@", "(-__builtin_fabsl@)"),
        "_Float16" => ("__builtin_fabsf16@", "(-__builtin_fabsf16@)"),
        "__float128" | "_Float128" => ("__builtin_fabsf128@", "(-__builtin_fabsf128@)"),
        _ => ("__builtin_fabs@", "(-__builtin_fabs@)"),
    }
}

impl Annotator<'_> {
    /// All mutants of a pure expression; `condition` says that only its truth matters.
    pub(super) fn mutants(&mut self, root: &AstNode, condition: bool) -> Vec<ExpressionMutant> {
        let mut found = Vec::new();
        if condition && logical_below(root).is_none() {
            self.negated(root, &mut found);
        }
        self.mutants_below(root, &mut found);
        found.retain(|m| self.context.plan.operators.contains(&m.operator));
        found
    }

    fn mutants_below(&mut self, node: &AstNode, found: &mut Vec<ExpressionMutant>) {
        if !self.own_mutants(node, found) {
            return;
        }
        let conditions = match node.kind {
            AstKind::BinaryOperator if is_logical(node) => 2,
            AstKind::ConditionalOperator => 1,
            _ => 0,
        };
        for condition in node.inner.iter().take(conditions) {
            if logical_below(condition).is_none() {
                self.negated(condition, found);
            }
        }
        // The name of a called function is no operand.
        let skip = usize::from(node.kind == AstKind::CallExpr);
        for child in node.inner.iter().skip(skip) {
            if self.is_fixed(node, child) {
                continue;
            }
            let before = found.len();
            self.mutants_below(child, found);
            let right = node.child(1).is_some_and(|right| right.id == child.id);
            if right && let Some(limit) = self.limit_of_right(node) {
                let kept = found.split_off(before);
                found.extend(kept.into_iter().filter(|m| limit.allows(m)));
            }
        }
    }

    /// The mutants of this node alone, without those below it. False if nothing below it is to
    /// be changed.
    pub(super) fn own_mutants(
        &mut self,
        node: &AstNode,
        found: &mut Vec<ExpressionMutant>,
    ) -> bool {
        match node.kind {
            AstKind::UnaryExprOrTypeTraitExpr | AstKind::OffsetOfExpr | AstKind::TypeTraitExpr => {
                return false;
            }
            AstKind::GenericSelectionExpr | AstKind::StringLiteral => return false,
            AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr
                if node.cast_kind() == "NullToPointer" =>
            {
                return false;
            }
            AstKind::FloatingLiteral => {
                self.float_constants(node, found);
                return false;
            }
            _ => {}
        }
        if let Some(value) = self.constant(node) {
            self.integer_constants(node, value, found);
            return false;
        }
        match node.kind {
            AstKind::BinaryOperator => self.binary_mutants(node, found),
            AstKind::ImplicitCastExpr if node.cast_kind() == "LValueToRValue" => {
                self.reads(node, found);
            }
            _ => {}
        }
        true
    }

    /// What a constant on the right of an operation may become.
    pub(super) fn limit_of_right(&self, operation: &AstNode) -> Option<ConstantLimit> {
        self.constant(operation.child(1)?)?;
        let opcode = operation.opcode();
        let ty = match operation.compute_result_type.as_ref() {
            Some(text) => self.context.types.parse_text(text)?,
            None => self.context.types.of(operation),
        };
        match (opcode.trim_end_matches('='), &ty.canonical().shape) {
            ("/" | "%", TypeShape::Int { .. }) => Some(ConstantLimit::NotZero),
            ("<<" | ">>", TypeShape::Int { bits, .. }) => Some(ConstantLimit::Below(*bits)),
            _ => None,
        }
    }

    fn binary_mutants(&mut self, node: &AstNode, found: &mut Vec<ExpressionMutant>) {
        let opcode = node.opcode();
        let [left, right] = node.inner.as_slice() else {
            return;
        };
        let pointers =
            self.context.types.of(left).is_pointer() || self.context.types.of(right).is_pointer();
        if is_logical(node) {
            let other = if opcode == "&&" { "||" } else { "&&" };
            self.operator_mutant(MutationOperator::Cor, node, other, found);
            for (index, operand) in [left, right].into_iter().enumerate() {
                let shown = self.shown(operand);
                self.mutant(
                    MutationOperator::Cor,
                    node,
                    Replacement::Operand(index),
                    &shown,
                    found,
                );
            }
            self.truth_mutants(MutationOperator::Cor, node, found);
        } else if let Some(old) = ARITHMETIC.iter().position(|o| *o == opcode) {
            let ty = self.context.types.of(node);
            let known: &[&'static str] = match &ty.canonical().shape {
                TypeShape::Float { .. } => &ARITHMETIC[..4],
                TypeShape::Int { .. } if !pointers => &ARITHMETIC,
                TypeShape::Pointer(_) if self.context.types.of(left).is_pointer() => {
                    &ARITHMETIC[..2]
                }
                _ => &[],
            };
            for new in known.iter().filter(|new| **new != ARITHMETIC[old]) {
                self.operator_mutant(MutationOperator::Aor, node, new, found);
            }
        } else if RELATIONAL.contains(&opcode) && self.is_ordered(left) && self.is_ordered(right) {
            let equality = pointers && matches!(opcode, "==" | "!=");
            let known = if equality {
                &RELATIONAL[4..]
            } else {
                &RELATIONAL[..]
            };
            for new in known.iter().filter(|new| **new != opcode) {
                self.operator_mutant(MutationOperator::Ror, node, new, found);
            }
            self.truth_mutants(MutationOperator::Ror, node, found);
        } else if BITWISE.contains(&opcode) {
            for new in BITWISE.iter().filter(|new| **new != opcode) {
                self.operator_mutant(MutationOperator::Lor, node, new, found);
            }
        } else if let "<<" | ">>" = opcode {
            let other = if opcode == "<<" { ">>" } else { "<<" };
            self.operator_mutant(MutationOperator::Lor, node, other, found);
        }
    }

    /// Whether values of this type can be compared by all operators: neither vectors nor complex
    /// numbers can.
    fn is_ordered(&self, node: &AstNode) -> bool {
        self.is_scalar(node) && is_value(&self.context.types.of(node))
    }

    /// A read of a variable, element or member.
    fn reads(&mut self, node: &AstNode, found: &mut Vec<ExpressionMutant>) {
        let ty = self.context.types.of(node);
        let (float, signed) = match &ty.canonical().shape {
            TypeShape::Int { name: "_Bool", .. } => return,
            TypeShape::Int { signed, .. } => (None, *signed),
            TypeShape::Float { name, .. } => (Some(*name), true),
            _ => return,
        };
        let shown = self.shown(node);
        if signed {
            let (abs, negative) = match float {
                Some(name) => float_abs(name),
                None => (ABS_INTEGER, NEGATIVE_ABS_INTEGER),
            };
            for (pattern, new) in [
                (abs, format!("abs({shown})")),
                (negative, format!("-abs({shown})")),
            ] {
                self.mutant(
                    MutationOperator::Abs,
                    node,
                    Replacement::Pattern(pattern),
                    &new,
                    found,
                );
            }
        }
        if let Some(span) = node.span() {
            found.push(ExpressionMutant {
                operator: MutationOperator::Abs,
                kind: MutantKind::FailsOnZero(node.id),
                span,
                shown: format!("ABS: {shown} → fails on zero"),
            });
        }
        self.mutant(
            MutationOperator::Uoi,
            node,
            Replacement::Pattern("(-@)"),
            &format!("-{shown}"),
            found,
        );
        if float.is_none() {
            self.mutant(
                MutationOperator::Uoi,
                node,
                Replacement::Pattern("(~@)"),
                &format!("~{shown}"),
                found,
            );
        }
    }

    pub(super) fn negated(&mut self, condition: &AstNode, found: &mut Vec<ExpressionMutant>) {
        if self.constant(condition).is_some() {
            return;
        }
        let shown = self.shown(condition);
        let simple = |c: char| c.is_alphanumeric() || "_.[]>-".contains(c);
        let new = match shown.chars().all(simple) && !shown.contains("- ") {
            true => format!("!{shown}"),
            false => format!("!({shown})"),
        };
        self.mutant(
            MutationOperator::Uoi,
            condition,
            Replacement::Pattern("(!@)"),
            &new,
            found,
        );
    }

    fn integer_constants(
        &mut self,
        node: &AstNode,
        value: i128,
        found: &mut Vec<ExpressionMutant>,
    ) {
        let ty = self.context.types.of(node);
        if !matches!(&ty.canonical().shape, TypeShape::Int { name, .. } if *name != "_Bool") {
            return;
        }
        let mut seen = vec![value];
        let news = [
            (value + 1, "(@ + 1)"),
            (value - 1, "(@ - 1)"),
            (0, "(@ * 0)"),
            (-value, "(-@)"),
        ];
        for (new, pattern) in news {
            if !seen.contains(&new) {
                seen.push(new);
                self.mutant(
                    MutationOperator::Cro,
                    node,
                    Replacement::Pattern(pattern),
                    &new.to_string(),
                    found,
                );
            }
        }
    }

    fn float_constants(&mut self, node: &AstNode, found: &mut Vec<ExpressionMutant>) {
        let shown = self.shown(node);
        let zero = shown.parse::<f64>() == Ok(0.0);
        let news = [
            (format!("{shown} + 1"), "(@ + 1)"),
            (format!("{shown} - 1"), "(@ - 1)"),
            ("0".to_owned(), "(@ * 0)"),
            (format!("-{shown}"), "(-@)"),
        ];
        for (new, pattern) in news.into_iter().take(if zero { 2 } else { 4 }) {
            self.mutant(
                MutationOperator::Cro,
                node,
                Replacement::Pattern(pattern),
                &new,
                found,
            );
        }
    }

    fn operator_mutant(
        &mut self,
        operator: MutationOperator,
        node: &AstNode,
        new: &'static str,
        found: &mut Vec<ExpressionMutant>,
    ) {
        let [left, right] = node.inner.as_slice() else {
            return;
        };
        let (strength, [left, right]) = (
            precedence(new),
            [left, right].map(|n| n.skip_implicit_casts()),
        );
        let weak = |operand: &AstNode, least: u8| {
            let own = match operand.kind {
                AstKind::BinaryOperator => precedence(operand.opcode()),
                AstKind::ConditionalOperator | AstKind::CompoundAssignOperator => 0,
                _ => u8::MAX,
            };
            own < least
        };
        let enclosed = |text: String, weak: bool| match weak {
            true => format!("({text})"),
            false => text,
        };
        let left_text = enclosed(self.written(left), weak(left, strength));
        let right_text = enclosed(self.written(right), weak(right, strength + 1));
        let shown = format!("{left_text} {new} {right_text}");
        self.mutant(operator, node, Replacement::Operator(new), &shown, found);
    }

    fn truth_mutants(
        &mut self,
        operator: MutationOperator,
        node: &AstNode,
        found: &mut Vec<ExpressionMutant>,
    ) {
        for (text, shown) in [("1", "true"), ("0", "false")] {
            self.mutant(
                operator,
                node,
                Replacement::Text(text.to_owned()),
                shown,
                found,
            );
        }
    }

    fn mutant(
        &mut self,
        operator: MutationOperator,
        node: &AstNode,
        to: Replacement,
        new: &str,
        found: &mut Vec<ExpressionMutant>,
    ) {
        let Some(span) = node.span() else { return };
        let old = self.shown(node);
        found.push(ExpressionMutant {
            operator,
            kind: MutantKind::Changed(NodeChange { node: node.id, to }),
            span,
            shown: format!("{operator}: {old} → {new}"),
        });
    }

    /// The expression as the user wrote it.
    pub(super) fn shown(&mut self, node: &AstNode) -> String {
        without_parentheses(&self.written(node)).to_owned()
    }

    /// The same with the parentheses around it.
    pub(super) fn written(&mut self, node: &AstNode) -> String {
        node.span()
            .map_or(String::new(), |span| self.excerpt(span).text)
    }
}
