//! Infeasible in all states: the program is explored from sets of states instead of single ones, from
//! one join to the next, until no set grows any more. What no path covers then, no run covers. The places
//! whose values tell sets apart are found by need: those in which the states on the way to an objective
//! would have had other values in reality.

use super::state_agenda::{KeptGroup, LookCost, MOST_NODES, StateProofs, is_pair};
use super::{Explorer, config_of_look};
use crate::bitset::BitSet;
use crate::config::{Config, WorkAmount};
use crate::error::EngineError;
use crate::exec::ClaimLog;
use crate::objectives::ObjectiveMap;
use crate::parallel::SharedFindings;
use crate::program::{CutKind, Program, is_users, mark_cuts};
use crate::report::{Exclusion, LoopTurns, Report, Silent, Stop};
use crate::states::{KeptPlace, StateGraph, stops};
use labrys_ir::{FuncId, Module};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A look may cost as much as the search so far, but not more than this part of the time that is left.
const PART_OF_TIME: u32 = 4;
/// And it may always cost so much.
const LEAST: WorkAmount = WorkAmount {
    instructions: 5_000_000,
    queries: 400_000,
};

/// If the look before it has run out, its graph begins again with twice as much.
const TIMES_AS_MUCH: u64 = 2;

/// A graph in which places are kept may use this part of what is left of a look, if others wait.
const PART_OF_LOOK: u32 = 4;
/// And so many times what the graph has cost in which nothing is kept.
const TIMES_LEAST: u32 = 3;
/// One with relations where nothing is kept decides the most at once.
const PART_FOR_RELATIONS: u32 = 2;

/// The next look comes after so many times as many paths.
const NEXT_LOOK: u64 = 4;

/// Behind a look that has run out and found nothing, the next one comes after so many times as many paths,
/// and takes a smaller part of the time: else a program with too many states is hardly searched any more.
const NEXT_LOOK_WITHOUT_HOPE: u64 = 16;
const PART_OF_TIME_WITHOUT_HOPE: u32 = 12;

/// One look.
struct AllStates<'a> {
    program: &'a Program<'a>,
    entry: FuncId,
    objectives: &'a ObjectiveMap,
    /// Nobody asks for these.
    decided: BitSet,
    stops: Rc<[i64]>,
    most: WorkAmount,
    found: Vec<LoopTurns>,
}

