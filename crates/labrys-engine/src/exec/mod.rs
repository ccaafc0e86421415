//! The executor: runs one path at a time under the current model, and leaves a candidate behind
//! wherever the path could have gone another way.

mod address;
mod address_pairs;
mod aliasing;
mod arith;
mod assumptions;
mod branch_distance;
mod builtin;
mod call;
mod chunk_cache;
mod claims;
mod comparisons;
mod control;
mod decide;
mod fallible;
mod fast;
mod fault;
mod floats;
mod fork;
mod format;
mod generic;
mod heap;
mod incidental;
mod input;
mod intrinsic;
mod jump;
mod label_progress;
mod labels;
mod load_store;
mod loop_candidates;
mod loop_changes;
mod loop_counts;
mod loop_cut;
mod loop_facts;
mod loop_observed;
mod loop_questions;
mod loop_texts;
mod loop_turns;
mod math;
mod meetings;
mod missed;
mod mode;
mod native;
mod observed;
mod pair_run;
mod place_names;
mod pointer;
mod proposed;
mod readings;
mod registers;
mod resting_places;
mod speculation;
mod state_sets;
mod stream;
mod stub_effects;
pub(crate) mod trail;
mod trial;
mod unions;
mod wanted;
mod watched;
mod wide;
mod written;

pub(crate) use claims::ClaimLog;
pub(crate) use comparisons::WordComparison;
pub(crate) use floats::float_comparison;
pub use input::MAX_OUTPUT;
pub(crate) use label_progress::LabelProgress;
pub(crate) use loop_cut::LoopProof;
pub(crate) use loop_facts::LoopFacts;
pub(crate) use loop_observed::ObservedTurns;
pub(crate) use meetings::Meetings;
pub(crate) use mode::{LeafProgress, LeafRun, ReplayTarget, RunMode};
pub(crate) use observed::{Observations, ObservedFrame, ObservedState};
pub(crate) use pair_run::{PairRun, place};
pub(crate) use pointer::WILD_POINTER;
pub(crate) use readings::{InputPosition, Reading, Readings, WordPlace, WordWrite};
pub(crate) use resting_places::RestingPlaces;
pub(crate) use state_sets::Confluence;
pub(crate) use trial::Trial;
pub(crate) use wanted::DecidingWords;

use crate::candidates::{Candidate, FaultPlace, MissedOutcome, ThreadFindings};
use crate::config::Config;
use crate::end::{FaultKind, PathEnd, StackLine};
use crate::inputs::{CurrentModel, Inputs};
use crate::mcdc::Pairs;
use crate::memory::{Object, ObjectNumbers, Slot};
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::program::annotations::AnnotationEffect;
use crate::report::Work;
use crate::state::{Frame, PathDoubts, State, Streams, Visits};
use crate::states::StateGraph;
use labrys_expr::{Arena, AssumedPlaces, ExprId, LiveMarks, VarId};
use labrys_ir::{FuncId, Function, Reg, RegList, SourceLoc};
use labrys_ledger::TraceHash;
use labrys_solver::{PathCondition, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Of a call stack only so many lines are kept: a recursion may be a hundred thousand calls deep.
const MOST_STACK_LINES: usize = 200;

/// Result of a step: `Err` means that the path has ended.
pub(crate) type Step<T = ()> = Result<T, PathEnd>;

/// Everything that execution needs, with the state of the current path.
pub(crate) struct Machine<'m> {
    pub(crate) program: &'m Program<'m>,
    pub(crate) config: &'m Config,
    pub(crate) objectives: &'m ObjectiveMap,
    pub(crate) arena: Arena,
    pub(crate) solver: Solver,
    pub(crate) current: CurrentModel,
    pub(crate) inputs: Inputs,
    pub(crate) state: State,
    /// What the current run is for.
    pub(crate) mode: RunMode,
    pub(crate) left: LeftBehind,
    pub(crate) labels: LabelProgress,
    pub(crate) findings: ThreadFindings,
    pub(super) fork_place: ForkPlace,
    pub(crate) pace: Pace,
    /// Faults already found.
    pub(crate) known_faults: FxHashSet<FaultPlace>,
    /// What the runs rest on without showing it.
    pub(crate) resting: RestingPlaces,
    pub(crate) work: Work,
    /// Arguments of native calls that were pinned, by function.
    pub(crate) native_pins: BTreeMap<String, u64>,
    chunk_cache: chunk_cache::ChunkCache,
    settled: fork::PathConditions,
    /// Measures runs, for searches that want to know.
    meter: Option<Box<branch_distance::DistanceMeter>>,
    /// Reads what states such searches want.
    wanted: Option<Box<wanted::WantedReader>>,
    pub(crate) missed: missed::MissedOutcomes,
    /// What each annotation does, for false and true.
    effects: Vec<[AnnotationEffect; 2]>,
    pub(crate) object_numbers: ObjectNumbers,
    /// Stack objects that nobody has written to, by size, alignment and element.
    stack_objects: FxHashMap<(u64, u32, u32), Rc<Object>>,
    switch_ways: control::SwitchWays,
    /// Inputs that say which member a union holds.
    member_choices: FxHashSet<VarId>,
    spare_registers: Vec<Vec<Slot>>,
    texts: FxHashMap<String, Rc<str>>,
    /// Variables that may have any value, by number and width, for questions about assumptions.
    free_values: FxHashMap<(usize, u8), VarId>,
    /// What is believed of loops, in a proof.
    pub(crate) loop_proof: Option<LoopProof>,
    pub(crate) loop_variables: loop_questions::LoopVariables,
    /// Where paths of one turn come together, in a proof over loops.
    pub(crate) confluence: Option<Confluence>,
    /// The sets of states that were seen, in a proof over these.
    pub(crate) states: Option<Rc<RefCell<StateGraph>>>,
    /// The questions without a solution that a proof may rest on.
    pub(crate) claims: Option<Box<ClaimLog>>,
    /// What runs look like, if somebody wants to know.
    pub(crate) observations: Option<Box<Observations>>,
    /// The words of memory that decide in a trial, if somebody wants to know.
    pub(crate) deciding: Option<wanted::DecidingWords>,
    /// How a run reads its input, if somebody wants to know.
    pub(crate) readings: Option<Box<Readings>>,
}

