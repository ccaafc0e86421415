//! The functions and global variables of all translation units, and which of them refers to which.
//! Answers what a name means in a unit; what is reachable from a function: `reach.rs`.

use crate::ast::{AstKind, AstNode};
use crate::clang::ParsedSource;
use crate::consteval::{self, Constants};
use crate::source::SourcePlace;
use crate::types::TypeTable;
use std::collections::{BTreeMap, BTreeSet};

/// A parsed translation unit with its tables.
pub(crate) struct ParsedUnit<'a> {
    pub parsed: &'a ParsedSource,
    pub types: TypeTable,
    pub constants: Constants<'a>,
    /// Functions and global variables by name, the most telling declaration of each.
    pub functions: BTreeMap<&'a str, UnitSymbol<'a>>,
    pub variables: BTreeMap<&'a str, UnitSymbol<'a>>,
}

/// A function or a global variable in one translation unit.
pub(crate) struct UnitSymbol<'a> {
    /// The definition if there is one, else the first declaration.
    pub node: &'a AstNode,
    /// All declarations, in order.
    pub declarations: Vec<&'a AstNode>,
    pub defined: bool,
    pub is_static: bool,
    pub system: bool,
    /// Declared outside of functions.
    pub top_level: bool,
    /// Names of functions and variables in the body or initialiser.
    pub references: BTreeSet<&'a str>,
}

impl UnitSymbol<'_> {
    /// Whether the linker needs no definition of it: it may be missing, and its address is then
    /// NULL, or it is another name of something else.
    pub(crate) fn needs_no_definition(&self) -> bool {
        let mut attributes = self.declarations.iter().flat_map(|d| &d.inner);
        !self.defined
            && attributes.any(|n| matches!(n.kind, AstKind::WeakAttr | AstKind::AliasAttr))
    }
}

/// A function or variable of the program: the number of its unit and its name.
pub(crate) type SymbolId<'a> = (usize, &'a str);

impl<'a> ParsedUnit<'a> {
    pub(crate) fn new(parsed: &'a ParsedSource) -> ParsedUnit<'a> {
        let types = TypeTable::collect(&parsed.root, &parsed.source);
        let constants = consteval::constants(&parsed.root, &types);
        let mut unit = ParsedUnit {
            parsed,
            types,
            constants,
            functions: BTreeMap::new(),
            variables: BTreeMap::new(),
        };
        for node in &parsed.root.inner {
            match node.kind {
                AstKind::FunctionDecl => {
                    let defined = node.body().is_some();
                    add(&mut unit.functions, node, defined, parsed).top_level = true;
                }
                AstKind::VarDecl => {
                    let defined = node.init.is_some() || !node.is_extern();
                    add(&mut unit.variables, node, defined, parsed).top_level = true;
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
                let local = node.kind == AstKind::FunctionDecl
                    || node.kind == AstKind::VarDecl && node.is_extern();
                if local {
                    found.push(node);
                }
            });
        }
        for node in found {
            let map = match node.kind {
                AstKind::FunctionDecl => &mut self.functions,
                _ => &mut self.variables,
            };
            if !map.contains_key(node.name()) {
                add(map, node, false, self.parsed);
            }
        }
        // An undeclared function has no declaration in the tree, only references.
        let mut implicit = BTreeMap::new();
        self.parsed.root.walk(&mut |node| {
            if let (AstKind::DeclRefExpr, Some(target)) = (node.kind, &node.referenced_decl)
                && let (AstKind::FunctionDecl, Some(name)) = (target.kind, target.name.as_deref())
            {
                implicit.entry(name).or_insert(node);
            }
        });
        for (name, node) in implicit {
            if !self.functions.contains_key(name) && !name.starts_with("__builtin_") {
                self.functions.insert(
                    name,
                    UnitSymbol {
                        node,
                        declarations: vec![],
                        defined: false,
                        is_static: false,
                        system: false,
                        top_level: false,
                        references: BTreeSet::new(),
                    },
                );
            }
        }
    }

    pub(crate) fn place(&self, node: &AstNode) -> SourcePlace {
        let offset = node.loc.0.or(node.span()).map_or(0, |(begin, _)| begin);
        self.parsed.source.place(offset)
    }

    /// `file:line` of a node.
    pub(crate) fn file_line(&self, node: &AstNode) -> String {
        let place = self.place(node);
        format!("{}:{}", place.file, place.line)
    }
}

fn add<'m, 'a>(
    map: &'m mut BTreeMap<&'a str, UnitSymbol<'a>>,
    node: &'a AstNode,
    defined: bool,
    parsed: &'a ParsedSource,
) -> &'m mut UnitSymbol<'a> {
    let offset = node.loc.0.map(|(begin, _)| begin);
    let system = offset.is_none_or(|o| parsed.source.place(o).system);
    // An inline function of a system header is a second definition of one in a library.
    let outside = system && node.inline && !node.is_static();
    let defined = defined && !outside;
    let symbol = map.entry(node.name()).or_insert_with(|| UnitSymbol {
        node,
        declarations: Vec::new(),
        defined: false,
        is_static: false,
        system: true,
        top_level: false,
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
    symbol
}

/// The functions and variables that a definition names.
fn references(definition: &AstNode) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    definition.walk(&mut |node| {
        if let (AstKind::DeclRefExpr, Some(target)) = (node.kind, &node.referenced_decl)
            && matches!(target.kind, AstKind::FunctionDecl | AstKind::VarDecl)
        {
            found.extend(target.name.as_deref());
        }
    });
    found
}

/// What functions are called in objectives: static functions of one name in several files are told
/// apart by their files.
#[derive(Debug, Default)]
pub(crate) struct FunctionNames {
    ambiguous: BTreeSet<String>,
}

impl FunctionNames {
    pub(crate) fn new(units: &[ParsedUnit]) -> FunctionNames {
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
        FunctionNames {
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
    units: &[ParsedUnit<'a>],
    from: usize,
    name: &str,
) -> Option<(SymbolId<'a>, bool)> {
    let own = |unit: &ParsedUnit<'a>, outside: bool| {
        let pick = |map: &BTreeMap<&'a str, UnitSymbol<'a>>| {
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
