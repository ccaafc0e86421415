//! Evaluations of decisions that are under way where a candidate starts. As long as one can bring a
//! pair of MC/DC, or a first half that is useful, the candidate is worth running.

use crate::mcdc::{BegunEvaluation, Pairs, PassageId};
use labrys_ledger::decision::PartialEvaluation;
use labrys_ledger::{OutcomeVector, Relevance};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The evaluations under way, innermost first. 0 is none.
pub(crate) type EvaluationId = u32;
const NO_EVALUATION: EvaluationId = 0;

struct KnownEvaluation {
    goal: u32,
    begun: PartialEvaluation,
    pass: PassageId,
    before: EvaluationId,
    /// Of this evaluation and those around it.
    relevance: Relevance,
    /// Evaluations inside this one.
    inner: Vec<EvaluationId>,
}

pub(crate) struct BegunEvaluations {
    list: Vec<KnownEvaluation>,
    ids: FxHashMap<(u32, OutcomeVector, PassageId, EvaluationId), EvaluationId>,
    /// Evaluations of a decision that may still bring something.
    of_goal: BTreeMap<u32, Vec<EvaluationId>>,
    of_pass: BTreeMap<PassageId, Vec<EvaluationId>>,
}

/// An evaluation whose relevance has changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedRelevance {
    pub(crate) evaluation: EvaluationId,
    pub(crate) now: Relevance,
}

impl Default for BegunEvaluations {
    fn default() -> Self {
        BegunEvaluations {
            list: vec![KnownEvaluation {
                goal: 0,
                begun: PartialEvaluation::default(),
                pass: 0,
                before: NO_EVALUATION,
                relevance: Relevance::Irrelevant,
                inner: Vec::new(),
            }],
            ids: FxHashMap::default(),
            of_goal: BTreeMap::new(),
            of_pass: BTreeMap::new(),
        }
    }
}

impl BegunEvaluations {
    pub(crate) fn id(
        &mut self,
        evaluation: Option<&Rc<BegunEvaluation>>,
        pairs: &Pairs,
    ) -> EvaluationId {
        let mut chain = Vec::new();
        let mut next = evaluation;
        while let Some(evaluation) = next {
            chain.push(evaluation);
            next = evaluation.before.as_ref();
        }
        let mut id = NO_EVALUATION;
        for evaluation in chain.into_iter().rev() {
            id = self.intern(evaluation, id, pairs);
        }
        id
    }

    fn intern(
        &mut self,
        evaluation: &BegunEvaluation,
        before: EvaluationId,
        pairs: &Pairs,
    ) -> EvaluationId {
        let (goal, prefix, pass) = (evaluation.goal, evaluation.prefix, evaluation.pass);
        if let Some(id) = self.ids.get(&(goal, prefix, pass, before)) {
            return *id;
        }
        let id = self.list.len() as EvaluationId;
        self.ids.insert((goal, prefix, pass, before), id);
        let mut begun = pairs.begin(goal, prefix);
        let own = pairs.look(goal, &mut begun, pass);
        self.list.push(KnownEvaluation {
            goal,
            begun,
            pass,
            before,
            relevance: own.max(self.relevance(before)),
            inner: Vec::new(),
        });
        if own != Relevance::Irrelevant {
            self.of_goal.entry(goal).or_default().push(id);
            if pass > 0 {
                self.of_pass.entry(pass).or_default().push(id);
            }
        }
        if before != NO_EVALUATION {
            self.list[before as usize].inner.push(id);
        }
        id
    }

    pub(crate) fn relevance(&self, evaluation: EvaluationId) -> Relevance {
        self.list[evaluation as usize].relevance
    }

    /// These decisions, or all, were evaluated in a way that is new.
    pub(crate) fn refresh(
        &mut self,
        pair_decisions: Option<&[u32]>,
        pairs: &Pairs,
    ) -> Vec<ChangedRelevance> {
        let mut open: Vec<EvaluationId> = Vec::new();
        let all: Vec<u32>;
        let pair_decisions = match pair_decisions {
            Some(pair_decisions) => pair_decisions,
            None => {
                all = self.of_goal.keys().copied().collect();
                &all
            }
        };
        for goal in pair_decisions {
            if let Some(evaluations) = self.of_goal.get_mut(goal) {
                open.extend_from_slice(evaluations);
                // What is irrelevant stays so.
                let list = &mut self.list;
                evaluations.retain(|id| {
                    let known = &mut list[*id as usize];
                    pairs.look(*goal, &mut known.begun, known.pass) != Relevance::Irrelevant
                });
            }
        }
        self.look_again(open, pairs)
    }

    /// Evaluations of these passes cannot have some halves.
    pub(crate) fn exclude(&mut self, passes: &[PassageId], pairs: &Pairs) -> Vec<ChangedRelevance> {
        let evaluations = passes.iter().filter_map(|pass| self.of_pass.get(pass));
        let open = evaluations.flatten().copied().collect();
        self.look_again(open, pairs)
    }

    fn look_again(&mut self, mut open: Vec<EvaluationId>, pairs: &Pairs) -> Vec<ChangedRelevance> {
        let mut changed = Vec::new();
        let mut at = 0;
        while let Some(id) = open.get(at).copied() {
            at += 1;
            let known = &mut self.list[id as usize];
            let own = pairs.look(known.goal, &mut known.begun, known.pass);
            let known = &self.list[id as usize];
            let now = own.max(self.relevance(known.before));
            let known = &mut self.list[id as usize];
            if now != known.relevance {
                known.relevance = now;
                open.extend_from_slice(&known.inner);
                changed.push(ChangedRelevance {
                    evaluation: id,
                    now,
                });
            }
        }
        changed
    }
}
