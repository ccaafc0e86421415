//! The steps of proofs before the search: the branches that every way to a place takes, the values that
//! contradict each other there, and the comparison as a formula that other solvers can check.

use super::proofs::{TIME_FOR_A_FORMULA, plain};
use crate::output::claims::{ClaimText, FOLDER};
use labrys_budget::Deadline;
use labrys_front::AnnotatedProgram;
use labrys_ir::{Module, SourceLoc};
use labrys_ledger::{ClaimReference, Objective, ProofStep, Trigger};
use labrys_prove::{CertificateStep, Certificates, DecidedBranch, RefutationReason};
use labrys_solver::has_no_solution;
use std::collections::BTreeMap;

/// Of the branches that every way takes, so many are listed: the nearest ones.
const MOST_BRANCHES: usize = 8;

/// So many formulas are written.
const MOST_CLAIMS: usize = 2_000;

/// The file of the formulas.
pub(super) fn claims_file() -> String {
    format!("{FOLDER}/intervals.smt2")
}

/// What the steps are made from.
pub(super) struct StaticSteps<'a> {
    pub(super) program: &'a AnnotatedProgram,
    pub(super) module: &'a Module,
    pub(super) refuted: &'a BTreeMap<Trigger, RefutationReason>,
    pub(super) certificates: &'a Certificates,
    pub(super) formulas: StaticFormulas,
}

/// The formulas of all steps so far.
#[derive(Debug, Default)]
pub(super) struct StaticFormulas {
    pub(super) claims: Vec<ClaimText>,
    /// Where the claims of certificates stand among them.
    written: BTreeMap<usize, usize>,
}

