//! Names of tests: C identifiers made from the objective that a test was made for, so that
//! `f_x_above_3` says what it is about.

use std::collections::BTreeSet;

/// Characters of a name at most, before the number that keeps it unique.
const MAX_NAME: usize = 64;

/// Longer operators first: the first that matches is taken.
const OPERATORS: [(&str, &str); 26] = [
    ("<<=", "shl_assign"),
    (">>=", "shr_assign"),
    ("->", "_"),
    ("<<", "shl"),
    (">>", "shr"),
    ("<=", "le"),
    (">=", "ge"),
    ("==", "eq"),
    ("!=", "ne"),
    ("&&", "and"),
    ("||", "or"),
    ("++", "inc"),
    ("--", "dec"),
    ("<", "lt"),
    (">", "gt"),
    ("!", "not"),
    ("~", "compl"),
    ("+", "plus"),
    ("-", "minus"),
    ("*", "times"),
    ("/", "div"),
    ("%", "mod"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "xor"),
    ("=", "assign"),
];

/// Character constants that are no letters, by what stands between their quotes.
const CHARACTERS: [(&str, &str); 34] = [
    (" ", "space"),
    ("\\0", "nul"),
    ("\\n", "newline"),
    ("\\t", "tab"),
    ("\\r", "return"),
    ("\\\\", "backslash"),
    ("\\'", "apostrophe"),
    ("\"", "quote"),
    ("\\\"", "quote"),
    ("/", "slash"),
    (".", "dot"),
    (",", "comma"),
    (":", "colon"),
    (";", "semicolon"),
    ("-", "dash"),
    ("+", "plus_sign"),
    ("*", "star"),
    ("%", "percent"),
    ("&", "ampersand"),
    ("|", "bar"),
    ("=", "equals_sign"),
    ("<", "less_sign"),
    (">", "greater_sign"),
    ("(", "opening_paren"),
    (")", "closing_paren"),
    ("[", "opening_bracket"),
    ("]", "closing_bracket"),
    ("{", "opening_brace"),
    ("}", "closing_brace"),
    ("?", "question_mark"),
    ("!", "exclamation_mark"),
    ("#", "hash"),
    ("@", "at_sign"),
    ("_", "underscore"),
];

/// A C identifier for a test of `function` that was made for the objective with this text
/// (`x > 3 is true`).
pub fn test_name(function: &str, objective: &str) -> String {
    let objective = with_spoken_characters(objective.trim());
    let words = common_objective(&objective).unwrap_or_else(|| words(&objective));
    let mut name: String = function
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "test");
    }
    for word in words {
        if name.len() + 1 + word.len() > MAX_NAME {
            break;
        }
        name.push('_');
        name.push_str(&word);
    }
    name
}

/// Character constants as words: `c == '/'` is `c == slash`. A digit is not the number.
fn with_spoken_characters(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('\'') {
        let inside = &rest[start + 1..];
        let escaped = usize::from(inside.starts_with('\\'));
        let Some(end) = inside.get(1 + escaped..).and_then(|text| text.find('\'')) else {
            break;
        };
        let (constant, after) = inside.split_at(end + 1 + escaped);
        out.push_str(&rest[..start]);
        match CHARACTERS.iter().find(|(known, _)| *known == constant) {
            Some((_, word)) => out.push_str(word),
            None if constant.chars().all(|c| c.is_ascii_digit()) => {
                out.push_str("digit_");
                out.push_str(constant);
            }
            None => out.push_str(constant),
        }
        rest = &after[1..];
    }
    out.push_str(rest);
    out
}

