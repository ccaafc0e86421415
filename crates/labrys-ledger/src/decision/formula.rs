//! A decision as a formula over its conditions, and its text: `A && (B || !C)`. The text is printed
//! for reports and parsed from result files.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The tree of `&&`, `||` and `!` over conditions, which are numbered from left to right. Every
/// condition occurs once: a text that is written twice is two conditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Formula {
    Condition(usize),
    /// A condition that the compiler folds.
    Constant(bool),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

/// A text that is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    text: String,
    at: usize,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no formula of a decision (byte {})",
            self.text, self.at
        )
    }
}

impl std::error::Error for FormulaError {}

/// The name of a condition in formulas and tables: A to Z, then AA, AB and so on.
pub fn letter(condition: usize) -> String {
    let last = char::from(b'A' + (condition % 26) as u8);
    match condition / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

impl Formula {
    pub fn has(&self, condition: usize) -> bool {
        match self {
            Formula::Condition(c) => *c == condition,
            Formula::Constant(_) => false,
            Formula::Not(f) => f.has(condition),
            Formula::And(l, r) | Formula::Or(l, r) => l.has(condition) || r.has(condition),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, around: u8) -> fmt::Result {
        let (strength, sign) = match self {
            Formula::Condition(c) => return f.write_str(&letter(*c)),
            Formula::Constant(value) => return write!(f, "{}", u8::from(*value)),
            Formula::Not(inner) => {
                f.write_str("!")?;
                return inner.write(f, 3);
            }
            Formula::And(..) => (2, " && "),
            Formula::Or(..) => (1, " || "),
        };
        let (Formula::And(left, right) | Formula::Or(left, right)) = self else {
            return Ok(());
        };
        // The right operand of the same operator keeps its parentheses: the tree comes back.
        if strength < around {
            f.write_str("(")?;
        }
        left.write(f, strength)?;
        f.write_str(sign)?;
        right.write(f, strength + 1)?;
        if strength < around {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl From<Formula> for String {
    fn from(formula: Formula) -> String {
        formula.to_string()
    }
}

impl TryFrom<String> for Formula {
    type Error = FormulaError;

    fn try_from(text: String) -> Result<Self, FormulaError> {
        text.parse()
    }
}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        let mut parser = FormulaParser { text, at: 0 };
        let formula = parser.disjunction(0)?;
        parser.skip_blanks();
        match parser.at == text.len() {
            true => Ok(formula),
            false => Err(parser.error()),
        }
    }
}

/// Parentheses and negations nest at most 200 deep, so that a damaged file cannot exhaust the stack.
const MAX_NESTING: usize = 200;

struct FormulaParser<'t> {
    text: &'t str,
    at: usize,
}

impl FormulaParser<'_> {
    fn error(&self) -> FormulaError {
        FormulaError {
            text: self.text.to_owned(),
            at: self.at,
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn skip(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn disjunction(&mut self, depth: usize) -> Result<Formula, FormulaError> {
        let mut left = self.conjunction(depth)?;
        while self.skip("||") {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction(depth)?));
        }
        Ok(left)
    }

    fn conjunction(&mut self, depth: usize) -> Result<Formula, FormulaError> {
        let mut left = self.operand(depth)?;
        while self.skip("&&") {
            left = Formula::And(Box::new(left), Box::new(self.operand(depth)?));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: usize) -> Result<Formula, FormulaError> {
        if depth > MAX_NESTING {
            return Err(self.error());
        }
        if self.skip("!") {
            return Ok(Formula::Not(Box::new(self.operand(depth + 1)?)));
        }
        if self.skip("(") {
            let inner = self.disjunction(depth + 1)?;
            return match self.skip(")") {
                true => Ok(inner),
                false => Err(self.error()),
            };
        }
        for (sign, value) in [("0", false), ("1", true)] {
            if self.skip(sign) {
                return Ok(Formula::Constant(value));
            }
        }
        let name: Vec<u8> = self
            .rest()
            .bytes()
            .take_while(u8::is_ascii_uppercase)
            .collect();
        if name.is_empty() || name.len() > 2 {
            return Err(self.error());
        }
        self.at += name.len();
        let digits = name.iter().map(|b| usize::from(b - b'A'));
        let number = digits.reduce(|high, low| (high + 1) * 26 + low);
        number.map(Formula::Condition).ok_or_else(|| self.error())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_text_of_a_formula_gives_it_back() {
        for text in [
            "A",
            "!A",
            "A && B && C",
            "A && (B && C)",
            "A || B && !(C || D)",
            "(A || B) && (C || 1) && !!E",
            "!(A && B) || 0",
        ] {
            let formula: Formula = text.parse().unwrap();
            assert_eq!(formula.to_string(), text);
        }
        for condition in [0, 25, 26, 51, 52, 63] {
            let formula = Formula::Condition(condition);
            assert_eq!(formula.to_string().parse::<Formula>().unwrap(), formula);
        }
        assert_eq!(
            (letter(25), letter(26), letter(52)),
            ("Z".into(), "AA".into(), "BA".into())
        );
    }

    #[test]
    fn other_texts_are_errors() {
        for text in ["", "A &&", "a", "A & B", "(A", "A)", "ABC", "2", "A B"] {
            assert!(text.parse::<Formula>().is_err(), "{text}");
        }
        assert!("(".repeat(100_000).parse::<Formula>().is_err());
        assert!("!".repeat(100_000).parse::<Formula>().is_err());
    }
}
