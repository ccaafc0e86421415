//! Walks over the expressions of a function: what each operand reads and changes, and which operands
//! may be evaluated in another order with another result.

use super::effects::{AccessType, Accesses, Effects, Place, PlaceSet};
use super::functions::{CalledFunctions, fresh_pointers};
use crate::ast::{AstKind, AstNode, DeclRef, LiteralValue};
use crate::pointer_mixes::each_exposed;
use crate::program::{SymbolId, resolve};
use crate::types::TypeShape;
use std::collections::BTreeSet;

/// A walk over one function.
pub(super) struct OperandWalk<'w, 'u, 'a> {
    functions: &'w CalledFunctions<'u, 'a>,
    unit: usize,
    body: Option<&'a AstNode>,
    /// Its parameters and automatic variables, and those of them whose addresses are taken.
    locals: BTreeSet<u64>,
    exposed: BTreeSet<u64>,
    statics: BTreeSet<u64>,
    fresh: BTreeSet<u64>,
    /// The objects of its own frame, which only the function itself and its callees can reach.
    own_frame_counts: bool,
    /// The defined functions that it calls.
    pub callees: BTreeSet<SymbolId<'a>>,
    /// Operands whose order matters.
    pub open: Vec<&'a AstNode>,
    /// Operands that ask for inputs, as others do beside them.
    pub asking: Vec<&'a AstNode>,
}

impl<'w, 'u, 'a> OperandWalk<'w, 'u, 'a> {
    pub(super) fn new(
        functions: &'w CalledFunctions<'u, 'a>,
        unit: usize,
        function: &'a AstNode,
    ) -> Self {
        let body = function.body();
        let (mut locals, mut statics) = (BTreeSet::new(), BTreeSet::new());
        function.walk(&mut |node| match node.kind {
            AstKind::VarDecl if node.is_static() => {
                statics.insert(node.id);
            }
            AstKind::VarDecl if node.is_extern() => {}
            AstKind::VarDecl | AstKind::ParmVarDecl => {
                locals.insert(node.id);
            }
            _ => {}
        });
        let mut exposed = BTreeSet::new();
        if let Some(body) = body {
            each_exposed(body, &mut |target| {
                exposed.insert(target.id);
            });
        }
        OperandWalk {
            functions,
            unit,
            body,
            locals,
            exposed,
            statics,
            fresh: body.map(fresh_pointers).unwrap_or_default(),
            own_frame_counts: false,
            callees: BTreeSet::new(),
            open: Vec::new(),
            asking: Vec::new(),
        }
    }

