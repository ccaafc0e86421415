//! The states that paths can be in at joins and loop heads, as sets: each node stands for all states with
//! one stack of calls, with the same values in the places that are kept, and with any of some values in the
//! places where its states differ.

use super::flow_order::FlowOrder;
use super::live_registers::LiveRegisters;
use super::relations::{ComparedTerms, NodeRelation, PossibleOrders, RelationTerms};
use super::returned::ReturnedNumbers;
use super::value_set::{GrowingSet, MOST_NUMBERS};
use crate::memory::{ObjectId, ObjectNumbers};
use crate::state::{MemoryRange, State};
use labrys_expr::{ExprId, Model, VarId};
use labrys_ir::{Const, FuncId, Module, Reg, SourceLoc};
use labrys_ledger::Trigger;
use labrys_solver::PathCondition;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A pointer to an element of an array has one of many numbers, and what is between them is no element.
const MOST_OFFSETS: usize = 128;

/// A place whose values may tell nodes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum KeptPlace {
    Register(FuncId, Reg),
    Memory(MemoryRange),
}

/// A place of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SetPlace {
    /// Of a frame, so many calls below the innermost one.
    Register {
        below: u32,
        reg: Reg,
    },
    Memory(MemoryRange),
}

/// A place in which the states of a node differ.
#[derive(Clone, Debug)]
pub(crate) struct OpenPlace {
    pub(crate) place: SetPlace,
    pub(crate) width: u8,
    /// A pointer is looked at as its distance from the start of its object.
    pub(crate) base: u64,
    pub(crate) values: GrowingSet,
    pub(crate) var: VarId,
    /// The same number for the same member of all elements of an array.
    pub(crate) array: Option<u32>,
    /// What the first of the states holds there, if it is a number.
    pub(crate) first: Option<u64>,
    /// What the first of the states holds there, on the path that led to it.
    pub(crate) began: Option<ExprId>,
}

/// A set of states.
#[derive(Clone, Debug)]
pub(crate) struct StateSet {
    /// The join.
    pub(crate) cut: u32,
    /// One of them, with variables in the places that are open.
    pub(crate) image: State,
    /// Values of the variables.
    pub(crate) model: Rc<Model>,
    pub(crate) open: Vec<OpenPlace>,
    /// What holds between places in all of them.
    pub(crate) relations: Vec<NodeRelation>,
    /// Its ways on are not explored, or not with all of its states.
    pub(crate) waits: bool,
    /// Its place in the flow: of each call from the outermost one on, and of the join.
    pub(crate) order: Rc<[u32]>,
    /// Its sets have grown since its image was made.
    pub(crate) is_stale: bool,
    /// The variables on which its ways on depend in another way than that they go on to the next nodes.
    pub(crate) read: FxHashSet<VarId>,
    /// The places of next nodes that hold a variable of this one.
    pub(crate) passed: BTreeMap<VarId, BTreeSet<(usize, SetPlace)>>,
    /// How often its ways on were explored.
    pub(crate) looks: u32,
    /// How the first of the states came about.
    pub(crate) way: WayToSet,
    /// The places that the first state of the node in front of it should have had other values in.
    pub(crate) obstacles: Option<Rc<[KeptPlace]>>,
}

impl StateSet {
    /// Is something known of several places together?
    pub(crate) fn is_related(&self) -> bool {
        let mut relations = self.relations.iter();
        relations.any(|relation| relation.orders != PossibleOrders::ANY)
    }
}

/// A path from a node, or from the start of the program.
#[derive(Clone, Debug)]
pub(crate) struct WayToSet {
    pub(crate) from: Option<usize>,
    pub(crate) path: PathCondition,
    /// Values with which it was gone.
    pub(crate) model: Rc<Model>,
}

