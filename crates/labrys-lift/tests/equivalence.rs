//! Trivial compiler equivalence: what it must find, and above all what it must not.
#![allow(clippy::unwrap_used)]

use labrys_lift::equivalence::{CLANG_FLAGS, MutantChoices, TrivialVerdict, compare};
use std::process::Command;

/// The verdicts on the alternatives of point 1 in a text.
fn verdicts(text: &str, alternatives: u32) -> Vec<TrivialVerdict> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("unit.c");
    let unit = folder.path().join("unit.bc");
    std::fs::write(
        &source,
        format!("unsigned labrys_mutant(unsigned);\n{text}"),
    )
    .unwrap();
    let compiled = Command::new("clang-19")
        .arg("-w")
        .args(CLANG_FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&unit)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let mutants: Vec<MutantChoices> = (1..=alternatives)
        .map(|alternative| MutantChoices {
            active: vec![(1, alternative)],
        })
        .collect();
    compare(&[unit], &mutants, 2, &|| false).unwrap()
}

/// The verdict on one other body of a function, with `@` where the two differ.
fn pair(text: &str, original: &str, mutant: &str) -> TrivialVerdict {
    let choice = format!("(labrys_mutant(1) ? ({mutant}) : ({original}))");
    verdicts(&text.replace('@', &choice), 1)[0]
}

/// The same for statements.
fn statements(text: &str, original: &str, mutant: &str) -> TrivialVerdict {
    let choice = format!("if (labrys_mutant(1)) {{ {mutant} }} else {{ {original} }}");
    verdicts(&text.replace('@', &choice), 1)[0]
}

/// Checks the verdicts on pairs.
fn all_are(
    wanted: TrivialVerdict,
    verdict: fn(&str, &str, &str) -> TrivialVerdict,
    pairs: &[(&str, &str, &str)],
) {
    let wrong: Vec<String> = pairs
        .iter()
        .map(|(text, original, mutant)| (verdict(text, original, mutant), text, original, mutant))
        .filter(|(found, ..)| *found != wanted)
        .map(|(found, text, original, mutant)| format!("{found:?}: {text}: {original} | {mutant}"))
        .collect();
    assert!(wrong.is_empty(), "not {wanted:?}:\n{}", wrong.join("\n"));
}

#[test]
fn what_a_compiler_sees_is_found() {
    let equal = [
        ("int f(unsigned x) { return @; }", "x >= 0", "1"),
        ("int f(int x) { return @; }", "x + x", "2 * x"),
        ("int f(int x) { return @; }", "x * 1", "x"),
        ("int f(int x) { return @; }", "x & 0xff", "x % 256u"),
        (
            "int f(int x, int y) { if (x < y) return @; return 0; }",
            "x != y",
            "x <= y",
        ),
        ("int f(int *p) { return @; }", "p[0] + p[0]", "2 * p[0]"),
        (
            "int f(int n) { int s = 0; for (int i = 0; @; i++) s += n; return s; }",
            "i < 10",
            "i != 10",
        ),
        (
            "struct s { int a, b; }; int f(struct s *p) { p->a = 1; p->b = @; return p->a; }",
            "p->a",
            "1",
        ),
    ];
    all_are(TrivialVerdict::Equivalent, pair, &equal);
}

#[test]
fn other_code_is_told_apart_and_the_same_code_is_a_duplicate() {
    let text = "int f(int x) { return labrys_mutant(1) ? labrys_mutant(1) == 1 ? x - 1 \
                : labrys_mutant(1) == 2 ? x + 2 : labrys_mutant(1) == 3 ? x + -1 : x + 1 : x + 1; }";
    use TrivialVerdict::{Distinct, DuplicateOf, Equivalent};
    assert_eq!(
        verdicts(text, 4),
        [Distinct, Distinct, DuplicateOf(0), Equivalent]
    );
}

