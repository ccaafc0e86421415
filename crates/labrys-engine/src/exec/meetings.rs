//! A mutant whose state is another one may lose the difference later. So it stops again where the
//! original came to mutants further on, to be compared with it: if nothing is left of the difference,
//! the rest of the two runs is the same.

use crate::state::JoinPlace;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The places at which a run can be compared, and where it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    /// The number of the original's visit for each place, and for each time that it came there.
    visits: Rc<FxHashMap<(JoinPlace, u32), u32>>,
    /// How often the mutant has come to each place.
    times: FxHashMap<JoinPlace, u32>,
    /// Places that both have come to. The mutant stops at the first, second, fourth, eighth …: most
    /// differences that get lost do so soon, and the others cost few comparisons.
    common: u32,
    /// The visit at which it has stopped.
    stopped: Option<u32>,
    /// How often a change of the mutant was active.
    own: u32,
}

impl Meetings {
    /// The visits of a path of the original behind the place where the mutant starts, in their order.
    /// It may start at a visit itself.
    pub(crate) fn new(
        visits: impl Iterator<Item = (JoinPlace, u32)>,
        starts_at: Option<u32>,
    ) -> Self {
        let mut times: FxHashMap<JoinPlace, u32> = FxHashMap::default();
        let mut all = FxHashMap::default();
        for (place, number) in visits {
            let time = times.entry(place).or_default();
            *time += 1;
            all.insert((place, *time), number);
        }
        Meetings {
            visits: Rc::new(all),
            stopped: starts_at,
            ..Meetings::default()
        }
    }

    /// The mutant comes to a choice, at which it may have a change: does it stop there?
    #[inline]
    pub(super) fn come_to(&mut self, place: JoinPlace, is_own: bool) -> bool {
        // It goes on from where it has stopped.
        if self.stopped.take().is_some() {
            self.own += u32::from(is_own);
            return false;
        }
        let stops = !self.visits.is_empty() && self.meets(place);
        self.own += u32::from(is_own && !stops);
        stops
    }

    fn meets(&mut self, place: JoinPlace) -> bool {
        let time = self.times.entry(place).or_default();
        *time += 1;
        let Some(number) = self.visits.get(&(place, *time)) else {
            return false;
        };
        self.common += 1;
        if self.common.is_power_of_two() {
            self.stopped = Some(*number);
        }
        self.stopped.is_some()
    }

    /// The visit of the original at the place where the mutant is.
    pub(crate) fn stopped_at(&self) -> Option<u32> {
        self.stopped
    }

    /// Was a change of the mutant active?
    pub(crate) fn has_own(&self) -> bool {
        self.own > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ir::FuncId;

    fn at(pc: u32) -> JoinPlace {
        JoinPlace {
            function: FuncId(0),
            pc,
            serial: 1,
        }
    }

    #[test]
    fn a_run_stops_where_the_original_was_as_often() {
        let original = [(at(4), 10), (at(9), 11), (at(4), 12)];
        let mut meetings = Meetings::new(original.into_iter(), None);
        assert!(!meetings.come_to(at(5), false));
        assert!(meetings.come_to(at(4), false));
        assert_eq!(meetings.stopped_at(), Some(10));
        // The same choice again, from which it goes on.
        assert!(!meetings.come_to(at(4), false));
        assert_eq!(meetings.stopped_at(), None);
        assert!(meetings.come_to(at(4), true));
        assert_eq!(meetings.stopped_at(), Some(12));
        assert!(!meetings.has_own());
        assert!(!meetings.come_to(at(4), true));
        assert!(meetings.has_own());
        assert!(!meetings.come_to(at(4), false));
    }
}
