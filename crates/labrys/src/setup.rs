//! What was put together to run tests natively, written down in an output directory: the
//! annotated units and `run.json`, from which the other commands build the program again.

use crate::cli::Options;
use crate::failure::{Failure, Outcome};
use crate::given::Given;
use crate::libraries::{self, Libraries};
use crate::outdir::OutDir;
use crate::pipeline;
use crate::records::{EntryRecord, Run, SourceRecord, SupportRecord};
use labrys_front::AnnotatedProgram;
use labrys_suite::{BuildUnit, LinkedParts, SCHEMA, SuiteTarget};
use std::path::{Path, PathBuf};

/// Where a program comes from.
pub struct Setup<'a> {
    pub given: &'a Given,
    pub libraries: &'a Libraries,
    pub options: &'a Options,
}

/// The files of a program, and its entry if it is only one.
pub fn target(given: &Given, program: &AnnotatedProgram) -> SuiteTarget {
    let files = given.sources.iter();
    SuiteTarget {
        files: files.map(|s| s.shown().display().to_string()).collect(),
        entry: match &program.entries[..] {
            [only] => Some(only.function.clone()),
            _ => None,
        },
    }
}

impl Setup<'_> {
    /// Writes the annotated units and `run.json`.
    pub fn write(&self, program: &AnnotatedProgram, out: &OutDir) -> Outcome<Run> {
        let mut units = Vec::new();
        for (i, unit) in program.units.iter().enumerate() {
            let name = if i == 0 {
                "program.c".into()
            } else {
                format!("program-{}.c", i + 1)
            };
            out.write(&name, unit.annotated.as_bytes())?;
            units.push(name);
        }
        let replay_time = self.options.replay_time;
        let run = Run {
            schema: SCHEMA.to_owned(),
            sources: self.sources()?,
            units,
            supports: supports(program),
            cc: pipeline::cc(self.options),
            link_flags: self.given.link_flags.clone(),
            beside: self.beside(out)?,
            replay_ms: replay_time.map_or(2000, |t| t.0.as_millis() as u64),
            entries: entries(program)?,
        };
        out.write_json("run.json", &run)?;
        Ok(run)
    }

    fn sources(&self) -> Outcome<Vec<SourceRecord>> {
        let sources = self.given.sources.iter();
        sources
            .map(|source| {
                Ok(SourceRecord {
                    path: absolute(&source.shown())?,
                    directory: source.directory.clone(),
                    flags: source.flags.clone(),
                })
            })
            .collect()
    }

    /// What is linked beside the units: the text of stubs moves to the output directory.
    fn beside(&self, out: &OutDir) -> Outcome<LinkedParts> {
        let mut beside = self.libraries.beside.clone();
        if !self.libraries.stubs.is_empty() {
            let text = self.libraries.stubs.as_bytes();
            out.write(libraries::STUBS_FILE, text)?;
            let is_stubs = |unit: &&mut BuildUnit| unit.path.ends_with(libraries::STUBS_FILE);
            if let Some(unit) = beside.units.iter_mut().find(is_stubs) {
                unit.path = absolute(&out.file(libraries::STUBS_FILE))?;
            }
        }
        Ok(beside)
    }
}

fn supports(program: &AnnotatedProgram) -> Vec<SupportRecord> {
    let units = program.units.iter();
    units
        .map(|unit| SupportRecord {
            renamed: unit.support.renamed.clone(),
            system: unit.support.system.clone(),
            text: unit.support.text.clone(),
        })
        .collect()
}

fn entries(program: &AnnotatedProgram) -> Outcome<Vec<EntryRecord>> {
    let entries = program.entries.iter();
    entries
        .map(|entry| {
            Ok(EntryRecord {
                function: entry.function.clone(),
                file: absolute(&entry.file)?,
                harness_text: entry.harness_text.clone(),
                outputs: entry.outputs.clone(),
                world: entry.world.clone(),
            })
        })
        .collect()
}

/// The suite may be used from another directory.
fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).map_err(Failure::usage)
}
