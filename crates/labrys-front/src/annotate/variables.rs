//! Which variables are visible at a place: a mutant may assign to another one of the same type.

use super::Annotator;
use super::mutants::VisibleVariable;
use crate::ast::{AstKind, AstNode};
use std::collections::BTreeSet;

/// The variables of the file that a function mentions, in the order of their declarations.
pub(super) fn globals_of<'a>(root: &'a AstNode, function: &AstNode) -> Vec<&'a AstNode> {
    let mut mentioned = BTreeSet::new();
    function.walk(&mut |node| {
        if let Some(target) = &node.referenced_decl {
            mentioned.insert(target.id);
        }
    });
    let declared = root.inner.iter().filter(|n| n.kind == AstKind::VarDecl);
    declared.filter(|n| mentioned.contains(&n.id)).collect()
}

impl Annotator<'_> {
    /// The parameters become visible.
    pub(super) fn parameters(&mut self) {
        let function = self.function;
        for parameter in function
            .inner
            .iter()
            .filter(|n| n.kind == AstKind::ParmVarDecl)
        {
            self.declare(parameter);
        }
    }

    /// A variable becomes visible.
    pub(super) fn declare(&mut self, node: &AstNode) {
        if node.is_register() {
            self.registers.insert(node.id);
        }
        let variable = self.variable(node);
        self.variables.push(variable);
    }

    /// All variables that can be assigned to here: locals, then globals; none that is hidden by
    /// another of its name.
    pub(super) fn visible(&self) -> Vec<VisibleVariable> {
        let mut names = BTreeSet::new();
        let mut seen: Vec<VisibleVariable> = Vec::new();
        for variable in self.variables.iter().rev() {
            if names.insert(variable.name.clone()) {
                seen.push(variable.clone());
            }
        }
        seen.reverse();
        for global in &self.globals {
            let variable = VisibleVariable {
                has_value: true,
                ..self.variable(global)
            };
            if names.insert(variable.name.clone()) {
                seen.push(variable);
            }
        }
        seen.retain(|variable| !variable.ty.is_empty());
        seen
    }

    /// One that cannot be assigned to has no type: it only hides others.
    fn variable(&self, node: &AstNode) -> VisibleVariable {
        let ty = self.context.types.of(node);
        let assignable = !ty.is_const() && !ty.is_volatile() && !node.name().is_empty();
        let ty = assignable.then(|| self.plain_type(&ty));
        VisibleVariable {
            id: node.id,
            name: node.name().to_owned(),
            ty: ty.unwrap_or_default(),
            has_value: has_value(node),
        }
    }
}

/// Whether a variable has a value as soon as it is there.
fn has_value(node: &AstNode) -> bool {
    node.kind == AstKind::ParmVarDecl || node.init.is_some() || node.is_static() || node.is_extern()
}
