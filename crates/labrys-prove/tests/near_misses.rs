//! Pairs of labels: one that cannot hold, which must be refuted, and one next to it that can hold,
//! which must not. Labels below 100 are of the first kind, the others of the second.

use labrys_ir::Module;
use labrys_ledger::Trigger;
use labrys_prove::{AnalysisScope, refute};

const OUTSIDE: &str = r#"
text "" text "labrys-harness.c" text "--assume" text "model.c"
function @input() -> 8 { regs }
function @labrys_label(r0, r1) { regs 32 32 }
function @labrys_label_begin(r0) -> 32 { regs 32 }
function @labrys_reach(r0) { regs 32 }
function @labrys_cond(r0, r1, r2) -> 32 { regs 32 32 32 }
function @labrys_switch(r0, r1) -> 8 { regs 32 8 }
function @labrys_case(r0, r1) { regs 32 32 }
function @labrys_assume(r0) { regs 32 }
function @labrys_exit(r0) { regs 32 }
function @unknown(r0) -> 8 { regs 64 }
"#;

/// Calls `f` with an input.
const HARNESS: &str = "
function @harness() { regs 8 8
b0: call @input() -> (r0) call @f(r0) -> (r1) return () }
";

fn module(text: &str) -> Module {
    let text = format!("{OUTSIDE}{text}");
    let module = labrys_ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    labrys_ir::verify(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    module
}

fn scope() -> AnalysisScope {
    AnalysisScope {
        entries: vec!["harness".into()],
        made_up: vec!["labrys-harness.c".into()],
        given: "--assume".into(),
        opaque_files: "model".into(),
        ..AnalysisScope::default()
    }
}

/// The labels that are refuted, of all that the text names.
fn refuted(text: &str, asked: &[u32]) -> Vec<u32> {
    let wanted: Vec<Trigger> = asked.iter().map(|id| Trigger::Label { id: *id }).collect();
    let found = refute(&module(text), &scope(), &wanted);
    found
        .keys()
        .filter_map(|trigger| match trigger {
            Trigger::Label { id } => Some(*id),
            _ => None,
        })
        .collect()
}

/// A text with labels whose numbers say what must become of them.
#[track_caller]
fn check(text: &str) {
    let ids: Vec<u32> = (1..20).chain(100..120).collect();
    let present: Vec<u32> = ids
        .into_iter()
        .filter(|id| text.contains(&format!("= {id} ; label")))
        .collect();
    assert!(present.iter().any(|id| *id >= 100), "no near miss");
    let expected: Vec<u32> = present.iter().copied().filter(|id| *id < 100).collect();
    assert_eq!(refuted(text, &present), expected, "{text}");
}

/// The same with the usual harness.
#[track_caller]
fn check_f(text: &str) {
    check(&format!("{text}{HARNESS}"));
}

/// A comparison of the parameter, zero-extended to 32 bits, after a mask.
fn masked(first: &str, second: &str) -> String {
    format!(
        "function @f(r0) -> 8 {{
  regs 8 8 8 32 32 8 1 32 1 32 8
  const r1 = 7
  const r2 = {first}
  const r10 = {second}
  const r3 = 1 ; label
  const r4 = 100 ; label
b0:
  r5 = and.8 r0, r1
  r6 = cmp.ugt.8 r5, r2
  r7 = cast.zext.1.32 r6
  call @labrys_label(r3, r7)
  r8 = cmp.ugt.8 r5, r10
  r9 = cast.zext.1.32 r8
  call @labrys_label(r4, r9)
  return (r5)
}}"
    )
}

#[test]
fn a_bound_is_not_off_by_one() {
    check_f(&masked("7", "6"));
}

