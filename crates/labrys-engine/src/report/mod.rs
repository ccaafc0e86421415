//! What an exploration finds, and who is told about it while it runs.

mod argument;
mod work;

pub(crate) use argument::ContradictionText;
pub use argument::{ArgumentStep, Claim, ClaimList, ClaimTopic, ClaimedCondition, LoopInvariant};
pub use work::{FaultCheckWork, LabelWork, Work};

use crate::bitset::BitSet;
use crate::end::{FaultKind, PathEnd, StackLine};
use crate::inputs::InputValue;
use labrys_ir::SourceLoc;
use labrys_ledger::{OutcomeVector, Trigger};
use labrys_solver::SolverStats;
use std::collections::{BTreeMap, BTreeSet};

/// A test that the engine proposes.
#[derive(Clone, Debug)]
pub struct Test {
    pub inputs: Vec<InputValue>,
    pub end: PathEnd,
    /// How many conditions its path has.
    pub conditions: usize,
    /// Objectives covered here and by no earlier test.
    pub fresh: Vec<usize>,
    /// All objectives that its path covers.
    pub covers: Vec<usize>,
    /// The evaluations of decisions with pairs on its path.
    pub vectors: Vec<(u32, OutcomeVector)>,
    /// Nothing but pairs needs it.
    pub only_for_pairs: bool,
    /// The predicted trace.
    pub trace: u64,
    /// The predicted outputs; bytes that are indeterminate are `None`.
    pub outputs: Vec<(String, Vec<Option<u8>>)>,
    /// Objectives whose label's predicate may fault on this path, and that it does not cover:
    /// natively such a predicate may read anything.
    pub faulted: Vec<usize>,
    /// Its path depends on where objects lie: a native run may go another way.
    pub depends_on_layout: bool,
    /// What its path takes for granted of the surroundings, which may be otherwise natively.
    pub surroundings: Vec<String>,
    /// The stack of a native run may be too small for it.
    pub needs_much_stack: bool,
    /// What it is predicted to write to standard output and standard error.
    pub streams: [Vec<StreamPart>; 2],
    /// What it was found with, if its values were chosen anew when the search was over.
    pub found_with: Option<Box<TestValues>>,
}

/// The values of a test, and what they are predicted to give.
#[derive(Clone, Debug)]
pub struct TestValues {
    pub inputs: Vec<InputValue>,
    pub outputs: Vec<(String, Vec<Option<u8>>)>,
    pub streams: [Vec<StreamPart>; 2],
}

impl Test {
    /// Gives it the values again that it was found with. It takes the same path.
    pub fn keep_found_values(&mut self) {
        if let Some(found) = self.found_with.take() {
            let TestValues {
                inputs,
                outputs,
                streams,
            } = *found;
            self.inputs = inputs;
            self.outputs = outputs;
            self.streams = streams;
        }
    }
}

/// A part of the predicted contents of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamPart {
    /// These bytes; `None` where one is indeterminate.
    Bytes(Vec<Option<u8>>),
    /// Any bytes, of any number.
    Any,
}

/// A fault of the program, found by a test.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    pub loc: SourceLoc,
    pub stack: Vec<StackLine>,
    /// Position in [`Report::tests`].
    pub test: usize,
}

/// Why the exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    AllCovered,
    Exhausted,
    Time,
    Paths,
    /// Nothing new was found for long, and sizes of the harness are in the way.
    Sizes,
    Memory,
    /// Nothing is left to do, but no path has come to its end: each was longer than a path may be.
    Steps,
    Interrupted,
}

impl Stop {
    pub fn name(self) -> &'static str {
        match self {
            Stop::AllCovered => "all-covered",
            Stop::Exhausted => "exhausted",
            Stop::Time => "time",
            Stop::Paths | Stop::Sizes => "paths",
            Stop::Memory => "memory",
            Stop::Steps => "steps",
            Stop::Interrupted => "interrupted",
        }
    }
}

/// What an exhausted search does not show by itself for an objective.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unproved {
    /// It shows it only if this holds: the text of an assumption.
    Assumes(String),
    /// Something that Labrys could not do.
    Gap(String),
}

/// What an exploration found.
#[derive(Debug)]
pub struct Report {
    pub tests: Vec<Test>,
    pub faults: Vec<Fault>,
    pub stop: Stop,
    /// The evaluations of decisions with pairs that were of interest, in tests or not.
    pub vectors: Vec<(u32, OutcomeVector)>,
    /// Paths with different traces.
    pub distinct_paths: u64,
    /// Everything that a run has rested on, as the texts of assumptions.
    pub assumptions: Vec<String>,
    /// Why something may lie beyond what was seen, apart from assumptions; empty for a complete
    /// exploration. Each with how often it happened.
    pub gaps: BTreeMap<String, u64>,
    /// For each objective that no test covers: what this search does not show about it. Gaps and
    /// assumptions count only where the objective can be reached from them.
    pub unproved: BTreeMap<usize, BTreeSet<Unproved>>,
    /// Of the assumptions among these, those without which the value that decides could be another one.
    pub needed: BTreeMap<usize, BTreeSet<String>>,
    /// Objectives whose label's predicate may fault on some path.
    pub faulted: BTreeSet<usize>,
    /// How often an argument of a native call was fixed to one value, by function. The other
    /// values are candidates.
    pub pinned: BTreeMap<String, u64>,
    pub work: Work,
    pub solver: SolverStats,
    /// Sizes of tables, for `--stats`.
    pub sizes: Vec<(&'static str, usize)>,
    /// Explorations of all turns of all loops at once, as far as they are complete.
    pub turns: Vec<LoopTurns>,
    /// Ways to open objectives that no run can take, a few for each.
    pub claims: ClaimList,
    /// Objectives that nothing leads to, seen backward from them.
    pub frontier: BTreeMap<usize, FrontierProof>,
    /// The questions without a solution that these rest on.
    pub frontier_claims: ClaimList,
}

/// Why nothing leads to an objective: predicates that lead to it, none of which holds where the program
/// starts or follows from anything but the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontierProof {
    /// How many there are.
    pub predicates: usize,
    /// Where they stand, each once.
    pub places: Vec<SourceLoc>,
    /// The texts of what it takes for granted.
    pub assumes: BTreeSet<String>,
    /// Of a pair: the outcome of its condition that no run of this search has where it decides.
    pub half: Option<bool>,
    /// It may rest on what an analysis before the search has found, and so on what that rests on.
    pub goes_by_known: bool,
    /// The predicates and why nothing leads to them, from the objective backward.
    pub steps: Vec<ArgumentStep>,
}

