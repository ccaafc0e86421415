//! The baselines of the paper on stubborn mutants (sections 3.4 and 5): tests that only infect, and a
//! search of the original that knows nothing of mutants. Both go breadth-first from the tests of the
//! suite.

use super::killer::{Answered, Killer};
use super::options::SemuParameters;
use super::report::KillReport;
use super::step::{NewVisit, PathNode, Stepped};
use crate::end::PathEnd;
use crate::inputs::InputValue;
use std::collections::VecDeque;

/// At most so many tests are proposed by a search that knows nothing of mutants.
const MOST_TESTS: usize = 5_000;

/// Solves the condition under which the state of a mutant differs behind its place.
pub(super) fn infection(
    mut killer: Killer<'_>,
    suite: &[Vec<InputValue>],
    parameters: &SemuParameters,
) -> KillReport {
    let mut made = vec![0; killer.mutants.len()];
    let mut queue: VecDeque<PathNode> = VecDeque::new();
    let mut taken: VecDeque<(Stepped, u32)> = VecDeque::new();
    let prefixes = killer.seeded(suite, parameters.own_length);
    taken.extend(prefixes.into_iter().map(|prefix| (prefix, 0)));
    while !killer.should_stop() && !killer.is_done() {
        while let Some((stepped, before)) = taken.pop_front() {
            for visit in killer.new_visits(&stepped, before) {
                infect(&mut killer, &visit, parameters, &mut made);
            }
            if let Stepped::Waits(node) = stepped {
                queue.push_back(node);
            }
        }
        let Some(node) = queue.pop_front() else { break };
        let before = node.state.visits.count();
        let ways = killer.step(&node, killer.as_original());
        taken.extend(ways.into_iter().map(|way| (way, before)));
        killer.collect(queue.iter());
    }
    killer.report(queue.len())
}

fn infect(
    killer: &mut Killer<'_>,
    visit: &NewVisit,
    parameters: &SemuParameters,
    made: &mut [usize],
) {
    let mutants = killer.at_point.get(&visit.point).cloned();
    for number in mutants.unwrap_or_default() {
        if killer.should_stop() {
            return;
        }
        if !killer.mutants[number].is_open() || made[number] >= parameters.tests_per_mutant {
            continue;
        }
        killer.mutants[number].reach();
        let mut input = Some(visit.node.model.clone());
        if let Some(join) = visit.join {
            let original = killer.at_join(&visit.node, join, killer.as_original());
            let mutant = killer.at_join(&visit.node, join, killer.as_mutant(number));
            if let (Some(original), Some(mutant)) = (original, mutant) {
                let found = killer.states_differ(number, &original.state, &mutant.state);
                let goal = match found.certain || found.unclear {
                    true => killer.runner.machine.arena.yes(),
                    false => found.when,
                };
                let path = &mutant.state.path;
                input = match killer.ask(path, goal, &visit.node.model) {
                    Answered::Yes(model) => Some(model),
                    Answered::No | Answered::Unknown(_) => None,
                };
            }
        }
        if let Some(model) = input {
            killer.mutants[number].note_infection_somewhere();
            made[number] += 1;
            killer.propose(number, model);
        }
    }
}

/// Goes on from the tests of the suite without a look at mutants; every path is a test.
pub(super) fn dse(
    mut killer: Killer<'_>,
    suite: &[Vec<InputValue>],
    parameters: &SemuParameters,
) -> KillReport {
    let mut queue: VecDeque<PathNode> = VecDeque::new();
    let mut taken: VecDeque<Stepped> = killer.seeded(suite, parameters.own_length).into();
    let mut tests = 0;
    while !killer.should_stop() && tests < MOST_TESTS {
        while let Some(stepped) = taken.pop_front() {
            match stepped {
                Stepped::Waits(node) => queue.push_back(node),
                Stepped::Ended(run) => {
                    let counts = matches!(
                        run.end,
                        PathEnd::Returned | PathEnd::Exited { .. } | PathEnd::Fault(_)
                    );
                    if counts {
                        let inputs = &killer.runner.machine.inputs;
                        let inputs = inputs.given(&run.state.inputs, &run.model);
                        killer.add_test(inputs, 0);
                        tests += 1;
                    }
                }
            }
        }
        let Some(node) = queue.pop_front() else { break };
        taken.extend(killer.step(&node, killer.as_original()));
        killer.collect(queue.iter());
    }
    let mut report = killer.report(queue.len());
    report.try_all = true;
    report
}
