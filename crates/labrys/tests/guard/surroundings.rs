//! What instruction counts depend on besides Labrys. Counts that were recorded elsewhere are not
//! compared: another compiler makes other code, another processor takes other versions of `memcpy`.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

#[derive(Deserialize, PartialEq, Serialize)]
pub struct Surroundings {
    rustc: String,
    valgrind: String,
    clang: String,
    libc: String,
    /// Whether library functions with 256-bit registers are chosen.
    avx2: bool,
    /// The profile of the build.
    profile: String,
}

impl Surroundings {
    /// The first thing that was different when the counts were recorded.
    pub fn difference(&self, here: &Surroundings) -> Option<String> {
        let parts = [
            (&self.rustc, &here.rustc),
            (&self.valgrind, &here.valgrind),
            (&self.clang, &here.clang),
            (&self.libc, &here.libc),
        ];
        if let Some((then, now)) = parts.into_iter().find(|(then, now)| then != now) {
            return Some(format!("'{then}', and this is '{now}'"));
        }
        if self.profile != here.profile {
            let (then, now) = (&self.profile, &here.profile);
            return Some(format!("the profile {then}, and this is {now}"));
        }
        (self.avx2 != here.avx2).then(|| "a processor of another kind".to_owned())
    }
}

/// The surroundings of this run.
pub fn here() -> Result<Surroundings, String> {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    Ok(Surroundings {
        rustc: first_line("rustc")?,
        valgrind: first_line("valgrind")?,
        clang: first_line("clang-19")?,
        libc: first_line("ldd")?,
        avx2: processor.split_whitespace().any(|flag| flag == "avx2"),
        profile: profile(),
    })
}

fn first_line(program: &str) -> Result<String, String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|e| format!("{program} --version: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// The name of the directory that the program was built in.
fn profile() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_labrys"));
    let folder = binary.parent().and_then(Path::file_name);
    folder.unwrap_or_default().to_string_lossy().into_owned()
}
