//! `compile_commands.json`: the flags and the directory of each file, as CMake, Meson and Bear
//! write them. See <https://clang.llvm.org/docs/JSONCompilationDatabase.html>.

use crate::arguments::Invocation;
use crate::record::absolute;
use crate::{BuildError, accepted_flags, words};
use labrys_front::SourceFile;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// A list of compile commands.
pub struct CompileCommands {
    path: PathBuf,
    entries: Vec<CompileCommand>,
}

impl CompileCommands {
    pub fn read(path: &Path) -> Result<CompileCommands, BuildError> {
        let text = std::fs::read(path).map_err(|e| BuildError::io("read", path, e))?;
        CompileCommands::parse(&text, path)
    }

    /// Reads the bytes of the file of this name.
    pub fn parse(text: &[u8], path: &Path) -> Result<CompileCommands, BuildError> {
        let mut entries: Vec<CompileCommand> =
            serde_json::from_slice(text).map_err(|error| BuildError::BadCommands {
                path: path.to_owned(),
                message: error.to_string(),
            })?;
        // A relative directory is meant from where the list stands.
        let whole = std::path::absolute(path).map_err(|e| BuildError::io("find", path, e))?;
        let base = whole.parent().unwrap_or(Path::new("/"));
        for entry in &mut entries {
            entry.directory = absolute(base, &entry.directory);
        }
        Ok(CompileCommands {
            path: path.to_owned(),
            entries,
        })
    }

    /// The flags of each command, before clang is asked which of them it accepts.
    pub fn flags(&self) -> Vec<Vec<String>> {
        self.entries.iter().map(CompileCommand::flags).collect()
    }

    /// The source with the flags of its first command.
    pub fn source(&self, file: &Path, clang: &str) -> Result<SourceFile, BuildError> {
        let wanted = canonical(&std::path::absolute(file).unwrap_or_else(|_| file.to_owned()));
        let found = self
            .entries
            .iter()
            .find(|entry| canonical(&entry.path()) == wanted);
        match found {
            Some(entry) => Ok(entry.source(clang)),
            None => Err(BuildError::NotInCommands {
                list: self.path.clone(),
                source_file: file.to_owned(),
            }),
        }
    }

    /// All C files, each once, in the order of the list.
    pub fn all(&self, clang: &str) -> Result<Vec<SourceFile>, BuildError> {
        let mut seen = std::collections::BTreeSet::new();
        let is_c = |entry: &&CompileCommand| entry.file.extension().is_some_and(|e| e == "c");
        let fresh = self.entries.iter().filter(is_c);
        let fresh = fresh.filter(|entry| seen.insert(canonical(&entry.path())));
        let sources: Vec<_> = fresh.map(|entry| entry.source(clang)).collect();
        match sources.is_empty() {
            true => Err(BuildError::NoCommands {
                path: self.path.clone(),
            }),
            false => Ok(sources),
        }
    }
}

impl CompileCommand {
    fn path(&self) -> PathBuf {
        absolute(&self.directory, &self.file)
    }

    fn flags(&self) -> Vec<String> {
        let split = match self.arguments.is_empty() {
            true => words::split(&self.command),
            false => self.arguments.clone(),
        };
        let arguments = split.get(1..).unwrap_or_default();
        Invocation::parse(arguments, &self.directory).flags
    }

    fn source(&self, clang: &str) -> SourceFile {
        SourceFile {
            path: self.file.clone(),
            flags: accepted_flags(clang, &self.directory, &self.flags()),
            directory: Some(self.directory.clone()),
        }
    }
}

/// The same file has the same name, whatever links lead to it.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dir: &Path) -> Result<CompileCommands, BuildError> {
        let path = dir.join("compile_commands.json");
        std::fs::write(&path, text).unwrap();
        CompileCommands::read(&path)
    }

    #[test]
    fn both_forms_give_the_flags_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.c", "b.c"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let list = r#"[
            {"directory": ".", "file": "a.c", "arguments": ["cc", "-DA=x y", "-c", "a.c", "-o", "a.o"]},
            {"directory": ".", "file": "./a.c", "arguments": ["cc", "-DSECOND", "-c", "a.c"]},
            {"directory": ".", "file": "b.c", "command": "gcc -DB='\"s\"' -Iinc -fno-such-flag -c b.c"},
            {"directory": ".", "file": "c.cc", "command": "g++ -c c.cc"}]"#;
        let commands = read(list, dir.path()).unwrap();
        let a = commands
            .source(&dir.path().join("a.c"), "clang-19")
            .unwrap();
        assert_eq!(a.flags, ["-DA=x y"]);
        let b = commands
            .source(&dir.path().join("b.c"), "clang-19")
            .unwrap();
        assert_eq!(b.flags, ["-DB=\"s\"", "-Iinc"]);
        assert_eq!(commands.all("clang-19").unwrap().len(), 2);
        let error = commands.source(Path::new("d.c"), "clang-19").unwrap_err();
        assert!(error.to_string().contains("no command for d.c"), "{error}");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read("{}", dir.path()).is_err());
        let none = read("[]", dir.path()).unwrap();
        assert!(none.all("clang-19").is_err());
    }
}
