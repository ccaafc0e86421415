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
