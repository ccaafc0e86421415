//! The C types of scalar inputs.

/// The C type of an input made by `labrys_<type>(name)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Float,
    Double,
}

impl Scalar {
    pub(crate) const NAMES: [(&'static str, Scalar); 14] = [
        ("bool", Scalar::Bool),
        ("char", Scalar::Char),
        ("schar", Scalar::SChar),
        ("uchar", Scalar::UChar),
        ("short", Scalar::Short),
        ("ushort", Scalar::UShort),
        ("int", Scalar::Int),
        ("uint", Scalar::UInt),
        ("long", Scalar::Long),
        ("ulong", Scalar::ULong),
        ("llong", Scalar::LLong),
        ("ullong", Scalar::ULLong),
        ("float", Scalar::Float),
        ("double", Scalar::Double),
    ];

    /// Spelling in C.
    pub fn c_name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::Char => "char",
            Scalar::SChar => "signed char",
            Scalar::UChar => "unsigned char",
            Scalar::Short => "short",
            Scalar::UShort => "unsigned short",
            Scalar::Int => "int",
            Scalar::UInt => "unsigned int",
            Scalar::Long => "long",
            Scalar::ULong => "unsigned long",
            Scalar::LLong => "long long",
            Scalar::ULLong => "unsigned long long",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    pub fn is_signed(self) -> bool {
        use Scalar::{Char, Int, LLong, Long, SChar, Short};
        matches!(self, Char | SChar | Short | Int | Long | LLong)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double)
    }

    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::Char | Scalar::SChar | Scalar::UChar => 1,
            Scalar::Short | Scalar::UShort => 2,
            Scalar::Int | Scalar::UInt | Scalar::Float => 4,
            _ => 8,
        }
    }
}
