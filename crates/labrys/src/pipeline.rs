//! From C files to an explored program: front end, lifter, engine, native build.

use crate::cli::{Options, ProgramArgs, ProgramForm};
use crate::failure::{Failure, Outcome};
use crate::given::{self, Given};
use crate::libraries::Libraries;
use crate::runtime::{self, Runtime};
use crate::world::world;
use labrys_engine::{Config, Instrumentation, Search};
use labrys_front::{AnnotatedProgram, EntryChoice, FrontError, LabelledProgram, MutationOperator};
use labrys_ir::Module;
use labrys_ledger::{Criterion, World};
use labrys_suite::{BuildSpec, BuildUnit, Replayer};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Default budget of a search.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

pub fn clang(options: &Options) -> String {
    options.clang.clone().unwrap_or_else(|| "clang-19".into())
}

pub fn cc(options: &Options) -> String {
    options.cc.clone().unwrap_or_else(|| "cc".into())
}

/// The criteria asked for, each once, branch if there are none.
pub fn criteria(options: &Options) -> Vec<Criterion> {
    let mut criteria = options.criterion.clone();
    criteria.sort();
    criteria.dedup();
    if criteria.is_empty() {
        criteria.push(Criterion::Branch);
    }
    criteria
}

/// The mutation operators asked for, all if there are none.
fn operators(options: &Options) -> Outcome<Vec<MutationOperator>> {
    if options.operators.is_empty() {
        return Ok(MutationOperator::ALL.to_vec());
    }
    let parsed = options.operators.iter().map(|name| name.trim().parse());
    let wrong = |message: String| Failure::usage(format_args!("--operators: {message}"));
    parsed.collect::<Result<_, String>>().map_err(wrong)
}

/// The blocks of `--partition`.
fn partitions(options: &Options) -> Vec<String> {
    let blocks = options.partition.iter().flat_map(|text| text.split(';'));
    let blocks = blocks.map(|block| block.trim().to_owned());
    blocks.filter(|block| !block.is_empty()).collect()
}

pub fn entry(program: &ProgramArgs, world: Option<&World>) -> EntryChoice {
    match &program.function {
        Some(function) => EntryChoice::Function(function.clone()),
        None if program.main || world.is_some() => EntryChoice::Main,
        None => EntryChoice::Auto,
    }
}

/// Sizes of the objects that a generated harness makes; they double while a search is limited
/// by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub array_len: u32,
    pub depth: u32,
}

impl Sizes {
    pub fn new(options: &Options) -> Self {
        Sizes {
            array_len: options.array_len.unwrap_or(4),
            depth: options.depth.unwrap_or(3),
        }
    }

    pub fn doubled(self) -> Self {
        Sizes {
            array_len: self.array_len.saturating_mul(2),
            depth: self.depth.saturating_mul(2),
        }
    }
}

/// Labels the program.
pub fn label(
    program: &ProgramArgs,
    given: &Given,
    libraries: &Libraries,
    options: &Options,
    runtime: &Runtime,
    work_dir: &Path,
) -> Outcome<LabelledProgram> {
    let front = front_options(libraries, options, runtime, Sizes::new(options), work_dir)?;
    let entry = entry(program, front.world.as_ref());
    let mut labelled =
        labrys_front::label(&given.sources, &entry, &front).map_err(front_failure)?;
    if let Some(part) = &given.part {
        let LabelledProgram {
            objectives, notes, ..
        } = &mut labelled;
        part.restrict(objectives, &given.sources, notes)?;
        labelled.drop_labels();
    }
    Ok(labelled)
}

/// As a suite records them.
impl From<Sizes> for labrys_suite::HarnessSizes {
    fn from(Sizes { array_len, depth }: Sizes) -> Self {
        labrys_suite::HarnessSizes { array_len, depth }
    }
}

impl From<labrys_suite::HarnessSizes> for Sizes {
    fn from(labrys_suite::HarnessSizes { array_len, depth }: labrys_suite::HarnessSizes) -> Self {
        Sizes { array_len, depth }
    }
}

/// Runs the front end. Objectives outside the part that counts are left out.
pub fn load(
    program: &ProgramArgs,
    given: &Given,
    libraries: &Libraries,
    options: &Options,
    runtime: &Runtime,
    sizes: Sizes,
    work_dir: &Path,
) -> Outcome<AnnotatedProgram> {
    let front = front_options(libraries, options, runtime, sizes, work_dir)?;
    if let (Some(function), Some(_)) = (&program.function, &front.world) {
        return Err(Failure::usage(format_args!(
            "arguments, files and environment belong to a whole program; give either --function {function} or these"
        )));
    }
    let entry = entry(program, front.world.as_ref());
    let mut program = labrys_front::load(&given.sources, &entry, &front).map_err(front_failure)?;
    if let Some(part) = &given.part {
        let AnnotatedProgram {
            objectives,
            mutants,
            notes,
            ..
        } = &mut program;
        match options.form {
            ProgramForm::Annotated => part.restrict(objectives, &given.sources, notes)?,
            _ => {
                part.keep(objectives, |o| (&o.file, o.line));
                part.keep(mutants, |m| (&m.file, m.line));
            }
        }
    }
    Ok(program)
}

