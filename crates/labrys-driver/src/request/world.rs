//! The options that say what surrounds a whole program, from text to [`World`]: arguments,
//! standard input, files, environment.

use super::text_form::serde_as_text;
use crate::failure::{Failure, Outcome};
use labrys_ledger::World;
use labrys_ledger::world::{
    EnvironmentVariable, FileContents, NamedFile, ProgramArgument, VariableValue,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

/// The most that one input may hold: more bytes than any search could vary.
pub const MOST_BYTES: u32 = 1 << 16;

/// The most arguments of one group.
pub const MOST_ARGUMENTS: u32 = 64;

/// `MIN..MAX:LEN`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymArgs {
    pub min: u32,
    pub max: u32,
    pub length: u32,
}

/// `NAME:N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSize {
    pub name: String,
    pub size: u32,
}

/// `NAME=VALUE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

/// An argument, in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentOption {
    Text(String),
    Symbolic(SymArgs),
}

fn number(text: &str, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if number <= most => Ok(number),
        Ok(number) => Err(format!("{number} is too large; at most {most}")),
        Err(_) => Err(format!("'{text}' is not a number")),
    }
}

impl FromStr for SymArgs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("'{text}' has another form; write MIN..MAX:LEN, for example 0..2:4");
        let (counts, length) = text.split_once(':').ok_or_else(form)?;
        let (min, max) = match counts.split_once("..") {
            Some((min, max)) => (min, max.strip_prefix('=').unwrap_or(max)),
            None => (counts, counts),
        };
        let args = SymArgs {
            min: number(min, MOST_ARGUMENTS)?,
            max: number(max, MOST_ARGUMENTS)?,
            length: number(length, MOST_BYTES)?,
        };
        if args.min > args.max {
            return Err(format!("{} arguments at least, but {} at most", min, max));
        }
        Ok(args)
    }
}

impl FromStr for NamedSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("'{text}' has another form; write NAME:N, for example input.txt:8");
        let (name, size) = text.rsplit_once(':').ok_or_else(form)?;
        if name.is_empty() {
            return Err(form());
        }
        Ok(NamedSize {
            name: name.to_owned(),
            size: number(size, MOST_BYTES)?,
        })
    }
}

impl FromStr for NamedValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok(NamedValue {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err(format!("'{text}' has another form; write NAME=VALUE")),
        }
    }
}

serde_as_text!(SymArgs, |s: &SymArgs| format!(
    "{}..{}:{}",
    s.min, s.max, s.length
));
serde_as_text!(NamedSize, |s: &NamedSize| format!("{}:{}", s.name, s.size));
serde_as_text!(NamedValue, |n: &NamedValue| format!(
    "{}={}",
    n.name, n.value
));

/// What was said about the surroundings of a whole program.
#[derive(Clone, Debug, Default)]
pub struct WorldOptions {
    /// In their order.
    pub arguments: Vec<ArgumentOption>,
    /// Standard input of at most so many bytes is an input.
    pub sym_stdin: Option<u32>,
    /// Standard input has the bytes of this file.
    pub stdin: Option<PathBuf>,
    pub sym_file: Vec<NamedSize>,
    pub file: Vec<NamedValue>,
    pub env: Vec<NamedValue>,
    pub sym_env: Vec<NamedSize>,
    pub program_name: Option<String>,
}

/// The surroundings that the options describe; `None` if they say nothing.
pub fn world(options: &WorldOptions) -> Outcome<Option<World>> {
    let given = !options.arguments.is_empty()
        || options.sym_stdin.is_some()
        || options.stdin.is_some()
        || !options.sym_file.is_empty()
        || !options.file.is_empty()
        || !options.env.is_empty()
        || !options.sym_env.is_empty()
        || options.program_name.is_some();
    if !given {
        return Ok(None);
    }
    Ok(Some(World {
        program: options.program_name.clone(),
        arguments: arguments(options)?,
        stdin: match (&options.stdin, options.sym_stdin) {
            (Some(path), _) => FileContents::Bytes(read("--stdin", path)?),
            (None, most) => FileContents::Symbolic {
                most: most.unwrap_or(0),
            },
        },
        files: files(options)?,
        environment: environment(options)?,
    }))
}