impl AllStates<'_> {
    /// Excludes what it can.
    fn look(&mut self, proofs: &mut StateProofs, config: &Config) -> Result<(), EngineError> {
        // What took more than its part of the look waits for the next one.
        let mut later: Vec<(KeptGroup, BTreeSet<usize>)> = Vec::new();
        // And so does what would not be done with what is left.
        let mut untouched: Vec<(KeptGroup, BTreeSet<usize>)> = Vec::new();
        while let Some((key, mut group)) = proofs.agenda.pop_first() {
            let KeptGroup {
                level,
                kept,
                compared,
                ..
            } = key.clone();
            group.retain(|objective| !self.decided.contains(*objective));
            if group.is_empty() {
                continue;
            }
            if !self.is_enough_left(proofs, config) {
                untouched.push((key, group));
                continue;
            }
            let graph = Rc::new(RefCell::new(self.graph_of(proofs, &key, &group)));
            let is_first = kept.is_empty() && compared.is_empty();
            let has_whole_look = is_first || proofs.is_last_of_its_kind(&key);
            let before = (self.most, config.deadline.left());
            let (report, covered) = match has_whole_look {
                true => self.explore(&graph, proofs, config, self.most)?,
                false => {
                    let part = match kept.is_empty() && later.is_empty() && untouched.is_empty() {
                        true => PART_FOR_RELATIONS,
                        false => PART_OF_LOOK,
                    };
                    let part = self.part_of_look(proofs, config, part);
                    self.explore(&graph, proofs, &part.0, part.1)?
                }
            };
            let graph = graph.borrow();
            proofs.names.clone_from(&graph.names);
            if is_first {
                proofs.least_nodes = graph.nodes.len();
            }
            // The ways are gone through once more only for the claims.
            let is_complete = report.stop == Stop::Exhausted
                || graph.is_settled && report.stop != Stop::AllCovered;
            if !graph.too_many.is_empty() {
                proofs.never.extend(&graph.too_many);
                let kept = kept.difference(&proofs.never).copied().collect();
                proofs.add(level, kept, compared, group);
            } else if !is_complete && report.stop != Stop::AllCovered {
                // The next look may cost more.
                later.push((key, group));
                if has_whole_look || config.deadline.is_over() {
                    break;
                }
            } else if graph.is_too_large() {
                if level + 1 < MOST_NODES.len() {
                    proofs.add(level + 1, kept, compared, group);
                }
            } else {
                if is_first {
                    proofs.least_cost = Some(LookCost {
                        work: before.0.less(self.most),
                        time: before
                            .1
                            .map(|left| left - config.deadline.left().unwrap_or(left).min(left)),
                    });
                }
                if is_complete {
                    self.exclude(report, covered, &graph);
                }
                self.ask_again(proofs, &graph, &key, group);
            }
        }
        for (key, group) in later {
            let level = match key.kept.is_empty() && key.compared.is_empty() {
                true => key.level,
                false => (key.level + 1).min(MOST_NODES.len() - 1),
            };
            proofs.add(level, key.kept, key.compared, group);
        }
        for (key, group) in untouched {
            proofs.add(key.level, key.kept, key.compared, group);
        }
        Ok(())
    }

    /// A graph for some objectives.
    fn graph_of(
        &self,
        proofs: &mut StateProofs,
        key: &KeptGroup,
        group: &BTreeSet<usize>,
    ) -> StateGraph {
        let mut graph = StateGraph::new(
            key.kept.clone(),
            self.stops.clone(),
            group.clone(),
            proofs.most_nodes(key.level, &key.kept),
        );
        graph.names = std::mem::take(&mut proofs.names);
        graph.terms = proofs.terms.clone();
        graph.uses = proofs.terms.borrow().from(&key.compared);
        graph
    }

    /// What is kept and what is compared in the next graphs for objectives that a graph has reached.
    fn ask_again(
        &self,
        proofs: &mut StateProofs,
        graph: &StateGraph,
        key: &KeptGroup,
        group: BTreeSet<usize>,
    ) {
        proofs.terms.borrow_mut().follow_copies();
        for objective in group {
            let roots = proofs.next_compared(&key.compared, &graph.related, objective);
            let has_news = proofs.terms.borrow().from(&roots).len() > graph.uses.len();
            if has_news && graph.related.contains_key(&objective) {
                let again = BTreeSet::from([objective]);
                proofs.add(key.level, key.kept.clone(), roots, again);
            }
            let obstacles = graph.reached.get(&objective);
            let obstacles = obstacles.iter().flat_map(|places| places.iter());
            let obstacles = obstacles.flat_map(|place| self.of_one_variable(*place));
            let mut needs = key.kept.clone();
            needs.extend(obstacles.filter(|place| !proofs.never.contains(place)));
            if needs.len() > key.kept.len() {
                let again = BTreeSet::from([objective]);
                proofs.add(key.level, needs, key.compared.clone(), again);
            }
        }
    }

    /// Can a graph in which places are kept be completed, if it costs as much as the one without?
    fn is_enough_left(&self, proofs: &StateProofs, config: &Config) -> bool {
        let Some(least) = proofs.least_cost else {
            return true;
        };
        let times = least.time.zip(config.deadline.left());
        !least.work.exceeds(self.most) && times.is_none_or(|(least, left)| least <= left)
    }

    /// A place, and the other registers of the variable that it belongs to: each assignment has one.
    fn of_one_variable(&self, place: KeptPlace) -> Vec<KeptPlace> {
        let KeptPlace::Register(id, reg) = place else {
            return vec![place];
        };
        let names = &self.program.module.functions[id.index()].names;
        let Some(name) = names.get(&reg) else {
            return vec![place];
        };
        let same = names.iter().filter(|(_, other)| other.text == name.text);
        same.map(|(reg, _)| KeptPlace::Register(id, *reg)).collect()
    }

    /// What one of several groups of objectives may cost: a part of what is left, but so much that it may
    /// be completed.
    fn part_of_look(
        &self,
        proofs: &StateProofs,
        config: &Config,
        part: u32,
    ) -> (Config, WorkAmount) {
        let least = proofs.least_cost;
        let mut config = config.clone();
        if let Some(left) = config.deadline.left() {
            let least = least.and_then(|least| least.time).unwrap_or_default() * TIMES_LEAST;
            let part = (left / part).max(least).min(left);
            config.deadline = config.deadline.within(part);
        }
        let enough = |most: u64, least: u64| {
            let least = least.saturating_mul(TIMES_LEAST.into());
            (most / u64::from(part)).max(least).min(most)
        };
        let least = least.map(|least| least.work);
        let most = WorkAmount {
            instructions: enough(
                self.most.instructions,
                least.map_or(0, |least| least.instructions),
            ),
            queries: enough(self.most.queries, least.map_or(0, |least| least.queries)),
        };
        (config, most)
    }

    /// Explores all sets of states; says which objectives are covered or not asked for.
    fn explore(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        proofs: &mut StateProofs,
        config: &Config,
        most: WorkAmount,
    ) -> Result<(Report, BitSet), EngineError> {
        let config = Config {
            most_work: Some(most),
            ..config.clone()
        };
        let mut nobody = Silent;
        let shared = SharedFindings::new(1, self.objectives, &mut nobody);
        let mut explorer =
            Explorer::new(self.program, self.entry, self.objectives, &config, &shared)?;
        if let Some(numbers) = proofs.numbers.take() {
            explorer.machine.object_numbers = numbers;
        }
        explorer.machine.states = Some(graph.clone());
        explorer.machine.claims = Some(Box::new(ClaimLog::of_a_proof()));
        explorer.leave_out(&self.decided);
        let report = explorer.explore(true)?;
        proofs.numbers = graph.borrow_mut().numbers.take();
        self.most = self.most.less(WorkAmount {
            instructions: report.work.instructions,
            queries: report.solver.queries,
        });
        Ok((report, shared.decided_objectives()))
    }

    /// What was not reached from any set of states cannot be covered.
    fn exclude(&mut self, mut report: Report, covered: BitSet, graph: &StateGraph) {
        let exclusion = Exclusion::States {
            sets: graph.nodes.len(),
            kept: graph.kept_names(),
            facts: graph.facts(),
            near: graph.facts_near_events(),
        };
        let claims = std::mem::take(&mut report.claims);
        let turns = LoopTurns::new(report, covered, exclusion, claims);
        for objective in self.objectives.listed() {
            if !is_pair(self.objectives, objective) && turns.excludes(objective).is_some() {
                self.decided.insert(objective);
            }
        }
        self.found.push(turns);
    }
}

