/* split.c: forks a child for mutants that have just become different from the process that they
 * were in, waits for its end, and compares that with the end of the original. Only one process of a
 * test runs at a time, so whatever the others share with it can be put back when it has ended. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "labrys.h"
#include "replay.h"
#include "split.h"

enum {
  MOST_DEPTH = 32,      /* processes of one test that wait for each other; the sandbox allows 64 */
  FOUND_BYTES = 32 << 20, /* all observations of one test */
  ORIGINAL_TIME = 4     /* the original may take so many times as long: it tries the mutants */
};

struct OriginalEnd original_end;
int is_splitting;
uint32_t own_group_size;

/* What all processes of the test may write at any time. */
static struct Shared {
  uint32_t gave_up, processes;
} *shared;

/* What the ended ones have shown: size, mutants, observation. Nobody can write there by mistake: it
 * is closed except while a process adds to it. */
static struct Found {
  uint32_t used, count;
  unsigned char bytes[FOUND_BYTES];
} *found;

/* By number, whether a mutant was split off from the original: it had another value somewhere, or an
 * alternative with effects. Only the process of the original has it. */
static unsigned char *departed;

static uint32_t depth, wall_ms;
static uint64_t file_bytes;
static const char *files;

/* ---- The mutants of a run ---- */

static struct LiveMutants *live; /* by point */
static struct JobMutant *sorted;
static unsigned char *is_here; /* whether a mutant is in this process, by number */
static uint32_t points, numbers, departures;

static void *map(size_t size, int flags) {
  void *place = __real_mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return place == MAP_FAILED ? NULL : place;
}

/* Takes out those that have left this process: neither it nor its children will see them again. */
static void look_through(struct LiveMutants *here) {
  uint32_t i, count = here->count;
  here->count = 0;
  for (i = 0; i < count; i++)
    if (is_here[here->first[i].number])
      here->first[here->count++] = here->first[i];
  here->departures = departures;
}

struct LiveMutants *live_mutants(uint32_t point) {
  static struct LiveMutants none;
  struct LiveMutants *here = point < points ? &live[point] : &none;
  if (here->count > 0 && here->departures != departures)
    look_through(here);
  return here;
}

static void forget(void *place, size_t size) {
  if (place)
    munmap(place, size);
}

int prepare_splitting(const struct JobMutant *changes, uint32_t count, uint32_t mutants,
                      uint32_t last_point) {
  static size_t live_size, sorted_size;
  uint32_t i;
  struct JobMutant *next;
  forget(live, live_size);
  forget(sorted, sorted_size);
  forget(is_here, numbers);
  forget(departed, numbers);
  forget(shared, sizeof *shared);
  forget(found, sizeof *found);
  points = last_point + 1;
  numbers = mutants + 1;
  departures = 0;
  live_size = (size_t)points * sizeof *live;
  sorted_size = ((size_t)count + 1) * sizeof *sorted;
  live = map(live_size, MAP_PRIVATE);
  sorted = map(sorted_size, MAP_PRIVATE);
  is_here = map(numbers, MAP_PRIVATE);
  departed = map(numbers, MAP_SHARED);
  shared = map(sizeof *shared, MAP_SHARED);
  found = map(sizeof *found, MAP_SHARED);
  if (!live || !sorted || !is_here || !departed || !shared || !found || mprotect(found, sizeof *found, PROT_NONE) != 0)
    return 0;
  for (i = 0; i < count; i++)
    live[changes[i].point].count++;
  for (next = sorted, i = 0; i < points; i++) {
    live[i].first = next;
    next += live[i].count;
    live[i].count = 0;
  }
  for (i = 0; i < count; i++) {
    struct LiveMutants *here = &live[changes[i].point];
    here->first[here->count++] = changes[i];
    is_here[changes[i].number] = 1;
  }
  return 1;
}

/* ---- The clock ---- */

static int timer; /* of the kernel: fork does not copy it */

