//! Exported tests are regression tests: they pass on the program that they were made from, and fail
//! where it returns, writes or prints something else.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Ended, labrys, run};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Exports the suite of a function; the tests include `x.c`, which may be changed afterwards.
fn exported(text: &str, function: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), text).unwrap();
    let mut made = labrys(dir.path());
    made.args(["gen", "x.c", "--quiet", "--exhaust", "--function", function]);
    let made = run(&mut made);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let mut export = labrys(dir.path());
    let export = run(export.args(["export", "labrys-out", "--format", "c", "--out", "tests.c"]));
    assert_eq!(export.code, Some(0), "{}", export.stderr);
    dir
}

fn run_tests(dir: &Path) -> Ended {
    let built = run(Command::new("cc")
        .args(["-Wall", "-o", "tests", "tests.c"])
        .current_dir(dir));
    assert_eq!((built.code, built.stderr.as_str()), (Some(0), ""));
    run(Command::new("./tests").current_dir(dir))
}

/// The tests pass, and fail after each change.
fn check(text: &str, function: &str, changes: &[(&str, &str)]) -> String {
    let dir = exported(text, function);
    let fine = run_tests(dir.path());
    assert_eq!(fine.code, Some(0), "{}{}", fine.stdout, fine.stderr);
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        std::fs::write(dir.path().join("x.c"), text.replacen(from, to, 1)).unwrap();
        let failing = run_tests(dir.path());
        assert_eq!(failing.code, Some(1), "{from} -> {to}: {}", failing.stdout);
    }
    std::fs::read_to_string(dir.path().join("tests.c")).unwrap()
}

#[test]
fn results_memory_globals_and_output_are_asserted() {
    let text = "#include <stdio.h>\nint calls;\nint f(int x, int *p) {\n  calls += 2;\n\
                if (p && x > 5)\n    *p = x - 1;\n  printf(\"x is %d\\n\", x);\n  return x + 3;\n}\n";
    let tests = check(
        text,
        "f",
        &[
            ("return x + 3", "return x + 4"),
            ("*p = x - 1", "*p = x"),
            ("calls += 2", "calls += 1"),
            ("x is %d", "x = %d"),
            ("x > 5", "x > 6"),
        ],
    );
    assert!(tests.contains("LABRYS_INT(4, "), "{tests}");
    assert!(tests.contains("static void test_f_x_above_5"), "{tests}");
}

#[test]
fn floats_are_asserted_bit_by_bit() {
    let text = "double f(double x) {\n  if (x > 2.5)\n    return x * 0.1;\n  return x - 1;\n}\n";
    let tests = check(
        text,
        "f",
        &[
            ("x * 0.1", "x / 10.0000000001"),
            ("x - 1", "x - 1.0000000000000002"),
        ],
    );
    assert!(tests.contains("LABRYS_DOUBLE("), "{tests}");
}

#[test]
fn exits_and_faults_are_asserted() {
    let text = "#include <stdlib.h>\nint f(int x) {\n  if (x == 3)\n    exit(4);\n  if (x == 8)\n    abort();\n  return 1;\n}\n";
    check(
        text,
        "f",
        &[("exit(4)", "exit(5)"), ("abort();", "return 1;")],
    );
}

#[test]
fn messages_on_standard_error_are_asserted() {
    let text = "#include <err.h>\n#include <stdio.h>\nint f(int x) {\n  if (x == 3)\n    fprintf(stderr, \"bad %d\\n\", x);\n\
                if (x == 8)\n    warnx(\"odd\");\n  if (x == 9)\n    fprintf(stderr, \"%s\\n\", __FILE__);\n  return 1;\n}\n";
    let tests = check(
        text,
        "f",
        &[
            ("bad %d", "bad: %d"),
            ("\"odd\"", "\"even\""),
            ("fprintf(stderr, \"bad", "fprintf(stdout, \"bad"),
            ("x == 8", "x == 7"),
        ],
    );
    assert!(tests.contains("{13, \"program: odd\\012\"}"), "{tests}");
}

#[test]
fn what_changes_from_run_to_run_is_left_out_with_a_comment() {
    let text = "#include <stdio.h>\nlong place;\nint f(int x) {\n  int local = x;\n  place = (long)&local;\n\
                printf(\"%p\\n\", (void *)&local);\n  return local > 3 ? 1 : 2;\n}\n";
    let tests = check(text, "f", &[("? 1 : 2", "? 1 : 0")]);
    assert!(
        tests.contains("Not checked, since it changes from run to run: place, stdout."),
        "{tests}"
    );
    assert!(tests.contains("LABRYS_ANY(8)"), "{tests}");
}

