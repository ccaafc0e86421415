//! The readers, each with valid inputs.

use labrys_build::commands::CompileCommands;
use labrys_driver::output::augmentation::AugmentationFile;
use labrys_driver::output::{ObjectivesFile, RunRecord, Summary};
use labrys_driver::request::part::diff;
use labrys_driver::request::part::lines::LineRange;
use labrys_driver::request::units::{ByteCount, TimeSpan};
use labrys_driver::request::world::{NamedSize, NamedValue, SymArgs};
use labrys_driver::request::{Augment, Minimise};
use labrys_front::MutationOperator;
use labrys_ledger::decision::Formula;
use labrys_ledger::{Assumption, Criterion};
use labrys_suite::import::{ImportFormat, Ktest, test_case};
use labrys_suite::{ParsedNumber, Suite, replay_results};
use serde::de::DeserializeOwned;
use std::path::Path;

/// Something that reads what a user or another program has written.
pub struct FuzzTarget {
    pub name: &'static str,
    pub seeds: &'static [&'static str],
    /// Reads, and says whether the input was accepted.
    pub read: fn(&[u8]) -> bool,
}

pub const ALL: [FuzzTarget; 12] = [
    FuzzTarget {
        name: "suite.json",
        seeds: &[include_str!("seeds/suite.json")],
        read: suite,
    },
    FuzzTarget {
        name: "objectives.json",
        seeds: &[include_str!("seeds/objectives.json")],
        read: json::<ObjectivesFile>,
    },
    FuzzTarget {
        name: "run.json",
        seeds: &[include_str!("seeds/run.json")],
        read: run_record,
    },
    FuzzTarget {
        name: "summary.json",
        seeds: &[include_str!("seeds/summary.json")],
        read: json::<Summary>,
    },
    FuzzTarget {
        name: "augmentation.json",
        seeds: &[include_str!("seeds/augmentation.json")],
        read: json::<AugmentationFile>,
    },
    FuzzTarget {
        name: "ktest",
        seeds: &[
            "KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x01p\0\0\0\x0a--sym-args\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01x\0\0\0\x04\x01\0\0\0\0\0\0\x04arg0\0\0\0\x02ab",
            "KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x01p\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x0dmodel_version\0\0\0\x04\x01\0\0\0",
        ],
        read: ktest,
    },
    FuzzTarget {
        name: "test-comp",
        seeds: &[
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n  <input variable=\"x\" type=\"int\">-42</input>\n  <input>0x1F</input><input>1.5e3</input><input>'a'</input>\n</testcase>\n",
        ],
        read: |bytes| test_case(bytes, Path::new("t.xml")).is_ok(),
    },
    FuzzTarget {
        name: "diff",
        seeds: &[
            "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n@@ -1,4 +1,5 @@ int f(void)\n a\n-b\n+c\n+d\n e\n f\n\\ No newline at end of file\n",
            "--- old.c\t2026-01-01\n+++ \"new \\303\\244.c\"\n@@ -0,0 +1 @@\n+x\n@@ -7,2 +8,0 @@\n-a\n-b\n",
        ],
        read: |bytes| diff::read(&String::from_utf8_lossy(bytes)).is_ok(),
    },
    FuzzTarget {
        name: "compile_commands.json",
        seeds: &[
            r#"[{"directory":"/tmp/x","file":"a.c","command":"cc -I inc -DX=\"a b\" -O2 -o a.o -c a.c"},{"directory":".","file":"/b.c","arguments":["gcc","-std=c99","-Wall","-c","b.c","-MF","x.d","@rsp"]}]"#,
        ],
        read: compile_commands,
    },
    FuzzTarget {
        name: "lir",
        seeds: &[
            include_str!("../../../../../tests/files/lir/loop.lir"),
            "function @f(r0) -> 32 { regs 32 1\nconst r1 = 1\nedge e0 -> b1 [r0 = r0]\ntable t0 [1: e0] default e0\nb0: r0 = add.32 r0, r0 jump e0\nb1: return (r0) }",
        ],
        read: lir,
    },
    FuzzTarget {
        name: "replay results",
        // A run without events, and one with two that is cut off.
        seeds: &[
            "\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{2}\0\0\0abcdefghijklmnop\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ],
        read: |bytes| !replay_results(bytes).is_empty(),
    },
    FuzzTarget {
        name: "option values",
        seeds: &[
            "0..2:4",
            "1..=3:8",
            "60s",
            "1.5m",
            "250ms",
            "2G",
            "40M",
            "x.c:3-9",
            "x.c:7",
            "in.txt:8",
            "NAME=VALUE",
            "branch",
            "mcdc-unique",
            "ROR",
            "boundary",
            "exact",
            "c0 && (!c1 || c2)",
            "stub f has no other effect",
            "-0x1.8p3",
            "'\\x41'",
            "18446744073709551615u",
            "ktest",
        ],
        read: options,
    },
];

fn json<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}

/// A suite that is read is also used.
fn suite(bytes: &[u8]) -> bool {
    let Ok(suite) = Suite::parse(bytes, "suite.json") else {
        return false;
    };
    for test in &suite.tests {
        let _ = (test.harness(), test.replay_inputs());
    }
    let export = labrys_suite::export::CExport {
        suite: &suite,
        units: &[],
        dialects: false,
        outside: &[],
    };
    let _ = labrys_suite::export::c_program(&export);
    true
}

fn run_record(bytes: &[u8]) -> bool {
    match serde_json::from_slice::<RunRecord>(bytes) {
        Ok(run) => {
            let _ = (run.limits(), run.originals());
            true
        }
        Err(_) => false,
    }
}

fn ktest(bytes: &[u8]) -> bool {
    match Ktest::parse(bytes, Path::new("t.ktest")) {
        Ok(test) => {
            let _ = (test.is_posix(), test.posix());
            true
        }
        Err(_) => false,
    }
}

fn compile_commands(bytes: &[u8]) -> bool {
    match CompileCommands::parse(bytes, Path::new("/tmp/compile_commands.json")) {
        Ok(commands) => {
            let _ = commands.flags();
            true
        }
        Err(_) => false,
    }
}

fn lir(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match labrys_ir::parse(&text) {
        Ok(module) => {
            let _ = labrys_ir::verify(&module);
            // What can be read can be written and read again.
            let _ = labrys_ir::parse(&module.to_string());
            true
        }
        Err(_) => false,
    }
}

fn options(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.as_ref();
    let _ = Assumption::parse(text);
    [
        text.parse::<SymArgs>().is_ok(),
        text.parse::<NamedSize>().is_ok(),
        text.parse::<NamedValue>().is_ok(),
        text.parse::<TimeSpan>().is_ok(),
        text.parse::<ByteCount>().is_ok(),
        text.parse::<LineRange>().is_ok(),
        text.parse::<Criterion>().is_ok(),
        text.parse::<MutationOperator>().is_ok(),
        text.parse::<Augment>().is_ok(),
        text.parse::<Minimise>().is_ok(),
        text.parse::<ImportFormat>().is_ok(),
        text.parse::<Formula>().is_ok(),
        ParsedNumber::parse(text).is_some(),
    ]
    .contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise only the first check of a reader would be tried.
    #[test]
    fn the_inputs_that_are_changed_are_valid() {
        for target in &ALL {
            let valid = |seed: &&&str| (target.read)(seed.as_bytes());
            let count = target.seeds.iter().filter(valid).count();
            // Of the results of native runs one seed is cut off.
            let cut_off = usize::from(target.name == "replay results");
            assert_eq!(count + cut_off, target.seeds.len(), "{}", target.name);
        }
    }
}
