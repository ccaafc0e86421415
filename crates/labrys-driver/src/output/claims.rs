//! Files of claims, `proofs/*.smt2`: formulas without a solution that proofs rest on, as SMT-LIB text that
//! any solver can check. Each claim stands alone between two `reset`s.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The folder of the files below the output directory.
pub const FOLDER: &str = "proofs";

const TITLE: &str = "; claim ";
const END: &str = "(check-sat)";
const RESET: &str = "(reset)";

/// A file of claims, as `objectives.json` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimFileRecord {
    pub file: String,
    pub claims: usize,
    /// So many answers of the solver are not among the claims: their number is bounded, and some
    /// questions cannot be written down.
    #[serde(default)]
    pub left_out: u64,
    pub sha256: String,
}

/// A formula, with what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimText {
    pub title: String,
    /// Without `check-sat`.
    pub script: String,
}

/// The text of a file.
pub fn written(claims: &[ClaimText]) -> String {
    let mut text = String::from(
        "; Formulas that proofs of labrys rest on. None of them has a solution: every SMT-LIB solver\n\
         ; answers `unsat` to each.\n",
    );
    for (at, claim) in claims.iter().enumerate() {
        let title = claim.title.replace('\n', " ");
        let script = claim.script.trim_end();
        let _ = write!(
            text,
            "\n{TITLE}{}: {title}\n{script}\n{END}\n{RESET}\n",
            at + 1
        );
    }
    text
}

/// The claims of a file, or what is wrong with it.
pub fn read(text: &str) -> Result<Vec<ClaimText>, String> {
    let mut claims: Vec<ClaimText> = Vec::new();
    let mut open: Option<ClaimText> = None;
    for (line, content) in text.lines().enumerate() {
        if let Some(title) = content.strip_prefix(TITLE) {
            let number = format!("{}: ", claims.len() + 1);
            let title = title.strip_prefix(&number);
            let (Some(title), None) = (title, &open) else {
                return Err(format!(
                    "line {}: claim {} was expected",
                    line + 1,
                    claims.len() + 1
                ));
            };
            open = Some(ClaimText {
                title: title.to_owned(),
                script: String::new(),
            });
        } else if content == END {
            let claim = open.take();
            claims.push(
                claim.ok_or_else(|| format!("line {}: a question without a claim", line + 1))?,
            );
        } else if let Some(claim) = &mut open {
            claim.script.push_str(content);
            claim.script.push('\n');
        } else if !(content.is_empty() || content == RESET || content.starts_with(';')) {
            return Err(format!("line {}: text outside of a claim", line + 1));
        }
    }
    match open {
        Some(_) => Err(format!("claim {} has no end", claims.len() + 1)),
        None => Ok(claims),
    }
}

/// The digest of a file.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let claim = |n: u32| ClaimText {
            title: format!("x is {n}: never"),
            script: format!("(set-logic QF_BV)\n(assert (= #b{} #b1))\n", n % 2),
        };
        let claims = vec![claim(0), claim(2)];
        assert_eq!(read(&written(&claims)), Ok(claims));
    }

    #[test]
    fn damage_is_noticed() {
        let claims = [ClaimText {
            title: "t".into(),
            script: "(assert false)\n".into(),
        }];
        let text = written(&claims);
        assert!(read(&text.replace(END, "")).is_err());
        assert!(read(&text.replace("claim 1", "claim 7")).is_err());
        assert!(read("(assert true)").is_err());
    }

    #[test]
    fn digests_are_those_of_other_tools() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
