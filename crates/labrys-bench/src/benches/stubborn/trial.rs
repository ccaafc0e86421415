//! One subject: its initial suite, the tests of each strategy for the mutants that survive it, and which
//! of these tests kill which of these mutants natively.

use super::matrix::{KillMatrix, killing_tests, reference_mutants};
use super::methods::KillMethod;
use super::subjects::StubbornSubject;
use crate::product::labrys;
use labrys_driver::imported::{ImportedSuite, cases};
use labrys_driver::output::mutants::{MutantRecord, MutantsFile};
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Mutant;
use labrys_mutate::{MutantFate, ScoringOptions, score_with};
use labrys_suite::import::{ImportFormat, ImportedContent, ImportedTest, ImportedTests};
use labrys_suite::{ReplayLimits, Replayer, Suite, SuiteTest};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The times of the initial suite and of each strategy.
#[derive(Clone, Copy, Debug)]
pub struct TrialTimes {
    pub initial: Duration,
    pub strategy: Duration,
}

/// What came of a subject, one line in the file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SubjectResult {
    pub name: String,
    /// The time of each strategy.
    pub budget_s: f64,
    pub mutants: usize,
    /// Killed by the initial suite.
    pub killed_before: usize,
    /// Those that survive it, without those that the compiler cannot tell apart.
    pub targets: usize,
    /// The reference mutants: the subsuming ones of those that any strategy kills.
    pub references: usize,
    pub strategies: Vec<StrategyResult>,
    /// Mutants that one strategy proves equivalent and a test of another kills.
    #[serde(default)]
    pub false_proofs: Vec<String>,
    /// Why there is no result.
    #[serde(default)]
    pub problem: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StrategyResult {
    pub name: String,
    pub new_tests: usize,
    /// Of the targets.
    pub killed: usize,
    pub references: usize,
    /// Tests that are not redundant.
    pub killing_tests: usize,
    pub equivalent: usize,
    pub wall_s: f64,
}

impl SubjectResult {
    fn problem(name: &str, times: TrialTimes, problem: String) -> Self {
        SubjectResult {
            name: name.to_owned(),
            budget_s: times.strategy.as_secs_f64(),
            mutants: 0,
            killed_before: 0,
            targets: 0,
            references: 0,
            strategies: Vec::new(),
            false_proofs: Vec::new(),
            problem: Some(problem),
        }
    }

    /// The share of the reference mutants that a strategy kills, in percent.
    pub fn percent(&self, strategy: usize) -> f64 {
        let killed = self.strategies.get(strategy).map_or(0, |s| s.references);
        killed as f64 * 100.0 / self.references.max(1) as f64
    }
}

/// What one strategy has found.
struct FoundTests {
    name: &'static str,
    /// The suite's and the new ones.
    suite: Suite,
    mutants: Vec<MutantRecord>,
    wall: Duration,
}

/// Runs everything; what goes wrong is part of the result.
pub fn run(
    subject: &StubbornSubject,
    dir: &Path,
    times: TrialTimes,
    methods: &[KillMethod],
) -> SubjectResult {
    let result = measure(subject, dir, times, methods);
    result.unwrap_or_else(|failure| SubjectResult::problem(&subject.name, times, failure.message))
}

fn measure(
    subject: &StubbornSubject,
    dir: &Path,
    times: TrialTimes,
    methods: &[KillMethod],
) -> Outcome<SubjectResult> {
    let initial = dir.join("initial");
    let mut generate = command("gen", subject, times.initial)?;
    generate.args(["--augment", "boundary,mutation", "--out"]);
    finish(generate.arg(&initial))?;
    let before = Suite::read(&initial.join("suite.json")).map_err(Failure::usage)?;
    let mut found = Vec::new();
    for method in methods {
        let out = dir.join(method.name);
        let mut kill = command("kill", subject, times.strategy)?;
        kill.args(method.arguments).args(["-j", "1", "--tests"]);
        kill.arg(&initial).arg("--out").arg(&out);
        let started = Instant::now();
        finish(&mut kill)?;
        found.push(FoundTests {
            name: method.name,
            suite: Suite::read(&out.join("suite.json")).map_err(Failure::usage)?,
            mutants: mutants(&out)?,
            wall: started.elapsed(),
        });
    }
    let new: Vec<(usize, &SuiteTest)> = found
        .iter()
        .enumerate()
        .flat_map(|(strategy, found)| found.suite.tests.iter().map(move |test| (strategy, test)))
        .filter(|(_, test)| !before.tests.iter().any(|old| old.inputs == test.inputs))
        .collect();
    let targets = targets(&found);
    let tests: Vec<&SuiteTest> = new.iter().map(|(_, test)| *test).collect();
    let kills = kill_matrix(subject, &before, &tests, &targets)?;
    Ok(result(subject, times, &found, &new, targets.len(), &kills))
}

