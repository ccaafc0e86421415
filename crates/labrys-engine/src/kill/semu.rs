//! SEMu (paper on stubborn mutants, sections 3 and 4): from the tests of the suite breadth-first; at a
//! mutant its state is split from that of the original, and both go on in lock-step from checkpoint to
//! checkpoint. Where no state of the mutant can differ from one of the original any more, its path ends;
//! of the others only a part goes on, and tests are made for the rest.

use super::difference::{Ends, ends, observed};
use super::killer::{Answered, Killer};
use super::options::{Selection, SemuParameters};
use super::output_distance::OutputDistances;
use super::report::KillReport;
use super::step::{NewVisit, PathNode, Stepped};
use crate::inputs::InputValue;
use labrys_expr::{ExprId, Model};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A side of a split goes on with at most so many paths; a state of the mutant is compared with at most
/// so many of the original. Both are counts, so that the clock decides nothing.
const MOST_NODES: usize = 128;
const MOST_COMPARED: usize = 32;

/// Original and mutants from one visit on.
struct MutantSplit {
    originals: Vec<Stepped>,
    mutants: Vec<(usize, Vec<Stepped>)>,
    /// Checkpoints that were passed.
    passed: u32,
}

/// A path of the original, and the mutants whose state has been another one on it.
struct WaitingNode {
    node: PathNode,
    infected: Rc<BTreeSet<usize>>,
}

struct Semu<'m, 'p> {
    killer: Killer<'m>,
    parameters: &'p SemuParameters,
    distances: OutputDistances,
    originals: VecDeque<WaitingNode>,
    splits: VecDeque<MutantSplit>,
    /// Tests that were made for each mutant.
    made: Vec<usize>,
}

/// What comparing two states has shown.
enum PartialKill {
    /// They cannot differ for one input.
    No,
    /// One of them has ended and the other not: there is nothing to be solved yet.
    NotYet,
    Input(Rc<Model>),
}

pub(super) fn semu(
    killer: Killer<'_>,
    suite: &[Vec<InputValue>],
    parameters: &SemuParameters,
) -> KillReport {
    let mut search = Semu {
        distances: OutputDistances::new(killer.runner.machine.program.module),
        made: vec![0; killer.mutants.len()],
        killer,
        parameters,
        originals: VecDeque::new(),
        splits: VecDeque::new(),
    };
    for prefix in search.killer.seeded(suite, parameters.own_length) {
        search.take_in(prefix, 0, &Rc::default());
    }
    while !search.killer.should_stop() && !search.killer.is_done() {
        let original = search.originals.pop_front();
        let split = search.splits.pop_front();
        if original.is_none() && split.is_none() {
            break;
        }
        if let Some(waiting) = original {
            search.expand(&waiting);
        }
        if let Some(split) = split {
            search.go_on(split);
        }
        search.collect();
    }
    let waiting = search.originals.len() + search.splits.len();
    search.killer.report(waiting)
}

impl Semu<'_, '_> {
    fn is_wanted(&self, number: usize) -> bool {
        self.killer.mutants[number].is_open()
            && self.made[number] < self.parameters.tests_per_mutant
    }

    /// One step of the original on all its ways.
    fn expand(&mut self, waiting: &WaitingNode) {
        let before = waiting.node.state.visits.count();
        let how = self.killer.as_original();
        for way in self.killer.step(&waiting.node, how) {
            self.take_in(way, before, &waiting.infected);
        }
    }

    /// A path of the original has come to a fork: mutants that it has passed are split from it.
    fn take_in(&mut self, way: Stepped, visits: u32, infected: &Rc<BTreeSet<usize>>) {
        let mut infected = infected.clone();
        for visit in self.killer.new_visits(&way, visits) {
            self.split(&visit, &mut infected);
        }
        if let Stepped::Waits(node) = way {
            self.originals.push_back(WaitingNode { node, infected });
        }
    }

