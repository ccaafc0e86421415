//! What a candidate does for certain: from its first step on, as long as the code can go only one
//! way, with the objectives that it covers there.
//!
//! The result depends on the code alone and is the same for every candidate that starts there.

use super::flow::Flow;
use crate::memory::{low_mask, sign_extend};
use crate::objectives::ObjectiveMap;
use crate::program::annotations::{Annotation, Numbers, annotation_of, triggers_of};
use crate::program::concrete::{concrete_bin, concrete_cmp};
use crate::program::{Program, Target};
use labrys_ir::{CastOp, Const, EdgeId, FuncId, Function, Inst, Reg};
use labrys_ledger::Trigger;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a candidate starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CandidateStart {
    /// Over an edge of the function.
    Edge(EdgeId),
    /// At an instruction, of which nothing is known.
    At(u32),
    /// At an annotation of a condition, which has this value.
    Outcome(u32, bool),
}

/// The certain part of a candidate's way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CertainWay {
    /// The objectives covered on it.
    pub(crate) hits: Vec<u32>,
    /// Where it is no longer certain how to go on.
    pub(crate) node: u32,
    /// The node's own objectives are behind it.
    pub(crate) inside: bool,
}

/// What is known of the registers of a function.
pub(crate) struct RegisterFacts {
    numbers: Numbers,
    constants: Vec<Option<u64>>,
}

impl RegisterFacts {
    pub(crate) fn of(function: &Function) -> Self {
        let mut constants = vec![None; function.widths.len()];
        for (reg, value) in &function.constants {
            if let Const::Int(value) = value
                && function.width(*reg) <= 64
            {
                constants[reg.index()] = Some(*value as u64);
            }
        }
        RegisterFacts {
            numbers: Numbers::of(function),
            constants,
        }
    }
}

/// At most this many instructions are followed.
const MOST: u32 = 512;

pub(crate) fn follow(
    program: &Program<'_>,
    objectives: &ObjectiveMap,
    flow: &Flow,
    facts: &RegisterFacts,
    id: FuncId,
    start: CandidateStart,
) -> CertainWay {
    let mut walk = CertainWalk::new(program, objectives, facts, id);
    match start {
        CandidateStart::At(place) => walk.place = place,
        CandidateStart::Edge(edge) => {
            walk.take(edge);
            walk.go();
        }
        CandidateStart::Outcome(place, value) => {
            walk.place = place;
            walk.annotation(value);
            walk.go();
        }
    }
    let triggers = walk.triggers.iter();
    let mut hits: Vec<u32> = triggers
        .flat_map(|t| objectives.covered_by(*t))
        .copied()
        .collect();
    hits.sort_unstable();
    hits.dedup();
    let node = flow.node_at(id, walk.place);
    CertainWay {
        hits,
        node,
        inside: !flow.is_start(node, walk.place),
    }
}

/// How a candidate leaves its block.
pub(crate) struct FirstEdge {
    pub(crate) edge: EdgeId,
    /// Registers that are written before, with their values if these are known.
    pub(crate) written: BTreeMap<Reg, Option<u64>>,
}

impl FirstEdge {
    /// Nothing is written before.
    pub(crate) fn over(edge: EdgeId) -> Self {
        FirstEdge {
            edge,
            written: BTreeMap::new(),
        }
    }
}

/// How a candidate leaves its block that starts at the annotation of a condition with this value; none if
/// that is not certain.
pub(crate) fn first_edge(
    program: &Program<'_>,
    objectives: &ObjectiveMap,
    facts: &RegisterFacts,
    id: FuncId,
    place: u32,
    value: bool,
) -> Option<FirstEdge> {
    let mut walk = CertainWalk::new(program, objectives, facts, id);
    walk.place = place;
    walk.annotation(value);
    let mut left = MOST;
    let edge = walk.next_edge(&mut left)?;
    Some(FirstEdge {
        edge,
        written: walk.known.into_iter().collect(),
    })
}

struct CertainWalk<'a> {
    program: &'a Program<'a>,
    objectives: &'a ObjectiveMap,
    function: &'a Function,
    facts: &'a RegisterFacts,
    /// Registers that were written on the way, with their values if these are known.
    known: FxHashMap<Reg, Option<u64>>,
    triggers: Vec<Trigger>,
    place: u32,
}

impl<'a> CertainWalk<'a> {
    fn new(
        program: &'a Program<'a>,
        objectives: &'a ObjectiveMap,
        facts: &'a RegisterFacts,
        id: FuncId,
    ) -> Self {
        CertainWalk {
            program,
            objectives,
            function: &program.module.functions[id.index()],
            facts,
            known: FxHashMap::default(),
            triggers: Vec::new(),
            place: 0,
        }
    }

