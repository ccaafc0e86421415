//! What is known of memory: pairs of programs, one in which a fact must be found and others, next to
//! it, in which something may have written there.

use labrys_ledger::Trigger;
use labrys_prove::{AnalysisScope, refute};

const OUTSIDE: &str = r#"
text "" text "labrys-harness.c" text "model.c"
function @labrys_uchar(r0) -> 8 { regs 64 }
function @labrys_ulong(r0) -> 64 { regs 64 }
function @labrys_label(r0, r1) { regs 32 32 }
function @labrys_label_begin(r0) -> 32 { regs 32 }
function @labrys_symbolic(r0, r1) { regs 64 64 }
function @labrys_touch(r0) { regs 64 }
global @name size 2 align 1 element 1 const init x"7800"
global @g size 8 align 4 element 4 changeable
global @h size 8 align 4 element 4 changeable
function @quiet() { regs 8 64 const r1 = @h
b0: r0 = load.8 r1 return () }
function @loud() { regs 8 64 const r0 = 7 const r1 = @g
b0: store.8 r1, r0 return () }
function @deep() { regs
b0: call @loud() return () }
function @reader(r0) -> 8 !2:1:1 { regs 64 8
b0: r1 = load.8 r0 return (r1) }
function @writer(r0) !2:1:1 { regs 64 8 const r1 = 7
b0: store.8 r0, r1 return () }
"#;

const HARNESS: &str = r#"
function @harness() !1:1:1 { regs 8 64 64 const r2 = @name
b0: call @labrys_uchar(r2) -> (r0) call @labrys_ulong(r2) -> (r1) call @f(r0, r1) return () }
"#;

/// Functions may be called when anything has happened.
const CALLED_LATER: &str = "function @labrys_initial_state() { regs }";
const STUB: &str = "function @anything() { regs }";

fn refuted(text: &str) -> bool {
    let text = format!("{OUTSIDE}{text}{HARNESS}");
    let module = labrys_ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    labrys_ir::verify(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let scope = AnalysisScope {
        entries: vec!["harness".into()],
        made_up: vec!["labrys-harness.c".into()],
        opaque_files: "model".into(),
        ..AnalysisScope::default()
    };
    !refute(&module, &scope, &[Trigger::Label { id: 1 }]).is_empty()
}

const REGISTERS: &str = "
  regs 8 64 64 64 64 64 64 8 8 32 8 8 1 32 64 64 64 8 64 32 1 32 32
  const r2 = @g
  const r3 = @h
  const r7 = 7
  const r8 = 9
  const r9 = 1
  const r14 = 3
  const r18 = @loud
  const r22 = 0";

/// A function that does something, with an input in `r0` and an unknown pointer in `r1`; `r2` is `&g`,
/// `r3` is `&h`, `r4` the address of a local. The label is reached if `r12` holds.
fn function(body: &str) -> String {
    let used = |line: &&str| !line.contains("@loud") || body.contains("r18");
    let registers: Vec<&str> = REGISTERS.lines().filter(used).collect();
    format!(
        "function @f(r0, r1) {{{}
b0:
  r4 = alloca size 8 align 4 element 4
{body}
  r13 = cast.zext.1.32 r12
  call @labrys_label(r9, r13)
  return ()
}}",
        registers.join("\n")
    )
}

/// Is a byte at an address known to be the same before and behind some instructions?
fn is_same(address: &str, between: &str) -> bool {
    refuted(&function(&format!(
        "r10 = load.8 {address} {between} r11 = load.8 {address} r12 = cmp.ne.8 r10, r11"
    )))
}

#[test]
fn two_loads_give_one_value_if_nothing_writes_between() {
    for (address, between) in [
        ("r1", ""),
        ("r2", ""),
        ("r4", ""),
        ("r2", "store.8 r3, r7"),
        ("r1", "r5 = offset r1, 1 store.8 r5, r7"),
        ("r2", "r5 = offset r2, 1 store.32 r5, r9"),
        // Nobody knows the address of the local, and that of g in a whole program.
        ("r4", "store.8 r1, r7"),
        ("r2", "store.8 r1, r7"),
        ("r4", "call @deep()"),
        ("r1", "call @quiet()"),
        ("r1", "call @reader(r1) -> (r17)"),
        ("r2", "call @writer(r1)"),
        ("r3", "call @deep()"),
        ("r4", "call @labrys_symbolic(r1, r14)"),
        ("r2", "memset r3, r7, r14"),
    ] {
        assert!(is_same(address, between), "{address}: {between}");
    }
}

