//! A piece of code, from a place where facts are known to a place where something is claimed: the values of
//! registers and of memory there, as terms over what both were at the start. Built from the instructions
//! alone.

use super::code::CertifiedCode;
use super::meaning::{self, WIDEST, anything};
use super::memory::{MemoryWrite, WriteEffect};
use super::script::{FormulaScript, SmtFormula, SmtTerm};
use crate::call_effects::CallEffect;
use crate::definitions::{CodePoint, Definition};
use crate::facts::FunctionFacts;
use crate::places::{Base, MemoryPlace};
use crate::writes::calls_anything;
use labrys_ir::{Const, EdgeId, FuncId, Function, Inst, IntrinsicOp, Reg, RegList, SymbolRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// PlaceValues that were computed before the piece are taken apart so deep.
const DEEPEST: usize = 16;

pub(super) struct CodePiece<'a> {
    pub(super) code: &'a CertifiedCode<'a>,
    pub(super) id: FuncId,
    pub(super) function: &'a Function,
    pub(super) facts: &'a FunctionFacts,
    pub(super) start: CodePoint,
    pub(super) script: FormulaScript,
    /// What registers hold now.
    terms: FxHashMap<Reg, SmtTerm>,
    /// Registers that were written in the piece.
    inside: FxHashSet<Reg>,
    /// What registers and places held at the start, as far as somebody asked.
    pub(super) before: BTreeMap<Reg, SmtTerm>,
    pub(super) cells: BTreeMap<MemoryPlace, SmtTerm>,
    pub(super) writes: Vec<MemoryWrite>,
    /// What places hold that a write may have changed, by the write.
    pub(super) lost: BTreeMap<(usize, MemoryPlace), SmtTerm>,
}

