//! The states that paths can be in at joins and loop heads, as sets: each node stands for all states with
//! one stack of calls, with the same values in the places that are kept, and with any of some values in the
//! places where its states differ.

use super::relations::{ComparedTerms, NodeRelation, RelationTerms};
use super::value_set::GrowingSet;
use crate::memory::{ObjectId, ObjectNumbers};
use crate::state::{MemoryRange, State};
use labrys_expr::{ExprId, Model, VarId};
use labrys_ir::{Const, FuncId, Liveness, Module, Reg, SourceLoc};
use labrys_ledger::Trigger;
use labrys_solver::PathCondition;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many facts are given in words.
const MOST_FACTS: usize = 24;

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
    /// How often its ways on were explored.
    pub(crate) looks: u32,
    /// How the first of the states came about.
    pub(crate) way: WayToSet,
    /// The places that the first state of the node in front of it should have had other values in.
    pub(crate) obstacles: Option<Rc<[KeptPlace]>>,
}

impl StateSet {
    /// The number that a place has in all of its states.
    fn kept_value(&self, place: KeptPlace) -> Option<u64> {
        match place {
            KeptPlace::Register(function, reg) => {
                let mut frame = Some(&self.image.frame);
                while let Some(known) = frame.filter(|known| known.function != function) {
                    frame = known.parent.as_deref();
                }
                let slot = frame?.regs.get(reg.index())?;
                slot.expr.is_none().then_some(slot.bits)
            }
            KeptPlace::Memory(range) => {
                let object = self.image.memory.object(range.object)?;
                object.plain(range.offset, range.len.into())
            }
        }
    }
}

/// The values of a kept place in some nodes.
#[derive(Default)]
struct KeptValues {
    loc: SourceLoc,
    numbers: BTreeSet<i32>,
    /// It is no number in some of them.
    has_others: bool,
}

impl KeptValues {
    fn words(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(ToString::to_string).collect();
        let words = match numbers.as_slice() {
            [] => return "not a constant".to_owned(),
            [only] => only.clone(),
            _ => format!("one of {}", numbers.join(", ")),
        };
        match self.has_others {
            true => format!("{words}, or not a constant"),
            false => words,
        }
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
    /// By how often they were explored: what is explored again waits until it has grown as much as it
    /// does.
    pub(crate) waiting: BTreeSet<(u32, usize)>,
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
    at_event: BTreeMap<Trigger, BTreeSet<usize>>,
    /// Of the objects, when the exploration is over.
    pub(crate) numbers: Option<ObjectNumbers>,
    live: FxHashMap<(FuncId, u32), Rc<[Reg]>>,
    liveness: FxHashMap<FuncId, Liveness>,
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
            live: FxHashMap::default(),
            liveness: FxHashMap::default(),
        }
    }

    /// The registers that are needed at an instruction and are no constants.
    pub(crate) fn live(&mut self, module: &Module, id: FuncId, pc: u32) -> Rc<[Reg]> {
        if let Some(known) = self.live.get(&(id, pc)) {
            return known.clone();
        }
        let function = &module.functions[id.index()];
        let liveness = (self.liveness.entry(id)).or_insert_with(|| Liveness::of(function));
        let mut needed = liveness.at(function, pc);
        for (reg, _) in &function.constants {
            needed[reg.index()] = false;
        }
        let needed = needed.into_iter().enumerate().filter(|(_, is)| *is);
        let needed: Rc<[Reg]> = needed.map(|(reg, _)| Reg(reg as u32)).collect();
        self.live.insert((id, pc), needed.clone());
        needed
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

    /// The places that are kept, in the words of the source.
    pub(crate) fn kept_names(&self) -> Vec<String> {
        let names = self.kept.iter().filter_map(|place| self.names.get(place));
        names.cloned().collect()
    }

    /// The values that kept places have, in words, at the places of the source.
    pub(crate) fn facts(&self) -> Vec<(SourceLoc, String)> {
        let mut facts = Vec::new();
        for ((cut, place), values) in &self.seen {
            let (Some(loc), Some(name)) = (self.locs.get(cut), self.names.get(place)) else {
                continue;
            };
            let values: Vec<String> = values.iter().map(|v| (*v as i32).to_string()).collect();
            let words = match values.as_slice() {
                [only] => format!("{name} is {only} here, or not a constant"),
                _ => format!(
                    "{name} is one of {} here, or not a constant",
                    values.join(", ")
                ),
            };
            facts.push((*loc, words));
        }
        facts.sort_by_key(|(loc, _)| (loc.file, loc.line));
        facts.dedup();
        facts.truncate(MOST_FACTS);
        facts
    }

    /// The values that kept places have in the nodes from which paths come to each event, in words.
    pub(crate) fn facts_near_events(&self) -> BTreeMap<Trigger, Vec<(SourceLoc, String)>> {
        let events = self.at_event.iter();
        events
            .map(|(trigger, nodes)| (*trigger, self.facts_of(nodes)))
            .filter(|(_, facts)| !facts.is_empty())
            .collect()
    }

    fn facts_of(&self, nodes: &BTreeSet<usize>) -> Vec<(SourceLoc, String)> {
        let mut values: BTreeMap<(u32, u32, &str), KeptValues> = BTreeMap::new();
        for node in nodes.iter().map(|node| &self.nodes[*node]) {
            let Some(loc) = self.locs.get(&node.cut) else {
                continue;
            };
            for (place, name) in &self.names {
                if self.kept.contains(place) {
                    let known = values.entry((loc.file, loc.line, name)).or_default();
                    known.loc = *loc;
                    match node.kept_value(*place) {
                        Some(value) => drop(known.numbers.insert(value as i32)),
                        None => known.has_others = true,
                    }
                }
            }
        }
        let facts = values.into_iter().map(|((.., name), values)| {
            let text = format!("coming from here, {name} is {}", values.words());
            (values.loc, text)
        });
        let related = self.relations_of(nodes).into_iter();
        facts.chain(related).take(MOST_FACTS).collect()
    }

    /// What holds between places in all of some nodes at one place of the source.
    fn relations_of(&self, nodes: &BTreeSet<usize>) -> Vec<(SourceLoc, String)> {
        let terms = self.terms.borrow();
        let mut common: BTreeMap<(u32, u32), (SourceLoc, BTreeSet<String>)> = BTreeMap::new();
        for node in nodes.iter().map(|node| &self.nodes[*node]) {
            let Some(loc) = self.locs.get(&node.cut) else {
                continue;
            };
            let words = node.relations.iter().filter_map(|known| terms.words(known));
            let words: BTreeSet<String> = words.collect();
            let known = common.entry((loc.file, loc.line));
            let (_, known) = known.or_insert_with(|| (*loc, words.clone()));
            known.retain(|text| words.contains(text));
        }
        let common = common.into_values();
        let texts = common.flat_map(|(loc, words)| words.into_iter().map(move |text| (loc, text)));
        texts
            .map(|(loc, text)| (loc, format!("coming from here, {text}")))
            .collect()
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
            self.waiting.insert((node.looks, number));
        }
    }

    /// A node has more states than before.
    pub(crate) fn wait(&mut self, node: usize) {
        self.is_settled = false;
        if !self.nodes[node].waits {
            self.nodes[node].waits = true;
            self.waiting.insert((self.nodes[node].looks, node));
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
