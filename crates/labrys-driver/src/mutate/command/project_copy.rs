//! A copy of a project in which the sources are those with mutants. Commands are run there, so
//! nothing of the user's is ever changed.

use crate::failure::{Failure, Outcome};
use crate::program::Project;
use labrys_budget::{ChildError, Deadline, run_child};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What a CMake build leaves: its files name the directory where it was made.
const CMAKE: &str = "CMakeCache.txt";

/// The texts of a project that are replaced, by their paths inside of it.
pub(super) struct ReplacedSources {
    texts: Vec<(PathBuf, Vec<u8>)>,
}

impl ReplacedSources {
    /// The sources must belong to the project.
    pub(super) fn new(project: &Project, dir: &Path, texts: Vec<Vec<u8>>) -> Outcome<Self> {
        let top = dir.canonicalize().map_err(|error| {
            Failure::usage(format_args!("--test-dir {}: {error}", dir.display()))
        })?;
        refuse_cmake(&top)?;
        let mut inside = Vec::new();
        for (source, text) in project.sources.sources.iter().zip(texts) {
            let path = source.shown();
            let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
            let Ok(rest) = whole.strip_prefix(&top) else {
                return Err(Failure::usage(format_args!(
                    "{} is not in {}, where the test command is run; name the project's directory with --test-dir",
                    path.display(),
                    top.display()
                )));
            };
            inside.push((rest.to_owned(), text));
        }
        Ok(ReplacedSources { texts: inside })
    }
}

/// A build of CMake would go on in the user's own directory.
fn refuse_cmake(top: &Path) -> Outcome<()> {
    let folders = std::fs::read_dir(top).into_iter().flatten().flatten();
    let below = folders.map(|entry| entry.path().join(CMAKE));
    match std::iter::once(top.join(CMAKE))
        .chain(below)
        .find(|file| file.is_file())
    {
        Some(file) => Err(Failure::usage(format_args!(
            "{} belongs to a build that names its directory, so a copy would build the original; remove that build and give a command that configures, builds and tests",
            file.display()
        ))),
        None => Ok(()),
    }
}

/// One copy of the project.
pub(super) struct ProjectCopy {
    pub(super) top: PathBuf,
    /// For files that are no part of the project.
    pub(super) beside: PathBuf,
    _both: TempDir,
}

impl ProjectCopy {
    /// Copies the project with the times of its files, then writes the replaced sources, which are so
    /// newer than all that was built from them.
    pub(super) fn new(
        dir: &Path,
        replaced: &ReplacedSources,
        deadline: &Deadline,
    ) -> Outcome<Self> {
        let both = tempfile::tempdir().map_err(Failure::usage)?;
        let top = both.path().join("project");
        std::fs::create_dir(&top).map_err(Failure::usage)?;
        let mut copy = Command::new("cp");
        copy.arg("-a").arg("--").arg(dir.join(".")).arg(&top);
        let copied = run_child(&mut copy, deadline).map_err(|error| match error {
            ChildError::Ended(cause) => Failure::ended(cause, "copying the project"),
            ChildError::Io(error) => Failure::usage(format_args!("cp: {error}")),
        })?;
        if !copied.status.success() {
            return Err(Failure::usage(format_args!(
                "cannot copy {}: {}",
                dir.display(),
                String::from_utf8_lossy(&copied.stderr).trim_end()
            )));
        }
        for (path, text) in &replaced.texts {
            let place = top.join(path);
            replace(&place, text).map_err(|error| {
                Failure::usage(format_args!("cannot write {}: {error}", place.display()))
            })?;
        }
        Ok(ProjectCopy {
            top,
            beside: both.path().to_owned(),
            _both: both,
        })
    }
}

/// Makes a source include its text with mutants, which stands beside it.
fn replace(place: &Path, text: &[u8]) -> std::io::Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let beside = format!("{name}.labrys.h");
    std::fs::write(place.with_file_name(&beside), text)?;
    // A link would lead back to the user's file.
    std::fs::remove_file(place)?;
    std::fs::write(place, format!("#include \"{beside}\"\n"))
}
