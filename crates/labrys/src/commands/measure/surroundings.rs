//! What surrounds a whole program, where only the tests say it: as many arguments, as much
//! standard input and those files that the tests need.

use crate::cli::{Options, ProgramArgs};
use crate::failure::Outcome;
use crate::world::{Sized, SymArgs, world};
use labrys_front::AnnotatedProgram;
use labrys_ledger::world::TestSurroundings;
use labrys_suite::import::{ImportedContent, ImportedTest};

/// The most that options allow, see `--sym-args` and `--sym-stdin`; what is larger does not fit,
/// and is reported test by test.
const MOST_ARGUMENTS: usize = 64;
const MOST_BYTES: usize = 1 << 16;

/// Tests that KLEE made with its POSIX runtime are for whole programs.
pub fn imply_main(program: &mut ProgramArgs, options: &Options, tests: &[ImportedTest]) {
    let is_posix =
        |test: &ImportedTest| matches!(&test.content, ImportedContent::Ktest(k) if k.is_posix());
    let says_nothing = program.function.is_none() && matches!(world(options), Ok(None));
    if says_nothing && tests.iter().any(is_posix) {
        program.main = true;
    }
}

/// Completes the options where they say nothing about the surroundings of a whole program, and
/// tells whether they have changed.
pub fn derive(
    options: &mut Options,
    program: &AnnotatedProgram,
    tests: &[ImportedTest],
) -> Outcome<bool> {
    let [entry] = &program.entries[..] else {
        return Ok(false);
    };
    if entry.world.is_none() || world(options)?.is_some() {
        return Ok(false);
    }
    let mut needed = Needed::default();
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
    Ok(needed.complete(options))
}

/// The largest of everything.
#[derive(Default)]
struct Needed {
    arguments: usize,
    longest: usize,
    stdin: usize,
    files: Vec<(String, usize)>,
}

impl Needed {
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

    fn complete(&self, options: &mut Options) -> bool {
        if self.arguments > 0 {
            options.sym_args.push(SymArgs {
                min: 0,
                max: self.arguments.min(MOST_ARGUMENTS) as u32,
                length: self.longest.min(MOST_BYTES) as u32,
            });
        }
        if self.stdin > 0 {
            options.sym_stdin = Some(self.stdin.min(MOST_BYTES) as u32);
        }
        let files = self.files.iter().map(|(name, size)| Sized {
            name: name.clone(),
            size: (*size).min(MOST_BYTES) as u32,
        });
        options.sym_file.extend(files);
        self.arguments > 0 || self.stdin > 0 || !self.files.is_empty()
    }
}
