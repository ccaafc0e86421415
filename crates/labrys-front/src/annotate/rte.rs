//! Run-time errors as labels, right before the operation that can go wrong.
//!
//! An operation on values carries its own label, `(LABEL, a / b)`. What accesses an object must
//! stay an object, so its label stands on the pointer or on the index: `(LABEL, p)->x`.

use super::Annotator;
use super::conditions::without_parentheses;
use super::label_places::{LabelPlace, LabelPredicate};
use super::purity::is_risky;
use super::render;
use crate::ast::{AstKind, AstNode};
use crate::types::{CType, TypeShape};
use labrys_ledger::Criterion;

/// An integer type.
#[derive(Clone, Copy)]
struct IntegerType {
    bits: u32,
    signed: bool,
}

impl Annotator<'_> {
    /// Adds the labels of the errors that an expression can have itself; those that stand on an
    /// operand wait for it.
    pub(super) fn run_time_errors(&mut self, node: &AstNode, place: &mut LabelPlace) {
        if !self.context.plan.wanted.has(Criterion::Rte) || self.constant(node).is_some() {
            return;
        }
        match (node.kind, node.inner.as_slice()) {
            (AstKind::BinaryOperator, [left, right]) => {
                let ty = self.context.types.of(node);
                self.arithmetic(node, node.opcode(), &ty, (left, right), place);
            }
            (AstKind::CompoundAssignOperator, [left, right]) => {
                let computed = node.compute_result_type.as_ref();
                let ty = computed.and_then(|text| self.context.types.parse_text(text));
                let Some(ty) = ty else { return };
                let mut waiting = LabelPlace::default();
                let opcode = node.opcode().trim_end_matches('=').to_owned();
                self.arithmetic(node, &opcode, &ty, (left, right), &mut waiting);
                self.label_later(right, waiting);
            }
            (AstKind::UnaryOperator, [operand]) => match node.opcode() {
                "-" => self.negation(node, operand, place),
                "*" => self.null_pointer(node, operand),
                _ => {}
            },
            (AstKind::MemberExpr, [base]) if self.context.types.of(base).is_pointer() => {
                self.null_pointer(node, base);
            }
            (AstKind::ArraySubscriptExpr, [base, index]) => match self.array_size(base) {
                Some(size) => self.out_of_bounds(node, index, size),
                None => self.null_pointer(node, base),
            },
            (AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr, [operand])
                if node.cast_kind() == "FloatingToIntegral" =>
            {
                self.conversion(node, operand, place);
            }
            _ => {}
        }
    }

    fn arithmetic(
        &mut self,
        node: &AstNode,
        opcode: &str,
        ty: &CType,
        (left, right): (&AstNode, &AstNode),
        place: &mut LabelPlace,
    ) {
        let Some(integer) = integer(ty) else { return };
        let source = self.context.source;
        let (l, r) = (render::plain(source, left), render::plain(source, right));
        let constant = self.constant(right);
        let limits = limits(integer);
        match opcode {
            "/" | "%" => {
                if constant.is_none_or(|c| c == 0) {
                    self.error(
                        node,
                        "division by zero",
                        &[right],
                        format!("({r}) == 0"),
                        place,
                    );
                }
                let dividend = self.constant(left);
                let lowest = -1i128 << (integer.bits - 1);
                if let Some((least, _)) = limits
                    && constant.is_none_or(|c| c == -1)
                    && dividend.is_none_or(|c| c == lowest)
                {
                    let text = format!("(({l}) == {least}) & (({r}) == -1)");
                    self.error(node, "overflow", &[left, right], text, place);
                }
            }
            "+" | "-" | "*" => {
                let Some((least, most)) = limits else { return };
                let text = match (opcode, integer.bits) {
                    (_, 32) => {
                        let wide = format!("((long long)({l}) {opcode} ({r}))");
                        format!("({wide} < {least}) | ({wide} > {most})")
                    }
                    ("+", _) => format!(
                        "((({r}) > 0) & (({l}) > {most} - ({r}))) | ((({r}) < 0) & (({l}) < {least} - ({r})))"
                    ),
                    ("-", _) => format!(
                        "((({r}) < 0) & (({l}) > {most} + ({r}))) | ((({r}) > 0) & (({l}) < {least} + ({r})))"
                    ),
                    _ => {
                        let wide = format!("((__int128)({l}) * ({r}))");
                        format!("({wide} < {least}) | ({wide} > {most})")
                    }
                };
                self.error(node, "overflow", &[left, right], text, place);
            }
            "<<" | ">>" if constant.is_none_or(|c| c < 0 || c >= i128::from(integer.bits)) => {
                let signed = is_signed(&self.context.types.of(right));
                let negative = if signed {
                    format!("(({r}) < 0) | ")
                } else {
                    String::new()
                };
                let text = format!("{negative}(({r}) >= {})", integer.bits);
                self.error(node, "shift out of range", &[right], text, place);
            }
            _ => {}
        }
    }

    fn negation(&mut self, node: &AstNode, operand: &AstNode, place: &mut LabelPlace) {
        let ty = self.context.types.of(node);
        if let Some((least, _)) = integer(&ty).and_then(limits) {
            let text = render::plain(self.context.source, operand);
            let text = format!("({text}) == {least}");
            self.error(node, "overflow", &[operand], text, place);
        }
    }

    fn null_pointer(&mut self, node: &AstNode, pointer: &AstNode) {
        if is_address(pointer)
            || self
                .context
                .types
                .of(pointer)
                .pointee()
                .is_some_and(|t| t.function().is_some())
        {
            return;
        }
        let text = format!("({}) == 0", render::plain(self.context.source, pointer));
        let mut place = LabelPlace::default();
        self.error(node, "null pointer", &[pointer], text, &mut place);
        self.label_later(pointer, place);
    }

    fn out_of_bounds(&mut self, node: &AstNode, index: &AstNode, size: u64) {
        if (self.constant(index)).is_some_and(|c| c >= 0 && c < i128::from(size)) {
            return;
        }
        let i = render::plain(self.context.source, index);
        let negative = match is_signed(&self.context.types.of(index)) {
            true => format!("(({i}) < 0) | "),
            false => String::new(),
        };
        let text = format!("{negative}(({i}) >= {size})");
        let mut place = LabelPlace::default();
        self.error(node, "out of bounds", &[index], text, &mut place);
        self.label_later(index, place);
    }

    fn conversion(&mut self, node: &AstNode, operand: &AstNode, place: &mut LabelPlace) {
        let ty = self.context.types.of(node);
        let Some(IntegerType { bits, signed }) = integer(&ty) else {
            return;
        };
        let x = render::plain(self.context.source, operand);
        let range = match (bits, signed) {
            (64, true) => {
                format!("(({x}) >= -9223372036854775808.0) & (({x}) < 9223372036854775808.0)")
            }
            (64, false) => format!("(({x}) > -1.0) & (({x}) < 18446744073709551616.0)"),
            (bits, true) if bits < 64 => {
                let half = 1i64 << (bits - 1);
                format!("(({x}) > -{}.0) & (({x}) < {half}.0)", half + 1)
            }
            (bits, false) if bits < 64 => format!("(({x}) > -1.0) & (({x}) < {}.0)", 1i64 << bits),
            _ => return,
        };
        self.error(
            node,
            "conversion out of range",
            &[operand],
            format!("!({range})"),
            place,
        );
    }

    fn error(
        &mut self,
        node: &AstNode,
        what: &str,
        operands: &[&AstNode],
        text: String,
        place: &mut LabelPlace,
    ) {
        let Some(span) = node.span() else { return };
        let at = self.excerpt(span);
        if !operands.iter().all(|o| self.is_pure(o)) {
            self.program
                .unchecked
                .insert((at.file.to_string(), at.line, at.column, at.text));
            return;
        }
        let risky = operands.iter().any(|o| is_risky(o, self.context.types));
        let subject = without_parentheses(&at.text).to_owned();
        let safe = LabelPredicate {
            text: format!("!({text})"),
            risky,
        };
        let shown = format!("{subject}: {what}");
        self.label_at(
            place,
            Criterion::Rte,
            &at,
            shown,
            LabelPredicate { text, risky },
        );
        if self.context.plan.both_sides {
            let shown = format!("{subject}: no {what}");
            self.label_at(place, Criterion::Rte, &at, shown, safe);
        }
    }

    /// Labels that stand on an operand that is not visited yet.
    fn label_later(&mut self, operand: &AstNode, place: LabelPlace) {
        if !place.is_empty() {
            self.waiting.insert(operand.id, place);
        }
    }

    /// The number of elements, if the base of a subscript is an array that has one. An array of
    /// at most one element at the end of a structure may have more.
    fn array_size(&self, base: &AstNode) -> Option<u64> {
        if base.cast_kind() != "ArrayToPointerDecay" {
            return None;
        }
        let array = base.child(0)?;
        let member = array.skip_implicit().kind == AstKind::MemberExpr;
        match self.context.types.of(array).canonical().shape {
            TypeShape::Array(_, Some(size)) if !(member && size <= 1) => Some(size),
            _ => None,
        }
    }
}

