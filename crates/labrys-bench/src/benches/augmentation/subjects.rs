//! The functions of these tables: our own versions of the paper's subjects, and small integer
//! functions of the kind of its last group. Each file has one.

use include_dir::{Dir, include_dir};

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/files/augmentation");

/// A function to test.
#[derive(Clone, Copy, Debug)]
pub struct SmallFunction {
    /// Its file, without the ending.
    pub name: &'static str,
    pub text: &'static str,
}

/// All of them, in the order of their names.
pub fn all() -> Vec<SmallFunction> {
    let subject = |file: &'static include_dir::File<'static>| {
        Some(SmallFunction {
            name: file.path().file_name()?.to_str()?.strip_suffix(".c")?,
            text: file.contents_utf8()?,
        })
    };
    let mut all: Vec<SmallFunction> = SOURCES.files().filter_map(subject).collect();
    all.sort_by_key(|subject| subject.name);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subjects_of_the_paper_are_among_them() {
        let names: Vec<&str> = all().iter().map(|subject| subject.name).collect();
        assert!(names.len() >= 31, "{names:?}");
        for name in [
            "factorial",
            "power",
            "maximum",
            "fibonacci",
            "gcd",
            "wheel_brake",
            "find_middle",
            "wrap_counter",
            "remainder",
            "to_octal",
            "to_hexadecimal",
        ] {
            assert!(names.contains(&name), "{name}");
        }
    }
}
