//! The table of proof rules: of what no input shows, how much each rule proves alone, and all together.
//! All inputs are tried, so what is not shown is infeasible and what is shown must not be refuted.

use super::super::Findings;
use super::CampaignOutcomes;
use super::examine::{JudgedBatch, RuleChoice};
use labrys_driver::request::ProofRule;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Status;
use std::collections::BTreeMap;
use std::path::Path;

/// Programs in the short form.
pub const SLICE: usize = 60;

/// Shares of the infeasible that all rules together must prove, in percent, and from how many
/// objectives on a share is judged.
const WANTED_WITHOUT_LOOPS: f64 = 95.0;
const WANTED_WITH_LOOPS: f64 = 75.0;
const ENOUGH: usize = 300;

const ALL: &str = "all";

/// Each rule alone, and all with options that must not matter.
pub fn choices() -> Vec<RuleChoice> {
    let choice = |name: &str, options: &[&str]| RuleChoice {
        name: name.to_owned(),
        options: options.iter().map(ToString::to_string).collect(),
    };
    let alone = ProofRule::ALL.map(|rule| choice(rule.name(), &["--proof-rules", rule.name()]));
    let mut choices = alone.to_vec();
    choices.push(choice("all, -j 2", &["-j", "2"]));
    choices.push(choice("all, --memory 100M", &["--memory", "100M"]));
    choices
}

#[derive(Clone, Copy, Default)]
struct Share {
    infeasible: usize,
    proved: usize,
}

impl Share {
    fn add(&mut self, judged: &JudgedBatch) {
        if judged.complete && !judged.shown {
            self.infeasible += 1;
            self.proved += usize::from(matches!(judged.status, Status::Infeasible { .. }));
        }
    }

    fn percent(self) -> f64 {
        100.0 * self.proved as f64 / self.infeasible.max(1) as f64
    }

    fn text(self) -> String {
        match self.infeasible {
            0 => "-".to_owned(),
            all => format!("{:.1} % of {all}", self.percent()),
        }
    }
}

#[derive(Default)]
struct RuleRow {
    programs: usize,
    all: Share,
    without_loops: Share,
    with_loops: Share,
    false_proofs: usize,
}

impl RuleRow {
    fn add(&mut self, programs: usize, objectives: &[JudgedBatch], false_proofs: usize) {
        self.programs += programs;
        self.false_proofs += false_proofs;
        for judged in objectives {
            self.all.add(judged);
            match judged.has_loops {
                true => self.with_loops.add(judged),
                false => self.without_loops.add(judged),
            }
        }
    }

    fn cells(&self, name: &str) -> Vec<String> {
        vec![
            name.to_owned(),
            self.programs.to_string(),
            self.all.infeasible.to_string(),
            self.all.proved.to_string(),
            self.without_loops.text(),
            self.with_loops.text(),
            self.false_proofs.to_string(),
        ]
    }
}

pub fn findings(outcomes: &[CampaignOutcomes], kept: &Path) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "rules",
        "programs",
        "infeasible",
        "proved",
        "without loops",
        "with loops",
        "false proofs",
    ]);
    let mut together = RuleRow::default();
    let mut by_family: BTreeMap<&str, RuleRow> = BTreeMap::new();
    let mut by_rule: BTreeMap<&str, RuleRow> = BTreeMap::new();
    for batch in outcomes {
        let (programs, examined) = (batch.programs, &batch.examined);
        let by_rules: usize = examined.by_rule.iter().map(|rule| rule.false_proofs).sum();
        let own = examined.complaints.iter();
        let own = own.filter(|c| c.wrong == super::examine::Wrong::FalseProof);
        let own = own.count() - by_rules;
        together.add(programs, &examined.objectives, own);
        let family = by_family.entry(batch.family.name()).or_default();
        family.add(programs, &examined.objectives, own);
        for rule in &examined.by_rule {
            let row = by_rule.entry(&rule.rules).or_default();
            row.add(programs, &rule.objectives, rule.false_proofs);
        }
    }
    for choice in choices() {
        if let Some(row) = by_rule.get(choice.name.as_str()) {
            findings.table.row(row.cells(&choice.name));
        }
    }
    findings.table.row(together.cells(ALL));
    for (family, row) in &by_family {
        findings.table.row(row.cells(&format!("{ALL}: {family}")));
    }
    for (share, wanted, what) in [
        (
            together.without_loops,
            WANTED_WITHOUT_LOOPS,
            "without loops",
        ),
        (together.with_loops, WANTED_WITH_LOOPS, "with loops"),
    ] {
        findings.require(
            share.infeasible < ENOUGH || share.percent() >= wanted,
            || {
                format!(
                    "{} are proved {what}; at least {wanted} % are wanted",
                    share.text()
                )
            },
        );
    }
    keep_unproved(outcomes, kept)?;
    complain(outcomes, &mut findings);
    Ok(findings)
}

fn complain(outcomes: &[CampaignOutcomes], findings: &mut Findings) {
    for batch in outcomes {
        for complaint in &batch.examined.complaints {
            let (family, wrong) = (batch.family.name(), complaint.wrong.name());
            let text = format!("{family}: {wrong}: {}", complaint.text);
            findings.wrong.push(text);
        }
    }
}

/// Writes what is infeasible and not proved to a file, to be looked at.
fn keep_unproved(outcomes: &[CampaignOutcomes], kept: &Path) -> Outcome<()> {
    let mut text = String::new();
    for batch in outcomes {
        for line in &batch.examined.unproved {
            text += &format!("{} {line}", batch.family.name());
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(kept).map_err(Failure::usage)?;
    std::fs::write(kept.join("unproved.txt"), text).map_err(Failure::usage)
}
