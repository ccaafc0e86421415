//! The tree shows the layers: which crate may use which, and no cycle between the rooms of a crate.

#![allow(clippy::unwrap_used)]

mod arrows;
mod rooms;

use std::path::PathBuf;

/// The folder `crates` of the workspace.
fn crates() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap().to_path_buf()
}
