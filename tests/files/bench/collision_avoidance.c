// Exploration: an advisory for two aircraft on crossing courses, twelve symbolic ints. The index
// of the table of thresholds is unconstrained, so its accesses can leave the table.
#include "labrys.h"

enum advisory { NONE, CLIMB, DESCEND };
enum intent { NO_INTENT, WILL_NOT_CLIMB, WILL_NOT_DESCEND };
enum capability { EQUIPPED = 1, OTHER };

enum { OLEV = 600, MAX_ALT_DIFF = 600, MIN_SEPARATION = 300, NOZ_CROSS = 100 };

struct situation {
    int vertical_separation;
    int high_confidence;
    int two_reports_valid;
    int own_altitude;
    int own_rate;
    int other_altitude;
    int layer;
    int up_separation;
    int down_separation;
    int other_intent;
    int other_capability;
    int climb_inhibited;
};

static const int thresholds[4] = {400, 500, 640, 740};

/* The least vertical distance that is safe in the current layer of altitude. */
static int safe_distance(const struct situation *s) { return thresholds[s->layer]; }

/* The separation after climbing, credited with what a level-off would add. */
static int climb_separation(const struct situation *s) {
    return s->climb_inhibited ? s->up_separation + NOZ_CROSS : s->up_separation;
}

static int own_below(const struct situation *s) { return s->own_altitude < s->other_altitude; }

static int own_above(const struct situation *s) { return s->other_altitude < s->own_altitude; }

/* Climbing without crossing the other's altitude keeps or restores the distance. */
static int climb_keeps_apart(const struct situation *s) {
    int prefer_up = climb_separation(s) > s->down_separation;
    if (prefer_up)
        return !own_below(s) || !(s->down_separation >= safe_distance(s));
    return own_above(s) && s->vertical_separation >= MIN_SEPARATION &&
           s->up_separation >= safe_distance(s);
}

/* The same for descending. */
static int descent_keeps_apart(const struct situation *s) {
    int prefer_up = climb_separation(s) > s->down_separation;
    if (prefer_up)
        return own_below(s) && s->vertical_separation >= MIN_SEPARATION &&
               s->down_separation >= safe_distance(s);
    return !own_above(s) || s->up_separation >= safe_distance(s);
}

static enum advisory advise(const struct situation *s) {
    int enabled = s->high_confidence && s->own_rate <= OLEV && s->vertical_separation > MAX_ALT_DIFF;
    int equipped = s->other_capability == EQUIPPED;
    int unknown = s->two_reports_valid && s->other_intent == NO_INTENT;
    if (!enabled || !((equipped && unknown) || !equipped))
        return NONE;
    int need_up = climb_keeps_apart(s) && own_below(s);
    int need_down = descent_keeps_apart(s) && own_above(s);
    if (need_up && need_down)
        return NONE;
    if (need_up)
        return CLIMB;
    if (need_down)
        return DESCEND;
    return NONE;
}

/* What the other aircraft has announced may forbid the manoeuvre that we chose. */
static enum advisory coordinate(const struct situation *s, enum advisory own) {
    if (s->other_capability != EQUIPPED)
        return own;
    if (own == CLIMB && s->other_intent == WILL_NOT_DESCEND && s->own_rate > 0)
        return NONE;
    if (own == DESCEND && s->other_intent == WILL_NOT_CLIMB && s->own_rate < 0)
        return NONE;
    return own;
}

int main(void) {
    struct situation s;
    s.vertical_separation = labrys_int("vertical_separation");
    s.high_confidence = labrys_int("high_confidence");
    s.two_reports_valid = labrys_int("two_reports_valid");
    s.own_altitude = labrys_int("own_altitude");
    s.own_rate = labrys_int("own_rate");
    s.other_altitude = labrys_int("other_altitude");
    s.layer = labrys_int("layer");
    s.up_separation = labrys_int("up_separation");
    s.down_separation = labrys_int("down_separation");
    s.other_intent = labrys_int("other_intent");
    s.other_capability = labrys_int("other_capability");
    s.climb_inhibited = labrys_int("climb_inhibited");
    return (int)coordinate(&s, advise(&s));
}

// By hand: a separation above MAX_ALT_DIFF is never below MIN_SEPARATION (2), need_up and need_down
// exclude each other (1), and an equipped aircraft that gets an advisory has no intent (6).
// expect: branches 74 feasible 65
// expect: fault out-of-bounds 29
