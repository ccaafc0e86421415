//! The search and the frontier take turns: the states of runs are given to the way backward, which may
//! exclude objectives, and candidates are run that come nearer to a predicate from which an objective
//! follows (algorithm 1 of the paper on bidirectional analysis).

use super::Explorer;
use super::follower::{Follower, follower_config};
use super::prepare::Purpose;
use crate::bitset::BitSet;
use crate::candidates::{Candidate, Resume, Ticket};
use crate::config::{Config, Search, WorkAmount};
use crate::error::EngineError;
use crate::exec::Machine;
use crate::frontier::{Frontier, GoalNode, WantedNodes};
use crate::program::{Program, mark_blocks};
use crate::report::Stop;
use crate::state::State;
use crate::structure::{FirstEdge, RegisterFacts, first_edge};
use labrys_expr::ExprId;
use labrys_ir::FuncId;
use labrys_solver::Answer;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A search that is not the frontier's own asks again after so many times as many paths.
const NEXT_LOOK: u64 = 4;

/// A look may cost this part of the work of the search so far.
const PART: u64 = 4;

/// But at least so much.
const LEAST: WorkAmount = WorkAmount {
    instructions: 400_000,
    queries: 3_000,
};

/// And so much for what each further run in a look has shown.
const LITTLE: WorkAmount = WorkAmount {
    instructions: 25_000,
    queries: 200,
};

/// At most so many tests are followed in one look.
const MOST_FOLLOWED: usize = 256;

/// The search of the frontier begins after so many random paths.
const FIRST_GUIDED: u64 = 8;

/// So many candidates are run in one look, as long as they are found.
const MOST_GUIDED: usize = 32;

/// Of the candidates that wait, the newest so many are compared with predicates.
const MOST_COMPARED: usize = 2_000;

/// Between looks that have found no candidate, the search of the frontier runs so many paths of another one
/// at most.
const PATHS_BETWEEN: u64 = 64;

/// So many questions are asked for one run.
const MOST_QUESTIONS: usize = 12;

/// Where paths prove nothing, it is asked after so many.
const AT_ONCE: u64 = 1;

/// What the way backward knows, and when it is asked next.
pub(super) struct FrontierLooks<'m> {
    frontier: Option<Frontier<'m>>,
    /// After so many paths.
    pub(super) next: u64,
    /// So many tests were followed.
    followed: usize,
    /// Candidates and nodes that do not go together.
    refused: BTreeSet<(Ticket, GoalNode)>,
}

impl FrontierLooks<'_> {
    pub(super) fn never() -> Self {
        FrontierLooks {
            frontier: None,
            next: u64::MAX,
            followed: 0,
            refused: BTreeSet::new(),
        }
    }
}

/// After how many paths it is asked for the first time.
pub(super) fn first_look(config: &Config) -> u64 {
    // With every path wanted, nothing is left out.
    match config.every_path || config.exhaust {
        true => u64::MAX,
        false if config.search.is_guided() => FIRST_GUIDED,
        false => config.frontier_after,
    }
}

