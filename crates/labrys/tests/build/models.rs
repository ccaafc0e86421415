//! `--model`: the user's C stands for a function, in the engine and natively.

use crate::project::Project;

const PROGRAM: &str = "#include <unistd.h>\nint sensor(int);\nint f(int x) {\n    char buffer[4];\n    if (read(0, buffer, 4) == 3 && buffer[1] == 'q')\n        x = sensor(x);\n    return x == 14 ? 1 : 0;\n}\n";

const MODEL: &str = "#include <unistd.h>\n#include \"labrys.h\"\nint sensor(int channel) { return channel * 2; }\nssize_t read(int file, void *to, size_t size) {\n    char *bytes = to;\n    bytes[0] = 'p';\n    bytes[1] = labrys_char(\"letter\");\n    bytes[2] = 0;\n    return 3;\n}\n";

#[test]
fn a_model_replaces_the_function_in_both_worlds() {
    let project = Project::new();
    project.write("p.c", PROGRAM);
    project.write("model.c", MODEL);
    let summary = project.generate(&["p.c", "--function", "f", "--model", "model.c"]);
    assert_eq!(summary["stubs"], serde_json::json!([]), "{summary}");
    // The read always gives three bytes: only its other outcome is infeasible.
    assert_eq!(summary["totals"]["covered"], 5, "{:?}", project.statuses());
    assert_eq!(
        summary["totals"]["infeasible"],
        1,
        "{:?}",
        project.statuses()
    );
    let suite = std::fs::read_to_string(project.path("labrys-out/suite.json")).unwrap();
    assert!(suite.contains("\"letter\""), "{suite}");
    let explained = project.labrys(&["explain", "labrys-out", "branch:2"]);
    assert!(explained.stdout.contains("model.c"), "{}", explained.stdout);
    let replay = project.labrys(&["replay", "labrys-out"]);
    assert_eq!(replay.code, Some(0), "{}{}", replay.stdout, replay.stderr);
}

#[test]
fn a_model_that_does_not_compile_shows_the_message_of_clang() {
    let project = Project::new();
    project.write("p.c", PROGRAM);
    project.write("model.c", "int sensor(int channel) { return channel *; }\n");
    let ended = project.labrys(&["gen", "p.c", "--model", "model.c"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("model.c:1:43"), "{}", ended.stderr);
    let ended = project.labrys(&["gen", "p.c", "--model", "nowhere.c"]);
    assert_eq!(ended.code, Some(2));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}