/// What the current run has left behind, oldest first.
#[derive(Default)]
pub(crate) struct LeftBehind {
    pub(crate) candidates: Vec<Candidate>,
    /// Leaves of labels.
    pub(crate) leaves: Vec<Candidate>,
    /// Fault checks that are no candidates of the search.
    pub(crate) fault_checks: Vec<Candidate>,
    /// New outcomes that the path excludes.
    pub(crate) missed: Vec<MissedOutcome>,
    /// How many fault checks were left so far for each place.
    counted_checks: FxHashMap<FaultPlace, u32>,
}

/// Where the current instruction stands among the forks of its path.
#[derive(Default)]
pub(crate) struct ForkPlace {
    /// The instruction is executed for a candidate of its own.
    pub(crate) resumed: bool,
    /// Ways out of the instruction so far, taken or not.
    ways: u32,
}

/// When a run has to look at the clock, and when it has to let others run.
pub(crate) struct Pace {
    /// The path is suspended when its steps exceed this.
    pub(crate) slice_end: u64,
    /// The same for the number of expressions: a turn of a loop that makes many costs as much as
    /// thousands that make none.
    pub(crate) most_expressions: usize,
    /// And for the number of inputs: stubs in a loop ask for more and more, and make objects.
    pub(crate) most_inputs: usize,
    /// The path rests when it has left so many candidates behind and shown nothing new.
    pub(crate) rest_after: usize,
    /// Instructions outside the fast loop.
    slow_instructions: u32,
    /// The number of instructions at which the clock is looked at next.
    next_clock_check: u64,
}

impl Pace {
    fn unlimited() -> Self {
        Pace {
            slice_end: u64::MAX,
            most_expressions: usize::MAX,
            most_inputs: usize::MAX,
            rest_after: usize::MAX,
            slow_instructions: 0,
            next_clock_check: 0,
        }
    }
}

