//! The programs of the benchmarks. They are part of the executable, unpacked for a run and taken
//! through the front end and the lifter like any other program.

use include_dir::{Dir, include_dir};
use labrys_driver::program::libraries::Libraries;
use labrys_driver::program::lift;
use labrys_driver::program::runtime::{self, Runtime};
use labrys_driver::{Failure, Outcome};
use labrys_engine::{ObjectiveMap, compact};
use labrys_front::{EntryChoice, SourceFile};
use labrys_ir::Module;
use labrys_ledger::Criterion;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/files/bench");

/// Programs that only benchmarks use.
const MORE: [(&str, &str); 5] = [
    (
        "bubble",
        include_str!("../../../../tests/files/search/bubble.c"),
    ),
    (
        "loop",
        include_str!("../../../../tests/files/search/loop.c"),
    ),
    ("latency", include_str!("programs/latency.c")),
    ("memory", include_str!("programs/memory.c")),
    ("numbers", include_str!("programs/numbers.c")),
];

/// Where the benchmarks run: a directory with their programs, and the runtime.
pub struct Lab {
    dir: TempDir,
    pub runtime: Runtime,
    /// Little of everything.
    pub short: bool,
}

/// A program that is ready to be explored from its `main`.
pub struct Prepared {
    pub module: Module,
    pub entry: String,
    pub objectives: ObjectiveMap,
}

impl Lab {
    pub fn new(short: bool) -> Outcome<Self> {
        let dir = tempfile::tempdir().map_err(Failure::usage)?;
        SOURCES.extract(dir.path()).map_err(|e| {
            Failure::usage(format_args!("cannot write {}: {e}", dir.path().display()))
        })?;
        let runtime = runtime::install(labrys_front::CLANG, &labrys_budget::Deadline::never())?;
        let lab = Lab {
            dir,
            runtime,
            short,
        };
        for (name, text) in MORE {
            lab.write(&format!("{name}.c"), text)?;
        }
        Ok(lab)
    }

    /// How often something is measured: once in the short form.
    pub fn runs(&self, wanted: usize) -> usize {
        if self.short { 1 } else { wanted }
    }

    /// What is measured: the first one in the short form.
    pub fn some<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        if self.short { &all[..1] } else { all }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Adds a file to the directory.
    pub fn write(&self, name: &str, text: &str) -> Outcome<PathBuf> {
        let path = self.path().join(name);
        std::fs::write(&path, text)
            .map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", path.display())))?;
        Ok(path)
    }

    /// Where the source of a program is.
    pub fn source(&self, name: &str) -> PathBuf {
        self.dir.path().join(format!("{name}.c"))
    }

    /// What the program's comment `// expect: KEY VALUE` says, if there is one.
    pub fn expectation(&self, name: &str, key: &str) -> Option<&'static str> {
        let text = SOURCES.get_file(format!("{name}.c"))?.contents_utf8()?;
        let lines = text.lines().filter_map(|l| l.strip_prefix("// expect: "));
        let (_, value) = lines
            .filter_map(|l| l.split_once(' '))
            .find(|(k, _)| *k == key)?;
        Some(value.trim())
    }

    /// Annotates, compiles and lifts a program with its own `main`.
    pub fn prepare(&self, name: &str, criteria: &[Criterion]) -> Outcome<Prepared> {
        self.prepare_source(self.source(name).into(), |options| {
            options.criteria = criteria.to_vec();
        })
    }

    /// The same for any source, with these options of the front end.
    pub fn prepare_source(
        &self,
        source: SourceFile,
        set: impl FnOnce(&mut labrys_front::FrontOptions),
    ) -> Outcome<Prepared> {
        let work = tempfile::tempdir_in(self.path()).map_err(Failure::usage)?;
        let mut front =
            labrys_front::FrontOptions::new(self.runtime.dir.clone(), work.path().into());
        front.modelled = self.runtime.modelled.clone();
        set(&mut front);
        let name = source.path.display().to_string();
        let program =
            labrys_front::load(&[source], &EntryChoice::Main, &front).map_err(Failure::usage)?;
        let mut module = lift(&program, &Libraries::default(), &self.runtime)?;
        compact(&mut module);
        let [entry] = &program.entries[..] else {
            return Err(Failure::internal(format_args!("{name} has no main")));
        };
        let objectives = ObjectiveMap::new(&program.objectives, &program.decisions, |_, o| {
            entry.scope.contains(&o.function)
        });
        Ok(Prepared {
            module,
            entry: entry.harness.clone(),
            objectives,
        })
    }
}
