//! `run.json`: what was put together to run tests natively. The other commands build the program
//! again from it and from the annotated units beside it.

use super::directory::OutDir;
use crate::failure::{Failure, Outcome};
use crate::program::libraries;
use crate::program::runtime::Runtime;
use crate::program::sources;
use crate::program::{Project, replay_failure};
use labrys_budget::Deadline;
use labrys_front::AnnotatedProgram;
use labrys_ledger::{InputType, World};
use labrys_suite::{
    BuildSpec, BuildUnit, LinkedParts, OriginalUnit, ReplayLimits, Replayer, SCHEMA,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `run.json`: what the other commands need to build and run the suite again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    pub schema: String,
    pub sources: Vec<SourceRecord>,
    /// The annotated units, relative to the output directory.
    pub units: Vec<String>,
    /// What each source needs to be linked with its harnesses, in the order of the sources.
    pub supports: Vec<SupportRecord>,
    pub cc: String,
    /// For the linker.
    pub link_flags: Vec<String>,
    /// What is linked beside the units.
    pub beside: LinkedParts,
    pub replay_ms: u64,
    /// The clang that the program was read with.
    #[serde(default = "default_clang")]
    pub clang: String,
    /// Failures of the surroundings are inputs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub faults_of_environment: bool,
    pub entries: Vec<EntryRecord>,
}

/// A C file with its flags.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceRecord {
    /// As an absolute path.
    pub path: PathBuf,
    /// Where the flags are meant, if not everywhere.
    pub directory: Option<PathBuf>,
    pub flags: Vec<String>,
}

/// Stubs and definitions for the text of a source as the user wrote it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SupportRecord {
    /// Functions that must be called `labrys_stub_NAME`.
    pub renamed: Vec<String>,
    /// Those of them that a system header declares.
    pub system: Vec<String>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryRecord {
    pub function: String,
    pub file: PathBuf,
    pub harness_text: String,
    pub outputs: BTreeMap<String, InputType>,
    /// What surrounds a whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
}

/// Files of earlier versions do not name it.
fn default_clang() -> String {
    labrys_front::CLANG.to_owned()
}

impl RunRecord {
    /// Writes the annotated units and `run.json`.
    pub fn write(
        project: &Project,
        program: &AnnotatedProgram,
        out: &OutDir,
    ) -> Outcome<RunRecord> {
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
        let run = RunRecord {
            schema: SCHEMA.to_owned(),
            sources: source_records(project)?,
            units,
            supports: supports(program),
            cc: project.request.replay.cc.clone(),
            link_flags: project.sources.link_flags.clone(),
            beside: beside(project, out)?,
            replay_ms: project.request.replay.time.as_millis() as u64,
            clang: project.request.program.clang.clone(),
            faults_of_environment: project.request.search.faults_of_environment,
            entries: entries(program)?,
        };
        out.write_json("run.json", &run)?;
        Ok(run)
    }

    /// Builds the program of an output directory again, with its own compiler or another one.
    pub fn build(
        &self,
        dir: &OutDir,
        cc: Option<&str>,
        runtime: &Runtime,
        out: &Path,
        deadline: &Deadline,
    ) -> Outcome<Replayer> {
        let mut spec = BuildSpec::new(Vec::new(), runtime.dir.clone(), out.into());
        let units = self.units.iter().zip(&self.sources);
        spec.units = units
            .map(|(unit, source)| BuildUnit {
                path: dir.file(unit),
                flags: sources::native_flags(
                    &source.flags,
                    source.directory.is_some(),
                    self.faults_of_environment,
                ),
                directory: None,
            })
            .collect();
        spec.cc = cc.unwrap_or(&self.cc).to_owned();
        spec.flags.clone_from(&self.link_flags);
        spec.linked_parts = self.beside.clone();
        spec.cache_dir = Some(runtime.cache.clone());
        spec.deadline = deadline.clone();
        Replayer::build(&spec).map_err(replay_failure)
    }

    /// What one native run may use.
    pub fn limits(&self) -> ReplayLimits {
        ReplayLimits {
            time: Duration::from_millis(self.replay_ms),
            ..ReplayLimits::default()
        }
    }

    /// The sources with all that their tests need, for a build without annotations.
    pub fn originals(&self) -> Vec<OriginalUnit> {
        let units = self.sources.iter().zip(&self.supports);
        units
            .map(|(source, support)| {
                let entries = self.entries.iter().filter(|e| e.file == source.path);
                let harnesses = entries.map(|entry| entry.harness_text.as_str());
                let texts: Vec<_> = [support.text.as_str()]
                    .into_iter()
                    .chain(harnesses)
                    .collect();
                OriginalUnit {
                    source: source.path.clone(),
                    flags: source.flags.clone(),
                    directory: source.directory.clone(),
                    renamed: support.renamed.clone(),
                    system: support.system.clone(),
                    harness: texts.join("\n"),
                }
            })
            .collect()
    }
}

fn source_records(project: &Project) -> Outcome<Vec<SourceRecord>> {
    let sources = project.sources.sources.iter();
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
fn beside(project: &Project, out: &OutDir) -> Outcome<LinkedParts> {
    let libraries = &project.libraries;
    let mut beside = libraries.beside.clone();
    if !libraries.stubs.is_empty() {
        let text = libraries.stubs.as_bytes();
        out.write(libraries::STUBS_FILE, text)?;
        let is_stubs = |unit: &&mut BuildUnit| unit.path.ends_with(libraries::STUBS_FILE);
        if let Some(unit) = beside.units.iter_mut().find(is_stubs) {
            unit.path = absolute(&out.file(libraries::STUBS_FILE))?;
        }
    }
    Ok(beside)
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
