//! Which mutants several suites of one function kill, natively. The program with all its mutants
//! is built once. A test that several suites have meets each mutant once, and inputs beyond the
//! suites are run only with mutants that all suites leave alive and whose expression they change.

use labrys_driver::imported::plan::TestPlan;
use labrys_driver::imported::{ImportedSuite, NativeBuild, cases};
use labrys_driver::native::by_trigger;
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::{Criterion, Mutant, Objective};
use labrys_mutate::{TestCase, score_among};
use labrys_suite::import::{ImportFormat, ImportedContent, ImportedTest, ImportedTests};
use labrys_suite::{ReplayCase, ReplayLimits, Replayer, Suite};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// So many further inputs at most meet one mutant.
const MOST_INPUTS: usize = 250;

/// What to score: a program, its suites, and how many runs may go side by side.
pub struct KillCount<'a> {
    pub program: &'a Request,
    pub suites: &'a [PathBuf],
    pub jobs: usize,
    /// Which mutants count: those in this function, and of these so many at most, evenly spread.
    pub only: Option<(&'a str, usize)>,
}

/// Mutants by their places.
#[derive(Debug, Default)]
pub struct Kills {
    pub mutants: Vec<Mutant>,
    /// What each suite kills.
    pub by_suite: Vec<BTreeSet<usize>>,
    /// What only the further inputs kill.
    pub by_others: BTreeSet<usize>,
    /// The same for weak mutants, if there are further inputs.
    pub weak: WeakMutants,
    pub native_runs: usize,
}

/// Weak mutants: a test kills one if it changes the value of its expression.
#[derive(Debug, Default)]
pub struct WeakMutants {
    pub mutants: usize,
    /// How many each suite kills, and how many anything does.
    pub by_suite: Vec<usize>,
    pub killable: usize,
}

impl Kills {
    /// The mutants that anything kills.
    pub fn killable(&self) -> BTreeSet<usize> {
        let suites = self.by_suite.iter().flatten();
        suites.chain(&self.by_others).copied().collect()
    }
}

/// Runs the suites, and then the inputs that `others` makes from their tests.
pub fn count(
    request: &KillCount<'_>,
    others: impl FnOnce(&[ImportedTest]) -> Vec<ImportedTest>,
) -> Outcome<Kills> {
    let mut tests: Vec<ImportedTest> = Vec::new();
    let mut suites: Vec<Vec<usize>> = Vec::new();
    for path in request.suites {
        let mut places = Vec::new();
        for test in read(path)? {
            let same = tests.iter().position(|other| is_same(other, &test));
            let place = same.unwrap_or(tests.len());
            if same.is_none() {
                tests.push(test);
            }
            places.push(place);
        }
        suites.push(places);
    }
    if tests.is_empty() {
        return Err(Failure::usage("none of the suites has a test"));
    }
    let own = tests.len();
    tests.extend(others(&tests));
    let collection = ImportedTests {
        tests,
        notes: Vec::new(),
    };
    let mut suite = ImportedSuite {
        project: Project::open(request.program.clone())?,
        collection,
    };
    let with_mutants = suite.build(&ProgramForm::NativeMutants)?;
    let with_labels = match suite.collection.tests.len() > own {
        true => Some(suite.build(&ProgramForm::For(Criterion::WeakMutation))?),
        false => None,
    };
    let mut table = KillTable::new(request, &suite, &with_mutants)?;
    for places in &suites {
        let killed = table.suite(places)?;
        table.kills.by_suite.push(killed);
    }
    if let Some(with_labels) = &with_labels {
        let met = table.labels_met(&suite, with_labels)?;
        let objectives = &with_labels[0].program.objectives;
        table.kills.weak = weak(objectives.len(), &suites, &met);
        let changed = table.changed_by(own, objectives, &met);
        table.others(&changed)?;
    }
    Ok(table.kills)
}

