//! The functions and global variables of all translation units, and who refers to whom.

use crate::ast::{Kind, Node};
use crate::clang::Parsed;
use crate::consteval::{self, Constants};
use crate::source::Place;
use crate::types::Types;
use std::collections::{BTreeMap, BTreeSet};

/// A parsed translation unit with its tables.
pub(crate) struct Unit<'a> {
    pub parsed: &'a Parsed,
    pub types: Types,
    pub constants: Constants<'a>,
    /// Functions and global variables by name, the most telling declaration of each.
    pub functions: BTreeMap<&'a str, Symbol<'a>>,
    pub variables: BTreeMap<&'a str, Symbol<'a>>,
}

/// A function or a global variable in one translation unit.
pub(crate) struct Symbol<'a> {
    /// The definition if there is one, else the first declaration.
    pub node: &'a Node,
    /// All declarations, in order.
    pub declarations: Vec<&'a Node>,
    pub defined: bool,
    pub is_static: bool,
    pub system: bool,
    /// Names of functions and variables in the body or initialiser.
    pub references: BTreeSet<&'a str>,
}

impl Symbol<'_> {
    /// Whether the linker needs no definition of it: it may be missing, and its address is then
    /// NULL, or it is another name of something else.
    pub(crate) fn needs_no_definition(&self) -> bool {
        let mut attributes = self.declarations.iter().flat_map(|d| &d.inner);
        !self.defined && attributes.any(|n| matches!(n.kind, Kind::WeakAttr | Kind::AliasAttr))
    }
}

/// A function or variable of the program: the number of its unit and its name.
pub(crate) type SymbolId<'a> = (usize, &'a str);

impl<'a> Unit<'a> {
    pub(crate) fn new(parsed: &'a Parsed) -> Unit<'a> {
        let types = Types::collect(&parsed.root, &parsed.source);
        let constants = consteval::constants(&parsed.root, &types);
        let mut unit = Unit {
            parsed,
            types,
            constants,
            functions: BTreeMap::new(),
            variables: BTreeMap::new(),
        };
        for node in &parsed.root.inner {
            match node.kind {
                Kind::FunctionDecl => {
                    let defined = node.body().is_some();
                    add(&mut unit.functions, node, defined, parsed);
                }
                Kind::VarDecl => {
                    let defined = node.init.is_some() || !node.is_extern();
                    add(&mut unit.variables, node, defined, parsed);
                }
                _ => {}
            }
        }
        unit.add_local_externs();
        unit
    }

    /// Functions and variables that are only declared inside a function, or not at all.
    fn add_local_externs(&mut self) {
        let mut found = Vec::new();
        for function in &self.parsed.root.inner {
            function.walk(&mut |node| {
                let local = node.kind == Kind::FunctionDecl
                    || node.kind == Kind::VarDecl && node.is_extern();
                if local {
                    found.push(node);
                }
            });
        }
        for node in found {
            let map = match node.kind {
                Kind::FunctionDecl => &mut self.functions,
                _ => &mut self.variables,
            };
            if !map.contains_key(node.name()) {
                add(map, node, false, self.parsed);
            }
        }
        // An undeclared function has no declaration in the tree, only references.
        let mut implicit = BTreeMap::new();
        self.parsed.root.walk(&mut |node| {
            if let (Kind::DeclRefExpr, Some(target)) = (node.kind, &node.referenced_decl)
                && let (Kind::FunctionDecl, Some(name)) = (target.kind, target.name.as_deref())
            {
                implicit.entry(name).or_insert(node);
            }
        });
        for (name, node) in implicit {
            if !self.functions.contains_key(name) && !name.starts_with("__builtin_") {
                self.functions.insert(
                    name,
                    Symbol {
                        node,
                        declarations: vec![],
                        defined: false,
                        is_static: false,
                        system: false,
                        references: BTreeSet::new(),
                    },
                );
            }
        }
    }

    pub(crate) fn place(&self, node: &Node) -> Place {
        let offset = node.loc.0.or(node.span()).map_or(0, |(begin, _)| begin);
        self.parsed.source.place(offset)
    }

    /// `file:line` of a node.
    pub(crate) fn file_line(&self, node: &Node) -> String {
        let place = self.place(node);
        format!("{}:{}", place.file, place.line)
    }
}

fn add<'a>(
    map: &mut BTreeMap<&'a str, Symbol<'a>>,
    node: &'a Node,
    defined: bool,
    parsed: &'a Parsed,
) {
    let offset = node.loc.0.map(|(begin, _)| begin);
    let system = offset.is_none_or(|o| parsed.source.place(o).system);
    // An inline function of a system header is a second definition of one in a library.
    let outside = system && node.inline && !node.is_static();
    let defined = defined && !outside;
    let symbol = map.entry(node.name()).or_insert_with(|| Symbol {
        node,
        declarations: Vec::new(),
        defined: false,
        is_static: false,
        system: true,
        references: BTreeSet::new(),
    });
    symbol.declarations.push(node);
    symbol.is_static |= node.is_static();
    symbol.system &= system;
    if defined && (!symbol.defined || node.init.is_some()) {
        symbol.defined = true;
        symbol.node = node;
        symbol.references = references(node);
    }
}

