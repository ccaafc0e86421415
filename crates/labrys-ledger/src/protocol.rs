//! What the Rust code and the C runtime must agree on: the numbers in the files of the native
//! replay, the names of generated functions, and the options that a limit names. It is written
//! down here once; `runtime/protocol.h` is [`header`] of it, and a test compares the two.

use std::fmt::Write as _;

/// A C enumeration: its name, what it is about, and its constants with their values.
type CEnum = (&'static str, &'static str, &'static [(&'static str, u32)]);

/// Defines the constants of a C enumeration in Rust as well.
macro_rules! c_enum {
    ($about:literal, $module:ident, $c_name:literal, $($name:ident = $value:literal,)*) => {
        #[doc = $about]
        pub mod $module {
            $(pub const $name: u32 = $value;)*
            pub(super) const C_ENUM: super::CEnum = ($c_name, $about, &[$((stringify!($name), $value)),*]);
        }
    };
}

c_enum!(
    "How a run ended. The first ones are set by the test itself, those from EXITED on by its parent.",
    ending,
    "Ending",
    RUNNING = 0,
    RETURNED = 1,
    ASSUME_VIOLATED = 2,
    OUT_OF_INPUTS = 3,
    INPUT_MISMATCH = 4,
    ERROR_REPORTED = 5,
    NO_HARNESS = 6,
    EXITED = 7,
    SIGNALLED = 8,
    TIMED_OUT = 9,
    OUTPUT_LIMIT = 10,
);

c_enum!(
    "The kinds of words among the triggers of a run. Labels and mutation points are no part of its trace.",
    event,
    "EventKind",
    EVENT_CONDITION = 1,
    EVENT_DECISION = 2,
    EVENT_CASE = 3,
    EVENT_REACH = 4,
    COVERED_LABEL = 5,
    MUTATION_POINT = 63,
);

c_enum!(
    "Flags of a result: what did not fit, whether zeros were added.",
    flag,
    "ResultFlag",
    TRIGGERS_LOST = 1,
    OUTPUTS_LOST = 2,
    INPUTS_PADDED = 8,
    VECTORS_LOST = 16,
);

c_enum!(
    "How the inputs of a test are known: by name, as numbers in the order of the questions, as bytes in that order.",
    input_mode,
    "InputMode",
    NAMED = 0,
    NUMBERS = 1,
    STREAM = 2,
);

c_enum!(
    "What confines a native run. The sandbox reports an error number for each in this order, 0 where it holds; a result has a bit for each that a test could not have. The first ones are all needed for full confinement; the others are ways to it.",
    protection,
    "Protection",
    MOUNT_NAMESPACE = 0,
    PROCESS_NAMESPACE = 1,
    NETWORK_NAMESPACE = 2,
    IPC_NAMESPACE = 3,
    UTS_NAMESPACE = 4,
    READ_ONLY_HOST = 5,
    BOUNDED_FILES = 6,
    OWN_PROC = 7,
    ROOT_DIRECTORY = 8,
    OTHER_USER = 9,
    NO_CAPABILITIES = 10,
    NO_NEW_PRIVILEGES = 11,
    SYSTEM_CALL_FILTER = 12,
    PROCESS_LIMIT = 13,
    NEEDED_PROTECTIONS = 14,
    USER_NAMESPACE = 14,
    LANDLOCK = 15,
    PROTECTIONS = 16,
);

const C_ENUMS: [CEnum; 5] = [
    ending::C_ENUM,
    event::C_ENUM,
    flag::C_ENUM,
    input_mode::C_ENUM,
    protection::C_ENUM,
];

/// The first bytes of a job file. The number grows with every change of the format.
pub const JOB_MAGIC: &str = "LABRJOB8";
/// The trace of a run is FNV-1a over its event words: the first value, and the factor.
pub const TRACE_START: u64 = 0xcbf2_9ce4_8422_2325;
pub const TRACE_FACTOR: u64 = 0x0000_0100_0000_01b3;

/// The harness of a function `f` is `labrys_harness_f`, a function without parameters.
pub const HARNESS_PREFIX: &str = "labrys_harness_";
/// Calls of a missing function `f` go to `labrys_stub_f`.
pub const STUB_PREFIX: &str = "labrys_stub_";

/// What functions of the program are called that have the name of a library function.
pub const OWN_PREFIX: &str = "labrys_own_";
/// What `main` of the program is called, or how its name begins if there are several.
pub const MAIN: &str = "labrys_main";

/// Is it the name of something that Labrys has made, and not of a part of the program that has another
/// name now?
pub fn is_generated(name: &str) -> bool {
    let is_renamed = [OWN_PREFIX, MAIN].iter().any(|p| name.starts_with(p));
    name.starts_with("labrys_") && !is_renamed
}
/// The assumption of runs that come to operands which C evaluates in any order.
pub const ANY_ORDER: &str = "environment: order of evaluation";

/// The options that limits of the harness and of the library models name: a run that touches such
/// a limit proves nothing, and the user is told which option raises it.
pub mod limit {
    pub const ARRAY_LEN: &str = "--array-len";
    pub const DEPTH: &str = "--depth";
    pub const MODEL: &str = "--model";
    pub const SYM_ARGS: &str = "--sym-args";
    pub const SYM_ENV: &str = "--sym-env";
    pub const SYM_FILE: &str = "--sym-file";
    pub const SYM_STDIN: &str = "--sym-stdin";
    pub const SYM_TIME: &str = "--sym-time";
}

/// The texts as C macros.
const C_TEXTS: [(&str, &str); 8] = [
    ("LABRYS_JOB_MAGIC", JOB_MAGIC),
    ("LABRYS_HARNESS_PREFIX", HARNESS_PREFIX),
    ("LIMIT_ARRAY_LEN", limit::ARRAY_LEN),
    ("LIMIT_MODEL", limit::MODEL),
    ("LIMIT_SYM_ENV", limit::SYM_ENV),
    ("LIMIT_SYM_FILE", limit::SYM_FILE),
    ("LIMIT_SYM_STDIN", limit::SYM_STDIN),
    ("LIMIT_SYM_TIME", limit::SYM_TIME),
];

/// The text of `runtime/protocol.h`.
pub fn header() -> String {
    let mut text = "\
/* protocol.h: what the C runtime and the Rust code must agree on.
 *
 * Written from crates/labrys-ledger/src/protocol.rs; a test there compares the two, and writes this
 * file anew if LABRYS_BLESS is set. */
#ifndef LABRYS_PROTOCOL_H
#define LABRYS_PROTOCOL_H
"
    .to_owned();
    for (name, about, constants) in C_ENUMS {
        let _ = write!(text, "\n/* {about} */\nenum {name} {{\n");
        for (constant, value) in constants {
            let _ = writeln!(text, "  {constant} = {value},");
        }
        text.push_str("};\n");
    }
    text.push_str(
        "\n/* The start of a job file, the names of harnesses, the options that limits name. */\n",
    );
    for (name, value) in C_TEXTS {
        let _ = writeln!(text, "#define {name} \"{value}\"");
    }
    let _ = write!(
        text,
        "\n/* The trace of a run is FNV-1a over its event words. */\n\
         #define LABRYS_TRACE_START {TRACE_START:#x}ull\n\
         #define LABRYS_TRACE_FACTOR {TRACE_FACTOR:#x}ull\n\n#endif\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_the_runtime_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/protocol.h");
        if std::env::var_os("LABRYS_BLESS").is_some() {
            std::fs::write(path, header()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert_eq!(written, header(), "run this test with LABRYS_BLESS=1");
    }
}
