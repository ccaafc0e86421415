//! Proofs by cases while a search runs: the analysis before the search is asked again about the objectives that
//! are still open, and goes on where it has ended.

use super::proofs::{ProofMaker, Proofs, questions};
use labrys_budget::Deadline;
use labrys_engine::{FoundInfeasible, ProofSource};
use labrys_front::AnnotatedProgram;
use labrys_ledger::Trigger;
use labrys_prove::{CaseLooks, RefutationReason};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What the looks have in common.
struct LookedAtLater {
    cases: CaseLooks,
    refuted: BTreeMap<Trigger, RefutationReason>,
}

/// The proofs that are found while searches run.
pub(super) struct LaterProofs {
    program: Arc<AnnotatedProgram>,
    looked: Arc<Mutex<LookedAtLater>>,
}

impl LaterProofs {
    /// None if the analysis has left nothing that can be gone on with.
    pub(super) fn new(program: &Arc<AnnotatedProgram>, proofs: &mut Proofs) -> Option<LaterProofs> {
        let looked = LookedAtLater {
            cases: proofs.cases.take()?,
            refuted: BTreeMap::new(),
        };
        Some(LaterProofs {
            program: program.clone(),
            looked: Arc::new(Mutex::new(looked)),
        })
    }

    /// Where a search asks.
    pub(super) fn source(&self) -> ProofSource {
        let (program, looked) = (self.program.clone(), self.looked.clone());
        ProofSource::new(move |open, steps, deadline| {
            let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
            looked.look(&program, open, steps, deadline)
        })
    }

    /// The proofs of what was found, by objective.
    pub(super) fn add_to(self, proofs: &mut Proofs, maker: &ProofMaker<'_>) {
        let looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        maker.add(proofs, &looked.refuted);
    }
}

impl LookedAtLater {
    fn look(
        &mut self,
        program: &AnnotatedProgram,
        open: &BTreeSet<usize>,
        steps: u64,
        deadline: &Deadline,
    ) -> FoundInfeasible {
        let asked: Vec<(usize, Trigger)> = (open.iter())
            .filter_map(|index| Some((*index, program.objectives.get(*index)?)))
            .flat_map(|(index, objective)| questions(program, index, objective))
            .map(|event| (event.objective, event.trigger))
            .collect();
        let wanted: BTreeSet<Trigger> = asked.iter().map(|(_, trigger)| *trigger).collect();
        let found = self.cases.look(&wanted, steps, deadline);
        let infeasible: BTreeSet<usize> = (asked.iter())
            .filter(|(_, trigger)| found.refuted.contains_key(trigger))
            .map(|(objective, _)| *objective)
            .collect();
        self.refuted.extend(found.refuted);
        FoundInfeasible {
            objectives: infeasible.into_iter().collect(),
            is_done: found.is_done,
        }
    }
}
