//! Suites that exist already, of Labrys or of other tools: how each test is run on the program, and
//! the builds of the program that they are run on. `measure` and `mutate` stand on it.

mod builds;
pub mod plan;
mod surroundings;

pub use builds::{ImportedSuite, NativeBuild};

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::native::require_sandbox;
use crate::output::OutDir;
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use labrys_budget::Deadline;
use labrys_mutate::TestCase;
use labrys_suite::import::{self, ImportFormat, ImportedTest};
use plan::TestPlan;
use std::path::{Path, PathBuf};

/// Existing tests and the program that they are for, as the user names them.
pub struct SuiteRequest {
    pub request: Request,
    pub tests: Vec<PathBuf>,
    /// `None` for what each file shows.
    pub format: Option<ImportFormat>,
}

/// What the front end does, for messages.
const READING: &str = "reading the program";

impl SuiteRequest {
    /// Reads the tests and the program, and builds a form of it, before the deadline.
    pub fn build(
        self,
        form: ProgramForm,
        deadline: &Deadline,
    ) -> Outcome<(ImportedSuite, Vec<NativeBuild>)> {
        let whole = deadline.clone();
        unless_over(deadline, READING, move || {
            let mut suite = ImportedSuite::open(self.request, &self.tests, self.format, &whole)?;
            let builds = suite.build(&form)?;
            Ok((suite, builds))
        })
    }
}

impl ImportedSuite {
    /// Reads the tests and opens the program that they are for. Without a format, each file shows
    /// what it is.
    fn open(
        mut request: Request,
        tests: &[PathBuf],
        format: Option<ImportFormat>,
        deadline: &Deadline,
    ) -> Outcome<Self> {
        let collection = import::collect(tests, format).map_err(Failure::usage)?;
        surroundings::imply_main(&mut request, &collection.tests);
        let project = Project::open_in_time(request, deadline)?;
        require_sandbox(&project.request.replay, &project.runtime)?;
        Ok(ImportedSuite {
            project,
            collection,
        })
    }

    /// The directory for the result, which must not be the one that holds the tests.
    pub fn out_dir(&self, path: Option<&Path>) -> Outcome<Option<OutDir>> {
        let Some(path) = path else {
            return Ok(None);
        };
        let place = path.canonicalize().ok();
        let holds = |test: &ImportedTest| {
            let file = test.file.canonicalize().ok();
            place
                .as_ref()
                .zip(file)
                .is_some_and(|(p, f)| f.starts_with(p))
        };
        if self.collection.tests.iter().any(holds) {
            return Err(Failure::usage(format_args!(
                "--out {} holds the tests that are measured; choose another directory",
                path.display()
            )));
        }
        OutDir::create(path).map(Some)
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
