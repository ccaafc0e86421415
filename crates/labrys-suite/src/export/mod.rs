//! Writes suites in forms that need no Labrys: as a C program, or as a shell script for whole
//! programs.

mod c;
mod row;
mod sh;
mod world;

pub use c::{CExport, CFiles, ExportError, HEADER, RUNTIME_FILE, c_program};
pub use sh::{ShExport, shell_script};
pub use world::outside_functions;
