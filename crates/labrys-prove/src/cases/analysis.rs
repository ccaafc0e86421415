//! One run of the analysis by cases: states at the begin of blocks, told apart by keys, grow until
//! nothing changes. A function is looked at once for all calls with the same arguments and keys.

use super::growth::CaseGrowth;
use super::keys::CaseKeys;
use super::setting::CaseSetting;
use super::state::{CaseState, CaseValue};
use crate::definitions::{CodePoint, Definition};
use crate::places::{Base, MemoryPlace};
use crate::sites::AnnotationSite;
use crate::state::PendingSwitch;
use crate::value_set::ValueSet;
use labrys_budget::Deadline;
use labrys_ir::{BlockId, EdgeId, FuncId, Inst, Reg, block_edges};
use labrys_ledger::Trigger;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// States that differ in kept places are split into so many at most.
const MAX_PARTS: usize = 256;
/// States that a block may be left with.
const MAX_FORKS: usize = 2_000;

/// What is known of an argument when functions are told apart by their calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CaseArgument {
    Anything,
    Number(u64),
    Address(Base, Vec<i64>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ContextKey {
    function: FuncId,
    arguments: Vec<CaseArgument>,
    class: Vec<u32>,
}

/// A function as it is called in one way.
#[derive(Debug)]
pub(super) struct CaseContext {
    pub(super) function: FuncId,
    /// How it returns, by classes.
    pub(super) exits: BTreeMap<Vec<u32>, CaseExit>,
    /// The nodes that call it.
    callers: BTreeSet<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CaseExit {
    pub(super) results: Vec<Option<CaseValue>>,
    pub(super) memory: CaseState,
    growth: CaseGrowth,
}

#[derive(Debug)]
struct CaseNode {
    context: usize,
    block: BlockId,
    state: CaseState,
    growth: CaseGrowth,
}

type NodeKey = (usize, BlockId, Vec<u32>);

/// By annotation: the events that it never gives.
pub(super) type NeverThere = BTreeMap<AnnotationSite, Vec<Trigger>>;

/// Where a step is done.
#[derive(Clone, Copy)]
pub(super) struct CasePoint {
    pub(super) node: usize,
    pub(super) function: FuncId,
    pub(super) at: CodePoint,
}

/// Is shown each annotation with each state that reaches it.
pub(super) trait CaseObserver {
    fn annotation(
        &mut self,
        analysis: &CaseAnalysis<'_, '_>,
        state: &CaseState,
        point: CasePoint,
        inst: Inst,
    );
}

pub(super) struct CaseAnalysis<'s, 'm> {
    pub(super) setting: &'s CaseSetting<'m>,
    pub(super) keys: &'s CaseKeys,
    pub(super) never: &'s NeverThere,
    contexts: Vec<CaseContext>,
    by_key: FxHashMap<ContextKey, usize>,
    nodes: Vec<CaseNode>,
    by_place: FxHashMap<NodeKey, usize>,
    open: BTreeSet<(u32, usize, u32, usize)>,
    pub(super) work: u64,
    gave_up: bool,
}

impl<'s, 'm> CaseAnalysis<'s, 'm> {
    /// Runs until nothing changes; none if that is more work than `limit`.
    pub(super) fn run(
        setting: &'s CaseSetting<'m>,
        keys: &'s CaseKeys,
        never: &'s NeverThere,
        limit: u64,
        deadline: &Deadline,
    ) -> (Option<CaseAnalysis<'s, 'm>>, u64) {
        let mut analysis = CaseAnalysis {
            setting,
            keys,
            never,
            contexts: Vec::new(),
            by_key: FxHashMap::default(),
            nodes: Vec::new(),
            by_place: FxHashMap::default(),
            open: BTreeSet::new(),
            work: 0,
            gave_up: false,
        };
        for id in &setting.roots {
            analysis.enter(*id, &[], CaseState::new(), None);
        }
        for id in &setting.entries {
            let mut state = CaseState::new();
            for (place, value) in &setting.start {
                if setting.touches(*id, *place) {
                    state.set_cell(*place, Some(value.clone()));
                }
            }
            analysis.enter(*id, &[], state, None);
        }
        while let Some((_, _, _, node)) = analysis.open.pop_first() {
            analysis.look_at(node, None);
            if analysis.gave_up || analysis.work > limit || deadline.is_over() {
                return (None, analysis.work);
            }
        }
        let work = analysis.work;
        (Some(analysis), work)
    }

    /// Goes through all states once more.
    pub(super) fn observe(&mut self, observer: &mut dyn CaseObserver) -> bool {
        for node in 0..self.nodes.len() {
            self.look_at(node, Some(observer));
        }
        // Nothing may be new.
        self.open.is_empty() && !self.gave_up
    }

    fn look_at(&mut self, node: usize, mut observer: Option<&mut dyn CaseObserver>) {
        let CaseNode { context, block, .. } = self.nodes[node];
        let function = self.contexts[context].function;
        let code = &self.setting.module.functions[function.index()];
        let bounds = code.blocks[block.index()];
        let mut states = vec![self.nodes[node].state.clone()];
        self.nodes[node].growth.is_used = true;
        let last = bounds.end - 1;
        for at in bounds.start..=last {
            let point = CasePoint {
                node,
                function,
                at: CodePoint { block, at },
            };
            let inst = code.code[at as usize];
            self.work += states.len() as u64;
            if at == last {
                for state in states {
                    self.leave(state, point, inst, context);
                }
                return;
            }
            let mut next = Vec::with_capacity(states.len());
            for state in states {
                if let Some(observer) = observer.as_deref_mut() {
                    observer.annotation(self, &state, point, inst);
                }
                self.step(state, point, inst, &mut next);
            }
            states = next;
            if states.len() > MAX_FORKS {
                self.gave_up = true;
                return;
            }
        }
    }

    /// A function is called with this memory; the number of the context.
    pub(super) fn enter(
        &mut self,
        function: FuncId,
        given: &[Option<CaseValue>],
        mut state: CaseState,
        caller: Option<usize>,
    ) -> usize {
        let public = &self.setting.rules.public;
        state.forget(|place| public.is_local_of(place.base, function));
        let params = &self.setting.module.functions[function.index()].params;
        let arguments = given.iter().map(|value| match value {
            Some(CaseValue::Number(value)) => match value.as_constant() {
                Some(bits) => CaseArgument::Number(bits),
                None => CaseArgument::Anything,
            },
            // Calls with different literals share a context.
            Some(CaseValue::Address(Base::Global(id), _))
                if self.setting.module.globals[id.index()].constant =>
            {
                CaseArgument::Anything
            }
            Some(CaseValue::Address(base, offsets)) => {
                CaseArgument::Address(*base, offsets.to_vec())
            }
            None => CaseArgument::Anything,
        });
        let key = ContextKey {
            function,
            arguments: arguments.collect(),
            class: self.keys.of_places(&state, |_| true),
        };
        for (param, value) in params.iter().zip(given) {
            // What is behind them came with the state.
            state.refine(*param, value.clone());
        }
        let context = match self.by_key.get(&key) {
            Some(context) => *context,
            None => {
                self.contexts.push(CaseContext {
                    function,
                    exits: BTreeMap::new(),
                    callers: BTreeSet::new(),
                });
                self.by_key.insert(key, self.contexts.len() - 1);
                self.contexts.len() - 1
            }
        };
        self.contexts[context].callers.extend(caller);
        self.arrive(context, BlockId(0), state);
        context
    }

    pub(super) fn exits(&mut self, context: usize) -> Vec<CaseExit> {
        let exits = self.contexts[context].exits.values_mut();
        let used = exits.map(|exit| {
            exit.growth.is_used = true;
            exit.clone()
        });
        used.collect()
    }

    /// Control comes to a block.
    fn arrive(&mut self, context: usize, block: BlockId, state: CaseState) {
        let function = self.contexts[context].function;
        for state in self.split(function, state) {
            self.join(context, block, state);
        }
    }

    fn join(&mut self, context: usize, block: BlockId, state: CaseState) {
        let setting = self.setting;
        let function = self.contexts[context].function;
        let Some(known) = setting.function(function) else {
            return;
        };
        let mut class = self.keys.of_places(&state, |_| true);
        class.extend(self.keys.of_registers(&state, function, &known.truths));
        self.work += 8 + state.cells().count() as u64 / 8;
        let key = (context, block, class);
        let node = match self.by_place.get(&key) {
            Some(node) => {
                let old = &mut self.nodes[*node];
                let joined =
                    (old.growth).join(&old.state, &state, setting.bounds, self.keys, function);
                if joined == old.state {
                    return;
                }
                old.state = joined;
                *node
            }
            None => {
                self.nodes.push(CaseNode {
                    context,
                    block,
                    state,
                    growth: CaseGrowth::default(),
                });
                self.by_place.insert(key, self.nodes.len() - 1);
                self.nodes.len() - 1
            }
        };
        self.enqueue(node);
    }

    fn enqueue(&mut self, node: usize) {
        let CaseNode { context, block, .. } = self.nodes[node];
        let function = self.contexts[context].function;
        if let Some(known) = self.setting.function(function) {
            let rank = self.setting.ranks[function.index()];
            let place = known.ranks[block.index()];
            self.open.insert((rank, context, place, node));
        }
    }

    /// The states in which each kept place has one class.
    pub(super) fn split(&self, function: FuncId, state: CaseState) -> Vec<CaseState> {
        let mut states = vec![state];
        for (place, classes) in &self.keys.places {
            let is_seen = self.setting.touches(function, *place);
            if !is_seen {
                continue;
            }
            let mut next = Vec::with_capacity(states.len());
            for state in states {
                let value = match state.cell(*place) {
                    Some(value) => **value,
                    None => ValueSet::top(place.width),
                };
                let parts = classes.parts(&value);
                // What is too much stays in one state.
                if parts.len() <= 1 || next.len() + parts.len() > MAX_PARTS {
                    next.push(state);
                    continue;
                }
                for (_, part) in parts {
                    let mut fork = state.clone();
                    if self.narrow_cell(&mut fork, *place, &part).is_ok() {
                        next.push(fork);
                    }
                }
            }
            states = next;
        }
        states
    }

    fn leave(&mut self, state: CaseState, point: CasePoint, inst: Inst, context: usize) {
        let function = &self.setting.module.functions[point.function.index()];
        match inst {
            Inst::Jump { edge } => self.take(state, edge, point, context),
            Inst::Branch { cond, then, other } => {
                for (edge, truth) in [(then, 1), (other, 0)] {
                    let mut side = state.clone();
                    let want = ValueSet::constant(1, truth);
                    if then == other || self.assume(&mut side, point, cond, &want).is_ok() {
                        self.take(side, edge, point, context);
                    }
                }
            }
            Inst::Switch { value, table } => {
                for (edge, want) in self.switch_edges(&state, point, value, table) {
                    let mut side = state.clone();
                    if self.assume(&mut side, point, value, &want).is_ok() {
                        self.take(side, edge, point, context);
                    }
                }
            }
            Inst::Return { values } => {
                let regs = function.list(values);
                let results = regs.iter().map(|reg| self.value(&state, point, *reg));
                let results = results.collect();
                self.give_back(state, results, context);
            }
            Inst::Unreachable => {}
            _ => {
                for edge in block_edges(function, point.at.block) {
                    self.take(state.clone(), edge, point, context);
                }
            }
        }
    }

    fn take(&mut self, mut state: CaseState, edge: EdgeId, point: CasePoint, context: usize) {
        let function = &self.setting.module.functions[point.function.index()];
        for (dst, src) in function.edge_copies(edge) {
            let value = self.value(&state, point, *src);
            let is_settled = self.is_settled(point.function, *src);
            let places: Vec<MemoryPlace> = match is_settled {
                true => {
                    let held = state.places_held(*src);
                    held.filter(|place| place.base != Base::Pointer(*dst))
                        .collect()
                }
                false => Vec::new(),
            };
            state.write(*dst, value);
            for place in places {
                state.hold(*dst, place);
            }
        }
        let target = function.edges[edge.index()].target;
        let Some(known) = self.setting.function(point.function) else {
            return;
        };
        let is_pinned = |reg: Reg| self.keys.pinned.contains(&(point.function, reg));
        let definitions = &known.definitions;
        let is_param = |reg: Reg| definitions.def(reg) == Definition::Param;
        state.keep_registers(|reg| known.needs(target, reg) || is_pinned(reg));
        state.forget_pointers(|reg| !known.needs(target, reg) && !is_param(reg));
        self.arrive(context, target, state);
    }

    fn give_back(&mut self, mut state: CaseState, results: Vec<Option<CaseValue>>, context: usize) {
        let setting = self.setting;
        let function = self.contexts[context].function;
        let is_other = |place: MemoryPlace| {
            !matches!(place.base, Base::Global(_))
                || setting.rules.public.is_local_of(place.base, function)
        };
        state.keep_registers(|_| false);
        state.forget(is_other);
        let params = &setting.module.functions[function.index()].params;
        state.forget_pointers(|reg| !params.contains(&reg));
        state.pending = PendingSwitch::Unknown;
        for memory in self.split(function, state) {
            let mut class = self.keys.of_places(&memory, |_| true);
            for result in &results {
                class.push(match result {
                    Some(CaseValue::Number(value)) => match value.as_constant() {
                        Some(bits) if bits <= 16 => bits as u32,
                        _ => u32::MAX,
                    },
                    Some(CaseValue::Address(_, offsets)) => match offsets[..] {
                        [offset] => offset as u32,
                        _ => u32::MAX - 1,
                    },
                    None => u32::MAX,
                });
            }
            self.add_exit(context, class, &results, memory);
        }
    }

    fn add_exit(
        &mut self,
        context: usize,
        class: Vec<u32>,
        results: &[Option<CaseValue>],
        memory: CaseState,
    ) {
        let CaseContext {
            function, exits, ..
        } = &mut self.contexts[context];
        let function = *function;
        match exits.get_mut(&class) {
            None => {
                let exit = CaseExit {
                    results: results.to_vec(),
                    memory,
                    growth: CaseGrowth::default(),
                };
                exits.insert(class, exit);
            }
            Some(old) => {
                let both = old.results.iter().zip(results);
                let joined = both.map(|(a, b)| a.as_ref()?.join(b.as_ref()?));
                let joined: Vec<Option<CaseValue>> = joined.collect();
                let bounds = self.setting.bounds;
                let memory = (old.growth).join(&old.memory, &memory, bounds, self.keys, function);
                if joined == old.results && memory == old.memory {
                    return;
                }
                old.results = joined;
                old.memory = memory;
            }
        }
        let callers: Vec<usize> = self.contexts[context].callers.iter().copied().collect();
        for node in callers {
            self.enqueue(node);
        }
    }
}
