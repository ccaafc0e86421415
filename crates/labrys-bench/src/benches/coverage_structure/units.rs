//! The units of the comparison: functions of bash, flex and make, and programs of our own. Each is
//! read and lifted once, with the objectives of all criteria, and then explored many times.

use crate::arguments::BenchArgs;
use crate::benches::corpus::sample::{Chosen, Objects};
use include_dir::{Dir, include_dir};
use labrys_driver::generate::proofs;
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{ObjectiveMap, compact};
use labrys_front::EntryChoice;
use labrys_ir::Module;
use labrys_ledger::{Criterion, Decision, Objective};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The list.
const LIST: &str = include_str!("../../../../../tests/coverage-structure/units.txt");

/// The groups, in the order of the tables. All but the last are packages of the corpus.
pub const GROUPS: [&str; 4] = ["bash", "flex", "make", OWN];
pub const OWN: &str = "own";

static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples");
static BENCH: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/files/bench");
static LABEL_COVERAGE: Dir<'_> =
    include_dir!("$CARGO_MANIFEST_DIR/../../tests/files/label-coverage");

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub group: String,
    pub source: String,
    pub function: String,
    /// Not known for our own.
    pub complexity: Option<usize>,
    pub flags: Vec<String>,
}

impl Unit {
    pub fn name(&self) -> String {
        let mut name = format!("{} {} {}", self.group, self.source, self.function);
        for flag in &self.flags {
            name = format!("{name} {flag}");
        }
        name
    }
}

/// The units that were asked for: all, or those of these groups or functions.
pub fn list(args: &BenchArgs) -> Outcome<Vec<Unit>> {
    let mut units = parse(LIST)?;
    for wanted in &args.program {
        if !units.iter().any(|unit| is(unit, wanted)) {
            return Err(Failure::usage(format_args!(
                "no unit '{wanted}'; give a group ({}) or a function of tests/coverage-structure/units.txt",
                GROUPS.join(", ")
            )));
        }
    }
    let chosen = |unit: &Unit| args.program.iter().any(|wanted| is(unit, wanted));
    let in_short = |unit: &Unit| unit.group == OWN && unit.source.ends_with("/triangle.c");
    units.retain(|unit| match args.program.is_empty() {
        true => !args.short || in_short(unit),
        false => chosen(unit),
    });
    Ok(units)
}

fn is(unit: &Unit, wanted: &str) -> bool {
    unit.group == wanted || unit.function == wanted || unit.source == wanted
}

fn parse(text: &str) -> Outcome<Vec<Unit>> {
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [group, source, function, complexity, flags @ ..] = &words[..] else {
                return Err(Failure::internal(format_args!("not a unit: {line}")));
            };
            Ok(Unit {
                group: (*group).to_owned(),
                source: (*source).to_owned(),
                function: (*function).to_owned(),
                complexity: complexity.parse().ok(),
                flags: flags.iter().map(|f| (*f).to_owned()).collect(),
            })
        })
        .collect()
}

/// Writes our own programs where they can be read.
pub fn write_own(dir: &Path) -> Outcome<()> {
    for (name, sources) in [
        ("examples", &EXAMPLES),
        ("bench", &BENCH),
        ("label-coverage", &LABEL_COVERAGE),
    ] {
        let to = dir.join(name);
        std::fs::create_dir_all(&to)
            .and_then(|()| sources.extract(&to))
            .map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", to.display())))?;
    }
    Ok(())
}

/// Where the units are.
pub struct Places {
    pub own: PathBuf,
    pub objects: Option<Objects>,
}

impl Places {
    /// What `labrys gen` would be called with; `None` if the package has no such source any more.
    pub fn request(&self, unit: &Unit) -> Option<Request> {
        let source = if unit.group == OWN {
            self.own.join(&unit.source)
        } else {
            let chosen = Chosen {
                package: unit.group.clone(),
                source: unit.source.clone(),
                function: unit.function.clone(),
                complexity: 0,
            };
            self.objects.as_ref()?.of(&chosen)?.to_owned()
        };
        let mut request = Request::new(vec![source]);
        request.program.entry = match unit.function.as_str() {
            "main" => EntryChoice::Main,
            function => EntryChoice::Function(function.to_owned()),
        };
        request.program.flags.clone_from(&unit.flags);
        Some(request)
    }
}

