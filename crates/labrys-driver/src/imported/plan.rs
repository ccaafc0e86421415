//! From an imported test to a native run, and from the run to a verdict: which entry it is for,
//! how its inputs reach the harness, and whether it fits the program at all.

use crate::failure::{Failure, Outcome};
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ledger::InputType;
use labrys_ledger::World;
use labrys_ledger::world::{FileContents, ProgramArgument, TestSurroundings};
use labrys_suite::import::{ImportFormat, ImportedContent, ImportedTest, ParsedNumber, inputs_for};
use labrys_suite::{
    Observation, ReplayCase, ReplayInputs, RunEnd, SuiteTest, TestInput, ended_normally, harness_of,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// libFuzzer's entry, which takes a file as it is.
const FUZZ_TARGET: &str = "LLVMFuzzerTestOneInput";

/// The type of an input that is a file as it is.
const STREAM: &str = "stream";

type InputBytes = [(String, Vec<u8>)];

/// The inputs of a test for its harness.
pub enum TestInputs<'a> {
    Named(Cow<'a, InputBytes>),
    Numbers(&'a [ParsedNumber]),
    Stream(&'a [u8]),
}

/// How a test is to be run.
pub struct TestPlan<'a> {
    pub entry: String,
    pub harness: String,
    /// Or why it cannot be run.
    pub inputs: Result<TestInputs<'a>, String>,
    /// What of the file has no counterpart.
    ignored: Vec<String>,
    types: Option<&'a EntryPoint>,
}

/// What a native run says of a test.
pub struct TestVerdict {
    pub outcome: String,
    /// Whether what it covers counts.
    pub counted: bool,
    pub problems: Vec<String>,
}

/// Finds out how a test is run. A test that does not say which function it is for needs a program
/// with only one.
pub fn plan<'a>(test: &'a ImportedTest, program: &'a AnnotatedProgram) -> Outcome<TestPlan<'a>> {
    let mut ignored = Vec::new();
    let (entry, inputs) = match &test.content {
        ImportedContent::Labrys { test, .. } => {
            let Some(entry) = find(program, test) else {
                return Ok(TestPlan {
                    entry: test.entry.clone(),
                    harness: harness_of(&test.entry),
                    inputs: Err(format!(
                        "it is for {}, which is not under test; under test: {}",
                        test.entry,
                        names(program)
                    )),
                    ignored,
                    types: None,
                });
            };
            let inputs = match &test.inputs[..] {
                [only] if only.ty == STREAM => TestInputs::Stream(&only.bytes),
                _ => TestInputs::Named(test.replay_inputs().into()),
            };
            (entry, Ok(inputs))
        }
        ImportedContent::Ktest(ktest) => {
            let entry = only(program, test)?;
            let inputs = match &entry.world {
                Some(world) if ktest.is_posix() => ktest.posix().and_then(|posix| {
                    ignored = posix.ignored;
                    inputs_for(world, &posix.surroundings)
                }),
                _ => Ok(ktest.objects.clone()),
            };
            (entry, inputs.map(|inputs| TestInputs::Named(inputs.into())))
        }
        ImportedContent::Numbers(numbers) => {
            (only(program, test)?, Ok(TestInputs::Numbers(numbers)))
        }
        ImportedContent::Bytes(bytes) => {
            let target = program.entries.iter().find(|e| e.function == FUZZ_TARGET);
            let entry = match target {
                Some(target) => target,
                None => only(program, test)?,
            };
            let around = entry.world.as_ref().and_then(|w| as_file(w, bytes));
            let inputs = match (around, &entry.world) {
                (Some(around), Some(world)) => {
                    inputs_for(world, &around).map(|inputs| TestInputs::Named(inputs.into()))
                }
                _ => Ok(TestInputs::Stream(bytes)),
            };
            (entry, inputs)
        }
    };
    Ok(TestPlan {
        entry: entry.function.clone(),
        harness: entry.harness.clone(),
        inputs,
        ignored,
        types: Some(entry),
    })
}

fn find<'a>(program: &'a AnnotatedProgram, test: &SuiteTest) -> Option<&'a EntryPoint> {
    let entries = &program.entries;
    let harness = test.harness();
    let same = entries.iter().find(|entry| entry.harness == harness);
    same.or_else(|| entries.iter().find(|entry| entry.function == test.entry))
}

