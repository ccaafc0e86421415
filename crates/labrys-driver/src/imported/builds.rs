//! The program of a suite, built natively: once for all tests, or once for each size of the harness
//! that they were made with.

use super::surroundings;
use crate::failure::{Failure, Outcome};
use crate::program::{ProgramForm, Project};
use crate::request::FixedSizes;
use labrys_front::AnnotatedProgram;
use labrys_suite::HarnessSizes;
use labrys_suite::Replayer;
use labrys_suite::import::{ImportedContent, ImportedTest, ImportedTests};
use tempfile::TempDir;

/// The program, built with a harness of certain sizes.
pub struct NativeBuild {
    pub sizes: HarnessSizes,
    pub program: AnnotatedProgram,
    pub replayer: Replayer,
    _work: TempDir,
}

/// An existing suite and the program that it is run on.
pub struct ImportedSuite {
    pub project: Project,
    pub collection: ImportedTests,
}

impl ImportedSuite {
    /// Builds a form of the program: once for all tests, or for each size of the harness that
    /// they were made with. What the tests say about the surroundings of a whole program
    /// completes the request.
    pub fn build(&mut self, form: &ProgramForm) -> Outcome<Vec<NativeBuild>> {
        let first = self.sizes_of(&self.collection.tests[0]);
        let mut first_program = self.load(form, first)?;
        let tests = &self.collection.tests;
        if let Some(world) = surroundings::needed_by(tests, &self.project.request, &first_program.0)
        {
            self.project.request.world = Some(world);
            first_program = self.load(form, first)?;
        }
        let mut builds = vec![self.compile(first, first_program)?];
        for test in &self.collection.tests {
            let sizes = self.sizes_of(test);
            if builds.iter().any(|build| build.sizes == sizes) {
                continue;
            }
            let next = self.load(form, sizes)?;
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
    pub fn sizes_of(&self, test: &ImportedTest) -> HarnessSizes {
        let harness = &self.project.request.harness;
        let given = harness.sizes;
        let ImportedContent::Labrys {
            sizes: Some(made), ..
        } = test.content
        else {
            return given;
        };
        let FixedSizes { array_len, depth } = harness.fixed;
        HarnessSizes {
            array_len: if array_len {
                given.array_len
            } else {
                made.array_len
            },
            depth: if depth { given.depth } else { made.depth },
        }
    }

    fn load(
        &self,
        form: &ProgramForm,
        sizes: HarnessSizes,
    ) -> Outcome<(AnnotatedProgram, TempDir)> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let program = self.project.load(form, sizes, work.path())?;
        Ok((program, work))
    }

    fn compile(
        &self,
        sizes: HarnessSizes,
        (program, work): (AnnotatedProgram, TempDir),
    ) -> Outcome<NativeBuild> {
        let native = work.path().join("replay");
        let replayer = self.project.build_native(&program, &native)?;
        Ok(NativeBuild {
            sizes,
            program,
            replayer,
            _work: work,
        })
    }
}
