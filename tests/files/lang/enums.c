// Enumerations: values, arithmetic, as index, in switch, negative, large.
// expect: result 06000000000000006c0000000000000001000000000000000900000000000000ffffffff00000000ffffffff0000000001000000000000002a0100000000000004000000000000000200000000000000
#include "out.h"

enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 3 };
enum sign { MINUS = -1, ZERO, PLUS };
enum large { HUGE_ONE = 0xffffffffu };
enum { ANSWER = 42, AGAIN = ANSWER | 1 << 8 };

static const char *const names[LAST + 1] = {[RED] = "red", [BLUE] = "blue", [GREEN] = "green"};

static enum sign sign_of(int v) { return v < 0 ? MINUS : v > 0 ? PLUS : ZERO; }

int main(void) {
    enum color c = GREEN;
    c++;
    out(c), out((unsigned)names[c][1]), out(!names[LAST]), out(LAST), out(HUGE_ONE);
    out((unsigned)sign_of(-7)), out((unsigned)(sign_of(9) + sign_of(0))), out(AGAIN), out(sizeof(enum sign));
    switch (c) {
    case RED: out(1); break;
    case BLUE: out(2); break;
    default: out(3);
    }
    return finish();
}
