//! Compiles a C source to bitcode with clang, by the flags of a build that may have been made for
//! GCC. Flags that clang rejects are left out one by one: its messages name them.

use crate::BuildError;
use labrys_front::{ACCEPT_OLD_C_FLAGS, flags_for_preprocessing};
use std::path::Path;
use std::process::Command;

/// What an attempt to compile a source to bitcode gave.
pub enum BitcodeOutcome {
    /// Done, with these of the flags.
    Done(Vec<String>),
    /// Clang's messages.
    Rejected(String),
}

/// At most 20 attempts, each without the flags that clang rejected in the one before: clang may
/// name one flag at a time. After that the source counts as rejected.
const MAX_ATTEMPTS: usize = 20;

/// Compiles a source to bitcode under a temporary name and renames it.
pub fn compile(
    clang: &str,
    directory: &Path,
    source: &Path,
    forced: bool,
    flags: &[String],
    out: &Path,
) -> Result<BitcodeOutcome, BuildError> {
    let part = out.with_extension(format!("{}.part", std::process::id()));
    let attempt = |flags: &[String]| {
        let mut command = Command::new(clang);
        command
            .current_dir(directory)
            .args(flags)
            .args(ACCEPT_OLD_C_FLAGS);
        command.args(["-U_FORTIFY_SOURCE", "-O0", "-Xclang", "-disable-O0-optnone"]);
        command.args(["-gline-tables-only", "-emit-llvm", "-c"]);
        if forced {
            command.args(["-x", "c"]);
        }
        command.arg(source).arg("-o").arg(&part);
        command
    };
    let compiled = without_unknown(&flags_for_preprocessing(flags), attempt)?;
    match &compiled {
        BitcodeOutcome::Done(_) => {
            std::fs::rename(&part, out).map_err(|e| BuildError::io("write", out, e))?;
        }
        BitcodeOutcome::Rejected(_) => {
            let _ = std::fs::remove_file(&part);
        }
    }
    Ok(compiled)
}

/// Those of the flags that clang understands.
pub fn accepted_flags(clang: &str, directory: &Path, flags: &[String]) -> Vec<String> {
    let known = flags_for_preprocessing(flags);
    let attempt = |flags: &[String]| {
        let mut command = Command::new(clang);
        command
            .current_dir(directory)
            .args(flags)
            .args(ACCEPT_OLD_C_FLAGS);
        // Files that a flag includes are looked for when the source itself is read.
        command.args(["-###", "-fsyntax-only", "-x", "c", "/dev/null"]);
        command
    };
    match without_unknown(&known, attempt) {
        Ok(BitcodeOutcome::Done(flags)) => flags,
        _ => known,
    }
}

/// Runs a command again and again without the flags that it rejects.
fn without_unknown(
    flags: &[String],
    attempt: impl Fn(&[String]) -> Command,
) -> Result<BitcodeOutcome, BuildError> {
    let mut flags = flags.to_vec();
    let mut message = String::new();
    for _ in 0..MAX_ATTEMPTS {
        let mut command = attempt(&flags);
        command.stdin(std::process::Stdio::null());
        let output = command.output().map_err(|source| BuildError::Tool {
            tool: command.get_program().to_string_lossy().into_owned(),
            message: source.to_string(),
        })?;
        if output.status.success() {
            return Ok(BitcodeOutcome::Done(flags));
        }
        message = String::from_utf8_lossy(&output.stderr)
            .trim_end()
            .to_owned();
        let before = flags.len();
        let rejected: Vec<&str> = message.lines().filter_map(rejected_flag).collect();
        flags.retain(|flag| !rejected.iter().any(|r| may_mean(r, flag)));
        if flags.len() == before {
            break;
        }
    }
    Ok(BitcodeOutcome::Rejected(message))
}

/// The flag that a message is about: `error: unknown argument: '-fxyz'`, `error: unsupported
/// option '-mxyz' for target …`, `error: invalid value 'x' in '-fxyz=x'`.
fn rejected_flag(line: &str) -> Option<&str> {
    let (_, what) = line.split_once("error: ")?;
    let known = [
        "unknown argument",
        "unsupported option",
        "unsupported argument",
        "invalid value",
        "invalid argument",
        "optimization flag",
        "unknown target CPU",
    ];
    if !known.iter().any(|start| what.starts_with(start)) {
        return None;
    }
    let mut quoted = what.split('\'').skip(1).step_by(2);
    quoted.find(|word| word.starts_with('-'))
}

/// Whether a message that names `rejected` may mean this flag: clang shortens `-fx=value` to
/// `-fx=` in some messages.
fn may_mean(rejected: &str, flag: &str) -> bool {
    flag == rejected || (rejected.ends_with('=') && flag.starts_with(rejected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_of_clang_name_the_flag() {
        let lines = [
            (
                "clang: error: unknown argument: '-fno-gcse-x'",
                "-fno-gcse-x",
            ),
            (
                "clang-19: error: unsupported option '-mthreads' for target 'x86_64'",
                "-mthreads",
            ),
            (
                "error: invalid value 'x' in '-fexcess-precision=x'",
                "-fexcess-precision=x",
            ),
            (
                "clang: error: unsupported argument 'a' to option '-mabi='",
                "-mabi=",
            ),
        ];
        for (line, flag) in lines {
            assert_eq!(rejected_flag(line), Some(flag), "{line}");
        }
        assert_eq!(rejected_flag("x.c:1:1: error: unknown type name 'x'"), None);
        assert!(may_mean("-mabi=", "-mabi=a") && !may_mean("-mabi=", "-mabx=a"));
    }

    #[test]
    fn flags_of_gcc_are_left_out() {
        let words = "-O2 -DX -fno-tree-vrp-x -Wlogical-op -fconserve-stack -mpreferred-stack-boundary=4 -fno-such";
        let flags: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let kept = accepted_flags("clang-19", Path::new("."), &flags);
        assert!(kept.contains(&"-DX".to_owned()) && kept.contains(&"-O2".to_owned()));
        assert!(!kept.contains(&"-fno-such".to_owned()), "{kept:?}");
    }
}
