//! When work has to end, and why. A deadline is cheap to copy; all copies made for one command see
//! the same flags.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why work has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The user has stopped the command.
    Interrupted,
    /// What is being worked on is of no use any more: another part of the command has failed.
    Cancelled,
    /// The memory of the process is used up.
    Memory,
    /// The time is over.
    Time,
}

/// The end of the time of some work, with the flags that end it earlier.
#[derive(Clone, Debug)]
pub struct Deadline {
    began: Instant,
    until: DeadlineEnd,
    aside: Option<TimeAside>,
    /// Set by the user's signal.
    stop: Arc<AtomicBool>,
    /// Set by whoever watches the memory.
    memory: Arc<AtomicBool>,
    /// Set when the result is of no use any more.
    cancelled: Arc<AtomicBool>,
}

/// Time that is needed before an end for things whose number grows.
#[derive(Clone, Debug)]
struct TimeAside {
    end: Instant,
    things: Arc<AtomicU64>,
    each: Duration,
    most: Duration,
}

impl TimeAside {
    /// When work has to end so that there is time for what is there now.
    fn begins_at(&self) -> Instant {
        let things = u32::try_from(self.things.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        let time = self.each.saturating_mul(things).min(self.most);
        self.end.checked_sub(time).unwrap_or(self.end)
    }
}

#[derive(Clone, Debug)]
enum DeadlineEnd {
    Never,
    At(Instant),
    /// For tests: over after so many looks, whatever the clock says.
    AfterLooks(Arc<AtomicU64>),
}

impl Default for Deadline {
    fn default() -> Self {
        Deadline::never()
    }
}

impl Deadline {
    /// No end but that by a flag.
    pub fn never() -> Self {
        Deadline {
            began: Instant::now(),
            until: DeadlineEnd::Never,
            aside: None,
            stop: Arc::default(),
            memory: Arc::default(),
            cancelled: Arc::default(),
        }
    }

    /// Over when this time has passed from now on.
    pub fn after(time: Duration) -> Self {
        Deadline::never().within(time)
    }

    /// Over after so many looks at it. For tests, which must not depend on a clock.
    pub fn after_looks(looks: u64) -> Self {
        let mut deadline = Deadline::never();
        deadline.until = DeadlineEnd::AfterLooks(Arc::new(AtomicU64::new(looks)));
        deadline
    }

    /// The same with the flag of the user's signal.
    #[must_use]
    pub fn stopped_by(mut self, stop: &Arc<AtomicBool>) -> Self {
        self.stop = stop.clone();
        self
    }

    /// A part of the work that begins now and may use this time, but no more than is left.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let now = Instant::now();
        let mut part = self.clone();
        part.began = now;
        // A time that no clock can show is no limit.
        part.until = match (&self.until, now.checked_add(time)) {
            (DeadlineEnd::Never, None) => DeadlineEnd::Never,
            (DeadlineEnd::Never, Some(at)) => DeadlineEnd::At(at),
            (DeadlineEnd::At(end), at) => DeadlineEnd::At(at.map_or(*end, |at| at.min(*end))),
            (looks @ DeadlineEnd::AfterLooks(_), _) => looks.clone(),
        };
        part
    }

    /// The same work with an end that is earlier by this time.
    #[must_use]
    pub fn earlier_by(&self, time: Duration) -> Self {
        self.moved(|end| end.checked_sub(time).unwrap_or(end))
    }

    /// The same work with an end that is later by this time.
    #[must_use]
    pub fn later_by(&self, time: Duration) -> Self {
        self.moved(|end| end.checked_add(time).unwrap_or(end))
    }

    /// The same work, which ends earlier by so much time for each thing that there is by then, and by
    /// no more than `most`.
    #[must_use]
    pub fn putting_aside(&self, things: &Arc<AtomicU64>, each: Duration, most: Duration) -> Self {
        let mut part = self.clone();
        if let DeadlineEnd::At(end) = part.until {
            let things = things.clone();
            part.aside = Some(TimeAside {
                end,
                things,
                each,
                most,
            });
        }
        part
    }

    fn moved(&self, to: impl FnOnce(Instant) -> Instant) -> Self {
        let mut moved = self.clone();
        if let DeadlineEnd::At(end) = moved.until {
            moved.until = DeadlineEnd::At(to(end));
        }
        moved
    }

    /// The same with a flag of its own to cancel it by: what is made from this one is cancelled
    /// with it, what it was made from is not.
    #[must_use]
    pub fn cancellable(&self) -> Self {
        Deadline {
            cancelled: Arc::default(),
            ..self.clone()
        }
    }

    /// The same, cancelled together with another one.
    #[must_use]
    pub fn cancelled_with(&self, other: &Deadline) -> Self {
        Deadline {
            cancelled: other.cancelled.clone(),
            ..self.clone()
        }
    }

