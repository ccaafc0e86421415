// Exploration: bubble sort of up to six symbolic ints; one path an order: 1+1+2+6+24+120+720.
// alphabet: length 4 0 1 2 3 4 5 6
// alphabet: values 4 -3 -2 -1 0 1 2
// expect: paths 874
#include "labrys.h"

static void sort(int *v, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                int t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
}

int main(void) {
    int values[6], length;
    labrys_symbolic(&length, sizeof length, "length");
    labrys_assume(length >= 0);
    labrys_assume(length <= 6);
    labrys_symbolic(values, sizeof values, "values");
    sort(values, length);
    return length ? values[0] : 0;
}
