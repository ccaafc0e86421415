//! Where rules of the engine ask what an analysis before the search knows of all runs.

use labrys_budget::Deadline;
use labrys_ir::{KnownFacts, Module, separate_registers};
use std::fmt;
use std::sync::Arc;

type Analysis = dyn Fn(&Module, &str, &Deadline) -> Option<KnownFacts> + Send + Sync;

/// An analysis of a module from an entry on.
#[derive(Clone)]
pub struct FactSource(Arc<Analysis>);

impl FactSource {
    pub fn new(
        analysis: impl Fn(&Module, &str, &Deadline) -> Option<KnownFacts> + Send + Sync + 'static,
    ) -> Self {
        FactSource(Arc::new(analysis))
    }

    /// What is known of a module that was made small for execution; none if there was no time for it.
    pub(crate) fn ask(
        &self,
        module: &Module,
        entry: &str,
        deadline: &Deadline,
    ) -> Option<KnownFacts> {
        let mut separated = module.clone();
        (separated.functions.iter_mut()).for_each(separate_registers);
        (self.0)(&separated, entry, deadline)
    }
}

impl fmt::Debug for FactSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactSource")
    }
}
