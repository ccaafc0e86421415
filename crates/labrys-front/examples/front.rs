//! Prints what the front end makes of C files: `front FILE… [--function F | --main | --every]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use labrys_front::{EntryChoice, FrontOptions, SourceFile, load};
use labrys_ledger::Criterion;
use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut options = FrontOptions::new(
        root.join("runtime"),
        std::env::temp_dir().join("labrys-front"),
    );
    let (mut sources, mut entry, mut verbose) = (Vec::new(), EntryChoice::Auto, true);
    let mut flags: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--function" => entry = EntryChoice::Function(arguments.next().unwrap()),
            "--main" => entry = EntryChoice::Main,
            "--every" => entry = EntryChoice::Every,
            "--assume" => options.assume.push(arguments.next().unwrap()),
            "--symbolic-globals" => options.symbolic_globals = true,
            "--quiet" => verbose = false,
            "--clang" => options.clang = arguments.next().unwrap(),
            "--criterion" => {
                let list = arguments.next().unwrap();
                options.criteria = match list.as_str() {
                    "all" => Criterion::ALL.to_vec(),
                    list => list.split(',').map(|c| c.parse().unwrap()).collect(),
                };
            }
            "--" => flags.extend(arguments.by_ref()),
            file => sources.push(SourceFile::from(PathBuf::from(file))),
        }
    }
    for source in &mut sources {
        source.flags.clone_from(&flags);
    }
    let start = std::time::Instant::now();
    match load(&sources, &entry, &options) {
        Err(error) => println!("error: {error}"),
        Ok(program) => {
            println!(
                "{:?}: {} objectives",
                start.elapsed(),
                program.objectives.len()
            );
            if verbose {
                for unit in &program.units {
                    println!("{}", unit.annotated);
                }
                for o in &program.objectives {
                    println!(
                        "{} {}:{}:{} {} {}",
                        o.id, o.file, o.line, o.column, o.function, o.text
                    );
                }
                println!("{:#?}", program.entries);
            }
            println!("{:?}\n{:?}", program.stubs, program.notes);
        }
    }
}
