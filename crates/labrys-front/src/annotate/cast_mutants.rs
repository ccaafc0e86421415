//! Casts left out in the meta-mutant (`CRM`).
//!
//! A cast decides in which type the operations around it compute. So the choice does not stand at
//! the cast, where both sides of it would get one type, but around the largest expression whose
//! operations depend on its type, and what is left is converted as the original is.

use super::Annotator;
use super::meta_mutant::copy;
use super::mutation_operator::MutationOperator;
use super::operators::ExpressionMutant;
use super::value_mutants::{WrittenMutants, is_number};
use crate::ast::{AstKind, AstNode};
use crate::edits::TextEdits;
use crate::types::TypeShape;

impl Annotator<'_> {
    /// The casts that decide about the type of this expression, if nothing around it depends on it.
    pub(super) fn casts(&mut self, root: &AstNode, found: &mut WrittenMutants) {
        if root.is_lvalue()
            || self.values.typed.contains(&root.id)
            || !self.has(MutationOperator::Crm)
        {
            return;
        }
        let mut casts = Vec::new();
        self.typed_below(root, &mut casts);
        for cast in casts {
            self.without_cast(root, cast, found);
        }
    }

    fn typed_below<'n>(&mut self, node: &'n AstNode, casts: &mut Vec<&'n AstNode>) {
        self.values.typed.insert(node.id);
        let below: &[AstNode] = match node.kind {
            AstKind::CStyleCastExpr => {
                let numbers = [Some(node), node.child(0)];
                let numbers = numbers.map(|n| n.map(|n| self.context.types.of(n)));
                let [Some(to), Some(from)] = numbers else {
                    return;
                };
                if !is_number(&to) || !is_number(&from) {
                    return;
                }
                if self.plain_type(&to) != self.plain_type(&from) && self.constant(node).is_none() {
                    casts.push(node);
                }
                &node.inner
            }
            AstKind::ParenExpr => &node.inner,
            AstKind::ImplicitCastExpr if node.cast_kind() != "LValueToRValue" => &node.inner,
            AstKind::UnaryOperator if matches!(node.opcode(), "-" | "~" | "+") => &node.inner,
            AstKind::BinaryOperator => match node.opcode() {
                "<<" | ">>" => node.inner.get(..1).unwrap_or_default(),
                "=" | "," | "&&" | "||" => &[],
                _ => &node.inner,
            },
            _ => &[],
        };
        for child in below {
            // A comparison is an `int` whatever it compares: what is around it does not depend on it.
            let comparison = child.kind == AstKind::BinaryOperator
                && matches!(child.opcode(), "<" | "<=" | ">" | ">=" | "==" | "!=");
            if !comparison {
                self.typed_below(child, casts);
            }
        }
    }

    fn without_cast(&mut self, root: &AstNode, cast: &AstNode, found: &mut WrittenMutants) {
        let (Some(whole), Some(span), Some(inner)) = (root.span(), cast.span(), cast.child(0))
        else {
            return;
        };
        let ty = self.context.types.of(root).unqualified();
        let is_float = |n: &AstNode| {
            let ty = self.context.types.of(n);
            matches!(ty.canonical().shape, TypeShape::Float { .. })
        };
        // `n += (int)x` without the cast would add in floating point.
        if self.values.compounds.contains(&root.id) && is_float(inner) {
            return;
        }
        let tested = self.values.condition == root.skip_implicit().id;
        // Nothing converts the value again: without the cast it would be converted all the same.
        let alone = root.skip_implicit().id == cast.id
            && self.plain_type(&ty) == self.plain_type(&self.context.types.of(cast));
        if !self.context.types.is_spellable(&ty) || alone && !tested {
            return;
        }
        let before = TextEdits::copy((whole.0, span.0));
        let after = TextEdits::copy((span.1, whole.1));
        let conversion = match tested {
            true => "!!".to_owned(),
            false => format!("({})", self.context.types.spell(&ty)),
        };
        let text = format!("({conversion}({before} ({}) {after}))", copy(inner));
        let shown = format!("CRM: {} → {}", self.shown(cast), self.shown(inner));
        found.push((
            ExpressionMutant::written(MutationOperator::Crm, span, shown),
            text,
        ));
    }
}
