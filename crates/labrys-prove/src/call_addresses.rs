//! Where in an object the addresses lead that calls pass: the offsets of each argument, over all calls
//! that can be reached.

use crate::sweep::SweepMode;
use labrys_ir::{FuncId, Module};
use std::rc::Rc;

/// An argument can mean this many places; beyond it, all of the object.
pub(crate) const MAX_PLACES: usize = 64;
/// A set of places may grow eight times; after that it is all of the object.
const MAX_GROWTHS: u8 = 8;

/// Offsets in ascending order; none if they are not known.
pub(crate) type PlaceOffsets = Option<Rc<Vec<i64>>>;

#[derive(Clone, Debug, Default)]
struct PassedPlaces {
    /// By parameter; none if no call was seen.
    known: Option<Vec<PlaceOffsets>>,
    grown: u8,
    /// What the present round has seen.
    next: Option<Vec<PlaceOffsets>>,
}

pub(crate) struct CallAddresses {
    passed: Vec<PassedPlaces>,
}

impl CallAddresses {
    pub(crate) fn new(module: &Module) -> CallAddresses {
        CallAddresses {
            passed: vec![PassedPlaces::default(); module.functions.len()],
        }
    }

    /// A call passes these; true if the callee must be looked at again.
    pub(crate) fn call(
        &mut self,
        callee: FuncId,
        given: Vec<PlaceOffsets>,
        mode: SweepMode,
    ) -> bool {
        let passed = &mut self.passed[callee.index()];
        match mode {
            SweepMode::Grow => {
                let Some(old) = &passed.known else {
                    passed.known = Some(given);
                    return true;
                };
                let mut joined = joined(old, &given);
                if joined == *old {
                    return false;
                }
                passed.grown = passed.grown.saturating_add(1);
                if passed.grown > MAX_GROWTHS {
                    let pairs = joined.iter_mut().zip(old);
                    for (next, _) in pairs.filter(|(next, old)| *next != *old) {
                        *next = None;
                    }
                }
                passed.known = Some(joined);
                true
            }
            SweepMode::Shrink => {
                passed.next = Some(match &passed.next {
                    None => given,
                    Some(old) => joined(old, &given),
                });
                false
            }
            SweepMode::Report => false,
        }
    }

    /// The offsets of a parameter.
    pub(crate) fn parameters(&self, id: FuncId) -> Vec<PlaceOffsets> {
        self.passed[id.index()].known.clone().unwrap_or_default()
    }

    /// All calls have been seen: what was not seen cannot be.
    pub(crate) fn end_round(&mut self) {
        for passed in &mut self.passed {
            if let Some(next) = passed.next.take() {
                passed.known = Some(next);
            }
        }
    }
}

fn joined(old: &[PlaceOffsets], given: &[PlaceOffsets]) -> Vec<PlaceOffsets> {
    let both = |a: &PlaceOffsets, b: &PlaceOffsets| match (a, b) {
        (Some(a), Some(b)) if a == b => Some(a.clone()),
        (Some(a), Some(b)) => {
            let mut all: Vec<i64> = a.iter().chain(b.iter()).copied().collect();
            all.sort_unstable();
            all.dedup();
            (all.len() <= MAX_PLACES).then(|| Rc::new(all))
        }
        _ => None,
    };
    old.iter().zip(given).map(|(a, b)| both(a, b)).collect()
}
