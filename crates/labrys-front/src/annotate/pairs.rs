//! MC/DC: one objective for each condition of a decision, its pair of evaluations.
//!
//! The decision is measured in place: its conditions report their outcomes, and behind it
//! `labrys_vector` reports which of them were evaluated and which were true. Where all conditions
//! are pure, labels before the decision say which halves of pairs the coming evaluation would
//! have. They are no objectives; they are questions that the engine and the static analysis can
//! ask without walking through the decision.

use super::Annotator;
use super::decisions::{DecisionWrapping, MAX_CONDITIONS_IN_PLACE, SourceDecision, variable_names};
use super::formula::Formula;
use super::label_places::{LabelPredicate, Notation};
use super::purity::can_fault;
use crate::align::Excerpt;
use labrys_ledger::decision::Condition;
use labrys_ledger::{Criterion, Trigger};

pub(super) const ON_PAIRS: [Criterion; 2] = [Criterion::Mcdc, Criterion::McdcUnique];

/// A predicate in C that is 0 or 1.
#[derive(Clone)]
struct CTerm {
    text: String,
    faults: bool,
}

impl CTerm {
    fn constant(value: bool) -> CTerm {
        CTerm {
            text: u8::from(value).to_string(),
            faults: false,
        }
    }

    /// Both hold. What can fault is evaluated only where the decision evaluates it.
    fn and(self, right: CTerm) -> CTerm {
        self.join(right, "&", "0", "1")
    }

    fn or(self, right: CTerm) -> CTerm {
        self.join(right, "|", "1", "0")
    }

    fn join(self, right: CTerm, sign: &str, strong: &str, neutral: &str) -> CTerm {
        if self.text == strong || right.text == neutral {
            return self;
        }
        if self.text == neutral || right.text == strong {
            return right;
        }
        let twice = if right.faults { sign } else { "" };
        CTerm {
            text: format!("({} {sign}{twice} {})", self.text, right.text),
            faults: self.faults | right.faults,
        }
    }
}

type ConditionTerm<'a> = &'a dyn Fn(usize, bool) -> CTerm;

/// That the formula comes out with this value.
fn is(formula: &Formula, value: bool, words: ConditionTerm) -> CTerm {
    match formula {
        Formula::Condition(c) => words(*c, value),
        Formula::Constant(b) => CTerm::constant(*b == value),
        Formula::Not(f) => is(f, !value, words),
        Formula::And(l, r) | Formula::Or(l, r) => {
            let (left, right) = (is(l, value, words), is(r, value, words));
            match value == matches!(formula, Formula::And(..)) {
                true => left.and(right),
                false => left.or(right),
            }
        }
    }
}

/// That the condition is evaluated to this value and decides, and the result that follows.
fn half(formula: &Formula, condition: usize, value: bool, words: ConditionTerm) -> (CTerm, bool) {
    match formula {
        Formula::Condition(_) | Formula::Constant(_) => (words(condition, value), value),
        Formula::Not(f) => {
            let (term, result) = half(f, condition, value, words);
            (term, !result)
        }
        Formula::And(l, r) | Formula::Or(l, r) => {
            // This value of the left operand lets the right one through.
            let through = matches!(formula, Formula::And(..));
            if !l.has(condition) {
                let (term, result) = half(r, condition, value, words);
                return (is(l, through, words).and(term), result);
            }
            let (term, result) = half(l, condition, value, words);
            let beside = match result == through {
                true => is(r, through, words),
                // Not evaluated: it counts as whatever lets the left operand through.
                false => CTerm::constant(r.can_be(through)),
            };
            (term.and(beside), result)
        }
    }
}

