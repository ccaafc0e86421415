//! The coverage structure (paper on coverage structures in `docs/papers.md`, section III): the flow
//! of control through the program with the objectives that are still open, whatever their
//! criterion. It says whether a candidate can cover anything, whether it does so for certain, and
//! how much there is to cover near it.
//!
//! It is kept up to date as objectives are covered: an update costs what it closes, whatever the
//! size of the program and the number of candidates.

mod components;
mod contexts;
mod evaluations;
mod flow;
mod follow;
mod live;
mod potential;
mod reach;
#[cfg(test)]
mod tests;

use crate::bitset::BitSet;
use crate::candidates::{ALWAYS, Candidate, CoverageStructure, Rank, Resume, SpotId, Ticket};
use crate::mcdc::{Pairs, PassageId};
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::state::Frame;
pub(crate) use components::components;
pub(crate) use follow::{CandidateStart, FirstEdge, RegisterFacts, first_edge};
pub(crate) use reach::{Reach, ReachableObjectives};

use contexts::{CandidateFuture, ContextId, Contexts, OUTSIDE};
use evaluations::{BegunEvaluations, ChangedRelevance};
use flow::Flow;
use follow::{CertainWay, follow};
use labrys_ir::FuncId;
use labrys_ledger::Relevance;
use live::LiveComponents;
use potential::LevelWalks;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Contexts beyond this number are not told apart: what waits there is always worth running.
const MOST_CONTEXTS: usize = 1 << 20;

pub(crate) struct ProgramStructure<'m> {
    program: &'m Program<'m>,
    objectives: &'m ObjectiveMap,
    levels: u32,
    flow: Flow,
    live: LiveComponents,
    contexts: Contexts,
    evaluations: BegunEvaluations,
    /// Spots that have become better.
    risen: Vec<SpotId>,
    walks: LevelWalks,
    /// The nodes that own each objective.
    owners: FxHashMap<u32, Vec<u32>>,
    /// Open objectives of each node.
    open: Vec<u32>,
    closed: BitSet,
    course_ids: FxHashMap<(FuncId, CandidateStart), u32>,
    courses: Vec<CertainWay>,
    facts: FxHashMap<FuncId, RegisterFacts>,
    /// The rank of each spot with the time of its computation.
    ranks: Vec<Option<(u64, Rank)>>,
    /// Counts the objectives that were covered.
    now: u64,
    /// Contexts of the frames of one run.
    frames: FxHashMap<*const Frame, ContextId>,
}

impl<'m> ProgramStructure<'m> {
    pub(crate) fn new(program: &'m Program<'m>, objectives: &'m ObjectiveMap, levels: u32) -> Self {
        let flow = Flow::new(program, objectives);
        let live = LiveComponents::new(&flow.graph);
        let mut owners: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (node, owned) in flow.graph.owned.iter().enumerate() {
            for objective in owned {
                owners.entry(*objective).or_default().push(node as u32);
            }
        }
        ProgramStructure {
            program,
            objectives,
            levels: levels.max(1),
            contexts: Contexts::new(live.components()),
            evaluations: BegunEvaluations::default(),
            risen: Vec::new(),
            walks: LevelWalks::new(flow.graph.successors.len()),
            open: flow.graph.owned.iter().map(|o| o.len() as u32).collect(),
            flow,
            live,
            owners,
            closed: BitSet::default(),
            course_ids: FxHashMap::default(),
            courses: Vec::new(),
            facts: FxHashMap::default(),
            ranks: Vec::new(),
            now: 0,
            frames: FxHashMap::default(),
        }
    }

    /// The spot of candidates that start like this and have no caller, to measure what
    /// updates cost.
    pub(crate) fn spot_at(&mut self, function: FuncId, start: CandidateStart) -> SpotId {
        let course = self.course(function, start);
        let future = CandidateFuture {
            number: course,
            course: &self.courses[course as usize],
            context: OUTSIDE,
            evaluation: 0,
            is_relevant: false,
        };
        self.contexts.spot(future, &self.live, |_| true)
    }

    fn course(&mut self, function: FuncId, start: CandidateStart) -> u32 {
        if let Some(id) = self.course_ids.get(&(function, start)) {
            return *id;
        }
        let facts = self.facts.entry(function).or_insert_with(|| {
            let function = &self.program.module.functions[function.index()];
            RegisterFacts::of(function)
        });
        let (program, objectives, flow) = (self.program, self.objectives, &self.flow);
        let course = follow(program, objectives, flow, facts, function, start);
        let id = self.courses.len() as u32;
        self.courses.push(course);
        self.course_ids.insert((function, start), id);
        id
    }

    /// The context of a frame that has called another; `None` if there are too many.
    fn context(&mut self, frame: Option<&Rc<Frame>>) -> Option<ContextId> {
        let mut frames = Vec::new();
        let mut context = OUTSIDE;
        let mut at = frame;
        while let Some(frame) = at {
            if let Some(known) = self.frames.get(&Rc::as_ptr(frame)) {
                context = *known;
                break;
            }
            frames.push(frame);
            at = frame.parent.as_ref();
        }
        for frame in frames.into_iter().rev() {
            if self.contexts.sizes()[0] > MOST_CONTEXTS {
                return None;
            }
            let back = self.flow.node_at(frame.function, frame.pc);
            context = self.contexts.context(back, context, &self.live);
            self.frames.insert(Rc::as_ptr(frame), context);
        }
        Some(context)
    }

    fn change(&mut self, changed: Vec<ChangedRelevance>, dropped: &mut Vec<Ticket>) {
        self.now += u64::from(!changed.is_empty());
        for change in changed {
            match change.now {
                Relevance::Irrelevant => self.contexts.end_evaluation(change.evaluation, dropped),
                _ => {
                    let spots = self.contexts.spots_of_evaluation(change.evaluation);
                    self.risen.extend_from_slice(spots);
                }
            }
        }
    }

