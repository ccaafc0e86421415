/* split.h: one run of a test with all mutants at once. The process of the original forks one child
 * for each different value that mutants compute, and waits for its end before it goes on.
 *
 * mutants.c evaluates the mutants of a point, split.c forks and compares, isolate.c keeps what the
 * processes of one test share apart, guarded.c ends the splitting where that cannot be done. */
#ifndef LABRYS_SPLIT_H
#define LABRYS_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "replay.h"

/* Linked with the program under test: not its names. */
#define begin_splitting labrys_replay_begin_splitting
#define files_are_untouched labrys_replay_files_are_untouched
#define give_up_splitting labrys_replay_give_up_splitting
#define is_splitting labrys_replay_is_splitting
#define keep_streams labrys_replay_keep_streams
#define kept_streams labrys_replay_kept_streams
#define live_mutants labrys_replay_live_mutants
#define look_at_files labrys_replay_look_at_files
#define matches_original labrys_replay_matches_original
#define original_end labrys_replay_original_end
#define own_group_size labrys_replay_own_group_size
#define prepare_splitting labrys_replay_prepare_splitting
#define put_splitting labrys_replay_put_splitting
#define restore_files labrys_replay_restore_files
#define save_files labrys_replay_save_files
#define split_off labrys_replay_split_off

/* A change of a mutant of the job: its alternative at its point, and the mutant's number in the job. */
struct JobMutant {
  uint32_t point, alternative, number;
};

/* The mutants of a process that have a change at one point. */
struct LiveMutants {
  struct JobMutant *first;
  uint32_t count, departures; /* of the process when this was looked through last */
};

/* What the test shows without any mutant. */
struct OriginalEnd {
  uint32_t ending, code;
  uint32_t compares; /* outputs count, not only the end */
  uint32_t detail_size, output_bytes, unstable_bytes, stream_bytes[2];
  const unsigned char *detail;
  const unsigned char *outputs;  /* without the unstable ones */
  const unsigned char *unstable; /* names, each with a zero behind it, that are not compared */
  const unsigned char *streams[2];
};

extern struct OriginalEnd original_end;

extern int is_splitting; /* in all processes of such a run */

/* In a process that mutants were split off to: how many are in it, none of which has been told from
 * the others. 0 in the process of the original, in which are all that are like it so far. */
extern uint32_t own_group_size;

/* In the parent of a run: mutants with these changes take part, their numbers are below `mutants`.
 * 0 if there is no memory. */
int prepare_splitting(const struct JobMutant *changes, uint32_t count, uint32_t mutants,
                      uint32_t last_point);

/* In the process of the original: from here on it splits. */
void begin_splitting(const struct Limits *limits, const char *directory);

/* Those of this process that have a change at a point; none beyond the last point. */
struct LiveMutants *live_mutants(uint32_t point);

/* Forks a child for the mutants, and waits for its end. 1 in the child, 0 behind its end: then they
 * are no longer in this process. */
int split_off(const struct JobMutant *mutants, uint32_t count);

/* Something cannot be kept apart: the run says nothing, and its mutants are run one by one. */
void give_up_splitting(void) __attribute__((noreturn));

/* Whether the run that is in the record is like the original's. */
int matches_original(int status, int killed, const int *streams);

/* In the parent: what the run has shown, and marks the mutants that differ, and those of which that
 * has to be seen again. */
void put_splitting(struct Sink *to, int is_usable, unsigned char *differ, unsigned char *doubtful);

/* ---- What processes of one test share ---- */

/* In the child, before its limits hold: streams that the program cannot close. 0 if it cannot. */
int keep_streams(uint32_t open_files);
extern int kept_streams[3];

/* Before a split and behind it. 0 if something is open that cannot be put back. */
int save_files(void);
int restore_files(void);

/* Before the first split, and whether all files of the test are still as they were then. */
int look_at_files(const char *directory);
int files_are_untouched(const char *directory);

#endif
