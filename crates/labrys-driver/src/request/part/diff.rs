//! Reads a unified diff, as git or `diff -u` writes it, for one thing: which lines of the new files
//! it touches. What stands around the hunks (commit messages, modes, renames, binary files) is
//! passed over.

/// The touched lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedFile {
    /// The name of the new file, without what only tells the sides apart (`a/`, `b/`).
    pub path: String,
    /// Lines of the new file, first and last, in order. Where lines were only taken away, these
    /// are the lines around the gap.
    pub lines: Vec<(u32, u32)>,
}

/// A text that is no unified diff, with the line where that shows.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    #[error("it is not a unified diff; make one with git diff or diff -u")]
    NoDiff,
    #[error("line {0}: a hunk without '--- FILE' and '+++ FILE' before it")]
    NoFile(usize),
    #[error("line {0}: a hunk begins with '@@ -LINE,COUNT +LINE,COUNT @@'")]
    Header(usize),
    #[error("line {0}: a diff of a merge has no single old side; compare two commits")]
    Combined(usize),
    #[error("line {0}: the hunk has fewer lines than its first line says")]
    Short(usize),
}

/// Reads a diff. A file that is only renamed or removed touches nothing.
pub fn read(text: &str) -> Result<Vec<TouchedFile>, DiffError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut files: Vec<TouchedFile> = Vec::new();
    let mut recognised = text.trim().is_empty();
    let mut file: Option<Option<String>> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let next = lines.get(at + 1).copied().unwrap_or("");
        if let (Some(old), Some(new)) = (line.strip_prefix("--- "), next.strip_prefix("+++ ")) {
            file = Some(new_path(&name(old), &name(new)));
            recognised = true;
            at += 2;
        } else if line.starts_with("@@@") {
            return Err(DiffError::Combined(at + 1));
        } else if line.starts_with("@@ ") {
            let Some(path) = &file else {
                return Err(DiffError::NoFile(at + 1));
            };
            let hunk = Hunk::read(line).ok_or(DiffError::Header(at + 1))?;
            let (touched, end) = hunk.body(&lines, at + 1)?;
            if let Some(path) = path {
                enter(&mut files, path, touched);
            }
            at = end;
        } else {
            if is_git_header(line) {
                file = None;
            }
            recognised |= is_git_header(line) || is_remark(line);
            at += 1;
        }
    }
    match recognised {
        true => Ok(files),
        false => Err(DiffError::NoDiff),
    }
}

fn is_git_header(line: &str) -> bool {
    line.starts_with("diff --git ") || line.starts_with("diff --cc ")
}

/// What `diff` says of files that it does not compare line by line.
fn is_remark(line: &str) -> bool {
    let starts = ["Only in ", "Binary files ", "Files ", "GIT binary patch"];
    starts.iter().any(|start| line.starts_with(start))
}

fn enter(files: &mut Vec<TouchedFile>, path: &str, lines: Vec<(u32, u32)>) {
    match files.iter_mut().find(|file| file.path == path) {
        Some(file) => file.lines.extend(lines),
        None => files.push(TouchedFile {
            path: path.to_owned(),
            lines,
        }),
    }
}

/// The name in a `---` or `+++` line: up to a tab, or quoted as in C.
fn name(text: &str) -> String {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some(name) = unquoted(quoted)
    {
        return name;
    }
    let name = text.split('\t').next().unwrap_or(text);
    name.trim_end().to_owned()
}