/// The words for common objectives: `b != 0 is false` is `b_is_zero`.
fn common_objective(objective: &str) -> Option<Vec<String>> {
    if let Some(words) = at_boundary(objective).or_else(|| deciding(objective)) {
        return Some(words);
    }
    let kind = |c: char| c.is_ascii_lowercase() || c == '-';
    if objective.contains('-') && objective.chars().all(kind) {
        return Some(objective.split('-').map(str::to_owned).collect());
    }
    if let Some((label, value)) = objective.split_once(" of switch (") {
        let value = value.strip_suffix(')')?;
        return Some(match label.strip_prefix("case ") {
            Some(case) => joined_words(words(value), "is", words(case)),
            None => joined_words(words(value), "is", vec!["other".to_owned()]),
        });
    }
    if let Some(value) = objective.strip_prefix("no case matches in switch (") {
        let none = ["no", "case"].map(str::to_owned).to_vec();
        return Some(joined_words(words(value.strip_suffix(')')?), "is", none));
    }
    let (condition, mut holds) = match objective.strip_suffix(" is true") {
        Some(condition) => (condition, true),
        None => (objective.strip_suffix(" is false")?, false),
    };
    let mut condition = condition;
    while let Some(inner) = condition.strip_prefix('!').filter(|c| !c.starts_with('=')) {
        if !inner.chars().all(is_part_of_name) {
            return None;
        }
        condition = inner;
        holds = !holds;
    }
    if !condition.is_empty() && condition.chars().all(is_part_of_name) {
        let value = vec![holds.to_string()];
        return Some(joined_words(words(condition), "is", value));
    }
    let (left, operator, right) = comparison(condition)?;
    let operator = match (operator, holds) {
        ("<", true) | (">=", false) => "below",
        (">=", true) | ("<", false) => "at_least",
        (">", true) | ("<=", false) => "above",
        ("<=", true) | (">", false) => "at_most",
        ("==", true) | ("!=", false) => "is",
        _ => "is_not",
    };
    let right = match right {
        "0" if operator.starts_with("is") => vec!["zero".to_owned()],
        "NULL" => vec!["null".to_owned()],
        _ => words(right),
    };
    Some(joined_words(words(left), operator, right))
}

/// Boundary values: `x >= 3: one less` is `x_one_below_3`.
fn at_boundary(objective: &str) -> Option<Vec<String>> {
    let (condition, place) = objective.rsplit_once(": ")?;
    let (left, operator, right) = comparison(condition)?;
    let verb = match (place, operator) {
        ("equal", _) => "is",
        ("one less", _) => "one_below",
        ("one more", _) => "one_above",
        ("well inside", "<" | "<=") => "well_below",
        ("well inside", ">" | ">=") => "well_above",
        ("well inside", _) => "far_from",
        _ => return None,
    };
    Some(joined_words(words(left), verb, words(right)))
}

/// Clauses: `a is true and decides a && b` is `a_is_true_decides`.
fn deciding(objective: &str) -> Option<Vec<String>> {
    let (clause, end) = match objective.split_once(" and decides ") {
        Some((clause, _)) => (clause, "decides"),
        None => (
            objective.split_once(" and does not decide")?.0,
            "does_not_decide",
        ),
    };
    let mut said = common_objective(clause)?;
    said.push(end.to_owned());
    Some(said)
}

/// The operands of the only comparison in a condition that has nothing weaker.
fn comparison(condition: &str) -> Option<(&str, &str, &str)> {
    let mut depth = 0;
    let mut found = None;
    let mut at = 0;
    while at < condition.len() {
        let rest = condition.get(at..)?;
        let c = rest.chars().next()?;
        let size = c.len_utf8();
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '"' | '\'' | '?' => return None,
            _ if depth > 0 => {}
            _ => {
                if rest.starts_with("&&") || rest.starts_with("||") {
                    return None;
                }
                if ["<<", ">>", "->"].iter().any(|o| rest.starts_with(o)) {
                    at += 2;
                    continue;
                }
                let known = ["<=", ">=", "==", "!=", "<", ">"];
                if let Some(operator) = known.into_iter().find(|o| rest.starts_with(o)) {
                    if found.is_some() {
                        return None;
                    }
                    found = Some((at, operator));
                    at += operator.len();
                    continue;
                }
            }
        }
        at += size;
    }
    let (at, operator) = found?;
    let (left, right) = (&condition[..at], &condition[at + operator.len()..]);
    Some((left.trim(), operator, right.trim()))
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.[]".contains(c)
}

