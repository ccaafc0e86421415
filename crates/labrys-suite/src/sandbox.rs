//! The sandbox of native runs, seen from outside: what it is made of, what the system does not
//! allow, and how a program is started in it. The sandbox itself is C, in `runtime/sandbox/`.

use crate::compile::ReplayError;
use crate::native_runtime::{NativeRuntime, build_launcher};
use labrys_budget::Deadline;
use labrys_ledger::protocol::protection as p;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Something that confines native runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protection {
    number: u32,
    pub name: &'static str,
    /// What a native run cannot do because of it.
    pub prevents: &'static str,
    /// What to do where it is missing.
    pub advice: &'static str,
}

/// How a container or a system is told to allow namespaces.
const ALLOW_NAMESPACES: &str = "allow user namespaces: sysctl user.max_user_namespaces=10000 (and \
    kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0 where they \
    exist); the seccomp profile of a container must allow unshare and mount";
const NEWER_LINUX: &str = "use Linux 5.14 or newer";
const ALLOW_AND_NEWER: &str = "allow user namespaces, as above, and use Linux 5.14 or newer";

/// All of them, in the order of their numbers.
pub const PROTECTIONS: [Protection; p::PROTECTIONS as usize] = [
    about(
        p::MOUNT_NAMESPACE,
        "mount namespace",
        "mount or unmount anything for others",
        ALLOW_NAMESPACES,
    ),
    about(
        p::PROCESS_NAMESPACE,
        "process namespace",
        "see or signal other processes, or leave one behind",
        ALLOW_NAMESPACES,
    ),
    about(
        p::NETWORK_NAMESPACE,
        "network namespace",
        "reach any network, this machine included",
        ALLOW_NAMESPACES,
    ),
    about(
        p::IPC_NAMESPACE,
        "IPC namespace",
        "use message queues and shared memory of others",
        ALLOW_NAMESPACES,
    ),
    about(
        p::UTS_NAMESPACE,
        "UTS namespace",
        "rename the machine",
        ALLOW_NAMESPACES,
    ),
    about(
        p::READ_ONLY_HOST,
        "read-only machine",
        "write a file outside",
        ALLOW_AND_NEWER,
    ),
    about(
        p::BOUNDED_FILES,
        "bounded files",
        "fill the disk",
        ALLOW_NAMESPACES,
    ),
    about(
        p::OWN_PROC,
        "own /proc",
        "look at other processes through /proc",
        ALLOW_NAMESPACES,
    ),
    about(
        p::ROOT_DIRECTORY,
        "own root directory",
        "see any file but those of its test",
        ALLOW_NAMESPACES,
    ),
    about(p::OTHER_USER, "no root", "act as root", ALLOW_NAMESPACES),
    about(
        p::NO_CAPABILITIES,
        "no capabilities",
        "leave its root directory, make devices, change owners",
        NEWER_LINUX,
    ),
    about(
        p::NO_NEW_PRIVILEGES,
        "no new privileges",
        "get privileges from a set-user-ID program",
        NEWER_LINUX,
    ),
    about(
        p::SYSTEM_CALL_FILTER,
        "system call filter",
        "make sockets and namespaces, trace processes, load modules",
        "use a Linux with CONFIG_SECCOMP_FILTER",
    ),
    about(
        p::PROCESS_LIMIT,
        "bounded processes",
        "start processes without end",
        ALLOW_AND_NEWER,
    ),
    about(
        p::USER_NAMESPACE,
        "user namespace",
        "be a user of this machine",
        ALLOW_NAMESPACES,
    ),
    about(
        p::LANDLOCK,
        "Landlock",
        "open files outside, where there is no mount namespace",
        "use Linux 5.13 or newer with landlock among its security modules (lsm=)",
    ),
];

const fn about(
    number: u32,
    name: &'static str,
    prevents: &'static str,
    advice: &'static str,
) -> Protection {
    Protection {
        number,
        name,
        prevents,
        advice,
    }
}

impl Protection {
    /// Whether confinement is incomplete without it. The others only help to get there.
    pub fn is_needed(&self) -> bool {
        self.number < p::NEEDED_PROTECTIONS
    }
}

/// What native runs should have been confined by and were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingProtections(u32);

impl MissingProtections {
    /// The bits of a result. The test may have written anything over them.
    pub(crate) fn of_test(bits: u32) -> Self {
        MissingProtections(bits & ((1 << p::NEEDED_PROTECTIONS) - 1))
    }

    /// Nothing confines a native run.
    pub fn all() -> Self {
        MissingProtections::of_test(u32::MAX)
    }