fn result(
    subject: &StubbornSubject,
    times: TrialTimes,
    found: &[FoundTests],
    new: &[(usize, &SuiteTest)],
    targets: usize,
    kills: &KillMatrix,
) -> SubjectResult {
    let references = reference_mutants(kills);
    let strategy = |number: usize| {
        let own = new.iter().enumerate().filter(|(_, (of, _))| *of == number);
        let own: BTreeSet<usize> = own.map(|(place, _)| place).collect();
        let dies = |mutant: &&String| !kills[*mutant].is_disjoint(&own);
        StrategyResult {
            name: found[number].name.to_owned(),
            new_tests: own.len(),
            killed: kills.keys().filter(dies).count(),
            references: references.iter().filter(dies).count(),
            killing_tests: killing_tests(kills, &own),
            equivalent: found[number].mutants.iter().filter(is_equivalent).count(),
            wall_s: found[number].wall.as_secs_f64(),
        }
    };
    let records = &found[0].mutants;
    let killed_before = |m: &&MutantRecord| m.status.is_kill() && !m.newly_killed;
    SubjectResult {
        name: subject.name.clone(),
        budget_s: times.strategy.as_secs_f64(),
        mutants: records.len(),
        killed_before: records.iter().filter(killed_before).count(),
        targets,
        references: references.len(),
        strategies: (0..found.len()).map(strategy).collect(),
        false_proofs: false_proofs(found, kills),
        problem: None,
    }
}

fn is_equivalent(mutant: &&MutantRecord) -> bool {
    mutant.status == MutantFate::Equivalent
}

fn false_proofs(found: &[FoundTests], kills: &KillMatrix) -> Vec<String> {
    let said = |strategy: &str, m: &MutantRecord| {
        let change = [&m.original, &m.replacement];
        format!(
            "{strategy}: {} line {} {}: {} → {}",
            m.id, m.line, m.operator, change[0], change[1]
        )
    };
    let mut all = Vec::new();
    for found in found {
        let proved = found.mutants.iter().filter(is_equivalent);
        let disproved = proved.filter(|m| kills.contains_key(&m.id));
        all.extend(disproved.map(|m| said(found.name, m)));
    }
    all
}

/// `labrys COMMAND` on a subject.
fn command(name: &str, subject: &StubbornSubject, time: Duration) -> Outcome<Command> {
    let mut command = Command::new(labrys()?);
    command
        .arg(name)
        .arg(&subject.source)
        .args(subject.flags())
        .args(["--seed", "0", "--quiet", "--time"])
        .arg(format!("{}ms", time.as_millis()));
    Ok(command)
}

fn finish(command: &mut Command) -> Outcome<()> {
    let said = command.stdin(Stdio::null()).output();
    let said = said.map_err(Failure::usage)?;
    match said.status.success() {
        true => Ok(()),
        false => Err(Failure::usage(format_args!(
            "{command:?} failed: {}: {}",
            said.status,
            String::from_utf8_lossy(&said.stderr).trim()
        ))),
    }
}

fn mutants(out: &Path) -> Outcome<Vec<MutantRecord>> {
    let text = std::fs::read(out.join("mutants.json")).map_err(Failure::usage)?;
    let file: MutantsFile = serde_json::from_slice(&text).map_err(Failure::usage)?;
    Ok(file.mutants)
}

/// The ids of the mutants that the initial suite leaves alive in the runs of all strategies, and that
/// the compiler can tell from the original and from each other.
fn targets(found: &[FoundTests]) -> BTreeSet<String> {
    let is_same_code = |m: &MutantRecord| {
        let proof = m.proof.as_ref();
        proof.is_some_and(|p| p.kind == labrys_mutate::MutantProofKind::SameCode)
    };
    let is_target = |m: &&MutantRecord| !is_same_code(m) && (!m.status.is_kill() || m.newly_killed);
    let mut of_each = found.iter().map(|found| -> BTreeSet<String> {
        let targets = found.mutants.iter().filter(is_target);
        targets.map(|m| m.id.clone()).collect()
    });
    let first = of_each.next().unwrap_or_default();
    of_each.fold(first, |all, next| {
        all.intersection(&next).cloned().collect()
    })
}

/// All new tests meet all targets.
fn kill_matrix(
    subject: &StubbornSubject,
    before: &Suite,
    new: &[&SuiteTest],
    targets: &BTreeSet<String>,
) -> Outcome<KillMatrix> {
    if new.is_empty() {
        return Ok(KillMatrix::new());
    }
    let imported = |(number, test): (usize, &&SuiteTest)| ImportedTest {
        name: format!("new {number}"),
        file: subject.source.clone(),
        format: ImportFormat::Labrys,
        content: ImportedContent::Labrys {
            test: Box::new((*test).clone()),
            sizes: before.sizes,
        },
    };
    let mut suite = ImportedSuite {
        project: Project::open(subject.request()?)?,
        collection: ImportedTests {
            tests: new.iter().enumerate().map(imported).collect(),
            notes: Vec::new(),
        },
    };
    let builds = suite.build(&ProgramForm::NativeMutants)?;
    let plans = suite.plans(&builds)?;
    let (tests, numbers) = cases(&plans);
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let all = builds[0].program.mutants.iter();
    let mutants: Vec<Mutant> = all.filter(|m| targets.contains(&m.id)).cloned().collect();
    let options = ScoringOptions {
        all_kills: true,
        ..ScoringOptions::default()
    };
    let limits = ReplayLimits::default();
    let among = |_: usize, tests: Vec<usize>| tests;
    let scored = score_with(
        options,
        &mutants,
        &replayers,
        &tests,
        &among,
        &limits,
        &mut |_| {},
    );
    let scored = scored.map_err(Failure::usage)?;
    let mut kills: KillMatrix = BTreeMap::new();
    for (mutant, by) in mutants.iter().zip(&scored.kills) {
        let by: BTreeSet<usize> = by.keys().map(|test| numbers[*test]).collect();
        if !by.is_empty() {
            kills.insert(mutant.id.clone(), by);
        }
    }
    Ok(kills)
}
