//! The arguments, standard input, files and environment of a whole program, each either given or an
//! input. The harness of `main` is written from it, and a test's inputs become a command
//! line again by it.

use serde::{Deserialize, Serialize};

/// The surroundings of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// `argv[0]`; the name of the source file if there is none.
    pub program: Option<String>,
    pub arguments: Vec<ProgramArgument>,
    pub stdin: FileContents,
    pub files: Vec<NamedFile>,
    pub environment: Vec<EnvironmentVariable>,
}

/// One or several arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramArgument {
    Text(String),
    /// From `min` to `max` arguments of at most `length` bytes each.
    Symbolic {
        min: u32,
        max: u32,
        length: u32,
    },
}

/// The bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileContents {
    Bytes(Vec<u8>),
    /// An input of at most so many bytes.
    Symbolic {
        most: u32,
    },
}

impl Default for FileContents {
    fn default() -> Self {
        FileContents::Symbolic { most: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// A relative path.
    pub name: String,
    pub contents: FileContents,
}

/// An environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentVariable {
    pub name: String,
    pub value: VariableValue,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableValue {
    Text(String),
    /// Not set, or an input of at most `length` bytes.
    Symbolic {
        length: u32,
    },
}

/// The name of standard input among the inputs.
pub const STDIN: &str = "stdin";

/// The input that says how many arguments the `group`th `--sym-args` (from 0) gives.
pub fn count_input(group: usize) -> String {
    match group {
        0 => "args.count".to_owned(),
        _ => format!("args{}.count", group + 1),
    }
}

/// The input for the `number`th argument (from 1) that is not given.
pub fn argument_input(number: u32) -> String {
    format!("arg{number}")
}

/// The inputs for the bytes of a file, its size, and whether it is missing.
pub fn file_inputs(name: &str) -> [String; 3] {
    let file = format!("file {name}");
    [
        file.clone(),
        format!("{file}.size"),
        format!("{file}.missing"),
    ]
}

/// The inputs for the value of a variable and whether it is set.
pub fn variable_inputs(name: &str) -> [String; 2] {
    [format!("env {name}"), format!("env {name}.set")]
}

/// The surroundings of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestSurroundings {
    /// Without `argv[0]`.
    pub arguments: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub files: Vec<(String, Vec<u8>)>,
    pub environment: Vec<(String, Vec<u8>)>,
}

impl World {
    /// What the program of a test finds, given the bytes of each input; `None` if an input that
    /// it needs is not there.
    pub fn surroundings<'a>(
        &self,
        input: &dyn Fn(&str) -> Option<&'a [u8]>,
    ) -> Option<TestSurroundings> {
        let mut found = TestSurroundings {
            stdin: contents(&self.stdin, STDIN, input)?,
            ..TestSurroundings::default()
        };
        let (mut groups, mut number) = (0, 0);
        for argument in &self.arguments {
            match argument {
                ProgramArgument::Text(text) => found.arguments.push(text.clone().into_bytes()),
                ProgramArgument::Symbolic { max, .. } => {
                    let count = u32::from(*input(&count_input(groups))?.first()?);
                    groups += 1;
                    for i in 1..=*max {
                        number += 1;
                        if i <= count {
                            found
                                .arguments
                                .push(until_zero(input(&argument_input(number))?));
                        }
                    }
                }
            }
        }
        for file in &self.files {
            let [_, _, missing] = file_inputs(&file.name);
            if input(&missing).is_some_and(|bytes| bytes.first().is_some_and(|b| b & 1 == 1)) {
                continue;
            }
            let bytes = contents(&file.contents, &format!("file {}", file.name), input)?;
            found.files.push((file.name.clone(), bytes));
        }
        for variable in &self.environment {
            let value = match &variable.value {
                VariableValue::Text(text) => text.clone().into_bytes(),
                VariableValue::Symbolic { .. } => {
                    let [value, set] = variable_inputs(&variable.name);
                    if input(&set)?.first()? & 1 == 0 {
                        continue;
                    }
                    until_zero(input(&value)?)
                }
            };
            found.environment.push((variable.name.clone(), value));
        }
        Some(found)
    }
}

fn contents<'a>(
    contents: &FileContents,
    name: &str,
    input: &dyn Fn(&str) -> Option<&'a [u8]>,
) -> Option<Vec<u8>> {
    match contents {
        FileContents::Bytes(bytes) => Some(bytes.clone()),
        FileContents::Symbolic { most: 0 } => Some(Vec::new()),
        FileContents::Symbolic { .. } => {
            let size = input(&format!("{name}.size"))?;
            let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
            input(name)?.get(..size).map(<[u8]>::to_vec)
        }
    }
}

/// The part of an input that the program can see: a text up to its end, a file up to its size.
pub fn visible_part<'a>(bytes: &'a [u8], size: Option<&[u8]>) -> &'a [u8] {
    let size = size.and_then(|size| size.try_into().ok());
    let end = match size {
        Some(size) => u32::from_le_bytes(size) as usize,
        None => bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len()),
    };
    bytes.get(..end).unwrap_or(bytes)
}

fn until_zero(bytes: &[u8]) -> Vec<u8> {
    visible_part(bytes, None).to_vec()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn inputs_become_a_command_line() {
        let world = World {
            program: None,
            arguments: vec![
                ProgramArgument::Text("-l".into()),
                ProgramArgument::Symbolic {
                    min: 0,
                    max: 2,
                    length: 3,
                },
                ProgramArgument::Symbolic {
                    min: 1,
                    max: 1,
                    length: 1,
                },
            ],
            stdin: FileContents::Symbolic { most: 4 },
            files: vec![
                NamedFile {
                    name: "a".into(),
                    contents: FileContents::Symbolic { most: 2 },
                },
                NamedFile {
                    name: "b".into(),
                    contents: FileContents::Bytes(b"x".to_vec()),
                },
            ],
            environment: vec![EnvironmentVariable {
                name: "V".into(),
                value: VariableValue::Symbolic { length: 2 },
            }],
        };
        let inputs: [(&str, &[u8]); 9] = [
            ("args.count", &[1]),
            ("arg1", b"ab\0"),
            ("args2.count", &[1]),
            ("arg3", b"z"),
            ("stdin.size", &[2, 0, 0, 0]),
            ("stdin", b"\0hij"),
            ("file a.missing", &[1]),
            ("env V.set", &[1]),
            ("env V", b"v\0"),
        ];
        let input = |name: &str| inputs.iter().find(|(n, _)| *n == name).map(|(_, b)| *b);
        let found = world.surroundings(&input).unwrap();
        assert_eq!(
            found.arguments,
            [b"-l".to_vec(), b"ab".to_vec(), b"z".to_vec()]
        );
        assert_eq!(found.stdin, b"\0h");
        assert_eq!(found.files, [("b".to_owned(), b"x".to_vec())]);
        assert_eq!(found.environment, [("V".to_owned(), b"v".to_vec())]);
        assert_eq!(world.surroundings(&|_| None), None);
    }
}
