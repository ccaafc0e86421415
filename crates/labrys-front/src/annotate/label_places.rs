//! Labels that stand at one place, and how they are written there.
//!
//! A place is an expression: its labels are evaluated right before it, `(LABEL, LABEL, e)`. Two
//! objectives with the same predicate at the same place share a label, whatever criteria they
//! belong to, so they are searched for once.

use super::{Annotator, next_number};
use crate::align::Excerpt;
use crate::ast::AstNode;
use labrys_ledger::{Criterion, Trigger};
use std::collections::BTreeMap;

/// What must hold for a label to be covered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LabelPredicate {
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
pub(super) struct LabelPlace {
    ids: BTreeMap<LabelPredicate, u32>,
    written: Vec<PlacedLabel>,
}

struct PlacedLabel {
    id: u32,
    predicate: LabelPredicate,
    tag: &'static str,
    /// A question of the engine: nothing that a native run would report.
    hidden: bool,
}

impl LabelPlace {
    pub(super) fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The labels as C expressions.
    fn labels(&self, notation: Notation) -> impl Iterator<Item = String> {
        self.written.iter().map(move |label| label.text(notation))
    }

    /// The labels as the left operands of commas.
    pub(super) fn before(&self, notation: Notation) -> String {
        self.labels(notation).map(|label| label + ", ").collect()
    }

    /// The labels as statements.
    pub(super) fn statements(&self, notation: Notation) -> String {
        self.labels(notation)
            .map(|label| format!(" {label};"))
            .collect()
    }
}

impl PlacedLabel {
    fn text(&self, notation: Notation) -> String {
        let (id, text, tag) = (self.id, &self.predicate.text, self.tag);
        let name = match (self.hidden, self.predicate.risky) {
            _ if notation == Notation::Ltest => {
                return format!("pc_label({text}, {id}, \"{tag}\")");
            }
            (true, true) => "LABRYS_HALF",
            (true, false) => "LABRYS_HALF_SAFE",
            (false, true) => "LABRYS_LABEL",
            (false, false) => "LABRYS_LABEL_SAFE",
        };
        format!("{name}({id}, {text})")
    }
}

/// The short name of a criterion, as LTest writes it into its labels.
pub fn tag(criterion: Criterion) -> &'static str {
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
        Criterion::Mcdc => "MCDC",
        Criterion::McdcUnique => "MCDCU",
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
        place: &mut LabelPlace,
        criterion: Criterion,
        at: &Excerpt,
        text: String,
        predicate: LabelPredicate,
    ) {
        let id = match place.ids.get(&predicate) {
            Some(id) => *id,
            None => {
                let id = next_number(&mut self.program.numbers.label);
                place.ids.insert(predicate.clone(), id);
                place.written.push(PlacedLabel {
                    id,
                    predicate,
                    tag: tag(criterion),
                    hidden: false,
                });
                id
            }
        };
        self.objective(criterion, at, text, Trigger::Label { id });
    }

    /// A label at this place that is no objective.
    pub(super) fn hidden_label(
        &mut self,
        place: &mut LabelPlace,
        predicate: LabelPredicate,
    ) -> u32 {
        let id = next_number(&mut self.program.numbers.label);
        place.written.push(PlacedLabel {
            id,
            predicate,
            tag: tag(Criterion::Mcdc),
            hidden: true,
        });
        id
    }

    /// Begins an expression with the labels of a place. True if [`Self::close`] must follow.
    pub(super) fn open(&mut self, place: &LabelPlace, node: &AstNode) -> bool {
        let labels: Vec<String> = place.labels(self.context.plan.notation).collect();
        self.open_labels(&labels, node)
    }

    /// The same for labels as text. To be read by people, those of an expression with which a
    /// statement begins stand on lines of their own before the statement.
    pub(super) fn open_labels(&mut self, labels: &[String], node: &AstNode) -> bool {
        let Some((begin, _)) = node.span().filter(|_| !labels.is_empty()) else {
            return false;
        };
        match self.first_expression {
            Some((id, statement)) if id == node.id => {
                let (start, line) = self.context.source.line_around(statement);
                let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
                let alone = (statement - start) as usize == indent.len();
                let between = if alone {
                    format!("\n{indent}")
                } else {
                    " ".to_owned()
                };
                let text: String = labels.iter().map(|l| format!("{l};{between}")).collect();
                self.edits.before(statement, text);
                false
            }
            _ => {
                self.edits
                    .before(begin, format!("({}, ", labels.join(", ")));
                true
            }
        }
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
