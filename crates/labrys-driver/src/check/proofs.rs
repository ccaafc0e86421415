//! The proofs of a run, checked again: every formula that a step refers to is read from its file and asked
//! of solvers that did not find it.

use crate::failure::Outcome;
use crate::output::claims::{self, ClaimFileRecord, ClaimText, FOLDER};
use crate::output::{ObjectivesFile, OutDir};
use labrys_budget::Deadline;
use labrys_ledger::{ClaimReference, Proof, Status};
use labrys_solver::{Rechecked, Verdict, recheck};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// The time that Bitwuzla has for one formula.
const TIME_FOR_A_CLAIM: Duration = Duration::from_secs(20);

/// What a check has found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckedProofs {
    /// Objectives that are infeasible.
    pub proofs: usize,
    /// Of these, those that have a formula at all.
    pub with_claims: usize,
    /// The steps of proofs, and those with a formula.
    pub steps: usize,
    pub steps_with_claims: usize,
    /// Formulas that Bitwuzla has confirmed.
    pub claims: usize,
    /// Of these, those for which a SAT solver gave a proof that a checker has accepted.
    pub by_sat: usize,
    /// Answers of the solver that are in no file.
    pub left_out: u64,
    pub complaints: Vec<ProofComplaint>,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofComplaint {
    /// The objective, and the step of its proof; none if a whole file is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    pub problem: String,
}

/// Checks all proofs of a directory that `gen` has written.
pub fn check_proofs(dir: &Path, deadline: &Deadline) -> Outcome<CheckedProofs> {
    let out = OutDir::open(dir)?;
    let objectives: ObjectivesFile = out.read_json("objectives.json")?;
    let mut check = ProofCheck {
        out: &out,
        deadline,
        files: BTreeMap::new(),
        found: CheckedProofs::default(),
    };
    for record in &objectives.claim_files {
        check.file(record);
    }
    for record in &objectives.objectives {
        if let Status::Infeasible { proof } = &record.status {
            check.proof(&record.objective.id, proof);
        }
    }
    Ok(check.found)
}

/// What is known of a formula: nothing is wrong with it, or this is.
type ClaimStatus = Option<String>;

struct ProofCheck<'a> {
    out: &'a OutDir,
    deadline: &'a Deadline,
    files: BTreeMap<String, Vec<ClaimStatus>>,
    found: CheckedProofs,
}

impl ProofCheck<'_> {
    /// Reads a file and asks about all of its formulas: a proof rests on all of them, not only on those
    /// that its steps name.
    fn file(&mut self, record: &ClaimFileRecord) {
        self.found.left_out += record.left_out;
        match self.claims(record) {
            Ok(list) => {
                let statuses: Vec<ClaimStatus> = list.iter().map(|c| self.claim(c)).collect();
                self.files.insert(record.file.clone(), statuses);
            }
            Err(problem) => self.complain(None, None, format!("{}: {problem}", record.file)),
        }
        let broken: BTreeMap<usize, String> = (self.files.get(&record.file).into_iter().flatten())
            .enumerate()
            .filter_map(|(at, status)| Some((at + 1, status.clone()?)))
            .collect();
        for (number, problem) in broken {
            let problem = format!("{}: claim {number}: {problem}", record.file);
            self.complain(None, None, problem);
        }
    }

    fn claims(&self, record: &ClaimFileRecord) -> Result<Vec<ClaimText>, String> {
        let is_own = record.file.strip_prefix(FOLDER).is_some_and(|name| {
            name.starts_with('/') && !name[1..].contains('/') && !name.contains("..")
        });
        if !is_own {
            return Err(format!("it is not in {FOLDER}"));
        }
        let bytes = std::fs::read(self.out.file(&record.file)).map_err(|e| e.to_string())?;
        if claims::sha256(&bytes) != record.sha256 {
            return Err("it was changed since the run".to_owned());
        }
        let text = String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
        let list = claims::read(&text)?;
        match list.len() == record.claims {
            true => Ok(list),
            false => Err(format!(
                "it has {} claims, not {}",
                list.len(),
                record.claims
            )),
        }
    }

    /// Asks about one formula.
    fn claim(&mut self, claim: &ClaimText) -> ClaimStatus {
        match recheck(&claim.script, TIME_FOR_A_CLAIM, self.deadline) {
            Ok(found) if found.holds() => {
                self.found.claims += 1;
                self.found.by_sat += usize::from(found.sat == Verdict::Holds);
                None
            }
            Ok(Rechecked { bitwuzla, sat }) => Some(match (bitwuzla, sat) {
                (Verdict::Broken, _) => "Bitwuzla finds a solution".to_owned(),
                (_, Verdict::Broken) => "a SAT solver finds a solution".to_owned(),
                (Verdict::Undecided(why), _) => format!("not confirmed: {why}"),
                (Verdict::Holds, _) => String::new(),
            }),
            Err(problem) => Some(problem),
        }
    }

    fn proof(&mut self, objective: &str, proof: &Proof) {
        self.found.proofs += 1;
        self.found.steps += proof.steps.len();
        let mut named = BTreeSet::new();
        for (at, step) in proof.steps.iter().enumerate() {
            self.found.steps_with_claims += usize::from(!step.claims.is_empty());
            for reference in &step.claims {
                named.insert(&reference.file);
                if let Some(problem) = self.reference(reference) {
                    self.complain(Some(objective), Some(at + 1), problem);
                }
            }
        }
        self.found.with_claims += usize::from(!named.is_empty());
    }

    /// What is wrong with what a step refers to.
    fn reference(&self, reference: &ClaimReference) -> Option<String> {
        let ClaimReference { file, numbers } = reference;
        let Some(statuses) = self.files.get(file) else {
            return Some(format!("{file} cannot be used"));
        };
        numbers.iter().find_map(|number| {
            let at = number.checked_sub(1);
            match at.and_then(|at| statuses.get(at)) {
                None => Some(format!("{file} has no claim {number}")),
                Some(Some(problem)) => Some(format!("{file}: claim {number}: {problem}")),
                Some(None) => None,
            }
        })
    }

    fn complain(&mut self, objective: Option<&str>, step: Option<usize>, problem: String) {
        self.found.complaints.push(ProofComplaint {
            objective: objective.map(str::to_owned),
            step,
            problem,
        });
    }
}
