//! Mutants whose code is that of the original or of another mutant: they need no run. What the
//! compiler makes of them is compared by `labrys_lift::equivalence`.

use crate::failure::{Failure, Outcome};
use crate::program::Project;
use labrys_budget::Deadline;
use labrys_front::AnnotatedProgram;
use labrys_ledger::Mutant;
use labrys_lift::equivalence::{MutantChoices, TrivialVerdict, compare};
use labrys_mutate::{MutantProof, MutantProofKind};
use std::collections::{BTreeMap, BTreeSet};
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
        let threads = project.request.search.threads;
        let codes = ComparedCodes::new(mutants, |chosen| {
            let verdicts = compare(&units, chosen, threads, &|| deadline.is_over());
            verdicts.map_err(Failure::internal)
        })?;
        Ok(TrivialMutants {
            proofs: mutants.iter().map(|mutant| codes.proof(mutant)).collect(),
        })
    }

    /// The places of the mutants that need no run, and why.
    pub(super) fn proofs(&self) -> impl Iterator<Item = (usize, &MutantProof)> {
        let proofs = self.proofs.iter().enumerate();
        proofs.filter_map(|(place, proof)| Some((place, proof.as_ref()?)))
    }
}

/// Mutants by their changes, with what their code says. Those of which pairs are made are there, too:
/// a pair may do what one of its changes does alone.
struct ComparedCodes {
    verdicts: BTreeMap<Vec<(u32, u32)>, TrivialVerdict>,
    /// In the order in which they were compared.
    ids: Vec<String>,
}

impl ComparedCodes {
    fn new(
        mutants: &[Mutant],
        compare: impl FnOnce(&[MutantChoices]) -> Outcome<Vec<TrivialVerdict>>,
    ) -> Outcome<Self> {
        let pairs = mutants.iter().filter(|mutant| mutant.also.is_some());
        let mut parts: Vec<Mutant> = pairs.flat_map(Mutant::separate).collect();
        parts.sort_by_key(|part| (part.point, part.alternative));
        parts.dedup();
        let compared: Vec<&Mutant> = parts.iter().chain(mutants).collect();
        let choices = |mutant: &&Mutant| MutantChoices {
            active: mutant.changes(),
        };
        let chosen: Vec<MutantChoices> = compared.iter().map(choices).collect();
        let verdicts = compare(&chosen)?;
        let changes = chosen.into_iter().map(|choices| choices.active);
        Ok(ComparedCodes {
            verdicts: changes.zip(verdicts).collect(),
            ids: compared.iter().map(|mutant| mutant.id.clone()).collect(),
        })
    }

    /// Why a mutant needs no run, if so.
    fn proof(&self, mutant: &Mutant) -> Option<MutantProof> {
        match self.verdicts.get(&mutant.changes())? {
            TrivialVerdict::Equivalent => Some(proof(mutant, None)),
            TrivialVerdict::DuplicateOf(other) => {
                Some(proof(mutant, Some(self.ids[*other].clone())))
            }
            TrivialVerdict::Distinct => None,
            TrivialVerdict::Unknown => self.proof_by_parts(mutant),
        }
    }

    /// The code of one function is compared as if anything could be around it. So a change that leaves
    /// the code of its function as it is can be left out beside a change of another function.
    fn proof_by_parts(&self, mutant: &Mutant) -> Option<MutantProof> {
        let parts = mutant.separate();
        let [first, second] = &parts[..] else {
            return None;
        };
        let changes_nothing =
            |part: &Mutant| self.verdicts.get(&part.changes()) == Some(&TrivialVerdict::Equivalent);
        if first.function == second.function {
            return None;
        }
        match (changes_nothing(first), changes_nothing(second)) {
            (true, true) => Some(proof(mutant, None)),
            (true, false) => Some(proof(mutant, Some(second.id.clone()))),
            (false, true) => Some(proof(mutant, Some(first.id.clone()))),
            (false, false) => None,
        }
    }
}

fn proof(mutant: &Mutant, same_as: Option<String>) -> MutantProof {
    let functions: BTreeSet<&str> = mutant.parts().map(|part| part.function.as_str()).collect();
    let functions: Vec<&str> = functions.into_iter().collect();
    MutantProof {
        kind: MutantProofKind::SameCode,
        same_as,
        detail: format!("-O2 of {}", functions.join(" and ")),
        assumes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn mutant(point: u32, function: &str) -> Mutant {
        Mutant {
            id: format!("mutation:{point}"),
            operator: "AOR".to_owned(),
            function: function.to_owned(),
            file: "a.c".to_owned(),
            line: point,
            column: 1,
            text: "AOR: a + b → a - b".to_owned(),
            point,
            alternative: 1,
            also: None,
        }
    }

    /// What is said of the pair of points 1 and 2, given the verdicts on the two and on the pair.
    fn of_pair(functions: [&str; 2], verdicts: [TrivialVerdict; 3]) -> Option<Option<String>> {
        let pair = Mutant::pair(&mutant(1, functions[0]), &mutant(2, functions[1]));
        let codes = ComparedCodes::new(std::slice::from_ref(&pair), |chosen| {
            let active: Vec<_> = chosen.iter().map(|c| c.active.clone()).collect();
            assert_eq!(active, [vec![(1, 1)], vec![(2, 1)], vec![(1, 1), (2, 1)]]);
            Ok(verdicts.to_vec())
        });
        Some(codes.unwrap().proof(&pair)?.same_as)
    }

    #[test]
    fn pairs_may_be_duplicates_of_their_parts() {
        use TrivialVerdict::{Distinct, DuplicateOf, Equivalent, Unknown};
        let same = ["f", "f"];
        assert_eq!(of_pair(same, [Distinct, Distinct, Equivalent]), Some(None));
        let of_second = Some(Some("mutation:2".to_owned()));
        assert_eq!(
            of_pair(same, [Equivalent, Distinct, DuplicateOf(1)]),
            of_second
        );
        let no_time = of_pair(same, [Equivalent, Equivalent, Unknown]);
        assert_eq!(no_time, None, "two changes of one function may meet");
        let apart = ["f", "g"];
        assert_eq!(
            of_pair(apart, [Equivalent, Equivalent, Unknown]),
            Some(None)
        );
        assert_eq!(of_pair(apart, [Equivalent, Distinct, Unknown]), of_second);
        assert_eq!(of_pair(apart, [Distinct, Distinct, Unknown]), None);
        assert_eq!(
            of_pair(apart, [Unknown, Equivalent, Unknown]),
            Some(Some("mutation:1".to_owned()))
        );
    }
}
