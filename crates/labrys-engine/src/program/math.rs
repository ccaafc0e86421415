//! Functions of `<math.h>` that are exact operations, by their names in the C library.

use labrys_ir::FUnOp;

/// A function with an exact meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Math {
    Round(FUnOp),
    /// To an integer.
    RoundToInt(FUnOp),
    Sqrt,
    Min,
    Max,
    CopySign,
    Fma,
    Rem,
    IsNan,
    IsInfinite,
    IsFinite,
    SignBit,
    Classify,
    RealPart,
    ImaginaryPart,
    Conjugate,
}

/// Names for `double`; with `f` and `l` behind them they are those of the other types.
const NAMES: [(&str, Math); 29] = [
    ("fabs", Math::Round(FUnOp::Abs)),
    ("floor", Math::Round(FUnOp::Floor)),
    ("ceil", Math::Round(FUnOp::Ceil)),
    ("trunc", Math::Round(FUnOp::Trunc)),
    ("round", Math::Round(FUnOp::Round)),
    ("roundeven", Math::Round(FUnOp::RoundEven)),
    ("rint", Math::Round(FUnOp::RoundEven)),
    ("nearbyint", Math::Round(FUnOp::RoundEven)),
    ("lround", Math::RoundToInt(FUnOp::Round)),
    ("llround", Math::RoundToInt(FUnOp::Round)),
    ("lrint", Math::RoundToInt(FUnOp::RoundEven)),
    ("llrint", Math::RoundToInt(FUnOp::RoundEven)),
    ("sqrt", Math::Sqrt),
    ("fmin", Math::Min),
    ("fmax", Math::Max),
    ("copysign", Math::CopySign),
    ("fma", Math::Fma),
    ("fmod", Math::Rem),
    ("isnan", Math::IsNan),
    ("__isnan", Math::IsNan),
    ("isinf", Math::IsInfinite),
    ("__isinf", Math::IsInfinite),
    ("finite", Math::IsFinite),
    ("__finite", Math::IsFinite),
    ("__signbit", Math::SignBit),
    ("__fpclassify", Math::Classify),
    ("creal", Math::RealPart),
    ("cimag", Math::ImaginaryPart),
    ("conj", Math::Conjugate),
];

impl Math {
    /// The function of this name, if its registers have the widths that it should have.
    pub(crate) fn find(name: &str, params: &[u8], results: &[u8]) -> Option<Math> {
        let plain = |base: &str| {
            NAMES
                .iter()
                .find(|(n, _)| *n == base)
                .map(|(_, m)| (*m, 64))
        };
        let (math, real) = plain(name)
            .or_else(|| Some((plain(name.strip_suffix('f')?)?.0, 32)))
            .or_else(|| Some((plain(name.strip_suffix('l')?)?.0, 80)))?;
        if matches!(math, Math::RealPart | Math::ImaginaryPart | Math::Conjugate) {
            let parts = if math == Math::Conjugate { 2 } else { 1 };
            // A complex long double is passed as an object.
            let given: &[u8] = if real == 80 { &[64] } else { &[real, real] };
            let fits = results.len() == parts && results.iter().all(|r| *r == real);
            return (params == given && fits).then_some(math);
        }
        let (count, result) = match math {
            Math::Round(_) | Math::Sqrt => (1, real),
            Math::RoundToInt(_) => (1, 64),
            Math::Min | Math::Max | Math::CopySign | Math::Rem => (2, real),
            Math::Fma => (3, real),
            _ => (1, 32),
        };
        (params.len() == count && params.iter().all(|p| *p == real) && *results == [result])
            .then_some(math)
    }

    pub(crate) fn names() -> impl Iterator<Item = String> {
        NAMES
            .iter()
            .flat_map(|(name, _)| ["", "f", "l"].map(|suffix| format!("{name}{suffix}")))
    }
}