    fn get(&self, reg: Reg) -> Option<u64> {
        if let Some(value) = self.known.get(&reg) {
            return *value;
        }
        self.facts.constants[reg.index()]
    }

    fn take(&mut self, edge: EdgeId) {
        for (dst, src) in self.function.edge_copies(edge) {
            let value = self.get(*src);
            self.known.insert(*dst, value);
        }
        let block = self.function.edges[edge.index()].target;
        self.place = self.function.blocks[block.index()].start;
    }

    /// Passes an annotation with a value.
    fn annotation(&mut self, value: bool) {
        let inst = &self.function.code[self.place as usize];
        let targets = &self.program.targets;
        if let Some((note, operands)) =
            annotation_of(inst, self.function, &self.facts.numbers, targets)
        {
            match note {
                Annotation::Condition { decision, index } => {
                    self.triggers.push(Trigger::Condition {
                        decision,
                        index,
                        value,
                    })
                }
                Annotation::Decision { decision } => {
                    self.triggers.push(Trigger::Decision { decision, value });
                }
                Annotation::Reach { id } => self.triggers.push(Trigger::Reach { id }),
            }
            if let Some((dst, _)) = operands {
                self.known.insert(dst, Some(value.into()));
            }
            self.place += 1;
        }
    }

    /// Goes on as long as there is only one way.
    fn go(&mut self) {
        let mut left = MOST;
        while let Some(edge) = self.next_edge(&mut left) {
            self.take(edge);
        }
    }

    /// The edge at the end of the block, if it is certain; so many instructions may be looked at.
    fn next_edge(&mut self, left: &mut u32) -> Option<EdgeId> {
        loop {
            *left = left.checked_sub(1)?;
            match *self.function.code.get(self.place as usize)? {
                Inst::Jump { edge } => return Some(edge),
                Inst::Branch { cond, then, other } => {
                    let value = self.get(cond)?;
                    return Some(if value != 0 { then } else { other });
                }
                Inst::Switch { value, table } => {
                    let value = self.get(value)?;
                    let table = &self.function.switches[table.index()];
                    let case = table.cases.iter().find(|(v, _)| *v == u128::from(value));
                    return case.map(|(_, edge)| *edge).or(table.default);
                }
                ref inst if inst.is_terminator() => return None,
                _ if self.pass() => {}
                _ => return None,
            }
        }
    }

    /// Passes an instruction inside a block; false if it is not certain what it does.
    fn pass(&mut self) -> bool {
        let (function, targets) = (self.function, &self.program.targets);
        let inst = &function.code[self.place as usize];
        match *inst {
            Inst::CallPointer { .. } | Inst::Intrinsic { .. } => return false,
            Inst::Call { callee, .. } => {
                let note = annotation_of(inst, function, &self.facts.numbers, targets);
                if let Some((note, operands)) = note {
                    // The pairs of a decision are owned by the node with which it begins, and what
                    // its evaluation brings is open until its end.
                    if let Annotation::Condition { decision, .. } = note
                        && self.objectives.pair_decisions.is_followed(decision)
                    {
                        return false;
                    }
                    let value = match operands {
                        Some((_, value)) => self.get(value),
                        None => Some(1),
                    };
                    let Some(value) = value else { return false };
                    self.annotation(value != 0);
                    return true;
                }
                let is_case = |t: &Trigger| matches!(t, Trigger::Case { .. });
                let triggers = triggers_of(inst, function, &self.facts.numbers, targets);
                match self.program.targets[callee.index()] {
                    _ if triggers.iter().any(is_case) => self.triggers.extend(triggers),
                    Target::Math(_) | Target::Native(_) => {}
                    _ => return false,
                }
            }
            _ => {}
        }
        let value = self.value(inst);
        let known = &mut self.known;
        inst.for_each_write(function, &mut |reg| {
            known.insert(reg, value);
        });
        self.place += 1;
        true
    }

    /// The value that an instruction computes out of known ones.
    fn value(&self, inst: &Inst) -> Option<u64> {
        match *inst {
            Inst::Copy { src, .. } => self.get(src),
            Inst::Select { cond, a, b, .. } => {
                let chosen = if self.get(cond)? != 0 { a } else { b };
                self.get(chosen)
            }
            Inst::Cmp {
                op, width, a, b, ..
            } if width <= 64 => Some(concrete_cmp(op, width, self.get(a)?, self.get(b)?).into()),
            Inst::Bin {
                op, width, a, b, ..
            } if width <= 64 => concrete_bin(op, width, self.get(a)?, self.get(b)?),
            Inst::Cast {
                op, from, to, src, ..
            } if from <= 64 && to <= 64 => {
                let value = self.get(src)?;
                match op {
                    CastOp::ZExt => Some(value),
                    CastOp::Trunc => Some(value & low_mask(to)),
                    CastOp::SExt => Some(sign_extend(value, from) as u64 & low_mask(to)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
