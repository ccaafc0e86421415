//! The front end: from C files to annotated bitcode with a harness, by means of clang.
//!
//! [`load`] preprocesses each file, reads its syntax tree, inserts the annotations of the wanted
//! criteria into the preprocessed text, appends a harness for each function under test and stubs
//! for what is missing, and compiles the result. What comes out is an [`AnnotatedProgram`]: bitcode for
//! the engine, annotated C for native replay, and the objectives to cover.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod align;
mod annotate;
mod assemble;
mod ast;
mod clang;
mod consteval;
mod declarations;
mod dialects;
mod edits;
mod entries;
mod entry_points;
mod error;
mod evaluation_order;
mod flags;
mod globals;
mod harness;
mod labelled;
mod lexer;
mod mutated;
mod own_names;
mod parameters;
mod pointer_mixes;
mod program;
mod reach;
pub mod readers;
mod remove_labels;
mod shapes;
mod source;
mod source_file;
mod state;
mod stubs;
mod types;
mod uninitialised;

pub use annotate::{MutationOperator, tag};
pub use assemble::HARNESS_FILE;
pub use clang::{ACCEPT_OLD_C_FLAGS, compile_annotated};
pub use declarations::runtime_declarations;
pub use error::FrontError;
pub use flags::{flags_after_preprocessing, flags_for_preprocessing};
pub use harness::ASSUME_FILE;
pub use labelled::{LabelledProgram, label};
pub use mutated::{MutatedProgram, mutate_text};
pub use shapes::{PointerShape, ShapeWord};
pub use source_file::{SourceFile, without_dots};

use labrys_budget::Deadline;
use labrys_ledger::{Criterion, Decision, InputType, Mutant, Objective, PointNesting, World};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How to read and prepare a program.
#[derive(Debug, Clone)]
pub struct FrontOptions {
    /// Name or path of clang 19.
    pub clang: String,
    pub criteria: Vec<Criterion>,
    /// Mutation operators of the criterion `weak-mutation` and of the meta-mutant.
    pub operators: Vec<MutationOperator>,
    /// Make the program one with all its mutants.
    pub mutants: bool,
    /// Compile to bitcode; without, the program is only for native runs.
    pub bitcode: bool,
    /// `rte`: for every error a label that it does not happen, too.
    pub both_sides: bool,
    /// Size of the combinations of the criterion `multiple-condition`, if not all conditions.
    pub n: Option<u32>,
    /// Blocks of the criterion `input-domain` as C expressions, if not by type.
    pub partitions: Vec<String>,
    /// Elements of the array behind a pointer parameter.
    pub array_len: u32,
    /// Characters of the string behind a `char *` parameter, without the terminator.
    pub string_len: u32,
    /// How many pointers deep structures are made.
    pub depth: u32,
    /// Preconditions: C expressions over the parameters.
    pub assume: Vec<String>,
    /// What the user says about pointers.
    pub shapes: Vec<PointerShape>,
    /// The surroundings of a whole program, as far as the user has said anything about them.
    pub world: Option<World>,
    /// Whether defined global variables are inputs too.
    pub symbolic_globals: bool,
    /// What becomes of variables that may be read before they are written.
    pub uninitialised: Uninitialised,
    /// How often a function is called; decided for each function if nothing is said.
    pub calls: Option<u32>,
    /// Whether the clock is an input.
    pub symbolic_clock: bool,
    /// The directory that holds `labrys.h` and `include/`.
    pub runtime_dir: PathBuf,
    /// An existing directory for intermediate files.
    pub work_dir: PathBuf,
    /// Functions and variables that the runtime, the C library or other units provide.
    pub modelled: BTreeSet<String>,
    /// Clang is ended with it.
    pub deadline: Deadline,
    /// When the harnesses have so many bytes, the functions that are left have none: compilers
    /// would need too long for them.
    pub harness_bytes: usize,
    /// The functions of the C library among them.
    pub library: BTreeSet<String>,
}

/// The clang that is used if no other is named.
pub const CLANG: &str = "clang-19";

/// Elements behind a pointer parameter, if nothing else is said.
pub const ARRAY_LEN: u32 = 4;

/// How many pointers deep structures are made, if nothing else is said.
pub const DEPTH: u32 = 3;

/// Characters of a string, for arrays of this many elements.
pub fn string_len(array_len: u32) -> u32 {
    array_len.saturating_mul(2)
}

