//! All runs of one subject, and what is known of the subject without them.

use super::contradictions::contradictions;
use super::subjects::BidirectionalSubject;
use super::trial::MethodRun;
use super::truth::OutcomeSet;
use labrys_driver::Outcome;

pub struct SubjectRuns {
    pub name: &'static str,
    pub lines: usize,
    /// On the list of what no test can cover.
    pub listed: OutcomeSet,
    pub runs: Vec<MethodRun>,
    /// What cannot be true together.
    pub contradictions: Vec<String>,
}

impl SubjectRuns {
    /// Its runs among these, and what native runs have shown.
    pub fn new(
        subject: &BidirectionalSubject,
        runs: &[MethodRun],
        native: &OutcomeSet,
    ) -> Outcome<Self> {
        let listed = subject.listed()?;
        let of_subject = |r: &&MethodRun| r.subject == subject.name;
        let runs: Vec<&MethodRun> = runs.iter().filter(of_subject).collect();
        Ok(SubjectRuns {
            name: subject.name,
            lines: subject.lines(),
            contradictions: contradictions(&runs, &listed, native),
            listed,
            runs: runs.into_iter().cloned().collect(),
        })
    }

    /// The run of this method with this time.
    pub fn run(&self, method: &str, budget_s: f64) -> Option<&MethodRun> {
        let is_it = |r: &&MethodRun| r.method == method && r.budget_s == budget_s;
        self.runs.iter().find(is_it)
    }
}
