//! Generated programs that take long in one way each. The number says how large they are.

use std::fmt::Write as _;

/// Four lines each; every function calls the one before it.
pub(super) fn many_functions(number: usize) -> String {
    let mut text =
        String::from("int f0(int x, int y)\n{ if (x > 0 && y < x) return x;\n  return y;\n}\n");
    for i in 1..number {
        let _ = write!(
            text,
            "int f{i}(int x, int y)\n{{ if (x > {i} && y < x) return x - {i};\n  if (y == {}) return f{}(y, x); return 0;\n}}\n",
            i * 7 + 3,
            i - 1
        );
    }
    text
}

/// The same with pointers and structures: each has a harness of sixty lines.
pub(super) fn pointer_functions(number: usize) -> String {
    let mut text = String::from(
        "struct n { int v; struct n *next; int *p; };\nint f0(struct n *a, int *b)\n{ return a && b; }\n",
    );
    for i in 1..number {
        let _ = write!(
            text,
            "int f{i}(struct n *a, int *b)\n{{ if (a && b && a->next && a->p != b && *b == {i}) return f{}(a->next, b);\n  if (a && a->v > {i}) return a->v;\n  return 0; }}\n",
            i - 1
        );
    }
    text
}

pub(super) fn large_array(bytes: usize) -> String {
    format!(
        "char a[{bytes}] = {{1, 2, 3}};\nint f(unsigned i) {{ if (i < sizeof a && a[i] == 2) return 1; return 0; }}\n"
    )
}

pub(super) fn conjuncts(number: usize) -> String {
    let conditions: Vec<String> = (0..number)
        .map(|i| format!("x[{}] != {i}", i % 4))
        .collect();
    format!(
        "int f(int *x)\n{{\n  if ({}) return 1;\n  return 0;\n}}\n",
        conditions.join(" && ")
    )
}

/// The same over parameters, and each condition has one of its own.
pub(super) fn conjuncts_of_parameters(number: usize) -> String {
    let names: Vec<String> = (0..number).map(|i| format!("int x{i}")).collect();
    let conditions: Vec<String> = (0..number).map(|i| format!("x{i} > 0")).collect();
    format!(
        "int f({})\n{{\n  if ({}) return 1;\n  return 0;\n}}\n",
        names.join(", "),
        conditions.join(" && ")
    )
}

pub(super) fn products(_: usize) -> String {
    "int f(unsigned long a, unsigned long b)\n{\n  if (a > 1 && b > 1 && a < 0xffffffffUL && b < 0xffffffffUL && a * b == 18446744030759878681UL) return 1;\n  if (a * a * a + b * b * b == 0x123456789abcdefUL && a > 10 && b > 10) return 2;\n  return 0;\n}\n".into()
}

pub(super) fn doubles(_: usize) -> String {
    "int f(double a, double b, double c)\n{\n  if (a * a * a + b * b * b == c * c * c && a > 1 && b > 1 && c > 1) return 1;\n  if (a / b / c == 3.7 && a * b * c == 2.9e10) return 2;\n  return 0;\n}\n".into()
}

pub(super) fn many_cases(number: usize) -> String {
    let cases: String = (0..number)
        .map(|i| format!("  case {}: g = {i}; break;\n", i * 13))
        .collect();
    format!("int g;\nint f(int x)\n{{\n  switch (x) {{\n{cases}  }}\n  return g;\n}}\n")
}

/// Each case never ends natively.
pub(super) fn hangs(number: usize) -> String {
    let cases: String = (0..number)
        .map(|i| format!("  case {i}: for (;;) g++;\n"))
        .collect();
    format!("volatile int g;\nint f(int x)\n{{\n  switch (x) {{\n{cases}  }}\n  return g;\n}}\n")
}
