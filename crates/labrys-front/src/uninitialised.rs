//! `--uninitialised any`: variables that may be read before they are written become inputs, and so
//! does memory that `malloc` returns.
//!
//! The text of the program is changed, so that native runs read the same values: `int x;` becomes
//! `int x = labrys_int("x");`, an array or a structure is filled behind its declaration, and calls
//! of `malloc` go to a function that fills what it returns. Pointers stay as they are: there is no
//! object that an arbitrary one could point to.

use crate::ast::{AstKind, AstNode};
use crate::edits::TextEdits;
use crate::harness::int_getter;
use crate::program::ParsedUnit;
use crate::types::{CType, TypeShape, TypeTable};

/// The function that takes the place of `malloc`.
const FILLED_MALLOC: &str = "labrys_filled_malloc";

/// Its definition, for the beginning of a unit that calls `malloc`.
const DEFINITION: &str = "extern void *malloc(unsigned long);\n\
    static void *labrys_filled_malloc(unsigned long size) {\n\
    \x20 void *memory = malloc(size);\n\
    \x20 if (memory)\n\
    \x20   labrys_symbolic(memory, size, \"malloc\");\n\
    \x20 return memory;\n\
    }\n";

/// Changes the functions of a unit; returns what has to stand before its text.
pub(crate) fn make_inputs(unit: &ParsedUnit, edits: &mut TextEdits) -> &'static str {
    let own_malloc = unit.functions.get("malloc").is_some_and(|f| f.defined);
    let mut fills_memory = false;
    let root = unit.parsed.root.inner.iter();
    for function in root.filter(|node| node.kind == AstKind::FunctionDecl) {
        let (Some(body), Some((offset, _))) = (function.body(), function.loc.0) else {
            continue;
        };
        if unit.parsed.source.place(offset).system {
            continue;
        }
        let mut locals = UninitialisedLocals {
            unit,
            edits,
            may_jump: false,
        };
        body.walk(&mut |node| {
            locals.may_jump |= matches!(node.kind, AstKind::GotoStmt | AstKind::IndirectGotoStmt);
        });
        body.walk(&mut |node| locals.look_at(node));
        if !own_malloc {
            body.walk(&mut |node| fills_memory |= fill_memory(node, edits));
        }
    }
    match fills_memory {
        true => DEFINITION,
        false => "",
    }
}

/// Lets a call of `malloc` fill the memory; true if it is one.
fn fill_memory(node: &AstNode, edits: &mut TextEdits) -> bool {
    let callee = node.child(0).map(AstNode::skip_implicit_casts);
    let is_malloc = node.kind == AstKind::CallExpr && node.callee() == Some("malloc");
    match callee.and_then(AstNode::span).filter(|_| is_malloc) {
        Some((begin, end)) => {
            edits.replace(begin, end, FILLED_MALLOC);
            true
        }
        None => false,
    }
}

struct UninitialisedLocals<'a> {
    unit: &'a ParsedUnit<'a>,
    edits: &'a mut TextEdits,
    /// The function has a `goto`, which may leave out an assignment.
    may_jump: bool,
}

impl UninitialisedLocals<'_> {
    /// Looks at the declarations that stand directly in a block.
    fn look_at(&mut self, node: &AstNode) {
        if node.kind != AstKind::CompoundStmt {
            return;
        }
        for (i, statement) in node.inner.iter().enumerate() {
            if statement.kind != AstKind::DeclStmt {
                continue;
            }
            for variable in &statement.inner {
                let is_plain = variable.kind == AstKind::VarDecl
                    && variable.init.is_none()
                    && !variable.is_static()
                    && !variable.is_extern();
                if is_plain && self.may_be_read_first(variable.id, &node.inner[i + 1..]) {
                    self.make_input(variable, statement);
                }
            }
        }
    }

    /// May the variable be read before the statements behind its declaration have written it?
    fn may_be_read_first(&self, id: u64, behind: &[AstNode]) -> bool {
        match behind.iter().find(|statement| mentions(statement, id)) {
            None => false,
            Some(first) => self.may_jump || !writes(first, id),
        }
    }

    fn make_input(&mut self, variable: &AstNode, statement: &AstNode) {
        let types = &self.unit.types;
        let ty = types.of(variable);
        let (Some((_, end)), Some((_, behind))) = (variable.span(), statement.span()) else {
            return;
        };
        if ty.is_const() || types.has_pointers(&ty) {
            return;
        }
        let name = variable.name();
        let rest = self.unit.parsed.source.slice((end, behind));
        let ends_there = rest.trim_start().starts_with([',', ';']);
        match getter(types, &ty).filter(|_| ends_there) {
            Some(getter) => self
                .edits
                .after(end, format!(" = labrys_{getter}(\"{name}\")")),
            None => self.edits.after(
                behind,
                format!(" labrys_symbolic((void *)&{name}, sizeof {name}, \"{name}\");"),
            ),
        }
    }
}

/// Does a statement write the whole variable before it reads it?
fn writes(statement: &AstNode, id: u64) -> bool {
    let node = statement.skip_implicit();
    match node.kind {
        AstKind::BinaryOperator if node.opcode() == "=" => match node.inner.as_slice() {
            [left, right] => is_variable(left, id) && !mentions(right, id) || writes(right, id),
            _ => false,
        },
        AstKind::ForStmt => node.child(0).is_some_and(|init| writes(init, id)),
        // A call that gets the address is for filling it.
        AstKind::CallExpr => node.inner.iter().skip(1).any(|argument| {
            let argument = argument.skip_implicit();
            let is_address = argument.kind == AstKind::UnaryOperator && argument.opcode() == "&";
            match is_address {
                true => argument.child(0).is_some_and(|of| is_variable(of, id)),
                false => is_variable(argument, id) && argument.type_text().ends_with(']'),
            }
        }),
        _ => false,
    }
}

fn is_variable(node: &AstNode, id: u64) -> bool {
    let node = node.skip_implicit();
    node.kind == AstKind::DeclRefExpr && node.referenced_decl.as_ref().is_some_and(|d| d.id == id)
}

fn mentions(node: &AstNode, id: u64) -> bool {
    let mut found = false;
    node.walk(&mut |node| found |= node.referenced_decl.as_ref().is_some_and(|d| d.id == id));
    found
}

/// The input function that returns a value of the type.
fn getter(types: &TypeTable, ty: &CType) -> Option<&'static str> {
    match ty.canonical().shape {
        TypeShape::Int { name, .. } => int_getter(name),
        TypeShape::Float { name: "float", .. } => Some("float"),
        TypeShape::Float { name: "double", .. } => Some("double"),
        TypeShape::Enum(index) => match types.enums[index].underlying.canonical().shape {
            TypeShape::Int { name, .. } => int_getter(name),
            _ => None,
        },
        _ => None,
    }
}
