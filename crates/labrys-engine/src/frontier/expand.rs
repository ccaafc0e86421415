//! A step backward: what must hold in front of every piece of code that leads to a node (algorithm 2 of the
//! paper), with less in it where no state that was seen needs more.

use super::graph::{Boldness, Care, Kin, Link, LinkReason, NodeId, NodeState};
use super::memory_effects::MemoryEffects;
use super::places::StatePlace;
use super::precondition::{Precondition, Preconditions, Predicate, conjuncts};
use super::predecessors::{Pieces, Predecessor, ProgramPoint};
use super::samples::value_under;
use super::{Frontier, Terms};
use crate::memory::ObjectId;
use labrys_expr::{Arena, ExprId, Model, VarId};
use labrys_solver::{Answer, PathCondition};
use std::collections::BTreeSet;

/// A predicate is compared with so many others of its place, the latest first.
const MOST_COMPARED: usize = 6;

/// A conjunct of more nodes than this is left out.
const LARGEST: usize = 4_000;

impl Frontier<'_> {
    /// Looks at all that leads to a node.
    pub(super) fn expand(&mut self, id: NodeId) {
        let place = self.graph.get(id).place;
        if self.is_seen(id) {
            self.graph.get_mut(id).state = NodeState::Reached;
            return;
        }
        if self.contradicts_known(id) {
            let node = self.graph.get_mut(id);
            node.is_contradicted = true;
            node.state = NodeState::Expanded;
            return;
        }
        let origins = self.pieces_of().origins(place);
        if origins.from_outside && self.holds_at_start(id) {
            self.graph.get_mut(id).state = NodeState::Reached;
            return;
        }
        let mut links = Vec::new();
        for predecessor in origins.predecessors {
            links.push(self.link(id, predecessor, Care::Seen));
        }
        let node = self.graph.get_mut(id);
        node.links = links;
        node.state = NodeState::Expanded;
    }

    /// Makes the node behind a link say all that is needed.
    pub(super) fn strengthen(&mut self, id: NodeId, number: usize) {
        let Link {
            predecessor, care, ..
        } = self.graph.get(id).links[number];
        let link = self.link(id, predecessor, care.more());
        self.graph.get_mut(id).links[number] = link;
    }

    pub(super) fn pieces_of(&self) -> Pieces<'_> {
        Pieces {
            module: self.program.module,
            facts: &self.facts,
            contexts: &self.contexts,
        }
    }

    /// Was a state seen in which the predicate of a node holds?
    pub(super) fn is_seen(&mut self, id: NodeId) -> bool {
        let node = self.graph.get(id);
        let truths = self
            .samples
            .truths(&self.terms, node.place, &node.predicate.conjuncts);
        truths.iter().any(|holds| holds.iter().all(|holds| *holds))
    }

    /// Does the predicate of an objective contradict what holds in all runs? Those of other nodes were asked
    /// when they were made.
    fn contradicts_known(&mut self, id: NodeId) -> bool {
        let mut targets = self.targets.values().flat_map(|target| &target.nodes);
        if !targets.any(|target| *target == id) {
            return false;
        }
        let node = self.graph.get(id);
        let (place, conjuncts) = (node.place, node.predicate.conjuncts.clone());
        let known = self.known_at(place, &conjuncts);
        !known.is_empty() && !self.can_hold(&conjuncts, &known)
    }

    fn holds_at_start(&mut self, id: NodeId) -> bool {
        let node = self.graph.get(id);
        let place = node.place;
        let context = self.contexts.get(node.place.frame);
        let preconditions = Preconditions {
            program: self.program,
            facts: &self.facts,
        };
        let made = preconditions.at_start(
            &mut self.terms,
            node.place.frame,
            context.is_start,
            &node.predicate,
        );
        let known = self.known_at(place, &made.clone().unwrap_or_default());
        made.is_some_and(|conjuncts| self.can_hold(&conjuncts, &known))
    }

    fn link(&mut self, id: NodeId, predecessor: Predecessor, care: Care) -> Link {
        let mut link = Link {
            predecessor,
            from: None,
            weakened: false,
            care,
            reason: LinkReason::NoWay,
            rests_on: BTreeSet::new(),
        };
        self.pieces += 1;
        let Precondition {
            needed,
            way,
            is_possible,
            values,
            rests_on,
        } = self.precondition(id, predecessor);
        link.rests_on = rests_on;
        let all: Vec<ExprId> = needed.iter().chain(&way).copied().collect();
        let all = is_possible.then(|| conjuncts(&mut self.terms.arena, &all));
        let Some(all) = all.flatten() else {
            if let Some(values) = values {
                link.reason = LinkReason::AtSight { values, way };
            }
            return link;
        };
        let mut all = self.without_free_values(all);
        let (of_predicate, of_way) = all.iter().partition(|part| needed.contains(part));
        link.reason = LinkReason::Conditions {
            needed: of_predicate,
            way: of_way,
        };
        let known = self.known_at(predecessor.place, &all);
        if !self.can_hold(&all, &known) {
            // What it rests on stays: the way may be impossible because of it.
            return link;
        }
        let place = predecessor.place;
        let kin = self.graph.get(id).kin;
        // A node that says less, but has not been reached, will do.
        if care != Care::Nothing
            && let Some(known) = self.implied(place, &needed, &all, kin)
        {
            link.from = Some(known);
            link.weakened = self.graph.get(known).predicate.conjuncts != all;
            return link;
        }
        if care == Care::Seen {
            let before = all.len();
            all = self.weaken(place, all, &way, kin.boldness);
            link.weakened = all.len() < before;
        }
        let predicate = Predicate { conjuncts: all };
        link.from = Some(self.graph.node(place, predicate, kin));
        link
    }

    fn precondition(&mut self, id: NodeId, predecessor: Predecessor) -> Precondition {
        let model = self.samples.latest(&self.terms.places, predecessor.place);
        let seen = |arena: &Arena, e: ExprId| {
            let model = model.as_ref()?;
            Some(value_under(arena, model, e))
        };
        let predicate = self.graph.get(id).predicate.clone();
        let preconditions = Preconditions {
            program: self.program,
            facts: &self.facts,
        };
        preconditions.over(&mut self.terms, predecessor, &predicate, &seen)
    }

    /// Leaves out what is only about values that may be anything, if such values can be found. What shares a
    /// value holds together, or not.
    fn without_free_values(&mut self, conjuncts: Vec<ExprId>) -> Vec<ExprId> {
        let Terms { arena, places } = &self.terms;
        let is_free = |var: &VarId| places.place(*var).is_none() && !places.is_elsewhere(*var);
        let small = |e: &ExprId| !is_larger(arena, *e, LARGEST);
        let conjuncts: Vec<ExprId> = conjuncts.into_iter().filter(small).collect();
        let mut groups: Vec<(BTreeSet<VarId>, Vec<ExprId>)> = Vec::new();
        for conjunct in &conjuncts {
            let mut vars: BTreeSet<VarId> = arena.vars_iter(arena.vars(*conjunct)).collect();
            let mut parts = vec![*conjunct];
            groups.retain(|(others, more)| {
                let is_apart = others.is_disjoint(&vars);
                if !is_apart {
                    vars.extend(others);
                    parts.extend(more);
                }
                is_apart
            });
            groups.push((vars, parts));
        }
        groups.retain(|(vars, _)| !vars.is_empty() && vars.iter().all(is_free));
        let mut found: BTreeSet<ExprId> = BTreeSet::new();
        for (_, parts) in groups {
            // A single condition that contradicts itself would be too rare to ask for.
            if parts.len() == 1 || self.can_hold(&parts, &[]) {
                found.extend(parts);
            }
        }
        let is_left = |e: &ExprId| !found.contains(e);
        conjuncts.into_iter().filter(is_left).collect()
    }

    /// The conjunction may hold where something is known, or nobody knows.
    pub(super) fn can_hold(&mut self, conjuncts: &[ExprId], known: &[ExprId]) -> bool {
        let mut all = [conjuncts, known].concat();
        all.extend(self.lie_apart(&all));
        let goal = self.all_of(&all);
        let path = PathCondition::new();
        let answer = (self.solver).solve(&mut self.terms.arena, &path, goal, &Model::new());
        !matches!(answer, Answer::Unsat)
    }

    /// What holds of the objects in some conditions: they are not at null, and do not overlap.
    pub(super) fn lie_apart(&mut self, conditions: &[ExprId]) -> Vec<ExprId> {
        let mut objects: BTreeSet<ObjectId> = BTreeSet::new();
        for condition in conditions {
            let vars = self.terms.arena.vars(*condition);
            let vars = self.terms.arena.vars_iter(vars);
            objects.extend(vars.filter_map(|var| match self.terms.places.place(var) {
                Some(StatePlace::Base(object)) => Some(object),
                _ => None,
            }));
        }
        let mut facts = Vec::new();
        let mut before: Vec<(ExprId, ExprId, bool)> = Vec::new();
        for object in objects {
            let (size, may_be_shared) = self.extent(object);
            let Terms { arena, places } = &mut self.terms;
            let start = places.address(arena, object, 0);
            let end = places.address(arena, object, size);
            let zero = arena.constant(64, 0);
            facts.push(arena.ne(start, zero));
            facts.push(arena.ule(start, end));
            for (other_start, other_end, other_shared) in &before {
                if !(may_be_shared && *other_shared) {
                    let below = arena.ule(end, *other_start);
                    let above = arena.ule(*other_end, start);
                    facts.push(arena.or(below, above));
                }
            }
            before.push((start, end, may_be_shared));
        }
        facts
    }

    /// How large an object is, and whether it may share its bytes with others of the same contents.
    fn extent(&self, object: ObjectId) -> (u64, bool) {
        if let Some(global) = self.program.global_at(object) {
            return (global.size.max(1), global.mergeable);
        }
        let memory = MemoryEffects::new(self.program, &self.facts);
        let shape = memory.shape(&self.terms.places, object);
        (shape.map_or(1, |shape| shape.size.max(1)), false)
    }

    pub(super) fn all_of(&mut self, conjuncts: &[ExprId]) -> ExprId {
        let arena = &mut self.terms.arena;
        let mut all = arena.yes();
        for conjunct in conjuncts {
            all = arena.and(all, *conjunct);
        }
        all
    }

    /// Leaves conjuncts out as long as no state of the place that was seen satisfies the rest; first those
    /// that only say which way control goes.
    fn weaken(
        &mut self,
        place: ProgramPoint,
        all: Vec<ExprId>,
        way: &[ExprId],
        boldness: Boldness,
    ) -> Vec<ExprId> {
        if !self.is_sampled(place) || boldness == Boldness::Exact {
            return all;
        }
        let truths = self.samples.truths(&self.terms, place, &all);
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| (!way.contains(&all[*at]), usize::MAX - *at));
        let mut kept = vec![true; all.len()];
        if boldness == Boldness::Careful {
            order.retain(|at| way.contains(&all[*at]));
        }
        for at in order {
            kept[at] = false;
            let is_reached = truths.iter().any(|holds| {
                let mut pairs = holds.iter().zip(&kept);
                pairs.all(|(holds, kept)| *holds || !*kept)
            });
            kept[at] = is_reached;
        }
        let kept = all.into_iter().zip(kept).filter(|(_, kept)| *kept);
        kept.map(|(conjunct, _)| conjunct).collect()
    }

    /// Are states noted at this place when runs pass it?
    fn is_sampled(&self, place: ProgramPoint) -> bool {
        let pieces = self.pieces_of();
        let function = pieces.function(place.frame);
        let mut blocks = function.blocks.iter().skip(1);
        blocks.any(|block| block.start == place.pc)
    }

    /// A node of a place that was not reached and whose predicate follows from what is needed, or for the same
    /// objective from all that holds.
    fn implied(
        &mut self,
        place: ProgramPoint,
        needed: &[ExprId],
        all: &[ExprId],
        kin: Kin,
    ) -> Option<NodeId> {
        let usable = |id: &&NodeId| {
            let node = self.graph.get(**id);
            node.state != NodeState::Reached && node.kin.boldness == kin.boldness
        };
        let known: Vec<NodeId> = self
            .graph
            .at(place)
            .iter()
            .filter(usable)
            .copied()
            .collect();
        for id in &known {
            let node = self.graph.get(*id);
            let given = if node.kin == kin { all } else { needed };
            let mut parts = node.predicate.conjuncts.iter();
            if parts.all(|part| given.contains(part)) {
                return Some(*id);
            }
        }
        let mut same = known
            .iter()
            .rev()
            .filter(|id| self.graph.get(**id).kin == kin);
        let same: Vec<NodeId> = same.by_ref().take(MOST_COMPARED).copied().collect();
        for id in same {
            let other = self.graph.get(id).predicate.conjuncts.clone();
            let other = self.all_of(&other);
            let mut both = all.to_vec();
            both.push(self.terms.arena.not(other));
            let known = self.known_at(place, &both);
            if !self.can_hold(&both, &known) {
                return Some(id);
            }
        }
        None
    }
}

/// Has the expression more nodes than this?
fn is_larger(arena: &Arena, e: ExprId, most: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if seen.insert(e) {
            if seen.len() > most {
                return true;
            }
            arena.for_each_operand(e, |operand| open.push(operand));
        }
    }
    false
}