    /// What the function does that its callers could notice, without what its callees do.
    pub(super) fn function_body(&mut self) -> Accesses<'a> {
        let mut effects = self.body.map(|b| self.operand(b)).unwrap_or_default();
        effects.direct.extend(&effects.called);
        effects.direct
    }

    /// With the operands of the function whose order matters.
    pub(super) fn with_operands(mut self) -> Self {
        self.own_frame_counts = true;
        if let Some(body) = self.body {
            self.operand(body);
        }
        self
    }

    /// What evaluating a node does.
    fn operand(&mut self, node: &'a AstNode) -> Effects<'a> {
        match node.kind {
            // Their operands are not evaluated.
            AstKind::UnaryExprOrTypeTraitExpr | AstKind::OffsetOfExpr | AstKind::TypeTraitExpr => {
                Effects::default()
            }
            AstKind::GenericSelectionExpr => {
                let selected = node.selected();
                selected.map(|n| self.operand(n)).unwrap_or_default()
            }
            AstKind::ConditionalOperator | AstKind::BinaryConditionalOperator => {
                self.in_order_with_branch(node)
            }
            AstKind::BinaryOperator => match node.opcode() {
                "&&" | "||" => self.in_order_with_branch(node),
                "," => self.in_order(node),
                "=" => {
                    let mut effects = self.in_any_order(node, None);
                    if let Some(place) = self.place_of(node.child(0)) {
                        effects.direct.writes.extend(&place.writes);
                    }
                    effects
                }
                _ => self.in_any_order(node, None),
            },
            // The old value is read in any order, the new one written after the other operand.
            AstKind::CompoundAssignOperator => {
                let place = self.place_of(node.child(0)).unwrap_or_default();
                let mut effects = self.in_any_order(node, Some(&place.reads));
                effects.direct.writes.extend(&place.writes);
                effects
            }
            AstKind::UnaryOperator if matches!(node.opcode(), "++" | "--") => {
                let mut effects = self.in_order(node);
                if let Some(place) = self.place_of(node.child(0)) {
                    effects.direct.extend(&place);
                }
                effects
            }
            AstKind::ImplicitCastExpr if node.cast_kind() == "LValueToRValue" => {
                let mut effects = self.in_order(node);
                if let Some(place) = self.place_of(node.child(0)) {
                    effects.direct.reads.extend(&place.reads);
                }
                effects
            }
            AstKind::AtomicExpr => {
                let mut effects = self.in_order(node);
                effects.direct.both(Place::Memory(AccessType::Any));
                effects
            }
            AstKind::CallExpr => {
                let mut effects = self.in_any_order(node, None);
                let called = self.call(node);
                effects.called.extend(&called);
                effects
            }
            AstKind::ArraySubscriptExpr | AstKind::InitListExpr => self.in_any_order(node, None),
            _ => self.in_order(node),
        }
    }

    fn in_order(&mut self, node: &'a AstNode) -> Effects<'a> {
        let mut all = Effects::default();
        for child in &node.inner {
            let more = self.operand(child);
            all.extend(&more);
        }
        all
    }

    fn in_order_with_branch(&mut self, node: &'a AstNode) -> Effects<'a> {
        let mut all = self.in_order(node);
        all.direct.reads.add(Place::Course);
        all
    }

    /// Operands without an order among them; `first` is what else the first of them reads.
    fn in_any_order(&mut self, node: &'a AstNode, first: Option<&PlaceSet<'a>>) -> Effects<'a> {
        let mut all = Effects::default();
        let (mut matters, mut both_ask) = (false, false);
        for (number, child) in node.inner.iter().enumerate() {
            let mut more = self.operand(child);
            if let (0, Some(first)) = (number, first) {
                more.direct.reads.extend(first);
            }
            matters |= all.depend_on_order(&more);
            both_ask |= all.both_ask(&more);
            all.extend(&more);
        }
        if matters {
            self.open.extend(&node.inner);
        }
        if both_ask {
            self.asking.extend(&node.inner);
        }
        all
    }

    /// What the called function does.
    fn call(&mut self, node: &'a AstNode) -> Accesses<'a> {
        let Some(name) = node.callee() else {
            return Accesses::anything();
        };
        let (mut accesses, defined) = self.functions.call(self.unit, name);
        self.callees.extend(defined);
        if defined.is_none() && name.ends_with("printf") && may_write_count(node) {
            accesses.writes.add(Place::Memory(AccessType::Any));
        }
        if defined.is_none() {
            // It may call the functions that it gets.
            for argument in node.inner.iter().skip(1) {
                argument.walk(&mut |n| accesses.extend(&self.given_function(n)));
            }
        }
        accesses
    }

    fn given_function(&mut self, node: &AstNode) -> Accesses<'a> {
        let target = node.referenced_decl.as_ref();
        let target = target.filter(|t| t.kind == AstKind::FunctionDecl);
        match target.and_then(|t| t.name.as_deref()) {
            Some(name) => {
                let (accesses, defined) = self.functions.call(self.unit, name);
                self.callees.extend(defined);
                accesses
            }
            None => Accesses::default(),
        }
    }

    /// Reads and writes of the object that an expression names; none if no other operand could
    /// notice.
    fn place_of(&self, expression: Option<&'a AstNode>) -> Option<Accesses<'a>> {
        let expression = expression?;
        let memory = self.access_type(expression);
        let mut node = expression;
        loop {
            match node.kind {
                AstKind::ParenExpr => node = node.child(0)?,
                AstKind::DeclRefExpr => {
                    return self.variable(node.referenced_decl.as_ref()?, memory);
                }
                AstKind::MemberExpr if !self.is_through_pointer(node) => node = node.child(0)?,
                AstKind::MemberExpr | AstKind::ArraySubscriptExpr | AstKind::UnaryOperator => {
                    let base = node.child(0)?;
                    match base.cast_kind() {
                        "ArrayToPointerDecay" => node = base.child(0)?,
                        _ => return self.pointed_to(base, memory),
                    }
                }
                _ => return Some(both(Place::Memory(memory))),
            }
        }
    }

    fn is_through_pointer(&self, member: &AstNode) -> bool {
        (member.child(0)).is_some_and(|base| !base.is_lvalue() && self.has_pointer_type(base))
    }

    fn has_pointer_type(&self, node: &AstNode) -> bool {
        self.functions.units[self.unit].types.of(node).is_pointer()
    }

    fn pointed_to(&self, pointer: &AstNode, memory: AccessType) -> Option<Accesses<'a>> {
        let base = pointer.skip_implicit().referenced_decl.as_ref();
        match base {
            // Callers do not have it; other operands of this function may.
            Some(base) if !self.own_frame_counts && self.fresh.contains(&base.id) => None,
            _ => Some(both(Place::Memory(memory))),
        }
    }

    fn variable(&self, target: &DeclRef, memory: AccessType) -> Option<Accesses<'a>> {
        if self.locals.contains(&target.id) {
            let counts = self.own_frame_counts && self.exposed.contains(&target.id);
            return counts.then(|| both(Place::Memory(memory)));
        }
        if self.statics.contains(&target.id) {
            let mut accesses = both(Place::Static(self.unit, target.id));
            if self.exposed.contains(&target.id) {
                accesses.both(Place::Memory(memory));
            }
            return Some(accesses);
        }
        let name = target.name.as_deref()?;
        match resolve(self.functions.units, self.unit, name) {
            Some((id, false)) => {
                let mut accesses = both(Place::Global(id.0, id.1));
                if self.functions.is_exposed(id) {
                    accesses.both(Place::Memory(memory));
                }
                Some(accesses)
            }
            _ => Some(both(Place::Memory(memory))),
        }
    }

    /// The type by which an object is read or written.
    fn access_type(&self, node: &AstNode) -> AccessType {
        let types = &self.functions.units[self.unit].types;
        let is_union = |node: &AstNode| match types.of(node).canonical().shape {
            TypeShape::Record(number) => types.records.get(number).is_none_or(|r| r.union),
            _ => false,
        };
        // All members of a union share its bytes.
        let mut base = node;
        while let (AstKind::MemberExpr | AstKind::ParenExpr, Some(inner)) =
            (base.kind, base.child(0))
        {
            let pointed = types
                .of(inner)
                .pointee()
                .map(|p| p.canonical().shape.clone());
            let to_union = matches!(pointed, Some(TypeShape::Record(number))
                if types.records.get(number).is_none_or(|r| r.union));
            if is_union(inner) || to_union {
                return AccessType::Any;
            }
            base = inner;
        }
        match types.of(node).canonical().shape {
            TypeShape::Int { bits, .. } if bits > 8 => AccessType::Int(bits),
            TypeShape::Enum(_) => AccessType::Int(32),
            TypeShape::Float { bits, .. } => AccessType::Float(bits),
            TypeShape::Pointer(_) => AccessType::Pointer,
            _ => AccessType::Any,
        }
    }
}

/// May the call of a printing function have `%n` in its format, which writes a number?
fn may_write_count(call: &AstNode) -> bool {
    let mut texts = Vec::new();
    call.walk(&mut |node| {
        if let (AstKind::StringLiteral, Some(LiteralValue::Text(text))) = (node.kind, &node.value) {
            texts.push(text);
        }
    });
    let counts = |text: &str| {
        let mut conversions = text.split('%').skip(1);
        conversions.any(|c| {
            c.trim_start_matches(['h', 'l', 'j', 'z', 't', 'q'])
                .starts_with('n')
        })
    };
    texts.is_empty() || texts.iter().any(|text| counts(text))
}

fn both<'a>(place: Place<'a>) -> Accesses<'a> {
    let mut accesses = Accesses::default();
    accesses.both(place);
    accesses
}
