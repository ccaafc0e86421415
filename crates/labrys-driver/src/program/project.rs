//! A program that is ready to be worked on: the request with its sources, libraries and runtime.
//! From here come its annotated forms, its form for the engine and its native builds.

use super::libraries::Libraries;
use super::runtime::{self, Runtime};
use super::sources::{self, ProgramSources};
use crate::failure::{Failure, Outcome};
use crate::request::Request;
use labrys_budget::Deadline;
use labrys_front::{AnnotatedProgram, FrontError, LabelledProgram};
use labrys_ir::Module;
use labrys_ledger::Criterion;
use labrys_suite::HarnessSizes;
use labrys_suite::{BuildSpec, BuildUnit, ReplayError, Replayer, SuiteTarget};
use std::path::Path;

/// A request with everything that its program is made of.
#[derive(Debug)]
pub struct Project {
    pub request: Request,
    pub sources: ProgramSources,
    pub libraries: Libraries,
    pub runtime: Runtime,
    /// Compilers are ended with it.
    pub deadline: Deadline,
}

/// Variables that a mutant leaves without a value are zero: what earlier calls left in their place
/// depends on how the mutant is run.
const ZERO_VARIABLES: &str = "-ftrivial-auto-var-init=zero";

/// What the program is made into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramForm {
    /// With annotations of the criteria that were asked for.
    Annotated,
    /// With annotations of other criteria, and a label for every operation that does not go wrong.
    BothSides { criteria: Vec<Criterion> },
    /// With annotations of one criterion that nobody asked for.
    For(Criterion),
    /// With all its mutants.
    Mutants,
    /// The same, for native runs only.
    NativeMutants,
}

impl ProgramForm {
    fn has_mutants(&self) -> bool {
        matches!(self, ProgramForm::Mutants | ProgramForm::NativeMutants)
    }
}

impl Project {
    /// Finds the sources, unpacks the runtime and compiles the libraries.
    pub fn open(request: Request) -> Outcome<Project> {
        Project::open_in_time(request, &Deadline::never())
    }

    /// The same, and everything that is made of the program, before a deadline.
    pub fn open_in_time(request: Request, deadline: &Deadline) -> Outcome<Project> {
        request.check()?;
        let sources = ProgramSources::find(&request.program)?;
        let runtime = runtime::install(&request.program.clang, deadline)?;
        let libraries = Libraries::prepare(&request.program, &sources, &runtime)?;
        Ok(Project {
            request,
            sources,
            libraries,
            runtime,
            deadline: deadline.clone(),
        })
    }

    /// Runs the front end. Objectives outside the part that counts are left out.
    pub fn load(
        &self,
        form: &ProgramForm,
        sizes: HarnessSizes,
        work_dir: &Path,
    ) -> Outcome<AnnotatedProgram> {
        self.load_first(form, sizes, work_dir, usize::MAX)
    }

    /// The same with harnesses of so many bytes at most, for the first functions.
    pub fn load_first(
        &self,
        form: &ProgramForm,
        sizes: HarnessSizes,
        work_dir: &Path,
        harness_bytes: usize,
    ) -> Outcome<AnnotatedProgram> {
        let mut front = self.front_options(form, sizes, work_dir);
        front.harness_bytes = harness_bytes;
        let entry = self.request.entry();
        let mut program =
            labrys_front::load(&self.sources.sources, &entry, &front).map_err(front_failure)?;
        if let Some(part) = &self.request.objectives.part {
            let AnnotatedProgram {
                objectives,
                mutants,
                notes,
                ..
            } = &mut program;
            match form {
                ProgramForm::Annotated => {
                    part.restrict(objectives, &self.sources.sources, notes)?;
                }
                ProgramForm::NativeMutants => {
                    part.restrict(mutants, &self.sources.sources, notes)?;
                }
                _ => {
                    part.keep(objectives);
                    part.keep(mutants);
                }
            }
        }
        self.pair_mutants(&mut program.mutants, &program.nesting);
        Ok(program)
    }

    /// Writes the labels of the criteria into the program's text.
    pub fn label(&self, work_dir: &Path) -> Outcome<LabelledProgram> {
        let sizes = self.request.harness.sizes;
        let front = self.front_options(&ProgramForm::Annotated, sizes, work_dir);
        let entry = self.request.entry();
        let mut labelled =
            labrys_front::label(&self.sources.sources, &entry, &front).map_err(front_failure)?;
        if let Some(part) = &self.request.objectives.part {
            let LabelledProgram {
                objectives, notes, ..
            } = &mut labelled;
            part.restrict(objectives, &self.sources.sources, notes)?;
            labelled.drop_labels();
        }
        Ok(labelled)
    }

