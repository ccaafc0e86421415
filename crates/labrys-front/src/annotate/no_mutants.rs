//! Comments of the user that take mutants out: `// labrys: no-mutant OPERATOR reason`.
//!
//! Behind code a comment speaks of its line, on a line of its own of the next. Without an operator it
//! speaks of all. Preprocessed text has no comments, so the user's files are read.

use super::mutation_operator::MutationOperator;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const MARK: &str = "labrys: no-mutant";

/// The comments of all files, and what they have taken out.
#[derive(Default)]
pub(super) struct MutantComments {
    files: BTreeMap<Arc<str>, Vec<MutantComment>>,
    left_out: BTreeSet<LeftOutMutant>,
}

#[derive(Debug, PartialEq, Eq)]
struct MutantComment {
    line: u32,
    /// All if empty.
    operators: Vec<MutationOperator>,
    reason: String,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct LeftOutMutant {
    reason: String,
    file: String,
    line: u32,
    column: u32,
    text: String,
}

impl MutantComments {
    /// Whether a file has such comments.
    pub(super) fn has_any(&mut self, file: &Arc<str>) -> bool {
        let comments = self.files.entry(file.clone()).or_insert_with(|| {
            let text = std::fs::read(&**file).unwrap_or_default();
            comments(&String::from_utf8_lossy(&text))
        });
        !comments.is_empty()
    }

    /// Whether a comment takes this mutant out; then it is counted.
    pub(super) fn takes_out(
        &mut self,
        operator: MutationOperator,
        at: &crate::align::Excerpt,
        text: &str,
    ) -> bool {
        let comments = self.files.get(&at.file).map_or(&[][..], Vec::as_slice);
        let speaks = |c: &&MutantComment| {
            c.line == at.line && (c.operators.is_empty() || c.operators.contains(&operator))
        };
        let Some(comment) = comments.iter().find(speaks) else {
            return false;
        };
        self.left_out.insert(LeftOutMutant {
            reason: comment.reason.clone(),
            file: at.file.to_string(),
            line: at.line,
            column: at.column,
            text: text.to_owned(),
        });
        true
    }

    /// How many mutants are left out, and why.
    pub(super) fn note(&self) -> Option<String> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in &self.left_out {
            *reasons.entry(&mutant.reason).or_default() += 1;
        }
        let shown = reasons.iter().map(|(reason, count)| match *reason {
            "" => format!("without a reason ({count})"),
            reason => format!("{reason} ({count})"),
        });
        let shown: Vec<String> = shown.collect();
        let count = self.left_out.len();
        let mutants = if count == 1 { "mutant" } else { "mutants" };
        let note = format!(
            "mutation: {count} {mutants} left out by comments: {}",
            shown.join(", ")
        );
        (count > 0).then_some(note)
    }
}

fn comments(text: &str) -> Vec<MutantComment> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((before, after)) = line.split_once(MARK) else {
            continue;
        };
        let before = before.trim_end();
        let Some(code) = before.strip_suffix("//").or(before.strip_suffix("/*")) else {
            continue;
        };
        let after = after.split("*/").next().unwrap_or_default().trim();
        let (first, rest) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        let named: Result<Vec<MutationOperator>, String> = first
            .trim_end_matches([',', ':'])
            .split(',')
            .map(str::parse)
            .collect();
        let (operators, reason) = match named {
            Ok(operators) => (operators, rest.trim()),
            Err(_) => (Vec::new(), after),
        };
        found.push(MutantComment {
            line: number + u32::from(code.trim().is_empty()),
            operators,
            reason: reason.to_owned(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_speak_of_their_line_or_of_the_next() {
        let text = "x = 1; // labrys: no-mutant SDL, only for the log\n\
                    /* labrys: no-mutant ROR,UOI rounding */\ny = 2;\n\
                    // labrys: no-mutant\nz = 3; /* labrys: no-mutant checked elsewhere */\n";
        let found = comments(text);
        let shown: Vec<(u32, usize, &str)> = (found.iter())
            .map(|c| (c.line, c.operators.len(), c.reason.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (1, 1, "only for the log"),
                (3, 2, "rounding"),
                (5, 0, ""),
                (5, 0, "checked elsewhere")
            ]
        );
    }
}
