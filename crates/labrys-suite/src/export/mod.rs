//! Suites in the form that other tools take.

mod c;

pub use c::{CExport, CFiles, ExportError, HEADER, c};
