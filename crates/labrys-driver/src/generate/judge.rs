//! The compiled program decides: proposed tests are run natively, and only what their runs show
//! enters the ledger and the suite.

pub(super) mod other_addresses;
mod other_compiler;

use self::other_compiler::RunByClang;
use super::pair_tests;
use super::prediction::{difference, is_out_of_stack, is_undefined_after, native_end};
use crate::failure::{Failure, Outcome};
use crate::native::vectors_of;
use labrys_engine::{FaultKind, InputKind, InputValue, PathEnd, Report, Scalar};
use labrys_front::EntryPoint;
use labrys_ledger::world;
use labrys_ledger::{InputType, Ledger, OutcomeVector, Trigger};
use labrys_suite::{
    MissingProtections, Observation, ReplayCase, ReplayInputs, ReplayLimits, Replayer, SuiteTest,
    TestInput, UniqueNames, test_name,
};
use std::collections::{BTreeMap, BTreeSet};

/// Tests of a run with what their native runs showed.
pub struct Judged {
    pub tests: Vec<SuiteTest>,
    /// For each proposed test its number in the suite, if it was kept.
    pub numbers: Vec<Option<u32>>,
    /// How the native run of each test ended, by its number.
    pub native: BTreeMap<u32, String>,
    /// Where a native run differed from what the engine predicted.
    pub divergences: Vec<String>,
    /// Tests that go as predicted only when clang compiles the program: it has no fixed order of
    /// evaluation there.
    pub unspecified: Vec<u32>,
    /// Those of them that cover something else than predicted, and not only in another order.
    pub other_coverage: Vec<u32>,
    /// Tests that did not go as predicted, and there was no time to ask what clang makes of them.
    pub not_asked: Vec<u32>,
    /// Proposed tests that do not show all that was predicted, and whose native runs show something
    /// else where objects lie elsewhere.
    pub by_addresses: BTreeSet<usize>,
    /// What the sandbox of the native runs did not have.
    pub missing: MissingProtections,
    /// Proposed tests that were not run, since the time was over.
    pub not_run: usize,
}

impl Judged {
    /// No test was run: there was no time for it.
    pub fn none_of(proposed: usize) -> Self {
        Judged {
            tests: Vec::new(),
            numbers: vec![None; proposed],
            native: BTreeMap::new(),
            divergences: Vec::new(),
            unspecified: Vec::new(),
            other_coverage: Vec::new(),
            not_asked: Vec::new(),
            by_addresses: BTreeSet::new(),
            missing: MissingProtections::default(),
            not_run: proposed,
        }
    }

    /// Adds the tests of another judgement.
    pub fn add(&mut self, more: Judged) {
        let before = self.numbers.len();
        let by_addresses = more.by_addresses.iter().map(|i| before + i);
        self.by_addresses.extend(by_addresses);
        self.tests.extend(more.tests);
        self.numbers.extend(more.numbers);
        self.native.extend(more.native);
        self.divergences.extend(more.divergences);
        self.unspecified.extend(more.unspecified);
        self.other_coverage.extend(more.other_coverage);
        self.not_asked.extend(more.not_asked);
        self.missing = self.missing.and(more.missing);
        self.not_run += more.not_run;
    }
}

/// Tests that the engine proposes.
pub struct Proposed<'a> {
    pub tests: &'a [labrys_engine::Test],
    /// Objectives whose label's predicate may fault on some path.
    pub faulted: &'a BTreeSet<usize>,
    /// What each is for, if not for the first objective that it covers.
    pub purposes: &'a [String],
}

impl<'a> From<&'a Report> for Proposed<'a> {
    fn from(report: &'a Report) -> Self {
        Proposed {
            tests: &report.tests,
            faulted: &report.faulted,
            purposes: &[],
        }
    }
}

impl<'a> Proposed<'a> {
    /// The first so many of them.
    fn first(&self, number: usize) -> Proposed<'a> {
        Proposed {
            tests: &self.tests[..number.min(self.tests.len())],
            ..*self
        }
    }
}