#[derive(Debug)]
pub(crate) struct StateGraph {
    /// The places whose values are kept.
    pub(crate) kept: BTreeSet<KeptPlace>,
    pub(crate) nodes: Vec<StateSet>,
    pub(crate) index: FxHashMap<Vec<u64>, Vec<usize>>,
    /// By their places in the flow: loops are gone through until nothing grows there any more, before what
    /// comes behind them is looked at.
    pub(crate) waiting: BTreeSet<(Rc<[u32]>, usize)>,
    flow: FlowOrder,
    /// Results that tell nodes apart, so that what is known with each of them is not mixed.
    pub(crate) returned: ReturnedNumbers,
    /// The node whose ways on are being explored.
    pub(crate) current: Option<usize>,
    /// Where ranges end.
    pub(crate) stops: Rc<[i64]>,
    pub(crate) places: FxHashMap<VarId, KeptPlace>,
    /// The values that kept places had at a cut.
    pub(crate) seen: BTreeMap<(u32, KeptPlace), BTreeSet<u64>>,
    /// What the source calls places.
    pub(crate) names: BTreeMap<KeptPlace, String>,
    arrays: BTreeMap<(ObjectId, String), u32>,
    /// The reads that have variables of their own.
    pub(crate) elements: FxHashMap<ExprId, usize>,
    /// Where the cuts are.
    pub(crate) locs: BTreeMap<u32, SourceLoc>,
    /// Kept places that have too many values.
    pub(crate) too_many: BTreeSet<KeptPlace>,
    /// The objectives that were reached, each with places that would have to be kept to tell whether it
    /// can be reached in reality.
    pub(crate) reached: BTreeMap<usize, Rc<[KeptPlace]>>,
    /// The objectives that are looked for; when all of them are reached, the graph is of no use.
    pub(crate) wanted: BTreeSet<usize>,
    /// The objectives that were looked for in the beginning.
    pub(crate) asked: BTreeSet<usize>,
    /// For those on whose ways places are compared with each other: which comparisons these are.
    pub(crate) related: BTreeMap<usize, BTreeSet<usize>>,
    /// The nodes from which ways to each event were looked at for that, with how much was known of them.
    pub(crate) ways: FxHashMap<Trigger, BTreeSet<(usize, u32)>>,
    /// What is compared anywhere.
    pub(crate) terms: Rc<RefCell<RelationTerms>>,
    /// Those that are relations of nodes.
    pub(crate) uses: Vec<ComparedTerms>,
    most_nodes: usize,
    /// No set grows any more, and all ways on are gone through once more.
    pub(crate) is_settled: bool,
    /// The nodes from which paths come to an event, since then.
    pub(super) at_event: BTreeMap<Trigger, BTreeSet<usize>>,
    /// Of the objects, when the exploration is over.
    pub(crate) numbers: Option<ObjectNumbers>,
    pub(crate) live: LiveRegisters,
}

impl StateGraph {
    pub(crate) fn new(
        kept: BTreeSet<KeptPlace>,
        stops: Rc<[i64]>,
        wanted: BTreeSet<usize>,
        most_nodes: usize,
    ) -> StateGraph {
        StateGraph {
            kept,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            waiting: BTreeSet::new(),
            flow: FlowOrder::default(),
            returned: ReturnedNumbers::default(),
            current: None,
            stops,
            places: FxHashMap::default(),
            seen: BTreeMap::new(),
            names: BTreeMap::new(),
            arrays: BTreeMap::new(),
            elements: FxHashMap::default(),
            locs: BTreeMap::new(),
            too_many: BTreeSet::new(),
            reached: BTreeMap::new(),
            asked: wanted.clone(),
            wanted,
            related: BTreeMap::new(),
            ways: FxHashMap::default(),
            terms: Rc::default(),
            uses: Vec::new(),
            most_nodes,
            is_settled: false,
            at_event: BTreeMap::new(),
            numbers: None,
            live: LiveRegisters::default(),
        }
    }

    /// The array in which a place is an element, or the same member of one.
    pub(crate) fn array_of(&mut self, place: KeptPlace) -> Option<u32> {
        let KeptPlace::Memory(range) = place else {
            return None;
        };
        let name = self.names.get(&place)?;
        let mut array = String::new();
        let mut pieces = name.split('[');
        array.push_str(pieces.next()?);
        for piece in pieces {
            let (_, behind) = piece.split_once(']')?;
            array.push_str("[]");
            array.push_str(behind);
        }
        if !name.contains('[') {
            return None;
        }
        let next = self.arrays.len() as u32;
        Some(*self.arrays.entry((range.object, array)).or_insert(next))
    }

