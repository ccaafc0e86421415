// The guard: many paths with easy conditions, for candidates, snapshots and the search.
#include "labrys.h"

enum state { START, SIGN, DIGITS, POINT, FRACTION, EXPONENT, DONE, WRONG };

static enum state step(enum state state, unsigned char c) {
    switch (state) {
    case START:
        if (c == '+' || c == '-')
            return SIGN;
        return c >= '0' && c <= '9' ? DIGITS : WRONG;
    case SIGN: return c >= '0' && c <= '9' ? DIGITS : WRONG;
    case DIGITS:
        if (c == '.')
            return POINT;
        if (c == 'e')
            return EXPONENT;
        return c >= '0' && c <= '9' ? DIGITS : c == '\0' ? DONE : WRONG;
    case POINT: return c >= '0' && c <= '9' ? FRACTION : WRONG;
    case FRACTION:
        if (c == 'e')
            return EXPONENT;
        return c >= '0' && c <= '9' ? FRACTION : c == '\0' ? DONE : WRONG;
    case EXPONENT: return c >= '0' && c <= '9' ? DONE : WRONG;
    default: return state;
    }
}

int main(void) {
    unsigned char text[5];
    int values[4];
    enum state state = START;
    unsigned digits = 0;
    labrys_symbolic(text, sizeof text, "text");
    for (unsigned i = 0; i < sizeof text && state != DONE && state != WRONG; i++) {
        state = step(state, text[i]);
        digits += state == DIGITS || state == FRACTION;
    }
    labrys_symbolic(values, sizeof values, "values");
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && values[j - 1] > values[j]; j--) {
            int v = values[j];
            values[j] = values[j - 1];
            values[j - 1] = v;
        }
    labrys_output("digits", &digits, sizeof digits);
    return state == DONE;
}