/// What native runs are made with.
pub struct Judge<'a> {
    pub replayer: &'a Replayer,
    /// The program compiled by the compiler that the engine's code comes from; made on demand.
    pub second: &'a dyn Fn() -> Outcome<Replayer>,
    pub limits: &'a ReplayLimits,
    /// The objectives of the ledger by what triggers them.
    pub triggers: &'a BTreeMap<Trigger, Vec<usize>>,
}

/// The inputs of proposed tests, as native runs take them.
pub struct ProposedInputs<'a> {
    harness: &'a str,
    inputs: Vec<Vec<(String, Vec<u8>)>>,
}

impl<'a> ProposedInputs<'a> {
    pub fn of(entry: &'a EntryPoint, tests: &[labrys_engine::Test]) -> Self {
        let inputs = tests.iter().map(|test| {
            let inputs = test.inputs.iter();
            inputs.map(|i| (i.name.clone(), i.bytes.clone())).collect()
        });
        ProposedInputs {
            harness: &entry.harness,
            inputs: inputs.collect(),
        }
    }

    pub fn cases(&self) -> impl Iterator<Item = ReplayCase<'_>> {
        self.inputs.iter().map(|inputs| ReplayCase {
            harness: self.harness,
            inputs: ReplayInputs::Named(inputs),
        })
    }
}

/// Replays the proposed tests of one entry, as many as there is time for, and enters what they
/// cover.
pub fn judge(
    entry: &EntryPoint,
    proposed: &Proposed<'_>,
    judge: &Judge<'_>,
    ledger: &mut Ledger,
    names: &mut UniqueNames,
    first_id: u32,
) -> Outcome<Judged> {
    let inputs = ProposedInputs::of(entry, proposed.tests);
    let cases: Vec<ReplayCase<'_>> = inputs.cases().collect();
    let observations = (judge.replayer)
        .run_in_time(&cases, judge.limits)
        .map_err(Failure::internal)?;
    let runs = ProposedRuns {
        cases: &cases,
        observations: &observations,
        everywhere: &BTreeMap::new(),
    };
    judge_runs(entry, proposed, runs, judge, ledger, names, first_id)
}

/// Native runs of the first proposed tests of an entry.
#[derive(Clone, Copy)]
pub struct ProposedRuns<'a> {
    /// Of all proposed tests.
    pub cases: &'a [ReplayCase<'a>],
    /// Of as many as there was time for.
    pub observations: &'a [Observation],
    /// Tests that were run at other addresses before: their observations are what they show at all of
    /// them. With the outputs that are different elsewhere.
    pub everywhere: &'a BTreeMap<usize, BTreeSet<String>>,
}

/// Enters what native runs cover.
pub fn judge_runs(
    entry: &EntryPoint,
    proposed: &Proposed<'_>,
    runs: ProposedRuns<'_>,
    judge: &Judge<'_>,
    ledger: &mut Ledger,
    names: &mut UniqueNames,
    first_id: u32,
) -> Outcome<Judged> {
    let ProposedRuns {
        cases,
        observations,
        everywhere: before,
    } = runs;
    let not_run = proposed.tests.len() - observations.len();
    let proposed = &proposed.first(observations.len());
    // A run that does not show what was predicted may depend on addresses in a way that the engine does
    // not notice, such as the bytes of a pointer that are read as numbers.
    let unconfirmed: BTreeSet<usize> = (0..observations.len())
        .filter(|i| !shows_prediction(&proposed.tests[*i], &observations[*i], judge.triggers))
        .collect();
    let depends_on_layout = |i: usize| {
        (proposed.tests[i].depends_on_layout || unconfirmed.contains(&i))
            && !before.contains_key(&i)
    };
    let ends_early = |i: usize| is_undefined_after(&proposed.tests[i].end);
    let mut everywhere = other_addresses::shown_everywhere(
        depends_on_layout,
        ends_early,
        cases,
        observations,
        judge.replayer,
        judge.limits,
    )?;
    let known = before.iter().map(|(i, names)| (*i, names.clone()));
    everywhere.unstable.extend(known);
    let by_addresses = unconfirmed.into_iter().filter(|i| {
        observations[*i].triggers != everywhere.observations[*i].triggers
            || everywhere
                .unstable
                .get(i)
                .is_some_and(|names| !names.is_empty())
    });
    let by_addresses = by_addresses.collect();
    let observations = &*everywhere.observations;
    let by_clang = other_compiler::different_by_clang(proposed.tests, cases, observations, judge)?;
    let mut entering = Entering {
        entry,
        proposed,
        observations,
        by_clang: &by_clang,
        unstable: &everywhere.unstable,
        triggers: judge.triggers,
        ledger,
        names,
        first_id,
    };
    let mut judged = entering.enter_all()?;
    judged.by_addresses = by_addresses;
    judged.numbers.extend(vec![None; not_run]);
    judged.not_run = not_run + everywhere.not_run;
    Ok(judged)
}

