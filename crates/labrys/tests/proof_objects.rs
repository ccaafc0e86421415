//! Proofs that others can follow and check: `explain` names what contradicts, `check` asks other solvers and
//! notices changed files, `prove` has all rules, and a witness is a C program that never calls `reach_error`.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Ended, labrys, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use yaml_rust2::YamlLoader;

/// A counter behind a loop without a bound; `BOUND` is what the loop compares it with.
const COUNTER: &str = "
unsigned drain(unsigned level) {
  unsigned left = level;
  while (left > 0) {
    if (left > level)
      return 0;
    left--;
  }
  return left;
}
";

/// The same with a step that can go beyond.
const NEAR_MISS: &str = "
unsigned drain(unsigned level) {
  unsigned left = level;
  while (left > 0) {
    if (left > level)
      return 0;
    left -= 3;
  }
  return left;
}
";

struct Scene {
    dir: TempDir,
}

impl Scene {
    fn new(source: &str) -> Self {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("x.c"), source).unwrap();
        Scene { dir }
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        run(labrys(self.dir.path()).args(arguments))
    }

    fn generated(source: &str, arguments: &[&str]) -> Self {
        let scene = Scene::new(source);
        let ended = scene.run(&[&["gen", "x.c", "--quiet"], arguments].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("labrys-out").join(name)
    }

    /// The objective with this text.
    fn objective(&self, text: &str) -> Value {
        let file = fs::read_to_string(self.path("objectives.json")).unwrap();
        let file: Value = serde_json::from_str(&file).unwrap();
        let objectives = file["objectives"].as_array().unwrap();
        let found = objectives.iter().find(|o| o["text"] == text);
        found.unwrap_or_else(|| panic!("{text}: {file}")).clone()
    }

    fn explained(&self, text: &str) -> String {
        let objective = self.objective(text);
        let id = objective["id"].as_str().unwrap();
        let ended = self.run(&["explain", "labrys-out", id]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    }

    /// Changes a file of formulas, and its digest if `hides` says so.
    fn tamper(&self, name: &str, change: impl Fn(&str) -> String, hides: bool) {
        let path = self.path(name);
        let before = fs::read_to_string(&path).unwrap();
        let after = change(&before);
        assert_ne!(before, after);
        fs::write(&path, &after).unwrap();
        if hides {
            let digest = |text: &str| {
                let file = self.dir.path().join("digest");
                fs::write(&file, text).unwrap();
                let said = Command::new("sha256sum").arg(&file).output().unwrap();
                String::from_utf8_lossy(&said.stdout)[..64].to_owned()
            };
            let objectives = fs::read_to_string(self.path("objectives.json")).unwrap();
            let changed = objectives.replace(&digest(&before), &digest(&after));
            assert_ne!(objectives, changed);
            fs::write(self.path("objectives.json"), changed).unwrap();
        }
    }
}

const LOOPS: [&str; 4] = ["--function", "drain", "--proof-rules", "loops"];
const LOOPS_FILE: &str = "proofs/loops-drain-1.smt2";

#[test]
fn a_proof_through_a_loop_names_its_relations_and_can_be_checked() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    let text = scene.explained("left > level is true");
    assert!(
        text.contains("x.c:4  whenever a turn of this loop begins: left <= level"),
        "{text}"
    );
    assert!(text.contains("left@4 contradicts"), "{text}");
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(
        checked.stdout.contains("confirmed by Bitwuzla"),
        "{checked:?}"
    );
}

/// A flag that every turn sets, and bounds that the caller has looked at.
const BACKWARD: &str = "
static int status(int i, int size) {
  if (i < 0 || i >= size)
    return -1;
  return i;
}
int check(int size, int x) {
  int count = 0, mode = 0, i = 0;
  while (i < size) {
    if (status(i, size) == x)
      count++;
    mode = 5;
    i++;
  }
  if (i > 0 && mode == 0)
    return -1;
  return count;
}
";

