//! `labrys bench`: measurements, as ratios within one run.

use crate::cli::BenchArgs;
use crate::failure::{Failure, Outcome};

pub fn run(args: &BenchArgs) -> Outcome {
    Err(Failure::usage(format_args!(
        "no benchmark named {:?}",
        args.names
    )))
}
