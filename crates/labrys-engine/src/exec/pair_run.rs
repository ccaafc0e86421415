//! Runs of the search for inputs that kill mutants. The original leaves a snapshot wherever it comes
//! to a mutant; a mutant is run from such a snapshot, and can be stopped where it joins the original.

use super::meetings::Meetings;
use super::trail::Alternative;
use super::{Machine, ReplayTarget, RunMode, Step};
use crate::bitset::BitSet;
use crate::end::PathEnd;
use crate::memory::Slot;
use crate::program::Joins;
use crate::state::{JoinPlace, ProgramOutput, State, Visits};
use labrys_ir::{FuncId, Reg};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The name of the output that is the status of a program which exits.
const EXIT_STATUS: &str = "exit status";

/// What a run of the original or of a mutant is told, and what it notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRun {
    /// The changes that are active; none in the original.
    pub(crate) active: Rc<[Alternative]>,
    /// Points at which the run leaves a snapshot.
    pub(crate) wanted: Rc<BitSet>,
    /// At most so many at each of them.
    pub(crate) most_visits: u32,
    pub(crate) visits: FxHashMap<u32, u32>,
    /// Nothing is left behind.
    pub(crate) only_follows: bool,
    /// The fork point at which the run ends, if it is to be continued step by step.
    pub(crate) until: Option<ReplayTarget>,
    /// Where a mutant stops to be compared with the original.
    pub(crate) stop_at: Option<JoinPlace>,
    /// Places further on at which it does so again.
    pub(crate) meetings: Meetings,
    pub(crate) joins: Rc<Joins>,
}

impl PairRun {
    pub(crate) fn is_original(&self) -> bool {
        self.active.is_empty()
    }

    /// Counts the visits of a path that is continued.
    pub(crate) fn count(&mut self, visits: &Visits) {
        self.visits.clear();
        for visit in visits.iter() {
            *self.visits.entry(visit.point).or_default() += 1;
        }
    }

    /// The alternative that is active at a point, 0 for the original.
    pub(crate) fn alternative(&self, point: u32) -> u32 {
        let mut active = self.active.iter();
        let here = active.find(|active| active.point == point);
        here.map_or(0, |active| active.alternative)
    }
}

/// Where a run is.
pub(crate) fn place(state: &State) -> JoinPlace {
    let frame = &state.frame;
    JoinPlace {
        function: frame.function,
        pc: frame.pc,
        serial: frame.serial,
    }
}

impl Machine<'_> {
    /// The run has come to the choice between the mutants of a point.
    pub(super) fn note_visit(&mut self, point: u32) -> Step {
        let RunMode::Pair(run) = &mut self.mode else {
            return Ok(());
        };
        let is_own = run.alternative(point) != 0;
        if run.meetings.come_to(place(&self.state), is_own) {
            return Err(PathEnd::ForkReached);
        }
        if !run.wanted.contains(point as usize) {
            return Ok(());
        }
        let seen = run.visits.entry(point).or_default();
        *seen += 1;
        if *seen > run.most_visits {
            return Ok(());
        }
        let frame = &self.state.frame;
        let join = run
            .joins
            .behind(frame.function, frame.pc)
            .map(|pc| JoinPlace {
                function: frame.function,
                pc,
                serial: frame.serial,
            });
        let snapshot = self.without_visits();
        self.state.visits.add(point, snapshot, join);
        Ok(())
    }

    /// The run has come to a place where mutants and original come together.
    pub(super) fn come_together(&mut self) -> Step {
        let RunMode::Pair(run) = &self.mode else {
            return Ok(());
        };
        let here = place(&self.state);
        if run.stop_at == Some(here) {
            return Err(PathEnd::ForkReached);
        }
        if run.is_original() && self.state.visits.awaits(here) {
            let snapshot = self.without_visits();
            self.state.visits.join(here, &snapshot);
        }
        Ok(())
    }

    /// The program exits: what a test sees of its status is an output like others.
    pub(super) fn note_status(&mut self, status: Reg) {
        if matches!(self.mode, RunMode::Pair(_)) {
            let status = self.expr(status);
            let byte = self.arena.extract(status, 0, 8);
            let bytes = vec![self.slot_of(byte)];
            let name = EXIT_STATUS.to_owned();
            Rc::make_mut(&mut self.state.outputs).push(ProgramOutput { name, bytes });
        }
    }

    /// A function without a body is called: whoever it is sees that, and what it gets. No native run
    /// shows it, so a difference there is no kill, but no proof may pass over it.
    pub(super) fn note_stub_call(&mut self, callee: FuncId, regs: &[Slot]) {
        if !matches!(self.mode, RunMode::Pair(_)) || !self.program.is_stub(callee) {
            return;
        }
        let function = &self.program.module.functions[callee.index()];
        let mut bytes = Vec::new();
        for param in &function.params {
            let width = function.width(*param);
            let value = match regs[param.index()].expr {
                Some(e) => e,
                None => {
                    let bits = regs[param.index()].bits;
                    self.arena.constant(width, bits.into())
                }
            };
            let wide = self.arena.zext(value, width.next_multiple_of(8));
            for byte in 0..u32::from(width.div_ceil(8)) {
                let byte = self.arena.extract(wide, byte * 8, 8);
                bytes.push(self.slot_of(byte));
            }
        }
        let name = function.name.clone();
        Rc::make_mut(&mut self.state.outputs).push(ProgramOutput { name, bytes });
    }

    /// The state as a snapshot for mutants, which do not look at visits.
    fn without_visits(&mut self) -> Rc<State> {
        let visits = std::mem::take(&mut self.state.visits);
        let snapshot = Rc::new(self.state.clone());
        self.state.visits = visits;
        snapshot
    }
}
