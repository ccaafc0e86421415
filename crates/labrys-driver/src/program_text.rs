//! The program as text: `init` shows its harness, to be edited, and `label` its labels.

use crate::failure::{Failure, Outcome};
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use labrys_front::LabelledProgram;

/// The generated harnesses, with the stubs that they need.
pub fn harness_text(request: Request) -> Outcome<String> {
    let project = Project::open(request)?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let sizes = project.request.harness.sizes;
    let program = project.load(&ProgramForm::Annotated, sizes, work.path())?;
    let supports = program.units.iter().map(|unit| unit.support.text.as_str());
    let harnesses = program.entries.iter();
    let harnesses = harnesses.map(|entry| entry.harness_text.as_str());
    Ok(supports
        .filter(|text| !text.is_empty())
        .chain(harnesses)
        .collect::<Vec<_>>()
        .join("\n"))
}

/// The program with the labels of its criteria.
pub fn labelled_program(request: Request) -> Outcome<LabelledProgram> {
    let project = Project::open(request)?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    project.label(work.path())
}
