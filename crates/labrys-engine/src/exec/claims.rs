//! Notes the questions without a solution that a proof rests on, each cut down to the conditions that
//! contradict each other. A search notes a few for each objective that is still open; an exploration that
//! is a proof notes all.

use super::Machine;
use crate::candidates::{Candidate, Resume};
use crate::program::{Builtin, Target};
use crate::report::{Claim, ClaimList, ClaimTopic, ClaimedCondition};
use crate::state::Frame;
use labrys_expr::{ExprId, c_text};
use labrys_ir::{EdgeId, Inst, SourceLoc};
use labrys_ledger::Trigger;
use labrys_solver::{PathCondition, for_each_conjunct};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::hash::BuildHasher;

/// The file of conditions that the user has said; their lines are the numbers of the options.
const SAID_FILE: &str = "--assume";

/// A search notes so many ways to an objective.
const MOST_WAYS: u32 = 4;

/// The claims of an exploration.
#[derive(Default)]
pub(crate) struct ClaimLog {
    claims: ClaimList,
    /// Not only those that stand before an open objective.
    everything: bool,
    /// How many ways to each event were noted.
    ways: FxHashMap<Trigger, u32>,
    /// ClaimList that are there already.
    seen: FxHashSet<u64>,
    /// The relations of loops that conditions of paths are.
    relations: FxHashMap<ExprId, Vec<(u32, usize)>>,
    /// Where conditions have joined a path first.
    places: FxHashMap<ExprId, SourceLoc>,
    /// Conditions that the user has said, by the number of the option.
    said: FxHashMap<ExprId, u32>,
}

impl ClaimLog {
    /// Notes everything.
    pub(crate) fn of_a_proof() -> Self {
        ClaimLog {
            everything: true,
            ..ClaimLog::default()
        }
    }

    pub(crate) fn take(&mut self) -> ClaimList {
        std::mem::take(&mut self.claims)
    }

    /// Is there no room for more claims?
    pub(crate) fn is_full(&self) -> bool {
        self.claims.is_full()
    }

    /// At least so many questions are not asked again.
    pub(crate) fn leave_out(&mut self, questions: usize) {
        self.claims.left_out += questions as u64;
    }

    /// Expressions are about to have other numbers.
    pub(super) fn forget_expressions(&mut self) {
        self.relations.clear();
        self.places.clear();
        self.said.clear();
    }
}

