//! Operands that C may evaluate in any order: `f(a(), b())` calls `a` first or `b`, and compilers
//! differ. The engine runs the order of clang, so where the order matters, a run rests on it.
//!
//! In come the parsed units, out come marks in their texts: the first name in each such operand is
//! enclosed by an expression that notes the assumption and gives the same object or function. Only
//! clang sees the mark; other compilers get the operand as it was.
//!
//! Inputs that are asked for in any order matter to nobody as long as each is found again: they get names.

mod effects;
mod functions;
mod operands;

use crate::ast::{AstKind, AstNode};
use crate::dialects::usual_input_name;
use crate::edits::TextEdits;
use crate::program::ParsedUnit;
use functions::CalledFunctions;
use labrys_ledger::protocol::ANY_ORDER;
use operands::OperandWalk;
use std::collections::BTreeSet;

/// What marks call in the annotated text; [`definition`] says what it is.
const MARK: &str = "LABRYS_ANY_ORDER";

/// The definition of the mark, for the beginning of annotated text.
pub(crate) fn definition() -> String {
    format!(
        "#ifdef __clang__\n#define {MARK} labrys_touch(\"{ANY_ORDER}\")\n#else\n#define {MARK} ((void)0)\n#endif\n"
    )
}

/// How names of functions of the compiler begin, which are declared by their first call.
const BUILTIN: &str = "__builtin_";

/// Functions whose calls must name them.
const NAMED_DIRECTLY: [&str; 6] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "alloca",
    "vfork",
];

/// Where the order of evaluation matters in a program.
pub(crate) struct EvaluationOrder<'u, 'a> {
    functions: CalledFunctions<'u, 'a>,
}

impl<'u, 'a> EvaluationOrder<'u, 'a> {
    pub(crate) fn new(units: &'u [ParsedUnit<'a>]) -> Self {
        EvaluationOrder {
            functions: CalledFunctions::of(units),
        }
    }

    /// Is this the name of a function that the program defines?
    fn is_defined(&self, unit: usize, node: &AstNode) -> bool {
        let target = node.referenced_decl.as_ref();
        let name = target.and_then(|target| target.name.as_deref());
        name.is_some_and(|name| self.functions.call(unit, name).1.is_some())
    }

    /// Marks the operands of a unit whose order matters.
    pub(crate) fn mark(&self, index: usize, edits: &mut TextEdits) {
        let unit = &self.functions.units[index];
        let mut registers = BTreeSet::new();
        unit.parsed.root.walk(&mut |node| {
            if node.is_register() {
                registers.insert(node.id);
            }
        });
        let mut marks = OrderMarks {
            unit,
            registers,
            named: 0,
            edits,
        };
        let own = unit.functions.values().filter(|s| s.defined && !s.system);
        for function in own {
            let walk = OperandWalk::new(&self.functions, index, function.node).with_operands();
            for operand in walk.open {
                marks.mark_first_name(operand);
            }
            for operand in walk.asking {
                operand.walk(&mut |node| {
                    let callee = node.child(0).filter(|_| node.kind == AstKind::CallExpr);
                    let callee = callee.map(AstNode::skip_implicit);
                    if let Some(callee) = callee.filter(|name| !self.is_defined(index, name)) {
                        marks.name_input(callee);
                    }
                });
            }
        }
    }
}

struct OrderMarks<'m, 'a> {
    unit: &'m ParsedUnit<'a>,
    /// Variables that have no address.
    registers: BTreeSet<u64>,
    /// So many inputs have names of their own.
    named: usize,
    edits: &'m mut TextEdits,
}

impl OrderMarks<'_, '_> {
    /// Marks what is evaluated first in an operand; false if nothing in it can be marked.
    fn mark_first_name(&mut self, node: &AstNode) -> bool {
        match node.kind {
            AstKind::UnaryExprOrTypeTraitExpr | AstKind::OffsetOfExpr | AstKind::TypeTraitExpr => {
                false
            }
            AstKind::GenericSelectionExpr => {
                node.selected().is_some_and(|n| self.mark_first_name(n))
            }
            AstKind::DeclRefExpr => self.mark_name(node),
            // The right side may be evaluated first.
            AstKind::CompoundAssignOperator => self.mark_all(&node.inner),
            AstKind::BinaryOperator if node.opcode() == "=" => self.mark_all(&node.inner),
            AstKind::CallExpr => self.mark_call(node),
            _ => node.inner.iter().any(|child| self.mark_first_name(child)),
        }
    }

    fn mark_all(&mut self, nodes: &[AstNode]) -> bool {
        let mut marked = false;
        for node in nodes {
            marked |= self.mark_first_name(node);
        }
        marked
    }

    fn mark_call(&mut self, call: &AstNode) -> bool {
        match call.callee() {
            Some(name) if name.starts_with(BUILTIN) => false,
            _ => call.inner.iter().any(|child| self.mark_first_name(child)),
        }
    }

    fn mark_name(&mut self, node: &AstNode) -> bool {
        let (Some(target), Some(span)) = (node.referenced_decl.as_ref(), node.span()) else {
            return false;
        };
        let name = target.name.as_deref().unwrap_or_default();
        let text = (self.unit.parsed.bytes).get(span.0 as usize..span.1 as usize);
        if text != Some(name.as_bytes()) {
            return false;
        }
        match target.kind {
            AstKind::VarDecl | AstKind::ParmVarDecl if !self.registers.contains(&target.id) => {
                self.edits
                    .enclose_token(span, &format!("(*({MARK}, &"), "))");
                true
            }
            AstKind::FunctionDecl if self.is_declared_before(name, span.0) => {
                self.edits.enclose_token(span, &format!("({MARK}, "), ")");
                true
            }
            _ => false,
        }
    }

    /// Gives the input that a call asks for a name of its own: `f(nondet_int(), nondet_int())` asks for the
    /// second one first if GCC has compiled it.
    fn name_input(&mut self, node: &AstNode) {
        let target = node.referenced_decl.as_ref();
        let (AstKind::DeclRefExpr, Some(target), Some(span)) = (node.kind, target, node.span())
        else {
            return;
        };
        let name = target.name.as_deref().unwrap_or_default();
        let text = (self.unit.parsed.bytes).get(span.0 as usize..span.1 as usize);
        let Some(usual) = usual_input_name(name).filter(|_| text == Some(name.as_bytes())) else {
            return;
        };
        if self.is_declared_before(name, span.0) && !self.edits.encloses(span.0) {
            self.named += 1;
            let open = format!("(labrys_name_input(\"{usual}#{}\"), ", self.named);
            self.edits.enclose_token(span, &open, ")");
        }
    }

    /// Is this a function that may be named outside of a call?
    fn is_declared_before(&self, name: &str, offset: u32) -> bool {
        let symbol = self.unit.functions.get(name);
        let mut declarations = symbol.into_iter().flat_map(|s| &s.declarations);
        !name.starts_with(BUILTIN)
            && !NAMED_DIRECTLY.contains(&name)
            && declarations.any(|d| d.loc.0.is_some_and(|(begin, _)| begin < offset))
    }
}
