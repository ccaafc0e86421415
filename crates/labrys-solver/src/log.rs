//! `--log-queries`: writes every query as an SMT-LIB file of its own, which any solver can read.

use crate::answer::{Answer, SolverError};
use crate::query::Query;
use labrys_expr::{Arena, ExprId, smtlib};
use std::path::{Path, PathBuf};

pub(crate) struct QueryLog {
    directory: PathBuf,
    next: u64,
}

impl QueryLog {
    pub(crate) fn new(directory: &Path) -> Result<Self, SolverError> {
        std::fs::create_dir_all(directory).map_err(|source| SolverError::Log {
            path: directory.to_owned(),
            source,
        })?;
        Ok(QueryLog {
            directory: directory.to_owned(),
            next: 1,
        })
    }

    /// Writes one query with its answer. A full disk must not end the run, so it is a warning.
    pub(crate) fn write(&mut self, arena: &Arena, query: &Query<'_>, answer: &Answer) {
        let all: Vec<ExprId> = query.all().collect();
        let script = smtlib::script(arena, &all);
        let status = match answer {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown(reason) => format!("unknown ({reason})"),
        };
        let note = if script.exact {
            ""
        } else {
            "; some float bits are left open\n"
        };
        let text = format!("; labrys: {status}\n{note}{}(check-sat)\n", script.text);
        let path = self.directory.join(format!("q{:06}.smt2", self.next));
        self.next += 1;
        if let Err(error) = std::fs::write(&path, text) {
            tracing::warn!(path = %path.display(), %error, "cannot write a query");
        }
    }
}