impl Explorer<'_> {
    /// Looks at sets of states, and forgets what is excluded.
    pub(super) fn look_at_all_states(&mut self) -> Result<(), EngineError> {
        self.make_room_for_look();
        let m = &mut self.machine;
        let done = m.work_done();
        let mut config = Config {
            snapshots: usize::MAX,
            ..config_of_look(m.config)
        };
        if let Some(left) = config.deadline.left() {
            let part = match self.states.is_hopeless {
                true => PART_OF_TIME_WITHOUT_HOPE,
                false => PART_OF_TIME,
            };
            config.deadline = config.deadline.within(left / part);
        }
        let mut most = WorkAmount {
            instructions: done.instructions.max(LEAST.instructions),
            queries: done.queries.max(LEAST.queries),
        };
        if let Some(before) = self.states.ran_out {
            most.instructions = (most.instructions).max(before.instructions * TIMES_AS_MUCH);
            most.queries = most.queries.max(before.queries * TIMES_AS_MUCH);
        }
        let mut marked: Module = m.program.module.clone();
        mark_cuts(&mut marked, CutKind::Joins);
        let program = Program::new(&marked);
        let before = self.shared.decided_objectives();
        let mut states = AllStates {
            program: &program,
            entry: self.entry,
            objectives: m.objectives,
            decided: before,
            stops: stops(m.program.module, |number| {
                is_users(m.program.module, number)
            }),
            most,
            found: Vec::new(),
        };
        states.look(&mut self.states, &config)?;
        let AllStates { decided, found, .. } = states;
        self.leave_out(&decided);
        let has_run_out = !self.states.agenda.is_empty();
        self.states.ran_out = has_run_out.then_some(most);
        self.states.is_hopeless = has_run_out && found.is_empty();
        self.turns.extend(found);
        let times = match self.states.is_hopeless {
            true => NEXT_LOOK_WITHOUT_HOPE,
            false => NEXT_LOOK,
        };
        self.states.after = match has_run_out {
            true => self.shared.runs().saturating_mul(times),
            false => u64::MAX,
        };
        Ok(())
    }
}
