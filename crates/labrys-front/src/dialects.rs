//! The input functions of Labrys and of other tools, by name: which they are, and which types
//! their inputs have in the drivers that users write.

use crate::ast::{AstKind, AstNode, LiteralValue};
use crate::types::{CType, TypeShape, TypeTable};
use labrys_ledger::InputType;
use std::collections::BTreeMap;

/// The suffixes of `__VERIFIER_nondet_*` and `nondet_*` that the runtime implements.
const NONDET: &[&str] = &[
    "bool",
    "char",
    "schar",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "unsigned",
    "unsigned_int",
    "unsigned_char",
    "long",
    "ulong",
    "unsigned_long",
    "longlong",
    "ulonglong",
    "float",
    "double",
    "size_t",
    "ssize_t",
    "loff_t",
    "sector_t",
    "pthread_t",
    "S8",
    "s8",
    "s16",
    "s32",
    "s64",
    "u8",
    "u16",
    "u32",
    "u64",
    "U8",
    "U16",
    "U32",
    "pointer",
    "pchar",
    "charp",
    "const_char_pointer",
    "int128",
    "uint128",
    "memory",
];

/// Whether a function asks for an input, so that the program that calls it is a driver.
pub(crate) fn is_input(name: &str) -> bool {
    let annotation = matches!(
        name,
        "labrys_assume"
            | "labrys_cond"
            | "labrys_decision"
            | "labrys_vector"
            | "labrys_reach"
            | "labrys_label"
            | "labrys_label_open"
            | "labrys_label_begin"
            | "labrys_compiler_knows"
            | "labrys_truth"
    );
    (name.starts_with("labrys_") && !annotation)
        || matches!(name, "klee_make_symbolic" | "klee_int" | "klee_range")
        || name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("__Crest")
        || name.starts_with("CREST_")
        || name.starts_with("nondet_")
        || name.starts_with("__CPROVER_nondet")
}

/// Whether the runtime implements the function.
pub(crate) fn is_implemented(name: &str) -> bool {
    let nondet = name
        .strip_prefix("__VERIFIER_nondet_")
        .or_else(|| name.strip_prefix("nondet_"));
    if let Some(suffix) = nondet {
        return NONDET.contains(&suffix);
    }
    [
        "labrys_",
        "klee_",
        "__VERIFIER_",
        "__CPROVER_",
        "__Crest",
        "CREST_",
        "pc_label",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        || name == "reach_error"
}

/// What a function that the runtime implements does to the program which calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuntimeEffect {
    /// It returns an input: another value at each call, whatever was called before.
    Input,
    /// It may end the run.
    End,
    /// It writes inputs where its argument points to.
    Fill,
}

/// The name of the input that a function returns which is not told one.
pub(crate) fn usual_input_name(function: &str) -> Option<&str> {
    let suffix = (function.strip_prefix("__VERIFIER_nondet_"))
        .or_else(|| function.strip_prefix("nondet_"))?;
    let has_name_inside = matches!(suffix, "memory" | "int128" | "uint128");
    (NONDET.contains(&suffix) && !has_name_inside).then_some(suffix)
}

/// What a function of the runtime does; none if it is not one, or does something else.
pub(crate) fn runtime_effect(name: &str) -> Option<RuntimeEffect> {
    const INPUTS: [&str; 14] = [
        "bool", "char", "schar", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
        "llong", "ullong", "float", "double",
    ];
    let nondet = (name.strip_prefix("__VERIFIER_nondet_")).or_else(|| name.strip_prefix("nondet_"));
    if let Some(suffix) = nondet {
        let known = NONDET.contains(&suffix);
        return known.then_some(match suffix {
            "memory" => RuntimeEffect::Fill,
            _ => RuntimeEffect::Input,
        });
    }
    if (name.strip_prefix("labrys_")).is_some_and(|suffix| INPUTS.contains(&suffix)) {
        return Some(RuntimeEffect::Input);
    }
    match name {
        "klee_int" | "klee_range" => Some(RuntimeEffect::Input),
        "labrys_symbolic" | "klee_make_symbolic" => Some(RuntimeEffect::Fill),
        "labrys_assume" | "labrys_error" | "labrys_exit" | "klee_assume" | "klee_silent_exit"
        | "klee_abort" | "klee_report_error" | "__VERIFIER_assume" | "__VERIFIER_error"
        | "reach_error" | "__CPROVER_assume" | "__CPROVER_assert" => Some(RuntimeEffect::End),
        _ if name.starts_with("__Crest") => Some(RuntimeEffect::Fill),
        _ => None,
    }
}

