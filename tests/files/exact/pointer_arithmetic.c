// Pointers that walk, are compared and subtracted.
// expect: branches 12 feasible 10
// expect: paths 17
// expect: infeasible 23:9:true
// expect: infeasible 28:20:true
// expect: mcdc 28:9 --
#include "labrys.h"

static const char *find(const char *begin, const char *end, char c) {
    for (const char *p = begin; p != end; ++p)
        if (*p == c)
            return p;
    return end;
}

int main(void) {
    char text[] = "minotaur";
    unsigned char c = labrys_uchar("c");
    unsigned char n = labrys_uchar("n");
    labrys_assume(n <= 8);
    const char *end = text + n;
    const char *p = find(text, end, (char)c);
    if (p > end)
        return 1;
    if (p == end)
        return 2;
    long at = p - text;
    if (at == 4 && *(p - 1) != 'o')
        return 3;
    return (int)at;
}
