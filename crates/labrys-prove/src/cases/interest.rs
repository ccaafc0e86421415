//! What an event may depend on: the places and registers in its condition, in the conditions in front of
//! it, and in those in front of the stores to these places.

use super::setting::CaseSetting;
use crate::call_effects::CallEffect;
use crate::definitions::Definition;
use crate::places::Base;
use crate::pointer_shape::{AddressCode, AddressShape};
use crate::sites::AnnotationSite;
use crate::value_set::{MAX_WIDTH, signed};
use labrys_ir::{
    BinOp, BlockId, CmpOp, Const, EdgeId, FuncId, Inst, Reg, SwitchTableId, block_edges,
};
use std::collections::{BTreeMap, BTreeSet};

/// Expressions are followed so deep.
const MAX_DEPTH: u32 = 7;
/// Conditions in front of a place that are looked at, the nearest first.
const MAX_GATES: usize = 4;
/// The same for what is tested in front of a store to it.
const MAX_GATES_OF_MARKS: usize = 8;
const MAX_DEPTH_OF_MARKS: u32 = 5;
/// Calls of a function that are looked at from the inside.
const MAX_CALLS: usize = 3;

/// A scalar, or the same member of all elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CaseField {
    pub(super) object: Base,
    pub(super) start: i64,
    pub(super) step: u64,
    pub(super) width: u8,
}

impl CaseField {
    pub(super) fn of(shape: AddressShape, width: u8) -> Option<CaseField> {
        let step = shape.distances.step;
        let is_tracked = width <= MAX_WIDTH && width.is_multiple_of(8);
        let is_array = step == 0 || step >= u64::from(width / 8);
        let is_global = matches!(shape.object, Base::Global(_));
        (is_tracked && is_array && is_global).then(|| CaseField {
            object: shape.object,
            start: match i64::try_from(step) {
                Ok(step) if step > 0 => shape.distances.start.rem_euclid(step),
                _ => shape.distances.start,
            },
            step,
            width,
        })
    }

    fn may_be(&self, shape: AddressShape, bytes: u64) -> bool {
        let own = crate::pointer_shape::OffsetSteps {
            start: self.start,
            step: self.step,
        };
        shape.object == self.object
            && own.overlaps(u64::from(self.width / 8), shape.distances, bytes)
    }
}

/// What decides whether control gets to a place: a condition, or the value of a `switch`.
#[derive(Clone, Copy)]
struct CaseGate {
    decides: Reg,
    table: Option<SwitchTableId>,
}

/// How values of a field are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldUse {
    pub(super) cuts: BTreeSet<i64>,
    /// It is compared with another variable.
    pub(super) varies: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct CaseInterest {
    pub(super) fields: BTreeMap<CaseField, FieldUse>,
    pub(super) registers: BTreeSet<(FuncId, Reg)>,
    /// Registers that lead to one element of an array.
    pub(super) elements: BTreeSet<(FuncId, Reg)>,
    /// What was followed, and how deep that could go.
    seen: BTreeMap<(FuncId, Reg), u32>,
}

impl CaseInterest {
    fn add(&mut self, field: CaseField) -> &mut FieldUse {
        self.fields.entry(field).or_default()
    }
}

/// The program with its comparisons and stores.
pub(super) struct InterestSearch<'s, 'm> {
    setting: &'s CaseSetting<'m>,
    /// The constants that each field is compared with anywhere.
    pub(super) cuts: BTreeMap<CaseField, BTreeSet<i64>>,
    /// Comparisons of two variables.
    pairs: Vec<CaseInterest>,
    stores: Vec<(FuncId, u32, AddressShape, u64)>,
    calls: BTreeMap<FuncId, Vec<(FuncId, u32)>>,
    /// Members of elements that are tested in front of a store to them: what marks an element as used, or as
    /// being in some state.
    pub(super) marks: BTreeMap<CaseField, FieldUse>,
}

impl<'s, 'm> InterestSearch<'s, 'm> {
    pub(super) fn of(setting: &'s CaseSetting<'m>) -> InterestSearch<'s, 'm> {
        let mut search = InterestSearch {
            setting,
            cuts: BTreeMap::new(),
            pairs: Vec::new(),
            stores: Vec::new(),
            calls: BTreeMap::new(),
            marks: BTreeMap::new(),
        };
        for number in 0..setting.module.functions.len() {
            let id = FuncId(number as u32);
            if let Some(code) = setting.code(id) {
                search.index(id, code);
            }
        }
        search.find_marks();
        search
    }

