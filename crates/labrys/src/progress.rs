//! Progress on stderr: a spinner on a terminal, a line every few seconds elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use labrys_driver::output::events::{SearchProgress, Watcher};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Only every so many paths something is shown: a path can take microseconds.
const PATHS_BETWEEN_UPDATES: u64 = 64;

/// Shows how far a search is.
pub struct SearchDisplay {
    bar: Option<ProgressBar>,
    lines: bool,
    last: Instant,
    paths_seen: u64,
}

impl SearchDisplay {
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        });
        SearchDisplay {
            bar,
            lines: !quiet && !terminal,
            last: Instant::now(),
            paths_seen: 0,
        }
    }
}

impl Watcher for SearchDisplay {
    fn searching(&mut self, progress: &SearchProgress<'_>) {
        self.paths_seen += 1;
        if !self.paths_seen.is_multiple_of(PATHS_BETWEEN_UPDATES) {
            return;
        }
        let SearchProgress {
            function,
            covered,
            wanted,
            paths,
            waiting,
            seconds,
        } = progress;
        let text = || {
            format!(
                "{function}: {covered} of {wanted} objectives, {paths} paths, {waiting} candidates, {seconds:.1} s"
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_message(text());
            bar.tick();
        } else if self.lines && self.last.elapsed() >= LINE_EVERY {
            #[allow(clippy::print_stderr)]
            {
                eprintln!("labrys: {}", text());
            }
            self.last = Instant::now();
        }
    }

    fn finished(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar over mutants, shown only on a terminal.
pub fn mutant_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} mutants, {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
