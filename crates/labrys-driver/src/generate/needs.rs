//! Which of its assumptions a proof needs: those that a contradiction was found with, and those without
//! which the value that decides could be another one. Not needed is what the user has said of the calls of a
//! function where nothing in the proof looks at them, and that a run ends at its first error where no error can
//! come before the objective. Of the others that is not known.

use super::proof_steps::Argument;
use super::session::SearchedEntry;
use super::trusted::assumed_conditions;
use crate::request::Request;
use labrys_ir::{Global, Module};
use labrys_ledger::{
    Assumption, Ledger, Need, NeededAssumption, Proof, ProofStep, Status, Trigger,
};
use std::collections::BTreeSet;

/// What is known of each assumption of a proof.
pub(super) fn needs(
    proof: &Proof,
    arguments: &[Argument<'_>],
    looked: &[&SearchedEntry],
    objective: usize,
    request: &Request,
    no_error_before: bool,
) -> Vec<NeededAssumption> {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    for number in arguments.iter().flat_map(Argument::said) {
        let said = request.harness.assume.get(number as usize - 1);
        needed.extend(said.map(|text| format!("--assume '{text}'")));
    }
    for searched in looked {
        let report = &searched.report;
        match report.excluded(objective) {
            Some((turns, _)) => needed.extend(turns.needed(objective).map(str::to_owned)),
            None => needed.extend(report.needed.get(&objective).into_iter().flatten().cloned()),
        }
    }
    let mut not_needed = match begins_anyhow(looked, objective) {
        true => assumed_conditions(request),
        false => Vec::new(),
    };
    if no_error_before {
        not_needed.push(Assumption::FirstError.to_string());
    }
    let assumes = proof.assumes.iter();
    assumes
        .map(|assumption| NeededAssumption {
            assumption: assumption.clone(),
            needed: match assumption {
                known if needed.contains(known) => Need::Needed,
                known if not_needed.contains(known) => Need::NotNeeded,
                _ => Need::MayBeNeeded,
            },
        })
        .collect()
}

/// Do all proofs go backward, and no further than to the start of the function, which may be called in any
/// state?
fn begins_anyhow(looked: &[&SearchedEntry], objective: usize) -> bool {
    let mut reports = looked.iter().map(|searched| &searched.report);
    reports.all(|report| {
        let proof = report.frontier.get(&objective);
        report.excluded(objective).is_none() && proof.is_some_and(|proof| !proof.goes_by_known)
    })
}

/// Where no input decides a condition, says what does: variables that keep their first value.
pub(super) fn explain_values(proof: &mut Proof, index: usize, module: &Module, ledger: &Ledger) {
    let objective = &ledger.objectives()[index];
    let needed = proof.needs.iter();
    let needed = needed.filter(|need| need.needed == Need::Needed);
    let names: Vec<String> = needed
        .filter_map(|need| match Assumption::parse(&need.assumption) {
            Assumption::InitialValue(name) => Some(name),
            _ => None,
        })
        .collect();
    let is_mentioned = |global: &&Global| mentions(&objective.text, &global.name);
    let globals = module.globals.iter();
    let mut globals: Vec<&Global> = match names.is_empty() {
        true if !proof.steps.is_empty() => return,
        true => globals
            .filter(is_mentioned)
            .filter(|g| !g.changeable)
            .collect(),
        false => globals.filter(|g| names.contains(&g.name)).collect(),
    };
    globals.retain(|global| global.size <= 8 && global.relocs.is_empty());
    for global in &globals {
        let never = match global.changeable {
            true => {
                "when the function is called, and nothing that was executed changes it before this place"
            }
            false => "at start, and nothing in the program writes it",
        };
        let text = format!("{} is {} {never}", global.name, value(global));
        proof.steps.push(step(objective, text));
    }
    if proof.steps.len() > globals.len() {
        return;
    }
    let text = match objective.trigger {
        Trigger::Condition { value, .. } | Trigger::Decision { value, .. }
            if is_other_covered(index, ledger) =>
        {
            format!("every path that comes here goes the other way: no input makes it {value}")
        }
        Trigger::Pair { .. } => return,
        _ => "no path comes here".to_owned(),
    };
    proof.steps.push(step(objective, text));
}

fn step(objective: &labrys_ledger::Objective, text: String) -> ProofStep {
    ProofStep {
        file: objective.file.clone(),
        line: objective.line,
        column: objective.column,
        text,
        claims: Vec::new(),
    }
}

/// The first value of a scalar.
fn value(global: &Global) -> i64 {
    let mut bytes = [0u8; 8];
    let size = usize::try_from(global.size).unwrap_or(0).min(8);
    for (to, from) in bytes.iter_mut().zip(global.init.iter().take(size)) {
        *to = *from;
    }
    let number = i64::from_le_bytes(bytes);
    let unsigned = global.parts.iter().any(|part| part.unsigned);
    match size {
        1..8 if !unsigned => {
            let shift = 64 - 8 * size as u32;
            (number << shift) >> shift
        }
        _ => number,
    }
}

/// Does a test cover the other value of the same annotation?
fn is_other_covered(index: usize, ledger: &Ledger) -> bool {
    let Some(other) = ledger.objectives()[index].trigger.other_outcome() else {
        return false;
    };
    let mut all = ledger.iter();
    all.any(|(o, status)| o.trigger == other && matches!(status, Status::Covered { .. }))
}

/// Does a text have this name as a word?
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("mode == 2 is true", "mode"));
        assert!(!mentions("model == 2", "mode"));
    }
}
