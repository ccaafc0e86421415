//! Infeasibility proofs before any search: an abstract interpretation of the whole program with
//! constants, intervals, known bits and orders of registers.
//!
//! In comes a module, its harness and the events that are asked for; out come the events that no
//! run can give, each with the reason. Nothing here knows of clang or of execution. What is used,
//! and what is not, stands in `docs/design/065-static-proofs.md`.

#[cfg(test)]
mod brute_force;
mod call_addresses;
mod call_effects;
mod call_values;
mod cases;
mod cells;
mod certificate;
mod claim;
mod compare;
mod constant_tables;
mod definitions;
mod equal_registers;
mod errors;
mod escapes;
mod facts;
mod focused_places;
mod footprints;
mod inverse;
mod known_branches;
mod known_facts;
mod load_numbers;
mod members;
mod memory_values;
mod param_addresses;
mod places;
mod pointer_shape;
mod program;
mod reason;
mod refine;
mod refute;
mod relations;
mod result_cases;
mod scope;
mod sites;
mod state;
mod static_rule;
mod sweep;
mod sweep_memory;
mod transfer;
mod unfold;
mod value_set;
mod writes;

pub use cases::{CaseFindings, CaseLooks};
pub use certificate::{
    CertificateClaim, CertificateRequest, CertificateStep, Certificates, FactDamage, Oracle,
};
pub use known_facts::known_facts;
pub use reason::{DecidedBranch, DecidedComparison, HeldRelation, RefutationReason};
pub use refute::{Refutations, refute, refute_in_time, refute_with_certificates};
pub use scope::AnalysisScope;
pub use static_rule::StaticRule;
pub use value_set::ValueSet;
