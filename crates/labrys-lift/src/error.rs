//! What can go wrong while lifting a whole program. Constructs that cannot be translated are no
//! errors: they become `Unsupported` instructions.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum LiftError {
    #[error("there is no bitcode to lift; give at least one file")]
    Nothing,
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} is not valid LLVM bitcode: {reason}; compile it again with clang 19", path.display())]
    Bitcode { path: PathBuf, reason: String },
    #[error("'{symbol}' is defined both in {} and in {}; leave one of them out or make one `static`", first.display(), second.display())]
    Duplicate {
        symbol: String,
        first: PathBuf,
        second: PathBuf,
    },
    #[error("cannot link {}: {reason}", path.display())]
    Link { path: PathBuf, reason: String },
    #[error("cannot write {}; check the directory and the space on the disk", path.display())]
    Write { path: PathBuf },
    #[error("the bitcode is for another kind of machine; compile it for x86-64 Linux")]
    Target,
    #[error("LLVM could not prepare the program: {reason}")]
    Prepare { reason: String },
    #[error("the lifted program is malformed (an error of Labrys): {reason}")]
    Malformed { reason: String },
}

/// Why one construct cannot be translated; becomes the message of an `Unsupported` instruction.
#[derive(Clone, Debug)]
pub(crate) struct UnsupportedConstruct(pub(crate) String);

pub(crate) type LiftResult<T> = Result<T, UnsupportedConstruct>;

/// Shorthand for an unsupported construct.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> LiftResult<T> {
    Err(UnsupportedConstruct(what.into()))
}
