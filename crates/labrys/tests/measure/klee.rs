//! KLEE's tests: by name for drivers, as command line and files for whole programs.

use crate::scene::Scene;

/// A `.ktest` file as KLEE writes it.
pub fn ktest(arguments: &[&str], objects: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"KTEST".to_vec();
    let number = |out: &mut Vec<u8>, n: usize| out.extend((n as u32).to_be_bytes());
    number(&mut out, 3);
    number(&mut out, arguments.len());
    for argument in arguments {
        number(&mut out, argument.len());
        out.extend(argument.as_bytes());
    }
    number(&mut out, 0);
    number(&mut out, 0);
    number(&mut out, objects.len());
    for (name, bytes) in objects {
        number(&mut out, name.len());
        out.extend(name.as_bytes());
        number(&mut out, bytes.len());
        out.extend(*bytes);
    }
    out
}

const DRIVER: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
struct pair { char kind; int value; };
int main(void) {
    int x, y = 0;
    struct pair pair;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&pair, sizeof pair, "pair");
    klee_assume(x >= 0);
    if (x > 10)
        y = klee_range(0, 5, "range");
    if (pair.kind == 'k' && pair.value == x)
        exit(y > 3);
    return 0;
}
"#;

fn pair(kind: u8, value: i32) -> Vec<u8> {
    let mut bytes = vec![kind, 0, 0, 0];
    bytes.extend(value.to_le_bytes());
    bytes
}

#[test]
fn objects_of_a_driver_are_found_by_name() {
    let scene = Scene::new(DRIVER);
    let int = |x: i32| x.to_le_bytes().to_vec();
    let test = |objects: &[(&str, Vec<u8>)]| {
        let objects: Vec<(&str, &[u8])> = objects.iter().map(|(n, b)| (*n, b.as_slice())).collect();
        ktest(&["x.bc"], &objects)
    };
    let out = "klee-out-0";
    scene.write(
        "klee-out-0/test000001.ktest",
        &test(&[("x", int(11)), ("pair", pair(b'k', 11)), ("range", int(4))]),
    );
    scene.write(
        "klee-out-0/test000002.ktest",
        &test(&[("x", int(3)), ("pair", pair(0, 0))]),
    );
    // KLEE stopped here.
    scene.write(
        "klee-out-0/test000003.ktest",
        &test(&[("x", int(12)), ("pair", pair(0, 0))]),
    );
    // These were made for another program, or break its assumptions.
    scene.write(
        "klee-out-0/test000004.ktest",
        &test(&[("x", vec![1, 2]), ("pair", pair(0, 0))]),
    );
    scene.write(
        "klee-out-0/test000005.ktest",
        &test(&[("x", int(-1)), ("pair", pair(b'k', -1))]),
    );
    for other in ["info", "messages.txt", "run.stats", "test000003.early"] {
        scene.write(&format!("{out}/{other}"), b"something else");
    }
    let score = scene.measure(&["--tests", out, "--llvm-cov"]);
    assert_eq!(score.names().len(), 5);
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
            .problems(3)
            .contains("counts up to here: asked for range")
    );
    assert!(
        score
            .problems(4)
            .contains("asked for x (4 bytes), input 1 of the test is x (2 bytes)")
    );
    assert!(score.problems(5).contains("assumption"));
    assert_eq!(
        score.covered_texts(),
        [
            "x > 10 is true",
            "x > 10 is false",
            "pair.kind == 'k' is true",
            "pair.kind == 'k' is false",
            "pair.value == x is true",
        ]
    );
    assert_eq!(
        score.json["checks"][0]["differences"],
        serde_json::json!([])
    );
    assert!(
        score.json["notes"]
            .to_string()
            .contains("4 files are no tests")
    );
}

const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[8] = "";
    FILE *file;
    if (argc > 2 && strcmp(argv[1], "-x") == 0 && strcmp(argv[2], "on") == 0)
        puts("x");
    if (fgets(line, sizeof line, stdin) && line[0] == 'q')
        return 3;
    file = fopen("A", "r");
    if (file && getc(file) == '!')
        return 4;
    return 0;
}
"#;

#[test]
fn a_whole_program_gets_its_arguments_and_files() {
    let scene = Scene::new(PROGRAM);
    let words = [
        "x.bc",
        "-x",
        "--sym-args",
        "0",
        "1",
        "2",
        "--sym-files",
        "1",
        "1",
        "--sym-stdin",
        "2",
    ];
    let stat = [0; 144];
    let test = |argument: Option<&[u8]>, stdin: &[u8], file: &[u8]| {
        let count = u32::from(argument.is_some()).to_le_bytes();
        let mut objects: Vec<(&str, &[u8])> = vec![("n_args", &count)];
        objects.extend(argument.map(|bytes| ("arg00", bytes)));
        objects.extend([
            ("A-data", file),
            ("A-data-stat", &stat),
            ("stdin", stdin),
            ("stdin-stat", &stat),
            ("model_version", &[1, 0, 0, 0]),
        ]);
        ktest(&words, &objects)
    };
    scene.write("k/1.ktest", &test(Some(b"on\0"), b"a\n", b"!"));
    scene.write("k/2.ktest", &test(None, b"q\n", b"."));
    scene.write("k/3.ktest", &test(Some(b"o\0\0"), b"b\n", b"."));
    // Neither --main nor sizes are needed: the tests say it.
    for arguments in [
        &["--tests", "k"][..],
        &[
            "--tests",
            "k",
            "--main",
            "--arg",
            "-x",
            "--sym-args",
            "0..1:3",
            "--sym-stdin",
            "4",
            "--sym-file",
            "A:2",
        ],
    ] {
        let score = scene.measure(arguments);
        assert_eq!(
            score.outcomes(),
            ["exit 4", "exit 3", "ok"],
            "{arguments:?}"
        );
        assert_eq!(score.total("covered"), 11, "{:?}", score.covered_texts());
        assert!(
            score
                .problems(1)
                .contains("ignored: A-data-stat, stdin-stat")
        );
    }
    // What is too small is said.
    let small = [
        "--tests",
        "k",
        "--main",
        "--arg",
        "-x",
        "--sym-stdin",
        "2",
        "--sym-file",
        "A:1",
    ];
    let score = scene.measure(&small);
    assert_eq!(score.counted(), [false, true, false]);
    assert!(
        score
            .problems(1)
            .contains("its arguments ['-x', 'on'] are not among"),
        "{}",
        score.problems(1)
    );
}

#[test]
fn what_klee_made_can_be_written_as_a_suite_of_ours() {
    let scene = Scene::new(DRIVER);
    let objects: [(&str, &[u8]); 2] = [("x", &[3, 0, 0, 0]), ("pair", &pair(b'k', 3))];
    scene.write("t.ktest", &ktest(&[], &objects));
    let score = scene.measure(&["--tests", "t.ktest", "--out", "ours"]);
    let again = scene.measure(&["--tests", "ours"]);
    assert_eq!(again.covered(), score.covered());
    assert_eq!(scene.run(&["replay", "ours", "--quiet"]).code, Some(0));
}
