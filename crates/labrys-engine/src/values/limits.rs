//! How much work the choice of values may be: so many queries and so many evaluated expressions
//! for a test, and for a run.

/// Queries for one test, and for all tests of a run.
const QUERIES: u64 = 64;
const ALL_QUERIES: u64 = 8_000;

/// Expressions that are evaluated for one test, and for all tests of a run.
const EVALUATED: u64 = 3_000_000;
const ALL_EVALUATED: u64 = 150_000_000;

/// This many variables in its constraints make a question as costly as two small ones.
const MENTIONS: u64 = 256;

/// The number of questions without an answer after which a test, and a run, are left as they are.
const HARD: u64 = 4;
const ALL_HARD: u64 = 32;

/// What has been spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EffortSpent {
    /// Of queries.
    cost: u64,
    evaluated: u64,
    queries: u64,
    before: [u64; 2],
}

impl EffortSpent {
    /// Another test begins; false if there is nothing left for it.
    pub(crate) fn begin(&mut self) -> bool {
        self.before[0] += self.cost;
        self.before[1] += self.evaluated;
        (self.cost, self.evaluated) = (0, 0);
        !self.is_over()
    }

    pub(crate) fn evaluate(&mut self, expressions: u64) {
        self.evaluated += expressions;
    }

    /// May a question be asked about a path of this size? It is counted, a large one several times.
    pub(crate) fn query(&mut self, mentions: usize) -> bool {
        let cost = 1 + mentions as u64 / MENTIONS;
        let all = self.cost + cost;
        let may = !self.is_over() && all <= QUERIES && self.before[0] + all <= ALL_QUERIES;
        if may {
            self.cost = all;
            self.queries += 1;
        }
        may
    }

    /// The last question was too hard: it has cost as much as many others.
    pub(crate) fn unanswered(&mut self) {
        self.cost += QUERIES / HARD;
        self.before[0] += ALL_QUERIES / ALL_HARD;
    }

    /// Were as many expressions evaluated as may be?
    pub(crate) fn is_over(&self) -> bool {
        self.evaluated >= EVALUATED || self.before[1] + self.evaluated >= ALL_EVALUATED
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
}
