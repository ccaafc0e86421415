//! The program under test: its sources, the libraries and models beside them, and what is made of
//! them: annotated text, bitcode, the engine's form, native executables.

mod comparison;
pub mod libraries;
mod project;
pub mod runtime;
pub mod sources;

pub(crate) use project::replay_failure;
pub use project::{ProgramForm, Project, lift};