#[test]
fn a_sign_makes_a_difference() {
    // 200 is more than 100 without a sign and less than 0 with it.
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 8 32 32 1 1 1 32 1 32
  const r1 = 200
  const r2 = 0
  const r3 = 1 ; label
  const r4 = 100 ; label
  edge e0 -> b1
  edge e1 -> b2
b0:
  r5 = cmp.uge.8 r0, r1
  branch r5, e0, e1
b1:
  r6 = cmp.sge.8 r0, r2
  r8 = cast.zext.1.32 r6
  call @labrys_label(r3, r8)
  r7 = cmp.slt.8 r0, r2
  r10 = cast.zext.1.32 r7
  call @labrys_label(r4, r10)
  return (r0)
b2:
  return (r0)
}",
    );
}

#[test]
fn sums_wrap_around() {
    // x + 1 > x holds not always, nsw or not: 127 + 1 is -128.
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 8 32 32 8 1 32 1 1 1 32
  const r1 = 1
  const r2 = 100
  const r3 = 1 ; label
  const r4 = 100 ; label
  edge e0 -> b1
  edge e1 -> b2
b0:
  r5 = add.8.nsw r0, r1
  r6 = cmp.sle.8 r5, r0
  r7 = cast.zext.1.32 r6
  call @labrys_label(r4, r7)
  r8 = cmp.slt.8 r0, r2
  branch r8, e0, e1
b1:
  r9 = cmp.sgt.8 r0, r2
  r11 = cast.zext.1.32 r9
  call @labrys_label(r3, r11)
  return (r0)
b2:
  return (r0)
}",
    );
}

#[test]
fn the_parts_of_a_predicate_exclude_each_other() {
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 8 32 32 1 1 1 32 1 1 32 8
  const r1 = 10
  const r2 = 5
  const r12 = 12
  const r3 = 1 ; label
  const r4 = 100 ; label
b0:
  r5 = cmp.sgt.8 r0, r1
  r6 = cmp.sle.8 r0, r2
  r7 = and.1 r5, r6
  r8 = cast.zext.1.32 r7
  call @labrys_label(r3, r8)
  r9 = cmp.slt.8 r0, r12
  r10 = and.1 r5, r9
  r11 = cast.zext.1.32 r10
  call @labrys_label(r4, r11)
  return (r0)
}",
    );
}

#[test]
fn orders_of_registers_are_transitive_and_no_more() {
    check(
        "function @f(r0, r1, r2) {
  regs 8 8 8 32 32 1 1 1 1 1 32 1 1 32
  const r3 = 1 ; label
  const r4 = 100 ; label
b0:
  r5 = cmp.slt.8 r0, r1
  r6 = cmp.sle.8 r1, r2
  r7 = and.1 r5, r6
  r8 = cmp.sge.8 r0, r2
  r9 = and.1 r7, r8
  r10 = cast.zext.1.32 r9
  call @labrys_label(r3, r10)
  r11 = cmp.uge.8 r0, r2
  r12 = and.1 r7, r11
  r13 = cast.zext.1.32 r12
  call @labrys_label(r4, r13)
  return ()
}
function @harness() { regs 8 8 8
b0: call @input() -> (r0) call @input() -> (r1) call @input() -> (r2) call @f(r0, r1, r2) return () }",
    );
}

/// A loop that counts to ten, with a label on the counter inside and one behind.
#[test]
fn a_counter_is_bounded_inside_and_behind_the_loop() {
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 8 8 32 32 32 32 8 1 8 1 32 1 32 1 32 1 32 8
  const r1 = 0
  const r2 = 1
  const r3 = 10
  const r19 = 9
  const r4 = 1 ; label
  const r5 = 100 ; label
  const r6 = 2 ; label
  const r7 = 101 ; label
  edge e0 -> b1 [r8 = r1]
  edge e1 -> b2
  edge e2 -> b3
  edge e3 -> b1 [r8 = r10]
b0:
  jump e0
b1:
  r9 = cmp.slt.8 r8, r3
  branch r9, e1, e2
b2:
  r11 = cmp.eq.8 r8, r3
  r12 = cast.zext.1.32 r11
  call @labrys_label(r4, r12)
  r13 = cmp.eq.8 r8, r19
  r14 = cast.zext.1.32 r13
  call @labrys_label(r5, r14)
  r10 = add.8 r8, r2
  jump e3
b3:
  r15 = cmp.ne.8 r8, r3
  r16 = cast.zext.1.32 r15
  call @labrys_label(r6, r16)
  r17 = cmp.eq.8 r8, r3
  r18 = cast.zext.1.32 r17
  call @labrys_label(r7, r18)
  return (r8)
}",
    );
}

