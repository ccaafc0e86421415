//! What the analysis is told about a module beside its code.

use labrys_ir::{Function, Module};
use rustc_hash::FxHashSet;

/// What may be looked into and what may be believed.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The harness.
    pub entry: String,
    /// Functions whose bodies are not looked into: models of the library are bounded in ways that
    /// only an execution notices.
    pub opaque: FxHashSet<String>,
    /// The file name of text that Labrys has made up. Its constants are sizes and choices, not
    /// facts about the program, so they count as unknown.
    pub made_up: String,
    /// The file name of text within it that the user has given: preconditions.
    pub given: String,
}

impl Scope {
    /// Which instructions of a function may not know constants; empty if all may.
    pub fn blind(&self, module: &Module, function: &Function) -> Vec<bool> {
        let made_up = module.file(function.loc) == self.made_up || function.name == self.entry;
        if !made_up {
            return Vec::new();
        }
        let locs = function.locs.iter();
        locs.map(|loc| self.given.is_empty() || module.file(*loc) != self.given)
            .collect()
    }
}