/// A unit that is ready to be explored.
pub struct Loaded {
    pub module: Module,
    pub entry: String,
    objectives: Vec<Objective>,
    decisions: Vec<Decision>,
    /// The functions whose objectives count. Of a package, the function alone, whose complexity
    /// is why it was chosen; what it calls is run, but not searched for. Of our own programs, all
    /// that `main` reaches.
    scope: BTreeSet<String>,
    /// Refuted before any search, as `gen` does it.
    refuted: BTreeSet<usize>,
}

impl Loaded {
    pub fn read(unit: &Unit, mut request: Request, criteria: &[Criterion]) -> Outcome<Loaded> {
        request.objectives.criteria = criteria.to_vec();
        let project = Project::open(request)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let sizes = project.request.harness.sizes;
        let loaded = project.load(&ProgramForm::Annotated, sizes, work.path())?;
        let mut module = project.lift(&loaded)?;
        let proofs = proofs::find(
            &loaded,
            &module,
            &project.libraries,
            &project.request,
            &project.deadline,
        );
        compact(&mut module);
        let [entry] = &loaded.entries[..] else {
            return Err(Failure::internal("a unit has one entry"));
        };
        Ok(Loaded {
            module,
            entry: entry.harness.clone(),
            scope: match unit.group == OWN {
                true => entry.scope.iter().cloned().collect(),
                false => BTreeSet::from([entry.function.clone()]),
            },
            objectives: loaded.objectives,
            decisions: loaded.decisions,
            refuted: proofs.by_objective.keys().copied().collect(),
        })
    }

    fn counts(&self, objective: &Objective, criterion: Criterion) -> bool {
        objective.criterion == criterion && self.scope.contains(&objective.function)
    }

    /// Objectives of the criterion that the unit has.
    pub fn total(&self, criterion: Criterion) -> usize {
        let all = self.objectives.iter();
        all.filter(|o| self.counts(o, criterion)).count()
    }

    /// Those that are searched for.
    pub fn map(&self, criterion: Criterion) -> ObjectiveMap {
        ObjectiveMap::new(&self.objectives, &self.decisions, |index, o| {
            self.counts(o, criterion) && !self.refuted.contains(&index)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::benches::corpus::sample;

    #[test]
    fn the_units_are_those_of_the_sample_above_complexity_eight() {
        let units = parse(LIST).map_err(|e| e.message).unwrap();
        let sample = sample::fixed().map_err(|e| e.message).unwrap();
        let complex = |c: &&Chosen| GROUPS.contains(&c.package.as_str()) && c.complexity > 8;
        let wanted: Vec<String> = sample.iter().filter(complex).map(Chosen::key).collect();
        let foreign = units.iter().filter(|u| u.group != OWN);
        let listed: Vec<String> = foreign.map(Unit::name).collect();
        assert_eq!(listed, wanted);
        assert!(wanted.len() >= 69, "{}", wanted.len());
    }

    #[test]
    fn our_own_programs_are_there() {
        let dir = tempfile::tempdir().unwrap();
        write_own(dir.path()).map_err(|e| e.message).unwrap();
        let units = parse(LIST).map_err(|e| e.message).unwrap();
        let own: Vec<&Unit> = units.iter().filter(|u| u.group == OWN).collect();
        assert!(own.len() >= 20, "{}", own.len());
        for unit in own {
            let text = std::fs::read_to_string(dir.path().join(&unit.source)).unwrap();
            assert!(text.contains(&format!("{}(", unit.function)), "{unit:?}");
        }
    }

    #[test]
    fn units_are_chosen_by_group_or_function() {
        let choose = |name: &str| {
            let args = BenchArgs {
                program: vec![name.to_owned()],
                ..BenchArgs::default()
            };
            list(&args).map(|units| units.len())
        };
        assert_eq!(choose("triangle").map_err(|e| e.message).unwrap(), 1);
        assert!(choose("flex").map_err(|e| e.message).unwrap() > 20);
        assert!(choose("nothing").unwrap_err().message.contains("'nothing'"));
    }
}
