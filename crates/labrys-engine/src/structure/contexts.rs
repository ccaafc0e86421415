//! Where candidates wait, and what keeps them worth running.
//!
//! A call stack is a context: the node behind the innermost call, and the context of the caller. A
//! spot is what candidates with the same future share: the certain part of their way, the node at
//! its end, the context to which they return, and the decisions that they are about to take. Both are interned, and both count what keeps
//! them alive, like the components of the graph that they hang on (`live.rs`).

use super::evaluations::EvaluationId;
use super::follow::CertainWay;
use super::live::LiveComponents;
use crate::candidates::{ALWAYS, SpotId, Ticket};
use rustc_hash::FxHashMap;

/// A call stack. 0 is the empty one, behind which nothing is left to do.
pub(crate) type ContextId = u32;
pub(crate) const OUTSIDE: ContextId = 0;

struct CallContext {
    back: u32,
    parent: ContextId,
    support: u32,
}

struct Spot {
    course: u32,
    context: ContextId,
    evaluation: EvaluationId,
    support: u32,
    /// Those that wait here, and some that no longer do.
    tickets: Vec<Ticket>,
    waiting: usize,
}

/// Hangs on a component or a context.
#[derive(Clone, Copy)]
enum Dependent {
    CallContext(ContextId),
    Spot(SpotId),
}

pub(crate) struct Contexts {
    contexts: Vec<CallContext>,
    spots: Vec<Spot>,
    context_ids: FxHashMap<(u32, ContextId), ContextId>,
    spot_ids: FxHashMap<(u32, ContextId, EvaluationId), SpotId>,
    /// What hangs on each component, and on each context.
    on_component: Vec<Vec<Dependent>>,
    on_context: Vec<Vec<Dependent>>,
    /// The spots whose certain part covers an objective.
    on_objective: FxHashMap<u32, Vec<SpotId>>,
    on_evaluation: FxHashMap<EvaluationId, Vec<SpotId>>,
}

/// What all candidates of a spot have in common.
#[derive(Clone, Copy)]
pub(crate) struct CandidateFuture<'a> {
    /// The number of the course.
    pub(crate) number: u32,
    pub(crate) course: &'a CertainWay,
    pub(crate) context: ContextId,
    pub(crate) evaluation: EvaluationId,
    /// Can the evaluation that has begun still bring a pair?
    pub(crate) is_relevant: bool,
}

impl Contexts {
    pub(crate) fn new(components: usize) -> Self {
        Contexts {
            contexts: vec![CallContext {
                back: 0,
                parent: OUTSIDE,
                support: 0,
            }],
            spots: vec![Spot {
                course: 0,
                context: OUTSIDE,
                evaluation: 0,
                support: 1,
                tickets: Vec::new(),
                waiting: 0,
            }],
            context_ids: FxHashMap::default(),
            spot_ids: FxHashMap::default(),
            on_component: vec![Vec::new(); components],
            on_context: vec![Vec::new()],
            on_objective: FxHashMap::default(),
            on_evaluation: FxHashMap::default(),
        }
    }

    /// How many contexts and spots there are.
    pub(crate) fn sizes(&self) -> [usize; 2] {
        [self.contexts.len(), self.spots.len()]
    }

    /// The context of a call behind which `back` comes. One that leads to nothing is left out.
    pub(crate) fn context(
        &mut self,
        back: u32,
        parent: ContextId,
        live: &LiveComponents,
    ) -> ContextId {
        let component = live.component(back);
        if !live.is_live(component) {
            return parent;
        }
        if let Some(id) = self.context_ids.get(&(back, parent)) {
            return *id;
        }
        let id = self.contexts.len() as ContextId;
        self.context_ids.insert((back, parent), id);
        self.on_component[component as usize].push(Dependent::CallContext(id));
        let mut support = 1;
        if self.contexts[parent as usize].support > 0 {
            self.on_context[parent as usize].push(Dependent::CallContext(id));
            support += 1;
        }
        self.contexts.push(CallContext {
            back,
            parent,
            support,
        });
        self.on_context.push(Vec::new());
        id
    }

