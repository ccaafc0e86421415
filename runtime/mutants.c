/* mutants.c: which alternative is active at a mutation point. In a run with one mutant it is that
 * one. In a run with all mutants the process of the original tries the values of those that have a
 * change in an expression, and splits off one child for each different value (split.c). A child does
 * the same with those that it has. */
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

unsigned *labrys_window; /* the visit of the outermost point that is being evaluated */

/* An endless loop comes to its points for ever: counting them ends it sooner than any clock, and
 * always at the same place. Points inside of others do not count: how many there are depends on the
 * mutant, and mutants that share a process count together. */
static inline void count_step(void) {
  if (labrys_window)
    return;
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

/* The alternative of a mutant at a point, 0 if it has no change there. */
static unsigned alternative_of(uint32_t number, unsigned point) {
  const struct LiveMutants *live = live_mutants(point);
  uint32_t i;
  for (i = 0; i < live->count; i++)
    if (live->first[i].number == number)
      return live->first[i].alternative;
  return 0;
}

/* The alternative of a process of one mutant. */
static unsigned own_alternative(unsigned point) {
  const struct LiveMutants *live = live_mutants(point);
  return live->count > 0 ? live->first[0].alternative : 0;
}

/* ---- Windows ---- */

/* An expression that changes nothing, with all points inside: the outermost point whose alternatives
 * are values. It is evaluated as it is, which shows to which points inside the run comes, and then
 * once for each mutant of this process that has a change there. So mutants that compute the same in
 * the end stay together, whatever they compute on the way. */
enum Phase { NO_WINDOW, OPENED, PLAIN, TRYING };

enum { MOST_BYTES = 16, MOST_POINTS = 512 };

static struct {
  enum Phase phase;
  int is_guarded; /* the original is in another process, so it may fault here */
  int plain_faults;
  uint32_t points[MOST_POINTS], point_count, tried_points;
  unsigned char plain_value[MOST_BYTES];
  unsigned float_state;
} window;

/* The mutants that are tried at once, and what they compute. */
static struct {
  uint32_t count, at;
  struct TriedMutant {
    struct JobMutant mutant;
    unsigned char value[MOST_BYTES], faults, is_done;
  } list[MOST_TOGETHER];
} trial;

static void note_point(unsigned point) {
  if (live_mutants(point)->count == 0)
    return;
  if (window.point_count == MOST_POINTS)
    give_up_splitting();
  window.points[window.point_count++] = point;
}

static void open_window(unsigned point) {
  window.is_guarded = own_group_size > 0;
  window.phase = window.is_guarded ? OPENED : PLAIN;
  window.plain_faults = 0;
  window.point_count = window.tried_points = 0;
  trial.count = trial.at = 0;
  note_point(point);
}

/* A point whose alternatives have effects: each mutant gets a process of its own there. */
unsigned labrys_mutant(unsigned point) {
  struct LiveMutants *live;
  struct JobMutant mutant;
  if (!record)
    return 0;
  if (window.phase == TRYING) {
    if (alternative_of(trial.list[trial.at].mutant.number, point))
      give_up_splitting();
    return 0;
  }
  count_step();
  if (!is_splitting)
    return alone(point);
  if (own_group_size == 1)
    return own_alternative(point);
  while ((live = live_mutants(point))->count > 0) {
    mutant = live->first[live->count - 1];
    if (split_off(&mutant, 1))
      return mutant.alternative;
  }
  return 0;
}

int labrys_come(unsigned point, unsigned *here) {
  *here = 0;
  if (!record)
    return 0;
  if (window.phase == TRYING) {
    *here = alternative_of(trial.list[trial.at].mutant.number, point);
    return 0;
  }
  count_step();
  if (!labrys_window)
    labrys_window = here;
  if (!is_splitting) {
    *here = alone(point);
  } else if (window.phase == PLAIN) {
    note_point(point);
  } else if (own_group_size == 1) {
    *here = own_alternative(point);
  } else {
    open_window(point);
    return window.is_guarded;
  }
  return 0;
}

static int is_in_trial(uint32_t number) {
  uint32_t i;
  for (i = 0; i < trial.count; i++)
    if (trial.list[i].mutant.number == number)
      return 1;
  return 0;
}

/* The mutants of the next points, as many as can be tried at once; each of them once. */
static void begin_trial(void) {
  trial.count = trial.at = 0;
  while (window.tried_points < window.point_count) {
    const struct LiveMutants *live = live_mutants(window.points[window.tried_points]);
    uint32_t i;
    if (live->count > MOST_TOGETHER)
      give_up_splitting();
    if (live->count > MOST_TOGETHER - trial.count)
      return;
    for (i = 0; i < live->count; i++)
      if (!is_in_trial(live->first[i].number)) {
        struct TriedMutant *next = &trial.list[trial.count++];
        next->mutant = live->first[i];
        next->faults = next->is_done = 0;
      }
    window.tried_points++;
  }
}

static void end_plain(const void *value, unsigned size) {
  if (size > MOST_BYTES)
    give_up_splitting();
  window.plain_faults = window.is_guarded && !leave_guard();
  window.float_state = __builtin_ia32_stmxcsr();
  memcpy(window.plain_value, value, size);
  window.phase = TRYING;
}

static void note_trial(const void *value, unsigned size) {
  struct TriedMutant *tried = &trial.list[trial.at++];
  tried->faults = !leave_guard();
  memcpy(tried->value, value, size);
}

/* Takes out the mutants that go the way of this one: those with the same value, or it alone if it
 * faults. */
static uint32_t take_group(uint32_t first, unsigned size, struct JobMutant *group) {
  struct TriedMutant *list = trial.list;
  uint32_t k, count = 0;
  for (k = first; k < trial.count; k++) {
    int equal = k == first || (!list[k].is_done && !list[first].faults && !list[k].faults &&
                               memcmp(list[k].value, list[first].value, size) == 0);
    if (equal) {
      group[count++] = list[k].mutant;
      list[k].is_done = 1;
    }
  }
  return count;
}

/* Those that go on as it is evaluated without them. */
static void keep_same(unsigned size) {
  uint32_t i;
  for (i = 0; i < trial.count; i++)
    if (!trial.list[i].faults && !window.plain_faults &&
        memcmp(trial.list[i].value, window.plain_value, size) == 0)
      trial.list[i].is_done = 1;
}

/* Those that go on where nobody is without a change here: the first that does not fault, with its
 * like. */
static struct TriedMutant *keep_first(unsigned size, struct JobMutant *group) {
  uint32_t first = 0;
  while (first + 1 < trial.count && trial.list[first].faults)
    first++;
  take_group(first, size, group);
  return &trial.list[first];
}

/* Leaves the window with a value. 1 if it has to be evaluated for real, since that faults. */
static int leave_with(const unsigned char *from, int faults, unsigned point, unsigned *here,
                      void *value, unsigned size) {
  window.phase = NO_WINDOW;
  labrys_window = NULL;
  *here = own_group_size == 1 ? own_alternative(point) : 0;
  __builtin_ia32_ldmxcsr(window.float_state);
  memcpy(value, from, size);
  return faults;
}

/* Splits off those that differ from what goes on here: `kept`, or what is evaluated without any of
 * them. In a child, which one it is. */
static struct TriedMutant *split_by_value(const struct TriedMutant *kept, unsigned size,
                                          struct JobMutant *group) {
  uint32_t i;
  if (!kept)
    keep_same(size);
  for (i = 0; i < trial.count; i++)
    if (!trial.list[i].is_done && split_off(group, take_group(i, size, group)))
      return &trial.list[i];
  return NULL;
}

int labrys_try(unsigned point, unsigned *here, void *value, unsigned size) {
  static struct JobMutant group[MOST_TOGETHER]; /* not on the stack under test */
  struct TriedMutant *kept, *own;
  switch (window.phase) {
  case NO_WINDOW: labrys_window = NULL; return 0;
  case OPENED: window.phase = PLAIN; enter_guard(); return 1;
  case PLAIN: end_plain(value, size); break;
  case TRYING: note_trial(value, size); break;
  }
  for (;;) {
    if (trial.at < trial.count) {
      *here = alternative_of(trial.list[trial.at].mutant.number, point);
      enter_guard();
      return 1;
    }
    /* The groups of children are never larger than a trial. */
    kept = own_group_size > 0 && trial.count == own_group_size ? keep_first(size, group) : NULL;
    own = split_by_value(kept, size, group);
    own = own ? own : kept;
    if (own)
      return leave_with(own->value, own->faults, point, here, value, size);
    if (window.tried_points == window.point_count)
      return leave_with(window.plain_value, window.plain_faults, point, here, value, size);
    begin_trial();
  }
}
