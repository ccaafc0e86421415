//! Results as text for people.

pub mod checks;
pub mod decision_table;
pub mod measured;
pub mod mutation;
pub mod proof;
pub mod stats;
pub mod summary;