/// The functions and variables that a definition names.
fn references(definition: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    definition.walk(&mut |node| {
        if let (Kind::DeclRefExpr, Some(target)) = (node.kind, &node.referenced_decl)
            && matches!(target.kind, Kind::FunctionDecl | Kind::VarDecl)
        {
            found.extend(target.name.as_deref());
        }
    });
    found
}

/// What functions are called in objectives: static functions of one name in several files are told
/// apart by their files.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ambiguous: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new(units: &[Unit]) -> Names {
        let mut places: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for unit in units {
            for (name, symbol) in unit
                .functions
                .iter()
                .filter(|(_, s)| s.defined && !s.system)
            {
                let place = unit.file_line(symbol.node);
                places.entry(name).or_default().insert(place);
            }
        }
        let several = places.into_iter().filter(|(_, places)| places.len() > 1);
        Names {
            ambiguous: several.map(|(name, _)| name.to_owned()).collect(),
        }
    }

    /// The name of a function that stands in a file.
    pub(crate) fn of(&self, file: &str, name: &str) -> String {
        match self.ambiguous.contains(name) {
            true => format!("{file}:{name}"),
            false => name.to_owned(),
        }
    }
}

/// The unit that defines what `name` means in unit `from`.
pub(crate) fn resolve<'a>(
    units: &[Unit<'a>],
    from: usize,
    name: &str,
) -> Option<(SymbolId<'a>, bool)> {
    let own = |unit: &Unit<'a>, outside: bool| {
        let pick = |map: &BTreeMap<&'a str, Symbol<'a>>| {
            let (name, symbol) = map.get_key_value(name)?;
            (symbol.defined && !(outside && symbol.is_static)).then_some(*name)
        };
        match pick(&unit.functions) {
            Some(name) => Some((name, true)),
            None => pick(&unit.variables).map(|name| (name, false)),
        }
    };
    if let Some((name, function)) = own(&units[from], false) {
        return Some(((from, name), function));
    }
    units
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != from)
        .find_map(|(index, unit)| own(unit, true).map(|(name, function)| ((index, name), function)))
}

/// What can be reached from a function by calls and references, itself included. Names that no
/// unit defines are listed with the unit that refers to them.
pub(crate) fn reachable<'a>(units: &[Unit<'a>], start: SymbolId<'a>) -> Reachable<'a> {
    let mut out = Reachable::default();
    let mut queue = vec![(start, true)];
    while let Some((id, function)) = queue.pop() {
        let set = if function {
            &mut out.functions
        } else {
            &mut out.variables
        };
        if !set.insert(id) {
            continue;
        }
        let unit = &units[id.0];
        let map = if function {
            &unit.functions
        } else {
            &unit.variables
        };
        let Some(symbol) = map.get(id.1) else {
            continue;
        };
        for name in &symbol.references {
            match resolve(units, id.0, name) {
                Some(next) => queue.push(next),
                None => {
                    out.undefined.insert((id.0, *name));
                }
            }
        }
    }
    out
}

/// The outcome of [`reachable`].
#[derive(Debug, Default)]
pub(crate) struct Reachable<'a> {
    pub functions: BTreeSet<SymbolId<'a>>,
    pub variables: BTreeSet<SymbolId<'a>>,
    pub undefined: BTreeSet<SymbolId<'a>>,
}
