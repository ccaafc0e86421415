//! What turns a request into results: the program is loaded, searched, its tests are judged by
//! native runs, what is left is concluded, and everything is written to an output directory.
//! There are no flags and no terminal here; the command line is one user of this library, and any
//! Rust program can be another:
//!
//! ```no_run
//! use labrys_driver::output::events::Unwatched;
//! use labrys_driver::request::Request;
//!
//! # fn main() -> Result<(), labrys_driver::failure::Failure> {
//! let mut request = Request::new(vec!["examples/triangle.c".into()]).function("triangle");
//! request.report.out = "triangle-tests".into();
//! let generated = labrys_driver::generate(request, &Default::default(), &mut Unwatched)?;
//! println!(
//!     "{} of {} objectives are covered by {} tests",
//!     generated.summary.totals.covered, generated.summary.totals.objectives, generated.summary.tests
//! );
//! # Ok(())
//! # }
//! ```

mod abandon;
pub mod augment;
pub mod check;
pub mod crosscheck;
pub mod doctor;
pub mod export;
pub mod failure;
pub mod generate;
pub mod imported;
pub mod kill;
pub mod measure;
pub mod minimise;
pub mod mutate;
pub mod native;
pub mod output;
mod pipeline;
pub mod program;
mod program_text;
pub mod prove;
pub mod replay;
pub mod request;
pub mod time_plan;
pub mod witness;

pub use failure::{Failure, FailureKind, Outcome};
pub use pipeline::{Generated, generate};
pub use program_text::{harness_text, labelled_program};
