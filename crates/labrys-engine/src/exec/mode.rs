//! What a run is for. It decides whether the run leaves candidates behind and where it ends.

use super::Machine;
use super::pair_run::PairRun;
use super::trail::Trail;
use super::trial::Trial;

/// What the current run is for.
#[derive(Debug, Default)]
pub(crate) enum RunMode {
    /// To explore: a candidate is left behind wherever the path could have gone another way.
    #[default]
    Search,
    /// To cover a label, and then to run on to the end of the path for the sake of a test.
    Leaf(LeafRun),
    /// To bring a path to its end that was suspended, for the sake of a test. Nothing is left behind: the
    /// suspended path does that when it goes on.
    Tail,
    /// To come to a fork point again along a known path. Nothing is left behind.
    Replay { until: ReplayTarget },
    /// To leave the candidates of one fork point behind again; it ends at the next one.
    ForkAgain { until: ReplayTarget },
    /// To follow a given input and note what it passes. Nothing is left behind.
    Follow(Box<Trail>),
    /// To try an input that was put together of others, or to see how it is read. Nothing is left behind.
    Trial(Box<Trial>),
    /// To look for an input that tells a mutant from the original. Candidates are left behind.
    Pair(Box<PairRun>),
}

/// The run of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafRun {
    pub(crate) label: u32,
    pub(crate) progress: LeafProgress,
    /// Candidates are left behind once the label is covered.
    pub(crate) forks_behind_label: bool,
}

/// How far the run of a leaf has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafProgress {
    /// The label is not covered yet.
    Before,
    /// The label is covered.
    Covered,
    /// The label was covered, but an assumption behind it has discarded the run.
    Discarded,
}

/// How far a path is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayTarget {
    /// Up to this fork point of the program.
    Fork(u32),
    /// Up to a fork point inside the predicate of the label that is passed as this one.
    Label { passage: u32, fork: u32 },
}

impl RunMode {
    /// Does the run leave candidates behind?
    #[inline]
    pub(crate) fn forks(&self) -> bool {
        match self {
            RunMode::Search | RunMode::ForkAgain { .. } => true,
            RunMode::Pair(run) => !run.only_follows,
            RunMode::Leaf(leaf) => leaf.forks_behind_label && leaf.progress != LeafProgress::Before,
            RunMode::Tail | RunMode::Replay { .. } | RunMode::Follow(_) | RunMode::Trial(_) => {
                false
            }
        }
    }

    /// The fork point at which the run ends.
    #[inline]
    pub(crate) fn until(&self) -> Option<ReplayTarget> {
        match self {
            RunMode::Replay { until } | RunMode::ForkAgain { until } => Some(*until),
            RunMode::Pair(run) => run.until,
            RunMode::Search
            | RunMode::Leaf(_)
            | RunMode::Tail
            | RunMode::Follow(_)
            | RunMode::Trial(_) => None,
        }
    }

    /// Can the run be suspended when it takes long?
    #[inline]
    pub(crate) fn may_be_suspended(&self) -> bool {
        let only_runs_on = matches!(
            self,
            RunMode::Pair(_) | RunMode::Follow(_) | RunMode::Tail | RunMode::Trial(_)
        );
        only_runs_on || !self.returns_to_a_fork() && self.forks()
    }

    /// Does the run only come to a place again where another run was?
    #[inline]
    pub(crate) fn returns_to_a_fork(&self) -> bool {
        self.until().is_some()
    }

    /// Is it the run of a mutant beside a path of the original?
    #[inline]
    pub(crate) fn is_mutant(&self) -> bool {
        matches!(self, RunMode::Pair(run) if !run.is_original())
    }

    /// The label that the run is to cover, and has not yet.
    #[inline]
    pub(crate) fn wanted_label(&self) -> Option<u32> {
        match self {
            RunMode::Leaf(leaf) if leaf.progress == LeafProgress::Before => Some(leaf.label),
            _ => None,
        }
    }

    /// The label that the run has covered as its leaf.
    pub(crate) fn covered_label(&self) -> Option<u32> {
        match self {
            RunMode::Leaf(leaf) if leaf.progress == LeafProgress::Covered => Some(leaf.label),
            _ => None,
        }
    }

    /// Was the run of a leaf discarded that might survive on another way from the label on?
    pub(crate) fn lost_its_leaf(&self) -> bool {
        matches!(self, RunMode::Leaf(leaf)
            if leaf.progress == LeafProgress::Discarded && !leaf.forks_behind_label)
    }

    /// Does the program see plain values instead of inputs?
    #[inline]
    pub(crate) fn has_plain_values(&self) -> bool {
        matches!(self, RunMode::Trial(trial) if trial.is_plain())
    }

    /// What is noted of a run that only follows its input.
    #[inline]
    pub(crate) fn trail(&self) -> Option<&Trail> {
        match self {
            RunMode::Follow(trail) => Some(trail),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn trail_mut(&mut self) -> Option<&mut Trail> {
        match self {
            RunMode::Follow(trail) => Some(trail),
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// The run has covered the label that it was for.
    pub(super) fn leaf_is_covered(&mut self) {
        if let RunMode::Leaf(leaf) = &mut self.mode {
            leaf.progress = LeafProgress::Covered;
            if leaf.forks_behind_label {
                self.state.leaf_label = Some(leaf.label);
            }
        }
    }

    /// A leaf may have covered its label, but an assumption behind it has discarded the run. Other
    /// ways from the label on may not end like that.
    pub(crate) fn discard_leaf(&mut self) {
        if let RunMode::Leaf(leaf) = &mut self.mode
            && leaf.progress == LeafProgress::Covered
        {
            leaf.progress = LeafProgress::Discarded;
        }
    }
}
