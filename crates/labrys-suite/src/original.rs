//! A source file as the user wrote it, included by a unit that has the harnesses of its functions
//! behind it. Functions that nobody defines are renamed by macros, in the source and in the
//! harness alike, so that their stubs do not stand in the way of the C library.

use std::fmt::Write;
use std::path::PathBuf;

/// A source file with the text that its tests need.
#[derive(Clone, Debug, Default)]
pub struct OriginalUnit {
    pub source: PathBuf,
    /// Functions that are called `labrys_stub_NAME` in the harness.
    pub renamed: Vec<String>,
    /// Stubs, definitions of global variables, and the harnesses.
    pub harness: String,
}

impl OriginalUnit {
    /// The macros that must hold in the source and in the harness. A harness for a whole program
    /// calls its `main` by another name.
    pub(crate) fn defines(&self, rename_main: bool) -> String {
        let main = rename_main.then_some(("main", "labrys_main".to_owned()));
        let stubs = self.renamed.iter();
        let stubs = stubs.map(|name| (name.as_str(), format!("labrys_stub_{name}")));
        main.into_iter()
            .chain(stubs)
            .fold(String::new(), |mut out, (name, other)| {
                let _ = writeln!(out, "#define {name} {other}");
                out
            })
    }

    /// Ends the effect of [`OriginalUnit::defines`].
    pub(crate) fn undefines(&self, rename_main: bool) -> String {
        let main = rename_main.then_some("main");
        main.into_iter()
            .chain(self.renamed.iter().map(String::as_str))
            .fold(String::new(), |mut out, name| {
                let _ = writeln!(out, "#undef {name}");
                out
            })
    }
}
