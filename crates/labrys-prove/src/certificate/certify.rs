//! The certificates of all events that were refuted, each as a list of steps.

use super::builder::{CertificateBuilder, Discharge, FactsByPlace};
use super::code::CertifiedCode;
use super::gather::stated;
use super::obligation::Obligation;
use super::{CertificateStep, Certificates, FactDamage, Oracle};
use crate::places::Base;
use crate::program::ProgramAnalysis;
use crate::scope::AnalysisScope;
use crate::sites::AnnotationSite;
use labrys_ir::{FuncId, KnownFact, Module};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// Questions to the solver: most take less than a millisecond.
const MOST_QUESTIONS: usize = 4_000;
/// Of the formulas, so many bytes are written.
const MOST_BYTES: usize = 4_000_000;
/// Statements of an event that are listed one by one: those that are nearest to it. The others are one step.
const MOST_LISTED: usize = 16;
/// Of the variables that no pointer leads to, so many are named.
const MOST_NAMED: usize = 8;

/// Shows what it can of these events. `known` are facts of the analysis by place, none where no run comes.
pub(crate) fn certify<'r>(
    module: &Module,
    program: &ProgramAnalysis<'_>,
    scope: &AnalysisScope,
    known: &BTreeMap<(FuncId, u32), Option<Vec<KnownFact>>>,
    events: &[(Trigger, Vec<AnnotationSite>)],
    oracle: &'r mut Oracle<'r>,
    damage: Option<&'r mut dyn FactDamage>,
) -> Certificates {
    let code = CertifiedCode::new(module, program, scope);
    let facts: FactsByPlace = stated(&code, known);
    let mut builder =
        CertificateBuilder::new(&code, &facts, oracle, damage, (MOST_QUESTIONS, MOST_BYTES));
    let mut certificates = Certificates::default();
    for (trigger, sites) in events {
        let ends: Vec<usize> = sites
            .iter()
            .map(|site| {
                builder.number(Obligation::Never {
                    id: site.function,
                    at: site.at,
                    trigger: *trigger,
                })
            })
            .collect();
        for end in &ends {
            builder.settle(*end);
        }
        let is_shown = |end: &usize| discharged(&builder, *end).is_some_and(|d| !d.is_open);
        if !ends.is_empty() && ends.iter().all(is_shown) {
            (certificates.steps).insert(*trigger, steps(&builder, &code, &ends));
            let statements = closure(&builder, &ends);
            if statements.iter().all(is_shown) {
                certificates.complete.insert(*trigger);
            }
        }
    }
    certificates.claims = std::mem::take(&mut builder.claims);
    certificates
}

fn discharged<'b>(builder: &'b CertificateBuilder<'_, '_>, number: usize) -> Option<&'b Discharge> {
    builder.discharged.get(number)?.as_ref()
}

/// What an event rests on, nearest first.
fn closure(builder: &CertificateBuilder<'_, '_>, ends: &[usize]) -> Vec<usize> {
    let mut seen: BTreeSet<usize> = ends.iter().copied().collect();
    let mut order = ends.to_vec();
    let mut at = 0;
    while let Some(number) = order.get(at).copied() {
        at += 1;
        let needs = discharged(builder, number).map(|found| &found.needs);
        for need in needs.into_iter().flatten() {
            if seen.insert(*need) {
                order.push(*need);
            }
        }
    }
    order
}

/// The variables of which something is stated although code writes through pointers.
fn private_places(
    builder: &CertificateBuilder<'_, '_>,
    code: &CertifiedCode<'_>,
    statements: &[usize],
) -> Vec<String> {
    let mut names = BTreeSet::new();
    for number in statements {
        if let Obligation::Holds { id, fact, .. } | Obligation::Leaves { id, fact } =
            &builder.obligations[*number]
        {
            for place in fact.cells(code, *id) {
                if let Base::Global(global) = place.base {
                    names.insert(code.module.globals[global.index()].name.clone());
                }
            }
        }
    }
    let mut names: Vec<String> = names.into_iter().collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names
}

fn steps(
    builder: &CertificateBuilder<'_, '_>,
    code: &CertifiedCode<'_>,
    ends: &[usize],
) -> Vec<CertificateStep> {
    let mut merged: Vec<CertificateStep> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    let order = closure(builder, ends);
    let (first, others) = order.split_at(ends.len());
    let mut add = |step: CertificateStep| {
        let known = merged
            .iter()
            .position(|other| other.text == step.text && other.is_shown == step.is_shown);
        match known {
            Some(known) => {
                merged[known].claims.extend(step.claims);
                places[known] += 1;
            }
            None => {
                merged.push(step);
                places.push(1);
            }
        }
    };
    for number in others {
        let found = discharged(builder, *number).cloned().unwrap_or_default();
        // Known from an earlier place, or since the other code that would have to run is not there.
        if found.claims.is_empty() && !found.is_open {
            continue;
        }
        let obligation = &builder.obligations[*number];
        add(CertificateStep {
            loc: obligation.loc(code),
            text: obligation.words(code),
            claims: found.claims,
            is_shown: !found.is_open,
        });
    }
    for (step, count) in merged.iter_mut().zip(&places) {
        let words = match count {
            1 => continue,
            2 => ", and in 1 more place".to_owned(),
            _ => format!(", and in {} more places", count - 1),
        };
        step.text.push_str(&words);
    }
    let names = private_places(builder, code, others);
    let mut privacy = None;
    if !names.is_empty() {
        privacy = Some(CertificateStep {
            loc: Default::default(),
            text: format!(
                "only code that names them writes {}: no pointer leads there",
                names.join(", ")
            ),
            claims: Vec::new(),
            is_shown: false,
        });
    }
    let (near, far) = merged.split_at(merged.len().min(MOST_LISTED));
    let mut steps = Vec::from_iter(privacy);
    for is_shown in [true, false] {
        let those: Vec<&CertificateStep> = far.iter().filter(|s| s.is_shown == is_shown).collect();
        if !those.is_empty() {
            let what = if is_shown {
                ""
            } else {
                " that have no formula"
            };
            steps.push(CertificateStep {
                loc: those[0].loc,
                text: format!(
                    "{} further statements that these rest on{what}",
                    those.len()
                ),
                claims: those
                    .iter()
                    .flat_map(|step| step.claims.iter().copied())
                    .collect(),
                is_shown,
            });
        }
    }
    steps.extend(near.iter().rev().cloned());
    let claims = first.iter().filter_map(|end| discharged(builder, *end));
    steps.push(CertificateStep {
        loc: builder.obligations[ends[0]].loc(code),
        text: String::new(),
        claims: claims
            .flat_map(|found| found.claims.iter().copied())
            .collect(),
        is_shown: true,
    });
    steps
}
