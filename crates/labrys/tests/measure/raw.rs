//! Plain files: the corpora of fuzzers.

use crate::klee::ktest;
use crate::scene::Scene;

const BYTES: &str = "
#include <labrys.h>
#include <stdlib.h>
int main(void) {
    unsigned char kind = labrys_uchar(\"kind\");
    unsigned short size = labrys_ushort(\"size\");
    if (kind == 'a' && size == 0x6362)
        exit(1);
    exit(size == 0 ? 2 : 0);
}
";

#[test]
fn bytes_are_handed_out_in_order_and_zeros_behind_them() {
    let scene = Scene::new(BYTES);
    for (name, bytes) in [
        ("1", &b"abc"[..]),
        ("2", b"abcdef"),
        ("3", b"a"),
        ("4", b"xyz"),
        ("5", b""),
    ] {
        scene.write(&format!("corpus/{name}"), bytes);
    }
    scene.write("corpus/.state/deterministic", b"abc");
    let score = scene.measure(&["--tests", "corpus", "--out", "ours"]);
    assert_eq!(
        score.outcomes(),
        ["exit 1", "exit 1", "exit 2", "ok", "exit 2"]
    );
    assert_eq!(score.problems(1), "[]");
    assert!(score.problems(2).contains("asks only for 3 of its 6 bytes"));
    assert!(score.problems(3).contains("too short"));
    assert!(score.problems(5).contains("the rest is zero"));
    assert_eq!(score.total("covered"), 6);
    // By then the bytes have names.
    let again = scene.measure(&["--tests", "ours"]);
    assert_eq!(again.outcomes(), score.outcomes());
    assert_eq!(again.covered(), score.covered());
}

#[test]
fn a_harness_of_ours_takes_any_bytes() {
    let scene = Scene::new(
        "struct node { struct node *next; int value; };\n\
         int f(struct node *list, const char *text) {\n\
           if (!list) return 0;\n\
           return list->value > 5 && text && text[0] == 'x';\n\
         }\n",
    );
    for i in 0..24u8 {
        let bytes: Vec<u8> = (0..40)
            .map(|k: u8| k.wrapping_mul(i).wrapping_add(i))
            .collect();
        scene.write(&format!("corpus/{i:02}"), &bytes);
    }
    let score = scene.measure(&["--tests", "corpus", "--function", "f", "--out", "ours"]);
    assert!(
        score.counted().iter().all(|counted| *counted),
        "{:?}",
        score.outcomes()
    );
    assert!(score.total("covered") >= 4, "{:?}", score.covered_texts());
    let again = scene.measure(&["--tests", "ours", "--function", "f"]);
    assert_eq!(again.covered(), score.covered());
}

const READER: &str = "
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], \"rb\") : stdin;
    int c, sum = 0;
    if (!file)
        return 9;
    while ((c = getc(file)) != EOF)
        sum += c;
    return sum > 100;
}
";

#[test]
fn a_whole_program_reads_the_file_as_its_input() {
    let scene = Scene::new(READER);
    scene.write("corpus/big", &[200; 300]);
    scene.write("corpus/none", b"");
    scene.write("corpus/small", b"\x01");
    let expected = ["exit 1", "ok", "ok"];
    let stdin = scene.measure(&["--tests", "corpus", "--main"]);
    assert_eq!(stdin.outcomes(), expected);
    assert_eq!(
        stdin.covered_texts(),
        [
            "argc > 1 is false",
            "!file is false",
            "(c = getc(file)) != EOF is true",
            "(c = getc(file)) != EOF is false",
        ]
    );
    let file = ["--tests", "corpus", "--arg", "in", "--sym-file", "in:300"];
    assert_eq!(scene.measure(&file).outcomes(), expected);
    let small = scene.measure(&["--tests", "corpus", "--sym-stdin", "8"]);
    assert_eq!(small.counted(), [false, true, true]);
    assert!(
        small.problems(1).contains("raise --sym-stdin from 8"),
        "{}",
        small.problems(1)
    );
}

const TARGET: &str = "
#include <stdint.h>
#include <stddef.h>
static int ready;
int LLVMFuzzerInitialize(int *argc, char ***argv) { ready = 1; return 0; }
static int magic(const uint8_t *data) { return data[0] == 'L' && data[1] == 'B'; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!ready) return 1;
    if (size < 2) return 0;
    if (magic(data) && size == 300) __builtin_trap();
    return 0;
}
";

#[test]
fn a_fuzz_target_takes_the_file_whole() {
    let scene = Scene::new(TARGET);
    let mut crash = b"LB".to_vec();
    crash.resize(300, 0);
    // AFL's way: the tests are in directories beside its records.
    scene.write("out/default/queue/id:000000", b"");
    scene.write("out/default/queue/id:000001", b"Lx");
    scene.write("out/default/queue/id:000002", b"LB");
    scene.write("out/default/crashes/id:000000", &crash);
    scene.write("out/default/crashes/README.txt", b"hello");
    scene.write("out/default/fuzzer_stats", b"a : b");
    let score = scene.measure(&["--tests", "out", "--out", "ours"]);
    assert_eq!(score.outcomes(), ["illegal-instruction", "ok", "ok", "ok"]);
    assert_eq!(
        score.covered_texts(),
        [
            "data[0] == 'L' is true",
            "data[1] == 'B' is true",
            "data[1] == 'B' is false",
            "!ready is false",
            "size < 2 is true",
            "size < 2 is false",
            "magic(data) is true",
            "magic(data) is false",
            "size == 300 is true",
            "size == 300 is false",
        ]
    );
    let again = scene.measure(&["--tests", "ours"]);
    assert_eq!(again.covered(), score.covered());
}

#[test]
fn in_a_directory_of_everything_each_file_is_what_it_shows() {
    let scene = Scene::new(BYTES);
    scene.write(
        "all/a.ktest",
        &ktest(&[], &[("kind", b"x"), ("size", &[0, 0])]),
    );
    scene.write(
        "all/b.xml",
        b"<testcase><input>'a'</input><input>0x6362</input></testcase>",
    );
    scene.write("all/notes.txt", b"nothing");
    scene.write(
        "all/no-name",
        &ktest(&[], &[("kind", b"x"), ("size", &[1, 0])]),
    );
    let score = scene.measure(&["--tests", "all"]);
    let formats: Vec<&str> = score
        .each("format")
        .iter()
        .map(|f| f.as_str().unwrap())
        .collect();
    assert_eq!(score.names(), ["a.ktest", "b.xml", "no-name"]);
    assert_eq!(formats, ["ktest", "testcomp", "ktest"]);
    assert_eq!(score.outcomes(), ["exit 2", "exit 1", "ok"]);
    assert!(
        score.json["notes"]
            .to_string()
            .contains("such as notes.txt")
    );
    let raw = scene.measure(&["--tests", "all", "--tests-format", "raw"]);
    assert_eq!(raw.tests().len(), 4);
    let ktest = scene.measure(&["--tests", "all", "--tests-format", "ktest"]);
    assert_eq!(ktest.names(), ["a.ktest", "no-name"]);
}
