//! What Labrys says about a batch of functions, compared with the truth and with what it says when
//! options differ that must not matter.

use super::super::corpus::trial::wait;
use super::native::{Batch, Marks};
use super::write::Subject;
use crate::product::labrys;
use labrys_driver::output::ObjectivesFile;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::{Objective, Status, Trigger};
use labrys_suite::{Suite, ended_normally};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// Called infeasible, and a native run shows it.
    FalseProof,
    /// Called covered, and no exported test shows it; or an exported test fails.
    Unconfirmed,
    /// Covered with some options, infeasible with others.
    Contradiction,
    /// A panic, an internal error or a signal.
    Crash,
    /// Longer than its time.
    Overtime,
}

impl Wrong {
    pub fn name(self) -> &'static str {
        match self {
            Wrong::FalseProof => "false proof",
            Wrong::Unconfirmed => "unconfirmed",
            Wrong::Contradiction => "contradiction",
            Wrong::Crash => "crash",
            Wrong::Overtime => "overtime",
        }
    }
}

/// Something wrong, in one line, and the function that it is about, if it is about one.
#[derive(Clone, Debug)]
pub struct Complaint {
    pub wrong: Wrong,
    pub function: Option<String>,
    pub text: String,
}

/// What became of one objective.
#[derive(Clone, Debug)]
pub struct JudgedBatch {
    pub status: Status,
    pub shown: bool,
    /// Whether what is not shown is infeasible.
    pub complete: bool,
    /// Whether its function has loops.
    pub has_loops: bool,
}

/// What Labrys said with one choice of proof rules.
#[derive(Clone, Debug)]
pub struct RuleVerdicts {
    pub rules: String,
    pub objectives: Vec<JudgedBatch>,
    pub false_proofs: usize,
}

/// A batch with what Labrys said about it.
#[derive(Default)]
pub struct Examined {
    pub objectives: Vec<JudgedBatch>,
    pub complaints: Vec<Complaint>,
    pub tests: usize,
    /// Objectives on lines that have no mark.
    pub strays: usize,
    /// The same objectives with each rule alone, if that was asked for.
    pub by_rule: Vec<RuleVerdicts>,
    /// Objectives that are infeasible and that no rule has proved, with the source.
    pub unproved: Vec<String>,
}

/// How a batch is examined.
pub struct Examination<'a> {
    /// For the search.
    pub time: Duration,
    /// The rules that may prove something, if not all.
    pub proof_rules: Option<&'a str>,
    /// Choices of rules and options that are tried one after the other.
    pub each_rule: &'a [RuleChoice],
    /// Whether what is infeasible and not proved is listed.
    pub lists_unproved: bool,
    /// Options of every run.
    pub arguments: &'a [&'a str],
    /// Options of a second run that must not contradict the first.
    pub options: &'a [&'a str],
    /// The object that records natively.
    pub record: &'a Path,
    /// Whether the suite is exported and run.
    pub export: bool,
}

/// Rules that may prove something, with options, and how a table calls them.
#[derive(Clone, Debug)]
pub struct RuleChoice {
    pub name: String,
    pub options: Vec<String>,
}

/// More time for compiling and replaying than the search has.
const MORE_TIME: Duration = Duration::from_secs(120);

