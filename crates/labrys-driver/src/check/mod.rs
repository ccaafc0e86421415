//! `check`: does what an output directory says still hold? Each thing that is checked has a file here.

mod proofs;

pub use proofs::{CheckedProofs, ProofComplaint, check_proofs};
