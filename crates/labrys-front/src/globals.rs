//! Global variables as inputs and outputs: those that are declared `extern` but defined nowhere,
//! and with `--symbolic-globals` also the defined ones.

use crate::harness::{HarnessCode, HarnessContext, fill_function, state_function};
use crate::program::{ParsedUnit, SymbolId, UnitSymbol, resolve};
use crate::reach::Reachable;
use crate::types::{CType, TypeShape, TypeTable};
use std::collections::{BTreeMap, BTreeSet};

/// A global variable that is an input.
pub(crate) struct GlobalInput<'a> {
    pub id: SymbolId<'a>,
    /// The function that fills it.
    pub symbol: String,
    /// Its definition, where nobody else defines it.
    pub definition: Option<String>,
    pub harness: HarnessCode,
    /// It holds what other functions may have left in it, for the functions that do not reach these.
    pub left_by_others: bool,
    undefined: bool,
}

/// Bytes of a variable whose type is declared but never defined.
const OPAQUE_BYTES: u64 = 64;

fn unsigned_char() -> CType {
    CType::from(TypeShape::Int {
        name: "unsigned char",
        bits: 8,
        signed: false,
    })
}

/// A structure that is declared and never defined.
fn is_incomplete(types: &TypeTable, ty: &CType) -> bool {
    matches!(&ty.canonical().shape, TypeShape::Record(index) if !types.records[*index].complete)
}

/// Finds the global variables that are inputs and writes the functions that fill them.
pub(crate) fn inputs<'a>(
    units: &[ParsedUnit<'a>],
    context_of: impl Fn(usize) -> HarnessContext<'a>,
) -> Vec<GlobalInput<'a>> {
    let mut out: BTreeMap<String, GlobalInput> = BTreeMap::new();
    for (index, unit) in units.iter().enumerate() {
        for (name, symbol) in &unit.variables {
            if symbol.system || symbol.needs_no_definition() {
                continue;
            }
            let undefined = !symbol.defined;
            let context_of = context_of(index);
            let mut ty = unit.types.of(symbol.node);
            let provided = context_of.options.modelled.contains(*name);
            if undefined && (provided || resolve(units, index, name).is_some()) {
                continue;
            }
            if !undefined && (!context_of.options.symbolic_globals || ty.is_const()) {
                continue;
            }
            let key = if symbol.is_static {
                format!("{name}_{index}")
            } else {
                (*name).to_owned()
            };
            if out.contains_key(&key) {
                continue;
            }
            let mut definition = None;
            let mut place = (*name).to_owned();
            let mut guessed = false;
            if undefined {
                if let TypeShape::Array(element, None) = &ty.canonical().shape {
                    let count = Some(u64::from(context_of.options.array_len));
                    ty = TypeShape::Array(element.clone(), count).into();
                    guessed = true;
                }
                if is_incomplete(&unit.types, &ty) {
                    // Its contents are not known, but its address is used.
                    let count = Some(OPAQUE_BYTES);
                    ty = TypeShape::Array(Box::new(unsigned_char()), count).into();
                    guessed = true;
                    place = format!("labrys_global_{name}");
                    let declaration = unit.types.declare(&ty, &place);
                    definition = Some(format!("{declaration} __asm__(\"{name}\");\n"));
                } else if ty.is_const() {
                    // A constant cannot be written: the same symbol under another name can.
                    ty = ty.unqualified();
                    place = format!("labrys_global_{name}");
                    let declaration = unit.types.declare(&ty, &place);
                    definition = Some(format!("{declaration} __asm__(\"{name}\");\n"));
                } else if guessed {
                    definition = Some(format!("{};\n", unit.types.declare(&ty, name)));
                } else {
                    definition = Some(format!("__typeof__({name}) {name};\n"));
                }
            }
            let fill = format!("labrys_fill_{key}");
            let harness = fill_function(context_of, name, &place, &ty, guessed, &fill);
            let id = (index, *name);
            out.insert(
                key,
                GlobalInput {
                    id,
                    symbol: fill,
                    definition,
                    harness,
                    left_by_others: false,
                    undefined,
                },
            );
        }
    }
    out.into_values().collect()
}

/// The functions that make these variables what other functions may have left in them. Nothing is
/// assumed of numbers then; pointers are like those of parameters.
pub(crate) fn states<'a>(
    units: &[ParsedUnit<'a>],
    left: &BTreeSet<SymbolId<'a>>,
    context_of: impl Fn(usize) -> HarnessContext<'a>,
) -> Vec<GlobalInput<'a>> {
    let fill = |id: &SymbolId<'a>| {
        let (unit, name) = *id;
        let ty = units[unit].types.of(units[unit].variables[name].node);
        let symbol = state_symbol(*id);
        GlobalInput {
            id: *id,
            harness: state_function(context_of(unit), name, &ty, &symbol),
            symbol,
            definition: None,
            left_by_others: true,
            undefined: false,
        }
    };
    left.iter().map(fill).collect()
}

/// The function that makes a variable what other functions may have left in it.
pub(crate) fn state_symbol((unit, name): SymbolId) -> String {
    format!("labrys_state_{name}_{unit}")
}

impl GlobalInput<'_> {
    /// Whether what is reachable from a function refers to the variable.
    pub(crate) fn is_used(&self, reachable: &Reachable) -> bool {
        if self.undefined {
            reachable
                .undefined()
                .iter()
                .any(|(_, name)| *name == self.id.1)
        } else {
            reachable.has_variable(self.id)
        }
    }
}

/// The variables of a unit that a function may change and that a test can show.
pub(crate) fn outputs(
    units: &[ParsedUnit],
    index: usize,
    reachable: &Reachable,
) -> Vec<(String, CType)> {
    let unit = &units[index];
    let visible = |name: &str| {
        // What may be missing has no value to show.
        let may_be_shown = |s: &&UnitSymbol| !s.system && !s.needs_no_definition();
        let symbol = unit.variables.get(name).filter(may_be_shown)?;
        let ty = unit.types.of(symbol.node);
        (symbol.top_level && !ty.is_const()).then_some((name.to_owned(), ty))
    };
    let defined = reachable
        .variables()
        .filter(|id| id.0 == index)
        .map(|id| id.1);
    let undefined = reachable
        .undefined()
        .iter()
        .filter(|id| id.0 == index)
        .map(|id| id.1);
    defined.chain(undefined).filter_map(visible).collect()
}