/// An exploration of more than there is, and what it was found with. What it does not cover cannot be
/// covered.
#[derive(Debug)]
pub struct LoopTurns {
    report: Report,
    covered: BitSet,
    pub exclusion: Exclusion,
    /// The questions without a solution that it rests on.
    pub claims: ClaimList,
}

/// What an exploration knew of the states from which it began.
#[derive(Clone, Debug)]
pub enum Exclusion {
    /// The relations that hold whenever a turn of a loop begins, with the heads of their loops.
    Loops {
        rounds: usize,
        invariants: Vec<LoopInvariant>,
    },
    /// Sets of states at joins, told apart by the values in some places.
    States {
        sets: usize,
        kept: Vec<String>,
        /// Which values these have where.
        facts: Vec<(SourceLoc, String)>,
        /// Which values they have where paths begin that come to an event.
        near: BTreeMap<Trigger, Vec<(SourceLoc, String)>>,
    },
}

impl LoopTurns {
    pub(crate) fn new(
        report: Report,
        covered: BitSet,
        exclusion: Exclusion,
        claims: ClaimList,
    ) -> Self {
        LoopTurns {
            covered,
            report,
            exclusion,
            claims,
        }
    }

    /// Why nothing covers an objective with this event.
    pub fn argument(&self, trigger: Trigger) -> Vec<ArgumentStep> {
        match &self.exclusion {
            Exclusion::Loops { invariants, .. } => self.claims.from_invariants(invariants, trigger),
            Exclusion::States { facts, near, .. } => {
                let other = trigger.other_outcome();
                let near = other.and_then(|other| near.get(&other));
                self.claims.from_states(near.unwrap_or(facts), trigger)
            }
        }
    }

    /// The assumptions without which an objective might be covered.
    pub fn needed(&self, objective: usize) -> impl Iterator<Item = &str> {
        let needed = self.report.needed.get(&objective);
        needed.into_iter().flatten().map(String::as_str)
    }

    /// What the proof that nothing covers this objective takes for granted; none if there is no such
    /// proof here.
    pub fn excludes(&self, objective: usize) -> Option<Vec<&str>> {
        if self.covered.contains(objective) {
            return None;
        }
        let unproved = self.report.unproved_for(objective);
        unproved
            .map(|unproved| match unproved {
                Unproved::Gap(_) => None,
                Unproved::Assumes(text) => Some(text.as_str()),
            })
            .collect()
    }
}

impl Report {
    /// The exploration of all turns by which nothing covers this objective, and what that takes for
    /// granted.
    pub fn excluded(&self, objective: usize) -> Option<(&LoopTurns, Vec<&str>)> {
        let mut all = self.turns.iter();
        all.find_map(|turns| Some((turns, turns.excludes(objective)?)))
    }

    /// Of a search that was not begun, since the run had to stop.
    pub fn unsearched(stop: Stop) -> Self {
        Report {
            tests: Vec::new(),
            faults: Vec::new(),
            stop,
            vectors: Vec::new(),
            distinct_paths: 0,
            assumptions: Vec::new(),
            gaps: BTreeMap::new(),
            unproved: BTreeMap::new(),
            needed: BTreeMap::new(),
            faulted: BTreeSet::new(),
            pinned: BTreeMap::new(),
            work: Work::default(),
            solver: SolverStats::default(),
            sizes: Vec::new(),
            turns: Vec::new(),
            claims: ClaimList::default(),
            frontier: BTreeMap::new(),
            frontier_claims: ClaimList::default(),
        }
    }

    /// Were all paths ended by the limit of steps? Then nothing is known of the program.
    pub(crate) fn is_endless(&self) -> bool {
        let endless = self.work.ends[PathEnd::StepLimit.number()];
        endless > 0 && endless == self.work.paths
    }

    /// Was not a single path run?
    pub fn is_unsearched(&self) -> bool {
        self.work.paths == 0 && self.tests.is_empty() && self.stop != Stop::Exhausted
    }

    /// What this search does not show about an objective that nothing has covered.
    pub fn unproved_for(&self, objective: usize) -> impl Iterator<Item = &Unproved> {
        self.unproved.get(&objective).into_iter().flatten()
    }
}

/// Is told about progress while the exploration runs.
pub trait Observer: Send {
    /// A test was kept.
    fn test(&mut self, _test: &Test, _work: &Work) {}
    /// Called after every path.
    fn progress(&mut self, _work: &Work, _waiting: usize, _covered: usize) {}
}

/// An observer that does nothing.
pub struct Silent;

impl Observer for Silent {}
