//! Native runs of what the search proposes, while it goes on.

use labrys_engine::{InputValue, NativeKills};
use labrys_ledger::Mutant;
use labrys_mutate::{TestCase, score_among};
use labrys_suite::{ReplayCase, ReplayInputs, ReplayLimits, Replayer};

/// The compiled program for the mutants of one search.
pub(super) struct SearchedProgram<'a> {
    pub(super) replayer: &'a Replayer,
    pub(super) harness: &'a str,
    /// Those that the search looks at, in its order.
    pub(super) mutants: Vec<Mutant>,
    pub(super) limits: &'a ReplayLimits,
}

impl NativeKills for SearchedProgram<'_> {
    fn killed_by(&mut self, inputs: &[InputValue], mutants: &[usize]) -> Option<Vec<usize>> {
        let inputs: Vec<(String, Vec<u8>)> = inputs
            .iter()
            .map(|input| (input.name.clone(), input.bytes.clone()))
            .collect();
        let test = TestCase {
            build: 0,
            case: ReplayCase {
                harness: self.harness,
                inputs: ReplayInputs::Named(&inputs),
            },
        };
        let chosen: Vec<Mutant> = mutants.iter().map(|m| self.mutants[*m].clone()).collect();
        let all = |_: usize, reaching: Vec<usize>| reaching;
        let build = [self.replayer];
        let seen = score_among(&chosen, &build, &[test], &all, self.limits, &mut |_| {}).ok()?;
        if self.limits.deadline.is_over() {
            return None;
        }
        let killed = mutants.iter().zip(&seen.verdicts);
        let killed = killed.filter(|(_, verdict)| verdict.fate.is_kill());
        Some(killed.map(|(mutant, _)| *mutant).collect())
    }
}
