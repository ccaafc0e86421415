//! The nodes of expressions: 16 bytes each, named by a dense id, with an operation and up to three
//! operands. [`ExprKind`] is the form for code that walks expressions.

use crate::assumed::AssumptionId;
use std::num::NonZeroU32;

/// An expression in an [`crate::Arena`]. Equal expressions have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    #[inline]
    pub(crate) fn new(index: u32) -> Self {
        // Index 0 of the arena is never handed out.
        ExprId(NonZeroU32::new(index).unwrap_or(NonZeroU32::MIN))
    }

    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize
    }

    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0.get()
    }
}

/// An unknown of the constraints: a piece of an input, 1 to 64 bits wide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

impl VarId {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table of expressions that is indexed by an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(pub u32);

/// What a node computes. Booleans are bit-vectors of width 1. Bit-vector operations have the
/// meaning of SMT-LIB's theory of the same name, division by zero included. Float operations
/// take and give IEEE-754 bit patterns, the format is chosen by the width, and they round to
/// nearest even.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum ExprOp {
    Const,
    Var,
    /// An indeterminate value (read of uninitialised memory).
    Uninit,
    /// Zero, if an assumption holds: what depends on it might be otherwise. Each is one of a kind on its path.
    Assumed,
    Not,
    Neg,
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
    Eq,
    /// The only comparisons: `a <= b` is built as `not (b < a)`.
    Ult,
    Slt,
    /// `a ? b : c`
    Ite,
    /// `a` is the high part.
    Concat,
    /// Bits `b .. b + width` of `a`.
    Extract,
    ZExt,
    SExt,
    /// Entry `b` of table `a`; an index past its end gives the last entry.
    Table,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmod`.
    FRem,
    FSqrt,
    /// `a * b + c`, rounded once.
    FFma,
    /// To an integral value; `b` is a [`Rounding`].
    FRound,
    /// Comparisons give width 1 and are false if an operand is NaN.
    FEq,
    FLt,
    FLe,
    /// Float to float of another width.
    FToF,
    /// Float to integer towards zero, as x86-64 code does it: out of range gives the
    /// "indefinite integer".
    FToS,
    FToU,
    SToF,
    UToF,
}

/// How [`ExprOp::FRound`] rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Rounding {
    NearestEven = 0,
    NearestAway = 1,
    Up = 2,
    Down = 3,
    ToZero = 4,
}

impl Rounding {
    pub fn from_code(code: u32) -> Self {
        match code {
            1 => Rounding::NearestAway,
            2 => Rounding::Up,
            3 => Rounding::Down,
            4 => Rounding::ToZero,
            _ => Rounding::NearestEven,
        }
    }
}

/// Facts about everything below a node.
pub(crate) mod flag {
    /// Depends on an indeterminate value.
    pub(crate) const UNINIT: u8 = 1;
    /// Contains a float operation.
    pub(crate) const FLOAT: u8 = 2;
    /// Depends on an assumption.
    pub(crate) const ASSUMED: u8 = 4;
}

/// A node of the arena. What `a`, `b` and `c` mean depends on `op`; see [`ExprKind`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ExprNode {
    pub(crate) op: ExprOp,
    pub(crate) width: u8,
    pub(crate) flags: u8,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
}

const _: () = assert!(std::mem::size_of::<ExprNode>() == 16);
const _: () = assert!(std::mem::size_of::<Option<ExprId>>() == 4);

/// A node with its operands spelled out, for code that walks expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Const(u128),
    Var(VarId),
    Uninit,
    Assumed(AssumptionId),
    Unary(ExprOp, ExprId),
    Binary(ExprOp, ExprId, ExprId),
    Ite(ExprId, ExprId, ExprId),
    /// Operand and lowest bit.
    Extract(ExprId, u32),
    /// `ZExt`, `SExt` and the float conversions: the target width is the node's.
    Convert(ExprOp, ExprId),
    Table(TableId, ExprId),
    Fma(ExprId, ExprId, ExprId),
    Round(Rounding, ExprId),
}

/// A mask of `width` ones.
#[inline]
pub fn mask(width: u8) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1u128 << width) - 1
    }
}

/// The value of `width` bits as a signed number.
#[inline]
pub fn signed(value: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}
