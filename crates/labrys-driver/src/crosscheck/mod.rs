//! A second opinion on coverage from tools that we did not write: the tests are run on the original
//! source under `llvm-cov` or `gcov`, and what these say is compared with the ledger.

mod mcdc;

use crate::failure::{Failure, Outcome};
use crate::native::TestCases;
use crate::output::{CoverageCheck, RunRecord};
use crate::program::runtime::Runtime;
use labrys_ledger::{Criterion, Ledger, Objective, Status, Trigger};
use labrys_suite::coverage::{self, CoverageSpec};
use labrys_suite::{ReplayCase, ReplayError, ReplayLimits, Suite, ended_normally};
use std::collections::BTreeMap;
use std::path::Path;

/// The suite, its program and what the ledger says of it.
pub struct CheckedSuite<'a> {
    pub run: &'a RunRecord,
    pub suite: &'a Suite,
    pub ledger: &'a Ledger,
    pub runtime: &'a Runtime,
    pub limits: ReplayLimits,
}

/// Objectives at one place, as the ledger sees them.
#[derive(Default)]
struct CoveredCount {
    /// Covered by a run that came to its end: the tool must have seen it.
    surely: usize,
    /// Covered by any run.
    perhaps: usize,
    all: usize,
}

impl CoveredCount {
    /// Two objectives ask for the same: what one has is there.
    fn join(&mut self, other: &CoveredCount) {
        self.surely = self.surely.max(other.surely);
        self.perhaps = self.perhaps.max(other.perhaps);
        self.all = self.all.max(other.all);
    }
}

