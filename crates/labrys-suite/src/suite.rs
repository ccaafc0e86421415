//! The suite file `suite.json`: the tests with their inputs, what they cover and what they were
//! seen to do. Everything that is read is checked; a damaged file is one clear error.

use crate::value;
use crate::wire::Observation;
use labrys_ledger::InputType;
use labrys_ledger::protocol::HARNESS_PREFIX;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The version of the format that this code writes and reads.
pub const SCHEMA: &str = "labrys/1";

/// A test suite, as in `suite.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    pub schema: String,
    pub target: SuiteTarget,
    /// The sizes of the generated harness; other sizes have other inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<HarnessSizes>,
    pub tests: Vec<SuiteTest>,
}

/// Sizes of the objects that a generated harness makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HarnessSizes {
    pub array_len: u32,
    pub depth: u32,
}

impl HarnessSizes {
    /// Twice as large.
    pub fn doubled(self) -> Self {
        HarnessSizes {
            array_len: self.array_len.saturating_mul(2),
            depth: self.depth.saturating_mul(2),
        }
    }
}

/// What was tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteTarget {
    pub files: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

/// Stands among what changes from run to run where a test does not always end alike. No output has
/// such a name.
pub const THE_END: &str = "how it ends";

/// One test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteTest {
    /// Numbered from 1; what `objectives.json` refers to.
    pub id: u32,
    /// A C identifier, unique in the suite.
    pub name: String,
    /// The function under test; its harness is `labrys_harness_` and this name.
    pub entry: String,
    /// In the order in which the program asks for them.
    pub inputs: Vec<TestInput>,
    /// The ids of the objectives that the native replay showed it to cover.
    pub covers: Vec<String>,
    /// The augmented conditions that it meets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub augments: Vec<String>,
    /// How many conditions its path has; unknown of tests that no engine has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<usize>,
    /// `ok`, `exit N` or the kind of the fault.
    pub outcome: String,
    /// What the program produced, for reading.
    pub outputs: Map<String, Value>,
    /// The same as exact bytes, in the order in which the program produced it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_bytes: Vec<TestOutput>,
    /// What a function wrote to standard output and standard error, where it did. A whole program
    /// has these among its outputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<TestOutput>,
    /// Outputs and streams that change from run to run, and so say nothing, and [`THE_END`].
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unstable: BTreeSet<String>,
}

/// An input of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestInput {
    pub name: String,
    /// The C spelling of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// For reading; only `bytes` counts.
    pub value: Value,
    #[serde(serialize_with = "to_hex", deserialize_with = "from_hex")]
    pub bytes: Vec<u8>,
}

/// An observed output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutput {
    pub name: String,
    #[serde(serialize_with = "to_hex", deserialize_with = "from_hex")]
    pub bytes: Vec<u8>,
}

/// Why a suite could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("cannot {action} the suite {path}: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{origin} is not a suite of Labrys: {reason}; generate it anew with labrys gen")]
    Malformed { origin: String, reason: String },
}

impl Suite {
    pub fn new(target: SuiteTarget) -> Self {
        Suite {
            schema: SCHEMA.to_owned(),
            target,
            sizes: None,
            tests: Vec::new(),
        }
    }

    /// Reads a suite from the bytes of a file; `origin` names it in errors.
    pub fn parse(bytes: &[u8], origin: &str) -> Result<Suite, SuiteError> {
        let malformed = |reason: String| SuiteError::Malformed {
            origin: origin.into(),
            reason,
        };
        let suite: Suite =
            serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        if suite.schema != SCHEMA {
            return Err(malformed(format!(
                "its schema is '{}', this version reads '{SCHEMA}'",
                suite.schema
            )));
        }
        let mut ids = BTreeSet::new();
        for test in &suite.tests {
            if !ids.insert(test.id) {
                return Err(malformed(format!("two tests have the id {}", test.id)));
            }
            if !is_identifier(&test.entry) {
                return Err(malformed(format!(
                    "the entry '{}' of test {} is not the name of a function",
                    test.entry, test.id
                )));
            }
        }
        Ok(suite)
    }

    pub fn read(path: &Path) -> Result<Suite, SuiteError> {
        let bytes = std::fs::read(path).map_err(|source| SuiteError::Io {
            action: "read",
            path: path.into(),
            source,
        })?;
        Suite::parse(&bytes, &path.display().to_string())
    }