impl StaticSteps<'_> {
    /// The steps of the refutation of an event of an objective; `because` is the last of them.
    pub(super) fn of(
        &mut self,
        objective: &Objective,
        trigger: Trigger,
        because: &str,
    ) -> Vec<ProofStep> {
        let mut steps = Vec::new();
        let Some(reason) = self.refuted.get(&trigger) else {
            return steps;
        };
        match reason {
            RefutationReason::Never { known, .. } => {
                self.known(known, &objective.text, &mut steps);
            }
            RefutationReason::Behind { gate: Some(gate) } => self.gate(gate, &mut steps),
            _ => {}
        }
        let certificates = self.certificates;
        let shown = certificates.steps.get(&trigger).map(Vec::as_slice);
        let claims = match shown {
            Some([others @ .., last]) => {
                steps.extend(others.iter().map(|step| self.certified(step)));
                self.claims_of(last)
            }
            _ => {
                let words = match reason {
                    RefutationReason::Absent => "there is no code that a formula could be about",
                    _ => "what holds here is what the analysis finds: no formula says it",
                };
                steps.push(self.step(Some(trigger), SourceLoc::default(), words.to_owned()));
                self.claim(objective, reason)
            }
        };
        steps.push(ProofStep {
            file: objective.file.clone(),
            line: objective.line,
            column: objective.column,
            text: because.to_owned(),
            claims,
        });
        steps
    }

    /// A statement that a proof rests on.
    fn certified(&mut self, step: &CertificateStep) -> ProofStep {
        let text = match step.is_shown {
            true => step.text.clone(),
            false => format!("{} (the analysis finds it; no formula says it)", step.text),
        };
        let claims = self.claims_of(step);
        ProofStep {
            claims,
            ..self.step(None, step.loc, text)
        }
    }

    /// The formulas of a statement; none if it has not all that it needs.
    fn claims_of(&mut self, step: &CertificateStep) -> Vec<ClaimReference> {
        let mut numbers = Vec::new();
        for at in step.claims.iter().filter(|_| step.is_shown) {
            let Some(claim) = self.certificates.claims.get(*at) else {
                continue;
            };
            let formulas = &mut self.formulas;
            let number = match formulas.written.get(at) {
                Some(number) => *number,
                None if formulas.claims.len() >= MOST_CLAIMS => return Vec::new(),
                None => {
                    let place = match claim.loc.line {
                        0 => String::new(),
                        line => format!("{}:{line}: ", self.module.file(claim.loc)),
                    };
                    formulas.claims.push(ClaimText {
                        title: format!("{place}{}", claim.title),
                        script: claim.script.clone(),
                    });
                    formulas.written.insert(*at, formulas.claims.len());
                    formulas.claims.len()
                }
            };
            numbers.push(number);
        }
        match numbers.is_empty() {
            true => Vec::new(),
            false => vec![ClaimReference {
                file: claims_file(),
                numbers,
            }],
        }
    }

    /// The branches that every way takes, as far as they mention something that the text mentions, too.
    fn known(&self, known: &[DecidedBranch], about: &str, steps: &mut Vec<ProofStep>) {
        let related = known.iter().filter_map(|branch| {
            let text = plain(&self.objective(branch.annotation?)?.text);
            let is_related = names(text).any(|name| names(about).any(|other| other == name));
            is_related.then_some((branch, text))
        });
        let related: Vec<(&DecidedBranch, &str)> = related.collect();
        let first = related.len().saturating_sub(MOST_BRANCHES);
        for (branch, text) in &related[first..] {
            let words = format!("on every way: {text} is {}", branch.value);
            steps.push(self.step(branch.annotation, branch.loc, words));
        }
    }

    /// The branch that is always taken in another direction, and why.
    fn gate(&mut self, gate: &DecidedBranch, steps: &mut Vec<ProofStep>) {
        let other = gate.annotation.and_then(|t| with_value(t, !gate.value));
        let Some(other) = other else { return };
        let Some(objective) = self.objective(other).cloned() else {
            return;
        };
        let Some(reason) = self.refuted.get(&other) else {
            return;
        };
        if let RefutationReason::Never { known, .. } = reason {
            self.known(known, &objective.text, steps);
        }
        let describe =
            |trigger: Trigger| self.objective(trigger).map(|o| plain(&o.text).to_owned());
        let words = reason.text(self.module, plain(&objective.text), describe);
        let claims = self.claim(&objective, reason);
        steps.push(ProofStep {
            claims,
            ..self.step(Some(other), gate.loc, words)
        });
    }

    fn claim(&mut self, objective: &Objective, reason: &RefutationReason) -> Vec<ClaimReference> {
        let RefutationReason::Never {
            comparison: Some(comparison),
            ..
        } = reason
        else {
            return Vec::new();
        };
        let claims = &mut self.formulas.claims;
        let script = comparison.script(comparison.truth);
        // The values may be those of another copy of the function than the one that was refuted last.
        let holds = || has_no_solution(&script, TIME_FOR_A_FORMULA, &Deadline::never());
        if claims.len() >= MOST_CLAIMS || !holds() {
            return Vec::new();
        }
        claims.push(ClaimText {
            title: format!("{}:{}: {}", objective.file, objective.line, objective.text),
            script,
        });
        vec![ClaimReference {
            file: claims_file(),
            numbers: vec![claims.len()],
        }]
    }

    fn objective(&self, trigger: Trigger) -> Option<&Objective> {
        self.program
            .objectives
            .iter()
            .find(|o| o.trigger == trigger)
    }

    fn step(&self, trigger: Option<Trigger>, loc: SourceLoc, text: String) -> ProofStep {
        let (file, line, column) = match trigger.and_then(|t| self.objective(t)) {
            Some(o) => (o.file.clone(), o.line, o.column),
            None => (self.module.file(loc).to_owned(), loc.line, 0),
        };
        ProofStep {
            file,
            line,
            column,
            text,
            claims: Vec::new(),
        }
    }
}

/// The names in a text of C.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = plain(text).split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The same annotation with another value.
fn with_value(trigger: Trigger, value: bool) -> Option<Trigger> {
    match trigger {
        Trigger::Condition {
            decision, index, ..
        } => Some(Trigger::Condition {
            decision,
            index,
            value,
        }),
        Trigger::Decision { decision, .. } => Some(Trigger::Decision { decision, value }),
        _ => None,
    }
}
