//! A program with its mutants beyond the forms that the engine and native replays have: its bitcode
//! for the comparison of mutants, its text for a build of its own, and its mutants of a higher order.

use super::project::{ProgramForm, Project, front_failure};
use crate::failure::Outcome;
use crate::request::Request;
use labrys_front::MutatedProgram;
use labrys_ledger::{Mutant, PointNesting};
use labrys_lift::equivalence::CLANG_FLAGS;
use labrys_mutate::second_order;
use std::path::{Path, PathBuf};

impl Project {
    /// Compiles the texts of the sources; those that clang does not accept this way are left out.
    pub fn bitcode_for_comparison(
        &self,
        texts: &[PathBuf],
        work_dir: &Path,
    ) -> Outcome<Vec<PathBuf>> {
        let sizes = self.request.harness.sizes;
        let options = self.front_options(&ProgramForm::NativeMutants, sizes, work_dir);
        let mut compiled = Vec::new();
        for (number, (input, source)) in texts.iter().zip(&self.sources.sources).enumerate() {
            let output = work_dir.join(format!("{number}.compared.bc"));
            let (flags, own) = (&source.flags, &CLANG_FLAGS);
            let done = labrys_front::compile_annotated(input, &output, flags, own, &options);
            if done.map_err(front_failure)?.is_ok() {
                compiled.push(output);
            }
        }
        Ok(compiled)
    }

    /// The text of the program with all its mutants, for a build of its own.
    pub fn mutated(&self, work_dir: &Path) -> Outcome<MutatedProgram> {
        let sizes = self.request.harness.sizes;
        let options = self.front_options(&ProgramForm::NativeMutants, sizes, work_dir);
        let sources = &self.sources.sources;
        let made = labrys_front::mutate_text(sources, &self.request.entry(), &options);
        let mut program = made.map_err(front_failure)?;
        if let Some(part) = &self.request.objectives.part {
            let MutatedProgram { mutants, notes, .. } = &mut program;
            part.restrict(mutants, sources, notes)?;
        }
        self.pair_mutants(&mut program.mutants, &program.nesting);
        Ok(program)
    }

    /// Makes mutants of the order that is asked for. What counts is decided before: each change of a
    /// pair is one that counts.
    pub(super) fn pair_mutants(&self, mutants: &mut Vec<Mutant>, nesting: &PointNesting) {
        let Request {
            objectives, search, ..
        } = &self.request;
        if objectives.order == 2 {
            *mutants = second_order(mutants, nesting, search.seed);
        }
    }
}