/// What suites cover of the weak mutants.
fn weak(
    mutants: usize,
    suites: &[Vec<usize>],
    met: &BTreeMap<usize, BTreeSet<usize>>,
) -> WeakMutants {
    let count = |tests: &mut dyn Iterator<Item = &usize>| {
        let met: BTreeSet<usize> = tests
            .filter_map(|t| met.get(t))
            .flatten()
            .copied()
            .collect();
        met.len()
    };
    WeakMutants {
        mutants,
        by_suite: suites
            .iter()
            .map(|places| count(&mut places.iter()))
            .collect(),
        killable: count(&mut met.keys()),
    }
}

fn read(path: &Path) -> Outcome<Vec<ImportedTest>> {
    let suite = Suite::read(path).map_err(Failure::usage)?;
    let sizes = suite.sizes;
    let imported = |test: labrys_suite::SuiteTest| ImportedTest {
        name: test.name.clone(),
        file: path.to_path_buf(),
        format: ImportFormat::Labrys,
        content: ImportedContent::Labrys {
            test: Box::new(test),
            sizes,
        },
    };
    Ok(suite.tests.into_iter().map(imported).collect())
}

/// Whether two tests give the same inputs to the same harness.
fn is_same(one: &ImportedTest, other: &ImportedTest) -> bool {
    match (&one.content, &other.content) {
        (
            ImportedContent::Labrys { test: a, sizes: x },
            ImportedContent::Labrys { test: b, sizes: y },
        ) => x == y && a.entry == b.entry && a.inputs == b.inputs,
        _ => false,
    }
}

/// What is known of tests and mutants.
struct KillTable<'a> {
    kills: Kills,
    limits: ReplayLimits,
    replayers: Vec<&'a Replayer>,
    plans: Vec<(usize, TestPlan<'a>)>,
    /// For each mutant the tests that kill it, as far as they were met, and those that do not.
    killers: Vec<BTreeSet<usize>>,
    immune: Vec<BTreeSet<usize>>,
}

impl<'a> KillTable<'a> {
    fn new(
        request: &KillCount<'_>,
        suite: &'a ImportedSuite,
        builds: &'a [NativeBuild],
    ) -> Outcome<Self> {
        let plans = suite.plans(builds)?;
        let mut mutants = builds[0].program.mutants.clone();
        if let Some((function, most)) = request.only {
            mutants.retain(|mutant| mutant.function == function);
            let step = mutants.len().div_ceil(most).max(1);
            mutants = mutants.into_iter().step_by(step).collect();
        }
        Ok(KillTable {
            limits: ReplayLimits {
                jobs: request.jobs,
                ..ReplayLimits::default()
            },
            replayers: builds.iter().map(|build| &build.replayer).collect(),
            plans,
            killers: vec![BTreeSet::new(); mutants.len()],
            immune: vec![BTreeSet::new(); mutants.len()],
            kills: Kills {
                mutants,
                ..Kills::default()
            },
        })
    }

    /// The mutants that these tests kill.
    fn suite(&mut self, places: &[usize]) -> Outcome<BTreeSet<usize>> {
        let known = |mutant: &usize| places.iter().any(|p| self.killers[*mutant].contains(p));
        let mut killed: BTreeSet<usize> = (0..self.killers.len()).filter(known).collect();
        let open: Vec<usize> = (0..self.killers.len())
            .filter(|mutant| !killed.contains(mutant))
            .collect();
        let wanted: BTreeMap<usize, Vec<usize>> = open
            .into_iter()
            .map(|mutant| {
                let untried = places.iter().filter(|p| !self.immune[mutant].contains(p));
                (mutant, untried.copied().collect())
            })
            .collect();
        killed.extend(self.meet(&wanted)?);
        Ok(killed)
    }

