//! Bad input, bad surroundings, interruptions: each gets one clear message and the exit code that
//! is promised for it, and never a panic.

#![allow(clippy::unwrap_used, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;
mod damage;
mod input;
mod limits;
mod linkage;
mod options;
mod output;
mod run;
mod sandbox;
