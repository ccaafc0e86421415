//! Builds certificates: from the event that never happens back to what that rests on, until nothing is left
//! that would have to be shown. A statement whose formula has a solution is kept, as one without a formula.

use super::code::CertifiedCode;
use super::facts::{AtEnd, AtStart, PlaceValues, StatedFact, within};
use super::obligation::Obligation;
use super::piece::CodePiece;
use super::script::SmtTerm;
use super::{CertificateClaim, FactDamage, Oracle};
use crate::call_effects::CallEffect;
use crate::definitions::{CodePoint, Definition};
use crate::places::{Base, MemoryPlace};
use labrys_ir::{
    BlockId, Const, EdgeId, FactPlace, FuncId, Inst, KnownFact, NumberSet, Reg, SourceLoc,
};
use labrys_ledger::Trigger;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Questions about one claim, when it is cut down to the facts that it needs.
const MOST_CUTS: usize = 24;
/// Longer formulas, mostly of large tables, are not asked: a solver takes long for them.
const LONGEST_SCRIPT: usize = 24_000;
/// A formula of so many bytes counts as two questions.
const BYTES_OF_A_QUESTION: usize = 1_000;
/// Facts that a claim may begin with; more are not offered to the solver.
const MOST_PREMISES: usize = 96;

/// What became of an obligation.
#[derive(Clone, Debug, Default)]
pub(super) struct Discharge {
    /// The numbers of its claims.
    pub(super) claims: Vec<usize>,
    /// The numbers of the obligations that it rests on.
    pub(super) needs: Vec<usize>,
    /// Something of it has no formula.
    pub(super) is_open: bool,
}

impl Discharge {
    fn open() -> Discharge {
        Discharge {
            is_open: true,
            ..Discharge::default()
        }
    }

    fn add(&mut self, other: Discharge) {
        self.claims.extend(other.claims);
        self.needs.extend(other.needs);
        self.is_open |= other.is_open;
    }
}

/// What a way from a place with facts leads to.
enum WayEnd {
    /// What was put into the piece cannot be.
    Contradiction,
    /// The same fact, about the same values as at the start of the piece: no code between touches them.
    Carried(StatedFact),
}

/// What is known at the places of the program.
pub(super) type FactsByPlace = BTreeMap<(FuncId, u32), Vec<StatedFact>>;

pub(super) struct CertificateBuilder<'a, 'o> {
    pub(super) code: &'a CertifiedCode<'a>,
    pub(super) facts: &'a FactsByPlace,
    pub(super) oracle: &'o mut Oracle<'o>,
    pub(super) damage: Option<&'o mut dyn FactDamage>,
    /// So many questions may still be asked.
    pub(super) questions_left: usize,
    pub(super) claims: Vec<CertificateClaim>,
    pub(super) bytes_left: usize,
    pub(super) obligations: Vec<Obligation>,
    pub(super) discharged: Vec<Option<Discharge>>,
    numbers: FxHashMap<String, usize>,
}

impl<'a, 'o> CertificateBuilder<'a, 'o> {
    pub(super) fn new(
        code: &'a CertifiedCode<'a>,
        facts: &'a FactsByPlace,
        oracle: &'o mut Oracle<'o>,
        damage: Option<&'o mut dyn FactDamage>,
        (questions, bytes): (usize, usize),
    ) -> CertificateBuilder<'a, 'o> {
        CertificateBuilder {
            code,
            facts,
            oracle,
            damage,
            questions_left: questions,
            claims: Vec::new(),
            bytes_left: bytes,
            obligations: Vec::new(),
            discharged: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The number of an obligation.
    pub(super) fn number(&mut self, obligation: Obligation) -> usize {
        let key = format!("{obligation:?}");
        let next = self.obligations.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.obligations.push(obligation);
            self.discharged.push(None);
        }
        number
    }

    /// Looks at an obligation and at all that it rests on.
    pub(super) fn settle(&mut self, number: usize) {
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            if self.discharged[number].is_some() {
                continue;
            }
            let found = match self.questions_left {
                0 => Discharge::open(),
                _ => self.discharge(&self.obligations[number].clone()),
            };
            open.extend(&found.needs);
            self.discharged[number] = Some(found);
        }
    }

