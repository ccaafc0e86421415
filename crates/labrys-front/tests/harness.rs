//! Harnesses and stubs for every kind of parameter compile with clang and GCC and name their
//! inputs; the errors of the front end are clear.
#![allow(clippy::unwrap_used)]

mod common;

use common::{function, load_text, must, options, texts};
use labrys_front::{AnnotatedProgram, EntryChoice, FrontError, SourceFile, load};
use labrys_ledger::{Criterion, InputType};
use std::path::PathBuf;
use std::process::Command;

/// Loads, and lets GCC compile the result too.
fn load_both(text: &str, entry: &EntryChoice) -> AnnotatedProgram {
    load_both_with(text, entry, |_| {})
}

fn load_both_with(
    text: &str,
    entry: &EntryChoice,
    change: impl FnOnce(&mut labrys_front::FrontOptions),
) -> AnnotatedProgram {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.c");
    std::fs::write(&path, text).unwrap();
    let mut options = options(dir.path());
    change(&mut options);
    let program = load(&[path.into()], entry, &options).unwrap_or_else(|e| panic!("{e}"));
    for unit in &program.units {
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-x", "c", "-DLABRYS_NATIVE", "-c"])
            .arg(&unit.annotated_path);
        must(gcc.args(["-o", "/dev/null"]));
    }
    program
}

fn inputs(program: &AnnotatedProgram) -> Vec<&str> {
    program.entries[0]
        .inputs
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn functions_whose_parameters_have_nameless_types_are_left_out() {
    let text = "int of_struct(struct { int a; } s) { return s.a == 3 ? 1 : 0; }\n\
                int of_union(union { int i; float f; } *u) { return u->i == 3 ? 1 : 0; }\n\
                int of_enum(enum { A, B } v) { return v == B ? 1 : 0; }\n\
                int plain(int x, int (*g)(int)) { return x > 3 && g(x) ? 1 : 0; }";
    let program = load_both(text, &EntryChoice::Every);
    let named: Vec<&str> = (program.entries.iter())
        .map(|entry| entry.function.as_str())
        .collect();
    assert_eq!(named, ["plain"]);
    assert_eq!(program.notes.len(), 3, "{:?}", program.notes);
    assert!(program.objectives.iter().all(|o| o.function == "plain"));
    let error = load_text(text, &function("of_union"), |_| {}).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("'of_union' cannot be called") && said.contains("parameter 'u'"),
        "{said}"
    );
}

/// Their objectives are there, so that it can be said that nobody has looked at them.
#[test]
fn functions_behind_too_many_bytes_of_harness_are_left_out() {
    let text = "int f(int x) { return x ? 1 : 2; } int g(int x) { return f(x) && x > 3; }\n\
                int h(int x) { if (x) return 1; return 0; }";
    for (bytes, with_harness) in [(0, 1), (1, 1), (usize::MAX, 3)] {
        let program = load_both_with(text, &EntryChoice::Every, |o| o.harness_bytes = bytes);
        let named = program.entries.iter().chain(&program.left_out);
        let named: Vec<&str> = named.map(|entry| entry.function.as_str()).collect();
        assert_eq!(named, ["f", "g", "h"]);
        assert_eq!(program.entries.len(), with_harness);
        assert_eq!(program.left_out.iter().any(|e| e.scope == ["h"]), bytes < 2);
        assert!(program.objectives.iter().any(|o| o.function == "h"));
    }
}

#[test]
fn scalars_are_inputs_of_their_type() {
    let program = load_both(
        "typedef unsigned short word; enum e { A, B = -3 };\n\
         long f(_Bool b, char c, signed char s, unsigned char u, word w, unsigned x, long long l,\n\
                float g, double d, long double q, enum e e, __int128 i, const int k, volatile int v)\n\
         { return b && c && s && u && w && x && l && g && d && q && e && i && k && v; }",
        &function("f"),
    );
    assert_eq!(program.entries[0].inputs.len(), 14);
    assert_eq!(program.objectives.len(), 28);
    let int = |name: &str, bits, signed| InputType::Int {
        name: name.into(),
        bits,
        signed,
    };
    assert_eq!(
        program.entries[0].inputs["w"],
        int("unsigned short", 16, false)
    );
    assert_eq!(program.entries[0].inputs["e"], int("enum e", 32, true));
    assert_eq!(program.entries[0].outputs["return"], int("long", 64, true));
}

