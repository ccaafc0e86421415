//! The readers of this crate that take what others have written, for those who damage it
//! (`crates/labrys-fuzz`). Each says whether it has accepted the input.

use crate::arguments::Invocation;
use crate::{section, words};
use std::path::Path;

/// An object, a program or an archive with records of its build.
pub fn object_file(bytes: &[u8]) -> bool {
    let _ = section::defined_in(bytes);
    section::records_in(bytes).is_some_and(|records| !records.is_empty())
}

/// The section with the records alone.
pub fn build_records(section: &[u8]) -> bool {
    !crate::record::parse(section).is_empty()
}

/// The command line of a compiler.
pub fn command_line(text: &[u8]) -> bool {
    let words = words::split(&String::from_utf8_lossy(text));
    // No response file is read: there is no such directory.
    let seen = Invocation::parse(&words, Path::new("/nowhere"));
    let _ = seen.program();
    for source in &seen.sources {
        let _ = seen.object_of(source);
    }
    !seen.sources.is_empty()
}
