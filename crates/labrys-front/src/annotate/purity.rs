//! Which expressions may be evaluated once more, inside the predicate of a label.
//!
//! An expression is pure if evaluating it changes nothing. It is risky if evaluating it can
//! fault or branch: then the predicate is evaluated speculatively.

use super::conditions::is_logical;
use crate::ast::{AstKind, AstNode};
use crate::program::ParsedUnit;
use crate::types::{TypeShape, TypeTable};
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

/// A built-in function that only computes.
pub(crate) fn is_pure_builtin(name: &str) -> bool {
    PURE_BUILTINS.contains(&name)
}

/// The functions of a unit that may be called inside a predicate: those that the system's headers
/// declare free of effects and whose code the engine has. A stub is an input, and no input may
/// be asked for twice.
pub(crate) fn pure_functions(unit: &ParsedUnit, modelled: &BTreeSet<String>) -> BTreeSet<String> {
    let free_of_effects = |node: &AstNode| {
        let attribute = |n: &AstNode| matches!(n.kind, AstKind::ConstAttr | AstKind::PureAttr);
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
    pub types: &'a TypeTable,
    pub functions: &'a BTreeSet<String>,
}

impl Purity<'_> {
    pub(crate) fn is_pure(&self, node: &AstNode) -> bool {
        let itself = match node.kind {
            AstKind::BinaryOperator => node.opcode() != "=",
            AstKind::UnaryOperator => !matches!(node.opcode(), "++" | "--"),
            AstKind::CallExpr => {
                let pure = node.callee().is_some_and(|f| self.functions.contains(f));
                return pure && node.inner.iter().skip(1).all(|a| self.is_pure(a));
            }
            // The name of a function may have to be changed where it stands: one that nobody
            // defines has a stub.
            AstKind::DeclRefExpr
                if (node.referenced_decl.as_ref())
                    .is_some_and(|d| d.kind == AstKind::FunctionDecl) =>
            {
                false
            }
            AstKind::DeclRefExpr | AstKind::MemberExpr | AstKind::ArraySubscriptExpr => {
                !self.types.of(node).is_volatile()
            }
            // Not evaluated: what stands inside does not matter.
            AstKind::UnaryExprOrTypeTraitExpr | AstKind::OffsetOfExpr | AstKind::TypeTraitExpr => {
                return true;
            }
            AstKind::GenericSelectionExpr => {
                return node.selected().is_some_and(|chosen| self.is_pure(chosen));
            }
            AstKind::ParenExpr
            | AstKind::ConditionalOperator
            | AstKind::ImplicitCastExpr
            | AstKind::CStyleCastExpr
            | AstKind::ConstantExpr
            | AstKind::IntegerLiteral
            | AstKind::CharacterLiteral
            | AstKind::FloatingLiteral
            | AstKind::StringLiteral
            | AstKind::PredefinedExpr => true,
            // Assignments, statement expressions, atomic operations, `va_arg`, GNU `a ?: b`,
            // compound literals (objects of their own) and whatever is not known.
            _ => false,
        };
        let volatile = node.kind == AstKind::UnaryOperator
            && node.opcode() == "*"
            && self.types.of(node).is_volatile();
        itself && !volatile && node.inner.iter().all(|child| self.is_pure(child))
    }
}

/// Whether evaluating an expression can fault, whatever its operands are.
pub(super) fn can_fault(node: &AstNode) -> bool {
    let itself = match node.kind {
        AstKind::BinaryOperator => match node.opcode() {
            "/" | "%" => !is_plain_divisor(node),
            "<<" | ">>" => !node.child(1).is_some_and(is_literal),
            _ => false,
        },
        AstKind::UnaryOperator => node.opcode() == "*",
        // `p->x` has a pointer below, `s.x` an object.
        AstKind::MemberExpr => node.child(0).is_some_and(|base| !base.is_lvalue()),
        AstKind::ArraySubscriptExpr | AstKind::CallExpr => true,
        AstKind::UnaryExprOrTypeTraitExpr => return false,
        _ => false,
    };
    itself || node.inner.iter().any(can_fault)
}

/// Whether evaluating a pure expression can fault or branch.
pub(super) fn is_risky(node: &AstNode, types: &TypeTable) -> bool {
    let itself = match node.kind {
        AstKind::BinaryOperator => match node.opcode() {
            "/" | "%" => is_integer(node, types) && !is_plain_divisor(node),
            "<<" | ">>" => !node.child(1).is_some_and(is_literal),
            // As `render` writes it: it branches only to skip a fault.
            _ => is_logical(node) && node.child(1).is_some_and(can_fault),
        },
        AstKind::UnaryOperator => node.opcode() == "*",
        AstKind::ArraySubscriptExpr | AstKind::CallExpr | AstKind::ConditionalOperator => true,
        // `p->x` has a pointer below, `s.x` an object.
        AstKind::MemberExpr => node
            .child(0)
            .is_some_and(|base| types.of(base).is_pointer()),
        AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr => {
            node.cast_kind() == "FloatingToIntegral"
        }
        AstKind::UnaryExprOrTypeTraitExpr => return false,
        _ => false,
    };
    itself || node.inner.iter().any(|child| is_risky(child, types))
}

fn is_integer(node: &AstNode, types: &TypeTable) -> bool {
    !matches!(types.of(node).canonical().shape, TypeShape::Float { .. })
}

fn is_literal(node: &AstNode) -> bool {
    matches!(
        node.skip_implicit().kind,
        AstKind::IntegerLiteral | AstKind::CharacterLiteral
    )
}

/// A divisor that can be neither 0 nor -1.
fn is_plain_divisor(node: &AstNode) -> bool {
    let divisor = node.child(1).map(AstNode::skip_implicit);
    divisor.is_some_and(|d| {
        is_literal(d)
            && d.value
                .as_ref()
                .and_then(|v| v.as_int())
                .is_some_and(|v| v > 0)
    })
}
