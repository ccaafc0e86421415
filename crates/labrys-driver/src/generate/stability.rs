//! Outputs that say nothing: each test of a suite is run once more, in another process with other
//! addresses, and with standard output buffered as it is in a file: what a program writes past the
//! buffer comes out earlier then. What is different is noted, so that no test asserts it.

use crate::failure::{Failure, Outcome};
use crate::native::TestCases;
use labrys_suite::{ReplayLimits, Replayer, SuiteTest, THE_END, ended_normally};

/// Runs the tests once more and notes the outputs that have changed. Says for how many there was no
/// time.
pub fn note_unstable_outputs<'t>(
    tests: impl IntoIterator<Item = &'t mut SuiteTest>,
    replayer: &Replayer,
    limits: &ReplayLimits,
) -> Outcome<usize> {
    // After an error nothing is asserted.
    let ends_well = |test: &&mut SuiteTest| ended_normally(&test.outcome);
    let mut tests: Vec<&mut SuiteTest> = tests.into_iter().filter(ends_well).collect();
    let cases = TestCases::of(tests.iter().map(|test| &**test));
    let limits = ReplayLimits {
        buffers_output: true,
        ..limits.clone()
    };
    let again = replayer
        .run_in_time(&cases.cases(), &limits)
        .map_err(Failure::internal)?;
    for (test, seen) in tests.iter_mut().zip(&again) {
        test.compare(seen);
        if seen.end.outcome() != test.outcome {
            test.unstable.insert(THE_END.to_owned());
        }
    }
    Ok(tests.len() - again.len())
}
