//! Tests of whole programs that KLEE ran with its POSIX runtime: the options on the recorded
//! command line say which arguments and files are symbolic, the objects have their bytes.

use super::ktest::Ktest;
use labrys_ledger::world::{TestSurroundings, visible_part};
use std::collections::VecDeque;

/// What the program of a test finds, and what of the test has no counterpart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PosixTest {
    pub surroundings: TestSurroundings,
    pub ignored: Vec<String>,
}

/// Every test that was made with the POSIX runtime has this object.
const MODEL_VERSION: &str = "model_version";

impl Ktest {
    pub fn is_posix(&self) -> bool {
        self.objects.iter().any(|(name, _)| name == MODEL_VERSION)
    }

    /// The test as a command line with files.
    pub fn posix(&self) -> Result<PosixTest, String> {
        let mut objects = PosixObjects::new(self);
        let mut found = PosixTest::default();
        found.surroundings.arguments = objects.arguments(self, &mut found.ignored)?;
        let stdin = objects.files.iter().position(|(name, _)| name == "stdin");
        if let Some(at) = stdin {
            found.surroundings.stdin = objects.files.remove(at).1;
        }
        found.surroundings.files = objects.files;
        found.ignored.append(&mut objects.ignored);
        let rest = objects.arguments.iter().map(|(name, _)| name.clone());
        found.ignored.extend(rest);
        Ok(found)
    }
}

/// The objects of a test by what they stand for.
#[derive(Default)]
struct PosixObjects {
    /// `arg0`, `arg00` and so on, in order.
    arguments: VecDeque<(String, Vec<u8>)>,
    /// `n_args`, one for each `--sym-args`.
    counts: VecDeque<u32>,
    files: Vec<(String, Vec<u8>)>,
    ignored: Vec<String>,
}

impl PosixObjects {
    fn new(test: &Ktest) -> Self {
        let mut objects = PosixObjects::default();
        for (name, bytes) in &test.objects {
            let number = name.strip_prefix("arg").filter(|rest| !rest.is_empty());
            let file = ["-data", "_data"]
                .iter()
                .find_map(|end| name.strip_suffix(end));
            if number.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit())) {
                let text = visible_part(bytes, None).to_vec();
                objects.arguments.push_back((name.clone(), text));
            } else if name == "n_args" {
                let count = bytes.as_slice().try_into().map_or(0, u32::from_le_bytes);
                objects.counts.push_back(count);
            } else if name == "stdin" {
                objects.files.push((name.clone(), bytes.clone()));
            } else if let Some(file) = file {
                objects.files.push((file.to_owned(), bytes.clone()));
            } else if name != MODEL_VERSION {
                objects.ignored.push(name.clone());
            }
        }
        objects
    }

    /// The command line with the symbolic arguments in their places.
    fn arguments(
        &mut self,
        test: &Ktest,
        ignored: &mut Vec<String>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let mut arguments = Vec::new();
        let mut words = test.arguments.iter().skip(1);
        while let Some(word) = words.next() {
            let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
            let (values, symbolic) = match option {
                Some("sym-arg") => (1, Some(1)),
                Some("sym-args") => {
                    let count = self.counts.pop_front();
                    let missing = || format!("it has {word}, but no object n_args");
                    (3, Some(count.ok_or_else(missing)?))
                }
                Some("sym-files") => (2, None),
                Some("sym-stdin") => (1, None),
                Some("sym-stdout" | "save-all-writes" | "posix-runtime") => (0, None),
                Some("max-fail") => (1, None),
                Some("fd-fail") => (0, None),
                _ => {
                    arguments.push(word.clone().into_bytes());
                    continue;
                }
            };
            let given: Vec<&str> = words.by_ref().take(values).map(String::as_str).collect();
            if given.len() < values || given.iter().any(|text| text.parse::<u32>().is_err()) {
                return Err(format!("{word} on its command line lacks its numbers"));
            }
            if matches!(option, Some("max-fail" | "fd-fail")) {
                ignored.push(word.clone());
            }
            for _ in 0..symbolic.unwrap_or(0) {
                let missing = || format!("it has {word}, but too few objects for its arguments");
                arguments.push(self.arguments.pop_front().ok_or_else(missing)?.1);
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(arguments: &[&str], objects: &[(&str, &[u8])]) -> Ktest {
        let owned = |(name, bytes): &(&str, &[u8])| ((*name).to_owned(), bytes.to_vec());
        Ktest {
            arguments: arguments.iter().map(ToString::to_string).collect(),
            objects: objects.iter().map(owned).collect(),
        }
    }

    #[test]
    fn a_command_line_with_files() {
        let words = [
            "wc.bc",
            "-l",
            "--sym-args",
            "0",
            "2",
            "3",
            "-sym-arg",
            "1",
            "--sym-files",
            "1",
            "2",
            "--sym-stdin",
            "3",
            "--max-fail",
            "1",
        ];
        let test = test(
            &words,
            &[
                ("n_args", &[2, 0, 0, 0]),
                ("arg00", b"ab\0\0"),
                ("arg01", b"\0xyz"),
                ("arg02", b"q\0"),
                ("A-data", b"hi"),
                ("A-data-stat", &[0; 144]),
                ("stdin", b"x\0y"),
                ("stdin_stat", &[0; 144]),
                ("model_version", &[1, 0, 0, 0]),
            ],
        );
        assert!(test.is_posix());
        let found = test.posix().unwrap();
        let expected: [&[u8]; 4] = [b"-l", b"ab", b"", b"q"];
        assert_eq!(found.surroundings.arguments, expected);
        assert_eq!(found.surroundings.stdin, b"x\0y");
        assert_eq!(found.surroundings.files, [("A".to_owned(), b"hi".to_vec())]);
        assert_eq!(found.ignored, ["--max-fail", "A-data-stat", "stdin_stat"]);
    }

    #[test]
    fn what_does_not_fit_together_is_said() {
        for (words, objects) in [
            (vec!["a", "--sym-args", "0", "1", "2"], vec![]),
            (vec!["a", "--sym-arg"], vec![]),
            (vec!["a", "--sym-arg", "x"], vec![("arg0", &b"a"[..])]),
            (vec!["a", "--sym-arg", "3"], vec![]),
            (
                vec!["a", "--sym-args", "0", "1", "2"],
                vec![("n_args", &[0xff; 4][..])],
            ),
        ] {
            assert!(test(&words, &objects).posix().is_err(), "{words:?}");
        }
    }
}
