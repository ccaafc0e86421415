//! Names of tests: C identifiers made from the objective that a test was made for, so that
//! `f_x_gt_3_true` says what it is about.

use std::collections::BTreeSet;

/// Longest name before the number that keeps it unique.
const LONGEST: usize = 64;

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

/// A C identifier for a test of `function` that was made for the objective with this text
/// (`x > 3 is true`).
pub fn test_name(function: &str, objective: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut rest = objective.trim();
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
            if *word != "_" {
                words.push((*word).to_owned());
            }
            rest = &rest[sign.len()..];
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    let mut name: String = function
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "test");
    }
    for word in words {
        if name.len() + 1 + word.len() > LONGEST {
            break;
        }
        name.push('_');
        name.push_str(&word);
    }
    name
}

/// Gives each name out once: a second `f` becomes `f_2`.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
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
    fn operators_become_words() {
        assert_eq!(test_name("f", "x > 3 is true"), "f_x_gt_3_true");
        assert_eq!(
            test_name("f", "p->next != NULL is false"),
            "f_p_next_ne_NULL_false"
        );
        assert_eq!(
            test_name("g", "a[i] <= (b << 2) is true"),
            "g_a_i_le_b_shl_2_true"
        );
        assert_eq!(test_name("", "case 'x'"), "test_case_x");
    }

    #[test]
    fn names_are_unique() {
        let mut names = Names::default();
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
