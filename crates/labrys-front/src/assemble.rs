//! Puts a program together. In come C files and options; all files are parsed, the functions to
//! test are chosen, the texts are annotated, harnesses and stubs are appended, and the result is
//! compiled to bitcode.

use crate::annotate::{
    self, AnnotationPlan, CriteriaSet, Notation, ProgramAnnotations, UnitContext,
};
use crate::ast::{AstKind, AstNode};
use crate::clang::{self, ParsedSource};
use crate::declarations::runtime_declarations;
use crate::edits::TextEdits;
use crate::entries::{self, ChosenEntry};
use crate::entry_points::{drivers, entry_point, harness_for, left_out};
use crate::evaluation_order::EvaluationOrder;
use crate::globals::{self, GlobalInput};
use crate::harness::{ASSUME_FILE, HarnessContext, PointableFunction, pointer_input};
use crate::own_names;
use crate::pointer_mixes::{PointerMixes, PointerUses};
use crate::program;
use crate::state::ProgramState;
use crate::stubs;
use crate::uninitialised;
use crate::{
    AnnotatedProgram, AnnotatedUnit, EntryChoice, EntryPoint, FrontError, FrontOptions,
    LinkSupport, MissingStub, SourceFile, Uninitialised,
};
use labrys_ledger::{Criterion, InputType};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The file name of harness code in messages and debug information.
pub const HARNESS_FILE: &str = "labrys-harness.c";

pub(crate) fn load(
    sources: &[SourceFile],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<AnnotatedProgram, FrontError> {
    check_sources(sources)?;
    std::fs::create_dir_all(&options.work_dir).map_err(|source| FrontError::Io {
        path: options.work_dir.clone(),
        source,
    })?;
    let stems = stems(sources);
    let work: Vec<_> = sources.iter().zip(&stems).collect();
    let parsed = in_parallel(&work, |(source, stem)| clang::parse(source, stem, options))?;
    let on_stack = clang::with_large_stack(|| prepare(&parsed, entry, options));
    let prepared = on_stack.map_err(internal)?;
    let (mut program, texts) = prepared?;
    for ((unit, stem), text) in program.units.iter_mut().zip(&stems).zip(texts) {
        unit.annotated_path = options.work_dir.join(format!("{stem}.annotated.c"));
        unit.bitcode = options.work_dir.join(format!("{stem}.bc"));
        std::fs::write(&unit.annotated_path, text).map_err(|source| FrontError::Io {
            path: unit.annotated_path.clone(),
            source,
        })?;
    }
    if !options.bitcode {
        return Ok(program);
    }
    let work: Vec<_> = program.units.iter().zip(sources).collect();
    in_parallel(&work, |(unit, source)| {
        compile(unit, &source.flags, &program.entries, options)
    })?;
    Ok(program)
}

pub(crate) fn internal(error: std::io::Error) -> FrontError {
    FrontError::Internal {
        message: error.to_string(),
    }
}

pub(crate) fn check_sources(sources: &[SourceFile]) -> Result<(), FrontError> {
    if sources.is_empty() {
        return Err(FrontError::NoSources);
    }
    for source in sources {
        let path = source.shown();
        if !path.is_file() {
            return Err(FrontError::FileNotFound { path });
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if matches!(
            extension,
            "cc" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "hpp" | "hh" | "hxx"
        ) {
            return Err(FrontError::CPlusPlus { path });
        }
    }
    Ok(())
}

/// File names for the intermediate files, one for each source.
pub(crate) fn stems(sources: &[SourceFile]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut out = Vec::new();
    for source in sources {
        let base = source
            .path
            .file_stem()
            .map_or("unit".into(), |s| s.to_string_lossy().into_owned());
        let mut name = base.clone();
        let mut number = 2;
        while !used.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        out.push(name);
    }
    out
}

/// Runs independent work side by side, at most as many at once as there are processors; the
/// first error in order wins.
pub(crate) fn in_parallel<I: Copy + Send + Sync, T: Send>(
    items: &[I],
    work: impl Fn(I) -> Result<T, FrontError> + Sync,
) -> Result<Vec<T>, FrontError> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut out = Vec::with_capacity(items.len());
    for chunk in items.chunks(workers) {
        let results: Vec<Result<T, FrontError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = chunk
                .iter()
                .map(|item| scope.spawn(|| clang::with_large_stack(|| work(*item))))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<_>| match thread.join() {
                Ok(Ok(result)) => result,
                Ok(Err(error)) => Err(internal(error)),
                Err(_) => Err(FrontError::Internal {
                    message: "a thread panicked".to_owned(),
                }),
            };
            threads.into_iter().map(join).collect()
        });
        for result in results {
            out.push(result?);
        }
    }
    Ok(out)
}