static uint64_t now_ms(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void set_timer(uint64_t ms) {
  struct itimerspec when = {{0, 0}, {0, 0}};
  when.it_value.tv_sec = (time_t)(ms / 1000);
  when.it_value.tv_nsec = (long)(ms % 1000) * 1000000;
  syscall(SYS_timer_settime, timer, 0, &when, NULL);
}

/* A process that takes too long is killed. */
static void start_timer(void) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0)
    give_up_splitting();
}

static uint64_t own_time(void) {
  return (uint64_t)wall_ms * (depth == 0 ? ORIGINAL_TIME : 1);
}

/* ---- Comparison ---- */

static int same_stream(int file, const unsigned char *expected, uint32_t size) {
  static unsigned char buffer[1 << 14];
  struct stat state;
  uint32_t at = 0;
  if (fstat(file, &state) != 0 || state.st_size != (off_t)size)
    return 0;
  while (at < size) {
    ssize_t got = pread(file, buffer, sizeof buffer, (off_t)at);
    if (got <= 0 || (size_t)got > size - at || memcmp(buffer, expected + at, (size_t)got) != 0)
      return 0;
    at += (uint32_t)got;
  }
  return 1;
}

static int is_unstable(const unsigned char *name, size_t size) {
  const unsigned char *at = original_end.unstable, *end = at + original_end.unstable_bytes;
  while (at < end) {
    size_t length = strnlen((const char *)at, (size_t)(end - at));
    if (length == size && memcmp(at, name, size) == 0)
      return 1;
    at += length + 1;
  }
  return 0;
}

/* The outputs in the record are those of the original, one after the other. */
static int same_outputs(void) {
  const unsigned char *expected = original_end.outputs;
  uint32_t left = original_end.output_bytes, at = 0, sizes[2];
  if (record->output_bytes > OUTPUT_BYTES || (record->flags & OUTPUTS_LOST))
    return 0;
  while (record->output_bytes - at >= sizeof sizes) {
    const unsigned char *output = record->outputs + at;
    size_t size;
    memcpy(sizes, output, sizeof sizes);
    size = sizeof sizes + sizes[0] + (size_t)sizes[1];
    if (size > record->output_bytes - at)
      return 0;
    at += (uint32_t)size;
    if (is_unstable(output + sizeof sizes, sizes[0]))
      continue;
    if (size > left || memcmp(output, expected, size) != 0)
      return 0;
    expected += size;
    left -= (uint32_t)size;
  }
  return left == 0;
}

static int is_same_stream(int file, unsigned number, const char *name) {
  return is_unstable((const unsigned char *)name, strlen(name)) ||
         same_stream(file, original_end.streams[number], original_end.stream_bytes[number]);
}

int matches_original(int status, int killed, const int *streams) {
  const struct OriginalEnd *end = &original_end;
  uint32_t code, ending = ending_of(status, killed, &code);
  size_t detail = strnlen(record->detail, sizeof record->detail);
  if (ending != end->ending || code != end->code || detail != end->detail_size ||
      memcmp(record->detail, end->detail, detail) != 0)
    return 0;
  if (!end->compares)
    return 1;
  return same_outputs() && is_same_stream(streams[1], 0, "stdout") &&
         is_same_stream(streams[2], 1, "stderr");
}

/* The streams of a whole program are outputs, as record_program has them; without any memory of
 * the program's heap. */
static void record_stream(const char *name, int file) {
  struct stat state;
  size_t name_size = strlen(name), at = 0;
  unsigned char *to;
  uint32_t sizes[2] = {(uint32_t)name_size, 0};
  if (fstat(file, &state) != 0 || record->output_bytes > OUTPUT_BYTES ||
      state.st_size > OUTPUT_BYTES ||
      sizeof sizes + name_size + (size_t)state.st_size > OUTPUT_BYTES - record->output_bytes) {
    record->flags |= OUTPUTS_LOST;
    return;
  }
  sizes[1] = (uint32_t)state.st_size;
  to = record->outputs + record->output_bytes;
  memcpy(to, sizes, sizeof sizes);
  memcpy(to + sizeof sizes, name, name_size);
  to += sizeof sizes + name_size;
  while (at < sizes[1]) {
    ssize_t got = pread(file, to + at, sizes[1] - at, (off_t)at);
    if (got <= 0)
      break;
    at += (size_t)got;
  }
  record->output_bytes += (uint32_t)(sizeof sizes + name_size + sizes[1]);
  record->output_count++;
}

