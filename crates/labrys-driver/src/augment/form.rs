//! The other forms of the program: with labels, and with all its mutants.

use crate::failure::{Failure, Outcome};
use crate::generate::{SearchResults, SearchSession};
use crate::program::ProgramForm;
use crate::request::Augment;
use labrys_engine::compact;
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ir::Module;
use labrys_ledger::Criterion;
use labrys_suite::Replayer;
use std::path::Path;

/// A form of the program, for the engine and for native runs.
pub(super) struct AugmentedForm {
    pub program: AnnotatedProgram,
    pub module: Module,
    pub replayer: Replayer,
}

impl AugmentedForm {
    /// The entry for the same function.
    pub(super) fn entry(&self, like: &EntryPoint) -> Option<&EntryPoint> {
        let entries = self.program.entries.iter();
        entries.into_iter().find(|e| e.function == like.function)
    }

    fn build(
        session: &SearchSession<'_>,
        found: &SearchResults,
        form: &ProgramForm,
        dir: &Path,
    ) -> Outcome<AugmentedForm> {
        std::fs::create_dir_all(dir).map_err(Failure::usage)?;
        let project = session.project;
        let program = project.load(form, found.sizes, dir)?;
        let native = dir.join("replay");
        let (module, replayer) = std::thread::scope(|scope| {
            let build = scope.spawn(|| project.build_native(&program, &native));
            let module = project.lift(&program);
            let panicked = |_| Err(Failure::internal("the native build panicked"));
            (module, build.join().unwrap_or_else(panicked))
        });
        let mut module = module?;
        compact(&mut module);
        Ok(AugmentedForm {
            program,
            module,
            replayer: replayer?,
        })
    }
}

/// The forms that the kinds need.
pub(super) struct AugmentedForms {
    pub labels: Option<AugmentedForm>,
    pub mutants: Option<AugmentedForm>,
    /// Why there is none.
    missing: Vec<String>,
}

impl AugmentedForms {
    pub(super) fn build(
        session: &SearchSession<'_>,
        found: &SearchResults,
        kinds: &[Augment],
        dir: &Path,
    ) -> AugmentedForms {
        let criteria: Vec<Criterion> = kinds
            .iter()
            .flat_map(|kind| kind.criteria())
            .copied()
            .collect();
        let wants_mutants = kinds.contains(&Augment::Mutation);
        let labels = || {
            let criteria = criteria.clone();
            let form = ProgramForm::BothSides { criteria };
            AugmentedForm::build(session, found, &form, &dir.join("labels"))
        };
        let mutants =
            || AugmentedForm::build(session, found, &ProgramForm::Mutants, &dir.join("mutants"));
        // Clang and the system's compiler run beside each other.
        let (labels, mutants) = std::thread::scope(|scope| {
            let labels = (!criteria.is_empty()).then(|| scope.spawn(labels));
            let mutants = wants_mutants.then(mutants);
            let panicked = |_| Err(Failure::internal("a build panicked"));
            let labels = labels.map(|build| build.join().unwrap_or_else(panicked));
            (labels, mutants)
        });
        let mut missing = Vec::new();
        let mut built = |what: &str, form: Option<Outcome<AugmentedForm>>| match form? {
            Ok(form) => Some(form),
            // The tests of the search are there, whatever happens here.
            Err(failure) => {
                let why = failure.message;
                missing.push(format!("not augmented by {what}: {why}"));
                None
            }
        };
        AugmentedForms {
            labels: built("boundary, logic and error", labels),
            mutants: built("mutation", mutants),
            missing,
        }
    }

    pub(super) fn count(&self) -> usize {
        usize::from(self.labels.is_some()) + usize::from(self.mutants.is_some())
    }

    /// What the front end had to say of them.
    pub(super) fn notes(&self) -> Vec<String> {
        let forms = self.labels.iter().chain(&self.mutants);
        let notes = forms.flat_map(|form| form.program.notes.clone());
        self.missing.iter().cloned().chain(notes).collect()
    }
}
