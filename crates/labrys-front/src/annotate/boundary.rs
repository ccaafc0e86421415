//! The boundary criterion: labels on every comparison that is a condition, where it is evaluated.
//!
//! The operands are evaluated once more if they are pure; else they are kept in variables, and
//! the comparison is made on these.

use super::Annotator;
use super::conditions::without_parentheses;
use super::places::{Place, Predicate};
use super::purity::is_risky;
use super::{render, take};
use crate::ast::{Kind, Node};
use crate::types::Shape;
use labrys_ledger::Criterion;

/// What has to be closed after a comparison.
#[derive(Default)]
pub(super) struct Bounded {
    end: Option<u32>,
}

/// How two things can be apart.
#[derive(Clone, Copy)]
enum Order {
    /// Integers, or pointers into an array: there is a next one.
    Steps,
    /// Floating point.
    Dense,
}

impl Annotator<'_> {
    /// Begins a condition with the labels of its comparison, if it is one.
    pub(super) fn open_boundary(&mut self, condition: &Node) -> Bounded {
        let nothing = Bounded::default();
        if !self.context.plan.wanted.has(Criterion::Boundary) {
            return nothing;
        }
        let Some(comparison) = comparison_below(condition) else {
            return nothing;
        };
        let ([left, right], Some(span)) = (comparison.inner.as_slice(), comparison.span()) else {
            return nothing;
        };
        let Some(order) = self.order(comparison, left) else {
            return nothing;
        };
        let mut place = Place::default();
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
            return Bounded {
                end: opened.then_some(span.1),
            };
        }
        self.kept_operands(comparison, left, right, span, order, &mut place)
    }

    pub(super) fn close_boundary(&mut self, bounded: Bounded) {
        if let Some(end) = bounded.end {
            self.edits.after(end, ")");
        }
    }

    /// `(l = left, r = right, labels, l < r)`. The closings of the operands are recorded by the
    /// places that wait for them.
    fn kept_operands(
        &mut self,
        comparison: &Node,
        left: &Node,
        right: &Node,
        span: (u32, u32),
        order: Order,
        place: &mut Place,
    ) -> Bounded {
        let types = self.context.types;
        let (Some(l), Some(r)) = (left.span(), right.span()) else {
            return Bounded::default();
        };
        let ty = types.of(left).unqualified();
        if !types.is_spellable(&ty) {
            return Bounded::default();
        }
        let number = take(&mut self.temporary_number);
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
        Bounded::default()
    }

    fn order(&self, comparison: &Node, left: &Node) -> Option<Order> {
        let ordered = !matches!(comparison.opcode(), "==" | "!=");
        match &self.context.types.of(left).canonical().shape {
            Shape::Int { .. } | Shape::Enum(_) => Some(Order::Steps),
            Shape::Float { .. } => Some(Order::Dense),
            Shape::Pointer(to) if ordered && self.context.types.size_align(to).is_some() => {
                Some(Order::Steps)
            }
            _ => None,
        }
    }

    fn boundary_labels(
        &mut self,
        comparison: &Node,
        span: (u32, u32),
        order: Order,
        (l, r): (&str, &str),
        risky: bool,
        place: &mut Place,
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
            Order::Dense => blocks.extend([("less", less), ("greater", more)]),
            Order::Steps => {
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
            let predicate = Predicate { text, risky };
            let text = format!("{shown}: {name}");
            self.label_at(place, Criterion::Boundary, &at, text, predicate);
        }
    }
}

/// The comparison below parentheses, casts and `!`.
fn comparison_below(node: &Node) -> Option<&Node> {
    let mut node = node;
    loop {
        match node.kind {
            Kind::BinaryOperator => {
                let is = matches!(node.opcode(), "<" | "<=" | ">" | ">=" | "==" | "!=");
                return is.then_some(node);
            }
            Kind::ParenExpr | Kind::ImplicitCastExpr => node = node.child(0)?,
            Kind::UnaryOperator if node.opcode() == "!" => node = node.child(0)?,
            _ => return None,
        }
    }
}
