/* mutants.c: which alternative is active at a mutation point. In a run with one mutant it is that
 * one. In a run with all mutants the process of the original tries the values of those that have a
 * change at the point, and splits off one child for each different value (split.c). A child does the
 * same: of its mutants, some may have a second change. */
#include <errno.h>
#include <string.h>

#include "labrys.h"
#include "replay.h"
#include "split.h"

struct Change active_changes[MOST_CHANGES];
uint64_t most_steps;

/* The mutation points that this run has come to, by number. */
static unsigned char points_done[1 << 20];

static void __attribute__((noinline, cold)) end_of_steps(void) {
  finish_with(TIMED_OUT, "%s", "");
}

/* An endless loop comes to its points for ever: counting them ends it sooner than any clock, and
 * always at the same place. */
static inline void count_step(void) {
  if (__builtin_expect(++record->steps > most_steps, 0) && most_steps)
    end_of_steps();
}

_Static_assert(MOST_CHANGES == 2, "alone() looks at two changes");

/* The active alternative of a run with one mutant. */
static unsigned alone(unsigned point) {
  if (point >= sizeof points_done || !points_done[point]) {
    cover(word_of(MUTATION_POINT, point, 0, 0), (MUTATION_POINT << 19) + (point << 2));
    if (point < sizeof points_done)
      points_done[point] = 1;
  }
  return point == active_changes[0].point   ? active_changes[0].alternative
         : point == active_changes[1].point ? active_changes[1].alternative
                                            : 0;
}

/* ---- Points whose alternatives have effects ---- */

/* The mutants with the alternative of the last one. */
static uint32_t last_alike(const struct LiveMutants *live, struct JobMutant *group) {
  uint32_t alternative = live->first[live->count - 1].alternative, i, count = 0;
  for (i = 0; i < live->count; i++)
    if (live->first[i].alternative == alternative) {
      if (count == MOST_TOGETHER)
        give_up_splitting();
      group[count++] = live->first[i];
    }
  return count;
}

/* Each alternative gets a process of its own, unless all that are in this one have it. */
unsigned labrys_mutant(unsigned point) {
  static struct JobMutant group[MOST_TOGETHER]; /* not on the stack under test */
  struct LiveMutants *live;
  if (!record)
    return 0;
  count_step();
  if (!is_splitting)
    return alone(point);
  while ((live = live_mutants(point))->count > 0) {
    uint32_t count = last_alike(live, group);
    if (count == own_group_size || split_off(group, count))
      return group[0].alternative;
  }
  return 0;
}

/* ---- Points whose alternatives are values ---- */

enum { MOST_BYTES = 16 };

/* The mutants that are tried at this visit, and what they compute. Alternatives have no points
 * inside, so there is only one such visit at a time. */
static struct {
  int is_running;
  int has_original; /* the original goes on here, or mutants without a change at this point */
  uint32_t count, at;
  struct JobMutant mutants[MOST_TOGETHER];
  unsigned char values[MOST_TOGETHER][MOST_BYTES], main_value[MOST_BYTES];
  unsigned char faults[MOST_TOGETHER], is_done[MOST_TOGETHER];
  unsigned float_state;
} trial;

/* The parts of a visit. */
enum { ALTERNATIVE, MORE };

/* Whether this process is also one of the original, or of mutants without a change there. */
static int has_others(const struct LiveMutants *live) {
  return live->count != own_group_size;
}

static int are_alike(const struct LiveMutants *live) {
  uint32_t i = 1;
  while (i < live->count && live->first[i].alternative == live->first[0].alternative)
    i++;
  return i == live->count;
}

void labrys_come(unsigned point, unsigned here[2]) {
  struct LiveMutants *live;
  here[ALTERNATIVE] = here[MORE] = 0;
  if (!record)
    return;
  count_step();
  if (!is_splitting) {
    here[ALTERNATIVE] = alone(point);
    return;
  }
  live = live_mutants(point);
  if (live->count == 0)
    return;
  if (has_others(live))
    here[MORE] = 1;
  else if (are_alike(live))
    here[ALTERNATIVE] = live->first[0].alternative;
  else
    here[MORE] = 2;
}

