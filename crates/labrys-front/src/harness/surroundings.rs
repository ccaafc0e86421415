//! What is around a function when it is called, besides its parameters and variables: what is left to
//! read.

use super::HarnessWriter;
use super::program::{text_type, unsigned};
use labrys_ledger::world::STDIN;

/// Bytes of standard input for each element of `--array-len`.
const READ_BYTES_PER_ELEMENT: u32 = 4;

/// The functions of the C library that read streams or descriptors.
const READERS: [&str; 38] = [
    "__fgets_chk",
    "__fgets_unlocked_chk",
    "__fread_chk",
    "__fread_unlocked_chk",
    "__getdelim",
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "__read_chk",
    "__uflow",
    "__underflow",
    "_IO_getc",
    "fgetc",
    "fgetc_unlocked",
    "fgets",
    "fgets_unlocked",
    "fgetwc",
    "fgetws",
    "fread",
    "fread_unlocked",
    "fscanf",
    "getc",
    "getc_unlocked",
    "getchar",
    "getchar_unlocked",
    "getdelim",
    "getline",
    "gets",
    "getw",
    "getwc",
    "getwchar",
    "pread",
    "pread64",
    "read",
    "readv",
    "scanf",
    "vfscanf",
];

/// Does a function of this name read what may be standard input?
pub(crate) fn reads_input(name: &str) -> bool {
    READERS.contains(&name)
}

impl HarnessWriter<'_> {
    /// Standard input: all streams that a harness makes are this one or can only be written.
    pub(super) fn rest_of_stdin(&mut self) {
        let most = READ_BYTES_PER_ELEMENT * self.context.options.array_len.max(1);
        let size = self.input(&format!("{STDIN}.size"), unsigned("unsigned int", 32));
        self.input(STDIN, text_type(most));
        self.statement("/* What is left to read. */");
        // A test that was written before has nothing to read.
        self.statement(format!(
            "if (labrys_has_input({size})) labrys_rest_of_stdin({most});"
        ));
    }
}
