//! SIGINT and SIGTERM: the first asks the work to stop, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first signal sets.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The second signal: the user does not want to wait.
            #[allow(clippy::exit)]
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("cannot catch SIGINT: {error}");
    }
    stop
}