#[test]
fn a_list_has_nodes_to_the_depth_and_may_share_them() {
    let program = load_both(
        "struct node { int value; struct node *next; };\n\
         int length(struct node *list) { int n = 0; while (list) { n++; list = list->next; } return n; }",
        &function("length"),
    );
    assert_eq!(
        inputs(&program),
        [
            "list (pointer)",
            "list->next (pointer)",
            "list->next->next (pointer)",
            "list->next->next->next (pointer)",
            "list->next->next->value",
            "list->next->value",
            "list->value",
        ]
    );
    let InputType::Pick { choices, .. } = &program.entries[0].inputs["list->next->next (pointer)"]
    else {
        panic!("not a pick")
    };
    assert_eq!(choices[..2], ["NULL", "&list_next_next_object"]);
    assert!(
        choices.contains(&"&list_object".to_owned()),
        "sharing: {choices:?}"
    );
    let text = &program.entries[0].harness_text;
    assert!(
        text.contains("labrys_limit((const void *)&list_next_next_object.next"),
        "{text}"
    );
    assert!(text.contains("labrys_guess(&list_object"), "{text}");
}

#[test]
fn trees_stay_within_a_sane_number_of_nodes() {
    let program = load_both(
        "struct t { int k; struct t *l, *r, *up, *down; }; int f(struct t *a) { return a->k; }",
        &function("f"),
    );
    let nodes = program.entries[0]
        .harness_text
        .matches("struct t a")
        .count();
    assert!((8..=16).contains(&nodes), "{nodes}");
}

#[test]
fn strings_arrays_and_aliases() {
    let program = load_both(
        "int f(const char *s, int *a, int *b, void *v, char **names, int (*rows)[3], double m[2][2])\n\
         { return *s && *a && *b && v && names[0] && rows[0][1] && m[0][0]; }",
        &function("f"),
    );
    let entry = &program.entries[0];
    assert!(matches!(
        &entry.inputs["s"],
        InputType::Array { count: 8, .. }
    ));
    assert!(matches!(
        &entry.inputs["a"],
        InputType::Array { count: 4, .. }
    ));
    let InputType::Pick { choices, .. } = &entry.inputs["b (pointer)"] else {
        panic!("not a pick")
    };
    assert_eq!(choices, &["NULL", "b_data", "a_data"]);
    assert!(entry.inputs.contains_key("names[3] (pointer)"));
    assert!(entry.outputs.contains_key("*a"), "{:?}", entry.outputs);
    assert!(
        !entry.outputs.contains_key("*s"),
        "what is const is no output"
    );
}

#[test]
fn every_kind_of_member_is_filled() {
    let program = load_both(
        "typedef int (*callback)(int);\n\
         static int twice(int x) { return 2 * x; }\n\
         struct inner { short a[2]; const int fixed; };\n\
         struct all {\n\
           unsigned bits : 3, : 2, more : 5; struct inner in; union { int i; float f; char *s; } u;\n\
           struct { int anonymous; union { long x; double y; }; }; callback call; struct unknown *far;\n\
           volatile char state; struct { int deep; } list[2]; char name[100]; enum { P, Q } e; _Bool ok; };\n\
         int f(struct all *p, struct all by_value) { return p && p->call && p->call(3) && by_value.ok; }\n\
         struct tail { int n; int data[]; }; int g(struct tail *t) { return t->data[t->n]; }",
        &EntryChoice::Every,
    );
    let f = program.entries.iter().find(|e| e.function == "f").unwrap();
    for name in [
        "p->bits",
        "p->more",
        "p->in.fixed",
        "p->u.f",
        "p->anonymous",
        "p->call (pointer)",
        "p->call()",
        "p->state",
        "p->list[1].deep",
        "p->name",
        "p->e",
        "by_value.in.a",
    ] {
        assert!(
            f.inputs.contains_key(name),
            "{name} in {:?}",
            f.inputs.keys()
        );
    }
    let InputType::Pick { choices, .. } = &f.inputs["p->call (pointer)"] else {
        panic!("pick")
    };
    assert_eq!(choices[..2], ["NULL", "twice"]);
    let g = program.entries.iter().find(|e| e.function == "g").unwrap();
    assert!(g.inputs.contains_key("t->data[3]"), "{:?}", g.inputs.keys());
}

