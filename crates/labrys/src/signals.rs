//! SIGINT, SIGTERM and SIGHUP: the first asks the work to stop, the second ends the process.

use crate::exit::Exit;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The number of the last signal.
static RECEIVED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// A flag that the first signal sets.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if let Err(error) = catch(signal, &stop) {
            tracing::warn!("cannot catch signal {signal}: {error}");
        }
    }
    stop
}

fn catch(signal: i32, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    let received = RECEIVED.get_or_init(Arc::default);
    // In this order: when the flag is set already, the user does not want to wait.
    flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())?;
    flag::register_usize(signal, received.clone(), signal.unsigned_abs() as usize)?;
    flag::register(signal, stop.clone())?;
    Ok(())
}

/// How a command ends that a signal has stopped.
pub fn exit_after_signal() -> Exit {
    let received = RECEIVED.get().map_or(0, |r| r.load(Ordering::Relaxed));
    match i32::try_from(received) {
        Ok(SIGTERM) => Exit::Terminated,
        Ok(SIGHUP) => Exit::HungUp,
        _ => Exit::Interrupted,
    }
}
