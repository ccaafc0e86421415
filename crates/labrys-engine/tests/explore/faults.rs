//! Faults: found by the search, asked for when everything is covered, and near misses.

use super::{faults, input, is_complete, run, run_all};
use labrys_engine::{Config, Stop};
use labrys_ledger::Trigger;

/// Reached at the end of [`SIX`] and of most other programs here.
pub(crate) const END: Trigger = Trigger::Reach { id: 7 };

/// A switch on x with six faults that depend on y, on the lines 10 to 15.
pub(crate) const SIX: &str = r"
function @main() -> 32 {
  regs 64 64 32 32 1 32 32 64 64 32 32 64 32 32 32 64 64
  const r0 = @x
  const r1 = @y
  const r5 = 0
  const r6 = 7
  const r7 = @table
  const r9 = 1
  const r10 = 2147483648
  const r11 = @assertion
  const r12 = 77
  const r13 = 55
  const r16 = 0
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b3
  edge e3 -> b4
  edge e4 -> b5
  edge e5 -> b6
  edge e6 -> b7
  edge e7 -> b8
  table t0 [0: e0, 1: e1, 2: e2, 3: e3, 4: e4, 5: e5] default e6
b0:
  call @labrys_int(r0) -> (r2)
  call @labrys_int(r1) -> (r3)
  switch r2, t0
b1:
  r14 = sdiv.32 r6, r3 !1:10:1
  jump e6
b2:
  r14 = or.32 r3, r9
  r14 = sdiv.32 r10, r14 !1:11:1
  jump e6
b3:
  r14 = shl.32 r6, r3 !1:12:1
  jump e6
b4:
  r8 = cast.sext.32.64 r3
  r8 = index r7, r8, 4
  r14 = load.32 r8 !1:13:1
  jump e6
b5:
  r4 = cmp.eq.32 r3, r12
  branch r4, e7, e6
b6:
  r4 = cmp.eq.32 r3, r13
  r15 = select r4, r16, r7
  r14 = load.32 r15 !1:15:1
  jump e6
b7:
  call @labrys_reach(r6)
  return (r5)
b8:
  call @labrys_error(r11) !1:14:1
  return (r5)
}";

const ALL_SIX: [(&str, u32); 6] = [
    ("assertion", 14),
    ("division-by-zero", 10),
    ("division-overflow", 11),
    ("null-dereference", 15),
    ("out-of-bounds", 13),
    ("shift-range", 12),
];

/// `main` that reads x, and has this body; `r2` is x, `r3` is 7, `r4` is 0, `r5` is the table,
/// `r8` is 4, `r9` is 3.
fn body(text: &str) -> String {
    format!(
        r"
function @main() -> 32 {{
  regs 64 1 32 32 32 64 64 32 32 32
  const r0 = @x
  const r3 = 7
  const r4 = 0
  const r5 = @table
  const r8 = 4
  const r9 = 3
  edge e0 -> b1
  edge e1 -> b2
b0:
  call @labrys_int(r0) -> (r2)
{text}
}}"
    )
}

fn asking(config: &mut Config) {
    config.fault_checks = true;
}

#[test]
fn a_division_by_an_input_is_a_fault_with_its_input() {
    let report = run_all(&body(
        "  r7 = sdiv.32 r3, r2 !1:5:1\n  return (r7)\nb1:\n  return (r4)\nb2:\n  return (r4)",
    ));
    assert_eq!(faults(&report), [("division-by-zero", 5)]);
    let test = &report.tests[report.faults[0].test];
    assert_eq!(input(test, "x"), 0);
}

const GUARDED_DIVISION: &str = r"  r1 = cmp.ne.32 r2, r4
  branch r1, e0, e1
b1:
  r7 = sdiv.32 r3, r2 !1:5:1
  return (r7)
b2:
  return (r4)";

#[test]
fn a_guarded_division_is_none() {
    let report = run_all(&body(GUARDED_DIVISION));
    assert_eq!((faults(&report).len(), report.work.paths), (0, 2));
    assert!(is_complete(&report));
}

