//! The word of every operation in the text form, in one table for printing and parsing.

use crate::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, IntrinsicOp};

/// An operation with a word of its own.
pub(super) trait OperationWord: Copy + PartialEq + 'static {
    const ALL: &'static [(Self, &'static str)];

    fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(op, _)| *op == self)
            .map_or("?", |(_, word)| word)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == word)
            .map(|(op, _)| *op)
    }
}

macro_rules! named {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl OperationWord for $type {
            const ALL: &'static [(Self, &'static str)] = &[$(($type::$variant, $word)),*];
        }

        const _: fn($type) = |op| match op {
            $($type::$variant => {})*
        };
    };
}

named!(BinOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    And = "and",
    Or = "or",
    Xor = "xor",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
});

named!(CmpOp {
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Slt = "slt",
    Sle = "sle",
    Sgt = "sgt",
    Sge = "sge",
});

named!(CastOp {
    Trunc = "trunc",
    ZExt = "zext",
    SExt = "sext",
    FToF = "ftof",
    FToS = "ftos",
    FToU = "ftou",
    SToF = "stof",
    UToF = "utof",
});

named!(FBinOp {
    Add = "fadd",
    Sub = "fsub",
    Mul = "fmul",
    Div = "fdiv",
    Rem = "frem",
    Min = "fmin",
    Max = "fmax",
    CopySign = "fcopysign",
});

named!(FUnOp {
    Neg = "fneg",
    Abs = "fabs",
    Sqrt = "fsqrt",
    Floor = "ffloor",
    Ceil = "fceil",
    Trunc = "ftrunc",
    Round = "fround",
    RoundEven = "froundeven",
});

named!(FCmpOp {
    Oeq = "oeq",
    Ogt = "ogt",
    Oge = "oge",
    Olt = "olt",
    Ole = "ole",
    One = "one",
    Ord = "ord",
    Ueq = "ueq",
    Ugt = "ugt",
    Uge = "uge",
    Ult = "ult",
    Ule = "ule",
    Une = "une",
    Uno = "uno",
});

named!(IntrinsicOp {
    PopCount = "popcount",
    LeadingZeros = "leading_zeros",
    TrailingZeros = "trailing_zeros",
    ByteSwap = "byte_swap",
    BitReverse = "bit_reverse",
    FunnelLeft = "funnel_left",
    FunnelRight = "funnel_right",
    SAddOverflow = "sadd_overflow",
    UAddOverflow = "uadd_overflow",
    SSubOverflow = "ssub_overflow",
    USubOverflow = "usub_overflow",
    SMulOverflow = "smul_overflow",
    UMulOverflow = "umul_overflow",
    SAddSat = "sadd_sat",
    UAddSat = "uadd_sat",
    SSubSat = "ssub_sat",
    USubSat = "usub_sat",
    SMin = "smin",
    SMax = "smax",
    UMin = "umin",
    UMax = "umax",
    Abs = "abs",
    Fma = "fma",
    IsFpClass = "is_fp_class",
    Assumed = "assumed",
    SignOnly = "sign_only",
    TruthOnly = "truth_only",
    RestOn = "rest_on",
    OtherThreads = "other_threads",
    ComparePointers = "compare_pointers",
    StackSave = "stack_save",
    StackRestore = "stack_restore",
    PointersEqual = "pointers_equal",
    PointersOrdered = "pointers_ordered",
    PointersSubtracted = "pointers_subtracted",
    SetJmp = "setjmp",
    LongJmp = "longjmp",
    Trap = "trap",
    AddressBits = "address_bits",
    AddressBytes = "address_bytes",
});
