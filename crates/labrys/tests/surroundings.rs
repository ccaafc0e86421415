//! What a program is told about its surroundings: the clock stands still or is an input, and the
//! machine has fixed properties. Nothing is proved from what could be otherwise, and the compiled
//! program is told the same.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, run};

fn generated(source: &str, arguments: &[&str]) -> Generated {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("program.c");
    std::fs::write(&file, source).unwrap();
    let generated = generate(&[&file], &[&["--main"], arguments].concat()).unwrap();
    let divergences = &generated.summary["divergences"];
    assert!(
        divergences.is_null() || divergences.as_array().is_some_and(Vec::is_empty),
        "{divergences}"
    );
    generated
}

/// How the outcome of the condition with this text is judged.
fn status(generated: &Generated, text: &str) -> String {
    let found = generated.objectives.iter().find(|o| o["text"] == text);
    found.unwrap()["status"].as_str().unwrap().to_owned()
}

const CLOCK: &str = "
#include <sys/time.h>
#include <time.h>
int main(void) {
  time_t start = time(0);
  struct timespec first, then;
  struct timeval now;
  clock_gettime(CLOCK_MONOTONIC, &first);
  clock_gettime(CLOCK_REALTIME, &then);
  gettimeofday(&now, 0);
  if (now.tv_sec - start > 60)
    return 1;
  if (now.tv_usec < 0 || now.tv_usec > 999999)
    return 2;
  if (then.tv_sec < start)
    return 3;
  return gmtime(&start)->tm_year == 123;
}
";

#[test]
fn a_clock_that_stands_still_proves_nothing() {
    let generated = generated(CLOCK, &[]);
    assert_eq!(generated.total("branch", "infeasible"), 0);
    assert_eq!(
        status(&generated, "now.tv_sec - start > 60 is true"),
        "unknown"
    );
    assert_eq!(
        status(&generated, "now.tv_sec - start > 60 is false"),
        "covered"
    );
    let unknown = generated
        .objectives
        .iter()
        .find(|o| o["status"] == "unknown");
    let reason = unknown.unwrap()["reason"].as_str().unwrap();
    assert!(reason.contains("--sym-time"), "{reason}");
}

#[test]
fn a_clock_that_is_an_input_never_goes_back() {
    let generated = generated(CLOCK, &["--sym-time"]);
    assert_eq!(
        status(&generated, "now.tv_sec - start > 60 is true"),
        "covered"
    );
    assert_eq!(
        status(&generated, "now.tv_sec - start > 60 is false"),
        "covered"
    );
    for never in [
        "now.tv_usec < 0 is true",
        "now.tv_usec > 999999 is true",
        "then.tv_sec < start is true",
    ] {
        assert_eq!(status(&generated, never), "infeasible", "{never}");
    }
}

#[test]
fn the_machine_and_signals_are_the_same_natively() {
    let generated = generated(
        "
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
static int caught;
static void on_signal(int number) { caught += number; }
int main(void) {
  struct utsname machine;
  struct rlimit files;
  char host[32];
  uname(&machine);
  if (gethostname(host, sizeof host) != 0 || strcmp(host, machine.nodename) != 0)
    return 1;
  if (getpid() == getppid() || getuid() != geteuid() || sysconf(_SC_PAGESIZE) != getpagesize())
    return 2;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || (long)files.rlim_cur != sysconf(_SC_OPEN_MAX))
    return 3;
  signal(SIGUSR1, on_signal);
  if (raise(SIGUSR1) != 0 || kill(getpid(), SIGUSR1) != 0 || caught != 2 * SIGUSR1)
    return 4;
  return kill(getpid() + 1, SIGTERM) == -1 ? 5 : 6;
}
",
        &[],
    );
    let outputs = &generated.tests[0]["outputs"];
    assert_eq!(outputs["exit"], 5, "{outputs}");
    assert_eq!(generated.total("branch", "infeasible"), 0);
}

/// Text that only leaves the program must not tie down the number: what comes behind the output is
/// still found. How long the text is, is not known, so nothing is proved.
#[test]
fn a_number_that_was_printed_can_still_be_anything() {
    let generated = generated(
        "
#include <labrys.h>
#include <stdio.h>
int main(void) {
  double x = labrys_double(\"x\");
  int size = printf(\"%g %.3f %Lf\\n\", x, x, (long double)x);
  if (x == 3.5)
    return 1;
  if (size < 0)
    return 2;
  return 0;
}
",
        &["--time", "20s"],
    );
    assert_eq!(status(&generated, "x == 3.5 is true"), "covered");
    assert_eq!(status(&generated, "size < 0 is true"), "unknown");
}

const FAILING: &str = "
#include <stdlib.h>
int main(void) {
  char *block = malloc(4);
  if (!block)
    return 7;
  free(block);
  return 0;
}
";

#[test]
fn a_replay_makes_the_same_calls_fail() {
    let found = generated(FAILING, &["--faults-of-environment"]);
    assert_eq!(status(&found, "!block is true"), "covered");
    let mut replay = labrys(found.dir.path());
    let replay = run(replay.arg("replay").arg(found.out()));
    assert_eq!(replay.code, Some(0), "{} {}", replay.stdout, replay.stderr);
    assert!(replay.stdout.contains("2 of 2"), "{}", replay.stdout);
}

const EARLIER: &str = "
static int table[4], *level;
void set_level(int n) {
  table[0] = table[n & 7];
  level = table;
}
int ask(int k) {
  if (level == table && k == 3)
    return 1;
  return 0;
}
";

#[test]
fn an_error_in_an_earlier_call_is_shown_as_what_it_is_natively() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("program.c");
    std::fs::write(&file, EARLIER).unwrap();
    let found = generate(&[&file], &["--function", "ask"]).unwrap();
    let errors = found.summary["errors"].as_array().unwrap();
    let native: Vec<_> = errors
        .iter()
        .map(|e| e["native"].as_str().unwrap())
        .collect();
    assert_eq!(native, ["went on"]);
}
