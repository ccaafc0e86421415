/* replay.h: what the files of the native runtime share: the record that a test writes and its
 * parent reads (replay.c), the inputs of a test (inputs.c), its place (place.c), its coverage
 * counters (counters.c), and the world of a whole program (world.c). */
#ifndef LABRYS_REPLAY_H
#define LABRYS_REPLAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "protocol.h"

/* They are linked with the program under test: their names must not be its names. */
#define active_changes labrys_replay_active_changes
#define begin_entries labrys_replay_begin_entries
#define call_on_stack labrys_replay_call_on_stack
#define cover labrys_replay_cover
#define die labrys_replay_die
#define dump_coverage labrys_replay_dump_coverage
#define ending_of labrys_replay_ending_of
#define enter_guard labrys_replay_enter_guard
#define finish_with labrys_replay_finish_with
#define give_to_test labrys_replay_give_to_test
#define has_returned labrys_replay_has_returned
#define leave_guard labrys_replay_leave_guard
#define make_place labrys_replay_make_place
#define measures_coverage labrys_replay_measures_coverage
#define most_steps labrys_replay_most_steps
#define next_entry labrys_replay_next_entry
#define place_counters labrys_replay_place_counters
#define prepare_counters labrys_replay_prepare_counters
#define put labrys_replay_put
#define put32 labrys_replay_put32
#define put_result labrys_replay_put_result
#define record labrys_replay_record
#define record_program labrys_replay_record_program
#define record_value labrys_replay_record_value
#define remove_place labrys_replay_remove_place
#define take_counters_back labrys_replay_take_counters_back
#define take_memory labrys_replay_take_memory
#define word_of labrys_replay_word_of
#define write_own_counters labrys_replay_write_own_counters
#define zeros_behind_values labrys_replay_zeros_behind_values
#define zeros_behind_variables labrys_replay_zeros_behind_variables
#define test_inputs labrys_replay_inputs

/* ---- What the child tells its parent ---- */

enum {
  SLOTS = 1 << 22,             /* places for triggers; pages cost only when touched */
  MAX_TRIGGERS = SLOTS / 4 * 3, /* beyond that, the set is reported as incomplete */
  VECTOR_SLOTS = 1 << 17,       /* the same for evaluations of decisions */
  MAX_VECTORS = VECTOR_SLOTS / 2,
  OUTPUT_BYTES = 1 << 20,
  DETAIL_BYTES = 256,
  MOST_TOGETHER = 256, /* mutants whose values are compared at one visit */
  MOST_CHANGES = 2     /* of one mutant */
};

/* One evaluation of a decision. */
struct Vector {
  uint64_t decision, seen, truth;
};

struct Record {
  uint32_t ending;
  uint32_t flags;
  uint32_t missing; /* bits of enum Protection */
  uint64_t trace;
  uint64_t steps; /* how often the run came to a mutation point */
  uint32_t inputs_used;
  uint32_t trigger_count;
  uint32_t output_count;
  uint32_t output_bytes;
  uint32_t is_program; /* a whole program is run: its streams and files are outputs */
  uint32_t original_bytes;
  uint32_t asked_bytes;
  uint32_t vector_count;
  uint32_t group_size; /* the mutants that this process runs (split.h), by number */
  uint32_t group[MOST_TOGETHER];
  char detail[DETAIL_BYTES];
  unsigned char outputs[OUTPUT_BYTES];
  unsigned char originals[OUTPUT_BYTES]; /* the files as the test began, in the same form */
  unsigned char asked[OUTPUT_BYTES]; /* the inputs by name, if the test has only their order */
  uint64_t triggers[MAX_TRIGGERS]; /* in the order in which they were first covered */
  uint64_t slots[SLOTS];           /* the same as an open-addressed set */
  struct Vector vectors[MAX_VECTORS];   /* the different ones, in the order of the run */
  uint32_t vector_slots[VECTOR_SLOTS]; /* the same as a set: one more than the index */
};

extern struct Record *record; /* null outside a test */

/* ---- What a test may use ---- */

