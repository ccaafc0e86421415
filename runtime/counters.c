/* counters.c: coverage counters of builds for gcov and llvm-cov. A test writes them to files when
 * it ends, however it ends, and each adds to what those before it have written. Their directory,
 * `counters` in the box, is in the directory of the test while it runs, since the test sees
 * nothing else; the launcher copies them out of the box in the end. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay.h"

#define COUNTERS ".labrys-counters"

extern void __gcov_dump(void) __attribute__((weak));
extern int __llvm_profile_write_file(void) __attribute__((weak));
extern void __llvm_profile_set_filename(const char *name) __attribute__((weak));
extern char **environ;

/* What gcov is told: where to write, without the directories in which the program was compiled. */
static char prefix[2300], *surroundings[] = {prefix, (char *)"GCOV_PREFIX_STRIP=99", NULL};

int measures_coverage(void) { return __gcov_dump || __llvm_profile_write_file; }

/* The limit is for the program's files, not for the counters; and its environment is its own. */
static void ready_for_counters(void) {
  struct rlimit files;
  if (prlimit(0, RLIMIT_FSIZE, NULL, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_FSIZE, &files);
  }
  environ = surroundings;
}

/* Counters go to this directory from now on. */
static void write_counters_to(const char *directory) {
  static char name[2300];
  snprintf(prefix, sizeof prefix, "GCOV_PREFIX=%s", directory);
  /* %m: LLVM adds to the file that is there. */
  snprintf(name, sizeof name, "%s/llvm-%%m.profraw", directory);
  if (__llvm_profile_set_filename)
    __llvm_profile_set_filename(name);
  atexit(ready_for_counters); /* where the program calls exit, its counters follow */
}

void prepare_counters(const struct Place *place, int is_root) {
  char directory[2200];
  if (!measures_coverage())
    return;
  snprintf(directory, sizeof directory, "%s/" COUNTERS, is_root ? "" : place->directory);
  write_counters_to(directory);
}

void dump_coverage(void) {
  if (!measures_coverage())
    return;
  ready_for_counters();
  if (__gcov_dump)
    __gcov_dump();
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
}

/* Where the counters are while a test runs, and between tests. */
static void name_places(const struct Place *place, char inside[2200], char outside[2200]) {
  snprintf(inside, 2200, "%s/" COUNTERS, place->directory);
  snprintf(outside, 2200, "%s/counters", place->box);
}

int place_counters(const struct Place *place) {
  char inside[2200], outside[2200];
  if (!measures_coverage())
    return 1;
  name_places(place, inside, outside);
  if (rename(outside, inside) == 0)
    return 1;
  return mkdir(inside, 0700) == 0 && give_to_test(place, inside);
}

void take_counters_back(const struct Place *place) {
  char inside[2200], outside[2200];
  if (!measures_coverage())
    return;
  name_places(place, inside, outside);
  if (rename(inside, outside) != 0)
    errno = 0; /* the test has removed it: the next one gets an empty one */
}

void write_own_counters(const struct Place *place) {
  char directory[2200];
  if (!measures_coverage())
    return;
  snprintf(directory, sizeof directory, "%s/counters", place->box);
  if (mkdir(directory, 0700) != 0)
    errno = 0; /* it is there */
  write_counters_to(directory);
}
