//! Formats of other programs that Labrys takes as input.

use crate::{Reader, elf, texts};
use labrys_build::commands::CompileCommands;
use labrys_driver::request::part::diff;
use labrys_suite::import::{Ktest, test_case};
use std::path::Path;

/// What the compiler wrapper notes in an object.
const RECORD: &str = "{\"kind\":\"unit\",\"directory\":\"/p\",\"source\":\"a.c\",\"arguments\":[\"-c\"],\"flags\":[\"-O2\"],\"object\":\"/p/a.o\"}\n";

pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "ktest",
        seeds: || {
            texts(&[
                "KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x01p\0\0\0\x0a--sym-args\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01x\0\0\0\x04\x01\0\0\0\0\0\0\x04arg0\0\0\0\x02ab",
                "KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x01p\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x0dmodel_version\0\0\0\x04\x01\0\0\0",
            ])
        },
        read: ktest,
    },
    Reader {
        name: "test-comp",
        seeds: || {
            texts(&[
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n  <input variable=\"x\" type=\"int\">-42</input>\n  <input>0x1F</input><input>1.5e3</input><input>'a'</input>\n</testcase>\n",
            ])
        },
        read: |bytes| test_case(bytes, Path::new("t.xml")).is_ok(),
    },
    Reader {
        name: "diff",
        seeds: || {
            texts(&[
                "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n@@ -1,4 +1,5 @@ int f(void)\n a\n-b\n+c\n+d\n e\n f\n\\ No newline at end of file\n",
                "--- old.c\t2026-01-01\n+++ \"new \\303\\244.c\"\n@@ -0,0 +1 @@\n+x\n@@ -7,2 +8,0 @@\n-a\n-b\n",
            ])
        },
        read: |bytes| diff::read(&String::from_utf8_lossy(bytes)).is_ok(),
    },
    Reader {
        name: "compile_commands.json",
        seeds: || {
            texts(&[
                r#"[{"directory":"/tmp/x","file":"a.c","command":"cc -I inc -DX=\"a b\" -O2 -o a.o -c a.c"},{"directory":".","file":"/b.c","arguments":["gcc","-std=c99","-Wall","-c","b.c","-MF","x.d","@rsp"]}]"#,
            ])
        },
        read: compile_commands,
    },
    Reader {
        name: "compiler arguments",
        seeds: || {
            texts(&[
                "-DHAVE_X -I . -std=gnu11 -MT x.o -MD -MF .deps/x.Tpo -c -o sub/x.o ../x.c -Wall -include a.h",
                "-x c - -x none a.c b.o -Wl,-z,now -lm -o 'a b' \"-DQ=\\\"q\\\"\"",
            ])
        },
        read: labrys_build::readers::command_line,
    },
    Reader {
        name: "build records",
        seeds: || {
            texts(&[
                RECORD,
                &format!("{RECORD}\0\0{{\"kind\":\"future\"}}\n{RECORD}"),
            ])
        },
        read: labrys_build::readers::build_records,
    },
    Reader {
        name: "object file",
        seeds: || {
            let object = elf::object_with_section(".labrys", RECORD.as_bytes());
            vec![elf::archive_of("a.o", &object), object]
        },
        read: labrys_build::readers::object_file,
    },
    Reader {
        name: "lir",
        seeds: || {
            texts(&[
                include_str!("../../../tests/files/lir/loop.lir"),
                "function @f(r0) -> 32 { regs 32 1\nconst r1 = 1\nedge e0 -> b1 [r0 = r0]\ntable t0 [1: e0] default e0\nb0: r0 = add.32 r0, r0 jump e0\nb1: return (r0) }",
            ])
        },
        read: lir,
    },
];

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
