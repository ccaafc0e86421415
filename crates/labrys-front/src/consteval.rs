//! Integer constant expressions, as far as clang folds them in a condition.
//!
//! Clang does not count a condition as a branch if it can fold it to an integer: literals,
//! enumerators, `sizeof`, arithmetic on those, comparisons of floating-point constants, and
//! objects declared `const` with a constant initialiser. [`integer`] follows that rule; what it
//! does not know is not constant.

use crate::ast::{AstKind, AstNode, LiteralValue};
use crate::types::{CType, TypeShape, TypeTable};
use std::collections::BTreeMap;

/// The initialisers of `const` variables by the id of their declaration.
pub(crate) type Constants<'a> = BTreeMap<u64, &'a AstNode>;

/// The value of an expression without variables.
pub(crate) fn integer(node: &AstNode, types: &TypeTable) -> Option<i128> {
    ConstantEvaluator {
        types,
        constants: &Constants::new(),
    }
    .value(node)
}

/// Collects the `const` variables with initialisers below a node.
pub(crate) fn constants<'a>(root: &'a AstNode, types: &TypeTable) -> Constants<'a> {
    let mut found = Constants::new();
    root.walk(&mut |node| {
        if node.kind == AstKind::VarDecl
            && node.init.is_some()
            && node.type_text().contains("const")
        {
            let ty = types.of(node);
            if let (true, false, Some(init)) = (ty.is_const(), ty.is_volatile(), node.inner.first())
            {
                found.insert(node.id, init);
            }
        }
    });
    found
}

pub(crate) struct ConstantEvaluator<'a> {
    pub types: &'a TypeTable,
    pub constants: &'a Constants<'a>,
}