#[test]
fn a_proof_backward_names_what_closes_each_way_and_can_be_checked() {
    let frontier = ["--function", "check", "--proof-rules", "frontier"];
    let scene = Scene::generated(BACKWARD, &frontier);
    let text = scene.explained("mode == 0 is true");
    assert!(text.contains("mode == 0 would have to hold here"), "{text}");
    for closed in [
        "mode == 0 contradicts mode == 5",
        "contradicts (i of check) == 0",
    ] {
        let closed = closed.replace("(i of check)", "i");
        let plain = text.replace("(i of check)", "i");
        assert!(plain.contains(&closed), "{text}");
    }
    assert!(
        scene.explained("i >= size is true").contains("formula"),
        "{text}"
    );
    let file = "proofs/frontier-check.smt2";
    assert!(text.contains(file), "{text}");
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(!checked.stdout.contains("in no file"), "{checked:?}");
    // Claims that do not hold: what is known of all runs is left, which is not enough.
    let weaker = |text: &str| text.replace("(assert (= e", "; (= e");
    scene.tamper(file, weaker, true);
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
}

/// A machine whose states decide a flag; behind the join stands a value between 1 and 5.
const MACHINE: &str = "
extern int labrys_int(const char *name);
static int state = 10, speed, closed;
int main(void) {
  for (;;) {
    int got = labrys_int(\"got\");
    switch (state) {
    case 10:
      if (got > 0 && got < 6) { speed = got; state = 20; }
      break;
    case 20:
      if (closed) return 1;
      if (speed > 7) return 2;
      state = got ? 30 : 10;
      break;
    case 30:
      closed = 1;
      return 3;
    }
  }
}
";

#[test]
fn a_proof_over_sets_of_states_has_claims() {
    let states = ["--proof-rules", "states", "--paths", "3000"];
    let scene = Scene::generated(MACHINE, &states);
    let text = scene.explained("speed > 7 is true");
    assert!(text.contains("is in that set"), "{text}");
    assert!(
        text.contains("7 < ") && text.contains("contradicts"),
        "{text}"
    );
    assert!(text.contains("proofs/states-main"), "{text}");
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
fn a_near_miss_is_not_proved() {
    let scene = Scene::generated(NEAR_MISS, &["--function", "drain", "--time", "10s"]);
    assert_ne!(
        scene.objective("left > level is true")["status"],
        "infeasible"
    );
}

#[test]
fn a_changed_file_of_formulas_is_noticed() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    scene.tamper(LOOPS_FILE, |text| text.replace("bvult", "bvslt"), false);
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(
        checked.stdout.contains("changed since the run"),
        "{checked:?}"
    );
    assert!(checked.stdout.contains("failed: branch:"), "{checked:?}");
}

#[test]
fn a_formula_with_a_solution_is_noticed_even_with_its_digest() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    // Without what is asserted before it, the last assertion of a claim can be met.
    let weaker = |text: &str| {
        let mut seen = 0;
        let lines = text.lines().filter(|line| {
            seen += usize::from(line.starts_with("(assert"));
            !(line.starts_with("(assert") && seen == 1)
        });
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    scene.tamper(LOOPS_FILE, weaker, true);
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.contains("finds a solution"), "{checked:?}");
}

