//! The output directory: what is in it, and that nothing of the user's is overwritten.

use super::claims;
use crate::failure::{Failure, Outcome};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Marks a directory as made by Labrys.
const MARK: &str = ".labrys";

pub struct OutDir {
    path: PathBuf,
}

impl OutDir {
    /// Creates the directory, or takes one that Labrys made before.
    pub fn create(path: &Path) -> Outcome<OutDir> {
        if path.exists() && !path.join(MARK).is_file() && !is_empty_dir(path) {
            return Err(Failure::usage(format_args!(
                "{} exists and was not made by labrys; choose another directory with --out",
                path.display()
            )));
        }
        let out = OutDir { path: path.into() };
        std::fs::create_dir_all(path).map_err(|e| out.cannot("create", "", &e))?;
        out.write(MARK, b"made by labrys; may be overwritten by labrys\n")?;
        Ok(out)
    }

    /// Removes what an earlier run has written. Called when the new run has something to say.
    pub fn clear(&self) -> Outcome<()> {
        let old = [
            "summary.json",
            "objectives.json",
            "augmentation.json",
            "suite.json",
            "events.jsonl",
            "mutants.json",
            "run.json",
            "tests/tests.c",
        ];
        for file in old {
            self.remove(file)?;
        }
        let entries = std::fs::read_dir(&self.path).map_err(|e| self.cannot("read", "", &e))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("program") && name.ends_with(".c") {
                self.remove(&name)?;
            }
        }
        if let Ok(entries) = std::fs::read_dir(self.file(claims::FOLDER)) {
            for entry in entries.flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.ends_with(".smt2") {
                    self.remove(&format!("{}/{name}", claims::FOLDER))?;
                }
            }
        }
        Ok(())
    }

    /// Opens a directory that `gen` has written.
    pub fn open(path: &Path) -> Outcome<OutDir> {
        if !path.join(MARK).is_file() {
            return Err(Failure::usage(format_args!(
                "{} is not an output directory of labrys gen",
                path.display()
            )));
        }
        Ok(OutDir { path: path.into() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes a folder in the directory, if it is not there.
    pub fn create_folder(&self, name: &str) -> Outcome<()> {
        std::fs::create_dir_all(self.file(name)).map_err(|e| self.cannot("create", name, &e))
    }

    /// Writes under a temporary name and renames, so that there is never half a file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Outcome<()> {
        let result = (|| {
            // As any other file: the umask decides who may read it.
            let mut file = tempfile::Builder::new()
                .permissions(std::fs::Permissions::from_mode(0o666))
                .tempfile_in(&self.path)?;
            file.write_all(bytes)?;
            file.as_file().sync_data().ok();
            file.persist(self.file(name)).map_err(|e| e.error)?;
            Ok(())
        })();
        result.map_err(|error: std::io::Error| self.cannot("write", name, &error))
    }

    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Outcome<()> {
        let mut text = serde_json::to_vec_pretty(value).map_err(Failure::internal)?;
        text.push(b'\n');
        self.write(name, &text)
    }

    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Outcome<T> {
        let path = self.file(name);
        let bytes = std::fs::read(&path).map_err(|e| self.cannot("read", name, &e))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| Failure::usage(format_args!("{} is damaged: {error}", path.display())))
    }

    fn remove(&self, name: &str) -> Outcome<()> {
        match std::fs::remove_file(self.file(name)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(self.cannot("remove", name, &e))
            }
            _ => Ok(()),
        }
    }

    fn cannot(&self, what: &str, name: &str, error: &std::io::Error) -> Failure {
        let path = if name.is_empty() {
            self.path.clone()
        } else {
            self.file(name)
        };
        Failure::usage(format_args!("cannot {what} {}: {error}", path.display()))
    }
}

fn is_empty_dir(path: &Path) -> bool {
    std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}
