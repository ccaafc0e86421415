/* sandbox.h: what the launcher of native runs (launch.c and its neighbours) and the program that
 * runs the tests (replay.c, confine.c) share.
 *
 * The launcher has no code of the user in it. It makes the sandbox for a whole list of tests:
 * namespaces, a read-only view of the machine, a file system of bounded size, a filter of system
 * calls, and few capabilities. In it, it starts the program under test with the replay runtime;
 * that forks a child for each test, which gives up the rest (confine.c). */
#ifndef LABRYS_SANDBOX_H
#define LABRYS_SANDBOX_H

#include <stdint.h>

#include "../protocol.h"

/* Some of it is linked with the program under test: its names must not be the program's names. */
#define confine_test labrys_replay_confine_test
#define restrict_files labrys_replay_restrict_files
#define landlock_version labrys_replay_landlock_version

enum {
  JOB_FILE = 3, /* where the program that runs the tests finds its job, and writes its result */
  RESULT_FILE = 4,
  NO_USER = -1, /* the test keeps the user that the program has */
  NOBODY = 65534
};

/* ---- namespaces.c, in the launcher ---- */

/* Enters all namespaces that the system allows, and says which it does not. Returns the user that
 * tests should have there, or NO_USER. */
int enter_namespaces(uint32_t *report);

/* ---- mounts.c, in the launcher ---- */

/* Everything becomes read-only, but for the box: a file system of its own, with bounds. */
void mount_box(uint32_t *report, const char *box);

/* In the first process of the process namespace: /proc shows only what is in the sandbox. */
void mount_own_proc(uint32_t *report);

/* ---- privileges.c, in the launcher ---- */

/* Few capabilities, no way to get more, limits that hold for all tests. */
void drop_privileges(uint32_t *report, int user);

/* ---- filter.c, in the launcher ---- */

/* Refuses the system calls that no test needs. Returns an error number. */
uint32_t filter_system_calls(void);

/* ---- collect.c, in the launcher ---- */

/* Copies the regular files of a directory of the sandbox to one outside. */
void collect(const char *from, int to);

/* ---- landlock.c, in both ---- */

/* The version that the system has, or 0. */
int landlock_version(void);

/* Only files below the directory can be written; unless `may_read`, no other can be opened. No
 * signal leaves the process and those that it starts. Returns an error number. */
uint32_t restrict_files(const char *directory, int may_read);

/* ---- confine.c, in both ---- */

/* In the process of a test, whose directory is the current one: it becomes all that there is, and
 * every privilege is given up for good. Notes what the system does not allow. */
void confine_test(uint32_t *report, int user);

#endif