    /// Splits the mutants of a point whose state is another one behind it. The others are looked at again
    /// when the path comes to them again.
    fn split(&mut self, visit: &NewVisit, infected: &mut Rc<BTreeSet<usize>>) {
        let mut mutants = Vec::new();
        for number in self
            .killer
            .at_point
            .get(&visit.point)
            .cloned()
            .unwrap_or_default()
        {
            if self.killer.should_stop() {
                return;
            }
            if !self.is_wanted(number) || infected.contains(&number) {
                continue;
            }
            self.killer.mutants[number].reach();
            if self.infects(visit, number) {
                self.killer.mutants[number].note_infection_somewhere();
                Rc::make_mut(infected).insert(number);
                mutants.push((number, vec![Stepped::Waits(visit.node.clone())]));
            }
        }
        if !mutants.is_empty() {
            self.splits.push_back(MutantSplit {
                originals: vec![Stepped::Waits(visit.node.clone())],
                mutants,
                passed: 0,
            });
        }
    }

    fn infects(&mut self, visit: &NewVisit, number: usize) -> bool {
        let Some(join) = visit.join else { return true };
        let k = &mut self.killer;
        let original = k.at_join(&visit.node, join, k.as_original());
        let mutant = k.at_join(&visit.node, join, k.as_mutant(number));
        let (Some(original), Some(mutant)) = (original, mutant) else {
            return true;
        };
        let found = k.states_differ(number, &original.state, &mutant.state);
        !k.is_shown_alike(&found, &mutant.state.path)
    }

    /// All paths go to the next checkpoint, and what is of no use there ends.
    fn go_on(&mut self, split: MutantSplit) {
        let originals = self.advance(split.originals, None);
        let mut mutants = Vec::new();
        for (number, nodes) in split.mutants {
            if self.killer.should_stop() {
                return;
            }
            if !self.is_wanted(number) {
                continue;
            }
            let nodes = self.advance(nodes, Some(number));
            let kept = self.check(number, &originals, nodes, split.passed);
            if !kept.is_empty() && self.is_wanted(number) {
                mutants.push((number, kept));
            }
        }
        if !mutants.is_empty() {
            self.splits.push_back(MutantSplit {
                originals,
                mutants,
                passed: split.passed + 1,
            });
        }
    }

    /// Goes over the forks of a checkpoint window.
    fn advance(&mut self, nodes: Vec<Stepped>, mutant: Option<usize>) -> Vec<Stepped> {
        let mut nodes = nodes;
        for _ in 0..=self.parameters.checkpoint_window {
            let mut next = Vec::new();
            for stepped in nodes {
                match stepped {
                    Stepped::Waits(node) if next.len() < MOST_NODES => {
                        let how = match mutant {
                            Some(number) => self.killer.as_mutant(number),
                            None => self.killer.as_original(),
                        };
                        next.extend(self.killer.step(&node, how));
                    }
                    ended => next.push(ended),
                }
                if self.killer.should_stop() {
                    return next;
                }
            }
            next.truncate(MOST_NODES);
            nodes = next;
        }
        nodes
    }

    /// The paths of a mutant with which it goes on behind a checkpoint; tests are made for the others.
    fn check(
        &mut self,
        number: usize,
        originals: &[Stepped],
        nodes: Vec<Stepped>,
        passed: u32,
    ) -> Vec<Stepped> {
        let mut going_on: Vec<(Stepped, Option<Rc<Model>>)> = Vec::new();
        for node in nodes {
            if !self.is_wanted(number) || self.killer.should_stop() {
                return Vec::new();
            }
            match (self.differs(number, originals, &node), &node) {
                (PartialKill::No, _) => {}
                (PartialKill::Input(model), Stepped::Ended(_)) => self.make_test(number, model),
                (PartialKill::NotYet, _) => going_on.push((node, None)),
                (PartialKill::Input(model), _) => going_on.push((node, Some(model))),
            }
        }
        let count = (self.parameters.propagating * going_on.len() as f64).ceil() as usize;
        self.order(&mut going_on);
        let pruned = going_on.split_off(count.min(going_on.len()));
        if passed >= self.parameters.least_depth {
            for (_, model) in pruned {
                if let Some(model) = model.filter(|_| self.is_wanted(number)) {
                    self.make_test(number, model);
                }
            }
        }
        going_on.into_iter().map(|(node, _)| node).collect()
    }

