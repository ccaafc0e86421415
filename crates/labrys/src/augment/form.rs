//! The other forms of the program: with labels, and with all its mutants.

use crate::cli::{Augment, Options, ProgramForm};
use crate::commands::generate::{Found, Session};
use crate::failure::{Failure, Outcome};
use crate::pipeline;
use labrys_engine::compact;
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ir::Module;
use labrys_ledger::Criterion;
use labrys_suite::Replayer;
use std::path::Path;

/// A form of the program, for the engine and for native runs.
pub struct Form {
    pub program: AnnotatedProgram,
    pub module: Module,
    pub replayer: Replayer,
}

impl Form {
    /// The entry for the same function.
    pub fn entry(&self, like: &EntryPoint) -> Option<&EntryPoint> {
        let entries = self.program.entries.iter();
        entries.into_iter().find(|e| e.function == like.function)
    }

    fn build(session: &Session<'_>, found: &Found, options: &Options, dir: &Path) -> Outcome<Form> {
        std::fs::create_dir_all(dir).map_err(Failure::usage)?;
        let program = pipeline::load(
            &session.args.program,
            session.given,
            session.libraries,
            options,
            session.runtime,
            found.sizes,
            dir,
        )?;
        let native = dir.join("replay");
        let parts = (session.given, session.libraries);
        let (module, replayer) = std::thread::scope(|scope| {
            let build =
                || pipeline::build_native(&program, parts, options, session.runtime, &native);
            let build = scope.spawn(build);
            let module = pipeline::lift(&program, session.libraries, session.runtime);
            let panicked = |_| Err(Failure::internal("the native build panicked"));
            (module, build.join().unwrap_or_else(panicked))
        });
        let mut module = module?;
        compact(&mut module);
        Ok(Form {
            program,
            module,
            replayer: replayer?,
        })
    }
}

/// The forms that the kinds need.
pub struct Forms {
    pub labels: Option<Form>,
    pub mutants: Option<Form>,
    /// Why there is none.
    missing: Vec<String>,
}

impl Forms {
    pub fn build(session: &Session<'_>, found: &Found, kinds: &[Augment], dir: &Path) -> Forms {
        let criteria: Vec<Criterion> = kinds
            .iter()
            .flat_map(|kind| kind.criteria())
            .copied()
            .collect();
        let wants_mutants = kinds.contains(&Augment::Mutation);
        let labels = || {
            let options = Options {
                criterion: criteria.clone(),
                form: ProgramForm::BothSides,
                ..session.options.clone()
            };
            Form::build(session, found, &options, &dir.join("labels"))
        };
        let mutants = || {
            let options = Options {
                form: ProgramForm::Mutants,
                ..session.options.clone()
            };
            Form::build(session, found, &options, &dir.join("mutants"))
        };
        // Clang and the system's compiler run beside each other.
        let (labels, mutants) = std::thread::scope(|scope| {
            let labels = (!criteria.is_empty()).then(|| scope.spawn(labels));
            let mutants = wants_mutants.then(mutants);
            let panicked = |_| Err(Failure::internal("a build panicked"));
            let labels = labels.map(|build| build.join().unwrap_or_else(panicked));
            (labels, mutants)
        });
        let mut missing = Vec::new();
        let mut built = |what: &str, form: Option<Outcome<Form>>| match form? {
            Ok(form) => Some(form),
            // The tests of the search are there, whatever happens here.
            Err(failure) => {
                let why = failure.message;
                missing.push(format!("not augmented by {what}: {why}"));
                None
            }
        };
        Forms {
            labels: built("boundary, logic and error", labels),
            mutants: built("mutation", mutants),
            missing,
        }
    }

    pub fn count(&self) -> usize {
        usize::from(self.labels.is_some()) + usize::from(self.mutants.is_some())
    }

    /// What the front end had to say of them.
    pub fn notes(&self) -> Vec<String> {
        let forms = self.labels.iter().chain(&self.mutants);
        let notes = forms.flat_map(|form| form.program.notes.clone());
        self.missing.iter().cloned().chain(notes).collect()
    }
}