const CALLEE: &str = "
function @g(r0) -> 8 {
  regs 8 8 32 32 1 32 8 1 32
  const r1 = 5
  const r6 = 3
  const r2 = 1 ; label
  const r3 = 100 ; label
b0:
  r4 = cmp.ugt.8 r0, r1
  r5 = cast.zext.1.32 r4
  call @labrys_label(r2, r5)
  r7 = cmp.eq.8 r0, r6
  r8 = cast.zext.1.32 r7
  call @labrys_label(r3, r8)
  return (r0)
}
";

/// `g` is called with 3 and 5 by name.
const CALLS: &str = "
function @f(r0) -> 8 { regs 8 8 8 8 8
  const r1 = 3 const r2 = 5
b0: call @g(r1) -> (r3) call @g(r2) -> (r4) return (r0) }
";

#[test]
fn parameters_are_those_of_all_calls() {
    check_f(&format!("{CALLEE}{CALLS}"));
}

#[test]
fn another_call_is_not_missed() {
    let other = "
function @h(r0) -> 8 { regs 8 8 8
  const r1 = 6
b0: call @g(r1) -> (r2) return (r2) }
";
    let calls = CALLS.replace(
        "call @g(r2) -> (r4)",
        "call @g(r2) -> (r4) call @h(r2) -> (r4)",
    );
    let text = format!("{CALLEE}{other}{calls}{HARNESS}");
    assert_eq!(refuted(&text, &[1, 100]), Vec::<u32>::new());
}

#[test]
fn a_function_whose_address_is_known_is_called_with_anything() {
    for text in [
        // In a global variable, in a register, in an argument.
        format!("global @table size 8 align 8 element 8 reloc 0 = @g {CALLEE}{CALLS}{HARNESS}"),
        format!(
            "{CALLEE}{CALLS}{HARNESS}function @h() {{ regs 64 8 const r0 = @g
b0: call @unknown(r0) -> (r1) return () }}"
        ),
        format!(
            "{CALLEE}{HARNESS}function @f(r0) -> 8 {{ regs 8 64 8 8 const r1 = @g const r3 = 3
b0: call_pointer r1 (r0) -> (r2) return (r2) }}"
        ),
        format!(
            "constructor @start {CALLEE}{CALLS}{HARNESS}function @start() {{ regs 8 8 const r0 = 9
b0: call @g(r0) -> (r1) return () }}"
        ),
    ] {
        assert_eq!(refuted(&text, &[1, 100]), Vec::<u32>::new(), "{text}");
    }
}

#[test]
fn bodies_that_are_not_looked_into_may_call_and_return_anything() {
    // A model that calls the program's function, and whose result is not what its code says.
    let text = format!(
        "{CALLEE}{HARNESS}
function @model() -> 8 !3:1:0 {{ regs 8 8 const r0 = 9
b0: call @g(r0) -> (r1) return (r0) }}
function @f(r0) -> 8 {{ regs 8 8 8 8 1 32 32 8 const r1 = 3 const r3 = 9 const r6 = 101 ; label
b0: call @g(r1) -> (r7) call @model() -> (r2) r4 = cmp.ne.8 r2, r3 r5 = cast.zext.1.32 r4
 call @labrys_label(r6, r5) return (r2) }}"
    );
    assert_eq!(refuted(&text, &[1, 100, 101]), Vec::<u32>::new());
    // The same with a body that is analysed.
    let text = text.replace("!3:1:0", "");
    assert_eq!(refuted(&text, &[1, 100, 101]), vec![101]);
}

