// An advisory for two aircraft on crossing courses: twelve integers. With VARIANT the decisions
// are taken one condition at a time and the layer of altitude is looked up by comparisons.
#include "labrys.h"

enum advisory { NONE, CLIMB, DESCEND };
enum intent { NO_INTENT, WILL_NOT_CLIMB, WILL_NOT_DESCEND };
enum capability { EQUIPPED = 1, OTHER };

enum { MOST_RATE = 600, FAR_APART = 600, LEAST_APART = 300, CREDIT = 100 };

struct encounter {
    int separation;
    int confident;
    int valid_twice;
    int own_altitude;
    int own_rate;
    int other_altitude;
    int layer;
    int room_above;
    int room_below;
    int other_intent;
    int other_capability;
    int no_climb;
};

#ifdef VARIANT
/* The least room that is safe in the layer of altitude. */
static int safe_room(const struct encounter *e) {
    if (e->layer == 0)
        return 400;
    if (e->layer == 1)
        return 500;
    if (e->layer == 2)
        return 640;
    return 740;
}

/* The room above, credited with what a level flight adds where climbing is inhibited. */
static int room_to_climb(const struct encounter *e) {
    if (e->no_climb)
        return e->room_above + CREDIT;
    return e->room_above;
}
#else
static const int rooms[4] = {400, 500, 640, 740};

static int safe_room(const struct encounter *e) { return rooms[e->layer]; }

static int room_to_climb(const struct encounter *e) {
    return e->no_climb ? e->room_above + CREDIT : e->room_above;
}
#endif

static int is_below(const struct encounter *e) { return e->own_altitude < e->other_altitude; }

static int is_above(const struct encounter *e) { return e->other_altitude < e->own_altitude; }

/* Would a climb keep the distance without crossing the other's altitude? */
static int may_climb(const struct encounter *e) {
    if (room_to_climb(e) > e->room_below)
        return !is_below(e) || e->room_below < safe_room(e);
    return is_above(e) && e->separation >= LEAST_APART && e->room_above >= safe_room(e);
}

static int may_descend(const struct encounter *e) {
    if (room_to_climb(e) > e->room_below)
        return is_below(e) && e->separation >= LEAST_APART && e->room_below >= safe_room(e);
    return !is_above(e) || e->room_above >= safe_room(e);
}

#ifdef VARIANT
/* Is an advisory called for at all? */
static int is_enabled(const struct encounter *e) {
    if (!e->confident)
        return 0;
    if (e->own_rate > MOST_RATE)
        return 0;
    if (e->separation <= FAR_APART)
        return 0;
    if (e->other_capability != EQUIPPED)
        return 1;
    if (!e->valid_twice)
        return 0;
    return e->other_intent == NO_INTENT;
}
#else
static int is_enabled(const struct encounter *e) {
    int watched = e->confident && e->own_rate <= MOST_RATE && e->separation > FAR_APART;
    int equipped = e->other_capability == EQUIPPED;
    int silent = e->valid_twice && e->other_intent == NO_INTENT;
    return watched && ((equipped && silent) || !equipped);
}
#endif

enum advisory advise(const struct encounter *e) {
    int up, down;
    if (!is_enabled(e))
        return NONE;
    up = may_climb(e) && is_below(e);
    down = may_descend(e) && is_above(e);
    if (up && down)
        return NONE;
    if (up)
        return CLIMB;
    if (down)
        return DESCEND;
    return NONE;
}

int main(void) {
    struct encounter e;
    e.separation = labrys_int("separation");
    e.confident = labrys_int("confident");
    e.valid_twice = labrys_int("valid_twice");
    e.own_altitude = labrys_int("own_altitude");
    e.own_rate = labrys_int("own_rate");
    e.other_altitude = labrys_int("other_altitude");
    e.layer = labrys_int("layer");
    e.room_above = labrys_int("room_above");
    e.room_below = labrys_int("room_below");
    e.other_intent = labrys_int("other_intent");
    e.other_capability = labrys_int("other_capability");
    e.no_climb = labrys_int("no_climb");
    labrys_assume(e.layer >= 0 && e.layer <= 3);
    labrys_assume(e.room_above >= 0 && e.room_above <= 10000);
    return (int)advise(&e);
}
