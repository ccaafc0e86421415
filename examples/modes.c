/* Branches that no test can cover, each for another reason; docs/proofs.md shows a proof of each. */
static int mode;   /* nothing writes it */
int limit = 3;     /* another file may write it */

int scale(int x, int count) {
    if (x > 10) {
        if (x < 5)
            return 1;
    }
    if (mode == 2)
        return 2;
    if (limit > 7)
        return 3;
    if (x == count + 1) {
        if (x == count)
            return 4;
    }
    return 0;
}

unsigned drain(unsigned level) {
    unsigned left = level, turns = 0;
    while (left > 0) {
        if (left > level)
            return 0;
        left--;
        turns++;
    }
    return turns;
}

// arguments: --trust all