#[test]
fn a_function_that_is_annotated_is_always_looked_into() {
    let text = format!(
        "{}{HARNESS}",
        masked("7", "6").replace("-> 8 {", "-> 8 !3:1:0 {")
    );
    check(&text);
}

#[test]
fn sizes_of_a_harness_are_no_facts() {
    // The harness passes a constant: only its sizes say so.
    let text = format!(
        "{CALLEE}function @harness() {{ regs 8 8 const r0 = 3
b0: call @g(r0) -> (r1) return () }}"
    );
    assert_eq!(refuted(&text, &[1, 100]), Vec::<u32>::new());
    // Nor do those of a function that was made up beside it.
    let text = format!(
        "{CALLEE}{HARNESS}
function @stub() -> 8 !1:1:0 {{ regs 8 const r0 = 3 b0: return (r0) }}
function @f(r0) -> 8 {{ regs 8 8 b0: call @stub() -> (r1) call @g(r1) -> (r1) return (r1) }}"
    );
    assert_eq!(refuted(&text, &[1, 100]), Vec::<u32>::new());
}

#[test]
fn preconditions_of_the_user_are_facts() {
    let harness = |loc: &str| {
        format!(
            "{CALLEE}function @harness() {{ regs 8 8 8 1 32 const r1 = 5
b0:
  call @input() -> (r0)
  r3 = cmp.ule.8 r0, r1 {loc}
  r4 = cast.zext.1.32 r3 {loc}
  call @labrys_assume(r4) {loc}
  call @g(r0) -> (r2)
  return ()
}}"
        )
    };
    assert_eq!(refuted(&harness("!2:1:1"), &[1, 100]), vec![1]);
    // A bound that the harness made up is none.
    assert_eq!(refuted(&harness("!1:1:1"), &[1, 100]), Vec::<u32>::new());
}

#[test]
fn code_behind_an_end_is_not_reached_but_behind_a_call_it_is() {
    let text = |callee: &str| {
        format!(
            "{HARNESS}function @f(r0) -> 8 {{ regs 8 32 32 const r1 = 1 const r2 = 1
b0: call @{callee}(r1) call @labrys_label(r2, r1) return (r0) }}"
        )
    };
    assert_eq!(refuted(&text("labrys_exit"), &[1]), vec![1]);
    assert_eq!(refuted(&text("labrys_reach"), &[1]), Vec::<u32>::new());
}

#[test]
fn a_label_whose_predicate_faults_goes_on_with_the_program() {
    // The predicate ends the run; behind the label the program goes on.
    check_f(
        "function @f(r0) -> 8 {
  regs 8 32 32 32 1 32
  const r1 = 1 ; label
  const r2 = 100 ; label
  const r5 = 0
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b2
b0:
  call @labrys_label_begin(r1) -> (r3)
  r4 = cmp.ne.32 r3, r5
  branch r4, e0, e1
b1:
  call @labrys_exit(r1)
  call @labrys_label(r1, r1)
  jump e2
b2:
  call @labrys_label(r2, r2)
  return (r0)
}",
    );
}

#[test]
fn a_function_that_returns_twice_forgets() {
    // After the second return the counter may have gone on.
    let text = |call: &str| {
        format!(
            "{HARNESS}function @f(r0) -> 8 {{
  regs 8 8 8 32 8 1 32 64 32 1 32
  const r1 = 0
  const r2 = 1
  const r3 = 1
  const r10 = 0
  edge e0 -> b1 [r4 = r1]
  edge e1 -> b2
  edge e2 -> b1 [r4 = r2]
b0:
  {call}
  jump e0
b1:
  r5 = cmp.eq.8 r4, r2
  r6 = cast.zext.1.32 r5
  call @labrys_label(r3, r6)
  jump e1
b2:
  return (r0)
}}"
        )
    };
    assert_eq!(refuted(&text(""), &[1]), vec![1]);
    let twice = text("intrinsic setjmp(r7) -> (r8)");
    assert_eq!(refuted(&twice, &[1]), Vec::<u32>::new());
}