impl Explorer<'_> {
    /// Asks the way backward what nothing can cover, and runs what leads on.
    pub(super) fn look_at_frontier(&mut self) -> Result<(), EngineError> {
        let m = &self.machine;
        if self.looks.frontier.is_none() {
            self.looks.frontier = Frontier::new(m.program, self.entry, m.objectives, m.config)?;
        }
        let Some(mut frontier) = self.looks.frontier.take() else {
            self.looks.next = u64::MAX;
            return Ok(());
        };
        let mut marked = m.program.module.clone();
        mark_blocks(&mut marked, |function| frontier.is_followed(function));
        let program = Program::new(&marked);
        let config = follower_config(m.config);
        let mut follower = Follower::new(&program, &config, m.objectives, self.entry)?;
        let new = &self.tests[self.looks.followed..];
        for test in &new[..new.len().min(MOST_FOLLOWED)] {
            frontier.learn(&follower.states(&test.inputs, frontier.globals()));
        }
        let mut guided = 0;
        let mut left = self.work_of_look(&frontier);
        loop {
            left = self.exclude_by(&mut frontier, left);
            if guided == MOST_GUIDED || self.should_stop().is_some() {
                break;
            }
            if !self.run_toward(&frontier) {
                break;
            }
            guided += 1;
            let m = &self.machine;
            let inputs = m.inputs.given(&m.state.inputs, &m.current.model);
            frontier.learn(&follower.states(&inputs, frontier.globals()));
        }
        self.looks.followed = self.tests.len();
        let paths = self.shared.runs().max(1);
        let is_guide = self.machine.config.search.is_guided();
        self.looks.next = match (is_guide, guided) {
            (true, 0) => paths + paths.min(PATHS_BETWEEN),
            (true, _) => paths,
            (false, _) => paths.saturating_mul(NEXT_LOOK),
        };
        self.frontier_sizes = frontier.sizes().to_vec();
        self.looks.frontier = Some(frontier);
        Ok(())
    }

    /// How much a look may cost. Where each run is followed by a look, the way backward takes no more in all
    /// than the runs.
    fn work_of_look(&self, frontier: &Frontier<'_>) -> WorkAmount {
        let done = self.machine.work_done();
        let is_guide = self.machine.config.search.is_guided();
        if is_guide && frontier.work().exceeds(done.at_least(LEAST)) {
            return LITTLE;
        }
        let part = WorkAmount {
            instructions: done.instructions / PART,
            queries: done.queries / PART,
        };
        part.at_least(LEAST)
    }

    /// Looks for what nothing leads to. Nobody looks for that any more. Says how much of the work is left.
    fn exclude_by(&mut self, frontier: &mut Frontier<'_>, most: WorkAmount) -> WorkAmount {
        let decided = self.shared.decided_objectives();
        let began = frontier.work();
        frontier.search(&decided, most, self.machine.config);
        let left = most.less(frontier.work().less(began)).at_least(LITTLE);
        // Nodes have new numbers.
        self.looks.refused.clear();
        // The search may go by it although nobody wants its proofs.
        if self.machine.config.frontier_after == u64::MAX {
            return left;
        }
        let mut excluded = BitSet::default();
        for (objective, proof) in frontier.excluded() {
            excluded.insert(*objective);
            self.frontier_proofs.insert(*objective, proof.clone());
        }
        if frontier.claims().list.len() > self.frontier_claims.list.len() {
            self.frontier_claims = frontier.claims().clone();
        }
        self.leave_out(&excluded);
        left
    }

    /// A search that has ended may have left something open; what it has shown helps to decide it. Where it
    /// rests on nothing, it is a proof itself, if paths may prove something.
    pub(super) fn last_look_at_frontier(&mut self, stop: Stop) -> Result<(), EngineError> {
        let m = &self.machine;
        let rests = m.resting.all().any(|(_, places)| !places.is_empty());
        let is_shown = !rests && self.gaps.is_empty() && m.labels.unproved.is_empty();
        let is_open = self.shared.decided() < m.objectives.count
            && !(is_shown && m.config.frontier_after > AT_ONCE);
        let is_over = m.config.should_stop();
        match stop == Stop::Exhausted && is_open && !is_over && self.looks.next != u64::MAX {
            true => self.look_at_frontier(),
            false => Ok(()),
        }
    }

    /// Runs the candidate that comes nearest to an objective: its input meets a predicate from which the
    /// objective follows. False if there is none.
    fn run_toward(&mut self, frontier: &Frontier<'_>) -> bool {
        let wanted = frontier.wanted();
        for (ticket, goal, wish) in self.best_candidates(frontier, &wanted) {
            let Some(candidate) = self.agenda.get(ticket) else {
                continue;
            };
            let m = &mut self.machine;
            let mut all = candidate.goal;
            for part in wish {
                all = m.arena.and(all, part);
            }
            let answer = (m.solver).solve(&mut m.arena, &candidate.path, all, &candidate.parent);
            let Answer::Sat(model) = answer else {
                self.looks.refused.insert((ticket, goal));
                continue;
            };
            let Some(mut candidate) = self.agenda.take(ticket) else {
                continue;
            };
            candidate.solution = Some(Rc::new(model));
            if self.prepare(candidate, Purpose::Search) {
                self.run();
                return true;
            }
        }
        false
    }

    /// Candidates with predicates that may hold behind them, the most promising first.
    fn best_candidates(
        &mut self,
        frontier: &Frontier<'_>,
        wanted: &WantedNodes,
    ) -> Vec<(Ticket, GoalNode, Vec<ExprId>)> {
        let mut tickets: Vec<Ticket> = self.agenda.tickets();
        tickets.sort_unstable();
        let ranked = self.machine.config.search != Search::FrontierFirstCome;
        let mut found = Vec::new();
        let mut ways = FirstEdges::default();
        for ticket in tickets.into_iter().rev().take(MOST_COMPARED) {
            let Some(candidate) = self.agenda.get(ticket) else {
                continue;
            };
            let Some(state) = &candidate.snapshot else {
                continue;
            };
            let m = &mut self.machine;
            let Some(way) = ways.first_edge(m, candidate, state) else {
                continue;
            };
            let function = state.frame.function;
            let code = &m.program.module.functions[function.index()];
            let block = code.edges[way.edge.index()].target;
            let Some(nodes) = wanted.get(&(function, block)) else {
                continue;
            };
            for (far, goal) in nodes {
                if self.looks.refused.contains(&(ticket, *goal)) {
                    continue;
                }
                let Some(wish) = frontier.wish(&mut m.arena, state, &way, *goal) else {
                    continue;
                };
                if wish.iter().any(|part| m.arena.as_const(*part) == Some(0)) {
                    continue;
                }
                let missing = missing(m, candidate, &wish);
                let rank = match ranked {
                    true => (*far, missing),
                    false => (0, 0),
                };
                found.push((rank, *goal, ticket, wish));
                // The nodes are sorted by their distance.
                if ranked {
                    break;
                }
            }
        }
        found.sort_by_key(|(rank, goal, ticket, _)| (*rank, *goal, Reverse(*ticket)));
        let best = found.into_iter().take(MOST_QUESTIONS);
        best.map(|(_, goal, ticket, wish)| (ticket, goal, wish))
            .collect()
    }
}

/// How candidates leave the block in which they begin.
#[derive(Default)]
struct FirstEdges {
    facts: BTreeMap<FuncId, RegisterFacts>,
}

impl FirstEdges {
    fn first_edge(
        &mut self,
        m: &Machine<'_>,
        candidate: &Candidate,
        state: &State,
    ) -> Option<FirstEdge> {
        let id = state.frame.function;
        match (candidate.resume, candidate.flip) {
            (Resume::Edge(edge), _) => Some(FirstEdge::over(edge)),
            (Resume::Again, Some(value)) => {
                let function = &m.program.module.functions[id.index()];
                let facts = (self.facts.entry(id)).or_insert_with(|| RegisterFacts::of(function));
                first_edge(m.program, m.objectives, facts, id, state.frame.pc, value)
            }
            (Resume::Again | Resume::Continue, _) => None,
        }
    }
}

/// How many parts of a wish do not hold under the input of the run that has left a candidate.
fn missing(m: &mut Machine<'_>, candidate: &Candidate, wish: &[ExprId]) -> usize {
    let mut evaluator = labrys_expr::Evaluator::new();
    let parts = wish.iter();
    let open = parts.filter(|part| evaluator.eval(&m.arena, &candidate.parent, **part) == 0);
    open.count()
}
