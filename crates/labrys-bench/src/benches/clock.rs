//! Processor time, which other programs on the machine disturb less than the time of day.

use labrys_driver::{Failure, Outcome};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use std::process::Command;
use std::time::Duration;

/// Runs something and gives the processor time that this thread used for it, together with the
/// programs that it started and waited for.
pub fn cpu_time<T>(work: impl FnOnce() -> T) -> Outcome<(T, Duration)> {
    let now = || {
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
            .map(Duration::from)
            .map_err(|e| Failure::internal(format_args!("cannot read the processor time: {e}")))
    };
    let start = now()? + children()?;
    let result = work();
    Ok((result, (now()? + children()?).saturating_sub(start)))
}

/// Runs a program to its end and gives its output with the processor time that it used.
pub fn run_child(command: &mut Command) -> Outcome<(Vec<u8>, Duration)> {
    let start = children()?;
    let output = command
        .output()
        .map_err(|e| Failure::usage(format_args!("cannot run {command:?}: {e}")))?;
    let used = children()?.saturating_sub(start);
    if !output.status.success() {
        return Err(Failure::usage(format_args!(
            "{command:?} failed: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )));
    }
    Ok((output.stdout, used))
}

/// Processor time of all children that have ended.
fn children() -> Outcome<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_err(|e| Failure::internal(format_args!("cannot read the processor time: {e}")))?;
    let used = usage.user_time() + usage.system_time();
    Ok(Duration::from_micros(
        used.num_microseconds().unsigned_abs(),
    ))
}

/// The middle one, of an even number the larger of the middle ones.
pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn time_asleep_is_not_processor_time() {
        let nap = || std::thread::sleep(Duration::from_millis(50));
        let ((), used) = cpu_time(nap).map_err(|e| e.message).unwrap();
        assert!(used < Duration::from_millis(25), "{used:?}");
        let (_, used) = run_child(Command::new("sleep").arg("0.05"))
            .map_err(|e| e.message)
            .unwrap();
        assert!(used < Duration::from_millis(25), "{used:?}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let ms = Duration::from_millis;
        assert_eq!(median(&mut [ms(9), ms(1), ms(5)]), ms(5));
        assert_eq!(median(&mut []), Duration::ZERO);
    }
}
