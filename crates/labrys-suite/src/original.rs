//! A source file as the user wrote it, included by a unit that has the harnesses of its functions
//! behind it. Functions that nobody defines are renamed by macros, in the source and in the
//! harness alike, so that their stubs do not stand in the way of the C library. The headers of
//! the C library do not always bear such macros: a function of theirs keeps its name, and its
//! stub replaces it, unless the runtime needs the real one.

use labrys_ledger::protocol::STUB_PREFIX;
use std::fmt::Write;
use std::path::PathBuf;

/// A source file with the text that its tests need.
#[derive(Clone, Debug, Default)]
pub struct OriginalUnit {
    pub source: PathBuf,
    /// Its flags, and where they are meant.
    pub flags: Vec<String>,
    pub directory: Option<PathBuf>,
    /// Functions that are called `labrys_stub_NAME` in the harness.
    pub renamed: Vec<String>,
    /// Those of them that a system header declares.
    pub system: Vec<String>,
    /// Stubs, definitions of global variables, and the harnesses.
    pub harness: String,
}

impl OriginalUnit {
    /// The macros that must hold in the source and in the harness. A harness for a whole program
    /// calls its `main` by another name. `runtime` is the C text that runs the tests.
    pub(crate) fn defines(&self, rename_main: bool, runtime: &str) -> String {
        let main = rename_main.then_some(("main".to_owned(), "labrys_main".to_owned()));
        let stubs = self.renamed.iter().map(|name| {
            let stub = format!("{STUB_PREFIX}{name}");
            match self.replaces(name, runtime) {
                true => (stub, name.clone()),
                false => (name.clone(), stub),
            }
        });
        main.into_iter()
            .chain(stubs)
            .fold(String::new(), |mut out, (name, other)| {
                let _ = writeln!(out, "#define {name} {other}");
                out
            })
    }

    /// Ends the effect of [`OriginalUnit::defines`].
    pub(crate) fn undefines(&self, rename_main: bool, runtime: &str) -> String {
        let defines = self.defines(rename_main, runtime);
        let names = defines.lines().filter_map(|line| line.split(' ').nth(1));
        names.fold(String::new(), |mut out, name| {
            let _ = writeln!(out, "#undef {name}");
            out
        })
    }

    /// Whether a function is renamed although the runtime needs it too.
    pub(crate) fn hides_from(&self, runtime: &str) -> bool {
        let renamed = self.renamed.iter();
        renamed
            .filter(|name| !self.replaces(name, runtime))
            .any(|name| has_function(runtime, name))
    }

    fn replaces(&self, name: &str, runtime: &str) -> bool {
        self.system.iter().any(|system| system == name) && !has_function(runtime, name)
    }
}

/// Whether C text calls, declares or defines a function.
pub(crate) fn has_function(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start();
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') && after.starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_found_by_its_whole_name() {
        let text = "void labrys_harness_ff(void) {}\nvoid labrys_harness_g (void) {}";
        assert!(!has_function(text, "labrys_harness_f"));
        assert!(has_function(text, "labrys_harness_ff"));
        assert!(has_function(text, "labrys_harness_g"));
        assert!(!has_function(text, "harness_g"));
    }

    #[test]
    fn functions_of_the_system_keep_their_names_unless_the_runtime_calls_them() {
        let unit = OriginalUnit {
            renamed: vec!["own".into(), "floor".into(), "close".into()],
            system: vec!["floor".into(), "close".into()],
            ..OriginalUnit::default()
        };
        let runtime = "void end(void) { close(1); }";
        let expected = "#define own labrys_stub_own\n#define labrys_stub_floor floor\n\
                        #define close labrys_stub_close\n";
        assert_eq!(unit.defines(false, runtime), expected);
        let undefines = unit.undefines(true, runtime);
        assert!(undefines.contains("#undef main\n#undef own\n#undef labrys_stub_floor\n"));
        assert!(unit.hides_from(runtime));
        assert!(!unit.hides_from(""));
    }
}
