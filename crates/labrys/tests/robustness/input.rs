//! Sources that are none, or not C, or not what was asked for.

use crate::sandbox::{ABS, Sandbox};

#[test]
fn garbage_gets_the_message_of_clang_with_its_place() {
    let sandbox = Sandbox::with("int f(void) {\n    return 1 +;\n}\n");
    sandbox.refused(&["gen", "x.c"], &["x.c:2", "expected expression"]);
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    std::fs::write(sandbox.path("x.c"), binary).unwrap();
    sandbox.refused(&["gen", "x.c"], &["x.c"]);
}

#[test]
fn missing_files_and_directories_are_named() {
    let sandbox = Sandbox::new();
    sandbox.refused(&["gen", "nowhere.c"], &["nowhere.c"]);
    std::fs::create_dir(sandbox.path("folder.c")).unwrap();
    sandbox.refused(&["gen", "folder.c"], &["folder.c"]);
}

#[test]
fn files_that_are_not_c_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("x.cpp", "template <class T> T f(T x) { return x; }\n");
    sandbox.refused(&["gen", "x.cpp"], &["x.cpp"]);
}

#[test]
fn programs_without_anything_to_test_are_refused() {
    let sandbox = Sandbox::with("");
    sandbox.refused(&["gen", "x.c"], &["function"]);
    sandbox.write("x.c", "struct s { int x; };\nextern int f(int);\n");
    sandbox.refused(&["gen", "x.c"], &["function"]);
    sandbox.write("x.c", ABS);
    sandbox.refused(&["gen", "x.c", "--function", "relative"], &["relative"]);
    sandbox.refused(&["gen", "x.c", "--main"], &["main"]);
}

#[test]
fn a_precondition_that_is_not_c_is_refused() {
    let sandbox = Sandbox::with(ABS);
    let arguments = ["gen", "x.c", "--function", "absolute", "--assume", "x <"];
    sandbox.refused(&arguments, &["--assume"]);
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let sandbox = Sandbox::with(ABS);
    let clang = "/nonexistent/clang";
    sandbox.refused(&["gen", "x.c", "--clang", clang], &[clang, "clang-19"]);
    let cc = "/nonexistent/cc";
    sandbox.refused(&["gen", "x.c", "--cc", cc], &[cc]);
}

#[test]
fn two_definitions_of_a_function_do_not_link() {
    let sandbox = Sandbox::with(ABS);
    sandbox.write("y.c", ABS);
    sandbox.refused(&["gen", "x.c", "y.c"], &["absolute"]);
}