/// `table[x]` if x is below a limit.
fn table_access(limit: u32) -> String {
    body(&format!(
        r"  r1 = cmp.ult.32 r2, r8
  branch r1, e0, e1
b1:
  r6 = cast.zext.32.64 r2
  r6 = index r5, r6, {limit}
  r7 = load.32 r6 !1:6:1
  return (r7)
b2:
  return (r4)"
    ))
}

#[test]
fn the_last_element_is_in_bounds_and_the_next_is_not() {
    // Four elements of four bytes; with a stride of five the last one leaves the table.
    assert_eq!(faults(&run_all(&table_access(4))), []);
    assert_eq!(faults(&run_all(&table_access(5))), [("out-of-bounds", 6)]);
}

#[test]
fn freed_memory_is_neither_read_nor_freed_again() {
    let program = |last: &str| {
        format!(
            r"
function @main() -> 32 {{
  regs 64 64 32
  const r0 = 8
  const r2 = 0
b0:
  call @labrys_malloc(r0) -> (r1)
  store.32 r1, r2
  call @labrys_free(r1)
  {last} !1:4:1
  return (r2)
}}"
        )
    };
    let read = run_all(&program("r2 = load.32 r1"));
    assert_eq!(faults(&read), [("use-after-free", 4)]);
    let free = run_all(&program("call @labrys_free(r1)"));
    assert_eq!(faults(&free), [("double-free", 4)]);
    assert_eq!(faults(&run_all(&program("r2 = copy r2"))), []);
}

#[test]
fn a_fault_in_a_called_function_names_the_call() {
    let text = r"
function @divide(r0) -> 32 {
  regs 32 32 32
  const r1 = 7
b0:
  r2 = sdiv.32 r1, r0 !1:3:1
  return (r2)
}
function @main() -> 32 {
  regs 64 32 32
  const r0 = @x
b0:
  call @labrys_int(r0) -> (r1)
  call @divide(r1) -> (r2) !1:8:1
  return (r2)
}";
    let report = run(text, &[], asking);
    assert_eq!(faults(&report), [("division-by-zero", 3)]);
    let stack = &report.faults[0].stack;
    let lines: Vec<_> = stack
        .iter()
        .map(|l| (l.function.as_str(), l.loc.line))
        .collect();
    assert_eq!(lines, [("divide", 3), ("main", 8)]);
}

#[test]
fn the_exhausted_search_finds_six_faults() {
    assert_eq!(faults(&run_all(SIX)), ALL_SIX);
}

#[test]
fn when_all_is_covered_the_checks_of_the_path_are_asked() {
    // The only objective is covered by the first path, which divides.
    let text = body(
        r"  r7 = sdiv.32 r3, r8
  r7 = sdiv.32 r3, r2 !1:5:1
  r6 = cast.sext.32.64 r2
  r6 = index r5, r6, 4
  r7 = load.32 r6 !1:6:1
  call @labrys_reach(r3)
  return (r7)
b1:
  return (r4)
b2:
  return (r4)",
    );
    let without = run(&text, &[END], |_| {});
    let with = run(&text, &[END], asking);
    assert_eq!(without.work.fault_checks.asked, 0);
    assert_eq!(
        (without.stop, with.stop),
        (Stop::AllCovered, Stop::AllCovered)
    );
    assert!(without.faults.len() < 2);
    assert_eq!(
        faults(&with),
        [("division-by-zero", 5), ("out-of-bounds", 6)]
    );
    let counts = with.work.fault_checks;
    assert_eq!(counts.asked, counts.sat + counts.unsat + counts.unknown);
    assert!(counts.sat >= 1);
}

