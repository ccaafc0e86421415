//! Reads how a program was built: its sources, their flags and directories, and the link.
//!
//! [`wrapper`] is a drop-in compiler: it calls the real one, keeps bitcode beside each object,
//! and puts a record of each compilation and each link into the objects themselves. [`target`]
//! reads these records from an object, an archive or a program, and [`commands`] reads a
//! `compile_commands.json`; both give sources with their exact flags and directories.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod arguments;
mod bitcode;
pub mod commands;
pub mod readers;
mod record;
mod section;
pub mod target;
mod words;
pub mod wrapper;

pub use bitcode::{BitcodeOutcome, accepted_flags, compile as compile_bitcode};
pub use record::{BuildRecord, LinkRecord, UnitRecord};
pub use section::read as read_records;

use std::path::{Path, PathBuf};

/// What can go wrong while reading or recording a build.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },

    #[error("{tool} failed: {message}")]
    Tool { tool: String, message: String },

    #[error(
        "{}: was not built with labrys cc; build it again with CC=\"labrys cc\", or name its C files",
        path.display()
    )]
    NoRecords { path: PathBuf },

    #[error("{}: is not a list of compile commands: {message}", path.display())]
    BadCommands { path: PathBuf, message: String },

    #[error(
        "{}: has no command for {}; name the file without --compile-commands, or add it to the build",
        list.display(),
        source_file.display()
    )]
    NotInCommands { list: PathBuf, source_file: PathBuf },

    #[error("{}: has no command for a C file", path.display())]
    NoCommands { path: PathBuf },
}

impl BuildError {
    pub(crate) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        BuildError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}