impl CheckedSuite<'_> {
    /// Compares the outcomes of conditions with the branches of `llvm-cov`.
    pub fn llvm_cov(&self) -> Outcome<CoverageCheck> {
        let mut ours: BTreeMap<(String, u32, u32, bool), CoveredCount> = BTreeMap::new();
        for (objective, status) in self.ledger.iter() {
            if let (Criterion::Branch, Trigger::Condition { value, .. }) =
                (objective.criterion, objective.trigger)
            {
                let file = base_name(Path::new(&objective.file));
                let key = (file, objective.line, objective.column, value);
                self.enter(ours.entry(key).or_default(), status);
            }
        }
        let measured = self.measure(false, |spec, cases, limits| {
            coverage::llvm_cov(spec, cases, limits).map(|seen| seen.branches)
        })?;
        let mut theirs: BTreeMap<(String, u32, u32, bool), (usize, usize)> = BTreeMap::new();
        for branch in measured {
            let (line, column) = branch.expanded_at.unwrap_or((branch.line, branch.column));
            for (value, count) in [(true, branch.true_count), (false, branch.false_count)] {
                let key = (base_name(&branch.file), line, column, value);
                let (all, covered) = theirs.entry(key).or_default();
                *all += 1;
                *covered += usize::from(count > 0);
            }
        }
        let mut check = CoverageCheck::new("llvm-cov");
        for ((file, line, column, value), seen) in &ours {
            let place = format!("{file}:{line}:{column} {value}");
            let key = (file.clone(), *line, *column, *value);
            check.compared += 1;
            match theirs.get(&key) {
                None => check.note(format!("{place}: llvm-cov has no branch here")),
                Some((all, _)) if *all != seen.all => {
                    check.note(format!(
                        "{place}: llvm-cov has {all} branches, labrys {}",
                        seen.all
                    ));
                }
                Some((_, covered)) if *covered < seen.surely => {
                    check.note(format!("{place}: covered, but not by llvm-cov"));
                }
                Some((_, covered)) if *covered > seen.perhaps => {
                    check.note(format!("{place}: covered by llvm-cov, but not by labrys"));
                }
                Some(_) => {}
            }
        }
        Ok(check)
    }

    /// Compares lines: `gcov` numbers its branches by the machine's jumps, not by the source.
    pub fn gcov(&self) -> Outcome<CoverageCheck> {
        let mut ours: BTreeMap<(String, u32), (CoveredCount, bool)> = BTreeMap::new();
        for (objective, status) in self.ledger.iter() {
            let key = (base_name(Path::new(&objective.file)), objective.line);
            let (seen, statements) = ours.entry(key).or_default();
            *statements |= is_statement(objective);
            self.enter(seen, status);
        }
        let measured = self.measure(false, |spec, cases, limits| {
            coverage::gcov(spec, cases, limits).map(|seen| seen.lines)
        })?;
        let mut theirs: BTreeMap<(String, u32), u64> = BTreeMap::new();
        for line in measured {
            *theirs
                .entry((base_name(&line.file), line.line))
                .or_default() += line.count;
        }
        let mut check = CoverageCheck::new("gcov");
        for ((file, line), (seen, statements)) in &ours {
            // Lines that gcov does not count hold no code of their own, such as a label.
            let Some(count) = theirs.get(&(file.clone(), *line)) else {
                continue;
            };
            check.compared += 1;
            if seen.surely > 0 && *count == 0 {
                check.note(format!("{file}:{line}: covered, but never run by gcov"));
            } else if *statements && seen.perhaps == 0 && *count > 0 {
                check.note(format!("{file}:{line}: run by gcov, but not covered"));
            }
        }
        Ok(check)
    }

    fn has_branches(&self) -> bool {
        let mut objectives = self.ledger.objectives().iter();
        objectives.any(|o| o.criterion == Criterion::Branch)
    }

    fn enter(&self, seen: &mut CoveredCount, status: &Status) {
        seen.all += 1;
        if let Status::Covered { tests } = status {
            seen.perhaps += 1;
            seen.surely += usize::from(tests.iter().any(|id| self.has_ended(*id)));
        }
    }

    /// A pair takes two tests.
    fn enter_pair(&self, seen: &mut CoveredCount, status: &Status) {
        seen.all += 1;
        if let Status::Covered { tests } = status {
            seen.perhaps += 1;
            seen.surely += usize::from(tests.iter().all(|id| self.has_ended(*id)));
        }
    }

    /// Did the run of a test come to its end?
    fn has_ended(&self, id: u32) -> bool {
        let test = self.suite.tests.iter().find(|t| t.id == id);
        test.is_some_and(|t| ended_normally(&t.outcome))
    }

    fn measure<T>(
        &self,
        mcdc: bool,
        by: impl FnOnce(&CoverageSpec, &[ReplayCase<'_>], &ReplayLimits) -> Result<T, ReplayError>,
    ) -> Outcome<T> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let spec = CoverageSpec {
            units: self.run.originals(),
            linked_parts: self.run.beside.clone(),
            runtime_dir: self.runtime.dir.clone(),
            work_dir: work.path().into(),
            cache_dir: Some(self.runtime.cache.clone()),
            mcdc,
        };
        let cases = TestCases::of(&self.suite.tests);
        by(&spec, &cases.cases(), &self.limits).map_err(|error| match error {
            ReplayError::Ended(cause) => Failure::ended(cause, "asking other tools"),
            error => Failure::usage(error),
        })
    }
}

impl CoverageCheck {
    fn new(tool: &str) -> Self {
        CoverageCheck {
            tool: tool.to_owned(),
            compared: 0,
            differences: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn note(&mut self, difference: String) {
        self.differences.push(difference);
    }
}

fn is_statement(objective: &Objective) -> bool {
    objective.criterion == Criterion::Statement
}

/// Both sides name files in their own way; the last part is enough within one program.
fn base_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Runs the checks that were asked for.
pub fn checks(
    subject: &CheckedSuite<'_>,
    llvm_cov: bool,
    gcov: bool,
) -> Outcome<Vec<CoverageCheck>> {
    let mut checks = Vec::new();
    if llvm_cov {
        let pairs = subject.has_pairs();
        if !pairs || subject.has_branches() {
            checks.push(subject.llvm_cov()?);
        }
        if pairs {
            checks.push(subject.llvm_mcdc()?);
        }
    }
    if gcov {
        checks.push(subject.gcov()?);
    }
    Ok(checks)
}
