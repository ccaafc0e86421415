//! Chooses which functions are tested, and finds for each the functions whose objectives count:
//! those that it can reach.

use crate::ast::AstKind;
use crate::dialects;
use crate::error::similar_names;
use crate::parameters::parameters;
use crate::program::{FunctionNames, ParsedUnit, SymbolId};
use crate::reach::{Reachable, SymbolGraph};
use crate::{EntryChoice, FrontError};
use labrys_ledger::protocol::HARNESS_PREFIX;
use std::path::Path;
use std::rc::Rc;

/// A function to be tested, chosen but not yet with a harness.
pub(crate) struct ChosenEntry<'a> {
    pub id: SymbolId<'a>,
    pub reachable: Reachable<'a>,
    pub scope: Vec<String>,
    pub kind: EntryKind,
    pub harness: String,
    /// No other function is tested.
    pub only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// `main`, run as a program; says whether it asks for inputs itself.
    Program {
        driver: bool,
    },
    Function,
}

/// Finds the functions that the entry asks for.
pub(crate) fn choose<'a>(
    units: &[ParsedUnit<'a>],
    entry: &EntryChoice,
    known: &FunctionNames,
) -> Result<Vec<ChosenEntry<'a>>, FrontError> {
    let graph = SymbolGraph::new(units);
    let mut chosen = match entry {
        EntryChoice::Main => vec![program(units, &graph, find(units, "main")?, known)],
        EntryChoice::Function(name) => {
            let id = find(units, name)?;
            let reachable = graph.reachable_from(id);
            let scope = reachable_names(units, &reachable, known);
            vec![ChosenEntry {
                id,
                reachable,
                scope,
                kind: EntryKind::Function,
                harness: String::new(),
                only: false,
            }]
        }
        EntryChoice::Every => every_function(units, &graph, known)?,
        EntryChoice::Auto => match sole_main(units)?.map(|id| program(units, &graph, id, known)) {
            Some(main) if main.kind == (EntryKind::Program { driver: true }) => vec![main],
            _ => every_function(units, &graph, known)?,
        },
    };
    name_harnesses(&mut chosen);
    if let [only] = &mut chosen[..] {
        only.only = true;
    }
    Ok(chosen)
}

/// Leaves out the functions that nothing can call, since their parameters have types without names;
/// an error if no other is left.
pub(crate) fn without_uncallable<'a>(
    units: &[ParsedUnit<'a>],
    chosen: Vec<ChosenEntry<'a>>,
    notes: &mut Vec<String>,
) -> Result<Vec<ChosenEntry<'a>>, FrontError> {
    let (mut kept, mut first) = (Vec::new(), None);
    for entry in chosen {
        match nameless_parameter(units, &entry) {
            None => kept.push(entry),
            Some(parameter) => {
                let name = entry.id.1.to_owned();
                let error = FrontError::NamelessParameter { name, parameter };
                notes.push(error.to_string());
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) if kept.is_empty() => Err(error),
        _ => Ok(kept),
    }
}

fn nameless_parameter(units: &[ParsedUnit], entry: &ChosenEntry) -> Option<String> {
    let unit = &units[entry.id.0];
    let function = unit.functions.get(entry.id.1)?;
    let all = parameters(unit, function.node).into_iter();
    let mut nameless = all.filter(|parameter| !unit.types.is_spellable(&parameter.ty));
    nameless.next().map(|parameter| parameter.name)
}

/// Static functions of one name in several files must not share a harness.
fn name_harnesses(chosen: &mut [ChosenEntry]) {
    let mut used = std::collections::BTreeSet::new();
    for entry in chosen {
        let base = format!("{HARNESS_PREFIX}{}", entry.id.1);
        let mut name = base.clone();
        let mut number = 2;
        while !used.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        entry.harness = name;
    }
}

fn program<'a>(
    units: &[ParsedUnit<'a>],
    graph: &Rc<SymbolGraph<'a>>,
    id: SymbolId<'a>,
    known: &FunctionNames,
) -> ChosenEntry<'a> {
    let mut reachable = graph.reachable_from(id);
    add_constructors(units, &mut reachable);
    let scope = reachable_names(units, &reachable, known);
    let driver = reachable
        .undefined()
        .iter()
        .any(|(_, name)| dialects::is_input(name));
    ChosenEntry {
        id,
        reachable,
        scope,
        kind: EntryKind::Program { driver },
        harness: String::new(),
        only: false,
    }
}

/// What runs before `main` and behind it: constructors and destructors.
fn add_constructors<'a>(units: &[ParsedUnit<'a>], found: &mut Reachable<'a>) {
    for (number, unit) in units.iter().enumerate() {
        for (name, symbol) in &unit.functions {
            let mut attributes = symbol.declarations.iter().flat_map(|d| &d.inner);
            let is_one = attributes
                .any(|a| matches!(a.kind, AstKind::ConstructorAttr | AstKind::DestructorAttr));
            if is_one && symbol.defined && !symbol.system {
                found.add((number, *name));
            }
        }
    }
}