#[test]
fn two_loads_may_differ_if_something_may_write_between() {
    for (address, between) in [
        ("r2", "store.8 r2, r7"),
        ("r1", "store.8 r1, r7"),
        // Another pointer, or an object whose address is known outside.
        ("r1", "r15 = load.64 r1 store.8 r15, r7"),
        ("r1", "call @labrys_symbolic(r3, r14) store.8 r3, r7"),
        ("r3", "call @labrys_symbolic(r3, r14)"),
        ("r3", "call @writer(r3)"),
        ("r4", "call @labrys_symbolic(r4, r14)"),
        ("r4", "store.64 r3, r4 store.8 r1, r7"),
        ("r2", "store.64 r3, r2 store.8 r1, r7"),
        // Bytes that overlap, an index that is not known, many bytes.
        ("r1", "r5 = offset r1, -1 store.32 r5, r9"),
        ("r2", "r5 = offset r2, -3 store.32 r5, r9"),
        (
            "r2",
            "r16 = cast.zext.8.64 r0 r5 = index r2, r16, 1 store.8 r5, r7",
        ),
        ("r2", "memset r2, r7, r14"),
        ("r1", "memcpy r1, r3, r14"),
        ("r2", "store.8 r3, r0 memcpy r2, r3, r14"),
        ("r2", "call @loud()"),
        ("r2", "call @deep()"),
        ("r2", "call_pointer r18 ()"),
        ("r1", "call @writer(r1)"),
        ("r2", "store.64 r3, r2 intrinsic other_threads ()"),
    ] {
        assert!(!is_same(address, between), "{address}: {between}");
    }
}

#[test]
fn a_variable_of_a_part_of_a_program_may_be_written_by_pointers() {
    for outside in [CALLED_LATER, STUB] {
        for (address, between, same) in [
            ("r2", "", true),
            ("r2", "store.8 r3, r7", true),
            ("r2", "store.8 r1, r7", false),
            ("r2", "call @writer(r1)", false),
            ("r4", "store.8 r1, r7", true),
        ] {
            let text = format!(
                "{outside}{}",
                function(&format!(
                    "r10 = load.8 {address} {between} r11 = load.8 {address} \
                     r12 = cmp.ne.8 r10, r11"
                ))
            );
            assert_eq!(refuted(&text), same, "{outside} {address}: {between}");
        }
    }
    let text = function("r11 = load.8 r2 call @anything() r10 = load.8 r2 r12 = cmp.ne.8 r10, r11");
    assert!(!refuted(&format!("{STUB}{text}")));
}

#[test]
fn what_was_stored_is_loaded_again() {
    for (address, between, same) in [
        ("r2", "", true),
        ("r1", "", true),
        ("r4", "store.8 r1, r8", true),
        ("r1", "store.8 r2, r8", true),
        ("r2", "store.8 r2, r8", false),
        (
            "r1",
            "r5 = offset r3, 0 store.64 r4, r3 store.8 r5, r8",
            false,
        ),
    ] {
        let text = function(&format!(
            "store.8 {address}, r7 {between} r10 = load.8 {address} r12 = cmp.ne.8 r10, r7"
        ));
        assert_eq!(refuted(&text), same, "{address}: {between}");
    }
}

#[test]
fn a_variable_that_nobody_sets_keeps_its_initial_value() {
    let read = function("r10 = load.8 r2 r11 = sub.8 r7, r7 r12 = cmp.ne.8 r10, r11");
    assert!(refuted(&read));
    assert!(!refuted(&format!("{CALLED_LATER}{read}")));
    assert!(!refuted(&format!("{STUB}{read}")));
    let started = "constructor @loud ";
    assert!(!refuted(&format!("{started}{read}")));
    // Set before, by a function, and by a pointer that knows it.
    for before in [
        "call @deep()",
        "call @labrys_symbolic(r2, r14)",
        "store.64 r1, r2 r15 = load.64 r1 store.8 r15, r7",
        "call_pointer r18 ()",
    ] {
        let text = function(&format!(
            "{before} r10 = load.8 r2 r11 = sub.8 r7, r7 r12 = cmp.ne.8 r10, r11"
        ));
        assert!(!refuted(&text), "{before}");
    }
}

