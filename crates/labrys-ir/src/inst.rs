//! The instructions. They are small and `Copy`; whatever is longer than three operands lives in
//! side tables of the function.

use crate::{EdgeId, FuncId, Reg, RegList, SwitchTableId, TextId};

/// Integer arithmetic; both operands and the result have the same width. Division by zero,
/// `INT_MIN / -1` and shifts by the width or more are faults of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Integer and pointer comparison; the result has width 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions. Pointer casts are `ZExt`, `Trunc` or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    /// Float to float of another width.
    FToF,
    FToS,
    FToU,
    SToF,
    UToF,
}

/// Float arithmetic, rounding to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FBinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// `fmin`, `fmax`: the other operand if one is NaN.
    Min,
    Max,
    CopySign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half away from zero.
    Round,
    /// Half to even (`rint`, `nearbyint`, `roundeven`).
    RoundEven,
}

/// Float comparison with LLVM's meaning: `O…` is false and `U…` is true if an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FCmpOp {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

/// The less frequent operations; operands and results are lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntrinsicOp {
    /// (a) → count, same width.
    PopCount,
    /// (a) → count; the full width for zero.
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    /// (a, b, shift): funnel shifts.
    FunnelLeft,
    FunnelRight,
    /// (a, b) → (result, overflow: 1 bit)
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
    /// (a, b) → result
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    SMin,
    SMax,
    UMin,
    UMax,
    /// (a) → |a|, wrapping.
    Abs,
    /// (a, b, c) → a * b + c, rounded once.
    Fma,
    /// (value, mask: 32 bits) → 1 bit, with LLVM's `is.fpclass` mask.
    IsFpClass,
    /// () → token; (token) → (): dynamic allocas made since are freed.
    StackSave,
    StackRestore,
    /// (buffer) → 0 the first time, the value given to `LongJmp` later.
    SetJmp,
    /// (buffer, value): does not return.
    LongJmp,
    /// () → (): the program asked to stop, as `__builtin_trap` does.
    Trap,
    /// (value, text: 32 bits) → the value, which rests on the assumption of this text.
    Assumed,
    /// (value, text: 32 bits) → the value, of which only the sign is sure.
    SignOnly,
    /// (value, text: 32 bits) → the value, of which only is sure whether it is 0.
    TruthOnly,
    /// (text: 32 bits) → (): the run rests on the assumption of this text from here.
    RestOn,
    /// () → (): other threads, if there are any, may have changed what they share with this one.
    OtherThreads,
    /// (pointer, pointer) → (): the program is about to compare them.
    ComparePointers,
    /// (pointer, pointer) → (): the program is about to ask whether they are equal.
    PointersEqual,
    /// (pointer, pointer) → (): the program is about to ask for their order.
    PointersOrdered,
    /// (pointer, pointer) → (): the program is about to ask for their distance.
    PointersSubtracted,
    /// (address, mask) → (): what follows depends on these bits of an address as a number, or on
    /// its low bits where the mask clears them.
    AddressBits,
    /// (address, size) → (): so many bytes there are about to be read as a number, or as a part of
    /// one, and may belong to a pointer.
    AddressBytes,
}

/// One instruction. `width` is in bits and names the operands' width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    Bin {
        op: BinOp,
        width: u8,
        nsw: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Cmp {
        op: CmpOp,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        dst: Reg,
        src: Reg,
    },
    FBin {
        op: FBinOp,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    FUn {
        op: FUnOp,
        width: u8,
        dst: Reg,
        src: Reg,
    },
    FCmp {
        op: FCmpOp,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = cond ? a : b`
    Select {
        dst: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    Copy {
        dst: Reg,
        src: Reg,
    },
    /// `dst = base + offset`, an address.
    Offset {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    /// `dst = base + index * scale`, an address; the index has 64 bits.
    Index {
        dst: Reg,
        base: Reg,
        index: Reg,
        scale: u32,
    },
    /// A stack object of fixed size, made once a call. `align` and `element` as in
    /// [`crate::Global`].
    Alloca {
        dst: Reg,
        size: u32,
        align: u16,
        element: u16,
    },
    /// A stack object of `count * element` bytes, made anew each time.
    AllocaDynamic {
        dst: Reg,
        count: Reg,
        element: u32,
    },
    /// Reads `(width + 7) / 8` bytes.
    Load {
        dst: Reg,
        addr: Reg,
        width: u8,
    },
    Store {
        addr: Reg,
        src: Reg,
        width: u8,
    },
    /// Ranges may not overlap unless `moves`.
    MemCopy {
        dst: Reg,
        src: Reg,
        len: Reg,
        moves: bool,
    },
    MemSet {
        dst: Reg,
        byte: Reg,
        len: Reg,
    },
    Call {
        callee: FuncId,
        args: RegList,
        results: RegList,
    },
    CallPointer {
        target: Reg,
        args: RegList,
        results: RegList,
    },
    Intrinsic {
        op: IntrinsicOp,
        args: RegList,
        results: RegList,
    },
    Jump {
        edge: EdgeId,
    },
    Branch {
        cond: Reg,
        then: EdgeId,
        other: EdgeId,
    },
    Switch {
        value: Reg,
        table: SwitchTableId,
    },
    /// A computed `goto`: the address of a block of this function.
    JumpIndirect {
        address: Reg,
        table: SwitchTableId,
    },
    Return {
        values: RegList,
    },
    Unreachable,
    /// Something that the lifter could not translate; ends the path with this message.
    Unsupported {
        message: TextId,
    },
}

impl Inst {
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::JumpIndirect { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
                | Inst::Unsupported { .. }
        )
    }
}

const _: () = assert!(std::mem::size_of::<Inst>() <= 24);
