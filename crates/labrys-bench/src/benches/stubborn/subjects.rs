//! The subjects: programs of coreutils with symbolic arguments and input, functions of the corpus
//! packages that work on texts and numbers, and own functions and programs.

use crate::arguments::BenchArgs;
use crate::benches::augmentation::subjects as small_functions;
use crate::benches::coreutils;
use crate::benches::corpus::fetch_and_build;
use crate::benches::corpus::sample::{Chosen, Objects};
use crate::benches::lab::Lab;
use labrys_driver::request::Request;
use labrys_driver::request::world::{ArgumentOption, WorldOptions, world};
use labrys_driver::{Failure, Outcome};
use std::path::PathBuf;

/// Something with mutants.
pub struct StubbornSubject {
    pub name: String,
    pub source: PathBuf,
    pub function: Option<String>,
    /// Of a whole program.
    pub world: &'static [&'static str],
    /// The file whose mutants count, of several.
    pub only: Option<String>,
}

/// Programs of coreutils, whose surroundings are those of `bench programs`.
const COREUTILS: [&str; 12] = [
    "echo", "basename", "dirname", "expr", "wc", "printf", "test", "tr", "seq", "nl", "cut",
    "cksum",
];

/// Package, file and function.
const FUNCTIONS: [[&str; 3]; 10] = [
    ["bash", "lib/sh/utf8.c", "utf8_mblen"],
    ["coreutils", "src/od.c", "print_ascii"],
    ["coreutils", "src/ptx.c", "unescape_string"],
    ["coreutils", "src/seq.c", "scan_arg"],
    ["flex", "src/misc.c", "myesc"],
    ["jq", "src/jv_unicode.c", "jvp_utf8_backtrack"],
    ["libpng1.6", "png.c", "png_check_fp_number"],
    ["make", "src/ar.c", "ar_glob_pattern_p"],
    ["make", "src/read.c", "unescape_char"],
    ["zlib", "inftrees.c", "inflate_table"],
];

/// Functions of `tests/files/augmentation` whose initial suites leave something to kill.
const SMALL: [&str; 2] = ["count_equal", "day_of_year"];

/// The functions of an example, which is longer.
const EXAMPLE: &str = include_str!("../../../../../examples/version.c");
const OF_EXAMPLE: [&str; 2] = ["compare_versions", "parse_version"];

/// Whole programs of the file tests, with what is symbolic about their surroundings.
const OWN: [(&str, &str, &[&str]); 7] = [
    (
        "own cat",
        include_str!("../../../../../tests/files/programs/cat.c"),
        &[
            "--sym-args",
            "0..2:2",
            "--sym-stdin",
            "2",
            "--sym-file",
            "x:2",
        ],
    ),
    (
        "own config",
        include_str!("../../../../../tests/files/programs/config.c"),
        &["--sym-file", "etc/app.conf:4"],
    ),
    (
        "own lines",
        include_str!("../../../../../tests/files/programs/lines.c"),
        &["--sym-stdin", "4"],
    ),
    (
        "own names",
        include_str!("../../../../../tests/files/programs/names.c"),
        &["--sym-stdin", "3"],
    ),
    (
        "own seek",
        include_str!("../../../../../tests/files/programs/seek.c"),
        &["--sym-stdin", "4"],
    ),
    (
        "own tr",
        include_str!("../../../../../tests/files/programs/tr.c"),
        &["--sym-args", "0..2:3", "--sym-stdin", "2"],
    ),
    (
        "own wc",
        include_str!("../../../../../tests/files/programs/wc.c"),
        &[
            "--sym-args",
            "0..2:2",
            "--sym-stdin",
            "3",
            "--sym-file",
            "ab:3",
        ],
    ),
];

/// The function of the short form.
const IN_SHORT: &str = "count_equal";

pub fn chosen(lab: &Lab, args: &BenchArgs) -> Outcome<Vec<StubbornSubject>> {
    let wants = |name: &str| args.wants(name, &[IN_SHORT]);
    let mut all = own(lab, &wants)?;
    all.extend(of_coreutils(&wants)?);
    all.extend(of_corpus(&wants)?);
    if all.is_empty() {
        return Err(Failure::usage(format_args!(
            "stubborn has no subject {}",
            args.program.join(", ")
        )));
    }
    all.truncate(args.programs.unwrap_or(usize::MAX));
    Ok(all)
}

