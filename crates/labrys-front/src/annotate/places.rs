//! Labels that stand at one place, and how they are written there.
//!
//! A place is an expression: its labels are evaluated right before it, `(LABEL, LABEL, e)`. Two
//! objectives with the same predicate at the same place share a label, whatever criteria they
//! belong to, so they are searched for once.

use super::{Annotator, take};
use crate::align::Excerpt;
use labrys_ledger::{Criterion, Trigger};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What must hold for a label to be covered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Predicate {
    /// A C expression over what is visible at the place.
    pub text: String,
    /// Evaluating it can fault or branch.
    pub risky: bool,
}

/// In which notation annotations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Calls that the engine and the native runtime understand.
    #[default]
    Calls,
    /// `pc_label(predicate, id, "tag")`, for `labrys label`.
    Ltest,
}

/// The labels of one place.
#[derive(Default)]
pub(super) struct Place {
    known: BTreeMap<Predicate, u32>,
    written: Vec<(u32, Predicate, &'static str)>,
}

impl Place {
    pub(super) fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The labels as the left operands of commas.
    pub(super) fn before(&self, notation: Notation) -> String {
        let mut out = String::new();
        for (id, predicate, tag) in &self.written {
            let _ = write!(out, "{}, ", written(notation, *id, predicate, tag));
        }
        out
    }

    /// The labels as statements.
    pub(super) fn statements(&self, notation: Notation) -> String {
        let mut out = String::new();
        for (id, predicate, tag) in &self.written {
            let _ = write!(out, " {};", written(notation, *id, predicate, tag));
        }
        out
    }
}

fn written(notation: Notation, id: u32, predicate: &Predicate, tag: &str) -> String {
    let text = &predicate.text;
    match notation {
        Notation::Ltest => format!("pc_label({text}, {id}, \"{tag}\")"),
        Notation::Calls if predicate.risky => format!("LABRYS_LABEL({id}, {text})"),
        Notation::Calls => format!("LABRYS_LABEL_SAFE({id}, {text})"),
    }
}

/// The short name of a criterion, as LTest writes it into its labels.
pub(super) fn tag(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Statement => "IC",
        Criterion::Function => "FC",
        Criterion::Call => "FCC",
        Criterion::Branch => "BC",
        Criterion::Decision => "DC",
        Criterion::Condition => "CC",
        Criterion::DecisionCondition => "DCC",
        Criterion::MultipleCondition => "MCC",
        Criterion::Gacc => "GACC",
        Criterion::Gicc => "GICC",
        Criterion::Boundary => "BOUND",
        Criterion::InputDomain => "IDC",
        Criterion::Rte => "RTE",
        Criterion::WeakMutation => "WM",
        Criterion::Path => "PATH",
        Criterion::Labels => "LABEL",
    }
}

impl Annotator<'_> {
    /// An objective that a label at this place covers.
    pub(super) fn label_at(
        &mut self,
        place: &mut Place,
        criterion: Criterion,
        at: &Excerpt,
        text: String,
        predicate: Predicate,
    ) {
        let id = match place.known.get(&predicate) {
            Some(id) => *id,
            None => {
                let id = take(&mut self.session.numbers.label);
                place.known.insert(predicate.clone(), id);
                place.written.push((id, predicate, tag(criterion)));
                id
            }
        };
        self.objective(criterion, at, text, Trigger::Label { id });
    }

    /// Begins an expression with the labels of a place. True if [`Self::close`] must follow.
    pub(super) fn open(&mut self, place: &Place, begin: u32) -> bool {
        if place.is_empty() {
            return false;
        }
        let labels = place.before(self.context.plan.notation);
        self.edits.before(begin, format!("({labels}"));
        true
    }

    pub(super) fn close(&mut self, opened: bool, end: u32) {
        if opened {
            self.edits.after(end, ")");
        }
    }

    /// A variable of the function for annotations, declared where its body begins.
    pub(super) fn temporary(&mut self, declaration: String) {
        self.temporaries.push_str(&declaration);
    }
}