    fn compute(&mut self, spot: SpotId) -> Rank {
        let nothing = Rank {
            relevance: Relevance::May,
            potential: 0,
        };
        if spot == ALWAYS {
            return nothing;
        }
        if !self.is_live(spot) {
            return Rank {
                relevance: Relevance::Irrelevant,
                ..nothing
            };
        }
        let (course, context, evaluation) = self.contexts.of(spot);
        let evaluation = self.evaluations.relevance(evaluation);
        let course = &self.courses[course as usize];
        let is_open = |o: &&u32| !self.closed.contains(**o as usize);
        let certain = course.hits.iter().filter(is_open).count() as u32;
        // The certain part is the first level.
        let levels = self.levels - u32::from(!course.hits.is_empty());
        let behind = match self.contexts.back(context) {
            Some(back) if self.flow.returns[course.node as usize] => Some(back),
            _ => None,
        };
        let (starts, context) = match (course.inside, &behind) {
            (false, _) => (std::slice::from_ref(&course.node), context),
            (true, Some((back, parent))) => (std::slice::from_ref(back), *parent),
            (true, None) => {
                let successors = &self.flow.graph.successors[course.node as usize];
                (successors.as_slice(), context)
            }
        };
        let near = match levels {
            0 => 0,
            _ => {
                let (flow, contexts, open) = (&self.flow, &self.contexts, &self.open);
                let walks = &mut self.walks;
                walks.potential(flow, contexts, starts, context, levels, open)
            }
        };
        Rank {
            relevance: match certain {
                0 => evaluation.max(Relevance::May),
                _ => Relevance::Must,
            },
            potential: certain + near + u32::from(evaluation != Relevance::Irrelevant),
        }
    }
}

impl CoverageStructure for ProgramStructure<'_> {
    fn begin(&mut self) {
        self.frames.clear();
    }

    fn spot_of(&mut self, candidate: &Candidate, pairs: &Pairs) -> SpotId {
        let Some(state) = &candidate.snapshot else {
            return ALWAYS;
        };
        // A predicate that faults goes on behind its label, which the graph does not show. Errors
        // are findings, whatever they cover.
        if candidate.unfiltered || state.speculation.is_some() {
            return ALWAYS;
        }
        let frame = &state.frame;
        let start = match (candidate.resume, candidate.flip) {
            (Resume::Edge(edge), _) => CandidateStart::Edge(edge),
            (Resume::Again, Some(value)) => CandidateStart::Outcome(frame.pc, value),
            (Resume::Again | Resume::Continue, _) => CandidateStart::At(frame.pc),
        };
        let Some(context) = self.context(frame.parent.as_ref()) else {
            return ALWAYS;
        };
        let course = self.course(frame.function, start);
        let evaluation = self.evaluations.id(candidate.evaluation.as_ref(), pairs);
        let future = CandidateFuture {
            number: course,
            course: &self.courses[course as usize],
            context,
            evaluation,
            is_relevant: self.evaluations.relevance(evaluation) != Relevance::Irrelevant,
        };
        let closed = &self.closed;
        let is_open = |objective| !closed.contains(objective as usize);
        self.contexts.spot(future, &self.live, is_open)
    }

    fn is_live(&self, spot: SpotId) -> bool {
        self.contexts.is_live(spot)
    }

    fn wait(&mut self, spot: SpotId, ticket: Ticket) {
        self.contexts.wait(spot, ticket);
    }

    fn leave(&mut self, spot: SpotId, waits: &dyn Fn(Ticket) -> bool) {
        self.contexts.leave(spot, waits);
    }

    fn cover(&mut self, objective: usize, dropped: &mut Vec<Ticket>) {
        if self.closed.contains(objective) {
            return;
        }
        self.closed.insert(objective);
        self.now += 1;
        self.walks.forget();
        let objective = objective as u32;
        let mut died = Vec::new();
        for node in self.owners.remove(&objective).unwrap_or_default() {
            self.open[node as usize] -= 1;
            self.live.lose(node, &mut died);
        }
        self.contexts.cover(objective, &died, dropped);
    }

    fn decide(&mut self, pair_decisions: Option<&[u32]>, pairs: &Pairs, dropped: &mut Vec<Ticket>) {
        let changed = self.evaluations.refresh(pair_decisions, pairs);
        self.change(changed, dropped);
    }

    fn exclude(&mut self, passes: &[PassageId], pairs: &Pairs, dropped: &mut Vec<Ticket>) {
        let changed = self.evaluations.exclude(passes, pairs);
        self.change(changed, dropped);
    }

    fn rank(&mut self, spot: SpotId) -> Rank {
        if self.ranks.len() <= spot as usize {
            self.ranks.resize(spot as usize + 1, None);
        }
        if let Some((then, rank)) = self.ranks[spot as usize]
            && then == self.now
        {
            return rank;
        }
        let rank = self.compute(spot);
        self.ranks[spot as usize] = Some((self.now, rank));
        rank
    }

    fn take_risen(&mut self) -> Vec<SpotId> {
        std::mem::take(&mut self.risen)
    }

    fn branch(&self, spot: SpotId) -> u32 {
        self.contexts.of(spot).0
    }

    fn sizes(&self) -> [(&'static str, usize); 3] {
        let [contexts, spots] = self.contexts.sizes();
        [
            ("nodes of the coverage structure", self.open.len()),
            ("contexts of the coverage structure", contexts),
            ("spots of the coverage structure", spots),
        ]
    }
}
