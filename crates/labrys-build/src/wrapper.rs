//! `labrys cc`: a drop-in compiler.
//!
//! The real compiler (`LABRYS_CC`, default `cc`) is called with the very same arguments, and its
//! output and exit status are passed on. Beside it, each C source is compiled to bitcode, and a
//! record goes into each object. Whatever goes wrong with that is one warning, never the end of
//! the build. What a configure script or CMake compiles only to see whether it compiles is
//! passed on without anything else.

use crate::BuildError;
use crate::arguments::{CompilerStep, Invocation, SourceArgument};
use crate::bitcode::{self, BitcodeOutcome};
use crate::record::{BuildRecord, LinkRecord, UnitRecord, absolute};
use crate::{section, words};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// Set for the real compiler, so that a wrapper that calls itself is noticed.
const RECURSION_VARIABLE: &str = "LABRYS_CC_INSIDE";

/// Directories of files that only a configuration looks at.
const PROBE_DIRECTORIES: [&str; 5] = [
    "CMakeFiles/CMakeTmp",
    "CMakeFiles/CMakeScratch",
    "CompilerIdC",
    "meson-private",
    "meson-logs",
];

/// Runs the compiler with these arguments; returns the exit code.
#[allow(clippy::print_stderr)]
pub fn run(arguments: &[OsString]) -> u8 {
    if std::env::var_os(RECURSION_VARIABLE).is_some() {
        eprintln!("labrys cc: LABRYS_CC names labrys cc itself; set it to the real compiler");
        return 2;
    }
    let real = std::env::var("LABRYS_CC").unwrap_or_default();
    let mut compiler = words::split(&real);
    if compiler.is_empty() {
        compiler.push("cc".to_owned());
    }
    let wrapper = Wrapper {
        compiler,
        clang: std::env::var("LABRYS_CLANG").unwrap_or_else(|_| "clang-19".to_owned()),
        directory: std::env::current_dir().unwrap_or_default(),
    };
    // Arguments that are not UTF-8 are only passed on to the real compiler.
    let text: Option<Vec<String>> = arguments
        .iter()
        .map(|a| a.to_str().map(str::to_owned))
        .collect();
    let plan = text.map(|text| (Invocation::parse(&text, &wrapper.directory), text));
    match plan {
        Some((plan, text)) if wrapper.is_recorded(&plan) => {
            let job = RecordedCall {
                wrapper: &wrapper,
                plan: &plan,
                arguments: &text,
            };
            match plan.step {
                CompilerStep::Compile => job.compile(arguments),
                _ => job.link(arguments),
            }
        }
        _ => wrapper.become_compiler(arguments),
    }
}

struct Wrapper {
    compiler: Vec<String>,
    clang: String,
    directory: PathBuf,
}

impl Wrapper {
    /// Whether this call of the compiler is recorded.
    fn is_recorded(&self, plan: &Invocation) -> bool {
        let files = plan.sources.iter().map(|s| &s.path).chain(&plan.files);
        let probe = files
            .chain(plan.output.iter())
            .any(|file| is_probe(&absolute(&self.directory, file)));
        let useful = match plan.step {
            CompilerStep::Compile => !plan.sources.is_empty(),
            CompilerStep::Link => true,
            CompilerStep::Other => false,
        };
        useful && !probe
    }

    fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.compiler[0]);
        command.args(&self.compiler[1..]).args(arguments);
        command.env(RECURSION_VARIABLE, "1");
        command
    }

    /// The compiler takes the place of this process.
    #[allow(clippy::print_stderr)]
    fn become_compiler(&self, arguments: &[OsString]) -> u8 {
        let error = self.command(arguments).exec();
        eprintln!("labrys cc: cannot run '{}': {error}", self.compiler[0]);
        127
    }

    #[allow(clippy::print_stderr)]
    fn run_compiler(&self, arguments: &[OsString]) -> u8 {
        match self.command(arguments).status() {
            Ok(status) => exit_code(status),
            Err(error) => {
                eprintln!("labrys cc: cannot run '{}': {error}", self.compiler[0]);
                127
            }
        }
    }
}

