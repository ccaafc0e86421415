//! `labrys init`: the harness of a function as C.

use super::print;
use crate::cli::InitArgs;
use crate::failure::{Exit, Failure, Outcome};
use crate::given::Given;
use crate::libraries::Libraries;
use crate::{pipeline, settings};

pub fn run(args: &InitArgs) -> Outcome {
    let options = settings::complete(&args.options, &args.program)?;
    let runtime = pipeline::install_runtime(&options)?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let sizes = pipeline::Sizes::new(&options);
    let given = Given::find(&args.program, &options)?;
    let libraries = Libraries::prepare(&given, &args.program.flags, &options, &runtime)?;
    let program = pipeline::load(
        &args.program,
        &given,
        &libraries,
        &options,
        &runtime,
        sizes,
        work.path(),
    )?;
    let supports = program.units.iter().map(|unit| unit.support.text.as_str());
    let harnesses = program.entries.iter();
    let harnesses = harnesses.map(|entry| entry.harness_text.as_str());
    let text: String = supports
        .filter(|text| !text.is_empty())
        .chain(harnesses)
        .collect::<Vec<_>>()
        .join("\n");
    match &options.out {
        None => print(&text)?,
        Some(path) if path.exists() => {
            return Err(Failure::usage(format_args!(
                "{} exists already; labrys overwrites nothing",
                path.display()
            )));
        }
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::usage(format_args!("cannot write {}: {error}", path.display()))
        })?,
    }
    Ok(Exit::Done)
}
