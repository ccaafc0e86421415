// Duff's device: case labels inside a loop body.
// expect: branches 9 feasible 7
// expect: paths 16
// expect: infeasible 10:13:default
// expect: infeasible 31:9:true
#include "labrys.h"

static void copy(char *to, const char *from, int count) {
    int turns = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (--turns > 0);
    }
}

int main(void) {
    static const char text[16] = "labyrinth of Kno";
    char out[16] = {0};
    unsigned char n = labrys_uchar("n");
    labrys_assume(n > 0);
    labrys_assume(n <= 16);
    copy(out, text, n);
    if (out[n - 1] != text[n - 1])
        return 1;
    return 0;
}
