//! What memory would have to hold for an outcome that is open: read off the code in front of a condition
//! that has come out the other way for all inputs of its path.

use super::Machine;
use super::readings::WordPlace;
use crate::candidates::{StateValue, WantedState, WantedWord};
use crate::memory::{Memory, WORD, low_mask, split};
use crate::program::{Builtin, Program, Target};
use labrys_ir::{BlockId, CastOp, CmpOp, Const, EdgeId, FuncId, Function, Inst, Reg, block_edges};
use labrys_ledger::Trigger;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many visits of each condition are looked at: with other addresses it is about other words.
const MOST_VISITS: u32 = 32;

/// Steps from a value back to the words that it is computed from.
const DEEPEST: u32 = 8;

/// The conditions that lead to the one at hand: `a` in `a && b`.
const MOST_CONDITIONS: usize = 4;

/// Instructions in front of a condition that are looked at.
const MOST_INSTRUCTIONS: usize = 256;

/// Of each outcome so many words are noted in a trial.
const MOST_DECIDING_WORDS: usize = 32;

/// By open outcome of a condition: the words that decided against it.
pub(crate) type DecidingWords = BTreeMap<Trigger, BTreeSet<WordPlace>>;

/// Something that was executed on the only way to a place.
#[derive(Clone, Copy)]
enum WayStep {
    Code(u32),
    /// On an edge.
    Copy {
        dst: Reg,
        src: Reg,
    },
    /// A branch, and which way it went.
    Branch {
        cond: Reg,
        outcome: bool,
    },
}

/// The only way to a place, from there backward.
struct WayBack<'a> {
    program: &'a Program<'a>,
    function: &'a Function,
    steps: Vec<WayStep>,
    /// By register: the last step that has written it.
    written: BTreeMap<Reg, usize>,
}

/// By block: the edge that is the only way to it, and where that begins.
type OnlyWays = Rc<[Option<(EdgeId, BlockId)>]>;

fn only_ways(function: &Function) -> OnlyWays {
    let mut found = vec![None; function.blocks.len()];
    let mut ways = vec![0u32; function.blocks.len()];
    for number in 0..function.blocks.len() {
        let source = BlockId(number as u32);
        for edge in block_edges(function, source) {
            let target = function.edges[edge.index()].target.index();
            ways[target] += 1;
            found[target] = Some((edge, source));
        }
    }
    for (way, number) in found.iter_mut().zip(ways) {
        way.take_if(|_| number != 1);
    }
    found.into()
}

impl<'a> WayBack<'a> {
    fn new(
        program: &'a Program<'a>,
        function: &'a Function,
        ways: &OnlyWays,
        place: u32,
    ) -> WayBack<'a> {
        let mut way = WayBack {
            program,
            function,
            steps: Vec::new(),
            written: BTreeMap::new(),
        };
        let is_in = |block: &labrys_ir::Block| block.start <= place && place < block.end;
        let Some(mut block) = function.blocks.iter().position(is_in) else {
            return way;
        };
        let mut end = place;
        loop {
            for at in (function.blocks[block].start..end).rev() {
                way.steps.push(WayStep::Code(at));
            }
            let Some((edge, from)) = ways[block].filter(|_| way.steps.len() < MOST_INSTRUCTIONS)
            else {
                break;
            };
            let copies = function.edges[edge.index()];
            let copies = copies.copies_start as usize..copies.copies_end as usize;
            for &(dst, src) in function.copies[copies].iter().rev() {
                way.steps.push(WayStep::Copy { dst, src });
            }
            block = from.index();
            end = function.blocks[block].end - 1;
            if let Inst::Branch { cond, then, .. } = function.code[end as usize] {
                let outcome = edge == then;
                way.steps.push(WayStep::Branch { cond, outcome });
            }
        }
        for at in 0..way.steps.len() {
            way.for_each_write(at, |written, reg| {
                written.entry(reg).or_insert(at);
            });
        }
        way
    }

    fn for_each_write(&mut self, at: usize, mut visit: impl FnMut(&mut BTreeMap<Reg, usize>, Reg)) {
        match self.steps[at] {
            WayStep::Code(at) => {
                let written = &mut self.written;
                let function = self.function;
                let inst = &function.code[at as usize];
                inst.for_each_write(function, &mut |reg| visit(written, reg));
            }
            WayStep::Copy { dst, .. } => visit(&mut self.written, dst),
            WayStep::Branch { .. } => {}
        }
    }

    /// Does a register still hold what it held in front of a step?
    fn is_kept(&self, reg: Reg, step: usize) -> bool {
        self.written.get(&reg).is_none_or(|last| *last >= step)
    }

    /// The step that has written what a register held in front of another step.
    fn definition(&self, reg: Reg, step: usize) -> Option<usize> {
        let last = *self.written.get(&reg)?;
        if last >= step {
            return Some(last);
        }
        (step..self.steps.len()).find(|at| match self.steps[*at] {
            WayStep::Code(at) => {
                let mut writes = false;
                let inst = &self.function.code[at as usize];
                inst.for_each_write(self.function, &mut |dst| writes |= dst == reg);
                writes
            }
            WayStep::Copy { dst, .. } => dst == reg,
            WayStep::Branch { .. } => false,
        })
    }
}

