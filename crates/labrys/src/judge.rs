//! The compiled program decides: proposed tests are run natively, and only what their runs show
//! enters the ledger and the suite.

use crate::failure::{Failure, Outcome};
use crate::needed;
use labrys_engine::{InputKind, InputValue, MAX_OUTPUT, PathEnd, Report, Scalar, StreamPart};
use labrys_front::EntryPoint;
use labrys_ledger::world;
use labrys_ledger::{Decision, InputType, Ledger, Objective, OutcomeVector, Trigger};
use labrys_suite::{
    Observation, ReplayCase, ReplayInputs, ReplayLimits, Replayer, RunEnd, SuiteTest, TestInput,
    UniqueNames, test_name,
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
    /// Whether the native runs saw no files but their own.
    pub confined: bool,
}

impl Judged {
    /// Adds the tests of another judgement.
    pub fn add(&mut self, more: Judged) {
        self.tests.extend(more.tests);
        self.numbers.extend(more.numbers);
        self.native.extend(more.native);
        self.divergences.extend(more.divergences);
        self.unspecified.extend(more.unspecified);
        self.confined &= more.confined;
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

/// What native runs are made with.
pub struct Judge<'a> {
    pub replayer: &'a Replayer,
    /// The program compiled by the compiler that the engine's code comes from; made on demand.
    pub second: &'a dyn Fn() -> Outcome<Replayer>,
    pub limits: &'a ReplayLimits,
}

/// The objectives by what triggers them.
pub fn by_trigger(objectives: &[Objective]) -> BTreeMap<Trigger, Vec<usize>> {
    let mut map: BTreeMap<Trigger, Vec<usize>> = BTreeMap::new();
    for (i, objective) in objectives.iter().enumerate() {
        map.entry(objective.trigger).or_default().push(i);
    }
    map
}

/// Replays the proposed tests of one entry and enters what they cover.
pub fn judge(
    entry: &EntryPoint,
    proposed: &Proposed<'_>,
    judge: &Judge<'_>,
    ledger: &mut Ledger,
    names: &mut UniqueNames,
    first_id: u32,
) -> Outcome<Judged> {
    let Proposed {
        tests: proposed,
        faulted,
        purposes,
    } = *proposed;
    // A predicate that faults somewhere may natively read anything there: such a label counts
    // only if the engine has covered it, too.
    let mut doubtful = faulted.clone();
    for objective in proposed.iter().flat_map(|test| &test.covers) {
        doubtful.remove(objective);
    }
    let inputs: Vec<Vec<(String, Vec<u8>)>> = proposed
        .iter()
        .map(|test| {
            test.inputs
                .iter()
                .map(|i| (i.name.clone(), i.bytes.clone()))
                .collect()
        })
        .collect();
    let cases: Vec<ReplayCase<'_>> = inputs
        .iter()
        .map(|inputs| ReplayCase {
            harness: &entry.harness,
            inputs: ReplayInputs::Named(inputs),
        })
        .collect();
    let observations = (judge.replayer)
        .run(&cases, judge.limits)
        .map_err(Failure::internal)?;
    let excused = excused(proposed, &cases, &observations, judge)?;
    let triggers = by_trigger(ledger.objectives());
    let covers_of = |test: &labrys_engine::Test, seen: &Observation| {
        let mut covers: Vec<usize> = seen
            .triggers
            .iter()
            .flat_map(|t| triggers.get(t).cloned().unwrap_or_default())
            .collect();
        if is_undefined_after(&test.end) {
            covers.retain(|objective| test.covers.contains(objective));
        }
        covers.retain(|objective| !test.faulted.contains(objective));
        covers.retain(|objective| !doubtful.contains(objective));
        covers.sort_unstable();
        covers
    };
    let runs: Vec<Run> = proposed
        .iter()
        .zip(&observations)
        .map(|(test, seen)| Run {
            covers: covers_of(test, seen),
            vectors: shown_by(test, seen, ledger),
        })
        .collect();
    let needed = needed_tests(proposed, &observations, &runs, ledger);
    let mut judged = Judged {
        tests: Vec::new(),
        numbers: Vec::new(),
        native: BTreeMap::new(),
        divergences: Vec::new(),
        unspecified: Vec::new(),
        confined: observations.iter().all(|seen| seen.confined),
    };
    for (i, (test, seen)) in proposed.iter().zip(&observations).enumerate() {
        let id = first_id + judged.tests.len() as u32;
        if !needed[i] {
            judged.numbers.push(None);
            continue;
        }
        if excused.contains(&i) {
            judged.unspecified.push(id);
        } else if let Some(difference) = difference(test, seen) {
            judged
                .divergences
                .push(format!("{} test {id}: {difference}", entry.function));
            if !seen.end.is_valid() {
                judged.numbers.push(None);
                continue;
            }
        }
        let Run { covers, vectors } = &runs[i];
        for objective in covers {
            ledger.cover(*objective, id).map_err(Failure::internal)?;
        }
        let made_for = match purposes.get(i) {
            Some(purpose) => Some(purpose.clone()),
            None if test.only_for_pairs => new_half(vectors, ledger),
            None => (test.fresh.first()).map(|i| ledger.objectives()[*i].text.clone()),
        };
        for (decision, vector) in vectors {
            ledger.show(id, *decision, *vector);
        }
        let label = match (&test.end, made_for) {
            (PathEnd::Fault(kind), _) => kind.name().to_owned(),
            (_, Some(text)) => text,
            (_, None) => format!("path {id}"),
        };
        let mut written = SuiteTest {
            id,
            name: names.unique(&test_name(&entry.function, &label)),
            entry: entry.function.clone(),
            inputs: test
                .inputs
                .iter()
                .map(|input| shown(input, test, entry))
                .collect(),
            covers: covers
                .iter()
                .map(|i| ledger.objectives()[*i].id.clone())
                .collect(),
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
            PathEnd::Fault(kind) => written.outcome = kind.name().to_owned(),
            PathEnd::HarnessLimit { .. } => written.outcome = "harness-limit".to_owned(),
            _ => {}
        }
        if is_undefined_after(&test.end) {
            written.outputs.clear();
            written.output_bytes.clear();
            written.streams.clear();
        }
        judged.native.insert(id, seen.end.outcome());
        judged.tests.push(written);
        judged.numbers.push(Some(id));
    }
    Ok(judged)
}

/// What a native run has shown.
struct Run {
    covers: Vec<usize>,
    vectors: Vec<(u32, OutcomeVector)>,
}

/// The evaluations of decisions in a native run. The outcome of a condition that is a decision on
/// its own is one.
pub fn vectors_of(seen: &Observation, ledger: &Ledger) -> Vec<(u32, OutcomeVector)> {
    let mut vectors = seen.vectors.clone();
    for trigger in &seen.triggers {
        if let Trigger::Condition {
            decision,
            index: 0,
            value,
        } = *trigger
            && ledger.decision(decision).is_some_and(Decision::is_single)
        {
            vectors.push((decision, OutcomeVector::default().with(0, value)));
        }
    }
    vectors
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
    runs: &[Run],
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
        candidates.push(needed::Candidate {
            vectors: if counts {
                run.vectors.clone()
            } else {
                Vec::new()
            },
            kept: !test.only_for_pairs || more,
        });
    }
    needed::choose(ledger, &candidates)
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

/// Whether a native run may go on after the engine's has ended, and then does whatever lies in
/// memory: what it reaches there says nothing about the program.
fn is_undefined_after(end: &PathEnd) -> bool {
    matches!(end, PathEnd::Fault(_) | PathEnd::HarnessLimit { .. })
}

/// The tests that differ from the prediction, but not if clang compiles the program.
fn excused(
    proposed: &[labrys_engine::Test],
    cases: &[ReplayCase<'_>],
    observations: &[Observation],
    judge: &Judge<'_>,
) -> Outcome<BTreeSet<usize>> {
    let differs = |i: &usize| {
        let seen = &observations[*i];
        seen.end.is_valid() && difference(&proposed[*i], seen).is_some()
    };
    let different: Vec<usize> = (0..proposed.len()).filter(differs).collect();
    if different.is_empty() {
        return Ok(BTreeSet::new());
    }
    let again: Vec<ReplayCase<'_>> = different.iter().map(|i| cases[*i]).collect();
    let seen = (judge.second)()?
        .run(&again, judge.limits)
        .map_err(Failure::internal)?;
    let as_predicted =
        |(i, seen): &(&usize, &Observation)| difference(&proposed[**i], seen).is_none();
    Ok(different
        .iter()
        .zip(&seen)
        .filter(as_predicted)
        .map(|(i, _)| *i)
        .collect())
}

/// What a native run did otherwise than predicted. A fault is undefined behaviour: natively the
/// program may run on, so only its prefix could be compared.
fn difference(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    if !seen.end.is_valid() {
        // A run that goes on natively where the engine stopped may ask for other inputs, or come
        // to a function that never returns.
        let stopped_early = !matches!(test.end, PathEnd::Returned | PathEnd::Exited { .. });
        if stopped_early && is_beyond(&seen.end) {
            return None;
        }
        return Some(format!(
            "the native run ended with '{}'",
            seen.end.outcome()
        ));
    }
    match test.end {
        PathEnd::Returned | PathEnd::Exited { .. } if seen.trace != test.trace => {
            Some("the native run took another path than predicted".into())
        }
        PathEnd::Returned if !matches!(seen.end, RunEnd::Returned | RunEnd::Exit { .. }) => Some(
            format!("the native run ended with '{}'", seen.end.outcome()),
        ),
        PathEnd::Returned | PathEnd::Exited { .. } => {
            other_output(test, seen).or_else(|| other_result(test, seen))
        }
        _ => None,
    }
}

/// What may become of a run beyond the end of the predicted one.
fn is_beyond(end: &RunEnd) -> bool {
    matches!(
        end,
        RunEnd::OutOfInputs { .. } | RunEnd::InputMismatch { .. } | RunEnd::AssumeViolated
    )
}

/// The first output that differs from the prediction.
fn other_output(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    if seen.incomplete {
        return None;
    }
    let is_file = |name: &str| name.starts_with("file ");
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, predicted) in &test.outputs {
        let turn = turns.entry(name).or_default();
        let mut same_name = seen.outputs.iter().filter(|(n, _)| n == name);
        let Some((_, bytes)) = same_name.nth(*turn) else {
            // A file that was written but is as before is no output.
            if is_file(name) {
                continue;
            }
            return Some(format!("the native run has no output '{name}'"));
        };
        *turn += 1;
        let same =
            (predicted.len() == bytes.len() || predicted.len() == MAX_OUTPUT || !is_file(name))
                && predicted
                    .iter()
                    .zip(bytes)
                    .all(|(p, b)| p.is_none_or(|p| p == *b));
        if !same {
            return Some(format!(
                "the native run gives another output '{name}' than predicted"
            ));
        }
    }
    None
}

/// What a whole program has produced otherwise than predicted: its exit status, what it wrote to
/// its streams, its files.
fn other_result(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    let observed = |name: &str| seen.outputs.iter().find(|(n, _)| n == name);
    if seen.incomplete || observed("stdout").is_none() {
        return None;
    }
    if let PathEnd::Exited { status } = test.end {
        let expected = status & 0xff;
        if seen.end != (RunEnd::Exit { code: expected }) {
            return Some(format!(
                "the native run ended with '{}', predicted was exit {expected}",
                seen.end.outcome()
            ));
        }
    }
    for (name, parts) in ["stdout", "stderr"].iter().zip(&test.streams) {
        if observed(name).is_some_and(|(_, bytes)| !matches(parts, bytes)) {
            return Some(format!("the native run writes something else to {name}"));
        }
    }
    let files = seen.outputs.iter().filter(|(n, _)| n.starts_with("file "));
    let predicted = |name: &str| test.outputs.iter().any(|(n, _)| n == name);
    files
        .map(|(name, _)| name)
        .find(|name| !predicted(name))
        .map(|name| format!("only the native run writes the {name}"))
}

/// Whether bytes are what was predicted.
fn matches(parts: &[StreamPart], bytes: &[u8]) -> bool {
    let starts = |part: &[Option<u8>], bytes: &[u8]| {
        bytes.len() >= part.len()
            && part
                .iter()
                .zip(bytes)
                .all(|(p, b)| p.is_none_or(|p| p == *b))
    };
    match parts {
        [] => bytes.is_empty(),
        [StreamPart::Any] => true,
        // The last part ends with the bytes.
        [StreamPart::Any, StreamPart::Bytes(last)] => {
            bytes.len() >= last.len() && starts(last, &bytes[bytes.len() - last.len()..])
        }
        [StreamPart::Bytes(part), rest @ ..] => {
            starts(part, bytes) && matches(rest, &bytes[part.len()..])
        }
        // The first place that fits is as good as any: what follows is free again.
        [StreamPart::Any, rest @ ..] => match rest {
            [StreamPart::Bytes(part), ..] => (0..=bytes.len())
                .find(|at| starts(part, &bytes[*at..]))
                .is_some_and(|at| matches(rest, &bytes[at..])),
            _ => matches(rest, bytes),
        },
    }
}

fn shown(input: &InputValue, test: &labrys_engine::Test, entry: &EntryPoint) -> TestInput {
    let mut shown = plainly_shown(input, entry);
    let is_text = matches!(entry.inputs.get(&input.name), Some(InputType::Array { .. }));
    if entry.world.is_some() && is_text {
        let size = format!("{}.size", input.name);
        let size = test.inputs.iter().find(|i| i.name == size);
        let bytes = world::used(&input.bytes, size.map(|i| i.bytes.as_slice()));
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
