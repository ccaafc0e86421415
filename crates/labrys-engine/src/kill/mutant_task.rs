//! What is known of one mutant while it is looked at, and what is still to be tried with it.

use super::report::UnkilledReason;
use crate::candidates::Candidate;
use crate::exec::trail::Alternative;
use labrys_expr::ExprId;
use labrys_ir::SourceLoc;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A mutant meets the first tests that were made for others; behind these the eighth, sixteenth and so
/// on.
const FIRST_TESTS: u32 = 4;

/// Of a mutant that only native runs can judge, so many tests are tried.
const MOST_DOUBTS: usize = 4;

/// What became of a mutant so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskStatus {
    Open,
    /// By this of the new tests, perhaps only by an error that C leaves undefined.
    Killed {
        test: usize,
        undefined: bool,
    },
    /// Nothing is left that could be tried.
    Exhausted,
}

/// A way that a run of a mutant could have gone, beside a path of the original.
pub(super) struct MutantFork {
    pub(super) candidate: Candidate,
    pub(super) path: usize,
}

pub(super) struct MutantTask {
    pub(super) changes: Rc<[Alternative]>,
    pub(super) status: TaskStatus,
    /// Paths of the original that come to it and that it was not run on.
    pub(super) untried: VecDeque<usize>,
    pub(super) forks: VecDeque<MutantFork>,
    pub(super) turns: u64,
    /// How often it has asked for a path of the original.
    pub(super) asked: u64,
    reached: bool,
    infected: bool,
    was_masked: bool,
    masked_at: Option<SourceLoc>,
    /// The condition under which its state was another one, on the path that was tried last.
    pub(super) infection: Option<ExprId>,
    /// Why it is not shown to be equivalent if nothing kills it.
    pub(super) gaps: BTreeSet<String>,
    /// What a proof of its equivalence rests on.
    pub(super) assumes: BTreeSet<String>,
    /// New tests that may kill it.
    pub(super) doubtful: Vec<usize>,
    /// Tests that could have killed it and have not.
    vain: usize,
    /// Tests that come to it and were made for others.
    passed_by: u32,
}

impl MutantTask {
    pub(super) fn new(changes: &[Alternative]) -> Self {
        MutantTask {
            changes: changes.into(),
            status: TaskStatus::Open,
            untried: VecDeque::new(),
            forks: VecDeque::new(),
            turns: 0,
            asked: 0,
            reached: false,
            infected: false,
            was_masked: false,
            masked_at: None,
            infection: None,
            gaps: BTreeSet::new(),
            assumes: BTreeSet::new(),
            doubtful: Vec::new(),
            vain: 0,
            passed_by: 0,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.status == TaskStatus::Open
    }

    pub(super) fn points(&self) -> impl Iterator<Item = u32> + '_ {
        self.changes.iter().map(|change| change.point)
    }

    /// Has a path come to it?
    pub(super) fn was_reached(&self) -> bool {
        self.reached
    }

    /// A path comes to it.
    pub(super) fn add_path(&mut self, path: usize) {
        self.reached = true;
        self.untried.push_back(path);
    }

    /// A path comes to it.
    pub(super) fn reach(&mut self) {
        self.reached = true;
    }

    /// Its state was another one than that of the original.
    pub(super) fn note_infection(&mut self, when: ExprId) {
        self.infected = true;
        self.infection = Some(when);
    }

    /// Its state was another one and nobody has seen it: the difference was lost here.
    pub(super) fn note_masking(&mut self, at: Option<SourceLoc>) {
        self.masked_at = at.filter(|at| at.line != 0);
        self.was_masked = true;
    }

    /// Is it known where a difference was lost, or that this cannot be known?
    pub(super) fn was_masked(&self) -> bool {
        self.was_masked
    }

    /// Where a difference was lost, if that is known.
    pub(super) fn masked_at(&self) -> Option<SourceLoc> {
        self.masked_at
    }

    /// One of its runs went another way than the original: its state must have been another one.
    pub(super) fn note_infection_somewhere(&mut self) {
        self.infected = true;
    }

    pub(super) fn was_infected(&self) -> bool {
        self.infected
    }

    /// Are there enough tests that may kill it?
    pub(super) fn has_many_doubts(&self) -> bool {
        self.doubtful.len() + self.vain >= MOST_DOUBTS
    }

    /// Native runs of a test that was made for it have not killed it.
    pub(super) fn tried_in_vain(&mut self) {
        self.vain += 1;
    }

    /// A test comes to it that was made for another: does it meet this one?
    pub(super) fn meets_next_test(&mut self) -> bool {
        self.passed_by += 1;
        self.passed_by <= FIRST_TESTS || self.passed_by.is_power_of_two()
    }

    /// A new test may kill it.
    pub(super) fn doubt(&mut self, test: usize) {
        if !self.doubtful.contains(&test) {
            self.doubtful.push(test);
        }
    }

    /// Something is left after all that it can be tried with.
    pub(super) fn reopen(&mut self) {
        if self.status == TaskStatus::Exhausted {
            self.status = TaskStatus::Open;
        }
    }

    /// It is decided, and nothing has to be kept for it.
    pub(super) fn close(&mut self, status: TaskStatus) {
        self.status = status;
        self.untried.clear();
        self.forks.clear();
        self.infection = None;
    }

    pub(super) fn reason(&self) -> UnkilledReason {
        match (self.reached, self.infected) {
            (false, _) => UnkilledReason::NotReached,
            (true, false) => UnkilledReason::NotInfected,
            (true, true) => UnkilledReason::Masked(self.masked_at),
        }
    }
}