    /// Are there more nodes than are worth it?
    pub(crate) fn is_too_large(&self) -> bool {
        self.nodes.len() > self.most_nodes
    }

    /// An event of a path.
    pub(crate) fn note_event(&mut self, trigger: Trigger) {
        if let Some(node) = self.current.filter(|_| self.is_settled) {
            self.at_event.entry(trigger).or_default().insert(node);
        }
    }

    /// All ways on are gone through once more, with sets that are known not to grow.
    pub(crate) fn settle(&mut self) {
        self.is_settled = true;
        self.at_event.clear();
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.waits = true;
            self.waiting.insert((node.order.clone(), number));
        }
    }

    /// The place of a state in the flow.
    pub(crate) fn order_of(&mut self, module: &Module, state: &State) -> Rc<[u32]> {
        self.flow.place_of(module, state)
    }

    /// The sets of some variables of a node have grown. If none of its ways depends on these, they only go
    /// on to the next nodes.
    pub(crate) fn spread(&mut self, node: usize, grown: Vec<VarId>) {
        self.is_settled = false;
        let mut open = vec![(node, grown)];
        while let Some((number, grown)) = open.pop() {
            let node = &mut self.nodes[number];
            node.is_stale = true;
            if node.waits {
                continue;
            }
            let is_unknown = node.looks == 0 || self.current == Some(number);
            let is_read = grown.iter().any(|var| node.read.contains(var));
            if is_unknown || is_read || self.meets_relations(number, &grown) {
                self.wait(number);
                continue;
            }
            let mut next: BTreeMap<usize, Vec<VarId>> = BTreeMap::new();
            for var in grown {
                let node = &self.nodes[number];
                let Some(from) = node.open.iter().find(|place| place.var == var) else {
                    continue;
                };
                let values = from.values.clone();
                for (target, place) in node.passed.get(&var).cloned().unwrap_or_default() {
                    let stops = self.stops.clone();
                    let mut places = self.nodes[target].open.iter_mut();
                    let Some(to) = places.find(|open| open.place == place) else {
                        continue;
                    };
                    let most = most_numbers(to);
                    if to.values.join(&values, to.width, (most, &stops)) {
                        next.entry(target).or_default().push(to.var);
                    }
                }
            }
            open.extend(next);
        }
    }

    /// Would variables of a node take part in relations, of it or of a node that they go on to? These are
    /// only checked where a state arrives.
    fn meets_relations(&self, number: usize, grown: &[VarId]) -> bool {
        let node = &self.nodes[number];
        let next = grown.iter().filter_map(|var| node.passed.get(var));
        let mut next = next.flatten().map(|(target, _)| *target);
        node.is_related() || next.any(|target| self.nodes[target].is_related())
    }

    /// A node has more states than before.
    pub(crate) fn wait(&mut self, node: usize) {
        self.is_settled = false;
        if !self.nodes[node].waits {
            self.nodes[node].waits = true;
            self.waiting.insert((self.nodes[node].order.clone(), node));
        }
    }

    /// The next node whose ways on have to be explored.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let (_, node) = self.waiting.pop_first()?;
        self.nodes[node].waits = false;
        self.nodes[node].looks += 1;
        self.current = Some(node);
        Some(node)
    }
}

/// So many numbers are kept apart in a place.
pub(crate) fn most_numbers(place: &OpenPlace) -> usize {
    match place.base {
        0 => MOST_NUMBERS,
        _ => MOST_OFFSETS,
    }
}

/// The constants of the program under test, where ranges of values may end.
pub(crate) fn stops(module: &Module, is_users: impl Fn(usize) -> bool) -> Rc<[i64]> {
    let mut stops = BTreeSet::from([-1, 0, 1]);
    for (number, function) in module.functions.iter().enumerate() {
        if !is_users(number) {
            continue;
        }
        for (reg, value) in &function.constants {
            let width = function.width(*reg);
            if let Const::Int(value) = value
                && (8..=64).contains(&width)
            {
                let value = crate::memory::sign_extend(*value as u64, width);
                stops.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
            }
        }
    }
    stops.into_iter().collect()
}