/// Everything between parsing and writing files: the program and the bytes of its units.
fn prepare(
    parsed: &[ParsedSource],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<(AnnotatedProgram, Vec<Vec<u8>>), FrontError> {
    let units: Vec<program::ParsedUnit> = parsed.iter().map(program::ParsedUnit::new).collect();
    let names = program::FunctionNames::new(&units);
    let mut texts = UnitTexts::default();
    let chosen = entries::choose(&units, entry, &names)?;
    let chosen = entries::without_uncallable(&units, chosen, &mut texts.notes)?;
    let candidates: Vec<Vec<PointableFunction>> = units.iter().map(callback_candidates).collect();
    let surroundings = stubs::surroundings(&units);
    let context_of = |index: usize| HarnessContext {
        types: &units[index].types,
        options,
        candidates: &candidates[index],
        callbacks: 0,
        mixes: None,
        surroundings: &surroundings,
    };
    let mut session = ProgramAnnotations::default();
    let under_test = chosen
        .iter()
        .map(|c| entries::name_of(&units, c.id, &names));
    let under_test: BTreeSet<String> = under_test.collect();
    session.names = names;
    let in_scope: BTreeSet<String> = chosen.iter().flat_map(|c| c.scope.clone()).collect();
    let plan = AnnotationPlan {
        wanted: CriteriaSet::new(&options.criteria),
        notation: Notation::Calls,
        operators: &options.operators,
        mutants: options.mutants,
        both_sides: options.both_sides,
        n: options.n,
        partitions: &options.partitions,
        entries: &under_test,
        only: Some(&in_scope),
    };
    let order = EvaluationOrder::new(&units);
    for (index, unit) in units.iter().enumerate() {
        let functions = annotate::pure_functions(unit, &options.modelled);
        let mut edits = TextEdits::default();
        let context = UnitContext::new(unit, &functions, plan);
        annotate::annotate(&unit.parsed.root, context, &mut session, &mut edits);
        order.mark(index, &mut edits);
        let head = match options.uninitialised {
            Uninitialised::Error => "",
            Uninitialised::Any => uninitialised::make_inputs(unit, &mut edits),
        };
        texts.add_unit(&units, index, context_of(index), edits, head);
    }
    let drivers = drivers(&units);
    let uses = PointerUses::of(&units);
    let state = ProgramState::new(&units, options.symbolic_globals);
    let mixes = mixes_of_only(&chosen, &uses);
    let for_globals = |index: usize| HarnessContext {
        mixes: mixes.as_ref(),
        ..context_of(index)
    };
    let mut globals = globals::inputs(&units, for_globals);
    let left = (chosen.iter()).flat_map(|entry| state.left_by_others(entry, options.calls));
    globals.extend(globals::states(&units, &left.collect(), for_globals));
    texts.add_globals(&globals);
    let mut entry_points = Vec::new();
    let mut harness_bytes = 0;
    for entry in &chosen {
        if harness_bytes > options.harness_bytes {
            texts.left_out.push(left_out(&units, entry));
            continue;
        }
        let harness = harness_for(
            &units,
            entry,
            context_of(entry.id.0),
            &globals,
            &uses,
            &state,
            &mut texts.notes,
        );
        texts.annotated[entry.id.0].extend(harness.text.bytes());
        harness_bytes += harness.text.len();
        entry_points.push(entry_point(
            &units,
            entry,
            harness,
            &globals,
            &texts.stub_inputs,
            &drivers,
            options,
        ));
    }
    // What fits no function may fit one that was left out.
    if texts.left_out.is_empty() {
        check_assumes(&entry_points, options)?;
        check_shapes(&entry_points, options)?;
    }
    session.name_objectives();
    session.note_left_out();
    Ok(texts.into_program(parsed, entry_points, session))
}

/// What the only function under test does with pointers, for what variables lead to. They do not lead
/// to other variables.
fn mixes_of_only(chosen: &[ChosenEntry], uses: &PointerUses) -> Option<PointerMixes> {
    let [entry] = chosen else { return None };
    let mut mixes = uses.mixes(entry.id.0, &entry.reachable);
    mixes.variables.clear();
    Some(mixes)
}

/// The texts of all units while they are written, by the number of the unit, and what the stubs
/// and harnesses in them have brought along.
#[derive(Default)]
struct UnitTexts {
    annotated: Vec<Vec<u8>>,
    supports: Vec<LinkSupport>,
    stubs: BTreeMap<String, MissingStub>,
    stub_inputs: BTreeMap<String, InputType>,
    notes: Vec<String>,
    /// Functions that have no harness.
    left_out: Vec<EntryPoint>,
}

impl UnitTexts {
    /// Writes the next unit: `head`, its annotated text, and the stubs of what it calls and nobody defines.
    fn add_unit(
        &mut self,
        units: &[program::ParsedUnit],
        index: usize,
        context: HarnessContext,
        mut edits: TextEdits,
        head: &str,
    ) {
        let unit = &units[index];
        let definitions = stubs::insert_stubs(units, index, context, &mut edits, &mut self.stubs);
        let first = (units.iter()).position(|u| u.functions.get("main").is_some_and(|m| m.defined));
        let other = first.is_some_and(|first| first < index);
        rename_main(unit, other.then_some(index), &mut edits);
        let own = own_names::of(units, context.options);
        own_names::keep_shown_names(unit, &own, &mut edits);
        weaken_inline(unit, &mut edits);
        let mut text = runtime_declarations().as_bytes().to_vec();
        text.extend(own_names::definitions(&own).bytes());
        if !head.is_empty() {
            text.extend(format!("#line 1 \"{HARNESS_FILE}\"\n{head}").bytes());
        }
        text.extend(edits.apply(&unit.parsed.bytes));
        text.extend(format!("\n#line 1 \"{HARNESS_FILE}\"\n").bytes());
        let mut support = LinkSupport::default();
        for stub in definitions {
            text.extend(stub.harness.text.bytes());
            self.stub_inputs.extend(stub.harness.inputs);
            self.notes.extend(stub.harness.notes);
            if stub.system {
                support.system.push(stub.name.clone());
            }
            support.renamed.push(stub.name);
            support.text.push_str(&stub.original);
        }
        self.annotated.push(text);
        self.supports.push(support);
    }

    /// Appends the functions that fill global variables to the units that define these.
    fn add_globals(&mut self, globals: &[GlobalInput]) {
        for global in globals {
            let definition = global.definition.as_deref().unwrap_or("");
            let text = format!("{definition}{}", global.harness.text);
            self.annotated[global.id.0].extend(text.bytes());
            self.supports[global.id.0].text.push_str(&text);
            self.notes.extend(global.harness.notes.iter().cloned());
        }
    }

    /// The program, and the bytes of its units.
    fn into_program(
        mut self,
        parsed: &[ParsedSource],
        entries: Vec<EntryPoint>,
        annotations: ProgramAnnotations,
    ) -> (AnnotatedProgram, Vec<Vec<u8>>) {
        self.notes.extend(annotations.notes);
        let mut seen = BTreeSet::new();
        self.notes.retain(|note| seen.insert(note.clone()));
        let parts = parsed.iter().zip(&self.annotated).zip(self.supports);
        let units = parts.map(|((parsed, text), support)| AnnotatedUnit {
            source: parsed.path.clone(),
            annotated: String::from_utf8_lossy(text).into_owned(),
            annotated_path: PathBuf::new(),
            bitcode: PathBuf::new(),
            support,
        });
        let program = AnnotatedProgram {
            units: units.collect(),
            entries,
            left_out: self.left_out,
            objectives: annotations.objectives,
            mutants: annotations.mutants,
            nesting: annotations.nesting,
            decisions: annotations.decisions,
            stubs: self.stubs.into_values().collect(),
            notes: self.notes,
        };
        (program, self.annotated)
    }
}

/// The functions of a unit that function pointers may point to.
fn callback_candidates(unit: &program::ParsedUnit) -> Vec<PointableFunction> {
    let defined = unit
        .functions
        .iter()
        .filter(|(name, s)| s.defined && !s.system && **name != "main")
        .filter(|(_, s)| unit.types.is_spellable(&unit.types.of(s.node)));
    defined
        .map(|(name, symbol)| PointableFunction {
            name: (*name).to_owned(),
            ty: unit.types.spell(&unit.types.of(symbol.node)),
        })
        .collect()
}

/// The program's `main` becomes `labrys_main`, which returns 0 at its end as `main` does. The
/// files may be those of several programs: then each `main` but the first has a number.
fn rename_main(unit: &program::ParsedUnit, number: Option<usize>, edits: &mut TextEdits) {
    let name = number.map_or("labrys_main".to_owned(), |n| format!("labrys_main_{n}"));
    let Some(main) = unit.functions.get("main") else {
        return;
    };
    for declaration in &main.declarations {
        if let Some((begin, end)) = declaration.loc.0 {
            edits.replace(begin, end, &name);
        }
    }
    unit.parsed.root.walk(&mut |node: &AstNode| {
        let target = node
            .referenced_decl
            .as_ref()
            .filter(|_| node.kind == AstKind::DeclRefExpr);
        if target
            .is_some_and(|t| t.kind == AstKind::FunctionDecl && t.name.as_deref() == Some("main"))
            && let Some((begin, end)) = node.span()
        {
            edits.replace(begin, end, &name);
        }
    });
    let returns = unit
        .types
        .of(main.node)
        .function()
        .is_some_and(|f| !f.result.is_void());
    if let (true, Some((_, end))) = (returns, main.node.body().and_then(AstNode::span)) {
        edits.after(end - 1, " return 0; ");
    }
}

/// Inline functions with external linkage get bodies in every unit that has them, of which the
/// linker keeps one. C99 would have each in one unit, which may not be here.
fn weaken_inline(unit: &program::ParsedUnit, edits: &mut TextEdits) {
    for symbol in unit.functions.values() {
        let inline = symbol.declarations.iter().any(|d| d.inline);
        if !inline || !symbol.defined || symbol.is_static || symbol.system {
            continue;
        }
        for declaration in &symbol.declarations {
            let (Some((begin, _)), Some((name, _))) = (declaration.span(), declaration.loc.0)
            else {
                continue;
            };
            let specifiers = unit.parsed.bytes.get(begin as usize..name as usize);
            for (at, size) in inline_keywords(specifiers.unwrap_or_default()) {
                edits.delete(begin + at, begin + at + size);
            }
        }
        // What the program has made weak itself, another unit may replace.
        let mut attributes = symbol.declarations.iter().flat_map(|d| &d.inner);
        if attributes.any(|node| matches!(node.kind, AstKind::WeakAttr)) {
            continue;
        }
        if let Some((begin, _)) = symbol.node.span() {
            // Protected, and marked in a way that no program would: no other definition does anything
            // else, which a weak one may.
            let mark = "weak, visibility(\"protected\"), no_profile_instrument_function";
            edits.before_all(begin, format!("__attribute__(({mark})) "));
        }
    }
}

/// Where the keyword stands: offset and length.
fn inline_keywords(text: &[u8]) -> Vec<(u32, u32)> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let size = text[at..].iter().take_while(|b| is_word(b)).count();
        if matches!(
            &text[at..at + size],
            b"inline" | b"__inline" | b"__inline__"
        ) {
            found.push((at as u32, size as u32));
        }
        at += size.max(1);
    }
    found
}