    /// What a report of the sandbox says.
    fn of_states(states: &[ProtectionState]) -> Self {
        let missing = states.iter().filter(|state| state.error.is_some());
        let needed = missing.filter(|state| state.protection.is_needed());
        needed.fold(MissingProtections::default(), |all, state| {
            MissingProtections(all.0 | 1 << state.protection.number)
        })
    }

    /// Whether the confinement was complete.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What one or the other lacks.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        MissingProtections(self.0 | other.0)
    }
}

impl fmt::Display for MissingProtections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = PROTECTIONS.iter().filter(|it| self.0 >> it.number & 1 == 1);
        let names: Vec<&str> = missing.map(|it| it.name).collect();
        f.write_str(&names.join(", "))
    }
}

/// Whether this machine has a protection.
#[derive(Debug)]
pub struct ProtectionState {
    pub protection: Protection,
    /// Why not.
    pub error: Option<io::Error>,
}

/// Reads the report of the launcher; `None` if it was not written.
fn read_report(path: &Path) -> Option<Vec<ProtectionState>> {
    parse_report(&std::fs::read(path).ok()?)
}

pub(crate) fn parse_report(bytes: &[u8]) -> Option<Vec<ProtectionState>> {
    let mut errors = bytes.chunks_exact(4).map(|word| {
        let number = word.try_into().map(i32::from_le_bytes).unwrap_or_default();
        (number != 0).then(|| io::Error::from_raw_os_error(number))
    });
    let states: Option<Vec<_>> = PROTECTIONS
        .iter()
        .map(|protection| {
            Some(ProtectionState {
                protection: *protection,
                error: errors.next()?,
            })
        })
        .collect();
    states
}

/// What the report says is missing; all, if there is none.
pub(crate) fn missing_in(report: &Path) -> MissingProtections {
    read_report(report).map_or(MissingProtections::all(), |states| {
        MissingProtections::of_states(&states)
    })
}

/// Asks the machine what it allows, by confining a test that does nothing.
pub fn probe(
    runtime_dir: &Path,
    cache: Option<&Path>,
    compiler: &str,
) -> Result<Vec<ProtectionState>, ReplayError> {
    let runtime = NativeRuntime::find(runtime_dir, cache, compiler)?;
    build_launcher(&runtime, compiler, &Deadline::never())?;
    let scratch = scratch_dir()?;
    let report = scratch.path().join("report");
    let sandbox_dir = scratch.path().join("box");
    std::fs::create_dir(&sandbox_dir)
        .map_err(|error| ReplayError::io("create", &sandbox_dir, error))?;
    let mut command = Command::new(&runtime.launcher);
    command.arg("probe").arg(&report).arg(&sandbox_dir);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| ReplayError::io("run", &runtime.launcher, error))?;
    read_report(&report).ok_or_else(|| ReplayError::Tool {
        tool: "the sandbox".into(),
        message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

/// A temporary directory for one start of the sandbox.
pub(crate) fn scratch_dir() -> Result<tempfile::TempDir, ReplayError> {
    tempfile::Builder::new()
        .prefix("labrys-replay-")
        .tempdir()
        .map_err(|error| ReplayError::io("create a directory in", &std::env::temp_dir(), error))
}

/// Refuses a machine that does not confine native runs completely.
pub fn require(states: &[ProtectionState]) -> Result<(), ReplayError> {
    let missing = MissingProtections::of_states(states);
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ReplayError::NotConfined(missing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protection_stands_at_its_number() {
        for (place, protection) in PROTECTIONS.iter().enumerate() {
            assert_eq!(place as u32, protection.number, "{}", protection.name);
        }
    }

    #[test]
    fn a_report_says_what_is_missing_and_why() {
        let dir = tempfile::tempdir().unwrap();
        let report = dir.path().join("report");
        let mut words = [0i32; PROTECTIONS.len()];
        words[p::PROCESS_NAMESPACE as usize] = 1;
        words[p::LANDLOCK as usize] = 38;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&report, &bytes).unwrap();
        // What is not needed is not missing.
        assert_eq!(missing_in(&report).to_string(), "process namespace");
        let states = read_report(&report).unwrap();
        let error = states[p::PROCESS_NAMESPACE as usize].error.as_ref();
        assert_eq!(error.unwrap().raw_os_error(), Some(1));
        assert!(require(&states).is_err());

        // A report that was cut off vouches for nothing.
        std::fs::write(&report, &bytes[..20]).unwrap();
        assert!(read_report(&report).is_none());
        assert!(missing_in(&report).to_string().contains("no capabilities"));
        std::fs::write(&report, [0; 4 * PROTECTIONS.len()]).unwrap();
        assert!(missing_in(&report).is_empty());
        assert!(require(&read_report(&report).unwrap()).is_ok());
    }
}
