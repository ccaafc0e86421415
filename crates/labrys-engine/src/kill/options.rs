//! What can be set for the search for killing inputs.

/// How inputs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillStrategy {
    /// Pairs of paths of original and mutant, up to their ends.
    Pairs,
    /// The paper's search in lock-step with checkpoints.
    Semu,
    /// The paper's baseline: another state behind the mutant is enough.
    Infection,
    /// The paper's baseline: a search that knows nothing of mutants.
    Dse,
}

impl KillStrategy {
    pub const NAMES: [(&'static str, KillStrategy); 4] = [
        ("pairs", KillStrategy::Pairs),
        ("semu", KillStrategy::Semu),
        ("infection", KillStrategy::Infection),
        ("dse", KillStrategy::Dse),
    ];
}

/// Which paths of a mutant go on behind a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    Random,
    /// Those from which it is not far to an output.
    NearestOutput,
}

impl Selection {
    pub const NAMES: [(&'static str, Selection); 2] = [
        ("rnd", Selection::Random),
        ("mdo", Selection::NearestOutput),
    ];
}

/// The parameters of the paper on stubborn mutants (section 4); the default is its best
/// configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct SemuParameters {
    /// PL: each test is followed up to the first mutant that it comes to (SMD2MS), not all of them up to
    /// the length at which the first one comes to any (GMD2MS).
    pub own_length: bool,
    /// CW: forks between two checkpoints.
    pub checkpoint_window: u32,
    /// PP: the part of the paths that goes on behind a checkpoint.
    pub propagating: f64,
    /// PSS
    pub selection: Selection,
    /// MPD: checkpoints before the first test is made.
    pub least_depth: u32,
    /// NSD: states need not differ for a test.
    pub no_state_difference: bool,
    /// NTPM: tests that are made for a mutant.
    pub tests_per_mutant: usize,
}

impl Default for SemuParameters {
    fn default() -> Self {
        SemuParameters {
            own_length: false,
            checkpoint_window: 0,
            propagating: 0.25,
            selection: Selection::Random,
            least_depth: 2,
            no_state_difference: false,
            tests_per_mutant: 5,
        }
    }
}

/// The settings of a search for killing inputs.
#[derive(Clone, Debug)]
pub struct KillOptions {
    pub strategy: KillStrategy,
    /// Of the strategies other than pairs.
    pub semu: SemuParameters,
}

impl Default for KillOptions {
    fn default() -> Self {
        KillOptions {
            strategy: KillStrategy::Pairs,
            semu: SemuParameters::default(),
        }
    }
}