/// One call of the compiler that is recorded.
struct RecordedCall<'a> {
    wrapper: &'a Wrapper,
    plan: &'a Invocation,
    arguments: &'a [String],
}

impl RecordedCall<'_> {
    /// `-c`: the compiler and clang work side by side.
    fn compile(&self, arguments: &[OsString]) -> u8 {
        let (code, units) = std::thread::scope(|scope| {
            let jobs: Vec<_> = self
                .plan
                .sources
                .iter()
                .map(|source| {
                    let object = self.plan.object_of(source);
                    scope.spawn(move || self.unit(source, Some(&object), &bitcode_path(&object)))
                })
                .collect();
            let code = self.wrapper.run_compiler(arguments);
            let units: Vec<_> = jobs.into_iter().filter_map(|job| job.join().ok()).collect();
            (code, units)
        });
        for (unit, warning) in units {
            if code == 0 {
                warning.iter().for_each(|text| warn(text));
                succeeded(attach(unit));
            } else if let Some(bitcode) = unit.bitcode {
                // Nothing is left of a source that does not compile.
                let _ = std::fs::remove_file(bitcode);
            }
        }
        code
    }

    /// A link takes one more object, which holds the record of the link and of the units that are
    /// compiled in the same step.
    fn link(&self, arguments: &[OsString]) -> u8 {
        let units: Vec<_> = self
            .plan
            .sources
            .iter()
            .map(|source| {
                let stem = source.path.file_stem().unwrap_or_default();
                let mut name = self.plan.program().into_os_string();
                name.push("-");
                name.push(stem);
                name.push(".bc");
                self.unit(source, None, Path::new(&name))
            })
            .collect();
        let (units, warnings): (Vec<UnitRecord>, Vec<_>) = units.into_iter().unzip();
        let dir = tempfile::tempdir().ok();
        let object = dir.as_ref().map(|dir| dir.path().join("labrys-link.o"));
        let mut arguments = arguments.to_vec();
        if let Some(object) = object.filter(|o| succeeded(self.link_object(units, o))) {
            arguments.extend([OsString::from("-x"), "none".into(), object.into()]);
        }
        let code = self.wrapper.run_compiler(&arguments);
        if code == 0 {
            warnings.iter().flatten().for_each(|text| warn(text));
        }
        code
    }

    fn link_object(&self, units: Vec<UnitRecord>, out: &Path) -> Result<(), BuildError> {
        let mut direct: Vec<_> = units.iter().map(UnitRecord::id).collect();
        let mut records: Vec<BuildRecord> = units.into_iter().map(BuildRecord::Unit).collect();
        // With link-time optimisation the linker's plugin rewrites objects and drops the section.
        let lost = self.plan.flags.iter().any(|f| f.starts_with("-flto"));
        for file in &self.plan.files {
            let path = absolute(&self.wrapper.directory, file);
            if path.extension().is_some_and(|e| e == "a" || e == "so") {
                continue;
            }
            for record in section::read(&path).ok().flatten().unwrap_or_default() {
                if let BuildRecord::Unit(unit) = record {
                    direct.push(unit.id());
                    records.extend(lost.then_some(BuildRecord::Unit(unit)));
                }
            }
        }
        if direct.is_empty() && self.plan.files.is_empty() {
            return Ok(());
        }
        let both = [
            "-pthread",
            "-no-pie",
            "-pie",
            "-static-pie",
            "-m32",
            "-mx32",
        ];
        let shared = self
            .plan
            .flags
            .iter()
            .filter(|f| both.contains(&f.as_str()));
        records.push(BuildRecord::Link(LinkRecord {
            directory: self.wrapper.directory.clone(),
            output: absolute(&self.wrapper.directory, &self.plan.program()),
            arguments: self.arguments.to_vec(),
            flags: self.plan.link_flags.iter().chain(shared).cloned().collect(),
            direct,
        }));
        let machine = self.plan.flags.iter().filter(|f| f.starts_with("-m"));
        let machine: Vec<String> = machine.cloned().collect();
        section::make_object(&self.wrapper.compiler, &machine, &lines(&records)?, out)
    }

    /// Compiles a source to bitcode and describes it, with what went wrong.
    fn unit(
        &self,
        source: &SourceArgument,
        object: Option<&Path>,
        bitcode: &Path,
    ) -> (UnitRecord, Option<String>) {
        let directory = &self.wrapper.directory;
        let mut flags = self.plan.flags.clone();
        flags.extend(include_paths_of_environment());
        let out = absolute(directory, bitcode);
        let clang = &self.wrapper.clang;
        let compiled =
            bitcode::compile(clang, directory, &source.path, source.forced, &flags, &out);
        let (mut flags, bitcode, warning) = match compiled {
            Ok(BitcodeOutcome::Done(flags)) => (flags, Some(out), None),
            Ok(BitcodeOutcome::Rejected(message)) => {
                let line = message.lines().find(|line| line.contains("error"));
                let line = line.unwrap_or("clang rejects it");
                let warning = format!("no bitcode for {}: {line}", source.path.display());
                (flags, None, Some(warning))
            }
            Err(error) => (flags, None, Some(error.to_string())),
        };
        if source.forced {
            flags.extend(["-x".to_owned(), "c".to_owned()]);
        }
        let unit = UnitRecord {
            directory: directory.clone(),
            source: source.path.clone(),
            arguments: self.arguments.to_vec(),
            flags,
            object: object.map(|object| absolute(directory, object)),
            bitcode,
        };
        (unit, warning)
    }
}

