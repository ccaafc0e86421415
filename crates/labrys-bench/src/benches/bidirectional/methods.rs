//! The ways of searching that are compared. This table is the one place where a row is added.

use labrys_engine::Search;

/// What `gen` is told.
pub struct SearchMethod {
    pub name: &'static str,
    pub search: &'static str,
    /// Options besides `--search`.
    pub options: &'static [&'static str],
    /// Whether it runs in the short form.
    pub in_short: bool,
}

const fn method(
    name: &'static str,
    search: &'static str,
    options: &'static [&'static str],
    in_short: bool,
) -> SearchMethod {
    SearchMethod {
        name,
        search,
        options,
        in_short,
    }
}

/// No proofs before the search.
const WITHOUT_PROOFS: &[&str] = &["--no-static"];

/// The strategies of CREST and KLEE without proofs, as in the paper; then ours, without and with
/// proofs and the frontier. A search that this build does not know is left out.
const TABLE: [SearchMethod; 7] = [
    method("dfs", "dfs", WITHOUT_PROOFS, true),
    method("cfg", "cfg", WITHOUT_PROOFS, false),
    method("rp-md2u", "rp-md2u", WITHOUT_PROOFS, false),
    method("pps", "pps", WITHOUT_PROOFS, false),
    method("mix without proofs", "mix", WITHOUT_PROOFS, false),
    method("frontier", "frontier", &[], false),
    method(JUDGED, "mix", &[], true),
];

/// The one that the targets are about: the default search with everything that it has.
pub const JUDGED: &str = "mix";

pub fn methods(short: bool) -> Vec<&'static SearchMethod> {
    let is_known = |m: &&SearchMethod| Search::NAMES.iter().any(|(name, _)| *name == m.search);
    let all = TABLE.iter().filter(is_known);
    all.filter(|m| !short || m.in_short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judged_method_always_runs() {
        for short in [false, true] {
            assert!(methods(short).iter().any(|m| m.name == JUDGED), "{short}");
        }
    }
}
