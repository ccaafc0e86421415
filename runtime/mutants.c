/* mutants.c: which alternative is active at a mutation point. In a run with one mutant it is that
 * one. In a run with all mutants the process of the original tries the values of those that live
 * at the point, and splits off one child for each different value (split.c). */
#include <errno.h>
#include <string.h>

#include "labrys.h"
#include "replay.h"
#include "split.h"

uint32_t active_point, active_alternative;
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

/* The active alternative of a run with one mutant. */
static unsigned alone(unsigned point) {
  if (point >= sizeof points_done || !points_done[point]) {
    cover(word_of(MUTATION_POINT, point, 0, 0), (MUTATION_POINT << 19) + (point << 2));
    if (point < sizeof points_done)
      points_done[point] = 1;
  }
  return point == active_point ? active_alternative : 0;
}

/* A point whose alternatives have effects: each mutant gets a process of its own. */
unsigned labrys_mutant(unsigned point) {
  struct LiveMutants *live;
  if (!record)
    return 0;
  count_step();
  if (!is_splitting)
    return alone(point);
  if (own_point)
    return point == own_point ? own_group[0].alternative : 0;
  live = live_mutants(point);
  while (live->count > 0)
    if (split_off(&live->first[--live->count], 1))
      return own_group[0].alternative;
  return 0;
}

/* ---- Points whose alternatives are values ---- */

enum { MOST_BYTES = 16 };

/* The mutants that are tried at this visit, and what they compute. Alternatives have no points
 * inside, so there is only one such visit at a time. */
static struct {
  int is_running;
  uint32_t count, at;
  struct JobMutant mutants[MOST_TOGETHER];
  unsigned char values[MOST_TOGETHER][MOST_BYTES], main_value[MOST_BYTES];
  unsigned char faults[MOST_TOGETHER], is_done[MOST_TOGETHER];
  unsigned float_state;
} trial;

/* The parts of a visit. */
enum { ALTERNATIVE, MORE };

void labrys_come(unsigned point, unsigned here[2]) {
  here[ALTERNATIVE] = here[MORE] = 0;
  if (!record)
    return;
  count_step();
  if (!is_splitting) {
    here[ALTERNATIVE] = alone(point);
  } else if (own_point == 0) {
    here[MORE] = live_mutants(point)->count > 0;
  } else if (point == own_point) {
    here[ALTERNATIVE] = own_group[0].alternative;
    here[MORE] = own_group_size > 1 ? 2 : 0;
  }
}

/* In the process of the original, which has computed its value, all that live here are tried; in
 * another one all of its group, since any of them may fault. */
static void begin_trial(unsigned point, const void *value, unsigned size) {
  struct LiveMutants *live = live_mutants(point);
  trial.count = own_point ? own_group_size : live->count;
  if (trial.count > MOST_TOGETHER || size > MOST_BYTES)
    give_up_splitting();
  memcpy(trial.mutants, own_point ? own_group : live->first, trial.count * sizeof *trial.mutants);
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

/* The mutants that go on in the process of the original. */
static void keep_same(unsigned point, unsigned size) {
  struct LiveMutants *live = live_mutants(point);
  uint32_t i;
  live->count = 0;
  for (i = 0; i < trial.count; i++)
    if (!trial.faults[i] && memcmp(trial.values[i], trial.main_value, size) == 0) {
      live->first[live->count++] = trial.mutants[i];
      trial.is_done[i] = 1;
    }
}

/* The mutants that go on in another process: the first that does not fault, with its like. Returns
 * its place. */
static uint32_t keep_first(unsigned size) {
  static struct JobMutant group[MOST_TOGETHER];
  uint32_t first = 0;
  while (first + 1 < trial.count && trial.faults[first])
    first++;
  set_own_group(group, take_group(first, size, group));
  return first;
}

/* Splits off those that differ from what goes on here. 1 if the alternative has to be evaluated for
 * real, since that faults. */
static int split_by_value(unsigned point, unsigned here[2], void *value, unsigned size) {
  static struct JobMutant group[MOST_TOGETHER]; /* not on the stack under test */
  uint32_t i, first = 0, count;
  int is_original = own_point == 0;
  here[MORE] = 0;
  if (is_original)
    keep_same(point, size);
  else
    first = keep_first(size);
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
  memcpy(value, is_original ? trial.main_value : trial.values[first], size);
  here[ALTERNATIVE] = is_original ? 0 : own_group[0].alternative;
  return !is_original && trial.faults[first];
}

int labrys_try(unsigned point, unsigned here[2], void *value, unsigned size) {
  if (trial.is_running) {
    note_trial(value, size);
  } else {
    /* Mutants of an operand were split off on the way: the rest does not concern them. */
    if (own_point && own_point != point)
      return 0;
    begin_trial(point, value, size);
  }
  if (trial.at < trial.count) {
    here[ALTERNATIVE] = trial.mutants[trial.at].alternative;
    enter_guard();
    return 1;
  }
  trial.is_running = 0;
  __builtin_ia32_ldmxcsr(trial.float_state);
  return split_by_value(point, here, value, size);
}
