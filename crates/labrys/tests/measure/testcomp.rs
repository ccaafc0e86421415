//! Test cases of Test-Comp: values in the order of the calls, typed by these.

use crate::scene::Scene;

fn test_case(values: &[&str]) -> String {
    let inputs: String = values
        .iter()
        .map(|v| format!("  <input>{v}</input>\n"))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n\
         <testcase>\n{inputs}</testcase>\n"
    )
}

/// A program that asks for one value and compares it.
fn program(ty: &str, suffix: &str, expected: &str) -> String {
    format!(
        "extern void exit(int);\n\
         extern {ty} __VERIFIER_nondet_{suffix}(void);\n\
         int main(void) {{\n\
           {ty} value = __VERIFIER_nondet_{suffix}();\n\
           if (value == ({ty})({expected})) exit(1);\n\
           return 0;\n\
         }}\n"
    )
}

#[test]
fn every_form_of_a_value_has_the_type_that_is_asked_for() {
    let scene = Scene::new("");
    for (ty, suffix, expected, values) in [
        (
            "int",
            "int",
            "-3",
            &["-3", "0xfffffffd", "4294967293", "-3L", "-3.0"][..],
        ),
        (
            "unsigned",
            "uint",
            "4000000000u",
            &["4000000000u", "0xEE6B2800", "-294967296"],
        ),
        (
            "char",
            "char",
            "'a'",
            &["'a'", "97", "0x61", "'\\x61'", "0141"],
        ),
        ("signed char", "schar", "-1", &["-1", "255", "'\\377'"]),
        ("unsigned char", "uchar", "255", &["255", "-1", "0xff"]),
        ("short", "short", "-2", &["-2", "65534"]),
        (
            "long",
            "long",
            "-9223372036854775807L - 1",
            &["-9223372036854775808", "0x8000000000000000"],
        ),
        (
            "unsigned long",
            "ulong",
            "~0ul",
            &["18446744073709551615UL", "-1"],
        ),
        ("_Bool", "bool", "1", &["1", "true", "2", "256"]),
        (
            "float",
            "float",
            "0.1f",
            &["0.1", "0.1f", "1e-1", "0x1.99999ap-4"],
        ),
        ("double", "double", "-1.5", &["-1.5", "-0x1.8p+0", "-15e-1"]),
        ("double", "double", "3", &["3", "3.0", "0x3"]),
    ] {
        scene.write("x.c", program(ty, suffix, expected).as_bytes());
        let _ = std::fs::remove_dir_all(scene.path("suite"));
        for (i, value) in values.iter().enumerate() {
            scene.write(&format!("suite/{i}.xml"), test_case(&[value]).as_bytes());
        }
        let score = scene.measure(&["--tests", "suite"]);
        assert_eq!(
            score.outcomes(),
            vec!["exit 1"; values.len()],
            "{ty}: {values:?}"
        );
    }
}

const SEVERAL: &str = "
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void exit(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    __VERIFIER_assume(n >= 0);
    for (i = 0; i < n; i++)
        if (__VERIFIER_nondet_double() > 1.0)
            exit(1);
    return 0;
}
";

#[test]
fn a_suite_with_metadata() {
    let scene = Scene::new(SEVERAL);
    scene.write(
        "suite/metadata.xml",
        b"<?xml version=\"1.0\"?>\n<test-metadata><producer>x</producer></test-metadata>\n",
    );
    for (name, values) in [
        ("a", &["2", "0.5", "1.5"][..]),
        ("b", &["0", "7"]),
        ("c", &["2", "0.5"]),
        ("d", &["1.5"]),
        ("e", &["-1"]),
    ] {
        scene.write(&format!("suite/{name}.xml"), test_case(values).as_bytes());
    }
    let score = scene.measure(&["--tests", "suite", "--llvm-cov"]);
    assert_eq!(score.names(), ["a.xml", "b.xml", "c.xml", "d.xml", "e.xml"]);
    assert_eq!(
        score.outcomes(),
        [
            "exit 1",
            "ok",
            "out-of-inputs",
            "input-mismatch",
            "assume-violated"
        ]
    );
    assert_eq!(score.counted(), [true, true, true, false, false]);
    assert!(
        score
            .problems(2)
            .contains("asks only for 1 of its 2 values")
    );
    assert!(score.problems(3).contains("the test has only 2 inputs"));
    assert!(
        score
            .problems(4)
            .contains("asked for the integer int, input 1 of the test is 1.5")
    );
    assert_eq!(score.total("covered"), 4);
    assert_eq!(
        score.json["checks"][0]["differences"],
        serde_json::json!([])
    );
}

#[test]
fn as_a_suite_of_ours_the_values_have_names_and_types() {
    let scene = Scene::new(SEVERAL);
    scene.write("t.xml", test_case(&["1", "2.5"]).as_bytes());
    let score = scene.measure(&["--tests", "t.xml", "--out", "ours"]);
    let suite = crate::common::read_json(&scene.path("ours/suite.json"));
    let inputs = &suite["tests"][0]["inputs"];
    assert_eq!(inputs[0]["name"], "int");
    assert_eq!(inputs[0]["bytes"], "01000000");
    assert_eq!(inputs[1]["name"], "double");
    assert_eq!(inputs[1]["bytes"], "0000000000000440");
    let again = scene.measure(&["--tests", "ours"]);
    assert_eq!(again.covered(), score.covered());
}