#[test]
fn everything_that_is_ever_stored_counts_where_the_order_is_not_known() {
    // `set` stores 7 or 9 and is called by nobody knows whom, at any time; f reads.
    let set = |value: u8| {
        format!(
            "function @set(r0) {{ regs 8 64 8 const r1 = @g const r2 = {value}
b0: store.8 r1, r2 return () }}
global @table size 8 align 8 element 8 reloc 0 = @set
"
        )
    };
    let read =
        function("r15 = load.64 r1 call_pointer r15 (r0) r10 = load.8 r2 r12 = cmp.ugt.8 r10, r8");
    assert!(refuted(&format!("{}{read}", set(9))));
    assert!(!refuted(&format!("{}{read}", set(10))));
    // A handler may run at any moment.
    let signal = "function @signal(r0, r1) !2:1:1 { regs 32 64 b0: return () }";
    let twice = function("r10 = load.8 r2 r11 = load.8 r2 r12 = cmp.ne.8 r10, r11");
    assert!(refuted(&format!("{}{twice}", set(9))));
    assert!(!refuted(&format!("{signal}{}{twice}", set(9))));
}

#[test]
fn a_label_takes_back_what_its_predicate_wrote() {
    let text = |inside: &str| {
        function(&format!(
            "store.8 r2, r8 call @labrys_label_begin(r9) -> (r19) {inside} \
             call @labrys_label(r22, r19) r10 = load.8 r2 r12 = cmp.ne.8 r10, r7"
        ))
    };
    assert!(!refuted(&text("call @loud()")));
    let nine = text("").replace("cmp.ne.8 r10, r7", "cmp.ne.8 r10, r8");
    assert!(refuted(&nine));
}

#[test]
fn copies_fills_and_elements_carry_what_is_known() {
    let numbers =
        "global @numbers size 8 align 1 element 1 const mergeable init x\"0901070600000000\"\n";
    let local = |body: &str| {
        let text = function(body);
        format!(
            "{numbers}{}",
            text.replace("const r14 = 3", "const r14 = 4\n  const r6 = @numbers")
        )
    };
    for (body, proved) in [
        // The elements are 9, 1, 7 and 6.
        (
            "memcpy r4, r6, r14 r10 = load.8 r4 r12 = cmp.ne.8 r10, r8",
            true,
        ),
        (
            "memcpy r4, r6, r14 r5 = offset r4, 1 r10 = load.8 r5 r12 = cmp.ne.8 r10, r8",
            false,
        ),
        (
            "memcpy r4, r6, r14 r5 = offset r4, 4 r10 = load.8 r5 r12 = cmp.ugt.8 r10, r8",
            false,
        ),
        (
            "memset r4, r8, r14 r5 = offset r4, 3 r10 = load.8 r5 r12 = cmp.ne.8 r10, r8",
            true,
        ),
        (
            "memset r4, r8, r14 r5 = offset r4, 4 r10 = load.8 r5 r12 = cmp.ne.8 r10, r8",
            false,
        ),
        // An index of one bit, and one of more.
        (
            "memset r4, r8, r14 r17 = lshr.8 r0, r7 r16 = cast.zext.8.64 r17 r5 = index r4, r16, 1 \
             r10 = load.8 r5 r12 = cmp.ne.8 r10, r8",
            true,
        ),
        (
            "memset r4, r8, r14 r16 = cast.zext.8.64 r0 r5 = index r4, r16, 1 \
             r10 = load.8 r5 r12 = cmp.ne.8 r10, r8",
            false,
        ),
        (
            "memset r4, r8, r14 r17 = lshr.8 r0, r7 r16 = cast.zext.8.64 r17 r5 = index r4, r16, 1 \
             store.8 r5, r7 r10 = load.8 r4 r12 = cmp.ne.8 r10, r8",
            false,
        ),
        (
            "memset r4, r8, r14 r17 = lshr.8 r0, r7 r16 = cast.zext.8.64 r17 r5 = index r4, r16, 1 \
             store.8 r5, r7 r15 = offset r4, 2 r10 = load.8 r15 r12 = cmp.ne.8 r10, r8",
            true,
        ),
    ] {
        assert_eq!(refuted(&local(body)), proved, "{body}");
    }
}