/// Native runs of proposed tests, to be entered into the ledger and the suite. Nothing is run
/// here.
struct Entering<'a> {
    entry: &'a EntryPoint,
    proposed: &'a Proposed<'a>,
    /// One for each proposed test.
    observations: &'a [Observation],
    /// Tests that do not go as predicted, but do or may do so if clang compiles the program.
    by_clang: &'a BTreeMap<usize, RunByClang>,
    /// Outputs that depend on where objects lie.
    unstable: &'a BTreeMap<usize, BTreeSet<String>>,
    triggers: &'a BTreeMap<Trigger, Vec<usize>>,
    ledger: &'a mut Ledger,
    names: &'a mut UniqueNames,
    /// The number of the first test that is kept.
    first_id: u32,
}

impl Entering<'_> {
    fn enter_all(&mut self) -> Outcome<Judged> {
        let runs = self.runs();
        let needed = needed_tests(self.proposed.tests, self.observations, &runs, self.ledger);
        let mut judged = Judged {
            tests: Vec::new(),
            numbers: Vec::new(),
            native: BTreeMap::new(),
            divergences: Vec::new(),
            unspecified: Vec::new(),
            other_coverage: Vec::new(),
            not_asked: Vec::new(),
            by_addresses: BTreeSet::new(),
            missing: (self.observations.iter())
                .fold(Default::default(), |all, seen| seen.missing.and(all)),
            not_run: 0,
        };
        for (i, run) in runs.iter().enumerate() {
            let id = self.first_id + judged.tests.len() as u32;
            if !needed[i] || !self.counts(i, id, run, &mut judged) {
                judged.numbers.push(None);
                continue;
            }
            let test = self.enter(i, id, run)?;
            let end = native_end(&self.proposed.tests[i], &self.observations[i].end);
            judged.native.insert(id, end);
            judged.tests.push(test);
            judged.numbers.push(Some(id));
        }
        Ok(judged)
    }

    /// What the native runs have shown, as far as it counts.
    fn runs(&self) -> Vec<NativeRun> {
        // A predicate that faults somewhere may natively read anything there: such a label counts
        // only if the engine has covered it, too.
        let mut doubtful = self.proposed.faulted.clone();
        for objective in self.proposed.tests.iter().flat_map(|test| &test.covers) {
            doubtful.remove(objective);
        }
        let runs = self.proposed.tests.iter().zip(self.observations);
        runs.map(|(test, seen)| NativeRun {
            covers: covered_by(test, seen, self.triggers, &doubtful),
            vectors: shown_by(test, seen, self.ledger),
        })
        .collect()
    }

    /// Notes where a run differs from its prediction, and says whether it is a run of the program
    /// at all.
    fn counts(&self, i: usize, id: u32, run: &NativeRun, judged: &mut Judged) -> bool {
        let (test, seen) = (&self.proposed.tests[i], &self.observations[i]);
        match self.by_clang.get(&i) {
            Some(RunByClang::AsPredicted) => {
                judged.unspecified.push(id);
                let predicted: BTreeSet<&usize> = test.covers.iter().collect();
                if predicted != run.covers.iter().collect() {
                    judged.other_coverage.push(id);
                }
            }
            Some(RunByClang::NotAsked) => judged.not_asked.push(id),
            None => {
                if let Some(difference) = difference(test, seen) {
                    let text = format!("{} test {id}: {difference}", self.entry.function);
                    judged.divergences.push(text);
                    return seen.end.is_valid();
                }
            }
        }
        true
    }

    /// Enters what a run covers, and makes the test of the suite.
    fn enter(&mut self, i: usize, id: u32, run: &NativeRun) -> Outcome<SuiteTest> {
        let (test, seen) = (&self.proposed.tests[i], &self.observations[i]);
        let ledger = &mut *self.ledger;
        for objective in &run.covers {
            ledger.cover(*objective, id);
        }
        let made_for = match self.proposed.purposes.get(i) {
            Some(purpose) => Some(purpose.clone()),
            None if test.only_for_pairs => new_half(&run.vectors, ledger),
            None => (test.fresh.first()).map(|i| ledger.objectives()[*i].text.clone()),
        };
        for (decision, vector) in &run.vectors {
            ledger.show(id, *decision, *vector);
        }
        let label = match (&test.end, made_for) {
            (PathEnd::Fault(kind), _) => kind.name().to_owned(),
            (_, Some(text)) => text,
            (_, None) => format!("path {id}"),
        };
        let name = self.names.unique(&test_name(&self.entry.function, &label));
        let objectives = self.ledger.objectives();
        let covers = run.covers.iter().map(|i| objectives[*i].id.clone());
        let mut written = written_test(id, name, self.entry, test, seen, covers.collect());
        let unstable = self.unstable.get(&i).into_iter().flatten();
        written.unstable.extend(unstable.cloned());
        Ok(written)
    }
}

