//! Reads the command line of a C compiler: which sources are compiled or linked, which files come
//! out, and which flags the sources are compiled with. The result is an [`Invocation`].

use crate::words;
use std::path::{Path, PathBuf};

/// What the compiler was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompilerStep {
    /// `-c`: one object for each source.
    Compile,
    /// Sources, objects and libraries to a program or a shared library.
    Link,
    /// Anything else: preprocessing, assembly, dependencies, questions to the compiler.
    Other,
}

/// A source file on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceArgument {
    pub path: PathBuf,
    /// Given by `-x c`, not by the name.
    pub forced: bool,
}

/// A compiler's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    pub step: CompilerStep,
    /// The C sources; sources of other languages are left out.
    pub sources: Vec<SourceArgument>,
    /// Objects, archives and shared libraries named directly, in order.
    pub files: Vec<PathBuf>,
    pub output: Option<PathBuf>,
    /// All but inputs, outputs, the step and what only the linker sees.
    pub flags: Vec<String>,
    /// `-l`, `-L`, `-Wl,` and the like, in order.
    pub link_flags: Vec<String>,
}

/// Options whose value is the next argument if it does not follow at once.
const JOINED_OR_SEPARATE: [&str; 12] = [
    "-o", "-x", "-D", "-U", "-I", "-L", "-l", "-T", "-u", "-z", "-B", "-A",
];

/// Options whose value is always the next argument.
const SEPARATE: [&str; 24] = [
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "--param",
    "-target",
];

/// Options that stop the compiler before or beside an object, or ask it something.
const OTHER_STEPS: [&str; 12] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--version",
    "--help",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
    "-###",
];

/// Starts of options that only the linker sees.
const LINKER: [&str; 11] = [
    "-l",
    "-L",
    "-Wl,",
    "-Xlinker",
    "-T",
    "-u",
    "-z",
    "-fuse-ld=",
    "-static",
    "-shared",
    "-rdynamic",
];

impl Invocation {
    /// Reads a command line without the name of the compiler. Response files are opened relative
    /// to `directory`.
    pub(crate) fn parse(arguments: &[String], directory: &Path) -> Invocation {
        let mut reader = ArgumentReader {
            out: Invocation {
                step: CompilerStep::Link,
                sources: Vec::new(),
                files: Vec::new(),
                output: None,
                flags: Vec::new(),
                link_flags: Vec::new(),
            },
            language: None,
        };
        let words = expand(arguments, directory, 0);
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let value = match takes_next(word) {
                true => rest.next(),
                false => None,
            };
            reader.word(word, value);
        }
        let mut out = reader.out;
        if out.step == CompilerStep::Link && out.sources.is_empty() && out.files.is_empty() {
            out.step = CompilerStep::Other;
        }
        out
    }

    /// The object that a source becomes: the one named, or the source's name with `.o`.
    pub(crate) fn object_of(&self, source: &SourceArgument) -> PathBuf {
        match &self.output {
            Some(output) => output.clone(),
            None => {
                let name = source.path.file_name().unwrap_or_default();
                Path::new(name).with_extension("o")
            }
        }
    }

    /// The linked file.
    pub(crate) fn program(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| "a.out".into())
    }
}

struct ArgumentReader {
    out: Invocation,
    /// Set by `-x`.
    language: Option<String>,
}

impl ArgumentReader {
    fn word(&mut self, word: &str, value: Option<&String>) {
        let joined = |prefix: &str| word.strip_prefix(prefix).filter(|v| !v.is_empty());
        let of = |prefix: &str| joined(prefix).or(value.map(String::as_str));
        let out = &mut self.out;
        match word {
            "-c" => {
                if out.step == CompilerStep::Link {
                    out.step = CompilerStep::Compile;
                }
            }
            _ if OTHER_STEPS.contains(&word) || word.starts_with("-print-") => {
                out.step = CompilerStep::Other;
            }
            _ if word.starts_with("-o") => out.output = of("-o").map(PathBuf::from),
            _ if word.starts_with("-x") && !word.starts_with("-xc++") || word == "-x" => {
                self.language = of("-x").filter(|l| *l != "none").map(str::to_owned);
            }
            "-" => self.input(word),
            _ if !word.starts_with('-') => self.input(word),
            "-MF" | "-MT" | "-MQ" | "-MJ" | "-MD" | "-MMD" | "-MP" | "-MG" => {}
            _ if ["-MF", "-MT", "-MQ", "-Wp,-M"]
                .iter()
                .any(|p| word.starts_with(p)) => {}
            _ => {
                let to = match LINKER.iter().any(|p| word.starts_with(p)) {
                    true => &mut out.link_flags,
                    false => &mut out.flags,
                };
                to.push(word.to_owned());
                to.extend(value.cloned());
            }
        }
    }

    fn input(&mut self, word: &str) {
        let path = PathBuf::from(word);
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let forced = self.language.is_some();
        let is_c = match self.language.as_deref() {
            Some(language) => language == "c",
            None => extension == "c",
        };
        // Standard input cannot be read a second time for the bitcode.
        if is_c && word != "-" {
            self.out.sources.push(SourceArgument { path, forced });
        } else if !forced && is_linked(&path, extension) {
            self.out.files.push(path);
        }
    }
}

