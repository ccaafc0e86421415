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
const TEST_STEPS: u64 = 500;
const FIELD_STEPS: u64 = 20;
const MENTION_STEPS: u64 = 12;
const ATTEMPT_STEPS: u64 = 8;
const EVALUATION_STEPS: u64 = 6;
const QUESTION_STEPS: u64 = 1_000;
const SOLVE_STEPS: u64 = 8_000;
const CLAUSE_STEPS: u64 = 5;
const UNANSWERED_STEPS: u64 = 250_000;

/// However short the search was, so much may be spent: about 5 ms. That is what a few questions for
/// each test of a small function take.
const LEAST_STEPS: u64 = 1_000_000;

/// The work of a search in steps. Replays of dropped snapshots do not count: how many there are
/// depends on the memory that is free.
pub(crate) fn steps_of(work: &Work, solver: &SolverStats) -> u64 {
    work.instructions - work.replay_instructions
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
    /// Tests that wait for their turn.
    waiting: u64,
    /// The present test may go on until so many steps, and may ask until so many.
    end: u64,
    end_of_questions: u64,
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
            waiting: 0,
            end: u64::MAX,
            end_of_questions: u64::MAX,
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

    /// The choice may cost so many steps for so many tests.
    pub(crate) fn allow(&mut self, steps: u64, tests: u64) {
        self.most_steps = steps.max(LEAST_STEPS);
        self.waiting = tests;
    }

    /// Another field is looked at.
    pub(crate) fn field(&mut self) {
        self.steps += FIELD_STEPS;
    }

    /// All that was done so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Values are tried for so many fields.
    pub(crate) fn attempt(&mut self, fields: usize) {
        self.steps += ATTEMPT_STEPS * fields as u64;
    }

    /// The constraints of a test mention variables so often.
    pub(crate) fn mention(&mut self, mentions: usize) {
        self.steps += MENTION_STEPS * mentions as u64;
    }

    /// The SAT solver was asked, with so many clauses.
    pub(crate) fn solved(&mut self, clauses: u64) {
        self.steps += SOLVE_STEPS + CLAUSE_STEPS * clauses;
    }

    /// Another test begins; false if there is nothing left for it.
    pub(crate) fn begin(&mut self) -> bool {
        self.before[0] += self.cost;
        self.before[1] += self.evaluated;
        (self.cost, self.evaluated) = (0, 0);
        self.share();
        let may = !self.is_spent() && !self.is_over();
        self.steps += if may { TEST_STEPS } else { 0 };
        may
    }

    /// Is nothing left for another test?
    pub(crate) fn is_spent(&self) -> bool {
        self.steps.saturating_add(TEST_STEPS) > self.most_steps
    }

    /// Every test has an equal share of what is left. Questions, which cost most, leave a quarter of
    /// it to evaluation.
    fn share(&mut self) {
        if self.most_steps == u64::MAX {
            return;
        }
        let share = self.most_steps.saturating_sub(self.steps) / self.waiting.max(1);
        self.waiting = self.waiting.saturating_sub(1);
        self.end = self.steps + share;
        self.end_of_questions = self.steps + share / 4 * 3;
    }

    pub(crate) fn evaluate(&mut self, expressions: u64) {
        self.evaluated += expressions;
        self.steps += EVALUATION_STEPS * expressions;
    }

    /// May a question be asked about a path of this size? It is counted, a large one several times.
    pub(crate) fn query(&mut self, mentions: usize) -> bool {
        let cost = 1 + mentions as u64 / MENTIONS;
        let all = self.cost + cost;
        let may = !self.is_over()
            && self.steps < self.end_of_questions
            && all <= QUERIES
            && self.before[0] + all <= ALL_QUERIES;
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
            || self.steps >= self.end
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
        spent.allow(allowed, 50_000);
        let each = TEST_STEPS + 1_000 * EVALUATION_STEPS;
        let mut served = 0;
        for _ in 0..50_000 {
            if spent.begin() {
                spent.evaluate(1_000);
                served += 1;
            }
        }
        assert!(spent.steps() <= allowed + each);
        assert!(served >= allowed / each - 1);
    }

    #[test]
    fn the_first_tests_leave_something_to_the_last() {
        let mut spent = EffortSpent::default();
        spent.allow(50 * LEAST_STEPS, 100);
        for test in 0..100 {
            assert!(spent.begin(), "test {test}");
            let mut questions = 0;
            while spent.query(10) {
                spent.solved(1_000);
                questions += 1;
            }
            assert!(questions > 0, "test {test}");
            // Questions leave something to evaluation.
            assert!(!spent.is_over(), "test {test}");
            while !spent.is_over() {
                spent.evaluate(100);
            }
        }
        assert!(spent.steps() <= 51 * LEAST_STEPS);
    }

    #[test]
    fn a_search_of_nothing_leaves_enough_for_the_tests_of_a_function() {
        let mut spent = EffortSpent::default();
        spent.allow(0, 32);
        for _ in 0..32 {
            assert!(spent.begin() && spent.query(10));
            spent.solved(1_000);
        }
        assert!(spent.steps() <= LEAST_STEPS);
    }
}
