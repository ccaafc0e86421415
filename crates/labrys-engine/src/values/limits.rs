//! How much work the choice of values may be: so many queries and so many evaluated expressions
//! for a test, and for a run; and no more than the search before it, in steps that are counted and
//! not timed, so that the same run chooses the same values.

use crate::report::Work;
use labrys_budget::Deadline;
use labrys_solver::SolverStats;

/// Steps: instructions of the interpreter, about 4 ns each, and what other work costs in these.
/// Measured on the programs of `bench explore`; a question is one that the SAT solver answers.
const PATH_STEPS: u64 = 1_000;
const QUERY_STEPS: u64 = 150;
const SAT_STEPS: u64 = 10_000;
const BITWUZLA_STEPS: u64 = 250_000;
const TEST_STEPS: u64 = 2_000;
const FIELD_STEPS: u64 = 150;
const ATTEMPT_STEPS: u64 = 30;
const EVALUATION_STEPS: u64 = 5;
const QUESTION_STEPS: u64 = 12_000;
const UNANSWERED_STEPS: u64 = 250_000;

/// However short the search was, so much may be spent: about 40 ms.
const LEAST_STEPS: u64 = 10_000_000;

/// The work of a search in steps.
pub(crate) fn steps_of(work: &Work, solver: &SolverStats) -> u64 {
    work.instructions
        + PATH_STEPS * work.paths
        + QUERY_STEPS * solver.queries
        + SAT_STEPS * solver.blast.asked
        + BITWUZLA_STEPS * solver.bitwuzla.asked
}

/// Queries for one test, and for all tests of a run.
const QUERIES: u64 = 64;
const ALL_QUERIES: u64 = 8_000;

/// Expressions that are evaluated for one test, and for all tests of a run.
const EVALUATED: u64 = 3_000_000;
const ALL_EVALUATED: u64 = 150_000_000;

/// At most this many variables in its constraints make a question as costly as two small ones.
const MENTIONS: u64 = 256;

/// At most this many questions without an answer are enough for a test, and for a run.
const HARD: u64 = 4;
const ALL_HARD: u64 = 32;

/// What has been spent.
#[derive(Clone, Debug)]
pub(crate) struct EffortSpent {
    /// Of queries.
    cost: u64,
    evaluated: u64,
    queries: u64,
    before: [u64; 2],
    /// All that was done, and how much of it there may be.
    steps: u64,
    most_steps: u64,
    /// The clock ends it, too: what is expected to be cheap may not be.
    deadline: Deadline,
}

impl Default for EffortSpent {
    fn default() -> Self {
        EffortSpent {
            cost: 0,
            evaluated: 0,
            queries: 0,
            before: [0; 2],
            steps: 0,
            most_steps: u64::MAX,
            deadline: Deadline::never(),
        }
    }
}

impl EffortSpent {
    /// The choice ends with this deadline.
    pub(crate) fn until(deadline: Deadline) -> Self {
        EffortSpent {
            deadline,
            ..EffortSpent::default()
        }
    }

    /// The choice may cost so many steps.
    pub(crate) fn allow(&mut self, steps: u64) {
        self.most_steps = steps.max(LEAST_STEPS);
    }

    /// Another field is looked at.
    pub(crate) fn field(&mut self) {
        self.steps += FIELD_STEPS;
    }

    /// All that was done so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Values are tried.
    pub(crate) fn attempt(&mut self) {
        self.steps += ATTEMPT_STEPS;
    }

    /// Another test begins; false if there is nothing left for it.
    pub(crate) fn begin(&mut self) -> bool {
        self.before[0] += self.cost;
        self.before[1] += self.evaluated;
        (self.cost, self.evaluated) = (0, 0);
        self.steps += TEST_STEPS;
        !self.is_over()
    }

    pub(crate) fn evaluate(&mut self, expressions: u64) {
        self.evaluated += expressions;
        self.steps += EVALUATION_STEPS * expressions;
    }

    /// May a question be asked about a path of this size? It is counted, a large one several times.
    pub(crate) fn query(&mut self, mentions: usize) -> bool {
        let cost = 1 + mentions as u64 / MENTIONS;
        let all = self.cost + cost;
        let may = !self.is_over() && all <= QUERIES && self.before[0] + all <= ALL_QUERIES;
        if may {
            self.cost = all;
            self.queries += 1;
            self.steps += QUESTION_STEPS * cost;
        }
        may
    }

    /// The last question was too hard: it has cost as much as many others.
    pub(crate) fn unanswered(&mut self) {
        self.steps += UNANSWERED_STEPS;
        self.cost += QUERIES / HARD;
        self.before[0] += ALL_QUERIES / ALL_HARD;
    }

    /// Was as much done as may be?
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_over()
            || self.steps >= self.most_steps
            || self.evaluated >= EVALUATED
            || self.before[1] + self.evaluated >= ALL_EVALUATED
    }

    /// All queries so far.
    pub(crate) fn queries(&self) -> u64 {
        self.queries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_and_a_run_have_their_limits() {
        let mut spent = EffortSpent::default();
        let mut all = 0;
        while spent.begin() && spent.query(10) {
            all += 1;
            while spent.query(10) {
                all += 1;
            }
            assert!(all % QUERIES == 0);
        }
        assert_eq!(all, ALL_QUERIES);
        assert_eq!(spent.queries(), ALL_QUERIES);
        let mut spent = EffortSpent::default();
        spent.evaluate(EVALUATED);
        assert!(spent.is_over() && !spent.query(0));
        assert!(spent.begin() && spent.query(0));
        let large = (QUERIES * MENTIONS) as usize;
        assert!(spent.begin() && !spent.query(large) && spent.query(large / 2));
        assert!(!spent.query(large / 2));
    }

    #[test]
    fn the_choice_costs_no_more_than_the_search() {
        let work = Work {
            instructions: 1_000_000,
            paths: 50_000,
            ..Work::default()
        };
        let allowed = steps_of(&work, &SolverStats::default());
        let mut spent = EffortSpent::default();
        spent.allow(allowed);
        let mut tests = 0;
        while spent.begin() {
            spent.evaluate(1_000);
            tests += 1;
        }
        let each = TEST_STEPS + 1_000 * EVALUATION_STEPS;
        assert!(tests >= allowed / each - 1 && tests * each <= allowed + each);
        // A search of nothing leaves enough for the tests of a function.
        let mut spent = EffortSpent::default();
        spent.allow(0);
        for _ in 0..32 {
            assert!(spent.begin());
            (0..16).for_each(|_| assert!(spent.query(10)));
        }
    }
}
