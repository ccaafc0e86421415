//! Criteria on decisions: condition, decision-condition, multiple-condition, gacc, gicc. Those on
//! pairs of evaluations are in `pairs.rs`.
//!
//! Where all conditions are pure, the labels stand before the decision and evaluate them all. Else
//! the decision is measured in place: two variables keep which conditions were evaluated and
//! which were true, and the labels stand behind the decision and speak of these.

use super::conditions::{is_truth_value, without_parentheses};
use super::formula::{ConditionOutcomes, Formula, FormulaInC, all, choices};
use super::label_places::{LabelPlace, LabelPredicate, Notation};
use super::purity::is_risky;
use super::{Annotator, render};
use crate::align::Excerpt;
use crate::ast::{AstKind, AstNode};
use labrys_ledger::decision::MAX_CONDITIONS;
use labrys_ledger::{Criterion, Trigger};

/// If a decision has more than 4,096 combinations of its conditions, the combinations of every two
/// conditions are asked for instead.
const MAX_COMBINATIONS: usize = 4096;

/// A decision that is measured in place has at most as many conditions as a vector has bits.
pub(super) const MAX_CONDITIONS_IN_PLACE: usize = MAX_CONDITIONS;

/// A decision with its conditions.
pub(super) struct SourceDecision<'n> {
    pub number: u32,
    pub formula: Formula,
    pub conditions: Vec<DecisionOperand<'n>>,
    /// All conditions are pure: they may be evaluated before it.
    pub pure: bool,
    /// The decision as the user wrote it.
    pub shown: String,
    pub span: Option<(u32, u32)>,
}

pub(super) struct DecisionOperand<'n> {
    pub node: &'n AstNode,
    /// The value, if the compiler folds it.
    pub constant: Option<bool>,
}

/// What the conditions and the end of a decision are wrapped in.
#[derive(Default)]
pub(super) struct DecisionWrapping {
    /// For which conditions `labrys_cond` is called.
    pub events: Vec<bool>,
    /// Labels before the decision.
    pub place: LabelPlace,
    /// Labels behind it, which need to know what was evaluated.
    pub behind: LabelPlace,
    /// What was evaluated is reported behind it.
    pub vector: bool,
}

impl DecisionWrapping {
    /// Is it kept what was evaluated?
    pub(super) fn in_place(&self) -> bool {
        self.vector || !self.behind.is_empty()
    }
}

impl<'n> SourceDecision<'n> {
    /// The conditions that have objectives.
    pub(super) fn open(&self) -> Vec<usize> {
        let is_open = |i: &usize| self.conditions[*i].constant.is_none();
        (0..self.conditions.len()).filter(is_open).collect()
    }
}

