//! Expressions as text for the predicates of labels, as they are written or with one change.
//!
//! The text is that of the preprocessed source on one line, without line markers. `&&` and `||`
//! become `&` and `|` over operands that are 0 or 1, so that a predicate does not branch, unless
//! the right operand can fault.

use super::conditions::{is_logical, is_truth_value};
use super::purity::can_fault;
use crate::ast::{AstKind, AstNode};
use crate::source::PreprocessedText;

/// One change of an expression, at the node with this id.
#[derive(Clone, Debug)]
pub(super) struct NodeChange {
    pub node: u64,
    pub to: Replacement,
}

#[derive(Clone, Debug)]
pub(super) enum Replacement {
    /// Another operator between the same operands.
    Operator(&'static str),
    /// Only this operand.
    Operand(usize),
    /// A text that has nothing of the old one.
    Text(String),
    /// This text, with the expression for every `@`.
    Pattern(&'static str),
}

/// The expression as it is.
pub(super) fn plain(source: &PreprocessedText, node: &AstNode) -> String {
    text(source, node, None)
}

/// The expression with a change.
pub(super) fn changed(source: &PreprocessedText, node: &AstNode, change: &NodeChange) -> String {
    text(source, node, Some(change))
}

fn text(source: &PreprocessedText, node: &AstNode, change: Option<&NodeChange>) -> String {
    let operand = |index: usize, change: Option<&NodeChange>| {
        node.child(index)
            .map_or(String::new(), |child| text(source, child, change))
    };
    // An operand as 0 or 1.
    let truth = |index: usize, change: Option<&NodeChange>| {
        let text = operand(index, change);
        let changed = |n: &AstNode| change.is_some_and(|c| c.node == n.id);
        match node.child(index) {
            Some(n) if is_truth_value(n) && !changed(n) && !changed(n.skip_implicit()) => {
                match n.skip_implicit_casts().kind {
                    AstKind::ParenExpr => text,
                    _ => format!("({text})"),
                }
            }
            _ => format!("!!({text})"),
        }
    };
    if let Some(change) = change.filter(|c| c.node == node.id) {
        return match &change.to {
            Replacement::Operator(new @ ("&&" | "||")) => {
                logical(node, new, truth(0, None), truth(1, None))
            }
            Replacement::Operator(new) => {
                format!("(({}) {new} ({}))", operand(0, None), operand(1, None))
            }
            Replacement::Operand(index) => format!("({})", operand(*index, None)),
            Replacement::Text(new) => new.clone(),
            Replacement::Pattern(pattern) => {
                let inner = format!("({})", text(source, node, None));
                pattern.replace('@', &inner)
            }
        };
    }
    if is_logical(node) {
        return logical(node, node.opcode(), truth(0, change), truth(1, change));
    }
    pieces(source, node, change)
}

/// `a && *a` with `a` null is false and no fault: there the operator stays as it is.
fn logical(node: &AstNode, operator: &str, left: String, right: String) -> String {
    let operator = match node.child(1).is_some_and(can_fault) {
        true => operator,
        false => &operator[..1],
    };
    format!("({left} {operator} {right})")
}

/// The text of a node from its own tokens and the texts of its children.
fn pieces(source: &PreprocessedText, node: &AstNode, change: Option<&NodeChange>) -> String {
    let Some((begin, end)) = node.span() else {
        return String::new();
    };
    let mut out = String::new();
    let mut at = begin;
    for child in children(node) {
        let Some((from, to)) = child.span() else {
            continue;
        };
        if from < at || to > end {
            continue;
        }
        out.push_str(&flat(source.slice((at, from))));
        out.push_str(&text(source, child, change));
        at = to;
    }
    out.push_str(&flat(source.slice((at, end))));
    out
}

/// The children that are written where the tree has them.
fn children(node: &AstNode) -> &[AstNode] {
    match node.kind {
        AstKind::GenericSelectionExpr
        | AstKind::UnaryExprOrTypeTraitExpr
        | AstKind::OffsetOfExpr => &[],
        _ => &node.inner,
    }
}

/// One line without line markers. Strings stay as they are: no line ends inside one.
pub(crate) fn flat(text: &str) -> String {
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
    let mut out = lines.next().unwrap_or("").to_owned();
    for line in lines.filter(|line| !line.starts_with('#')) {
        out.push(' ');
        out.push_str(line.trim_start());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::flat;

    #[test]
    fn markers_and_line_ends_go() {
        assert_eq!(flat(" + "), " + ");
        assert_eq!(flat("a\n# 12 \"x.c\"\n  + b"), "a + b");
        assert_eq!(flat(" &&\n"), " && ");
    }
}