    fn discharge(&mut self, obligation: &Obligation) -> Discharge {
        let words = obligation.words(self.code);
        match obligation {
            Obligation::Never { id, at, trigger } => self.never(*id, *at, *trigger),
            Obligation::Unreached { id, at } => self.unreached(*id, *at),
            Obligation::Holds { id, at, fact } => self.holds(*id, *at, fact),
            Obligation::Always { id, reg, set } => self.always(*id, *reg, set),
            Obligation::Leaves { id, fact } => {
                let known = self.facts;
                self.at_returns(*id, &words, |piece, at, _| {
                    state_against(piece, at, fact, known)
                })
            }
            Obligation::Returns { id, result, set } => {
                self.at_returns(*id, &words, |piece, at, values| {
                    let value = piece.value(*values.get(*result)?, at);
                    piece
                        .script
                        .assert(within(&value, set).not(), "another number".to_owned());
                    Some(WayEnd::Contradiction)
                })
            }
        }
    }

    /// Is it known that no run comes to a place?
    fn is_unreached(&self, id: FuncId, at: u32) -> bool {
        let is_known = (self.code.program.facts(id)).is_some_and(|facts| !facts.is_unknown);
        match self.code.program.is_reached(id) {
            true => is_known && !self.facts.contains_key(&(id, at)),
            false => true,
        }
    }

    fn never(&mut self, id: FuncId, at: u32, trigger: Trigger) -> Discharge {
        let value = match (trigger, self.code.function(id).code[at as usize]) {
            (Trigger::Condition { value, .. }, Inst::Call { args, .. }) => Some((args, 2, value)),
            (Trigger::Decision { value, .. }, Inst::Call { args, .. }) => Some((args, 1, value)),
            (Trigger::Label { .. }, Inst::Call { args, .. }) => Some((args, 1, true)),
            // That a case is only fallen into has no formula.
            (Trigger::Case { .. }, _) if !self.is_block_unreached(id, at) => {
                return Discharge::open();
            }
            _ => None,
        };
        self.way(id, at, "the event happens", |piece| {
            if let Some((args, index, wanted)) = value {
                let reg = *piece.function.list(args).get(index)?;
                let value = piece.value(reg, at);
                let zero = value.is(0);
                let formula = if wanted { zero.not() } else { zero };
                let words = format!("the outcome that is asked for: {wanted}");
                piece.script.assert(formula, words);
            }
            Some(WayEnd::Contradiction)
        })
    }

    fn is_block_unreached(&self, id: FuncId, at: u32) -> bool {
        let point = self.code.point_before(id, at);
        point.is_some_and(|point| self.is_unreached(id, point.at))
    }

