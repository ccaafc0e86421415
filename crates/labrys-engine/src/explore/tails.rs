//! The ends of paths that were suspended: a program that is one large loop may take thousands of turns
//! before it ends by itself, and no test counts without its end. What such a path has shown would be looked
//! for again and again.

use super::Explorer;
use crate::end::PathEnd;
use crate::exec::RunMode;

/// So many instructions are executed for the sake of an end.
const LONGEST_TAIL: u64 = 16_000_000;

/// And so many expressions are made.
const MOST_TAIL_EXPRESSIONS: usize = 300_000;

/// When an end is looked for. Paths without any end cost a tail each, so the pauses between them double.
#[derive(Debug, Default)]
pub(super) struct Tails {
    /// So many suspended paths are left out.
    pause: u32,
    left_out: u32,
}

impl Tails {
    fn is_due(&mut self) -> bool {
        let is_due = self.left_out >= self.pause;
        self.left_out = if is_due { 0 } else { self.left_out + 1 };
        is_due
    }

    fn learn(&mut self, has_ended: bool) {
        self.pause = match has_ended {
            true => 0,
            false => self.pause.saturating_mul(2).max(1),
        };
    }
}

impl Explorer<'_> {
    /// Runs the path that was just suspended to its end, if it has shown something new. True if that
    /// counts.
    pub(super) fn run_to_the_end(&mut self) -> bool {
        if !self.has_shown_news() || !self.tails.is_due() {
            return false;
        }
        let m = &mut self.machine;
        m.mode = RunMode::Tail;
        m.pace.slice_end = m.state.steps.saturating_add(LONGEST_TAIL);
        m.pace.most_expressions = m.arena.live() + MOST_TAIL_EXPRESSIONS;
        m.pace.most_inputs = m.state.inputs.len() + m.config.slice_inputs;
        let end = m.run();
        m.mode = RunMode::Search;
        let has_ended = end != PathEnd::Suspended;
        self.tails.learn(has_ended);
        has_ended && self.finish(end)
    }

    /// Has the current path, which was made to explore, covered what no other has?
    fn has_shown_news(&self) -> bool {
        let m = &self.machine;
        let is_free = matches!(m.mode, RunMode::Search)
            && m.state.speculation.is_none()
            && m.states.is_none()
            && m.loop_proof.is_none();
        is_free && m.all_hits().iter().any(|o| !m.findings.covered.contains(o))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_until_a_path_ends() {
        let mut tails = Tails::default();
        let mut looks = Vec::new();
        for _ in 0..12 {
            let is_due = tails.is_due();
            if is_due {
                tails.learn(false);
            }
            looks.push(u8::from(is_due));
        }
        assert_eq!(looks, [1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
        tails.learn(true);
        assert!(tails.is_due());
    }
}
