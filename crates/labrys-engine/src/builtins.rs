//! The functions that the engine understands by name: annotations, inputs, and the primitives
//! that the C models of the library stand on.

/// A function that is executed by the engine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    // Annotations.
    Cond,
    Decision,
    Vector,
    Switch,
    Case,
    Reach,
    LabelOpen,
    LabelBegin,
    Label,
    Mutant,
    // Inputs and harness.
    Symbolic,
    Scalar(Scalar),
    Assume,
    Pick,
    Limit,
    Guess,
    Output,
    // Primitives of the library models.
    Error,
    Exit,
    Malloc,
    MallocAligned,
    Free,
    ObjectSize,
    Write,
    WriteText,
    Exact,
    Touch,
    Unsupported,
    Select,
    Current,
    IsSymbolic,
    IsUninit,
    Pin,
    FormatDouble,
    FormatLongDouble,
    ParseFloat,
    WideProperty,
}

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
    const NAMES: [(&'static str, Scalar); 14] = [
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

impl Builtin {
    /// Can it be called in a label's predicate, of which nothing lasts?
    pub(crate) fn leaves_no_trace(self) -> bool {
        matches!(
            self,
            Builtin::Cond
                | Builtin::Decision
                | Builtin::Vector
                | Builtin::Switch
                | Builtin::Case
                | Builtin::Reach
                | Builtin::LabelOpen
                | Builtin::LabelBegin
                | Builtin::Label
                | Builtin::Mutant
                | Builtin::Error
                | Builtin::ObjectSize
                | Builtin::Touch
                | Builtin::Unsupported
                | Builtin::Select
                | Builtin::Current
                | Builtin::IsSymbolic
                | Builtin::IsUninit
                | Builtin::Pin
                | Builtin::WideProperty
        )
    }

    pub(crate) fn by_name(name: &str) -> Option<Builtin> {
        let name = name.strip_prefix("labrys_")?;
        if let Some((_, scalar)) = Scalar::NAMES.iter().find(|(n, _)| *n == name) {
            return Some(Builtin::Scalar(*scalar));
        }
        Some(match name {
            "cond" => Builtin::Cond,
            "decision" => Builtin::Decision,
            "vector" => Builtin::Vector,
            "switch" => Builtin::Switch,
            "case" => Builtin::Case,
            "reach" => Builtin::Reach,
            "label_open" => Builtin::LabelOpen,
            "label_begin" => Builtin::LabelBegin,
            "label" => Builtin::Label,
            "mutant" => Builtin::Mutant,
            "symbolic" => Builtin::Symbolic,
            "assume" => Builtin::Assume,
            "pick" => Builtin::Pick,
            "limit" => Builtin::Limit,
            "guess" => Builtin::Guess,
            "output" => Builtin::Output,
            "error" => Builtin::Error,
            "exit" => Builtin::Exit,
            "malloc" => Builtin::Malloc,
            "malloc_aligned" => Builtin::MallocAligned,
            "select" => Builtin::Select,
            "free" => Builtin::Free,
            "object_size" => Builtin::ObjectSize,
            "write" => Builtin::Write,
            "write_text" => Builtin::WriteText,
            "exact" => Builtin::Exact,
            "touch" => Builtin::Touch,
            "unsupported" => Builtin::Unsupported,
            "current" => Builtin::Current,
            "is_symbolic" => Builtin::IsSymbolic,
            "is_uninit" => Builtin::IsUninit,
            "pin" => Builtin::Pin,
            "format_double" => Builtin::FormatDouble,
            "format_long_double" => Builtin::FormatLongDouble,
            "parse_float" => Builtin::ParseFloat,
            "wide_property" => Builtin::WideProperty,
            _ => return None,
        })
    }
}
