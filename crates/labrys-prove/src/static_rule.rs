//! The rules of this crate, cheapest first: one analysis that knows more and more. Each finds all that
//! the ones before it find.

/// How much the analysis knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StaticRule {
    /// Which registers hold one number, and which code can be reached then.
    Constants,
    /// Intervals, known bits and orders of registers.
    Intervals,
    /// The same, with what memory can hold.
    Memory,
    /// The same, with relations between two numbers, and strides.
    Relations,
}