impl Examination<'_> {
    pub fn examine(&self, batch: &Batch, subjects: &[Subject]) -> Outcome<Examined> {
        let truth = batch.truth(self.record)?;
        let complete = |name: &str| {
            let mut subjects = subjects.iter().filter(|s| s.complete && s.name == name);
            subjects.next().map(|subject| subject.has_loops)
        };
        self.examine_against(batch, &truth, complete)
    }

    /// Compares with what is known to happen, which is all that can in some functions: `complete` says
    /// of these whether they have loops.
    pub fn examine_against(
        &self,
        batch: &Batch,
        truth: &Marks,
        complete: impl Fn(&str) -> Option<bool>,
    ) -> Outcome<Examined> {
        let mut examined = Examined::default();
        let Some(first) = self.generate(&batch.dir, "out", &[], &mut examined)? else {
            return Ok(examined);
        };
        for record in &first.objectives {
            let (o, status) = (&record.objective, &record.status);
            let mark = batch.forms.marks.get(&o.line).copied();
            let shown = mark.is_some_and(|mark| truth.has(mark, outcome(o)));
            if shown && matches!(status, Status::Infeasible { .. }) {
                examined.complain(Wrong::FalseProof, Some(o), String::new());
            }
            let loops = mark.and_then(|_| complete(&o.function));
            examined.judged(status, shown, loops);
            examined.strays += usize::from(mark.is_none());
        }
        if self.lists_unproved {
            examined.unproved = unproved(batch, &first, &examined.objectives);
        }
        for choice in self.each_rule {
            self.try_rules(batch, choice, truth, &complete, &mut examined)?;
        }
        if self.export {
            self.confirm(batch, &mut examined)?;
        }
        if !self.options.is_empty() {
            self.compare(batch, &first, truth, &mut examined)?;
        }
        Ok(examined)
    }

    /// What is proved with a choice of rules, which must be true.
    fn try_rules(
        &self,
        batch: &Batch,
        choice: &RuleChoice,
        truth: &Marks,
        complete: impl Fn(&str) -> Option<bool>,
        examined: &mut Examined,
    ) -> Outcome<()> {
        let options: Vec<&str> = choice.options.iter().map(String::as_str).collect();
        let Some(file) = self.generate(&batch.dir, "out-rule", &options, examined)? else {
            return Ok(());
        };
        let mut part = Examined::default();
        for record in &file.objectives {
            let (o, status) = (&record.objective, &record.status);
            let mark = batch.forms.marks.get(&o.line).copied();
            let shown = mark.is_some_and(|mark| truth.has(mark, outcome(o)));
            if shown && matches!(status, Status::Infeasible { .. }) {
                part.complain(Wrong::FalseProof, Some(o), format!("by {}", choice.name));
            }
            let loops = mark.and_then(|_| complete(&o.function));
            part.judged(status, shown, loops);
        }
        examined.by_rule.push(RuleVerdicts {
            rules: choice.name.clone(),
            objectives: part.objectives,
            false_proofs: part.complaints.len(),
        });
        examined.complaints.extend(part.complaints);
        Ok(())
    }

    /// Runs `labrys gen`; nothing if it failed, which is a complaint then.
    pub fn generate(
        &self,
        dir: &Path,
        out: &str,
        options: &[&str],
        examined: &mut Examined,
    ) -> Outcome<Option<ObjectivesFile>> {
        let child = Command::new(labrys()?)
            .args([
                "gen",
                "subject.c",
                "--quiet",
                "--format",
                "json",
                "--out",
                out,
            ])
            .args(["--time", &format!("{}ms", self.time.as_millis())])
            .args(self.proof_rules.iter().flat_map(|r| ["--proof-rules", r]))
            .args(options)
            .args(self.arguments)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| Failure::usage(format_args!("cannot run labrys: {e}")))?;
        let (status, stdout, stderr) = wait(child, self.time + MORE_TIME)?;
        let wrong = match status.map(|status| status.code()) {
            Some(Some(0)) => {
                if !stdout.contains("\"divergences\": []") && stdout.contains("\"divergences\"") {
                    let text = stdout
                        .lines()
                        .skip_while(|l| !l.contains("\"divergences\""));
                    let text: Vec<&str> = text.take(2).map(str::trim).collect();
                    examined.complain(Wrong::Unconfirmed, None, text.concat());
                }
                let path = dir.join(out).join("objectives.json");
                let bytes = std::fs::read(&path).map_err(Failure::usage)?;
                return match serde_json::from_slice(&bytes) {
                    Ok(file) => Ok(Some(file)),
                    Err(error) => {
                        let text = format!("{} is damaged: {error}", path.display());
                        examined.complain(Wrong::Crash, None, text);
                        Ok(None)
                    }
                };
            }
            None => Wrong::Overtime,
            Some(_) => Wrong::Crash,
        };
        let said: String = stderr.trim().chars().take(400).collect();
        examined.complain(wrong, None, format!("{options:?}: {status:?} {said}"));
        Ok(None)
    }

    /// Exports the tests, compiles them with the recording form of the functions and runs them:
    /// all must pass and together show what is called covered.
    fn confirm(&self, batch: &Batch, examined: &mut Examined) -> Outcome<()> {
        let output = Command::new(labrys()?)
            .args(["export", "out", "--format", "c", "--out", "tests.c"])
            .current_dir(&batch.dir)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| Failure::usage(format_args!("cannot run labrys: {e}")))?;
        let path = batch.dir.join("tests.c");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !output.status.success() || text.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            examined.complain(Wrong::Crash, None, format!("export: {said}"));
            return Ok(());
        }
        let original = batch.dir.join("subject.c").display().to_string();
        batch.file("exported.c", &text.replace(&original, "native.c"))?;
        if let Err(failure) = batch.compile("exported.c", "exported", self.record) {
            let text = format!("the exported tests do not compile: {}", failure.message);
            examined.complain(Wrong::Unconfirmed, None, text);
            return Ok(());
        }
        let (marks, printed) = batch.run("exported", 1)?;
        examined.tests = text.matches("\nstatic void test_").count();
        examined.confirm(batch, &printed, &marks)
    }

    /// A run with other options must not contradict the first one or the truth.
    fn compare(
        &self,
        batch: &Batch,
        first: &ObjectivesFile,
        truth: &Marks,
        examined: &mut Examined,
    ) -> Outcome<()> {
        let Some(second) = self.generate(&batch.dir, "out-options", self.options, examined)? else {
            return Ok(());
        };
        if second.objectives.len() != first.objectives.len() {
            let text = format!("{:?}: other objectives", self.options);
            examined.complain(Wrong::Contradiction, None, text);
            return Ok(());
        }
        for (a, b) in first.objectives.iter().zip(&second.objectives) {
            let o = &a.objective;
            let refuted = |status: &Status| matches!(status, Status::Infeasible { .. });
            let covered = |status: &Status| matches!(status, Status::Covered { .. });
            let mark = batch.forms.marks.get(&o.line);
            let text = format!("with {:?}", self.options);
            if refuted(&a.status) && covered(&b.status) || covered(&a.status) && refuted(&b.status)
            {
                examined.complain(Wrong::Contradiction, Some(o), text);
            } else if refuted(&b.status)
                && !refuted(&a.status)
                && mark.is_some_and(|mark| truth.has(*mark, outcome(o)))
            {
                examined.complain(Wrong::FalseProof, Some(o), text);
            }
        }
        Ok(())
    }
}