impl Machine<'_> {
    /// Is every question noted?
    pub(super) fn notes_all_claims(&self) -> bool {
        self.claims.as_ref().is_some_and(|log| log.everything)
    }

    /// A condition of the path says that a relation holds.
    pub(super) fn note_relation(&mut self, condition: ExprId, number: u32, relation: usize) {
        let Some(log) = &mut self.claims else { return };
        if log.everything {
            let relations = &mut log.relations;
            for_each_conjunct(&mut self.arena, condition, &mut |_, part| {
                relations.entry(part).or_default().push((number, relation));
            });
        }
    }

    /// The user has said that this condition holds.
    pub(super) fn note_said(&mut self, condition: ExprId) {
        let loc = self.location();
        if self.program.module.file(loc) != SAID_FILE {
            return;
        }
        let Some(log) = &mut self.claims else { return };
        let said = &mut log.said;
        for_each_conjunct(&mut self.arena, condition, &mut |_, part| {
            said.insert(part, loc.line);
        });
    }

    /// A condition joins the path here.
    pub(super) fn note_condition_place(&mut self, condition: ExprId) {
        if !self.notes_all_claims() {
            return;
        }
        let loc = self.location();
        let Some(log) = &mut self.claims else { return };
        let places = &mut log.places;
        for_each_conjunct(&mut self.arena, condition, &mut |_, part| {
            places.entry(part).or_insert(loc);
        });
    }

    /// A candidate of the search has no solution.
    pub(crate) fn claim_candidate(&mut self, candidate: &Candidate) {
        if self.claims.is_none() {
            return;
        }
        let mut triggers = Vec::new();
        let mut loc = SourceLoc::default();
        if let Some(leaf) = candidate.leaf {
            triggers.push(Trigger::Label { id: leaf.label });
        }
        if let Some(snapshot) = &candidate.snapshot {
            let edge = match candidate.resume {
                Resume::Edge(edge) => Some(edge),
                Resume::Again | Resume::Continue => None,
            };
            loc = self.location_of(&snapshot.frame);
            triggers.extend(self.events_of_way(&snapshot.frame, candidate.flip, edge));
        }
        self.claim_way(triggers, loc, &candidate.path, candidate.goal);
    }

    /// The same for a way that was not even left as a candidate.
    pub(super) fn claim_here(&mut self, goal: ExprId, edge: Option<EdgeId>) {
        if self.claims.is_none() {
            return;
        }
        let triggers = match &self.state.speculation {
            Some(speculation) => vec![Trigger::Label {
                id: speculation.label,
            }],
            None => {
                // The value that the current run does not have.
                let flip = self.annotated_value().map(|value| !value);
                self.events_of_way(&self.state.frame, flip, edge)
            }
        };
        let path = self.state.path.clone();
        self.claim_way(triggers, self.location(), &path, goal);
    }

    fn claim_way(
        &mut self,
        triggers: Vec<Trigger>,
        loc: SourceLoc,
        path: &PathCondition,
        goal: ExprId,
    ) {
        let is_open = |trigger: &Trigger| {
            let objectives = self.objectives.covered_by(*trigger).iter();
            let covered = &self.findings.covered;
            objectives.clone().any(|o| !covered.contains(*o as usize))
        };
        let Some(log) = &self.claims else { return };
        let room = |trigger: &Trigger| log.ways.get(trigger).is_none_or(|ways| *ways < MOST_WAYS);
        if log.everything || triggers.iter().any(|t| room(t) && is_open(t)) {
            self.claim(ClaimTopic::Way { triggers }, loc, path, goal);
        }
    }

    /// The goal cannot hold on the path, and a proof rests on that.
    pub(super) fn claim(
        &mut self,
        topic: ClaimTopic,
        loc: SourceLoc,
        path: &PathCondition,
        goal: ExprId,
    ) {
        let Some(log) = &mut self.claims else { return };
        if log.claims.is_full() {
            log.claims.left_out += 1;
            return;
        }
        let found = self.solver.contradiction(&mut self.arena, path, goal);
        let Ok(mut found) = found else {
            log.claims.left_out += 1;
            return;
        };
        // What the user has said is used only where nothing else contradicts.
        let used = found.constraints.iter();
        let used: BTreeSet<u32> = used.filter_map(|c| log.said.get(c).copied()).collect();
        let mut others: Vec<ExprId> = path.to_vec();
        for number in used {
            let is_other = |c: &ExprId| log.said.get(c) != Some(&number);
            let without: Vec<ExprId> = others.iter().copied().filter(is_other).collect();
            let solver = &mut self.solver;
            if let Some(better) = solver.contradicts(&mut self.arena, &without, goal) {
                (found, others) = (better, without);
            }
        }
        let digest = rustc_hash::FxBuildHasher.hash_one((&topic, &found.script));
        if !log.seen.insert(digest) {
            return;
        }
        if let ClaimTopic::Way { triggers } = &topic {
            for trigger in triggers {
                *log.ways.entry(*trigger).or_default() += 1;
            }
        }
        let places: Vec<SourceLoc> = (found.constraints.iter())
            .map(|c| log.places.get(c).copied().unwrap_or_default())
            .collect();
        let mut uses: Vec<(u32, usize)> = Vec::new();
        for condition in &found.constraints {
            uses.extend(log.relations.get(condition).into_iter().flatten());
        }
        uses.sort_unstable();
        uses.dedup();
        let said = found.constraints.iter();
        let said: BTreeSet<u32> = said.filter_map(|c| log.said.get(c).copied()).collect();
        let texts = found.constraints.iter().map(|c| self.words(*c));
        let conditions = places.into_iter().zip(texts);
        let conditions = conditions
            .map(|(loc, text)| ClaimedCondition { loc, text })
            .collect();
        let Some(log) = &mut self.claims else { return };
        log.claims.push(Claim {
            topic,
            loc,
            conditions,
            script: found.script,
            uses,
            said: said.into_iter().collect(),
        });
    }

    /// A path that joins a set of states has no value outside of it in one place.
    pub(super) fn claim_joined(&mut self, outside: ExprId) {
        if self.notes_all_claims() {
            let path = self.state.path.clone();
            self.claim(ClaimTopic::Joined, self.location(), &path, outside);
        }
    }

    /// A condition in words. Places of sets of states have the names that the source has for them.
    fn words(&self, condition: ExprId) -> String {
        let mut text = c_text(&self.arena, condition);
        let Some(graph) = &self.states else {
            return text;
        };
        let graph = graph.borrow();
        for var in self.arena.vars_iter(self.arena.vars(condition)) {
            let place = graph.places.get(&var);
            if let Some(name) = place.and_then(|place| graph.names.get(place)) {
                // The name of the variable is no word.
                let known = self.arena.var_name(var);
                text = text
                    .replace(&format!("({known})"), name)
                    .replace(known, name);
            }
        }
        text
    }

    fn location_of(&self, frame: &Frame) -> SourceLoc {
        let function = &self.program.module.functions[frame.function.index()];
        let loc = function.locs.get(frame.pc as usize);
        loc.copied().unwrap_or_default()
    }

    /// What an annotated value is in the current run.
    fn annotated_value(&mut self) -> Option<bool> {
        let frame = &self.state.frame;
        let function = &self.program.module.functions[frame.function.index()];
        let (builtin, args) = self.annotation_at(frame)?;
        let value = match builtin {
            Builtin::Cond => 2,
            Builtin::Decision => 1,
            _ => return None,
        };
        let slot = frame.regs.get(function.list(args).get(value)?.index())?;
        Some(match slot.expr {
            Some(e) => self.current.value(&self.arena, e) != 0,
            None => slot.bits != 0,
        })
    }

    fn annotation_at(&self, frame: &Frame) -> Option<(Builtin, labrys_ir::RegList)> {
        let function = &self.program.module.functions[frame.function.index()];
        self.called_builtin(function.code.get(frame.pc as usize)?)
    }

    fn called_builtin(&self, inst: &Inst) -> Option<(Builtin, labrys_ir::RegList)> {
        let Inst::Call { callee, args, .. } = *inst else {
            return None;
        };
        match *self.program.targets.get(callee.index())? {
            Target::Builtin(builtin) => Some((builtin, args)),
            _ => None,
        }
    }

    /// The events that a way begins with: the annotation of its instruction with the other value, and
    /// the annotations in the block that it leads to.
    fn events_of_way(
        &self,
        frame: &Frame,
        flip: Option<bool>,
        edge: Option<EdgeId>,
    ) -> Vec<Trigger> {
        let function = &self.program.module.functions[frame.function.index()];
        let number = |reg: &labrys_ir::Reg| Some(frame.regs.get(reg.index())?.bits as u32);
        let mut events = Vec::new();
        let mut add = |builtin: Builtin, args: labrys_ir::RegList| {
            events.extend((|| {
                Some(match (builtin, function.list(args), flip) {
                    (Builtin::Cond, [decision, index, _], Some(value)) => Trigger::Condition {
                        decision: number(decision)?,
                        index: number(index)?,
                        value,
                    },
                    (Builtin::Decision, [decision, _], Some(value)) => Trigger::Decision {
                        decision: number(decision)?,
                        value,
                    },
                    (Builtin::Case, [switch, case, ..], _) => Trigger::Case {
                        switch: number(switch)?,
                        case: number(case)?,
                    },
                    (Builtin::Reach, [id, ..], _) => Trigger::Reach { id: number(id)? },
                    _ => return None,
                })
            })());
        };
        if let Some((builtin, args)) = self.annotation_at(frame) {
            add(builtin, args);
        }
        if let Some(edge) = edge {
            let block = function.blocks[function.edges[edge.index()].target.index()];
            let code = &function.code[block.start as usize..block.end as usize];
            for (builtin, args) in code.iter().filter_map(|inst| self.called_builtin(inst)) {
                if matches!(builtin, Builtin::Case | Builtin::Reach) {
                    add(builtin, args);
                }
            }
        }
        events
    }
}
