//! Operands whose order of evaluation matters are marked, others are not, and what is marked compiles
//! with clang and GCC, whatever it is.
#![allow(clippy::unwrap_used)]

mod common;

use common::{function, must, options};
use labrys_front::load;
use std::process::Command;

const MARK: &str = "LABRYS_ANY_ORDER,";

const PROGRAM: &str = r#"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; long value; unsigned bits : 3; int list[4]; };
union bytes { int number; float real; };
static int total;
static int *place = &total;
static struct node *head, *tail;
static union bytes bytes;
static jmp_buf back;
static int add(int a, int b) { return a + b; }
static int square(int a) { return a * a; }
static int next(void) { return ++total; }
static int seen(void) { return total; }
static float real(void) { bytes.real = 1.5f; return 2; }
static struct node *make(long value) {
  struct node *made = (struct node *)malloc(sizeof *made);
  if (made) { made->value = value; made->list[1] = 3; }
  return made;
}
static struct node whole(int x) { total = x; return (struct node){0, x, 1, {0}}; }
static int fill(int *p) { *p = 3; return 1; }
static int (*pointer)(void) = next;
int outside(int);
int renamed(void) __attribute__((alias("real_name")));
int real_name(void) { return ++total; }
int unknown();
int labrys_int(const char *name);
void labrys_symbolic(void *ptr, size_t size, const char *name);
int __VERIFIER_nondet_int(void);
int nondet_other(void);
extern void reach_error(void);
static int checked(int a) { if (a > 9) reach_error(); return a; }
static int branches(int a) { return a > 3 ? 1 : 2; }
static int ask(void) { return labrys_int("a") & 7; }
static int make_input(int *p) { labrys_symbolic(p, sizeof *p, "p"); return 1; }
static int variadic(int n, ...) {
  va_list list; va_start(list, n);
  int r = va_arg(list, int) + next(); va_end(list); return r;
}
"#;

/// The marks in functions with these bodies.
fn marks(bodies: &[&str]) -> Vec<usize> {
    counts(bodies, MARK)
}

/// How often the annotated functions with these bodies have a text.
fn counts(bodies: &[&str], wanted: &str) -> Vec<usize> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.c");
    let mut text = PROGRAM.to_owned();
    for (number, body) in bodies.iter().enumerate() {
        let head = "(int x, int *given, struct node *n)";
        text.push_str(&format!("int f{number}{head} {{ {body} }}\n"));
    }
    text.push_str("int end(void) { return 0; }\n");
    std::fs::write(&path, text).unwrap();
    let options = options(dir.path());
    let program =
        load(&[path.into()], &function("end"), &options).unwrap_or_else(|e| panic!("{e}"));
    let unit = &program.units[0];
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-x", "c", "-DLABRYS_NATIVE", "-c"])
        .arg(&unit.annotated_path);
    must(gcc.args(["-o", "/dev/null"]));
    let (_, text) = unit.annotated.split_once("int f0").unwrap();
    let (text, _) = text.split_once("int end(").unwrap();
    let functions = text.split("(int x, int *given, struct node *n)").skip(1);
    functions.map(|f| f.matches(wanted).count()).collect()
}

