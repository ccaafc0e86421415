//! What a run writes: the output directory and its files. `docs/output.md` describes them.

pub mod augmentation;
pub mod claims;
pub mod curve;
pub mod directory;
pub mod elements;
pub mod events;
pub mod live;
pub mod mutants;
pub mod objectives;
pub(crate) mod pace;
pub mod run_record;
pub mod source_text;
pub mod summary;

pub use directory::OutDir;
pub use objectives::{ObjectivesFile, ProofFile};
pub use run_record::RunRecord;
pub use summary::{CoverageCheck, Summary};
