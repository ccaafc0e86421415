//! Tests of the source tree itself: how types are named and how long functions and files are.
//! They read the Rust files of all crates and fail with the list of what breaks a rule.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod names;
mod sizes;
mod tree;
