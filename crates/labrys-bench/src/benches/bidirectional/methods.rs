//! The ways of searching that are compared. This table is the one place where a row is added.

use labrys_driver::{Failure, Outcome};
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

/// Those that are asked for; without names all, in the short form only some.
pub fn methods(named: &[String], short: bool) -> Outcome<Vec<&'static SearchMethod>> {
    if let Some(unknown) = named.iter().find(|n| TABLE.iter().all(|m| m.name != **n)) {
        let names = TABLE.map(|m| m.name).join(", ");
        return Err(Failure::usage(format_args!(
            "bidirectional has no method '{unknown}'; known are {names}"
        )));
    }
    let is_known = |m: &&SearchMethod| Search::NAMES.iter().any(|(name, _)| *name == m.search);
    let all = TABLE.iter().filter(is_known);
    Ok(all
        .filter(|m| match named.is_empty() {
            true => !short || m.in_short,
            false => named.iter().any(|name| name == m.name),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judged_method_always_runs() {
        for short in [false, true] {
            let methods = methods(&[], short).map_err(|e| e.message);
            assert!(
                methods.is_ok_and(|all| all.iter().any(|m| m.name == JUDGED)),
                "{short}"
            );
        }
    }

    #[test]
    fn methods_are_chosen_by_name() {
        let of = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            methods(&names, false).map(|all| all.iter().map(|m| m.name).collect::<Vec<_>>())
        };
        assert!(of(&["pps", "dfs"]).is_ok_and(|names| names == ["dfs", "pps"]));
        assert!(of(&["best"]).is_err());
    }
}