fn front_options(
    libraries: &Libraries,
    options: &Options,
    runtime: &Runtime,
    sizes: Sizes,
    work_dir: &Path,
) -> Outcome<labrys_front::FrontOptions> {
    let mut front = labrys_front::FrontOptions::new(runtime.dir.clone(), work_dir.into());
    front.clang = clang(options);
    front.criteria = criteria(options);
    front.operators = operators(options)?;
    front.mutants = options.form.has_mutants();
    front.bitcode = options.form != ProgramForm::NativeMutants;
    front.both_sides = options.form == ProgramForm::BothSides;
    if front.mutants {
        front.criteria.clear();
    }
    front.n = options.n;
    front.partitions = partitions(options);
    front.array_len = sizes.array_len;
    front.string_len = sizes.array_len.saturating_mul(2);
    front.depth = sizes.depth;
    front.assume = options.assume.clone();
    front.symbolic_globals = options.symbolic_globals;
    front.symbolic_clock = options.sym_time;
    front.modelled = runtime.modelled.clone();
    front.modelled.extend(libraries.provided.iter().cloned());
    front.world = world(options)?;
    Ok(front)
}

fn front_failure(error: FrontError) -> Failure {
    match error.is_internal() {
        true => Failure::internal(error),
        false => Failure::usage(error),
    }
}

/// Links and lifts the bitcode of a program.
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

/// Compiles the annotated units natively.
pub fn build_native(
    program: &AnnotatedProgram,
    (given, libraries): (&Given, &Libraries),
    options: &Options,
    runtime: &Runtime,
    out: &Path,
) -> Outcome<Replayer> {
    let mut spec = BuildSpec::new(Vec::new(), runtime.dir.clone(), out.into());
    let units = program.units.iter().zip(&given.sources);
    spec.units = units
        .map(|(unit, source)| BuildUnit {
            path: unit.annotated_path.clone(),
            flags: given::native_flags(&source.flags, source.directory.is_some()),
            directory: None,
        })
        .collect();
    spec.cc = cc(options);
    spec.flags = given.link_flags.clone();
    spec.beside = libraries.beside.clone();
    spec.cache_dir = Some(runtime.cache.clone());
    Replayer::build(&spec).map_err(Failure::usage)
}

/// The value of a name on the command line.
fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Outcome<T> {
    let found = known.iter().find(|(n, _)| *n == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(n, _)| *n).collect();
        let known = known.join(", ");
        Failure::usage(format_args!("{what} '{name}'; known are {known}"))
    })
}

/// The engine's settings for one entry that may use `time`.
pub fn engine_config(options: &Options, time: Duration, stop: &Arc<AtomicBool>) -> Outcome<Config> {
    let search = match &options.search {
        None => Search::DEFAULT,
        Some(name) => named("--search: unknown strategy", name, &Search::NAMES)?,
    };
    let instrumentation = match &options.instrumentation {
        None => Instrumentation::TightIdl2,
        Some(name) => named(
            "--instrumentation: unknown form",
            name,
            &Instrumentation::NAMES,
        )?,
    };
    let default = Config::default();
    let mut config = Config {
        search,
        filter: !options.no_filter,
        levels: options.levels.unwrap_or(default.levels),
        instrumentation,
        time: Some(time),
        max_paths: options.paths,
        exhaust: options.exhaust,
        raw_values: options.raw_values,
        every_path: criteria(options).contains(&Criterion::Path),
        stop: stop.clone(),
        started: Instant::now(),
        seed: options.seed.unwrap_or(0),
        jobs: options.jobs.unwrap_or(1),
        ..default
    };
    if let Some(memory) = options.memory {
        config.memory = memory.0;
    }
    if let Some(expressions) = options.expressions {
        config.collect_at = expressions;
    }
    if let Some(steps) = options.max_steps {
        config.max_steps = steps;
    }
    config.solver.validate = options.validate;
    config.solver.log_queries = options.log_queries.clone();
    config.solver.external = options.solver.clone();
    config.solver.seed = options.seed.unwrap_or(0) as u32;
    Ok(config)
}

/// The time that a search may take.
pub fn budget(options: &Options) -> Duration {
    options.time.map_or(DEFAULT_TIME, |time| time.0)
}

/// Unpacks the runtime for the clang of these options.
pub fn install_runtime(options: &Options) -> Outcome<Runtime> {
    runtime::install(&clang(options))
}
