//! The table of proofs, what was missed, and whether the targets are met.

use super::native::Truth;
use super::{JudgedMutant, JudgedProgram};
use crate::benches::Findings;
use labrys_mutate::{MutantFate, MutantProofKind};
use std::collections::BTreeMap;
use std::path::Path;

/// The shares of the equivalent mutants that must be proved, in percent.
const WITHOUT_LOOPS: f64 = 70.0;
const WITH_LOOPS: f64 = 40.0;

/// So many reasons and missed mutants are shown.
const REASONS: usize = 6;
const EXAMPLES: usize = 12;

impl JudgedMutant {
    fn is_proved(&self) -> bool {
        self.said.status == MutantFate::Equivalent
    }

    fn is_kill(&self) -> bool {
        self.said.status.is_kill()
    }

    /// A proof that an input disproves, a kill where no input kills, or a duplicate that is none.
    pub fn is_wrong(&self) -> bool {
        self.is_proved() && self.truth != Truth::Equivalent
            || self.is_kill() && self.truth == Truth::Equivalent
            || self.is_wrong_duplicate()
    }

    /// The inputs are tried in one order, so duplicates die by the same one, unless undefined
    /// behaviour is in between, which compilers may make anything of.
    fn is_wrong_duplicate(&self) -> bool {
        let (Some(twin), MutantFate::Duplicate) = (self.twin, self.said.status) else {
            return false;
        };
        twin != self.truth && twin != Truth::Undefined && self.truth != Truth::Undefined
    }

    /// Equivalent, and Labrys does not know it.
    fn is_missed(&self) -> bool {
        self.truth == Truth::Equivalent && self.said.status.is_alive()
    }

    fn reason(&self) -> String {
        let reason = self.said.reason.as_ref();
        reason.map_or_else(|| "no reason".to_owned(), ToString::to_string)
    }

    fn change(&self) -> String {
        let said = &self.said;
        let changes = said.changes();
        let changes = changes.iter().map(|change| {
            format!(
                "{}:{} {}: {} → {}",
                change.line, change.column, change.operator, change.original, change.replacement
            )
        });
        let changes: Vec<String> = changes.collect();
        format!("{} {}", said.id, changes.join(" and "))
    }
}

/// The counts of one row.
#[derive(Default)]
struct ProofCounts {
    programs: usize,
    mutants: usize,
    killed: usize,
    killable: usize,
    undefined: usize,
    equivalent: usize,
    proved: usize,
    by_kind: BTreeMap<&'static str, usize>,
    duplicates: usize,
    missed: usize,
}

impl ProofCounts {
    fn of<'a>(programs: impl Iterator<Item = &'a JudgedProgram>) -> Self {
        let mut counts = ProofCounts::default();
        for program in programs {
            counts.programs += 1;
            for mutant in &program.mutants {
                counts.add(mutant);
            }
        }
        counts
    }

    fn add(&mut self, mutant: &JudgedMutant) {
        self.mutants += 1;
        self.killed += usize::from(mutant.is_kill());
        match mutant.truth {
            Truth::Killed { .. } => self.killable += 1,
            Truth::Undefined => self.undefined += 1,
            Truth::Equivalent => {
                self.equivalent += 1;
                self.proved += usize::from(mutant.is_proved());
                self.missed += usize::from(mutant.is_missed());
                self.duplicates += usize::from(mutant.said.status == MutantFate::Duplicate);
                let kind = mutant.said.proof.as_ref().map(|proof| proof.kind);
                if let (true, Some(kind)) = (mutant.is_proved(), kind) {
                    *self.by_kind.entry(name(kind)).or_default() += 1;
                }
            }
        }
    }

    /// Of the equivalent mutants that count, in percent.
    fn share(&self) -> f64 {
        match self.equivalent - self.duplicates {
            0 => 100.0,
            count => self.proved as f64 * 100.0 / count as f64,
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let kind = |name: &str| self.by_kind.get(name).copied().unwrap_or(0).to_string();
        vec![
            name.to_owned(),
            self.programs.to_string(),
            self.mutants.to_string(),
            self.killable.to_string(),
            self.killed.to_string(),
            self.undefined.to_string(),
            self.equivalent.to_string(),
            self.duplicates.to_string(),
            self.proved.to_string(),
            kind(SAME_CODE),
            kind(NO_INFECTION),
            kind(EXHAUSTED),
            self.missed.to_string(),
            format!("{:.1}", self.share()),
        ]
    }
}

