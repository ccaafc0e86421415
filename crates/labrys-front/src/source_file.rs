//! A C file as a build knows it: its name, where the compiler was called, and the flags. Messages
//! and results name files as seen from where the user stands, so the names that clang writes are
//! put in that form.

use std::path::{Component, Path, PathBuf};

/// A C file with its flags.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceFile {
    pub path: PathBuf,
    /// Where its flags and its name are meant; none for where the user stands.
    pub directory: Option<PathBuf>,
    pub flags: Vec<String>,
}

impl From<PathBuf> for SourceFile {
    fn from(path: PathBuf) -> Self {
        SourceFile {
            path,
            ..SourceFile::default()
        }
    }
}

impl SourceFile {
    /// The name of the file for the user.
    pub fn shown(&self) -> PathBuf {
        self.seen_from_here(&self.path)
    }

    /// A file that clang names, as the user would name it.
    fn seen_from_here(&self, path: &Path) -> PathBuf {
        let Some(directory) = &self.directory else {
            return path.to_owned();
        };
        let whole = without_dots(&directory.join(path));
        let here = std::env::current_dir().unwrap_or_default();
        match whole.strip_prefix(&here) {
            Ok(rest) => rest.to_owned(),
            Err(_) => whole,
        }
    }

    /// Preprocessed text whose line markers name files as seen from here.
    pub(crate) fn with_names_from_here(&self, text: Vec<u8>) -> Vec<u8> {
        if self.directory.is_none() {
            return text;
        }
        let mut out = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match self.renamed_marker(line) {
                Some(marker) => out.extend(marker.bytes()),
                None => out.extend(line),
            }
        }
        out
    }

    /// `# 12 "name" flags` with the other name.
    fn renamed_marker(&self, line: &[u8]) -> Option<String> {
        let line = std::str::from_utf8(line.strip_prefix(b"# ")?).ok()?;
        let (number, rest) = line.split_once(" \"")?;
        number.parse::<u32>().ok()?;
        let (name, flags) = rest.rsplit_once('"')?;
        if name.starts_with('<') || name.contains('\\') {
            return None;
        }
        let name = self.seen_from_here(Path::new(name));
        let name = name.to_str().filter(|name| !name.contains(['"', '\\']))?;
        Some(format!("# {number} \"{name}\"{flags}"))
    }
}

/// The path without `.` and `..`, as far as that can be told without looking at links.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_files_as_seen_from_here() {
        let here = std::env::current_dir().unwrap();
        let source = SourceFile {
            path: "../src/x.c".into(),
            directory: Some(here.join("build")),
            flags: vec![],
        };
        assert_eq!(source.shown(), Path::new("src/x.c"));
        let text = b"# 1 \"../src/x.c\"\n# 1 \"<built-in>\" 1\n# 3 \"/usr/include/a.h\" 1 3 4\nint x; // # 1 \"y\"\n";
        let renamed = source.with_names_from_here(text.to_vec());
        let expected = "# 1 \"src/x.c\"\n# 1 \"<built-in>\" 1\n# 3 \"/usr/include/a.h\" 1 3 4\nint x; // # 1 \"y\"\n";
        assert_eq!(String::from_utf8(renamed).unwrap(), expected);
    }
}
