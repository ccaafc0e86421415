//! Progress on stderr: a spinner on a terminal, a line every few seconds elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use labrys_driver::output::events::{SearchProgress, Watcher};
use labrys_mutate::ScoringProgress;
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

/// Shows how many mutants are done, how many were killed, and how long the rest may take.
pub struct MutantDisplay {
    bar: Option<ProgressBar>,
    lines: bool,
    /// When the mutants began, and how many were done then.
    first: Option<(Instant, usize)>,
    last: Instant,
}

impl MutantDisplay {
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
                bar.set_style(style);
            }
            bar.set_message("building the program with its mutants");
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        MutantDisplay {
            bar,
            lines: !quiet && !terminal,
            first: None,
            last: Instant::now(),
        }
    }

    pub fn show(&mut self, progress: ScoringProgress) {
        let (done, all) = match progress {
            ScoringProgress::Baselines { done, all }
            | ScoringProgress::Mutants { done, all, .. } => (done, all),
        };
        // The time left is that of the mutants, not of the runs before them, and mutants that
        // no test comes to take none.
        if matches!(progress, ScoringProgress::Baselines { .. }) {
            self.first = None;
        }
        let (started, first) = *self.first.get_or_insert((Instant::now(), done));
        let text = || mutants_text(progress, first, started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(text());
        } else if self.lines && self.last.elapsed() >= LINE_EVERY {
            #[allow(clippy::print_stderr)]
            {
                eprintln!("labrys: {}", text());
            }
            self.last = Instant::now();
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `12/40 mutants, 9 killed, 3 s left`
fn mutants_text(progress: ScoringProgress, first: usize, elapsed: Duration) -> String {
    match progress {
        ScoringProgress::Baselines { done, all } => {
            format!("{done}/{all} tests run without mutants")
        }
        ScoringProgress::Mutants { done, killed, all } => {
            let new = done.saturating_sub(first);
            let left = (elapsed.as_secs_f64() / new as f64) * all.saturating_sub(done) as f64;
            let left = match new {
                0 => String::new(),
                _ => format!(", {left:.0} s left"),
            };
            format!("{done}/{all} mutants, {killed} killed{left}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_comes_from_the_mutants_that_are_done() {
        let text = |done| {
            let progress = ScoringProgress::Mutants {
                done,
                killed: 3,
                all: 40,
            };
            mutants_text(progress, 5, Duration::from_secs(5))
        };
        assert_eq!(text(10), "10/40 mutants, 3 killed, 30 s left");
        assert_eq!(text(5), "5/40 mutants, 3 killed");
    }
}
