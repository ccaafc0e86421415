//! The text form of a module, for tests, for looking at programs and for bug reports. Printing
//! and parsing are inverse to each other for every module that the verifier accepts.
//!
//! ```text
//! ; a comment
//! text "" text "x.c"                                ; numbered from 0
//! global @g size 8 align 4 element 4 init x"0100000002000000"
//! function @f(r0) -> 32 !1:3:0 {
//!   regs 32 32 1 32                                 ; the widths of r0, r1, ...
//!   const r1 = 7
//!   edge e0 -> b1 [r3 = r0]                         ; copies, destination first
//!   edge e1 -> b1 [r3 = r1]
//! b0:
//!   r2 = cmp.slt.32 r0, r1 !1:4:9                   ; text, line and column of the source
//!   branch r2, e0, e1
//! b1:
//!   return (r3)
//! }
//! ```

mod lex;
mod names;
mod parse;
mod parse_inst;
mod print;

pub use parse::{ParseError, parse};
