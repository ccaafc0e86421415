//! The wrapper does what the compiler does, and leaves bitcode and records behind.

use crate::project::Project;

#[test]
fn a_project_of_make_builds_and_runs_as_with_the_compiler() {
    let project = Project::new();
    project.make();
    assert_eq!(project.must("./prog", &[]).stdout, "100 50 0\n");
    for name in ["src/main.o.bc", "src/check.o.bc", "lib/scale.o.bc"] {
        assert!(project.is_file(name), "{name}");
    }
    let plain = Project::new();
    plain.must("make", &[]);
    assert_eq!(plain.must("./prog", &[]).stdout, "100 50 0\n");
}

#[test]
fn output_and_status_are_those_of_the_compiler() {
    let project = Project::new();
    project.write("bad.c", "int f(void) { return 1 +; }\n");
    let ours = project.labrys(&["cc", "-c", "bad.c"]);
    let theirs = project.run("cc", &["-c", "bad.c"]);
    assert_eq!((ours.code, ours.stderr), (theirs.code, theirs.stderr));
    assert!(!project.is_file("bad.o.bc"));
    for question in [
        &["--version"][..],
        &["-dumpmachine"],
        &["-E", "lib/unused.c"],
        &["-v"],
    ] {
        let ours = project.labrys(&[&["cc"], question].concat());
        let theirs = project.run("cc", question);
        assert_eq!(
            (ours.code, ours.stdout),
            (theirs.code, theirs.stdout),
            "{question:?}"
        );
    }
    assert!(!project.is_file("unused.o.bc"));
}

#[test]
fn all_ways_to_name_sources_and_outputs_leave_records() {
    let project = Project::new();
    project.write("words", "-DFACTOR=2 '-Iinclude' -c lib/scale.c");
    project.labrys(&["cc", "@words", "-oone.o"]);
    assert!(project.is_file("one.o.bc"));
    project.labrys(&["cc", "-x", "c", "-c", "words.txt", "-o", "two.o"]);
    assert!(!project.is_file("two.o.bc"));
    project.write("words.txt", "int words(int x) { return x ? 1 : 0; }\n");
    let ended = project.labrys(&["cc", "-x", "c", "-c", "words.txt", "-o", "two.o"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    project.labrys(&["cc", "-c", "lib/unused.c", "src/check.c", "-Iinclude"]);
    for object in ["one.o", "two.o", "unused.o", "check.o"] {
        assert!(project.is_file(&format!("{object}.bc")), "{object}");
        project.generate(&[object, "--time", "5s"]);
    }
}

#[test]
fn flags_that_only_gcc_knows_do_not_matter() {
    let project = Project::new();
    let flags = [
        "-fno-tree-vectorize",
        "-fconserve-stack",
        "-Wlogical-op",
        "-Werror",
    ];
    let ended = project.labrys(&[&["cc", "-c", "lib/unused.c"], &flags[..]].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(project.is_file("unused.o.bc"));
}

#[test]
fn what_clang_cannot_compile_is_one_warning() {
    let project = Project::new();
    project.write(
        "nested.c",
        "int f(int x) { int g(int y) { return x + y; } return g(1); }\n",
    );
    let ended = project.labrys(&["cc", "-c", "nested.c"]);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("nested.c"), "{}", ended.stderr);
    let ended = project.labrys(&["gen", "nested.o"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("nested.c:1"), "{}", ended.stderr);
}

#[test]
fn probes_of_configure_scripts_are_passed_on() {
    let project = Project::new();
    project.write("conftest.c", "int main(void) { return 0; }\n");
    let ended = project.labrys(&["cc", "-o", "conftest", "conftest.c"]);
    assert_eq!(ended.code, Some(0));
    assert!(project.is_file("conftest") && !project.is_file("conftest-conftest.bc"));
}

#[test]
fn a_wrapper_around_itself_is_noticed() {
    let project = Project::new();
    let command = format!(
        "LABRYS_CC='{0} cc' {0} cc -c lib/unused.c",
        env!("CARGO_BIN_EXE_labrys")
    );
    let ended = project.run("sh", &["-c", &command]);
    assert_ne!(ended.code, Some(0));
    assert!(ended.stderr.contains("LABRYS_CC"), "{}", ended.stderr);
}
