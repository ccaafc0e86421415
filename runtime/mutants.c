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

/* An endless loop comes to its points for ever: counting them ends it sooner than any clock, and
 * always at the same place. */
static void count_step(unsigned point) {
  if (++record->steps > most_steps && most_steps)
    finish_with(TIMED_OUT, "%s", "");
  if (is_splitting || (point < sizeof points_done && points_done[point]))
    return;
  cover(word_of(MUTATION_POINT, point, 0, 0), (MUTATION_POINT << 19) + (point << 2));
  if (point < sizeof points_done)
    points_done[point] = 1;
}

/* A point whose alternatives have effects: each mutant gets a process of its own. */
unsigned labrys_mutant(unsigned point) {
  struct LiveMutants *live;
  if (!record)
    return 0;
  count_step(point);
  if (!is_splitting)
    return point == active_point ? active_alternative : 0;
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

void labrys_come(unsigned point, struct labrys_visit *here) {
  here->alternative = here->more = 0;
  if (!record)
    return;
  count_step(point);
  if (!is_splitting) {
    here->alternative = point == active_point ? active_alternative : 0;
  } else if (own_point == 0) {
    here->more = live_mutants(point)->count > 0;
  } else if (point == own_point) {
    here->alternative = own_group[0].alternative;
    here->more = own_group_size > 1;
  }
}

/* Those of the process itself have computed the value: all others that live here are tried. */
static void begin_trial(unsigned point, const void *value, unsigned size) {
  struct LiveMutants *live = live_mutants(point);
  const struct JobMutant *from = own_point ? own_group + 1 : live->first;
  trial.count = own_point ? own_group_size - 1 : live->count;
  if (trial.count > MOST_TOGETHER || size > MOST_BYTES)
    give_up_splitting();
  memcpy(trial.mutants, from, trial.count * sizeof *trial.mutants);
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

/* The mutants that go on in this process. */
static void keep(unsigned point, const struct JobMutant *mutants, uint32_t count) {
  struct LiveMutants *live = live_mutants(point);
  if (own_point) {
    memcpy(own_group + 1, mutants, count * sizeof *mutants);
    set_own_group(own_group, count + 1);
  } else {
    memcpy(live->first, mutants, count * sizeof *mutants);
    live->count = count;
  }
}

/* Splits off those that differ. 1 in a child that has to evaluate its alternative for real, since
 * that faults. */
static int split_by_value(unsigned point, struct labrys_visit *here, void *value, unsigned size) {
  static struct JobMutant same[MOST_TOGETHER], group[MOST_TOGETHER]; /* not on the stack under test */
  uint32_t i, k, same_count = 0, count;
  here->more = 0;
  for (i = 0; i < trial.count; i++)
    if (!trial.faults[i] && memcmp(trial.values[i], trial.main_value, size) == 0) {
      same[same_count++] = trial.mutants[i];
      trial.is_done[i] = 1;
    }
  keep(point, same, same_count);
  for (i = 0; i < trial.count; i++) {
    if (trial.is_done[i])
      continue;
    for (count = 0, k = i; k < trial.count; k++) {
      int equal = k == i || (!trial.is_done[k] && !trial.faults[i] && !trial.faults[k] &&
                             memcmp(trial.values[k], trial.values[i], size) == 0);
      if (equal) {
        group[count++] = trial.mutants[k];
        trial.is_done[k] = 1;
      }
    }
    if (split_off(group, count)) {
      memcpy(value, trial.values[i], size);
      here->alternative = group[0].alternative;
      return trial.faults[i];
    }
  }
  memcpy(value, trial.main_value, size);
  return 0;
}

int labrys_try(unsigned point, struct labrys_visit *here, void *value, unsigned size) {
  if (trial.is_running) {
    note_trial(value, size);
  } else {
    /* Mutants of an operand were split off on the way: the rest does not concern them. */
    if (own_point && own_point != point)
      return 0;
    begin_trial(point, value, size);
  }
  if (trial.at < trial.count) {
    here->alternative = trial.mutants[trial.at].alternative;
    enter_guard();
    return 1;
  }
  trial.is_running = 0;
  __builtin_ia32_ldmxcsr(trial.float_state);
  return split_by_value(point, here, value, size);
}
