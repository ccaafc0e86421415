//! How results are shown: plain text tables and SVG plots. Knows nothing of programs and tests.

pub mod plot;
pub mod table;
