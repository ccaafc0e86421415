//! What can be reached from a function by calls and references. In come the units of a program;
//! the graph of their symbols is made once, and each function then has a set of one bit a symbol,
//! so that thousands of functions that reach each other do not take memory for millions of names.

use crate::program::{ParsedUnit, SymbolId, resolve};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// All functions and variables with what they refer to.
pub(crate) struct SymbolGraph<'a> {
    /// The functions in the order of their ids, then the variables.
    symbols: Vec<SymbolId<'a>>,
    functions: usize,
    /// By symbol.
    references: Vec<Vec<usize>>,
    /// By symbol: who refers to it.
    referrers: OnceCell<Vec<Vec<usize>>>,
    /// Names that no unit defines, by the symbol that refers to them.
    undefined: Vec<Vec<&'a str>>,
}

impl<'a> SymbolGraph<'a> {
    pub(crate) fn new(units: &[ParsedUnit<'a>]) -> Rc<SymbolGraph<'a>> {
        let numbered = || units.iter().enumerate();
        let mut symbols: Vec<SymbolId> = numbered()
            .flat_map(|(index, unit)| unit.functions.keys().map(move |name| (index, *name)))
            .collect();
        let functions = symbols.len();
        symbols.extend(
            numbered()
                .flat_map(|(index, unit)| unit.variables.keys().map(move |name| (index, *name))),
        );
        let mut graph = SymbolGraph {
            symbols,
            functions,
            references: Vec::new(),
            referrers: OnceCell::new(),
            undefined: Vec::new(),
        };
        for number in 0..graph.symbols.len() {
            let (index, name) = graph.symbols[number];
            let map = match number < functions {
                true => &units[index].functions,
                false => &units[index].variables,
            };
            let (mut known, mut undefined) = (Vec::new(), Vec::new());
            for name in map.get(name).into_iter().flat_map(|s| &s.references) {
                match resolve(units, index, name) {
                    Some((id, is_function)) => known.extend(graph.number(id, is_function)),
                    None => undefined.push(*name),
                }
            }
            graph.references.push(known);
            graph.undefined.push(undefined);
        }
        Rc::new(graph)
    }

    fn number(&self, id: SymbolId, is_function: bool) -> Option<usize> {
        let (functions, variables) = self.symbols.split_at(self.functions);
        match is_function {
            true => functions.binary_search(&id).ok(),
            false => (variables.binary_search(&id).ok()).map(|n| n + self.functions),
        }
    }

    fn referrers(&self) -> &[Vec<usize>] {
        self.referrers.get_or_init(|| {
            let mut referrers = vec![Vec::new(); self.symbols.len()];
            for (number, references) in self.references.iter().enumerate() {
                for reference in references {
                    referrers[*reference].push(number);
                }
            }
            referrers
        })
    }

    /// What a function reaches, itself included.
    pub(crate) fn reachable_from(self: &Rc<Self>, function: SymbolId<'a>) -> Reachable<'a> {
        let mut reached = Reachable {
            graph: self.clone(),
            reached: vec![0; self.symbols.len().div_ceil(64)],
            undefined: OnceCell::new(),
        };
        reached.add(function);
        reached
    }
}

/// What a function reaches.
pub(crate) struct Reachable<'a> {
    graph: Rc<SymbolGraph<'a>>,
    /// One bit for each symbol.
    reached: Vec<u64>,
    undefined: OnceCell<BTreeSet<SymbolId<'a>>>,
}

impl<'a> Reachable<'a> {
    /// Adds what another function reaches, itself included.
    pub(crate) fn add(&mut self, function: SymbolId<'a>) {
        let mut queue: Vec<usize> = self.graph.number(function, true).into_iter().collect();
        while let Some(number) = queue.pop() {
            let (word, bit) = (number / 64, 1u64 << (number % 64));
            if self.reached[word] & bit == 0 {
                self.reached[word] |= bit;
                queue.extend(&self.graph.references[number]);
            }
        }
        self.undefined.take();
    }

    fn contains(&self, number: usize) -> bool {
        self.reached[number / 64] >> (number % 64) & 1 == 1
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        (self.reached.iter().enumerate()).flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(word * 64 + bit)
            })
        })
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = SymbolId<'a>> {
        (self.function_numbers()).map(|number| self.graph.symbols[number])
    }

    /// The places of the functions among all of all units, in the order of units and names.
    pub(crate) fn function_numbers(&self) -> impl Iterator<Item = usize> {
        self.all().take_while(|n| *n < self.graph.functions)
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = SymbolId<'a>> {
        let variables = self.all().skip_while(|n| *n < self.graph.functions);
        variables.map(|number| self.graph.symbols[number])
    }

    pub(crate) fn has_function(&self, id: SymbolId) -> bool {
        (self.graph.number(id, true)).is_some_and(|number| self.contains(number))
    }

    /// The same for a place among the functions of all units.
    pub(crate) fn has_function_number(&self, number: usize) -> bool {
        self.contains(number)
    }

    pub(crate) fn has_variable(&self, id: SymbolId) -> bool {
        (self.graph.number(id, false)).is_some_and(|number| self.contains(number))
    }

    /// All symbols of the program from which one of these functions can be reached, themselves
    /// included.
    pub(crate) fn reaching(&self, functions: impl Iterator<Item = SymbolId<'a>>) -> Reaching<'a> {
        let graph = &self.graph;
        let mut reaches = vec![false; graph.symbols.len()];
        let mut queue: Vec<usize> = functions.filter_map(|id| graph.number(id, true)).collect();
        while let Some(number) = queue.pop() {
            if !std::mem::replace(&mut reaches[number], true) {
                queue.extend(&graph.referrers()[number]);
            }
        }
        Reaching {
            graph: graph.clone(),
            reaches,
        }
    }

    /// Names that no unit defines, with the unit that refers to them.
    pub(crate) fn undefined(&self) -> &BTreeSet<SymbolId<'a>> {
        self.undefined.get_or_init(|| {
            let graph = &self.graph;
            let names = |number: usize| {
                let unit = graph.symbols[number].0;
                graph.undefined[number]
                    .iter()
                    .map(move |name| (unit, *name))
            };
            self.all().flat_map(names).collect()
        })
    }
}

/// From where something is reached.
pub(crate) struct Reaching<'a> {
    graph: Rc<SymbolGraph<'a>>,
    /// By symbol.
    reaches: Vec<bool>,
}

impl Reaching<'_> {
    pub(crate) fn has_function(&self, id: SymbolId) -> bool {
        (self.graph.number(id, true)).is_some_and(|number| self.reaches[number])
    }
}