/// One address in sixteen is another one here, whichever that is for the compiler and the allocator.
#[test]
fn an_end_that_depends_on_addresses_is_left_out_with_a_comment() {
    let text = "#include <stdint.h>\nint f(unsigned char *p, int x) {\n  int sum = 0;\n\
                if (p && x > 5)\n    sum = 100 / (((uintptr_t)p & 0xf0) != 0x50);\n\
                if (x == 2)\n    sum += 7;\n  return sum;\n}\n";
    let tests = check(text, "f", &[("x == 2", "x == 4"), ("sum += 7", "sum += 8")]);
    // What else changes depends on how the first run has ended.
    let left_out =
        |line: &str| line.contains("changes from run to run") && line.contains("how it ends");
    assert!(tests.lines().any(left_out), "{tests}");
    let ends: Vec<&str> = tests.lines().filter(|l| l.contains("\"any\"")).collect();
    let ordinary: Vec<&str> = tests.lines().filter(|l| l.contains("\"ok\"")).collect();
    assert!(!ends.is_empty() && !ordinary.is_empty(), "{tests}");
}

/// The clock, the process and the machine of an exported test are those of the recorded run.
#[test]
fn an_exported_test_sees_the_recorded_world() {
    let text = "#include <pwd.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n\
        #include <sys/resource.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n\
        #include <sys/times.h>\n#include <sys/utsname.h>\n#include <time.h>\n#include <unistd.h>\n\
        static volatile int caught;\n\
        static void on_signal(int number) { caught = number; }\n\
        static long geteuid_of_program(void) { return geteuid(); }\n\
        long numbers[32];\nchar texts[80];\n\
        int f(int x) {\n\
          struct timespec exact; struct timeval day; struct tms ticks; struct utsname name;\n\
          struct rusage used; long *n = numbers;\n\
          *n++ = time(0);\n\
          clock_gettime(CLOCK_MONOTONIC, &exact); *n++ = exact.tv_sec; *n++ = exact.tv_nsec;\n\
          clock_getres(CLOCK_REALTIME, &exact); *n++ = exact.tv_nsec;\n\
          timespec_get(&exact, TIME_UTC); *n++ = exact.tv_sec;\n\
          gettimeofday(&day, 0); *n++ = day.tv_sec; *n++ = day.tv_usec;\n\
          *n++ = times(&ticks); *n++ = ticks.tms_utime; *n++ = clock();\n\
          *n++ = getpid(); *n++ = getppid(); *n++ = getpgrp(); *n++ = getpgid(0);\n\
          *n++ = getsid(77); *n++ = getuid(); *n++ = geteuid_of_program();\n\
          *n++ = getgid(); *n++ = getegid(); *n++ = getgroups(0, 0);\n\
          *n++ = getlogin() == 0; *n++ = getpwuid(0) == 0; *n++ = getpwnam(\"root\") == 0;\n\
          uname(&name); strcpy(texts, name.release); gethostname(texts + 40, 30);\n\
          getrusage(RUSAGE_SELF, &used); *n++ = used.ru_maxrss;\n\
          *n++ = getenv(\"PATH\") == 0; *n++ = umask(0); *n++ = sleep(100);\n\
          signal(SIGUSR1, on_signal); *n++ = kill(getpid(), SIGUSR1); *n++ = caught;\n\
          *n++ = kill(getppid(), 0);\n\
          if (x > 3) return time(0) > 1000000000;\n\
          return getpid() == 4242;\n}\n";
    let tests = check(text, "f", &[("> 1000000000", "< 1000000000")]);
    assert!(tests.contains("#define LABRYS_FIX_getpid\n"), "{tests}");
    assert!(!tests.contains("LABRYS_FIX_getgrnam"), "{tests}");
}

/// What a program defines itself is its own.
#[test]
fn an_exported_test_keeps_the_functions_of_the_program() {
    let text = "long time(long *to) { return to ? 1 : 7; }\n\
                int f(int x) {\n  return x > 3 ? time(0) == 7 : x;\n}\n";
    let tests = check(text, "f", &[("x > 3", "x > 4")]);
    assert!(!tests.contains("LABRYS_FIX_time"), "{tests}");
}
