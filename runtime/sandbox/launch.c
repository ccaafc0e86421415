/* launch.c: the launcher of native runs.
 *
 * `sandbox run REPORT BOX COUNTERS ADDRESSES JOB RESULT RESULT_BYTES PROGRAM` runs PROGRAM, the
 * program under test with the replay runtime, in a sandbox. REPORT becomes a list of error numbers, one for each
 * `Protection` of protocol.h. BOX is an empty directory, in which the tests have their files.
 * COUNTERS is where the files with coverage counters are copied to, or "-". ADDRESSES is "same" if
 * they are to be the same whenever the program is started, else "any".
 *
 * `sandbox require …` does the same, but runs nothing unless the confinement is complete.
 * `sandbox probe REPORT BOX` only says what the system allows. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox.h"

enum { MODE = 1, REPORT, BOX, OF_PROBE, COUNTERS = OF_PROBE, ADDRESSES, JOB, RESULT, RESULT_BYTES, PROGRAM, ARGUMENTS };

extern char **environ;

enum Mode { RUN, REQUIRE, PROBE };

static uint32_t *report; /* shared with the process that becomes the program, until it does */

static void die(const char *what) {
  fprintf(stderr, "sandbox: %s: %s\n", what, strerror(errno));
  _exit(2);
}

/* Files that the program has open from the start. Its own paths lead to none that it may write. */
static void open_at(int place, const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file < 0)
    die(path);
  if (file == place)
    return;
  if (dup2(file, place) < 0)
    die(path);
  close(file);
}

static int keep_away(int file) {
  int kept = fcntl(file, F_DUPFD_CLOEXEC, 10);
  if (kept < 0)
    die("cannot keep a file open");
  close(file);
  return kept;
}

static void bound_results(const char *bytes) {
  struct rlimit limit;
  limit.rlim_cur = limit.rlim_max = strtoull(bytes, NULL, 10);
  setrlimit(RLIMIT_FSIZE, &limit);
}

/* A test that does nothing: says what the system does not allow a test to give up. */
static void probe(const char *box, int user) {
  pid_t test = fork();
  int status;
  if (test < 0)
    die("cannot fork");
  if (test == 0) {
    if (chdir(box) != 0)
      die(box);
    confine_test(report, user);
    _exit(0);
  }
  waitpid(test, &status, 0);
}

static int is_complete(void) {
  unsigned i;
  for (i = 0; i < NEEDED_PROTECTIONS; i++)
    if (report[i])
      return 0;
  return 1;
}

static void write_report(int file) {
  ssize_t size = PROTECTIONS * (ssize_t)sizeof *report;
  if (pwrite(file, report, (size_t)size, 0) != size)
    die("cannot write the report");
}

/* The first process of the sandbox: becomes the program. */
static void enter(char **arguments, enum Mode mode, int user, int report_file) {
  char user_text[16], *of_program[] = {(char *)"replay", user_text, NULL};
  const char *box = arguments[BOX];
  setsid(); /* no terminal */
  if (!report[PROCESS_NAMESPACE] && !report[MOUNT_NAMESPACE])
    mount_own_proc(report);
  else
    report[OWN_PROC] = report[PROCESS_NAMESPACE] ? report[PROCESS_NAMESPACE] : report[MOUNT_NAMESPACE];
  if (mode != PROBE)
    bound_results(arguments[RESULT_BYTES]);
  /* Where the system does not allow that, they are any. */
  if (mode != PROBE && strcmp(arguments[ADDRESSES], "same") == 0)
    personality(PER_LINUX | ADDR_NO_RANDOMIZE);
  drop_privileges(report, user);
  if (landlock_version() == 0)
    report[LANDLOCK] = ENOSYS;
  else if (report[READ_ONLY_HOST])
    report[LANDLOCK] = restrict_files(box, 1);
  report[SYSTEM_CALL_FILTER] = filter_system_calls();
  if (mode != RUN)
    probe(box, user);
  if (mode == PROBE || (mode == REQUIRE && !is_complete()))
    _exit(0);
  /* Behind all changes of privileges, which would take it back. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  snprintf(user_text, sizeof user_text, "%d", user);
  /* Now, since a run that takes too long is ended with the launcher. */
  write_report(report_file);
  execve(arguments[PROGRAM], of_program, environ);
  die(arguments[PROGRAM]);
}

/* What is open outside: where the report goes, and where the counters go. */
struct Outside {
  int report, counters;
};

static enum Mode read_mode(int count, char **arguments) {
  if (count == ARGUMENTS && strcmp(arguments[MODE], "run") == 0)
    return RUN;
  if (count == ARGUMENTS && strcmp(arguments[MODE], "require") == 0)
    return REQUIRE;
  if (count == OF_PROBE && strcmp(arguments[MODE], "probe") == 0)
    return PROBE;
  fprintf(stderr, "usage: sandbox run|require REPORT BOX COUNTERS ADDRESSES JOB RESULT RESULT_BYTES PROGRAM\n"
                  "       sandbox probe REPORT BOX\n");
  _exit(2);
}

static struct Outside open_outside(enum Mode mode, char **arguments) {
  struct Outside outside = {-1, -1};
  if (mode != PROBE) {
    open_at(RESULT_FILE, arguments[RESULT], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    open_at(JOB_FILE, arguments[JOB], O_RDONLY);
    if (strcmp(arguments[COUNTERS], "-") != 0)
      outside.counters = keep_away(open(arguments[COUNTERS], O_PATH | O_DIRECTORY));
  }
  outside.report = keep_away(open(arguments[REPORT], O_WRONLY | O_CREAT | O_TRUNC, 0600));
  return outside;
}

int main(int count, char **arguments) {
  char counters[4096];
  enum Mode mode = read_mode(count, arguments);
  struct Outside outside;
  int user, status = 0;
  pid_t program;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  outside = open_outside(mode, arguments);
  report = mmap(NULL, PROTECTIONS * sizeof *report, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED)
    die("no memory");
  user = enter_namespaces(report);
  mount_box(report, arguments[BOX]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);

  program = fork();
  if (program < 0)
    die("cannot fork");
  if (program == 0)
    enter(arguments, mode, user, outside.report);
  close(JOB_FILE);
  close(RESULT_FILE);
  while (waitpid(program, &status, 0) < 0 && errno == EINTR)
    ;
  write_report(outside.report);
  snprintf(counters, sizeof counters, "%s/counters", arguments[BOX]);
  if (outside.counters >= 0)
    collect(counters, outside.counters);
  if (WIFSIGNALED(status))
    fprintf(stderr, "sandbox: the program was ended by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
