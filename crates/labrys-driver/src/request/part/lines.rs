//! Places in files: `FILE`, `FILE:LINE` and `FILE:FROM-TO` as text, and which file of a program a
//! name means.

use crate::request::text_form::serde_as_text;
use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;

/// Lines of a file, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRange {
    pub file: String,
    /// First and last.
    pub lines: Option<(u32, u32)>,
}

impl FromStr for LineRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let whole = |file: &str| match file {
            "" => Err(format!(
                "'{text}' names no file; write FILE, FILE:LINE or FILE:FROM-TO"
            )),
            file => Ok(file.to_owned()),
        };
        let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let Some((file, lines)) = text.rsplit_once(':') else {
            return Ok(LineRange {
                file: whole(text)?,
                lines: None,
            });
        };
        let (from, to) = lines.split_once('-').unwrap_or((lines, lines));
        if !is_number(from) || !is_number(to) {
            return Err(format!(
                "'{lines}' in '{text}' is neither LINE nor FROM-TO; write for example {file}:120-180"
            ));
        }
        let number = |t: &str| {
            t.parse::<u32>()
                .map_err(|_| format!("line {t} in '{text}' is too large"))
        };
        let (from, to) = (number(from)?, number(to)?);
        if from == 0 || from > to {
            return Err(format!(
                "'{text}' has no lines: they are counted from 1, the first comes first"
            ));
        }
        Ok(LineRange {
            file: whole(file)?,
            lines: Some((from, to)),
        })
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lines {
            None => write!(f, "{}", self.file),
            Some((from, to)) if from == to => write!(f, "{}:{from}", self.file),
            Some((from, to)) => write!(f, "{}:{from}-{to}", self.file),
        }
    }
}

serde_as_text!(LineRange, ToString::to_string);

/// Does `name` mean the file that the program knows as `file`? It must be the end of the file's
/// whole path; or the file's path, as the program knows it, with at least one directory, must be
/// the end of `name`: the same tree may stand elsewhere.
pub fn means(name: &str, file: &str) -> bool {
    let name = parts(Path::new(name));
    let here = std::env::current_dir().unwrap_or_default();
    let shown = parts(Path::new(file));
    let whole = parts(&here.join(file));
    let is_rooted = |parts: &[String]| parts.first().is_some_and(|p| p == "/" || p == "..");
    if name.is_empty() {
        return false;
    }
    if name.first().is_some_and(|p| p == "..") {
        let joined = parts(&here.join(name.join("/")));
        return joined == whole;
    }
    whole.ends_with(&name) || shown.len() > 1 && !is_rooted(&shown) && name.ends_with(&shown)
}

/// The parts of a path, without `.` and, where possible, without `..`.
fn parts(path: &Path) -> Vec<String> {
    let text = |part: Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let path = labrys_front::without_dots(path);
    path.components().map(text).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_shown() {
        let place = |text: &str| text.parse::<LineRange>();
        assert_eq!(place("src/x.c:120-180").unwrap().lines, Some((120, 180)));
        assert_eq!(place("src/x.c:7").unwrap().lines, Some((7, 7)));
        assert_eq!(place("x.c").unwrap().lines, None);
        for text in ["src/x.c:120-180", "x.c:7", "x.c"] {
            assert_eq!(place(text).unwrap().to_string(), text);
        }
        for wrong in [
            "",
            ":3",
            "x.c:0",
            "x.c:9-3",
            "x.c:3-",
            "x.c:a",
            "x.c:",
            "x.c:1-99999999999",
        ] {
            let message = place(wrong).unwrap_err();
            assert!(message.contains('\''), "{message}");
        }
    }

    #[test]
    fn a_name_means_the_files_whose_end_it_is() {
        let here = std::env::current_dir().unwrap();
        assert!(means("x.c", "src/x.c"));
        assert!(means("src/x.c", "src/x.c"));
        assert!(means("./src/x.c", "src/x.c"));
        assert!(means(
            &here.join("src/x.c").display().to_string(),
            "src/x.c"
        ));
        let above = here.file_name().unwrap().to_str().unwrap();
        assert!(means(&format!("{above}/src/x.c"), "src/x.c"));
        assert!(means(&format!("{above}/src/x.c"), "./lib/../src/x.c"));
        assert!(means("elsewhere/src/x.c", "src/x.c"));
        assert!(means("../x.c", "../x.c"));
        assert!(means("x.c", "../x.c"));
        assert!(!means("docs/x.c", "src/x.c"));
        assert!(!means("docs/x.c", "x.c"));
        assert!(!means("c", "x.c"));
        assert!(!means("../x.c", "x.c"));
        assert!(!means("", "x.c"));
    }
}
