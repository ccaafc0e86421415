//! Child processes that end with a deadline. Each runs in a process group of its own, so that what
//! it has started ends with it.

use crate::deadline::{Deadline, EndCause};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

/// The longest time between two looks at a child.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// Why a child gave no output.
#[derive(Debug)]
pub enum ChildError {
    /// It could not be started, or its output could not be read.
    Io(io::Error),
    /// It was ended, since the deadline was over.
    Ended(EndCause),
}

/// Why a tool failed, if that has nothing to do with what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolTrouble {
    /// It crashed; compilers that do print pages on themselves.
    Crashed,
    /// There was no space left for what it writes.
    DiskFull,
}

/// What compilers print when they have crashed, and when nothing can be written.
const CRASHES: [&str; 2] = ["PLEASE submit a bug report", "internal compiler error"];
const DISK_FULL: &str = "No space left on device";

/// Did a tool fail for a reason that is not in its input?
pub fn tool_trouble(output: &Output) -> Option<ToolTrouble> {
    if output.status.success() {
        return None;
    }
    let message = String::from_utf8_lossy(&output.stderr);
    if message.contains(DISK_FULL) {
        return Some(ToolTrouble::DiskFull);
    }
    let crashed =
        output.status.code().is_none() || CRASHES.iter().any(|text| message.contains(text));
    crashed.then_some(ToolTrouble::Crashed)
}

/// Runs a command without input to its end and takes its output, or ends it with the deadline.
pub fn run_child(command: &mut Command, deadline: &Deadline) -> Result<Output, ChildError> {
    if let Some(cause) = deadline.cause() {
        return Err(ChildError::Ended(cause));
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = spawn(command).map_err(ChildError::Io)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // What a child writes is read while it runs, else it would wait for that.
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_all(stderr));
        let status = wait_for(&mut child, deadline);
        let failed = || io::Error::other("a thread panicked");
        let stdout = stdout.join().unwrap_or_else(|_| Err(failed()));
        let stderr = stderr.join().unwrap_or_else(|_| Err(failed()));
        Ok(Output {
            status: status?,
            stdout: stdout.map_err(ChildError::Io)?,
            stderr: stderr.map_err(ChildError::Io)?,
        })
    })
}

/// Runs a command without input to its end, or ends it with the deadline; what it prints goes into a
/// file, also from processes that it leaves behind.
pub fn run_into(
    command: &mut Command,
    output: File,
    deadline: &Deadline,
) -> Result<ExitStatus, ChildError> {
    if let Some(cause) = deadline.cause() {
        return Err(ChildError::Ended(cause));
    }
    let errors = output.try_clone().map_err(ChildError::Io)?;
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = spawn(command).map_err(ChildError::Io)?;
    wait_for(&mut child, deadline)
}

fn read_all(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Starts a child in a process group of its own. It dies with this process, however that ends.
fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    // SAFETY: prctl is a plain system call, which may be made between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    command.spawn()
}

/// Waits for a child; ends it and its process group with the deadline.
pub fn wait_for(child: &mut Child, deadline: &Deadline) -> Result<ExitStatus, ChildError> {
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait().map_err(ChildError::Io)? {
            return Ok(status);
        }
        if let Some(cause) = deadline.cause() {
            end_group(child);
            return Err(ChildError::Ended(cause));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Kills a child with everything in its process group.
fn end_group(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: a plain system call; the child was not waited for, so the number is still its
        // own. A child without a group of its own is not reached by it.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_status_come_back() {
        let mut command = shell("echo out; echo err >&2; exit 3");
        let output = run_child(&mut command, &Deadline::never()).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(output.stdout, b"out\n");
        assert_eq!(output.stderr, b"err\n");
    }

    #[test]
    fn crashes_and_a_full_disk_are_told_from_rejections() {
        let trouble = |script: &str| {
            let output = run_child(&mut shell(script), &Deadline::never()).unwrap();
            tool_trouble(&output)
        };
        assert_eq!(trouble("echo 'PLEASE submit a bug report' >&2"), None);
        assert_eq!(trouble("echo 'x.c:1: rejected' >&2; exit 1"), None);
        let crashed = Some(ToolTrouble::Crashed);
        assert_eq!(
            trouble("echo 'PLEASE submit a bug report' >&2; exit 1"),
            crashed
        );
        assert_eq!(trouble("kill -SEGV $$"), crashed);
        let full = "echo 'x.s: No space left on device' >&2; exit 1";
        assert_eq!(trouble(full), Some(ToolTrouble::DiskFull));
    }

    #[test]
    fn a_child_ends_with_the_deadline_and_takes_its_own_children_along() {
        // The pipes stay open as long as anybody of the group lives: reading them would wait.
        let mut command = shell("sleep 1000 & sleep 1000");
        let ended = run_child(&mut command, &Deadline::after_looks(3));
        assert!(matches!(ended, Err(ChildError::Ended(EndCause::Time))));
    }

    #[test]
    fn nothing_is_started_when_the_time_is_over() {
        let mut command = Command::new("no-such-command");
        let ended = run_child(&mut command, &Deadline::after_looks(0));
        assert!(matches!(ended, Err(ChildError::Ended(EndCause::Time))));
        let missing = run_child(&mut command, &Deadline::never());
        assert!(matches!(missing, Err(ChildError::Io(_))));
    }
}
