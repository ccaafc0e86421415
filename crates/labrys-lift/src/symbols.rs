//! What a bitcode file offers to others, and which functions it expects of them, in terms of C.

use crate::error::LiftError;
use crate::llvm::{FloatKind, Linkage, LlvmContext, LlvmModule, LlvmType, LlvmTypeKind, LlvmValue};
use crate::prepare;
use std::collections::BTreeSet;
use std::path::Path;

/// The symbols of a file.
#[derive(Clone, Debug, Default)]
pub struct FileSymbols {
    /// Functions and variables that other files may use.
    pub defined: BTreeSet<String>,
    /// Functions that others must define, in the order of the file.
    pub missing: Vec<MissingFunction>,
}

/// A function that is declared and used, but not defined. Its types are those of the machine:
/// pointers are `void *`, integers are unsigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFunction {
    pub name: String,
    /// None for `void`, several for a structure in registers.
    pub result: Vec<String>,
    pub params: Vec<String>,
    pub variadic: bool,
    pub returns: bool,
    /// The size of a structure that is returned through the first parameter.
    pub result_object: Option<u64>,
}

/// Reads the symbols of a file, not its code.
pub fn symbols(path: &Path) -> Result<FileSymbols, LiftError> {
    let session = LlvmContext::new();
    let unit = prepare::read(&session, path, true)?;
    let shared = |value: &LlvmValue<'_>| {
        !matches!(
            value.linkage(),
            Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
        )
    };
    let defined = prepare::definitions(&unit).filter(shared);
    let missing = unit.functions().filter(|f| f.is_declaration());
    Ok(FileSymbols {
        defined: defined.map(|value| value.name()).collect(),
        missing: missing.filter_map(|f| missing_function(&unit, f)).collect(),
    })
}

fn missing_function(unit: &LlvmModule<'_>, function: LlvmValue<'_>) -> Option<MissingFunction> {
    let name = function.name();
    if name.starts_with("llvm.") {
        return None;
    }
    let ty = function.content_type();
    let params = ty.params().into_iter().map(spell);
    let session = unit.session();
    let object = function.parameter_type(0, session.attribute("sret"));
    Some(MissingFunction {
        result: result_scalars(ty.result())?,
        params: params.collect::<Option<_>>()?,
        variadic: ty.is_variadic(),
        returns: !function.has_attribute(session.attribute("noreturn")),
        result_object: object.map(|object| unit.layout().size(object)),
        name,
    })
}

/// The scalars of a result; `None` if C has no spelling for one.
fn result_scalars(ty: LlvmType<'_>) -> Option<Vec<String>> {
    match ty.kind() {
        LlvmTypeKind::Void => Some(Vec::new()),
        LlvmTypeKind::Struct => ty.fields().into_iter().map(spell).collect(),
        _ => Some(vec![spell(ty)?]),
    }
}

fn spell(ty: LlvmType<'_>) -> Option<String> {
    let name = match ty.kind() {
        LlvmTypeKind::Int(1) => "_Bool",
        LlvmTypeKind::Int(8) => "unsigned char",
        LlvmTypeKind::Int(16) => "unsigned short",
        LlvmTypeKind::Int(32) => "unsigned int",
        LlvmTypeKind::Int(64) => "unsigned long",
        LlvmTypeKind::Int(128) => "unsigned __int128",
        LlvmTypeKind::Float(FloatKind::Single) => "float",
        LlvmTypeKind::Float(FloatKind::Double) => "double",
        LlvmTypeKind::Float(FloatKind::Extended) => "long double",
        LlvmTypeKind::Pointer => "void *",
        _ => return None,
    };
    Some(name.to_owned())
}
