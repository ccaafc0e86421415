//! Candidates: ways that a path could have gone.

use crate::end::FaultKind;
use crate::mcdc::{BegunEvaluation, HalfQuestion};
use crate::state::{Roots, State};
use labrys_expr::{ExprId, Model};
use labrys_ir::{CodePosition, EdgeId, FuncId};
use labrys_solver::PathCondition;
use std::rc::Rc;

/// Where a candidate goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resume {
    /// Over this edge of the current function.
    Edge(EdgeId),
    /// At the current instruction, executed again.
    Again,
    /// At the current instruction, which was not executed yet.
    Continue,
}

/// What a leaf is for: an input that covers a label which is passed at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) label: u32,
    /// Which of the labels passed on the path it is, and the fork point inside its predicate.
    pub(crate) passage: u32,
    pub(crate) fork: u32,
    /// Left behind by another leaf.
    pub(crate) chained: bool,
    /// If the label asks for half a pair: which.
    pub(crate) asked: HalfQuestion,
}

/// Where a fault is reported, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FaultPlace {
    pub(crate) function: FuncId,
    pub(crate) pc: u32,
    pub(crate) kind: FaultKind,
}

#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The state at the fork. `None` if it was dropped to save memory: then the path is replayed
    /// from its input.
    pub(crate) snapshot: Option<Rc<State>>,
    /// Where it waits, innermost call first, if its state was dropped.
    pub(crate) dropped_at: Option<Box<[CodePosition]>>,
    pub(crate) path: PathCondition,
    /// What must hold in addition to the path.
    pub(crate) goal: ExprId,
    pub(crate) resume: Resume,
    /// An input that satisfies path and goal, if one was found at no cost.
    pub(crate) solution: Option<Rc<Model>>,
    /// The input of the run that left it.
    pub(crate) parent: Rc<Model>,
    /// Its fork's number among the fork points of its path.
    pub(crate) number: u32,
    /// Which of the ways at that fork it is.
    pub(crate) ordinal: u32,
    /// Can another thread find it again from the parent's input, number and ordinal?
    pub(crate) portable: bool,
    /// Another candidate includes it: it is only there to be tried early.
    pub(crate) bonus: bool,
    /// The value of the annotated condition with which it starts.
    pub(crate) flip: Option<bool>,
    /// The fault in which it ends for certain, with its next steps.
    pub(crate) fault: Option<FaultPlace>,
    /// It is kept whatever lies ahead of it: its instruction checks for an error that no run has
    /// shown yet.
    pub(crate) unfiltered: bool,
    /// Candidates that waited before its run lead to all its paths as well.
    pub(crate) repeats: bool,
    /// The decisions with pairs that are being evaluated, as far as they are on this way.
    pub(crate) evaluation: Option<Rc<BegunEvaluation>>,
    /// A label that its path has covered as a leaf.
    pub(crate) leaf_label: Option<u32>,
    /// Set if it only serves to cover a label.
    pub(crate) leaf: Option<Leaf>,
}

impl Candidate {
    /// Marks the expressions that it needs.
    pub(crate) fn mark(&self, roots: &mut Roots<'_>) {
        roots.expression(self.goal);
        roots.path(&self.path);
        if let Some(snapshot) = &self.snapshot {
            roots.snapshot(snapshot);
        }
    }

    /// Gives its state back to save memory; true if it had one. A search that goes by places still
    /// knows where it waits.
    pub(crate) fn drop_snapshot(&mut self) -> bool {
        let Some(state) = self.snapshot.take() else {
            return false;
        };
        self.dropped_at = Some(calls(&state).collect());
        // Its input is found again when it is needed.
        self.solution
            .take_if(|solution| !Rc::ptr_eq(solution, &self.parent));
        true
    }

    /// Where it waits, innermost call first; nothing if that is not known.
    pub(crate) fn calls(&self) -> Vec<CodePosition> {
        match (&self.snapshot, &self.dropped_at) {
            (Some(state), _) => calls(state).collect(),
            (None, Some(places)) => places.to_vec(),
            (None, None) => Vec::new(),
        }
    }

    /// A path that goes on from a state, with an input that leads there.
    pub(crate) fn to_go_on(state: State, model: Rc<Model>, yes: ExprId) -> Self {
        Candidate {
            path: state.path.clone(),
            goal: yes,
            resume: Resume::Continue,
            solution: Some(model.clone()),
            parent: model,
            evaluation: state.evaluation.clone(),
            leaf_label: state.leaf_label,
            repeats: state.repeats,
            snapshot: Some(Rc::new(state)),
            ..Candidate::empty()
        }
    }

    /// One without a state, to test and to measure what only passes candidates on.
    pub(crate) fn empty() -> Self {
        Candidate {
            snapshot: None,
            dropped_at: None,
            path: PathCondition::new(),
            goal: labrys_expr::Arena::new().yes(),
            resume: Resume::Again,
            solution: None,
            parent: Rc::default(),
            number: 0,
            ordinal: 0,
            portable: false,
            bonus: false,
            flip: None,
            fault: None,
            unfiltered: false,
            repeats: false,
            evaluation: None,
            leaf_label: None,
            leaf: None,
        }
    }
}

/// Calls further out than this do not count for a distance: in a deep recursion, each candidate would
/// look at all of them.
const MOST_FRAMES: usize = 1_000;

impl State {
    /// Are these the places of its calls, innermost first?
    pub(crate) fn waits_at(&self, places: &[CodePosition]) -> bool {
        calls(self).eq(places.iter().copied())
    }
}

/// The places of a state's calls, innermost first.
fn calls(state: &State) -> impl Iterator<Item = CodePosition> + '_ {
    let frames = std::iter::successors(Some(&state.frame), |frame| frame.parent.as_deref());
    frames.take(MOST_FRAMES).map(|frame| CodePosition {
        function: frame.function,
        place: frame.pc,
    })
}