#[test]
fn what_only_undefined_behaviour_tells_apart_is_not_equivalent() {
    let different = [
        // Overflow wraps.
        ("int f(int x) { return @; }", "x + 1 > x", "1"),
        ("int f(int x) { return @; }", "x * 2 / 2", "x"),
        (
            "long f(int x, int i) { return (long)x + @; }",
            "(long)(i + 1)",
            "(long)i + 1",
        ),
        // Divisions.
        ("int f(int x, int y) { @; return x; }", "x / y", "x"),
        ("int f(int x, int y) { @; return x; }", "x % y", "x"),
        (
            "int f(int x, int y) { @; return x; }",
            "x / y",
            "x % (y + 1)",
        ),
        ("int f(int x) { @; return x; }", "5 / 0", "5"),
        ("int f(int x) { @; return x; }", "x / 0", "x"),
        (
            "int f(int x, int y) { int z = x / y; return @; }",
            "y != 0 ? z : 0 * z + 7",
            "y != -1 ? z : -x",
        ),
        // gcc makes 0 of it even without optimisation.
        (
            "int f(int x, int y) { return @; }",
            "(x / y) & 0",
            "(0 / y) & x",
        ),
        // Shifts.
        ("int f(int x) { return @; }", "(1 << x) != 0", "1"),
        (
            "int f(int x, int n) { return @; }",
            "x >> n",
            "n > 31 ? 0 : x >> n",
        ),
        ("int f(int x) { return @; }", "1 << 40", "1 << 41"),
        ("int f(int x) { return @; }", "1 << 40", "7"),
        // Accesses.
        ("int f(int *p) { @; return 1; }", "*p", "1"),
        ("int f(int *p) { return @; }", "*p - *p", "0"),
        ("int f(int **p) { @; return 1; }", "**p", "*p != 0"),
        (
            "int f(int *p) { int x = *p; return p ? @ : 3; }",
            "x",
            "x + 1",
        ),
        ("int f(int *p) { *p = 1; return @; }", "p == 0", "0"),
        ("int f(int i) { int a[4] = {0}; @; return 0; }", "a[i]", "0"),
        (
            "int f(int *restrict p, int *restrict q) { *p = 1; *q = 2; return @; }",
            "*p",
            "1",
        ),
        (
            "int f(int *p, float *q) { *p = 1; *q = 2; return @; }",
            "*p",
            "1",
        ),
        (
            "int f(long *p) { *p = 1; return @; }",
            "(unsigned long)p % 8 == 0",
            "1",
        ),
        (
            "int f(char *p, unsigned long n) { return @; }",
            "p + n >= p",
            "1",
        ),
        (
            "void free(void *); int f(int *p) { int x = *p; free(p); @; return x; }",
            "*p",
            "x",
        ),
        // Uninitialised locals.
        ("int f(void) { int x; return @; }", "x", "0"),
        ("int f(void) { int x, y; return @; }", "x", "y"),
        ("int f(int c) { int x; if (c) x = 1; return @; }", "x", "1"),
        (
            "int f(int i) { int a[4]; a[0] = 1; return @; }",
            "a[1]",
            "a[2]",
        ),
        // Conversions.
        (
            "int f(double d) { return @; }",
            "(int)d == (int)d + 1",
            "(int)d == 7",
        ),
        ("int f(double d) { return @; }", "(int)d", "(int)(long)d"),
        // Floats.
        ("double f(double d) { return @; }", "d + 0.0", "d"),
        ("double f(double d) { return @; }", "d * 0", "0.0"),
        ("int f(double d) { return @; }", "d == d", "1"),
        (
            "double f(void) { return @; }",
            "0.0 / 0.0",
            "__builtin_nan(\"\")",
        ),
        ("double f(void) { return @; }", "1.5", "2.5"),
    ];
    all_are(TrivialVerdict::Distinct, pair, &different);
}

