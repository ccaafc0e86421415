//! The functions of the corpus: a fixed list, and the rule by which it was chosen.
//!
//! The rule: of the functions with a cyclomatic complexity of at least eight that stand in a
//! package's own C files (not in its tests), each function once over all packages, the first
//! [`EACH`] of every package in the order of a hash of their names. Bash, flex and make are the
//! projects of an earlier experiment with units of a complexity above eight; it names the
//! projects and the rule, not the units.

use labrys_build::BuildRecord;
use labrys_driver::{Failure, Outcome};
use labrys_ir::{Cfg, Function};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The list.
const FIXED: &str = include_str!("../../../../../tests/corpus/functions.txt");

/// Functions of each package.
const EACH: usize = 32;

/// The smallest complexity.
const COMPLEXITY: usize = 8;

/// Directories that hold no code of the package itself.
const FOREIGN: [&str; 7] = [
    "tests",
    "test",
    "gnulib-tests",
    "testsuite",
    "contrib",
    "examples",
    "gt",
];

/// A function of the sample.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chosen {
    pub package: String,
    /// Below the package's directory.
    pub source: String,
    pub function: String,
    pub complexity: usize,
}

impl Chosen {
    pub fn key(&self) -> String {
        format!("{} {} {}", self.package, self.source, self.function)
    }

    pub fn order(&self) -> u64 {
        fnv(self.key().bytes())
    }
}

/// FNV-1a, which stays the same on every machine and in every version.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The first few functions of every package, in the order of their hash.
pub fn first_of_each(mut sample: Vec<Chosen>, each: usize) -> Vec<Chosen> {
    sample.sort_by_key(|chosen| (chosen.order(), chosen.clone()));
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    sample.retain(|chosen| {
        let count = taken.entry(chosen.package.clone()).or_default();
        *count += 1;
        *count <= each
    });
    sample.sort();
    sample
}

/// The sample as it is fixed.
pub fn fixed() -> Outcome<Vec<Chosen>> {
    parse(FIXED)
}

/// Another sample, in the same form.
pub fn read(path: &Path) -> Outcome<Vec<Chosen>> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::usage(format_args!("cannot read {}: {e}", path.display())))?;
    parse(&text)
}

fn parse(text: &str) -> Outcome<Vec<Chosen>> {
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [package, source, function, complexity] = words[..] else {
                return Err(Failure::usage(format_args!(
                    "not a line of a sample (package, source, function, complexity): {line}"
                )));
            };
            Ok(Chosen {
                package: package.to_owned(),
                source: source.to_owned(),
                function: function.to_owned(),
                complexity: complexity.parse().unwrap_or(0),
            })
        })
        .collect()
}

/// The objects of the packages by package and source.
pub struct Objects {
    by_source: BTreeMap<(String, String), (PathBuf, Option<PathBuf>)>,
}

impl Objects {
    /// Looks for objects that the wrapper made.
    pub fn find(corpus: &Path, packages: &[String]) -> Outcome<Objects> {
        let mut by_source = BTreeMap::new();
        for package in packages {
            let tree = corpus.join("src").join(package);
            let mut objects = Vec::new();
            walk(&tree, &mut objects)?;
            // Of libtool's two objects of a source the plain one comes first.
            objects.sort_by_key(|path| (path.to_string_lossy().contains("/.libs/"), path.clone()));
            for object in objects {
                let records = labrys_build::read_records(&object).ok().flatten();
                for record in records.unwrap_or_default() {
                    let BuildRecord::Unit(unit) = record else {
                        continue;
                    };
                    let source = unit.source_path();
                    let source = source.canonicalize().unwrap_or(source);
                    let Ok(source) = source.strip_prefix(&tree) else {
                        continue;
                    };
                    let key = (package.clone(), source.display().to_string());
                    by_source
                        .entry(key)
                        .or_insert((object.clone(), unit.bitcode));
                }
            }
        }
        Ok(Objects { by_source })
    }