/// Whether a file goes to the linker as it is: not a source of any language.
fn is_linked(path: &Path, extension: &str) -> bool {
    let source = [
        "i", "ii", "cc", "cp", "cpp", "cxx", "c++", "C", "CPP", "h", "hh", "hpp", "s", "S", "sx",
        "m", "mm", "f", "F", "f90", "F90", "adb", "ads", "go", "d", "ld", "lds", "map",
    ];
    !source.contains(&extension) && path != Path::new("-")
}

fn takes_next(word: &str) -> bool {
    JOINED_OR_SEPARATE.contains(&word) || SEPARATE.contains(&word)
}

/// Replaces `@file` by the words of the file, as GCC does; a file that cannot be read stays a word.
fn expand(arguments: &[String], directory: &Path, depth: u32) -> Vec<String> {
    // A response file may name itself; no build nests them deeper.
    const MAX_NESTED_FILES: u32 = 20;
    let mut out = Vec::new();
    for argument in arguments {
        let text = argument
            .strip_prefix('@')
            .filter(|_| depth < MAX_NESTED_FILES)
            .and_then(|file| std::fs::read_to_string(directory.join(file)).ok());
        match text {
            Some(text) => out.extend(expand(&words::split(&text), directory, depth + 1)),
            None => out.push(argument.clone()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(line: &str) -> Invocation {
        Invocation::parse(&words::split(line), Path::new("/nonexistent"))
    }

    fn sources(invocation: &Invocation) -> Vec<String> {
        let paths = invocation.sources.iter().map(|s| s.path.display());
        paths.map(|p| p.to_string()).collect()
    }

    #[test]
    fn a_compilation_keeps_its_flags_and_drops_inputs_outputs_and_dependencies() {
        let seen = parse(
            "-DHAVE_X -I . -I../lib -std=gnu11 -MT x.o -MD -MP -MF .deps/x.Tpo -c -o sub/x.o ../x.c -Wall -include a.h",
        );
        assert_eq!(seen.step, CompilerStep::Compile);
        assert_eq!(sources(&seen), ["../x.c"]);
        assert_eq!(seen.object_of(&seen.sources[0]), Path::new("sub/x.o"));
        assert_eq!(
            seen.flags.join(" "),
            "-DHAVE_X -I . -I../lib -std=gnu11 -Wall -include a.h"
        );
    }

    #[test]
    fn the_output_may_be_joined_and_the_object_may_be_implied() {
        assert_eq!(parse("-c x.c -ox.obj").output, Some("x.obj".into()));
        let seen = parse("-c src/x.c src/y.c");
        assert_eq!(seen.object_of(&seen.sources[1]), Path::new("y.o"));
    }

    #[test]
    fn a_link_has_objects_archives_and_flags_of_its_own() {
        let seen = parse("-o p a.o b.c lib/libz.a -L lib -lm -Wl,--as-needed -pthread c.S");
        assert_eq!(seen.step, CompilerStep::Link);
        assert_eq!(sources(&seen), ["b.c"]);
        assert_eq!(seen.files, [Path::new("a.o"), Path::new("lib/libz.a")]);
        assert_eq!(seen.link_flags.join(" "), "-L lib -lm -Wl,--as-needed");
        assert_eq!(seen.flags, ["-pthread"]);
        assert_eq!(seen.program(), Path::new("p"));
    }

    #[test]
    fn a_language_may_be_forced_and_taken_back() {
        let seen = parse("-c -x c x.txt -xc y.inc -x none z.c w.txt");
        assert_eq!(sources(&seen), ["x.txt", "y.inc", "z.c"]);
        assert!(seen.sources[0].forced && !seen.sources[2].forced);
        assert!(sources(&parse("-c -x c++ x.c")).is_empty());
        assert!(sources(&parse("-c x.cc y.S z.i")).is_empty());
    }

    #[test]
    fn questions_and_half_compilations_are_passed_on() {
        for line in [
            "-E x.c",
            "-S x.c",
            "-M x.c",
            "-MM x.c",
            "--version",
            "-v",
            "-print-search-dirs",
            "-fsyntax-only x.c",
            "-E -",
        ] {
            assert_eq!(parse(line).step, CompilerStep::Other, "{line}");
        }
        assert_eq!(parse("-c -x c -").sources, []);
        assert_eq!(parse("-v x.c").step, CompilerStep::Link);
    }

    #[test]
    fn response_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("more"), "-DX='a b'\n@rest").unwrap();
        std::fs::write(dir.path().join("rest"), "-c \"x y.c\"").unwrap();
        let seen = Invocation::parse(&["@more".into(), "@none".into()], dir.path());
        assert_eq!(sources(&seen), ["x y.c"]);
        assert_eq!(seen.flags, ["-DX=a b"]);
        assert_eq!(seen.step, CompilerStep::Compile);
    }
}