#[test]
fn operands_that_notice_each_other_are_marked() {
    let bodies = [
        "return add(next(), next());",
        "return next() - next();",
        "return total + next();",
        "return next() + seen();",
        "total += next(); return 0;",
        "int list[2]; list[total] = next(); return list[0];",
        "int list[2] = {next(), next()}; return list[0];",
        "int list[2][2] = {next(), next(), {next()}}; return list[0][0];",
        "struct node p = {.value = next(), .list = {next()}}; return p.list[0];",
        "return (int[]){next(), next()}[0];",
        "return *given + fill(given);",
        "return x + fill(&x);",
        "return place[0] + next();",
        "return pointer() + next();",
        "return (*pointer)() - total;",
        "return whole(3).list[0] + total;",
        "return n->list[0] + fill(&n->list[0]);",
        "return n->bits + fill((int *)n);",
        "return bytes.number + (int)real();",
        "n->next->value = fill((int *)given) + (x > 3 ? exit(1), 1 : 2); return 0;",
        "return add(({ next(); }), ({ int t = next(); t; }));",
        "return *given + (strcpy((char *)given, \"a\") > (char *)given);",
        "return getchar() - getchar();",
        "return total + outside(x);",
        "return *given + unknown(x);",
        "return getenv(\"A\")[0] + (setjmp(back) ? total : next());",
        "register int r = x; return r + (r = next()) + total;",
        "return _Generic(x, int: total, default: 0) + next();",
        "return __builtin_expect(total + next(), 1);",
        "for (int i = total + next(); i < 3; i++) {} return 0;",
        "switch (next() - next()) { case 1: return 2; } return 0;",
        "do x--; while (x > 3 && total + next() > 3); return 0;",
        "return x ? next() - next() : 0;",
        "const char *s = __func__; return s[total] + next();",
        "goto *(total + next() > 3 ? &&one : &&two); one: return 1; two: return 2;",
        "volatile int v = 0; return v + fill((int *)&v);",
        "return later(total, next());",
        "int *p = malloc(4); if (!p) return 0; *p = 1; return *p + fill(p);",
        "return *given + (__builtin_memcpy(given, n, 4) == n);",
        "return strdup((char *)given)[0] + fill(given);",
        "static int kept; kept = x; return kept + outside(x);",
        "return total + renamed();",
        "return x + printf(\"ab%n\", &x);",
        "return total + printf((char *)given, &total);",
        "return *given + make_input(given);",
        "return checked(x) + branches(x);",
        "return total + nondet_other();",
        "struct node *q = n; return fill((int *)&q) + q->list[0];",
        "struct node q = *n; return fill(&q.list[1]) + q.list[1];",
    ];
    for (body, marks) in bodies.iter().zip(marks(&bodies)) {
        assert!(marks > 0, "no mark in: {body}");
    }
}

#[test]
fn operands_that_do_not_are_left_alone() {
    let bodies = [
        "return add(square(x), square(3));",
        "return pointer() + __VERIFIER_nondet_int();",
        "return next(), next();",
        "return next() && next() || next();",
        "return x ? next() : total;",
        "total = next(); return 0;",
        "total += seen(); return 0;",
        "int a = next(), b = next(); return a - b;",
        "return add(seen(), total);",
        "head->next = make(3); return 0;",
        "tail->next->next = make(x); return 0;",
        "return x + next();",
        "return add(x, fill(given));",
        "return n->value + fill(given);",
        "return sizeof(next()) + next();",
        "return abs(x) + next();",
        "return outside(x) + outside(3);",
        "return printf(\"%d\", x) + printf(\"b\");",
        "return variadic(2, x, next());",
        "int list[3] = {1, 2, 3}; return list[x & 1] + next();",
        "return labrys_int(\"a\") == n->value;",
        "return labrys_int(\"a\") - labrys_int(\"b\");",
        "return __VERIFIER_nondet_int() + total;",
        "return ask() + *given;",
        "return checked(x) + total;",
        "n->value = checked(x); fill(&n->list[0]); return 0;",
        "int *inside = &n->list[2]; n->list[0] = fill(inside); return 0;",
    ];
    for (body, marks) in bodies.iter().zip(marks(&bodies)) {
        assert_eq!(marks, 0, "marked: {body}");
    }
}

#[test]
fn inputs_that_are_asked_for_in_any_order_have_names() {
    let bodies = [
        (
            "return add(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());",
            2,
        ),
        ("return __VERIFIER_nondet_int() - ask();", 1),
        (
            "int list[2] = {1, __VERIFIER_nondet_int()}; return list[0];",
            0,
        ),
        (
            "return __VERIFIER_nondet_int() && __VERIFIER_nondet_int();",
            0,
        ),
        ("return add(x, __VERIFIER_nondet_int());", 0),
        ("return nondet_other() - nondet_other();", 0),
        ("return labrys_int(\"a\") - labrys_int(\"b\");", 0),
    ];
    let texts = bodies.map(|(text, _)| text);
    let expected = bodies.map(|(_, count)| count);
    assert_eq!(counts(&texts, "labrys_name_input("), expected);
}
