//! Suites in the form that other tools take.

mod c;
mod row;
mod sh;

pub use c::{CExport, CFiles, ExportError, HEADER, RUNTIME_FILE, c_program};
pub use sh::{ShExport, shell_script};
