//! The boundary criterion: labels on every comparison that is a condition, where it is evaluated.
//!
//! The operands are evaluated once more if they are pure; else they are kept in variables, and
//! the comparison is made on these.

use super::Annotator;
use super::conditions::without_parentheses;
use super::label_places::{LabelPlace, LabelPredicate};
use super::purity::is_risky;
use super::{next_number, render};
use crate::ast::{AstKind, AstNode};
use crate::types::TypeShape;
use labrys_ledger::Criterion;

/// A comparison whose labels are written; `close_boundary` writes what follows it.
#[derive(Default)]
pub(super) struct OpenBoundary {
    end: Option<u32>,
}

/// Whether between two operands there is a next value.
#[derive(Clone, Copy)]
enum OperandSpacing {
    /// Integers, or pointers into an array: there is a next one.
    Steps,
    /// Floating point.
    Dense,
}

impl Annotator<'_> {
    /// Begins a condition with the labels of its comparison, if it is one.
    pub(super) fn open_boundary(&mut self, condition: &AstNode) -> OpenBoundary {
        let nothing = OpenBoundary::default();
        if !self.context.plan.wanted.has(Criterion::Boundary) {
            return nothing;
        }
        let Some(comparison) = comparison_below(condition) else {
            return nothing;
        };
        let ([left, right], Some(span)) = (comparison.inner.as_slice(), comparison.span()) else {
            return nothing;
        };
        let Some(order) = self.spacing(comparison, left) else {
            return nothing;
        };
        let mut place = LabelPlace::default();
        if self.is_pure(left) && self.is_pure(right) {
            let source = self.context.source;
            let texts = (render::plain(source, left), render::plain(source, right));
            let risky = is_risky(comparison, self.context.types);
            self.boundary_labels(
                comparison,
                span,
                order,
                (&texts.0, &texts.1),
                risky,
                &mut place,
            );
            let opened = self.open(&place, comparison);
            return OpenBoundary {
                end: opened.then_some(span.1),
            };
        }
        self.kept_operands(comparison, left, right, span, order, &mut place)
    }

    pub(super) fn close_boundary(&mut self, bounded: OpenBoundary) {
        if let Some(end) = bounded.end {
            self.edits.after(end, ")");
        }
    }

    /// `(l = left, r = right, labels, l < r)`. The closings of the operands are recorded by the
    /// places that wait for them.
    fn kept_operands(
        &mut self,
        comparison: &AstNode,
        left: &AstNode,
        right: &AstNode,
        span: (u32, u32),
        order: OperandSpacing,
        place: &mut LabelPlace,
    ) -> OpenBoundary {
        let types = self.context.types;
        let (Some(l), Some(r)) = (left.span(), right.span()) else {
            return OpenBoundary::default();
        };
        let ty = types.of(left).unqualified();
        if !types.is_spellable(&ty) {
            return OpenBoundary::default();
        }
        let number = next_number(&mut self.temporary_number);
        let names = (
            format!("labrys_left_{number}"),
            format!("labrys_right_{number}"),
        );
        self.temporary(format!(" {};", types.declare(&ty, &names.0)));
        self.temporary(format!(
            " {};",
            types.declare(&types.of(right).unqualified(), &names.1)
        ));
        self.boundary_labels(comparison, span, order, (&names.0, &names.1), false, place);
        let opcode = comparison.opcode().to_owned();
        let operator = self.context.source.skip_blank(l.1);
        self.edits.delete(operator, operator + opcode.len() as u32);
        let labels = place.before(self.context.plan.notation);
        self.edits.before(l.0, format!("({} = (", names.0));
        self.behind.insert(left.id, "), ".to_owned());
        self.ahead.insert(right.id, format!("{} = (", names.1));
        self.behind.insert(
            right.id,
            format!("), {labels}{} {opcode} {})", names.0, names.1),
        );
        debug_assert!(r.1 == span.1);
        OpenBoundary::default()
    }

    fn spacing(&self, comparison: &AstNode, left: &AstNode) -> Option<OperandSpacing> {
        let ordered = !matches!(comparison.opcode(), "==" | "!=");
        match &self.context.types.of(left).canonical().shape {
            TypeShape::Int { .. } | TypeShape::Enum(_) => Some(OperandSpacing::Steps),
            TypeShape::Float { .. } => Some(OperandSpacing::Dense),
            TypeShape::Pointer(to) if ordered && self.context.types.size_align(to).is_some() => {
                Some(OperandSpacing::Steps)
            }
            _ => None,
        }
    }

    fn boundary_labels(
        &mut self,
        comparison: &AstNode,
        span: (u32, u32),
        order: OperandSpacing,
        (l, r): (&str, &str),
        risky: bool,
        place: &mut LabelPlace,
    ) {
        let at = self.excerpt(span);
        let shown = without_parentheses(&at.text).to_owned();
        let less = format!("(({l}) < ({r}))");
        let more = format!("(({l}) > ({r}))");
        let equal = format!("({l}) == ({r})");
        // The difference of the larger and the smaller cannot be 1 by overflow.
        let (below, above) = (
            format!("(({r}) - ({l}) == 1)"),
            format!("(({l}) - ({r}) == 1)"),
        );
        let mut blocks = vec![("equal", equal)];
        match order {
            OperandSpacing::Dense => blocks.extend([("less", less), ("greater", more)]),
            OperandSpacing::Steps => {
                let far = |side: &str, step: &str| format!("({side} & !{step})");
                let (far_below, far_above) = (far(&less, &below), far(&more, &above));
                let well = match comparison.opcode() {
                    "<" | "<=" => ("well inside", far_below),
                    ">" | ">=" => ("well inside", far_above),
                    "!=" => ("well inside", format!("{far_below} | {far_above}")),
                    _ => ("well outside", format!("{far_below} | {far_above}")),
                };
                blocks.extend([
                    ("one less", format!("{less} & {below}")),
                    ("one more", format!("{more} & {above}")),
                    well,
                ]);
            }
        }
        for (name, text) in blocks {
            let predicate = LabelPredicate { text, risky };
            let text = format!("{shown}: {name}");
            self.label_at(place, Criterion::Boundary, &at, text, predicate);
        }
    }
}

/// The comparison below parentheses, casts and `!`.
fn comparison_below(node: &AstNode) -> Option<&AstNode> {
    let mut node = node;
    loop {
        match node.kind {
            AstKind::BinaryOperator => {
                let is = matches!(node.opcode(), "<" | "<=" | ">" | ">=" | "==" | "!=");
                return is.then_some(node);
            }
            AstKind::ParenExpr | AstKind::ImplicitCastExpr => node = node.child(0)?,
            AstKind::UnaryOperator if node.opcode() == "!" => node = node.child(0)?,
            _ => return None,
        }
    }
}
