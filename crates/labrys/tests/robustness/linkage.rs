//! Functions whose bodies no single unit has to emit, variables that none can define.

use crate::common::read_json;
use crate::sandbox::Sandbox;

/// C99's inline functions, in a header that two units include.
const HEADER: &str = "\
inline int clamp(int x) {
    if (x > 100)
        return 100;
    return x;
}
extern inline int third(int x) { return x / 3; }
static inline int half(int x) { return x / 2; }
";

#[test]
fn inline_functions_have_a_body() {
    let sandbox = Sandbox::new();
    sandbox.write("both.h", HEADER);
    sandbox.write(
        "a.c",
        "#include \"both.h\"\nint other(int);\nint first(int x) {\n    return clamp(x) == 100 ? other(x) : third(x) + half(x);\n}\n",
    );
    sandbox.write(
        "b.c",
        "#include \"both.h\"\nint other(int x) { return clamp(x) + third(x); }\n",
    );
    let ended = sandbox.run(&[
        "gen",
        "a.c",
        "b.c",
        "--function",
        "first",
        "--quiet",
        "--format",
        "json",
    ]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = read_json(&sandbox.path("labrys-out/summary.json"));
    assert_eq!(summary["totals"]["objectives"], 4, "{summary}");
    assert_eq!(summary["totals"]["covered"], 4, "{summary}");
}

#[test]
fn a_global_variable_of_an_unknown_type_has_an_address() {
    let sandbox = Sandbox::with(
        "struct options;\nextern struct options defaults, others;\nint is_default(struct options *o) {\n    return o == &defaults || o == &others;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--function", "is_default", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = read_json(&sandbox.path("labrys-out/summary.json"));
    assert_eq!(summary["totals"]["objectives"], 4, "{summary}");
    assert!(summary["tests"].as_u64() > Some(0), "{summary}");
}

/// The models of the C library have helpers of their own; a program may use the same names.
#[test]
fn functions_named_like_helpers_of_the_models_are_not_provided() {
    let sandbox = Sandbox::with(
        "int find_variable(int x);\nint name_size(int x);\nint f(int x) {\n    return find_variable(x) > 1 && name_size(x) < 5 ? 1 : 0;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--function", "f", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = read_json(&sandbox.path("labrys-out/summary.json"));
    assert_eq!(
        summary["stubs"].as_array().map(Vec::len),
        Some(2),
        "{summary}"
    );
    assert_eq!(summary["totals"]["covered"], 4, "{summary}");
}

#[test]
fn what_leads_to_a_function_that_never_returns_is_feasible() {
    let sandbox = Sandbox::with(
        "void die(const char *) __attribute__((noreturn));\nint f(int x) {\n    if (x < 0)\n        die(\"negative\");\n    return 1;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--function", "f", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = read_json(&sandbox.path("labrys-out/summary.json"));
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
    let replay = sandbox.run(&["replay", "labrys-out", "--quiet"]);
    assert_eq!(replay.code, Some(0), "{replay:?}");
}

/// Compilers evaluate the arguments of a call in different orders.
#[test]
fn results_of_stubs_find_their_calls_in_any_order() {
    let sandbox = Sandbox::with(
        "int g(void);\nlong h(void);\nstatic int less(int a, long b) { return a < b; }\nint f(void) {\n    if (less(g(), h()))\n        return 1;\n    return 0;\n}\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--function", "f", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = read_json(&sandbox.path("labrys-out/summary.json"));
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
    assert_eq!(
        summary["divergences"].as_array().map(Vec::len),
        Some(0),
        "{summary}"
    );
    let export = sandbox.run(&["export", "labrys-out", "--format", "c"]);
    assert_eq!(export.code, Some(0), "{export:?}");
}
