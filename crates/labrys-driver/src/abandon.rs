//! Work that cannot be asked to stop, such as reading a large syntax tree: it runs on a thread of
//! its own, which is left behind when the deadline is over. Nothing that it would have made is
//! needed then, and the command ends.

use crate::failure::{Failure, Outcome};
use labrys_budget::Deadline;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The longest time between two looks at the deadline.
const PAUSE: Duration = Duration::from_millis(5);

/// The result of `work`, or the failure that `what` could not be done before the deadline.
pub(crate) fn unless_over<T: Send + 'static>(
    deadline: &Deadline,
    what: &str,
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    let (sender, result) = channel();
    let thread = std::thread::Builder::new().name(what.to_owned());
    let run = move || {
        // Nobody may wait for it any more.
        let _ = sender.send(work());
    };
    thread.spawn(run).map_err(Failure::internal)?;
    loop {
        match result.recv_timeout(PAUSE) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::internal(format_args!("{what} panicked")));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(cause) = deadline.cause() {
                    return Err(Failure::ended(cause, what));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::failure::FailureKind;
    use labrys_budget::EndCause;

    #[test]
    fn what_is_done_in_time_counts() {
        let done = unless_over(&Deadline::never(), "counting", || Ok(3));
        assert_eq!(done.unwrap(), 3);
        // Even if the deadline is over by then.
        let done = unless_over(&Deadline::after_looks(1_000_000), "counting", || Ok(4));
        assert_eq!(done.unwrap(), 4);
    }

    #[test]
    fn what_does_not_end_is_left_behind() {
        let (_keep, never) = channel::<()>();
        let left = unless_over(&Deadline::after_looks(2), "waiting", move || {
            let _ = never.recv();
            Ok(())
        });
        let failure = left.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Ended(EndCause::Time));
        assert!(failure.message.contains("waiting"), "{}", failure.message);
    }

    #[test]
    fn a_panic_is_an_error_of_labrys() {
        let failed: Outcome<()> = unless_over(&Deadline::never(), "failing", || panic!("here"));
        assert_eq!(failed.unwrap_err().kind, FailureKind::Internal);
    }
}
