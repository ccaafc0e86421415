//! The steps of proofs: what the engine found, as places of the source with words, and the files of the
//! formulas that they rest on.

use super::session::{SearchResults, SearchedEntry};
use super::static_steps::claims_file;
use crate::failure::Outcome;
use crate::output::OutDir;
use crate::output::claims::{self, ClaimFileRecord, ClaimText, FOLDER};
use labrys_engine::{ArgumentStep, Claim, ClaimList, Exclusion, Report};
use labrys_ir::Module;
use labrys_ledger::{ClaimReference, Ledger, Proof, ProofStep, Status, Trigger};
use std::collections::{BTreeMap, BTreeSet};

/// A proof has at most so many steps in `objectives.json`.
const MOST_STEPS: usize = 64;

/// A chain of steps for an objective, with the claims behind them.
pub(super) struct Argument<'r> {
    steps: Vec<ArgumentStep>,
    file: String,
    claims: &'r ClaimList,
}

impl Argument<'_> {
    /// The conditions that the user has said and that a step rests on, by the number of the option.
    pub(super) fn said(&self) -> BTreeSet<u32> {
        let claims = self.steps.iter().flat_map(|step| &step.claims);
        let claims = claims.filter_map(|at| self.claims.list.get(*at));
        claims
            .flat_map(|claim| claim.said.iter().copied())
            .collect()
    }
}

/// The arguments of a search why nothing covers an event.
pub(super) fn argument<'r>(
    searched: &'r SearchedEntry,
    objective: usize,
    trigger: Trigger,
) -> Argument<'r> {
    let report = &searched.report;
    let turns = excluding(report, objective);
    let frontier = report.frontier.get(&objective);
    match (turns, frontier) {
        (Some(at), _) => Argument {
            steps: report.turns[at].argument(trigger),
            file: turns_file(searched, at),
            claims: &report.turns[at].claims,
        },
        (None, Some(proof)) => Argument {
            steps: proof.steps.clone(),
            file: frontier_file(searched),
            claims: &report.frontier_claims,
        },
        (None, None) => Argument {
            steps: report.claims.contradictions(trigger),
            file: search_file(searched),
            claims: &report.claims,
        },
    }
}

/// Which exploration of all turns excludes an objective.
fn excluding(report: &Report, objective: usize) -> Option<usize> {
    let mut all = report.turns.iter();
    all.position(|turns| turns.excludes(objective).is_some())
}

fn turns_file(searched: &SearchedEntry, at: usize) -> String {
    let rule = match &searched.report.turns[at].exclusion {
        Exclusion::Loops { .. } => "loops",
        Exclusion::States { .. } => "states",
    };
    let function = &searched.entry.function;
    format!("{FOLDER}/{rule}-{function}-{}.smt2", at + 1)
}

fn frontier_file(searched: &SearchedEntry) -> String {
    format!("{FOLDER}/frontier-{}.smt2", searched.entry.function)
}

fn search_file(searched: &SearchedEntry) -> String {
    format!("{FOLDER}/search-{}.smt2", searched.entry.function)
}

/// Puts the steps of arguments into a proof.
pub(super) fn put_steps(
    proof: &mut Proof,
    arguments: &[Argument<'_>],
    module: &Module,
    ledger: &Ledger,
) {
    for argument in arguments {
        let first = proof.steps.len() + proof.left_out;
        for step in &argument.steps {
            let before = step.before.iter().map(|at| first + at + 1);
            let mut step = placed(step, &argument.file, module, ledger);
            step.text.push_str(&comes_from(&before.collect::<Vec<_>>()));
            match proof.steps.len() < MOST_STEPS {
                true => proof.steps.push(step),
                false => proof.left_out += 1,
            }
        }
        debug_assert!(
            argument
                .steps
                .iter()
                .flat_map(|s| &s.claims)
                .all(|c| *c < argument.claims.list.len())
        );
    }
}

/// Which steps a step follows from, going backward.
fn comes_from(steps: &[usize]) -> String {
    let numbers: Vec<String> = steps.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [] => String::new(),
        [only] => format!(" (only after {only})"),
        [others @ .., last] => format!(" (only after {} or {last})", others.join(", ")),
    }
}

