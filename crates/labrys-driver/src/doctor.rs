//! `doctor`: what this machine allows and has. The sandbox of native runs, protection by protection,
//! and the tools that Labrys calls; for each that is missing, what to do.

use crate::failure::{Failure, Outcome};
use crate::program::runtime;
use labrys_suite::sandbox::{self, ProtectionState};
use serde::Serialize;
use std::process::Command;

/// Which tools to look at.
#[derive(Clone, Debug)]
pub struct DoctorOptions {
    pub cc: String,
    pub clang: String,
}

impl Default for DoctorOptions {
    fn default() -> Self {
        DoctorOptions {
            cc: labrys_suite::CC.to_owned(),
            clang: labrys_front::CLANG.to_owned(),
        }
    }
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Diagnosis {
    pub schema: String,
    /// The version of Linux.
    pub system: String,
    /// Whether native runs are completely confined.
    pub confined: bool,
    pub protections: Vec<ProtectionRecord>,
    /// Why nothing is known of the protections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub tools: Vec<ToolRecord>,
}

/// One protection of the sandbox.
#[derive(Debug, Serialize)]
pub struct ProtectionRecord {
    pub name: &'static str,
    /// What a native run cannot do because of it.
    pub prevents: &'static str,
    /// Whether confinement is incomplete without it.
    pub needed: bool,
    pub present: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<&'static str>,
}

/// One tool that Labrys calls.
#[derive(Debug, Serialize)]
pub struct ToolRecord {
    pub command: String,
    pub purpose: &'static str,
    /// Whether nothing works without it.
    pub needed: bool,
    /// The first line that it prints about itself; none if it cannot be started.
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Diagnosis {
    /// Whether everything needed is there.
    pub fn is_healthy(&self) -> bool {
        let lacks = |tool: &ToolRecord| tool.needed && tool.version.is_none();
        self.confined && !self.tools.iter().any(lacks)
    }
}

/// Looks at the machine.
pub fn diagnose(options: &DoctorOptions) -> Outcome<Diagnosis> {
    let sources = tempfile::tempdir().map_err(Failure::usage)?;
    runtime::unpack(sources.path())?;
    let cache = runtime::cache_dir();
    let (states, problem) = match sandbox::probe(sources.path(), Some(&cache), &options.cc) {
        Ok(states) => (states, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let system = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Ok(Diagnosis {
        schema: labrys_suite::SCHEMA.to_owned(),
        system: format!("Linux {}", system.trim()),
        confined: problem.is_none() && sandbox::require(&states).is_ok(),
        protections: states.iter().map(protection_record).collect(),
        problem,
        tools: tools(options),
    })
}

fn protection_record(state: &ProtectionState) -> ProtectionRecord {
    ProtectionRecord {
        name: state.protection.name,
        prevents: state.protection.prevents,
        needed: state.protection.is_needed(),
        present: state.error.is_none(),
        error: state.error.as_ref().map(ToString::to_string),
        advice: state.error.as_ref().map(|_| state.protection.advice),
    }
}

fn tools(options: &DoctorOptions) -> Vec<ToolRecord> {
    let tool = |command: &str, purpose, needed, package: &str| {
        let version = version(command);
        let advice = format!("install it: apt install {package}");
        ToolRecord {
            command: command.to_owned(),
            purpose,
            needed,
            advice: version.is_none().then_some(advice),
            version,
        }
    };
    vec![
        tool(&options.clang, "reads C", true, "clang-19"),
        tool(&options.cc, "compiles native runs", true, "gcc"),
        tool(
            "objcopy",
            "links libraries beside a program",
            false,
            "binutils",
        ),
        tool("gcc", "--gcov", false, "gcc"),
        tool("gcov", "--gcov", false, "gcc"),
        tool("llvm-profdata-19", "--llvm-cov", false, "llvm-19"),
        tool("llvm-cov-19", "--llvm-cov", false, "llvm-19"),
    ]
}

/// The first line of `--version` that says a number.
fn version(command: &str) -> Option<String> {
    let output = Command::new(command).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let has_number = |line: &&str| line.contains(|c: char| c.is_ascii_digit());
    let line = text.lines().find(has_number).map(str::trim);
    output
        .status
        .success()
        .then(|| line.unwrap_or("unknown version").to_owned())
}
