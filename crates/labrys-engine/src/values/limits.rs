//! How much work the choice of values may be: so many queries and so many evaluated expressions
//! for a test, and for a run. Nothing here looks at the clock.

/// Queries for one test, and for all tests of a run.
const QUERIES: u64 = 64;
const ALL_QUERIES: u64 = 8_000;

/// The same for expressions that are evaluated.
const EVALUATED: u64 = 3_000_000;
const ALL_EVALUATED: u64 = 150_000_000;

/// What has been spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    queries: u64,
    evaluated: u64,
    before: [u64; 2],
}

impl Spent {
    /// Another test begins; false if there is nothing left for it.
    pub(crate) fn begin(&mut self) -> bool {
        self.before[0] += self.queries;
        self.before[1] += self.evaluated;
        (self.queries, self.evaluated) = (0, 0);
        !self.is_over()
    }

    pub(crate) fn evaluate(&mut self, expressions: u64) {
        self.evaluated += expressions;
    }

    /// May another query be asked? It is counted.
    pub(crate) fn query(&mut self) -> bool {
        let may = !self.is_over()
            && self.queries < QUERIES
            && self.before[0] + self.queries < ALL_QUERIES;
        self.queries += u64::from(may);
        may
    }

    /// Were as many expressions evaluated as may be?
    pub(crate) fn is_over(&self) -> bool {
        self.evaluated >= EVALUATED || self.before[1] + self.evaluated >= ALL_EVALUATED
    }

    /// All queries so far.
    pub(crate) fn queries(&self) -> u64 {
        self.before[0] + self.queries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_and_a_run_have_their_limits() {
        let mut spent = Spent::default();
        let mut all = 0;
        while spent.begin() && spent.query() {
            all += 1;
            while spent.query() {
                all += 1;
            }
            assert!(all % QUERIES == 0);
        }
        assert_eq!(all, ALL_QUERIES);
        assert_eq!(spent.queries(), ALL_QUERIES);
        let mut spent = Spent::default();
        spent.evaluate(EVALUATED);
        assert!(spent.is_over() && !spent.query());
        assert!(spent.begin() && spent.query());
    }
}