const SAME_CODE: &str = "same code";
const NO_INFECTION: &str = "no infection";
const EXHAUSTED: &str = "exhausted";

fn name(kind: MutantProofKind) -> &'static str {
    match kind {
        MutantProofKind::SameCode => SAME_CODE,
        MutantProofKind::NoInfection => NO_INFECTION,
        MutantProofKind::Exhausted => EXHAUSTED,
    }
}

pub fn findings(programs: &[JudgedProgram], keep: &Path) -> Findings {
    let mut findings = Findings::new(&[
        "programs of",
        "programs",
        "mutants",
        "killable",
        "killed",
        "undefined",
        "equivalent",
        "duplicate",
        "proved",
        SAME_CODE,
        NO_INFECTION,
        EXHAUSTED,
        "missed",
        "proved, %",
    ]);
    let plain = ProofCounts::of(programs.iter().filter(|p| !p.has_loops));
    let loops = ProofCounts::of(programs.iter().filter(|p| p.has_loops));
    findings.table.row(plain.row("no loop"));
    findings.table.row(loops.row("loops"));
    findings
        .table
        .row(ProofCounts::of(programs.iter()).row("all"));
    findings.notes.push(
        "Every program was called natively with all its inputs and each of its mutants. Killable: an input \
         shows a difference. Undefined: only with undefined behaviour of the mutant. Equivalent: no input \
         shows one; the share is of those that are no duplicates of other mutants."
            .to_owned(),
    );
    missed(programs, &mut findings);
    wrong(programs, keep, &mut findings);
    for (counts, least, name) in [
        (&plain, WITHOUT_LOOPS, "without loops"),
        (&loops, WITH_LOOPS, "with loops"),
    ] {
        let share = counts.share();
        findings.demand(share >= least, || {
            format!("{share:.1} % proved {name}, below {least:.0} %")
        });
    }
    findings
}

/// Why equivalent mutants were not proved, with some of them.
fn missed(programs: &[JudgedProgram], findings: &mut Findings) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut examples = Vec::new();
    for program in programs {
        for mutant in program.mutants.iter().filter(|m| m.is_missed()) {
            *reasons.entry(mutant.reason()).or_default() += 1;
            let text = format!("{} {}: {}", program.name, mutant.change(), mutant.reason());
            examples.push(text);
        }
    }
    let mut reasons: Vec<(usize, String)> = reasons.into_iter().map(|(r, n)| (n, r)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    let reasons = reasons.iter().take(REASONS);
    let reasons: Vec<String> = reasons.map(|(n, r)| format!("{r} ({n})")).collect();
    if !reasons.is_empty() {
        let text = format!("Missed, by reason: {}", reasons.join(", "));
        findings.notes.push(text);
    }
    let step = examples.len().div_ceil(EXAMPLES).max(1);
    let shown = examples.into_iter().step_by(step);
    findings.notes.extend(shown.map(|text| format!("  {text}")));
}

/// What Labrys says and an input disproves.
fn wrong(programs: &[JudgedProgram], keep: &Path, findings: &mut Findings) {
    for program in programs {
        for mutant in program.mutants.iter().filter(|m| m.is_wrong()) {
            let said = mutant.said.status.name();
            let name = &program.name;
            findings.require(false, || {
                let (change, truth) = (mutant.change(), mutant.truth);
                let keep = keep.display();
                format!("{name} {change} is {said}, but natively {truth:?} ({keep}/{name}.c)")
            });
        }
    }
}
