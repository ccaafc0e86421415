//! `labrys export`: a suite in the form of a test framework.

use super::print;
use crate::cli::{ExportArgs, ExportForm};
use crate::exit::{CommandResult, Exit};
use labrys_driver::export::{self, ExportRequest, export_suite};

pub fn run(args: &ExportArgs) -> CommandResult {
    let said = export_suite(&ExportRequest {
        dir: args.dir.clone(),
        format: match args.format {
            ExportForm::C => export::ExportFormat::C,
            ExportForm::Sh => export::ExportFormat::Sh,
        },
        out: args.out.clone(),
    })?;
    print(&said)?;
    Ok(Exit::Done)
}