/// What is infeasible and not proved, with the reasons, and behind it the source.
fn unproved(batch: &Batch, file: &ObjectivesFile, judged: &[JudgedBatch]) -> Vec<String> {
    let records = file.objectives.iter().zip(judged);
    let mut found: Vec<String> = records
        .filter(|(_, judged)| judged.complete && !judged.shown)
        .filter_map(|(record, _)| match &record.status {
            Status::Unknown { reason } => {
                let o = &record.objective;
                Some(format!("{}:{} {}: {reason}\n", o.function, o.line, o.text))
            }
            _ => None,
        })
        .collect();
    if !found.is_empty() {
        found.push(batch.forms.plain.clone());
    }
    found
}

/// The tests of a suite that end in a fault.
fn crashing_tests(out: &Path) -> Outcome<BTreeSet<u32>> {
    let suite = Suite::read(&out.join("suite.json")).map_err(Failure::usage)?;
    let crashing = suite.tests.iter().filter(|t| !ended_normally(&t.outcome));
    Ok(crashing.map(|test| test.id).collect())
}

impl Examined {
    fn complain(&mut self, wrong: Wrong, objective: Option<&Objective>, text: String) {
        self.complaints.push(match objective {
            Some(objective) => complaint(wrong, objective, &text),
            None => Complaint {
                wrong,
                function: None,
                text,
            },
        });
    }

    /// What exported tests have printed and shown: none fails, and what is called covered is shown.
    pub fn confirm(&mut self, batch: &Batch, printed: &str, marks: &Marks) -> Outcome<()> {
        let is_failure = |line: &&str| line.contains("FAILED") || line.starts_with("failed: ");
        for line in printed.lines().filter(is_failure) {
            self.complain(Wrong::Unconfirmed, None, line.to_owned());
        }
        let out = batch.dir.join("out");
        let crashing = crashing_tests(&out)?;
        let bytes = std::fs::read(out.join("objectives.json")).map_err(Failure::usage)?;
        let file: ObjectivesFile = serde_json::from_slice(&bytes).map_err(Failure::usage)?;
        for record in &file.objectives {
            let o = &record.objective;
            let Status::Covered { tests } = &record.status else {
                continue;
            };
            let is_missing =
                (batch.forms.marks.get(&o.line)).is_some_and(|mark| !marks.has(*mark, outcome(o)));
            // C leaves open which operand is evaluated first, so a compiler may come to the fault
            // before it comes to the condition.
            if is_missing && !tests.iter().all(|test| crashing.contains(test)) {
                self.complain(Wrong::Unconfirmed, Some(o), String::new());
            }
        }
        Ok(())
    }

    /// Adds what rules have proved of another program.
    pub fn add_rules(&mut self, by_rule: Vec<RuleVerdicts>) {
        for more in by_rule {
            match self.by_rule.iter_mut().find(|old| old.rules == more.rules) {
                Some(old) => {
                    old.objectives.extend(more.objectives);
                    old.false_proofs += more.false_proofs;
                }
                None => self.by_rule.push(more),
            }
        }
    }

    /// `loops` says of a function all of whose inputs were tried whether it has loops.
    pub fn judged(&mut self, status: &Status, shown: bool, loops: Option<bool>) {
        self.objectives.push(JudgedBatch {
            status: status.clone(),
            shown,
            complete: loops.is_some(),
            has_loops: loops.unwrap_or_default(),
        });
    }
}

/// A complaint about an objective.
pub fn complaint(wrong: Wrong, objective: &Objective, text: &str) -> Complaint {
    Complaint {
        wrong,
        function: Some(objective.function.clone()),
        text: format!("subject.c:{}: {} {text}", objective.line, objective.text),
    }
}

/// Which outcome of its mark an objective asks for.
fn outcome(objective: &Objective) -> bool {
    match objective.trigger {
        Trigger::Condition { value, .. } => value,
        _ => true,
    }
}