#[test]
fn effects_and_endless_loops_stay() {
    let different = [
        ("int f(int x) { @ return x; }", "for (;;) ;", ""),
        ("int f(int x) { @ return x; }", "while (x) ;", ""),
        (
            "int f(unsigned x) { @ return x; }",
            "for (unsigned i = 0; i < x; i++) ;",
            "",
        ),
        (
            "int f(void) { int s = 0; @ return s; }",
            "for (unsigned i = 0; i < 10; i++) s++;",
            "for (unsigned i = 0; i < 4000000000u; i++) s = 10;",
        ),
        (
            "unsigned f(unsigned n) { @ }",
            "return n ? f(n - 1) : 0;",
            "return 0;",
        ),
        ("int f(int x) { @ }", "return f(x);", "for (;;) ;"),
        ("int g(void); int f(int x) { @ return x; }", "g();", ""),
        (
            "__attribute__((pure)) int g(int); int f(int x) { @ return x; }",
            "g(x);",
            "",
        ),
        (
            "__attribute__((const)) int g(int); int f(int x) { @ }",
            "return g(x) + g(x);",
            "return 2 * g(x);",
        ),
        (
            "static int g(int x) { return x; } int f(int x) { @ }",
            "return g(x);",
            "return x;",
        ),
        (
            "static int g(int x) { return x; } int f(int x) { @ }",
            "return g(x);",
            "return g(x) + 0 * g(1);",
        ),
        (
            "__attribute__((nonnull)) int g(int *); int f(int *p) { int x = g(p); @ return x; }",
            "if (!p) x = 1;",
            "",
        ),
        ("int f(int x) { static int n; @ return x; }", "n++;", ""),
        (
            "static int n; int f(void) { @ } int h(void) { return n++; }",
            "return n;",
            "return 0;",
        ),
        (
            "int *__errno_location(void) __attribute__((const)); int f(int x) { @ return x; }",
            "*__errno_location() = 0;",
            "",
        ),
        (
            "double sqrt(double); int f(double x) { @ return 1; }",
            "sqrt(x);",
            "",
        ),
        (
            "void *malloc(unsigned long); void free(void *); int f(void) { @ }",
            "return malloc(8) == 0;",
            "return 0;",
        ),
        (
            "void *malloc(unsigned long); void free(void *); int f(void) { @ return 0; }",
            "free(malloc(8));",
            "",
        ),
        (
            "int printf(const char *, ...); int f(void) { @ return 0; }",
            "printf(\"a\\n\");",
            "printf(\"b\\n\");",
        ),
        (
            "int puts(const char *); int printf(const char *, ...); int f(void) { @ return 0; }",
            "printf(\"a\\n\");",
            "puts(\"a\");",
        ),
        (
            "unsigned long strlen(const char *); int f(void) { @ }",
            "return strlen(\"abc\");",
            "return 3;",
        ),
        (
            "const char *f(void) { @ }",
            "return \"a\";",
            "return \"b\";",
        ),
        (
            "int g(int), h(int); typedef int (*p)(int); p f(void) { @ }",
            "return g;",
            "return h;",
        ),
        ("int f(int x) { volatile int v = x; @ return x; }", "v;", ""),
        (
            "int f(volatile int *v) { @ return 0; }",
            "*v = 1; *v = 1;",
            "*v = 1;",
        ),
        (
            "int f(int x) { @ return x; }",
            "__asm__ volatile (\"nop\");",
            "",
        ),
        (
            "int f(int x) { @ return x; }",
            "__asm__ volatile (\"nop\");",
            "__asm__ volatile (\"nop; nop\");",
        ),
        ("int f(int x) { @ return x; }", "__builtin_trap();", ""),
        (
            "extern int w __attribute__((weak)); int f(void) { @ }",
            "return &w == 0;",
            "return 0;",
        ),
        (
            "int f(int x) { switch (x) { case 1: return 5; case 2: return 6; case 3: return 9; case 4: @ } return 0; }",
            "return 11;",
            "return 12;",
        ),
        (
            "int g(double); int f(void) { @ }",
            "return g(1.5);",
            "return g(1.25);",
        ),
        ("int f(int x) { @ }", "", "return x;"),
        (
            "struct s { char c; int i; }; void g(struct s *); void f(struct s *p) { struct s l; @ g(&l); }",
            "l = *p;",
            "l.c = p->c; l.i = p->i;",
        ),
    ];
    all_are(TrivialVerdict::Distinct, statements, &different);
}

#[test]
fn what_cannot_be_compared_is_unknown() {
    let unknown = [
        "int setjmp(void *) __attribute__((returns_twice)); int f(void *b) { int x = 1; setjmp(b); return @; }",
        "int f(int n) { int a[n]; a[0] = 1; return @; }",
        "int f(int n) { void *t[] = {&&a, &&b}; goto *t[n]; a: return @; b: return 2; }",
        "int g(void) { return 1; } int h(void) __attribute__((alias(\"g\"))); int f(void) { return @; }",
        "int f(int x) { if (x) __builtin_unreachable(); return @; }",
        "int f(int x) { return __builtin_constant_p(x) + @; }",
        "typedef int v __attribute__((vector_size(16))); int f(v x) { return x[0] + @; }",
    ];
    for text in unknown {
        assert_eq!(pair(text, "1", "1"), TrivialVerdict::Unknown, "{text}");
    }
}