    /// The spot of candidates with the same future.
    pub(crate) fn spot(
        &mut self,
        future: CandidateFuture<'_>,
        live: &LiveComponents,
        is_open: impl Fn(u32) -> bool,
    ) -> SpotId {
        let CandidateFuture {
            number,
            course,
            context,
            evaluation,
            is_relevant,
        } = future;
        if let Some(id) = self.spot_ids.get(&(number, context, evaluation)) {
            return *id;
        }
        let id = self.spots.len() as SpotId;
        self.spot_ids.insert((number, context, evaluation), id);
        let mut support = 0;
        if is_relevant {
            self.on_evaluation.entry(evaluation).or_default().push(id);
            support += 1;
        }
        for objective in course.hits.iter().filter(|o| is_open(**o)) {
            self.on_objective.entry(*objective).or_default().push(id);
            support += 1;
        }
        let component = live.component(course.node);
        if live.is_live(component) {
            self.on_component[component as usize].push(Dependent::Spot(id));
            support += 1;
        }
        if self.contexts[context as usize].support > 0 {
            self.on_context[context as usize].push(Dependent::Spot(id));
            support += 1;
        }
        self.spots.push(Spot {
            course: number,
            context,
            evaluation,
            support,
            tickets: Vec::new(),
            waiting: 0,
        });
        id
    }

    pub(crate) fn is_live(&self, spot: SpotId) -> bool {
        self.spots[spot as usize].support > 0
    }

    /// The number of a spot's course, its context and its evaluation.
    pub(crate) fn of(&self, spot: SpotId) -> (u32, ContextId, EvaluationId) {
        let spot = &self.spots[spot as usize];
        (spot.course, spot.context, spot.evaluation)
    }

    /// The live spots of an evaluation that can bring something.
    pub(crate) fn spots_of_evaluation(&self, evaluation: EvaluationId) -> &[SpotId] {
        self.on_evaluation
            .get(&evaluation)
            .map_or(&[], Vec::as_slice)
    }

    /// The node behind a context's call, and its caller's context.
    pub(crate) fn back(&self, context: ContextId) -> Option<(u32, ContextId)> {
        let found = &self.contexts[context as usize];
        (context != OUTSIDE).then_some((found.back, found.parent))
    }

    pub(crate) fn wait(&mut self, spot: SpotId, ticket: Ticket) {
        if spot != ALWAYS {
            let spot = &mut self.spots[spot as usize];
            spot.tickets.push(ticket);
            spot.waiting += 1;
        }
    }

    /// A candidate of this spot waits no longer. `waits` says which do.
    pub(crate) fn leave(&mut self, spot: SpotId, waits: impl Fn(Ticket) -> bool) {
        if spot != ALWAYS {
            let spot = &mut self.spots[spot as usize];
            spot.waiting -= 1;
            if spot.tickets.len() > 2 * spot.waiting + 8 {
                spot.tickets.retain(|t| waits(*t));
            }
        }
    }

    /// An objective is covered, and components have died; `dropped` gets the candidates that have
    /// nothing to do any more, and perhaps some that are gone already.
    pub(crate) fn cover(&mut self, objective: u32, died: &[u32], dropped: &mut Vec<Ticket>) {
        let mut weaker: Vec<Dependent> = Vec::new();
        let spots = self.on_objective.remove(&objective).unwrap_or_default();
        weaker.extend(spots.into_iter().map(Dependent::Spot));
        for component in died {
            weaker.append(&mut self.on_component[*component as usize]);
        }
        self.weaken(weaker, dropped);
    }

    /// An evaluation can bring nothing any more.
    pub(crate) fn end_evaluation(&mut self, evaluation: EvaluationId, dropped: &mut Vec<Ticket>) {
        let spots = self.on_evaluation.remove(&evaluation).unwrap_or_default();
        self.weaken(spots.into_iter().map(Dependent::Spot).collect(), dropped);
    }

    fn weaken(&mut self, mut weaker: Vec<Dependent>, dropped: &mut Vec<Ticket>) {
        while let Some(dependent) = weaker.pop() {
            match dependent {
                Dependent::CallContext(id) => {
                    let context = &mut self.contexts[id as usize];
                    context.support -= 1;
                    if context.support == 0 {
                        weaker.append(&mut self.on_context[id as usize]);
                    }
                }
                Dependent::Spot(id) => {
                    let spot = &mut self.spots[id as usize];
                    spot.support -= 1;
                    if spot.support == 0 {
                        dropped.append(&mut spot.tickets);
                    }
                }
            }
        }
    }
}