fn arguments(options: &WorldOptions) -> Outcome<Vec<ProgramArgument>> {
    let argument = |given: &ArgumentOption| match given {
        ArgumentOption::Text(text) if text.contains('\0') => {
            Err(Failure::usage("--arg: an argument cannot hold a zero byte"))
        }
        ArgumentOption::Text(text) => Ok(ProgramArgument::Text(text.clone())),
        ArgumentOption::Symbolic(SymArgs { min, max, length }) => Ok(ProgramArgument::Symbolic {
            min: *min,
            max: *max,
            length: *length,
        }),
    };
    options.arguments.iter().map(argument).collect()
}

fn files(options: &WorldOptions) -> Outcome<Vec<NamedFile>> {
    let mut files = Vec::new();
    for NamedSize { name, size } in &options.sym_file {
        files.push(NamedFile {
            name: file_name("--sym-file", name)?,
            contents: FileContents::Symbolic { most: *size },
        });
    }
    for NamedValue { name, value } in &options.file {
        files.push(NamedFile {
            name: file_name("--file", name)?,
            contents: FileContents::Bytes(read("--file", value.as_ref())?),
        });
    }
    let mut names = BTreeSet::new();
    match files.iter().find(|file| !names.insert(&file.name)) {
        Some(twice) => Err(Failure::usage(format_args!(
            "the file '{}' is given twice; each name stands for one file",
            twice.name
        ))),
        None => Ok(files),
    }
}

/// The program's world is a directory: a name must lead to a place in it.
fn file_name(flag: &str, name: &str) -> Outcome<String> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && part.len() <= 200;
    if name.split('/').all(plain) && name.len() <= 200 && !name.contains('\0') {
        return Ok(name.to_owned());
    }
    Err(Failure::usage(format_args!(
        "{flag}: '{name}' is not a name in the program's directory; write a relative path without '.' and '..'"
    )))
}

fn environment(options: &WorldOptions) -> Outcome<Vec<EnvironmentVariable>> {
    let given = options
        .env
        .iter()
        .map(|NamedValue { name, value }| EnvironmentVariable {
            name: name.clone(),
            value: VariableValue::Text(value.clone()),
        });
    let symbolic = options
        .sym_env
        .iter()
        .map(|NamedSize { name, size }| EnvironmentVariable {
            name: name.clone(),
            value: VariableValue::Symbolic { length: *size },
        });
    let variables: Vec<EnvironmentVariable> = given.chain(symbolic).collect();
    let mut names = BTreeSet::new();
    for variable in &variables {
        if variable.name.contains(['=', '\0']) {
            return Err(Failure::usage(format_args!(
                "'{}' cannot be the name of an environment variable",
                variable.name
            )));
        }
        if !names.insert(&variable.name) {
            return Err(Failure::usage(format_args!(
                "the environment variable '{}' is given twice",
                variable.name
            )));
        }
    }
    Ok(variables)
}

fn read(flag: &str, path: &std::path::Path) -> Outcome<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::usage(format_args!(
            "{flag}: cannot read {}: {error}",
            path.display()
        ))
    })?;
    if bytes.len() > 1 << 20 {
        return Err(Failure::usage(format_args!(
            "{flag}: {} has more than 1 MiB, the most that a replayed program may handle",
            path.display()
        )));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn counts_and_lengths() {
        let args = |text: &str| text.parse::<SymArgs>();
        let expected = SymArgs {
            min: 0,
            max: 2,
            length: 4,
        };
        assert_eq!(args("0..2:4").unwrap(), expected);
        assert_eq!(args("0..=2:4").unwrap(), expected);
        assert_eq!(args("2:4").unwrap().min, 2);
        for wrong in [
            "",
            "2",
            "a..b:c",
            "3..1:4",
            "0..2:",
            "0..99999:4",
            "-1..2:3",
        ] {
            assert!(args(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names() {
        let sized = |text: &str| text.parse::<NamedSize>();
        assert_eq!(sized("a:b:3").unwrap().name, "a:b");
        assert!(sized("a").is_err() && sized(":3").is_err() && sized("a:x").is_err());
        assert_eq!("A=b=c".parse::<NamedValue>().unwrap().value, "b=c");
        assert!("A".parse::<NamedValue>().is_err() && "=b".parse::<NamedValue>().is_err());
        for wrong in ["/etc/passwd", "../x", "a//b", "", "a/./b"] {
            assert!(file_name("--file", wrong).is_err(), "{wrong}");
        }
        assert!(file_name("--file", "etc/app.conf").is_ok());
    }
}