    /// Each mutant meets its tests, until one kills it; the mutants that die.
    fn meet(&mut self, wanted: &BTreeMap<usize, Vec<usize>>) -> Outcome<Vec<usize>> {
        let used: BTreeSet<usize> = wanted.values().flatten().copied().collect();
        let used: Vec<usize> = used.into_iter().collect();
        let (all, numbers) = cases(&self.plans);
        let chosen: Vec<(TestCase<'_>, usize)> = (all.into_iter().zip(numbers))
            .filter(|(_, place)| used.binary_search(place).is_ok())
            .collect();
        let (tests, places): (Vec<TestCase<'_>>, Vec<usize>) = chosen.into_iter().unzip();
        let order: Vec<usize> = wanted.keys().copied().collect();
        let mutants: Vec<Mutant> = order
            .iter()
            .map(|mutant| self.kills.mutants[*mutant].clone())
            .collect();
        let among = |mutant: usize, reaching: Vec<usize>| {
            let wanted = &wanted[&order[mutant]];
            let is_wanted = |test: &usize| wanted.contains(&places[*test]);
            reaching.into_iter().filter(is_wanted).collect()
        };
        let scored = score_among(
            &mutants,
            &self.replayers,
            &tests,
            &among,
            &self.limits,
            &mut |_| {},
        )
        .map_err(Failure::usage)?;
        self.kills.native_runs += scored.native_runs;
        let mut killed = Vec::new();
        for (mutant, verdict) in order.iter().zip(&scored.verdicts) {
            match verdict.killed_by.first() {
                Some(test) => {
                    self.killers[*mutant].insert(places[*test]);
                    killed.push(*mutant);
                }
                None => self.immune[*mutant].extend(&wanted[mutant]),
            }
        }
        Ok(killed)
    }

    /// For each test the weak mutants that its native run covers, by their places among the
    /// objectives.
    fn labels_met(
        &self,
        suite: &ImportedSuite,
        builds: &[NativeBuild],
    ) -> Outcome<BTreeMap<usize, BTreeSet<usize>>> {
        let plans = suite.plans(builds)?;
        let triggers = by_trigger(&builds[0].program.objectives);
        let mut met = BTreeMap::new();
        for (number, build) in builds.iter().enumerate() {
            let (tests, numbers) = cases(&plans);
            let of_build = tests.into_iter().zip(numbers);
            let (tests, places): (Vec<ReplayCase<'_>>, Vec<usize>) = of_build
                .filter(|(test, _)| test.build == number)
                .map(|(test, place)| (test.case, place))
                .unzip();
            let seen = build.replayer.run(&tests, &self.limits);
            for (place, seen) in places.iter().zip(seen.map_err(Failure::usage)?) {
                let here = seen.triggers.iter().filter_map(|t| triggers.get(t));
                met.insert(*place, here.flatten().copied().collect());
            }
        }
        Ok(met)
    }

    /// For each mutant that no suite kills, the further inputs (from this place on) that change the
    /// value of its expression.
    fn changed_by(
        &self,
        first: usize,
        objectives: &[Objective],
        met: &BTreeMap<usize, BTreeSet<usize>>,
    ) -> BTreeMap<usize, Vec<usize>> {
        let killable = self.kills.killable();
        let mut by_text: BTreeMap<(u32, u32, &str), usize> = BTreeMap::new();
        for (place, mutant) in self.kills.mutants.iter().enumerate() {
            if !killable.contains(&place) {
                by_text.insert((mutant.line, mutant.column, &mutant.text), place);
            }
        }
        let mut changed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, met) in met.range(first..) {
            for objective in met.iter().map(|index| &objectives[*index]) {
                let key = (objective.line, objective.column, objective.text.as_str());
                if let Some(mutant) = by_text.get(&key) {
                    changed.entry(*mutant).or_default().push(*place);
                }
            }
        }
        changed
    }

    /// Mutants meet further inputs, evenly chosen where there are many.
    fn others(&mut self, changed: &BTreeMap<usize, Vec<usize>>) -> Outcome<()> {
        let spread = |places: &Vec<usize>| {
            let step = places.len().div_ceil(MOST_INPUTS).max(1);
            places.iter().step_by(step).copied().collect()
        };
        let wanted = changed.iter().map(|(m, places)| (*m, spread(places)));
        let killed = self.meet(&wanted.collect())?;
        self.kills.by_others.extend(killed);
        Ok(())
    }
}
