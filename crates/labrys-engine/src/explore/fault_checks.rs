//! The end of a search in which everything is covered: the fault checks that its runs have met and
//! whose failing side no run has taken are asked before it stops.

use super::Explorer;
use super::prepare::Purpose;
use crate::candidates::Candidate;
use labrys_solver::Answer;
use std::rc::Rc;
use std::time::Duration;

/// The checks may take one part in so many of the time of the run.
const PART_OF_TIME: u32 = 10;

impl Explorer<'_> {
    /// Asks the fault checks that wait. A check that can fail is run, and becomes a fault with a
    /// test like any other.
    pub(super) fn ask_fault_checks(&mut self) {
        let config = self.machine.config;
        if !config.fault_checks {
            return;
        }
        self.take_back_jobs();
        self.agenda.line_up_fault_checks();
        let part = config.deadline.total().map(|time| time / PART_OF_TIME);
        let until = config.deadline.within(part.unwrap_or(Duration::MAX));
        while let Some(check) = self.agenda.next_fault_check() {
            if until.is_over() || self.has_enough_paths() {
                break;
            }
            self.ask_fault_check(check);
        }
    }

    fn ask_fault_check(&mut self, mut check: Candidate) {
        let m = &mut self.machine;
        if check
            .fault
            .is_none_or(|place| m.known_faults.contains(&place))
        {
            return;
        }
        let counts = &mut m.work.fault_checks;
        counts.asked += 1;
        if check.solution.is_none() {
            let Candidate {
                path, goal, parent, ..
            } = &check;
            match m.solver.solve(&mut m.arena, path, *goal, parent) {
                Answer::Sat(model) => check.solution = Some(Rc::new(model)),
                Answer::Unsat => counts.unsat += 1,
                Answer::Unknown(_) => counts.unknown += 1,
            }
        }
        if check.solution.is_some() {
            counts.sat += 1;
            if self.prepare(check, Purpose::Search) {
                self.run();
            }
        }
    }

    /// Work that was given away and that no thread has taken may be a fault check.
    fn take_back_jobs(&mut self) {
        while let Some(job) = self.shared.take_job() {
            if let Some(candidate) = self.recreate_candidate(&job) {
                self.agenda.add_fault_check(candidate);
            }
        }
    }
}
