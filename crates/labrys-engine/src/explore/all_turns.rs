//! Infeasible although loops are not bounded: the program is explored with every turn of every loop begun
//! from any state that some relations allow, until all relations hold in all turns (Houdini, Flanagan and
//! Leino 2001). What no path of the last round covers, no run covers. A search that has run for a while
//! looks at that in between, and need not look for what is excluded.

use super::follower::{Follower, follower_config};
use super::{Explorer, config_of_look};
use crate::bitset::BitSet;
use crate::config::{Config, WorkAmount};
use crate::error::EngineError;
use crate::exec::{ClaimLog, Confluence, LoopFacts, LoopProof, Machine};
use crate::objectives::ObjectiveMap;
use crate::parallel::SharedFindings;
use crate::program::{CutKind, LoopTable, MarkedLoop, Program, mark_cuts};
use crate::report::{ClaimList, Exclusion, LoopTurns, Report, Silent, Stop, Test};
use labrys_ir::{FuncId, Module};
use labrys_ledger::Trigger;
use std::cell::RefCell;
use std::rc::Rc;

/// Each round gives up a belief at least.
const MOST_ROUNDS: usize = 200;

/// If the work was not enough, it is tried once more after so many times as many paths.
const NEXT_LOOK: u64 = 4;

/// In one look, relations are made anew or are looked at over more turns so often at most.
const MOST_STAGES: usize = 6;

/// So many runs are followed to see what turns change.
const MOST_FOLLOWED: usize = 40;

/// It may cost this part of the work of the search so far.
const PART: u64 = 4;
/// And this part of the time that is left, and of the time that the search has taken.
const PART_OF_TIME: u32 = 10;
const PART_OF_TIME_SPENT: u32 = 3;
/// But at least this part of the time that the search was given.
const LEAST_PART_OF_TIME: u32 = 20;
/// But at least so much work.
const LEAST: WorkAmount = WorkAmount {
    instructions: 400_000,
    queries: 4_000,
};

/// After how many paths all turns are looked at for the first time.
pub(super) fn first_look(config: &Config) -> u64 {
    // With every path wanted, nothing is left out.
    match config.every_path || config.exhaust {
        true => u64::MAX,
        false => config.loop_proofs_after,
    }
}

impl Explorer<'_> {
    /// Looks at all turns of all loops, and forgets what is excluded.
    pub(super) fn look_at_all_turns(&mut self) -> Result<(), EngineError> {
        self.turns_after = self.shared.runs().saturating_mul(NEXT_LOOK);
        let m = &mut self.machine;
        let done = m.work_done();
        let most = WorkAmount {
            instructions: (done.instructions / PART).max(LEAST.instructions),
            queries: (done.queries / PART).max(LEAST.queries),
        };
        let decided = self.shared.decided_objectives();
        let mut config = m.config.clone();
        if let Some(left) = config.deadline.left() {
            let whole = self.time.unwrap_or(left);
            let spent = whole.saturating_sub(left);
            let most = (spent / PART_OF_TIME_SPENT).max(whole / LEAST_PART_OF_TIME);
            config.deadline = config.deadline.within(most.min(left / PART_OF_TIME));
        }
        let found = AllTurns {
            module: m.program.module,
            entry: self.entry,
            objectives: m.objectives,
            decided,
            most,
            known: self.known_of_turns.take(),
            tests: &self.tests,
        }
        .explore(&config)?;
        let mut excluded = BitSet::default();
        for turns in &found.settled {
            excluded_by(turns, m.objectives, &mut excluded);
        }
        self.leave_out(&excluded);
        self.turns.extend(found.settled);
        if found.next.is_none() {
            self.turns_after = u64::MAX;
        }
        self.known_of_turns = found.next;
        Ok(())
    }
}

/// Adds the objectives that an exploration excludes.
fn excluded_by(turns: &LoopTurns, objectives: &ObjectiveMap, excluded: &mut BitSet) {
    for objective in objectives.listed() {
        let is_pair = matches!(objectives.trigger(objective), Some(Trigger::Pair { .. }));
        if !is_pair && turns.excludes(objective).is_some() {
            excluded.insert(objective);
        }
    }
}

impl Machine<'_> {
    pub(crate) fn work_done(&self) -> WorkAmount {
        WorkAmount {
            instructions: self.work.instructions,
            queries: self.solver.stats().queries,
        }
    }
}

/// What becomes of a look at all turns.
#[derive(Default)]
struct Searched {
    /// The explorations whose relations hold in all turns.
    settled: Vec<LoopTurns>,
    /// What is known for a next look, if there is more to find out.
    next: Option<Box<LoopFacts>>,
}

struct AllTurns<'a> {
    module: &'a Module,
    entry: FuncId,
    objectives: &'a ObjectiveMap,
    /// Nobody asks for these.
    decided: BitSet,
    most: WorkAmount,
    /// What the last look has found out, if it was not finished.
    known: Option<Box<LoopFacts>>,
    /// What the search has found so far.
    tests: &'a [Test],
}

