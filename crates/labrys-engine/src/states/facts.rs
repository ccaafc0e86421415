//! What is known of the states of a graph, in the words of the source.

use super::graph::{KeptPlace, StateGraph, StateSet};
use labrys_ir::SourceLoc;
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// So many facts are given in words.
const MOST_FACTS: usize = 24;

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

impl StateGraph {
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
}