#[test]
fn odd_functions_have_harnesses() {
    let program = load_both(
        "#include <stdio.h>\n#include <stdarg.h>\n#include <complex.h>\n\
         typedef int v4 __attribute__((vector_size(16)));\n\
         struct pair { int x, y; }; struct pair swap(struct pair p) { struct pair q = {p.y, p.x}; return q; }\n\
         int old(a, b) char a; float b; { return a > b; }\n\
         int nothing() { return 1; } void none(void) {}\n\
         int many(int n, ...) { return n; }\n\
         v4 add(v4 a, v4 b) { return a + b; } double _Complex c(double _Complex z) { return z; }\n\
         int stream(FILE *f) { return f != 0; } int list(const char *f, va_list ap) { return va_arg(ap, int); }\n\
         int f(int f) { return f; } char *pointer(char *s) { return s; }\n\
         static inline int hidden(int *const *const p) { return **p; } int unnamed(int, char *);\n\
         int unnamed(int a, char *b) { return a + *b; } int call(int (*g)(struct pair *, void (*)(int))) { return g(0, 0); }\n\
         int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }",
        &EntryChoice::Every,
    );
    assert_eq!(program.entries.len(), 15);
    let swap = program
        .entries
        .iter()
        .find(|e| e.function == "swap")
        .unwrap();
    assert_eq!(
        swap.outputs.keys().collect::<Vec<_>>(),
        ["return.x", "return.y"]
    );
    assert!(
        program
            .notes
            .iter()
            .any(|n| n.contains("many: called without variable arguments"))
    );
    let main = program
        .entries
        .iter()
        .find(|e| e.function == "main")
        .unwrap();
    assert!(main.inputs.contains_key("argv[1]") && main.inputs.contains_key("argc"));
}

#[test]
fn undefined_functions_and_globals_are_inputs() {
    let program = load_both(
        "#include <stdlib.h>\n\
         struct s { int a; }; extern int limit, table[]; extern const char *names[2]; int defined = 3;\n\
         extern struct s make(int); extern int *where(void); _Noreturn void die(const char *);\n\
         int f(int x) { if (x > limit || table[1]) die(names[0]); return make(x).a + *where() + rand() + later(x) + defined; }",
        &function("f"),
    );
    let names: Vec<_> = program.stubs.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["die", "later", "make", "rand", "where"]);
    let program_of_calls = load_both(
        "int ask(void); int f(int x) { if (ask()) return ask() && x; while (!ask()) x = (ask)() ?: 3; return x; }",
        &function("f"),
    );
    let text = &program_of_calls.units[0].annotated;
    assert!(
        text.contains("if (labrys_cond(0, 0, !!(labrys_stub_ask())))"),
        "{text}"
    );
    let later = program.stubs.iter().find(|s| s.name == "later").unwrap();
    assert!(
        later.declared.is_none() && later.calls[0].ends_with("x.c:4"),
        "{later:?}"
    );
    for name in [
        "limit", "table", "names[0]", "make().a", "where()", "rand()", "later()", "x",
    ] {
        assert!(
            inputs(&program).contains(&name),
            "{name} in {:?}",
            inputs(&program)
        );
    }
    assert!(
        !inputs(&program).contains(&"defined"),
        "a defined global keeps its value"
    );
    let entry = function("f");
    let text =
        "int defined = 3; static const int fixed = 4; int f(void) { return defined > fixed; }";
    let program = load_both_with(text, &entry, |o| o.symbolic_globals = true);
    assert_eq!(inputs(&program), ["defined"]);
}