/// Does the native run cover all that was predicted?
fn shows_prediction(
    test: &labrys_engine::Test,
    seen: &Observation,
    triggers: &BTreeMap<Trigger, Vec<usize>>,
) -> bool {
    let covers = covered_by(test, seen, triggers, &BTreeSet::new());
    test.covers
        .iter()
        .all(|objective| covers.binary_search(objective).is_ok())
}

/// The objectives that a native run covers.
fn covered_by(
    test: &labrys_engine::Test,
    seen: &Observation,
    triggers: &BTreeMap<Trigger, Vec<usize>>,
    doubtful: &BTreeSet<usize>,
) -> Vec<usize> {
    let fired = seen.triggers.iter().filter_map(|t| triggers.get(t));
    let mut covers: Vec<usize> = fired.flatten().copied().collect();
    if is_undefined_after(&test.end) {
        covers.retain(|objective| test.covers.contains(objective));
    }
    covers.retain(|objective| !test.faulted.contains(objective));
    covers.retain(|objective| !doubtful.contains(objective));
    covers.sort_unstable();
    covers
}

/// A test of the suite with what its native run gave.
fn written_test(
    id: u32,
    name: String,
    entry: &EntryPoint,
    test: &labrys_engine::Test,
    seen: &Observation,
    covers: Vec<String>,
) -> SuiteTest {
    let inputs = test.inputs.iter().map(|input| shown(input, test, entry));
    let mut written = SuiteTest {
        id,
        name,
        entry: entry.function.clone(),
        inputs: inputs.collect(),
        covers,
        augments: Vec::new(),
        conditions: Some(test.conditions),
        outcome: String::new(),
        outputs: serde_json::Map::new(),
        output_bytes: Vec::new(),
        streams: Vec::new(),
        unstable: BTreeSet::new(),
    };
    written.observe(seen, |name| entry.outputs.get(name));
    match &test.end {
        PathEnd::Fault(FaultKind::StackOverflow) if !is_out_of_stack(&written.outcome) => {}
        PathEnd::Fault(kind) => written.outcome = kind.name().to_owned(),
        PathEnd::HarnessLimit { .. } => written.outcome = "harness-limit".to_owned(),
        _ => {}
    }
    if is_undefined_after(&test.end) {
        written.outputs.clear();
        written.output_bytes.clear();
        written.streams.clear();
    }
    written
}

