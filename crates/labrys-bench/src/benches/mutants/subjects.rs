//! The programs whose mutants are scored, with their suites: small functions, own programs and
//! programs of coreutils. The suites are branch suites of `labrys gen`.

use crate::arguments::BenchArgs;
use crate::benches::augmentation::subjects as small_functions;
use crate::benches::corpus::fetch_and_build;
use crate::benches::lab::Lab;
use crate::product::labrys;
use labrys_driver::request::Request;
use labrys_driver::request::world::{ArgumentOption, WorldOptions, world};
use labrys_driver::{Failure, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    Function,
    Program,
}

impl SubjectKind {
    pub fn plural(self) -> &'static str {
        match self {
            SubjectKind::Function => "functions",
            SubjectKind::Program => "programs",
        }
    }
}

/// What surrounds a program: arguments as for `--sym-args`, the size of standard input, and files.
struct Surroundings {
    arguments: &'static [&'static str],
    stdin: u32,
    files: &'static [&'static str],
}

const fn surroundings(arguments: &'static [&'static str], stdin: u32) -> Surroundings {
    Surroundings {
        arguments,
        stdin,
        files: &[],
    }
}

/// Whole programs of the file tests.
const OWN: [(&str, &str, Surroundings); 2] = [
    (
        "wc",
        include_str!("../../../../../tests/files/programs/wc.c"),
        Surroundings {
            arguments: &["0..2:2"],
            stdin: 3,
            files: &["ab:3"],
        },
    ),
    (
        "tr",
        include_str!("../../../../../tests/files/programs/tr.c"),
        surroundings(&["0..2:3"], 2),
    ),
];

/// Programs of coreutils. Only the mutants of their own files count, not those of the library.
const COREUTILS: [(&str, Surroundings); 5] = [
    ("echo", surroundings(&["0..2:9"], 0)),
    ("basename", surroundings(&["0..1:6", "0..2:4"], 0)),
    ("cut", surroundings(&["0..1:6", "0..2:4"], 5)),
    ("wc", surroundings(&["0..1:6", "0..2:2"], 4)),
    ("tr", surroundings(&["0..1:9", "0..3:5"], 3)),
];

/// A program that was chosen.
pub struct MutantSubject {
    pub kind: SubjectKind,
    name: String,
    source: PathBuf,
    surroundings: Option<&'static Surroundings>,
    linked: Option<Linked>,
}

/// A program of several files, of which one has the mutants.
#[derive(Clone)]
pub struct Linked {
    /// The end of its path.
    pub file: String,
    /// All that the program is linked of.
    pub objects: Vec<PathBuf>,
}

/// The same with its suite.
pub struct PreparedSubject {
    pub request: Request,
    pub suite: PathBuf,
    pub linked: Option<Linked>,
}

pub fn chosen(lab: &Lab, args: &BenchArgs) -> Outcome<Vec<MutantSubject>> {
    let mut all = Vec::new();
    for function in small_functions::all() {
        if args.wants(function.name, &["triangle", "gcd"]) {
            all.push(MutantSubject {
                kind: SubjectKind::Function,
                name: function.name.to_owned(),
                source: lab.write(&format!("{}.c", function.name), function.text)?,
                surroundings: None,
                linked: None,
            });
        }
    }
    for (name, text, surroundings) in &OWN {
        let shown = format!("own {name}");
        if args.wants(&shown, &["own wc"]) {
            all.push(MutantSubject {
                kind: SubjectKind::Program,
                source: lab.write(&format!("own-{name}.c"), text)?,
                name: shown,
                surroundings: Some(surroundings),
                linked: None,
            });
        }
    }
    let wanted = |(name, _): &&(&str, Surroundings)| args.wants(&format!("coreutils {name}"), &[]);
    let wanted: Vec<_> = COREUTILS.iter().filter(wanted).collect();
    if wanted.is_empty() {
        return Ok(all);
    }
    let corpus = fetch_and_build(&["coreutils".to_owned()])?;
    for (name, surroundings) in wanted {
        let tree = corpus.join("src/coreutils");
        let mut objects = vec![tree.join(format!("src/{name}.o"))];
        if *name == "cut" {
            objects.push(tree.join("src/set-fields.o"));
        }
        objects.extend(["src/libver.a", "lib/libcoreutils.a"].map(|library| tree.join(library)));
        all.push(MutantSubject {
            kind: SubjectKind::Program,
            name: format!("coreutils {name}"),
            source: tree.join("src").join(name),
            surroundings: Some(surroundings),
            linked: Some(Linked {
                file: format!("src/{name}.c"),
                objects,
            }),
        });
    }
    Ok(all)
}

impl MutantSubject {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the suite.
    pub fn prepare(&self, lab: &Lab, time: Duration) -> Outcome<PreparedSubject> {
        let suite = lab
            .path()
            .join(format!("suite-{}", self.name.replace(' ', "-")));
        let mut request = Request::new(vec![self.source.clone()]);
        let mut flags: Vec<String> = Vec::new();
        if let Some(surroundings) = self.surroundings {
            request.world = world(&options(surroundings)?)?;
            flags.push("--main".to_owned());
            for text in surroundings.arguments {
                flags.extend(["--sym-args".to_owned(), (*text).to_owned()]);
            }
            if surroundings.stdin > 0 {
                flags.extend(["--sym-stdin".to_owned(), surroundings.stdin.to_string()]);
            }
            for text in surroundings.files {
                flags.extend(["--sym-file".to_owned(), (*text).to_owned()]);
            }
        }
        generate(&self.source, &flags, time, &suite)?;
        Ok(PreparedSubject {
            request,
            suite,
            linked: self.linked.clone(),
        })
    }
}

fn options(surroundings: &Surroundings) -> Outcome<WorldOptions> {
    let mut options = WorldOptions {
        sym_stdin: (surroundings.stdin > 0).then_some(surroundings.stdin),
        ..WorldOptions::default()
    };
    for text in surroundings.arguments {
        let given = text.parse().map_err(Failure::usage)?;
        options.arguments.push(ArgumentOption::Symbolic(given));
    }
    for text in surroundings.files {
        options.sym_file.push(text.parse().map_err(Failure::usage)?);
    }
    Ok(options)
}

fn generate(source: &Path, flags: &[String], time: Duration, out: &Path) -> Outcome<()> {
    let mut command = Command::new(labrys()?);
    command
        .arg("gen")
        .arg(source)
        .args(flags)
        .args(["--criterion", "branch", "--quiet", "--time"])
        .arg(format!("{}ms", time.as_millis()))
        .arg("--out")
        .arg(out)
        .stdin(Stdio::null());
    let output = command.output().map_err(Failure::usage)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Failure::usage(format_args!(
            "{command:?} failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}
