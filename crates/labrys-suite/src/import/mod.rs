//! Reads existing suites, those of Labrys and of other tools, as tests that can be run natively.
//!
//! In come files and directories; out come tests in the order of their names, each with its
//! inputs as far as the file knows them: by name (ours, KLEE), in the order of the questions
//! (Test-Comp), or as plain bytes (fuzzers).

mod find;
mod fit;
mod ktest;
mod number;
mod posix;
mod testcomp;

pub use fit::inputs_for;
pub use ktest::Ktest;
pub use number::ParsedNumber;
pub use posix::PosixTest;
pub use testcomp::parse as test_case;

use crate::suite::{Suite, SuiteError, SuiteTest};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The format of a file with tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportFormat {
    /// `suite.json`
    Labrys,
    /// KLEE's `.ktest`
    Ktest,
    /// XML of Test-Comp
    TestComp,
    /// Bytes, such as those of a fuzzer's corpus
    Raw,
}

impl ImportFormat {
    pub const ALL: [ImportFormat; 4] = [
        ImportFormat::Labrys,
        ImportFormat::Ktest,
        ImportFormat::TestComp,
        ImportFormat::Raw,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ImportFormat::Labrys => "labrys",
            ImportFormat::Ktest => "ktest",
            ImportFormat::TestComp => "testcomp",
            ImportFormat::Raw => "raw",
        }
    }
}

impl FromStr for ImportFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = ImportFormat::ALL.into_iter().find(|f| f.name() == text);
        found.ok_or_else(|| format!("unknown format '{text}'"))
    }
}

/// A test of an existing suite.
#[derive(Clone, Debug)]
pub struct ImportedTest {
    /// The test of a suite by its name, any other by its file.
    pub name: String,
    pub file: PathBuf,
    pub format: ImportFormat,
    pub content: ImportedContent,
}

/// What a file says of a test.
#[derive(Clone, Debug)]
pub enum ImportedContent {
    Labrys {
        test: Box<SuiteTest>,
        /// The sizes of the harness that it was made with.
        sizes: Option<crate::suite::HarnessSizes>,
    },
    Ktest(Ktest),
    Numbers(Vec<ParsedNumber>),
    Bytes(Vec<u8>),
}

/// All tests of some files and directories.
#[derive(Clone, Debug, Default)]
pub struct ImportedTests {
    pub tests: Vec<ImportedTest>,
    pub notes: Vec<String>,
}

/// Why tests could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("cannot read the tests {path}: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{path} is not {kind}: {reason}; leave the file out, or say with --tests-format what it is"
    )]
    Damaged {
        path: PathBuf,
        kind: &'static str,
        reason: String,
    },
    #[error("{path} is packed; unpack it first and give the directory to --tests")]
    Packed { path: PathBuf },
    #[error("{path} has more than {most} MiB, the most for a file of tests")]
    TooLarge { path: PathBuf, most: u64 },
    #[error("there are no tests in {0}")]
    Nothing(String),
    #[error(transparent)]
    Suite(#[from] SuiteError),
}

impl ImportError {
    fn read(path: &Path, source: std::io::Error) -> Self {
        ImportError::Io {
            path: path.into(),
            source,
        }
    }
}

/// Reads all tests of files and directories; without a format, each file shows its own.
pub fn collect(
    paths: &[PathBuf],
    format: Option<ImportFormat>,
) -> Result<ImportedTests, ImportError> {
    let mut search = find::TestFileSearch::default();
    for path in paths {
        let before = search.found.len();
        search.add(path, format)?;
        if search.found.len() == before {
            let note = search
                .notes
                .last()
                .map_or(String::new(), |n| format!(" ({n})"));
            return Err(ImportError::Nothing(format!("{}{note}", path.display())));
        }
    }
    let mut collection = ImportedTests {
        tests: Vec::new(),
        notes: search.notes,
    };
    for found in search.found {
        let (path, bytes) = (found.path, found.bytes);
        let content = match found.format {
            ImportFormat::Labrys => {
                add_suite(&mut collection, &path, &bytes)?;
                continue;
            }
            ImportFormat::Ktest => ImportedContent::Ktest(Ktest::parse(&bytes, &path)?),
            ImportFormat::TestComp => ImportedContent::Numbers(testcomp::parse(&bytes, &path)?),
            ImportFormat::Raw => ImportedContent::Bytes(bytes),
        };
        let name = path.file_name().unwrap_or(path.as_os_str());
        collection.tests.push(ImportedTest {
            name: name.to_string_lossy().into_owned(),
            file: path,
            format: found.format,
            content,
        });
    }
    if collection.tests.is_empty() {
        let shown: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        return Err(ImportError::Nothing(shown.join(", ")));
    }
    Ok(collection)
}

fn add_suite(collection: &mut ImportedTests, path: &Path, bytes: &[u8]) -> Result<(), ImportError> {
    let suite = Suite::parse(bytes, &path.display().to_string())?;
    let sizes = suite.sizes;
    let tests = suite.tests.into_iter().map(|test| ImportedTest {
        name: test.name.clone(),
        file: path.into(),
        format: ImportFormat::Labrys,
        content: ImportedContent::Labrys {
            test: Box::new(test),
            sizes,
        },
    });
    collection.tests.extend(tests);
    Ok(())
}