    fn find_marks(&mut self) {
        let mut marks: BTreeMap<CaseField, FieldUse> = BTreeMap::new();
        for (id, at, shape, bytes) in &self.stores {
            let width = u8::try_from(bytes.saturating_mul(8)).unwrap_or(u8::MAX);
            let field = CaseField::of(*shape, width).filter(|field| field.step > 0);
            let Some(field) = field else {
                continue;
            };
            let mut found = CaseInterest::default();
            for gate in self.gates(*id, *at).into_iter().take(MAX_GATES_OF_MARKS) {
                self.walk_gate(&mut found, *id, gate, MAX_DEPTH_OF_MARKS);
            }
            if let Some(used) = found.fields.remove(&field)
                && !used.cuts.is_empty()
            {
                marks.entry(field).or_default().cuts.extend(used.cuts);
            }
        }
        self.marks = marks;
    }

    fn index(&mut self, id: FuncId, code: AddressCode<'_>) {
        for (at, inst) in (0..).zip(&code.function.code) {
            match *inst {
                Inst::Cmp { op, a, b, .. } => {
                    let mut found = CaseInterest::default();
                    self.walk(&mut found, id, a, 3);
                    self.walk(&mut found, id, b, 3);
                    self.compared(&mut found, id, (op, a, b));
                    for (field, used) in &found.fields {
                        let cuts = self.cuts.entry(*field).or_default();
                        cuts.extend(&used.cuts);
                    }
                    let is_pair = found.fields.values().any(|used| used.varies);
                    if is_pair {
                        self.pairs.push(found);
                    }
                }
                Inst::Store { addr, width, .. } => {
                    if let Some(shape) = code.shape(addr) {
                        let bytes = u64::from(width.div_ceil(8));
                        self.stores.push((id, at, shape, bytes));
                    }
                }
                Inst::Switch { value, table } => {
                    if let Some(field) = self.direct(id, value) {
                        let numbers = self.numbers(id, table, field);
                        self.cuts.entry(field).or_default().extend(numbers);
                    }
                }
                Inst::Call { callee, .. } => {
                    self.calls.entry(callee).or_default().push((id, at));
                }
                _ => {}
            }
        }
    }

    /// What stands in the condition of an event and in front of it.
    pub(super) fn near(&self, sites: &[AnnotationSite]) -> CaseInterest {
        let mut found = CaseInterest::default();
        for site in sites {
            let Some(code) = self.setting.code(site.function) else {
                continue;
            };
            if let Inst::Call { callee, args, .. } = code.function.code[site.at as usize] {
                let value = match self.setting.effects[callee.index()] {
                    CallEffect::Truth { value, .. } => code.function.list(args).get(value),
                    _ => None,
                };
                if let Some(value) = value {
                    self.walk(&mut found, site.function, *value, MAX_DEPTH);
                }
            }
            self.walk_gates(&mut found, site.function, site.at, MAX_DEPTH - 2);
            if let Some([(caller, at)]) = self.calls.get(&site.function).map(Vec::as_slice) {
                self.walk_gates(&mut found, *caller, *at, MAX_DEPTH - 3);
            }
        }
        found
    }

    /// The same with what stands in front of the stores to these places, and what they are compared with.
    pub(super) fn wide(&self, near: &CaseInterest) -> CaseInterest {
        let mut found = near.clone();
        for field in near.fields.keys() {
            for (function, at, shape, bytes) in &self.stores {
                if !field.may_be(*shape, *bytes) {
                    continue;
                }
                self.walk_gates(&mut found, *function, *at, MAX_DEPTH - 3);
                let is_inner = !self.setting.module.functions[function.index()]
                    .params
                    .is_empty();
                let calls = self.calls.get(function).filter(|_| is_inner);
                for (caller, at) in calls.into_iter().flatten().take(MAX_CALLS) {
                    self.walk_gates(&mut found, *caller, *at, MAX_DEPTH - 3);
                }
            }
        }
        self.add_pairs(&mut found, near, |_| true);
        found
    }

