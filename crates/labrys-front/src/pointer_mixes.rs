//! Which pointers a function compares, subtracts or moves between, and which global variables its
//! pointers could lead to: there the harness lets pointers lead into each other's objects. In comes
//! the syntax tree of everything that the function reaches; it is looked at by type, not by flow.

use crate::ast::{AstKind, AstNode, DeclRef};
use crate::program::ParsedUnit;
use crate::reach::Reachable;
use crate::types::{CType, TypeShape, TypeTable};
use std::collections::{BTreeMap, BTreeSet};

/// At most this many global variables are targets of the pointers of one harness: each is one more
/// choice for every pointer to its type.
const MAX_VARIABLES: usize = 4;

/// Functions for which it matters how the objects of their first two arguments overlap.
const MOVING: [&str; 3] = ["memmove", "__builtin_memmove", "bcopy"];

/// A global variable, or an array, that a pointer may lead to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointableVariable {
    /// What C calls it.
    pub name: String,
    /// The type of its elements as pointers name it, and how many there are.
    pub target: String,
    pub element: CType,
    pub count: u64,
    pub array: bool,
}

/// What the pointers of a function have to do with each other.
#[derive(Debug, Default)]
pub(crate) struct PointerMixes {
    /// The types to which pointers are compared, subtracted or moved between.
    pub compared: BTreeSet<String>,
    /// Those of them where the order or the distance is asked for, which only pointers into one
    /// object have.
    pub ordered: BTreeSet<String>,
    /// Variables of these types, and of types that are written through pointers.
    pub variables: Vec<PointableVariable>,
    /// The types that pointers to a type are converted to.
    casts: BTreeSet<(String, String)>,
    /// The types that a `void *` of this name is converted to.
    untyped: BTreeSet<(String, String)>,
}

impl PointerMixes {
    /// The types that a pointer to `target` is converted to, which is or belongs to a variable or
    /// member with this name.
    pub(crate) fn conversions(&self, target: &str, name: &str) -> Vec<&str> {
        let (from, conversions) = match target {
            "void" => (name, &self.untyped),
            _ => (target, &self.casts),
        };
        let matching = conversions.iter().filter(|(known, _)| known == from);
        matching.map(|(_, to)| to.as_str()).collect()
    }
}

/// What the functions of a program do with pointers. Each is looked at once, however many of the
/// tested functions reach it.
pub(crate) struct PointerUses<'a> {
    units: &'a [ParsedUnit<'a>],
    /// What is done anywhere, each once: thousands of functions do the same with the same types.
    uses: Vec<PointerUse>,
    /// By the number of the function: places in `uses`.
    of_functions: Vec<Vec<usize>>,
    /// By unit: the variables whose addresses are taken.
    exposed: Vec<BTreeSet<&'a str>>,
}

impl<'a> PointerUses<'a> {
    pub(crate) fn of(units: &'a [ParsedUnit<'a>]) -> Self {
        let functions =
            (units.iter()).flat_map(|unit| unit.functions.values().map(move |s| (unit, s)));
        let mut numbers: BTreeMap<PointerUse, usize> = BTreeMap::new();
        let of_functions: Vec<Vec<usize>> = functions
            .map(|(unit, symbol)| {
                let mut found = FoundUses::default();
                symbol.node.walk(&mut |node| found.node(node, &unit.types));
                let mut number = |used| {
                    let next = numbers.len();
                    *numbers.entry(used).or_insert(next)
                };
                found.into_uses().map(&mut number).collect()
            })
            .collect();
        let mut uses: Vec<(usize, PointerUse)> = numbers.into_iter().map(|(u, n)| (n, u)).collect();
        uses.sort_unstable();
        let exposed = units.iter().map(|unit| {
            let mut exposed = BTreeSet::new();
            each_exposed(&unit.parsed.root, &mut |target| {
                if target.kind == AstKind::VarDecl {
                    exposed.extend(target.name.as_deref());
                }
            });
            exposed
        });
        PointerUses {
            units,
            uses: uses.into_iter().map(|(_, used)| used).collect(),
            of_functions,
            exposed: exposed.collect(),
        }
    }

    /// What a function, tested from unit `index`, does with pointers.
    pub(crate) fn mixes(&self, index: usize, reachable: &Reachable) -> PointerMixes {
        let mut used = vec![false; self.uses.len()];
        for number in reachable.function_numbers() {
            for place in &self.of_functions[number] {
                used[*place] = true;
            }
        }
        let mut found = FoundUses::default();
        for (what, _) in self.uses.iter().zip(used).filter(|(_, used)| *used) {
            found.add(what);
        }
        found.follow_casts();
        let variables = self.pointable_variables(index, reachable, &found);
        PointerMixes {
            compared: found.compared,
            ordered: found.ordered,
            variables,
            casts: found.casts,
            untyped: found.untyped,
        }
    }
}

