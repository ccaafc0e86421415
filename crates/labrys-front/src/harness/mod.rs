//! The harness of a function: readable C that makes its inputs, calls it and records what it
//! produced.
//!
//! Scalars are inputs. A pointer is chosen among NULL, an object made for it and earlier objects
//! of the same type; structures are filled member by member down to `--depth`, so that lists and
//! trees come out as real ones. What only the sizes of the harness force is marked by
//! `labrys_limit` and `labrys_guess`: it is a guess, not a fact about the program.

mod arguments;
mod calls;
mod conversions;
mod entry;
mod fill;
mod library_objects;
mod objects;
mod output;
mod own;
mod places;
mod pointers;
mod program;
mod stub;
mod surroundings;
mod unions;
mod written_pointers;

pub use calls::ASSUME_FILE;
pub(crate) use calls::{EarlierCall, FunctionHarness, Parameter, function_harness};
pub(crate) use entry::{fill_function, main_harness, state_function};
pub(crate) use fill::int_getter;
pub(crate) use pointers::pointer_input;
pub(crate) use program::{MainSignature, program_harness};
pub(crate) use stub::{StubFacts, StubSurroundings, StubbedFunction, stub_definition};
pub(crate) use surroundings::reads_input;

use self::own::Offered;
use self::places::DeferredPick;
use crate::FrontOptions;
use crate::pointer_mixes::PointerMixes;
use crate::types::TypeTable;
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;
use std::collections::{BTreeMap, BTreeSet};

/// The pointers of one harness lead to at most 15 structures: a pointer may lead to any earlier one
/// of its type, so the choices grow faster than the structures.
const MAX_RECORDS: usize = 15;

/// The pointers of one harness lead to at most 48 other objects, such as strings.
const MAX_OBJECTS: usize = 48;

/// No more objects are made once a harness has this many inputs.
const MAX_INPUTS: usize = 400;

/// At most 64 members or elements are filled one by one; larger arrays are filled as bytes.
const MAX_UNROLLED: u64 = 64;

/// The most bytes of one array that are an input, for each element of `--array-len`; the rest
/// of a larger one stays zero.
const MAX_BYTES_PER_ELEMENT: u64 = 1024;

/// A function that a function pointer of the same type may point to.
#[derive(Debug, Clone)]
pub(crate) struct PointableFunction {
    pub name: String,
    /// The type as it is spelled, without parameter names.
    pub ty: String,
}

/// What is the same for all harnesses of a translation unit.
#[derive(Clone, Copy)]
pub(crate) struct HarnessContext<'a> {
    pub types: &'a TypeTable,
    pub options: &'a FrontOptions,
    pub candidates: &'a [PointableFunction],
    /// How many generated callbacks enclose this harness: the result of one may hold pointers to
    /// others.
    pub callbacks: u32,
    /// What the function under test does with pointers; nothing is known of stubs and variables.
    pub mixes: Option<&'a PointerMixes>,
    /// What stubs must know of the program.
    pub surroundings: &'a StubSurroundings,
}

/// A finished piece of harness.
#[derive(Debug, Default)]
pub(crate) struct HarnessCode {
    pub text: String,
    pub inputs: BTreeMap<String, InputType>,
    pub outputs: BTreeMap<String, InputType>,
    pub notes: Vec<String>,
}

/// Where the objects of a harness are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObjectStorage {
    /// On the stack of the harness.
    Local,
    /// They must outlive the function, which is called once.
    Static,
    /// They must outlive the function, and each call has its own.
    Fresh,
}

/// Collects the statements of one harness.
struct HarnessWriter<'a> {
    context: HarnessContext<'a>,
    /// Functions that must stand before the harness.
    functions: Vec<String>,
    declarations: Vec<String>,
    statements: Vec<String>,
    inputs: BTreeMap<String, InputType>,
    outputs: BTreeMap<String, InputType>,
    notes: Vec<String>,
    /// C identifiers in use.
    names: BTreeSet<String>,
    objects: Vec<HarnessObject>,
    made_records: usize,
    made_objects: usize,
    storage: ObjectStorage,
    /// What stands behind the names of inputs and outputs: which of several calls they belong to.
    suffix: String,
    /// The function that the harness is for; its name must stay visible.
    prefix: String,
    /// Pointers to objects to which nothing else leads, by the names of their inputs.
    alone: BTreeSet<String>,
    /// How many of the objects the engine has been told of.
    owned: usize,
    /// The inputs of earlier calls.
    inputs_before: usize,
    /// Choices of pointers that wait for the objects made after them.
    deferred: Vec<DeferredPick>,
    /// Inputs that say to which element a pointer leads, and their C names.
    places: Vec<(String, String)>,
    /// Calls that say which variables are among the choices.
    offers: Vec<String>,
    /// The variable with the size of the next object of unknown type.
    room: Option<String>,
}

