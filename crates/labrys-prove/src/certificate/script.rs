//! The text of a formula in SMT-LIB: named values, conditions that hold, and the facts that may be left out.
//! Only what the conditions speak of is written.

use std::fmt::Write;

/// A value of so many bits, with the named values that its text mentions.
#[derive(Clone, Debug)]
pub(super) struct SmtTerm {
    pub(super) text: String,
    pub(super) width: u8,
    needs: Vec<usize>,
}

/// Something that is true or false.
#[derive(Clone, Debug)]
pub(super) struct SmtFormula {
    pub(super) text: String,
    needs: Vec<usize>,
}

/// A named value; without a body it may be anything.
#[derive(Debug)]
struct SmtValue {
    name: String,
    width: u8,
    body: Option<SmtTerm>,
    /// What always holds of it.
    holds: Option<SmtFormula>,
    comment: String,
}

#[derive(Debug)]
struct AssertedFormula {
    formula: SmtFormula,
    comment: String,
}

/// A formula that is being written.
#[derive(Debug, Default)]
pub(super) struct FormulaScript {
    values: Vec<SmtValue>,
    conditions: Vec<AssertedFormula>,
    /// What is known beforehand, with a number that the caller knows it by.
    premises: Vec<(usize, AssertedFormula)>,
}

impl SmtTerm {
    pub(super) fn number(width: u8, value: u128) -> SmtTerm {
        let mask = u128::MAX >> (128 - u32::from(width.clamp(1, 128)));
        let text = format!("#b{:0width$b}", value & mask, width = usize::from(width));
        let needs = Vec::new();
        SmtTerm { text, width, needs }
    }

    /// An operation with this head, on terms.
    pub(super) fn of(width: u8, head: &str, parts: &[&SmtTerm]) -> SmtTerm {
        let (text, needs) = applied(head, parts);
        SmtTerm { text, width, needs }
    }

    pub(super) fn if_else(condition: &SmtFormula, then: &SmtTerm, other: &SmtTerm) -> SmtTerm {
        let needs = [&condition.needs, &then.needs, &other.needs];
        SmtTerm {
            text: format!("(ite {} {} {})", condition.text, then.text, other.text),
            width: then.width,
            needs: needs.into_iter().flatten().copied().collect(),
        }
    }

    /// 1 where it holds, else 0.
    pub(super) fn truth(condition: &SmtFormula) -> SmtTerm {
        SmtTerm::if_else(condition, &SmtTerm::number(1, 1), &SmtTerm::number(1, 0))
    }

    /// The number with more bits.
    pub(super) fn extended(&self, signed: bool, width: u8) -> SmtTerm {
        match width.saturating_sub(self.width) {
            0 => self.clone(),
            more => {
                let sign = if signed { "sign" } else { "zero" };
                SmtTerm::of(width, &format!("(_ {sign}_extend {more})"), &[self])
            }
        }
    }

    pub(super) fn is(&self, value: u128) -> SmtFormula {
        SmtFormula::of("=", &[self, &SmtTerm::number(self.width, value)])
    }
}

impl SmtFormula {
    pub(super) fn of(head: &str, parts: &[&SmtTerm]) -> SmtFormula {
        let (text, needs) = applied(head, parts);
        SmtFormula { text, needs }
    }

    pub(super) fn constant(value: bool) -> SmtFormula {
        SmtFormula {
            text: value.to_string(),
            needs: Vec::new(),
        }
    }

    pub(super) fn not(&self) -> SmtFormula {
        SmtFormula {
            text: format!("(not {})", self.text),
            needs: self.needs.clone(),
        }
    }

    pub(super) fn all(parts: &[SmtFormula]) -> SmtFormula {
        SmtFormula::joined("and", true, parts)
    }

    pub(super) fn any(parts: &[SmtFormula]) -> SmtFormula {
        SmtFormula::joined("or", false, parts)
    }

    fn joined(operator: &str, none: bool, parts: &[SmtFormula]) -> SmtFormula {
        let Some((last, others)) = parts.split_last() else {
            return SmtFormula::constant(none);
        };
        // Both take two operands in every solver.
        others
            .iter()
            .rev()
            .fold(last.clone(), |all, part| SmtFormula {
                text: format!("({operator} {} {})", part.text, all.text),
                needs: part.needs.iter().chain(&all.needs).copied().collect(),
            })
    }
}

fn applied(head: &str, parts: &[&SmtTerm]) -> (String, Vec<usize>) {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let needs = parts.iter().flat_map(|part| part.needs.iter().copied());
    (format!("({head} {})", texts.join(" ")), needs.collect())
}

