//! The argument of a proof: its nodes from the objective backward, with their predicates in the words of the
//! source, and what closes each way to them.

use super::Frontier;
use super::evidence::{Asked, AskedConditions};
use super::graph::{LinkReason, NodeId};
use super::places::StatePlace;
use super::precondition::Preconditions;
use super::predecessors::ProgramPoint;
use super::targets::SoughtEvent;
use crate::report::ArgumentStep;
use labrys_expr::{ExprId, VarId, c_text, transplant};
use labrys_ir::SourceLoc;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A node and what closes the ways to it.
struct NodeSteps {
    node: NodeId,
    steps: Vec<ArgumentStep>,
    /// The nodes behind its ways.
    behind: BTreeSet<NodeId>,
}

impl Frontier<'_> {
    /// The steps of a proof, whose nodes lead to these and are closed.
    pub(super) fn argument(&mut self, event: SoughtEvent, targets: &[NodeId]) -> Vec<ArgumentStep> {
        let trigger = self.objectives.trigger(event.objective);
        let half = event.half.map(|value| format!("for the outcome {value}: "));
        let half = half.unwrap_or_default();
        if targets.is_empty() {
            return vec![ArgumentStep {
                loc: SourceLoc::default(),
                trigger,
                text: format!("{half}what this needs contradicts itself where it stands"),
                claims: Vec::new(),
                before: Vec::new(),
            }];
        }
        let mut parts: Vec<NodeSteps> = Vec::new();
        for node in self.nearest_first(targets) {
            let mut made = self.steps_of(node);
            if targets.contains(&node) {
                made.steps[0].trigger = trigger;
                made.steps[0].text.insert_str(0, &half);
            }
            parts.push(made);
        }
        // Where the steps of each node begin.
        let mut begins: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut at = 0;
        for part in &parts {
            begins.insert(part.node, at);
            at += part.steps.len();
        }
        for part in &mut parts {
            let before = part.behind.iter().filter_map(|node| begins.get(node));
            part.steps[0].before = before.copied().collect();
            part.steps[0].before.sort_unstable();
        }
        parts.into_iter().flat_map(|part| part.steps).collect()
    }

    fn nearest_first(&self, targets: &[NodeId]) -> Vec<NodeId> {
        let mut open: VecDeque<NodeId> = targets.iter().copied().collect();
        let mut seen: BTreeSet<NodeId> = BTreeSet::new();
        let mut order = Vec::new();
        while let Some(id) = open.pop_front() {
            if seen.insert(id) {
                order.push(id);
                let links = &self.graph.get(id).links;
                open.extend(links.iter().filter_map(|link| link.from));
            }
        }
        order
    }

    /// The first step is the node itself, the others are the ways to it that are impossible.
    fn steps_of(&mut self, id: NodeId) -> NodeSteps {
        let node = self.graph.get(id);
        let (place, links) = (node.place, node.links.clone());
        let conjuncts = node.predicate.conjuncts.clone();
        let held = self.named(&conjuncts, &BTreeSet::new());
        let held = held.iter().map(|part| c_text(&self.evidence.arena, *part));
        let held: Vec<String> = held.collect();
        let loc = self.location(place);
        let mut own = ArgumentStep {
            loc,
            trigger: None,
            text: match held.is_empty() {
                true => "control would have to come here".to_owned(),
                false => format!("{} would have to hold here", held.join(" and ")),
            },
            claims: Vec::new(),
            before: Vec::new(),
        };
        let mut behind = BTreeSet::new();
        let mut closed: Vec<ArgumentStep> = Vec::new();
        for link in links {
            let end = ProgramPoint {
                frame: link.predecessor.place.frame,
                pc: link.predecessor.last,
            };
            let loc = self.location(end);
            match (link.from, link.reason) {
                (Some(from), LinkReason::Conditions { needed, way }) => {
                    behind.insert(from);
                    let start = link.predecessor.place;
                    own.claims
                        .extend(self.follows(from, (start, loc), needed, way));
                }
                (Some(from), _) => drop(behind.insert(from)),
                (None, reason) => {
                    let start = link.predecessor.place;
                    let found = self.impossible(&conjuncts, reason, (start, loc));
                    add_step(&mut closed, loc, found);
                }
            }
        }
        if self.graph.get(id).is_contradicted {
            let found = self.contradicts_all_runs(place, &conjuncts, loc);
            add_step(&mut closed, loc, found);
        } else if self.pieces_of().origins(place).from_outside {
            let found = self.contradicts_start(place, id, loc);
            let text = match found.text.as_str() {
                "" => "not so where the program starts".to_owned(),
                text => format!("where the program starts, {text}"),
            };
            let found = Asked { text, ..found };
            add_step(&mut closed, loc, found);
        }
        let mut steps = vec![own];
        steps.extend(closed);
        NodeSteps {
            node: id,
            steps,
            behind,
        }
    }

    /// That the predicate of a node follows from what is needed in front of a piece.
    fn follows(
        &mut self,
        node: NodeId,
        (start, loc): (ProgramPoint, SourceLoc),
        needed: Vec<ExprId>,
        way: Vec<ExprId>,
    ) -> Option<usize> {
        let all: Vec<ExprId> = needed.iter().chain(&way).copied().collect();
        let parts = self.graph.get(node).predicate.conjuncts.clone();
        let parts: Vec<ExprId> = parts.into_iter().filter(|p| !all.contains(p)).collect();
        if parts.is_empty() {
            return None;
        }
        let parts = self.all_of(&parts);
        let other = self.terms.arena.not(parts);
        let about = [&all[..], &[other]].concat();
        let known = self.known_at(start, &about);
        let given = self.with_facts(&[&about[..], &known].concat(), all);
        let asked = AskedConditions {
            needed: self.named(&[other], &BTreeSet::new()),
            given: self.named(&given, &BTreeSet::new()),
            known: self.named(&known, &BTreeSet::new()),
        };
        self.evidence.ask(asked, loc).claim
    }

    /// Why a predicate cannot hold behind a piece.
    fn impossible(
        &mut self,
        predicate: &[ExprId],
        reason: LinkReason,
        (start, loc): (ProgramPoint, SourceLoc),
    ) -> Asked {
        match reason {
            LinkReason::NoWay => Asked {
                text: "control does not get through here".to_owned(),
                ..Asked::default()
            },
            LinkReason::Conditions { needed, way } => {
                let about = [&needed[..], &way].concat();
                let known = self.known_at(start, &about);
                let given = self.with_facts(&[&about[..], &known].concat(), way);
                let asked = AskedConditions {
                    needed: self.named(&needed, &BTreeSet::new()),
                    given: self.named(&given, &BTreeSet::new()),
                    known: self.named(&known, &BTreeSet::new()),
                };
                self.evidence.ask(asked, loc)
            }
            LinkReason::AtSight { values, way } => {
                self.at_sight(predicate, &values, &way, &[], loc)
            }
        }
    }

    /// Why a predicate cannot hold where something is known of all runs.
    fn contradicts_all_runs(
        &mut self,
        place: ProgramPoint,
        predicate: &[ExprId],
        loc: SourceLoc,
    ) -> Asked {
        let known = self.known_at(place, predicate);
        let no = self.terms.arena.no();
        if known.contains(&no) {
            self.evidence.goes_by_known = true;
            return Asked {
                text: format!("no run comes here (by {})", self.evidence.rule),
                ..Asked::default()
            };
        }
        let given = self.lie_apart(&[predicate, &known].concat());
        let asked = AskedConditions {
            needed: self.named(predicate, &BTreeSet::new()),
            given: self.named(&given, &BTreeSet::new()),
            known: self.named(&known, &BTreeSet::new()),
        };
        self.evidence.ask(asked, loc)
    }

    fn contradicts_start(&mut self, place: ProgramPoint, id: NodeId, loc: SourceLoc) -> Asked {
        let predicate = self.graph.get(id).predicate.clone();
        let is_start = self.contexts.get(place.frame).is_start;
        let preconditions = Preconditions {
            program: self.program,
            facts: &self.facts,
        };
        let values =
            preconditions.initial_values(&mut self.terms, place.frame, is_start, &predicate);
        let known = self.known_at(place, &predicate.conjuncts);
        self.at_sight(&predicate.conjuncts, &values, &[], &known, loc)
    }

    /// The contradiction without anything put in its place: the predicate behind the piece, what its places
    /// hold there in terms of what they held before, the conditions of the way, and what is known behind it.
    fn at_sight(
        &mut self,
        predicate: &[ExprId],
        values: &BTreeMap<StatePlace, ExprId>,
        way: &[ExprId],
        known: &[ExprId],
        loc: SourceLoc,
    ) -> Asked {
        let mut changed: BTreeSet<VarId> = BTreeSet::new();
        let mut equations: Vec<(ExprId, ExprId)> = Vec::new();
        for (place, value) in values {
            let arena = &mut self.terms.arena;
            let width = arena.width(*value);
            let now = self.terms.places.of(arena, *place, width);
            if now != *value {
                changed.extend(arena.vars_iter(arena.vars(now)));
                equations.push((now, *value));
            }
        }
        let needed = self.named(predicate, &BTreeSet::new());
        let mut all = predicate.to_vec();
        all.extend(equations.iter().map(|(_, value)| *value));
        let facts = self.lie_apart(&[&all[..], way].concat());
        let mut given = Vec::new();
        for (now, value) in equations {
            let now = self.named(&[now], &BTreeSet::new());
            let value = self.named(&[value], &changed);
            let arena = &mut self.evidence.arena;
            given.extend(
                now.iter()
                    .zip(&value)
                    .map(|(now, value)| arena.eq(*now, *value)),
            );
        }
        given.extend(self.named(way, &changed));
        given.extend(self.named(&facts, &changed));
        let asked = AskedConditions {
            needed,
            given,
            known: self.named(known, &BTreeSet::new()),
        };
        self.evidence.ask(asked, loc)
    }

    /// Some conditions with what holds of the objects that are in others.
    fn with_facts(&mut self, about: &[ExprId], mut conditions: Vec<ExprId>) -> Vec<ExprId> {
        conditions.extend(self.lie_apart(about));
        conditions
    }

    /// The same conditions over variables with names. Those that change are meant as they were before.
    fn named(&mut self, conditions: &[ExprId], changed: &BTreeSet<VarId>) -> Vec<ExprId> {
        let Frontier {
            evidence,
            terms,
            program,
            ..
        } = self;
        for condition in conditions {
            for var in terms.arena.vars_iter(terms.arena.vars(*condition)) {
                let key = (var, changed.contains(&var));
                if !evidence.vars.contains_key(&key) {
                    let name = evidence.words.name(program, &terms.places, var);
                    let name = match key.1 {
                        true => format!("{name} before"),
                        false => name,
                    };
                    let width = terms.arena.var_width(var);
                    let named = evidence.arena.new_var(&name, width);
                    let named = evidence.arena.var_expr(named);
                    evidence.vars.insert(key, named);
                }
            }
        }
        let vars = &evidence.vars;
        transplant(
            &terms.arena,
            &mut evidence.arena,
            conditions,
            &mut |arena, var| {
                let named = vars.get(&(var, changed.contains(&var))).copied();
                named.unwrap_or_else(|| arena.no())
            },
        )
    }
}

/// A way that is impossible; ways for the same reason are one step.
fn add_step(steps: &mut Vec<ArgumentStep>, loc: SourceLoc, found: Asked) {
    let text = match found.text.as_str() {
        "" => "not so on the way from here".to_owned(),
        text => text.to_owned(),
    };
    let same = |step: &&mut ArgumentStep| step.loc == loc && step.text == text;
    match steps.iter_mut().find(same) {
        Some(step) => step.claims.extend(found.claim),
        None => steps.push(ArgumentStep {
            loc,
            trigger: None,
            text,
            claims: found.claim.into_iter().collect(),
            before: Vec::new(),
        }),
    }
}
