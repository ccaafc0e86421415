// The guard: concrete arithmetic, memory, calls and branches, for the interpreter.
#include "labrys.h"

enum { SIZE = 256, ROUNDS = 60 };

static unsigned char table[SIZE];
static unsigned counts[SIZE];

static unsigned mix(unsigned h, unsigned char c) {
    h ^= c;
    h *= 16777619u;
    return h ^ (h >> 13);
}

static unsigned sift(unsigned *values, int n) {
    unsigned swaps = 0;
    for (int i = 1; i < n; i++) {
        unsigned v = values[i];
        int j = i;
        while (j > 0 && values[j - 1] > v) {
            values[j] = values[j - 1];
            j--;
            swaps++;
        }
        values[j] = v;
    }
    return swaps;
}

int main(void) {
    unsigned h = 2166136261u, swaps = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) {
            h = mix(h, (unsigned char)(i + round));
            table[i] = (unsigned char)(h >> 24);
        }
        for (int i = 0; i < SIZE; i++)
            counts[table[i]] += (unsigned)i & 7u;
        swaps += sift(counts + (round & 127), 64);
    }
    h += swaps;
    if (labrys_int("never used") == 7)
        h++;
    labrys_output("result", &h, sizeof h);
    return 0;
}
