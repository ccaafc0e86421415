//! Where the difference between a mutant and the original gets lost, for an input with which both show
//! the same in the end. Both are run once more; wherever they come to a mutant, of whatever kind, their
//! states are compared, from their ends backwards.

use super::pair_search::PairSearch;
use crate::exec::PairRun;
use crate::exec::trail::Alternative;
use crate::state::State;
use labrys_expr::Model;
use labrys_ir::SourceLoc;
use std::rc::Rc;

/// Longer runs are not looked at.
const MOST_PLACES: usize = 1_000;

/// At one place of a run.
struct PassedPlace {
    point: u32,
    state: Rc<State>,
}

impl PairSearch<'_> {
    /// Notes for a mutant, once, where a difference is lost.
    pub(super) fn note_masking(&mut self, number: usize, model: &Rc<Model>) {
        if !self.killer.mutants[number].was_masked() {
            let place = self.lost_at(number, model);
            self.killer.mutants[number].note_masking(place);
        }
    }

    /// The last place at which the states are not the same; the mutant itself if they never are another
    /// one at any later place.
    fn lost_at(&mut self, number: usize, model: &Rc<Model>) -> Option<SourceLoc> {
        let original = self.passed(model, Rc::default())?;
        let mutant = self.passed(model, self.killer.mutants[number].changes.clone())?;
        let task = &self.killer.mutants[number];
        let own = |place: &PassedPlace| task.points().any(|point| point == place.point);
        let start = original.iter().rfind(|place| own(place))?;
        let from_end = original.iter().rev().zip(mutant.iter().rev());
        let mut last = start;
        for (original, mutant) in from_end {
            if self.is_other(original, mutant) {
                last = original;
                break;
            }
        }
        let frame = &last.state.frame;
        let module = self.killer.runner.machine.program.module;
        let function = &module.functions[frame.function.index()];
        function.locs.get(frame.pc as usize).copied()
    }

    /// The places that a run passes, none if there are too many.
    fn passed(&mut self, model: &Rc<Model>, active: Rc<[Alternative]>) -> Option<Vec<PassedPlace>> {
        let killer = &mut self.killer;
        killer.runner.start();
        killer.runner.machine.current.set(model.clone());
        let how = PairRun {
            active,
            wanted: self.all_points.clone(),
            most_visits: MOST_PLACES as u32 + 1,
            only_follows: true,
            joins: killer.joins.clone(),
            ..PairRun::default()
        };
        killer.run(how);
        let visits = &killer.runner.machine.state.visits;
        if visits.count() as usize > MOST_PLACES {
            return None;
        }
        let mut places: Vec<PassedPlace> = visits
            .iter()
            .map(|visit| PassedPlace {
                point: visit.point,
                state: visit.snapshot.clone(),
            })
            .collect();
        places.reverse();
        Some(places)
    }

    fn is_other(&mut self, original: &PassedPlace, mutant: &PassedPlace) -> bool {
        let m = &mut self.killer.runner.machine;
        let found = self
            .killer
            .comparer
            .states(m, &original.state, &mutant.state);
        found.certain || found.unclear || m.current.value(&m.arena, found.when) != 0
    }
}
