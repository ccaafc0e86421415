//! What the wrapper knows about each unit and each link, as one line of JSON. The lines travel in
//! the section `.labrys` of objects, archives and linked files: the linker puts those of all its
//! inputs one after the other, so that a program lists exactly the units that are in it.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One line of the section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum BuildRecord {
    Unit(UnitRecord),
    Link(LinkRecord),
}

/// A C source that was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitRecord {
    /// Where the compiler was called.
    pub directory: PathBuf,
    /// As it was named there.
    pub source: PathBuf,
    /// The compiler's whole command line.
    pub arguments: Vec<String>,
    /// The flags of this unit that clang understands.
    pub flags: Vec<String>,
    /// The object as it was first written, as an absolute path; none if it was compiled and
    /// linked in one step.
    pub object: Option<PathBuf>,
    /// None if clang could not compile the source.
    pub bitcode: Option<PathBuf>,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    pub directory: PathBuf,
    pub output: PathBuf,
    pub arguments: Vec<String>,
    /// `-l`, `-L`, `-pthread` and the like.
    pub flags: Vec<String>,
    /// The units in objects that were named directly, or compiled in the same step; all others
    /// come from archives.
    pub direct: Vec<UnitId>,
}

/// What tells the units of a program apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnitId {
    pub directory: PathBuf,
    pub source: PathBuf,
    pub object: Option<PathBuf>,
}

impl UnitRecord {
    pub fn id(&self) -> UnitId {
        UnitId {
            directory: self.directory.clone(),
            source: self.source.clone(),
            object: self.object.clone(),
        }
    }

    /// The source as an absolute path.
    pub fn source_path(&self) -> PathBuf {
        self.directory.join(&self.source)
    }
}

impl BuildRecord {
    /// The line, with its end.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// The records of a section. Lines that are none are skipped: a newer wrapper may have written
/// them, and the linker may have put zeros between.
pub(crate) fn parse(section: &[u8]) -> Vec<BuildRecord> {
    section
        .split(|byte| matches!(byte, b'\n' | 0))
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// An absolute path without `.` and `..`, as far as that can be told without looking at links.
pub(crate) fn absolute(directory: &Path, path: &Path) -> PathBuf {
    labrys_front::without_dots(&directory.join(path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn records_survive_concatenation_and_padding() {
        let unit = BuildRecord::Unit(UnitRecord {
            directory: "/p".into(),
            source: "a \"b\".c".into(),
            arguments: vec!["-c".into()],
            flags: vec![],
            object: Some("/p/a.o".into()),
            bitcode: None,
        });
        let line = unit.to_line().unwrap();
        let section = format!("{line}\0\0\0{{\"kind\":\"future\"}}\n{line}");
        assert_eq!(parse(section.as_bytes()), [unit.clone(), unit]);
    }

    #[test]
    fn paths_are_absolute_and_short() {
        let path = absolute(Path::new("/p/build"), Path::new("./../src/x.c"));
        assert_eq!(path, Path::new("/p/src/x.c"));
        assert_eq!(
            absolute(Path::new("/p"), Path::new("/q/x")),
            Path::new("/q/x")
        );
    }
}