#[test]
fn several_files_are_one_program() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    write(
        "h.h",
        "static inline int shared(int x) { return x > 5; }\nint other(int);\nextern int g;\n",
    );
    let a = write(
        "a.c",
        "#include \"h.h\"\nstatic int same(int x) { return x > 1; }\nint f(int x) { return same(x) + other(x) + shared(x) + g; }\n",
    );
    let b = write(
        "b.c",
        "#include \"h.h\"\nint g = 2;\nstatic int same(int x) { return x > 2; }\nint other(int x) { return same(x) && shared(x); }\nint unused(int x) { return x ? 1 : 2; }\n",
    );
    let program = load(
        &[a.clone().into(), b.clone().into()],
        &function("f"),
        &options(dir.path()),
    )
    .unwrap();
    assert!(program.stubs.is_empty(), "{:?}", program.stubs);
    let functions: Vec<_> = program
        .objectives
        .iter()
        .map(|o| o.function.as_str())
        .collect();
    assert!(
        functions.contains(&"other") && !functions.contains(&"unused"),
        "{functions:?}"
    );
    let ids: std::collections::BTreeSet<_> = program.objectives.iter().map(|o| o.trigger).collect();
    assert_eq!(ids.len(), program.objectives.len(), "triggers are unique");
    let every = load(
        &[a.into(), b.into()],
        &EntryChoice::Every,
        &options(dir.path()),
    )
    .unwrap();
    let harnesses: Vec<_> = every.entries.iter().map(|e| e.harness.as_str()).collect();
    assert_eq!(
        harnesses,
        [
            "labrys_harness_same",
            "labrys_harness_f",
            "labrys_harness_same_2",
            "labrys_harness_other",
            "labrys_harness_unused"
        ]
    );
}

#[test]
fn drivers_of_other_tools_are_recognised() {
    let driver = |text: &str| {
        let program = load_both(text, &EntryChoice::Auto);
        assert_eq!(program.entries.len(), 1, "{text}");
        assert_eq!(program.entries[0].function, "main", "{text}");
        assert!(!program.entries[0].generated, "{text}");
        assert!(program.stubs.is_empty(), "{:?}", program.stubs);
        program.entries[0].inputs.clone()
    };
    let found = driver(
        "#include <klee/klee.h>\n#include <assert.h>\nstruct p { int x; char c; };\n\
         int main() { struct p s; int a[3]; klee_make_symbolic(&s, sizeof s, \"s\"); klee_make_symbolic(a, sizeof(a), \"a\");\n\
         int r = klee_range(0, 5, \"r\"); klee_assume(s.x > 0); return s.x > a[0] + r; }",
    );
    assert!(
        matches!(&found["s"], InputType::Struct { size: 8, .. }),
        "{found:?}"
    );
    assert!(matches!(&found["a"], InputType::Array { count: 3, .. }));
    assert!(found.contains_key("r"));
    let found =
        driver("#include <labrys.h>\nint main(void) { int x = labrys_int(\"x\"); return x > 2; }");
    assert!(found.contains_key("x"));
    let found = driver(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); void reach_error() {}\n\
         static int ask(void) { return __VERIFIER_nondet_int(); } int main() { int x = ask(); if (x > 3) reach_error(); }",
    );
    assert!(found.contains_key("int"), "{found:?}");
    driver("int main() { int a, b; CREST_int(a); CREST_int(b); if (a == b) return 1; return 0; }");
    driver(
        "#include <crest.h>\nint main() { unsigned char a; CREST_unsigned_char(a); return a > 3; }",
    );
    driver(
        "int nondet_int(); int main() { int x = nondet_int(); __CPROVER_assume(x > 0); __CPROVER_assert(x, \"positive\"); return x > 5; }",
    );
}

#[test]
fn a_main_without_inputs_is_not_a_driver() {
    let text = "int f(int x) { return x > 0; } int main(void) { return f(3); }";
    let program = load_both(text, &EntryChoice::Auto);
    let names: Vec<_> = program
        .entries
        .iter()
        .map(|e| e.function.as_str())
        .collect();
    assert_eq!(names, ["f", "main"]);
    let program = load_both(text, &EntryChoice::Main);
    assert_eq!(program.entries[0].scope, ["f", "main"]);
    assert_eq!(program.entries[0].harness, "labrys_harness_main");
}