#[test]
fn a_missing_claim_and_a_missing_file_are_noticed() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    fs::remove_file(scene.path(LOOPS_FILE)).unwrap();
    let checked = scene.run(&["check", "labrys-out"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.contains(LOOPS_FILE), "{checked:?}");
    let nothing = scene.run(&["check", "."]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
}

#[test]
fn proofs_before_the_search_and_by_all_paths_have_formulas() {
    let source = "
int f(int x, int y) {
  if (x > 10) { if (x < 5) return 1; }
  if (x == y + 1) { if (x == y) return 2; }
  return 0;
}";
    let scene = Scene::generated(source, &["--function", "f"]);
    let text = scene.explained("x < 5 is true");
    assert!(
        text.contains("x.c:3:7  on every way: x > 10 is true"),
        "{text}"
    );
    let text = scene.explained("x == y is true");
    assert!(text.contains("x == y contradicts x == (y + 1)"), "{text}");
    let checked = scene.run(&["check", "labrys-out", "--format", "json"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let checked: Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!(checked["proofs"], 2);
    assert_eq!(checked["with_claims"], 2);
}

#[test]
fn assumptions_are_needed_only_where_the_proof_breaks_down_without_them() {
    let source = "
int mode;
static int fixed;
int f(int x, int y) {
  if (mode == 2) return 1;
  if (fixed == 2) return 2;
  if (x > y) { if (x + 1 > 30 && y > 5) return 3; }
  return 0;
}";
    let options = [
        "--function",
        "f",
        "--trust",
        "all",
        "--proof-rules",
        "exhausted",
    ];
    let assume = ["--assume", "x < 20", "--assume", "y > 0"];
    let scene = Scene::generated(source, &[&options[..], &assume[..]].concat());
    let text = scene.explained("mode == 2 is true");
    assert!(
        text.contains("mode is 0 when the function is called"),
        "{text}"
    );
    assert!(
        text.contains("assuming: mode keeps its initial value (needed)"),
        "{text}"
    );
    let text = scene.explained("fixed == 2 is true");
    assert!(
        text.contains("fixed is 0 at start, and nothing in the program writes it"),
        "{text}"
    );
    assert!(!text.contains("(needed)"), "{text}");
    let text = scene.explained("x + 1 > 30 is true");
    assert!(text.contains("--assume 'x < 20' (needed)"), "{text}");
    assert!(text.contains("--assume 'y > 0' (may be needed)"), "{text}");
}

#[test]
fn prove_has_all_rules_and_writes_no_tests() {
    let scene = Scene::new(COUNTER);
    let prove = [
        "prove",
        "x.c",
        "--function",
        "drain",
        "--format",
        "json",
        "--quiet",
    ];
    let proved = scene.run(&[&prove[..], &["--out", "labrys-out"]].concat());
    assert_eq!(proved.code, Some(0), "{}", proved.stderr);
    let record: Value = serde_json::from_str(&proved.stdout).unwrap();
    assert_eq!(record["totals"]["infeasible"], 1);
    assert_eq!(record["totals"]["unknown"], 0);
    assert_eq!(record["feasible_score"], 1.0);
    assert!(!scene.path("suite.json").exists());
    assert_eq!(scene.run(&["check", "labrys-out"]).code, Some(0));
    assert!(
        scene
            .explained("left > 0 is true")
            .contains("feasible: a run covers it")
    );
    let alone = scene.run(&[&prove[..], &["--proof-rules", "intervals"]].concat());
    let record: Value = serde_json::from_str(&alone.stdout).unwrap();
    assert_eq!(record["totals"]["infeasible"], 0);
}

/// Random values for the inputs of a witness; `reach_error` ends with a status of its own.
const NATIVE: &str = "
#include <stdlib.h>
#define INPUT(type, name) type __VERIFIER_nondet_##name(void) { return (type)(rand() % 23); }
INPUT(_Bool, bool) INPUT(char, char) INPUT(unsigned char, uchar) INPUT(short, short)
INPUT(unsigned short, ushort) INPUT(int, int) INPUT(unsigned, uint) INPUT(long, long)
INPUT(unsigned long, ulong) INPUT(long long, longlong) INPUT(unsigned long long, ulonglong)
INPUT(float, float) INPUT(double, double)
__attribute__((constructor)) static void seed(void) { srand((unsigned)atoi(getenv(\"SEED\"))); }
";

fn never_reaches_the_error(dir: &Path, program: &str, compiler: &str) {
    let marked = program.replace(
        "void reach_error(void) { abort(); }",
        "extern void _exit(int); void reach_error(void) { _exit(77); }",
    );
    assert_ne!(marked, program);
    fs::write(dir.join("marked.c"), marked).unwrap();
    fs::write(dir.join("native.c"), NATIVE).unwrap();
    let built = Command::new(compiler)
        .args(["-w", "-o", "witness", "marked.c", "native.c"])
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    for seed in 0..20 {
        let ended = Command::new(dir.join("witness"))
            .env("SEED", seed.to_string())
            .output()
            .unwrap();
        assert_ne!(ended.status.code(), Some(77), "seed {seed}");
    }
}

#[test]
fn a_witness_is_a_program_and_its_invariants() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    let id = scene.objective("left > level is true")["id"].clone();
    let id = id.as_str().unwrap();
    let export = [
        "export",
        "labrys-out",
        "--format",
        "witness",
        "--objective",
        id,
    ];
    let exported = scene.run(&export);
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let name = id.replace(':', "-");
    let program = fs::read_to_string(scene.path(&format!("proofs/{name}.c"))).unwrap();
    for compiler in ["cc", "clang-19"] {
        never_reaches_the_error(scene.dir.path(), &program, compiler);
    }
    let witness = fs::read_to_string(scene.path(&format!("proofs/{name}.witness.yml"))).unwrap();
    let yaml = &YamlLoader::load_from_str(&witness).unwrap()[0][0];
    assert_eq!(yaml["entry_type"].as_str(), Some("invariant_set"));
    let metadata = &yaml["metadata"];
    for field in ["format_version", "uuid", "creation_time"] {
        assert!(metadata[field].as_str().is_some(), "{field}: {witness}");
    }
    assert_eq!(metadata["producer"]["name"].as_str(), Some("labrys"));
    let task = &metadata["task"];
    assert_eq!(
        task["specification"].as_str(),
        Some("G ! call(reach_error())")
    );
    assert_eq!(task["data_model"].as_str(), Some("LP64"));
    assert_eq!(task["language"].as_str(), Some("C"));
    let file = task["input_files"][0].as_str().unwrap();
    assert_eq!(task["input_file_hashes"][file].as_str().unwrap().len(), 64);
    let content = yaml["content"].as_vec().unwrap();
    let invariant = content.iter().map(|entry| &entry["invariant"]);
    let found = invariant
        .clone()
        .find(|i| i["value"].as_str() == Some("left <= level"));
    let location = &found.unwrap_or_else(|| panic!("{witness}"))["location"];
    let line = usize::try_from(location["line"].as_i64().unwrap()).unwrap();
    let column = usize::try_from(location["column"].as_i64().unwrap()).unwrap();
    let text = program.lines().nth(line - 1).unwrap();
    assert!(text[column - 1..].starts_with("while"), "{text}");
}

#[test]
fn labels_and_whole_programs_with_arguments_have_witnesses() {
    let labels = "int f(int x) { if (x > 10) { if (x > 3) return 1; return 2; } return 0; }";
    let arguments = "int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'a') { if (argv[1][0] == 'b') return 3; return 1; }
  return 0;
}";
    let cases = [
        (
            labels,
            vec!["--function", "f", "--criterion", "weak-mutation"],
        ),
        (arguments, vec!["--sym-args", "0..2:2"]),
    ];
    for (source, options) in cases {
        let scene = Scene::generated(source, &options);
        let file = fs::read_to_string(scene.path("objectives.json")).unwrap();
        let file: Value = serde_json::from_str(&file).unwrap();
        let objectives = file["objectives"].as_array().unwrap();
        let infeasible = objectives.iter().filter(|o| o["status"] == "infeasible");
        let mut seen = 0;
        for id in infeasible.map(|o| o["id"].as_str().unwrap()).take(3) {
            let export = ["export", "labrys-out", "--format", "witness", "--objective"];
            let exported = scene.run(&[&export[..], &[id]].concat());
            assert_eq!(exported.code, Some(0), "{}", exported.stderr);
            let name = format!("proofs/{}.c", id.replace(':', "-"));
            let program = fs::read_to_string(scene.path(&name)).unwrap();
            assert!(program.matches("reach_error()").count() > 1, "{program}");
            never_reaches_the_error(scene.dir.path(), &program, "cc");
            seen += 1;
        }
        assert!(seen > 0, "{file}");
    }
}

#[test]
fn only_what_is_infeasible_has_a_witness() {
    let scene = Scene::generated(COUNTER, &LOOPS);
    let id = scene.objective("left > level is false")["id"].clone();
    let export = ["export", "labrys-out", "--format", "witness", "--objective"];
    let refused = scene.run(&[&export[..], &[id.as_str().unwrap()]].concat());
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("not infeasible"), "{refused:?}");
    let without = scene.run(&export[..4]);
    assert_eq!(without.code, Some(2), "{without:?}");
}