static void record_streams(int status) {
  if (WIFEXITED(status) && (record->ending == RUNNING || record->ending > NO_HARNESS)) {
    int32_t code = WEXITSTATUS(status);
    labrys_output("exit", &code, sizeof code);
  }
  record_stream("stdout", kept_streams[1]);
  record_stream("stderr", kept_streams[2]);
}

/* Whether the run in the record is still that of the mutant: it may have been split off in turn. */
static int is_in_group(uint32_t number) {
  uint32_t i;
  for (i = 0; i < record->group_size && i < MOST_TOGETHER; i++)
    if (record->group[i] == number)
      return 1;
  return 0;
}

/* Some are left of those that were split off. The child may have written anything over its record. */
static int group_is_plausible(const struct JobMutant *mutants, uint32_t count) {
  uint32_t i, members = 0;
  for (i = 0; i < count; i++)
    members += (uint32_t)is_in_group(mutants[i].number);
  return record->group_size > 0 && members == record->group_size;
}

static void note_found(const struct JobMutant *mutants, uint32_t count, int status, int killed) {
  struct Sink to = {0};
  uint32_t i, size, left = 0;
  for (i = 0; i < count; i++)
    left += (uint32_t)is_in_group(mutants[i].number);
  if (mprotect(found, sizeof *found, PROT_READ | PROT_WRITE) != 0)
    give_up_splitting();
  to.memory = found->bytes;
  to.room = FOUND_BYTES;
  to.used = found->used + sizeof size;
  put32(&to, left);
  for (i = 0; i < count; i++)
    if (is_in_group(mutants[i].number))
      put32(&to, mutants[i].number);
  put_result(&to, status, killed, kept_streams, file_bytes, 0);
  if (to.is_full || to.used > FOUND_BYTES)
    give_up_splitting();
  size = (uint32_t)(to.used - found->used - sizeof size);
  memcpy(found->bytes + found->used, &size, sizeof size);
  found->used = (uint32_t)to.used;
  found->count++;
  mprotect(found, sizeof *found, PROT_NONE);
}

/* ---- Splitting ---- */

void give_up_splitting(void) {
  shared->gave_up = 1;
  _exit(0);
}

void begin_splitting(const struct Limits *limits, const char *directory) {
  wall_ms = limits->wall_ms;
  file_bytes = limits->file_bytes;
  files = directory;
  depth = own_group_size = 0;
  start_timer();
  set_timer(own_time());
  is_splitting = 1;
}

/* The part of a record that such runs use. */
enum { RECORD_BYTES = offsetof(struct Record, triggers) };

/* A record for the child, with what this process has done so far. */
static struct Record *continued_record(void) {
  static struct Record *next;
  static uint32_t next_depth;
  if (!next || next_depth != depth)
    next = map(RECORD_BYTES, MAP_SHARED);
  next_depth = depth;
  if (!next || record->output_bytes > OUTPUT_BYTES)
    give_up_splitting();
  memcpy(next, record, offsetof(struct Record, outputs));
  memcpy(next->outputs, record->outputs, record->output_bytes);
  next->asked_bytes = 0;
  return next;
}

/* Only these mutants are in this process. */
static void enter(const struct JobMutant *mutants, uint32_t count) {
  uint32_t i;
  memset(is_here, 0, numbers);
  for (i = 0; i < count; i++) {
    is_here[mutants[i].number] = 1;
    record->group[i] = mutants[i].number;
  }
  record->group_size = own_group_size = count;
  departures++;
}

