//! The parts of a program that are not under test: C files and objects that are linked as they are. Some of their functions replace functions of the system (the user's models, stubs
//! for what is missing). Those are renamed in every object of the program, so that the runtime
//! that runs the tests keeps the system's own.

use crate::compile::{BuildUnit, ReplayError, run};
use labrys_budget::Deadline;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The prefix of renamed functions.
const RENAMED_PREFIX: &str = "labrys_own_";

/// Parts of a program that are not under test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedParts {
    pub units: Vec<BuildUnit>,
    pub objects: Vec<PathBuf>,
    /// Functions of the program that the system has too.
    pub own: Vec<String>,
}

impl LinkedParts {
    /// Flags that keep a compiler from replacing calls of these functions by its own code.
    pub(crate) fn flags(&self) -> Vec<String> {
        let names = self.own.iter();
        names.map(|name| format!("-fno-builtin-{name}")).collect()
    }

    /// The objects to link: copies with the renamed functions, if there are any.
    pub(crate) fn renamed(
        &self,
        objects: &[PathBuf],
        out: &Path,
        deadline: &Deadline,
    ) -> Result<Vec<PathBuf>, ReplayError> {
        let all: Vec<PathBuf> = objects.iter().chain(&self.objects).cloned().collect();
        if self.own.is_empty() {
            return Ok(all);
        }
        let list = out.with_extension("names");
        let lines = self
            .own
            .iter()
            .map(|name| format!("{name} {RENAMED_PREFIX}{name}\n"));
        std::fs::write(&list, lines.collect::<String>())
            .map_err(|error| ReplayError::io("write", &list, error))?;
        let mut copies = Vec::new();
        for (number, object) in all.iter().enumerate() {
            let copy = out.with_extension(format!("own-{number}.o"));
            let mut command = Command::new("objcopy");
            command.arg(format!("--redefine-syms={}", list.display()));
            command.arg(object).arg(&copy);
            run(command, "objcopy", deadline, |message| ReplayError::Tool {
                tool: "objcopy".to_owned(),
                message,
            })?;
            copies.push(copy);
        }
        Ok(copies)
    }
}
