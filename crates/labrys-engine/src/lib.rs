//! Concolic execution with copy-on-write snapshots.
