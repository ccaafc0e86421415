/* Advisories of some encounters, and two properties of all of a sample. */
#include "check.h"
#include "../collision.c"
#undef main

int main(void) {
    /* separation, confident, valid twice, own altitude and rate, the other's altitude, layer,
     * room above and below, intent, capability, no climb */
    struct encounter below = {700, 1, 1, 1000, 100, 2000, 0, 500, 300, NO_INTENT, EQUIPPED, 0};
    struct encounter above = {700, 1, 1, 2000, 100, 1000, 0, 500, 900, NO_INTENT, EQUIPPED, 0};
    struct encounter e;
    unsigned n;
    CHECK(advise(&below) == CLIMB);
    CHECK(advise(&above) == DESCEND);
    below.room_below = 450;
    CHECK(advise(&below) == NONE);
    below.layer = 1;
    CHECK(advise(&below) == CLIMB);
    below.confident = 0;
    CHECK(advise(&below) == NONE);
    above.other_intent = WILL_NOT_CLIMB;
    CHECK(advise(&above) == NONE);
    above.other_capability = OTHER;
    CHECK(advise(&above) == DESCEND);
    for (n = 0; n < 4096; n++) {
        e = below;
        e.confident = 1;
        e.own_altitude = n & 1 ? 900 : 1100;
        e.other_altitude = n & 2 ? 900 : 1100;
        e.separation = n & 4 ? 600 : 601;
        e.room_above = n & 8 ? 399 : 650;
        e.room_below = n & 16 ? 350 : 500;
        e.layer = n >> 5 & 3;
        e.no_climb = n >> 7 & 1;
        e.other_intent = n >> 8 & 1;
        e.other_capability = n & 512 ? OTHER : EQUIPPED;
        e.own_rate = n & 1024 ? 600 : 601;
        if (advise(&e) == CLIMB) CHECK(e.own_altitude < e.other_altitude);
        if (advise(&e) == DESCEND) CHECK(e.own_altitude > e.other_altitude);
        if (e.own_rate > 600 || e.separation <= 600) CHECK(advise(&e) == NONE);
    }
    return checked > 1000 ? 0 : 1;
}
