//! Names that users write for strategies and instrumentations.

use crate::failure::{Failure, Outcome};
use labrys_engine::{Instrumentation, Search};

/// The search strategy of this name.
pub fn search_strategy(name: &str) -> Outcome<Search> {
    by_name("--search: unknown strategy", name, &Search::NAMES)
}

/// The instrumentation of this name.
pub fn instrumentation(name: &str) -> Outcome<Instrumentation> {
    by_name(
        "--instrumentation: unknown form",
        name,
        &Instrumentation::NAMES,
    )
}

/// The value of a name among those that are known.
pub(super) fn by_name<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Outcome<T> {
    let found = known.iter().find(|(n, _)| *n == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(n, _)| *n).collect();
        let known = known.join(", ");
        Failure::usage(format_args!("{what} '{name}'; known are {known}"))
    })
}
