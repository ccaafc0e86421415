//! What the original text of a unit needs to be linked, and what the front end works out where
//! clang's tree says too little: packed layouts and folded comparisons of floats.
#![allow(clippy::unwrap_used)]

mod common;

use common::{function, load_text, must, texts};
use labrys_front::{AnnotatedProgram, EntryChoice};
use labrys_ledger::{Criterion, InputType};
use std::process::Command;

/// Compiles the original text as the exporters do: with the macros that rename what nobody
/// defines, and the support and harnesses behind it.
fn link_original(source: &str, program: &AnnotatedProgram) {
    let dir = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for name in &program.units[0].support.renamed {
        text.push_str(&format!("#define {name} labrys_stub_{name}\n"));
    }
    text.push_str(source);
    text.push_str("\n#include \"labrys.h\"\n");
    text.push_str(&program.units[0].support.text);
    for entry in &program.entries {
        text.push_str(&entry.harness_text);
    }
    let unit = dir.path().join("unit.c");
    std::fs::write(&unit, text).unwrap();
    let runtime = common::root().join("runtime");
    for compiler in ["cc", "clang-19"] {
        let binary = dir.path().join(compiler);
        let mut command = Command::new(compiler);
        command.args([
            "-w",
            "-DLABRYS_NATIVE",
            "-Wl,--wrap=main,--wrap=fork,--wrap=vfork,--wrap=pthread_create,--wrap=thrd_create",
            "-Wl,--wrap=mmap,--wrap=sigaction,--wrap=signal",
            "-rdynamic",
            "-I",
        ]);
        command.arg(&runtime).arg(&unit);
        if compiler.starts_with("clang") {
            command.arg("-Wno-error=implicit-function-declaration");
        }
        let files = [
            "apart.c",
            "replay.c",
            "result.c",
            "mutants.c",
            "split.c",
            "isolate.c",
            "guarded.c",
            "inputs.c",
            "world.c",
            "place.c",
            "counters.c",
            "overrides.c",
            "faults.c",
            "dialects.c",
            "sandbox/confine.c",
            "sandbox/landlock.c",
        ];
        command.args(files.map(|file| runtime.join(file)));
        must(command.args(["-lm", "-o"]).arg(&binary));
    }
}

#[test]
fn stubs_and_globals_follow_the_original_text() {
    let source = "
        struct node { struct node *next; int (*compare)(int); };
        extern struct node *first;
        extern const unsigned char table[];
        extern char *const names[2];
        int other(struct node *, int);
        void stop(int) __attribute__((noreturn));
        int sum(struct node *list, int n) {
            if (!list) stop(2);
            if (list == first && names[1]) return table[n];
            return other(list->next, undeclared(n)) + list->compare(n);
        }
        static int twice(int n) { return other(first, 2 * n); }
        int use(int n) { return twice(n); }";
    let program = load_text(source, &EntryChoice::Every, |_| {}).unwrap();
    let support = &program.units[0].support;
    assert_eq!(support.renamed, ["other", "stop", "undeclared"]);
    assert!(support.system.is_empty());
    assert_eq!(support.text.matches("labrys_stub_other(").count(), 1);
    link_original(source, &program);
}

#[test]
fn constants_that_others_define_can_be_written() {
    let source = "extern const int limit; int f(int n) { return n > limit; }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    let text = &program.units[0].support.text;
    assert!(
        text.contains("int labrys_global_limit __asm__(\"limit\");"),
        "{text}"
    );
    assert!(
        text.contains("labrys_global_limit = labrys_int(\"limit\");"),
        "{text}"
    );
}

#[test]
fn the_size_of_an_array_without_one_is_a_guess() {
    let source = "extern short data[]; int f(int n) { return data[n] > 3; }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    let text = &program.units[0].support.text;
    assert!(
        text.contains("labrys_guess(data, \"--array-len\");"),
        "{text}"
    );
}

#[test]
fn what_may_be_missing_is_not_made_up() {
    let source = "extern int missing(void) __attribute__((weak));
        extern int absent __attribute__((weak));
        int f(int n) { return missing ? missing() : &absent ? absent : n; }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    assert!(program.stubs.is_empty());
    assert_eq!(program.units[0].support.text, "");
}

#[test]
fn packed_structures_have_their_size() {
    let source = "
        #pragma pack(push, 2)\nstruct two { char a; int b; short c; double d; };
        #pragma pack(pop)\nstruct none { char a; int b; };
        #pragma pack(1)\nstruct one { char a; unsigned b : 12, c : 12; long d; };
        #pragma pack()
        extern struct two x[64]; extern struct none y[64]; extern struct one z[64];
        int f(void) { return x->a + y->a + z->a; }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    let inputs = &program.entries[0].inputs;
    let size = |name: &str| match &inputs[name] {
        InputType::Array { element, .. } => match &**element {
            InputType::Struct { size, .. } => *size,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!([size("x"), size("y"), size("z")], [16, 8, 12]);
}

#[test]
fn comparisons_of_float_constants_are_no_branches() {
    let source = "int f(double d) {
        const float half = 0.5f;
        if (0.1f * 3 == 0.3f || d < 0) return 1;
        if (half + half != 1 || !(1.0 / 3 > 0.3f) || d > 1) return 2;
        return (int)1e3 > 999 && d == 2;
    }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    assert_eq!(
        texts(&program, Criterion::Branch),
        [
            "d < 0 is true",
            "d < 0 is false",
            "d > 1 is true",
            "d > 1 is false",
            "d == 2 is true",
            "d == 2 is false",
        ]
    );
}

#[test]
fn very_large_arrays_are_inputs_in_part() {
    let source = "struct big { char bytes[262144]; int n; };
        int f(struct big *b) { return b->bytes[7] && b->n; }";
    let program = load_text(source, &function("f"), |_| {}).unwrap();
    let entry = &program.entries[0];
    match &entry.inputs["b->bytes"] {
        InputType::Array { count, .. } => assert_eq!(*count, 4096),
        other => panic!("{other:?}"),
    }
    assert!(
        entry
            .harness_text
            .contains("labrys_limit((const void *)&b_object.bytes[4096]"),
        "{}",
        entry.harness_text
    );
}
