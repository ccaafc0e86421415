//! Infeasible although loops are not bounded: the program is explored with every turn of every loop begun
//! from any state that some relations allow, until all relations hold in all turns (Houdini, Flanagan and
//! Leino 2001). What no path of the last round covers, no run covers. A search that has run for a while
//! looks at that in between, and need not look for what is excluded.

use super::Explorer;
use crate::bitset::BitSet;
use crate::config::{Config, Search, WorkAmount};
use crate::error::EngineError;
use crate::exec::{ClaimLog, LoopFacts, LoopProof, Machine};
use crate::objectives::ObjectiveMap;
use crate::parallel::SharedFindings;
use crate::program::{LoopTable, MarkedLoop, Program};
use crate::report::{ClaimList, Exclusion, LoopTurns, Report, Silent, Stop};
use labrys_ir::{FuncId, Module};
use labrys_ledger::Trigger;
use std::cell::RefCell;
use std::rc::Rc;

/// Each round gives up a belief at least.
const MOST_ROUNDS: usize = 200;

/// If the work was not enough, it is tried once more after so many times as many paths.
const NEXT_LOOK: u64 = 8;

/// It may cost this part of the work of the search so far.
const PART: u64 = 4;
/// And this part of the time that is left.
const PART_OF_TIME: u32 = 10;
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
            config.deadline = config.deadline.within(left / PART_OF_TIME);
        }
        let found = AllTurns {
            module: m.program.module,
            entry: self.entry,
            objectives: m.objectives,
            decided: &decided,
            most,
        }
        .explore(&config)?;
        let turns = match found {
            Searched::Complete(turns) => turns,
            Searched::OutOfWork => return Ok(()),
            Searched::Nothing => {
                self.turns_after = u64::MAX;
                return Ok(());
            }
        };
        let mut excluded = BitSet::default();
        for objective in m.objectives.listed() {
            let is_pair = matches!(m.objectives.trigger(objective), Some(Trigger::Pair { .. }));
            if !is_pair && turns.excludes(objective).is_some() {
                excluded.insert(objective);
            }
        }
        self.leave_out(&excluded);
        self.turns.push(*turns);
        self.turns_after = u64::MAX;
        Ok(())
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
enum Searched {
    Complete(Box<LoopTurns>),
    /// It was not finished.
    OutOfWork,
    /// There are no loops, or what is wanted may be covered as far as it can be known.
    Nothing,
}

struct AllTurns<'a> {
    module: &'a Module,
    entry: FuncId,
    objectives: &'a ObjectiveMap,
    /// Nobody asks for these.
    decided: &'a BitSet,
    most: WorkAmount,
}

impl AllTurns<'_> {
    fn explore(self, config: &Config) -> Result<Searched, EngineError> {
        let mut marked = self.module.clone();
        let loops = Rc::new(LoopTable::mark(&mut marked).0);
        if loops.is_empty() {
            return Ok(Searched::Nothing);
        }
        let program = Program::new(&marked);
        let mut most = self.most;
        let mut facts = LoopFacts::default();
        for rounds in 1..=MOST_ROUNDS {
            let config = Config {
                search: Search::Dfs,
                filter: false,
                fault_checks: false,
                raw_values: true,
                loop_proofs_after: u64::MAX,
                state_proofs_after: u64::MAX,
                frontier_after: u64::MAX,
                jobs: 1,
                most_work: Some(most),
                ..config.clone()
            };
            let round = self.round(&program, &loops, facts, &config, None)?;
            let (report, covered) = (round.report, round.covered);
            facts = round.facts;
            // What one round covers, the next ones cover, too: they know less.
            if report.stop == Stop::AllCovered {
                return Ok(Searched::Nothing);
            }
            let is_complete = report.stop == Stop::Exhausted;
            most = most.less(WorkAmount {
                instructions: report.work.instructions,
                queries: report.solver.queries,
            });
            if facts.is_settled() && is_complete {
                let exclusion = Exclusion::Loops {
                    rounds,
                    invariants: facts.texts(&loops),
                };
                let claims = self.claims(&program, &loops, facts, &config)?;
                let turns = LoopTurns::new(report, covered, exclusion, claims);
                return Ok(Searched::Complete(Box::new(turns)));
            }
            if !is_complete {
                return Ok(Searched::OutOfWork);
            }
            facts.learn();
        }
        Ok(Searched::Nothing)
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
        explorer.machine.loop_proof = Some(proof.clone());
        explorer.machine.claims = claims.map(Box::new);
        explorer.leave_out(self.decided);
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