impl FrontOptions {
    /// Branch coverage with the default sizes.
    pub fn new(runtime_dir: PathBuf, work_dir: PathBuf) -> Self {
        FrontOptions {
            clang: CLANG.to_owned(),
            criteria: vec![Criterion::Branch],
            operators: MutationOperator::LABELS.to_vec(),
            mutants: false,
            bitcode: true,
            both_sides: false,
            n: None,
            partitions: Vec::new(),
            array_len: ARRAY_LEN,
            string_len: string_len(ARRAY_LEN),
            depth: DEPTH,
            assume: Vec::new(),
            shapes: Vec::new(),
            world: None,
            symbolic_globals: false,
            uninitialised: Uninitialised::Error,
            calls: None,
            symbolic_clock: false,
            runtime_dir,
            work_dir,
            modelled: BTreeSet::new(),
            deadline: Deadline::never(),
            harness_bytes: usize::MAX,
            library: BTreeSet::new(),
        }
    }
}

/// What reading memory means that the program has not written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uninitialised {
    /// It is an error, and the path ends.
    #[default]
    Error,
    /// It may hold any value: an input.
    Any,
}

impl std::str::FromStr for Uninitialised {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Uninitialised::ALL.into_iter().find(|u| u.name() == text);
        known.ok_or_else(|| format!("'{text}' is neither error nor any"))
    }
}

impl Uninitialised {
    pub const ALL: [Uninitialised; 2] = [Uninitialised::Error, Uninitialised::Any];

    pub fn name(self) -> &'static str {
        match self {
            Uninitialised::Error => "error",
            Uninitialised::Any => "any",
        }
    }
}

/// What to test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryChoice {
    /// `main` if it asks for inputs, else every function with a body.
    Auto,
    Main,
    Function(String),
    Every,
}

/// A program, ready to be executed.
#[derive(Debug, Clone)]
pub struct AnnotatedProgram {
    pub units: Vec<AnnotatedUnit>,
    pub entries: Vec<EntryPoint>,
    /// Functions that have no harness, since those before them have too many bytes.
    pub left_out: Vec<EntryPoint>,
    /// The objectives of all functions in the scope of an entry.
    pub objectives: Vec<Objective>,
    /// The decisions whose pairs are among them.
    pub decisions: Vec<Decision>,
    /// The mutants in those functions, if they were asked for.
    pub mutants: Vec<Mutant>,
    /// Which of these can be active together.
    pub nesting: PointNesting,
    /// Functions that nobody defines.
    pub stubs: Vec<MissingStub>,
    /// What the user should know: what is not an input, what is measured only in part.
    pub notes: Vec<String>,
}

/// A translation unit.
#[derive(Debug, Clone)]
pub struct AnnotatedUnit {
    /// As messages name it.
    pub source: PathBuf,
    /// The annotated, preprocessed text with harness and stubs.
    pub annotated: String,
    /// The file that holds it.
    pub annotated_path: PathBuf,
    pub bitcode: PathBuf,
    pub support: LinkSupport,
}

/// What the text of a unit as the user wrote it needs to be linked: the annotated text has it
/// already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkSupport {
    /// Functions that nobody defines. The original text must call `labrys_stub_NAME` instead,
    /// by a macro of the function's name.
    pub renamed: Vec<String>,
    /// Those of them that a system header declares.
    pub system: Vec<String>,
    /// Stubs, and the definitions of global variables with the functions that fill them: to
    /// stand once between the original text and the harnesses of the unit.
    pub text: String,
}

/// A function to start from.
#[derive(Debug, Clone)]
pub struct EntryPoint {
    pub function: String,
    /// The file that defines the function.
    pub file: PathBuf,
    /// The C function, without parameters, that makes the inputs and calls it.
    pub harness: String,
    /// The functions whose objectives count.
    pub scope: Vec<String>,
    /// The types of the inputs by name, as far as they are known.
    pub inputs: BTreeMap<String, InputType>,
    /// The types of the outputs by name.
    pub outputs: BTreeMap<String, InputType>,
    /// The harness as C; with the unit's [`LinkSupport`] all that must follow the original text.
    pub harness_text: String,
    /// The surroundings of a whole program.
    pub world: Option<World>,
    /// False if the user wrote the driver: then its limits are a specification.
    pub generated: bool,
}

/// A function that is called but not defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingStub {
    pub name: String,
    /// `file:line` of its declaration, if it has one.
    pub declared: Option<String>,
    /// `file:line` of the places that refer to it.
    pub calls: Vec<String>,
    /// Its declaration in C.
    pub prototype: String,
}

/// Reads C files and prepares them for execution from the given entry.
pub fn load(
    sources: &[SourceFile],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<AnnotatedProgram, FrontError> {
    assemble::load(sources, entry, options)
}