fn integer(ty: &CType) -> Option<IntegerType> {
    match ty.canonical().shape {
        TypeShape::Int { name: "_Bool", .. } => None,
        TypeShape::Int { bits, signed, .. } if bits <= 64 => Some(IntegerType { bits, signed }),
        _ => None,
    }
}

fn is_signed(ty: &CType) -> bool {
    matches!(ty.canonical().shape, TypeShape::Int { signed: true, .. })
}

/// The least and the largest value, as C constants, of the types whose operations overflow.
fn limits(integer: IntegerType) -> Option<(&'static str, &'static str)> {
    match (integer.bits, integer.signed) {
        (32, true) => Some(("(-2147483647 - 1)", "2147483647")),
        (64, true) => Some(("(-9223372036854775807LL - 1)", "9223372036854775807LL")),
        _ => None,
    }
}

/// Whether a pointer is that of an object, which is never null.
fn is_address(node: &AstNode) -> bool {
    match node.kind {
        AstKind::ParenExpr => node.child(0).is_some_and(is_address),
        AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr => {
            node.cast_kind() == "ArrayToPointerDecay" || node.child(0).is_some_and(is_address)
        }
        AstKind::UnaryOperator => node.opcode() == "&",
        AstKind::BinaryOperator => node.inner.iter().any(is_address),
        AstKind::StringLiteral => true,
        _ => false,
    }
}