impl<'m> Machine<'m> {
    pub(crate) fn new(
        program: &'m Program<'m>,
        config: &'m Config,
        objectives: &'m ObjectiveMap,
        solver: Solver,
        entry: FuncId,
    ) -> Self {
        let mut arena = Arena::new();
        let state = State {
            frame: first_frame(program, &mut arena, entry),
            memory: program.initial_memory(),
            path: PathCondition::new(),
            trace: TraceHash::default(),
            hits: Rc::default(),
            incidental: Rc::default(),
            passed: None,
            faulted: Rc::default(),
            passages: 0,
            opened: None,
            leaf_label: None,
            vectors: Rc::default(),
            evaluation: None,
            upcoming: Vec::new(),
            inputs: Rc::default(),
            pending_switch: None,
            speculation: None,
            forks: 0,
            at_fork: false,
            recent: [None; 8],
            allocations: Rc::default(),
            jumps: Rc::default(),
            known_to_stubs: Rc::default(),
            extra_call: false,
            repeats: false,
            called_later: false,
            rests_on: Rc::default(),
            assumed: AssumedPlaces::default(),
            outputs: Rc::default(),
            visits: Visits::default(),
            open_loops: Rc::default(),
            streams: Streams::default(),
            fallible_calls: Rc::default(),
            asked_faults: None,
            handled_faults: 0,
            fault_handler: None,
            aliases: Rc::default(),
            pointer_members: Rc::default(),
            calls: program.module.constructors.len() as u64,
            doubts: PathDoubts::default(),
            steps: 0,
        };
        let effects = program.annotations.iter().map(|n| n.effects(objectives));
        let measures = config.search.measures();
        let wanted = measures.then(|| wanted::WantedReader::new(&state.memory));
        Machine {
            program,
            config,
            objectives,
            arena,
            solver,
            current: CurrentModel::new(),
            inputs: Inputs::default(),
            state,
            mode: RunMode::Search,
            left: LeftBehind::default(),
            labels: LabelProgress::new(objectives),
            findings: ThreadFindings {
                pairs: Pairs::new(&objectives.pair_decisions),
                ..ThreadFindings::default()
            },
            fork_place: ForkPlace::default(),
            pace: Pace::unlimited(),
            known_faults: FxHashSet::default(),
            resting: RestingPlaces::default(),
            work: Work::default(),
            native_pins: BTreeMap::new(),
            chunk_cache: chunk_cache::ChunkCache::new(),
            settled: fork::PathConditions::default(),
            meter: measures.then(|| branch_distance::DistanceMeter::new(program)),
            wanted,
            missed: missed::MissedOutcomes::default(),
            effects: effects.collect(),
            object_numbers: ObjectNumbers::new(program.first_free()),
            stack_objects: FxHashMap::default(),
            switch_ways: control::SwitchWays::default(),
            member_choices: FxHashSet::default(),
            spare_registers: Vec::new(),
            texts: FxHashMap::default(),
            free_values: FxHashMap::default(),
            loop_proof: None,
            loop_variables: loop_questions::LoopVariables::default(),
            confluence: None,
            states: None,
            claims: None,
            observations: None,
            deciding: None,
            readings: None,
        }
    }

    /// Does each path stand for runs from many states, in a proof?
    pub(crate) fn looks_at_sets(&self) -> bool {
        self.loop_proof.is_some() || self.states.is_some()
    }

    /// Gives all expressions back that are not marked, and forgets what is known of expressions.
    pub(crate) fn collect(&mut self, marks: &LiveMarks) {
        self.arena.collect(marks);
        self.solver.forget();
        self.current.forget();
        self.switch_ways.clear();
        if let Some(claims) = &mut self.claims {
            claims.forget_expressions();
        }
        self.work.collections += 1;
    }

