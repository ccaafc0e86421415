//! `labrys export`: a suite in the form of a test framework, or a proof in the form of a witness.

use super::print;
use crate::cli::{ExportArgs, ExportForm};
use crate::exit::{CommandResult, Exit};
use labrys_driver::export::{self, ExportRequest, export_suite};
use labrys_driver::witness::export_witness;

pub fn run(args: &ExportArgs) -> CommandResult {
    let suite = |format| {
        export_suite(&ExportRequest {
            dir: args.dir.clone(),
            format,
            out: args.out.clone(),
        })
    };
    let said = match args.format {
        ExportForm::C => suite(export::ExportFormat::C)?,
        ExportForm::Sh => suite(export::ExportFormat::Sh)?,
        ExportForm::Witness => {
            let objective = args.objective.as_deref().unwrap_or_default();
            export_witness(&args.dir, objective, args.out.as_deref())?
        }
    };
    print(&said)?;
    Ok(Exit::Done)
}