    /// Writes to a temporary name and renames, so that there is never half a file.
    pub fn write(&self, path: &Path) -> Result<(), SuiteError> {
        let failed = |source| SuiteError::Io {
            action: "write",
            path: path.into(),
            source,
        };
        let dir = path
            .parent()
            .filter(|dir| !dir.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new()
            .permissions(std::fs::Permissions::from_mode(0o666))
            .tempfile_in(dir)
            .map_err(failed)?;
        let mut text = serde_json::to_vec_pretty(self).map_err(|e| failed(e.into()))?;
        text.push(b'\n');
        file.write_all(&text).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

impl TestInput {
    /// An input with its value shown as its type says; `None` if only the bytes are known.
    pub fn new(name: &str, ty: Option<&InputType>, bytes: Vec<u8>) -> Self {
        TestInput {
            name: name.to_owned(),
            ty: ty.map_or_else(|| format!("byte[{}]", bytes.len()), value::spelling),
            value: ty.map_or_else(|| value::hexadecimal(&bytes), |ty| value::value(ty, &bytes)),
            bytes,
        }
    }
}

/// Whether an outcome is that of a run that came to its end: it returned, or it has exited.
pub fn ended_normally(outcome: &str) -> bool {
    outcome == "ok" || outcome.starts_with("exit ")
}

impl SuiteTest {
    /// The C function that runs this test.
    pub fn harness(&self) -> String {
        harness_of(&self.entry)
    }

    /// The inputs as the replay takes them.
    pub fn replay_inputs(&self) -> Vec<(String, Vec<u8>)> {
        self.inputs
            .iter()
            .map(|input| (input.name.clone(), input.bytes.clone()))
            .collect()
    }

    /// What a run is expected to write to this stream; nothing where it wrote nothing.
    pub fn stream(&self, name: &str) -> &[u8] {
        let mut same = self.streams.iter().filter(|stream| stream.name == name);
        same.next().map_or(&[], |stream| &stream.bytes)
    }

    /// Does every run end as this one did?
    pub fn always_ends_so(&self) -> bool {
        !self.unstable.contains(THE_END)
    }

    /// Notes what another run did differently: that says nothing about the program.
    pub fn compare(&mut self, again: &Observation) {
        let mut turns: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
        for (name, bytes) in &again.outputs {
            turns.entry(name).or_default().push(bytes);
        }
        let mut own: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
        for TestOutput { name, bytes } in &self.output_bytes {
            own.entry(name).or_default().push(bytes);
        }
        let names: BTreeSet<&str> = turns.keys().chain(own.keys()).copied().collect();
        let different = names.into_iter().filter(|n| turns.get(n) != own.get(n));
        let mut unstable: BTreeSet<String> = different.map(str::to_owned).collect();
        for (name, bytes) in [("stdout", &again.stdout), ("stderr", &again.stderr)] {
            let is_output = own.contains_key(name);
            if !is_output && self.stream(name) != bytes.as_slice() {
                unstable.insert(name.to_owned());
            }
        }
        self.unstable.extend(unstable);
    }

    /// Takes over what a native run showed: outcome, outputs, standard output where there is
    /// any. `type_of` tells the type of an output by its name.
    pub fn observe<'a>(
        &mut self,
        seen: &Observation,
        type_of: impl Fn(&str) -> Option<&'a InputType>,
    ) {
        self.outcome = seen.end.outcome();
        self.outputs = Map::new();
        self.output_bytes.clear();
        self.streams.clear();
        self.unstable.clear();
        for (name, bytes) in &seen.outputs {
            let shown = TestInput::new(name, type_of(name), bytes.clone());
            let mut key = name.clone();
            for turn in 2.. {
                if !self.outputs.contains_key(&key) {
                    break;
                }
                key = format!("{name}#{turn}");
            }
            let value = match is_text(name) {
                true => Value::String(String::from_utf8_lossy(bytes).into_owned()),
                false => shown.value,
            };
            self.outputs.insert(key, value);
            self.output_bytes.push(TestOutput {
                name: name.clone(),
                bytes: bytes.clone(),
            });
        }
        for (name, bytes) in [("stdout", &seen.stdout), ("stderr", &seen.stderr)] {
            if !bytes.is_empty() && !self.outputs.contains_key(name) {
                let text = String::from_utf8_lossy(bytes).into_owned();
                self.outputs.insert(name.to_owned(), Value::String(text));
                self.streams.push(TestOutput {
                    name: name.to_owned(),
                    bytes: bytes.clone(),
                });
            }
        }
    }
}

/// Whether an output of a whole program is what it wrote to a stream or a file.
fn is_text(name: &str) -> bool {
    matches!(name, "stdout" | "stderr") || name.starts_with("file ")
}

/// The name of the harness of a function.
pub fn harness_of(entry: &str) -> String {
    format!("{HARNESS_PREFIX}{entry}")
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn to_hex<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
    }
    serializer.serialize_str(&text)
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digit = |c: u8| char::from(c).to_digit(16).map(|value| value as u8);
    if text.len() % 2 == 1 {
        return Err(D::Error::custom(format!(
            "'{text}' has an odd number of digits"
        )));
    }
    text.as_bytes()
        .chunks_exact(2)
        .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
        .collect::<Option<Vec<u8>>>()
        .ok_or_else(|| D::Error::custom(format!("'{text}' is not hexadecimal")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn sample() -> Suite {
        let int = InputType::Int {
            name: "int".into(),
            bits: 32,
            signed: true,
        };
        let mut suite = Suite::new(SuiteTarget {
            files: vec!["x.c".into()],
            entry: Some("f".into()),
        });
        suite.tests.push(SuiteTest {
            id: 1,
            name: "f_x_gt_3_true".into(),
            entry: "f".into(),
            inputs: vec![TestInput::new("x", Some(&int), 3i32.to_le_bytes().to_vec())],
            covers: vec!["branch:12".into()],
            augments: vec![],
            conditions: Some(1),
            outcome: "ok".into(),
            outputs: Map::from_iter([("return".to_owned(), json!(1))]),
            output_bytes: vec![TestOutput {
                name: "return".into(),
                bytes: vec![1, 0, 0, 0],
            }],
            streams: vec![],
            unstable: BTreeSet::new(),
        });
        suite
    }

    #[test]
    fn the_file_has_the_documented_form() {
        let json = serde_json::to_value(sample()).unwrap();
        assert_eq!(
            json,
            json!({
                "schema": "labrys/1",
                "target": {"files": ["x.c"], "entry": "f"},
                "tests": [{
                    "id": 1, "name": "f_x_gt_3_true", "entry": "f",
                    "inputs": [{"name": "x", "type": "int", "value": 3, "bytes": "03000000"}],
                    "covers": ["branch:12"], "conditions": 1, "outcome": "ok", "outputs": {"return": 1},
                    "output_bytes": [{"name": "return", "bytes": "01000000"}]
                }]
            })
        );
    }

    #[test]
    fn a_suite_survives_the_way_through_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("suite.json");
        sample().write(&path).unwrap();
        assert_eq!(Suite::read(&path).unwrap(), sample());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn damaged_files_are_one_clear_error() {
        let text = serde_json::to_string(&sample()).unwrap();
        for cut in 0..text.len() {
            assert!(Suite::parse(&text.as_bytes()[..cut], "suite.json").is_err());
        }
        for (from, to, reason) in [
            ("labrys/1", "labrys/9", "its schema is 'labrys/9'"),
            ("03000000", "0300000", "odd number of digits"),
            ("03000000", "0300000g", "not hexadecimal"),
            (
                "\"entry\":\"f\",\"inputs\"",
                "\"entry\":\"f;\",\"inputs\"",
                "not the name of a function",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let error =
                Suite::parse(text.replace(from, to).as_bytes(), "a/suite.json").unwrap_err();
            let message = error.to_string();
            assert!(
                message.contains(reason) && message.starts_with("a/suite.json"),
                "{message}"
            );
        }
    }

    #[test]
    fn outputs_of_the_same_name_are_all_kept() {
        let mut suite = sample();
        let mut seen = Observation {
            triggers: vec![],
            points: vec![],
            steps: 0,
            vectors: vec![],
            trace: 0,
            end: crate::RunEnd::Exit { code: 3 },
            outputs: vec![("a".into(), vec![1]), ("a".into(), vec![2])],
            stdout: b"hi".to_vec(),
            stderr: vec![],
            inputs_used: 1,
            incomplete: false,
            missing: Default::default(),
            padded: false,
            asked: vec![],
        };
        suite.tests[0].observe(&seen, |_| None);
        assert_eq!(suite.tests[0].outcome, "exit 3");
        assert_eq!(
            Value::Object(suite.tests[0].outputs.clone()),
            json!({"a": "0x01", "a#2": "0x02", "stdout": "hi"})
        );
        assert_eq!(suite.tests[0].output_bytes.len(), 2);
        assert_eq!(suite.tests[0].stream("stdout"), b"hi");
        assert_eq!(suite.tests[0].stream("stderr"), b"");
        suite.tests[0].compare(&seen);
        assert!(suite.tests[0].unstable.is_empty());
        seen.outputs[1].1 = vec![3];
        seen.stderr = b"0x7ffe".to_vec();
        suite.tests[0].compare(&seen);
        let names: Vec<&String> = suite.tests[0].unstable.iter().collect();
        assert_eq!(names, ["a", "stderr"]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Suite::parse(&bytes, "x");
        }

        #[test]
        fn a_suite_with_one_byte_changed_is_read_without_panic(at in any::<usize>(), byte in any::<u8>()) {
            let mut text = serde_json::to_vec(&sample()).unwrap();
            let at = at % text.len();
            text[at] = byte;
            let _ = Suite::parse(&text, "x");
        }
    }
}
