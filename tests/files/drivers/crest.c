// The example that comes with CREST, in its manner: macros on variables.
// expect: branches 6 feasible 6
// expect: paths 4
#include <crest.h>

int main(void) {
    int x;
    unsigned char u;
    short s;
    CREST_int(x);
    CREST_unsigned_char(u);
    CREST_short(s);
    if (x == u + 1000) {
        if (s * 2 == x)
            return 3;
        if (u > 200)
            return 2;
        return 1;
    }
    return 0;
}
