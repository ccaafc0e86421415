//! What passes between functions: arguments and results, each the join over all calls and returns
//! that can be reached.

use crate::sweep::SweepMode;
use crate::value_set::{ValueSet, WideningThresholds};
use labrys_ir::{FuncId, Function, Module};
use std::collections::BTreeSet;

/// Arguments or results may grow four times before their bounds are widened, so that short chains
/// of calls stay exact and recursion still ends.
const GROWTHS_BEFORE_WIDENING: u8 = 4;

#[derive(Clone, Debug, Default)]
struct PassedValues {
    values: Option<Vec<ValueSet>>,
    grown: u8,
    /// What the present round has seen.
    next: Option<Vec<ValueSet>>,
}

impl PassedValues {
    /// Adds values; true if they are new.
    fn grow(&mut self, given: &[ValueSet]) -> bool {
        let Some(old) = &self.values else {
            self.values = Some(given.to_vec());
            return true;
        };
        let joined = joined(old, given);
        if joined == *old {
            return false;
        }
        self.grown = self.grown.saturating_add(1);
        let none = WideningThresholds::default();
        let next = if self.grown > GROWTHS_BEFORE_WIDENING {
            let pairs = old.iter().zip(&joined);
            pairs.map(|(old, new)| old.widen(new, &none)).collect()
        } else {
            joined
        };
        self.values = Some(next);
        true
    }

    fn add_to_round(&mut self, given: &[ValueSet]) {
        self.next = Some(match &self.next {
            None => given.to_vec(),
            Some(old) => joined(old, given),
        });
    }

    /// What the round has seen takes the place of what was known; what was not seen cannot be.
    fn shrink(&mut self) {
        let next = self.next.take();
        self.values = match (&self.values, next) {
            (Some(old), Some(new)) => {
                let pairs = old.iter().zip(&new);
                Some(pairs.map(|(o, n)| o.meet(n).unwrap_or(*o)).collect())
            }
            _ => None,
        };
    }
}

fn joined(old: &[ValueSet], given: &[ValueSet]) -> Vec<ValueSet> {
    old.iter().zip(given).map(|(a, b)| a.join(b)).collect()
}

pub(crate) struct CallValues {
    arguments: Vec<PassedValues>,
    results: Vec<PassedValues>,
    /// Functions that something unknown may call.
    open: Vec<bool>,
    callers: Vec<BTreeSet<FuncId>>,
    /// Functions to be looked at again.
    pub(crate) dirty: BTreeSet<FuncId>,
}

impl CallValues {
    pub(crate) fn new(module: &Module) -> CallValues {
        let count = module.functions.len();
        CallValues {
            arguments: vec![PassedValues::default(); count],
            results: vec![PassedValues::default(); count],
            open: vec![false; count],
            callers: vec![BTreeSet::new(); count],
            dirty: BTreeSet::new(),
        }
    }

    /// Anything may call this function with any arguments.
    pub(crate) fn open(&mut self, id: FuncId) {
        if !std::mem::replace(&mut self.open[id.index()], true) {
            self.dirty.insert(id);
        }
    }

    pub(crate) fn is_open(&self, id: FuncId) -> bool {
        self.open[id.index()]
    }

    pub(crate) fn is_reached(&self, id: FuncId) -> bool {
        self.open[id.index()] || self.arguments[id.index()].values.is_some()
    }

    /// The functions that were seen to call this one.
    pub(crate) fn callers(&self, id: FuncId) -> &BTreeSet<FuncId> {
        &self.callers[id.index()]
    }

    pub(crate) fn params(&self, id: FuncId, function: &Function) -> Vec<ValueSet> {
        match &self.arguments[id.index()].values {
            Some(values) if !self.open[id.index()] => values.clone(),
            _ => function
                .params
                .iter()
                .map(|reg| ValueSet::top(function.width(*reg)))
                .collect(),
        }
    }

    /// What a function returns, over all of its returns; empty if it does not.
    pub(crate) fn results(&self, id: FuncId) -> Vec<ValueSet> {
        let values = &self.results[id.index()].values;
        values.clone().unwrap_or_default()
    }

    /// A call; what comes back, none if the function does not return as far as is known.
    pub(crate) fn call(
        &mut self,
        from: FuncId,
        callee: FuncId,
        given: &[ValueSet],
        mode: SweepMode,
    ) -> Option<&[ValueSet]> {
        match mode {
            SweepMode::Grow => {
                self.callers[callee.index()].insert(from);
                if self.arguments[callee.index()].grow(given) && !self.open[callee.index()] {
                    self.dirty.insert(callee);
                }
            }
            SweepMode::Shrink => self.arguments[callee.index()].add_to_round(given),
            SweepMode::Report => {}
        }
        self.results[callee.index()].values.as_deref()
    }

    pub(crate) fn returns(
        &mut self,
        id: FuncId,
        function: &Function,
        values: &[ValueSet],
        mode: SweepMode,
    ) {
        let fitting = |i: usize, width: u8| {
            let value = values.get(i).copied();
            let value = value.filter(|v| v.width == width);
            value.unwrap_or(ValueSet::top(width))
        };
        let widths = function.results.iter().enumerate();
        let values: Vec<ValueSet> = widths.map(|(i, width)| fitting(i, *width)).collect();
        match mode {
            SweepMode::Grow => {
                if self.results[id.index()].grow(&values) {
                    self.dirty.extend(&self.callers[id.index()]);
                }
            }
            SweepMode::Shrink => self.results[id.index()].add_to_round(&values),
            SweepMode::Report => {}
        }
    }

    /// A sweep that sees all results of a function begins.
    pub(crate) fn begin_results(&mut self, id: FuncId) {
        self.results[id.index()].next = None;
    }

    /// The results of one function have all been seen.
    pub(crate) fn shrink_results(&mut self, id: FuncId) {
        self.results[id.index()].shrink();
    }

    /// All calls have been seen.
    pub(crate) fn shrink_arguments(&mut self) {
        for passed in &mut self.arguments {
            passed.shrink();
        }
    }
}