#[test]
fn labels_of_the_source_become_objectives() {
    let text = "#include <labels.h>\nint f(int *p, int y) {\n  pc_label(p && *p > 3 || !y, 1, \"deep\"); pc_label(y == 2);\n  pc_label_sequence(y > 1, 3, \"seq\");\n  if (y) return 1;\n  return 0; }";
    let program = load_both_with(text, &function("f"), |o| {
        o.criteria = vec![Criterion::Labels]
    });
    assert_eq!(
        texts(&program, Criterion::Labels),
        ["p && *p > 3 || !y [deep]", "y == 2", "y > 1 [seq]"]
    );
    let annotated = &program.units[0].annotated;
    assert!(
        annotated.contains("LABRYS_LABEL(0, !!(!!(p) && !!(*p > 3)) | !!(!y));"),
        "{annotated}"
    );
    assert!(
        program
            .notes
            .iter()
            .any(|n| n.contains("pc_label_sequence")),
        "{:?}",
        program.notes
    );
    let program = load_both_with(text, &function("f"), |o| {
        o.criteria = vec![Criterion::Branch]
    });
    assert_eq!(
        texts(&program, Criterion::Branch),
        ["y is true", "y is false"]
    );
}

#[test]
fn criteria_have_their_objectives() {
    let text = "int f(int a, int b) {\n  int x = 0;\n  if (a && b)\n    x = 1;\n  return x;\n}";
    let of = |criterion| {
        let program = load_both_with(text, &function("f"), |o| o.criteria = vec![criterion]);
        texts(&program, criterion)
    };
    assert_eq!(
        of(Criterion::Statement),
        ["int x = 0;", "if (a && b)", "x = 1;", "return x;"]
    );
    assert_eq!(of(Criterion::Function), ["f is called"]);
    assert_eq!(
        of(Criterion::Decision),
        ["a && b is true", "a && b is false"]
    );
    assert_eq!(
        of(Criterion::Branch),
        ["a is true", "a is false", "b is true", "b is false"]
    );
    assert!(of(Criterion::Path).is_empty());
    let program = load_both_with(text, &function("f"), |o| o.criteria = vec![Criterion::Path]);
    assert!(
        program.units[0]
            .annotated
            .contains("labrys_cond(0, 1, !!(b))")
    );
}

#[test]
fn preconditions_are_assumed_and_checked() {
    let text = "int f(int n, int *p) { return n > 3 && *p; }";
    let program = load_both_with(text, &function("f"), |o| {
        o.assume = vec!["n >= 0 && p != 0".into()]
    });
    assert!(
        program.entries[0]
            .harness_text
            .contains("labrys_assume(!!(n >= 0 && p != 0));")
    );
    let error = load_text(text, &function("f"), |o| o.assume = vec!["m > 0".into()]).unwrap_err();
    let FrontError::BadAssume { message, .. } = &error else {
        panic!("{error}")
    };
    assert!(message.contains("undeclared identifier 'm'"), "{message}");
    let two = "int f(int n) { return n > 3; } int g(int m) { return m > 4; }";
    let assume = |text: &str| load_text(two, &EntryChoice::Every, |o| o.assume = vec![text.into()]);
    let program = assume("n > 0").unwrap();
    assert!(
        program.entries[0]
            .harness_text
            .contains("labrys_assume(!!(n > 0))")
    );
    assert!(!program.entries[1].harness_text.contains("labrys_assume"));
    assert!(matches!(
        assume("k > 0").unwrap_err(),
        FrontError::BadAssume { .. }
    ));
}