fn only<'a>(program: &'a AnnotatedProgram, test: &ImportedTest) -> Outcome<&'a EntryPoint> {
    match &program.entries[..] {
        [only] => Ok(only),
        _ => Err(Failure::usage(format_args!(
            "{} does not say which function it is for; choose one with --function or --main (there are {})",
            test.file.display(),
            names(program)
        ))),
    }
}

fn names(program: &AnnotatedProgram) -> String {
    const MOST: usize = 8;
    let all = program.entries.iter();
    let names: Vec<&str> = all.map(|entry| entry.function.as_str()).collect();
    match names.len() {
        0..=MOST => names.join(", "),
        more => format!("{} and {} more", names[..MOST].join(", "), more - MOST),
    }
}

/// A whole program reads the bytes from standard input, or else from its only file.
fn as_file(world: &World, bytes: &[u8]) -> Option<TestSurroundings> {
    let is_input =
        |contents: &FileContents| matches!(contents, FileContents::Symbolic { most } if *most > 0);
    let mut around = TestSurroundings {
        arguments: world.arguments.iter().flat_map(fewest).collect(),
        ..TestSurroundings::default()
    };
    if is_input(&world.stdin) {
        around.stdin = bytes.to_vec();
        return Some(around);
    }
    let mut files = world.files.iter().filter(|file| is_input(&file.contents));
    let (file, None) = (files.next()?, files.next()) else {
        return None;
    };
    around.files.push((file.name.clone(), bytes.to_vec()));
    Some(around)
}

/// As few arguments as there can be, and empty ones.
fn fewest(argument: &ProgramArgument) -> Vec<Vec<u8>> {
    match argument {
        ProgramArgument::Text(text) => vec![text.clone().into_bytes()],
        ProgramArgument::Symbolic { min, .. } => vec![Vec::new(); *min as usize],
    }
}