    /// The object of a function's source.
    pub fn of(&self, chosen: &Chosen) -> Option<&Path> {
        let key = (chosen.package.clone(), chosen.source.clone());
        self.by_source.get(&key).map(|(object, _)| object.as_path())
    }
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) -> Outcome<()> {
    let entries = std::fs::read_dir(dir)
        .map_err(|e| Failure::usage(format_args!("cannot read {}: {e}", dir.display())))?;
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
            walk(&path, out)?;
        } else if kind.is_ok_and(|k| k.is_file()) && path.extension().is_some_and(|e| e == "o") {
            out.push(path);
        }
    }
    Ok(())
}

/// Chooses anew by the rule.
pub fn choose(objects: &Objects) -> Outcome<Vec<Chosen>> {
    let mut by_package: BTreeMap<&str, Vec<Chosen>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for ((package, source), (_, bitcode)) in &objects.by_source {
        let parts: Vec<&str> = source.split('/').collect();
        let Some((file, directories)) = parts.split_last() else {
            continue;
        };
        let foreign = directories.iter().any(|d| FOREIGN.contains(d));
        let Some(bitcode) = bitcode.as_ref().filter(|_| !foreign) else {
            continue;
        };
        for (function, complexity) in complexities(bitcode, file)? {
            // Packages share files; a function counts where it is met first.
            if complexity >= COMPLEXITY && seen.insert(((*file).to_owned(), function.clone())) {
                by_package.entry(package).or_default().push(Chosen {
                    package: package.clone(),
                    source: source.clone(),
                    function,
                    complexity,
                });
            }
        }
    }
    let mut out = Vec::new();
    for (_, mut functions) in by_package {
        functions.sort_by_key(|chosen| (chosen.order(), chosen.clone()));
        functions.truncate(EACH);
        functions.sort();
        out.extend(functions);
    }
    Ok(out)
}

/// The functions that stand in a file itself, with their complexities.
fn complexities(bitcode: &Path, file: &str) -> Outcome<Vec<(String, usize)>> {
    let bitcode = [bitcode.to_owned()];
    let module = labrys_lift::lift(&bitcode, &labrys_lift::LiftOptions::default());
    let module = module.map_err(Failure::usage)?;
    let own = |f: &&Function| {
        let place = Path::new(module.file(f.loc));
        !f.is_external() && place.file_name().is_some_and(|name| name == file)
    };
    let functions = module.functions.iter().filter(own);
    Ok(functions.map(|f| (f.name.clone(), complexity(f))).collect())
}

/// McCabe's number: one more than the ways that branch off.
fn complexity(function: &Function) -> usize {
    let cfg = Cfg::of(function);
    let ways = cfg.order.iter().map(|b| cfg.successors[b.index()].len());
    1 + ways.map(|n| n.saturating_sub(1)).sum::<usize>()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_fixed_sample_is_what_is_promised() {
        let sample = fixed().map_err(|e| e.message).unwrap();
        assert!(sample.len() >= 300, "{}", sample.len());
        let packages: BTreeSet<_> = sample.iter().map(|c| c.package.as_str()).collect();
        assert_eq!(
            packages.into_iter().collect::<Vec<_>>(),
            super::super::PACKAGES
        );
        assert!(sample.iter().all(|c| c.complexity >= COMPLEXITY));
        let keys: BTreeSet<_> = sample.iter().map(Chosen::key).collect();
        assert_eq!(keys.len(), sample.len());
    }

    #[test]
    fn every_package_has_its_functions_and_the_choice_does_not_depend_on_the_order() {
        let all = fixed().map_err(|e| e.message).unwrap();
        let mut other = all.clone();
        other.reverse();
        let chosen = first_of_each(all, 3);
        let packages = super::super::PACKAGES;
        assert_eq!(chosen.len(), 3 * packages.len());
        for package in packages {
            let of_it = chosen.iter().filter(|c| c.package == package);
            assert_eq!(of_it.count(), 3, "{package}");
        }
        assert_eq!(chosen, first_of_each(other, 3));
    }
}
