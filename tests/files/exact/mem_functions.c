// memcpy, memmove, memset and memcmp on small buffers.
// expect: branches 12 feasible 9
// expect: paths 4
// expect: infeasible 18:9:true
// expect: infeasible 18:31:true
// expect: infeasible 23:16:false
// expect: mcdc 18:9 --
#include "labrys.h"
#include <string.h>

int main(void) {
    unsigned char in[2], buffer[4] = {1, 2, 3, 4};
    labrys_symbolic(in, sizeof in, "in");
    memcpy(buffer + 1, in, 2);
    if (memcmp(buffer, "\1\2\3\4", 4) == 0)
        return 1;
    memmove(buffer, buffer + 1, 3);
    if (buffer[0] != in[0] || buffer[3] != 4)
        return 2;
    memset(buffer + 1, in[0], 2);
    int order = memcmp(buffer, in, 2);
    if (order == 0)
        return in[0] == in[1] ? 3 : 4;
    return order < 0 ? 5 : 6;
}