/// What a native run has shown.
struct NativeRun {
    covers: Vec<usize>,
    vectors: Vec<(u32, OutcomeVector)>,
}

/// The evaluations that count for a proposed test.
fn shown_by(
    test: &labrys_engine::Test,
    seen: &Observation,
    ledger: &Ledger,
) -> Vec<(u32, OutcomeVector)> {
    let mut vectors = vectors_of(seen, ledger);
    if is_undefined_after(&test.end) {
        vectors.retain(|vector| test.vectors.contains(vector));
    }
    vectors
}

/// Which of the proposed tests something needs.
fn needed_tests(
    proposed: &[labrys_engine::Test],
    observations: &[Observation],
    runs: &[NativeRun],
    ledger: &Ledger,
) -> Vec<bool> {
    if proposed.iter().all(|test| !test.only_for_pairs) {
        return vec![true; proposed.len()];
    }
    let mut covered: BTreeSet<usize> = BTreeSet::new();
    let needed = proposed.iter().zip(runs).filter(|(t, _)| !t.only_for_pairs);
    covered.extend(needed.flat_map(|(_, run)| &run.covers));
    let mut candidates = Vec::new();
    for ((test, seen), run) in proposed.iter().zip(observations).zip(runs) {
        // A native run may cover more than was predicted.
        let more = !run
            .covers
            .iter()
            .all(|objective| covered.contains(objective));
        covered.extend(&run.covers);
        let counts = seen.end.is_valid() || difference(test, seen).is_none();
        candidates.push(pair_tests::PairTest {
            vectors: if counts {
                run.vectors.clone()
            } else {
                Vec::new()
            },
            kept: !test.only_for_pairs || more,
        });
    }
    pair_tests::choose(ledger, &candidates)
}

/// What a test shows that was not shown before: `x > 3 is true`.
fn new_half(vectors: &[(u32, OutcomeVector)], ledger: &Ledger) -> Option<String> {
    for (number, vector) in vectors {
        let Some(decision) = ledger.decision(*number) else {
            continue;
        };
        let halves = decision.formula.halves(*vector);
        for (i, condition) in decision.conditions.iter().enumerate() {
            for value in [true, false] {
                let known = || !ledger.shown().halves(decision, i, value).is_empty();
                if halves.has(i, value) && !known() {
                    return Some(format!("{} is {value}", condition.text));
                }
            }
        }
    }
    None
}

fn shown(input: &InputValue, test: &labrys_engine::Test, entry: &EntryPoint) -> TestInput {
    let mut shown = plainly_shown(input, entry);
    let is_text = matches!(entry.inputs.get(&input.name), Some(InputType::Array { .. }));
    if entry.world.is_some() && is_text {
        let size = format!("{}.size", input.name);
        let size = test.inputs.iter().find(|i| i.name == size);
        let bytes = world::visible_part(&input.bytes, size.map(|i| i.bytes.as_slice()));
        shown.value = String::from_utf8_lossy(bytes).into();
    }
    shown
}

fn plainly_shown(input: &InputValue, entry: &EntryPoint) -> TestInput {
    let known = entry.inputs.get(&input.name);
    let scalar = input.scalar().map(scalar_type);
    let ty = match input.kind {
        InputKind::Scalar(_) => known.or(scalar.as_ref()),
        InputKind::Pick { .. } | InputKind::Memory => known,
    };
    TestInput::new(&input.name, ty, input.bytes.clone())
}

fn scalar_type(scalar: Scalar) -> InputType {
    let (name, bits) = (scalar.c_name().to_owned(), scalar.bytes() as u32 * 8);
    if scalar.is_float() {
        InputType::Float { name, bits }
    } else {
        InputType::Int {
            name,
            bits,
            signed: scalar.is_signed(),
        }
    }
}

#[cfg(test)]
mod tests;
