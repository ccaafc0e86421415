//! The documents of the tree, and what stands in them as code: spans in backticks and lines of
//! code blocks, each with the place where it stands.

use crate::tree::{files, read, top};
use std::path::{Path, PathBuf};

/// Written from the help by `options.rs`, so there is nothing to check in it.
pub(crate) const OPTIONS: &str = "docs/options.md";

pub(crate) struct Document {
    /// From the top of the tree.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A piece of code in a document.
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) line: usize,
    /// A line of a block, not a span in a sentence.
    pub(crate) block: bool,
}

/// Everything that a reader gets to see.
pub(crate) fn documents() -> Vec<Document> {
    let top = top();
    let mut paths: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .iter()
        .map(|name| top.join(name))
        .collect();
    paths.extend(files(&top.join("docs"), "md"));
    paths.push(top.join("tests/oracle/README.md"));
    let found: Vec<Document> = paths
        .iter()
        .map(|path| Document {
            path: path.strip_prefix(&top).unwrap().to_path_buf(),
            text: read(path),
        })
        .filter(|document| document.path != Path::new(OPTIONS))
        .collect();
    assert!(found.len() > 20, "the documents are found");
    found
}

impl Document {
    pub(crate) fn is_design_note(&self) -> bool {
        self.path.starts_with("docs/design")
    }

    /// Where something stands, for a message.
    pub(crate) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    pub(crate) fn code(&self) -> Vec<Code> {
        let mut found = Vec::new();
        let mut inside = false;
        for (index, line) in self.text.lines().enumerate() {
            let number = index + 1;
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if inside || line.starts_with("    ") {
                found.push(Code {
                    text: line.to_owned(),
                    line: number,
                    block: true,
                });
            } else {
                spans(line, number, &mut found);
            }
        }
        found
    }

    pub(crate) fn line(&self, number: usize) -> &str {
        self.text.lines().nth(number - 1).unwrap()
    }
}

/// What stands between backticks in a line.
fn spans(line: &str, number: usize, found: &mut Vec<Code>) {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    for pair in ticks.chunks_exact(2) {
        found.push(Code {
            text: line[pair[0] + 1..pair[1]].to_owned(),
            line: number,
            block: false,
        });
    }
}
