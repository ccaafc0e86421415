//! The table from math intrinsics to the functions of the C library that they stand for, by type.

use crate::llvm::{FloatKind, LlvmType, LlvmTypeKind};

/// Intrinsic, then the functions for `float`, `double` and `long double`.
const FUNCTIONS: [(&str, [&str; 3]); 20] = [
    ("sin", ["sinf", "sin", "sinl"]),
    ("cos", ["cosf", "cos", "cosl"]),
    ("tan", ["tanf", "tan", "tanl"]),
    ("asin", ["asinf", "asin", "asinl"]),
    ("acos", ["acosf", "acos", "acosl"]),
    ("atan", ["atanf", "atan", "atanl"]),
    ("atan2", ["atan2f", "atan2", "atan2l"]),
    ("sinh", ["sinhf", "sinh", "sinhl"]),
    ("cosh", ["coshf", "cosh", "coshl"]),
    ("tanh", ["tanhf", "tanh", "tanhl"]),
    ("exp", ["expf", "exp", "expl"]),
    ("exp2", ["exp2f", "exp2", "exp2l"]),
    ("exp10", ["exp10f", "exp10", "exp10l"]),
    ("log", ["logf", "log", "logl"]),
    ("log2", ["log2f", "log2", "log2l"]),
    ("log10", ["log10f", "log10", "log10l"]),
    ("pow", ["powf", "pow", "powl"]),
    ("powi", ["__powisf2", "__powidf2", "__powixf2"]),
    ("ldexp", ["ldexpf", "ldexp", "ldexpl"]),
    ("fmod", ["fmodf", "fmod", "fmodl"]),
];

/// The function for an intrinsic (without `llvm.`) whose result has this scalar type.
pub(crate) fn function(intrinsic: &str, ty: LlvmType<'_>) -> Option<&'static str> {
    let place = match ty.kind() {
        LlvmTypeKind::Float(FloatKind::Single) => 0,
        LlvmTypeKind::Float(FloatKind::Double) => 1,
        LlvmTypeKind::Float(FloatKind::Extended) => 2,
        _ => return None,
    };
    FUNCTIONS
        .iter()
        .find(|(name, _)| *name == intrinsic)
        .map(|(_, functions)| functions[place])
}
