//! Mutants whose code is that of the original or of another mutant: they need no run. What the
//! compiler makes of them is compared by `labrys_lift::equivalence`.

use crate::failure::{Failure, Outcome};
use crate::program::Project;
use labrys_budget::Deadline;
use labrys_front::AnnotatedProgram;
use labrys_ledger::Mutant;
use labrys_lift::equivalence::{MutantChoices, TrivialVerdict, compare};
use labrys_mutate::{MutantProof, MutantProofKind};
use std::path::PathBuf;

/// The part of the time that is left which comparing may take: one over this.
const PART_FOR_COMPARING: u32 = 4;

/// The proofs of those that need no run, by their places.
#[derive(Debug, Default)]
pub(super) struct TrivialMutants {
    proofs: Vec<Option<MutantProof>>,
}

impl TrivialMutants {
    /// Compares the mutants of a program, as far as there is time.
    pub(super) fn find(
        project: &Project,
        program: &AnnotatedProgram,
        deadline: &Deadline,
    ) -> Outcome<TrivialMutants> {
        let units = program.units.iter();
        let texts: Vec<PathBuf> = units.map(|unit| unit.annotated_path.clone()).collect();
        TrivialMutants::find_in(project, &texts, &program.mutants, deadline)
    }

    /// The same for the texts of the sources with their mutants.
    pub(super) fn find_in(
        project: &Project,
        texts: &[PathBuf],
        mutants: &[Mutant],
        deadline: &Deadline,
    ) -> Outcome<TrivialMutants> {
        let deadline = match deadline.left() {
            Some(left) => &deadline.within(left / PART_FOR_COMPARING),
            None => deadline,
        };
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let units = match project.bitcode_for_comparison(texts, work.path()) {
            // What there was no time for is run, or not known at all.
            Err(failure) if failure.is_end() => {
                return Ok(TrivialMutants::default());
            }
            units => units?,
        };
        let choices = |mutant: &Mutant| MutantChoices {
            active: vec![(mutant.point, mutant.alternative)],
        };
        let chosen: Vec<MutantChoices> = mutants.iter().map(choices).collect();
        let threads = project.request.search.threads;
        let verdicts = compare(&units, &chosen, threads, &|| deadline.is_over());
        let verdicts = verdicts.map_err(Failure::internal)?;
        let places = mutants.iter().zip(verdicts);
        let proof = |(mutant, verdict): (&Mutant, TrivialVerdict)| match verdict {
            TrivialVerdict::Equivalent => Some(proof(mutant, None)),
            TrivialVerdict::DuplicateOf(other) => {
                Some(proof(mutant, Some(mutants[other].id.clone())))
            }
            TrivialVerdict::Distinct | TrivialVerdict::Unknown => None,
        };
        Ok(TrivialMutants {
            proofs: places.map(proof).collect(),
        })
    }

    /// The places of the mutants that need no run, and why.
    pub(super) fn proofs(&self) -> impl Iterator<Item = (usize, &MutantProof)> {
        let proofs = self.proofs.iter().enumerate();
        proofs.filter_map(|(place, proof)| Some((place, proof.as_ref()?)))
    }
}

fn proof(mutant: &Mutant, same_as: Option<String>) -> MutantProof {
    MutantProof {
        kind: MutantProofKind::SameCode,
        same_as,
        detail: format!("-O2 of {}", mutant.function),
        assumes: Vec::new(),
    }
}