impl FormulaScript {
    /// A value that may be anything.
    pub(super) fn unknown(&mut self, name: &str, width: u8, comment: String) -> SmtTerm {
        self.add(name, width, None, comment)
    }

    /// A name for a value.
    pub(super) fn named(&mut self, name: &str, body: SmtTerm, comment: String) -> SmtTerm {
        self.add(name, body.width, Some(body), comment)
    }

    fn add(&mut self, name: &str, width: u8, body: Option<SmtTerm>, comment: String) -> SmtTerm {
        let at = self.values.len();
        let name = format!("{name}.{at}");
        let text = name.clone();
        self.values.push(SmtValue {
            name,
            width,
            body,
            holds: None,
            comment,
        });
        let needs = vec![at];
        SmtTerm { text, width, needs }
    }

    /// Where a value is spoken of that [`FormulaScript::unknown`] has made, this is known of it.
    pub(super) fn holds(&mut self, value: &SmtTerm, formula: SmtFormula) {
        if let [at] = value.needs[..] {
            self.values[at].holds = Some(formula);
        }
    }

    /// Do the conditions speak of a value, directly or by way of others?
    pub(super) fn speaks_of(&self, cone: &[bool], value: &SmtTerm) -> bool {
        (value.needs.iter()).any(|at| cone.get(*at).copied().unwrap_or(false))
    }

    /// The values that the conditions speak of.
    pub(super) fn cone(&self) -> Vec<bool> {
        let formulas = self.conditions.iter().map(|condition| &condition.formula);
        self.reached(formulas)
    }

    fn reached<'f>(&self, formulas: impl Iterator<Item = &'f SmtFormula>) -> Vec<bool> {
        let mut is_reached = vec![false; self.values.len()];
        let mut open: Vec<usize> = formulas.flat_map(|f| f.needs.iter().copied()).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut is_reached[at], true) {
                let SmtValue { body, holds, .. } = &self.values[at];
                open.extend(body.iter().flat_map(|term| &term.needs));
                open.extend(holds.iter().flat_map(|formula| &formula.needs));
            }
        }
        is_reached
    }

    pub(super) fn assert(&mut self, formula: SmtFormula, comment: String) {
        self.conditions.push(AssertedFormula { formula, comment });
    }

    pub(super) fn premise(&mut self, number: usize, formula: SmtFormula, comment: String) {
        let condition = AssertedFormula { formula, comment };
        self.premises.push((number, condition));
    }

    /// The numbers of all premises, each once.
    pub(super) fn premises(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.premises.iter().map(|(number, _)| *number).collect();
        numbers.dedup();
        numbers
    }

    /// The script without `check-sat`, with some of the premises.
    pub(super) fn text(&self, chosen: &[usize]) -> String {
        let premises = self.premises.iter();
        let premises = premises.filter(|(number, _)| chosen.contains(number));
        let conditions: Vec<&AssertedFormula> = (premises.map(|(_, condition)| condition))
            .chain(&self.conditions)
            .collect();
        let is_needed = self.reached(conditions.iter().map(|condition| &condition.formula));
        let mut text = String::from("(set-logic QF_BV)\n");
        let values = self.values.iter().zip(is_needed);
        for (value, _) in values.filter(|(_, needed)| *needed) {
            let SmtValue {
                name, width, body, ..
            } = value;
            let _ = match body {
                None => write!(text, "(declare-const {name} (_ BitVec {width}))"),
                Some(body) => {
                    let body = &body.text;
                    write!(text, "(define-fun {name} () (_ BitVec {width}) {body})")
                }
            };
            comment(&mut text, &value.comment);
            if let Some(holds) = &value.holds {
                let _ = writeln!(text, "(assert {})", holds.text);
            }
        }
        for condition in conditions {
            let _ = write!(text, "(assert {})", condition.formula.text);
            comment(&mut text, &condition.comment);
        }
        text
    }
}

fn comment(text: &mut String, words: &str) {
    if !words.is_empty() {
        let _ = write!(text, " ; {}", words.replace('\n', " "));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_spoken_of_is_written() {
        let mut script = FormulaScript::default();
        let x = script.unknown("x", 8, "x".to_owned());
        let y = script.unknown("y", 8, "y".to_owned());
        let sum = script.named("sum", SmtTerm::of(8, "bvadd", &[&x, &x]), String::new());
        script.premise(0, y.is(3), "y is 3".to_owned());
        script.assert(sum.is(1), "a sum".to_owned());
        let text = script.text(&[]);
        assert!(text.contains("(define-fun sum.2 () (_ BitVec 8) (bvadd x.0 x.0))"));
        assert!(!text.contains("y.1"), "{text}");
        assert!(
            script
                .text(&[0])
                .contains("(assert (= y.1 #b00000011)) ; y is 3")
        );
    }
}
