//! `labrys prove` by intervals: what is infeasible for every input is proved without a search, and what only a
//! harness, a model or the world of a run makes impossible is not.

#![allow(clippy::unwrap_used)]

mod common;

use common::{labrys, run};
use serde_json::Value;

/// The texts of the objectives that are proved infeasible, with the reasons.
fn proved(source: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), source).unwrap();
    let mut command = labrys(dir.path());
    command.args(["prove", "x.c", "--format", "json"]);
    command.args(["--proof-rules", "intervals"]);
    let ended = run(command.args(arguments));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let record: Value = serde_json::from_str(&ended.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let objectives = record["objectives"].as_array().unwrap();
    let found = objectives.iter().filter(|o| o["status"] == "infeasible");
    found
        .map(|o| (text(&o["text"]), text(&o["proof"]["because"])))
        .collect()
}

fn texts(source: &str, arguments: &[&str]) -> Vec<String> {
    let found = proved(source, arguments).into_iter();
    found.map(|(text, _)| text).collect()
}

#[test]
fn intervals_orders_and_cases() {
    let source = "
int f(int x, int y, unsigned char c) {
  if (c > 255) return 1;
  if (c > 254) return 2;
  if (x > 10 && x > 5) return 3;
  if (x < y) { if (x == y) return 4; if (x + 1 > y) return 5; }
  switch (x & 3) { case 1: y++; case 4: return y; default: return 0; }
}";
    let found = proved(source, &["--function", "f"]);
    let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "c > 255 is true",
            "x > 5 is false",
            "x == y is true",
            "case 4 of switch (x & 3)"
        ]
    );
    assert_eq!(found[0].1, "c is in 0..255 here, so `c > 255` never holds");
    assert_eq!(
        found[1].1,
        "x is in 11..2147483647 here, so `x > 5` always holds"
    );
}

#[test]
fn sizes_of_a_generated_harness_prove_nothing() {
    let source = "
#include <string.h>
struct node { struct node *next; };
int f(const char *name, struct node *n, int *a) {
  int count = 0;
  if (strlen(name) > 100) return 1;
  while (n) { n = n->next; count++; if (count > 50) return 2; }
  if (a == 0) return 3;
  return a[20] == 5;
}";
    assert_eq!(texts(source, &["--function", "f"]), Vec::<String>::new());
}

#[test]
fn the_world_of_a_program_proves_nothing() {
    let source = "
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 5) return 1;
  if (getenv(\"HOME\")) return 2;
  if (fopen(\"x\", \"r\")) return 3;
  if (fork() > 0) return 4;
  if (getpid() == 77) return 5;
  return argv[1] != 0;
}";
    for arguments in [&["--main"][..], &["--sym-args", "0..2:3"]] {
        assert_eq!(texts(source, arguments), Vec::<String>::new());
    }
}

#[test]
fn preconditions_are_facts() {
    let source = "int f(int n) { if (n > 9) return 1; if (n > 8) return 2; return 0; }";
    let assume = ["--function", "f", "--assume", "n >= 0 && n < 10"];
    assert_eq!(texts(source, &assume), ["n > 9 is true"]);
    assert_eq!(texts(source, &assume[..2]), Vec::<String>::new());
}

#[test]
fn functions_that_others_can_call_have_any_arguments() {
    let source = |other: &str| {
        format!(
            "static int g(int x) {{ if (x > 3) return 1; return 0; }}
int (*pointer)(int);
void elsewhere(int (*)(int));
int f(int y) {{ {other} return g(3); }}"
        )
    };
    let f = ["--function", "f"];
    assert_eq!(texts(&source(""), &f), ["x > 3 is true"]);
    for other in [
        "g(y);",
        "pointer = g;",
        "elsewhere(g);",
        "if (pointer) return g(4);",
        "int (*p)(int) = g; p(y);",
    ] {
        assert_eq!(texts(&source(other), &f), Vec::<String>::new(), "{other}");
    }
}

#[test]
fn a_second_return_and_a_fault_in_a_label_are_no_ends() {
    let source = "
#include <setjmp.h>
static jmp_buf here;
int f(int x) {
  volatile int turns = 0;
  int again = setjmp(here);
  if (again) return 1;
  turns++;
  if (x) longjmp(here, 1);
  return turns;
}";
    assert_eq!(texts(source, &["--function", "f"]), Vec::<String>::new());
    let source = "
#include \"labels.h\"
int f(int *p) {
  pc_label(*p == 3, 1, \"behind\");
  if (!p) return 1;
  return 2;
}";
    let criteria = ["--function", "f", "--criterion", "branch,labels"];
    assert_eq!(texts(source, &criteria), Vec::<String>::new());
}
