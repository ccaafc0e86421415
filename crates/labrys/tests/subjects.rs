//! The subjects of the benchmarks do what they are said to do: each is compiled natively with its
//! check, which compares it with a plainer program or with known results, under the sanitizers.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod common;

use common::{run, top};
use std::process::Command;

fn check(name: &str, flags: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let binary = dir.path().join("check");
    let source = top().join(format!("tests/files/{name}.c"));
    let mut cc = Command::new("cc");
    cc.args(["-w", "-O1", "-fsanitize=address,undefined"]);
    cc.args(["-fno-sanitize-recover=all", "-I"]);
    cc.arg(top().join("runtime")).args(flags).arg(source);
    let built = run(cc.arg("-o").arg(&binary));
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let ended = run(&mut Command::new(&binary));
    assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
}

#[test]
fn the_triangle() {
    check("label-coverage/checks/triangle", &[]);
}

#[test]
fn the_four_balls() {
    check("label-coverage/checks/four_balls", &[]);
}

#[test]
fn the_validation_of_utf8() {
    check("label-coverage/checks/utf8", &[]);
}

#[test]
fn the_advisories() {
    check("label-coverage/checks/collision", &[]);
    check("label-coverage/checks/collision", &["-DVARIANT"]);
}

#[test]
fn the_replacements() {
    check("label-coverage/checks/replace", &[]);
}

#[test]
fn the_uris() {
    check("label-coverage/checks/absolute_uri", &[]);
}

#[test]
fn the_tags() {
    check("label-coverage/checks/get_tag", &[]);
}

#[test]
fn the_images() {
    check("label-coverage/checks/image", &[]);
}

#[test]
fn the_small_functions_of_augmentation() {
    check("augmentation/checks/all", &[]);
}