    #[inline(always)]
    pub(crate) fn function(&self) -> &'m Function {
        &self.program.module.functions[self.state.frame.function.index()]
    }

    #[inline(always)]
    fn get(&self, reg: Reg) -> Slot {
        self.state.frame.regs[reg.index()]
    }

    #[inline(always)]
    fn set(&mut self, reg: Reg, slot: Slot) {
        self.state.frame.regs[reg.index()] = slot;
    }

    /// Stores an expression, as plain bits if it is a constant of up to 64 bits.
    #[inline]
    fn set_expr(&mut self, reg: Reg, e: ExprId) {
        let slot = self.slot_of(e);
        self.set(reg, slot);
    }

    #[inline]
    fn slot_of(&self, e: ExprId) -> Slot {
        match self.arena.as_const(e) {
            Some(value) if self.arena.width(e) <= 64 => Slot::concrete(value as u64),
            _ => Slot::symbolic(e),
        }
    }

    /// The register as an expression.
    #[inline]
    fn expr(&mut self, reg: Reg) -> ExprId {
        let slot = self.get(reg);
        match slot.expr {
            Some(e) => e,
            None => {
                let width = self.function().width(reg);
                self.arena.constant(width, slot.bits.into())
            }
        }
    }

    /// The register's value under the current model.
    #[inline]
    fn value(&mut self, reg: Reg) -> u64 {
        let slot = self.get(reg);
        match slot.expr {
            Some(e) => self.current.value(&self.arena, e) as u64,
            None => slot.bits,
        }
    }

    /// The source position of the instruction that is being executed.
    pub(crate) fn location(&self) -> SourceLoc {
        let pc = self.state.frame.pc as usize;
        self.function().locs.get(pc).copied().unwrap_or_default()
    }

    /// The call stack, innermost first, as far as somebody reads it.
    pub(crate) fn stack(&self) -> Vec<StackLine> {
        let mut lines = Vec::new();
        let mut frame = Some(&self.state.frame);
        while let Some(f) = frame.filter(|_| lines.len() < MOST_STACK_LINES) {
            let function = &self.program.module.functions[f.function.index()];
            // Callers already point behind their call.
            let pc = if lines.is_empty() {
                f.pc
            } else {
                f.pc.saturating_sub(1)
            };
            let loc = function.locs.get(pc as usize).copied().unwrap_or_default();
            lines.push(StackLine {
                function: function.name.clone(),
                loc,
            });
            frame = f.parent.as_deref();
        }
        lines
    }

    /// The innermost position that is not inside a model of the library.
    pub(crate) fn blamed(&self, stack: &[StackLine]) -> SourceLoc {
        let mut lines = stack.iter();
        let users = lines.find(|line| self.program.is_users(line.loc));
        users.map_or_else(SourceLoc::default, |line| line.loc)
    }

    /// The place that a fault of the current instruction is reported for: inside a model of the
    /// library, that is the user's call of it.
    pub(super) fn fault_place(&self, kind: FaultKind) -> FaultPlace {
        let functions = &self.program.module.functions;
        let mut next = Some((&self.state.frame, self.state.frame.pc));
        while let Some((frame, pc)) = next {
            let locs = &functions[frame.function.index()].locs;
            let loc = locs.get(pc as usize).copied().unwrap_or_default();
            if self.program.is_users(loc) {
                let function = frame.function;
                return FaultPlace { function, pc, kind };
            }
            // Callers already point behind their call.
            let parent = frame.parent.as_deref();
            next = parent.map(|parent| (parent, parent.pc.saturating_sub(1)));
        }
        let (function, pc) = (self.state.frame.function, self.state.frame.pc);
        FaultPlace { function, pc, kind }
    }

    fn unsupported<T>(&self, what: impl std::fmt::Display) -> Step<T> {
        let loc = self.location();
        let file = self.program.module.file(loc);
        Err(PathEnd::Unsupported {
            message: format!("{file}:{}: {what}", loc.line),
        })
    }

    fn text(&mut self, text: &str) -> Rc<str> {
        if let Some(shared) = self.texts.get(text) {
            return shared.clone();
        }
        let shared: Rc<str> = Rc::from(text);
        self.texts.insert(text.to_owned(), shared.clone());
        shared
    }
}

/// The frame of the entry, with those of the constructors on top: they run first, in order.
fn first_frame(program: &Program<'_>, arena: &mut Arena, entry: FuncId) -> Frame {
    let mut frame = new_frame(program, arena, entry, 0, None);
    let constructors = program.module.constructors.iter().rev();
    for (depth, function) in (1..).zip(constructors) {
        frame = new_frame(program, arena, *function, depth, Some(Rc::new(frame)));
    }
    frame
}

fn new_frame(
    program: &Program<'_>,
    arena: &mut Arena,
    function: FuncId,
    depth: u32,
    parent: Option<Rc<Frame>>,
) -> Frame {
    Frame {
        function,
        pc: 0,
        regs: start_registers(program, arena, function),
        results: RegList::default(),
        objects: Vec::new(),
        depth,
        stack_bytes: 0,
        serial: u64::from(depth),
        parent,
    }
}

/// The registers of a new frame.
fn start_registers(program: &Program<'_>, arena: &mut Arena, function: FuncId) -> Vec<Slot> {
    let mut regs = Vec::new();
    fill_registers(program, arena, function, &mut regs);
    regs
}

fn fill_registers(program: &Program<'_>, arena: &mut Arena, id: FuncId, regs: &mut Vec<Slot>) {
    let start = program.start(id);
    regs.clear();
    regs.extend_from_slice(&start.registers);
    for &(reg, width, value) in &start.expressions {
        let e = match value {
            Some(value) => arena.constant(width, value),
            None => arena.uninit(width),
        };
        regs[reg.index()] = Slot::symbolic(e);
    }
}