/// What is known of the code, and how often it was looked at.
pub(super) struct WantedReader {
    /// Memory before the program has run.
    at_start: Memory,
    ways: FxHashMap<FuncId, OnlyWays>,
    visits: FxHashMap<Trigger, u32>,
    /// By switch: its cases with their values.
    cases: FxHashMap<u32, Rc<[(Trigger, u64)]>>,
}

impl WantedReader {
    pub(super) fn new(at_start: &Memory) -> Box<Self> {
        Box::new(WantedReader {
            at_start: at_start.clone(),
            ways: FxHashMap::default(),
            visits: FxHashMap::default(),
            cases: FxHashMap::default(),
        })
    }

    /// Is this a visit that is looked at?
    fn counts(&mut self, trigger: Trigger) -> bool {
        let visits = self.visits.entry(trigger).or_default();
        *visits += 1;
        *visits <= MOST_VISITS
    }
}

impl<'m> Machine<'m> {
    /// The condition whose value `reg` holds has not had the outcome of `trigger`, for all inputs of the
    /// path.
    pub(super) fn note_wanted_outcome(&mut self, trigger: Trigger, reg: Reg, outcome: bool) {
        if self.mode.has_plain_values() {
            return self.note_deciding_words(trigger, reg);
        }
        if self.get(reg).expr.is_some() {
            return;
        }
        self.with_wanted_reader(|machine, reader| {
            if reader.counts(trigger) {
                let way = machine.way_back(reader);
                if let Some(value) = machine.memory_value(&way, reg, 0) {
                    machine.want(trigger, vec![(value, outcome)], &way, reader);
                }
            }
        });
    }

    /// In a trial: the words of memory from which a condition was computed, and those that lead to it.
    fn note_deciding_words(&mut self, trigger: Trigger, reg: Reg) {
        let Some(mut deciding) = self.deciding.take() else {
            return;
        };
        if let Some(mut reader) = self.wanted.take() {
            let way = self.way_back(&mut reader);
            let words = deciding.entry(trigger).or_default();
            let mut add = |value: Option<StateValue>| {
                if let Some(value) = value {
                    value.for_each_word(&mut |word| {
                        let place = (word.object, (word.offset / WORD) as u32);
                        if words.len() < MOST_DECIDING_WORDS {
                            words.insert(place);
                        }
                    });
                }
            };
            add(self.memory_value(&way, reg, 0));
            for (at, step) in way.steps.iter().enumerate() {
                if let WayStep::Branch { cond, .. } = *step {
                    add(self.memory_value(&way, cond, at));
                }
            }
            self.wanted = Some(reader);
        }
        self.deciding = Some(deciding);
    }

    /// A switch is about to jump on the value in `reg`.
    pub(super) fn note_wanted_cases(&mut self, switch: u32, reg: Reg) {
        if self.get(reg).expr.is_some() || self.state.speculation.is_some() {
            return;
        }
        self.with_wanted_reader(|machine, reader| {
            let known = reader.cases.entry(switch);
            let cases = known.or_insert_with(|| machine.cases_behind(switch));
            for (trigger, number) in cases.clone().iter() {
                if !machine.is_open(*trigger) || !reader.counts(*trigger) {
                    continue;
                }
                let way = machine.way_back(reader);
                let Some(value) = machine.memory_value(&way, reg, 0) else {
                    return;
                };
                let width = machine.function().width(reg);
                let number = StateValue::Number(*number & low_mask(width));
                let is = StateValue::Cmp {
                    op: CmpOp::Eq,
                    width,
                    operands: Box::new([value, number]),
                };
                machine.want(*trigger, vec![(is, true)], &way, reader);
            }
        });
    }

    fn with_wanted_reader(&mut self, work: impl FnOnce(&mut Self, &mut WantedReader)) {
        // A trial shows what one input does, not what all inputs of a path do.
        if !self.mode.has_plain_values()
            && let Some(mut reader) = self.wanted.take()
        {
            work(self, &mut reader);
            self.wanted = Some(reader);
        }
    }

    /// Does a trigger cover anything that needs a test?
    pub(crate) fn is_open(&self, trigger: Trigger) -> bool {
        let mut objectives = self.objectives.covered_by(trigger).iter();
        objectives.any(|o| !self.findings.covered.contains(*o as usize))
    }

