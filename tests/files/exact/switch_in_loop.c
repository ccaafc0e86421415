// A small machine: switch in a loop with break, continue and return inside.
// expect: branches 13 feasible 12
// expect: paths 32
// expect: infeasible 28:9:case
#include "labrys.h"

int main(void) {
    unsigned char code[2];
    labrys_symbolic(code, sizeof code, "code");
    int acc = 0, steps = 0;
    for (int pc = 0; pc < 2; pc++) {
        steps++;
        switch (code[pc] >> 5) {
        case 0:
            continue;
        case 1:
            acc += code[pc] & 31;
            break;
        case 2:
            acc -= code[pc] & 31;
            break;
        case 3:
            if (acc == 0)
                pc++;
            break;
        case 7:
            return acc;
        case 8:
            return -1;
        }
        if (acc < 0)
            break;
    }
    return acc + steps;
}
