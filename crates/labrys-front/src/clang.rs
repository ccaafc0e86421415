//! Runs clang: preprocesses a file, reads its syntax tree, compiles annotated text to bitcode.
//! Clang's messages become errors that name the user's file.

use crate::ast::{self, AstNode};
use crate::flags;
use crate::source::PreprocessedText;
use crate::{FrontError, FrontOptions, SourceFile};
use labrys_budget::{ChildError, ToolTrouble, run_child, tool_trouble};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Flags that make clang accept old C as earlier versions did, and keep its warnings quiet: they are
/// not about what Labrys was asked.
pub const ACCEPT_OLD_C_FLAGS: [&str; 8] = [
    "-w",
    "-Qunused-arguments",
    "-fno-color-diagnostics",
    "-Wno-error=implicit-int",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
];

/// The labels of LTest, which must outlive preprocessing.
const LABELS: [&str; 4] = [
    "pc_label",
    "pc_label_bindings",
    "pc_label_sequence",
    "pc_label_sequence_condition",
];

/// Bytes of the stack for reading and walking syntax trees, which nest as deeply as the program
/// does. Only what is used takes memory.
const STACK_BYTES: usize = 1 << 30;

/// A preprocessed source file and its syntax tree.
pub(crate) struct ParsedSource {
    pub path: PathBuf,
    /// The preprocessed text as it is in the file.
    pub bytes: Vec<u8>,
    pub source: PreprocessedText,
    pub root: AstNode,
}

/// Runs `work` on a thread whose stack is large enough for any syntax tree.
pub(crate) fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let handle = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)?;
        handle.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            std::io::Error::other(text.unwrap_or_else(|| "the front end panicked".to_owned()))
        })
    })
}

/// Preprocesses a file into `stem.i` in the work directory and reads its syntax tree.
pub(crate) fn parse(
    source: &SourceFile,
    stem: &str,
    options: &FrontOptions,
) -> Result<ParsedSource, FrontError> {
    let path = source.shown();
    let preprocessed = options.work_dir.join(format!("{stem}.i"));
    let mut bytes = preprocess(source, &preprocessed, &[], options)?;
    if mentions_crest(&bytes) {
        // The macros of CREST take variables, not pointers: without its header they cannot work.
        bytes = preprocess(source, &preprocessed, &["-include", "crest.h"], options)?;
    }
    let json = syntax_tree(source, &preprocessed, options)?;
    let root = ast::parse(&json).map_err(|e| FrontError::Ast {
        path: path.clone(),
        message: e.to_string(),
    })?;
    Ok(ParsedSource {
        path,
        source: readable(&bytes),
        bytes,
        root,
    })
}

fn mentions_crest(text: &[u8]) -> bool {
    text.windows(6).any(|window| window == b"CREST_")
}

fn preprocess(
    source: &SourceFile,
    output: &Path,
    extra: &[&str],
    options: &FrontOptions,
) -> Result<Vec<u8>, FrontError> {
    let failed = |source| FrontError::Io {
        path: output.to_owned(),
        source,
    };
    let mut command = command(options);
    command.arg("-E");
    before_preprocessing(&mut command, source, options);
    command.args(extra).arg(&source.path).arg("-o");
    command.arg(std::path::absolute(output).map_err(failed)?);
    check(&source.shown(), &run(command, options)?, options)?;
    // Clang takes a file with a strange name for something to link, and writes nothing.
    let bytes = std::fs::read(output).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FrontError::Compile {
            path: source.shown(),
            message: "clang does not take it for C; the names of C files end with .c".to_owned(),
        },
        _ => failed(error),
    })?;
    let renamed = source.with_names_from_here(bytes);
    if source.directory.is_some() {
        std::fs::write(output, &renamed).map_err(failed)?;
    }
    Ok(renamed)
}

/// What a step that preprocesses is called with.
fn before_preprocessing(command: &mut Command, source: &SourceFile, options: &FrontOptions) {
    if let Some(directory) = &source.directory {
        command.current_dir(directory);
    }
    command
        .args(flags::flags_for_preprocessing(&source.flags))
        .args(ACCEPT_OLD_C_FLAGS);
    command.args(["-U_FORTIFY_SOURCE", "-D__LABRYS__=1"]);
    // Files that LTest has annotated define its labels away unless they are defined.
    command.args(LABELS.map(|name| format!("-D{name}={name}")));
    let runtime = std::path::absolute(&options.runtime_dir);
    let runtime = runtime.unwrap_or_else(|_| options.runtime_dir.clone());
    command.arg("-idirafter").arg(&runtime);
    command.arg("-idirafter").arg(runtime.join("include"));
}