/* Those that leave the original do so before they can do any harm. */
static void note_departure(const struct JobMutant *mutants, uint32_t count) {
  uint32_t i;
  for (i = 0; depth == 0 && i < count; i++)
    departed[mutants[i].number] = 1;
}

/* They have left. What the record says of the original's process is of no interest. */
static void leave(const struct JobMutant *mutants, uint32_t count) {
  uint32_t i, left = 0;
  for (i = 0; i < count; i++)
    is_here[mutants[i].number] = 0;
  for (i = 0; i < own_group_size; i++)
    if (record->group[i] < numbers && is_here[record->group[i]])
      record->group[left++] = record->group[i];
  record->group_size = own_group_size = left;
  departures++;
}

static void become_split(struct Record *next, const struct JobMutant *mutants, uint32_t count) {
  munmap(record, RECORD_BYTES);
  record = next;
  if (depth++ == 0)
    munmap(departed, numbers); /* no mutant writes there */
  enter(mutants, count);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  start_timer();
  set_timer(own_time());
}

/* What a child has shown is in its record and in the streams. */
static void judge(struct Record *child, const struct JobMutant *mutants, uint32_t count, int status,
                  uint64_t started) {
  struct Record *own = record;
  int killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && now_ms() - started >= wall_ms;
  if (shared->gave_up)
    _exit(0);
  record = child;
  if (!group_is_plausible(mutants, count))
    give_up_splitting();
  if (record->is_program && !killed)
    record_streams(status);
  if (!matches_original(status, killed, kept_streams))
    note_found(mutants, count, status, killed);
  record = own;
}

int split_off(const struct JobMutant *mutants, uint32_t count) {
  int error = errno, status = 0;
  uint64_t started;
  struct Record *next = continued_record();
  pid_t child;
  if (depth == MOST_DEPTH || !look_at_files(files) || !save_files())
    give_up_splitting();
  set_timer(0);
  started = now_ms();
  note_departure(mutants, count);
  child = _Fork(); /* a program with threads is not split: no lock is held */
  if (child < 0)
    give_up_splitting();
  if (child == 0) {
    become_split(next, mutants, count);
    errno = error;
    return 1;
  }
  shared->processes++;
  while (waitpid(child, &status, 0) != child)
    if (errno != EINTR)
      give_up_splitting();
  judge(next, mutants, count, status, started);
  if (!restore_files() || !files_are_untouched(files))
    give_up_splitting();
  leave(mutants, count);
  set_timer(own_time());
  errno = error;
  return 0;
}

/* ---- In the parent ---- */

/* A mutant may read what happens to lie behind an object: other outputs are to be seen twice. */
static int is_doubtful(uint32_t ending) {
  return ending != TIMED_OUT && ending != SIGNALLED && ending != ERROR_REPORTED;
}

static void put_departed(struct Sink *to) {
  uint32_t i, count = 0;
  for (i = 0; i < numbers; i++)
    count += departed[i] != 0;
  put32(to, count);
  for (i = 0; i < numbers; i++)
    if (departed[i])
      put32(to, i);
}

void put_splitting(struct Sink *to, int is_usable, unsigned char *differ, unsigned char *doubtful) {
  uint32_t at = 0, size, count, i, number, ending;
  is_usable = is_usable && !shared->gave_up && mprotect(found, sizeof *found, PROT_READ) == 0;
  put32(to, (uint32_t)is_usable);
  put32(to, shared->processes);
  put_departed(to);
  put32(to, is_usable ? found->count : 0);
  while (is_usable && at < found->used) {
    const unsigned char *entry = found->bytes + at + sizeof size;
    memcpy(&size, found->bytes + at, sizeof size);
    memcpy(&count, entry, sizeof count);
    memcpy(&ending, entry + (count + 1) * sizeof number, sizeof ending);
    for (i = 0; i < count; i++) {
      memcpy(&number, entry + (i + 1) * sizeof number, sizeof number);
      differ[number] = 1;
      doubtful[number] = (unsigned char)is_doubtful(ending);
    }
    put(to, entry, size);
    at += (uint32_t)sizeof size + size;
  }
}