/// The types of the inputs that a driver asks for, where its text tells name and type.
pub(crate) fn inputs_of(
    definition: &AstNode,
    types: &TypeTable,
    inputs: &mut BTreeMap<String, InputType>,
) {
    definition.walk(&mut |node| {
        let Some((name, ty)) = node
            .callee()
            .and_then(|callee| input_of(node, callee, types))
        else {
            return;
        };
        match inputs.get(&name) {
            Some(known) if *known != ty => {
                // Two inputs of one name and different types: their bytes must do.
                inputs.insert(name, InputType::Bytes { size: 0 });
            }
            _ => {
                inputs.insert(name, ty);
            }
        }
    });
}

fn input_of(call: &AstNode, callee: &str, types: &TypeTable) -> Option<(String, InputType)> {
    let nondet = callee
        .strip_prefix("__VERIFIER_nondet_")
        .or_else(|| callee.strip_prefix("nondet_"));
    if let Some(suffix) = nondet {
        return Some((suffix.to_owned(), types.input_type(&types.of(call))));
    }
    match callee {
        "labrys_symbolic" | "klee_make_symbolic" => {
            let object = pointed_to(call.child(1)?, types)?;
            Some((literal(call.child(3)?)?, types.input_type(&object)))
        }
        "klee_range" => Some((literal(call.child(3)?)?, types.input_type(&CType::INT))),
        "labrys_pick" | "labrys_assume" | "labrys_output" | "labrys_limit" | "labrys_guess"
        | "labrys_own" | "labrys_offer" | "labrys_inputs_made" | "labrys_choose"
        | "labrys_assign" => None,
        _ if callee.starts_with("__Crest") => {
            let ty = types.input_type(&pointed_to(call.child(1)?, types)?);
            let name = match &ty {
                InputType::Int { name, .. } => name.clone(),
                _ => return None,
            };
            Some((name, ty))
        }
        _ if callee.starts_with("labrys_") || callee == "klee_int" => {
            let ty = types.of(call);
            matches!(
                ty.canonical().shape,
                TypeShape::Int { .. } | TypeShape::Float { .. }
            )
            .then_some(())
            .and_then(|()| Some((literal(call.child(1)?)?, types.input_type(&ty))))
        }
        _ => None,
    }
}

/// The type of the object whose address is passed.
fn pointed_to(argument: &AstNode, types: &TypeTable) -> Option<CType> {
    let mut node = argument;
    loop {
        match node.kind {
            AstKind::ParenExpr | AstKind::CStyleCastExpr | AstKind::ImplicitCastExpr => {
                node = node.child(0)?;
            }
            AstKind::UnaryOperator if node.opcode() == "&" => {
                return Some(types.of(node.child(0)?));
            }
            _ => {
                let ty = types.of(node);
                return matches!(ty.canonical().shape, TypeShape::Array(_, Some(_))).then_some(ty);
            }
        }
    }
}

fn literal(argument: &AstNode) -> Option<String> {
    match &argument.skip_implicit().value {
        Some(LiteralValue::Text(text)) => Some(
            text.strip_prefix('"')?
                .strip_suffix('"')?
                .replace("\\\"", "\""),
        ),
        _ => None,
    }
}