    /// The same with the variables and registers that these places are compared with.
    pub(super) fn compared_with(&self, near: &CaseInterest) -> CaseInterest {
        let mut found = near.clone();
        self.add_pairs(&mut found, near, |other| other.step == 0);
        found
    }

    fn add_pairs(
        &self,
        found: &mut CaseInterest,
        near: &CaseInterest,
        is_wanted: impl Fn(&CaseField) -> bool,
    ) {
        for field in near.fields.keys().filter(|field| field.step == 0) {
            let pairs = self.pairs.iter();
            for pair in pairs.filter(|pair| pair.fields.contains_key(field)) {
                for (other, used) in pair.fields.iter().filter(|(other, _)| is_wanted(other)) {
                    found.add(*other).varies |= used.varies;
                }
                found.registers.extend(&pair.registers);
            }
        }
    }

    fn walk_gates(&self, found: &mut CaseInterest, function: FuncId, at: u32, depth: u32) {
        for gate in self.gates(function, at).into_iter().take(MAX_GATES) {
            self.walk_gate(found, function, gate, depth);
        }
    }

    fn walk_gate(&self, found: &mut CaseInterest, function: FuncId, gate: CaseGate, depth: u32) {
        self.walk(found, function, gate.decides, depth);
        if let Some(table) = gate.table
            && let Some(field) = self.direct(function, gate.decides)
        {
            found
                .add(field)
                .cuts
                .extend(self.numbers(function, table, field));
        }
    }

    /// The numbers that a `switch` over a field tells apart.
    fn numbers(&self, function: FuncId, table: SwitchTableId, field: CaseField) -> Vec<i64> {
        let function = &self.setting.module.functions[function.index()];
        let cases = &function.switches[table.index()].cases;
        let numbers = cases.iter().map(|(n, _)| signed(field.width, *n as u64));
        numbers.collect()
    }

    /// The conditions that decide whether control gets to an instruction, the nearest first.
    fn gates(&self, id: FuncId, at: u32) -> Vec<CaseGate> {
        let Some(code) = self.setting.code(id) else {
            return Vec::new();
        };
        let (function, definitions) = (code.function, code.definitions);
        let holds = |block: &labrys_ir::Block| block.start <= at && at < block.end;
        let Some(number) = function.blocks.iter().position(holds) else {
            return Vec::new();
        };
        let block = BlockId(number as u32);
        let before = definitions.order.iter().rev();
        let before = before.filter(|b| **b != block && definitions.dominates(**b, block));
        let gates = before.filter_map(|gate| {
            let last = function.blocks[gate.index()].end - 1;
            let leads = |edge: EdgeId| {
                let target = function.edges[edge.index()].target;
                definitions.incoming[target.index()] == [edge]
                    && definitions.dominates(target, block)
            };
            match function.code[last as usize] {
                Inst::Branch { cond, then, other } => {
                    let gate = CaseGate {
                        decides: cond,
                        table: None,
                    };
                    (leads(then) != leads(other)).then_some(gate)
                }
                Inst::Switch { value, table } => {
                    let edges = block_edges(function, *gate);
                    let gate = CaseGate {
                        decides: value,
                        table: Some(table),
                    };
                    edges.into_iter().any(leads).then_some(gate)
                }
                _ => None,
            }
        });
        gates.collect()
    }