/// A precondition that speaks of no function under test is a mistake.
fn check_assumes(entries: &[EntryPoint], options: &FrontOptions) -> Result<(), FrontError> {
    let used = |text: &str| entries.iter().any(|e| e.harness_text.contains(text));
    match options
        .assume
        .iter()
        .find(|a| !used(&format!("labrys_assume(!!({a}));")))
    {
        Some(unused) if entries.iter().any(|e| e.generated) => Err(FrontError::BadAssume {
            expression: unused.clone(),
            function: entries
                .iter()
                .map(|e| e.function.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            message: "no function under test knows all of its names".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// What is said about a pointer that no function under test has is a mistake.
fn check_shapes(entries: &[EntryPoint], options: &FrontOptions) -> Result<(), FrontError> {
    let has = |name: &str| {
        let input = pointer_input(name);
        entries.iter().any(|e| e.inputs.contains_key(&input))
    };
    match options.shapes.iter().find(|shape| !has(&shape.name)) {
        Some(shape) => Err(FrontError::BadShape {
            shape: shape.to_string(),
            name: shape.name.clone(),
        }),
        None => Ok(()),
    }
}

fn compile(
    unit: &AnnotatedUnit,
    flags: &[String],
    entries: &[EntryPoint],
    options: &FrontOptions,
) -> Result<(), FrontError> {
    let (input, output) = (&unit.annotated_path, &unit.bitcode);
    let own = &clang::ENGINE_FLAGS;
    let Err(message) = clang::compile_annotated(input, output, flags, own, options)? else {
        return Ok(());
    };
    if let Some(line) = message
        .lines()
        .find(|l| l.starts_with(&format!("{ASSUME_FILE}:")))
    {
        return Err(FrontError::BadAssume {
            expression: options.assume.join("' and '"),
            function: entries
                .first()
                .map_or(String::new(), |e| e.function.clone()),
            message: line.to_owned(),
        });
    }
    if !options.partitions.is_empty() && options.criteria.contains(&Criterion::InputDomain) {
        return Err(FrontError::BadPartition {
            blocks: options.partitions.join("', '"),
            message,
        });
    }
    Err(FrontError::Annotated {
        path: unit.source.clone(),
        annotated: unit.annotated_path.clone(),
        message,
    })
}
