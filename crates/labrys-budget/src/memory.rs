//! The memory of this process. A thread compares it with the limit and notes in the deadline when
//! it is used up; whoever can give memory back does so, and takes the note back.

use crate::deadline::Deadline;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time between two looks at the memory. A program that fills it with 2 GB a second is seen
/// after 20 MB more.
const PAUSE: Duration = Duration::from_millis(10);

/// Watches the memory until it is dropped.
pub struct MemoryWatch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// From now on, the deadline ends when the process uses more than `limit` bytes.
pub fn watch_memory(limit: u64, deadline: &Deadline) -> MemoryWatch {
    watch(limit, deadline, resident_bytes)
}

fn watch(limit: u64, deadline: &Deadline, used: fn() -> Option<u64>) -> MemoryWatch {
    let deadline = deadline.clone();
    let (end, ended) = channel();
    let look = move || {
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PAUSE) {
            if used().is_some_and(|used| used > limit) {
                deadline.set_memory_used_up(true);
            }
        }
    };
    let thread = std::thread::Builder::new().name("memory".to_owned());
    MemoryWatch {
        end: Some(end),
        thread: thread.spawn(look).ok(),
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Resident memory of this process.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Asks the allocator to give free memory back, else it would be counted on and on.
pub fn release_memory() {
    // SAFETY: malloc_trim has no preconditions.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::EndCause;

    #[test]
    fn the_deadline_ends_when_the_memory_is_used_up() {
        let deadline = Deadline::never();
        let watch = watch(1000, &deadline, || Some(1001));
        while !deadline.is_over() {
            std::thread::yield_now();
        }
        assert_eq!(deadline.cause(), Some(EndCause::Memory));
        drop(watch);
    }

    #[test]
    fn what_stays_below_the_limit_goes_on() {
        let deadline = Deadline::never();
        drop(watch(1000, &deadline, || Some(1000)));
        assert!(!deadline.is_over());
        assert!(resident_bytes().unwrap() > 0);
    }
}