    /// A claim about the way from the last place with facts to an instruction. `goal` adds what is not so.
    fn way(
        &mut self,
        id: FuncId,
        at: u32,
        words: &str,
        goal: impl FnOnce(&mut CodePiece<'a>) -> Option<WayEnd>,
    ) -> Discharge {
        let Some(point) = self.code.point_before(id, at) else {
            return Discharge::open();
        };
        if self.is_unreached(id, point.at) {
            return self.rests_on(Obligation::Unreached { id, at: point.at });
        }
        let Some(mut piece) = CodePiece::new(self.code, id, point.at) else {
            return Discharge::open();
        };
        if !piece.run_to(at) {
            return Discharge::default();
        }
        match goal(&mut piece) {
            Some(WayEnd::Contradiction) => self.claim(piece, self.code.loc(id, at), words),
            Some(WayEnd::Carried(fact)) => {
                let at = point.at;
                self.rests_on(Obligation::Holds { id, at, fact })
            }
            None => Discharge::open(),
        }
    }

    /// The same along an edge, to the start of the block behind it.
    fn way_over(
        &mut self,
        id: FuncId,
        edge: EdgeId,
        words: &str,
        goal: impl FnOnce(&mut CodePiece<'a>, u32) -> Option<WayEnd>,
    ) -> Discharge {
        let Some(facts) = self.code.program.facts(id) else {
            return Discharge::open();
        };
        let from = facts.definitions.source[edge.index()];
        let last = self.code.function(id).blocks[from.index()].end - 1;
        self.way(id, last, words, |piece| {
            piece.leave(edge);
            goal(piece, last)
        })
    }

    fn rests_on(&mut self, obligation: Obligation) -> Discharge {
        Discharge {
            needs: vec![self.number(obligation)],
            ..Discharge::default()
        }
    }

    /// The edges into a block.
    fn incoming(&self, id: FuncId, block: BlockId) -> Vec<EdgeId> {
        let facts = self.code.program.facts(id);
        facts.map_or(Vec::new(), |facts| {
            facts.definitions.incoming[block.index()].clone()
        })
    }

    fn unreached(&mut self, id: FuncId, at: u32) -> Discharge {
        let words = "no run comes here";
        let Some(block) = self.code.block_of(id, at) else {
            return Discharge::open();
        };
        let function = self.code.function(id);
        if at > function.blocks[block.index()].start {
            let Inst::Call { callee, .. } = function.code[at as usize - 1] else {
                return Discharge::open();
            };
            let mut found = self.way(id, at - 1, words, |_| Some(WayEnd::Contradiction));
            if found.is_open && self.code.effects[callee.index()] == CallEffect::Body {
                // The function that is called does not return.
                found = self.at_returns(callee, "it does not return", |_, _, _| {
                    Some(WayEnd::Contradiction)
                });
            }
            return found;
        }
        let mut found = match block {
            BlockId(0) => self.at_calls(id, words, |_, _, _| Some(WayEnd::Contradiction)),
            _ => Discharge::default(),
        };
        for edge in self.incoming(id, block) {
            found.add(self.way_over(id, edge, words, |_, _| Some(WayEnd::Contradiction)));
        }
        found
    }

    fn holds(&mut self, id: FuncId, at: u32, fact: &StatedFact) -> Discharge {
        if let Some(earlier) = self.earlier(id, at, fact) {
            let fact = fact.clone();
            return self.rests_on(Obligation::Holds {
                id,
                at: earlier,
                fact,
            });
        }
        let words = self.code.fact_words(id, fact);
        let Some(block) = self.code.block_of(id, at) else {
            return Discharge::open();
        };
        let start = self.code.function(id).blocks[block.index()].start;
        if at > start {
            return self.behind_call(id, at - 1, fact, &words);
        }
        let mut found = match block {
            BlockId(0) => self.at_start(id, fact, &words),
            _ => Discharge::default(),
        };
        let known = self.facts;
        for edge in self.incoming(id, block) {
            found.add(self.way_over(id, edge, &words, |piece, last| {
                state_against(piece, last, fact, known)
            }));
        }
        found
    }

    /// A place that comes before on every way, where the same is known of registers that do not change
    /// between.
    fn earlier(&self, id: FuncId, at: u32, fact: &StatedFact) -> Option<u32> {
        if !fact.cells(self.code, id).is_empty() {
            return None;
        }
        let here = self.code.block_of(id, at)?;
        let function = self.code.function(id);
        let definitions = &self.code.program.facts(id)?.definitions;
        let registers = fact.registers();
        let is_known =
            |at: &u32| (self.facts.get(&(id, *at))).is_some_and(|facts| facts.contains(fact));
        let is_old = |block: BlockId, start: u32| {
            let point = CodePoint { block, at: start };
            registers.iter().all(|reg| match definitions.def(*reg) {
                Definition::Param | Definition::Const => true,
                Definition::Inst(_) => definitions.inst_at(*reg, point).is_some(),
                Definition::Phi(_) => definitions.phi_at(*reg, point).is_some(),
                Definition::Other => false,
            })
        };
        let before = definitions.order.iter().copied();
        let mut before = before.filter(|block| definitions.dominates(*block, here));
        before.find_map(|block| {
            let range = function.blocks[block.index()];
            let behind = (range.start..range.end - 1).filter(|at| self.code.is_boundary(id, *at));
            let mut points = std::iter::once(range.start).chain(behind.map(|at| at + 1));
            points.find(|point| {
                (block != here || *point < at) && is_known(point) && is_old(block, *point)
            })
        })
    }

    /// A fact behind a call.
    fn behind_call(&mut self, id: FuncId, call: u32, fact: &StatedFact, words: &str) -> Discharge {
        let function = self.code.function(id);
        let callee = match function.code[call as usize] {
            Inst::Call { callee, .. } if self.code.effects[callee.index()] == CallEffect::Body => {
                Some(callee)
            }
            _ => None,
        };
        let mut results = Vec::new();
        function.code[call as usize].for_each_write(function, &mut |reg| results.push(reg));
        let of_results = |reg: &Reg| results.iter().position(|result| result == reg);
        if let Some(result) = fact.registers().iter().find_map(of_results) {
            return match (callee, fact) {
                (Some(id), StatedFact::Known(KnownFact::In(FactPlace::Register(_), set))) => {
                    let set = set.clone();
                    self.rests_on(Obligation::Returns { id, result, set })
                }
                _ => Discharge::open(),
            };
        }
        let cells = fact.cells(self.code, id);
        if cells
            .iter()
            .any(|place| self.code.may_write(id, call, *place))
        {
            let is_variable = |place: &MemoryPlace| matches!(place.base, Base::Global(_));
            return match callee {
                Some(id) if fact.registers().is_empty() && cells.iter().all(is_variable) => {
                    let fact = fact.clone();
                    self.rests_on(Obligation::Leaves { id, fact })
                }
                _ => Discharge::open(),
            };
        }
        let known = self.facts;
        self.way(id, call, words, |piece| {
            state_against(piece, call, fact, known)
        })
    }

    /// A fact when a function starts.
    fn at_start(&mut self, id: FuncId, fact: &StatedFact, words: &str) -> Discharge {
        if self.code.is_entry(id) {
            return self.at_program_start(id, fact, words);
        }
        let params = &self.code.function(id).params;
        let variables = fact.registers().into_iter();
        let variables = variables.filter(|reg| self.code.constant(id, *reg).is_none());
        let positions: Option<Vec<(Reg, usize)>> = variables
            .map(|reg| Some((reg, params.iter().position(|param| *param == reg)?)))
            .collect();
        let cells = fact.cells(self.code, id);
        let is_variable = |place: &MemoryPlace| matches!(place.base, Base::Global(_));
        let (Some(positions), true) = (positions, cells.iter().all(is_variable)) else {
            return Discharge::open();
        };
        let known = self.facts;
        self.at_calls(id, words, |piece, at, args| {
            if fact.registers().is_empty() {
                return state_against(piece, at, fact, known);
            }
            let formula = {
                let mut values = AtCall {
                    callee: id,
                    end: AtEnd(piece, at),
                    given: positions
                        .iter()
                        .map(|(reg, at)| Some((*reg, *args.get(*at)?)))
                        .collect::<Option<_>>()?,
                };
                let code = values.end.0.code;
                fact.formula(code, id, &mut values)?
            };
            piece
                .script
                .assert(formula.not(), "what is claimed does not hold".to_owned());
            Some(WayEnd::Contradiction)
        })
    }

    /// When a run begins, variables hold what stands in their text.
    fn at_program_start(&mut self, id: FuncId, fact: &StatedFact, words: &str) -> Discharge {
        let code = self.code;
        let (Some(rules), true) = (code.rules, code.module.constructors.is_empty()) else {
            return Discharge::open();
        };
        let Some(mut piece) = CodePiece::new(code, id, 0) else {
            return Discharge::open();
        };
        for place in fact.cells(code, id) {
            let Base::Global(global) = place.base else {
                return Discharge::open();
            };
            let text = &code.module.globals[global.index()];
            let value = crate::constant_tables::initial(text, place.offset.into(), place.width);
            let has_value = rules.public.has_initial_value(code.module, global);
            let Some(value) = value.and_then(|v| v.as_constant()).filter(|_| has_value) else {
                return Discharge::open();
            };
            let held = piece.cell(place);
            let words = format!("{} when the program starts", code.cell_name(id, place));
            piece.script.assert(held.is(value.into()), words);
        }
        match state_against(&mut piece, 0, fact, &FactsByPlace::new()) {
            Some(_) => self.claim(piece, code.loc(id, 0), words),
            None => Discharge::open(),
        }
    }

    /// A claim at each call of a function.
    fn at_calls(
        &mut self,
        id: FuncId,
        words: &str,
        goal: impl Fn(&mut CodePiece<'a>, u32, &[Reg]) -> Option<WayEnd>,
    ) -> Discharge {
        if self.code.is_open(id) || self.code.is_entry(id) {
            return Discharge::open();
        }
        let mut found = Discharge::default();
        for (caller, at) in self.code.callers[id.index()].clone() {
            let function = self.code.function(caller);
            let Inst::Call { args, .. } = function.code[at as usize] else {
                continue;
            };
            let args = function.list(args).to_vec();
            found.add(self.way(caller, at, words, |piece| goal(piece, at, &args)));
        }
        found
    }

    /// A claim at each return of a function.
    fn at_returns(
        &mut self,
        id: FuncId,
        words: &str,
        goal: impl Fn(&mut CodePiece<'a>, u32, &[Reg]) -> Option<WayEnd>,
    ) -> Discharge {
        let function = self.code.function(id);
        let is_known = (self.code.program.facts(id)).is_some_and(|facts| !facts.is_unknown);
        if self.code.effects[id.index()] != CallEffect::Body || !is_known {
            return Discharge::open();
        }
        let mut found = Discharge::default();
        for (at, inst) in function.code.iter().enumerate() {
            if let Inst::Return { values } = inst {
                let values = function.list(*values).to_vec();
                let at = at as u32;
                found.add(self.way(id, at, words, |piece| goal(piece, at, &values)));
            }
        }
        found
    }

    /// Whenever a register is written, it gets one of these numbers.
    fn always(&mut self, id: FuncId, reg: Reg, set: &NumberSet) -> Discharge {
        let Some(facts) = self.code.program.facts(id) else {
            return Discharge::open();
        };
        let words = format!("{} is another number", self.code.register_name(id, reg));
        let another = |piece: &mut CodePiece<'a>, reg: Reg, at: u32| {
            let value = piece.value(reg, at);
            piece
                .script
                .assert(within(&value, set).not(), "another number".to_owned());
            Some(WayEnd::Contradiction)
        };
        match facts.definitions.def(reg) {
            Definition::Inst(at) if self.code.is_boundary(id, at) => {
                let place = FactPlace::Register(reg);
                let fact = StatedFact::Known(KnownFact::In(place, set.clone()));
                self.behind_call(id, at, &fact, &words)
            }
            Definition::Inst(at) => self.way(id, at + 1, &words, |piece| another(piece, reg, at)),
            Definition::Phi(block) => {
                let mut found = Discharge::default();
                for edge in self.incoming(id, block) {
                    let goal = |piece: &mut CodePiece<'a>, last| another(piece, reg, last);
                    found.add(self.way_over(id, edge, &words, goal));
                }
                found
            }
            Definition::Param => {
                let place = FactPlace::Register(reg);
                let fact = StatedFact::Known(KnownFact::In(place, set.clone()));
                self.at_start(id, &fact, &words)
            }
            Definition::Const | Definition::Other => Discharge::open(),
        }
    }

    /// Asks whether a piece contradicts itself with what is known at its start, and keeps the facts that
    /// this needs.
    fn claim(&mut self, mut piece: CodePiece<'a>, loc: SourceLoc, words: &str) -> Discharge {
        let offered = self.premises(&mut piece);
        // Mostly values are enough, and there are fewer of them than relations.
        let is_value = |at: &usize| !is_relation(&offered[*at]);
        let all: Vec<usize> = piece.script.premises();
        let values: Vec<usize> = all.iter().copied().filter(is_value).collect();
        let start = match self.ask(&piece, &values) {
            true => values,
            false if values.len() < all.len() && self.ask(&piece, &all) => all,
            false => return Discharge::open(),
        };
        let chosen = self.cut(&piece, start);
        let script = piece.script.text(&chosen);
        if script.len() > self.bytes_left {
            return Discharge::open();
        }
        self.bytes_left -= script.len();
        self.claims.push(CertificateClaim {
            loc,
            title: words.to_owned(),
            script,
        });
        let claims = vec![self.claims.len() - 1];
        let needs = chosen
            .into_iter()
            .map(|at| self.number(offered[at].clone()));
        Discharge {
            claims,
            needs: needs.collect(),
            is_open: false,
        }
    }

    fn ask(&mut self, piece: &CodePiece<'a>, chosen: &[usize]) -> bool {
        let text = piece.script.text(chosen);
        if text.len() > LONGEST_SCRIPT {
            return false;
        }
        let cost = 1 + text.len() / BYTES_OF_A_QUESTION;
        if cost > self.questions_left {
            self.questions_left = 0;
            return false;
        }
        self.questions_left -= cost;
        (self.oracle)(&text)
    }

    /// Leaves out what the contradiction does not need: halves first, then one by one.
    fn cut(&mut self, piece: &CodePiece<'a>, mut chosen: Vec<usize>) -> Vec<usize> {
        let mut size = chosen.len();
        // The questions are bounded, and what is left over is only longer than it must be.
        let mut asked = 0;
        while size > 0 {
            let mut at = 0;
            while at < chosen.len() && asked < MOST_CUTS {
                let end = (at + size).min(chosen.len());
                let fewer = [&chosen[..at], &chosen[end..]].concat();
                asked += 1;
                match self.ask(piece, &fewer) {
                    true => chosen = fewer,
                    false => at = end,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        chosen
    }

    /// Puts what is known at the start of a piece into its script, as far as that speaks of it: facts that hold
    /// in fewer places first, so that they are left out first.
    fn premises(&mut self, piece: &mut CodePiece<'a>) -> Vec<Obligation> {
        let (id, at) = (piece.id, piece.start.at);
        let mut offered = Vec::new();
        let cone = piece.script.cone();
        let before = piece.before.clone();
        let is_spoken_of =
            |reg: &Reg| (before.get(reg)).is_none_or(|term| piece.script.speaks_of(&cone, term));
        let facts = self.facts.get(&(id, at)).map_or(&[][..], Vec::as_slice);
        let cells = piece.cells.clone();
        let is_near = |fact: &&StatedFact| {
            fact.registers().iter().all(is_spoken_of)
                && (fact.cells(self.code, id).iter()).all(|cell| {
                    cells
                        .get(cell)
                        .is_some_and(|t| piece.script.speaks_of(&cone, t))
                })
        };
        let near: Vec<StatedFact> = facts.iter().filter(is_near).cloned().collect();
        for fact in near.into_iter().take(MOST_PREMISES) {
            let Some(formula) = fact.formula(self.code, id, &mut AtStart(piece)) else {
                continue;
            };
            let words = self.code.fact_words(id, &fact);
            piece.script.premise(offered.len(), formula, words);
            offered.push(Obligation::Holds { id, at, fact });
        }
        for (reg, term) in &before {
            let mut known = self.code.always(id, *reg);
            if let (Some(damage), Some(set)) = (&mut self.damage, &mut known) {
                damage.register(set);
            }
            if let Some(set) = known.filter(|_| piece.script.speaks_of(&cone, term)) {
                let words = format!("{} at any time", self.code.register_name(id, *reg));
                (piece.script).premise(offered.len(), within(term, &set), words);
                offered.push(Obligation::Always { id, reg: *reg, set });
            }
        }
        offered
    }
}

fn is_relation(obligation: &Obligation) -> bool {
    let Obligation::Holds { fact, .. } = obligation else {
        return false;
    };
    let kind = matches!(
        fact,
        StatedFact::Known(KnownFact::In(..) | KnownFact::Stride { .. }) | StatedFact::Held(..)
    );
    !kind
}

/// The fact does not hold at the end of a piece, or it is one that held at its start.
fn state_against(
    piece: &mut CodePiece<'_>,
    at: u32,
    fact: &StatedFact,
    known: &FactsByPlace,
) -> Option<WayEnd> {
    let (code, id) = (piece.code, piece.id);
    let formula = fact.formula(code, id, &mut AtEnd(piece, at))?;
    let known = known.get(&(id, piece.start.at));
    if known.is_some_and(|known| known.contains(fact)) {
        let before = fact.formula(code, id, &mut AtStart(piece));
        if before.is_some_and(|before| before.text == formula.text) {
            return Some(WayEnd::Carried(fact.clone()));
        }
    }
    piece
        .script
        .assert(formula.not(), "what is claimed does not hold".to_owned());
    Some(WayEnd::Contradiction)
}

/// PlaceValues in front of a call, with those of parameters.
struct AtCall<'p, 'a> {
    callee: FuncId,
    end: AtEnd<'p, 'a>,
    given: Vec<(Reg, Reg)>,
}

impl PlaceValues for AtCall<'_, '_> {
    fn register(&mut self, reg: Reg) -> Option<SmtTerm> {
        let given = self.given.iter().find(|(param, _)| *param == reg);
        match given {
            Some((_, arg)) => self.end.register(*arg),
            // A constant of the function that is called.
            None => {
                let code = self.end.0.code;
                let width = code.function(self.callee).width(reg);
                match code.constant(self.callee, reg)? {
                    Const::Int(number) => Some(SmtTerm::number(width, number)),
                    _ => None,
                }
            }
        }
    }

    fn cell(&mut self, place: MemoryPlace) -> Option<SmtTerm> {
        self.end.cell(place)
    }
}
