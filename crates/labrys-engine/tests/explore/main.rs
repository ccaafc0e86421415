//! Explorations of small programs in the text form of the IR: paths and their ends, objectives,
//! labels, faults, proofs, and what limits and threads change about them.

#![allow(clippy::unwrap_used)]

mod ends;
mod faults;
mod labels;
mod limits;
mod objectives;
mod paths;
mod proofs;
mod threads;

use labrys_engine::{Config, Fault, ObjectiveMap, PathEnd, Report, Silent, Stop, Test, explore};
use labrys_ledger::{Criterion, Objective, Trigger};

/// What the programs may call, two names for inputs, and a text for outputs.
const PRELUDE: &str = r#"
text "" text "t.c"
global @x size 2 align 1 element 1 const init x"7800"
global @y size 2 align 1 element 1 const init x"7900"
global @flag size 12 align 1 element 1 const init x"2d2d61727261792d6c656e00"
global @assertion size 10 align 1 element 1 const init x"617373657274696f6e00"
global @table size 16 align 4 element 4 init x"01000000020000000300000004000000"
function @labrys_int(r0) -> 32 { regs 64 }
function @labrys_uchar(r0) -> 8 { regs 64 }
function @labrys_cond(r0, r1, r2) -> 32 { regs 32 32 32 }
function @labrys_reach(r0) { regs 32 }
function @labrys_label_begin(r0) -> 32 { regs 32 }
function @labrys_label(r0, r1) { regs 32 32 }
function @labrys_assume(r0) { regs 32 }
function @labrys_error(r0) { regs 64 }
function @labrys_exit(r0) { regs 32 }
function @labrys_touch(r0) { regs 64 }
function @labrys_output(r0, r1, r2) { regs 64 64 64 }
function @labrys_malloc(r0) -> 64 { regs 64 }
function @labrys_free(r0) { regs 64 }
function @unknown_function(r0) -> 32 { regs 32 }
"#;

/// Explores `main` of a program, with these objectives.
fn run(program: &str, triggers: &[Trigger], change: impl FnOnce(&mut Config)) -> Report {
    let module = labrys_ir::parse(&format!("{PRELUDE}{program}")).unwrap();
    let objectives: Vec<Objective> = triggers.iter().map(|t| objective(*t)).collect();
    let objectives = ObjectiveMap::new(&objectives, &[], |_, _| true);
    let mut config = Config::default();
    change(&mut config);
    explore(&module, "main", &objectives, &config, &mut Silent).unwrap()
}

/// Was every path run to its end, resting on nothing?
fn is_complete(report: &Report) -> bool {
    report.stop == Stop::Exhausted && report.gaps.is_empty() && report.assumptions.is_empty()
}

/// Does the search show without any assumption that the objective is infeasible?
fn is_proof_for(report: &Report, objective: usize) -> bool {
    report.stop == Stop::Exhausted && report.unproved_for(objective).next().is_none()
}

/// Explores all paths of a program.
fn run_all(program: &str) -> Report {
    run(program, &[], |config| config.exhaust = true)
}

fn objective(trigger: Trigger) -> Objective {
    Objective {
        id: format!("{trigger:?}"),
        criterion: Criterion::Branch,
        function: "main".into(),
        file: "t.c".into(),
        line: 1,
        column: 1,
        text: String::new(),
        trigger,
    }
}

/// Both outcomes of the only condition of decisions 0, 1 and so on.
fn outcomes(decisions: u32) -> Vec<Trigger> {
    let both = |decision| {
        [true, false].map(|value| Trigger::Condition {
            decision,
            index: 0,
            value,
        })
    };
    (0..decisions).flat_map(both).collect()
}

/// How many paths ended like this.
fn ended(report: &Report, name: &str) -> u64 {
    let at = PathEnd::NAMES.iter().position(|n| *n == name).unwrap();
    report.work.ends[at]
}

/// The objectives that the tests cover, in order.
fn covered(report: &Report) -> Vec<usize> {
    let covers = report.tests.iter().flat_map(|test| &test.covers);
    let mut covered: Vec<usize> = covers.copied().collect();
    covered.sort_unstable();
    covered.dedup();
    covered
}

/// The value of an input of a test.
fn input(test: &Test, name: &str) -> i32 {
    let input = test.inputs.iter().find(|input| input.name == name).unwrap();
    let mut bytes = [0; 4];
    bytes[..input.bytes.len()].copy_from_slice(&input.bytes);
    i32::from_le_bytes(bytes)
}

/// Kinds and lines of the faults, in order.
fn faults(report: &Report) -> Vec<(&'static str, u32)> {
    let name = |fault: &Fault| (fault.kind.name(), fault.loc.line);
    let mut faults: Vec<_> = report.faults.iter().map(name).collect();
    faults.sort_unstable();
    faults
}

/// `x > 10` is a branch without an annotation.
const ONE_BRANCH: &str = r"
function @main() -> 32 {
  regs 64 32 32 1 32
  const r0 = @x
  const r2 = 10
  const r4 = 0
  edge e0 -> b1
  edge e1 -> b2
b0:
  call @labrys_int(r0) -> (r1)
  r3 = cmp.sgt.32 r1, r2
  branch r3, e0, e1
b1:
  return (r2)
b2:
  return (r4)
}";

/// `x > 10`, and if so `x < 5`; both annotated.
const CONTRADICTION: &str = r"
function @main() -> 32 {
  regs 64 32 32 1 32 32 32 32 1
  const r0 = @x
  const r2 = 10
  const r4 = 0
  const r5 = 5
  const r6 = 1
  edge e0 -> b1
  edge e1 -> b2
b0:
  call @labrys_int(r0) -> (r1)
  r3 = cmp.sgt.32 r1, r2
  r7 = cast.zext.1.32 r3
  call @labrys_cond(r4, r4, r7) -> (r7)
  r8 = cmp.ne.32 r7, r4
  branch r8, e0, e1
b1:
  r3 = cmp.slt.32 r1, r5
  r7 = cast.zext.1.32 r3
  call @labrys_cond(r6, r4, r7) -> (r7)
  r8 = cmp.ne.32 r7, r4
  branch r8, e1, e1
b2:
  return (r4)
}";

/// So many bytes, each asked for whether it is 7: 2^count paths.
fn independent(count: u32) -> String {
    let mut text = String::from(
        "function @main() -> 32 {\n  regs 64 8 8 1 32\n  const r0 = @x\n  const r2 = 7\n  const r4 = 0\n",
    );
    for k in 0..count {
        text += &format!("  edge e{k} -> b{}\n", k + 1);
    }
    for k in 0..count {
        text += &format!(
            "b{k}:\n  call @labrys_uchar(r0) -> (r1)\n  r3 = cmp.eq.8 r1, r2\n  branch r3, e{k}, e{k}\n"
        );
    }
    text += &format!("b{count}:\n  return (r4)\n}}\n");
    text
}