/* All mutants of this process that have a change here are tried, since any of them may fault. The
 * value is that of the original, if it goes on here. */
static void begin_trial(const struct LiveMutants *live, const void *value, unsigned size) {
  trial.count = live->count;
  trial.has_original = has_others(live);
  if (trial.count > MOST_TOGETHER || size > MOST_BYTES)
    give_up_splitting();
  memcpy(trial.mutants, live->first, trial.count * sizeof *trial.mutants);
  memset(trial.faults, 0, trial.count);
  memset(trial.is_done, 0, trial.count);
  memcpy(trial.main_value, value, size);
  trial.at = 0;
  trial.is_running = 1;
  trial.float_state = __builtin_ia32_stmxcsr();
}

static void note_trial(const void *value, unsigned size) {
  trial.faults[trial.at] = !leave_guard();
  memcpy(trial.values[trial.at++], value, size);
}

/* Takes out the mutants that go the way of this one: those with the same value, or it alone if it
 * faults. */
static uint32_t take_group(uint32_t first, unsigned size, struct JobMutant *group) {
  uint32_t k, count = 0;
  for (k = first; k < trial.count; k++) {
    int equal = k == first || (!trial.is_done[k] && !trial.faults[first] && !trial.faults[k] &&
                               memcmp(trial.values[k], trial.values[first], size) == 0);
    if (equal) {
      group[count++] = trial.mutants[k];
      trial.is_done[k] = 1;
    }
  }
  return count;
}

/* The mutants that go on with the original. */
static void keep_same(unsigned size) {
  uint32_t i;
  for (i = 0; i < trial.count; i++)
    if (!trial.faults[i] && memcmp(trial.values[i], trial.main_value, size) == 0)
      trial.is_done[i] = 1;
}

/* The mutants that go on where the original does not: the first that does not fault, with its like.
 * Returns its place. */
static uint32_t keep_first(unsigned size, struct JobMutant *group) {
  uint32_t first = 0;
  while (first + 1 < trial.count && trial.faults[first])
    first++;
  take_group(first, size, group);
  return first;
}

/* Splits off those that differ from what goes on here. 1 if the alternative has to be evaluated for
 * real, since that faults. */
static int split_by_value(unsigned here[2], void *value, unsigned size) {
  static struct JobMutant group[MOST_TOGETHER]; /* not on the stack under test */
  uint32_t i, first = 0, count;
  here[MORE] = 0;
  if (trial.has_original)
    keep_same(size);
  else
    first = keep_first(size, group);
  for (i = 0; i < trial.count; i++) {
    if (trial.is_done[i])
      continue;
    count = take_group(i, size, group);
    if (split_off(group, count)) {
      memcpy(value, trial.values[i], size);
      here[ALTERNATIVE] = group[0].alternative;
      return trial.faults[i];
    }
  }
  memcpy(value, trial.has_original ? trial.main_value : trial.values[first], size);
  here[ALTERNATIVE] = trial.has_original ? 0 : trial.mutants[first].alternative;
  return !trial.has_original && trial.faults[first];
}

int labrys_try(unsigned point, unsigned here[2], void *value, unsigned size) {
  if (trial.is_running) {
    note_trial(value, size);
  } else {
    struct LiveMutants *live = live_mutants(point);
    /* This process was split off for mutants of an operand, or ours have left it on the way: the rest
     * does not concern it. */
    if (live->count == 0)
      return 0;
    begin_trial(live, value, size);
  }
  if (trial.at < trial.count) {
    here[ALTERNATIVE] = trial.mutants[trial.at].alternative;
    enter_guard();
    return 1;
  }
  trial.is_running = 0;
  __builtin_ia32_ldmxcsr(trial.float_state);
  return split_by_value(here, value, size);
}
