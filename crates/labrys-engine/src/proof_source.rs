//! Where a search asks for proofs by an analysis that knows nothing of its paths.

use labrys_budget::Deadline;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

type ProofAnalysis = dyn Fn(&BTreeSet<usize>, u64, &Deadline) -> FoundInfeasible + Send + Sync;

/// What a look has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundInfeasible {
    pub objectives: Vec<usize>,
    /// More steps would find no more.
    pub is_done: bool,
}

/// An analysis that is asked about the objectives that are still open, and how many steps it may take. It goes
/// on where it has ended the last time, and keeps its proofs.
#[derive(Clone)]
pub struct ProofSource(Arc<ProofAnalysis>);

impl ProofSource {
    pub fn new(
        analysis: impl Fn(&BTreeSet<usize>, u64, &Deadline) -> FoundInfeasible + Send + Sync + 'static,
    ) -> Self {
        ProofSource(Arc::new(analysis))
    }

    pub(crate) fn ask(
        &self,
        open: &BTreeSet<usize>,
        steps: u64,
        deadline: &Deadline,
    ) -> FoundInfeasible {
        (self.0)(open, steps, deadline)
    }
}

impl fmt::Debug for ProofSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProofSource")
    }
}
