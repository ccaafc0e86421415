//! Options that are wrong, on the command line and in `labrys.toml`.

use crate::sandbox::{ABS, Sandbox};

#[test]
fn wrong_values_are_refused_with_the_flag() {
    let sandbox = Sandbox::with(ABS);
    for (flag, value, known) in [
        ("--criterion", "brunch", "branch"),
        ("--search", "luck", "random-path"),
        ("--time", "5 parsecs", "5 parsecs"),
        ("--memory", "much", "much"),
        ("--format", "yaml", "json"),
        ("--seed", "-1", "-1"),
    ] {
        let flag_value = format!("{flag}={value}");
        sandbox.refused(&["gen", "x.c", &flag_value], &[flag, known]);
    }
    assert!(!sandbox.path("labrys-out").exists());
}

#[test]
fn unknown_flags_and_commands_are_refused() {
    let sandbox = Sandbox::with(ABS);
    sandbox.refused(&["gen", "x.c", "--colour"], &["--colour"]);
    sandbox.refused(&["generate", "x.c"], &["generate"]);
    sandbox.refused(&["gen"], &["SRC"]);
}

#[test]
fn the_configuration_file_is_checked() {
    let sandbox = Sandbox::with(ABS);
    for (text, parts) in [
        ("colour = \"blue\"\n", ["labrys.toml", "colour"]),
        ("seed = \"many\"\n", ["labrys.toml", "seed"]),
        ("time = \"soon\"\n", ["labrys.toml", "soon"]),
        ("criterion = [\"brunch\"]\n", ["labrys.toml", "brunch"]),
        ("seed = \n", ["labrys.toml", "seed"]),
    ] {
        sandbox.write("labrys.toml", text);
        sandbox.refused(&["gen", "x.c"], &parts);
    }
    sandbox.refused(&["gen", "x.c", "--config", "other.toml"], &["other.toml"]);
    sandbox.write(
        "labrys.toml",
        "criterion = [\"decision\"]\nout = \"here\"\n",
    );
    let ended = sandbox.run(&["gen", "x.c", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("decision"), "{ended:?}");
    assert!(sandbox.path("here/suite.json").exists());
}

#[test]
fn demands_that_are_not_met_end_with_1() {
    // The second condition is never false.
    let sandbox = Sandbox::with(
        "int f(int a, int d) {\n    if (a > 10 && a > 5)\n        return a / d;\n    return 0;\n}\n",
    );
    let code = |arguments: &[&str]| {
        let mut all = vec!["gen", "x.c", "--quiet"];
        all.extend(arguments);
        sandbox.run(&all).code
    };
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--fail-under", "100"]), Some(0));
    assert_eq!(code(&["--fail-under", "90", "--paths", "1"]), Some(1));
    assert_eq!(code(&["--fail-on-error", "--exhaust"]), Some(1));
}

#[test]
fn the_surroundings_of_a_program_are_checked() {
    let sandbox = Sandbox::with("int main(void) { return 0; }\n");
    for (flag, value, part) in [
        ("--sym-args", "two", "MIN..MAX:LEN"),
        ("--sym-args", "3..1:2", "3 arguments at least"),
        ("--sym-args", "0..2:many", "'many' is not a number"),
        ("--sym-args", "0..1000:2", "too large"),
        ("--sym-stdin", "-1", "-1"),
        ("--sym-stdin", "99999999", "99999999"),
        ("--sym-file", "name", "NAME:N"),
        ("--sym-file", ":3", "NAME:N"),
        ("--sym-file", "/etc/passwd:3", "relative path"),
        ("--sym-file", "../x:3", "relative path"),
        ("--file", "name", "NAME=VALUE"),
        ("--file", "name=none.txt", "none.txt"),
        ("--stdin", "none.txt", "none.txt"),
        ("--env", "NAME", "NAME=VALUE"),
        ("--sym-env", "NAME", "NAME:N"),
    ] {
        let flag_value = format!("{flag}={value}");
        sandbox.refused(&["gen", "x.c", &flag_value], &[flag, part]);
    }
    let twice = ["gen", "x.c", "--sym-file", "a:1", "--sym-file", "a:2"];
    sandbox.refused(&twice, &["'a' is given twice"]);
    let twice = ["gen", "x.c", "--env", "A=1", "--sym-env", "A:2"];
    sandbox.refused(&twice, &["'A' is given twice"]);
    let both = ["gen", "x.c", "--function", "main", "--sym-stdin", "2"];
    sandbox.refused(&both, &["--function main", "whole program"]);
    sandbox.write("labrys.toml", "sym-args = [\"0..1\"]\n");
    sandbox.refused(&["gen", "x.c"], &["labrys.toml", "MIN..MAX:LEN"]);
}

#[test]
fn a_suite_of_a_whole_program_is_exported_as_a_script_only() {
    let sandbox = Sandbox::with("int main(int n, char **v) { return n > 1 && v[1][0] == 'x'; }\n");
    sandbox.write("labrys.toml", "sym-args = [\"0..1:1\"]\n");
    let ended = sandbox.run(&["gen", "x.c", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let as_c = ["export", "labrys-out", "--format", "c"];
    sandbox.refused(&as_c, &["whole program", "--format sh"]);
    let as_sh = ["export", "labrys-out", "--format", "sh"];
    assert_eq!(sandbox.run(&as_sh).code, Some(0));
    let sandbox = Sandbox::generated();
    sandbox.refused(&as_sh, &["--format c"]);
}

/// `replay` takes its compilers from the suite, and others only if they are named.
#[test]
fn replay_uses_the_compilers_that_it_is_given() {
    let sandbox = Sandbox::with(ABS);
    let ended = sandbox.run(&["gen", "x.c", "--quiet", "--out", "suite"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let ended = sandbox.run(&["replay", "suite"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for flag in ["--clang", "--cc"] {
        sandbox.refused(
            &["replay", "suite", flag, "no-such-compiler"],
            &["no-such-compiler"],
        );
    }
    // The clang of a suite is in its run.json.
    let run = std::fs::read_to_string(sandbox.path("suite/run.json")).unwrap();
    sandbox.write("suite/run.json", &run.replace("clang-19", "no-such-clang"));
    sandbox.refused(&["replay", "suite"], &["no-such-clang"]);
}

#[test]
fn help_has_headings_and_the_defaults_of_the_driver() {
    let sandbox = Sandbox::with(ABS);
    let help = sandbox.run(&["gen", "--help"]).stdout;
    let text = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Objectives:",
        "Search:",
        "Harness:",
        "Whole programs:",
        "mcdc, mcdc-unique,",
        "[default: mix]",
        "[default: 60s]",
        "[default: tight-idl2]",
    ] {
        assert!(text.contains(part), "{part} is not in {help}");
    }
}