/// The names of the user's functions that are reachable, in source order.
fn reachable_names(
    units: &[ParsedUnit],
    reachable: &Reachable,
    known: &FunctionNames,
) -> Vec<String> {
    let mut found: Vec<_> = reachable
        .functions()
        .filter_map(|(unit, name)| {
            let symbol = units[unit].functions.get(name).filter(|s| !s.system)?;
            Some((
                unit,
                symbol.node.span().map_or(0, |s| s.0),
                name_of(units, (unit, name), known),
            ))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, _, name)| name).collect()
}

/// What a function is called in objectives.
pub(crate) fn name_of(
    units: &[ParsedUnit],
    (unit, name): SymbolId,
    known: &FunctionNames,
) -> String {
    let symbol = units[unit].functions.get(name);
    let file = symbol.map(|symbol| units[unit].place(symbol.node).file);
    known.of(file.as_deref().unwrap_or(""), name)
}

/// Every function with a body, in source order: those of the given files themselves, not of
/// headers, unless there are no others.
fn every_function<'a>(
    units: &[ParsedUnit<'a>],
    graph: &Rc<SymbolGraph<'a>>,
    known: &FunctionNames,
) -> Result<Vec<ChosenEntry<'a>>, FrontError> {
    let own = |unit: &ParsedUnit, node: &crate::ast::AstNode| {
        *unit.place(node).file == *unit.parsed.path.to_string_lossy()
    };
    let mut found = defined(units, own);
    if found.is_empty() {
        found = defined(units, |_, _| true);
    }
    if found.is_empty() {
        return Err(FrontError::NothingToTest {
            files: files(units),
        });
    }
    let chosen = found.into_iter().map(|id| {
        let reachable = graph.reachable_from(id);
        let scope = vec![name_of(units, id, known)];
        ChosenEntry {
            id,
            reachable,
            scope,
            kind: EntryKind::Function,
            harness: String::new(),
            only: false,
        }
    });
    Ok(chosen.collect())
}

fn defined<'a>(
    units: &[ParsedUnit<'a>],
    keep: impl Fn(&ParsedUnit, &crate::ast::AstNode) -> bool,
) -> Vec<SymbolId<'a>> {
    let mut out = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let mut here: Vec<_> = unit
            .functions
            .iter()
            .filter(|(_, s)| s.defined && !s.system && keep(unit, s.node))
            .map(|(name, s)| (s.node.span().map_or(0, |span| span.0), (index, *name)))
            .collect();
        here.sort_unstable();
        out.extend(here.into_iter().map(|(_, id)| id));
    }
    out
}

fn find<'a>(units: &[ParsedUnit<'a>], name: &str) -> Result<SymbolId<'a>, FrontError> {
    let all = defined(units, |_, _| true);
    let (file, name) = match name.rsplit_once(':') {
        Some((file, name)) => (Some(Path::new(file)), name),
        None => (None, name),
    };
    let wanted = |(index, n): &&SymbolId| {
        *n == name && file.is_none_or(|file| units[*index].parsed.path.ends_with(file))
    };
    let found: Vec<_> = all.iter().filter(wanted).collect();
    match found[..] {
        [] => {}
        [only] => return Ok(*only),
        _ if name == "main" => {
            return Err(FrontError::SeveralPrograms {
                files: names_of(units, &found),
            });
        }
        _ => {
            return Err(FrontError::Ambiguous {
                name: name.to_owned(),
                files: names_of(units, &found),
            });
        }
    }
    let declared = units
        .iter()
        .find_map(|unit| Some((unit, unit.functions.get(name)?)));
    if let Some((unit, symbol)) = declared {
        return Err(FrontError::NoBody {
            name: name.to_owned(),
            place: unit.file_line(symbol.node),
        });
    }
    let known: Vec<String> = all.iter().map(|(_, n)| (*n).to_owned()).collect();
    Err(FrontError::FunctionNotFound {
        name: name.to_owned(),
        files: files(units),
        similar: similar_names(name, &known),
        known,
    })
}

/// The `main` of the program, if it has one.
fn sole_main<'a>(units: &[ParsedUnit<'a>]) -> Result<Option<SymbolId<'a>>, FrontError> {
    match find(units, "main") {
        Ok(id) => Ok(Some(id)),
        Err(error @ FrontError::SeveralPrograms { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The files that define what was found.
fn names_of(units: &[ParsedUnit], found: &[&SymbolId]) -> String {
    let paths = found
        .iter()
        .map(|(index, _)| units[*index].parsed.path.display());
    paths.map(|p| p.to_string()).collect::<Vec<_>>().join(", ")
}

fn files(units: &[ParsedUnit]) -> String {
    let paths: Vec<_> = units
        .iter()
        .map(|u| u.parsed.path.display().to_string())
        .collect();
    paths.join(", ")
}