/// A name that git has quoted, without its first quote: octal numbers are bytes.
fn unquoted(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    loop {
        match rest.next()? {
            b'"' => break,
            b'\\' => match rest.next()? {
                b'n' => bytes.push(b'\n'),
                b't' => bytes.push(b'\t'),
                digit @ b'0'..=b'3' => {
                    let mut octal = || rest.next().filter(|d| (b'0'..=b'7').contains(d));
                    let (second, third) = (octal()?, octal()?);
                    let value = |digit: u8| digit - b'0';
                    bytes.push(value(digit) * 64 + value(second) * 8 + value(third));
                }
                other => bytes.push(other),
            },
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

/// What both names have in common at their ends tells the file, where there is an old one;
/// `None` if the file is removed.
fn new_path(old: &str, new: &str) -> Option<String> {
    const NOTHING: &str = "/dev/null";
    if new == NOTHING {
        return None;
    }
    let reversed = |path: &str| -> Vec<String> { path.rsplit('/').map(str::to_owned).collect() };
    let (olds, news) = (reversed(old), reversed(new));
    let common = olds.iter().zip(&news).take_while(|(o, n)| o == n).count();
    if old == NOTHING || common == 0 {
        let plain = new.strip_prefix("b/").unwrap_or(new);
        return Some(plain.to_owned());
    }
    let mut parts = news[..common].to_vec();
    parts.reverse();
    Some(parts.join("/"))
}

/// The first line of a hunk.
struct Hunk {
    old_count: u32,
    new_count: u32,
    /// The first line of the new file that the hunk is about.
    new_line: u32,
}

impl Hunk {
    /// `@@ -LINE[,COUNT] +LINE[,COUNT] @@…`
    fn read(line: &str) -> Option<Hunk> {
        let ranges = line.strip_prefix("@@ -")?;
        let (ranges, _) = ranges.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |text: &str| -> Option<(u32, u32)> {
            match text.split_once(',') {
                Some((line, count)) => Some((line.parse().ok()?, count.parse().ok()?)),
                None => Some((text.parse().ok()?, 1)),
            }
        };
        let ((_, old_count), (new_line, new_count)) = (range(old)?, range(new)?);
        // A hunk without new lines names the line before it.
        let new_line = new_line.checked_add(u32::from(new_count == 0))?;
        new_line.checked_add(new_count)?;
        Some(Hunk {
            old_count,
            new_count,
            new_line,
        })
    }

    /// The touched lines, and where the hunk ends.
    fn body(self, lines: &[&str], from: usize) -> Result<(Vec<(u32, u32)>, usize), DiffError> {
        let (mut old, mut new, mut line) = (self.old_count, self.new_count, self.new_line);
        let mut touched = Vec::new();
        // The lines that were added and taken away since the last line that stayed.
        let (mut added, mut removed) = (0u32, 0u32);
        let mut at = from;
        while old > 0 || new > 0 {
            let short = || DiffError::Short(at + 1);
            let text = lines.get(at).ok_or_else(short)?;
            match text.bytes().next() {
                Some(b'+') if new > 0 => {
                    (new, line, added) = (new - 1, line + 1, added + 1);
                }
                Some(b'-') if old > 0 => (old, removed) = (old - 1, removed + 1),
                // Some tools drop the space of an empty line.
                Some(b' ' | b'\r') | None if old > 0 && new > 0 => {
                    touched.extend(block(line, added, removed));
                    (added, removed) = (0, 0);
                    (old, new, line) = (old - 1, new - 1, line + 1);
                }
                Some(b'\\') => {}
                _ => return Err(short()),
            }
            at += 1;
        }
        touched.extend(block(line, added, removed));
        Ok((touched, at))
    }
}

/// The lines that a change touches, which ends before `line`.
fn block(line: u32, added: u32, removed: u32) -> Option<(u32, u32)> {
    match (added, removed) {
        (0, 0) => None,
        (0, _) => Some((line.saturating_sub(1).max(1), line)),
        _ => Some((line - added, line - 1)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, Vec<(u32, u32)>)> {
        let files = read(text).unwrap();
        files.into_iter().map(|f| (f.path, f.lines)).collect()
    }

    #[test]
    fn added_and_changed_lines_count_and_context_does_not() {
        let text = "commit 123\n\n    --- not a header\n\ndiff --git a/src/x.c b/src/x.c\nindex 1..2 100644\n--- a/src/x.c\n+++ b/src/x.c\n@@ -3,6 +3,7 @@ int f(void)\n one\n-two\n+TWO\n three\n four\n+more\n+yet more\n-five\n six\n@@ -20 +21 @@\n--- a comment in SQL\n+++ two pluses\n";
        assert_eq!(
            lines(text),
            [("src/x.c".to_owned(), vec![(4, 4), (7, 8), (21, 21)])]
        );
    }

    #[test]
    fn where_lines_are_only_removed_the_lines_around_them_count() {
        let text = "--- x.c.orig\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -4,4 +4,2 @@\n a\n-b\n-c\n d\n@@ -1,1 +0,0 @@\n-first\n\\ No newline at end of file\n";
        assert_eq!(lines(text), [("x.c".to_owned(), vec![(4, 5), (1, 1)])]);
        let without_context = "--- old/x.c\n+++ new/x.c\n@@ -7,2 +6,0 @@\n-a\n-b\n";
        assert_eq!(lines(without_context), [("x.c".to_owned(), vec![(6, 7)])]);
    }

    #[test]
    fn names_are_told_from_both_sides() {
        let one = |old: &str, new: &str| {
            let text = format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
            let files = read(&text).unwrap();
            files.into_iter().map(|f| f.path).collect::<Vec<_>>()
        };
        assert_eq!(one("a/src/x.c", "b/src/x.c"), ["src/x.c"]);
        assert_eq!(one("src/x.c", "src/x.c"), ["src/x.c"]);
        assert_eq!(one("make-4.3/src/x.c", "make-4.4/src/x.c"), ["src/x.c"]);
        assert_eq!(one("/dev/null", "b/new.c"), ["new.c"]);
        assert_eq!(one("a/old.c", "b/dir/new.c"), ["dir/new.c"]);
        assert_eq!(one("a/x.c", "/dev/null"), Vec::<String>::new());
        let quoted = one("\"a/gr\\303\\274n.c\"", "\"b/gr\\303\\274n.c\"");
        assert_eq!(quoted, ["grün.c"]);
    }

    #[test]
    fn a_rename_with_a_change_has_its_new_name_and_one_without_touches_nothing() {
        let text = "diff --git a/a.c b/b.c\nsimilarity index 90%\nrename from a.c\nrename to b.c\n--- a/a.c\n+++ b/b.c\n@@ -5 +5 @@\n-x\n+y\ndiff --git a/c.c b/d.c\nsimilarity index 100%\nrename from c.c\nrename to d.c\ndiff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n";
        assert_eq!(lines(text), [("b.c".to_owned(), vec![(5, 5)])]);
        assert_eq!(lines(""), []);
        assert_eq!(lines("Only in new: x.c\n"), []);
    }

    #[test]
    fn line_ends_of_windows_and_empty_lines_without_their_space_are_understood() {
        let text = "--- a/x.c\r\n+++ b/x.c\r\n@@ -1,3 +1,4 @@\r\n one\r\n\r\n+new\r\n three\r\n";
        assert_eq!(lines(text), [("x.c".to_owned(), vec![(3, 3)])]);
        assert_eq!(lines(&text.replace('\r', ""))[0].1, [(3, 3)]);
    }

    #[test]
    fn what_is_no_diff_is_refused_with_its_line() {
        let cases = [
            ("int main(void) { return 0; }\n", DiffError::NoDiff),
            (
                "*** a.c\n--- b.c\n***************\n*** 1,2 ****\n",
                DiffError::NoDiff,
            ),
            ("@@ -1 +1 @@\n-a\n+b\n", DiffError::NoFile(1)),
            (
                "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n",
                DiffError::NoFile(2),
            ),
            (
                "--- a/x\n+++ b/x\n@@ one two @@\n-a\n",
                DiffError::Header(3),
            ),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +99999999999,2 @@\n-a\n",
                DiffError::Header(3),
            ),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +4294967295,2 @@\n-a\n",
                DiffError::Header(3),
            ),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n",
                DiffError::Short(6),
            ),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\ndiff --git a/y b/y\n",
                DiffError::Short(6),
            ),
            (
                "diff --cc x.c\n--- a/x.c\n+++ b/x.c\n@@@ -1,2 -1,2 +1,3 @@@\n",
                DiffError::Combined(4),
            ),
        ];
        for (text, error) in cases {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(--- a/x\n\\+\\+\\+ b/x\n)?(@@ -[0-9]{0,11},?[0-9]{0,3} \\+[0-9]{0,11},?[0-9]{0,3} @@\n)?([-+ \\\\]?[a-z]?\n){0,8}") {
            let _ = read(&text);
        }
    }
}