    fn walk(&self, found: &mut CaseInterest, id: FuncId, reg: Reg, depth: u32) {
        let Some(code) = self.setting.code(id) else {
            return;
        };
        let seen = found.seen.entry((id, reg)).or_default();
        if depth <= *seen {
            return;
        }
        *seen = depth;
        let function = code.function;
        let at = match code.definitions.def(reg) {
            Definition::Inst(at) => at,
            Definition::Phi(block) => {
                if function.width(reg) > 1 {
                    found.registers.insert((id, reg));
                }
                for edge in &code.definitions.incoming[block.index()] {
                    let copies = function.edge_copies(*edge).iter();
                    for (_, src) in copies.filter(|(dst, _)| *dst == reg) {
                        self.walk(found, id, *src, depth - 1);
                    }
                    let source = code.definitions.source[edge.index()];
                    let last = function.blocks[source.index()].end - 1;
                    if let Some(gate) = self.gates(id, last).first() {
                        self.walk_gate(found, id, *gate, depth - 1);
                    }
                }
                return;
            }
            _ => return,
        };
        match function.code[at as usize] {
            Inst::Load { addr, .. } => {
                if let Some(field) = self.field(id, at) {
                    found.add(field);
                }
                self.walk_address(found, id, addr, depth);
            }
            Inst::Cmp { op, a, b, .. } => {
                self.walk(found, id, a, depth - 1);
                self.walk(found, id, b, depth - 1);
                self.compared(found, id, (op, a, b));
            }
            Inst::Copy { src, .. } | Inst::Cast { src, .. } => self.walk(found, id, src, depth),
            // `!x`.
            Inst::Bin {
                op: BinOp::Xor, a, ..
            } if function.width(a) == 1 => {
                self.walk(found, id, a, depth);
            }
            Inst::Bin { a, b, .. } => {
                self.walk(found, id, a, depth - 1);
                self.walk(found, id, b, depth - 1);
            }
            Inst::Select { cond, a, b, .. } => {
                for reg in [cond, a, b] {
                    self.walk(found, id, reg, depth - 1);
                }
            }
            Inst::Call { callee, args, .. } => match self.setting.effects[callee.index()] {
                CallEffect::Truth { value, .. } => {
                    if let Some(reg) = function.list(args).get(value) {
                        self.walk(found, id, *reg, depth);
                    }
                }
                CallEffect::Body | CallEffect::Switch => {
                    for reg in function.list(args) {
                        self.walk(found, id, *reg, depth - 1);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// The indices of an address, and the register that leads to the element.
    fn walk_address(&self, found: &mut CaseInterest, id: FuncId, addr: Reg, depth: u32) {
        let Some(code) = self.setting.code(id) else {
            return;
        };
        let is_array = code
            .shape(addr)
            .is_some_and(|shape| shape.distances.step > 0);
        let mut reg = addr;
        for _ in 0..MAX_DEPTH {
            reg = match code.definitions.def(reg) {
                Definition::Inst(at) => match code.function.code[at as usize] {
                    Inst::Offset { base, .. } => base,
                    Inst::Copy { src, .. } => src,
                    Inst::Index { index, .. } => {
                        if is_array {
                            found.elements.insert((id, reg));
                        }
                        return self.walk(found, id, index, depth - 1);
                    }
                    _ => return,
                },
                Definition::Param => {
                    if is_array {
                        found.elements.insert((id, reg));
                    }
                    return;
                }
                _ => return,
            };
        }
    }

    fn field(&self, id: FuncId, at: u32) -> Option<CaseField> {
        let code = self.setting.code(id)?;
        let Inst::Load { addr, width, .. } = code.function.code[at as usize] else {
            return None;
        };
        CaseField::of(code.shape(addr)?, width)
    }

    /// The field that a register was loaded from.
    fn direct(&self, id: FuncId, reg: Reg) -> Option<CaseField> {
        let code = self.setting.code(id)?;
        let mut reg = reg;
        for _ in 0..MAX_DEPTH {
            let Definition::Inst(at) = code.definitions.def(reg) else {
                return None;
            };
            reg = match code.function.code[at as usize] {
                Inst::Load { .. } => return self.field(id, at),
                Inst::Copy { src, .. } | Inst::Cast { src, .. } => src,
                Inst::Call { callee, args, .. } => match self.setting.effects[callee.index()] {
                    CallEffect::Switch => *code.function.list(args).get(1)?,
                    _ => return None,
                },
                _ => return None,
            };
        }
        None
    }

    fn compared(&self, found: &mut CaseInterest, id: FuncId, (_, a, b): (CmpOp, Reg, Reg)) {
        for (reg, other) in [(a, b), (b, a)] {
            let Some(field) = self.direct(id, reg) else {
                continue;
            };
            let constant =
                (self.setting.function(id)).and_then(|known| known.constants.get(&other));
            match constant {
                Some(Const::Int(bits)) => {
                    let number = signed(field.width, *bits as u64);
                    found.add(field).cuts.insert(number);
                }
                _ => found.add(field).varies = true,
            }
        }
    }
}
