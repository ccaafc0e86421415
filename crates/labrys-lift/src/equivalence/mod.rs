//! Trivial compiler equivalence (Papadakis et al. 2015): mutants whose optimised code is that of the
//! original, or that of another mutant.
//!
//! In comes the bitcode of a program that holds all its mutants; out comes a verdict for each. A
//! compiler may use what C leaves undefined, and then the same code is no proof. So everything that
//! a function does is defined or made visible first ([`define`]), and only then is it optimised.

mod attributes;
mod choices;
mod define;
mod events;
mod loops;
mod objects;
mod reduce;
mod supported;
mod undefined;

use crate::error::LiftError;
use crate::llvm::LlvmContext;
use choices::{CodeKey, FunctionCode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How clang compiles a unit for [`compare`]: as it is written, with IEEE arithmetic, and without
/// knowledge of library functions. Constants that are divided by zero would leave no trace.
pub const CLANG_FLAGS: [&str; 17] = [
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g0",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-fno-fast-math",
    "-frounding-math",
    "-ffp-exception-behavior=strict",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fsanitize=integer-divide-by-zero",
    "-fsanitize-minimal-runtime",
    "-fsanitize-recover=integer-divide-by-zero",
    "-emit-llvm",
    "-c",
];

/// Mutants of one function that one thread compares at a time.
const MUTANTS_PER_JOB: usize = 64;

/// Optimisation recurses over expressions, which nest as deeply as the program does.
const STACK_BYTES: usize = 256 << 20;

/// A mutant: the alternatives that are active in it, each with its point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantChoices {
    pub active: Vec<(u32, u32)>,
}

/// What the code of a mutant says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrivialVerdict {
    /// Its code is like no other: it may still be equivalent.
    Distinct,
    /// Its code is that of the original.
    Equivalent,
    /// Its code is that of an earlier mutant, by its place.
    DuplicateOf(usize),
    /// There was no time to look, or it is in code that cannot be compared.
    Unknown,
}

/// Compares the mutants of the units until `stop` says so.
pub fn compare(
    units: &[PathBuf],
    mutants: &[MutantChoices],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<TrivialVerdict>, LiftError> {
    let units: Vec<(&Path, Vec<u8>)> = units
        .iter()
        .map(|path| {
            let bytes = std::fs::read(path).map_err(|source| LiftError::Read {
                path: path.clone(),
                source,
            })?;
            Ok((path.as_path(), bytes))
        })
        .collect::<Result<_, LiftError>>()?;
    let jobs = jobs(&units, mutants)?;
    let codes = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop() {
                return;
            }
            let found = job.codes(&units[job.unit].1, mutants, stop);
            if let Ok(mut codes) = codes.lock() {
                codes.extend(found);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            // A thread less only takes longer.
            let _ = thread.spawn_scoped(scope, work);
        }
    });
    Ok(verdicts(
        &jobs,
        mutants.len(),
        &codes.into_inner().unwrap_or_default(),
    ))
}

/// Some mutants of one function.
struct ComparisonJob {
    unit: usize,
    function: String,
    mutants: Vec<usize>,
}

/// The mutants by the functions that hold all of their points.
fn jobs(
    units: &[(&Path, Vec<u8>)],
    mutants: &[MutantChoices],
) -> Result<Vec<ComparisonJob>, LiftError> {
    let mut places: BTreeMap<u32, Vec<(usize, String)>> = BTreeMap::new();
    for (number, (path, bytes)) in units.iter().enumerate() {
        let session = LlvmContext::new();
        let unit = session.read(bytes, false);
        let unit = unit.map_err(|reason| LiftError::Bitcode {
            path: path.to_path_buf(),
            reason,
        })?;
        for (point, function) in reduce::points(&unit) {
            places.entry(point).or_default().push((number, function));
        }
    }
    let mut by_function: BTreeMap<&(usize, String), Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let mut of_points = mutant.active.iter().map(|(point, _)| places.get(point));
        if let Some(Some(first)) = of_points.next()
            && let [place] = &first[..]
            && of_points.all(|other| other == Some(first))
        {
            by_function.entry(place).or_default().push(index);
        }
    }
    let of_function = |((unit, function), all): (&(usize, String), Vec<usize>)| {
        let job = |some: &[usize]| ComparisonJob {
            unit: *unit,
            function: function.clone(),
            mutants: some.to_vec(),
        };
        all.chunks(MUTANTS_PER_JOB).map(job).collect::<Vec<_>>()
    };
    Ok(by_function.into_iter().flat_map(of_function).collect())
}

impl ComparisonJob {
    /// The code of each mutant, as far as there is time, and that of the original without a number.
    fn codes(
        &self,
        unit: &[u8],
        mutants: &[MutantChoices],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BTreeMap<ComparedCode, CodeKey> {
        let mut found = BTreeMap::new();
        let session = LlvmContext::new();
        let code = FunctionCode::new(&session, unit, &self.function);
        let original = code.and_then(|code| Ok((code.of(&[])?, code)));
        let (original, code) = match original {
            Ok(both) => both,
            Err(reason) => {
                tracing::debug!(function = self.function, reason, "not compared");
                return found;
            }
        };
        found.insert((self.unit, self.function.clone(), None), original);
        for index in &self.mutants {
            if stop() {
                break;
            }
            if let Ok(key) = code.of(&mutants[*index].active) {
                found.insert((self.unit, self.function.clone(), Some(*index)), key);
            }
        }
        found
    }
}

/// Unit, function and mutant; the original has no number.
type ComparedCode = (usize, String, Option<usize>);

fn verdicts(
    jobs: &[ComparisonJob],
    count: usize,
    codes: &BTreeMap<ComparedCode, CodeKey>,
) -> Vec<TrivialVerdict> {
    let mut verdicts = vec![TrivialVerdict::Unknown; count];
    let mut first: BTreeMap<(usize, &str, CodeKey), usize> = BTreeMap::new();
    for job in jobs {
        let code = |mutant| {
            codes
                .get(&(job.unit, job.function.clone(), mutant))
                .copied()
        };
        let Some(original) = code(None) else {
            continue;
        };
        for index in &job.mutants {
            let Some(own) = code(Some(*index)) else {
                continue;
            };
            let earlier = *first
                .entry((job.unit, &job.function, own))
                .or_insert(*index);
            verdicts[*index] = if own == original {
                TrivialVerdict::Equivalent
            } else if earlier != *index {
                TrivialVerdict::DuplicateOf(earlier)
            } else {
                TrivialVerdict::Distinct
            };
        }
    }
    verdicts
}
