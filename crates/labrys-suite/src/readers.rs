//! The readers of what other tools and the sandbox write, for those who damage it
//! (`crates/labrys-fuzz`). Each says whether it has accepted the input.

use crate::{coverage, sandbox};
use std::path::Path;

/// What `gcov --json-format` prints.
pub fn gcov(json: &[u8]) -> bool {
    coverage::gcov_report(json, Path::new("/nowhere")).is_ok()
}

/// What `llvm-cov export` prints.
pub fn llvm_cov(json: &[u8]) -> bool {
    coverage::llvm_report(json, Path::new("/nowhere")).is_ok()
}

/// What the launcher of the sandbox reports.
pub fn sandbox_report(bytes: &[u8]) -> bool {
    sandbox::parse_report(bytes).is_some()
}
