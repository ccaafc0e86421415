//! Makes the entry points of a program: writes the harness of each chosen function and describes
//! its inputs and outputs.

use crate::ast::{AstKind, AstNode};
use crate::dialects;
use crate::entries::{ChosenEntry, EntryKind};
use crate::globals::{self, GlobalInput};
use crate::harness::{
    FunctionHarness, HarnessCode, HarnessContext, MainSignature, Parameter, function_harness,
    main_harness, program_harness, reads_input,
};
use crate::lexer;
use crate::parameters::parameters;
use crate::pointer_mixes::PointerUses;
use crate::program::{ParsedUnit, SymbolId};
use crate::state::ProgramState;
use crate::types::CType;
use crate::{EntryPoint, FrontOptions};
use labrys_ledger::World;
use std::collections::BTreeMap;

/// Writes the harness of a chosen function.
pub(crate) fn harness_for<'a>(
    units: &[ParsedUnit<'a>],
    entry: &ChosenEntry<'a>,
    context: HarnessContext,
    globals: &[GlobalInput],
    uses: &PointerUses,
    state: &ProgramState<'_, 'a>,
    notes: &mut Vec<String>,
) -> HarnessCode {
    let unit = &units[entry.id.0];
    let name = entry.id.1;
    let symbol = &unit.functions[name];
    let ty = unit.types.of(symbol.node);
    let result = ty.function().map_or(CType::INT, |f| f.result.clone());
    let used = (globals.iter()).filter(|g| !g.left_by_others && g.is_used(&entry.reachable));
    let mut fills: Vec<String> = used.map(|g| g.symbol.clone()).collect();
    if context.options.symbolic_clock {
        fills.insert(0, "labrys_symbolic_clock".to_owned());
    }
    let parameters = parameters(unit, symbol.node);
    let mut harness = match entry.kind {
        EntryKind::Program { .. } => match world_of(units, entry, context.options) {
            None => main_harness(context, &result, parameters.len(), &fills),
            Some(world) => {
                let main = MainSignature {
                    result: &result,
                    parameters: parameters.len(),
                    uses_arguments: names_parameter(symbol.node, &parameters),
                    fills: &fills,
                };
                program_harness(context, &main, &world)
            }
        },
        EntryKind::Function => {
            let variadic = ty.function().is_some_and(|f| f.variadic);
            if variadic {
                notes.push(format!("{name}: called without variable arguments"));
            }
            let assumes = assumes_for(&parameters, unit, context, entry.only);
            let plan = state.plan(entry, context.options.calls);
            let left = state.left_by_others(entry, context.options.calls);
            fills.extend(left.into_iter().map(globals::state_symbol));
            let undefined = entry.reachable.undefined();
            let mixes = uses.mixes(entry.id.0, &entry.reachable);
            function_harness(
                HarnessContext {
                    mixes: Some(&mixes),
                    ..context
                },
                &FunctionHarness {
                    function: name,
                    symbol: if name == "main" { "labrys_main" } else { name },
                    harness: &entry.harness,
                    result: &result,
                    parameters: &parameters,
                    fills: &fills,
                    reads: undefined.iter().any(|(_, name)| reads_input(name)),
                    globals: &globals::outputs(units, entry.id.0, &entry.reachable),
                    assumes: &assumes,
                    main: name == "main",
                    variadic,
                    calls: plan.calls,
                    earlier: &plan.earlier,
                },
            )
        }
    };
    notes.append(&mut harness.notes);
    harness
}

/// The surroundings of a whole program. A driver that asks for its inputs itself has none, unless
/// the user says so.
fn world_of(units: &[ParsedUnit], entry: &ChosenEntry, options: &FrontOptions) -> Option<World> {
    let mut world = match (&options.world, entry.kind) {
        (_, EntryKind::Function) | (None, EntryKind::Program { driver: true }) => return None,
        (world, EntryKind::Program { .. }) => world.clone().unwrap_or_default(),
    };
    world.program.get_or_insert_with(|| {
        let stem = units[entry.id.0].parsed.path.file_stem();
        stem.map_or("program".into(), |s| s.to_string_lossy().into_owned())
    });
    Some(world)
}

