//! What passes between functions: arguments and results, each the join over all calls and returns
//! that can be reached.

use crate::value::{Thresholds, Value};
use crate::walk::Mode;
use labrys_ir::{FuncId, Function, Module};
use std::collections::BTreeSet;

/// Growths of arguments or results after which their bounds are widened.
const PATIENCE: u8 = 4;

#[derive(Clone, Debug, Default)]
struct Passed {
    values: Option<Vec<Value>>,
    grown: u8,
    /// What the present round has seen.
    next: Option<Vec<Value>>,
}

impl Passed {
    /// Adds values; true if they are new.
    fn grow(&mut self, given: &[Value]) -> bool {
        let Some(old) = &self.values else {
            self.values = Some(given.to_vec());
            return true;
        };
        let joined = joined(old, given);
        if joined == *old {
            return false;
        }
        self.grown = self.grown.saturating_add(1);
        let none = Thresholds::default();
        let next = if self.grown > PATIENCE {
            let pairs = old.iter().zip(&joined);
            pairs.map(|(old, new)| old.widen(new, &none)).collect()
        } else {
            joined
        };
        self.values = Some(next);
        true
    }

    fn see(&mut self, given: &[Value]) {
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

fn joined(old: &[Value], given: &[Value]) -> Vec<Value> {
    old.iter().zip(given).map(|(a, b)| a.join(b)).collect()
}

pub(crate) struct Between {
    arguments: Vec<Passed>,
    results: Vec<Passed>,
    /// Functions that something unknown may call.
    open: Vec<bool>,
    callers: Vec<BTreeSet<FuncId>>,
    /// Functions to be looked at again.
    pub(crate) dirty: BTreeSet<FuncId>,
}

impl Between {
    pub(crate) fn new(module: &Module) -> Between {
        let count = module.functions.len();
        Between {
            arguments: vec![Passed::default(); count],
            results: vec![Passed::default(); count],
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

    pub(crate) fn is_reached(&self, id: FuncId) -> bool {
        self.open[id.index()] || self.arguments[id.index()].values.is_some()
    }

    pub(crate) fn params(&self, id: FuncId, function: &Function) -> Vec<Value> {
        match &self.arguments[id.index()].values {
            Some(values) if !self.open[id.index()] => values.clone(),
            _ => function
                .params
                .iter()
                .map(|reg| Value::top(function.width(*reg)))
                .collect(),
        }
    }

    /// A call; what comes back, none if the function does not return as far as is known.
    pub(crate) fn call(
        &mut self,
        from: FuncId,
        callee: FuncId,
        given: &[Value],
        mode: Mode,
    ) -> Option<&[Value]> {
        match mode {
            Mode::Grow => {
                self.callers[callee.index()].insert(from);
                if self.arguments[callee.index()].grow(given) && !self.open[callee.index()] {
                    self.dirty.insert(callee);
                }
            }
            Mode::Shrink => self.arguments[callee.index()].see(given),
            Mode::Report => {}
        }
        self.results[callee.index()].values.as_deref()
    }

    pub(crate) fn returns(
        &mut self,
        id: FuncId,
        function: &Function,
        values: &[Value],
        mode: Mode,
    ) {
        let fitting = |i: usize, width: u8| {
            let value = values.get(i).copied();
            let value = value.filter(|v| v.width == width);
            value.unwrap_or(Value::top(width))
        };
        let widths = function.results.iter().enumerate();
        let values: Vec<Value> = widths.map(|(i, width)| fitting(i, *width)).collect();
        match mode {
            Mode::Grow => {
                if self.results[id.index()].grow(&values) {
                    self.dirty.extend(&self.callers[id.index()]);
                }
            }
            Mode::Shrink => self.results[id.index()].see(&values),
            Mode::Report => {}
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
