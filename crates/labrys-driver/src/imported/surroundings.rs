//! What surrounds a whole program, where only the tests say it: as many arguments, as much
//! standard input and those files that the tests need.

use crate::request::Request;
use crate::request::world::{MOST_ARGUMENTS, MOST_BYTES};
use labrys_front::{AnnotatedProgram, EntryChoice};
use labrys_ledger::World;
use labrys_ledger::world::{FileContents, NamedFile, ProgramArgument, TestSurroundings};
use labrys_suite::import::{ImportedContent, ImportedTest};

/// Tests that KLEE made with its POSIX runtime are for whole programs.
pub(super) fn imply_main(request: &mut Request, tests: &[ImportedTest]) {
    let is_posix =
        |test: &ImportedTest| matches!(&test.content, ImportedContent::Ktest(k) if k.is_posix());
    if request.entry() == EntryChoice::Auto && tests.iter().any(is_posix) {
        request.program.entry = EntryChoice::Main;
    }
}

/// The surroundings that the tests need, where the request says nothing about those of a whole
/// program.
pub(super) fn needed_by(
    tests: &[ImportedTest],
    request: &Request,
    program: &AnnotatedProgram,
) -> Option<World> {
    let [entry] = &program.entries[..] else {
        return None;
    };
    if entry.world.is_none() || request.world.is_some() {
        return None;
    }
    let mut needed = LargestSurroundings::default();
    for test in tests {
        match &test.content {
            // A test that cannot be understood is reported when its turn comes.
            ImportedContent::Ktest(ktest) if ktest.is_posix() => {
                if let Ok(posix) = ktest.posix() {
                    needed.add(&posix.surroundings);
                }
            }
            ImportedContent::Bytes(bytes) => needed.stdin = needed.stdin.max(bytes.len()),
            _ => {}
        }
    }
    needed.world()
}

/// The largest of everything.
#[derive(Default)]
struct LargestSurroundings {
    arguments: usize,
    longest: usize,
    stdin: usize,
    files: Vec<(String, usize)>,
}

impl LargestSurroundings {
    fn add(&mut self, around: &TestSurroundings) {
        self.arguments = self.arguments.max(around.arguments.len());
        let longest = around.arguments.iter().map(Vec::len).max();
        self.longest = self.longest.max(longest.unwrap_or(0));
        self.stdin = self.stdin.max(around.stdin.len());
        for (name, bytes) in &around.files {
            match self.files.iter_mut().find(|(known, _)| known == name) {
                Some((_, size)) => *size = (*size).max(bytes.len()),
                None => self.files.push((name.clone(), bytes.len())),
            }
        }
    }

    /// As inputs of these sizes; what is larger than a request allows does not fit, and is
    /// reported test by test.
    fn world(&self) -> Option<World> {
        if self.arguments == 0 && self.stdin == 0 && self.files.is_empty() {
            return None;
        }
        let bytes = |size: usize| size.min(MOST_BYTES as usize) as u32;
        let arguments = (self.arguments > 0).then(|| ProgramArgument::Symbolic {
            min: 0,
            max: self.arguments.min(MOST_ARGUMENTS as usize) as u32,
            length: bytes(self.longest),
        });
        let files = self.files.iter().map(|(name, size)| NamedFile {
            name: name.clone(),
            contents: FileContents::Symbolic { most: bytes(*size) },
        });
        Some(World {
            program: None,
            arguments: arguments.into_iter().collect(),
            stdin: FileContents::Symbolic {
                most: bytes(self.stdin),
            },
            files: files.collect(),
            environment: Vec::new(),
        })
    }
}
