//! Suites that exist already, of Labrys or of other tools: how each test is run on the program, and
//! the builds of the program that they are run on. `measure` and `mutate` stand on it.

mod builds;
pub mod plan;
mod surroundings;

pub use builds::{ImportedSuite, NativeBuild};

use crate::failure::{Failure, Outcome};
use crate::native::require_sandbox;
use crate::program::Project;
use crate::request::Request;
use labrys_mutate::TestCase;
use labrys_suite::import::{self, ImportFormat, ImportedTest};
use plan::TestPlan;
use std::path::PathBuf;

impl ImportedSuite {
    /// Reads the tests and opens the program that they are for. Without a format, each file shows
    /// what it is.
    pub fn open(
        mut request: Request,
        tests: &[PathBuf],
        format: Option<ImportFormat>,
    ) -> Outcome<Self> {
        let collection = import::collect(tests, format).map_err(Failure::usage)?;
        surroundings::imply_main(&mut request, &collection.tests);
        let project = Project::open(request)?;
        require_sandbox(&project.request.replay, &project.runtime)?;
        Ok(ImportedSuite {
            project,
            collection,
        })
    }

    /// How each test is run, with the number of its build.
    pub fn plans<'a>(&'a self, builds: &'a [NativeBuild]) -> Outcome<Vec<(usize, TestPlan<'a>)>> {
        let plan = |test| self.plan(test, builds);
        self.collection.tests.iter().map(plan).collect()
    }

    /// How a test is run, with the number of its build.
    pub fn plan<'a>(
        &self,
        test: &'a ImportedTest,
        builds: &'a [NativeBuild],
    ) -> Outcome<(usize, TestPlan<'a>)> {
        let sizes = self.sizes_of(test);
        let build = builds.iter().position(|build| build.sizes == sizes);
        let build = build.unwrap_or(0);
        Ok((build, plan::plan(test, &builds[build].program)?))
    }
}

/// The tests that can be run, and their places among all.
pub fn cases<'a>(plans: &'a [(usize, TestPlan<'a>)]) -> (Vec<TestCase<'a>>, Vec<usize>) {
    let runnable = plans
        .iter()
        .enumerate()
        .filter_map(|(place, (build, plan))| {
            let case = TestCase {
                build: *build,
                case: plan.case()?,
            };
            Some((case, place))
        });
    runnable.unzip()
}