#[test]
fn errors_say_what_and_where() {
    let text = "int alpha(int x);\nint parse(int x) { return x; }";
    let entry = function("parze");
    let error = load_text(text, &entry, |_| {}).unwrap_err().to_string();
    assert!(
        error.contains("no function 'parze'") && error.contains("did you mean 'parse'?"),
        "{error}"
    );
    let error = load_text(text, &function("alpha"), |_| {})
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("x.c:1") && error.contains("no body"),
        "{error}"
    );
    let error = load_text(
        "#define BAD(x) x +\nint f(void) {\n  return BAD(3);\n}",
        &EntryChoice::Auto,
        |_| {},
    );
    let error = error.unwrap_err();
    assert!(matches!(error, FrontError::Compile { .. }));
    assert!(error.to_string().contains("x.c:3:"), "{error}");
    let error = load_text("#include \"missing.h\"\n", &EntryChoice::Auto, |_| {})
        .unwrap_err()
        .to_string();
    assert!(error.contains("x.c:1:10: no file 'missing.h'"), "{error}");
    let error = load_text(text, &EntryChoice::Auto, |o| {
        o.clang = "no-such-clang".into()
    })
    .unwrap_err();
    assert!(matches!(error, FrontError::ClangMissing { .. }));
    let dir = tempfile::tempdir().unwrap();
    let cpp = dir.path().join("x.cpp");
    std::fs::write(&cpp, "").unwrap();
    let error = load(&[cpp.into()], &EntryChoice::Auto, &options(dir.path())).unwrap_err();
    assert!(matches!(error, FrontError::CPlusPlus { .. }));
    let error = load(
        &[PathBuf::from("nowhere.c").into()],
        &EntryChoice::Auto,
        &options(dir.path()),
    )
    .unwrap_err();
    assert!(error.to_string().contains("nowhere.c: no such file"));
    let error = load_text("int x;\n", &EntryChoice::Auto, |_| {}).unwrap_err();
    assert!(matches!(error, FrontError::NothingToTest { .. }));
}

#[test]
fn other_encodings_reach_the_compiler_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.c");
    std::fs::write(
        &path,
        b"int f(int x) { /* \xe9 */ return x == \"\xe9t\xe9\"[0] && x; }",
    )
    .unwrap();
    let program = load(&[path.into()], &function("f"), &options(dir.path())).unwrap();
    assert_eq!(program.objectives.len(), 4);
    let written = std::fs::read(&program.units[0].annotated_path).unwrap();
    assert!(written.windows(3).any(|w| w == b"\xe9t\xe9"));
}

#[test]
fn flags_of_the_preprocessor_are_applied_once() {
    let dir = tempfile::tempdir().unwrap();
    let header = dir.path().join("forced.h");
    std::fs::write(
        &header,
        "struct s { int a; }; static int helper(int x) { return x > LIMIT; }\n",
    )
    .unwrap();
    let flags = [
        "-DLIMIT=3",
        "-D",
        "x=y",
        "-include",
        header.to_str().unwrap(),
        "-c",
        "-o",
        "/dev/null/x",
    ];
    let path = dir.path().join("x.c");
    std::fs::write(&path, "int f(int x) { return helper(x) && x; }").unwrap();
    let source = SourceFile {
        flags: flags.iter().map(|f| (*f).to_owned()).collect(),
        ..SourceFile::from(path)
    };
    let program = load(&[source], &function("f"), &options(dir.path())).unwrap();
    assert_eq!(texts(&program, Criterion::Branch)[0], "helper(x) is true");
}

#[test]
fn each_file_has_flags_and_a_directory_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("one/limit.h", "enum { LIMIT = 1 };\n"),
        ("two/limit.h", "enum { LIMIT = 2 };\n"),
        (
            "one/a.c",
            "#include <limit.h>\nint g(int);\nint f(int x) { return x > LIMIT + WIDE || g(x); }\n",
        ),
        (
            "two/b.c",
            "#include <limit.h>\nint g(int x) { return x > LIMIT + WIDE ? 1 : 0; }\n",
        ),
    ] {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let source = |directory: &str, path: &str, wide: &str| SourceFile {
        path: path.into(),
        directory: Some(dir.path().join(directory)),
        flags: vec!["-I".into(), ".".into(), format!("-DWIDE={wide}")],
    };
    let sources = [
        source("one", "a.c", "10"),
        source("two", "../two/b.c", "20"),
    ];
    let program = load(&sources, &function("f"), &options(dir.path())).unwrap();
    let shown: Vec<_> = program.units.iter().map(|u| u.source.clone()).collect();
    assert_eq!(
        shown,
        [dir.path().join("one/a.c"), dir.path().join("two/b.c")]
    );
    let own = program
        .objectives
        .iter()
        .find(|o| o.function == "g")
        .unwrap();
    assert_eq!(own.file, dir.path().join("two/b.c").to_string_lossy());
    assert_eq!(own.text, "x > LIMIT + WIDE is true");
    assert!(program.units[1].annotated.contains("LIMIT + 20"));
    assert!(program.stubs.is_empty());
}

