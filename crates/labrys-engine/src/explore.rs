//! The exploration: takes candidates, solves them, runs them, and keeps the tests worth keeping.

use crate::agenda::{Agenda, Choice};
use crate::budget::Budget;
use crate::candidate::{Candidate, Leaf, Resume};
use crate::commons::{Commons, Covered, Job, Seen};
use crate::config::{Config, Instrumentation};
use crate::coverage::ObjectiveMap;
use crate::end::{FaultKind, PathEnd};
use crate::exec::Machine;
use crate::exec::labels::Until;
use crate::leaves::Leaves;
use crate::program::{Program, entry_of};
use crate::report::{EngineError, Fault, Observer, Report, Stop, Test, Unproved};
use crate::roots::Roots;
use crate::state::State;
use crate::values::{Kept, Values};
use crate::workers;
use labrys_expr::Model;
use labrys_ir::{FuncId, Module};
use labrys_ledger::Trigger;
use labrys_solver::{Answer, Solver, SolverStats};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

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
    workers::explore(&program, entry, objectives, config, observer)
}

/// So many paths come before the first leaf: each covers labels for nothing, and a leaf of a
/// covered label is no path.
const WARM_UP: u64 = 48;

/// Of so many tests the paths are kept, so that their values can be chosen again.
const MOST_KEPT: usize = 4_096;

/// One thread's part of an exploration.
pub(crate) struct Explorer<'m> {
    machine: Machine<'m>,
    root: State,
    agenda: Agenda<'m>,
    tests: Vec<Test>,
    /// The paths of the tests, as far as they are kept.
    kept: Vec<Option<Kept>>,
    faults: Vec<Fault>,
    leaves: Leaves,
    /// The leaf that the current run was made for.
    tried: Option<Leaf>,
    /// What the others had found when they were looked at last.
    seen: Seen,
    /// The leaf that is being tried, in case that its run is discarded.
    again: Option<Candidate>,
    /// Paths that have run long already.
    suspended: VecDeque<Candidate>,
    budget: Budget,
    /// Number of expressions at which the dead ones are collected.
    collect_at: usize,
    gaps: BTreeMap<String, u64>,
    commons: &'m Commons<'m>,
}

