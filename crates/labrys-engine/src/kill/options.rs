//! What can be set for the search for killing inputs.

/// How inputs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillStrategy {
    /// Pairs of paths of original and mutant, up to their ends.
    Pairs,
}

impl KillStrategy {
    pub const NAMES: [(&'static str, KillStrategy); 1] = [("pairs", KillStrategy::Pairs)];
}

/// The settings of a search for killing inputs.
#[derive(Clone, Debug)]
pub struct KillOptions {
    pub strategy: KillStrategy,
}

impl Default for KillOptions {
    fn default() -> Self {
        KillOptions {
            strategy: KillStrategy::Pairs,
        }
    }
}
