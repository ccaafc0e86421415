// goto out of nested loops, into blocks, backwards over declarations, and computed goto.
// expect: result 5f0200000000000009000000000000001b000000000000004101000000000000
#include "out.h"

static int interpret(const char *code) {
    static void *const table[] = {['+'] = &&plus, ['-'] = &&minus, ['*'] = &&times, ['['] = &&loop, [0] = &&end};
    int acc = 0, turns = 0;
    const char *start = code;
    goto *table[(unsigned char)*code];
plus: acc++; goto *table[(unsigned char)*++code];
minus: acc--; goto *table[(unsigned char)*++code];
times: acc *= 2; goto *table[(unsigned char)*++code];
loop:
    if (++turns < 3) {
        code = start;
        goto *table[(unsigned char)*code];
    }
    goto *table[(unsigned char)*++code];
end: return acc;
}

static int offsets(int i) {
    static const int table[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    goto *(&&a + table[i]);
a: return 1;
b: return 2;
c: return 3;
}

int main(void) {
    int i, j, r = 0;
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++)
            if (i * j == 42)
                goto found;
found:
    out((unsigned)(i * 100 + j));
    goto inside;
    if (r) {
    inside:
        r += 5;
    }
again:;
    int fresh = r;
    r = fresh + 1;
    if (r < 9)
        goto again;
    out((unsigned)r), out((unsigned)interpret("++*[-")), out((unsigned)(offsets(0) + 10 * offsets(1) + 100 * offsets(2)));
    return finish();
}
