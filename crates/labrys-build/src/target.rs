//! From an object, an archive or a program that was built with the wrapper to the units to test,
//! the units that they use, and how the program was linked.

use crate::record::{BuildRecord, LinkRecord, UnitRecord};
use crate::{BuildError, section};
use labrys_front::SourceFile;
use std::collections::BTreeSet;
use std::path::Path;

/// What the records of a built file say.
#[derive(Debug, Default)]
pub struct BuiltTarget {
    /// The units to test.
    pub units: Vec<UnitRecord>,
    /// The units of a program that come from archives.
    pub libraries: Vec<UnitRecord>,
    /// The units of the archives on the link line that are not in the program: an optimising
    /// compiler may have needed less of them.
    pub spare: Vec<UnitRecord>,
    /// The last link, which made the program.
    pub link: Option<LinkRecord>,
}

/// Whether a file is an object, a program or an archive, not a source.
pub fn is_built(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    let read = std::fs::File::open(path).and_then(|mut f| f.read(&mut start));
    read.is_ok() && (start.starts_with(b"\x7fELF") || start.starts_with(b"!<arch>"))
}

/// Reads the records of a built file.
pub fn read(path: &Path) -> Result<BuiltTarget, BuildError> {
    let records = section::read(path)?.unwrap_or_default();
    let mut target = BuiltTarget::default();
    let mut seen = BTreeSet::new();
    for record in records {
        match record {
            BuildRecord::Unit(unit) if seen.insert(unit.id()) => target.units.push(unit),
            BuildRecord::Unit(_) => {}
            BuildRecord::Link(link) => target.link = Some(link),
        }
    }
    if target.units.is_empty() {
        return Err(BuildError::NoRecords {
            path: path.to_owned(),
        });
    }
    if let Some(link) = &target.link {
        let direct: BTreeSet<_> = link.direct.iter().collect();
        let (own, rest) = std::mem::take(&mut target.units)
            .into_iter()
            .partition(|unit| direct.contains(&unit.id()));
        (target.units, target.libraries) = (own, rest);
        for archive in link.arguments.iter().filter(|a| a.ends_with(".a")) {
            let records = section::read(&link.directory.join(archive));
            for record in records.ok().flatten().unwrap_or_default() {
                if let BuildRecord::Unit(unit) = record
                    && seen.insert(unit.id())
                {
                    target.spare.push(unit);
                }
            }
        }
        // A program made of archives alone, such as one that a convenience library holds.
        if target.units.is_empty() {
            target.units = std::mem::take(&mut target.libraries);
        }
    }
    Ok(target)
}

/// The functions and variables that a built file defines.
pub fn defined(path: &Path) -> BTreeSet<String> {
    section::defined(path)
}

/// The source of a unit with its flags, as the front end takes it.
pub fn source_of(unit: &UnitRecord) -> SourceFile {
    SourceFile {
        path: unit.source.clone(),
        directory: Some(unit.directory.clone()),
        flags: unit.flags.clone(),
    }
}