impl<'a> CodePiece<'a> {
    /// None where nothing is known of the function.
    pub(super) fn new(code: &'a CertifiedCode<'a>, id: FuncId, at: u32) -> Option<CodePiece<'a>> {
        let function = &code.module.functions[id.index()];
        let facts = code.program.facts(id).filter(|facts| !facts.is_unknown)?;
        let block = code.block_of(id, at)?;
        Some(CodePiece {
            code,
            id,
            function,
            facts,
            start: CodePoint { block, at },
            script: FormulaScript::default(),
            terms: FxHashMap::default(),
            inside: FxHashSet::default(),
            before: BTreeMap::new(),
            cells: BTreeMap::new(),
            writes: Vec::new(),
            lost: BTreeMap::new(),
        })
    }

    /// Goes on to an instruction of the same block; false if control never comes there.
    pub(super) fn run_to(&mut self, end: u32) -> bool {
        (self.start.at..end).all(|at| self.instruction(at))
    }

    /// Takes an edge out of the block.
    pub(super) fn leave(&mut self, edge: EdgeId) {
        let at = self.function.blocks[self.start.block.index()].end - 1;
        let words = self.code.place(self.id, at);
        match self.function.code[at as usize] {
            Inst::Branch { cond, then, other } if then != other => {
                let truth = u128::from(edge == then);
                let cond = self.value(cond, at);
                self.script
                    .assert(cond.is(truth), format!("{words}the branch taken"));
            }
            Inst::Switch { value, table } => {
                let value = self.value(value, at);
                let table = &self.function.switches[table.index()];
                let is_case = |edge: EdgeId| {
                    let cases = table.cases.iter().filter(move |(_, to)| *to == edge);
                    cases.map(|(number, _)| value.is(*number))
                };
                let mut ways: Vec<SmtFormula> = is_case(edge).collect();
                if table.default == Some(edge) {
                    let cases = table.cases.iter();
                    let others: Vec<SmtFormula> =
                        cases.map(|(number, _)| value.is(*number).not()).collect();
                    ways.push(SmtFormula::all(&others));
                }
                let formula = SmtFormula::any(&ways);
                self.script
                    .assert(formula, format!("{words}the case taken"));
            }
            _ => {}
        }
        for (to, from) in self.function.edge_copies(edge) {
            let value = self.value(*from, at);
            self.set(*to, value);
        }
    }

    /// What a register holds now, as an operand of an instruction.
    pub(super) fn value(&mut self, reg: Reg, at: u32) -> SmtTerm {
        self.value_within(reg, at, DEEPEST)
    }

    fn value_within(&mut self, reg: Reg, at: u32, depth: usize) -> SmtTerm {
        let width = self.function.width(reg);
        let definitions = &self.facts.definitions;
        if definitions.is_unsettled(reg) {
            return anything(&mut self.script, width, "never written, perhaps");
        }
        if let Some(constant) = self.code.constant(self.id, reg) {
            return self.constant(reg, width, constant, at);
        }
        if let Some(term) = self.terms.get(&reg) {
            return term.clone();
        }
        if !self.is_before(reg) {
            return anything(&mut self.script, width, "not written on this way");
        }
        let term = match definitions.inst_at(reg, self.start) {
            Some(made) if depth > 0 => self.expression(reg, made, depth - 1),
            _ => None,
        };
        let name = self.code.register_name(self.id, reg);
        let identifier = identifier(&name, "value");
        let term = match term {
            Some(term) => self.script.named(&identifier, term, name),
            None => (self.script).unknown(&identifier, width, name),
        };
        self.terms.insert(reg, term.clone());
        self.before.insert(reg, term.clone());
        term
    }

    /// Was the register written on every way to the start, and not since?
    pub(super) fn is_before(&self, reg: Reg) -> bool {
        let definitions = &self.facts.definitions;
        !self.inside.contains(&reg)
            && match definitions.def(reg) {
                Definition::Param => true,
                Definition::Inst(_) => definitions.inst_at(reg, self.start).is_some(),
                Definition::Phi(_) => definitions.phi_at(reg, self.start).is_some(),
                Definition::Const | Definition::Other => false,
            }
    }

    fn constant(&mut self, reg: Reg, width: u8, constant: Const, at: u32) -> SmtTerm {
        let is_made_up = self.facts.no_constants.get(at as usize);
        match constant {
            _ if is_made_up.copied().unwrap_or(false) => {
                anything(&mut self.script, width, "chosen by the harness")
            }
            Const::Int(number) => SmtTerm::number(width, number),
            _ => {
                if let Some(term) = self.terms.get(&reg) {
                    return term.clone();
                }
                let term = self
                    .script
                    .unknown("address", width, "an address".to_owned());
                if self.code.is_address(constant) {
                    self.script.holds(&term, term.is(0).not());
                }
                self.terms.insert(reg, term.clone());
                term
            }
        }
    }

    /// What an instruction in front of the piece computed; none if that was no plain computation.
    fn expression(&mut self, reg: Reg, at: u32, depth: usize) -> Option<SmtTerm> {
        let inst = self.function.code[at as usize];
        if self.function.width(reg) > WIDEST {
            return None;
        }
        match inst {
            Inst::Bin { op, a, b, .. } => {
                let (a, b) = (
                    self.value_within(a, at, depth),
                    self.value_within(b, at, depth),
                );
                let script = &mut self.script;
                let open = || anything(script, a.width, "an error gives anything");
                Some(meaning::binary(op, &a, &b, open))
            }
            Inst::Cmp {
                op, a, b, width, ..
            } if width <= WIDEST => {
                let (a, b) = (
                    self.value_within(a, at, depth),
                    self.value_within(b, at, depth),
                );
                Some(SmtTerm::truth(&meaning::comparison(op, &a, &b)))
            }
            Inst::Cast {
                op, to, src, from, ..
            } if from <= WIDEST => {
                let src = self.value_within(src, at, depth);
                meaning::conversion(op, to, &src)
            }
            Inst::Copy { src, .. } => Some(self.value_within(src, at, depth)),
            Inst::Select { cond, a, b, .. } => {
                let cond = self.value_within(cond, at, depth);
                let (a, b) = (
                    self.value_within(a, at, depth),
                    self.value_within(b, at, depth),
                );
                Some(SmtTerm::if_else(&cond.is(1), &a, &b))
            }
            Inst::Offset { base, offset, .. } => {
                let base = self.value_within(base, at, depth);
                let offset = SmtTerm::number(base.width, offset as i64 as u128);
                Some(SmtTerm::of(base.width, "bvadd", &[&base, &offset]))
            }
            Inst::Index {
                base, index, scale, ..
            } => {
                let (base, index) = (
                    self.value_within(base, at, depth),
                    self.value_within(index, at, depth),
                );
                let scale = SmtTerm::number(index.width, scale.into());
                let distance = SmtTerm::of(index.width, "bvmul", &[&index, &scale]);
                (base.width == index.width)
                    .then(|| SmtTerm::of(base.width, "bvadd", &[&base, &distance]))
            }
            _ => None,
        }
    }

    fn set(&mut self, reg: Reg, value: SmtTerm) {
        self.inside.insert(reg);
        self.terms.insert(reg, value);
    }

    fn set_named(&mut self, reg: Reg, at: u32, value: SmtTerm) {
        let name = self.code.register_name(self.id, reg);
        let words = format!("{}{name}", self.code.place(self.id, at));
        let value = self.script.named(&identifier(&name, "value"), value, words);
        self.set(reg, value);
    }

    fn set_anything(&mut self, reg: Reg, at: u32) -> SmtTerm {
        let name = self.code.register_name(self.id, reg);
        let words = format!("{}{name}", self.code.place(self.id, at));
        let width = self.function.width(reg);
        let value = self
            .script
            .unknown(&identifier(&name, "value"), width, words);
        self.set(reg, value.clone());
        value
    }

    /// False if control does not go on behind it.
    fn instruction(&mut self, at: u32) -> bool {
        let inst = self.function.code[at as usize];
        match inst {
            Inst::Call {
                callee,
                args,
                results,
            } => {
                return self.annotation(at, self.code.effects[callee.index()], args, results);
            }
            Inst::Load { dst, addr, width } => {
                let value = self.load(addr, width, at);
                match value.filter(|value| value.width == self.function.width(dst)) {
                    Some(value) => self.set_named(dst, at, value),
                    None => drop(self.set_anything(dst, at)),
                }
            }
            Inst::Store { addr, src, width } => {
                let value = self.value(src, at);
                self.store(addr, width, value, at);
            }
            Inst::MemCopy { dst, len, .. } => self.fill(dst, None, len, at),
            Inst::MemSet { dst, byte, len } => self.fill(dst, Some(byte), len, at),
            Inst::Alloca { dst, .. } if !self.facts.no_constants.iter().any(|made_up| *made_up) => {
                let value = self.set_anything(dst, at);
                let not_null = value.is(0).not();
                self.script.holds(&value, not_null);
            }
            Inst::Intrinsic { op, args, results } => {
                if matches!(op, IntrinsicOp::LongJmp | IntrinsicOp::Trap) {
                    return false;
                }
                if calls_anything(&inst) {
                    self.writes.push(MemoryWrite::everything());
                }
                let regs = self.function.list(args).to_vec();
                let args: Vec<SmtTerm> = regs.into_iter().map(|reg| self.value(reg, at)).collect();
                let mut values = meaning::intrinsic(op, &args).into_iter();
                for reg in self.function.list(results) {
                    match values.next().flatten() {
                        Some(value) => self.set_named(*reg, at, value),
                        None => drop(self.set_anything(*reg, at)),
                    }
                }
            }
            _ => {
                let mut written = Vec::new();
                inst.for_each_write(self.function, &mut |reg| written.push(reg));
                for reg in written {
                    match self.expression(reg, at, DEEPEST) {
                        Some(value) => self.set_named(reg, at, value),
                        None => drop(self.set_anything(reg, at)),
                    }
                }
            }
        }
        true
    }

    /// A call that only notes or checks something.
    fn annotation(&mut self, at: u32, known: CallEffect, args: RegList, results: RegList) -> bool {
        let argument = |i: usize| self.function.list(args).get(i).copied();
        let given = match known {
            CallEffect::Truth { value, .. } => argument(value),
            CallEffect::Switch => argument(1),
            CallEffect::Assume(i) => argument(i),
            CallEffect::Ends => return false,
            _ => None,
        };
        let given = given.map(|reg| self.value(reg, at));
        if known == CallEffect::Label && self.code.takes_back(self.id, at) {
            self.writes.push(MemoryWrite::everything());
        }
        if let (CallEffect::Assume(_), Some(given)) = (known, &given) {
            let words = format!("{}assumed", self.code.place(self.id, at));
            self.script.assert(given.is(0).not(), words);
        }
        for (i, reg) in self.function.list(results).to_vec().into_iter().enumerate() {
            let result = self.set_anything(reg, at);
            let holds = match (known, &given) {
                _ if i > 0 => None,
                (CallEffect::Switch, Some(given)) if given.width == result.width => {
                    Some(SmtFormula::of("=", &[&result, given]))
                }
                // The value itself, or 1 for every value that is not zero.
                (CallEffect::Truth { .. }, Some(given)) if given.width == result.width => {
                    let one = SmtFormula::all(&[given.is(0).not(), result.is(1)]);
                    Some(SmtFormula::any(&[
                        SmtFormula::of("=", &[&result, given]),
                        one,
                    ]))
                }
                (CallEffect::Bool, _) => Some(SmtFormula::any(&[result.is(0), result.is(1)])),
                _ => None,
            };
            if let Some(holds) = holds {
                self.script.holds(&result, holds);
            }
        }
        true
    }

    /// What a place holds now.
    pub(super) fn cell(&mut self, place: MemoryPlace) -> SmtTerm {
        self.cell_behind(place, self.writes.len())
    }

    /// The same behind so many of the writes.
    fn cell_behind(&mut self, place: MemoryPlace, count: usize) -> SmtTerm {
        for at in (0..count).rev() {
            match self.writes[at].effect(self.code, self.id, place) {
                WriteEffect::None => {}
                WriteEffect::Value(value) => return value,
                WriteEffect::Anything => return self.lost(at, place),
                WriteEffect::Perhaps {
                    exactly,
                    value,
                    touched,
                } => {
                    let old = self.cell_behind(place, at);
                    let lost = self.lost(at, place);
                    let other = SmtTerm::if_else(&touched, &lost, &old);
                    return match value {
                        Some(value) => SmtTerm::if_else(&exactly, &value, &other),
                        None => other,
                    };
                }
            }
        }
        if let Some(term) = self.cells.get(&place) {
            return term.clone();
        }
        let name = self.code.cell_name(self.id, place);
        let term = (self.script).unknown(&identifier(&name, "cell"), place.width, name);
        // What may change at any time has no value that stays.
        if self.code.is_steady(self.id, place) && self.has_base(place) {
            self.cells.insert(place, term.clone());
        }
        term
    }

    /// Does the base of a place mean the same at the start as it does now?
    fn has_base(&self, place: MemoryPlace) -> bool {
        match place.base {
            Base::Pointer(reg) => self.is_before(reg),
            Base::Global(_) | Base::Local(_) => true,
        }
    }

    fn lost(&mut self, write: usize, place: MemoryPlace) -> SmtTerm {
        if let Some(term) = self.lost.get(&(write, place)) {
            return term.clone();
        }
        let words = format!("{}, perhaps written", self.code.cell_name(self.id, place));
        let term = self.script.unknown("written", place.width, words);
        self.lost.insert((write, place), term.clone());
        term
    }
}

/// A name for SMT-LIB.
fn identifier(name: &str, other: &str) -> String {
    let simple: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(24)
        .collect();
    match simple.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => simple,
        false => format!("{other}_{simple}"),
    }
}

/// Is it a place of the program's text, and not of a function that is not there?
pub(super) fn symbol_object(symbol: SymbolRef) -> Option<(Base, i64)> {
    match symbol {
        SymbolRef::Global { global, addend } => Some((Base::Global(global), addend)),
        SymbolRef::Function(_) | SymbolRef::Block { .. } => None,
    }
}