impl ConstantEvaluator<'_> {
    /// The value of an expression that clang folds to an integer.
    pub(crate) fn value(&self, node: &AstNode) -> Option<i128> {
        self.at_depth(node, 0)
    }

    fn at_depth(&self, node: &AstNode, depth: u32) -> Option<i128> {
        if depth > 200 {
            return None;
        }
        let eval = |index: usize| self.at_depth(node.child(index)?, depth + 1);
        let wrap = |value: i128| self.wrap(value, &self.types.of(node));
        match node.kind {
            AstKind::IntegerLiteral | AstKind::CharacterLiteral => node.value.as_ref()?.as_int(),
            AstKind::ConstantExpr => node
                .value
                .as_ref()
                .and_then(LiteralValue::as_int)
                .or_else(|| eval(0)),
            AstKind::ParenExpr => eval(0),
            AstKind::GenericSelectionExpr => self.at_depth(node.selected()?, depth + 1),
            AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr => match node.cast_kind() {
                "IntegralCast" | "NoOp" | "LValueToRValue" | "BooleanToSignedIntegral" => {
                    wrap(eval(0)?)
                }
                "IntegralToBoolean" => Some(i128::from(eval(0)? != 0)),
                "FloatingToIntegral" => {
                    let float = self.floating(node.child(0)?, depth + 1)?;
                    wrap(float.trunc() as i128)
                }
                "FloatingToBoolean" => {
                    let float = self.floating(node.child(0)?, depth + 1)?;
                    Some(i128::from(float != 0.0))
                }
                _ => None,
            },
            AstKind::DeclRefExpr => {
                let target = node.referenced_decl.as_ref()?;
                if target.kind == AstKind::EnumConstantDecl {
                    return self.types.enumerators.get(&target.id).copied();
                }
                let init = self.constants.get(&target.id)?;
                matches!(
                    self.types.of(node).canonical().shape,
                    TypeShape::Int { .. } | TypeShape::Enum(_)
                )
                .then(|| self.at_depth(init, depth + 1))?
            }
            AstKind::ArraySubscriptExpr => self.element(node, depth),
            AstKind::UnaryExprOrTypeTraitExpr => self.size_or_align(node),
            AstKind::UnaryOperator => {
                if self.is_float(node.child(0)?) {
                    let zero = self.floating(node.child(0)?, depth + 1)? == 0.0;
                    return (node.opcode() == "!").then_some(i128::from(zero));
                }
                let value = eval(0)?;
                match node.opcode() {
                    "+" => Some(value),
                    "-" => wrap(-value),
                    "~" => wrap(!value),
                    "!" => Some(i128::from(value == 0)),
                    "__extension__" => Some(value),
                    _ => None,
                }
            }
            AstKind::BinaryOperator => self.binary(node, depth),
            AstKind::ConditionalOperator => eval(if eval(0)? != 0 { 1 } else { 2 }),
            AstKind::ChooseExpr => eval(if eval(0)? != 0 { 1 } else { 2 }),
            AstKind::CallExpr => self.builtin(node, depth),
            _ => None,
        }
    }

    fn is_float(&self, node: &AstNode) -> bool {
        matches!(
            self.types.of(node).canonical().shape,
            TypeShape::Float { .. }
        )
    }

    /// The value of a constant of type `float` or `double`. Every operation is rounded to its
    /// type, as on x86-64 (FLT_EVAL_METHOD is 0); rounding the `double` result of an operation
    /// on two `float`s to `float` gives the same value as rounding once.
    fn floating(&self, node: &AstNode, depth: u32) -> Option<f64> {
        if depth > 200 {
            return None;
        }
        let eval = |index: usize| self.floating(node.child(index)?, depth + 1);
        let round: fn(f64) -> f64 = match self.types.of(node).canonical().shape {
            TypeShape::Float { name: "float", .. } => |value| f64::from(value as f32),
            TypeShape::Float { name: "double", .. } => |value| value,
            _ => return None,
        };
        let value = match node.kind {
            AstKind::FloatingLiteral => match node.value.as_ref()? {
                LiteralValue::Text(text) => text.parse().ok()?,
                LiteralValue::Number(number) => *number as f64,
            },
            AstKind::ParenExpr | AstKind::ConstantExpr => eval(0)?,
            AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr => match node.cast_kind() {
                "FloatingCast" | "NoOp" | "LValueToRValue" => eval(0)?,
                "IntegralToFloating" => {
                    let integer = self.at_depth(node.child(0)?, depth + 1)?;
                    // Rounded once, not by way of the wider type.
                    match self.types.of(node).canonical().shape {
                        TypeShape::Float { name: "float", .. } => f64::from(integer as f32),
                        _ => integer as f64,
                    }
                }
                _ => return None,
            },
            AstKind::DeclRefExpr => {
                let init = self.constants.get(&node.referenced_decl.as_ref()?.id)?;
                self.floating(init, depth + 1)?
            }
            AstKind::UnaryOperator => match node.opcode() {
                "+" | "__extension__" => eval(0)?,
                "-" => -eval(0)?,
                _ => return None,
            },
            AstKind::BinaryOperator => {
                let (left, right) = (eval(0)?, eval(1)?);
                let value = match node.opcode() {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "/" => left / right,
                    _ => return None,
                };
                // Clang does not fold what is not a number.
                value.is_finite().then_some(value)?
            }
            _ => return None,
        };
        Some(round(value))
    }

    /// A comparison of two floating-point constants.
    fn compare_floats(&self, node: &AstNode, depth: u32) -> Option<i128> {
        let left = self.floating(node.child(0)?, depth + 1)?;
        let right = self.floating(node.child(1)?, depth + 1)?;
        let result = match node.opcode() {
            "<" => left < right,
            ">" => left > right,
            "<=" => left <= right,
            ">=" => left >= right,
            "==" => left == right,
            "!=" => left != right,
            _ => return None,
        };
        Some(i128::from(result))
    }

    fn binary(&self, node: &AstNode, depth: u32) -> Option<i128> {
        if self.is_float(node.child(0)?) && !matches!(node.opcode(), "&&" | "||") {
            return self.compare_floats(node, depth);
        }
        let left = self.at_depth(node.child(0)?, depth + 1);
        let right = || self.at_depth(node.child(1)?, depth + 1);
        match node.opcode() {
            "&&" if left == Some(0) => return Some(0),
            "||" if left.is_some_and(|l| l != 0) => return Some(1),
            _ => {}
        }
        let (left, right) = (left?, right()?);
        let flag = |b: bool| Some(i128::from(b));
        let value = match node.opcode() {
            "+" => left + right,
            "-" => left - right,
            "*" => left.checked_mul(right)?,
            "/" => left.checked_div(right)?,
            "%" => left.checked_rem(right)?,
            "<<" => left.checked_shl(u32::try_from(right).ok().filter(|r| *r < 64)?)?,
            ">>" => left.checked_shr(u32::try_from(right).ok().filter(|r| *r < 64)?)?,
            "&" => left & right,
            "|" => left | right,
            "^" => left ^ right,
            "<" => return flag(left < right),
            ">" => return flag(left > right),
            "<=" => return flag(left <= right),
            ">=" => return flag(left >= right),
            "==" => return flag(left == right),
            "!=" => return flag(left != right),
            "&&" => return flag(left != 0 && right != 0),
            "||" => return flag(left != 0 || right != 0),
            _ => return None,
        };
        // Clang does not fold signed overflow.
        let ty = self.types.of(node);
        let wrapped = self.wrap(value, &ty)?;
        let signed = matches!(ty.canonical().shape, TypeShape::Int { signed: true, .. });
        (!signed || wrapped == value || node.opcode() == "<<").then_some(wrapped)
    }

    /// An element of a constant array or of a string literal.
    fn element(&self, node: &AstNode, depth: u32) -> Option<i128> {
        let index = usize::try_from(self.at_depth(node.child(1)?, depth + 1)?).ok()?;
        let array = node.child(0)?.skip_implicit();
        let elements = match array.kind {
            AstKind::StringLiteral => array,
            AstKind::DeclRefExpr => self.constants.get(&array.referenced_decl.as_ref()?.id)?,
            _ => return None,
        };
        match elements.kind {
            AstKind::InitListExpr => match elements.child(index) {
                // Elements that are not listed are zero; one beyond the array is not constant.
                None => {
                    let ty = self.types.of(elements);
                    matches!(ty.canonical().shape, TypeShape::Array(_, Some(n)) if (index as u64) < n)
                        .then_some(0)
                }
                Some(zero) if zero.kind == AstKind::ImplicitValueInitExpr => Some(0),
                Some(element) => self.at_depth(element, depth + 1),
            },
            AstKind::StringLiteral => match elements.value.as_ref()? {
                LiteralValue::Text(text) if !text.contains('\\') => {
                    let text = text.strip_prefix('"')?.strip_suffix('"')?;
                    match text.as_bytes().get(index) {
                        Some(byte) => Some(i128::from(*byte as i8)),
                        None => (index == text.len()).then_some(0),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn size_or_align(&self, node: &AstNode) -> Option<i128> {
        // A structure declared inside the operand is not in the tree. Its size is a constant all
        // the same, and only that matters for folding.
        const ANY_SIZE_AND_ALIGNMENT: (u64, u64) = (8, 8);
        let ty = match (&node.arg_type, node.child(0)) {
            (Some(text), _) => self.types.parse_text(text),
            (None, operand) => Some(self.types.of(operand?)),
        };
        let (size, align) = match ty {
            Some(ty) if is_variable_length(&ty) => return None,
            Some(ty) => self.types.size_align(&ty).unwrap_or(ANY_SIZE_AND_ALIGNMENT),
            None => ANY_SIZE_AND_ALIGNMENT,
        };
        match node.name() {
            "sizeof" => Some(size.into()),
            "alignof" | "_Alignof" | "__alignof" | "__alignof__" => Some(align.into()),
            _ => None,
        }
    }

    fn builtin(&self, node: &AstNode, depth: u32) -> Option<i128> {
        match node.callee()? {
            "__builtin_expect" | "__builtin_expect_with_probability" => {
                self.at_depth(node.child(1)?, depth + 1)
            }
            "__builtin_constant_p" => {
                // Folded either way; clang answers 0 for what it cannot fold.
                Some(i128::from(
                    self.at_depth(node.child(1)?, depth + 1).is_some(),
                ))
            }
            _ => None,
        }
    }

    fn wrap(&self, value: i128, ty: &CType) -> Option<i128> {
        match &ty.canonical().shape {
            TypeShape::Int { name: "_Bool", .. } => Some(i128::from(value != 0)),
            TypeShape::Int { bits, signed, .. } => Some(truncate(value, *bits, *signed)),
            TypeShape::Enum(index) => self.wrap(value, &self.types.enums[*index].underlying),
            _ => None,
        }
    }
}

fn is_variable_length(ty: &CType) -> bool {
    match &ty.canonical().shape {
        TypeShape::Array(_, None) => true,
        TypeShape::Array(element, _) => is_variable_length(element),
        _ => false,
    }
}

fn truncate(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits;
    if signed {
        (value << shift) >> shift
    } else {
        ((value as u128) << shift >> shift) as i128
    }
}