#[test]
fn code_that_could_not_be_translated_may_do_anything() {
    // The lost code may call g with 6 and hold label 2.
    let text = |end: &str| {
        format!(
            "{CALLEE}{HARNESS}text \"asm\" function @f(r0) -> 8 {{ regs 8 8 8 1 const r1 = 3
  edge e0 -> b1 edge e1 -> b2
b0: call @g(r1) -> (r2) r3 = cmp.eq.8 r0, r1 branch r3, e0, e1
b1: {end}
b2: return (r0) }}"
        )
    };
    assert_eq!(refuted(&text("return (r1)"), &[1, 2, 100]), vec![1, 2]);
    let lost = text("unsupported \"asm\"");
    assert_eq!(refuted(&lost, &[1, 2, 100]), Vec::<u32>::new());
}

#[test]
fn a_computed_jump_reaches_every_block_of_its_table() {
    let text = "function @f(r0) -> 8 {
  regs 8 64 32 32
  const r1 = @f:b1
  const r2 = 100 ; label
  const r3 = 101 ; label
  edge e0 -> b1
  edge e1 -> b2
  table t0 [1: e0, 2: e1]
b0:
  jump_indirect r1, t0
b1:
  call @labrys_label(r2, r2)
  return (r0)
b2:
  call @labrys_label(r3, r3)
  return (r0)
}";
    check_f(text);
}

#[test]
fn constant_tables_are_read_only_inside() {
    // Entries 0 to 3 are 1, 2, 3, 4; with five bits of index some read lies outside.
    let text = |mask: u8, kind: &str| {
        format!(
            "global @table size 4 align 1 element 1 {kind} init x\"01020304\"
{HARNESS}function @f(r0) -> 8 {{
  regs 8 8 64 64 64 8 8 1 32 32 8 8 1 32 32
  const r1 = {mask}
  const r2 = @table
  const r6 = 4
  const r10 = 3
  const r9 = 1
  const r14 = 100
b0:
  r11 = and.8 r0, r1
  r3 = cast.zext.8.64 r11
  r4 = index r2, r3, 1
  r5 = load.8 r4
  r7 = cmp.ugt.8 r5, r6
  r8 = cast.zext.1.32 r7
  call @labrys_label(r9, r8)
  r12 = cmp.ugt.8 r5, r10
  r13 = cast.zext.1.32 r12
  call @labrys_label(r14, r13)
  return (r5)
}}"
        )
    };
    assert_eq!(refuted(&text(3, "const"), &[1, 100]), vec![1]);
    assert_eq!(refuted(&text(7, "const"), &[1, 100]), Vec::<u32>::new());
    assert_eq!(refuted(&text(3, ""), &[1, 100]), Vec::<u32>::new());
    assert_eq!(
        refuted(&text(3, "const external"), &[1, 100]),
        Vec::<u32>::new()
    );
}

#[test]
fn a_case_is_jumped_to_or_fallen_into() {
    // Case 2 has the value 9, which three bits do not have; it is fallen into from case 1.
    let text = |value: u8| {
        format!(
            "{HARNESS}function @f(r0) -> 8 {{
  regs 8 8 8 32 32 32 8 8
  const r1 = 7
  const r3 = 0
  const r4 = 1
  const r5 = 2
  edge e0 -> b1 edge e1 -> b2 edge e2 -> b3 edge e3 -> b2
  table t0 [1: e0, {value}: e1] default e2
b0:
  r6 = and.8 r0, r1
  call @labrys_switch(r3, r6) -> (r7)
  switch r7, t0
b1:
  call @labrys_case(r3, r4)
  jump e3
b2:
  call @labrys_case(r3, r5)
  return (r0)
b3:
  return (r0)
}}"
        )
    };
    let case = |case: u32| Trigger::Case { switch: 0, case };
    let found = refute(&module(&text(9)), &scope(), &[case(1), case(2)]);
    assert_eq!(found.into_keys().collect::<Vec<_>>(), vec![case(2)]);
    let found = refute(&module(&text(7)), &scope(), &[case(1), case(2)]);
    assert!(found.is_empty());
}