/// `x.o` -> `x.o.bc`
fn bitcode_path(object: &Path) -> PathBuf {
    let mut name = object.as_os_str().to_owned();
    name.push(".bc");
    name.into()
}

fn attach(unit: UnitRecord) -> Result<(), BuildError> {
    // `-o /dev/null` and the like are no objects.
    match unit.object.clone().filter(|object| object.is_file()) {
        Some(object) => section::attach(&object, &lines(&[BuildRecord::Unit(unit)])?),
        None => Ok(()),
    }
}

fn lines(records: &[BuildRecord]) -> Result<String, BuildError> {
    let text: Result<String, _> = records.iter().map(BuildRecord::to_line).collect();
    text.map_err(|error| BuildError::Tool {
        tool: "labrys cc".to_owned(),
        message: error.to_string(),
    })
}

/// Directories that compilers also search, as flags: the environment of a later run is another.
fn include_paths_of_environment() -> Vec<String> {
    let mut flags = Vec::new();
    for (variable, flag) in [("CPATH", "-I"), ("C_INCLUDE_PATH", "-isystem")] {
        let Ok(value) = std::env::var(variable) else {
            continue;
        };
        for directory in value.split(':') {
            let directory = if directory.is_empty() { "." } else { directory };
            flags.extend([flag.to_owned(), directory.to_owned()]);
        }
    }
    flags
}

/// Whether a file is made only to find out something about the compiler.
fn is_probe(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let whole = file.to_string_lossy();
    name.starts_with("conftest") || PROBE_DIRECTORIES.iter().any(|part| whole.contains(part))
}

/// The exit code of the compiler; a signal as shells show it.
fn exit_code(status: ExitStatus) -> u8 {
    let signal = status.signal().map(|signal| 128 + signal);
    let code = status.code().or(signal).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// Prints a warning if something went wrong; true if nothing did.
fn succeeded(result: Result<(), BuildError>) -> bool {
    match result {
        Ok(()) => true,
        Err(error) => {
            warn(&error.to_string());
            false
        }
    }
}

#[allow(clippy::print_stderr)]
fn warn(message: &str) {
    eprintln!("labrys cc: warning: {message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_configuration_are_known() {
        assert!(is_probe(Path::new("/p/conftest.c")));
        assert!(is_probe(Path::new(
            "/p/CMakeFiles/CMakeScratch/TryCompile-x/src.c"
        )));
        assert!(!is_probe(Path::new("/p/src/config.c")));
    }

    #[test]
    fn bitcode_stands_beside_the_object() {
        assert_eq!(bitcode_path(Path::new("a/x.o")), Path::new("a/x.o.bc"));
    }
}