/// The six faults, with an objective in front of each: every line is covered, and then asked about.
fn six_covered_lines() -> (String, Vec<Trigger>) {
    let mut text = SIX.to_owned();
    for case in 0..6 {
        let block = format!("b{}:\n", case + 1);
        let reach = format!("{block}  call @labrys_reach(r{})\n", case + 17);
        text = text.replace(&block, &reach);
    }
    let registers = " 32".repeat(6);
    text = text.replacen("64 64\n", &format!("64 64{registers}\n"), 1);
    let constants: String = (0..6)
        .map(|k| format!("  const r{} = {}\n", k + 17, k + 20))
        .collect();
    text = text.replacen("  edge e0", &format!("{constants}  edge e0"), 1);
    let ids = (20..26).chain([7]);
    (text, ids.map(|id| Trigger::Reach { id }).collect())
}

#[test]
fn six_faults_on_six_covered_lines_are_all_reported() {
    let (text, triggers) = six_covered_lines();
    let plain = run(&text, &triggers, |_| {});
    assert_eq!(plain.stop, Stop::AllCovered);
    assert!(faults(&plain).len() < 6);
    for (filter, jobs) in [(true, 1), (false, 1), (true, 2)] {
        let report = run(&text, &triggers, |config| {
            config.fault_checks = true;
            config.filter = filter;
            config.jobs = jobs;
        });
        assert_eq!(report.stop, Stop::AllCovered);
        assert_eq!(faults(&report), ALL_SIX, "filter {filter}, {jobs} threads");
    }
}

#[test]
fn the_checks_are_asked_in_the_same_order_again() {
    let (text, triggers) = six_covered_lines();
    let tests = || {
        let report = run(&text, &triggers, asking);
        let inputs = report.tests.iter().map(|test| test.inputs.clone());
        inputs.collect::<Vec<_>>()
    };
    assert_eq!(tests(), tests());
}

#[test]
fn a_check_that_cannot_fail_is_no_fault() {
    // x * x is never 3 modulo 4: only the solver sees it.
    let text = body(
        r"  r7 = mul.32 r2, r2
  r7 = and.32 r7, r9
  r7 = sub.32 r7, r9
  r7 = sdiv.32 r3, r7 !1:5:1
  call @labrys_reach(r3)
  return (r7)
b1:
  return (r4)
b2:
  return (r4)",
    );
    let report = run(&text, &[END], asking);
    assert_eq!(faults(&report), []);
    let counts = report.work.fault_checks;
    assert_eq!((counts.sat, counts.unknown), (0, 0));
}

#[test]
fn a_check_in_a_loop_is_asked_for_its_later_turns() {
    // table[i + (x & 1)] for i from 0 to 3: only the last turn can leave the table.
    let text = r"
function @main() -> 32 {
  regs 64 32 32 32 32 1 64 64 32 32 64 32
  const r0 = @x
  const r2 = 0
  const r3 = 1
  const r4 = 4
  const r7 = @table
  const r9 = 7
  edge e0 -> b1 [r8 = r2]
  edge e1 -> b2
  edge e2 -> b3
  edge e3 -> b1
b0:
  call @labrys_int(r0) -> (r1)
  r1 = and.32 r1, r3
  jump e0
b1:
  r5 = cmp.ult.32 r8, r4
  branch r5, e1, e2
b2:
  r6 = cast.zext.32.64 r1
  r6 = index r7, r6, 4
  r10 = cast.zext.32.64 r8
  r6 = index r6, r10, 4
  r11 = load.32 r6 !1:4:1
  r8 = add.32 r8, r3
  jump e3
b3:
  call @labrys_reach(r9)
  return (r2)
}";
    let report = run(text, &[END], asking);
    assert_eq!(faults(&report), [("out-of-bounds", 4)]);
    let test = &report.tests[report.faults[0].test];
    assert_eq!(input(test, "x") & 1, 1);
}

#[test]
fn no_more_checks_are_asked_than_paths_are_allowed() {
    let (text, triggers) = six_covered_lines();
    let report = run(&text, &triggers, |config| {
        config.fault_checks = true;
        config.max_paths = Some(8);
    });
    assert!(report.work.paths <= 8);
}
