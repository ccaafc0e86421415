//! The parameters of a function as its definition has them.

use crate::ast::{AstKind, AstNode, TypeText};
use crate::harness::Parameter;
use crate::program::ParsedUnit;

/// The parameters of a function.
pub(crate) fn parameters(unit: &ParsedUnit, function: &AstNode) -> Vec<Parameter> {
    let nodes = function.inner.iter();
    nodes
        .filter(|n| n.kind == AstKind::ParmVarDecl)
        .map(|n| Parameter {
            name: n.name().to_owned(),
            ty: unit.types.of(n),
            restrict: n.ty.as_ref().is_some_and(is_restrict),
        })
        .collect()
}

/// Is the pointer itself `restrict`?
fn is_restrict(ty: &TypeText) -> bool {
    let plain = ty.desugared_qual_type.as_deref();
    let texts = [Some(ty.qual_type.as_ref()), plain];
    texts.into_iter().flatten().any(|text| {
        let words = text.rsplit(['*', ' ']);
        let qualifiers = words
            .take_while(|w| matches!(*w, "" | "const" | "volatile" | "restrict" | "__restrict"));
        qualifiers.into_iter().any(|w| w.ends_with("restrict"))
    })
}