fn joined_words(mut left: Vec<String>, verb: &str, right: Vec<String>) -> Vec<String> {
    left.push(verb.to_owned());
    left.extend(right);
    left
}

/// The words of a text; operators have words of their own.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_alphanumeric() || c == '_' {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            if &rest[..end] != "is" {
                words.push(rest[..end].to_owned());
            }
            rest = &rest[end..];
        } else if let Some((sign, word)) = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            // At the beginning it is no product: `*s` is what s points to.
            let is_unary = words.is_empty() && matches!(*sign, "*" | "&");
            if *word != "_" && !is_unary {
                words.push((*word).to_owned());
            }
            rest = &rest[sign.len()..];
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    words
}

/// Gives each name out once: a second `f` becomes `f_2`.
#[derive(Debug, Default)]
pub struct UniqueNames {
    taken: BTreeSet<String>,
}

impl UniqueNames {
    pub fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut turn = 2;
        while !self.taken.insert(candidate.clone()) {
            candidate = format!("{name}_{turn}");
            turn += 1;
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_say_what_holds() {
        for (objective, name) in [
            ("b != 0 is false", "f_b_is_zero"),
            ("b == 0 is false", "f_b_is_not_zero"),
            ("x > 3 is true", "f_x_above_3"),
            ("x > 3 is false", "f_x_at_most_3"),
            ("x >= n - 1 is false", "f_x_below_n_minus_1"),
            ("p->next != NULL is false", "f_p_next_is_null"),
            ("a[i] <= (b << 2) is true", "f_a_i_at_most_b_shl_2"),
            ("!done is true", "f_done_is_false"),
            ("s.ready is true", "f_s_ready_is_true"),
            ("case RED of switch (colour)", "f_colour_is_RED"),
            ("default of switch (n % 3)", "f_n_mod_3_is_other"),
            ("no case matches in switch (c)", "f_c_is_no_case"),
            ("c >= '0' is false", "f_c_below_digit_0"),
            ("*s != '\\0' is false", "f_s_is_nul"),
            ("c == 'x' is true", "f_c_is_x"),
            ("c == '\\'' is true", "f_c_is_apostrophe"),
            ("s[i] == '/' is false", "f_s_i_is_not_slash"),
            ("case '+' of switch (op)", "f_op_is_plus_sign"),
            ("x >= 3: one less", "f_x_one_below_3"),
            ("x <= 7: well inside", "f_x_well_below_7"),
            ("y - x >= 0: equal", "f_y_minus_x_is_0"),
            (
                "x > 3 is false and decides x > 3 && y",
                "f_x_at_most_3_decides",
            ),
            (
                "a is true and does not decide, a || b is true",
                "f_a_is_true_does_not_decide",
            ),
            ("division-by-zero", "f_division_by_zero"),
        ] {
            assert_eq!(test_name("f", objective), name, "{objective}");
        }
    }

    #[test]
    fn other_objectives_become_words() {
        assert_eq!(test_name("f", "a < b && c is true"), "f_a_lt_b_and_c_true");
        assert_eq!(test_name("f", "x < 'a"), "f_x_lt_a");
        assert_eq!(test_name("f", "path 7"), "f_path_7");
        assert_eq!(test_name("", "case 'x'"), "test_case_x");
    }

    #[test]
    fn names_are_unique() {
        let mut names = UniqueNames::default();
        let given: Vec<_> = ["f", "f_2", "f", "f"]
            .iter()
            .map(|name| names.unique(name))
            .collect();
        assert_eq!(given, ["f", "f_2", "f_3", "f_4"]);
    }

    proptest! {
        #[test]
        fn every_name_is_an_identifier(function in "\\PC*", text in "\\PC*") {
            let name = test_name(&function, &text);
            prop_assert!(!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()));
            prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        }
    }
}