    fn make_test(&mut self, number: usize, model: Rc<Model>) {
        self.made[number] += 1;
        self.killer.propose(number, model);
    }

    /// Those that go on come first.
    fn order(&mut self, nodes: &mut [(Stepped, Option<Rc<Model>>)]) {
        match self.parameters.selection {
            Selection::Random => {
                for last in (1..nodes.len()).rev() {
                    let other = self.killer.random() as usize % (last + 1);
                    nodes.swap(last, other);
                }
            }
            Selection::NearestOutput => {
                nodes.sort_by_key(|(node, _)| self.distances.of(node.state()));
            }
        }
    }

    /// Is there an input for which a path of the mutant and one of the original differ?
    fn differs(&mut self, number: usize, originals: &[Stepped], mutant: &Stepped) -> PartialKill {
        let mut found = PartialKill::No;
        for original in originals.iter().take(MOST_COMPARED) {
            match self.pair_differs(number, original, mutant) {
                PartialKill::No => {}
                PartialKill::NotYet => found = PartialKill::NotYet,
                input => return input,
            }
        }
        found
    }

    fn pair_differs(&mut self, number: usize, original: &Stepped, mutant: &Stepped) -> PartialKill {
        let k = &mut self.killer;
        let when = match (original, mutant) {
            (Stepped::Waits(original), Stepped::Waits(mutant)) => {
                let found = k.states_differ(number, &original.state, &mutant.state);
                match found.certain || found.unclear || self.parameters.no_state_difference {
                    true => k.runner.machine.arena.yes(),
                    false => found.when,
                }
            }
            (Stepped::Ended(original), Stepped::Ended(mutant)) => {
                match ends(&original.end, &mutant.end) {
                    Ends::Different | Ends::Unclear => k.runner.machine.arena.yes(),
                    Ends::SameFault | Ends::Nothing => return PartialKill::No,
                    Ends::Alike => {
                        let found = observed(&mut k.runner.machine, original, mutant);
                        match found.certain || found.unclear {
                            true => k.runner.machine.arena.yes(),
                            false => found.when,
                        }
                    }
                }
            }
            // Whoever has ended first says nothing about the outputs of the other.
            _ => {
                let yes = k.runner.machine.arena.yes();
                return match self.together(original, mutant, yes) {
                    PartialKill::No => PartialKill::No,
                    _ => PartialKill::NotYet,
                };
            }
        };
        self.together(original, mutant, when)
    }

    /// An input of both paths for which a condition holds.
    fn together(&mut self, original: &Stepped, mutant: &Stepped, when: ExprId) -> PartialKill {
        let k = &mut self.killer;
        // The solver takes it for granted that a path has an input, which two paths together need not have:
        // what the mutant adds is part of the question.
        let known: BTreeSet<ExprId> = original.path().iter().collect();
        let mut goal = when;
        for condition in mutant.path().to_vec() {
            if !known.contains(&condition) {
                goal = k.runner.machine.arena.and(goal, condition);
            }
        }
        match k.ask(original.path(), goal, original.model()) {
            Answered::Yes(model) => PartialKill::Input(model),
            Answered::No => PartialKill::No,
            Answered::Unknown(gap) => {
                k.gap(&gap);
                PartialKill::No
            }
        }
    }

    fn collect(&mut self) {
        let originals = self.originals.iter().map(|waiting| &waiting.node.state);
        let split = |split: &MutantSplit| {
            let mutants = split.mutants.iter().flat_map(|(_, nodes)| nodes);
            let all = split.originals.iter().chain(mutants);
            all.map(|node| node.state().clone()).collect::<Vec<_>>()
        };
        let splits: Vec<_> = self.splits.iter().flat_map(split).collect();
        self.killer.runner.collect_but(|roots| {
            originals.for_each(|state| roots.snapshot(state));
            splits.iter().for_each(|state| roots.snapshot(state));
        });
    }
}