#[test]
fn a_function_that_returns_twice_may_store_anything() {
    let jumper = |jump: &str| {
        format!(
            "function @jumper(r0) {{ regs 64 64 8 32 64 const r1 = @g const r2 = 7
b0: {jump} r4 = offset r1, 0 store.8 r4, r2 return () }}\n"
        )
    };
    let read = function("call @jumper(r1) r10 = load.8 r2 r12 = cmp.ne.8 r10, r7");
    assert!(refuted(&format!("{}{read}", jumper(""))));
    assert!(!refuted(&format!(
        "{}{read}",
        jumper("intrinsic setjmp (r0) -> (r3)")
    )));
    // Not even that it is still 0 is known.
    let read =
        function("call @jumper(r1) r10 = load.8 r2 r11 = sub.8 r7, r7 r12 = cmp.ne.8 r10, r11");
    assert!(!refuted(&format!(
        "{}{read}",
        jumper("intrinsic setjmp (r0) -> (r3)")
    )));
}

/// `g` is handed to a function that sets a member of it, or another one.
#[test]
fn a_parameter_is_the_variable_that_all_calls_pass() {
    let set = "function @set(r0, r1) { regs 64 8 64
b0: r2 = offset r0, 4 store.8 r2, r1 return () }\n";
    let body = |call: &str, offset: u8| {
        function(&format!(
            "{call} r5 = offset r2, {offset} r10 = load.8 r5 r12 = cmp.ne.8 r10, r8"
        ))
    };
    // Set to 9, and nobody else can reach it.
    let once = body("call @set(r2, r8) store.8 r1, r7", 4);
    assert!(refuted(&format!("{set}{once}")));
    let other = body("call @set(r2, r7)", 4);
    assert!(!refuted(&format!("{set}{other}")));
    // The same function gets another variable in another call, which does not touch this one.
    let two = body("call @set(r2, r8) call @set(r3, r7) store.8 r1, r7", 4);
    assert!(refuted(&format!("{set}{two}")));
    // One call gets either of them.
    let either = "r12 = cmp.eq.8 r0, r7 r5 = select r12, r2, r3 call @set(r2, r8) call @set(r5, r7)
r6 = offset r2, 4 r10 = load.8 r6 r12 = cmp.ne.8 r10, r8";
    assert!(!refuted(&format!("{set}{}", function(either))));
    let apart = body("call @set(r2, r8) call @set(r5, r7)", 4).replacen(
        "r4 =",
        "r5 = offset r2, 1 r4 =",
        1,
    );
    assert!(!refuted(&format!("{set}{apart}")));
    // Its address is known: whoever has it may pass anything that is known, too.
    let table = "global @table size 8 align 8 element 8 reloc 0 = @set\n";
    assert!(refuted(&format!("{set}{table}{once}")));
    let known = "global @known size 8 align 8 element 8 reloc 0 = @g\n";
    assert!(!refuted(&format!("{set}{table}{known}{once}")));
    // What it does with the address counts as if the caller did it.
    let leak = "function @set(r0, r1) { regs 64 8 64 64 const r3 = @h
b0: store.64 r3, r0 r2 = offset r0, 4 store.8 r2, r1 return () }\n";
    assert!(!refuted(&format!("{leak}{once}")));
}

#[test]
fn nothing_is_known_where_the_order_of_evaluation_decides() {
    let read = "r10 = load.8 r2 r11 = load.8 r2 r12 = cmp.ne.8 r10, r11";
    assert!(refuted(&function(read)));
    assert!(!refuted(&function(&format!(
        "call @labrys_touch(r2) {read}"
    ))));
    let text = format!("intrinsic rest_on (r9) {read}");
    assert!(!refuted(&function(&text)));
}
