//! The sources of a program: C files, or an object or a program that `labrys cc` has built, each source
//! with its own flags and directory.

use crate::failure::{Failure, Outcome};
use crate::request::ProgramRequest;
use labrys_build::commands::CompileCommands;
use labrys_build::{UnitRecord, target};
use labrys_front::SourceFile;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The sources to test, and what else belongs to the program.
#[derive(Debug, Default)]
pub struct ProgramSources {
    pub sources: Vec<SourceFile>,
    /// Units that are used but not tested.
    pub libraries: Vec<UnitRecord>,
    /// Units that are used only if something else has no definition.
    pub spare: Vec<UnitRecord>,
    /// For the linker.
    pub link_flags: Vec<String>,
    /// The built files.
    objects: Vec<PathBuf>,
}

impl ProgramSources {
    /// Finds the sources that a request names, with their flags.
    pub fn find(program: &ProgramRequest) -> Outcome<ProgramSources> {
        let clang = &program.clang;
        let mut found = ProgramSources::default();
        match &program.compile_commands {
            Some(list) => {
                let commands = CompileCommands::read(list).map_err(Failure::usage)?;
                found.sources = match program.sources.is_empty() {
                    true => commands.all(clang).map_err(Failure::usage)?,
                    false => of_list(&commands, program, clang)?,
                };
            }
            None => {
                for path in &program.sources {
                    found.add(path)?;
                }
            }
        }
        if program.annotate_libraries {
            let libraries = std::mem::take(&mut found.libraries);
            found
                .sources
                .extend(libraries.iter().map(target::source_of));
        }
        for source in &mut found.sources {
            source.flags.extend(program.flags.iter().cloned());
        }
        Ok(found)
    }

    /// What the sources of a built program define, by the symbols of their objects.
    pub fn defined_by_sources(&self) -> BTreeSet<String> {
        let objects = self.objects.iter();
        objects.flat_map(|object| target::defined(object)).collect()
    }

    fn add(&mut self, path: &Path) -> Outcome<()> {
        if !target::is_built(path) {
            self.sources.push(path.to_owned().into());
            return Ok(());
        }
        let built = target::read(path).map_err(Failure::usage)?;
        self.sources
            .extend(built.units.iter().map(target::source_of));
        self.objects.push(path.to_owned());
        self.libraries.extend(built.libraries);
        self.spare.extend(built.spare);
        if let Some(link) = built.link {
            self.link_flags.extend(link.flags);
        }
        Ok(())
    }
}

fn of_list(
    commands: &CompileCommands,
    program: &ProgramRequest,
    clang: &str,
) -> Outcome<Vec<SourceFile>> {
    let sources = program.sources.iter();
    sources
        .map(|path| commands.source(path, clang).map_err(Failure::usage))
        .collect()
}

/// The flags that the annotated text of a source is compiled with natively. The optimisation of
/// a build is left out: a replay shows what the program does, as fast as it compiles. Where failures of
/// the surroundings are inputs (`faults`), library functions that may fail are called under other names
/// (`runtime/faults.c`).
pub fn native_flags(flags: &[String], of_a_build: bool, faults: bool) -> Vec<String> {
    let mut flags = labrys_front::flags_after_preprocessing(flags);
    flags.retain(|flag| !(of_a_build && (flag.starts_with("-O") || flag.starts_with("-g"))));
    if faults {
        let names = labrys_engine::faulty_functions();
        flags.extend(names.map(|name| format!("-D{name}=labrys_faulty_{name}")));
    }
    flags
}