#[test]
fn all_places_of_a_label_count() {
    let text = format!(
        "{HARNESS}function @f(r0) -> 8 {{ regs 8 32 32 8 1 32 const r1 = 1 const r2 = 0 const r3 = 9
b0: call @labrys_label(r1, r2) r4 = cmp.eq.8 r0, r3 r5 = cast.zext.1.32 r4
 call @labrys_label(r1, r5) return (r0) }}"
    );
    assert_eq!(refuted(&text, &[1]), Vec::<u32>::new());
    let text = text.replace("(r1, r5)", "(r1, r2)");
    assert_eq!(refuted(&text, &[1]), vec![1]);
}

#[test]
fn an_annotation_without_a_number_may_be_any() {
    let text = format!(
        "{HARNESS}function @f(r0) -> 8 {{ regs 8 32 32 const r1 = 1 const r2 = 0
b0: call @labrys_label(r1, r2) return (r0) }}
function @other(r0) {{ regs 32 b0: call @labrys_label(r0, r0) return () }}"
    );
    assert_eq!(refuted(&text, &[1]), Vec::<u32>::new());
}

#[test]
fn recursion_ends_and_is_sound() {
    // f(n) calls itself with n - 1 down to 0.
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 8 32 32 1 8 8 1 32 1 32 8 8
  const r1 = 0
  const r2 = 1
  const r12 = 7
  const r13 = 8
  const r3 = 1 ; label
  const r4 = 100 ; label
  edge e0 -> b1
  edge e1 -> b2
b0:
  r5 = cmp.ult.8 r0, r13
  branch r5, e0, e1
b1:
  r8 = cmp.ugt.8 r0, r12
  r9 = cast.zext.1.32 r8
  call @labrys_label(r3, r9)
  r10 = cmp.eq.8 r0, r1
  r11 = cast.zext.1.32 r10
  call @labrys_label(r4, r11)
  r6 = sub.8 r0, r2
  call @f(r6) -> (r7)
  return (r7)
b2:
  return (r0)
}",
    );
}

#[test]
fn an_edge_that_two_blocks_share_is_taken_if_either_takes_it() {
    // b1 ends the run, b0 goes over the same edge.
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 32 32 1
  const r1 = 3
  const r2 = 100 ; label
  edge e0 -> b1
  edge e1 -> b2
b0:
  r4 = cmp.eq.8 r0, r1
  branch r4, e0, e1
b1:
  call @labrys_exit(r2)
  jump e1
b2:
  call @labrys_label(r2, r2)
  return (r0)
}",
    );
}

#[test]
fn what_one_harness_can_do_is_not_refuted_by_another() {
    let text = format!(
        "{CALLEE}{CALLS}{HARNESS}
function @other() {{ regs 8 8 b0: call @input() -> (r0) call @g(r0) -> (r1) return () }}"
    );
    let wanted = [Trigger::Label { id: 1 }];
    assert_eq!(refute(&module(&text), &scope(), &wanted).len(), 1);
    let mut both = scope();
    both.entries.push("other".into());
    assert!(refute(&module(&text), &both, &wanted).is_empty());
}

#[test]
fn two_uses_of_what_was_never_written_need_not_agree() {
    check_f(
        "function @f(r0) -> 8 {
  regs 8 8 32 32 1 32 1 32 8 8
  const r1 = undef
  const r2 = 1 ; label
  const r3 = 100 ; label
b0:
  r8 = xor.8 r0, r0
  r4 = cmp.ne.8 r8, r8
  r5 = cast.zext.1.32 r4
  call @labrys_label(r2, r5)
  r9 = xor.8 r1, r1
  r6 = cmp.ne.8 r9, r9
  r7 = cast.zext.1.32 r6
  call @labrys_label(r3, r7)
  return (r0)
}",
    );
}