/// One thing that is done with pointers to a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PointerUse {
    Compared(String),
    Ordered(String),
    /// Objects of the type are written through pointers.
    Written(String),
    /// Pointers of the one type become pointers of the other.
    Cast(String, String),
    /// A `void *` of this name becomes a pointer to this type.
    Untyped(String, String),
}

/// All that is done with pointers, by kind.
#[derive(Default)]
struct FoundUses {
    compared: BTreeSet<String>,
    ordered: BTreeSet<String>,
    written: BTreeSet<String>,
    casts: BTreeSet<(String, String)>,
    untyped: BTreeSet<(String, String)>,
}

impl FoundUses {
    fn add(&mut self, used: &PointerUse) {
        match used.clone() {
            PointerUse::Compared(ty) => drop(self.compared.insert(ty)),
            PointerUse::Ordered(ty) => drop(self.ordered.insert(ty)),
            PointerUse::Written(ty) => drop(self.written.insert(ty)),
            PointerUse::Cast(from, to) => drop(self.casts.insert((from, to))),
            PointerUse::Untyped(name, to) => drop(self.untyped.insert((name, to))),
        }
    }

    fn into_uses(self) -> impl Iterator<Item = PointerUse> {
        let compared = self.compared.into_iter().map(PointerUse::Compared);
        let ordered = self.ordered.into_iter().map(PointerUse::Ordered);
        let written = self.written.into_iter().map(PointerUse::Written);
        let casts = self.casts.into_iter();
        let casts = casts.map(|(from, to)| PointerUse::Cast(from, to));
        let untyped = self.untyped.into_iter();
        let untyped = untyped.map(|(name, to)| PointerUse::Untyped(name, to));
        compared
            .chain(ordered)
            .chain(written)
            .chain(casts)
            .chain(untyped)
    }

    fn node(&mut self, node: &AstNode, types: &TypeTable) {
        match (node.kind, node.opcode()) {
            (AstKind::BinaryOperator, "==" | "!=") => {
                self.pair(node.child(0), node.child(1), false, types);
            }
            (AstKind::BinaryOperator, "<" | ">" | "<=" | ">=" | "-") => {
                self.pair(node.child(0), node.child(1), true, types);
            }
            (AstKind::BinaryOperator, "=") | (AstKind::CompoundAssignOperator, _) => {
                self.write(node, types);
            }
            (AstKind::UnaryOperator, "++" | "--") => self.write(node, types),
            (AstKind::CallExpr, _) if node.callee().is_some_and(|f| MOVING.contains(&f)) => {
                self.pair(node.child(1), node.child(2), false, types);
            }
            (AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr, _) => self.cast(node, types),
            _ => {}
        }
    }

    /// Two expressions that are compared: pointers, or pointers as numbers.
    fn pair(&mut self, a: Option<&AstNode>, b: Option<&AstNode>, ordered: bool, types: &TypeTable) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (targets(a, types), targets(b, types));
        if !a.is_empty() && !b.is_empty() {
            let both = a.into_iter().chain(b);
            for target in both {
                if ordered {
                    self.ordered.insert(target.clone());
                }
                self.compared.insert(target);
            }
        }
    }

    fn write(&mut self, node: &AstNode, types: &TypeTable) {
        let Some(place) = node.child(0).map(AstNode::skip_implicit) else {
            return;
        };
        let through = match place.kind {
            AstKind::UnaryOperator => place.opcode() == "*",
            AstKind::ArraySubscriptExpr => true,
            _ => false,
        };
        if through {
            self.written.insert(key(types, &types.of(place)));
        }
    }

    fn cast(&mut self, node: &AstNode, types: &TypeTable) {
        let Some(operand) = node.child(0) else {
            return;
        };
        let (from, to) = (types.of(operand), types.of(node));
        if let (Some(from), Some(to)) = (from.pointee(), to.pointee()) {
            let (from, to) = (key(types, from), key(types, to));
            if from == "void"
                && let Some(name) = place_name(operand)
            {
                self.untyped.insert((name.to_owned(), to.clone()));
            }
            if from != to {
                self.casts.insert((from, to));
            }
        }
    }

    /// What is compared as `char *` may have come as `void *`.
    fn follow_casts(&mut self) {
        for found in [&mut self.compared, &mut self.ordered] {
            loop {
                let before = found.len();
                for (from, to) in &self.casts {
                    if found.contains(to) {
                        found.insert(from.clone());
                    }
                }
                if found.len() == before {
                    break;
                }
            }
        }
    }
}