    /// The same, but the user's signal does not end it.
    #[must_use]
    pub fn without_signal(&self) -> Self {
        Deadline {
            stop: Arc::default(),
            ..self.clone()
        }
    }

    /// The same, but the memory of this process does not end it: other processes do the work.
    #[must_use]
    pub fn without_memory(&self) -> Self {
        Deadline {
            memory: Arc::default(),
            ..self.clone()
        }
    }

    /// Ends everything that shares the flag.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Notes whether the memory is used up.
    pub fn set_memory_used_up(&self, used_up: bool) {
        self.memory.store(used_up, Ordering::Relaxed);
    }

    /// Why the work has to end now, if it has to.
    #[inline]
    pub fn cause(&self) -> Option<EndCause> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(EndCause::Interrupted);
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(EndCause::Cancelled);
        }
        if self.memory.load(Ordering::Relaxed) {
            return Some(EndCause::Memory);
        }
        let late = match &self.until {
            DeadlineEnd::Never => false,
            DeadlineEnd::At(end) => {
                let now = Instant::now();
                now >= *end || (self.aside.as_ref()).is_some_and(|aside| now >= aside.begins_at())
            }
            DeadlineEnd::AfterLooks(left) => left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1))
                .is_err(),
        };
        late.then_some(EndCause::Time)
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        self.cause().is_some()
    }

    /// When it ends by the clock; none if there is no such end.
    pub fn ends_at(&self) -> Option<Instant> {
        match &self.until {
            DeadlineEnd::At(end) => Some(match &self.aside {
                Some(aside) => aside.begins_at().min(*end),
                None => *end,
            }),
            DeadlineEnd::Never | DeadlineEnd::AfterLooks(_) => None,
        }
    }

    /// The time that is left; none if there is no end.
    pub fn left(&self) -> Option<Duration> {
        let end = self.ends_at()?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// The time from its beginning to its end; none if there is no end.
    pub fn total(&self) -> Option<Duration> {
        let end = self.ends_at()?;
        Some(end.saturating_duration_since(self.began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_after_the_looks_that_it_was_given() {
        let deadline = Deadline::after_looks(2);
        let part = deadline.within(Duration::ZERO);
        assert_eq!(part.cause(), None);
        assert_eq!(deadline.cause(), None);
        assert_eq!(part.cause(), Some(EndCause::Time));
        assert_eq!(deadline.cause(), Some(EndCause::Time));
    }

    #[test]
    fn a_part_has_no_more_than_is_left() {
        let over = Deadline::after(Duration::ZERO);
        assert_eq!(
            over.within(Duration::from_secs(100)).cause(),
            Some(EndCause::Time)
        );
        assert!(!over.later_by(Duration::from_secs(100)).is_over());
        let long = Deadline::after(Duration::from_secs(1000));
        assert!(!long.is_over());
        assert!(long.within(Duration::ZERO).is_over());
        assert!(long.earlier_by(Duration::from_secs(2000)).is_over());
        assert!(!Deadline::after(Duration::MAX).is_over());
    }

    #[test]
    fn time_is_put_aside_for_what_there_is_by_then() {
        let things: Arc<AtomicU64> = Arc::default();
        let second = Duration::from_secs(1);
        let whole = Deadline::after(1000 * second);
        let work = whole.putting_aside(&things, 100 * second, 5000 * second);
        let part = work.within(500 * second);
        assert!(!work.is_over() && !part.is_over());
        assert_eq!(work.ends_at(), whole.ends_at());
        things.store(4, Ordering::Relaxed);
        assert_eq!(work.ends_at(), whole.earlier_by(400 * second).ends_at());
        assert!(part.ends_at() < work.ends_at());
        things.store(11, Ordering::Relaxed);
        assert!(work.is_over() && part.is_over() && !whole.is_over());
        let bounded = whole.putting_aside(&things, 100 * second, 200 * second);
        assert!(!bounded.is_over());
    }

    #[test]
    fn flags_are_shared_by_all_parts() {
        let stop: Arc<AtomicBool> = Arc::default();
        let whole = Deadline::never().stopped_by(&stop);
        let part = whole.within(Duration::from_secs(1000));
        let outside = part.without_memory();
        whole.set_memory_used_up(true);
        assert_eq!(part.cause(), Some(EndCause::Memory));
        assert_eq!(outside.cause(), None);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(part.cause(), Some(EndCause::Interrupted));
    }

    #[test]
    fn a_part_is_cancelled_without_the_whole() {
        let whole = Deadline::never();
        let part = whole.cancellable();
        let inner = part.within(Duration::from_secs(1000));
        part.cancel();
        assert_eq!(inner.cause(), Some(EndCause::Cancelled));
        assert_eq!(whole.cause(), None);
        let with = whole.cancelled_with(&inner);
        assert_eq!(with.cause(), Some(EndCause::Cancelled));
    }
}
