//! The exploration: takes candidates, solves them, runs them, and keeps the tests worth keeping.

mod all_states;
mod all_turns;
mod conclude;
mod detours;
mod fault_checks;
mod finish;
mod follower;
mod frontier_looks;
mod next_states;
mod prepare;
mod source_looks;
mod splices;
mod state_agenda;
mod tails;

use crate::candidates::{
    Agenda, Candidate, CoverageStructure, Leaf, Leaves, MissedOutcome, SnapshotBudget,
};
use crate::config::{Config, Instrumentation, Search};
use crate::error::EngineError;
use crate::exec::{ClaimLog, LoopFacts, Machine};
use crate::objectives::ObjectiveMap;
use crate::parallel::{SharedFindings, SyncPoint, run_threads};
use crate::program::{Program, entry_of};
use crate::report::{ClaimList, Fault, FrontierProof, LoopTurns, Observer, Report, Stop, Test};
use crate::search::strategy;
use crate::state::{Frame, State};
use crate::structure::ProgramStructure;
use crate::values::TestPath;
use frontier_looks::FrontierLooks;
use labrys_budget::EndCause;
use labrys_ir::{FuncId, Module};
use labrys_solver::Solver;
use prepare::Purpose;
use source_looks::SourceLooks;
use splices::SpliceTrials;
use state_agenda::StateProofs;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use tails::Tails;

/// Explores the paths of `entry`, by as many threads as the configuration says.
pub fn explore(
    module: &Module,
    entry: &str,
    objectives: &ObjectiveMap,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let entry = entry_of(module, entry)?;
    let program = Program::new(module);
    let threads = config.jobs.max(1);
    let shared = SharedFindings::new(threads, objectives, observer);
    let mut report = run_threads(threads, &shared, |first| {
        let mut explorer = Explorer::new(&program, entry, objectives, config, &shared)?;
        explorer.machine.claims = Some(Box::default());
        explorer.explore(first)
    })?;
    // Without objectives a single path is enough, but it has to end.
    let is_done = report.stop == Stop::AllCovered && objectives.count > 0;
    if matches!(report.stop, Stop::AllCovered | Stop::Exhausted) && !is_done && report.is_endless()
    {
        report.stop = Stop::Steps;
    }
    Ok(report)
}

/// At least this many paths come before the first leaf: each covers labels by chance, and a leaf of a
/// covered label need not be run.
const PATHS_BEFORE_LEAVES: u64 = 48;

/// A search without anything new for so many paths, and for so many times as many as it took to find the
/// last news, goes on with larger objects.
const LONG_WITHOUT_NEWS: u64 = 4096;
const TIMES_WITHOUT_NEWS: u64 = 8;

/// How a look explores the program once more: everything in order, without looks of its own.
fn config_of_look(config: &Config) -> Config {
    Config {
        search: Search::Dfs,
        filter: false,
        fault_checks: false,
        raw_values: true,
        loop_proofs_after: u64::MAX,
        state_proofs_after: u64::MAX,
        frontier_after: u64::MAX,
        proofs: None,
        jobs: 1,
        // What waits at joins holds expressions, too.
        collect_at: usize::MAX,
        ..config.clone()
    }
}

/// One thread's part of an exploration.
struct Explorer<'m> {
    machine: Machine<'m>,
    entry: FuncId,
    root: State,
    agenda: Agenda<'m>,
    tests: Vec<Test>,
    /// The paths of the tests, as far as they are kept.
    test_paths: Vec<Option<TestPath>>,
    faults: Vec<Fault>,
    leaves: Leaves,
    /// The leaf that the current run was made for.
    current_leaf: Option<Leaf>,
    /// What the other threads had found when that was looked at last.
    synced: SyncPoint,
    /// The leaf that is being tried, in case that its run is discarded.
    leaf_to_retry: Option<Candidate>,
    /// Paths that have run long already.
    suspended: VecDeque<Candidate>,
    tails: Tails,
    budget: SnapshotBudget,
    /// Number of expressions at which the dead ones are collected.
    collect_at: usize,
    gaps: BTreeMap<String, u64>,
    /// A path was not run to its end since the run has to stop.
    cut_short: bool,
    /// After so many paths all turns of all loops are looked at.
    turns_after: u64,
    /// What is still to be asked about sets of states, and when.
    states: StateProofs,
    /// What the search had when it began.
    time: Option<Duration>,
    /// What a look at all turns has found out that was not finished.
    known_of_turns: Option<Box<LoopFacts>>,
    /// What came of both.
    turns: Vec<LoopTurns>,
    /// What a detour is to be looked for to, the next one last; every second run is one.
    detours: Vec<MissedOutcome>,
    was_detour: bool,
    trials: SpliceTrials,
    looks: FrontierLooks<'m>,
    source_looks: SourceLooks,
    /// What the frontier excludes.
    frontier_proofs: BTreeMap<usize, FrontierProof>,
    frontier_claims: ClaimList,
    /// In a proof over sets of states: what was asked before the first one.
    first_claims: Option<Box<ClaimLog>>,
    /// Its sizes.
    frontier_sizes: Vec<(&'static str, usize)>,
    shared: &'m SharedFindings<'m>,
}