#[test]
fn very_deep_programs_do_not_overflow_the_stack() {
    let mut text = String::from("int f(int x) { int y = x");
    for i in 0..250 {
        text.push_str(&format!(" + (x > {i} ? 1 : 2)"));
    }
    text.push_str(";\n");
    for _ in 0..200 {
        text.push_str("if (x) ");
    }
    text.push_str("y++; return y; }");
    let program = load_both(&text, &function("f"));
    assert_eq!(program.objectives.len(), 900);
}

/// The harness of `f` and the choices of one of its pointers.
fn choices_of(text: &str, pointer: &str) -> (String, Vec<String>) {
    let program = load_both(text, &function("f"));
    let entry = &program.entries[0];
    match &entry.inputs[&format!("{pointer} (pointer)")] {
        InputType::Pick { choices, .. } => (entry.harness_text.clone(), choices.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pointers_that_nobody_compares_have_no_more_choices() {
    let text = "int f(int *a, int *b) { if (!a || !b) return 1; *a = 1; return *b; }";
    let (harness, choices) = choices_of(text, "b");
    assert_eq!(choices, ["NULL", "b_data", "a_data"]);
    assert!(
        harness
            .contains("labrys_own(b_data, sizeof b_data[0], \"i\", \"f int\", \"start\", \"\");")
    );
}

#[test]
fn compared_pointers_lead_into_each_other() {
    let text = "int g; int f(int *a, int *b) { return a == b + 1; }";
    let (harness, choices) = choices_of(text, "a");
    assert_eq!(choices, ["NULL", "a_data", "b_data + place"]);
    assert!(
        harness.contains("labrys_assume(a_place <= 4);"),
        "{harness}"
    );
    assert!(harness.contains("\"places\""), "{harness}");
    let (_, choices) = choices_of(
        "int f(const void *a, const void *b) { const char *x = a, *y = b; return x == y; }",
        "a",
    );
    assert_eq!(choices[2], "b_bytes + place", "through a cast");
}

#[test]
fn pointers_with_an_order_share_one_object() {
    let text = "int f(int *a, int *b) { return a < b; }";
    let (harness, choices) = choices_of(text, "b");
    assert_eq!(choices, ["NULL", "a_data + place"]);
    assert!(harness.contains("int a_data[8];"), "{harness}");
    assert!(!harness.contains("b_data"), "{harness}");
}

#[test]
fn variables_are_targets_unless_they_are_hidden() {
    let written = |variable: &str| {
        let text = format!("{variable} int f(int *a) {{ if (!a) return 1; *a = 2; return g; }}");
        choices_of(&text, "a").1
    };
    assert_eq!(written("int g;"), ["NULL", "a_data", "&g"]);
    assert_eq!(written("static int g;"), ["NULL", "a_data"]);
    assert_eq!(
        written("static int g; int *leak(void) { return &g; }"),
        ["NULL", "a_data", "&g"]
    );
    assert_eq!(written("long g;"), ["NULL", "a_data"]);
    let text = "struct n { struct n *next; } end; int f(struct n *a) { return a == &end; }";
    assert!(choices_of(text, "a").1.contains(&"&end".to_owned()));
}

#[test]
fn what_is_alone_is_nobody_elses() {
    let text = "int f(int *restrict a, int *b) { if (!a || !b) return 1; *a = 1; return *b; }";
    let (harness, choices) = choices_of(text, "b");
    assert_eq!(choices, ["NULL", "b_data"]);
    assert!(harness.contains("\"alone\""), "{harness}");
}
