//! The bitcode of a program for the comparison of its mutants: compiled as the comparison asks for,
//! which is not how the engine has it.

use super::project::{ProgramForm, Project, front_failure};
use crate::failure::Outcome;
use labrys_front::AnnotatedProgram;
use labrys_lift::equivalence::CLANG_FLAGS;
use std::path::{Path, PathBuf};

impl Project {
    /// Compiles the units of a program; those that clang does not accept this way are left out.
    pub fn bitcode_for_comparison(
        &self,
        program: &AnnotatedProgram,
        work_dir: &Path,
    ) -> Outcome<Vec<PathBuf>> {
        let sizes = self.request.harness.sizes;
        let options = self.front_options(&ProgramForm::NativeMutants, sizes, work_dir);
        let mut compiled = Vec::new();
        for (number, (unit, source)) in program.units.iter().zip(&self.sources.sources).enumerate()
        {
            let output = work_dir.join(format!("{number}.compared.bc"));
            let (input, flags) = (&unit.annotated_path, &source.flags);
            let done =
                labrys_front::compile_annotated(input, &output, flags, &CLANG_FLAGS, &options);
            if done.map_err(front_failure)?.is_ok() {
                compiled.push(output);
            }
        }
        Ok(compiled)
    }
}