    fn way_back(&self, reader: &mut WantedReader) -> WayBack<'m> {
        let (id, place) = (self.state.frame.function, self.state.frame.pc);
        let function = self.function();
        let ways = (reader.ways.entry(id)).or_insert_with(|| only_ways(function));
        WayBack::new(self.program, function, ways, place)
    }

    /// A state with these conditions and those that lead to the place is wanted.
    fn want(
        &mut self,
        trigger: Trigger,
        mut conditions: Vec<(StateValue, bool)>,
        way: &WayBack<'_>,
        reader: &WantedReader,
    ) {
        for (at, step) in way.steps.iter().enumerate() {
            if let WayStep::Branch { cond, outcome } = *step
                && conditions.len() < MOST_CONDITIONS
                && let Some(value) = self.memory_value(way, cond, at)
            {
                conditions.push((value, outcome));
            }
        }
        let objectives = self.objectives.covered_by(trigger);
        if let Some(new) = WantedState::new(objectives, conditions, &reader.at_start) {
            let findings = &mut self.findings;
            findings.wanted.add(new, &findings.covered);
        }
    }

    /// How the value of a register in front of a step came about, if it comes from memory.
    fn memory_value(&self, way: &WayBack<'_>, reg: Reg, step: usize) -> Option<StateValue> {
        let value = self.state_value(way, reg, step, DEEPEST)?;
        (!value.is_number()).then_some(value)
    }

    fn state_value(
        &self,
        way: &WayBack<'_>,
        reg: Reg,
        step: usize,
        deepest: u32,
    ) -> Option<StateValue> {
        let slot = self.get(reg);
        let is_known = way.is_kept(reg, step) && slot.expr.is_none();
        let number = is_known.then_some(StateValue::Number(slot.bits));
        let Some(at) = way.definition(reg, step).filter(|_| deepest > 0) else {
            return number;
        };
        let of = |reg| self.state_value(way, reg, at + 1, deepest - 1);
        let both = |a, b| Some(Box::new([of(a)?, of(b)?]));
        let inst = match way.steps[at] {
            WayStep::Code(at) => way.function.code[at as usize],
            WayStep::Copy { src, .. } => return of(src),
            WayStep::Branch { .. } => return number,
        };
        let found = match inst {
            Inst::Copy { src, .. } => of(src)?,
            Inst::Load { addr, width, .. } if width <= 64 && way.is_kept(addr, at + 1) => {
                let address = self.get(addr);
                let (object, offset) = split(address.bits);
                if address.expr.is_some() {
                    return number;
                }
                StateValue::Word(WantedWord {
                    object,
                    offset,
                    width,
                })
            }
            Inst::Cast {
                op: op @ (CastOp::Trunc | CastOp::ZExt | CastOp::SExt),
                from,
                to,
                src,
                ..
            } if from <= 64 && to <= 64 => StateValue::Cast {
                op,
                from,
                to,
                value: Box::new(of(src)?),
            },
            Inst::Bin {
                op, width, a, b, ..
            } if width <= 64 => StateValue::Bin {
                op,
                width,
                operands: both(a, b)?,
            },
            Inst::Cmp {
                op, width, a, b, ..
            } if width <= 64 => StateValue::Cmp {
                op,
                width,
                operands: both(a, b)?,
            },
            Inst::Call { callee, args, .. } => {
                let is_annotation = matches!(
                    way.program.targets[callee.index()],
                    Target::Builtin(Builtin::Cond | Builtin::Decision)
                );
                match way.function.list(args) {
                    [.., value] if is_annotation => of(*value)?,
                    _ => return number,
                }
            }
            _ => return number,
        };
        match found.is_computed_from_numbers() {
            true => number,
            false => Some(found),
        }
    }

    /// The cases of the switch that follows its annotation, as far as one value leads to them.
    fn cases_behind(&self, switch: u32) -> Rc<[(Trigger, u64)]> {
        let function = self.function();
        let behind = &function.code[self.state.frame.pc as usize..];
        let Some(Inst::Switch { table, .. }) = behind.iter().find(|inst| inst.is_terminator())
        else {
            return Rc::from([]);
        };
        let cases = function.switches[table.index()].cases.iter();
        let cases = cases.filter_map(|(value, edge)| {
            let target = function.edges[edge.index()].target;
            let case = self.case_of(function, target, switch)?;
            Some((Trigger::Case { switch, case }, *value as u64))
        });
        cases.collect()
    }

    /// The case that a block begins.
    fn case_of(&self, function: &Function, block: BlockId, switch: u32) -> Option<u32> {
        let number = |reg: Reg| {
            let mut constants = function.constants.iter();
            constants.find_map(|(known, value)| match value {
                Const::Int(value) if *known == reg => Some(*value as u32),
                _ => None,
            })
        };
        let block = function.blocks[block.index()];
        let mut code = function.code[block.start as usize..block.end as usize].iter();
        code.find_map(|inst| {
            let Inst::Call { callee, args, .. } = inst else {
                return None;
            };
            let is_case = self.program.targets[callee.index()] == Target::Builtin(Builtin::Case);
            match function.list(*args) {
                [of, case, ..] if is_case && number(*of) == Some(switch) => number(*case),
                _ => None,
            }
        })
    }
}