/// The types of the objects that an expression points to, through its casts; empty if it is no
/// pointer, or a null pointer.
fn targets(expression: &AstNode, types: &TypeTable) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut node = expression;
    loop {
        if node.cast_kind() == "NullToPointer" {
            return BTreeSet::new();
        }
        let ty = types.of(node);
        match &ty.canonical().shape {
            TypeShape::Pointer(target) if target.function().is_none() => {
                found.insert(key(types, target));
            }
            TypeShape::Array(element, _) => {
                found.insert(key(types, element));
            }
            _ => {}
        }
        let passes = matches!(
            node.kind,
            AstKind::ParenExpr | AstKind::ImplicitCastExpr | AstKind::CStyleCastExpr
        );
        match node.child(0) {
            Some(inner) if passes && node.cast_kind() != "LValueToRValue" => node = inner,
            _ => return found,
        }
    }
}

/// The name of the variable or member whose value an expression is, or one of whose elements.
fn place_name(expression: &AstNode) -> Option<&str> {
    let mut node = expression.skip_implicit();
    while node.kind == AstKind::ArraySubscriptExpr {
        node = node.child(0)?.skip_implicit();
    }
    match node.kind {
        AstKind::DeclRefExpr => node.referenced_decl.as_ref()?.name.as_deref(),
        AstKind::MemberExpr => node.name.as_deref(),
        _ => None,
    }
}

fn key(types: &TypeTable, target: &CType) -> String {
    types.spell(&target.canonical().unqualified())
}

impl PointerUses<'_> {
    /// The variables that the unit can name, that are reachable and that pointers of these types may
    /// lead to.
    fn pointable_variables(
        &self,
        index: usize,
        reachable: &Reachable,
        found: &FoundUses,
    ) -> Vec<PointableVariable> {
        let (unit, exposed) = (&self.units[index], &self.exposed[index]);
        let ids = reachable.variables().filter(|id| id.0 == index);
        let variables = ids.filter_map(|(_, name)| {
            let symbol = unit.variables.get(name)?;
            let ty = unit.types.of(symbol.node);
            let hidden = symbol.is_static && !exposed.contains(name);
            if !symbol.top_level || symbol.system || ty.is_const() || hidden {
                return None;
            }
            let (element, count, array) = match &ty.canonical().shape {
                TypeShape::Array(element, Some(count)) => ((**element).clone(), *count, true),
                TypeShape::Array(_, None) => return None,
                _ => (ty.clone(), 1, false),
            };
            let target = key(&unit.types, &element);
            let wanted = found.compared.contains(&target) || found.written.contains(&target);
            (wanted && !element.is_const()).then_some(PointableVariable {
                name: (*name).to_owned(),
                target,
                element,
                count,
                array,
            })
        });
        variables.take(MAX_VARIABLES).collect()
    }
}

/// Finds the variables whose addresses are taken, other than to look at an element or a member.
pub(crate) fn each_exposed<'a>(node: &'a AstNode, found: &mut impl FnMut(&'a DeclRef)) {
    exposed_below(node, false, found);
}

/// `indexed` says that the node is the array of a subscript.
fn exposed_below<'a>(node: &'a AstNode, indexed: bool, found: &mut impl FnMut(&'a DeclRef)) {
    let takes = match node.kind {
        AstKind::UnaryOperator => node.opcode() == "&",
        AstKind::ImplicitCastExpr => node.cast_kind() == "ArrayToPointerDecay" && !indexed,
        _ => false,
    };
    if takes && let Some(variable) = node.child(0).and_then(named_variable) {
        found(variable);
    }
    for (number, child) in node.inner.iter().enumerate() {
        let array = number == 0 && node.kind == AstKind::ArraySubscriptExpr;
        exposed_below(child, array, found);
    }
}

/// The variable that an expression names, or whose member or element it names; none for what a
/// pointer leads to: `&p->x` does not take the address of `p`.
fn named_variable(expression: &AstNode) -> Option<&DeclRef> {
    let mut node = expression;
    loop {
        node = match node.kind {
            AstKind::ImplicitCastExpr if node.cast_kind() == "LValueToRValue" => return None,
            AstKind::ParenExpr
            | AstKind::ImplicitCastExpr
            | AstKind::ConstantExpr
            | AstKind::MemberExpr
            | AstKind::ArraySubscriptExpr => node.child(0)?,
            _ => return node.referenced_decl.as_ref(),
        }
    }
}