/// An object that pointers may point to.
struct HarnessObject {
    /// The C expression of its address, and what it is called in a test.
    address: String,
    /// The spelled type that a pointer to it has as target.
    target: String,
    record: bool,
    /// Belongs to a parameter itself, not to something behind one.
    root: bool,
    /// The C expression of the object, to be recorded as output, with its path and type.
    lvalue: String,
    path: String,
    ty: crate::types::CType,
    writable: bool,
    /// The input that is the pointer for which it was made.
    pointer: String,
    /// Which other pointers of the harness may lead to it.
    offered: Offered,
}

/// A call of `labrys_limit`.
fn limit_call(address: &str, size: &str, option: &str) -> String {
    format!("labrys_limit({address}, {size}, \"{option}\");")
}

impl<'a> HarnessWriter<'a> {
    fn new(context: HarnessContext<'a>, prefix: &str) -> Self {
        HarnessWriter {
            context,
            functions: Vec::new(),
            declarations: Vec::new(),
            statements: Vec::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            notes: Vec::new(),
            names: BTreeSet::from([prefix.to_owned()]),
            objects: Vec::new(),
            made_records: 0,
            made_objects: 0,
            storage: ObjectStorage::Local,
            suffix: String::new(),
            prefix: prefix.to_owned(),
            alone: BTreeSet::new(),
            owned: 0,
            inputs_before: 0,
            deferred: Vec::new(),
            places: Vec::new(),
            offers: Vec::new(),
            room: None,
        }
    }

    fn types(&self) -> &'a TypeTable {
        self.context.types
    }

    fn statement(&mut self, statement: impl Into<String>) {
        self.statements.push(statement.into());
    }

    /// The bytes at an address hold what only the harness forces; the option raises the limit.
    fn limit(&mut self, address: &str, size: &str, option: &str) {
        self.statement(limit_call(address, size, option));
    }

    /// The size of the object at an address is the harness's choice.
    fn guess(&mut self, address: &str) {
        self.statement(format!(
            "labrys_guess({address}, \"{}\");",
            limit::ARRAY_LEN
        ));
    }

    fn declare(&mut self, declaration: impl Into<String>) {
        self.declarations.push(declaration.into());
    }

    /// A fresh C identifier made from an access path.
    fn fresh(&mut self, path: &str) -> String {
        let mut base: String = path
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        while base.contains("__") {
            base = base.replace("__", "_");
        }
        let base = base.trim_matches('_');
        let base = match base.chars().next() {
            Some(c) if !c.is_ascii_digit() => base.to_owned(),
            _ => format!("object_{base}"),
        };
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }

    /// What the input of an access path is called.
    fn input_name(&self, path: &str) -> String {
        format!("{path}{}", self.suffix)
    }

    /// Nothing else leads to the object of the pointer `path`.
    fn nothing_else_leads_to(&mut self, path: &str) {
        let name = self.input_name(path);
        self.alone.insert(name);
    }

    /// Does nothing else lead to the object of the pointer `path`?
    fn is_alone(&self, path: &str) -> bool {
        self.alone.contains(&self.input_name(path))
    }

    /// Records the type of an input and returns its name as a C string.
    fn input(&mut self, path: &str, ty: InputType) -> String {
        let name = self.input_name(path);
        let quoted = quote(&name);
        self.inputs.insert(name, ty);
        quoted
    }

    /// Says something about the input `path`.
    fn note_on_input(&mut self, path: &str, text: &str) {
        let note = format!("{}: {path}: {text}", self.prefix);
        self.note(note);
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The declarations and statements as lines of a function body.
    fn body(&self) -> String {
        let mut out = String::new();
        for line in self.declarations.iter().chain(&self.statements) {
            out.push_str("  ");
            out.push_str(line);
            out.push('\n');
        }
        out
    }

    fn finish(self, text: String) -> HarnessCode {
        let mut all = self.functions.concat();
        all.push_str(&text);
        HarnessCode {
            text: all,
            inputs: self.inputs,
            outputs: self.outputs,
            notes: self.notes,
        }
    }
}

/// A C string literal.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
