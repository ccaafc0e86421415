//! The program of a suite, built natively: once for all tests, or once for each size of the harness
//! that they were made with.

use super::surroundings;
use crate::cli::{Options, ProgramArgs};
use crate::failure::{Failure, Outcome};
use crate::given::Given;
use crate::libraries::Libraries;
use crate::pipeline::{self, Sizes};
use crate::runtime::Runtime;
use labrys_front::AnnotatedProgram;
use labrys_suite::Replayer;
use labrys_suite::import::{ImportedContent, ImportedTest, ImportedTests};
use tempfile::TempDir;

/// The program, built with a harness of certain sizes.
pub struct Build {
    pub sizes: Sizes,
    pub program: AnnotatedProgram,
    pub replayer: Replayer,
    _work: TempDir,
}

/// What stays the same while a suite is run.
pub struct Session<'a> {
    pub args: &'a ProgramArgs,
    pub given: &'a Given,
    pub libraries: &'a Libraries,
    pub options: &'a mut Options,
    pub runtime: &'a Runtime,
    pub collection: &'a ImportedTests,
}

impl Session<'_> {
    /// One build for all tests, or for each size of the harness that they were made with.
    pub fn build(&mut self) -> Outcome<Vec<Build>> {
        let first = self.sizes_of(&self.collection.tests[0]);
        let mut first_program = self.load(first)?;
        if surroundings::derive(self.options, &first_program.0, &self.collection.tests)? {
            first_program = self.load(first)?;
        }
        let mut builds = vec![self.compile(first, first_program)?];
        for test in &self.collection.tests {
            let sizes = self.sizes_of(test);
            if builds.iter().any(|build| build.sizes == sizes) {
                continue;
            }
            let next = self.load(sizes)?;
            let first = &builds[0].program;
            if next.0.objectives != first.objectives || next.0.mutants != first.mutants {
                return Err(Failure::usage(format_args!(
                    "the tests were made with harnesses of different sizes, and the objectives depend on them; measure {} by itself",
                    test.file.display()
                )));
            }
            builds.push(self.compile(sizes, next)?);
        }
        Ok(builds)
    }

    /// What the user says, or else what the suite was made with.
    pub fn sizes_of(&self, test: &ImportedTest) -> Sizes {
        let given = Sizes::new(self.options);
        let ImportedContent::Labrys {
            sizes: Some(made), ..
        } = test.content
        else {
            return given;
        };
        Sizes {
            array_len: self.options.array_len.unwrap_or(made.array_len),
            depth: self.options.depth.unwrap_or(made.depth),
        }
    }

    fn load(&self, sizes: Sizes) -> Outcome<(AnnotatedProgram, TempDir)> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let program = pipeline::load(
            self.args,
            self.given,
            self.libraries,
            self.options,
            self.runtime,
            sizes,
            work.path(),
        )?;
        Ok((program, work))
    }

    fn compile(
        &self,
        sizes: Sizes,
        (program, work): (AnnotatedProgram, TempDir),
    ) -> Outcome<Build> {
        let native = work.path().join("replay");
        let parts = (self.given, self.libraries);
        let replayer =
            pipeline::build_native(&program, parts, self.options, self.runtime, &native)?;
        Ok(Build {
            sizes,
            program,
            replayer,
            _work: work,
        })
    }
}