impl AllTurns<'_> {
    fn explore(mut self, config: &Config) -> Result<Searched, EngineError> {
        let mut found = Searched::default();
        let mut marked = self.module.clone();
        mark_cuts(&mut marked, CutKind::JoinsOfTurns);
        let loops = Rc::new(LoopTable::mark(&mut marked).0);
        if loops.is_empty() {
            return Ok(found);
        }
        let program = Program::new(&marked);
        let known = self.known.take().map(|known| *known).unwrap_or_default();
        let mut facts = self.observe(&program, &loops, config, known)?;
        let mut stages = 0;
        for rounds in 1..=MOST_ROUNDS {
            let config = round_config(config, self.most);
            let round = self.round(&program, &loops, facts, &config, None)?;
            let (report, covered) = (round.report, round.covered);
            facts = round.facts;
            // What one round covers, the next ones cover, too: they know less. Unless places were not
            // compared with each other yet.
            if report.stop == Stop::AllCovered {
                facts.learn();
                if facts.begin_next_stage() {
                    continue;
                }
                return Ok(found);
            }
            let is_complete = report.stop == Stop::Exhausted;
            self.most = self.most.less(WorkAmount {
                instructions: report.work.instructions,
                queries: report.solver.queries,
            });
            if !is_complete {
                facts.learn();
                found.next = Some(Box::new(facts));
                return Ok(found);
            }
            let has_new_changes = !facts.changed.is_empty();
            if !facts.is_settled() {
                facts.learn();
                // What turns change is known, and what their conditions ask for.
                if !facts.compares_places && !has_new_changes {
                    facts.begin_again();
                }
                continue;
            }
            let exclusion = Exclusion::Loops {
                rounds,
                invariants: facts.texts(&loops),
            };
            let claims = self.claims(&program, &loops, facts.clone(), &config)?;
            let turns = LoopTurns::new(report, covered, exclusion, claims);
            // Nobody asks for what is excluded now.
            excluded_by(&turns, self.objectives, &mut self.decided);
            found.settled.push(turns);
            stages += 1;
            let goes_on = facts.begin_next_stage();
            if goes_on && stages == MOST_STAGES {
                found.next = Some(Box::new(facts));
                return Ok(found);
            }
            if !goes_on {
                return Ok(found);
            }
        }
        Ok(found)
    }

    /// What known runs show of the loops: first what turns change, then the states that they begin with.
    fn observe(
        &self,
        program: &Program<'_>,
        loops: &Rc<Vec<MarkedLoop>>,
        config: &Config,
        known: LoopFacts,
    ) -> Result<LoopFacts, EngineError> {
        let config = follower_config(config);
        let proof = LoopProof {
            loops: loops.clone(),
            facts: Rc::new(RefCell::new(known)),
        };
        for _ in 0..2 {
            let mut follower = Follower::new(program, &config, self.objectives, self.entry)?;
            let newest = self.tests.iter().rev().take(MOST_FOLLOWED);
            for test in newest {
                follower.observe_turns(&test.inputs, &proof);
            }
            proof.facts.borrow_mut().learn();
        }
        let mut facts = proof.facts.take();
        facts.names.clear();
        Ok(facts)
    }

    /// Explores everything once.
    fn round(
        &self,
        program: &Program<'_>,
        loops: &Rc<Vec<MarkedLoop>>,
        facts: LoopFacts,
        config: &Config,
        claims: Option<ClaimLog>,
    ) -> Result<LoopRound, EngineError> {
        let mut nobody = Silent;
        let shared = SharedFindings::new(1, self.objectives, &mut nobody);
        let proof = LoopProof {
            loops: loops.clone(),
            facts: Rc::new(RefCell::new(facts)),
        };
        let mut explorer = Explorer::new(program, self.entry, self.objectives, config, &shared)?;
        if let Some(numbers) = proof.facts.borrow_mut().numbers.take() {
            explorer.machine.object_numbers = numbers;
        }
        explorer.machine.loop_proof = Some(proof.clone());
        explorer.machine.confluence = Some(Confluence::default());
        explorer.machine.claims = claims.map(Box::new);
        explorer.leave_out(&self.decided);
        let report = explorer.explore(true)?;
        Ok(LoopRound {
            report,
            covered: shared.decided_objectives(),
            facts: proof.facts.take(),
        })
    }

    /// The last round once more, for the questions that it rests on. None if there is no time.
    fn claims(
        &self,
        program: &Program<'_>,
        loops: &Rc<Vec<MarkedLoop>>,
        facts: LoopFacts,
        config: &Config,
    ) -> Result<ClaimList, EngineError> {
        let config = Config {
            // Conditions are told apart by their numbers.
            collect_at: usize::MAX,
            most_work: None,
            ..config.clone()
        };
        let log = ClaimLog::of_a_proof();
        let again = self.round(program, loops, facts, &config, Some(log))?;
        Ok(again.report.claims)
    }
}

/// How everything is explored once.
fn round_config(config: &Config, most: WorkAmount) -> Config {
    Config {
        most_work: Some(most),
        ..config_of_look(config)
    }
}

/// What a round has found.
struct LoopRound {
    report: Report,
    covered: BitSet,
    facts: LoopFacts,
}

impl Explorer<'_> {
    /// Nobody looks for these objectives.
    pub(super) fn leave_out(&mut self, objectives: &BitSet) {
        let m = &mut self.machine;
        let local = &mut m.findings.covered;
        let news = (self.shared).exclude(objectives, local, &mut self.synced);
        m.close_labels(&news);
        self.agenda.cover(&news, None, &m.findings);
        m.watch(&news);
    }
}
