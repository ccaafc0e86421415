//! Projects as people build them: `labrys cc` under make and CMake, `compile_commands.json`,
//! models, and programs with libraries.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod models;
mod programs;
mod project;
mod wrapper;
