//! The exploration: takes candidates, solves them, runs them, and keeps the tests worth keeping.

use crate::builtins::Scalar;
use crate::candidate::{Candidate, Resume};
use crate::config::Config;
use crate::coverage::ObjectiveMap;
use crate::end::{FaultKind, PathEnd, StackLine};
use crate::exec::Machine;
use crate::inputs::InputKind;
use crate::program::Program;
use crate::search::{Strategy, strategy};
use crate::state::State;
use crate::stats::Work;
use labrys_ir::{Loc, Module};
use labrys_solver::{Answer, Solver, Stats};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the program has no function '{0}'")]
    NoFunction(String),
    #[error("{0}")]
    Solver(#[from] labrys_solver::Error),
}

/// An input of a test, in the order in which the program asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    pub name: String,
    pub kind: InputKind,
    pub bytes: Vec<u8>,
}

impl InputValue {
    /// The scalar type, if the program asked for one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self.kind {
            InputKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

/// A test that the engine proposes.
#[derive(Clone, Debug)]
pub struct Test {
    pub inputs: Vec<InputValue>,
    pub end: PathEnd,
    /// Objectives covered here and by no earlier test.
    pub fresh: Vec<usize>,
    /// All objectives that its path covers.
    pub covers: Vec<usize>,
    /// The predicted trace.
    pub trace: u64,
    /// The predicted outputs; bytes that are indeterminate are `None`.
    pub outputs: Vec<(String, Vec<Option<u8>>)>,
}

/// A fault of the program, found by a test.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    pub loc: Loc,
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
    Memory,
    Interrupted,
}

impl Stop {
    pub fn name(self) -> &'static str {
        match self {
            Stop::AllCovered => "all-covered",
            Stop::Exhausted => "exhausted",
            Stop::Time => "time",
            Stop::Paths => "paths",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
        }
    }
}

/// What an exploration found.
#[derive(Debug)]
pub struct Report {
    pub tests: Vec<Test>,
    pub faults: Vec<Fault>,
    pub stop: Stop,
    /// Paths with different traces.
    pub distinct_paths: u64,
    /// Options of the harness that limited a run.
    pub limits: Vec<String>,
    /// Why something may lie beyond what was seen, apart from limits; empty for a complete
    /// exploration. Each with how often it happened.
    pub gaps: BTreeMap<String, u64>,
    pub work: Work,
    pub solver: Stats,
    /// Sizes of tables, for `--stats`.
    pub sizes: Vec<(&'static str, usize)>,
}

impl Report {
    /// Was every feasible path run to its end? Only then is anything not covered infeasible.
    pub fn is_proof(&self) -> bool {
        self.stop == Stop::Exhausted && self.gaps.is_empty() && self.limits.is_empty()
    }
}

/// Is told about progress while the exploration runs.
pub trait Observer {
    /// A test was kept.
    fn test(&mut self, _test: &Test, _work: &Work) {}
    /// Called after every path.
    fn progress(&mut self, _work: &Work, _waiting: usize, _covered: usize) {}
}

/// An observer that does nothing.
pub struct Silent;

impl Observer for Silent {}

/// Explores the paths of `entry`.
pub fn explore(
    module: &Module,
    entry: &str,
    objectives: &ObjectiveMap,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let entry = module
        .function(entry)
        .ok_or_else(|| EngineError::NoFunction(entry.to_owned()))?;
    let program = Program::new(module);
    let solver = Solver::new(config.solver.clone())?;
    let machine = Machine::new(&program, config, objectives, solver, entry);
    let explorer = Explorer {
        root: machine.state.clone(),
        machine,
        pool: strategy(config.search, config.seed),
        tests: Vec::new(),
        faults: Vec::new(),
        traces: FxHashSet::default(),
        gaps: BTreeMap::new(),
        covered: 0,
        observer,
    };
    Ok(explorer.explore())
}

struct Explorer<'m, 'o> {
    machine: Machine<'m>,
    root: State,
    pool: Box<dyn Strategy>,
    tests: Vec<Test>,
    faults: Vec<Fault>,
    traces: FxHashSet<u64>,
    gaps: BTreeMap<String, u64>,
    covered: usize,
    observer: &'o mut dyn Observer,
}

impl Explorer<'_, '_> {
    fn explore(mut self) -> Report {
        self.run();
        let stop = loop {
            if let Some(stop) = self.should_stop() {
                break stop;
            }
            let Some(candidate) = self.pool.take() else {
                break Stop::Exhausted;
            };
            if self.prepare(candidate) {
                self.run();
            }
        };
        self.report(stop)
    }

