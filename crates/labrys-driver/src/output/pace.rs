//! How often files are written while a command runs: so that one that is killed leaves what it has
//! found, and that writing costs next to nothing.

use std::time::{Duration, Instant};

/// Files are written at most once in this time.
const AT_LEAST: Duration = Duration::from_secs(1);

/// Writing takes at most one part in so many of the time: large files are written less often.
const SHARE: u32 = 50;

/// When the next writing is due, if something is new.
pub(crate) struct WritingPace {
    due: Instant,
    is_fresh: bool,
}

impl Default for WritingPace {
    fn default() -> Self {
        WritingPace {
            due: Instant::now() + AT_LEAST,
            is_fresh: false,
        }
    }
}

impl WritingPace {
    /// Something is new.
    pub(crate) fn note_news(&mut self) {
        self.is_fresh = true;
    }

    /// How long what is new may wait; nothing new may wait for ever.
    pub(crate) fn wait(&self) -> Option<Duration> {
        self.is_fresh
            .then(|| self.due.saturating_duration_since(Instant::now()))
    }

    /// Writes if that is due.
    pub(crate) fn write_if_due(&mut self, write: impl FnOnce()) {
        let now = Instant::now();
        if self.is_fresh && now >= self.due {
            write();
            self.is_fresh = false;
            self.due = Instant::now() + AT_LEAST.max(now.elapsed() * SHARE);
        }
    }
}
