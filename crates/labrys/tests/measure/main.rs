//! `labrys measure`: suites of Labrys, KLEE, Test-Comp and fuzzers, scored by native runs.

#![allow(clippy::unwrap_used, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;

mod errors;
mod klee;
mod own;
mod raw;
mod scene;
mod testcomp;