impl Annotator<'_> {
    /// The objectives of a decision, and what has to be inserted for them.
    pub(super) fn pairs(&mut self, decision: &SourceDecision, wraps: &mut DecisionWrapping) {
        let count = decision.conditions.len();
        let constant = decision.conditions.iter().all(|c| c.constant.is_some());
        if !self.context.plan.wanted.has_any(&ON_PAIRS) || constant {
            return;
        }
        let Some(whole) = decision.span.map(|span| self.excerpt(span)) else {
            return;
        };
        if count > MAX_CONDITIONS_IN_PLACE {
            self.program.notes.insert(format!(
                "{}:{}: the decision has {count} conditions, more than {MAX_CONDITIONS_IN_PLACE}: its pairs are no objectives of mcdc",
                whole.file, whole.line
            ));
            return;
        }
        if self.context.plan.notation == Notation::Ltest {
            return self.halves_as_objectives(decision, wraps);
        }
        wraps.events.fill(true);
        wraps.vector = count > 1;
        let mut conditions = Vec::new();
        for (index, condition) in decision.conditions.iter().enumerate() {
            let Some(at) = self.excerpt_of_condition(decision, index) else {
                return;
            };
            let labels = match condition.constant {
                None if decision.pure && count > 1 => {
                    Some([true, false].map(|value| self.half_label(decision, index, value, wraps)))
                }
                _ => None,
            };
            conditions.push(Condition {
                text: super::conditions::without_parentheses(&at.text).to_owned(),
                line: at.line,
                column: at.column,
                constant: condition.constant,
                labels,
            });
        }
        self.pair_objectives(decision, conditions, &whole);
    }

    /// Enters a decision with the objectives of its conditions.
    pub(super) fn pair_objectives(
        &mut self,
        decision: &SourceDecision,
        conditions: Vec<Condition>,
        whole: &Excerpt,
    ) {
        for (index, condition) in conditions.iter().enumerate() {
            let Some(at) = self.excerpt_of_condition(decision, index) else {
                continue;
            };
            if condition.constant.is_some() {
                continue;
            }
            let text = match conditions.len() {
                1 => format!("{} is true and is false", condition.text),
                _ => format!("{} decides {}", condition.text, decision.shown),
            };
            for criterion in ON_PAIRS {
                if self.context.plan.wanted.has(criterion) {
                    let trigger = Trigger::Pair {
                        decision: decision.number,
                        condition: index as u32,
                        unique: criterion == Criterion::McdcUnique,
                    };
                    self.objective(criterion, &at, text.clone(), trigger);
                }
            }
        }
        self.program.decisions.push(labrys_ledger::Decision {
            number: decision.number,
            function: self.name.clone(),
            file: whole.file.to_string(),
            line: whole.line,
            column: whole.column,
            text: decision.shown.clone(),
            formula: decision.formula.clone(),
            conditions,
        });
    }

    /// The label of a half before the decision.
    fn half_label(
        &mut self,
        decision: &SourceDecision,
        index: usize,
        value: bool,
        wraps: &mut DecisionWrapping,
    ) -> u32 {
        let predicate = self.half_predicate(decision, index, value);
        self.hidden_label(&mut wraps.place, predicate)
    }

    fn half_predicate(
        &self,
        decision: &SourceDecision,
        index: usize,
        value: bool,
    ) -> LabelPredicate {
        let words = |i: usize, v: bool| CTerm {
            text: self.value_of(decision, i, v),
            faults: can_fault(decision.conditions[i].node),
        };
        let (term, _) = half(&decision.formula, index, value, &words);
        let all: Vec<usize> = (0..decision.conditions.len()).collect();
        LabelPredicate {
            text: term.text,
            risky: self.is_any_risky(decision, &all),
        }
    }

    /// LTest's notation has no pairs: each half is a label of its own.
    fn halves_as_objectives(&mut self, decision: &SourceDecision, wraps: &mut DecisionWrapping) {
        let wanted = self.context.plan.wanted;
        for criterion in ON_PAIRS.into_iter().filter(|c| wanted.has(*c)) {
            self.program.notes.insert(format!(
                "{criterion}: LTest's notation has no pairs; each pair is two labels, one for each value of the condition where it decides"
            ));
            for index in decision.open() {
                for value in [true, false] {
                    self.half_objective(criterion, decision, index, value, wraps);
                }
            }
        }
    }

    fn half_objective(
        &mut self,
        criterion: Criterion,
        decision: &SourceDecision,
        index: usize,
        value: bool,
        wraps: &mut DecisionWrapping,
    ) {
        let Some(at) = self.excerpt_of_condition(decision, index) else {
            return;
        };
        let text = match decision.conditions.len() {
            1 => super::decisions::outcome(&at, value),
            _ => format!(
                "{} and decides {}",
                super::decisions::outcome(&at, value),
                decision.shown
            ),
        };
        if decision.pure {
            let predicate = self.half_predicate(decision, index, value);
            self.label_at(&mut wraps.place, criterion, &at, text, predicate);
        } else {
            let predicate = LabelPredicate {
                text: self.where_it_decides(decision, index, value),
                risky: false,
            };
            self.label_at(&mut wraps.behind, criterion, &at, text, predicate);
        }
    }
}

/// The call that reports an evaluation, as the left operand of a comma.
pub(super) fn report(decision: u32) -> String {
    let (seen, yes) = variable_names(decision);
    format!("labrys_vector({decision}, {seen}, {yes}), ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Conditions are their letters in lower case; B can fault.
    fn text(formula: &str, condition: usize, value: bool) -> String {
        let words = |i: usize, v: bool| CTerm {
            text: format!("{}{}", if v { "" } else { "!" }, char::from(b'a' + i as u8)),
            faults: i == 1,
        };
        let formula: Formula = formula.parse().unwrap();
        half(&formula, condition, value, &words).0.text
    }

    #[test]
    fn halves_skip_what_the_decision_skips() {
        assert_eq!(text("A && B", 0, true), "(a && b)");
        assert_eq!(text("A && B", 0, false), "!a");
        assert_eq!(text("A && B", 1, true), "(a && b)");
        assert_eq!(text("A && B", 1, false), "(a && !b)");
        assert_eq!(text("(A && B) || C", 2, true), "((!a || !b) & c)");
        assert_eq!(text("(A && B) || C", 0, false), "(!a & !c)");
        assert_eq!(text("(A && B) || C", 1, true), "(a && b)");
        assert_eq!(text("!(A || C) && D", 2, false), "((!a & !c) & d)");
        assert_eq!(text("!(A || C) && D", 2, true), "(!a & c)");
    }

    #[test]
    fn constants_open_and_close_the_way() {
        assert_eq!(text("A && 1", 0, true), "a");
        assert_eq!(text("A && 0", 0, true), "0");
        assert_eq!(text("A && 0", 0, false), "0");
        assert_eq!(text("A || 0", 0, false), "!a");
        assert_eq!(text("1 && A", 0, false), "!a");
    }
}
