//! `gen` on objects, archives and programs that the wrapper built.

use crate::project::Project;

#[test]
fn an_object_is_tested_alone_with_its_own_flags() {
    let project = Project::new();
    project.make();
    let summary = project.generate(&["lib/scale.o", "--function", "limit"]);
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
    assert_eq!(summary["stubs"][0]["name"], "sensor", "{summary}");
    let hint = summary["stubs"][0]["hint"].as_str().unwrap();
    assert!(
        hint.contains("int sensor(int)") && hint.contains("--model"),
        "{hint}"
    );
    assert_eq!(
        summary["stubs"][0]["calls"][0], "lib/scale.c:8",
        "{summary}"
    );
    // From another directory, with the object moved away.
    std::fs::rename(project.path("lib/scale.o"), project.path("moved.o")).unwrap();
    let summary = project.generate(&["moved.o", "--function", "limit"]);
    assert_eq!(summary["target"]["files"][0], "lib/scale.c", "{summary}");
    let replay = project.labrys(&["replay", "labrys-out"]);
    assert_eq!(replay.code, Some(0), "{}", replay.stdout);
}

#[test]
fn the_units_of_archives_are_used_but_not_tested() {
    let project = Project::new();
    project.make();
    let summary = project.generate(&["prog", "--function", "check"]);
    // x * 10 + 3 is never above 100 for less than 5.
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
    assert_eq!(summary["stubs"], serde_json::json!([]), "{summary}");
    let files = summary["target"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 2, "{files:?}");
    let statuses = project.statuses();
    assert!(
        statuses
            .iter()
            .all(|(place, _)| place.starts_with("src/check.c")),
        "{statuses:?}"
    );
    let replay = project.labrys(&["replay", "labrys-out"]);
    assert_eq!(replay.code, Some(0), "{}{}", replay.stdout, replay.stderr);

    // The objects of the archive are gone: they are compiled again.
    std::fs::remove_file(project.path("lib/scale.o")).unwrap();
    std::fs::remove_file(project.path("lib/scale.o.bc")).unwrap();
    let again = project.generate(&["prog", "--function", "check"]);
    assert_eq!(again["totals"], summary["totals"]);

    let all = project.generate(&["prog", "--function", "limit", "--annotate-libraries"]);
    assert_eq!(all["totals"]["objectives"], 2, "{all}");
    // sensor(7) is 7 in this program.
    assert_eq!(all["totals"]["infeasible"], 1, "{all}");
}

#[test]
fn what_an_archive_leaves_undefined_returns_inputs() {
    let project = Project::new();
    project.write("lib/scale.c", "#include \"scale.h\"\nlong strange_clock(int *, double);\nconst int unit;\nint scale(int x) { return strange_clock(0, 1.5) > x ? FACTOR : 0; }\nint limit(void) { return 0; }\n");
    project.write(
        "src/stub.c",
        "long strange_clock(int *p, double d) { return 4; }\n",
    );
    project.must("sh", &["-c", "cc -shared -o libstrange.so src/stub.c"]);
    let makefile = std::fs::read_to_string(project.path("Makefile")).unwrap();
    project.write(
        "Makefile",
        &makefile.replace("-lscale", "-lscale -L. -lstrange"),
    );
    project.make();
    let summary = project.generate(&["prog", "--function", "check"]);
    assert_eq!(summary["stubs"][0]["name"], "strange_clock", "{summary}");
    assert_eq!(
        summary["stubs"][0]["calls"][0]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next(),
        Some("scale.c:4")
    );
    let replay = project.labrys(&["replay", "labrys-out"]);
    assert_eq!(replay.code, Some(0), "{}{}", replay.stdout, replay.stderr);
}

#[test]
fn a_program_that_was_compiled_and_linked_at_once_is_known() {
    let project = Project::new();
    let sources = [
        "src/main.c",
        "src/check.c",
        "lib/scale.c",
        "-Iinclude",
        "-DFACTOR=10",
    ];
    let ended = project.labrys(&[&["cc", "-o", "once"], &sources[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(project.must("./once", &[]).stdout, "100 50 0\n");
    let summary = project.generate(&["once", "--function", "check"]);
    assert_eq!(
        summary["target"]["files"].as_array().unwrap().len(),
        3,
        "{summary}"
    );
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_files() {
    let project = Project::new();
    project.make();
    let ended = project.labrys(&["gen", "prog", "--function", "classify"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("--function FILE:classify"),
        "{}",
        ended.stderr
    );
    project.generate(&["prog", "--function", "main.c:classify"]);
    assert!(
        project.statuses()[0].0.contains("x > 9"),
        "{:?}",
        project.statuses()
    );
    project.generate(&["prog", "--function", "src/check.c:classify"]);
    assert!(
        project.statuses()[0].0.contains("x < 0"),
        "{:?}",
        project.statuses()
    );
}

#[test]
fn what_labrys_has_not_built_is_refused_in_one_line() {
    let project = Project::new();
    project.must("make", &[]);
    for file in ["prog", "src/main.o", "lib/libscale.a"] {
        let ended = project.labrys(&["gen", file]);
        assert_eq!(ended.code, Some(2), "{file}");
        assert!(ended.stderr.contains("labrys cc"), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn an_archive_is_the_units_in_it() {
    let project = Project::new();
    project.make();
    let summary = project.generate(&["lib/libscale.a", "--function", "never"]);
    assert_eq!(summary["totals"]["covered"], 2, "{summary}");
}
