// Exploration: a loop that counts over twelve symbolic ints, one branch a turn.
// alphabet: values 4 -1 0 1
// expect: paths 4096
#include "labrys.h"

int main(void) {
    int values[12], positive = 0;
    labrys_symbolic(values, sizeof values, "values");
    for (int i = 0; i < 12; i++)
        if (values[i] > 0)
            positive++;
    return positive;
}
