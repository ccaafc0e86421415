//! What can go wrong between the user's C files and the bitcode, each as one clear message.

use labrys_budget::EndCause;
use std::path::PathBuf;

/// An error of the front end: wrong input, a missing tool or a full disk.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    #[error(
        "cannot run the C compiler '{clang}': {source}; install clang-19 or name it with --clang"
    )]
    ClangMissing {
        clang: String,
        source: std::io::Error,
    },

    /// Clang's own text, verbatim.
    #[error("{}: clang reports errors:\n{message}", path.display())]
    Compile { path: PathBuf, message: String },

    #[error(
        "{place}: no file '{header}' to include; add its directory with -- -I DIR, or take the flags of a build with --compile-commands or labrys cc"
    )]
    MissingHeader { place: String, header: String },

    #[error("'main' is defined in {files}; name the files of one program")]
    SeveralPrograms { files: String },

    #[error("'{name}' is defined in {files}; say which one with --function FILE:{name}")]
    Ambiguous { name: String, files: String },

    #[error("no function '{name}' in {files}{}", suggest(similar, known))]
    FunctionNotFound {
        name: String,
        files: String,
        similar: Vec<String>,
        known: Vec<String>,
    },

    #[error(
        "function '{name}' is declared at {place} but has no body in the given files; add the file that defines it"
    )]
    NoBody { name: String, place: String },

    #[error(
        "function '{name}' cannot be called: the type of its parameter '{parameter}' has no name outside of its parameter list; declare the type before the function"
    )]
    NamelessParameter { name: String, parameter: String },

    #[error("{files}: no function with a body; there is nothing to test")]
    NothingToTest { files: String },

    #[error("{}: C++ is not supported, Labrys reads C; rename the file if it is C", path.display())]
    CPlusPlus { path: PathBuf },

    #[error("{}: no such file", path.display())]
    FileNotFound { path: PathBuf },

    #[error("no C source given; name at least one file")]
    NoSources,

    #[error(
        "--assume '{expression}' is not a C expression over the parameters of '{function}':\n{message}"
    )]
    BadAssume {
        expression: String,
        function: String,
        message: String,
    },

    #[error(
        "--shape '{shape}': no function under test has a pointer '{name}'; 'labrys init' shows the harness with all of them"
    )]
    BadShape { shape: String, name: String },

    #[error(
        "a block of --partition is not a C expression over the parameters of the function under test; given are '{blocks}':\n{message}"
    )]
    BadPartition { blocks: String, message: String },

    /// The annotated program does not compile although the user's does: an error of Labrys.
    #[error("internal: the annotated form of {} does not compile; it is kept in {}:\n{message}", path.display(), annotated.display())]
    Annotated {
        path: PathBuf,
        annotated: PathBuf,
        message: String,
    },

    #[error("internal: clang's syntax tree of {} cannot be read: {message}", path.display())]
    Ast { path: PathBuf, message: String },

    #[error("internal: the front end failed: {message}")]
    Internal { message: String },

    #[error("{}: the C compiler has crashed ({status}); name another one with --clang", path.display())]
    ClangCrashed {
        path: PathBuf,
        status: std::process::ExitStatus,
    },

    #[error("{}: no space left for intermediate files; free some, or name another directory with TMPDIR", directory.display())]
    DiskFull { directory: PathBuf },

    /// The command's time or memory is used up, or the user has stopped it.
    #[error("the program was not read to its end")]
    Ended(EndCause),

    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
}

impl FrontError {
    /// Whether the error is one of Labrys, not of the input.
    pub fn is_internal(&self) -> bool {
        matches!(
            self,
            FrontError::Annotated { .. } | FrontError::Ast { .. } | FrontError::Internal { .. }
        )
    }
}

fn suggest(similar: &[String], known: &[String]) -> String {
    if !similar.is_empty() {
        return format!("; did you mean '{}'?", similar.join("' or '"));
    }
    if known.is_empty() {
        return "; no function there has a body".to_owned();
    }
    const MAX_LISTED_FUNCTIONS: usize = 20;
    let mut list = known
        .iter()
        .take(MAX_LISTED_FUNCTIONS)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if known.len() > MAX_LISTED_FUNCTIONS {
        list.push_str(&format!(" and {} more", known.len() - MAX_LISTED_FUNCTIONS));
    }
    format!("; functions with a body: {list}")
}

/// The names of `known` that are within a few letters of `name`, closest first.
pub(crate) fn similar_names(name: &str, known: &[String]) -> Vec<String> {
    let limit = (name.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &String)> = known
        .iter()
        .map(|k| (edit_distance(name, k), k))
        .filter(|(d, k)| *d <= limit || k.eq_ignore_ascii_case(name))
        .collect();
    close.sort();
    close.into_iter().take(3).map(|(_, k)| k.clone()).collect()
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_suggested() {
        let known = vec!["parse_tag".to_owned(), "print".to_owned()];
        assert_eq!(similar_names("parse_tga", &known), ["parse_tag"]);
        assert!(similar_names("zzzzz", &known).is_empty());
    }

    #[test]
    fn the_message_lists_the_functions_if_none_is_close() {
        let e = FrontError::FunctionNotFound {
            name: "f".into(),
            files: "x.c".into(),
            similar: vec![],
            known: vec!["alpha".into()],
        };
        assert_eq!(
            e.to_string(),
            "no function 'f' in x.c; functions with a body: alpha"
        );
    }
}