impl Annotator<'_> {
    /// The decision at a node, numbered; `None` for vectors, which have no truth value.
    pub(super) fn decision<'n>(&mut self, number: u32, node: &'n AstNode) -> SourceDecision<'n> {
        let mut conditions = Vec::new();
        let formula = self.formula(node, &mut conditions);
        let pure = (conditions.iter()).all(|c| c.constant.is_some() || self.is_pure(c.node));
        let shown = node.span().map_or(String::new(), |span| {
            without_parentheses(&self.excerpt(span).text).to_owned()
        });
        SourceDecision {
            number,
            formula,
            conditions,
            pure,
            shown,
            span: node.span(),
        }
    }

    fn formula<'n>(&self, node: &'n AstNode, conditions: &mut Vec<DecisionOperand<'n>>) -> Formula {
        let negated = super::conditions::logical_below(node);
        if let Some((logical, negated)) = negated
            && let [left, right] = logical.inner.as_slice()
        {
            let left = Box::new(self.formula(left, conditions));
            let right = Box::new(self.formula(right, conditions));
            let formula = match logical.opcode() {
                "&&" => Formula::And(left, right),
                _ => Formula::Or(left, right),
            };
            return match negated {
                true => Formula::Not(Box::new(formula)),
                false => formula,
            };
        }
        let constant = self
            .constant(node)
            .or_else(|| (!self.is_scalar(node)).then_some(0));
        conditions.push(DecisionOperand {
            node,
            constant: constant.map(|value| value != 0),
        });
        match constant {
            Some(value) => Formula::Constant(value != 0),
            None => Formula::Condition(conditions.len() - 1),
        }
    }

    /// The objectives of a decision, and what has to be inserted for them.
    pub(super) fn decision_objectives(&mut self, decision: &SourceDecision) -> DecisionWrapping {
        let wanted = self.context.plan.wanted;
        let every = wanted.has_any(&[Criterion::Branch, Criterion::Path]);
        let mut wraps = DecisionWrapping {
            events: vec![every; decision.conditions.len()],
            ..DecisionWrapping::default()
        };
        for criterion in [Criterion::Condition, Criterion::DecisionCondition] {
            if wanted.has(criterion) {
                self.condition_coverage(criterion, decision, &mut wraps);
            }
        }
        self.pairs(decision, &mut wraps);
        if self.is_too_long(decision) {
            return wraps;
        }
        if wanted.has(Criterion::MultipleCondition) {
            self.multiple_condition(decision, &mut wraps);
        }
        if wanted.has(Criterion::Gacc) {
            self.active_clause(decision, &mut wraps);
        }
        if wanted.has(Criterion::Gicc) {
            self.inactive_clause(decision, &mut wraps);
        }
        wraps
    }

    /// Whether the conditions are too many to be measured in place; a note says so.
    fn is_too_long(&mut self, decision: &SourceDecision) -> bool {
        let count = decision.conditions.len();
        let asked = [
            Criterion::MultipleCondition,
            Criterion::Gacc,
            Criterion::Gicc,
        ];
        let too_long = !decision.pure
            && count > MAX_CONDITIONS_IN_PLACE
            && self.context.plan.wanted.has_any(&asked);
        if let (true, Some(at)) = (too_long, self.excerpt_of_condition(decision, 0)) {
            self.program.notes.insert(format!(
                "{}:{}: the decision has side effects and {count} conditions, more than {MAX_CONDITIONS_IN_PLACE}: no combinations and clauses of it are objectives",
                at.file, at.line
            ));
        }
        too_long
    }

    fn condition_coverage(
        &mut self,
        criterion: Criterion,
        decision: &SourceDecision,
        wraps: &mut DecisionWrapping,
    ) {
        for index in decision.open() {
            for value in [true, false] {
                self.one_condition(criterion, decision, index, value, wraps);
            }
        }
    }

    /// That a condition has a value. One that is evaluated whenever the decision is needs no
    /// label, and where nothing may be evaluated twice there can be none.
    fn one_condition(
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
        let text = outcome(&at, value);
        let calls = self.context.plan.notation == Notation::Calls;
        if index == 0 && calls || !decision.pure {
            wraps.events[index] = true;
            let trigger = Trigger::Condition {
                decision: decision.number,
                index: index as u32,
                value,
            };
            return self.objective(criterion, &at, text, trigger);
        }
        let predicate = LabelPredicate {
            text: self.value_of(decision, index, value),
            risky: self.is_any_risky(decision, &[index]),
        };
        self.label_at(&mut wraps.place, criterion, &at, text, predicate);
    }

    fn multiple_condition(&mut self, decision: &SourceDecision, wraps: &mut DecisionWrapping) {
        let criterion = Criterion::MultipleCondition;
        let open = decision.open();
        let mut size = open
            .len()
            .min(self.context.plan.n.unwrap_or(u32::MAX) as usize);
        if size == 0 {
            return;
        }
        let Some(span) = decision.conditions.first().and_then(|c| c.node.span()) else {
            return;
        };
        let at = self.excerpt(span);
        let whole = size == open.len();
        let ways = match (decision.pure, whole) {
            (false, true) => decision.formula.ways(MAX_COMBINATIONS),
            _ => None,
        };
        while ways.is_none() && size > 1 && combinations(open.len(), size) > MAX_COMBINATIONS {
            let (fewer, which) = match size {
                2 => (1, "one"),
                _ => (2, "two"),
            };
            self.program.notes.insert(format!(
                "{}:{}: the decision has {} conditions, too many for all combinations of {size}: those of every {which} are objectives (--n {fewer})",
                at.file, at.line, open.len()
            ));
            size = fewer;
        }
        if size == 1 {
            return self.condition_coverage(criterion, decision, wraps);
        }
        if let Some(ways) = ways {
            return self.ways_in_place(decision, &at, &ways, wraps);
        }
        for subset in choices(open.len(), size) {
            let subset: Vec<usize> = subset.iter().map(|i| open[*i]).collect();
            for number in (0..1usize << size).rev() {
                // The first condition changes slowest, from true to false.
                let bit = |place: usize| number >> (size - 1 - place) & 1 == 1;
                let way: ConditionOutcomes = (subset.iter().enumerate())
                    .map(|(p, i)| (*i, bit(p)))
                    .collect();
                self.combination(decision, &at, &way, wraps);
            }
        }
    }

    /// That some conditions have these values.
    fn combination(
        &mut self,
        decision: &SourceDecision,
        at: &Excerpt,
        way: &ConditionOutcomes,
        wraps: &mut DecisionWrapping,
    ) {
        let criterion = Criterion::MultipleCondition;
        let text = self.outcomes(decision, way);
        if decision.pure {
            let texts = way.iter().map(|(i, v)| self.value_of(decision, *i, *v));
            let indices: Vec<usize> = way.iter().map(|(i, _)| *i).collect();
            let predicate = LabelPredicate {
                text: texts.fold("1".to_owned(), all),
                risky: self.is_any_risky(decision, &indices),
            };
            self.label_at(&mut wraps.place, criterion, at, text, predicate);
        } else {
            let (evaluated, truth) = bits_of(way);
            let (seen, yes) = variable_names(decision.number);
            let predicate = LabelPredicate {
                text: format!(
                    "(({seen} & {evaluated}ULL) == {evaluated}ULL) & (({yes} & {evaluated}ULL) == {truth}ULL)"
                ),
                risky: false,
            };
            self.label_at(&mut wraps.behind, criterion, at, text, predicate);
        }
    }

    fn ways_in_place(
        &mut self,
        decision: &SourceDecision,
        at: &Excerpt,
        ways: &[ConditionOutcomes],
        wraps: &mut DecisionWrapping,
    ) {
        for way in ways {
            let (evaluated, truth) = bits_of(way);
            let (seen, yes) = variable_names(decision.number);
            let text = self.outcomes(decision, way);
            let predicate = LabelPredicate {
                text: format!("({seen} == {evaluated}ULL) & ({yes} == {truth}ULL)"),
                risky: false,
            };
            self.label_at(
                &mut wraps.behind,
                Criterion::MultipleCondition,
                at,
                text,
                predicate,
            );
        }
    }

    fn active_clause(&mut self, decision: &SourceDecision, wraps: &mut DecisionWrapping) {
        let open = decision.open();
        if decision.conditions.len() == 1 {
            return self.condition_coverage(Criterion::Gacc, decision, wraps);
        }
        for index in open {
            for value in [true, false] {
                let text = format!("and decides {}", decision.shown);
                let predicate = self.where_it_decides(decision, index, value);
                self.clause(
                    Criterion::Gacc,
                    decision,
                    index,
                    value,
                    &text,
                    predicate,
                    wraps,
                );
            }
        }
    }

    /// That a condition has a value and decides. In place, one that was skipped may have had
    /// either value.
    pub(super) fn where_it_decides(
        &self,
        decision: &SourceDecision,
        index: usize,
        value: bool,
    ) -> String {
        let words = |i: usize, v: bool| self.may_be_value(decision, i, v);
        let decides = decision.formula.decides(index, &words);
        all(self.evaluated_to(decision, index, value), decides)
    }

    fn inactive_clause(&mut self, decision: &SourceDecision, wraps: &mut DecisionWrapping) {
        if decision.conditions.len() == 1 {
            return;
        }
        for index in decision.open() {
            for (value, result) in [(true, true), (true, false), (false, true), (false, false)] {
                let text = format!("and does not decide, {} is {result}", decision.shown);
                let holds = |annotator: &Self| {
                    let words = |i: usize, v: bool| annotator.may_be_value(decision, i, v);
                    let hidden = decision.formula.hides(index, &words);
                    let came_out = match decision.pure {
                        true => decision.formula.is(result, &words),
                        false => {
                            format!("({} == {})", result_name(decision.number), u8::from(result))
                        }
                    };
                    all(
                        all(annotator.evaluated_to(decision, index, value), hidden),
                        came_out,
                    )
                };
                let predicate = holds(self);
                self.clause(
                    Criterion::Gicc,
                    decision,
                    index,
                    value,
                    &text,
                    predicate,
                    wraps,
                );
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn clause(
        &mut self,
        criterion: Criterion,
        decision: &SourceDecision,
        index: usize,
        value: bool,
        what: &str,
        predicate: String,
        wraps: &mut DecisionWrapping,
    ) {
        let Some(at) = self.excerpt_of_condition(decision, index) else {
            return;
        };
        let text = format!("{} {what}", outcome(&at, value));
        let all: Vec<usize> = (0..decision.conditions.len()).collect();
        if decision.pure {
            let risky = self.is_any_risky(decision, &all);
            let predicate = LabelPredicate {
                text: predicate,
                risky,
            };
            self.label_at(&mut wraps.place, criterion, &at, text, predicate);
        } else {
            let predicate = LabelPredicate {
                text: predicate,
                risky: false,
            };
            self.label_at(&mut wraps.behind, criterion, &at, text, predicate);
        }
    }

    pub(super) fn excerpt_of_condition(
        &mut self,
        decision: &SourceDecision,
        index: usize,
    ) -> Option<Excerpt> {
        let span = decision.conditions[index].node.span()?;
        Some(self.excerpt(span))
    }

    fn outcomes(&mut self, decision: &SourceDecision, way: &ConditionOutcomes) -> String {
        let mut parts = Vec::new();
        for (index, value) in way {
            parts.extend(
                self.excerpt_of_condition(decision, *index)
                    .map(|at| outcome(&at, *value)),
            );
        }
        parts.join(", ")
    }

    pub(super) fn is_any_risky(&self, decision: &SourceDecision, indices: &[usize]) -> bool {
        let risky = |i: &usize| is_risky(decision.conditions[*i].node, self.context.types);
        indices.iter().any(risky)
    }

    /// That a pure condition has a value, as 0 or 1.
    pub(super) fn value_of(&self, decision: &SourceDecision, index: usize, value: bool) -> String {
        let node = decision.conditions[index].node;
        let text = render::plain(self.context.source, node);
        let parenthesised = node.skip_implicit_casts().kind == AstKind::ParenExpr;
        match (value, is_truth_value(node)) {
            (true, true) if parenthesised => text,
            (false, _) if parenthesised => format!("!{text}"),
            (true, true) => format!("({text})"),
            (true, false) => format!("!!({text})"),
            (false, _) => format!("!({text})"),
        }
    }

    /// That a condition was evaluated to a value.
    fn evaluated_to(&self, decision: &SourceDecision, index: usize, value: bool) -> String {
        if decision.pure {
            return self.value_of(decision, index, value);
        }
        let (seen, yes) = variable_names(decision.number);
        let bit = 1u64 << index;
        match value {
            true => format!("(({yes} & {bit}ULL) != 0)"),
            false => format!("((({seen} & ~{yes}) & {bit}ULL) != 0)"),
        }
    }

    /// That a condition has a value, or may have it since it was not evaluated.
    fn may_be_value(&self, decision: &SourceDecision, index: usize, value: bool) -> String {
        if decision.pure {
            return self.value_of(decision, index, value);
        }
        let (seen, yes) = variable_names(decision.number);
        let bit = 1u64 << index;
        match value {
            true => format!("(((~{seen} | {yes}) & {bit}ULL) != 0)"),
            false => format!("(({yes} & {bit}ULL) == 0)"),
        }
    }
}

/// `x > 3 is true`.
pub(super) fn outcome(at: &Excerpt, value: bool) -> String {
    format!("{} is {value}", without_parentheses(&at.text))
}

/// In how many ways `size` of `count` conditions can be chosen and have values.
fn combinations(count: usize, size: usize) -> usize {
    let mut chosen = 1usize;
    for i in 0..size {
        match chosen.checked_mul(2 * (count - i)) {
            Some(product) => chosen = product / (i + 1),
            None => return usize::MAX,
        }
    }
    chosen
}

fn bits_of(way: &ConditionOutcomes) -> (u64, u64) {
    let bit = |(index, _): &(usize, bool)| 1u64 << index;
    let evaluated = way.iter().map(bit).sum();
    let truth = way.iter().filter(|(_, value)| *value).map(bit).sum();
    (evaluated, truth)
}

/// The variables that keep which conditions were evaluated, and which of them were true.
pub(super) fn variable_names(decision: u32) -> (String, String) {
    (
        format!("labrys_seen_{decision}"),
        format!("labrys_true_{decision}"),
    )
}

/// The variable that keeps how the decision came out.
pub(super) fn result_name(decision: u32) -> String {
    format!("labrys_result_{decision}")
}
