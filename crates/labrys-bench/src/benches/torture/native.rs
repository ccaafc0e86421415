//! The truth about a batch of functions: a native program that Labrys has no part in calls them in
//! all the ways that their kinds know, and a file of marks says which outcomes happened.

use super::marked::{self, TwoForms};
use super::write::{Kind, Subject};
use labrys_driver::{Failure, Outcome};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const RECORD: &str = include_str!("c/record.c");
const DRIVE: &str = include_str!("c/drive.c");
const RUN: &str = include_str!("c/run.c");

/// What the native form of a subject begins with.
const SEE: &str = "extern unsigned char *torture_seen; static inline int torture_see(int id, int v) \
                   { torture_seen[2 * id + v] = 1; return v; } ";

/// The library functions that the native program has definitions for that can fail.
const LIBRARY: [&str; 12] = [
    "malloc", "calloc", "read", "write", "open", "close", "getenv", "time", "getpid", "rand",
    "pipe", "isatty",
];

/// The compiler of the native programs. Arithmetic wraps there as it does in Labrys, and every
/// division by zero ends the call: without the check gcc makes 0 of `(x - x) / 0`.
const COMPILER: [&str; 7] = [
    "cc",
    "-O0",
    "-w",
    "-fwrapv",
    "-std=gnu17",
    "-fsanitize=integer-divide-by-zero",
    "-fsanitize-undefined-trap-on-error",
];

/// Which outcomes happened: two for each mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks(Vec<u8>);

impl Marks {
    pub fn read(file: &Path) -> Outcome<Marks> {
        std::fs::read(file).map(Marks).map_err(Failure::usage)
    }

    pub fn has(&self, mark: usize, outcome: bool) -> bool {
        self.0
            .get(2 * mark + usize::from(outcome))
            .is_some_and(|seen| *seen != 0)
    }
}

/// A batch of functions on disk in its two forms.
pub struct Batch {
    pub dir: PathBuf,
    pub forms: TwoForms,
    /// The numbers of marks are below this.
    marks: usize,
}

impl Batch {
    /// Writes `subject.c`, `native.c` and `drive.c` into the directory.
    pub fn write(dir: &Path, subjects: &[Subject]) -> Outcome<Batch> {
        let mut text = String::from("/* Written by ./bench torture. */\n");
        let mut native = SEE.to_owned();
        for subject in subjects {
            text += &subject.text;
            native += &subject.native;
        }
        let forms = marked::render(&text, &native);
        let batch = Batch {
            dir: dir.to_owned(),
            forms,
            marks: subjects.iter().map(|s| s.marks.end).max().unwrap_or(0),
        };
        batch.file("subject.c", &batch.forms.plain)?;
        batch.file("native.c", &batch.forms.native)?;
        batch.file("drive.c", &drive(subjects))?;
        Ok(batch)
    }

    /// Writes a whole program as `subject.c` and `native.c`.
    pub fn of_program(dir: &Path, text: &str, marks: usize) -> Outcome<Batch> {
        let batch = Batch {
            dir: dir.to_owned(),
            forms: marked::render(text, SEE),
            marks,
        };
        batch.file("subject.c", &batch.forms.plain)?;
        batch.file("native.c", &batch.forms.native)?;
        Ok(batch)
    }

    /// A file for the marks of a program, without any.
    pub fn new_marks(&self, program: &str) -> Outcome<PathBuf> {
        let marks = self.dir.join(format!("{program}.marks"));
        std::fs::write(&marks, vec![0; 2 * self.marks + 2]).map_err(Failure::usage)?;
        Ok(marks)
    }

    pub fn file(&self, name: &str, text: &str) -> Outcome<PathBuf> {
        let path = self.dir.join(name);
        std::fs::write(&path, text)
            .map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", path.display())))?;
        Ok(path)
    }

    /// Calls the functions in all the ways, and gives what happened.
    pub fn truth(&self, record: &Path) -> Outcome<Marks> {
        self.compile("drive.c", "drive", record)?;
        let (marks, _) = self.run("drive", 0)?;
        Ok(marks)
    }

    /// Compiles a program of this directory with the recording of conditions.
    pub fn compile(&self, source: &str, program: &str, record: &Path) -> Outcome<()> {
        let mut command = compiler();
        command.args(["-o", program, source]).arg(record);
        run(command.current_dir(&self.dir)).map(|_| ())
    }

    /// Runs a program of this directory that ends with this status or a smaller one, and gives
    /// what its conditions did and what it printed.
    pub fn run(&self, program: &str, status: i32) -> Outcome<(Marks, String)> {
        let marks = self.new_marks(program)?;
        let mut command = Command::new(self.dir.join(program));
        command
            .env("TORTURE_MARKS", &marks)
            .current_dir(&self.dir)
            .stdin(std::process::Stdio::null());
        let output = command
            .output()
            .map_err(|e| Failure::usage(format_args!("cannot run {command:?}: {e}")))?;
        if output.status.code().is_none_or(|code| code > status) {
            return Err(Failure::usage(format_args!(
                "{command:?} failed: {}",
                output.status
            )));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((Marks::read(&marks)?, text))
    }
}

/// Compiles the recording once; the object is linked with every native program.
pub fn record(dir: &Path) -> Outcome<PathBuf> {
    let (source, object) = (dir.join("record.c"), dir.join("record.o"));
    std::fs::write(&source, RECORD).map_err(Failure::usage)?;
    run(compiler().arg("-c").arg(&source).arg("-o").arg(&object))?;
    Ok(object)
}

pub fn compiler() -> Command {
    let mut command = Command::new(COMPILER[0]);
    command.args(&COMPILER[1..]);
    command
}

fn run(command: &mut Command) -> Outcome<Vec<u8>> {
    super::super::clock::run_child(command).map(|(text, _)| text)
}

/// The program that calls the functions.
fn drive(subjects: &[Subject]) -> String {
    let mut text = DRIVE.to_owned();
    for name in LIBRARY {
        let _ = writeln!(text, "#define {name} t_{name}");
    }
    text.push_str("#include \"native.c\"\n");
    for name in LIBRARY {
        let _ = writeln!(text, "#undef {name}");
    }
    for subject in subjects {
        text.push_str(&subject.drive);
    }
    text.push_str("static void (*const drives[])(void) = {");
    for subject in subjects {
        let _ = write!(text, "drive_{}, ", subject.name);
    }
    text.push_str("};\nstatic const char stateful[] = {");
    for subject in subjects {
        let _ = write!(text, "{}, ", u8::from(subject.kind == Kind::State));
    }
    text.push_str("};\n");
    text.push_str(RUN);
    text
}
