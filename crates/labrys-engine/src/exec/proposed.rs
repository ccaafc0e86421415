//! What a run has shown, as a test.

use super::Machine;
use crate::bitset::BitSet;
use crate::end::PathEnd;
use crate::report::Test;
use labrys_ledger::Assumption;
use std::rc::Rc;

impl Machine<'_> {
    /// The objectives that the run has covered: by its path, or by its input alone.
    pub(crate) fn all_hits(&self) -> Rc<BitSet> {
        let mut hits = self.state.hits.clone();
        if !Rc::ptr_eq(&self.state.incidental, &self.labels.no_incidental) {
            let hits = Rc::make_mut(&mut hits);
            self.state
                .incidental
                .hits
                .iter()
                .for_each(|o| hits.insert(o));
        }
        hits
    }

    fn assumed_surroundings(&self) -> Vec<String> {
        let assumed = self.state.rests_on.iter();
        let of_surroundings =
            assumed.filter(|text| matches!(Assumption::parse(text), Assumption::Environment(_)));
        of_surroundings.map(ToString::to_string).collect()
    }

    /// The test of a run that has just ended. `fresh` are the objectives that no test before it
    /// covers.
    pub(crate) fn proposed(&mut self, end: PathEnd, fresh: Vec<usize>) -> Test {
        let hits = self.all_hits();
        let vectors = self.vectors_of(&hits);
        let listed = |o: &usize| self.objectives.is_listed(*o);
        let faulted = self.state.faulted.iter();
        let faulted = faulted.filter(|o| listed(o) && !hits.contains(*o));
        Test {
            inputs: self.inputs.given(&self.state.inputs, &self.current.model),
            end,
            conditions: self.state.path.len(),
            fresh,
            covers: hits.iter().filter(listed).collect(),
            vectors: self.decided(&vectors),
            only_for_pairs: false,
            trace: self.state.trace.0,
            faulted: faulted.collect(),
            outputs: self.predicted_outputs(),
            depends_on_layout: self.state.doubts.layout,
            surroundings: self.assumed_surroundings(),
            needs_much_stack: self.state.doubts.deep_stack,
            streams: [self.predicted_stream(0), self.predicted_stream(1)],
            found_with: None,
        }
    }
}