    pub(super) fn front_options(
        &self,
        form: &ProgramForm,
        sizes: HarnessSizes,
        work_dir: &Path,
    ) -> labrys_front::FrontOptions {
        let Request {
            program,
            objectives,
            harness,
            world,
            ..
        } = &self.request;
        let mut front = labrys_front::FrontOptions::new(self.runtime.dir.clone(), work_dir.into());
        front.clang.clone_from(&program.clang);
        front.criteria = match form {
            ProgramForm::Annotated => objectives.criteria.clone(),
            ProgramForm::BothSides { criteria } => criteria.clone(),
            ProgramForm::For(criterion) => vec![*criterion],
            ProgramForm::Mutants | ProgramForm::NativeMutants => Vec::new(),
        };
        front.mutants = form.has_mutants();
        front.operators.clone_from(match front.mutants {
            true => &objectives.operators.mutants,
            false => &objectives.operators.labels,
        });
        front.bitcode = *form != ProgramForm::NativeMutants;
        front.both_sides = matches!(form, ProgramForm::BothSides { .. });
        front.n = objectives.combination;
        front.partitions.clone_from(&objectives.partitions);
        front.array_len = sizes.array_len;
        front.string_len = labrys_front::string_len(sizes.array_len);
        front.depth = sizes.depth;
        front.assume.clone_from(&harness.assume);
        front.shapes.clone_from(&harness.shapes);
        front.symbolic_globals = harness.symbolic_globals;
        front.uninitialised = harness.uninitialised;
        front.calls = harness.calls;
        front.symbolic_clock = harness.symbolic_clock;
        front.modelled.clone_from(&self.runtime.modelled);
        front.library.clone_from(&self.runtime.modelled);
        front
            .modelled
            .extend(self.libraries.provided.iter().cloned());
        front.world.clone_from(world);
        front.deadline = self.deadline.clone();
        front
    }

    /// Links and lifts the bitcode of a program.
    pub fn lift(&self, program: &AnnotatedProgram) -> Outcome<Module> {
        lift(program, &self.libraries, &self.runtime)
    }

    /// Compiles the annotated units natively with the compiler of the request.
    pub fn build_native(&self, program: &AnnotatedProgram, out: &Path) -> Outcome<Replayer> {
        self.build_native_until(program, out, &self.deadline)
    }

    /// The same with a deadline of its own.
    pub fn build_native_until(
        &self,
        program: &AnnotatedProgram,
        out: &Path,
        deadline: &Deadline,
    ) -> Outcome<Replayer> {
        self.build_with(&self.request.replay.cc, program, out, deadline)
    }

    /// The same with the compiler that the engine's code comes from.
    pub fn build_by_clang(&self, program: &AnnotatedProgram, out: &Path) -> Outcome<Replayer> {
        self.build_with(&self.request.program.clang, program, out, &self.deadline)
    }

    fn build_with(
        &self,
        cc: &str,
        program: &AnnotatedProgram,
        out: &Path,
        deadline: &Deadline,
    ) -> Outcome<Replayer> {
        let mut spec = BuildSpec::new(Vec::new(), self.runtime.dir.clone(), out.into());
        let units = program.units.iter().zip(&self.sources.sources);
        spec.units = units
            .map(|(unit, source)| BuildUnit {
                path: unit.annotated_path.clone(),
                flags: sources::native_flags(
                    &source.flags,
                    source.directory.is_some(),
                    self.request.search.faults_of_environment,
                ),
                directory: None,
            })
            .collect();
        spec.cc = cc.to_owned();
        spec.flags.clone_from(&self.sources.link_flags);
        if !program.mutants.is_empty() {
            spec.flags.push(ZERO_VARIABLES.to_owned());
        }
        spec.linked_parts = self.libraries.beside.clone();
        spec.cache_dir = Some(self.runtime.cache.clone());
        spec.deadline = deadline.clone();
        Replayer::build(&spec).map_err(replay_failure)
    }

    /// The files of a program, and its entry if it is only one.
    pub fn target(&self, program: &AnnotatedProgram) -> SuiteTarget {
        let files = self.sources.sources.iter();
        SuiteTarget {
            files: files.map(|s| s.shown().display().to_string()).collect(),
            entry: match &program.entries[..] {
                [only] => Some(only.function.clone()),
                _ => None,
            },
        }
    }
}

/// Links and lifts the bitcode of a program with that of its libraries and the models.
pub fn lift(
    program: &AnnotatedProgram,
    libraries: &Libraries,
    runtime: &Runtime,
) -> Outcome<Module> {
    let mut bitcode: Vec<_> = program.units.iter().map(|u| u.bitcode.clone()).collect();
    bitcode.extend(libraries.bitcode.iter().cloned());
    bitcode.push(runtime.models.clone());
    let keep = program.entries.iter().map(|e| e.harness.clone()).collect();
    labrys_lift::lift(&bitcode, &labrys_lift::LiftOptions { keep }).map_err(Failure::usage)
}

pub(super) fn front_failure(error: FrontError) -> Failure {
    match error {
        FrontError::Ended(cause) => Failure::ended(cause, "reading the program"),
        error if error.is_internal() => Failure::internal(error),
        error => Failure::usage(error),
    }
}

/// The failure of a native build.
pub(crate) fn replay_failure(error: ReplayError) -> Failure {
    match error {
        ReplayError::Ended(cause) => Failure::ended(cause, "compiling the native program"),
        error => Failure::usage(error),
    }
}
