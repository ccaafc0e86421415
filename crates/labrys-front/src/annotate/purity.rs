//! Which expressions may be evaluated once more, inside the predicate of a label.
//!
//! An expression is pure if evaluating it changes nothing. It is risky if evaluating it can
//! fault or branch: then the predicate is evaluated speculatively.

use super::conditions::is_logical;
use crate::ast::{Kind, Node};
use crate::program::Unit;
use crate::types::{Shape, Types};
use std::collections::BTreeSet;

/// Built-in functions of the compiler that only compute, and may be called with what they get.
const PURE_BUILTINS: &[&str] = &[
    "__builtin_expect",
    "__builtin_expect_with_probability",
    "__builtin_constant_p",
    "__builtin_abs",
    "__builtin_labs",
    "__builtin_fabs",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_isnan",
    "__builtin_isinf_sign",
    "__builtin_isfinite",
    "__builtin_signbit",
    "__builtin_strlen",
    "__builtin_strcmp",
    "__builtin_memcmp",
];

/// The functions of a unit that may be called inside a predicate: those that the system's headers
/// declare free of effects and whose code the engine has. A stub is an input, and no input may
/// be asked for twice.
pub(crate) fn pure_functions(unit: &Unit, modelled: &BTreeSet<String>) -> BTreeSet<String> {
    let free_of_effects = |node: &Node| {
        let attribute = |n: &Node| matches!(n.kind, Kind::ConstAttr | Kind::PureAttr);
        node.inner.iter().any(attribute)
    };
    let declared = unit.functions.iter().filter(|(name, symbol)| {
        symbol.system
            && !symbol.defined
            && modelled.contains(**name)
            && symbol.declarations.iter().any(|d| free_of_effects(d))
    });
    let mut names: BTreeSet<String> = declared.map(|(name, _)| (*name).to_owned()).collect();
    names.extend(PURE_BUILTINS.iter().map(|name| (*name).to_owned()));
    names
}

/// Tells pure expressions from others.
#[derive(Clone, Copy)]
pub(crate) struct Purity<'a> {
    pub types: &'a Types,
    pub functions: &'a BTreeSet<String>,
}

impl Purity<'_> {
    pub(crate) fn is_pure(&self, node: &Node) -> bool {
        let itself = match node.kind {
            Kind::BinaryOperator => node.opcode() != "=",
            Kind::UnaryOperator => !matches!(node.opcode(), "++" | "--"),
            Kind::CallExpr => {
                let pure = node.callee().is_some_and(|f| self.functions.contains(f));
                return pure && node.inner.iter().skip(1).all(|a| self.is_pure(a));
            }
            // The name of a function may have to be changed where it stands: one that nobody
            // defines has a stub.
            Kind::DeclRefExpr
                if (node.referenced_decl.as_ref())
                    .is_some_and(|d| d.kind == Kind::FunctionDecl) =>
            {
                false
            }
            Kind::DeclRefExpr | Kind::MemberExpr | Kind::ArraySubscriptExpr => {
                !self.types.of(node).is_volatile()
            }
            // Not evaluated: what stands inside does not matter.
            Kind::UnaryExprOrTypeTraitExpr | Kind::OffsetOfExpr | Kind::TypeTraitExpr => {
                return true;
            }
            Kind::GenericSelectionExpr => {
                return node.selected().is_some_and(|chosen| self.is_pure(chosen));
            }
            Kind::ParenExpr
            | Kind::ConditionalOperator
            | Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr
            | Kind::ConstantExpr
            | Kind::IntegerLiteral
            | Kind::CharacterLiteral
            | Kind::FloatingLiteral
            | Kind::StringLiteral
            | Kind::PredefinedExpr => true,
            // Assignments, statement expressions, atomic operations, `va_arg`, GNU `a ?: b`,
            // compound literals (objects of their own) and whatever is not known.
            _ => false,
        };
        let volatile = node.kind == Kind::UnaryOperator
            && node.opcode() == "*"
            && self.types.of(node).is_volatile();
        itself && !volatile && node.inner.iter().all(|child| self.is_pure(child))
    }
}

/// Whether evaluating an expression can fault, whatever its operands are.
pub(super) fn can_fault(node: &Node) -> bool {
    let itself = match node.kind {
        Kind::BinaryOperator => match node.opcode() {
            "/" | "%" => !is_plain_divisor(node),
            "<<" | ">>" => !node.child(1).is_some_and(is_literal),
            _ => false,
        },
        Kind::UnaryOperator => node.opcode() == "*",
        // `p->x` has a pointer below, `s.x` an object.
        Kind::MemberExpr => node.child(0).is_some_and(|base| !base.is_lvalue()),
        Kind::ArraySubscriptExpr | Kind::CallExpr => true,
        Kind::UnaryExprOrTypeTraitExpr => return false,
        _ => false,
    };
    itself || node.inner.iter().any(can_fault)
}

/// Whether evaluating a pure expression can fault or branch.
pub(super) fn is_risky(node: &Node, types: &Types) -> bool {
    let itself = match node.kind {
        Kind::BinaryOperator => match node.opcode() {
            "/" | "%" => is_integer(node, types) && !is_plain_divisor(node),
            "<<" | ">>" => !node.child(1).is_some_and(is_literal),
            // As `render` writes it: it branches only to skip a fault.
            _ => is_logical(node) && node.child(1).is_some_and(can_fault),
        },
        Kind::UnaryOperator => node.opcode() == "*",
        Kind::ArraySubscriptExpr | Kind::CallExpr | Kind::ConditionalOperator => true,
        // `p->x` has a pointer below, `s.x` an object.
        Kind::MemberExpr => node
            .child(0)
            .is_some_and(|base| types.of(base).is_pointer()),
        Kind::ImplicitCastExpr | Kind::CStyleCastExpr => node.cast_kind() == "FloatingToIntegral",
        Kind::UnaryExprOrTypeTraitExpr => return false,
        _ => false,
    };
    itself || node.inner.iter().any(|child| is_risky(child, types))
}

fn is_integer(node: &Node, types: &Types) -> bool {
    !matches!(types.of(node).canonical().shape, Shape::Float { .. })
}

fn is_literal(node: &Node) -> bool {
    matches!(
        node.skip_implicit().kind,
        Kind::IntegerLiteral | Kind::CharacterLiteral
    )
}

/// A divisor that can be neither 0 nor -1.
fn is_plain_divisor(node: &Node) -> bool {
    let divisor = node.child(1).map(Node::skip_implicit);
    divisor.is_some_and(|d| {
        is_literal(d)
            && d.value
                .as_ref()
                .and_then(|v| v.as_int())
                .is_some_and(|v| v > 0)
    })
}