impl<'m> Explorer<'m> {
    pub(crate) fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        config: &'m Config,
        commons: &'m Commons<'m>,
    ) -> Result<Self, EngineError> {
        let mut options = config.solver.clone();
        options.until = config.time.map(|time| config.started + time);
        options.stop = config.stop.clone();
        let solver = Solver::new(options)?;
        let machine = Machine::new(program, config, objectives, solver, entry);
        Ok(Explorer {
            root: machine.state.clone(),
            machine,
            agenda: Agenda::new(config, program, objectives),
            tests: Vec::new(),
            kept: Vec::new(),
            faults: Vec::new(),
            leaves: Leaves::default(),
            tried: None,
            seen: Seen::default(),
            again: None,
            suspended: VecDeque::new(),
            budget: Budget::default(),
            collect_at: config.collect_at,
            gaps: BTreeMap::new(),
            commons,
        })
    }

    /// Explores until there is nothing left to do for anybody. The first thread starts at the
    /// root, the others with what it gives them.
    pub(crate) fn explore(mut self, first: bool) -> Result<Report, EngineError> {
        if first {
            self.run();
        }
        let stop = loop {
            if let Some(stop) = self.should_stop() {
                self.commons.finish();
                break stop;
            }
            self.share();
            self.look_around();
            if self.try_leaf() {
                continue;
            }
            if let Some(choice) = self.agenda.next(&self.machine.found()) {
                let candidate = self.grant(choice);
                if self.prepare(candidate, None) {
                    self.run();
                }
                continue;
            }
            // Paths that were suspended go on when nothing else is left.
            if let Some(candidate) = self.suspended.pop_front() {
                let found = self.machine.found();
                if self.agenda.is_worthwhile(&candidate, &found) && self.prepare(candidate, None) {
                    self.run();
                }
                continue;
            }
            let Some(job) = self.commons.next_job() else {
                break Stop::Exhausted;
            };
            match self.accept(&job) {
                Some(candidate) => {
                    if self.prepare(candidate, None) {
                        self.run();
                    }
                }
                None => self.gap("a path given to another thread could not be found again"),
            }
        };
        let checked = self.improve_values()?;
        let mut report = self.report(stop);
        report.solver.validated += checked.validated;
        report
            .solver
            .validation_errors
            .extend(checked.validation_errors);
        Ok(report)
    }

    /// Takes in what other threads have covered.
    fn look_around(&mut self) {
        let m = &mut self.machine;
        if self.commons.is_behind(&self.seen) {
            let (covered, pairs) = (&mut m.covered, &mut m.pairs);
            let fresh = self.commons.catch_up(covered, pairs, &mut self.seen);
            m.close_labels(&fresh);
            self.agenda.cover(&fresh, None, &m.found());
            m.watch(&fresh);
        }
    }

    /// Tries the next leaf of a label, if it is time for one.
    fn try_leaf(&mut self) -> bool {
        let m = &mut self.machine;
        let idle = self.agenda.len() == 0;
        let deletes = m.config.instrumentation == Instrumentation::TightIdl2;
        if deletes && !idle && m.work.paths < WARM_UP {
            return false;
        }
        let dropped = &mut m.work.labels.dropped;
        let Some((candidate, leaf)) = self.leaves.take(&m.open_labels, idle, dropped) else {
            return false;
        };
        m.work.labels.tried += 1;
        self.again = Some(candidate.clone());
        if self.prepare(candidate, Some(leaf)) {
            self.run();
        }
        let lost = std::mem::take(&mut self.machine.leaf_lost);
        if let Some(again) = self.again.take().filter(|_| lost) {
            self.insist(again, leaf);
        }
        true
    }

    /// An assumption behind a label has discarded the run of its leaf: runs it again, and leaves
    /// all other ways from the label on as candidates.
    fn insist(&mut self, candidate: Candidate, leaf: Leaf) {
        self.machine.insists = true;
        if self.prepare(candidate, Some(leaf)) {
            self.run();
        }
        self.machine.insists = false;
    }

    fn should_stop(&self) -> Option<Stop> {
        let config = self.machine.config;
        let wanted = self.machine.objectives.count;
        let covered = self.commons.covered();
        // Without objectives one path is enough.
        let enough = covered == wanted && (wanted > 0 || self.commons.paths() > 0);
        if !config.every_path && !config.exhaust && enough {
            return Some(Stop::AllCovered);
        }
        if config.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        if config
            .max_paths
            .is_some_and(|max| self.commons.paths() >= max)
        {
            return Some(Stop::Paths);
        }
        config.should_stop().then_some(Stop::Time)
    }

    /// Gives a candidate away for every thread that waits for work.
    fn share(&mut self) {
        while self.agenda.len() > 1 && self.commons.is_wanted() {
            let Some(candidate) = self.agenda.give() else {
                return;
            };
            let Some(snapshot) = &candidate.snapshot else {
                return;
            };
            let inputs = self
                .machine
                .inputs
                .values(&snapshot.inputs, &candidate.parent);
            self.commons.give(Job {
                inputs,
                number: candidate.number,
                ordinal: candidate.ordinal,
            });
        }
    }

    /// Finds a candidate of another thread again: runs its parent's input up to the fork.
    fn accept(&mut self, job: &Job) -> Option<Candidate> {
        let model = self
            .machine
            .inputs
            .model(&mut self.machine.arena, &job.inputs);
        if !self.replay(Rc::new(model), Until::Fork(job.number)) {
            return None;
        }
        let m = &mut self.machine;
        m.forking = true;
        m.begin_instruction();
        m.replay_until = Some(Until::Fork(job.number + 1));
        m.run();
        m.replay_until = None;
        m.candidates.drain(..).find(|c| c.ordinal == job.ordinal)
    }

    fn gap(&mut self, reason: &str) {
        *self.gaps.entry(reason.to_owned()).or_default() += 1;
    }

    /// Looks for an input that meets wishes besides the candidate's goal. It need not be there:
    /// the path is that of the candidate alone.
    fn grant(&mut self, choice: Choice) -> Candidate {
        let Choice {
            mut candidate,
            mut wishes,
        } = choice;
        let m = &mut self.machine;
        while !wishes.is_empty() {
            let mut goal = candidate.goal;
            for wish in &wishes {
                goal = m.arena.and(goal, *wish);
            }
            let hint = &candidate.parent;
            let answer = m.solver.solve(&mut m.arena, &candidate.path, goal, hint);
            if let Answer::Sat(model) = answer {
                candidate.solution = Some(Rc::new(model));
                break;
            }
            wishes.truncate(wishes.len() / 2);
        }
        candidate
    }

    /// Makes a candidate the current state; false if it turned out to be infeasible.
    fn prepare(&mut self, candidate: Candidate, leaf: Option<Leaf>) -> bool {
        let m = &mut self.machine;
        let model = match candidate.solution {
            Some(model) => model,
            None => {
                match m.solver.solve(
                    &mut m.arena,
                    &candidate.path,
                    candidate.goal,
                    &candidate.parent,
                ) {
                    Answer::Sat(model) => Rc::new(model),
                    Answer::Unsat => {
                        m.work.infeasible += 1;
                        m.work.labels.infeasible += u64::from(leaf.is_some());
                        self.exclude(leaf);
                        return false;
                    }
                    Answer::Unknown(reason) => {
                        m.work.undecided += 1;
                        if candidate.bonus {
                            return false;
                        }
                        let why = format!("solver: {reason}");
                        match leaf {
                            Some(leaf) => m.unproved(leaf.label, Unproved::Gap(why)),
                            None => self.gap(&why),
                        }
                        return false;
                    }
                }
            }
        };
        match candidate.snapshot {
            Some(shared) => {
                m.state = Rc::try_unwrap(shared).unwrap_or_else(|shared| (*shared).clone());
            }
            None => {
                let until = match leaf {
                    Some(leaf) => Until::Label {
                        passage: leaf.passage,
                        fork: leaf.fork,
                    },
                    None => Until::Fork(candidate.number),
                };
                if !self.replay(candidate.parent, until) {
                    self.gap("a dropped path could not be replayed");
                    return false;
                }
                self.machine.state.path = candidate.path;
                if let Some(label) = candidate.insisted {
                    self.machine.cover_again(label);
                }
            }
        }
        let m = &mut self.machine;
        m.current.set(model);
        m.leaf = leaf.map(|leaf| leaf.label);
        self.tried = leaf;
        m.leaf_covered = None;
        if candidate.resume != Resume::Continue {
            m.state.luck = m.no_luck.clone();
            m.try_luck();
        }
        if leaf.is_some()
            && let Some(speculation) = &mut m.state.speculation
        {
            speculation.outside = None;
            speculation.asked = leaf.map(|leaf| leaf.asked).unwrap_or_default();
        }
        m.constrain(candidate.goal);
        m.forking = leaf.is_none();
        m.resumed = true;
        match candidate.resume {
            Resume::Edge(edge) => {
                m.state.at_fork = false;
                m.take_edge(edge);
            }
            Resume::Again | Resume::Continue => {}
        }
        true
    }

    /// A way through the predicate of a label does not lead to half a pair.
    fn exclude(&mut self, leaf: Option<Leaf>) {
        if let Some(leaf) = leaf {
            self.machine.pairs.passes.exclude(leaf.asked);
        }
        let passes = self.machine.pairs.passes.take_changed();
        self.agenda.exclude(&passes, &self.machine.pairs);
    }

    /// Runs the parent's input again up to a fork point.
    fn replay(&mut self, parent: Rc<Model>, until: Until) -> bool {
        let m = &mut self.machine;
        m.work.replayed += 1;
        m.state = self.root.clone();
        m.current.set(parent);
        m.forking = false;
        m.leaf = None;
        m.replay_until = Some(until);
        let end = m.run();
        m.replay_until = None;
        end == PathEnd::ForkReached
    }

    /// Runs the current state to the end of its path and takes in what it found.
    fn run(&mut self) {
        let m = &mut self.machine;
        m.slice_end = m.state.steps.saturating_add(m.config.slice);
        m.forget_measured();
        let end = m.run();
        let counted = match end {
            PathEnd::Suspended => {
                self.suspend();
                false
            }
            end => self.finish(end),
        };
        let m = &mut self.machine;
        let added = m.candidates.len() + m.leaves.len();
        self.leaves.add(&mut m.leaves);
        if m.forking {
            let mut candidates = std::mem::take(&mut m.candidates);
            self.agenda.add(&mut candidates, counted, &m.found());
            m.candidates = candidates;
        }
        [m.work.filtered, m.work.filtered_later] = self.agenda.filtered;
        let waiting = self.agenda.len() + self.leaves.len();
        m.work.most_candidates = m.work.most_candidates.max(waiting);
        self.commons.progress(&m.work, waiting);
        self.collect();
        let (limit, work) = (self.machine.config.memory, &mut self.machine.work);
        let (agenda, leaves) = (&mut self.agenda, &mut self.leaves);
        self.budget.keep_within(limit, added, agenda, leaves, work);
    }

    /// Gives expressions back that nothing needs any more, when there are many.
    /// True if that was done.
    fn collect(&mut self) -> bool {
        let m = &mut self.machine;
        if m.arena.load() < self.collect_at {
            return false;
        }
        let mut roots = Roots::new(&m.arena);
        roots.state(&self.root);
        for candidate in self.agenda.all() {
            roots.candidate(candidate);
        }
        for candidate in self.leaves.waiting() {
            roots.candidate(candidate);
        }
        for candidate in self.suspended.iter().chain(&self.again) {
            roots.candidate(candidate);
        }
        for kept in self.kept.iter().flatten() {
            roots.kept(kept);
        }
        let marks = roots.into_marks();
        m.arena.collect(&marks);
        m.solver.forget();
        m.current.forget();
        m.work.collections += 1;
        self.collect_at = (m.arena.load() * 2).max(m.config.collect_at);
        true
    }

    /// Puts the current path aside: it may be endless, and others wait.
    fn suspend(&mut self) {
        let m = &mut self.machine;
        // It goes on as an ordinary path: the other ways since the label are not tried.
        if let Some(label) = m.leaf.or(m.leaf_covered) {
            let reason = "a long path follows the label".to_owned();
            m.unproved(label, Unproved::Gap(reason));
        }
        self.suspended.push_back(Candidate {
            snapshot: Some(Rc::new(m.state.clone())),
            path: m.state.path.clone(),
            goal: m.arena.yes(),
            resume: Resume::Continue,
            solution: Some(m.current.model.clone()),
            parent: m.current.model.clone(),
            number: 0,
            ordinal: 0,
            portable: false,
            bonus: false,
            flip: None,
            fault: false,
            flight: m.state.flight.clone(),
            insisted: m.state.insisted,
            leaf: None,
        });
    }

    /// Takes in what a path has found; false if it does not count.
    fn finish(&mut self, end: PathEnd) -> bool {
        let m = &mut self.machine;
        m.work.ends[end.number()] += 1;
        if matches!(end, PathEnd::AssumptionFailed | PathEnd::LabelMissed) {
            m.lose_luck();
            m.lose_leaf();
            if end == PathEnd::LabelMissed {
                let tried = self.tried.take();
                self.exclude(tried);
            }
            return false;
        }
        m.close_leaf();
        m.work.paths += 1;
        self.commons.count_path();
        if end == PathEnd::LabelCovered {
            return true;
        }
        let new_path = self.commons.new_trace(m.state.trace.0);
        if end.is_incomplete() && end != PathEnd::Interrupted {
            let reason = match &end {
                PathEnd::Unsupported { message } => format!("unsupported: {message}"),
                other => other.name().to_owned(),
            };
            self.gap(&reason);
        }
        let fault = match end {
            PathEnd::Fault(kind) => self.new_fault(kind),
            _ => None,
        };
        let m = &mut self.machine;
        let hits = m.all_hits();
        let vectors = m.vectors_of(&hits);
        let Covered { news, mut fresh } = self.commons.cover(&hits, &mut m.covered, &mut self.seen);
        let unseen = m.vectors.unseen(&vectors);
        let local = (&mut m.covered, &mut m.pairs);
        let (paired, brought) = self.commons.pair(&unseen, local, &mut self.seen);
        m.close_labels(&news);
        let mut closed = news;
        closed.extend(&paired.news);
        self.agenda
            .cover(&closed, Some(&brought.changed), &m.found());
        m.watch(&closed);
        let listed = |o: &usize| m.objectives.is_listed(*o);
        let only = m.objectives.count == 0 && self.tests.is_empty();
        let wanted = m.config.every_path && new_path;
        let for_itself = fresh.iter().any(listed) || fault.is_some() || wanted || only;
        if !for_itself && !brought.useful && fresh.is_empty() {
            return true;
        }
        let has_pairs = !paired.news.is_empty();
        let has_news = has_pairs || !fresh.is_empty();
        fresh.retain(listed);
        fresh.extend(&paired.fresh);
        let mut test = m.proposed(end, fresh);
        test.only_for_pairs = !for_itself;
        if let Some(mut fault) = fault {
            fault.test = self.tests.len();
            self.faults.push(fault);
        }
        let first_half = !for_itself && !has_news;
        if first_half && self.commons.put_aside(&test, &unseen) {
            return true;
        }
        if has_pairs {
            for partner in self.commons.take_partners(&unseen) {
                self.commons.test(&partner, &self.machine.work);
                self.add(partner, None);
            }
        }
        self.commons.test(&test, &self.machine.work);
        let kept = self.keep();
        self.add(test, kept);
        true
    }

    /// What has to be known of the current path to choose other values for its test.
    fn keep(&self) -> Option<Kept> {
        let wanted = !self.machine.config.raw_values && self.tests.len() < MOST_KEPT;
        wanted.then(|| Kept::of(&self.machine))
    }

    fn add(&mut self, test: Test, kept: Option<Kept>) {
        self.tests.push(test);
        self.kept.push(kept);
    }

    /// Gives the tests values that are easier to read; says what the solver did for that.
    fn improve_values(&mut self) -> Result<SolverStats, EngineError> {
        let config = self.machine.config;
        let is_stopped = || config.stop.load(std::sync::atomic::Ordering::Relaxed);
        if config.raw_values || is_stopped() {
            return Ok(SolverStats::default());
        }
        let mut values = Values::new(self.machine.program, config)?;
        for i in 0..self.tests.len() {
            if is_stopped() {
                break;
            }
            if let Some(kept) = self.kept[i].take() {
                kept.improve(&mut values, &mut self.machine, &mut self.tests[i]);
            }
            if self.collect() {
                values.forget();
            }
        }
        self.machine.work.value_queries = values.queries();
        Ok(values.stats().clone())
    }

    /// The fault at the current instruction, unless it was reported before.
    fn new_fault(&self, kind: FaultKind) -> Option<Fault> {
        let stack = self.machine.stack();
        // A fault inside a model of the library belongs to the user's call of it.
        let loc = self.machine.blamed(&stack);
        let known = self.faults.iter().any(|f| f.kind == kind && f.loc == loc);
        (!known).then_some(Fault {
            kind,
            loc,
            stack,
            test: 0,
        })
    }

    fn report(mut self, stop: Stop) -> Report {
        let m = &mut self.machine;
        if m.work.wild_pointers > 0 {
            self.gaps
                .insert("pointer out of input bytes".into(), m.work.wild_pointers);
        }
        let mut sizes = m.arena.sizes().to_vec();
        sizes.push(("candidates", self.agenda.len() + self.leaves.len()));
        sizes.extend(self.agenda.sizes());
        let mut unproved = BTreeMap::new();
        for (label, why) in std::mem::take(&mut m.unproved) {
            for objective in m.objectives.covered_by(Trigger::Label { id: label }) {
                unproved.insert(*objective as usize, why.clone());
            }
        }
        // An evaluation is measured in place: what a label cannot say of it does not matter.
        unproved.retain(|objective, _| m.objectives.is_listed(*objective));
        m.faulted
            .retain(|objective| m.objectives.is_listed(*objective));
        Report {
            tests: self.tests,
            faults: self.faults,
            stop,
            vectors: self.commons.vectors(),
            distinct_paths: self.commons.traces(),
            limits: m.limits.iter().map(ToString::to_string).collect(),
            gaps: self.gaps,
            unproved,
            faulted: std::mem::take(&mut m.faulted),
            pinned: std::mem::take(&mut m.native_pins),
            work: m.work.clone(),
            solver: m.solver.stats().clone(),
            sizes,
        }
    }
}