/// Text for analysis, byte for byte as long as the file: a file in another encoding than UTF-8
/// shows marks for its foreign letters, but its bytes are what is compiled.
pub(crate) fn readable(bytes: &[u8]) -> PreprocessedText {
    let mark = |byte: &u8| if byte.is_ascii() { *byte as char } else { '?' };
    match std::str::from_utf8(bytes) {
        Ok(text) => PreprocessedText::new(text.to_owned()),
        Err(_) => PreprocessedText::marked(bytes.iter().map(mark).collect()),
    }
}

fn syntax_tree(
    source: &SourceFile,
    input: &Path,
    options: &FrontOptions,
) -> Result<Vec<u8>, FrontError> {
    let mut tree = command(options);
    tree.args(["-fsyntax-only", "-Xclang", "-ast-dump=json"]);
    tree.args(flags::flags_after_preprocessing(&source.flags))
        .args(ACCEPT_OLD_C_FLAGS)
        .arg(input);
    let output = run(tree, options)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    // The messages for the original file show the user's own text and macros.
    let mut again = command(options);
    again.arg("-fsyntax-only");
    before_preprocessing(&mut again, source, options);
    again.arg(&source.path);
    check(&source.shown(), &run(again, options)?, options)?;
    check(&source.shown(), &output, options)?;
    Ok(output.stdout)
}

/// How annotated text is compiled for the engine. The lifter asks for files, lines and the names of
/// variables.
pub(crate) const ENGINE_FLAGS: [&str; 6] = [
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-emit-llvm",
    "-c",
];

/// Compiles annotated text with the flags of the user and those of a purpose; on failure returns
/// clang's messages.
pub fn compile_annotated(
    input: &Path,
    output: &Path,
    user_flags: &[String],
    own_flags: &[&str],
    options: &FrontOptions,
) -> Result<Result<(), String>, FrontError> {
    let mut command = command(options);
    command
        .args(["-x", "c"])
        .args(flags::flags_after_preprocessing(user_flags))
        .args(ACCEPT_OLD_C_FLAGS)
        .args(own_flags);
    command.arg(input).arg("-o").arg(output);
    let result = run(command, options)?;
    surroundings(input, &result, options)?;
    Ok(match result.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&result.stderr).into_owned()),
    })
}

fn command(options: &FrontOptions) -> Command {
    Command::new(OsStr::new(&options.clang))
}

fn run(mut command: Command, options: &FrontOptions) -> Result<Output, FrontError> {
    tracing::debug!(?command, "clang");
    run_child(&mut command, &options.deadline).map_err(|error| match error {
        ChildError::Ended(cause) => FrontError::Ended(cause),
        ChildError::Io(source) => FrontError::ClangMissing {
            clang: options.clang.clone(),
            source,
        },
    })
}

fn check(path: &Path, output: &Output, options: &FrontOptions) -> Result<(), FrontError> {
    if output.status.success() {
        return Ok(());
    }
    surroundings(path, output, options)?;
    let mut message = String::from_utf8_lossy(&output.stderr)
        .trim_end()
        .to_owned();
    if message.is_empty() {
        message = format!("clang ended with {}", output.status);
    }
    if let Some((place, header)) = message.lines().find_map(missing_header) {
        return Err(FrontError::MissingHeader { place, header });
    }
    Err(FrontError::Compile {
        path: path.to_owned(),
        message,
    })
}

/// Did the compiler fail for a reason that is not in the program?
fn surroundings(path: &Path, output: &Output, options: &FrontOptions) -> Result<(), FrontError> {
    match tool_trouble(output) {
        None => Ok(()),
        Some(ToolTrouble::DiskFull) => Err(FrontError::DiskFull {
            directory: options.work_dir.clone(),
        }),
        Some(ToolTrouble::Crashed) => Err(FrontError::ClangCrashed {
            path: path.to_owned(),
            status: output.status,
        }),
    }
}

/// Place and name of a header that is not there: `x.c:1:10: fatal error: 'y.h' file not found`.
fn missing_header(line: &str) -> Option<(String, String)> {
    let (place, what) = line.split_once(": fatal error: '")?;
    let header = what.strip_suffix("' file not found")?;
    Some((place.to_owned(), header.to_owned()))
}
