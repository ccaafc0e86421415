//! What the caller tells the analysis about a module: its entries, what stays opaque, and which text
//! Labrys has generated.

use labrys_ir::{Function, Module};
use rustc_hash::FxHashSet;

/// Functions without a body whose name begins like this are known to the engine.
pub(crate) const PRIMITIVE: &str = "labrys_";

/// Which functions are analysed, and whose constants count as facts.
#[derive(Clone, Debug, Default)]
pub struct AnalysisScope {
    /// The harnesses. What is refuted is so for all of them together.
    pub entries: Vec<String>,
    /// Functions whose bodies are not looked into, unless they hold annotations: models of the
    /// library are bounded in ways that only an execution notices.
    pub opaque: FxHashSet<String>,
    /// The same for all functions of files whose names begin like this.
    pub opaque_files: String,
    /// The file names of text that Labrys has made up. Its constants are sizes and choices, not
    /// facts about the program, so they count as unknown.
    pub made_up: Vec<String>,
    /// The file name of text within it that the user has given: preconditions.
    pub given: String,
    /// What is assumed says nothing: for asking whether a proof needs it.
    pub ignores_assumptions: bool,
}

/// How far a function with a body is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opacity {
    Transparent,
    /// What the body returns is not looked at, but what it can write is.
    Library,
    Unknown,
}

impl AnalysisScope {
    pub(crate) fn opacity(&self, module: &Module, function: &Function) -> Opacity {
        let prefix = &self.opaque_files;
        if self.opaque.contains(&function.name) {
            Opacity::Unknown
        } else if !prefix.is_empty() && module.file(function.loc).starts_with(prefix.as_str()) {
            Opacity::Library
        } else {
            Opacity::Transparent
        }
    }

    /// Which instructions of a function may not know constants; empty if all may.
    pub(crate) fn instructions_without_constants(
        &self,
        module: &Module,
        function: &Function,
    ) -> Vec<bool> {
        let file = module.file(function.loc);
        let made_up = self.made_up.iter().any(|name| name == file);
        if !made_up && !self.entries.contains(&function.name) {
            return Vec::new();
        }
        let locs = function.locs.iter();
        locs.map(|loc| self.given.is_empty() || module.file(*loc) != self.given)
            .collect()
    }
}
