//! The table of the campaign: a row for each kind of function.

use super::super::Findings;
use super::CampaignOutcomes;
use super::Family;
use super::examine::Wrong;
use labrys_ledger::Status;
use std::collections::BTreeMap;
use std::path::Path;

/// Complaints that are printed; the rest is in the folder of failures.
const PRINTED: usize = 25;

#[derive(Default)]
struct Row {
    programs: usize,
    objectives: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    /// Objectives of functions all of whose inputs were tried, which no input shows.
    truly_infeasible: usize,
    proved_of_these: usize,
    wrong: BTreeMap<Wrong, usize>,
}

impl Row {
    fn add(&mut self, outcomes: &CampaignOutcomes) {
        self.programs += outcomes.programs;
        for judged in &outcomes.examined.objectives {
            self.objectives += 1;
            let proved = matches!(judged.status, Status::Infeasible { .. });
            match judged.status {
                Status::Covered { .. } => self.covered += 1,
                Status::Infeasible { .. } => self.infeasible += 1,
                Status::Open | Status::Unknown { .. } => self.unknown += 1,
            }
            if judged.complete && !judged.shown {
                self.truly_infeasible += 1;
                self.proved_of_these += usize::from(proved);
            }
        }
        for complaint in &outcomes.examined.complaints {
            *self.wrong.entry(complaint.wrong).or_default() += 1;
        }
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let share = match self.truly_infeasible {
            0 => "-".to_owned(),
            all => format!("{:.1} %", 100.0 * self.proved_of_these as f64 / all as f64),
        };
        let wrong = |wrong| self.wrong.get(&wrong).copied().unwrap_or(0).to_string();
        vec![
            name.to_owned(),
            self.programs.to_string(),
            self.objectives.to_string(),
            self.covered.to_string(),
            self.infeasible.to_string(),
            self.unknown.to_string(),
            share,
            wrong(Wrong::FalseProof),
            wrong(Wrong::Unconfirmed),
            wrong(Wrong::Contradiction),
            wrong(Wrong::Crash),
            wrong(Wrong::Overtime),
        ]
    }
}

pub fn findings(outcomes: &[CampaignOutcomes], kept: &Path) -> Findings {
    let mut findings = Findings::new(&[
        "kind",
        "programs",
        "objectives",
        "covered",
        "infeasible",
        "unknown",
        "proved",
        "false proofs",
        "unconfirmed",
        "contradictions",
        "crashes",
        "overtime",
    ]);
    let mut rows: BTreeMap<Family, Row> = BTreeMap::new();
    let mut all = Row::default();
    let mut strays = 0;
    for batch in outcomes {
        rows.entry(batch.family).or_default().add(batch);
        all.add(batch);
        strays += batch.examined.strays;
    }
    for (family, row) in &rows {
        findings.table.row(row.cells(family.name()));
    }
    findings.table.row(all.cells("all"));
    findings.notes.push(
        "proved: of the objectives that no input shows, where all inputs were tried, those that \
         Labrys proves infeasible"
            .to_owned(),
    );
    findings.require(strays == 0, || {
        format!("{strays} objectives are on lines without a mark")
    });
    let complaints = outcomes.iter().flat_map(|batch| {
        let complaints = batch.examined.complaints.iter();
        complaints.map(|complaint| (batch.family, complaint))
    });
    for (family, complaint) in complaints.take(PRINTED) {
        findings.wrong.push(format!(
            "{}: {} {}: {}",
            family.name(),
            complaint.wrong.name(),
            complaint.function.as_deref().unwrap_or(""),
            complaint.text
        ));
    }
    if !findings.wrong.is_empty() {
        let text = format!("what is wrong is kept in {}", kept.display());
        findings.notes.push(text);
    }
    findings
}