impl<'m> Explorer<'m> {
    fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        config: &'m Config,
        shared: &'m SharedFindings<'m>,
    ) -> Result<Self, EngineError> {
        let mut options = config.solver.clone();
        options.deadline = config.deadline.clone();
        let solver = Solver::new(options)?;
        let machine = Machine::new(program, config, objectives, solver, entry);
        Ok(Explorer {
            root: machine.state.clone(),
            machine,
            entry,
            agenda: agenda(config, program, objectives),
            tests: Vec::new(),
            test_paths: Vec::new(),
            faults: Vec::new(),
            leaves: Leaves::default(),
            current_leaf: None,
            synced: SyncPoint::default(),
            leaf_to_retry: None,
            suspended: VecDeque::new(),
            tails: Tails::default(),
            budget: SnapshotBudget::default(),
            collect_at: config.collect_at,
            gaps: BTreeMap::new(),
            cut_short: false,
            turns_after: u64::MAX,
            states: StateProofs::new(config, objectives),
            turns: Vec::new(),
            known_of_turns: None,
            time: config.deadline.left(),
            detours: Vec::new(),
            was_detour: false,
            trials: SpliceTrials::new(config.seed),
            looks: FrontierLooks::never(),
            source_looks: SourceLooks::new(config),
            frontier_proofs: BTreeMap::new(),
            frontier_claims: ClaimList::default(),
            first_claims: None,
            frontier_sizes: Vec::new(),
            shared,
        })
    }

    /// Explores until there is nothing left to do for anybody. The first thread starts at the
    /// root, the others with what it gives them.
    fn explore(mut self, first: bool) -> Result<Report, EngineError> {
        if first {
            self.turns_after = all_turns::first_look(self.machine.config);
            self.looks.next = frontier_looks::first_look(self.machine.config);
            self.run();
        }
        let stop = loop {
            self.give_memory_back();
            if let Some(stop) = self.should_stop() {
                if stop == Stop::AllCovered {
                    self.ask_fault_checks();
                }
                self.shared.finish();
                break stop;
            }
            self.give_work_away();
            self.sync_with_other_threads();
            if first && self.is_time_to_ask_source() {
                self.ask_source();
                continue;
            }
            if self.shared.runs() >= self.turns_after {
                self.look_at_all_turns()?;
                continue;
            }
            if first && self.shared.runs() >= self.states.after {
                self.look_at_all_states()?;
                continue;
            }
            if self.shared.runs() >= self.looks.next {
                self.look_at_frontier()?;
                continue;
            }
            if self.try_leaf() {
                continue;
            }
            if self.try_splices() {
                continue;
            }
            if let Some(missed) = self.next_detour() {
                if self.take_detour(&missed) {
                    self.run();
                }
                continue;
            }
            if let Some(choice) = self.agenda.next(&self.machine.findings) {
                if self.prepare_choice(choice) {
                    self.run();
                }
                continue;
            }
            // Paths that were suspended go on when nothing else is left.
            if let Some(candidate) = self.suspended.pop_front() {
                self.continue_suspended(candidate);
                continue;
            }
            if self.next_states() || self.next_joined_path() {
                continue;
            }
            let Some(job) = self.shared.next_job() else {
                // Another thread may have covered the last objective while this one waited.
                if self.should_stop() == Some(Stop::AllCovered) {
                    self.ask_fault_checks();
                }
                break Stop::Exhausted;
            };
            match self.recreate_candidate(&job) {
                Some(candidate) => {
                    if self.prepare(candidate, Purpose::Search) {
                        self.run();
                    }
                }
                None if self.machine.config.should_stop() => self.cut_short = true,
                None => self.gap(
                    "a path given to another thread could not be found again",
                    None,
                ),
            }
        };
        self.last_look_at_frontier(stop)?;
        self.keep_object_numbers();
        let checked = self.improve_values()?;
        let mut report = self.report(stop);
        report.solver.validated += checked.validated;
        report
            .solver
            .validation_errors
            .extend(checked.validation_errors);
        Ok(report)
    }

    /// Goes on with a path that was suspended, if it can still show something. As long as no path
    /// has ended at all, nothing is known of the program, and it is not left.
    fn continue_suspended(&mut self, candidate: Candidate) {
        let is_first = self.shared.paths() == 0;
        let found = &self.machine.findings;
        if (is_first || self.agenda.is_worthwhile(&candidate, found))
            && self.prepare(candidate, Purpose::Search)
        {
            self.run();
        }
    }

    /// Takes in what other threads have covered.
    fn sync_with_other_threads(&mut self) {
        let m = &mut self.machine;
        if self.shared.is_behind(&self.synced) {
            let (covered, pairs) = (&mut m.findings.covered, &mut m.findings.pairs);
            let fresh = self.shared.catch_up(covered, pairs, &mut self.synced);
            m.close_labels(&fresh);
            self.agenda.cover(&fresh, None, &m.findings);
            m.watch(&fresh);
        }
    }

    /// Tries the next leaf of a label, if it is time for one.
    fn try_leaf(&mut self) -> bool {
        let m = &mut self.machine;
        let idle = self.agenda.len() == 0;
        let deletes = m.config.instrumentation == Instrumentation::TightIdl2;
        if deletes && !idle && m.work.paths < PATHS_BEFORE_LEAVES {
            return false;
        }
        let dropped = &mut m.work.labels.dropped;
        let Some((candidate, leaf)) = self.leaves.take(&m.labels.open, idle, dropped) else {
            return false;
        };
        m.work.labels.tried += 1;
        self.leaf_to_retry = Some(candidate.clone());
        if self.prepare(candidate, Purpose::Leaf(leaf)) {
            self.run();
            if self.machine.mode.lost_its_leaf() {
                self.retry_leaf_with_forking(leaf);
            }
        }
        self.leaf_to_retry = None;
        true
    }

    /// An assumption behind a label has discarded the run of its leaf: runs it again, and leaves
    /// all other ways from the label on as candidates.
    fn retry_leaf_with_forking(&mut self, leaf: Leaf) {
        if let Some(candidate) = self.leaf_to_retry.take()
            && self.prepare(candidate, Purpose::LeafWithForking(leaf))
        {
            self.run();
        }
    }

    fn has_enough_paths(&self) -> bool {
        let most = self.machine.config.max_paths;
        most.is_some_and(|most| self.shared.paths() >= most)
    }

    /// Has nothing new been found for long, while a limit is in the way that could be another one?
    fn needs_larger_sizes(&self) -> bool {
        let config = self.machine.config;
        let runs = self.shared.runs();
        !config.can_grow.is_empty()
            && runs > LONG_WITHOUT_NEWS.max(self.shared.news_after() * TIMES_WITHOUT_NEWS)
            && self.machine.resting.is_in_the_way(config.can_grow)
    }

    fn has_worked_enough(&self) -> bool {
        let m = &self.machine;
        m.config
            .most_work
            .is_some_and(|most| m.work_done().exceeds(most))
    }

    fn should_stop(&self) -> Option<Stop> {
        let config = self.machine.config;
        let wanted = self.machine.objectives.count;
        let decided = self.shared.decided();
        // Without objectives one path is enough.
        let has_path = self.shared.paths() > 0 && !self.cut_short;
        let enough = decided == wanted && (wanted > 0 || has_path);
        let graph = self.machine.states.as_ref();
        let enough = enough || graph.is_some_and(|graph| graph.borrow().wanted.is_empty());
        if !config.every_path && !config.exhaust && enough {
            return Some(Stop::AllCovered);
        }
        match config.deadline.cause() {
            Some(EndCause::Interrupted | EndCause::Cancelled) => Some(Stop::Interrupted),
            _ if self.has_enough_paths() || self.has_worked_enough() => Some(Stop::Paths),
            _ if self.needs_larger_sizes() => Some(Stop::Sizes),
            Some(EndCause::Memory) => Some(Stop::Memory),
            Some(EndCause::Time) => Some(Stop::Time),
            // The cause has gone, but part of a path is missing.
            None => self.cut_short.then_some(Stop::Memory),
        }
    }

    /// Something was not looked at, from this place on or from one that is not known.
    fn gap(&mut self, reason: &str, place: Option<&Frame>) {
        *self.gaps.entry(reason.to_owned()).or_default() += 1;
        self.machine.resting.add_gap(reason, place);
    }
}

/// The agenda with the strategy that the configuration names.
fn agenda<'m>(
    config: &Config,
    program: &'m Program<'m>,
    objectives: &'m ObjectiveMap,
) -> Agenda<'m> {
    let filters = config.filters();
    let needed = filters || config.search.predicts();
    let structure = needed.then(|| {
        let structure = ProgramStructure::new(program, objectives, config.levels);
        Box::new(structure) as Box<dyn CoverageStructure + 'm>
    });
    let strategy = strategy(config, program, objectives);
    Agenda::new(
        strategy,
        structure,
        filters,
        config.fault_checks,
        objectives,
    )
}