fn own(lab: &Lab, wants: &dyn Fn(&str) -> bool) -> Outcome<Vec<StubbornSubject>> {
    let mut all = Vec::new();
    let small = small_functions::all().into_iter();
    let small = small.filter(|function| SMALL.contains(&function.name));
    let small = small.map(|function| (function.name, function.text));
    let functions = small.chain(OF_EXAMPLE.map(|name| (name, EXAMPLE)));
    for (name, text) in functions.filter(|(name, _)| wants(name)) {
        all.push(StubbornSubject {
            name: name.to_owned(),
            source: lab.write(&format!("{name}.c"), text)?,
            function: Some(name.to_owned()),
            world: &[],
            only: None,
        });
    }
    for (name, text, world) in OWN.iter().filter(|(name, ..)| wants(name)) {
        all.push(StubbornSubject {
            name: (*name).to_owned(),
            source: lab.write(&format!("{}.c", name.replace(' ', "-")), text)?,
            function: None,
            world,
            only: None,
        });
    }
    Ok(all)
}

fn of_coreutils(wants: &dyn Fn(&str) -> bool) -> Outcome<Vec<StubbornSubject>> {
    let wanted: Vec<&coreutils::CoreProgram> = coreutils::SUBJECTS
        .iter()
        .filter(|program| COREUTILS.contains(&program.name))
        .filter(|program| wants(&format!("coreutils {}", program.name)))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let corpus = fetch_and_build(&["coreutils".to_owned()])?;
    let built = corpus.join("src/coreutils");
    let subject = |program: &coreutils::CoreProgram| StubbornSubject {
        name: format!("coreutils {}", program.name),
        source: built.join("src").join(program.name),
        function: None,
        world: program.flags,
        only: Some(format!("src/{}.c", program.source)),
    };
    Ok(wanted.into_iter().map(subject).collect())
}

fn of_corpus(wants: &dyn Fn(&str) -> bool) -> Outcome<Vec<StubbornSubject>> {
    let name = |[package, _, function]: &[&str; 3]| format!("{package} {function}");
    let wanted: Vec<&[&str; 3]> = FUNCTIONS.iter().filter(|f| wants(&name(f))).collect();
    let mut packages: Vec<String> = wanted.iter().map(|[p, ..]| (*p).to_owned()).collect();
    packages.dedup();
    if packages.is_empty() {
        return Ok(Vec::new());
    }
    let corpus = fetch_and_build(&packages)?;
    let objects = Objects::find(&corpus, &packages)?;
    let mut all = Vec::new();
    for function in wanted {
        let [package, source, of] = function.map(str::to_owned);
        let chosen = Chosen {
            package,
            source,
            function: of.clone(),
            complexity: 0,
        };
        let object = objects.of(&chosen).ok_or_else(|| {
            Failure::usage(format_args!("the corpus has no object of {}", chosen.key()))
        })?;
        all.push(StubbornSubject {
            name: name(function),
            source: object.to_path_buf(),
            function: Some(of),
            world: &[],
            only: None,
        });
    }
    Ok(all)
}

impl StubbornSubject {
    pub fn is_program(&self) -> bool {
        self.function.is_none()
    }

    /// What every command is told about it.
    pub fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = self.world.iter().map(|flag| (*flag).to_owned()).collect();
        match &self.function {
            Some(function) => flags.extend(["--function".to_owned(), function.clone()]),
            None => flags.push("--main".to_owned()),
        }
        if let Some(only) = &self.only {
            flags.extend(["--only".to_owned(), only.clone()]);
        }
        flags
    }

    /// The same for work without a process.
    pub fn request(&self) -> Outcome<Request> {
        let mut request = Request::new(vec![self.source.clone()]);
        if let Some(function) = &self.function {
            request = request.function(function);
        }
        let mut options = WorldOptions::default();
        for pair in self.world.chunks(2) {
            let [flag, value] = pair else { continue };
            match *flag {
                "--sym-args" => {
                    let given = value.parse().map_err(Failure::usage)?;
                    options.arguments.push(ArgumentOption::Symbolic(given));
                }
                "--sym-stdin" => {
                    options.sym_stdin = Some(value.parse().map_err(Failure::usage)?);
                }
                "--sym-file" => options
                    .sym_file
                    .push(value.parse().map_err(Failure::usage)?),
                "--sym-env" => options.sym_env.push(value.parse().map_err(Failure::usage)?),
                other => return Err(Failure::internal(format_args!("unknown flag {other}"))),
            }
        }
        request.world = world(&options)?;
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benches::corpus::sample;

    #[test]
    fn there_are_enough_subjects_and_the_corpus_has_its_functions() {
        let own = SMALL.len() + OF_EXAMPLE.len() + OWN.len();
        assert!(own + COREUTILS.len() + FUNCTIONS.len() >= 24);
        for name in COREUTILS {
            assert!(coreutils::SUBJECTS.iter().any(|p| p.name == name), "{name}");
        }
        let sample = sample::fixed().unwrap_or_default();
        for [package, source, function] in FUNCTIONS {
            let key = format!("{package} {source} {function}");
            assert!(sample.iter().any(|chosen| chosen.key() == key), "{key}");
        }
    }
}
