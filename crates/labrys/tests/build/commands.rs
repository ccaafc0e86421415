//! `--compile-commands`, as written by hand and by CMake.

use crate::project::Project;

fn list(project: &Project) -> String {
    let directory = project.path("");
    format!(
        r#"[{{"directory": "{0}", "file": "lib/scale.c", "arguments": ["cc", "-Iinclude", "-DFACTOR=4", "-c", "lib/scale.c"]}},
            {{"directory": "{0}", "file": "src/check.c", "command": "gcc -I include -DTEXT='\"a b\"' -fno-such -c -o check.o src/check.c"}}]"#,
        directory.display()
    )
}

#[test]
fn each_file_has_the_flags_of_its_command() {
    let project = Project::new();
    project.write("commands.json", &list(&project));
    let all = ["--compile-commands", "commands.json", "--function", "check"];
    let summary = project.generate(&all);
    assert_eq!(
        summary["target"]["files"].as_array().unwrap().len(),
        2,
        "{summary}"
    );
    // 4 * x + 3 is 1003 for 250.
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
    let one = [
        "lib/scale.c",
        "--compile-commands",
        "commands.json",
        "--function",
        "limit",
    ];
    assert_eq!(project.generate(&one)["totals"]["covered"], 2);
}

#[test]
fn a_file_that_is_not_in_the_list_is_named() {
    let project = Project::new();
    project.write("commands.json", &list(&project));
    for arguments in [
        ["gen", "src/main.c", "--compile-commands", "commands.json"],
        ["gen", "src/main.c", "--compile-commands", "nowhere.json"],
        ["gen", "src/main.c", "--compile-commands", "Makefile"],
    ] {
        let ended = project.labrys(&arguments);
        assert_eq!(ended.code, Some(2));
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.contains(arguments[3]), "{}", ended.stderr);
    }
}

#[test]
fn two_programs_in_one_list_are_not_one() {
    let project = Project::new();
    let both = ["gen", "src/main.c", "other.c", "--", "-Iinclude"];
    project.write(
        "other.c",
        "int main(void) { return 0; }\nint f(int x) { return x ? 1 : 2; }\n",
    );
    let ended = project.labrys(&both);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("src/main.c, other.c"),
        "{}",
        ended.stderr
    );
    let summary = project.generate(&[
        "src/main.c",
        "other.c",
        "--function",
        "f",
        "--",
        "-Iinclude",
    ]);
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
}

/// CMake need not be there; where it is, it must work.
#[test]
fn a_project_of_cmake_builds_with_the_wrapper() {
    let project = Project::new();
    if std::process::Command::new("cmake")
        .arg("--version")
        .output()
        .is_err()
    {
        return;
    }
    project.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(scale C)\nset(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nadd_library(scale STATIC lib/scale.c lib/unused.c)\nadd_executable(prog src/main.c src/check.c)\nadd_compile_definitions(FACTOR=10)\ninclude_directories(include)\ntarget_compile_definitions(scale PRIVATE FACTOR=10)\ntarget_link_libraries(prog scale)\n");
    let script = format!(
        "#!/bin/sh\nexec {} cc \"$@\"\n",
        env!("CARGO_BIN_EXE_labrys")
    );
    project.write("labrys-cc", &script);
    project.must("chmod", &["+x", "labrys-cc"]);
    let compiler = format!("-DCMAKE_C_COMPILER={}", project.path("labrys-cc").display());
    project.must("cmake", &["-S", ".", "-B", "build", &compiler]);
    project.must("cmake", &["--build", "build"]);
    let summary = project.generate(&["build/prog", "--function", "check"]);
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
    let list = [
        "--compile-commands",
        "build/compile_commands.json",
        "src/check.c",
        "lib/scale.c",
    ];
    let summary = project.generate(&[&list[..], &["--function", "check"]].concat());
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
}
