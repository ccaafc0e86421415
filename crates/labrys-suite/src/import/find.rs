//! Finds the test files among the files and directories that the user gives, and the format of each:
//! by content, and by name where the content does not tell.

use super::{ImportError, ImportFormat, ktest, testcomp};
use std::path::{Path, PathBuf};

/// Files of more than 64 MiB are refused: no test is that large.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// A file with tests.
pub(super) struct TestFile {
    pub path: PathBuf,
    /// How messages name it: as the user wrote it, with the path below.
    pub format: ImportFormat,
    pub bytes: Vec<u8>,
}

/// What was found in a place.
#[derive(Default)]
pub(super) struct TestFileSearch {
    pub found: Vec<TestFile>,
    /// Files that are no tests, by directory.
    pub notes: Vec<String>,
}

impl TestFileSearch {
    /// Looks at a file or a directory that the user gave.
    pub(super) fn add(
        &mut self,
        path: &Path,
        wanted: Option<ImportFormat>,
    ) -> Result<(), ImportError> {
        let state = std::fs::metadata(path).map_err(|error| ImportError::read(path, error))?;
        if state.is_dir() {
            return self.directory(path, wanted);
        }
        let bytes = read(path)?;
        let format = match wanted {
            Some(format) => format,
            None => sniff(path, &bytes)?.unwrap_or(ImportFormat::Raw),
        };
        self.push(path, format, bytes);
        Ok(())
    }

    fn push(&mut self, path: &Path, format: ImportFormat, bytes: Vec<u8>) {
        self.found.push(TestFile {
            path: path.into(),
            format,
            bytes,
        });
    }

    /// An output directory of Labrys or KLEE, a suite of Test-Comp, the output of AFL, or a corpus.
    fn directory(&mut self, dir: &Path, wanted: Option<ImportFormat>) -> Result<(), ImportError> {
        let suite = dir.join("suite.json");
        if suite.is_file() && wanted.is_none_or(|format| format == ImportFormat::Labrys) {
            let bytes = read(&suite)?;
            self.push(&suite, ImportFormat::Labrys, bytes);
            return Ok(());
        }
        let (files, directories) = entries(dir)?;
        // The tests of a fuzzer are in directories of their own, beside its records.
        let parts: Vec<&PathBuf> = directories.iter().filter(|d| is_fuzzer_part(d)).collect();
        if !parts.is_empty() && wanted.is_none_or(|format| format == ImportFormat::Raw) {
            return parts
                .into_iter()
                .try_for_each(|part| self.files(part, entries(part)?.0, Some(ImportFormat::Raw)));
        }
        if files.is_empty() {
            return directories
                .iter()
                .try_for_each(|inner| self.directory(inner, wanted));
        }
        self.files(dir, files, wanted)
    }

    fn files(
        &mut self,
        dir: &Path,
        files: Vec<PathBuf>,
        wanted: Option<ImportFormat>,
    ) -> Result<(), ImportError> {
        let mut sniffed = Vec::new();
        for path in files {
            let bytes = read(&path)?;
            let format = sniff(&path, &bytes)?;
            // The records of a suite are no test.
            let is_record = testcomp::is_metadata(&bytes);
            sniffed.push((path, format, is_record, bytes));
        }
        let known = sniffed.iter().any(|(_, format, ..)| format.is_some());
        let mut left_out = Vec::new();
        for (path, format, is_record, bytes) in sniffed {
            let readme = path.file_name().is_some_and(|name| name == "README.txt");
            let take = match wanted {
                Some(ImportFormat::Raw) => (!readme).then_some(ImportFormat::Raw),
                Some(wanted) => format.filter(|format| *format == wanted),
                None if known => format,
                None => (!readme).then_some(ImportFormat::Raw),
            };
            match take {
                Some(format) if !(is_record && format != ImportFormat::Raw) => {
                    self.push(&path, format, bytes);
                }
                _ if is_record => {}
                _ => left_out.push(path),
            }
        }
        if let Some(example) = left_out.first().and_then(|path| path.file_name()) {
            self.notes.push(format!(
                "{}: {} files are no tests, such as {}; --tests-format raw takes them as bytes",
                dir.display(),
                left_out.len(),
                example.to_string_lossy()
            ));
        }
        Ok(())
    }
}

/// The format that the content shows; `None` if it could be anything.
fn sniff(path: &Path, bytes: &[u8]) -> Result<Option<ImportFormat>, ImportError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    if ktest::is_ktest(bytes) || extension == "ktest" {
        return Ok(Some(ImportFormat::Ktest));
    }
    if bytes.starts_with(b"PK\x03\x04") && extension == "zip" {
        return Err(ImportError::Packed { path: path.into() });
    }
    if testcomp::is_test_case(bytes) {
        return Ok(Some(ImportFormat::TestComp));
    }
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    let start = &bytes[..bytes.len().min(4096)];
    let has_schema = start.windows(8).any(|part| part == b"\"labrys/");
    if name == "suite.json" || (is_json && has_schema && is_suite(bytes)) {
        return Ok(Some(ImportFormat::Labrys));
    }
    Ok(None)
}

/// Whether JSON has tests: the other files of an output directory have not.
fn is_suite(bytes: &[u8]) -> bool {
    bytes.windows(8).any(|part| part == b"\"tests\":")
        && bytes.windows(9).any(|p| p == b"\"inputs\":")
}

fn is_fuzzer_part(dir: &Path) -> bool {
    let name = dir.file_name().and_then(|name| name.to_str());
    matches!(name, Some("queue" | "crashes" | "hangs"))
}

/// The regular files and the directories, each in order; hidden ones are left out.
fn entries(dir: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), ImportError> {
    let failed = |error| ImportError::read(dir, error);
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if hidden {
            continue;
        }
        // A link that leads nowhere is neither.
        match std::fs::metadata(&path) {
            Ok(state) if state.is_dir() => directories.push(path),
            Ok(state) if state.is_file() => files.push(path),
            _ => {}
        }
    }
    files.sort();
    directories.sort();
    Ok((files, directories))
}

fn read(path: &Path) -> Result<Vec<u8>, ImportError> {
    let failed = |error| ImportError::read(path, error);
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > MAX_FILE_BYTES {
        return Err(ImportError::TooLarge {
            path: path.into(),
            most: MAX_FILE_BYTES >> 20,
        });
    }
    std::fs::read(path).map_err(failed)
}