struct Limits {
  uint64_t memory_bytes, file_bytes;
  uint32_t wall_ms, open_files, address_shift, buffers_output;
};

/* A change of a mutant: at this point, this alternative. No point is 0. */
struct Change {
  uint32_t point, alternative;
};

/* The active mutant of the test; the point of a change that it does not have is 0. It may come to
 * mutation points so often; 0 for any number. */
extern struct Change active_changes[MOST_CHANGES]; /* mutants.c */
extern uint64_t most_steps;

/* ---- The inputs of the test ---- */

struct Input {
  const char *name;
  uint32_t name_size, size;
  const unsigned char *bytes;
  int taken;
};

struct Inputs {
  enum InputMode mode;
  uint32_t count;
  struct Input *list; /* one more than there are */
};

extern struct Inputs test_inputs; /* inputs.c */

/* Ends the test, with a message. */
void finish_with(enum Ending ending, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Ends the process that runs the tests, with a message. */
void die(const char *what) __attribute__((noreturn));

/* Notes a word among the triggers, near this place. */
void cover(uint64_t word, uint32_t place);
uint64_t word_of(uint32_t kind, uint32_t a, uint32_t b, uint32_t value);

/* From here on a fault jumps to the frame of labrys.h. */
void enter_guard(void);

/* No longer. 0 if there was a fault. */
int leave_guard(void);

/* What guarded.c stands before. */
pid_t __real_fork(void);
void *__real_mmap(void *, size_t, int, int, int, off_t);
void (*__real_signal(int number, void (*handler)(int)))(int);

/* Adds a named value to outputs or originals; 0 if there is no room. */
int record_value(unsigned char *to, uint32_t *used, const char *name, const void *bytes,
                 size_t size);

/* In the parent: what a whole program has produced becomes outputs of the test. */
void record_program(const char *directory, const int *streams, int status);

/* ---- Results (result.c) ---- */

/* A file, or memory. */
struct Sink {
  FILE *file;
  unsigned char *memory;
  size_t used, room;
  int is_full;
};

void put(struct Sink *to, const void *bytes, size_t size);
void put32(struct Sink *to, uint32_t value);

/* How the run in the record ended. */
uint32_t ending_of(int status, int killed, uint32_t *code);

void put_result(struct Sink *to, int status, int killed, const int *streams, uint64_t file_bytes,
                int with_triggers);

/* ---- The place of a test ---- */

struct Place {
  char box[2048];       /* the directory for all tests */
  char directory[2100]; /* that of this test */
  uint32_t number;
  int user;       /* of the test, or NO_USER */
  int streams[3]; /* standard input, which is empty, output and error */
};

/* An empty directory and three streams. 0 if the system does not allow it. */
int make_place(struct Place *place);

/* Makes the user of the test the owner of a directory. */
int give_to_test(const struct Place *place, const char *directory);

/* Closes the streams and removes whatever the test has left in its directory. */
int remove_place(struct Place *place);

/* The names in an open directory, one after the other, without those of itself and of its parent.
 * Unlike readdir it takes nothing from the heap: what is free there would be seen by the next test. */
struct Entries {
  int directory;
  long got, at;
  char bytes[1 << 12];
};

void begin_entries(struct Entries *entries, int directory);
const char *next_entry(struct Entries *entries); /* NULL behind the last one */

/* Memory that is not on the heap, either. */
void *take_memory(size_t size);

/* ---- Coverage counters ---- */

/* Whether this is a build for gcov or llvm-cov. */
int measures_coverage(void);

/* In the child: counters go to their directory, which is below that of the test. That directory may
 * be the root of all files. */
void prepare_counters(const struct Place *place, int is_root);

/* In the child: writes the counters, as the test ends. */
void dump_coverage(void);

/* In the parent: puts the directory of the counters into that of the test. 0 if it cannot. */
int place_counters(const struct Place *place);

/* In the parent: the directory of the counters leaves that of the test. */
void take_counters_back(const struct Place *place);

/* In the parent: its own counters, which are of the lines that no test has run, join the others. */
void write_own_counters(const struct Place *place);

#endif