    fn should_stop(&self) -> Option<Stop> {
        let config = self.machine.config;
        let wanted = self.machine.objectives.count;
        if !config.every_path && !config.exhaust && wanted > 0 && self.covered == wanted {
            return Some(Stop::AllCovered);
        }
        if config.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        if config
            .max_paths
            .is_some_and(|max| self.machine.work.paths >= max)
        {
            return Some(Stop::Paths);
        }
        config.should_stop().then_some(Stop::Time)
    }

    /// Makes a candidate the current state; false if it turned out to be infeasible.
    fn prepare(&mut self, candidate: Candidate) -> bool {
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
                        return false;
                    }
                    Answer::Unknown(reason) => {
                        m.work.undecided += 1;
                        *self.gaps.entry(format!("solver: {reason}")).or_default() += 1;
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
                if !self.replay(candidate.parent, candidate.number) {
                    *self
                        .gaps
                        .entry("a dropped path could not be replayed".into())
                        .or_default() += 1;
                    return false;
                }
                self.machine.state.path = candidate.path;
            }
        }
        let m = &mut self.machine;
        m.current.set(model);
        m.constrain(candidate.goal);
        m.forking = true;
        match candidate.resume {
            Resume::Edge(edge) => {
                m.state.at_fork = false;
                m.take_edge(edge);
            }
            Resume::Again => {}
            Resume::Leaf => m.forking = false,
        }
        true
    }

    /// Runs the parent's input again up to a fork point.
    fn replay(&mut self, parent: Rc<labrys_expr::Model>, number: u32) -> bool {
        let m = &mut self.machine;
        m.work.replayed += 1;
        m.state = self.root.clone();
        m.current.set(parent);
        m.forking = false;
        m.replay_until = Some(number);
        let end = m.run();
        m.replay_until = None;
        end == PathEnd::ForkReached
    }

    /// Runs the current state to the end of its path and takes in what it found.
    fn run(&mut self) {
        let end = self.machine.run();
        self.finish(end);
        let m = &mut self.machine;
        self.pool.add(&mut m.candidates);
        m.work.most_candidates = m.work.most_candidates.max(self.pool.len());
        self.observer
            .progress(&m.work, self.pool.len(), self.covered);
        crate::budget::keep_within(
            self.machine.config.memory,
            self.pool.as_mut(),
            &mut self.machine.work,
        );
    }

    fn finish(&mut self, end: PathEnd) {
        let m = &mut self.machine;
        m.work.ends[end.number()] += 1;
        if end == PathEnd::AssumptionFailed {
            return;
        }
        m.work.paths += 1;
        if end.is_incomplete() && end != PathEnd::Interrupted {
            let reason = match &end {
                PathEnd::Unsupported { message } => format!("unsupported: {message}"),
                other => other.name().to_owned(),
            };
            *self.gaps.entry(reason).or_default() += 1;
        }
        let new_path = self.traces.insert(m.state.trace.0);
        let fault = match end {
            PathEnd::Fault(kind) => self.new_fault(kind),
            _ => None,
        };
        let m = &mut self.machine;
        let hits = m.state.hits.clone();
        let fresh: Vec<usize> = hits.iter().filter(|o| !m.covered.contains(*o)).collect();
        for objective in &fresh {
            m.covered.insert(*objective);
        }
        self.covered += fresh.len();
        if fresh.is_empty() && fault.is_none() && !(m.config.every_path && new_path) {
            return;
        }
        let inputs = m.state.inputs.clone();
        let inputs = inputs
            .iter()
            .map(|id| {
                let input = m.inputs.get(*id);
                InputValue {
                    name: input.name.clone(),
                    kind: input.kind,
                    bytes: m.inputs.bytes(*id, &m.current.model),
                }
            })
            .collect();
        let test = Test {
            inputs,
            end,
            fresh,
            covers: hits.iter().collect(),
            trace: m.state.trace.0,
            outputs: m.predicted_outputs(),
        };
        if let Some(mut fault) = fault {
            fault.test = self.tests.len();
            self.faults.push(fault);
        }
        self.observer.test(&test, &self.machine.work);
        self.tests.push(test);
    }

    /// The fault at the current instruction, unless it was reported before.
    fn new_fault(&self, kind: FaultKind) -> Option<Fault> {
        let stack = self.machine.stack();
        // A fault inside a model of the library belongs to the user's call of it.
        let loc = self.machine.blamed(&stack);
        let known = self.faults.iter().any(|f| f.kind == kind && f.loc == loc);
        (!known).then(|| Fault {
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
        sizes.push(("candidates", self.pool.len()));
        Report {
            tests: self.tests,
            faults: self.faults,
            stop,
            distinct_paths: self.traces.len() as u64,
            limits: m.limits.iter().map(ToString::to_string).collect(),
            gaps: self.gaps,
            work: m.work.clone(),
            solver: m.solver.stats().clone(),
            sizes,
        }
    }
}