/// Whether the body of a function names one of its parameters.
fn names_parameter(function: &AstNode, parameters: &[Parameter]) -> bool {
    let mut found = false;
    function.walk(&mut |node| {
        if let (AstKind::DeclRefExpr, Some(target)) = (node.kind, &node.referenced_decl)
            && target.kind == AstKind::ParmVarDecl
        {
            let name = target.name.as_deref().unwrap_or_default();
            found |= parameters.iter().any(|p| p.name == name);
        }
    });
    found
}

/// The preconditions that speak of this function: all of them if it is the only one tested,
/// otherwise those whose names it knows.
fn assumes_for(
    parameters: &[Parameter],
    unit: &ParsedUnit,
    context: HarnessContext,
    only: bool,
) -> Vec<String> {
    let assume = &context.options.assume;
    if only {
        return assume.clone();
    }
    let known = |word: &str| {
        !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            || parameters.iter().any(|p| p.name == word)
            || unit.variables.contains_key(word)
            || unit.functions.contains_key(word)
            || unit.types.is_known_name(word)
            || matches!(
                word,
                "sizeof" | "int" | "unsigned" | "long" | "char" | "short" | "signed"
            )
    };
    assume
        .iter()
        .filter(|text| {
            let mut previous = "";
            lexer::tokens(text).iter().all(|token| {
                let member = matches!(previous, "." | "->" | "struct" | "union" | "enum");
                previous = token.text;
                member || known(token.text)
            })
        })
        .cloned()
        .collect()
}

/// The functions that ask for inputs themselves, by names and types that their text tells.
pub(crate) fn drivers<'a>(units: &[ParsedUnit<'a>]) -> Vec<SymbolId<'a>> {
    let mut drivers = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        for (name, symbol) in &unit.functions {
            let mut inputs = BTreeMap::new();
            dialects::inputs_of(symbol.node, &unit.types, &mut inputs);
            if !inputs.is_empty() {
                drivers.push((index, *name));
            }
        }
    }
    drivers
}

/// Describes a chosen function that has no harness.
pub(crate) fn left_out(units: &[ParsedUnit], entry: &ChosenEntry) -> EntryPoint {
    EntryPoint {
        function: entry.id.1.to_owned(),
        file: units[entry.id.0].parsed.path.clone(),
        harness: entry.harness.clone(),
        scope: entry.scope.clone(),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
        harness_text: String::new(),
        world: None,
        generated: true,
    }
}

/// Describes a chosen function with its finished harness.
pub(crate) fn entry_point(
    units: &[ParsedUnit],
    entry: &ChosenEntry,
    harness: HarnessCode,
    globals: &[GlobalInput],
    stub_inputs: &BTreeMap<String, labrys_ledger::InputType>,
    drivers: &[SymbolId],
    options: &FrontOptions,
) -> EntryPoint {
    let mut inputs = harness.inputs;
    inputs.extend(stub_inputs.iter().map(|(k, v)| (k.clone(), v.clone())));
    for global in globals.iter().filter(|g| g.is_used(&entry.reachable)) {
        inputs.extend(
            global
                .harness
                .inputs
                .iter()
                .map(|(k, v)| (k.clone(), v.clone())),
        );
    }
    for (unit, name) in drivers
        .iter()
        .filter(|id| entry.reachable.has_function(**id))
    {
        if let Some(symbol) = units[*unit].functions.get(name) {
            dialects::inputs_of(symbol.node, &units[*unit].types, &mut inputs);
        }
    }
    let text = harness
        .text
        .lines()
        .filter(|l| !l.starts_with("#line"))
        .map(|l| format!("{l}\n"));
    EntryPoint {
        function: entry.id.1.to_owned(),
        file: units[entry.id.0].parsed.path.clone(),
        harness: entry.harness.clone(),
        scope: entry.scope.clone(),
        inputs,
        outputs: harness.outputs,
        harness_text: text.collect(),
        world: world_of(units, entry, options),
        generated: entry.kind != EntryKind::Program { driver: true },
    }
}
