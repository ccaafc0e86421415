//! What follows from the shape of a decision alone: the evaluations that short-circuiting allows,
//! and C predicates that say when the formula has a value or a condition decides.

pub(super) use labrys_ledger::Formula;

/// Says in C that a condition has, or may have had, a value.
pub(super) type ConditionText<'a> = &'a dyn Fn(usize, bool) -> String;

/// The outcomes of the conditions that one evaluation of the decision looks at, in order.
pub(super) type ConditionOutcomes = Vec<(usize, bool)>;

/// A formula in words of C.
pub(super) trait FormulaInC {
    /// That the formula has this value.
    fn is(&self, value: bool, words: ConditionText) -> String;

    /// That the condition decides: everything beside it on the way up lets its value through.
    fn decides(&self, condition: usize, words: ConditionText) -> String;

    /// That the condition does not decide: something beside it on the way up hides its value.
    fn hides(&self, condition: usize, words: ConditionText) -> String;

    /// The ways through the formula in short-circuit order, or `None` if there are more than
    /// `most`.
    fn ways(&self, most: usize) -> Option<Vec<ConditionOutcomes>>;
}

impl FormulaInC for Formula {
    fn is(&self, value: bool, words: ConditionText) -> String {
        match self {
            Formula::Condition(c) => words(*c, value),
            Formula::Constant(b) => u8::from(*b == value).to_string(),
            Formula::Not(f) => f.is(!value, words),
            Formula::And(l, r) if value => all(l.is(true, words), r.is(true, words)),
            Formula::And(l, r) => any(l.is(false, words), r.is(false, words)),
            Formula::Or(l, r) if value => any(l.is(true, words), r.is(true, words)),
            Formula::Or(l, r) => all(l.is(false, words), r.is(false, words)),
        }
    }

    fn decides(&self, condition: usize, words: ConditionText) -> String {
        match self {
            Formula::Condition(_) | Formula::Constant(_) => "1".to_owned(),
            Formula::Not(f) => f.decides(condition, words),
            Formula::And(l, r) | Formula::Or(l, r) => {
                let through = matches!(self, Formula::And(..));
                let (on, beside) = if l.has(condition) { (l, r) } else { (r, l) };
                all(on.decides(condition, words), beside.is(through, words))
            }
        }
    }

    fn hides(&self, condition: usize, words: ConditionText) -> String {
        match self {
            Formula::Condition(_) | Formula::Constant(_) => "0".to_owned(),
            Formula::Not(f) => f.hides(condition, words),
            Formula::And(l, r) | Formula::Or(l, r) => {
                let through = matches!(self, Formula::And(..));
                let (on, beside) = if l.has(condition) { (l, r) } else { (r, l) };
                any(on.hides(condition, words), beside.is(!through, words))
            }
        }
    }

    fn ways(&self, most: usize) -> Option<Vec<ConditionOutcomes>> {
        let mut ways = ways_to(self, true, most)?;
        ways.extend(ways_to(self, false, most)?);
        (ways.len() <= most).then_some(ways)
    }
}

fn ways_to(formula: &Formula, value: bool, most: usize) -> Option<Vec<ConditionOutcomes>> {
    let ways = match formula {
        Formula::Condition(c) => vec![vec![(*c, value)]],
        Formula::Constant(b) if *b == value => vec![Vec::new()],
        Formula::Constant(_) => Vec::new(),
        Formula::Not(f) => ways_to(f, !value, most)?,
        Formula::And(l, r) | Formula::Or(l, r) => {
            // The left side ends it with this value, else the right side is looked at.
            let ends = matches!(formula, Formula::Or(..));
            let on = ways_to(l, !ends, most)?;
            let mut ways = Vec::new();
            if value == ends {
                ways.extend(ways_to(l, ends, most)?);
            }
            let right = ways_to(r, value, most)?;
            if on.len().saturating_mul(right.len()) > most {
                return None;
            }
            for first in &on {
                ways.extend(
                    right
                        .iter()
                        .map(|second| [&first[..], &second[..]].concat()),
                );
            }
            ways
        }
    };
    (ways.len() <= most).then_some(ways)
}

/// Conjunction of two texts that are 0 or 1.
pub(super) fn all(left: String, right: String) -> String {
    match (left.as_str(), right.as_str()) {
        ("0", _) | (_, "0") => "0".to_owned(),
        ("1", _) => right,
        (_, "1") => left,
        _ => format!("({left} & {right})"),
    }
}

/// Disjunction of two texts that are 0 or 1.
pub(super) fn any(left: String, right: String) -> String {
    match (left.as_str(), right.as_str()) {
        ("1", _) | (_, "1") => "1".to_owned(),
        ("0", _) => right,
        (_, "0") => left,
        _ => format!("({left} | {right})"),
    }
}

/// All ways to choose `size` of `count` things, in order.
pub(super) fn choices(count: usize, size: usize) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    let mut chosen: Vec<usize> = (0..size).collect();
    if size == 0 || size > count {
        return out;
    }
    loop {
        out.push(chosen.clone());
        let Some(place) = (0..size).rev().find(|p| chosen[*p] < count - size + p) else {
            return out;
        };
        chosen[place] += 1;
        for next in place + 1..size {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(c: usize) -> Box<Formula> {
        Box::new(Formula::Condition(c))
    }

    /// `a && (b || !c)`
    fn sample() -> Formula {
        let or = Formula::Or(condition(1), Box::new(Formula::Not(condition(2))));
        Formula::And(condition(0), Box::new(or))
    }

    fn words(c: usize, value: bool) -> String {
        let name = ["a", "b", "c"][c];
        if value {
            name.to_owned()
        } else {
            format!("!{name}")
        }
    }

    #[test]
    fn a_condition_decides_where_the_others_let_it_through() {
        let f = sample();
        assert_eq!(f.decides(0, &words), "(b | !c)");
        assert_eq!(f.decides(1, &words), "(c & a)");
        assert_eq!(f.decides(2, &words), "(!b & a)");
        assert_eq!(f.hides(1, &words), "(!c | !a)");
        assert_eq!(f.is(false, &words), "(!a | (!b & c))");
    }

    #[test]
    fn ways_follow_the_short_circuit() {
        let ways = sample().ways(100).unwrap();
        let expected: Vec<ConditionOutcomes> = vec![
            vec![(0, true), (1, true)],
            vec![(0, true), (1, false), (2, false)],
            vec![(0, false)],
            vec![(0, true), (1, false), (2, true)],
        ];
        assert_eq!(ways, expected);
        assert_eq!(sample().ways(3), None);
    }

    #[test]
    fn constants_disappear() {
        let f = Formula::And(Box::new(Formula::Constant(true)), condition(0));
        assert_eq!(f.decides(0, &words), "1");
        let f = Formula::Or(Box::new(Formula::Constant(true)), condition(0));
        assert_eq!(f.decides(0, &words), "0");
        assert_eq!(f.ways(9).unwrap(), vec![Vec::new()]);
    }

    #[test]
    fn choices_are_complete() {
        assert_eq!(choices(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(choices(3, 3), [[0, 1, 2]]);
        assert!(choices(2, 3).is_empty());
    }
}