fn placed(step: &ArgumentStep, file: &str, module: &Module, ledger: &Ledger) -> ProofStep {
    let claims = match step.claims.is_empty() {
        true => Vec::new(),
        false => vec![ClaimReference {
            file: file.to_owned(),
            numbers: step.claims.iter().map(|at| at + 1).collect(),
        }],
    };
    let mut objectives = ledger.objectives().iter();
    let own = step
        .trigger
        .and_then(|trigger| objectives.find(|o| o.trigger == trigger));
    let (file, line, column) = match own {
        Some(own) => (own.file.clone(), own.line, own.column),
        // Columns are those of the annotated program.
        None if step.loc.line > 0 => (module.file(step.loc).to_owned(), step.loc.line, 0),
        None => Default::default(),
    };
    ProofStep {
        file,
        line,
        column,
        text: step.text.clone(),
        claims,
    }
}

/// Writes the files of claims that proofs refer to.
pub(crate) fn write_claims(out: &OutDir, found: &SearchResults) -> Outcome<Vec<ClaimFileRecord>> {
    let mut files: BTreeMap<String, &ClaimList> = BTreeMap::new();
    for searched in &found.searched {
        files.insert(search_file(searched), &searched.report.claims);
        files.insert(frontier_file(searched), &searched.report.frontier_claims);
        for (at, turns) in searched.report.turns.iter().enumerate() {
            files.insert(turns_file(searched, at), &turns.claims);
        }
    }
    let wanted = wanted(&found.ledger);
    let mut records = write_static_claims(out, &found.ledger, &found.static_claims)?;
    for (file, claims) in files {
        if wanted.contains(file.as_str()) {
            let list = claims.list.iter().map(|c| claim_text(c, &found.module));
            let list: Vec<ClaimText> = list.collect();
            records.push(write(out, file, &list, claims.left_out)?);
        }
    }
    Ok(records)
}

/// The same for the proofs before the search.
pub(crate) fn write_static_claims(
    out: &OutDir,
    ledger: &Ledger,
    claims: &[ClaimText],
) -> Outcome<Vec<ClaimFileRecord>> {
    let file = claims_file();
    match wanted(ledger).contains(file.as_str()) {
        true => Ok(vec![write(out, file, claims, 0)?]),
        false => Ok(Vec::new()),
    }
}

/// The files that proofs refer to.
fn wanted(ledger: &Ledger) -> BTreeSet<&str> {
    let mut wanted = BTreeSet::new();
    for (_, status) in ledger.iter() {
        if let Status::Infeasible { proof } = status {
            let references = proof.steps.iter().flat_map(|step| &step.claims);
            wanted.extend(references.map(|reference| reference.file.as_str()));
        }
    }
    wanted
}

fn write(
    out: &OutDir,
    file: String,
    claims: &[ClaimText],
    left_out: u64,
) -> Outcome<ClaimFileRecord> {
    let text = claims::written(claims);
    out.create_folder(FOLDER)?;
    out.write(&file, text.as_bytes())?;
    Ok(ClaimFileRecord {
        claims: claims.len(),
        left_out,
        sha256: claims::sha256(text.as_bytes()),
        file,
    })
}

fn claim_text(claim: &Claim, module: &Module) -> ClaimText {
    let place = match claim.loc.line {
        0 => String::new(),
        line => format!("{}:{line}: ", module.file(claim.loc)),
    };
    let conditions = claim.conditions.iter().map(|c| c.text.as_str());
    let conditions: Vec<&str> = conditions.collect();
    ClaimText {
        title: format!("{place}{}", conditions.join(", ")),
        script: claim.script.clone(),
    }
}