impl TestPlan<'_> {
    /// For the native run; `None` if there can be none.
    pub fn case(&self) -> Option<ReplayCase<'_>> {
        let inputs = match self.inputs.as_ref().ok()? {
            TestInputs::Named(inputs) => ReplayInputs::Named(inputs),
            TestInputs::Numbers(numbers) => ReplayInputs::Numbers(numbers),
            TestInputs::Stream(bytes) => ReplayInputs::Stream(bytes),
        };
        Some(ReplayCase {
            harness: &self.harness,
            inputs,
        })
    }

    /// Whether a test fits the program, by its run.
    pub fn verdict(&self, test: &ImportedTest, seen: Option<&Observation>) -> TestVerdict {
        let Some(seen) = seen else {
            let problem = self.inputs.as_ref().err().cloned().unwrap_or_default();
            return TestVerdict {
                outcome: "not run".to_owned(),
                counted: false,
                problems: vec![problem],
            };
        };
        let mut problems = Vec::new();
        let counted = seen.end.is_valid() || goes_beyond(test, &seen.end);
        match &seen.end {
            RunEnd::OutOfInputs { detail } | RunEnd::InputMismatch { detail } if !counted => {
                problems.push(format!("it does not fit the program: {detail}"));
            }
            RunEnd::OutOfInputs { detail } | RunEnd::InputMismatch { detail } => {
                problems.push(format!("it counts up to here: {detail}"));
            }
            RunEnd::NoHarness { detail } => problems.push(detail.clone()),
            RunEnd::AssumeViolated => problems.push("it violates an assumption".to_owned()),
            _ => {}
        }
        if counted {
            problems.extend(self.left_over(seen));
        }
        if seen.padded {
            problems.push("it is too short for what the program asks for; the rest is zero".into());
        }
        if seen.incomplete {
            problems.push("its run did more than could be recorded".into());
        }
        if !self.ignored.is_empty() {
            problems.push(format!("ignored: {}", self.ignored.join(", ")));
        }
        TestVerdict {
            outcome: seen.end.outcome(),
            counted,
            problems,
        }
    }

    /// What the test has and a run to the end did not ask for.
    fn left_over(&self, seen: &Observation) -> Option<String> {
        if !seen.end.is_normal() || self.has_world() {
            return None;
        }
        match self.inputs.as_ref().ok()? {
            TestInputs::Named(inputs) => beyond(seen.inputs_used, inputs.len(), "inputs"),
            TestInputs::Numbers(numbers) => beyond(seen.inputs_used, numbers.len(), "values"),
            TestInputs::Stream(_) if self.entry == FUZZ_TARGET => None,
            TestInputs::Stream(bytes) => {
                let used = seen.asked.iter().map(|(_, bytes)| bytes.len()).sum();
                beyond(used, bytes.len(), "bytes")
            }
        }
    }

    fn has_world(&self) -> bool {
        self.types.is_some_and(|entry| entry.world.is_some())
    }

    /// The test as one of a suite of ours, by the inputs that the run asked for.
    pub fn as_test(
        &self,
        test: &ImportedTest,
        id: u32,
        name: String,
        covers: &[String],
        seen: &Observation,
    ) -> SuiteTest {
        let shown = |(name, bytes): &(String, Vec<u8>)| {
            TestInput::new(name, self.type_of(name, bytes.len()), bytes.clone())
        };
        let inputs = match (&test.content, &self.inputs) {
            (ImportedContent::Labrys { test, .. }, _) => test.inputs.clone(),
            (_, Ok(TestInputs::Named(inputs))) => inputs.iter().map(shown).collect(),
            (_, Ok(TestInputs::Stream(bytes))) if self.entry == FUZZ_TARGET => {
                let mut whole = TestInput::new("data", None, bytes.to_vec());
                whole.ty = STREAM.to_owned();
                vec![whole]
            }
            _ => seen.asked.iter().map(shown).collect(),
        };
        let mut written = SuiteTest {
            id,
            name,
            entry: self.entry.clone(),
            inputs,
            covers: covers.to_vec(),
            augments: Vec::new(),
            conditions: None,
            outcome: String::new(),
            outputs: serde_json::Map::new(),
            output_bytes: Vec::new(),
            streams: Vec::new(),
            unstable: BTreeSet::new(),
        };
        let entry = self.types;
        written.observe(seen, |name| entry.and_then(|e| e.outputs.get(name)));
        written
    }

    /// The type of an input, if it is of that size.
    fn type_of(&self, name: &str, size: usize) -> Option<&InputType> {
        let ty = self.types?.inputs.get(name)?;
        (labrys_suite::size(ty) == Some(size)).then_some(ty)
    }
}

fn beyond(used: usize, all: usize, what: &str) -> Option<String> {
    (used < all).then(|| format!("the program asks only for {used} of its {all} {what}"))
}

/// Whether a run that wants more than the test has still counts up to there: other tools write
/// tests for paths that they did not follow to the end, and ours end where the error is, which
/// natively may pass unnoticed.
fn goes_beyond(test: &ImportedTest, end: &RunEnd) -> bool {
    match &test.content {
        ImportedContent::Labrys { test, .. } => {
            let is_beyond = matches!(
                end,
                RunEnd::OutOfInputs { .. } | RunEnd::InputMismatch { .. } | RunEnd::AssumeViolated
            );
            is_beyond && !ended_normally(&test.outcome)
        }
        _ => matches!(end, RunEnd::OutOfInputs { .. }) && test.format != ImportFormat::Raw,
    }
}
