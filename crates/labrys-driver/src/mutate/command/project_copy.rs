//! A copy of a project in which the sources are those with mutants. Commands are run there, so
//! nothing of the user's is ever changed. Where the system allows it they see the copy at the path of
//! the project, so that absolute paths lead to the copy, too.

use crate::failure::{Failure, Outcome};
use crate::program::Project;
use labrys_budget::{ChildError, Deadline, in_place_of, run_child};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What a CMake build leaves: its files name the directory where it was made.
const CMAKE: &str = "CMakeCache.txt";

/// What the name of a source gets for its text with mutants.
const TEXT_SUFFIX: &str = ".labrys.h";

/// The texts of a project that are replaced, by their paths inside of it.
pub(super) struct ReplacedSources {
    /// The project, without links in its path.
    top: PathBuf,
    texts: Vec<(PathBuf, Vec<u8>)>,
}

impl ReplacedSources {
    /// The sources must belong to the project.
    pub(super) fn new(project: &Project, dir: &Path, texts: Vec<Vec<u8>>) -> Outcome<Self> {
        let top = dir.canonicalize().map_err(|error| {
            Failure::usage(format_args!("--test-dir {}: {error}", dir.display()))
        })?;
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
        Ok(ReplacedSources { top, texts: inside })
    }
}

/// A build of CMake in the project, which would go on in the user's own directory.
fn cmake_build(top: &Path) -> Option<PathBuf> {
    let folders = std::fs::read_dir(top).into_iter().flatten().flatten();
    let below = folders.map(|entry| entry.path().join(CMAKE));
    std::iter::once(top.join(CMAKE))
        .chain(below)
        .find(|file| file.is_file())
}

/// One copy of the project.
pub(super) struct ProjectCopy {
    pub(super) top: PathBuf,
    /// For files that are no part of the project.
    pub(super) beside: PathBuf,
    /// Where commands see the copy, or why they do so only where it is.
    place: Result<PathBuf, String>,
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
        let mut made = ProjectCopy {
            top,
            beside: both.path().to_owned(),
            place: Ok(replaced.top.clone()),
            _both: both,
        };
        made.try_place(replaced, deadline)?;
        Ok(made)
    }

    /// A shell in the copy, at the path of the project if that is possible.
    pub(super) fn shell(&self, script: &str) -> Outcome<Command> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script);
        match &self.place {
            Ok(place) => in_place_of(&mut shell, &self.top, place).map_err(Failure::usage)?,
            Err(_) => {
                shell.current_dir(&self.top);
            }
        }
        Ok(shell)
    }

    /// What the user should know about the place where commands have run.
    pub(super) fn note(&self) -> Option<String> {
        let why = self.place.as_ref().err()?;
        Some(format!(
            "the system does not let test commands see a copy at the path of the project ({why}): they have run at another path"
        ))
    }

    /// Finds out whether a command that is run at the path of the project finds the copy there.
    fn try_place(&mut self, replaced: &ReplacedSources, deadline: &Deadline) -> Outcome<()> {
        let Some((first, _)) = replaced.texts.first() else {
            return Ok(());
        };
        let mut look = self.shell("test -f \"$1\" && test . -ef \"$2\"")?;
        look.arg("sh").arg(text_of(first)).arg(&replaced.top);
        let why = match run_child(&mut look, deadline) {
            Ok(seen) if seen.status.success() => return Ok(()),
            Ok(_) => "a mount is not seen".to_owned(),
            Err(ChildError::Io(error)) => format!("unshare or mount: {error}"),
            Err(ChildError::Ended(cause)) => {
                return Err(Failure::ended(cause, "copying the project"));
            }
        };
        if let Some(file) = cmake_build(&replaced.top) {
            return Err(Failure::usage(format_args!(
                "{} belongs to a build that names its directory, and the system does not let a command see a copy there ({why}; labrys doctor shows whether there are namespaces of users and mounts), so it would build the original; remove that build and give a command that configures, builds and tests",
                file.display()
            )));
        }
        self.place = Err(why);
        Ok(())
    }
}

/// Where the text with mutants of a source stands: beside it.
fn text_of(source: &Path) -> PathBuf {
    let mut name = source.file_name().unwrap_or_default().to_owned();
    name.push(TEXT_SUFFIX);
    source.with_file_name(name)
}

/// Makes a source include its text with mutants.
fn replace(place: &Path, text: &[u8]) -> std::io::Result<()> {
    let beside = text_of(place);
    std::fs::write(&beside, text)?;
    // A link would lead back to the user's file.
    std::fs::remove_file(place)?;
    let name = beside.file_name().unwrap_or_default().to_string_lossy();
    std::fs::write(place, format!("#include \"{name}\"\n"))
}
