//! Mutants that share the run of a test get the same verdicts as those that are run one by one: for
//! every mutant and every test, on programs that make sharing hard.

#![allow(clippy::unwrap_used)]

mod common;

use common::{labrys, run, top};
use labrys_budget::Deadline;
use labrys_driver::imported::{SuiteRequest, cases};
use labrys_driver::program::ProgramForm;
use labrys_driver::request::Request;
use labrys_driver::request::world::{ArgumentOption, WorldOptions};
use labrys_front::MutationOperator;
use labrys_mutate::{
    AliveReason, MutantFate, ScoredMutants, ScoringOptions, ScoringWay, TestCase, score_with,
};
use labrys_suite::{ReplayLimits, Replayer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What both ways have shown, with the texts of the mutants.
struct Compared {
    texts: Vec<String>,
    shared: ScoredMutants,
}

impl Compared {
    /// How the tests kill the mutant with this text.
    fn kills(&self, text: &str) -> BTreeMap<usize, MutantFate> {
        let place = self.texts.iter().position(|t| t == text);
        let place = place.unwrap_or_else(|| panic!("{text} is not among {:#?}", self.texts));
        self.shared.kills[place].clone()
    }

    /// Why the mutant with this text is alive.
    fn reason(&self, text: &str) -> Option<AliveReason> {
        let place = self.texts.iter().position(|t| t == text);
        let place = place.unwrap_or_else(|| panic!("{text} is not among {:#?}", self.texts));
        self.shared.verdicts[place].reason.clone()
    }

    fn is_split(&self) {
        assert_eq!(self.shared.unsplit, 0, "a test was not split");
    }
}

/// Of all mutants, and of pairs of them.
fn compare(request: Request, suite: &Path) -> Compared {
    compare_order(request.clone(), suite, 2);
    compare_order(request, suite, 1)
}

fn compare_order(mut request: Request, suite: &Path, order: u32) -> Compared {
    request.objectives.order = order;
    request.objectives.operators.mutants = MutationOperator::LABELS.to_vec();
    let request = SuiteRequest {
        request,
        tests: vec![suite.to_owned()],
        format: None,
    };
    let built = request.build(ProgramForm::NativeMutants, &Deadline::never());
    let (suite, builds) = built.map_err(|failure| failure.message).unwrap();
    let plans = suite.plans(&builds).map_err(|f| f.message).unwrap();
    let (tests, _) = cases(&plans);
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let mutants = &builds[0].program.mutants;
    assert!((!mutants.is_empty() || order == 2) && !tests.is_empty());
    let score = |way: ScoringWay, all_kills: bool, jobs: usize| {
        let options = ScoringOptions { way, all_kills };
        let limits = ReplayLimits {
            jobs,
            ..ReplayLimits::default()
        };
        let all = |_: usize, tests: Vec<usize>| tests;
        score_with(
            options,
            mutants,
            &replayers,
            &tests,
            &all,
            &limits,
            &mut |_| {},
        )
        .unwrap()
    };
    let single = score(ScoringWay::OneByOne, true, 2);
    let shared = score(ScoringWay::Splitting, true, 1);
    let texts: Vec<String> = mutants.iter().map(|m| m.text.clone()).collect();
    let kills = |scored: &ScoredMutants| -> BTreeSet<String> {
        let each = scored.kills.iter().zip(&texts);
        each.enumerate()
            .map(|(place, (kills, text))| format!("{} {text}: {kills:?}", mutants[place].id))
            .collect()
    };
    let (new, old) = (kills(&shared), kills(&single));
    let different: Vec<&String> = new.symmetric_difference(&old).collect();
    assert!(different.is_empty(), "{different:#?}");
    first_kills_are_kills(&score(ScoringWay::Splitting, false, 2), &shared, &tests);
    Compared { texts, shared }
}

/// Up to the first kill, the same mutants die, each by a test that kills it.
fn first_kills_are_kills(first: &ScoredMutants, all: &ScoredMutants, tests: &[TestCase<'_>]) {
    assert_eq!(first.undecided, 0);
    for (verdict, kills) in first.verdicts.iter().zip(&all.kills) {
        match verdict.killed_by.first() {
            Some(test) => assert_eq!(kills.get(test), Some(&verdict.fate)),
            None => assert!(kills.is_empty()),
        }
        assert!(verdict.runs as usize <= tests.len());
    }
}

/// A function with parameters of type `int`, and its tests.
fn compare_function(text: &str, function: &str, names: &[&str], tests: &[&[i32]]) -> Compared {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.c");
    std::fs::write(&file, text).unwrap();
    let suite = suite(&dir, function, names, tests);
    compare(Request::new(vec![file]).function(function), &suite)
}

fn suite(dir: &TempDir, function: &str, names: &[&str], tests: &[&[i32]]) -> PathBuf {
    let input = |(name, value): (&&str, &i32)| {
        let bytes = value.to_le_bytes();
        let bytes: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        json!({"name": name, "type": "int", "value": value, "bytes": bytes})
    };
    let test = |(number, values): (usize, &&[i32])| {
        let inputs: Vec<Value> = names.iter().zip(*values).map(input).collect();
        json!({"id": number + 1, "name": format!("t{}", number + 1), "entry": function,
               "inputs": inputs, "covers": [], "outcome": "ok", "outputs": {}})
    };
    let tests: Vec<Value> = tests.iter().enumerate().map(test).collect();
    let suite = json!({"schema": "labrys/1", "target": {"files": ["x.c"], "entry": function},
                       "tests": tests});
    let path = dir.path().join("suite.json");
    std::fs::write(&path, suite.to_string()).unwrap();
    path
}

fn fate(fate: MutantFate) -> BTreeMap<usize, MutantFate> {
    BTreeMap::from([(0, fate)])
}

#[test]
fn an_infection_in_a_later_turn_of_a_loop_splits_off_there() {
    let text = "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s = s + i * i; return s; }";
    let seen = compare_function(text, "sum", &["n"], &[&[2], &[5], &[0]]);
    seen.is_split();
    // 0 and 2 have the same square and double; 1 comes between them.
    let both = BTreeMap::from([(0, MutantFate::Killed), (1, MutantFate::Killed)]);
    assert_eq!(seen.kills("AOR: i * i → i + i"), both);
    // Those that were split off together part again: 1 - 1 and 1 / 1 - 1, then 2 - 2 and 2 % 2.
    assert_eq!(seen.kills("AOR: i * i → i - i"), both);
    assert_eq!(seen.kills("ROR: i < n → i != n"), BTreeMap::new());
}

#[test]
fn an_infection_that_is_masked_survives() {
    let text = "int large(int a) { int b = a * 2; return b > 100; }";
    let seen = compare_function(text, "large", &["a"], &[&[3], &[70]]);
    seen.is_split();
    assert_eq!(seen.kills("CRO: 2 → 3"), BTreeMap::new());
    assert_eq!(
        seen.kills("AOR: a * 2 → a - 2"),
        BTreeMap::from([(1, MutantFate::Killed)])
    );
}

const SIGN: &str = "\
int sign(int a, int b) {
  OPEN
  int c = a + b;
  if (a > b)
    c = a;
  return c > 0;
}
";

#[test]
fn mutants_that_always_compute_the_same_were_never_infected() {
    let tests: [&[i32]; 2] = [&[1, 2], &[3, 1]];
    let text = SIGN.replace("OPEN", "");
    let seen = compare_function(&text, "sign", &["a", "b"], &tests);
    seen.is_split();
    let never = Some(AliveReason::NeverInfected);
    assert_eq!(seen.reason("ROR: a > b → a >= b"), never);
    assert_eq!(seen.reason("ROR: c > 0 → c != 0"), never);
    let same = Some(AliveReason::SameOutputs);
    // Another sum, and an assignment to another variable.
    assert_eq!(seen.reason("AOR: a + b → a * b"), same);
    assert_eq!(seen.reason("LHS: c = a → b = a"), same);
    assert_eq!(seen.reason("ROR: a > b → false"), same);
    assert_eq!(seen.reason("AOR: a + b → a - b"), None);
}

#[test]
fn nobody_knows_the_values_of_mutants_that_are_run_one_by_one() {
    let text = format!(
        "#include <stdio.h>\n{}",
        SIGN.replace("OPEN", "fopen(\"o\", \"w\");")
    );
    let seen = compare_function(&text, "sign", &["a", "b"], &[&[1, 2], &[3, 1]]);
    assert!(seen.shared.unsplit > 0);
    let same = Some(AliveReason::SameOutputs);
    assert_eq!(seen.reason("ROR: a > b → a >= b"), same);
}

#[test]
fn endless_loops_and_crashes_keep_to_themselves() {
    let text = "static int table[4] = {1, 2, 3, 4};\n\
                int walk(int n, int d) {\n  int i = 0, s = 0;\n\
                while (i < n) { s = s + table[i] / d; i = i + 1; }\n  return s;\n}\n";
    let seen = compare_function(text, "walk", &["n", "d"], &[&[4, 1], &[0, 0]]);
    seen.is_split();
    assert_eq!(seen.kills("AOR: i + 1 → i * 1"), fate(MutantFate::Timeout));
    assert_eq!(
        seen.kills("ABS: i → fails on zero").get(&0),
        Some(&MutantFate::Crashed)
    );
}

#[test]
fn a_fault_of_one_mutant_is_not_that_of_its_group() {
    // Both alternatives of the index are split off together, and one of them faults later.
    let text = "static int table[4] = {7, 7, 7, 9};\n\
                int pick(int n) { int s = 0; for (int i = 0; i < 3; i++) { int *p = i == n ? 0 : table; \
                s = s * 10 + (p ? 1 : 2) + (i == 2 && n == 1 ? 0 : table[i] / (2 - i * n)); } return s; }\n";
    compare_function(text, "pick", &["n"], &[&[0], &[2], &[1]]);
    // The original faults where some mutants do not.
    let text = "static int one = 1;\n\
                int read(int n) { int *p = n ? 0 : &one; return *p > 0 ? 3 : 4; }\n";
    let seen = compare_function(text, "read", &["n"], &[&[1], &[0]]);
    assert!(seen.kills("ROR: *p > 0 → true").contains_key(&0));
}

#[test]
fn a_mutant_that_asks_for_other_inputs_is_killed() {
    let text = "int more(void);\n\
                int ask(int n) { int s = 0; while (n > 0) { s = s + more(); n = n - 1; } return s; }";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.c");
    std::fs::write(&file, text).unwrap();
    let mut gen_suite = labrys(dir.path());
    gen_suite.args([
        "gen",
        "x.c",
        "--function",
        "ask",
        "--quiet",
        "--paths",
        "4",
        "--out",
        "out",
    ]);
    let ended = run(&mut gen_suite);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let seen = compare(
        Request::new(vec![file]).function("ask"),
        &dir.path().join("out"),
    );
    seen.is_split();
    let kills = seen.kills("ROR: n > 0 → n >= 0");
    assert!(kills.values().all(|fate| *fate == MutantFate::Killed) && !kills.is_empty());
}

#[test]
fn output_before_and_behind_the_split_is_that_of_the_mutant() {
    let text = "#include <stdio.h>\n\
                int show(int a, int b) {\n  printf(\"a %d\\n\", a);\n\
                fprintf(stderr, \"sum %d\\n\", a + b);\n  setvbuf(stdout, NULL, _IOFBF, 4096);\n\
                printf(\"first \"); if (a > b) printf(\"larger \"); printf(\"last\\n\");\n\
                return 0;\n}\n";
    let seen = compare_function(text, "show", &["a", "b"], &[&[3, 1], &[1, 1]]);
    seen.is_split();
    let second = BTreeMap::from([(1, MutantFate::Killed)]);
    assert_eq!(seen.kills("ROR: a > b → a >= b"), second);
}

#[test]
fn values_of_all_types_are_compared() {
    let text = "struct bits { unsigned low : 3; signed high : 5; };\n\
                double zero = 0.0;\n\
                int many(int a, int b) {\n\
                  struct bits s = {a, b};\n\
                  double q = a / zero, r = q - q; float f = (float)(a * 0.5);\n\
                  long double wide = a + 0.25L; signed char c = (signed char)a;\n\
                  unsigned short h = (unsigned short)(b + c); long l = (long)a << 3; int *p = &b;\n\
                  int nan = r != r, low = s.low - 5 < 0;\n\
                  c = -c; l = l ^ (h | 1); p = p + (a == 77);\n\
                  return nan + low * 2 + (s.high < 0) * 4 + (f > 1.0f) * 8 + (wide > 2) * 16 + c + (int)l + *p;\n\
                }\n";
    let tests: &[&[i32]] = &[&[0, 0], &[1, -3], &[-128, 7], &[5, 65536]];
    compare_function(text, "many", &["a", "b"], tests).is_split();
}

#[test]
fn nested_points_recursion_and_jumps() {
    let text = "#include <setjmp.h>\n\
                static jmp_buf out; static int depth;\n\
                static int inner(int a, int b) {\n\
                  if (a - b > 3 && (a + b) * (a - b) > 20) longjmp(out, 1 + (a > b));\n\
                  return a <= 0 ? b : inner(a - 1, b) + (depth += a % 2);\n}\n\
                int outer(int a, int b) {\n\
                  int how = setjmp(out);\n\
                  if (how != 0) return 100 + how;\n\
                  return inner(a, b) * 2 + inner(b, a) / (b ? b : 1) + depth;\n}\n";
    let tests: &[&[i32]] = &[&[3, 2], &[9, 1], &[0, 0], &[-1, -1]];
    compare_function(text, "outer", &["a", "b"], tests).is_split();
}

#[test]
fn mutants_of_one_expression_that_compute_the_same_share_a_process() {
    let text = "int f(int a, int b, int c) {\n\
                  if ((a + b) * c > a - b && b / (a - 3) != c % (b + 7)) return a * 2;\n\
                  return a > b ? c / (b - 4) : b / (c - 9) - a;\n\
                }\n";
    let tests: [&[i32]; 5] = [
        &[1, 2, 3],
        &[-4, 5, 6],
        &[7, 7, -8],
        &[0, 0, 0],
        &[9, -1, 2],
    ];
    let compared = compare_function(text, "f", &["a", "b", "c"], &tests);
    compared.is_split();
    // A decision has two values: one process for each at most, beside those that fault.
    let (runs, pairs) = (compared.shared.native_runs, 5 * compared.texts.len());
    assert!(runs * 3 < pairs, "{runs} runs for {pairs} pairs");
}

#[test]
fn an_expression_may_have_more_mutants_than_are_tried_at_once() {
    let terms: Vec<String> = (1..60)
        .map(|n| format!("(a + {n}) % (b * {n} + 1)"))
        .collect();
    let text = format!(
        "int f(int a, int b) {{ return ({}) % 5 > 1; }}",
        terms.join(" + ")
    );
    let compared = compare_function(&text, "f", &["a", "b"], &[&[3, 2], &[-9, 4]]);
    compared.is_split();
    assert!(compared.texts.len() > 500, "{}", compared.texts.len());
}

#[test]
fn what_lies_around_an_array_is_the_same_in_both_ways() {
    let text = "static int table[3] = {4, 5, 6}, zeros[3];\n\
                int f(int a, int b) {\n\
                  int own[3] = {7, 8, 9}, unset, sum = 0;\n\
                  for (int i = 0; i < a; i++) { unset = i; sum += unset; }\n\
                  return sum + table[a] - zeros[b] * own[a] + own[b];\n\
                }\n";
    compare_function(text, "f", &["a", "b"], &[&[0, 2], &[1, 1], &[2, 0]]).is_split();
}

#[test]
fn impure_choices_get_processes_of_their_own() {
    let text = "static int count;\n\
                static int next(void) { return count++; }\n\
                int pure(int a) { int b = 1, c = 2; b = a; c += next() + a; a++; return (next() > 0 && c < 9) ? b : c; }\n";
    compare_function(text, "pure", &["a"], &[&[1], &[9]]).is_split();
}

#[test]
fn what_cannot_be_kept_apart_is_run_one_by_one() {
    let programs = [
        (
            "fork",
            "#include <sys/wait.h>\n#include <unistd.h>\n\
             int f(int a) { int s = 0; if (fork() == 0) _exit(a + 1); wait(&s); return s + a; }\n",
        ),
        (
            "signal",
            "#include <signal.h>\n#include <stdlib.h>\nstatic void on(int n) { exit(3); }\n\
             int f(int a) { signal(SIGFPE, on); return 6 / a; }\n",
        ),
        (
            "file",
            "#include <stdio.h>\nint f(int a) { FILE *o = fopen(\"o\", \"w\");\n\
             if (o) { fprintf(o, \"%d\", a + 1); fclose(o); } return a * 2; }\n",
        ),
        (
            "pipe",
            "#include <unistd.h>\nint f(int a) { int p[2]; pipe(p); return a + 1; }\n",
        ),
    ];
    for (name, text) in programs {
        let seen = compare_function(text, "f", &["a"], &[&[2]]);
        assert!(seen.shared.unsplit > 0, "{name}");
    }
}

/// A whole program with a generated suite of at most so many paths.
fn compare_program(file: &Path, flags: &[&str], world: &WorldOptions) -> Compared {
    let dir = tempfile::tempdir().unwrap();
    let mut made = labrys(dir.path());
    made.arg("gen").arg(file).args(flags);
    let ended = run(made.args(["--main", "--quiet", "--paths", "12", "--out", "out"]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut request = Request::new(vec![file.to_owned()]);
    request.world = labrys_driver::request::world::world(world)
        .map_err(|failure| failure.message)
        .unwrap();
    let seen = compare(request, &dir.path().join("out"));
    assert!(seen.shared.kills.iter().any(|kills| !kills.is_empty()));
    seen
}

#[test]
fn whole_programs_read_arguments_and_files() {
    let world = WorldOptions {
        arguments: vec![ArgumentOption::Symbolic("0..2:2".parse().unwrap())],
        sym_stdin: Some(3),
        sym_file: vec!["ab:3".parse().unwrap()],
        ..WorldOptions::default()
    };
    let flags = [
        "--sym-args",
        "0..2:2",
        "--sym-stdin",
        "3",
        "--sym-file",
        "ab:3",
    ];
    let file = top().join("tests/files/programs/wc.c");
    compare_program(&file, &flags, &world).is_split();
}

#[test]
fn each_process_has_its_own_place_in_a_stream() {
    let text = "#include <stdio.h>\nint main(void) {\n  long start = 0, end = 0; int c = 0, n = 0;\n\
                c = getchar(); start = ftell(stdin);\n\
                while ((c = getchar()) != EOF) n = n + (c == 'a');\n\
                end = ftell(stdin); fseek(stdin, start, SEEK_SET); c = getchar();\n\
                printf(\"%d %ld %d\\n\", n, end - start, c);\n  return n > 1;\n}\n";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.c");
    std::fs::write(&file, text).unwrap();
    let world = WorldOptions {
        sym_stdin: Some(4),
        ..WorldOptions::default()
    };
    compare_program(&file, &["--sym-stdin", "4"], &world).is_split();
}
